"""A shared library in the window: what others change appears, and a lost connection costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import LibraryUnreachable
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import OtherImporter
from desktop_app.core.shared_address import SharedAddress
from desktop_app.core.user_data import SavedSearch
from desktop_app.gui.base import session as session_module
from tests.gui.conftest import Kindred, search
from tests.gui.fakes import FakeLibrary

ADDRESS = SharedAddress("archive", "kindred", "newsroom", "anna")


@pytest.fixture
def shared(make: Callable[..., Kindred], files: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Kindred:
    """A window on a shared library with two documents."""
    monkeypatch.setattr(session_module, "_POLL_MS", 10)
    monkeypatch.setattr(session_module, "_RETRY_MS", 10)
    library = FakeLibrary()
    library.access = {"is_shared": True}
    kindred = make(library=library, show=False)
    kindred.window.show_library(ADDRESS, is_default=False)
    kindred.window.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
    return kindred


def test_the_window_names_the_shared_library_and_its_user(shared: Kindred) -> None:
    assert shared.window.windowTitle().startswith("newsroom")
    assert shared.window.status.text().startswith("newsroom on archive as anna · 2 documents")


def test_what_others_remove_disappears(shared: Kindred, qtbot: QtBot) -> None:
    library = shared.library
    library.removed.add(min(library.rows))
    library.changed_by_others = ChangeSet(listing=True, sentences=True)
    qtbot.waitUntil(lambda: len(shared.documents) == 1)
    qtbot.waitUntil(lambda: "1 document " in shared.window.status.text())


def test_searches_that_another_computer_of_the_person_saves_appear(shared: Kindred, qtbot: QtBot) -> None:
    shared.library.user_data.save_search(SavedSearch("Waves", "the sea", "both"))
    shared.library.changed_by_others = ChangeSet(searches=True)
    qtbot.waitUntil(lambda: [each.name for each in shared.window.search.history.searches] == ["Waves"])


def test_the_imports_of_others_are_shown_in_one_line(shared: Kindred, qtbot: QtBot) -> None:
    library, line = shared.library, shared.window.other_importers
    assert line.isHidden()
    library.importers = [OtherImporter("archive-2", "bela", 1)]
    library.changed_by_others = ChangeSet(documents=frozenset({1}), listing=True)
    qtbot.waitUntil(lambda: line.text() == "archive-2 is importing")
    first = min(library.rows)
    library.rows[first] = replace(library.rows[first], state="queued")
    library.importers.append(OtherImporter("scanner", "carl", 1))
    library.changed_by_others = ChangeSet(documents=frozenset({first}), listing=True)
    qtbot.waitUntil(lambda: line.text().startswith("2 computers are importing"))
    assert "scanner, as carl: 1 document" in line.toolTip()
    library.importers.clear()
    library.changed_by_others = ChangeSet(listing=True)
    qtbot.waitUntil(line.isHidden)


def test_a_lost_connection_keeps_what_is_shown_and_ends_by_itself(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    window.show()
    search(shared, qtbot, "sea")
    qtbot.waitUntil(lambda: len(shared.hits) > 1)
    before = shared.hits
    shared.library.lost = LibraryUnreachable("The server {server} cannot be reached: {why}", server="archive", why="x")
    qtbot.waitUntil(lambda: not window.session.is_connected)
    assert window.connection_bar.isVisible()
    assert "(not connected)" in window.status.text()
    window.context.tell_error(shared.library.lost)
    assert not window.notice.isVisible()
    assert shared.hits == before
    shared.library.lost = None
    window.connection_bar.pressed.emit()
    qtbot.waitUntil(lambda: window.session.is_connected)
    assert not window.connection_bar.isVisible()
    assert window.notice.text == "Connected to newsroom again."


def test_a_server_that_answers_slowly_is_named_until_it_answers(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    window.show()
    shared.library.silence_s = session_module._SLOW_S + 1
    qtbot.waitUntil(window.connection_bar.isVisible)
    assert window.connection_bar.text.startswith("newsroom is answering slowly")
    assert "(not connected)" not in window.status.text()
    shared.library.silence_s = 0.0
    qtbot.waitUntil(lambda: not window.connection_bar.isVisible())


def test_a_server_that_does_not_answer_at_the_start_is_tried_again(
    make: Callable[..., Kindred], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "_RETRY_MS", 10)
    library, lost = FakeLibrary(), [True]

    def open_library() -> FakeLibrary:
        if lost:
            raise LibraryUnreachable("The server {server} cannot be reached: {why}", server="archive", why="x")
        return library

    kindred = make(open_library=open_library)
    qtbot.waitUntil(lambda: kindred.kind == "error")
    lost.clear()
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
