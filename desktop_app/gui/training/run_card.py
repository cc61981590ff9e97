"""The card of a training that runs: how far it is, its curves, and how to hold and stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from desktop_app.gui import words
from desktop_app.gui.dialogs.buttons import push_button
from desktop_app.gui.share_bar import ShareBar
from desktop_app.gui.throttle import Throttle
from desktop_app.gui.training import explaining
from desktop_app.gui.training.parts import Beside, Card
from desktop_app.gui.training.plot import LinePlot, Series, smoothed

if TYPE_CHECKING:
    from desktop_app.gui.theme import ThemeManager
    from desktop_app.gui.training.runs import Trainings

_PAINT_EVERY_MS = 120


class RunCard(Card):
    """Shows the training at hand, as long as it runs and after it was stopped.

    Attributes:
        left: the person is done with a training that was stopped or has failed.
    """

    left = Signal()

    def __init__(self, trainings: Trainings, themes: ThemeManager) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("The training"))
        self._trainings = trainings
        self.bar = ShareBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the training"))
        self.detail = self.text(self.tr("How far the training is"))
        self.problem = self.text(self.tr("Why the training ended"), tone="bad")
        self.notice = self.text(self.tr("What to know while it runs"), tone="")
        self.loss = LinePlot(themes, self.tr("Loss"), self.tr("epochs"))
        self.validation = LinePlot(themes, self.tr("Validation"), self.tr("epochs"))
        self.pause = push_button(self.tr("&Pause"), picture="pause")
        self.stop = push_button(self.tr("&Stop"), self.tr("Stop the training; it can be taken up later"), "x")
        self.take_up = push_button(self.tr("&Go On"), self.tr("Go on with the training"), "play")
        self.discard = push_button(self.tr("&Discard"), self.tr("Discard the training"), "trash-2")
        self._plots = Beside(self.loss, self.validation)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.take_up, self.pause, self.stop, self.discard):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.detail)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.notice)
        self.column.addLayout(self._plots)
        self.column.addLayout(buttons)
        self.pause.clicked.connect(lambda: trainings.pause(not trainings.is_paused))
        self.stop.clicked.connect(trainings.stop)
        self.take_up.clicked.connect(lambda: trainings.take_up())
        self.discard.clicked.connect(self._on_discard)
        self._painting = Throttle(_PAINT_EVERY_MS, self)
        self._painting.due.connect(self._show_progress)
        trainings.advanced.connect(self._painting.request)
        trainings.changed.connect(self._refresh)
        self._refresh()

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay the plots out for a narrow pane, or a wide one."""
        self._plots.set_narrow(is_narrow)

    def _refresh(self) -> None:
        state = self._trainings.state
        self.setVisible(state not in ("idle", "done"))
        if self.isHidden() and state == "idle":
            return
        titles = {
            "running": self.tr("Paused") if self._trainings.is_paused else self.tr("Training"),
            "stopping": self.tr("Stopping at the next step…"),
            "stopped": self.tr("Stopped"),
            "failed": self.tr("The training could not be finished"),
        }
        self.heading.setText(" · ".join(part for part in (titles.get(state, ""), self._stage()) if part))
        is_running = state == "running"
        self.pause.setVisible(is_running)
        paused = self._trainings.is_paused
        self.pause.setText(" " + (self.tr("&Resume") if paused else self.tr("&Pause")))
        self.pause.setAccessibleName(self.tr("Resume") if paused else self.tr("Pause"))
        self.stop.setVisible(is_running)
        is_over = state in ("stopped", "failed")
        self.take_up.setVisible(is_over)
        self.discard.setVisible(is_over)
        self.problem.setVisible(state == "failed")
        if state == "failed" and self._trainings.error is not None:
            self.problem.setText(words.error_in_full(self._trainings.error))
        self._show_notices()
        self._show_progress()

    def _show_notices(self) -> None:
        told = [words.told(text) for text in self._trainings.notices]
        self.notice.setText("\n".join(f"{text[:1].upper()}{text[1:]}." for text in told))
        self.notice.setVisible(bool(told) and self._trainings.is_busy)

    def _stage(self) -> str:
        """Return which of several stages is under way; nothing of a single training."""
        stage = self._trainings.stage
        if stage is None:
            return ""
        if stage.alone:
            return self.tr("the last stage alone, to compare")
        return self.tr("stage {stage} of {stages}").format(
            stage=words.number(stage.number), stages=words.number(stage.stages)
        )

    def _show_progress(self) -> None:
        trainings = self._trainings
        steps = trainings.steps
        if not steps:
            self.bar.setRange(0, 0 if trainings.state == "running" else 1)
            self.detail.setText(self._beginning())
        else:
            last = steps[-1]
            self.bar.setRange(0, last.steps)
            self.bar.setValue(last.step)
            parts = [
                self.tr("step {step} of {steps}").format(step=words.number(last.step), steps=words.number(last.steps)),
                self.tr("epoch {epoch} of {epochs}").format(
                    epoch=words.number(last.epoch), epochs=words.number(trainings.epochs_planned)
                ),
                self.tr("loss {loss}").format(loss=words.decimal(last.loss, 4)),
            ]
            if last.steps_per_s:  # of the steps of an earlier run it is not known
                parts.append(self.tr("{rate} steps a second").format(rate=words.decimal(last.steps_per_s, 2)))
            if last.remaining_s is not None and trainings.state == "running":
                parts.append(self.tr("about {time} left").format(time=words.duration(last.remaining_s)))
            if trainings.state == "stopped":
                parts.append(self.tr("it goes on from here when you want"))
            self.detail.setText(" · ".join(parts))
        show_curves(trainings, self.loss, self.validation)

    def _beginning(self) -> str:
        if self._trainings.state == "stopped":
            return self.tr("Nothing was learnt yet.")
        return {
            "opening": self.tr("Opening the model…"),
            "judging": self.tr("Measuring the model as it is…"),
            "mining": self.tr("Looking for negatives in the library…"),
        }.get(self._trainings.phase, self.tr("Reading the data…"))

    def _on_discard(self) -> None:
        self._trainings.discard()
        self.left.emit()


def show_curves(trainings: Trainings, loss: LinePlot, validation: LinePlot) -> None:
    """Show a training's loss, step by step, and what its validation rows gave, epoch by epoch."""
    per_epoch = 1.0
    if trainings.steps and trainings.epochs_planned:
        per_epoch = max(trainings.steps[-1].steps / trainings.epochs_planned, 1.0)
    x = [report.step / per_epoch for report in trainings.steps]
    y = [report.loss for report in trainings.steps]
    loss.show_series(
        Series(words.translate("training", "each step"), x, y, faint=True),
        Series(words.translate("training", "running mean"), x, smoothed(y)),
        last_x=float(trainings.epochs_planned),
        empty=words.translate("training", "It begins with the first step."),
    )
    points = [(report.epoch, explaining.key_measure(report.validation or {})) for report in trainings.epochs]
    known = [(float(epoch), found) for epoch, found in points if found is not None]
    name = known[0][1][0] if known else ""
    validation.show_series(
        Series(name, [epoch for epoch, _ in known], [value for _, (_, value) in known], colour="good", dots=True),
        whole_x=True,
        last_x=float(trainings.epochs_planned),
        empty=words.translate("training", "The first point stands here after the first epoch."),
    )
