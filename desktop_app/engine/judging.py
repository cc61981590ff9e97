"""How good a model is: evaluations as jobs, each in a process of its own, and the scores that are kept of them."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.core.jobs import Lane
from desktop_app.core.kept_evaluations import KeptEvaluation, digest_of, forget, keep, read_kept
from desktop_app.engine.marked_data import Asked, with_marks
from desktop_app.engine.working import follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.evaluations import Evaluation, EvaluationRequest
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Work
    from desktop_app.engine.engine import Engine

log = logging.getLogger(__name__)


class Judging:
    """Evaluations and looks at data files.

    Args:
        engine: runs the jobs.
        start_work: begins a task of the workshop by its name.
        open_library: returns the library, whose marks may be the data; called on the engine's thread.
        memory: the file in which scores are kept; None: they are not.
    """

    def __init__(
        self,
        engine: Engine,
        start_work: Callable[[str, object], Work] | None,
        open_library: Callable[[], Library],
        memory: Path | None = None,
    ) -> None:
        self._engine = engine
        self._start_work = start_work
        self._open_library = open_library
        self._memory = memory

    def preview(self, file: DataFile) -> Job[DataPreview]:
        """Tell what is understood of a file of labelled sentences. The latest wins."""
        return self._engine.submit("look at data", lambda: self._preview(file), key=f"look at data {file.path}")

    def evaluate(self, request: EvaluationRequest) -> Job[Evaluation]:
        """Measure a model on a file or retrieval set; its scores are kept."""
        return self._engine.submit("evaluate", lambda: self._evaluate(request))

    def kept(self, file: DataFile) -> Job[list[KeptEvaluation]]:
        """Return the scores that are kept of evaluations on the same data, the latest first."""

        def steps() -> Steps[list[KeptEvaluation]]:
            digest = yield from self._digest(file)
            return [each for each in self._read() if digest and each.digest == digest]

        return self._engine.submit("kept scores", steps, lane=Lane.FRONT, by_person=False)

    def forget(self, file: DataFile) -> Job[None]:
        """Keep no scores of evaluations on that data any more."""

        def steps() -> Steps[None]:
            digest = yield from self._digest(file)
            if self._memory is not None and digest:
                forget(self._memory, digest)

        return self._engine.submit("forget scores", steps, lane=Lane.FRONT)

    def _read(self) -> list[KeptEvaluation]:
        return read_kept(self._memory) if self._memory is not None else []

    def _preview(self, file: DataFile) -> Steps[DataPreview]:
        with with_marks(file, self._open_library) as placed:
            found: DataPreview = yield from self._follow("preview", placed)
        return found

    def _evaluate(self, request: EvaluationRequest) -> Steps[Evaluation]:
        with with_marks(request, self._open_library) as placed:
            judged: Evaluation = yield from self._follow("evaluate", placed)
            if self._memory is not None:
                yield from self._keep(self._memory, request, placed.data, judged)
        return judged

    def _keep(self, memory: Path, request: EvaluationRequest, data: DataFile, judged: Evaluation) -> Steps[None]:
        digest = yield from self._digest(data)
        name = Path(request.data.path.rstrip("/\\")).name
        facts = (judged.task, request.pooling, request.threshold, judged.measures)
        try:
            keep(memory, KeptEvaluation(time.time(), judged.model, judged.folder, name, digest, *facts))
        except OSError as error:
            log.warning("the scores are not kept: %s", error)

    def _digest(self, file: DataFile) -> Steps[str]:
        """Tell data by its contents; empty where it cannot be read."""
        digest = ""
        try:
            with with_marks(file, self._open_library) as placed:
                for digest in digest_of(placed.path):  # noqa: B007 - the last one is wanted
                    yield None
        except (OSError, AppError):
            return ""
        return digest

    def _follow(self, task: str, request: Asked) -> Steps[Any]:
        assert self._start_work is not None, "this workspace starts no work"
        return (yield from follow(self._start_work(task, request)))
