"""The training that runs, the preview of its data, and its result; one training at a time."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.training import (
    EpochReport,
    StageStarted,
    StepReport,
    TrainingNotice,
    TrainingReport,
    TrainingResumed,
)
from desktop_app.core.training_checkpoints import checkpoint_folder, stages_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.messages import Message
    from desktop_app.core.training import TrainingRequest, UnfinishedTraining
    from desktop_app.engine.training import StagesReport
    from desktop_app.gui.base.session import LibrarySession

TrainingState = Literal["idle", "running", "stopping", "stopped", "failed", "done"]


class TrainingController(QObject):
    """Starts, holds, stops and takes up trainings, and keeps what they report.

    Attributes:
        changed: the state is another, or what came of a training.
        advanced: a step or an epoch is done.
        previewed: a file was looked at; carries DataFile and DataPreview, or the exception.
        found: unfinished trainings were looked for; carries a list of UnfinishedTraining.
        counted: marks that can be learnt from were counted; carries their number.
        state: what the training is doing.
        phase: of its beginning, before the first step.
        request: the training at hand; of several stages the last one.
        requests: its stages, in order; of a single training that one.
        alone: whether the last of several stages is trained without the others too.
        stage: which of several stages is under way; None of a single training.
        staged: what came of several stages; None of a single training.
        steps: what it reported, step by step.
        epochs: likewise, epoch by epoch.
        notices: what a person should know while it runs.
        report: what came of it.
        error: why it ended.
        linked: the name of the trained model in the list of models; empty before it is there.
    """

    changed = Signal()
    progress_advanced = Signal()
    preview_ready = Signal(object, object)
    found = Signal(object)
    counted = Signal(int)

    def __init__(self, session: LibrarySession, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.folder = folder
        self.state: TrainingState = "idle"
        self.phase = ""
        self.is_paused = False
        self.request: TrainingRequest | None = None
        self.requests: tuple[TrainingRequest, ...] = ()
        self.alone = False
        self.stage: StageStarted | None = None
        self.staged: StagesReport | None = None
        self.steps: list[StepReport] = []
        self.epochs: list[EpochReport] = []
        self.notices: list[Message] = []
        self.report: TrainingReport | None = None
        self.error: BaseException | None = None
        self.linked = ""
        self._job: Job[Any] | None = None
        self._mark = object()
        self._inbox: deque[tuple[object, object]] = deque()
        self._report_timer = session.bridge.make_thread_safe_callback(self, self._take_reports)

    # Looking

    def preview(self, file: DataFile) -> None:
        """Look at a file of labelled sentences; the latest wins."""
        job = self._session.workspace.evaluation.preview(file)
        self._session.bridge.call(
            job,
            self,
            lambda preview: self.preview_ready.emit(file, preview),
            on_error=lambda error: self.preview_ready.emit(file, error),
        )

    def find_unfinished(self) -> None:
        """Find the trainings that were stopped or broken off."""
        job = self._session.workspace.training.find_unfinished(self.folder)
        self._session.bridge.call(job, self, self.found.emit)

    def count_labelled_pairs(self) -> None:
        """Count what the person has said of pairs, and of hits."""
        job = self._session.workspace.training.count_labelled_pairs()
        self._session.bridge.call(job, self, self.counted.emit)

    def choose_output_folder(self, name: str) -> Path:
        """Return a folder for a model of that name where nothing is yet."""
        output, number = self.folder / name, 2
        while any(place.exists() for place in (output, checkpoint_folder(output), stages_folder(output))):
            output, number = self.folder / f"{name}-{number}", number + 1
        return output

    # Training

    @property
    def is_busy(self) -> bool:
        """Whether a training is under way."""
        return self.state in ("running", "stopping")

    @property
    def epochs_planned(self) -> int:
        """How many epochs the training has, or the stage of it that is under way."""
        if self.stage is not None:
            return self.requests[self.stage.number - 1].settings.epochs
        return self.request.settings.epochs if self.request is not None else 0

    def start(self, *requests: TrainingRequest, alone: bool = False) -> None:
        """Begin a training, or take it up when its request says so.

        Args:
            requests: one, or the stages of one training after another.
            alone: train the last of several stages without the others too.
        """
        if self.is_busy:
            return
        self.request, self.requests, self.alone = requests[-1], requests, alone
        self.report, self.error, self.linked, self.stage, self.staged = None, None, "", None, None
        self.steps, self.epochs, self.notices = [], [], []
        self.state, self.phase, self.is_paused = "running", "reading", False
        mark = self._mark = object()  # of this training: what an earlier one still reports is dropped

        def on_report(report: object) -> None:
            # On the engine's thread: one word for many reports.
            self._inbox.append((mark, report))
            if len(self._inbox) == 1:
                self._report_timer()

        job = self._job = self._begun(requests, on_report, alone=alone)
        self._session.bridge.call(
            job,
            self,
            self._on_done,
            on_error=self._on_failed,
            on_cancelled=self._on_stopped,
            on_progress=self._on_progress,
        )
        self.changed.emit()

    def _begun(
        self, requests: tuple[TrainingRequest, ...], on_report: Callable[[object], None], *, alone: bool
    ) -> Job[Any]:
        tuning = self._session.workspace.training
        if len(requests) > 1:
            return tuning.train_stages(requests, on_report, alone=alone)
        return tuning.train(requests[0], on_report)

    def take_up(self, training: UnfinishedTraining | None = None) -> None:
        """Go on with a training that was stopped: the one at hand, or another."""
        requests, alone = self.requests, self.alone
        if training is not None:
            requests, alone = training.stages or (training.request,), training.alone
        if requests:
            self.start(*(replace(request, resume=True) for request in requests), alone=alone)

    def discard(self, training: UnfinishedTraining | None = None) -> None:
        """Throw away what a training that was stopped has left."""
        request = self.request if training is None else training.request
        if request is None or self.is_busy:
            return
        job = self._session.workspace.training.discard(Path(request.output))
        self._session.bridge.call(job, self, lambda _none: self.find_unfinished())
        if training is None:
            self.forget()

    def forget(self) -> None:
        """Show no training any more; the model that came of it stays."""
        if not self.is_busy:
            self.state, self.request, self.report, self.error = "idle", None, None, None
            self.requests, self.stage, self.staged = (), None, None
            self.steps, self.epochs, self.notices = [], [], []
            self.changed.emit()

    def pause(self, paused: bool) -> None:
        """Hold the training, or let it go on."""
        if self._job is not None and self.state == "running":
            self.is_paused = paused
            self._job.pause(paused)
            self._session.workspace.wake()
            self.changed.emit()

    def stop(self) -> None:
        """Stop the training at its next step; a checkpoint stays."""
        if self._job is not None and self.is_busy:
            self.state = "stopping"
            self.is_paused = False
            self._job.pause(False)
            self._job.cancel()
            self._session.workspace.wake()
            self.changed.emit()

    # What it says

    def _take_reports(self) -> None:
        while self._inbox:
            mark, report = self._inbox.popleft()
            if mark is not self._mark:
                continue
            if isinstance(report, StageStarted):
                self.stage, self.phase = report, "reading"
                self.steps, self.epochs, self.notices = [], [], []
                self.changed.emit()
            elif isinstance(report, TrainingResumed):
                self.steps, self.epochs = _earlier_steps(report, self.epochs_planned), list(report.epochs)
            elif isinstance(report, StepReport):
                self.steps.append(report)
            elif isinstance(report, EpochReport):
                self.epochs.append(report)
            elif isinstance(report, TrainingNotice):
                self.notices.append(report.text)
                self.changed.emit()
        self.progress_advanced.emit()

    def _on_progress(self, progress: Progress) -> None:
        self.phase = progress.phase
        self.progress_advanced.emit()

    def _end(self, state: TrainingState) -> None:
        self.state, self._job, self.is_paused = state, None, False
        self._take_reports()
        self.changed.emit()

    def _on_done(self, found: TrainingReport | StagesReport) -> None:
        self._take_reports()  # what the last step said is older than the end
        report = found if isinstance(found, TrainingReport) else found.stages[-1]
        self.staged = None if isinstance(found, TrainingReport) else found
        self.report = report
        self.epochs = list(report.epochs)
        self._end("done")
        job = self._session.workspace.models.add(report.output)
        self._session.bridge.call(job, self, lambda entry: self._on_linked(entry.name), on_error=self._on_unlinked)

    def _on_linked(self, name: str) -> None:
        self.linked = name
        self.changed.emit()

    def _on_unlinked(self, error: BaseException) -> None:
        self.error = error
        self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        self.error = error
        self._end("failed")

    def _on_stopped(self) -> None:
        self._end("stopped")


def _earlier_steps(done: TrainingResumed, epochs: int) -> list[StepReport]:
    """Return the steps that an earlier run has done; the curve needs no more of them than number and loss."""
    per_epoch = max(done.steps // max(epochs, 1), 1)
    return [
        StepReport(step, done.steps, (step - 1) // per_epoch + 1, loss, 0.0, 0.0, None)
        for step, loss in enumerate(done.losses, start=1)
    ]
