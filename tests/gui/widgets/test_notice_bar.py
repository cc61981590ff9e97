"""Messages that pass by themselves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from pytestqt.qtbot import QtBot

from desktop_app.gui.widgets.notice_bar import NoticeBar


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_message_under_the_pointer_stays_only_if_the_pointer_was_moved_onto_it(qtbot: QtBot, is_moved: bool) -> None:
    notice = NoticeBar("Message", passing=True)
    qtbot.addWidget(notice)
    QCursor.setPos(10, 10)
    notice.say("Quote saved.")
    notice.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    if is_moved:
        QCursor.setPos(QPoint(20, 20))
    timer = notice.findChild(QTimer)
    assert timer is not None
    with qtbot.waitSignal(timer.timeout):
        timer.start(0)
    assert notice.isVisible() is is_moved
    notice.hide()
