"""The small search field above other programs: filled from the clipboard, led by the keyboard."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import AppError
from desktop_app.core.jobs import Lane
from desktop_app.gui.search.quick_search import QuickSearchController
from tests.gui.conftest import Kindred
from tests.patience import PATIENCE_S


@pytest.fixture
def quick(filled: Kindred, qapp: QApplication) -> Iterator[QuickSearchController]:
    """The field, with a sentence on the clipboard."""
    qapp.clipboard().setText("  salt marshes\nwaves ")
    filled.window.action_table["search.quick"].trigger()
    assert filled.window.quick is not None
    yield filled.window.quick
    qapp.clipboard().clear()


def wait_for_results(quick: QuickSearchController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: quick.window.current is not None)


def test_the_text_on_the_clipboard_is_searched_and_enter_shows_the_best_result(
    filled: Kindred, quick: QuickSearchController, qtbot: QtBot
) -> None:
    window = quick.window
    assert window.isVisible()
    assert window.field.text() == "salt marshes waves"
    assert window.field.selectedText() == window.field.text()
    wait_for_results(quick, qtbot)
    best = window.current
    assert best is not None
    assert best.text == "Salt marshes break the force of the waves."
    qtbot.keyClick(window.field, Qt.Key.Key_Return)
    assert not window.isVisible()
    qtbot.waitUntil(lambda: filled.window.reader.current is not None and filled.window.reader.current.text == best.text)
    assert filled.window.search.box.text() == "", "the search of the window stays"


def test_typing_searches_again_and_the_arrows_move_and_copy_cites(
    quick: QuickSearchController, qtbot: QtBot, qapp: QApplication
) -> None:
    window = quick.window
    wait_for_results(quick, qtbot)
    qtbot.keyClicks(window.field, "bread")
    qtbot.waitUntil(lambda: window.current is not None and "Bread" in window.current.text)
    qtbot.keyClick(window.field, Qt.Key.Key_Down)
    assert window.list.currentRow() == 1
    qtbot.keyClick(window.field, Qt.Key.Key_Up)
    qtbot.keyClick(window.field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "Bread is mostly waiting." in qapp.clipboard().text()
    assert "sea" in qapp.clipboard().text()
    assert not window.isVisible()


def test_enter_right_after_typing_shows_the_best_result_of_what_was_typed(
    filled: Kindred, quick: QuickSearchController, qtbot: QtBot
) -> None:
    window = quick.window
    wait_for_results(quick, qtbot)
    qtbot.keyClicks(window.field, "bread")
    qtbot.keyClick(window.field, Qt.Key.Key_Return)
    assert window.isVisible(), "these are the results of another text"
    qtbot.waitUntil(lambda: not window.isVisible())
    qtbot.waitUntil(lambda: filled.window.reader.current is not None)
    assert "Bread" in filled.window.reader.current.text


def test_an_emptied_field_lists_nothing_although_an_answer_is_pending(
    filled: Kindred, quick: QuickSearchController, qtbot: QtBot
) -> None:
    window = quick.window
    wait_for_results(quick, qtbot)
    go = threading.Event()
    filled.workspace.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    quick._search("bread")
    window.field.clear()
    qtbot.waitUntil(lambda: window.current is None)
    go.set()
    done = filled.workspace.engine.submit("after", lambda: None)
    qtbot.waitUntil(lambda: done.is_finished)
    QApplication.processEvents()
    assert window.current is None


def test_a_search_that_fails_says_why(
    quick: QuickSearchController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise AppError("The model is not here", "Add it.")

    wait_for_results(quick, qtbot)
    monkeypatch.setattr("desktop_app.engine.search.make_searcher", fail)
    quick.window.field.setText("bread")
    qtbot.waitUntil(lambda: quick.window.hint.text() == "The model is not here. Add it.")
    assert quick.window.current is None


def test_a_sign_that_is_no_operator_is_said_below_the_results(quick: QuickSearchController, qtbot: QtBot) -> None:
    window = quick.window
    wait_for_results(quick, qtbot)
    keys = window.hint.text()
    window.field.setText("salt near/3 marshes")
    qtbot.waitUntil(lambda: "near/3" in window.hint.text())
    window.field.setText("salt marshes")
    qtbot.waitUntil(lambda: window.hint.text() == keys)


def test_escape_closes_it_and_a_long_text_is_not_taken(
    filled: Kindred, quick: QuickSearchController, qtbot: QtBot, qapp: QApplication
) -> None:
    qtbot.keyClick(quick.window.field, Qt.Key.Key_Escape)
    assert not quick.window.isVisible()
    qapp.clipboard().setText("word " * 500)
    filled.window.show_quick_search()
    assert quick.window.field.text() == ""
    qtbot.waitUntil(lambda: quick.window.current is None)
    qtbot.keyClick(quick.window.field, Qt.Key.Key_Return)
    assert quick.window.isVisible()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)  # the offscreen platform has no tray
def test_no_icon_is_in_the_tray_unless_wanted(filled: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    from desktop_app.gui.shell import tray

    monkeypatch.setattr(tray.QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    controller = filled.window.tray
    assert controller.icon is None
    filled.window.context.change_settings(tray=True)
    assert controller.icon is not None
    controller.icon.activated.emit(tray.QSystemTrayIcon.ActivationReason.Trigger)
    assert filled.window.quick is not None
    filled.window.context.change_settings(tray=False)
    assert controller.icon is None


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_a_click_on_the_icon_of_macos_opens_its_menu_alone(filled: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    from desktop_app.gui.shell import tray

    monkeypatch.setattr(tray.QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(tray, "sys", SimpleNamespace(platform="darwin"))
    filled.window.context.change_settings(tray=True)
    icon = filled.window.tray.icon
    assert icon is not None
    icon.activated.emit(tray.QSystemTrayIcon.ActivationReason.Trigger)
    assert filled.window.quick is None
    assert filled.window.action_table["search.quick"] in icon.contextMenu().actions()
