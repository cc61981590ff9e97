"""Runs one training at a time: previews its data, follows its progress, and keeps its result."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import StorageFull
from desktop_app.core.name_locks import is_claimed
from desktop_app.core.training import (
    EpochReport,
    StageStarted,
    StepReport,
    TrainingNotice,
    TrainingReport,
    TrainingResumed,
)
from desktop_app.core.training_checkpoints import checkpoint_folder, stages_folder
from desktop_app.engine.labelled_pairs import collect_labelled_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.messages import Message
    from desktop_app.core.models import ModelEntry
    from desktop_app.core.training import TrainingRequest, UnfinishedTraining
    from desktop_app.engine.training import StagesReport
    from desktop_app.gui.base.session import LibrarySession

TrainingState = Literal["idle", "running", "stopping", "stopped", "failed", "done"]


class TrainingController(QObject):
    """Starts, pauses, stops and resumes trainings, and keeps their reports.

    Attributes:
        changed: the state or the result has changed.
        progress_advanced: a step or an epoch has ended.
        preview_ready: a file was read; carries its DataFile, and its DataPreview or the exception.
        unfinished_found: carries the unfinished trainings, a list of UnfinishedTraining.
        pairs_counted: carries the number of pairs labelled in the window.
        failed: a request failed; carries the exception.
        listed_late: a model of an earlier session, or of an earlier training, is in the list of models now; carries its
            name.
        state: the state of the training.
        phase: the phase before the first step.
        request: the current training; the last of several stages.
        requests: its stages, in order; one for a single training.
        alone: whether the last of several stages is also trained without the others.
        stage: the running stage of several; None for a single training.
        stages_report: the result of several stages; None for a single training.
        steps: the reports of its steps.
        epochs: the reports of its epochs.
        notices: remarks to show while it runs.
        report: its result.
        error: why it failed, or why its model is not listed.
        model_name: the name of the trained model in the list of models; empty until it is listed.
    """

    changed = Signal()
    progress_advanced = Signal()
    preview_ready = Signal(object, object)
    unfinished_found = Signal(object)
    pairs_counted = Signal(int)
    failed = Signal(object)
    listed_late = Signal(str)

    def __init__(self, session: LibrarySession, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.folder = folder
        self.state: TrainingState = "idle"
        self.phase = ""
        self.progress: Progress | None = None
        self.is_paused = False
        self.request: TrainingRequest | None = None
        self.requests: tuple[TrainingRequest, ...] = ()
        self.alone = False
        self.stage: StageStarted | None = None
        self.stages_report: StagesReport | None = None
        self.steps: list[StepReport] = []
        self.epochs: list[EpochReport] = []
        self.notices: list[Message] = []
        self.report: TrainingReport | None = None
        self.error: BaseException | None = None
        self.model_name = ""
        self._job: Job[Any] | None = None
        self._generation = object()
        self._inbox: deque[tuple[object, object]] = deque()
        self._report_timer = session.bridge.make_thread_safe_callback(self, self._take_reports)

    @property
    def word_progress(self) -> Progress | None:
        """The progress of learning from the words, which follows the training itself; None at other times."""
        is_under_way = self.state == "running" and self.progress is not None and self.progress.phase == "parts"
        return self.progress if is_under_way else None

    # Data and unfinished trainings

    def preview(self, file: DataFile) -> None:
        """Read a file of labelled sentences for `preview_ready`."""
        job = self._session.workspace.evaluation.preview(file)
        self._session.bridge.call(
            job,
            self,
            lambda preview: self.preview_ready.emit(file, preview),
            on_error=lambda error: self.preview_ready.emit(file, error),
        )

    def find_unfinished(self) -> None:
        """Find the trainings that were stopped or interrupted."""
        job = self._session.workspace.training.find_unfinished(self.folder)
        self._session.bridge.call(job, self, self.unfinished_found.emit, on_error=self.failed.emit)

    def list_trained_models(self) -> None:
        """List the models that earlier sessions trained and could not list any more."""

        def list_each(outputs: list[Path]) -> None:
            for output in outputs:
                self._list_model(output, self.listed_late.emit, self.failed.emit)

        job = self._session.workspace.training.find_unlisted(self.folder)
        self._session.bridge.call(job, self, list_each, on_error=self.failed.emit)

    def count_labelled_pairs(self) -> None:
        """Count the pairs and hits that the person has judged."""
        job = self._session.workspace.read(
            lambda library: len(collect_labelled_pairs(library)), name="count labelled pairs", by_person=False
        )
        self._session.bridge.call(job, self, self.pairs_counted.emit, on_error=self.failed.emit)

    def choose_output_folder(self, name: str) -> Path:
        """Return an unused folder for a model of that name."""
        output, number = self.folder / name, 2
        while (
            any(place.exists() for place in (output, checkpoint_folder(output), stages_folder(output)))
            or is_claimed(output)  # by a training in another window, before its first checkpoint
        ):
            output, number = self.folder / f"{name}-{number}", number + 1
        return output

    # Training

    @property
    def is_busy(self) -> bool:
        """Whether a training is running."""
        return self.state in ("running", "stopping")

    @property
    def epochs_planned(self) -> int:
        """The number of epochs of the training, or of its running stage."""
        if self.stage is not None:
            return _count_epochs(self.requests[self.stage.number - 1])
        return _count_epochs(self.request) if self.request is not None else 0

    def start(self, *requests: TrainingRequest, alone: bool = False) -> None:
        """Start a training, or resume it if its request says so.

        Args:
            requests: one, or the stages of one training after another.
            alone: also train the last of several stages without the others.
        """
        if self.is_busy:
            return
        self.request, self.requests, self.alone = requests[-1], requests, alone
        self.report, self.error, self.model_name, self.stage, self.stages_report = None, None, "", None, None
        self.steps, self.epochs, self.notices = [], [], []
        self.state, self.phase, self.is_paused = "running", "reading", False
        self.progress = None
        generation = self._generation = object()  # of this training: late reports of an earlier one are dropped

        def on_report(report: object) -> None:
            # On the engine's thread: one notification for many reports.
            self._inbox.append((generation, report))
            if len(self._inbox) == 1:
                self._report_timer()

        job = self._job = self._make_job(requests, on_report, alone=alone)
        self._session.bridge.call(
            job,
            self,
            self._on_done,
            on_error=self._on_failed,
            on_cancelled=self._on_stopped,
            on_progress=self._on_progress,
        )
        self.changed.emit()

    def _make_job(
        self, requests: tuple[TrainingRequest, ...], on_report: Callable[[object], None], *, alone: bool
    ) -> Job[Any]:
        tuning = self._session.workspace.training
        if len(requests) > 1:
            return tuning.train_stages(requests, on_report, alone=alone, is_to_be_listed=True)
        return tuning.train(requests[0], on_report, is_to_be_listed=True)

    def resume(self, training: UnfinishedTraining | None = None) -> None:
        """Resume a stopped training: the current one by default."""
        requests, alone = self.requests, self.alone
        if training is not None:
            requests, alone = training.stages or (training.request,), training.alone
        if requests:
            self.start(*(replace(request, resume=True) for request in requests), alone=alone)

    def discard(self, training: UnfinishedTraining | None = None) -> None:
        """Delete the checkpoints of a stopped training."""
        request = self.request if training is None else training.request
        if request is None or self.is_busy:
            return
        job = self._session.workspace.training.discard(Path(request.output))

        def fail(error: BaseException) -> None:
            self.failed.emit(error)
            self.find_unfinished()  # what is left of it can be discarded again

        self._session.bridge.call(job, self, lambda _none: self.find_unfinished(), on_error=fail)
        if training is None:
            self.clear()

    def clear(self) -> None:
        """Show no training; the trained model stays."""
        if not self.is_busy:
            self._generation = object()
            self.state, self.request, self.report, self.error = "idle", None, None, None
            self.requests, self.stage, self.stages_report = (), None, None
            self.steps, self.epochs, self.notices = [], [], []
            self.changed.emit()

    def pause(self, paused: bool) -> None:
        """Pause the training, or continue it."""
        if self._job is not None and self.state == "running":
            self.is_paused = paused
            self._job.pause(paused)
            self.changed.emit()

    def stop(self) -> None:
        """Stop the training at its next step; a checkpoint stays."""
        if self._job is not None and self.is_busy:
            self.state = "stopping"
            self.is_paused = False
            self._job.pause(False)
            self._job.cancel()
            self.changed.emit()

    # Reports

    def _take_reports(self) -> None:
        while self._inbox:
            generation, report = self._inbox.popleft()
            if generation is not self._generation:
                continue
            if isinstance(report, StageStarted):
                self.stage, self.phase, self.progress = report, "reading", None
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
        self.phase, self.progress = progress.phase, progress
        self.progress_advanced.emit()

    def _end(self, state: TrainingState) -> None:
        self.state, self._job, self.is_paused = state, None, False
        self._take_reports()
        self.changed.emit()

    def _on_done(self, found: TrainingReport | StagesReport) -> None:
        self._take_reports()  # the report of the last step is older than the end
        report = found if isinstance(found, TrainingReport) else found.stages[-1]
        self.stages_report = None if isinstance(found, TrainingReport) else found
        self.report = report
        self.epochs = list(report.epochs)
        self._end("done")
        generation = self._generation

        def listed(name: str) -> None:
            if generation is self._generation:
                self.model_name = name
                self.changed.emit()
            else:
                self.listed_late.emit(name)

        def fail(error: BaseException) -> None:
            if generation is self._generation:
                self.error = error
                self.changed.emit()
            else:
                self.failed.emit(error)

        self._list_model(Path(report.output), listed, fail)

    def _list_model(
        self, output: Path, on_listed: Callable[[str], None], on_error: Callable[[BaseException], None]
    ) -> None:
        """Add a trained model to the list of models; one that had no room there is listed by the next session."""
        training = self._session.workspace.training

        def listed(entry: ModelEntry) -> None:
            training.note_listed(output)
            on_listed(entry.name)

        def fail(error: BaseException) -> None:
            if not isinstance(error, StorageFull):
                training.note_listed(output)
            on_error(error)

        self._session.bridge.call(self._session.workspace.models.add(str(output)), self, listed, on_error=fail)

    def _on_failed(self, error: BaseException) -> None:
        self.error = error
        self._end("failed")

    def _on_stopped(self) -> None:
        self._end("stopped")


def _count_epochs(request: TrainingRequest) -> int:
    return request.settings.epochs * request.settings.runs


def _earlier_steps(done: TrainingResumed, epochs: int) -> list[StepReport]:
    """Return the steps of an earlier run; the curve needs only their numbers and losses."""
    per_epoch = max(done.steps // max(epochs, 1), 1)
    return [
        StepReport(step, done.steps, (step - 1) // per_epoch + 1, loss, 0.0, None)
        for step, loss in enumerate(done.losses, start=1)
    ]
