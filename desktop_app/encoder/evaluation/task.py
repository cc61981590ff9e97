"""The evaluation task: measures any model on any file, one step at a time."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import numpy as np

from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.evaluation import EvaluatedRow, EvaluationTask
from desktop_app.core.jobs import Progress, map_steps
from desktop_app.core.labelled_data import DUPLICATE_LABELS
from desktop_app.core.messages import Message
from desktop_app.core.score_intervals import FEWEST_ROWS, compare_results
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.classification_head import judge_similarity, load_head, score_pairs
from desktop_app.encoder.cross_encoder import CrossEncoder, is_cross_encoder
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.datasets.retrieval_set import is_retrieval_set, read_retrieval_set
from desktop_app.encoder.evaluation.evaluators import (
    JudgementThreshold,
    add_intervals,
    embed_columns,
    evaluate_classes,
    evaluate_duplicates,
    evaluate_pair_probabilities,
    evaluate_pairs,
    evaluate_retrieval,
    evaluate_similarity,
    evaluate_triplets,
)
from desktop_app.encoder.models.bundled import resolve_model
from desktop_app.encoder.siamese import SiameseEncoder
from desktop_app.encoder.training_notes import read_training_notes
from desktop_app.encoder.word_judge import load_word_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.evaluation import Evaluation, EvaluationRequest
    from desktop_app.core.jobs import Steps
    from desktop_app.core.training_settings import Architecture
    from desktop_app.encoder.classification_head import ClassificationHead
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.word_alignment import PairWords
    from desktop_app.encoder.word_judge import WordJudge


_COST_SENTENCES = 10_000
"""Number of sentences for the estimated cost of comparing all of them with each other."""

_LABELLED_KINDS = ("similarity", "duplicates", "nli")


def evaluate(request: EvaluationRequest) -> Steps[Evaluation]:
    """Measure a model.

    Raises:
        AppError: the data fits no task, the model cannot do the task, or one of them cannot be read.
    """
    judged = add_intervals((yield from _evaluate_model(request)))
    if "intervals" not in judged.measures:
        few = Message(
            "with fewer than {rows} rows or queries, scores have no interval",
            code="few_rows",
            rows=FEWEST_ROWS,
        )
        judged = replace(judged, notes=(*judged.notes, few))
    if request.compared_with is not None and judged.results is not None:
        judged = replace(judged, differences=compare_results(request.compared_with, judged.results))
    checkpoint = read_checkpoint(resolve_model(request.model))
    return replace(
        judged,
        model=checkpoint.load_folder.name if checkpoint.variant_folder else checkpoint.name,
        folder=str(checkpoint.load_folder),
    )


def _evaluate_model(request: EvaluationRequest) -> Steps[Evaluation]:
    if is_retrieval_set(request.data.path):
        if request.task not in (None, "retrieval"):
            raise UsageError(
                "{path} is a folder, but {task} needs a file", "Use a file.", path=request.data.path, task=request.task
            )
        collection = read_retrieval_set(request.data.path)
        yield None
        scorer = None
        if request.every_row:
            raise UsageError("A retrieval set has no rows to write", "Omit --rows.")
        if request.reranker:
            scorer = CrossEncoder(resolve_model(request.reranker), request.precision, request.threads)
        return (yield from evaluate_retrieval(_load_encoder(request), collection, scorer))
    if request.reranker:
        raise UsageError(
            "{path} is a file, but only a retrieval set can be re-ranked",
            "Use a folder with a retrieval set: corpus, queries, qrels.",
            path=request.data.path,
        )
    if request.task == "retrieval":
        raise UsageError(
            "{path} is a file", "Retrieval needs a folder: corpus, queries, qrels.", path=request.data.path
        )
    data = read_labelled_file(request.data)
    yield None
    task: EvaluationTask = data.kind
    if request.task not in (None, task):
        raise UsageError(
            "{path} contains {kind}, which does not fit the task {task}",
            "Tasks are {evaluationtasks}.",
            path=request.data.path,
            kind=data.kind,
            task=request.task,
            evaluationtasks=", ".join(get_args(EvaluationTask)),
        )
    data.require_variety()
    if _detect_architecture(request) == "cross":
        if task not in _LABELLED_KINDS:
            raise AppError(
                "A cross-encoder needs labelled pairs, but {path} contains {kind}",
                "Evaluate a siamese model on it, or use pairs with labels or scores.",
                path=request.data.path,
                kind=data.kind,
            )
        judged = yield from _evaluate_cross_encoder(request, data)
    else:
        judged = yield from _evaluate_siamese(request, task, data)
    left_out = {"unlabelled": data.unlabelled} if data.unlabelled else {}
    return replace(judged, measures={**judged.measures, **left_out})


def choose_threshold(requested: str, stored: float | None) -> JudgementThreshold | None:
    """Return the threshold to use; None: the best on the rows themselves.

    Args:
        requested: a number, `stored`, `best` or nothing.
        stored: the model's own, fitted in its training.

    Raises:
        UsageError: `requested` is none of these.
        AppError: the stored one is requested and there is none.
    """
    if requested == "best" or (not requested and stored is None):
        return None
    if requested in ("", "stored"):
        if stored is None:
            raise AppError("This model has no threshold of its own", "Use --threshold best, or give a number.")
        return JudgementThreshold(stored, "stored")
    try:
        return JudgementThreshold(float(requested), "given")
    except ValueError as error:
        raise UsageError(
            "{asked!r} is not a threshold", "Give a number, `stored` or `best`.", asked=requested
        ) from error


def _detect_architecture(request: EvaluationRequest) -> Architecture:
    """Return the architecture of the model.

    Raises:
        UsageError: another architecture was requested.
    """
    folder = resolve_model(request.model)
    found: Architecture = "cross" if is_cross_encoder(read_checkpoint(folder)) else "siamese"
    if request.architecture not in (None, found):
        raise UsageError(
            "{folder} is a cross encoder, not {architecture}"
            if found == "cross"
            else "{folder} is a siamese encoder, not {architecture}",
            "Omit --architecture.",
            folder=folder,
            architecture=request.architecture,
        )
    return found


def _evaluate_cross_encoder(request: EvaluationRequest, data: DataSet) -> Steps[Evaluation]:
    encoder = CrossEncoder(resolve_model(request.model), request.precision, request.threads)
    is_able = encoder.classes == data.classes if data.kind == "nli" else encoder.rates_matches
    if not is_able:
        raise AppError(
            "The cross-encoder {name} cannot distinguish {classes}",
            "Train one on such data: train DATA --architecture cross.",
            name=encoder.name,
            classes=", ".join(data.classes if data.kind == "nli" else DUPLICATE_LABELS),
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
    if data.kind != "nli":  # an encoder of several classes rates a match as it does when it re-ranks
        matching = found[:, encoder.match_column]
        found = np.stack([1 - matching, matching], axis=1)
    threshold = choose_threshold(request.threshold, encoder.threshold)
    judged = evaluate_pair_probabilities(data, found, threshold, request.worst)
    if request.every_row:
        scores = found.max(axis=1) if data.kind == "nli" else found[:, -1]
        classes = () if data.kind == "similarity" else data.classes
        rows = list_judged_rows(data, scores, _used_threshold(judged), classes, found if classes else None)
        judged = replace(judged, rows=rows)
    return _add_cost(judged, len(pairs) / seconds, _COST_SENTENCES * (_COST_SENTENCES - 1) / 2 / (len(pairs) / seconds))


def _add_cost(judged: Evaluation, pairs_per_s: float, all_pairs_s: float) -> Evaluation:
    cost = {"pairs_per_s": pairs_per_s, "all_pairs_10000_s": all_pairs_s}
    return replace(judged, measures={**judged.measures, **cost})


def _evaluate_siamese(request: EvaluationRequest, task: EvaluationTask, data: DataSet) -> Steps[Evaluation]:
    folder = resolve_model(request.model)
    # For a variant they are in the folder of its base model.
    checkpoint = read_checkpoint(folder)
    own = None if request.pooling else checkpoint.folder
    threshold = choose_threshold(request.threshold, read_training_notes(own).threshold if own else None)
    head = load_head(own) if own else None
    judge = load_word_judge(own) if own else None
    if task == "nli" and (head is None or head.spec.classes != data.classes):
        raise AppError(
            "The model {name} has no head for {classes}",
            "Train one: train DATA --objective softmax.",
            name=checkpoint.name,
            classes=", ".join(data.classes),
        )
    encoder = _load_encoder(request)
    started = time.perf_counter()
    words = None
    if judge is not None and (task == "duplicates" or task == judge.kind):
        embedding = encoder.embed_pairs(data.texts[0], data.texts[1], judge.rarity)
        *vectors, words = yield from map_steps(embedding, lambda done: Progress("embedding", done, len(data), "pairs"))
    else:
        vectors = yield from embed_columns(encoder, data)
    u, v = vectors[:2]
    embedded = len({text for column in data.texts for text in column}) / (time.perf_counter() - started)
    if task == "triplets":
        judged = evaluate_triplets(data, vectors, request.worst, every_row=request.every_row)
    elif task == "pairs":
        judged = evaluate_pairs(data, vectors, request.worst, every_row=request.every_row)
    elif task == "nli" and head is not None:
        judged = evaluate_classes(data, head.probabilities(u, v), request.worst)
    elif task == "similarity":
        judged = evaluate_similarity(data, u, v, request.worst, judge_similarity(u, v, judge, words))
    else:
        judged = evaluate_duplicates(data, score_pairs(u, v, head, judge, words), threshold, request.worst)
    if request.every_row and task in _LABELLED_KINDS:
        judged = replace(judged, rows=_list_rows(data, u, v, head, judge, words, judged))
    if task in ("similarity", "triplets", "pairs") and "max" in encoder.checkpoint.pooling_modes:
        note = Message(
            "max pooling performs poorly with cosine similarity (Sentence-BERT, table 6: 69.9 against 87.4)",
            code="max_pooling",
        )
        judged = replace(judged, notes=(note,))
    # A vector for each sentence, then products.
    products = np.random.default_rng(0).random((1000, u.shape[1]), np.float32)
    started = time.perf_counter()
    products @ products.T
    product_s = (time.perf_counter() - started) * (_COST_SENTENCES / len(products)) ** 2 / 2
    return _add_cost(judged, embedded / 2, _COST_SENTENCES / embedded + product_s)


def _list_rows(
    data: DataSet,
    u: Vectors,
    v: Vectors,
    head: ClassificationHead | None,
    judge: WordJudge | None,
    words: PairWords | None,
    judged: Evaluation,
) -> tuple[EvaluatedRow, ...]:
    found = None if head is None else head.probabilities(u, v)
    classes = () if head is None else head.spec.classes
    if data.kind == "nli" and found is not None:
        scores = found.max(axis=1)
    elif data.kind == "duplicates":
        scores = score_pairs(u, v, head, judge, words)
        if judge is not None and judge.kind == "duplicates":
            classes, found = DUPLICATE_LABELS, np.stack([1 - scores, scores], axis=1)
    else:
        found_scores = judge_similarity(u, v, judge, words)
        scores = score_pairs(u, v, None) if found_scores is None else found_scores
    return list_judged_rows(data, scores, _used_threshold(judged), classes, found)


def _used_threshold(judged: Evaluation) -> float | None:
    """Return the threshold of an evaluation; None if there is none."""
    return cast("float | None", judged.measures.get("threshold"))


def _load_encoder(request: EvaluationRequest) -> SiameseEncoder:
    return SiameseEncoder(
        Path(request.model) if request.model else "",
        device=request.device,
        precision=request.precision,
        threads=request.threads,
        pooling=request.pooling or None,
    )


def list_judged_rows(
    data: DataSet,
    scores: NDArray[np.float64],
    threshold: float | None = None,
    classes: Sequence[str] = (),
    probabilities: NDArray[np.float64] | None = None,
) -> tuple[EvaluatedRow, ...]:
    """Return every row of labelled data.

    Args:
        data: with labels.
        scores: float64 [n] of the rows; for classes the probability of the predicted one.
        threshold: from which pairs are the same; None for other data.
        classes: of a head.
        probabilities: float64 [n, classes]; None: there is no head.
    """
    assert data.labels is not None, f"{data.kind} have no labels"
    rows = []
    for row, texts in enumerate(zip(*data.texts, strict=True)):
        by_class = {} if probabilities is None else dict(zip(classes, map(float, probabilities[row]), strict=True))
        if data.kind == "similarity":
            expected, found = f"{float(data.labels[row]):.4g}", ""
        else:
            expected = data.classes[int(data.labels[row])]
            found = max(by_class, key=lambda name: by_class[name]) if by_class else ""
            if threshold is not None:
                found = data.classes[int(scores[row] >= threshold)]
        rows.append(EvaluatedRow(int(data.lines[row]), texts, expected, found, float(scores[row]), by_class))
    return tuple(rows)
