"""Evaluate any model on any file: the task from the columns, the threshold from the model, step by step."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import numpy as np

from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.evaluations import Task
from desktop_app.core.jobs import Progress
from desktop_app.core.remarks import remark
from desktop_app.encoder.bundled import resolve_model
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.cross_encoder import CrossEncoder, is_cross_encoder
from desktop_app.encoder.evaluation import (
    Threshold,
    embed_columns,
    judge_classes,
    judge_duplicates,
    judge_retrieval,
    judge_similarity,
)
from desktop_app.encoder.heads import duplicate_scores, load_head
from desktop_app.encoder.judged_rows import judged_rows
from desktop_app.encoder.notes import read_notes
from desktop_app.encoder.partners import judge_partners, judge_triplets
from desktop_app.encoder.retrieval_set import is_retrieval_set, read_retrieval_set
from desktop_app.encoder.siamese import SiameseEncoder
from desktop_app.encoder.training.cross import judge_pairs
from desktop_app.encoder.training.data_files import read_data

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.core.evaluations import Evaluation, EvaluationRequest, JudgedRow
    from desktop_app.core.jobs import Steps
    from desktop_app.core.training_settings import Architecture
    from desktop_app.encoder.heads import Head
    from desktop_app.encoder.training.dataset import DataSet

    Vectors = NDArray[np.float32]

_ALL_PAIRS = 10_000
"""Sentences of which it is told what comparing all of them with each other would cost."""

_LABELLED = ("similarity", "duplicates", "nli")


def evaluate(request: EvaluationRequest) -> Steps[Evaluation]:
    """Measure a model.

    Raises:
        AppError: the data fits no task, the model lacks what the task needs, or one of them cannot be read.
    """
    judged = yield from _evaluate(request)
    checkpoint = read_checkpoint(resolve_model(request.model))
    return replace(
        judged, model=checkpoint.place.name if checkpoint.listed else checkpoint.name, folder=str(checkpoint.place)
    )


def _evaluate(request: EvaluationRequest) -> Steps[Evaluation]:
    if is_retrieval_set(request.data.path):
        if request.task not in (None, "retrieval"):
            raise UsageError(f"{request.data.path} is a folder, and {request.task} needs a file", "Name a file.")
        collection = read_retrieval_set(request.data.path)
        yield None
        scorer = None
        if request.every_row:
            raise UsageError("a retrieval set has no rows", "Leave --rows away.")
        if request.reranker:
            scorer = CrossEncoder(resolve_model(request.reranker), request.precision, request.threads)
        return (yield from judge_retrieval(_encoder(request), collection, scorer))
    if request.reranker:
        raise UsageError(
            f"{request.data.path} is a file, and what is ordered anew are documents",
            "Name a folder with a retrieval set: corpus, queries, qrels.",
        )
    if request.task == "retrieval":
        raise UsageError(f"{request.data.path} is a file", "Retrieval needs a folder: corpus, queries, qrels.")
    data = read_data(request.data)
    yield None
    task: Task = data.kind
    if request.task not in (None, task):
        raise UsageError(
            f"{request.data.path} holds {data.kind}, which is not for the task {request.task}",
            f"Tasks are {', '.join(get_args(Task))}.",
        )
    data.require_variety()
    if _architecture(request) == "cross":
        if task not in _LABELLED:
            raise AppError(
                f"a cross-encoder is measured on pairs with labels, and {request.data.path} holds {data.kind}",
                "Measure a siamese model on it, or give pairs with labels or scores.",
            )
        judged = yield from _judge_cross(request, data)
    else:
        judged = yield from _judge(request, task, data)
    left_out = {"unlabelled": data.unlabelled} if data.unlabelled else {}
    return replace(judged, measures={**judged.measures, **left_out})


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


def _architecture(request: EvaluationRequest) -> Architecture:
    """Return which kind of model is measured.

    Raises:
        UsageError: the folder holds the other kind.
    """
    folder = resolve_model(request.model)
    found: Architecture = "cross" if is_cross_encoder(read_checkpoint(folder)) else "siamese"
    if request.architecture not in (None, found):
        raise UsageError(f"{folder} is a {found} encoder, not {request.architecture}", "Leave --architecture away.")
    return found


def _judge_cross(request: EvaluationRequest, data: DataSet) -> Steps[Evaluation]:
    encoder = CrossEncoder(resolve_model(request.model), request.precision, request.threads)
    if data.kind == "nli" and encoder.classes != data.classes:
        raise AppError(
            f"the cross-encoder {encoder.name} does not tell {', '.join(data.classes)} apart",
            "Train one on such data: train DATA --architecture cross.",
        )
    pairs = list(zip(data.texts[0], data.texts[1], strict=True))
    found = np.empty((len(pairs), 2 if encoder.single else len(encoder.classes)))
    done = 0
    started = time.perf_counter()
    for places, part in encoder.probability_batches(pairs):
        found[places] = part
        done += len(places)
        yield Progress("embedding", done, len(pairs), "pairs")
    seconds = time.perf_counter() - started
    threshold = chosen_threshold(request.threshold, encoder.threshold)
    judged = judge_pairs(data, found, threshold, request.worst)
    if request.every_row:
        scores = found.max(axis=1) if data.kind == "nli" else found[:, -1]
        classes = () if data.kind == "similarity" else data.classes
        rows = judged_rows(data, scores, _used(judged), classes, found if classes else None)
        judged = replace(judged, rows=rows)
    return _with_cost(judged, len(pairs) / seconds, _ALL_PAIRS * (_ALL_PAIRS - 1) / 2 / (len(pairs) / seconds))


def _with_cost(judged: Evaluation, pairs_per_s: float, all_pairs_s: float) -> Evaluation:
    cost = {"pairs_per_s": pairs_per_s, "all_pairs_10000_s": all_pairs_s}
    return replace(judged, measures={**judged.measures, **cost})


def _judge(request: EvaluationRequest, task: Task, data: DataSet) -> Steps[Evaluation]:
    folder = resolve_model(request.model)
    # Of an adapted model they lie in the folder of the one that it is made of.
    own = None if request.pooling else read_checkpoint(folder).folder
    threshold = chosen_threshold(request.threshold, read_notes(own).threshold if own else None)
    head = load_head(own) if own else None
    if task == "nli" and (head is None or head.spec.classes != data.classes):
        raise AppError(
            f"the model {folder.name} has no head that tells {', '.join(data.classes)} apart",
            "Train one: train DATA --objective softmax.",
        )
    encoder = _encoder(request)
    started = time.perf_counter()
    vectors = yield from embed_columns(encoder, data)
    u, v = vectors[:2]
    embedded = len({text for column in data.texts for text in column}) / (time.perf_counter() - started)
    if task == "triplets":
        judged = judge_triplets(data, vectors, request.worst, every_row=request.every_row)
    elif task == "pairs":
        judged = judge_partners(data, vectors, request.worst, every_row=request.every_row)
    elif task == "nli" and head is not None:
        judged = judge_classes(data, head.probabilities(u, v), request.worst)
    elif task == "similarity":
        judged = judge_similarity(data, u, v, request.worst)
    else:
        judged = judge_duplicates(data, duplicate_scores(u, v, head), threshold, request.worst)
    if request.every_row and task in _LABELLED:
        judged = replace(judged, rows=_rows(data, u, v, head, judged))
    if task in ("similarity", "triplets", "pairs") and "max" in encoder.checkpoint.modes:
        told = remark("max pooling does poorly where cosines are compared (Sentence-BERT, table 6: 69.9 against 87.4)")
        judged = replace(judged, notes=(told,))
    # A vector for each sentence, then products.
    products = np.random.default_rng(0).random((1000, u.shape[1]), np.float32)
    started = time.perf_counter()
    products @ products.T
    product_s = (time.perf_counter() - started) * (_ALL_PAIRS / len(products)) ** 2 / 2
    return _with_cost(judged, embedded / 2, _ALL_PAIRS / embedded + product_s)


def _rows(data: DataSet, u: Vectors, v: Vectors, head: Head | None, judged: Evaluation) -> tuple[JudgedRow, ...]:
    found = None if head is None else head.probabilities(u, v)
    classes = () if head is None else head.spec.classes
    if data.kind == "nli" and found is not None:
        scores = found.max(axis=1)
    else:
        scores = duplicate_scores(u, v, head if data.kind == "duplicates" else None)
    return judged_rows(data, scores, _used(judged), classes, found)


def _used(judged: Evaluation) -> float | None:
    """Return the threshold that pairs were judged by; None where there is none."""
    return cast("float | None", judged.measures.get("threshold"))


def _encoder(request: EvaluationRequest) -> SiameseEncoder:
    return SiameseEncoder(
        Path(request.model) if request.model else "",
        device=request.device,
        precision=request.precision,
        threads=request.threads,
        pooling=request.pooling or None,
    )
