"""Evaluates a model on the held-out rows, to choose the best epoch and the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.core.evaluation import KEY_MEASURES, similarity_that_counts
from desktop_app.encoder.classification_head import judge_similarity, score_pairs
from desktop_app.encoder.evaluation.evaluators import (
    JudgementThreshold,
    evaluate_classes,
    evaluate_duplicates,
    evaluate_pairs,
    evaluate_similarity,
    evaluate_triplets,
)
from desktop_app.encoder.metrics import best_threshold

if TYPE_CHECKING:
    from desktop_app.core.arrays import Vectors
    from desktop_app.core.evaluation import Evaluation
    from desktop_app.encoder.classification_head import ClassificationHead
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.word_alignment import PairWords
    from desktop_app.encoder.word_judge import WordJudge


_MAX_ANCHORS = 2000


def evaluate_validation(
    data: DataSet,
    vectors: list[Vectors],
    head: ClassificationHead | None,
    threshold: float | None,
    worst: int = 0,
    judge: WordJudge | None = None,
    words: PairWords | None = None,
) -> Evaluation:
    """Evaluate the vectors of rows, by the kind of the rows.

    Args:
        data: the held-out rows.
        vectors: float32 [n, dim] of each column.
        head: of the objective, if it has one.
        threshold: for duplicates; None: the best on these rows.
        worst: how many pairs with the largest errors to return.
        judge: if the model has one.
        words: of the rows, for the judge.
    """
    u, v = vectors[0], vectors[1]
    if data.kind == "similarity":
        return evaluate_similarity(data, u, v, worst, judge_similarity(u, v, judge, words))
    if data.kind == "nli" and head is not None:
        return evaluate_classes(data, head.probabilities(u, v), worst)
    if data.kind == "duplicates":
        fixed = None if threshold is None else JudgementThreshold(threshold, "given")
        return evaluate_duplicates(data, score_pairs(u, v, head, judge, words), fixed, worst)
    if data.kind == "triplets":
        return evaluate_triplets(data, vectors, worst)
    return evaluate_pairs(data, vectors, worst, most=_MAX_ANCHORS)


def fit_threshold(
    data: DataSet,
    vectors: list[Vectors],
    head: ClassificationHead | None,
    judge: WordJudge | None = None,
    words: PairWords | None = None,
) -> float | None:
    """Return the threshold with the best accuracy on duplicates; None for other data."""
    if data.kind != "duplicates" or data.labels is None:
        return None
    return best_threshold(score_pairs(vectors[0], vectors[1], head, judge, words), data.labels)


def figure_of_merit(data: DataSet, measures: dict[str, Any]) -> float:
    """Return the number for the comparison of epochs; higher is better."""
    found = measures[KEY_MEASURES[data.kind]]
    if data.kind == "similarity":
        found = found[similarity_that_counts(found)] or 0.0
    return float(found)
