"""The list of hits."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel
from pytestqt.qtbot import QtBot

from desktop_app.gui.results.hit_list import HitListView


def test_the_wheel_moves_every_list_of_cards_by_the_same_small_step(qtbot: QtBot) -> None:
    view = HitListView("Results")
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["a card\n\n\n\n\nof some lines"] * 50))
    view.resize(300, 400)
    view.show()
    qtbot.waitExposed(view)
    view.doItemsLayout()
    assert view.verticalScrollBar().maximum() > 0
    assert view.verticalScrollBar().singleStep() == 24
