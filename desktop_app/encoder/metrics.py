"""Metrics of scores and rankings: pure functions on numpy.

Correlations, classification at a threshold, and rankings, with the usual names and definitions
(Manning, Raghavan & Schütze 2008, chapter 8; for nDCG Järvelin & Kekäläinen 2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class ThresholdMetrics:
    """A yes-or-no classification: yes if the score is at least `threshold`."""

    threshold: float
    accuracy: float
    f1: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a curve with their thresholds, float64 [k] each."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    thresholds: NDArray[np.float64]


def pearson(a: ArrayLike, b: ArrayLike) -> float:
    """Return Pearson's correlation of two lists of numbers; nan if one of them does not vary."""
    x, y = (np.asarray(values, np.float64) for values in (a, b))
    assert x.shape == y.shape, "as many scores as labels"
    if len(x) < 2:
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    scale = np.sqrt((x @ x) * (y @ y))
    return float(np.clip(x @ y / scale, -1.0, 1.0)) if scale > 0 else float("nan")


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Return Spearman's rank correlation; equal numbers get the mean of their ranks."""
    return pearson(ranks(a), ranks(b))


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Return the rank of each number, from 1, equal ones sharing the mean: float64 [n]."""
    _, inverse, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    mean: NDArray[np.float64] = (last - (counts - 1) / 2)[inverse]
    return mean


def metrics_at_threshold(scores: ArrayLike, labels: ArrayLike, threshold: float) -> ThresholdMetrics:
    """Return accuracy, F1, precision and recall of "yes where the score is at least `threshold`".

    Args:
        scores: [n], higher means yes.
        labels: [n], true for yes.
        threshold: the lowest score of a yes.

    Returns:
        the measures; 0 instead of a division by 0.
    """
    predicted, truth = np.asarray(scores, np.float64) >= threshold, np.asarray(labels).astype(bool)
    hits = int((predicted & truth).sum())
    precision = hits / int(predicted.sum()) if predicted.any() else 0.0
    recall = hits / int(truth.sum()) if truth.any() else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return ThresholdMetrics(float(threshold), float((predicted == truth).mean()), f1, precision, recall)


def best_threshold(scores: ArrayLike, labels: ArrayLike, measure: str = "accuracy") -> float:
    """Return the threshold with the highest `accuracy` or `f1`, midway between two neighbouring scores.

    If several are equally good, returns the highest. A threshold just above the top score means that nothing is a yes.
    """
    order, positives, hits = _sweep_thresholds(scores, labels)
    if not len(order):
        return 0.5
    truths, total = int(hits[-1]), int(positives[-1])
    if measure == "accuracy":
        # The number of right answers if all scores from the top down to each one are called yes.
        good: NDArray[Any] = total - truths + 2 * hits - positives
        if total - truths > good.max():
            return float(order[0] + max(1e-9, abs(order[0]) * 1e-9))
    else:
        good = 2 * hits / np.maximum(positives + truths, 1)
    place = int(np.argmax(good))
    below = order[place + 1] if place + 1 < len(order) else order[place]
    middle = (order[place] + below) / 2
    # Neighbours may be so close that their middle is rounded to the lower one.
    return float(middle if middle > below else order[place])


def average_precision(scores: ArrayLike, labels: ArrayLike) -> float:
    """Return the area under the precision-recall curve as a sum of steps: sum_k (R_k - R_{k-1}) P_k."""
    _, positives, hits = _sweep_thresholds(scores, labels)
    if not len(positives) or not hits[-1]:
        return 0.0
    gained = np.diff(hits, prepend=0) / hits[-1]
    return float((gained * hits / positives).sum())


def precision_recall_curve(scores: ArrayLike, labels: ArrayLike) -> Curve:
    """Return recall (x) and precision (y) for every distinct score taken as the threshold, highest first."""
    order, positives, hits = _sweep_thresholds(scores, labels)
    truths = max(int(hits[-1]) if len(hits) else 0, 1)
    return Curve(hits / truths, hits / np.maximum(positives, 1), order)


def roc_curve(scores: ArrayLike, labels: ArrayLike) -> Curve:
    """Return the false positive rate (x) and the true positive rate (y), from (0, 0) to (1, 1)."""
    order, positives, hits = _sweep_thresholds(scores, labels)
    truths = int(hits[-1]) if len(hits) else 0
    others = int(positives[-1]) - truths if len(positives) else 0
    return Curve(
        np.concatenate([[0.0], (positives - hits) / max(others, 1)]),
        np.concatenate([[0.0], hits / max(truths, 1)]),
        np.concatenate([[np.inf], order]),
    )


def area_under_curve(curve: Curve) -> float:
    """Return the area under a curve by trapezoids: of `roc_curve`, the chance that a yes scores above a no."""
    return float(np.trapezoid(curve.y, curve.x))


def thin_curve(curve: Curve, points: int = 200) -> Curve:
    """Return at most `points` of a curve's points, including its ends: enough for a picture."""
    if len(curve.x) <= points:
        return curve
    chosen = np.unique(np.linspace(0, len(curve.x) - 1, points).round().astype(int))
    return Curve(curve.x[chosen], curve.y[chosen], curve.thresholds[chosen])


def confusion_matrix(predicted: ArrayLike, labels: ArrayLike, classes: int) -> NDArray[np.int64]:
    """Return how often each true class (row) was called each class (column): int64 [classes, classes]."""
    counts = np.zeros((classes, classes), np.int64)
    np.add.at(counts, (np.asarray(labels, np.int64), np.asarray(predicted, np.int64)), 1)
    return counts


def ndcg_at(found: Sequence[str], relevant: Mapping[str, float], k: int = 10) -> float:
    """Return nDCG@k of a ranking; gains are the grades, as in trec_eval. 0 if nothing is relevant."""
    gains = [max(0.0, relevant.get(name, 0.0)) for name in found[:k]]
    best = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)[:k]
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else 0.0


def recall_at(found: Sequence[str], relevant: Mapping[str, float], k: int = 100) -> float:
    """Return the share of the relevant documents that are among the first `k`."""
    wanted = {name for name, grade in relevant.items() if grade > 0}
    return len(wanted & set(found[:k])) / len(wanted) if wanted else 0.0


def reciprocal_rank_at(found: Sequence[str], relevant: Mapping[str, float], k: int = 10) -> float:
    """Return 1 / rank of the first relevant document among the first `k`, else 0; the mean is MRR@k."""
    for rank, name in enumerate(found[:k], start=1):
        if relevant.get(name, 0.0) > 0:
            return 1 / rank
    return 0.0


def _discounted(gains: Sequence[float]) -> float:
    return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains, start=1)))


def _sweep_thresholds(
    scores: ArrayLike, labels: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return (distinct scores from the top, how many are at least that, how many of these are a yes)."""
    values, truth = np.asarray(scores, np.float64), np.asarray(labels).astype(bool)
    assert values.shape == truth.shape, "as many scores as labels"
    order = np.argsort(-values, kind="stable")
    values, hits = values[order], np.cumsum(truth[order])
    last = np.flatnonzero(np.append(np.diff(values) != 0, True)) if len(values) else np.empty(0, np.int64)
    return values[last], (last + 1).astype(np.int64), hits[last].astype(np.int64)
