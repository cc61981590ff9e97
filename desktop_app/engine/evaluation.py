"""Evaluates models, each in a separate process, and keeps their scores."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, StorageFull
from desktop_app.core.evaluation_history import (
    PastEvaluation,
    add_to_history,
    forget_data,
    hash_data_in_steps,
    read_history,
)
from desktop_app.core.jobs import Lane
from desktop_app.core.messages import system_text
from desktop_app.engine.child_task import follow_task
from desktop_app.engine.labelled_pairs import RequestT, with_label_file
from desktop_app.engine.model_loading import find_model

if TYPE_CHECKING:
    from desktop_app.core.evaluation import Evaluation, EvaluationRequest
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.engine.context import EngineContext

log = logging.getLogger(__name__)


class EvaluationService:
    """Evaluates models and previews data files.

    Args:
        context: the library, whose labels may be the data, and the tasks that the jobs start.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def preview(self, file: DataFile) -> Job[DataPreview]:
        """Describe a file of labelled sentences. The latest request for a file wins."""
        return self._context.engine.submit("look at data", lambda: self._preview(file), key=f"look at data {file.path}")

    def evaluate(self, request: EvaluationRequest) -> Job[Evaluation]:
        """Evaluate a model on a file or retrieval set, and keep its scores."""
        return self._context.engine.submit("evaluate", lambda: self._evaluate(request))

    def list_past_evaluations(self, file: DataFile) -> Job[list[PastEvaluation]]:
        """Return the kept scores of evaluations on the same data, the latest first."""

        def steps() -> Steps[list[PastEvaluation]]:
            digest = yield from self._digest(file)
            return [each for each in self._read_history() if digest and each.digest == digest]

        return self._context.engine.submit("kept scores", steps, lane=Lane.FRONT, by_person=False)

    def forget_scores(self, file: DataFile) -> Job[None]:
        """Delete the kept scores of evaluations on this data.

        Raises (from the job):
            StorageFull: their file cannot be written.
        """

        def steps() -> Steps[None]:
            digest = yield from self._digest(file)
            if self._context.setup.scores_file is None or not digest:
                return
            try:
                forget_data(self._context.setup.scores_file, digest)
            except OSError as error:
                raise StorageFull(
                    "The earlier scores could not be cleared: {why}",
                    "Free some space there, then try again.",
                    why=system_text(error.strerror or error),
                ) from error

        return self._context.engine.submit("forget scores", steps, lane=Lane.FRONT)

    def _read_history(self) -> list[PastEvaluation]:
        return read_history(self._context.setup.scores_file) if self._context.setup.scores_file is not None else []

    def _preview(self, file: DataFile) -> Steps[DataPreview]:
        with with_label_file(file, self._context.open_library) as resolved:
            found: DataPreview = yield from self._follow("preview", resolved)
        return found

    def _evaluate(self, request: EvaluationRequest) -> Steps[Evaluation]:
        with with_label_file(request, self._context.open_library) as resolved:
            for model in filter(None, (request.model, request.reranker)):
                if self._context.setup.open_models is not None:
                    yield from find_model(self._context.setup.open_models, model)  # starting the task finds it again
            evaluation: Evaluation = yield from self._follow("evaluate", resolved)
            if self._context.setup.scores_file is not None:
                yield from self._save_scores(self._context.setup.scores_file, request, resolved.data, evaluation)
        return evaluation

    def _save_scores(
        self, scores_file: Path, request: EvaluationRequest, data: DataFile, evaluation: Evaluation
    ) -> Steps[None]:
        digest = yield from self._digest(data)
        name = Path(request.data.path.rstrip("/\\")).name
        scores = (evaluation.task, request.pooling, request.threshold, evaluation.measures)
        try:
            add_to_history(
                scores_file, PastEvaluation(time.time(), evaluation.model, evaluation.folder, name, digest, *scores)
            )
        except OSError as error:
            log.warning("the scores are not kept: %s", error)

    def _digest(self, file: DataFile) -> Steps[str]:
        """Return a hash of the data's contents; empty if it cannot be read."""
        digest = ""
        try:
            with with_label_file(file, self._context.open_library) as resolved:
                for digest in hash_data_in_steps(resolved.path):  # noqa: B007 - the last one is wanted
                    yield None
        except (OSError, AppError):
            return ""
        return digest

    def _follow(self, task: str, request: RequestT) -> Steps[Any]:
        start = self._context.setup.start_task
        assert start is not None, "this workspace starts no tasks"
        return (yield from follow_task(start(task, request)))
