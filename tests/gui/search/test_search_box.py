"""The search box: one line that grows for a pasted paragraph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Kindred, search

PARAGRAPH = "The sea rises because warm water takes more room.\nCoastal towns have to adapt their drains. " * 3


def paste(kindred: Kindred, qtbot: QtBot, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    kindred.window.search.box.setFocus()
    qtbot.keySequence(kindred.window.search.box, QKeySequence(QKeySequence.StandardKey.Paste))


def test_a_pasted_paragraph_shows_whole_and_the_box_shrinks_again(filled: Kindred, qtbot: QtBot) -> None:
    box = filled.window.search.box
    one_line = box.height()
    paste(filled, qtbot, PARAGRAPH)
    assert "\n" not in box.text()
    assert box.text().startswith("The sea rises because warm water takes more room. Coastal towns")
    qtbot.waitUntil(lambda: box.height() > 2 * one_line - 20)
    lines = round(box.document().size().height())
    assert 1 < lines <= 5
    assert box.viewport().height() >= lines * box.fontMetrics().lineSpacing(), "no line is cut"
    assert not box.verticalScrollBar().isVisible()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: box.height() == one_line)


def test_a_page_of_text_scrolls(filled: Kindred, qtbot: QtBot) -> None:
    box = filled.window.search.box
    paste(filled, qtbot, PARAGRAPH * 8)
    qtbot.waitUntil(lambda: box.verticalScrollBar().maximum() > 0)
    assert box.height() < filled.window.height() / 3


def test_the_narrow_window_wraps_the_query_again(filled: Kindred, qtbot: QtBot) -> None:
    box = filled.window.search.box
    paste(
        filled,
        qtbot,
        "The sea rises because warm water takes more room in every harbour and at the foot of every dike of the land",
    )
    filled.window.resize(1500, 800)
    qtbot.waitUntil(lambda: round(box.document().size().height()) == 1)
    low = box.height()
    filled.window.resize(760, 800)
    qtbot.waitUntil(lambda: box.height() > low)


def test_up_and_down_move_through_the_lines_first_and_then_through_the_hits(filled: Kindred, qtbot: QtBot) -> None:
    box, view = filled.window.search.box, filled.window.search_pane.view
    paste(filled, qtbot, PARAGRAPH)
    qtbot.waitUntil(lambda: not filled.window.search.controller.is_waiting and len(filled.hits) > 2)
    box.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (view.currentIndex().row(), box.textCursor().position() > 0) == (0, True)
    box.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 2
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 1
    assert box.hasFocus()


def test_the_icons_clear_the_query_and_focus_it(filled: Kindred, qtbot: QtBot) -> None:
    box = filled.window.search.box
    search(filled, qtbot, "bread")
    assert box._clear.isVisible()
    qtbot.mouseClick(box._clear, Qt.MouseButton.LeftButton)
    assert box.text() == ""
    assert not box._clear.isVisible()
    filled.window.library_pane.view.setFocus()
    qtbot.mouseClick(box._glass, Qt.MouseButton.LeftButton)
    assert box.hasFocus()


def test_a_condition_that_nothing_meets_is_named_as_the_reason(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "bread in:nowhere")
    qtbot.waitUntil(lambda: filled.kind == "nothing_left")
    state = filled.window.search_pane.state
    assert "condition" in state.title.text()
    assert filled.window.search_pane.query_bar.chips, "the condition can be removed"


def test_a_query_of_conditions_alone_says_what_to_add(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "-moor")
    qtbot.waitUntil(lambda: filled.kind == "only_conditions")
    assert "Add a word, a question or a sentence" in filled.window.search_pane.state.text.text()
    search(filled, qtbot, "bread -moor")
    qtbot.waitUntil(lambda: not filled.kind)


def test_the_hint_of_an_empty_box_is_elided_in_a_narrow_one(kindred: Kindred) -> None:
    box = kindred.window.search.box
    box.setText("")
    for width in (160, 900):
        box.resize(width, box.height())
        hint = box.placeholderText()
        assert box.fontMetrics().horizontalAdvance(hint) < width
        assert hint.endswith("…") is (width == 160)


def test_a_suggestion_is_painted_at_once(kindred: Kindred, qtbot: QtBot) -> None:
    box = kindred.window.search.box
    painted: list[int] = []

    class Watcher(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                painted.append(event.rect().width())  # that of the blinking cursor is narrow
            return False

    watcher = Watcher()
    QApplication.processEvents()
    box.viewport().installEventFilter(watcher)
    box.suggest("How high will the tide be?")
    qtbot.waitUntil(lambda: max(painted, default=0) >= box.viewport().width())
    box.viewport().removeEventFilter(watcher)


def test_a_narrow_box_shows_more_of_the_suggestion_than_of_its_explanation(kindred: Kindred) -> None:
    box = kindred.window.search.box
    box.suggest("How high will the tide be in the harbour tomorrow?")
    box.resize(1200, box.height())
    assert "press →" in box.placeholderText()
    box.resize(400, box.height())
    assert box.placeholderText().startswith("Try “How high will the tide")
    assert box.placeholderText().endswith("” →")
    assert "press →" in box.accessibleDescription()
