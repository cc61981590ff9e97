"""What a person last worked on comes back in the next window of the same library."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Kindred, choose, close, search
from tests.gui.fakes import FakeLibrary

Maker = Callable[..., Kindred]

LONG = "\n".join(f"Line {n} speaks of bread, of dough{n}, of flour{n} and of yeast{n}." for n in range(200))
"""No line resembles another: for each query, copies are folded."""


@pytest.fixture
def folder(files: Path) -> Path:
    (files / "long.txt").write_text(LONG, "utf-8")
    return files


@pytest.fixture
def worked(make: Maker, folder: Path, qtbot: QtBot) -> Kindred:
    """A window with a query, two tabs, and a reader that is scrolled."""
    kindred = make()
    window = kindred.window
    qtbot.waitUntil(lambda: window.session.phase == "ready" and kindred.kind == "no_documents")
    window.imports.start([str(folder)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 3)
    qtbot.waitUntil(lambda: all("sentences" in state for state in kindred.documents.values()))
    search(kindred, qtbot, "bread")
    qtbot.waitUntil(lambda: len(kindred.hits) > 5)
    window.search_pane.step(4)
    qtbot.waitUntil(lambda: window.reader.shown is not None)
    for name in ("tags", "long"):
        document = next(each for each in window.documents.all_documents() if Path(each.path).stem == name)
        window.reader_link.open_document(document, in_new_tab=True)
        qtbot.waitUntil(lambda name=name: window.reader.shown is not None and name in window.reader.shown.path)
    return kindred


def open_again(make: Maker, before: Kindred, qtbot: QtBot, *, library: FakeLibrary | None = None) -> Kindred:
    close(before)
    again = make(library=library or before.library)
    qtbot.waitUntil(lambda: again.window.session.phase == "ready" and again.window._document_list.is_listed)
    return again


def test_the_query_its_hit_and_the_open_documents_come_back(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    window = worked.window
    window.reader.text.verticalScrollBar().setValue(60)
    place = window.reader.text.position()
    names, hit = window.reader_controller.tabs.names, window.search_pane.current
    assert hit is not None
    again = open_again(make, worked, qtbot).window
    qtbot.waitUntil(lambda: again.search_pane.model.rowCount() > 5)
    assert again.search.box.text() == "bread"
    qtbot.waitUntil(lambda: again.search_pane.current is not None)
    assert again.search_pane.current.text == hit.text  # type: ignore[union-attr]
    assert again.reader_controller.tabs.names == names
    qtbot.waitUntil(lambda: again.reader.shown is not None)
    assert again.reader.shown.name == names[-1]  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: again.reader.text.position() == place)
    assert place.down > 1000


def test_a_pane_and_a_single_document_come_back(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    window = worked.window
    for _ in range(3):
        window.reader_controller.close_tab()
    window.search.box.clear()
    choose(worked, "sea")
    qtbot.waitUntil(lambda: not window.search.controller.query)
    document = next(each for each in window.documents.all_documents() if each.path.endswith("sea.txt"))
    window.reader_link.open_document(document)
    window.panes.show_pane("trace")
    again = open_again(make, worked, qtbot).window
    assert again.panes.current.name == "trace"
    assert again.search.box.text() == ""
    assert again.reader.document is not None
    assert again.reader.document.path == document.path
    assert not again.reader_controller.has_tabs


def test_removed_documents_and_unknown_values_are_left_out(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    window = worked.window
    gone = next(number for number, row in worked.library.rows.items() if row.path.endswith("long.txt"))
    library = worked.library
    close(worked)
    del library.rows[gone]
    state = QSettings(str(window.context.state_file), QSettings.Format.IniFormat)
    (key,) = [key for key in state.allKeys() if key.startswith("work/")]
    stored = json.loads(state.value(key))
    for row in stored["documents"]:
        row["position"] = ["pages", "large", None]
    state.setValue(key, json.dumps({**stored, "pane": "kitchen", "hit": -5, "parts": []}))
    state.sync()
    again = open_again(make, worked, qtbot, library=library).window
    qtbot.waitUntil(lambda: again.reader.document is not None)
    assert "long" not in " ".join(again.reader_controller.tabs.names)
    assert again.panes.current.name == "search"


@pytest.mark.parametrize("broken", ["no JSON", "[]", '{"documents": 5, "query": 7, "folders": [1], "parts": "x"}'])
def test_a_state_that_cannot_be_read_is_ignored(make: Maker, worked: Kindred, qtbot: QtBot, broken: str) -> None:
    file = str(worked.window.context.state_file)
    close(worked)
    state = QSettings(file, QSettings.Format.IniFormat)
    (key,) = [key for key in state.allKeys() if key.startswith("work/")]
    state.setValue(key, broken)
    state.sync()
    again = open_again(make, worked, qtbot).window
    assert again.search.box.text() == ""
    assert again.reader.document is None


def test_another_library_begins_with_nothing(make: Maker, worked: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    close(worked)
    other = make(library=FakeLibrary())
    other.window.show_library(tmp_path / "other", is_default=False)
    qtbot.waitUntil(lambda: other.window._document_list.is_listed)
    assert other.window.search.box.text() == ""
    again = open_again(make, other, qtbot, library=worked.library).window
    assert again.search.box.text() == "bread", "the first library still has its own"


def test_nothing_is_kept_if_the_person_does_not_want_it(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    window = worked.window
    window.context.settings = replace(window.context.settings, restore_work=False)
    again = open_again(make, worked, qtbot).window
    assert again.search.box.text() == ""
    assert again.reader.document is None


def test_queries_are_not_kept_if_they_are_not_remembered(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    window = worked.window
    window.context.settings = replace(window.context.settings, keep_queries=False)
    again = open_again(make, worked, qtbot).window
    qtbot.waitUntil(lambda: again.reader.document is not None)
    assert again.search.box.text() == ""


def test_what_the_person_types_first_stays(make: Maker, worked: Kindred, qtbot: QtBot) -> None:
    close(worked)
    again = make(library=worked.library, show=False)
    again.window.search.box.setText("walls")
    again.window.show()
    again.window.start()
    qtbot.waitUntil(lambda: again.window._document_list.is_listed and bool(again.hits))
    assert again.window.search.box.text() == "walls"
