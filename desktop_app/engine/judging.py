"""How good a model is: evaluations as jobs, each in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.engine.marked_data import Asked, with_marks
from desktop_app.engine.working import follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Work
    from desktop_app.core.training import DataFile, DataPreview, Evaluation, EvaluationRequest
    from desktop_app.engine.engine import Engine


class Judging:
    """Evaluations and looks at data files.

    Args:
        engine: runs the jobs.
        start_work: begins a task of the workshop by its name.
        open_library: returns the library, whose marks may be the data; called on the engine's thread.
    """

    def __init__(
        self,
        engine: Engine,
        start_work: Callable[[str, object], Work] | None,
        open_library: Callable[[], Library],
    ) -> None:
        self._engine = engine
        self._start_work = start_work
        self._open_library = open_library

    def preview(self, file: DataFile) -> Job[DataPreview]:
        """Tell what is understood of a file of labelled sentences. The latest wins."""
        return self._engine.submit(
            "look at data", lambda: self._follow("preview", file), key=f"look at data {file.path}"
        )

    def evaluate(self, request: EvaluationRequest) -> Job[Evaluation]:
        """Measure a model on a file or retrieval set."""
        return self._engine.submit("evaluate", lambda: self._follow("evaluate", request))

    def _follow(self, task: str, request: Asked) -> Steps[Any]:
        assert self._start_work is not None, "this workspace starts no work"
        with with_marks(request, self._open_library) as placed:
            return (yield from follow(self._start_work(task, placed)))
