"""How good a model is on the rows that were held back: what chooses the best epoch and the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.core.evaluations import Evaluation
from desktop_app.encoder.evaluation import (
    Threshold,
    judge_classes,
    judge_duplicates,
    judge_similarity,
)
from desktop_app.encoder.heads import duplicate_scores
from desktop_app.encoder.metrics import best_threshold
from desktop_app.encoder.partners import judge_partners, judge_triplets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.encoder.heads import Head
    from desktop_app.encoder.training.dataset import DataSet

    Vectors = NDArray[np.float32]

_MOST_ANCHORS = 2000


def measure(data: DataSet, vectors: list[Vectors], head: Head | None, threshold: float | None) -> dict[str, Any]:
    """Return measures by name, as `evaluate` has them; see `judge`."""
    found = judge(data, vectors, head, threshold)
    return found.measures if isinstance(found, Evaluation) else found


def judge(
    data: DataSet, vectors: list[Vectors], head: Head | None, threshold: float | None, worst: int = 0
) -> Evaluation | dict[str, Any]:
    """Return an evaluation of rows of a kind that `evaluate` knows, the measures alone of others.

    Args:
        data: held back.
        vectors: float32 [n, dim] of each column.
        head: the objective's, if it has one.
        threshold: of duplicates; None: the best on these rows.
        worst: how many of the most wrongly judged pairs to return.
    """
    u, v = vectors[0], vectors[1]
    if data.kind == "similarity":
        return judge_similarity(data, u, v, worst)
    if data.kind == "nli" and head is not None:
        return judge_classes(data, head.probabilities(u, v), worst)
    if data.kind == "duplicates":
        fixed = None if threshold is None else Threshold(threshold, "given")
        return judge_duplicates(data, duplicate_scores(u, v, head), fixed, worst)
    if data.kind == "triplets":
        return judge_triplets(data, vectors, worst)
    return judge_partners(data, vectors, worst, most=_MOST_ANCHORS)


def fitted_threshold(data: DataSet, vectors: list[Vectors], head: Head | None) -> float | None:
    """Return the threshold with the best accuracy on duplicates; None of other data."""
    if data.kind != "duplicates" or data.labels is None:
        return None
    return best_threshold(duplicate_scores(vectors[0], vectors[1], head), data.labels)


def figure_of_merit(data: DataSet, measures: dict[str, Any]) -> float:
    """Return the one number by which epochs are compared, higher is better."""
    if data.kind == "similarity":
        correlation = measures["spearman"]
        return float(correlation.get("score", correlation["cosine"]) or 0.0)
    return float(measures[{"duplicates": "average_precision", "pairs": "mrr@10"}.get(data.kind, "accuracy")])
