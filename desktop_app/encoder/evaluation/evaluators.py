"""Evaluators for each kind of labelled data, and for retrieval sets."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.core.errors import BadData
from desktop_app.core.evaluation import CurvePoints, EvaluatedRow, Evaluation, MisjudgedPair
from desktop_app.core.jobs import Progress
from desktop_app.core.score_intervals import RowResults, estimate_intervals
from desktop_app.encoder import metrics
from desktop_app.encoder.datasets.dataset import text_keys
from desktop_app.encoder.similarity import rowwise_cosines

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.evaluation import EvaluationTask, ThresholdFrom
    from desktop_app.core.jobs import Steps
    from desktop_app.core.ports import Encoder, PairScorer
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.datasets.retrieval_set import RetrievalSet


RANKING_DEPTH = 100
"""Documents of a query's ranking that are measured: as many as recall@100 needs."""

RERANKING_DEPTH = 50
"""Documents of a query's ranking that a cross-encoder reorders, as in a search."""

_RIGHT_SCORE = 0.1  # a score this near to that of the data, both from 0 to 1, is no error
_QUERY_BLOCK = 64  # queries scored at once

_RANKING_MEASURES = ("ndcg@10", "recall@100", "mrr@10")

_BLOCK_SCORES = 4_000_000  # scores computed at once


@dataclass(frozen=True, slots=True)
class JudgementThreshold:
    """A cosine from which two sentences count as the same, and its origin."""

    value: float
    source: ThresholdFrom


def embed_texts(
    encoder: Encoder, texts: Sequence[str], *, kind: str = "document", normalize: bool = False
) -> Steps[Vectors]:
    """Return float32 [len(texts), dim], by default the model's own output; repeated texts are embedded once."""
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
    vectors = yield from embed_texts(encoder, [text for column in data.texts for text in column])
    return list(vectors.reshape(len(data.texts), len(data), -1))


def evaluate_similarity(
    data: DataSet, u: Vectors, v: Vectors, worst: int = 0, judged: NDArray[np.float64] | None = None
) -> Evaluation:
    """Compare four similarities of vectors with the labels' scores (Reimers & Gurevych 2019, section 4.1).

    Args:
        data: with scores.
        u: float32 [n, dim] of the first texts.
        v: of the second ones.
        worst: how many pairs with the largest errors to return.
        judged: the scores that a judge expects, which then count before the cosines: float64 [n]; None without one.

    Raises:
        BadData: fewer than two rows, or all scores are equal.
    """
    gold = _require_labels(data)
    data.require_variety()
    if len(data) < 2:
        raise BadData("{source} has one row", "A correlation needs at least two.", source=data.source)
    a, b = u.astype(np.float64), v.astype(np.float64)
    scores = {
        "cosine": rowwise_cosines(u, v),
        "dot": np.einsum("ij,ij->i", a, b),
        "euclidean": -np.linalg.norm(a - b, axis=1),
        "manhattan": -np.abs(a - b).sum(axis=1),
    }
    if judged is not None:
        scores["score"] = judged
    counts = scores.get("score", scores["cosine"])
    return Evaluation(
        "similarity",
        {
            "spearman": {name: _finite_or_none(metrics.spearman(values, gold)) for name, values in scores.items()},
            "pearson": {name: _finite_or_none(metrics.pearson(values, gold)) for name, values in scores.items()},
            "rows": len(data),
        },
        _find_worst_scores(data, counts, gold, worst),
        results=_make_row_results("similarity", gold, counts),
    )


def evaluate_scores(data: DataSet, scores: NDArray[np.float64], worst: int = 0) -> Evaluation:
    """Like `evaluate_similarity`, for a model that returns scores instead of vectors."""
    gold = _require_labels(data)
    data.require_variety()
    return Evaluation(
        "similarity",
        {
            "spearman": {"cosine": None, "score": _finite_or_none(metrics.spearman(scores, gold))},
            "pearson": {"cosine": None, "score": _finite_or_none(metrics.pearson(scores, gold))},
            "rows": len(data),
        },
        _find_worst_scores(data, scores, gold, worst),
        results=_make_row_results("similarity", gold, scores),
    )


def evaluate_duplicates(
    data: DataSet, scores: NDArray[np.float64], threshold: JudgementThreshold | None, worst: int = 0
) -> Evaluation:
    """Classify pairs as the same if their score is at least a threshold.

    Args:
        data: with labels 0 and 1.
        scores: float64 [n].
        threshold: None: the best on these same rows, which is optimistic: the one with the best accuracy, and for F1,
            precision and recall the one with the best F1, as both are usually reported.
        worst: how many pairs with the largest errors to return.

    Raises:
        BadData: all rows have the same class.
    """
    labels = _require_labels(data).astype(bool)
    data.require_variety()
    used = threshold or JudgementThreshold(metrics.best_threshold(scores, labels), "best")
    found = metrics.metrics_at_threshold(scores, labels, used.value)
    by_f1 = found
    if threshold is None:
        by_f1 = metrics.metrics_at_threshold(scores, labels, metrics.best_threshold(scores, labels, "f1"))
    predicted = scores >= used.value
    # How far a pair is on the wrong side of the threshold.
    wrong = np.where(labels, used.value - scores, scores - used.value)
    order = [int(row) for row in np.argsort(-wrong, kind="stable")[:worst] if predicted[row] != labels[row]]
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
            "roc_auc": metrics.area_under_curve(metrics.roc_curve(scores, labels)),
        },
        tuple(
            MisjudgedPair(
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
            "precision-recall": _to_curve_points(metrics.precision_recall_curve(scores, labels)),
            "roc": _to_curve_points(metrics.roc_curve(scores, labels)),
        },
        results=_make_row_results(
            "duplicates", labels, scores, scores >= by_f1.threshold, accuracy=predicted == labels
        ),
    )


def evaluate_classes(data: DataSet, probabilities: NDArray[np.float64], worst: int = 0) -> Evaluation:
    """Compare the most probable class of each pair with its label.

    Args:
        data: with classes.
        probabilities: float64 [n, classes].
        worst: how many pairs with the largest errors to return.
    """
    labels = _require_labels(data).astype(np.int64)
    predicted = probabilities.argmax(axis=1)
    names = data.classes
    table = metrics.confusion_matrix(predicted, labels, len(names))
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
            MisjudgedPair(
                int(data.lines[row]),
                data.texts[0][row],
                data.texts[1][row],
                names[labels[row]],
                names[predicted[row]],
                float(sure[row]),
            )
            for row in order
        ),
        results=_make_row_results("nli", labels, accuracy=predicted == labels),
    )


def evaluate_retrieval(
    encoder: Encoder, collection: RetrievalSet, scorer: PairScorer | None = None
) -> Generator[Progress, None, Evaluation]:
    """Rank every document of a retrieval set for every query by cosine similarity; each document is one text.

    A scorer reorders the first documents of each query, as `search --rerank` does with hits, and they are measured
    again: `reranked`.

    Yields:
        progress of the embedding, and of the scorer.
    """
    documents = yield from _as_progress(embed_texts(encoder, collection.documents, normalize=True))
    queries = yield from _as_progress(embed_texts(encoder, collection.queries, kind="query", normalize=True))
    plain, reranked = np.zeros((len(queries), 3)), np.zeros((len(queries), 3))
    for start in range(0, len(queries), _QUERY_BLOCK):
        block = queries[start : start + _QUERY_BLOCK] @ documents.T
        for place, scores in enumerate(block, start):
            order = np.argsort(-scores, kind="stable")[:RANKING_DEPTH]
            plain[place] = _rate_ranking(collection, place, order)
            if scorer is not None:
                reranked[place] = _rate_ranking(collection, place, _rerank(scorer, collection, place, order))
                yield Progress("judging", place + 1, len(queries), "queries")
        yield Progress("judging", min(start + _QUERY_BLOCK, len(queries)), len(queries), "queries")
    measures: dict[str, object] = {
        **_name_measures(plain.mean(axis=0)),
        "queries": len(queries),
        "documents": len(documents),
    }
    if scorer is not None:
        measures["reranked"] = _name_measures(reranked.mean(axis=0))
    by_query = dict(zip(_RANKING_MEASURES, plain.T, strict=True))
    return Evaluation("retrieval", measures, results=_make_row_results("retrieval", **by_query))


def _rate_ranking(collection: RetrievalSet, query: int, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return nDCG@10, recall@100 and the reciprocal rank of a ranking of documents."""
    found = [collection.document_ids[row] for row in order]
    relevant = collection.relevant[collection.query_ids[query]]
    return np.array(
        (
            metrics.ndcg_at(found, relevant),
            metrics.recall_at(found, relevant, RANKING_DEPTH),
            metrics.reciprocal_rank_at(found, relevant),
        )
    )


def _name_measures(means: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(_RANKING_MEASURES, map(float, means), strict=True))


def _rerank(scorer: PairScorer, collection: RetrievalSet, query: int, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a ranking with its first documents reordered by a model that reads them together with the query."""
    first = order[:RERANKING_DEPTH]
    scores = np.empty(len(first))
    for places, part in scorer.score_batches([(collection.queries[query], collection.documents[row]) for row in first]):
        scores[places] = part
    return np.concatenate([first[np.argsort(-scores, kind="stable")], order[RERANKING_DEPTH:]])


def _as_progress(steps: Steps[Vectors]) -> Generator[Progress, None, Vectors]:
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: Vectors = end.value
            return found
        if isinstance(step, Progress):
            yield step


def _find_worst_scores(
    data: DataSet, scores: NDArray[np.float64], gold: NDArray[np.float64], worst: int
) -> tuple[MisjudgedPair, ...]:
    """Return the pairs whose rank by score is farthest from their rank by label.

    Pairs of the same label share a range of ranks: a score within it is right. So is a score that is near the label
    itself, whatever its rank: among many pairs of nearly the same score, ranks differ by chance. A pair whose rank is
    too low although its score is above its label, or the other way round, is no error that a person could understand.
    """
    ranks, ordered = metrics.ranks(scores), np.sort(gold)
    lowest = np.searchsorted(ordered, gold, "left") + 1
    highest = np.searchsorted(ordered, gold, "right")
    away = np.minimum(ranks - lowest, 0) + np.maximum(ranks - highest, 0)
    away[(np.abs(scores - gold) <= _RIGHT_SCORE) | (away * (scores - gold) < 0)] = 0
    order = [row for row in np.argsort(-np.abs(away), kind="stable")[:worst] if away[row]]
    return tuple(
        MisjudgedPair(
            int(data.lines[row]),
            data.texts[0][row],
            data.texts[1][row],
            f"{gold[row]:.2f}",
            "too similar" if away[row] > 0 else "too different",
            float(scores[row]),
        )
        for row in order
    )


def add_intervals(found: Evaluation) -> Evaluation:
    """Return an evaluation with `intervals` among its measures: the 95% interval of each that has one."""
    intervals = {} if found.results is None else estimate_intervals(found.results)
    if not intervals:
        return found
    return replace(
        found, measures={**found.measures, "intervals": {name: list(ends) for name, ends in intervals.items()}}
    )


def _make_row_results(
    task: EvaluationTask,
    labels: Sequence[float] | NDArray[Any] = (),
    scores: Sequence[float] | NDArray[Any] = (),
    called_same: Sequence[float] | NDArray[Any] = (),
    /,
    **means: NDArray[Any],
) -> RowResults:
    """Return what measures are computed from; `means`: the values of each row, by the name of the measure."""
    rows = len(labels) or len(next(iter(means.values())))
    by_name = {name: tuple(float(each) for each in values) for name, values in means.items()}
    first, second, third = (tuple(float(each) for each in values) for values in (labels, scores, called_same))
    return RowResults(task, rows, first, second, third, by_name)


def _require_labels(data: DataSet) -> NDArray[np.float64]:
    assert data.labels is not None, f"{data.kind} have no labels"
    return data.labels.astype(np.float64)


def _to_curve_points(curve: metrics.Curve) -> CurvePoints:
    thin = metrics.thin_curve(curve)
    return CurvePoints(tuple(map(float, thin.x)), tuple(map(float, thin.y)))


def _finite_or_none(value: float) -> float | None:
    return value if np.isfinite(value) else None


def evaluate_triplets(data: DataSet, vectors: list[Vectors], worst: int = 0, *, every_row: bool = False) -> Evaluation:
    """Measure in how many triplets the anchor is nearer to its positive than to its negative, by the cosine.

    Args:
        data: triplets.
        vectors: float32 [n, dim] of each column.
        worst: how many triplets with the largest errors to return; their score is the difference of the cosines.
        every_row: return all rows.
    """
    anchors, positives, negatives = data.texts
    nearer = rowwise_cosines(vectors[0], vectors[1]) - rowwise_cosines(vectors[0], vectors[2])
    right = nearer > 0
    answers = ("negative nearer", "positive nearer")
    order = [int(row) for row in np.argsort(nearer, kind="stable")[:worst] if not right[row]]
    return Evaluation(
        "triplets",
        {"accuracy": float(right.mean()), "rows": len(data)},
        tuple(
            MisjudgedPair(
                int(data.lines[row]),
                anchors[row],
                positives[row],
                answers[1],
                answers[0],
                float(nearer[row]),
                negatives[row],
            )
            for row in order
        ),
        rows=tuple(
            EvaluatedRow(int(line), texts, answers[1], answers[int(is_right)], float(score))
            for line, texts, is_right, score in zip(
                data.lines, zip(*data.texts, strict=True), right, nearer, strict=True
            )
        )
        if every_row
        else (),
        results=_make_row_results("triplets", accuracy=right),
    )


def evaluate_pairs(
    data: DataSet, vectors: list[Vectors], worst: int = 0, *, most: int = 0, every_row: bool = False
) -> Evaluation:
    """Measure the rank of each anchor's own positive among those of all rows, by the cosine.

    The anchor's other partners (of the same intent, say) are not wrong; a text of several rows counts once. Others with
    the same cosine come first, as in `evaluate_triplets`: vectors that are all the same find nothing.

    Args:
        data: pairs.
        vectors: float32 [n, dim] of each column.
        worst: how many rows with the largest errors to return.
        most: use only so many of the first rows; 0: all.
        every_row: return all rows.
    """
    count = min(len(data), most or len(data))
    anchors, positives = (each[:count] for each in text_keys(data)[:2])
    a, b = (_unit_vectors(each[:count]) for each in vectors[:2])
    texts = data.texts[1][:count]
    columns = {text: column for column, text in enumerate(dict.fromkeys(texts))}
    own_column = np.array([columns[text] for text in texts])
    once = np.unique(own_column, return_index=True)[1]
    own, rank, nearest = np.empty(count), np.empty(count, np.int64), np.empty(count, np.int64)
    step = max(1, _BLOCK_SCORES // count)
    for start in range(0, count, step):
        rows = slice(start, start + step)
        scores = a[rows] @ b[once].T
        own[rows] = scores[
            np.arange(len(scores)), own_column[rows]
        ]  # computed like the others, so that equal scores are equal
        # Its own partners, also through other rows, do not count as competitors.
        scores[(positives[rows, None] == positives[once]) | (anchors[rows, None] == positives[once])] = -np.inf
        rank[rows] = (scores >= own[rows, None].astype(np.float32)).sum(axis=1) + 1
        nearest[rows] = once[scores.argmax(axis=1)]
    order = [int(row) for row in np.lexsort((own, -rank))[:worst] if rank[row] > 1]
    by_row = {"accuracy@1": rank == 1, "mrr@10": np.where(rank <= 10, 1 / rank, 0.0)}
    return Evaluation(
        "pairs",
        {
            **{name: float(values.mean()) for name, values in by_row.items()},
            "rows": count,
        },
        tuple(
            MisjudgedPair(
                int(data.lines[row]),
                data.texts[0][row],
                data.texts[1][row],
                "rank 1",
                f"rank {rank[row]}",
                float(own[row]),
                data.texts[1][nearest[row]],
            )
            for row in order
        ),
        rows=tuple(
            EvaluatedRow(
                int(data.lines[row]),
                (data.texts[0][row], data.texts[1][row]),
                "rank 1",
                f"rank {rank[row]}",
                float(own[row]),
            )
            for row in range(count)
        )
        if every_row
        else (),
        results=_make_row_results("pairs", **by_row),
    )


def _unit_vectors(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


def evaluate_pair_probabilities(
    data: DataSet, probabilities: NDArray[np.float64], threshold: JudgementThreshold | None, worst: int = 0
) -> Evaluation:
    """Evaluate probabilities float64 [n, classes] of pairs; those of a match, except for inference, are in column 1."""
    if data.kind == "similarity":
        return evaluate_scores(data, probabilities[:, -1], worst)
    if data.kind == "nli":
        return evaluate_classes(data, probabilities, worst)
    return evaluate_duplicates(data, probabilities[:, -1], threshold, worst)
