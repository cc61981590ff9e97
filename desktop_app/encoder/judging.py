"""Evaluate any model on any file: the task from the columns, the threshold from the model, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.training import Task
from desktop_app.encoder.bundled import resolve_model
from desktop_app.encoder.evaluation import (
    Threshold,
    embed_columns,
    judge_classes,
    judge_duplicates,
    judge_retrieval,
    judge_similarity,
)
from desktop_app.encoder.heads import load_head
from desktop_app.encoder.notes import read_notes
from desktop_app.encoder.retrieval_set import is_retrieval_set, read_retrieval_set
from desktop_app.encoder.siamese import SiameseEncoder
from desktop_app.encoder.training.data_files import read_data
from desktop_app.encoder.training.validating import duplicate_scores

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.core.training import Evaluation, EvaluationRequest
    from desktop_app.encoder.training.dataset import DataSet

_TASK_OF_KIND: dict[str, Task] = {"similarity": "similarity", "duplicates": "duplicates", "nli": "nli"}


def evaluate(request: EvaluationRequest) -> Steps[Evaluation]:
    """Measure a model.

    Raises:
        AppError: the data fits no task, the model lacks what the task needs, or one of them cannot be read.
    """
    if is_retrieval_set(request.data.path):
        if request.task not in (None, "retrieval"):
            raise UsageError(f"{request.data.path} is a folder, and {request.task} needs a file", "Name a file.")
        collection = read_retrieval_set(request.data.path)
        yield None
        return (yield from judge_retrieval(_encoder(request), collection))
    if request.task == "retrieval":
        raise UsageError(f"{request.data.path} is a file", "Retrieval needs a folder: corpus, queries, qrels.")
    data = read_data(request.data)
    yield None
    task = request.task or _TASK_OF_KIND.get(data.kind)
    if task is None or task != _TASK_OF_KIND.get(data.kind):
        raise UsageError(
            f"{request.data.path} holds {data.kind}, which is not for the task {task or 'of an evaluation'}",
            f"Tasks are {', '.join(get_args(Task))}.",
        )
    data.require_variety()
    return (yield from _judge(request, task, data))


def chosen_threshold(asked: str, stored: float | None) -> Threshold | None:
    """Return the threshold to use; None: the best on the rows themselves.

    Args:
        asked: a number, `stored`, `best` or nothing.
        stored: the model's own, fitted when it was trained.

    Raises:
        UsageError: it is none of these.
        AppError: the stored one is asked for and there is none.
    """
    if asked == "best" or (not asked and stored is None):
        return None
    if asked in ("", "stored"):
        if stored is None:
            raise AppError("this model has no threshold of its own", "Use --threshold best, or give a number.")
        return Threshold(stored, "stored")
    try:
        return Threshold(float(asked), "given")
    except ValueError as error:
        raise UsageError(f"{asked!r} is no threshold", "Give a number, `stored` or `best`.") from error


def _judge(request: EvaluationRequest, task: Task, data: DataSet) -> Steps[Evaluation]:
    folder = resolve_model(request.model)
    threshold = chosen_threshold(request.threshold, None if request.pooling else read_notes(folder).threshold)
    head = None if request.pooling else load_head(folder)
    if task == "nli" and (head is None or head.spec.classes != data.classes):
        raise AppError(
            f"the model {folder.name} has no head that tells {', '.join(data.classes)} apart",
            "Train one: train DATA --objective softmax.",
        )
    u, v = yield from embed_columns(_encoder(request), data)
    if task == "nli" and head is not None:
        return judge_classes(data, head.probabilities(u, v), request.worst)
    if task == "similarity":
        return judge_similarity(data, u, v, request.worst)
    return judge_duplicates(data, duplicate_scores(u, v, head), threshold, request.worst)


def _encoder(request: EvaluationRequest) -> SiameseEncoder:
    return SiameseEncoder(
        Path(request.model) if request.model else "",
        device=request.device,
        precision=request.precision,
        threads=request.threads,
        pooling=request.pooling or None,
    )
