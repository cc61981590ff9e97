"""Find in document: in stored texts and on pages."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import Job
from desktop_app.core.pages import PageCharacters, PagedFile, PageSize
from desktop_app.gui.base.theme import DARK, LIGHT, Theme
from desktop_app.gui.reader import page_painting
from desktop_app.gui.reader.find_bar import FindBar, FoldedText
from desktop_app.gui.reader.model import ShownDocument
from tests.gui.conftest import Kindred, search
from tests.gui.shell.test_main_window import contrast


def test_case_accents_blanks_and_divided_words_do_not_matter() -> None:
    text = "Café CAFE\nfor the mo\N{SOFT HYPHEN}\nment"
    assert FoldedText(text).find("cafe") == [(0, 4), (5, 9)]
    assert FoldedText(text).find("cafe  for ") == [(5, 14)]
    assert [text[start:stop] for start, stop in FoldedText(text).find("moment")] == ["mo\N{SOFT HYPHEN}\nment"]
    assert FoldedText(text).find("  ") == FoldedText("").find("a") == []


@pytest.fixture
def reading(shared: Kindred, qtbot: QtBot) -> Iterator[Kindred]:
    """A window that reads a stored text, with the focus in it."""
    search(shared, qtbot, "bread")
    qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shared.window.reader.shown is not None)
    shared.window.reader.text.setFocus()
    yield shared
    bar = shared.window.reader.find_bar
    bar.field.clear()
    bar.leave()
    qtbot.waitUntil(lambda: not bar.count.text())


def find(kindred: Kindred, qtbot: QtBot, text: str) -> FindBar:
    qtbot.keySequence(kindred.window, QKeySequence("Ctrl+F"))
    bar = kindred.window.reader.find_bar
    assert bar.field.hasFocus()
    bar.field.clear()
    qtbot.keyClicks(bar.field, text)
    qtbot.waitUntil(lambda: bool(bar.count.text()) and not bar.count.text().endswith("…"))
    return bar


def marked(kindred: Kindred) -> list[str]:
    text = kindred.window.reader.text
    found = {LIGHT.found, LIGHT.found_now}
    return [
        each.cursor.selectedText()
        for each in text.extraSelections()
        if each.format.background().color().name() in found
    ]


def test_ctrl_f_finds_in_the_document_that_has_the_focus(reading: Kindred, qtbot: QtBot) -> None:
    bar = find(reading, qtbot, "THE ")
    assert bar.count.text() == "1 of 3"
    assert marked(reading) == ["the ", "the ", "The "]
    for count in ("2 of 3", "3 of 3", "1 of 3"):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        assert bar.count.text() == count, "the first one follows the last"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "3 of 3"
    qtbot.mouseClick(bar.previous, Qt.MouseButton.LeftButton)
    assert bar.count.text() == "2 of 3"
    assert reading.window.search.box.text() == "bread", "the library is not searched"


def test_f3_goes_on_in_the_document_and_esc_returns_to_it(reading: Kindred, qtbot: QtBot) -> None:
    bar = find(reading, qtbot, "the ")
    qtbot.keySequence(reading.window, QKeySequence("F3"))
    assert bar.count.text() == "2 of 3"
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert marked(reading) == []
    assert reading.window.reader.text.hasFocus()


def test_another_document_is_searched_from_where_it_is_read(filled: Kindred, qtbot: QtBot) -> None:
    window, reader = filled.window, filled.window.reader
    sea, tags = (
        next(row for row in filled.library.rows.values() if row.path.endswith(name)) for name in ("sea.txt", "tags.md")
    )
    for document in (sea, tags):
        window.reader_link.keep_document(document)
        qtbot.waitUntil(lambda document=document: reader.shown is not None and reader.shown.path == document.path)
    tabs = window.reader_controller.tabs
    tabs.go(1)
    qtbot.waitUntil(lambda: reader.shown is not None and reader.shown.path == sea.path)
    reader.text.setFocus()
    bar = find(filled, qtbot, "s")
    for _ in range(4):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text().startswith("5 of ")
    tabs.go(1)
    qtbot.waitUntil(lambda: reader.shown is not None and reader.shown.path == tags.path)
    qtbot.waitUntil(lambda: " of " in bar.count.text())
    assert bar.count.text().startswith("1 of ")
    for _ in range(2):
        window.action_table["reader.close_tab"].trigger()
    assert reader.mode == "empty"
    assert not bar.isVisible(), "there is no document to find words in"


def test_words_that_are_not_there_are_said_to_be_missing(reading: Kindred, qtbot: QtBot) -> None:
    bar = find(reading, qtbot, "zeppelin")
    assert bar.count.text() == "No matches"
    assert not bar.next.isEnabled()


@pytest.mark.parametrize("keys", ["Ctrl+Shift+F", "Ctrl+K", "Ctrl+L"])
def test_other_keys_go_to_the_search_of_the_library(reading: Kindred, qtbot: QtBot, keys: str) -> None:
    qtbot.keySequence(reading.window, QKeySequence(keys))
    assert reading.window.search.box.hasFocus()


def test_ctrl_f_outside_of_the_reader_goes_to_the_search_of_the_library(reading: Kindred, qtbot: QtBot) -> None:
    reading.window.search_pane.view.setFocus()
    qtbot.keySequence(reading.window, QKeySequence("Ctrl+F"))
    assert reading.window.search.box.hasFocus()
    assert not reading.window.reader.find_bar.isVisible()


def test_pages_are_searched_one_after_the_other_from_the_visible_one(filled: Kindred, qtbot: QtBot) -> None:
    texts = ["bread and salt", "nothing", "more bread", "bread, bread"]
    asked: list[int] = []
    workspace = filled.workspace

    def read_characters(_path: str, page: int) -> Job[PageCharacters]:
        asked.append(page)
        text = f"{texts[page - 1]}\n"
        boxes = array("f", [number for at in range(len(text)) for number in (50 + 10 * at, 100, 60 + 10 * at, 112)])
        return workspace.read(lambda _library: PageCharacters(page, text, boxes))

    workspace.pages.read_characters = read_characters  # type: ignore[method-assign]
    reader = filled.window.reader
    reader.document = ShownDocument(1, "/book.pdf", "book.pdf", "pdf")
    reader._on_pages(PagedFile(tuple(PageSize(600, 800) for _ in texts)))
    reader.pages.go_to(3)
    reader.pages.setFocus()
    asked.clear()
    bar = find(filled, qtbot, "bread")
    assert bar.count.text() == "2 of 4", "the first match on the visible page; those before it count"
    assert reader.pages._current_match == (3, 5, 10)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert reader.pages._current_match == (4, 0, 5)
    asked.clear()
    bar.field.setText("salt")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 1")
    assert not asked or set(asked) == {1}, "pages are read once, but for the one that is shown"
    texts[0] = "salt and salt"
    reader._on_pages(PagedFile(tuple(PageSize(600, 800) for _ in texts)))  # the file was changed and imported again
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 2")


def test_copying_says_so(reading: Kindred, qtbot: QtBot) -> None:
    reading.window.action_table["hit.copy_citation"].trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("“Bread is mostly waiting.”")
    assert reading.window.notice.text.startswith("Copied: “Bread is mostly waiting.”")
    qtbot.keySequence(reading.window.reader.text, QKeySequence.StandardKey.Copy)
    assert reading.window.notice.text == "Copied: Bread is mostly waiting."


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_selected_text_results_words_and_matches_have_colours_of_their_own(theme: Theme) -> None:
    dark = theme.dark
    tints = [
        page_painting.selection_tint(dark=dark),
        page_painting.highlight_tint(theme, "current", dark=dark),
        page_painting.word_highlight_tint(dark=dark),
        page_painting.match_tint(dark=dark, is_current=True),
    ]
    hues = sorted(tint.hue() for tint in tints)
    assert all(after - before >= 12 for before, after in pairwise(hues)), hues
    for name in ("selected", "found", "found_now"):
        assert contrast(theme.text, getattr(theme, name)) >= 4.5, name
