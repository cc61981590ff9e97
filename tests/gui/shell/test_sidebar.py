"""The library at the left: it makes room in a narrow window, and comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.gui.library.model import DOCUMENT_ROLE
from tests.gui.conftest import Kindred, close, search

NARROW, WIDE = (1000, 700), (1400, 800)


def _show_first_hit(kindred: Kindred, qtbot: QtBot) -> None:
    search(kindred, qtbot, "bread")
    window = kindred.window
    window.search_pane.view.setCurrentIndex(window.search_pane.model.index(0))
    qtbot.waitUntil(lambda: window.reader.shown is not None)


@pytest.fixture
def narrow(filled: Kindred, qtbot: QtBot) -> Kindred:
    """A window of 1000 pixels with two documents."""
    filled.window.resize(*NARROW)
    qtbot.waitUntil(lambda: filled.window.splitter.width() == NARROW[0])
    return filled


def test_in_a_narrow_window_the_library_makes_room_for_the_reader(narrow: Kindred, qtbot: QtBot) -> None:
    window = narrow.window
    assert window.library_pane.isVisible(), "with nothing to read there is room"
    _show_first_hit(narrow, qtbot)
    assert window.library_pane.isHidden()
    assert not window.action_table["view.library"].isChecked()
    qtbot.waitUntil(lambda: window.reader.width() >= 550)  # a page of A4 has two thirds of its size


def test_in_a_wide_window_the_library_stays(shared: Kindred, qtbot: QtBot) -> None:
    shared.window.resize(*WIDE)
    _show_first_hit(shared, qtbot)
    assert shared.window.library_pane.isVisible()


def test_the_library_comes_back_when_the_window_gets_wide(narrow: Kindred, qtbot: QtBot) -> None:
    _show_first_hit(narrow, qtbot)
    narrow.window.resize(*WIDE)
    qtbot.waitUntil(narrow.window.library_pane.isVisible)


def test_a_library_that_was_asked_for_stays(narrow: Kindred, qtbot: QtBot) -> None:
    window = narrow.window
    _show_first_hit(narrow, qtbot)
    window.action_table["view.library"].trigger()
    assert window.library_pane.isVisible()
    search(narrow, qtbot, "sea")
    window.search_pane.step(1)
    window.context.navigator.open_hit.emit(window.search_pane.current)
    assert window.library_pane.isVisible()
    window.action_table["view.library"].trigger()
    assert window.library_pane.isHidden()


@pytest.mark.parametrize("action", ["library.focus", "library.filter"])
def test_going_to_the_documents_shows_the_library(narrow: Kindred, qtbot: QtBot, action: str) -> None:
    _show_first_hit(narrow, qtbot)
    narrow.window.action_table[action].trigger()
    assert narrow.window.library_pane.isAncestorOf(narrow.window.focusWidget())


def test_a_click_on_a_document_does_not_take_the_library_away(narrow: Kindred, qtbot: QtBot) -> None:
    window = narrow.window
    window.action_table["library.focus"].trigger()
    window.library_pane.clicked.emit(narrow.row("sea").data(DOCUMENT_ROLE))
    qtbot.waitUntil(lambda: window.reader.shown is not None)
    assert window.library_pane.isVisible()


def test_an_import_is_followed_in_the_library(narrow: Kindred, qtbot: QtBot, files: Path) -> None:
    _show_first_hit(narrow, qtbot)
    (files / "more.txt").write_text("One more sentence.", "utf-8")
    narrow.window.imports.start([str(files)])
    qtbot.waitUntil(narrow.window.library_pane.isVisible)
    qtbot.waitUntil(lambda: narrow.is_quiet and len(narrow.documents) == 3)


def test_the_results_make_room_for_the_library_as_well(narrow: Kindred, qtbot: QtBot) -> None:
    window = narrow.window
    _show_first_hit(narrow, qtbot)
    qtbot.waitUntil(lambda: window.reader.width() >= 550)
    share = window.reader.width() / window.splitter.width()
    window.action_table["view.library"].trigger()
    qtbot.waitUntil(lambda: window.library_pane.width() > 0)
    rest = window.splitter.width() - window.library_pane.width()
    assert window.reader.width() / rest == pytest.approx(share, abs=0.05)
    window.action_table["view.library"].trigger()
    qtbot.waitUntil(lambda: window.reader.width() >= 550)


def test_a_hidden_library_stays_hidden_at_the_next_start(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    first = make()
    first.window.resize(*WIDE)
    first.window.action_table["view.library"].trigger()
    assert first.window.library_pane.isHidden()
    close(first)
    second = make()
    assert second.window.library_pane.isHidden()
    assert not second.window.action_table["view.library"].isChecked()


def test_the_library_that_an_import_showed_makes_room_in_the_next_pane_with_a_reader(
    narrow: Kindred, qtbot: QtBot, files: Path
) -> None:
    window = narrow.window
    _show_first_hit(narrow, qtbot)
    (files / "later.txt").write_text("A wall needs a gate.", "utf-8")
    window.imports.start([str(files / "later.txt")])
    qtbot.waitUntil(window.library_pane.isVisible)
    qtbot.waitUntil(lambda: narrow.is_quiet and not window.imports.is_running)
    window.search.box.setFocus()
    window.action_table["pane.clusters"].trigger()
    assert window.library_pane.isHidden()
