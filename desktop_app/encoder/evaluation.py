"""How good an encoder is at a task, on a file of labelled sentences or a retrieval set; step by step."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import BadData
from desktop_app.core.evaluations import CurvePoints, Evaluation, JudgedPair
from desktop_app.core.jobs import Progress
from desktop_app.encoder import metrics
from desktop_app.encoder.similarity import cosines

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.evaluations import ThresholdFrom
    from desktop_app.core.jobs import Steps
    from desktop_app.core.ports import Encoder, PairScorer
    from desktop_app.encoder.retrieval_set import RetrievalSet
    from desktop_app.encoder.training.dataset import DataSet

    Vectors = NDArray[np.float32]

RANKED = 100
"""Documents of a query's ranking that are looked at: as many as recall@100 needs."""

REORDERED = 50
"""Documents of a query's ranking that a cross-encoder orders anew, as of a search."""

_BLOCK = 64  # queries scored at once


@dataclass(frozen=True, slots=True)
class Threshold:
    """A cosine from which two sentences are called the same, and where it comes from."""

    value: float
    source: ThresholdFrom


def embed(encoder: Encoder, texts: Sequence[str], *, kind: str = "document", normalize: bool = False) -> Steps[Vectors]:
    """Return float32 [len(texts), dim], the model's own output unless asked; repeated texts are embedded once."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = np.empty((len(rows), encoder.model.dim), np.float32)
    done = 0
    with contextlib.closing(encoder.encode_batches(list(rows), normalize=normalize, kind=kind)) as batches:
        for indices, part in batches:
            vectors[indices] = part
            done += len(indices)
            yield Progress("embedding", done, len(rows), "sentences", sentences=done)
    return vectors[np.fromiter((rows[text] for text in texts), np.int64, len(texts))]


def embed_columns(encoder: Encoder, data: DataSet) -> Steps[list[Vectors]]:
    """Return the vectors of each column of texts: float32 [n, dim] each, the model's own output."""
    vectors = yield from embed(encoder, [text for column in data.texts for text in column])
    return list(vectors.reshape(len(data.texts), len(data), -1))


def judge_similarity(data: DataSet, u: Vectors, v: Vectors, worst: int = 0) -> Evaluation:
    """Compare four similarities of vectors with the labels' scores (Reimers & Gurevych 2019, section 4.1).

    Raises:
        BadData: fewer than two rows, or all scores are equal.
    """
    gold = _labels(data)
    data.require_variety()
    if len(data) < 2:
        raise BadData(f"{data.source} has one row", "A correlation needs more.")
    a, b = u.astype(np.float64), v.astype(np.float64)
    scores = {
        "cosine": cosines(u, v),
        "dot": np.einsum("ij,ij->i", a, b),
        "euclidean": -np.linalg.norm(a - b, axis=1),
        "manhattan": -np.abs(a - b).sum(axis=1),
    }
    return Evaluation(
        "similarity",
        {
            "spearman": {name: _finite(metrics.spearman(values, gold)) for name, values in scores.items()},
            "pearson": {name: _finite(metrics.pearson(values, gold)) for name, values in scores.items()},
            "rows": len(data),
        },
        _worst_scores(data, scores["cosine"], gold, worst),
    )


def judge_scores(data: DataSet, scores: NDArray[np.float64], worst: int = 0) -> Evaluation:
    """As `judge_similarity`, for a model that gives scores and no vectors."""
    gold = _labels(data)
    data.require_variety()
    return Evaluation(
        "similarity",
        {
            "spearman": {"cosine": None, "score": _finite(metrics.spearman(scores, gold))},
            "pearson": {"cosine": None, "score": _finite(metrics.pearson(scores, gold))},
            "rows": len(data),
        },
        _worst_scores(data, scores, gold, worst),
    )


def judge_duplicates(
    data: DataSet, scores: NDArray[np.float64], threshold: Threshold | None, worst: int = 0
) -> Evaluation:
    """Classify pairs as the same where their score is at least a threshold.

    Args:
        data: with labels 0 and 1.
        scores: float64 [n].
        threshold: None: the best on these very rows, which flatters: the one with the best accuracy, and for F1,
            precision and recall the one with the best F1, as the field tells both.
        worst: how many of the most wrongly judged pairs to return.

    Raises:
        BadData: all rows are of one class.
    """
    labels = _labels(data).astype(bool)
    data.require_variety()
    used = threshold or Threshold(metrics.best_threshold(scores, labels), "best")
    found = metrics.at_threshold(scores, labels, used.value)
    by_f1 = found
    if threshold is None:
        by_f1 = metrics.at_threshold(scores, labels, metrics.best_threshold(scores, labels, "f1"))
    said = scores >= used.value
    # How far a pair lies on the wrong side of the threshold.
    wrong = np.where(labels, used.value - scores, scores - used.value)
    order = [int(row) for row in np.argsort(-wrong, kind="stable")[:worst] if said[row] != labels[row]]
    names = data.classes
    return Evaluation(
        "duplicates",
        {
            "accuracy": found.accuracy,
            "f1": by_f1.f1,
            "precision": by_f1.precision,
            "recall": by_f1.recall,
            "average_precision": metrics.average_precision(scores, labels),
            "threshold": found.threshold,
            "threshold_from": used.source,
            "rows": len(data),
            "f1_threshold": by_f1.threshold,
            "roc_auc": metrics.area(metrics.roc_curve(scores, labels)),
        },
        tuple(
            JudgedPair(
                int(data.lines[row]),
                data.texts[0][row],
                data.texts[1][row],
                names[int(labels[row])],
                names[int(not labels[row])],
                float(scores[row]),
            )
            for row in order
        ),
        {
            "precision-recall": _points(metrics.precision_recall_curve(scores, labels)),
            "roc": _points(metrics.roc_curve(scores, labels)),
        },
    )


def judge_classes(data: DataSet, probabilities: NDArray[np.float64], worst: int = 0) -> Evaluation:
    """Compare the most probable class of each pair with its label.

    Args:
        data: with classes.
        probabilities: float64 [n, classes].
        worst: how many of the most wrongly judged pairs to return.
    """
    labels = _labels(data).astype(np.int64)
    predicted = probabilities.argmax(axis=1)
    names = data.classes
    table = metrics.confusion(predicted, labels, len(names))
    sure = probabilities[np.arange(len(labels)), predicted]
    wrong = np.flatnonzero(predicted != labels)
    order = wrong[np.argsort(-sure[wrong], kind="stable")][:worst]
    return Evaluation(
        "nli",
        {
            "accuracy": float((predicted == labels).mean()),
            "confusion": {
                names[row]: {names[column]: int(table[row, column]) for column in range(len(names))}
                for row in range(len(names))
            },
            "rows": len(data),
        },
        tuple(
            JudgedPair(
                int(data.lines[row]),
                data.texts[0][row],
                data.texts[1][row],
                names[labels[row]],
                names[predicted[row]],
                float(sure[row]),
            )
            for row in order
        ),
    )


def judge_retrieval(
    encoder: Encoder, collection: RetrievalSet, scorer: PairScorer | None = None
) -> Generator[Progress, None, Evaluation]:
    """Rank every document of a retrieval set for every query by cosine similarity; documents as one text each.

    With a scorer the first documents of each query are ordered anew by it, as `search --rerank` does with hits, and
    measured once more: `reranked`.

    Yields:
        progress of the embedding, and of the judging.
    """
    documents = yield from _as_progress(embed(encoder, collection.documents, normalize=True))
    queries = yield from _as_progress(embed(encoder, collection.queries, kind="query", normalize=True))
    plain, anew = np.zeros(3), np.zeros(3)
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK] @ documents.T
        for place, scores in enumerate(block, start):
            order = np.argsort(-scores, kind="stable")[:RANKED]
            plain += _ranked_well(collection, place, order)
            if scorer is not None:
                anew += _ranked_well(collection, place, _reordered(scorer, collection, place, order))
                yield Progress("judging", place + 1, len(queries), "queries")
        yield Progress("judging", min(start + _BLOCK, len(queries)), len(queries), "queries")
    measures: dict[str, object] = {
        **_named(plain / len(queries)),
        "queries": len(queries),
        "documents": len(documents),
    }
    if scorer is not None:
        measures["reranked"] = _named(anew / len(queries))
    return Evaluation("retrieval", measures)


def _ranked_well(collection: RetrievalSet, query: int, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return nDCG@10, recall@100 and the reciprocal rank of a ranking of documents."""
    found = [collection.document_ids[row] for row in order]
    relevant = collection.relevant[collection.query_ids[query]]
    return np.array(
        (
            metrics.ndcg_at(found, relevant),
            metrics.recall_at(found, relevant, RANKED),
            metrics.reciprocal_rank_at(found, relevant),
        )
    )


def _named(means: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(("ndcg@10", "recall@100", "mrr@10"), map(float, means), strict=True))


def _reordered(scorer: PairScorer, collection: RetrievalSet, query: int, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a ranking whose first documents a model has read together with the query."""
    first = order[:REORDERED]
    scores = np.empty(len(first))
    for places, part in scorer.score_batches([(collection.queries[query], collection.documents[row]) for row in first]):
        scores[places] = part
    return np.concatenate([first[np.argsort(-scores, kind="stable")], order[REORDERED:]])


def _as_progress(steps: Steps[Vectors]) -> Generator[Progress, None, Vectors]:
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: Vectors = end.value
            return found
        if isinstance(step, Progress):
            yield step


def _worst_scores(
    data: DataSet, scores: NDArray[np.float64], gold: NDArray[np.float64], worst: int
) -> tuple[JudgedPair, ...]:
    """Return the pairs whose place among the scores is farthest from their place among the labels."""
    away = metrics.ranks(scores) - metrics.ranks(gold)
    order = [row for row in np.argsort(-np.abs(away), kind="stable")[:worst] if away[row]]
    return tuple(
        JudgedPair(
            int(data.lines[row]),
            data.texts[0][row],
            data.texts[1][row],
            f"{gold[row]:.2f}",
            "too similar" if away[row] > 0 else "too different",
            float(scores[row]),
        )
        for row in order
    )


def _labels(data: DataSet) -> NDArray[np.float64]:
    assert data.labels is not None, f"{data.kind} have no labels"
    return data.labels.astype(np.float64)


def _points(curve: metrics.Curve) -> CurvePoints:
    thin = metrics.thinned(curve)
    return CurvePoints(tuple(map(float, thin.x)), tuple(map(float, thin.y)))


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
