"""Buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.gui.widgets.buttons import PushButton


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_a_focused_button_as_the_space_bar_does(qtbot: QtBot, key: Qt.Key) -> None:
    button = PushButton("Find Topics")
    qtbot.addWidget(button)
    button.show()
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)
