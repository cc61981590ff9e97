"""The window of the manual: contents, pages, search, and the way to it from everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.help.manual_dialog import ManualDialog
from desktop_app.gui.help.manual_pages import PAGE_OF_CLASS, PAGES
from tests.gui.conftest import Kindred

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def manual(themes: ThemeManager, qtbot: QtBot) -> Iterator[ManualDialog]:
    dialog = ManualDialog("en", themes)
    dialog.show_page(PAGES[0])
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    yield dialog
    if isValid(dialog):
        dialog.close()


def open_manual() -> ManualDialog:
    (found,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, ManualDialog)]
    return found


def rows(manual: ManualDialog) -> list[str]:
    return [item.text(0) for item, _section in manual._items()]


def test_the_contents_list_every_page_and_open_the_headings_of_the_current_one(manual: ManualDialog) -> None:
    assert manual.contents.topLevelItemCount() == len(PAGES)
    manual.show_page("topics")
    current = manual.contents.currentItem()
    assert manual.page == "topics"
    assert current.text(0) == manual.text.document().firstBlock().text()
    assert current.isExpanded()


def test_the_arrow_keys_turn_the_pages(manual: ManualDialog) -> None:
    manual.contents.setFocus()
    QTest.keyClick(manual.contents, Qt.Key.Key_End)
    assert manual.page == PAGES[-1]


def test_back_and_forward_return_to_earlier_pages(manual: ManualDialog) -> None:
    manual.show_page("topics")
    QTest.keyClick(manual, Qt.Key.Key_Left, ALT)
    assert manual.page == PAGES[0]
    assert manual.contents.currentItem() is manual.contents.topLevelItem(0)
    QTest.keyClick(manual, Qt.Key.Key_Right, ALT)
    assert manual.page == "topics"


def test_typing_lists_what_has_the_words_and_enter_shows_it(manual: ManualDialog, themes: ThemeManager) -> None:
    everything = rows(manual)
    QTest.keyClick(manual, Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(manual.search, "kindred")
    assert 0 < len(rows(manual)) < len(everything)
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.search.hasFocus(), "to go on to the next one"
    (first, *_) = marks = [each.cursor.selectedText() for each in manual.text.extraSelections()]
    assert first.lower() == "kindred"
    shown = {manual.page}
    for _ in rows(manual):
        QTest.keyClick(manual.search, Qt.Key.Key_Return)
        shown.add(manual.page)
        if len(shown) > 1:
            break
    assert len(shown) > 1, "on more than one page"
    assert marks
    for each in manual.text.extraSelections():
        assert each.format.background().color() == themes.theme.color("mark")


def test_words_in_a_heading_come_first(manual: ManualDialog) -> None:
    manual.search.setText("duplicates")
    manual.show_next_result()
    assert manual.page == "duplicates"
    manual.search.setText("change shortcut")
    manual.show_next_result()
    assert manual.contents.currentItem().text(0) == "Change a shortcut"


def test_what_a_search_shows_is_visible(manual: ManualDialog) -> None:
    manual.search.setText("settings.broken")
    manual.show_next_result()
    (mark,) = manual.text.extraSelections()
    assert manual.text.viewport().rect().intersects(manual.text.cursorRect(mark.cursor))


def test_nothing_found_says_so(manual: ManualDialog) -> None:
    manual.search.setText("neverwritten")
    assert rows(manual) == []
    assert manual.contents.topLevelItem(0).text(0) == "Nothing found"
    manual.show_next_result()
    assert manual.page == PAGES[0]


def test_escape_empties_the_search_then_closes(manual: ManualDialog) -> None:
    manual.search.setFocus()
    everything = rows(manual)
    QTest.keyClicks(manual.search, "ocr")
    QTest.keyClick(manual.search, Qt.Key.Key_Escape)
    assert rows(manual) == everything
    assert manual.isVisible()
    QTest.keyClick(manual.search, Qt.Key.Key_Escape)
    assert not manual.isVisible()


def test_pictures_fit_the_column_sharply(manual: ManualDialog) -> None:
    picture = manual.text.loadResource(QTextDocument.ResourceType.ImageResource.value, "pictures/search.png")
    ratio = manual.text.devicePixelRatioF()
    assert 0 < picture.width() <= manual.text.viewport().width() * ratio
    assert picture.devicePixelRatio() == ratio
    manual.show_page("search")
    manual.resize(620, 500)
    QApplication.processEvents()
    assert manual.text.horizontalScrollBar().maximum() == 0


def test_f1_opens_the_page_for_what_has_the_focus(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    window.library_pane.view.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F1)
    manual = open_manual()
    assert manual.page == PAGE_OF_CLASS["LibraryPane"]
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.search.box.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert open_manual() is manual, "one is enough"
    assert manual.page == PAGE_OF_CLASS["SearchBox"]
    manual.close()


def test_f1_works_in_a_dialog_and_the_dialog_does_not_block_the_manual(shared: Kindred, qtbot: QtBot) -> None:
    shared.window.action_table["app.problem"].trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.waitUntil(lambda: dialog.focusWidget() is not None)
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    manual = open_manual()
    assert manual.page == PAGE_OF_CLASS["ProblemReportDialog"]
    assert manual.windowHandle().transientParent() is None, "else it would be behind the dialog"
    dialog.close()
    manual.close()


def test_f1_opens_the_page_of_each_pane(filled: Kindred) -> None:
    for pane, page in (
        ("search", "results"),
        ("trace", "check-draft"),
        ("pairs", "duplicates"),
        ("clusters", "topics"),
        ("train", "training"),
    ):
        filled.window.panes.show_pane(pane)
        filled.window.panes.recover_focus()
        QTest.keyClick(filled.window.focusWidget(), Qt.Key.Key_F1)
        manual = open_manual()
        assert manual.page == page, pane
        manual.close()


@pytest.mark.parametrize(
    ("sheet", "page"), [("", "preferences"), ("keyboard", "keyboard"), ("models", "models"), ("watched", "import")]
)
def test_f1_opens_the_page_for_the_sheet_of_the_preferences_that_is_shown(
    shared: Kindred, qtbot: QtBot, sheet: str, page: str
) -> None:
    shared.window.preferences.show(sheet)
    dialog = QApplication.activeModalWidget()
    qtbot.waitUntil(lambda: dialog.isActiveWindow() and dialog.focusWidget() is not None)
    dialog.pages.setFocus()
    QTest.keyClick(dialog.pages, Qt.Key.Key_F1)
    manual = open_manual()
    assert manual.page == page
    manual.close()
    dialog.close()


def test_the_manual_closes_with_the_window(kindred: Kindred) -> None:
    kindred.window.action_table["app.manual"].trigger()
    assert open_manual().isVisible()
    kindred.window.close()
    assert not [each for each in QApplication.topLevelWidgets() if isinstance(each, ManualDialog) and each.isVisible()]
