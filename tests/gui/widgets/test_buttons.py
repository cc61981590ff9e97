"""Buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from desktop_app.gui.widgets.buttons import ActionButton, PushButton


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_a_focused_button_as_the_space_bar_does(qtbot: QtBot, key: Qt.Key) -> None:
    button = PushButton("Find Topics")
    qtbot.addWidget(button)
    button.show()
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)


def test_the_button_of_an_action_is_gray_as_long_as_the_action_is(qtbot: QtBot) -> None:
    action = QAction("&Find Topics")
    button = ActionButton(action)
    qtbot.addWidget(button)
    assert (button.text(), button.isEnabled()) == ("Find Topics", True)
    action.setEnabled(False)
    action.setToolTip("You may only read this library.")
    assert (button.isEnabled(), button.toolTip()) == (False, "You may only read this library.")
    action.setEnabled(True)
    with qtbot.waitSignal(action.triggered):
        button.click()
