"""Fine-tuning as a job: it runs in a process of its own, so that searching stays quick."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from desktop_app.core.jobs import Lane
from desktop_app.core.unfinished import checkpoint_folder, unfinished
from desktop_app.engine.working import follow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.ports import Work
    from desktop_app.core.training import TrainingReport, TrainingRequest, UnfinishedTraining
    from desktop_app.engine.engine import Engine


class FineTuning:
    """Trainings.

    Args:
        engine: runs the jobs.
        start_work: begins a task of the workshop by its name; None where nothing is trained.
    """

    def __init__(self, engine: Engine, start_work: Callable[[str, object], Work] | None) -> None:
        self._engine = engine
        self._start_work = start_work

    def train(self, request: TrainingRequest, on_report: Callable[[object], None] | None = None) -> Job[TrainingReport]:
        """Fine-tune a model into a folder of its own; the library's model is not touched. One training at a time.

        Args:
            request: what to train, and how.
            on_report: called on the engine's thread with every StepReport and EpochReport.
        """

        def steps() -> Steps[Any]:
            assert self._start_work is not None, "this workspace starts no work"
            return (yield from follow(self._start_work("train", request), on_report))

        return self._engine.submit("train", steps, chain="train")

    def unfinished(self, folder: Path) -> Job[list[UnfinishedTraining]]:
        """Return the trainings into folders below `folder` that were stopped or broken off, the latest first."""
        return self._engine.submit("unfinished trainings", lambda: unfinished(folder), lane=Lane.FRONT, by_person=False)

    def discard(self, output: Path) -> Job[None]:
        """Throw the checkpoint of a training away."""
        return self._engine.submit(
            "discard training", lambda: shutil.rmtree(checkpoint_folder(output), ignore_errors=True), lane=Lane.FRONT
        )
