"""The running training: progress, curves, pause and stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.throttle import Throttle
from desktop_app.gui.training import labels
from desktop_app.gui.training.plot import LinePlot, PlotSeries, smooth_curve
from desktop_app.gui.widgets.buttons import make_icon_button, make_push_button
from desktop_app.gui.widgets.forms import ResponsiveRow, TitledCard
from desktop_app.gui.widgets.layouts import make_row
from desktop_app.gui.widgets.progress_card import ProgressBar, ProgressCard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.training.controller import TrainingController

_PAINT_INTERVAL_MS = 120


class TrainingRunCard(TitledCard):
    """Shows the current training while it runs, and after it was stopped."""

    def __init__(self, trainings: TrainingController, themes: ThemeManager, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Training"))
        self._trainings = trainings
        self.bar = ProgressBar(self.tr("Progress of the training"))
        self.detail = self.text(self.tr("Training status"))
        self.problem = self.text(self.tr("Why the training ended"), tone="bad")
        self.notice = self.text(self.tr("Notes"), tone="")
        self.loss = LinePlot(themes, self.tr("Loss"), self.tr("epochs"))
        self.validation = LinePlot(themes, self.tr("Validation"), self.tr("epochs"))
        self.pause = make_push_button(self.tr("&Pause"), picture="pause")
        self.stop = make_push_button(self.tr("&Stop"), self.tr("Stop the training; you can resume it later"), "x")
        self.resume = make_push_button(self.tr("&Resume"), self.tr("Resume the training"), "play")
        self.discard = make_push_button(self.tr("&Discard"), self.tr("Discard the training"), "trash-2")
        self._plots = ResponsiveRow(self.loss, self.validation)
        buttons = make_row(self.resume, self.pause, self.stop, self.discard, "stretch", spacing=10)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.detail)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.notice)
        self.column.addLayout(self._plots)
        self.column.addLayout(buttons)
        self.pause.clicked.connect(lambda: trainings.pause(not trainings.is_paused))
        self.stop.clicked.connect(trainings.stop)
        self.resume.clicked.connect(lambda: trainings.resume())
        self.discard.clicked.connect(lambda: trainings.discard())
        self._painting = Throttle(_PAINT_INTERVAL_MS, self)
        self._painting.due.connect(self._show_progress)
        trainings.progress_advanced.connect(self._painting.request)
        trainings.changed.connect(self._refresh)
        self._refresh()

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the plots for a narrow or a wide pane."""
        self._plots.set_narrow(is_narrow)

    def _refresh(self) -> None:
        state = self._trainings.state
        self.setVisible(state not in ("idle", "done"))
        if self.isHidden() and state == "idle":
            return
        titles = {
            "running": self.tr("Paused") if self._trainings.is_paused else self.tr("Training"),
            "stopping": self.tr("Stopping after this step…"),
            "stopped": self.tr("Stopped"),
            "failed": self.tr("Training failed"),
        }
        self.heading.setText(" · ".join(part for part in (titles.get(state, ""), self._stage()) if part))
        is_running = state == "running"
        self.pause.setVisible(is_running)
        paused = self._trainings.is_paused
        self.pause.setText(" " + (self.tr("&Resume") if paused else self.tr("&Pause")))
        self.pause.setAccessibleName(self.tr("Resume") if paused else self.tr("Pause"))
        self.stop.setVisible(is_running)
        is_over = state in ("stopped", "failed")
        self.resume.setVisible(is_over)
        self.discard.setVisible(is_over)
        self.problem.setVisible(state == "failed")
        if state == "failed" and self._trainings.error is not None:
            self.problem.setText(display_text.describe_error_in_sentences(self._trainings.error))
        self._show_notices()
        self._show_progress()

    def _show_notices(self) -> None:
        notices = [display_text.translate_message(text) for text in self._trainings.notices]
        self.notice.setText("\n".join(f"{text[:1].upper()}{text[1:]}." for text in notices))
        self.notice.setVisible(bool(notices) and self._trainings.is_busy)

    def _stage(self) -> str:
        """Return the name of the running stage; empty for a single training."""
        stage = self._trainings.stage
        if stage is None:
            return ""
        if stage.alone:
            return self.tr("last stage only, for comparison")
        return self.tr("stage {stage} of {stages}").format(
            stage=display_text.format_number(stage.number), stages=display_text.format_number(stage.stages)
        )

    def _show_progress(self) -> None:
        trainings = self._trainings
        steps = trainings.steps
        words = trainings.word_progress
        if words is not None:
            self.bar.setRange(0, words.total or 0)
            self.bar.setValue(words.done)
            self.detail.setText(" · ".join(_describe_word_progress(words)))
        elif not steps:
            self.bar.setRange(0, 0 if trainings.state == "running" else 1)
            self.detail.setText(self._preparing_text())
        else:
            last = steps[-1]
            self.bar.setRange(0, last.steps)
            self.bar.setValue(last.step)
            parts = [
                self.tr("step {step} of {steps}").format(
                    step=display_text.format_number(last.step), steps=display_text.format_number(last.steps)
                ),
                self.tr("epoch {epoch} of {epochs}").format(
                    epoch=display_text.format_number(last.epoch),
                    epochs=display_text.format_number(trainings.epochs_planned),
                ),
                self.tr("loss {loss}").format(loss=display_text.format_decimal(last.loss, 4)),
            ]
            if last.steps_per_s:  # unknown for the steps of an earlier run
                parts.append(self.tr("{rate} steps/s").format(rate=display_text.format_decimal(last.steps_per_s, 2)))
            if last.remaining_s is not None and trainings.state == "running":
                parts.append(display_text.format_remaining_time(last.remaining_s))
            if trainings.state == "stopped":
                parts.append(self.tr("you can resume from here"))
            self.detail.setText(" · ".join(parts))
        fill_training_plots(trainings, self.loss, self.validation)

    def _preparing_text(self) -> str:
        if self._trainings.state == "stopped":
            return self.tr("Stopped before the first step.")
        return {
            "opening": self.tr("Loading model…"),
            "judging": self.tr("Evaluating the base model…"),
            "mining": self.tr("Finding negatives in your library…"),
        }.get(self._trainings.phase, self.tr("Reading data…"))


def fill_training_plots(trainings: TrainingController, loss: LinePlot, validation: LinePlot) -> None:
    """Show the loss of a training by step, and its validation score by epoch."""
    per_epoch = 1.0
    if trainings.steps and trainings.epochs_planned:
        per_epoch = max(trainings.steps[-1].steps / trainings.epochs_planned, 1.0)
    x = [report.step / per_epoch for report in trainings.steps]
    y = [report.loss for report in trainings.steps]
    loss.show_series(
        PlotSeries(translate("training", "each step"), x, y, faint=True),
        PlotSeries(translate("training", "running mean"), x, smooth_curve(y)),
        last_x=float(trainings.epochs_planned),
        empty=translate("training", "Waiting for the first step"),
    )
    points = [(report.epoch, labels.find_key_measure(report.validation or {})) for report in trainings.epochs]
    known = [(float(epoch), found) for epoch, found in points if found is not None]
    name = known[0][1][0] if known else ""
    validation.show_series(
        PlotSeries(name, [epoch for epoch, _ in known], [value for _, (_, value) in known], colour="good", dots=True),
        whole_x=True,
        last_x=float(trainings.epochs_planned),
        empty=translate("training", "Appears after the first epoch"),
    )


def _describe_word_progress(progress: Progress) -> list[str]:
    """Return how far learning from the words is, and the time left if it is known."""
    parts = [
        translate("training", "Learning from the words: step {step} of {steps}").format(
            step=display_text.format_number(progress.done), steps=display_text.format_number(progress.total or 0)
        )
    ]
    if progress.remaining_s is not None:
        parts.append(display_text.format_remaining_time(progress.remaining_s))
    return parts


class TrainingProgressCard(ProgressCard):
    """Shows a running training next to the library: progress, time left, pause, stop.

    Attributes:
        opened: the person wants to see the training.
    """

    opened = Signal()

    def __init__(self, trainings: TrainingController) -> None:
        self.open = make_icon_button("graduation-cap", translate("TrainingProgressCard", "Show the training"))
        super().__init__(
            translate("TrainingProgressCard", "Training"),
            title_name=translate("TrainingProgressCard", "Current task"),
            detail_name=translate("TrainingProgressCard", "Time left"),
            stop_tip=translate("TrainingProgressCard", "Stop (you can resume later)"),
            buttons=(self.open,),
        )
        self._trainings = trainings
        self.open.clicked.connect(self.opened)
        self.pause_toggled.connect(lambda: trainings.pause(not trainings.is_paused))
        self.stop_requested.connect(trainings.stop)
        trainings.changed.connect(self._refresh)
        trainings.progress_advanced.connect(self._show_steps)
        self._refresh()

    def _refresh(self) -> None:
        trainings = self._trainings
        self.setVisible(trainings.is_busy)
        if trainings.is_busy:
            paused = trainings.is_paused
            self.title.setText(self.tr("Training paused") if paused else self.tr("Training a model"))
            self.show_paused(paused)
            self._show_steps()

    def _show_steps(self) -> None:
        words = self._trainings.word_progress
        if words is not None:
            self.show_progress(words.done / max(words.total or 0, 1), "\n".join(_describe_word_progress(words)))
            return
        steps = self._trainings.steps
        if not steps:
            self.show_progress(None, self.tr("Preparing…"))
            return
        last = steps[-1]
        text = self.tr("step {step} of {steps}").format(
            step=display_text.format_number(last.step), steps=display_text.format_number(last.steps)
        )
        if last.remaining_s is not None:
            text += "\n" + display_text.format_remaining_time(last.remaining_s)
        self.show_progress(last.step / max(last.steps, 1), text)
