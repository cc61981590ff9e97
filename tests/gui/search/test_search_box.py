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


def test_a_pasted_paragraph_shows_whole_and_the_box_shrinks_again(shared: Kindred, qtbot: QtBot) -> None:
    box = shared.window.search.box
    one_line = box.height()
    paste(shared, qtbot, PARAGRAPH)
    assert "\n" not in box.text()
    assert box.text().startswith("The sea rises because warm water takes more room. Coastal towns")
    qtbot.waitUntil(lambda: box.height() > 2 * one_line - 20)
    lines = round(box.document().size().height())
    assert 1 < lines <= 5
    assert box.viewport().height() >= lines * box.fontMetrics().lineSpacing(), "no line is cut"
    assert not box.verticalScrollBar().isVisible()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: box.height() == one_line)


def test_a_page_of_text_scrolls(shared: Kindred, qtbot: QtBot) -> None:
    box = shared.window.search.box
    paste(shared, qtbot, PARAGRAPH * 8)
    qtbot.waitUntil(lambda: box.verticalScrollBar().maximum() > 0)
    assert box.height() < shared.window.height() / 3


def test_the_narrow_window_wraps_the_query_again(shared: Kindred, qtbot: QtBot) -> None:
    box = shared.window.search.box
    paste(
        shared,
        qtbot,
        "The sea rises because warm water takes more room in every harbour and at the foot of every dike of the land",
    )
    shared.window.resize(1500, 800)
    qtbot.waitUntil(lambda: round(box.document().size().height()) == 1)
    low = box.height()
    shared.window.resize(760, 800)
    qtbot.waitUntil(lambda: box.height() > low)


def test_up_and_down_move_through_the_lines_first_and_then_through_the_hits(shared: Kindred, qtbot: QtBot) -> None:
    box, view = shared.window.search.box, shared.window.search_pane.view
    paste(shared, qtbot, PARAGRAPH)
    qtbot.waitUntil(lambda: not shared.window.search.controller.is_waiting and len(shared.hits) > 2)
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


def test_the_icons_clear_the_query_and_focus_it(shared: Kindred, qtbot: QtBot) -> None:
    box = shared.window.search.box
    search(shared, qtbot, "bread")
    assert box._clear.isVisible()
    qtbot.mouseClick(box._clear, Qt.MouseButton.LeftButton)
    assert box.text() == ""
    assert not box._clear.isVisible()
    shared.window.library_pane.view.setFocus()
    qtbot.mouseClick(box._glass, Qt.MouseButton.LeftButton)
    assert box.hasFocus()


def test_a_condition_that_nothing_meets_is_named_as_the_reason(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread in:nowhere")
    qtbot.waitUntil(lambda: shared.kind == "nothing_left")
    state = shared.window.search_pane.state
    assert "condition" in state.title.text()
    assert shared.window.search_pane.query_bar.chips, "the condition can be removed"


def test_a_query_of_conditions_alone_says_what_to_add(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "-moor")
    qtbot.waitUntil(lambda: shared.kind == "only_conditions")
    assert "Add a word, a question or a sentence" in shared.window.search_pane.state.text.text()
    search(shared, qtbot, "bread -moor")
    qtbot.waitUntil(lambda: not shared.kind)


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
