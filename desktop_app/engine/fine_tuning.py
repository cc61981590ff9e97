"""Fine-tuning as a job: it runs in a process of its own, so that searching stays quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.engine.working import follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.ports import Work
    from desktop_app.core.training import TrainingReport, TrainingRequest
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
