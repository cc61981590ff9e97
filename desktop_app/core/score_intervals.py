"""How much of a score is chance: 95% intervals of measures, and of their difference between two models.

Percentile bootstrap (Efron & Tibshirani 1993, chapters 12 and 13): the rows are drawn again, with replacement, and each
measure is computed from the drawn rows. Two models are compared on the same draws, because rows that are hard for one
are hard for the other (the paired bootstrap; Koehn 2004). The seed is fixed: the same rows give the same interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Counts = NDArray[np.float64]

ScoreChange = Literal["better", "unclear", "worse"]

FEWEST_ROWS = 20
"""With fewer rows, drawing them again says less than it seems to: they have no interval."""

ROWS_FOR_VERDICT = 100
"""With fewer rows, only a large difference between two models is more than chance: one of about 0.08 for an accuracy of
0.8, whose standard error is 0.04 then."""

SMALL_DIFFERENCE = 0.01
"""A smaller difference between two models hardly matters to a person."""

_FEWEST_TOLD_APART = 6  # if one model is right in all rows and the other in none, the sign test is sure from here on
_DRAWS = 1000
_FEWEST_DRAWS = 200
_MAX_NUMBERS = 10_000_000  # rows times draws, in all; more rows need fewer draws, as their intervals are narrow
_BLOCK_NUMBERS = 2_000_000  # at once
_TAILS = (2.5, 97.5)  # percent


@dataclass(frozen=True, slots=True)
class RowResults:
    """What the measures of rows are computed from: numbers only, never a sentence.

    Attributes:
        task: an `EvaluationTask`.
        rows: how many.
        labels: score or class of each row; empty for data without labels.
        scores: the model's number for each row, higher is nearer; empty if no measure is computed from it.
        called_same: whether the model calls each row the same, 0 or 1, at the threshold of F1; empty without one.
        means: measures that are means over the rows, with the value of each row.
    """

    task: str
    rows: int
    labels: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    called_same: tuple[float, ...] = ()
    means: dict[str, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The difference of a measure between two models on the same rows.

    Attributes:
        measure: its name, as in `Evaluation.measures`.
        before: by the first model.
        after: by the second one.
        low: the 95% interval of after - before.
        high: likewise.
        rows: number of rows measured.
    """

    measure: str
    before: float
    after: float
    low: float
    high: float
    rows: int

    @property
    def change(self) -> ScoreChange:
        """Whether the measure has changed by more than chance explains."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "unclear"

    @property
    def rows_needed(self) -> int:
        """How many rows it takes to tell this difference from chance, or `SMALL_DIFFERENCE` if it is smaller.

        An interval is half as wide with four times the rows. To two digits.
        """
        half_width = (self.high - self.low) / 2
        needed = self.rows * (half_width / max(abs(self.after - self.before), SMALL_DIFFERENCE)) ** 2
        if needed <= FEWEST_ROWS:
            return FEWEST_ROWS
        unit: int = 10 ** (math.floor(math.log10(needed)) - 1)
        return math.ceil(needed / unit) * unit


def estimate_intervals(results: RowResults) -> dict[str, tuple[float, float]]:
    """Return the 95% interval of each measure that rows allow; empty for fewer than `FEWEST_ROWS` rows."""
    if results.rows < FEWEST_ROWS:
        return {}
    return {
        name: interval
        for name, values in _draw_measures([results]).items()
        if (interval := _percentiles(values[0])) is not None
    }


def compare_results(before: RowResults, after: RowResults) -> dict[str, ScoreDifference]:
    """Return the difference of each measure that both models have; empty if they did not judge the same rows.

    Fewer than `FEWEST_ROWS` rows get the interval of a standard error: see `_normal_interval`.
    """
    if before.rows != after.rows or before.labels != after.labels or not before.rows:
        return {}
    found: dict[str, ScoreDifference] = {}
    once = np.ones((1, before.rows))
    first, second = _compute_measures(before, once), _compute_measures(after, once)
    drawn = _draw_measures([before, after]) if before.rows >= FEWEST_ROWS else {}
    for name in first.keys() & second.keys():
        one, two = float(first[name][0]), float(second[name][0])
        if not (math.isfinite(one) and math.isfinite(two)):
            continue
        interval = None
        if name in drawn:
            interval = _percentiles(drawn[name][1] - drawn[name][0])
        low, high = interval or _normal_interval(one, two, before.rows, is_correlation=name == "spearman")
        found[name] = ScoreDifference(name, one, two, low, high, before.rows)
    return {name: found[name] for name in first if name in found}


def _draw_measures(results: list[RowResults]) -> dict[str, NDArray[np.float64]]:
    """Return measures of drawn rows, the same ones for all results: float64 [results, draws] for each name."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    for counts in _draw_rows(results[0].rows):
        each = [_compute_measures(result, counts) for result in results]
        for name in each[0]:
            if all(name in other for other in each):
                found.setdefault(name, []).append(np.stack([other[name] for other in each]))
    return {name: np.concatenate(parts, axis=1) for name, parts in found.items()}


def _draw_rows(rows: int) -> Iterator[Counts]:
    """Yield how often each row is drawn: float64 [draws, rows], some draws at a time."""
    source = np.random.default_rng([rows, 0])
    left = max(_FEWEST_DRAWS, min(_DRAWS, _MAX_NUMBERS // rows))
    while left:
        draws = min(left, max(1, _BLOCK_NUMBERS // rows))
        left -= draws
        # Row numbers of one draw after the other, counted at once.
        drawn = source.integers(0, rows, (draws, rows)) + np.arange(draws)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=draws * rows).reshape(draws, rows).astype(np.float64)


def _compute_measures(results: RowResults, counts: Counts) -> Mapping[str, NDArray[np.float64]]:
    """Return measures of rows that count several times: float64 [draws] for each name, nan where undefined."""
    total = counts.sum(axis=1)
    found = {name: counts @ np.asarray(values, np.float64) / total for name, values in results.means.items()}
    if not results.scores:
        return found
    scores, labels = np.asarray(results.scores, np.float64), np.asarray(results.labels, np.float64)
    if results.task == "similarity":
        return {"spearman": _spearman(scores, labels, counts), **found}
    if results.called_same:
        called, same = np.asarray(results.called_same, np.float64), labels
        both, either = counts @ (called * same), counts @ (called + same)
        found["f1"] = np.divide(2 * both, either, out=np.zeros(len(counts)), where=either > 0)
    found["average_precision"] = _average_precision(scores, labels, counts)
    return found


def _spearman(a: NDArray[np.float64], b: NDArray[np.float64], counts: Counts) -> NDArray[np.float64]:
    """Return Spearman's rank correlation of rows that count several times: float64 [draws]."""
    total = counts.sum(axis=1, keepdims=True)
    x, y = (_ranks(values, counts) - (total + 1) / 2 for values in (a, b))
    covariance, scale = (counts * x * y).sum(axis=1), (counts * x * x).sum(axis=1) * (counts * y * y).sum(axis=1)
    found: NDArray[np.float64] = np.full(len(counts), np.nan)
    np.divide(covariance, np.sqrt(scale), out=found, where=scale > 0)
    return found


def _ranks(values: NDArray[np.float64], counts: Counts) -> NDArray[np.float64]:
    """Return the mean rank of each value among rows that count several times: float64 [draws, rows]."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(place, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    weights = np.add.reduceat(counts[:, order], starts, axis=1)  # of each distinct value
    means: NDArray[np.float64] = np.cumsum(weights, axis=1) - (weights - 1) / 2
    return means[:, place]


def _average_precision(scores: NDArray[np.float64], labels: NDArray[np.float64], counts: Counts) -> NDArray[np.float64]:
    """Return the area under the precision-recall curve of rows that count several times: float64 [draws].

    Equal scores share a point of the curve, as in `metrics.average_precision`.
    """
    values, place, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    order = np.argsort(place, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    drawn = np.add.reduceat(counts[:, order], starts, axis=1)
    hits = np.add.reduceat((counts * labels)[:, order], starts, axis=1)
    all_drawn, all_hits = np.cumsum(drawn, axis=1), np.cumsum(hits, axis=1)
    found = (hits * all_hits / np.maximum(all_drawn, 1)).sum(axis=1)
    truths = all_hits[:, -1] if len(values) else np.zeros(len(counts))
    result: NDArray[np.float64] = np.full(len(counts), np.nan)
    np.divide(found, truths, out=result, where=truths > 0)
    return result


def _percentiles(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the ends of the 95% interval; draws without a value are left out. None if most have none."""
    finite = values[np.isfinite(values)]
    if len(finite) < len(values) / 2:
        return None
    low, high = np.percentile(finite, _TAILS)
    return float(low), float(high)


def _normal_interval(before: float, after: float, rows: int, *, is_correlation: bool) -> tuple[float, float]:
    """Return the 95% interval of after - before, from the standard error of one measure.

    Two models judge the same rows, so their errors go together: the error of the difference is sqrt(2 (1 - c)) of that
    of a measure at a correlation c of their errors, which is 1 at c = 1/2. The standard error of a rank correlation is
    that of Bonett and Wright (2000); that of a share is sqrt(p (1 - p) / n), which no other mean of numbers from 0 to 1
    exceeds. The share is moved towards 1/2 (Agresti & Coull 1998), or no error among few rows would look certain.
    """
    p = (before + after) / 2
    if rows < _FEWEST_TOLD_APART:
        error = 1.0
    elif is_correlation:
        error = (1 - p * p) * math.sqrt((1 + p * p / 2) / max(rows - 3, 1))
    else:
        p = (p * rows + 2) / (rows + 4)
        error = math.sqrt(p * (1 - p) / (rows + 4))
    most = 2.0 if is_correlation else 1.0  # no difference is larger
    return max(-most, after - before - 2 * error), min(most, after - before + 2 * error)
