"""Fine-tuning as a job, in a separate process so that searching stays fast."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError, StorageFull
from desktop_app.core.jobs import Lane
from desktop_app.core.messages import system_text
from desktop_app.core.objectives import FROM_LIBRARY
from desktop_app.core.private_files import make_private_folder
from desktop_app.core.training import StageStarted, TrainingReport, read_report, write_negatives, write_report
from desktop_app.core.training_checkpoints import (
    STAGES_SUFFIX,
    checkpoint_folder,
    claim_output,
    find_unfinished_trainings,
    find_unlisted_models,
    finished_stages,
    has_checkpoint,
    stages_folder,
    unlisted_file,
    write_stages,
)
from desktop_app.engine.child_task import follow_task, write_temporary_file
from desktop_app.engine.labelled_pairs import with_label_file
from desktop_app.engine.model_loading import find_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.training import NegativesRequest, TrainingRequest, UnfinishedTraining
    from desktop_app.engine.context import EngineContext


@dataclass(frozen=True, slots=True)
class StagesReport:
    """The result of a training in stages.

    Attributes:
        stages: the trainings, in order.
        alone: the last stage trained without those before it; None if that was not requested.
    """

    stages: tuple[TrainingReport, ...]  # a stage of an earlier run is left out if its report is lost
    alone: TrainingReport | None = None

    @property
    def compared(self) -> dict[str, dict[str, object] | None]:
        """Measures on the last stage's validation rows: untrained, after each part, and after all stages."""
        last = self.stages[-1]
        found = {"first stages alone": last.before, "all stages": last.after}
        if self.alone is None:
            return found
        return {"untrained": self.alone.before, "last stage alone": self.alone.after, **found}


class TrainingService:
    """Fine-tunes models.

    Args:
        context: the library, encoder and tasks that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def train(
        self,
        request: TrainingRequest,
        on_report: Callable[[object], None] | None = None,
        *,
        is_to_be_listed: bool = False,
    ) -> Job[TrainingReport]:
        """Fine-tune a model into a folder of its own; the library's model is not touched. One training at a time.

        Args:
            request: the model, its data and the settings.
            on_report: called on the engine's thread with every StepReport and EpochReport.
            is_to_be_listed: `find_unlisted` finds the model until `note_listed` is called, also in later sessions.
        """

        def steps() -> Steps[TrainingReport]:
            with self._hold_model(request.model), _claimed(Path(request.output), is_to_be_listed):
                return (yield from self._train(request, on_report))

        return self._context.engine.submit("train", steps, chain="train")

    def train_stages(
        self,
        requests: Sequence[TrainingRequest],
        on_report: Callable[[object], None] | None = None,
        *,
        alone: bool = False,
        is_to_be_listed: bool = False,
    ) -> Job[StagesReport]:
        """Fine-tune a model in stages, each starting with the result of the one before.

        The last request names the output. Intermediate models are kept next to it until the last stage is done; after
        an interruption, a request to resume continues with the unfinished stage.

        Args:
            requests: the stages; the model of the first one is where they start.
            on_report: as of `train`; it is also called with a `StageStarted` before each stage.
            alone: also train the last stage without those before it, on the same rows, for comparison.
            is_to_be_listed: as of `train`.
        """

        def run(request: TrainingRequest, number: int, *, single: bool = False) -> Steps[TrainingReport | None]:
            """Train a stage, unless an earlier run has finished it: then return its saved report."""
            output = Path(request.output)
            if on_report is not None:
                on_report(StageStarted(number, len(requests), single))
            is_intermediate = output.parent.name.endswith(STAGES_SUFFIX)
            if is_intermediate and request.resume and output.exists():
                return read_report(output)
            # A stage that was not reached has no checkpoint; that is normal.
            is_new = not checkpoint_folder(output).exists() and has_checkpoint(Path(requests[-1].output))
            report = yield from self._train(replace(request, resume=request.resume and not is_new), on_report)
            if is_intermediate:
                with contextlib.suppress(OSError):  # only a comparison would be lost
                    write_report(output, report)
            return report

        def steps() -> Steps[StagesReport]:
            last = requests[-1]
            if Path(last.output).exists():  # checked before hours are spent on the first stage
                raise AppError(
                    "{output} already exists", "Give a folder that does not exist yet (--output).", output=last.output
                )
            folder = stages_folder(Path(last.output))
            if not last.resume and (done := finished_stages(folder)):
                raise AppError(
                    "{done} was trained by an earlier run of these stages",
                    "Continue it with --resume, choose another --output, or remove {folder}.",
                    done=done[0],
                    folder=folder,
                )
            try:
                write_stages(folder, requests, alone=alone)
            except OSError as error:
                raise StorageFull(
                    "{folder} cannot be written: {why}",
                    "Free some disk space, or choose another folder.",
                    folder=folder,
                    why=system_text(error.strerror or error),
                ) from error
            model, reports = requests[0].model, list[TrainingReport]()
            single = None
            try:
                if alone:
                    single = yield from run(
                        replace(last, model=model, output=str(folder / "alone")), len(requests), single=True
                    )
                for number, request in enumerate(requests, start=1):
                    output = request.output if request is last else str(folder / f"stage-{number}")
                    report = yield from run(replace(request, model=model, output=output), number)
                    model = output
                    if report is not None:
                        reports.append(report)
            except BaseException:
                # The program may close just when the last stage is complete.
                if not has_checkpoint(Path(last.output)) or Path(last.output).exists():
                    shutil.rmtree(folder, ignore_errors=True)
                raise
            shutil.rmtree(folder, ignore_errors=True)
            return StagesReport(tuple(reports), single)

        def noted_steps() -> Steps[StagesReport]:
            with self._hold_model(requests[0].model), _claimed(Path(requests[-1].output), is_to_be_listed):
                return (yield from steps())

        return self._context.engine.submit("train", noted_steps, chain="train")

    @contextlib.contextmanager
    def _hold_model(self, model: str) -> Iterator[None]:
        """Keep a model from being removed in this block: stages and what is learnt from the words start from it too."""
        self._context.training_models.append(model)
        try:
            yield
        finally:
            self._context.training_models.remove(model)

    def _train(self, request: TrainingRequest, on_report: Callable[[object], None] | None) -> Steps[TrainingReport]:
        start = self._context.setup.start_task
        assert start is not None, "this workspace starts no tasks"
        with contextlib.ExitStack() as files:
            resolved = files.enter_context(with_label_file(request, self._context.open_library))
            if request.model and self._context.setup.open_models is not None:
                yield from find_model(self._context.setup.open_models, request.model)  # starting a task finds it again
            if resolved.settings.mining == FROM_LIBRARY:
                resolved = yield from self._with_negatives(resolved, files)
            report: TrainingReport = yield from follow_task(start("train", resolved), on_report)
        return report

    def _with_negatives(self, request: TrainingRequest, files: contextlib.ExitStack) -> Steps[TrainingRequest]:
        """Return a request with negatives from the library, in a file that is deleted with `files`.

        They are mined here, before the training's own process starts, because it has no library.
        """
        start = self._context.setup.start_task
        assert start is not None, "this workspace starts no tasks"
        from desktop_app.engine.negative_mining import mine_negatives

        if not self._context.open_library().info().searchable:
            raise AppError(
                "The library has no sentences to use as negatives",
                "Import documents first, or train without them: --mining none.",
            )
        wanted: NegativesRequest = yield from follow_task(start("anchors", request))
        found = yield from mine_negatives(
            self._context.open_library(), self._context.library_encoder(), wanted, self._context.engine.is_user_active
        )
        file = files.enter_context(write_temporary_file("negatives.jsonl", lambda place: write_negatives(place, found)))
        return replace(request, negatives=str(file))

    def find_unfinished(self, folder: Path) -> Job[list[UnfinishedTraining]]:
        """Return the unfinished trainings into folders below `folder`, the latest first."""
        return self._context.engine.submit(
            "unfinished trainings", lambda: find_unfinished_trainings(folder), lane=Lane.FRONT, by_person=False
        )

    def find_unlisted(self, folder: Path) -> Job[list[Path]]:
        """Return the models below `folder` that were trained to be listed: the program closed, or the disk was full."""
        return self._context.engine.submit(
            "unlisted models", lambda: find_unlisted_models(folder), lane=Lane.FRONT, by_person=False
        )

    def note_listed(self, output: Path) -> Job[None]:
        """Note that a model is in the list of models, or that it cannot be."""

        def note() -> None:
            with contextlib.suppress(OSError):  # it is listed once more at the next start, which changes nothing
                unlisted_file(output).unlink()

        return self._context.engine.submit("note listed", note, lane=Lane.FRONT, by_person=False)

    def discard(self, output: Path) -> Job[None]:
        """Delete the checkpoint of a training, and the results of its earlier stages.

        Raises (the job):
            AppError: it runs, in another window or by a command.
            StorageFull: a part of it cannot be deleted.
        """

        def discard() -> None:
            folders = (checkpoint_folder(output), stages_folder(output))
            with claim_output(output):
                for folder in folders:
                    shutil.rmtree(folder, ignore_errors=True)
            if left := [str(folder) for folder in folders if folder.exists()]:
                raise StorageFull(
                    "{folder} cannot be deleted completely",
                    "Close programs that use its files, check the permissions of the folder, and try again.",
                    folder=left[0],
                )
            with contextlib.suppress(OSError):
                unlisted_file(output).unlink()

        return self._context.engine.submit("discard training", discard, lane=Lane.FRONT)


@contextlib.contextmanager
def _claimed(output: Path, is_to_be_listed: bool) -> Iterator[None]:
    """Hold the name of a model while it is trained, and note that it is to be listed.

    Only a training that left nothing takes that note back.
    """
    if not is_to_be_listed:
        with claim_output(output):
            yield
        return
    note = unlisted_file(output)
    with contextlib.suppress(OSError):  # the training says so when it can write nothing
        make_private_folder(output.parent)
    with claim_output(output):
        with contextlib.suppress(OSError):  # the model must be listed by hand if the program closes at its end
            note.touch()
        try:
            yield
        except BaseException:
            if not output.exists() and not has_checkpoint(output):
                note.unlink(missing_ok=True)
            raise
