"""The card that says in every pane how far a training is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop_app.gui import words
from desktop_app.gui.icons import icon
from desktop_app.gui.share_bar import ShareBar
from desktop_app.gui.theme import scaled
from desktop_app.gui.widgets import ElidedLabel, icon_button, label

if TYPE_CHECKING:
    from desktop_app.gui.training.runs import Trainings


class TrainingCard(QFrame):
    """Shows a training that runs: progress, time left, pause, stop.

    Attributes:
        shown: the training is to be shown.
    """

    shown = Signal()

    def __init__(self, trainings: Trainings) -> None:
        super().__init__()
        self._trainings = trainings
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Training"))
        self.title = ElidedLabel(self.tr("What is trained"))
        self.title.setFont(scaled(self.title.font(), 1.0, QFont.Weight.Medium))
        self.bar = ShareBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.detail = label(tone="muted", factor=0.9, wrap=True)
        self.detail.setAccessibleName(self.tr("Time left"))
        self.open = icon_button("graduation-cap", self.tr("Show the training"))
        self.pause = icon_button("pause", self.tr("Pause"))
        self.stop = icon_button("x", self.tr("Stop: it goes on from there when you want"))
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.title, 1)
        for button in (self.open, self.pause, self.stop):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self.detail)
        self.open.clicked.connect(self.shown)
        self.pause.clicked.connect(lambda: trainings.pause(not trainings.is_paused))
        self.stop.clicked.connect(trainings.stop)
        trainings.changed.connect(self._refresh)
        trainings.advanced.connect(self._show_progress)
        self._refresh()

    def _refresh(self) -> None:
        trainings = self._trainings
        self.setVisible(trainings.is_busy)
        if not trainings.is_busy:
            return
        paused = trainings.is_paused
        self.title.setText(self.tr("Training paused") if paused else self.tr("Training a model"))
        name = self.tr("Resume") if paused else self.tr("Pause")
        self.pause.setIcon(icon("play" if paused else "pause"))
        self.pause.setToolTip(name)
        self.pause.setAccessibleName(name)
        self._show_progress()

    def _show_progress(self) -> None:
        steps = self._trainings.steps
        if not steps:
            self.bar.setRange(0, 0)
            self.detail.setText(self.tr("Getting ready…"))
            return
        last = steps[-1]
        self.bar.setRange(0, last.steps)
        self.bar.setValue(last.step)
        text = self.tr("step {step} of {steps}").format(step=words.number(last.step), steps=words.number(last.steps))
        if last.remaining_s is not None:
            text += "\n" + self.tr("about {time} left").format(time=words.duration(last.remaining_s))
        self.detail.setText(text)
