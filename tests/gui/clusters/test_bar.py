"""The progress of the topics."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import Progress
from desktop_app.gui.clusters.bar import ClusterProgressBar


@pytest.mark.parametrize("phase", ["clustering", "comparing", "naming", "laying out", "exporting"])
def test_what_runs_is_named_in_full_in_the_narrowest_pane(language: str, qtbot: QtBot, phase: str) -> None:
    pane = QWidget()
    qtbot.addWidget(pane)
    pane.resize(320, 200)
    progress = ClusterProgressBar()
    progress.setParent(pane)
    progress.show()
    pane.show()
    progress.setGeometry(0, 0, pane.width(), progress.sizeHint().height())
    progress.show_progress(Progress(phase, 1, 10))
    QApplication.processEvents()
    assert progress.text.width() >= progress.text.sizeHint().width(), progress.text.text()
