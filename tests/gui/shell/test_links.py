"""Links: copied from a result, a search or a document, and followed in the window of their library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.links import LibraryLink, format_link, parse_link
from desktop_app.gui.shell.library_switch import find_known_library, remember_identity
from tests.gui.conftest import Kindred, choose, search
from tests.gui.shell.test_libraries import Desk, desk

__all__ = ["desk"]

SEA = "Salt marshes break the force of the waves."


@pytest.fixture
def copied(qapp: QApplication) -> Iterator[Callable[[], str]]:
    """Return what was copied to the clipboard last."""
    qapp.clipboard().clear()
    yield lambda: qapp.clipboard().text()
    qapp.clipboard().clear()


def follow(kindred: Kindred, *links: str) -> None:
    kindred.window.open_words(links)


def test_a_copied_result_is_shown_again_by_its_link(shared: Kindred, qtbot: QtBot, copied: Callable[[], str]) -> None:
    search(shared, qtbot, "salt marshes waves")
    window = shared.window
    hit = window.search_pane.current
    assert hit is not None
    window.action_table["hit.copy_link"].trigger()
    link = parse_link(copied())
    assert (link.library, link.document_id, link.sentence) == (shared.library.identity, hit.document_id, hit.ordinal)
    assert hit.text not in copied()
    window.search.box.clear()
    window.reader.clear()
    follow(shared, copied())
    qtbot.waitUntil(lambda: window.reader.current is not None and window.reader.current.text == hit.text)
    assert not window.reader.isHidden()


def test_a_copied_search_is_repeated_with_its_mode(shared: Kindred, qtbot: QtBot, copied: Callable[[], str]) -> None:
    window = shared.window
    assert not window.action_table["search.copy_link"].isEnabled()
    search(shared, qtbot, "title:sea | waves & more")
    window.action_table["search.mode.words"].trigger()
    window.action_table["search.copy_link"].trigger()
    window.search.box.clear()
    window.action_table["search.mode.meaning"].trigger()
    window.panes.show_pane("trace")
    follow(shared, copied())
    qtbot.waitUntil(lambda: window.panes.current.name == "search")
    assert window.search.box.text() == "title:sea | waves & more"
    assert window.search.controller.mode == "words"


def test_copied_documents_are_opened_again(shared: Kindred, qtbot: QtBot, copied: Callable[[], str]) -> None:
    choose(shared, "sea", "tags")
    shared.window.action_table["document.copy_link"].trigger()
    links = copied().splitlines()
    assert len({parse_link(link).document_id for link in links}) == 2
    for link in links:
        follow(shared, link)
        number = parse_link(link).document_id
        qtbot.waitUntil(
            lambda number=number: (shown := shared.window.reader.shown) is not None and shown.document_id == number
        )
    assert not shared.window.reader_controller.has_tabs, "each in place of the one before"


def test_the_reader_copies_a_link_to_what_it_shows(shared: Kindred, qtbot: QtBot, copied: Callable[[], str]) -> None:
    search(shared, qtbot, "salt marshes waves")
    window = shared.window
    assert window.search_pane.current is not None
    window.context.navigator.open_hit.emit(window.search_pane.current)
    qtbot.waitUntil(lambda: window.reader.shown is not None)
    window.reader.copy_link()
    assert parse_link(copied()).sentence == window.search_pane.current.ordinal


def test_a_sentence_that_is_gone_opens_its_document_and_says_so(shared: Kindred, qtbot: QtBot) -> None:
    number = next(iter(shared.window.documents.all_documents())).document_id
    link = LibraryLink(shared.library.identity, number, sentence=1, text_hash="0" * 16)
    follow(shared, format_link(link))
    qtbot.waitUntil(lambda: "no longer in" in shared.window.notice.text)
    qtbot.waitUntil(lambda: shared.window.reader.shown is not None)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("kindred://", "not a link to a Kindred library"),
        ("kindred://0123456789abcdef/../../etc/passwd", "not a link to a Kindred library"),
        ("kindred://0123456789abcdef/document/1", "a library that Kindred hasn't opened on this computer"),
        ("kindred://{own}/document/999", "no longer in the library"),
    ],
)
def test_what_cannot_be_shown_is_said(shared: Kindred, qtbot: QtBot, link: str, said: str) -> None:
    before = shared.documents
    follow(shared, link.format(own=shared.library.identity))
    qtbot.waitUntil(lambda: said in shared.window.notice.text)
    assert shared.documents == before
    assert shared.window.search.box.text() == ""


def test_links_wait_until_the_library_is_open(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    kindred = make(show=False)
    follow(kindred, format_link(LibraryLink(kindred.library.identity, query="tea")))
    kindred.window.start()
    qtbot.waitUntil(lambda: kindred.window.search.box.text() == "tea")


def test_a_link_into_another_known_library_offers_to_open_it_there(desk: Desk, qtbot: QtBot) -> None:
    other, default = desk.folder("other"), desk.window.library_switch.place
    desk.window.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(other))
    link = format_link(LibraryLink(desk.stored[other].identity, query="tea"))
    desk.window.library_switch.use_library(default, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(default))
    desk.libraries.open_words([link])
    assert "belongs to another library: other" in desk.window.notice.text
    assert desk.window.search.box.text() == ""
    desk.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: desk.is_shown(other))
    qtbot.waitUntil(lambda: desk.window.search.box.text() == "tea")


def test_known_libraries_are_found_by_their_identity_as_long_as_they_are_there(tmp_path: Path) -> None:
    state, folder = tmp_path / "state.ini", tmp_path / "library"
    assert find_known_library(state, "1") is None
    remember_identity(state, "1", folder)
    assert find_known_library(state, "1") is None, "it is no library"
    folder.mkdir()
    (folder / "library.db").touch()
    assert find_known_library(state, "1") == folder
    for number in range(60):
        remember_identity(state, f"other {number}", tmp_path)
    assert find_known_library(state, "1") is None, "forty are remembered"
    state.write_text("[libraries]\nidentities=nonsense\n")
    assert find_known_library(state, "1") is None
