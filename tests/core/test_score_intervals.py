"""Intervals of scores, checked against a bootstrap that draws row by row and computes the measures anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.score_intervals import (
    FEWEST_ROWS,
    RowResults,
    ScoreChange,
    ScoreDifference,
    _normal_interval,
    compare_results,
    estimate_intervals,
)
from desktop_app.encoder import metrics

Rows = NDArray[np.float64]
ROWS = 150


def make_similarity(noise: float, rows: int = ROWS, seed: int = 3) -> RowResults:
    """Scores of a model with more or less noise; labels 0, 0.2, ... 1, so that ranks are shared."""
    source = np.random.default_rng(seed)
    labels = source.integers(0, 6, rows) / 5
    scores = np.round(labels + noise * np.random.default_rng(seed + 1).normal(size=rows), 2)  # some are equal
    return RowResults("similarity", rows, tuple(labels.tolist()), tuple(scores.tolist()))


def make_duplicates(noise: float, rows: int = ROWS) -> RowResults:
    source = np.random.default_rng(5)
    labels = (source.random(rows) < 0.4).astype(float)
    scores = np.round(labels + noise * source.normal(size=rows), 1)
    called = (scores >= 0.5).astype(float)
    right = (called == labels).astype(float)
    return RowResults(
        "duplicates",
        rows,
        *(tuple(each.tolist()) for each in (labels, scores, called)),
        {"accuracy": tuple(right.tolist())},
    )


def draw_by_row(results: RowResults, measure: Callable[[RowResults, NDArray[np.int64]], float]) -> tuple[float, float]:
    source = np.random.default_rng(11)
    found = [measure(results, source.integers(0, results.rows, results.rows)) for _ in range(1500)]
    low, high = np.percentile(found, (2.5, 97.5))
    return float(low), float(high)


def spearman(results: RowResults, drawn: NDArray[np.int64]) -> float:
    return metrics.spearman(np.asarray(results.scores)[drawn], np.asarray(results.labels)[drawn])


def average_precision(results: RowResults, drawn: NDArray[np.int64]) -> float:
    return metrics.average_precision(np.asarray(results.scores)[drawn], np.asarray(results.labels)[drawn])


def f1(results: RowResults, drawn: NDArray[np.int64]) -> float:
    scores, labels = np.asarray(results.scores)[drawn], np.asarray(results.labels)[drawn]
    return metrics.metrics_at_threshold(scores, labels, 0.5).f1


def accuracy(results: RowResults, drawn: NDArray[np.int64]) -> float:
    scores, labels = np.asarray(results.scores)[drawn], np.asarray(results.labels)[drawn]
    return metrics.metrics_at_threshold(scores, labels, 0.5).accuracy


@pytest.mark.parametrize(
    ("results", "name", "measure"),
    [
        (make_similarity(0.3), "spearman", spearman),
        (make_duplicates(0.5), "accuracy", accuracy),
        (make_duplicates(0.5), "f1", f1),
        (make_duplicates(0.5), "average_precision", average_precision),
    ],
)
def test_an_interval_is_that_of_rows_drawn_again(
    results: RowResults, name: str, measure: Callable[[RowResults, NDArray[np.int64]], float]
) -> None:
    low, high = estimate_intervals(results)[name]
    assert (low, high) == pytest.approx(draw_by_row(results, measure), abs=0.02)
    assert low < measure(results, np.arange(results.rows)) < high
    assert estimate_intervals(results)[name] == (low, high), "the same rows give the same interval"


def test_more_rows_give_a_narrower_interval() -> None:
    widths = []
    for rows in (100, 1600):
        low, high = estimate_intervals(make_similarity(0.3, rows))["spearman"]
        widths.append(high - low)
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.3)


def test_two_models_are_compared_on_the_same_draws() -> None:
    """The errors of both go together: the difference has a narrower interval than either of the scores."""
    before, after = make_similarity(0.30), make_similarity(0.27)
    found = compare_results(before, after)["spearman"]
    alone = estimate_intervals(before)["spearman"]
    assert found.change == "better"
    assert found.low < found.after - found.before < found.high
    assert found.high - found.low < (alone[1] - alone[0]) / 3
    back = compare_results(after, before)["spearman"]
    assert (back.low, back.high, back.change) == (pytest.approx(-found.high), pytest.approx(-found.low), "worse")
    same = compare_results(before, before)["spearman"]
    assert (same.low, same.high, same.change) == (0.0, 0.0, "unclear")


def test_every_measure_of_both_models_is_compared_as_the_evaluation_computes_it() -> None:
    before, after = make_duplicates(0.6), make_duplicates(0.5)
    found = compare_results(before, after)
    assert list(found) == ["accuracy", "f1", "average_precision"]
    everything = np.arange(ROWS)
    for name, measure in (("accuracy", accuracy), ("f1", f1), ("average_precision", average_precision)):
        values = (found[name].before, found[name].after)
        assert values == pytest.approx((measure(before, everything), measure(after, everything)))


def test_models_that_judged_other_rows_are_not_compared() -> None:
    found = make_similarity(0.3)
    assert compare_results(found, make_similarity(0.3, ROWS - 1)) == {}
    assert compare_results(found, replace(found, labels=found.labels[::-1])) == {}


@pytest.mark.parametrize("rows", [0, 1, 8, FEWEST_ROWS - 1])
def test_few_rows_have_no_interval_and_their_difference_a_wide_one(rows: int) -> None:
    right = RowResults("triplets", rows, means={"accuracy": (1.0,) * rows})
    wrong = RowResults("triplets", rows, means={"accuracy": (1.0,) * (rows - 1) + (0.0,) * min(rows, 1)})
    assert estimate_intervals(right) == {}
    found = compare_results(right, wrong)
    assert [each.change for each in found.values()] == ["unclear"] * bool(rows)
    assert all(each.low < -0.1 for each in found.values())


def test_an_interval_of_few_rows_exceeds_no_possible_difference() -> None:
    assert _normal_interval(1.0, 1.0, 4, is_correlation=False) == (-1.0, 1.0)
    assert _normal_interval(0.5, 0.7, 4, is_correlation=True) == (pytest.approx(-1.8), 2.0)


def test_what_cannot_be_computed_is_left_out() -> None:
    flat = RowResults("similarity", 30, tuple(n % 5 / 4 for n in range(30)), (0.5,) * 30)
    assert estimate_intervals(flat) == {}
    assert compare_results(flat, flat) == {}


@pytest.mark.parametrize(
    ("before", "after", "half_width", "change", "needed"),
    [
        (0.80, 0.90, 0.05, "better", 30),  # 100 rows, half as wide an interval with four times the rows
        (0.90, 0.80, 0.05, "worse", 30),
        (0.80, 0.82, 0.05, "unclear", 630),
        (0.80, 0.80, 0.05, "unclear", 2500),  # as for a hundredth
        (0.80, 0.95, 0.05, "better", 20),
    ],
)
def test_a_difference_needs_rows(
    before: float, after: float, half_width: float, change: ScoreChange, needed: int
) -> None:
    gap = after - before
    found = ScoreDifference("accuracy", before, after, gap - half_width, gap + half_width, 100)
    assert found.change == change
    assert found.rows_needed == pytest.approx(needed, abs=10 if needed > 1000 else 5)


@pytest.mark.parametrize(
    ("before", "after", "rows", "is_correlation", "change"),
    [
        (0.5, 1.0, 18, False, "better"),
        (0.5, 0.75, 8, False, "unclear"),
        (0.80, 0.60, 8, True, "unclear"),
    ],
)
def test_few_rows_tell_only_large_differences(
    before: float, after: float, rows: int, is_correlation: bool, change: ScoreChange
) -> None:
    low, high = _normal_interval(before, after, rows, is_correlation=is_correlation)
    assert ScoreDifference("m", before, after, low, high, rows).change == change


def test_many_rows_need_no_more_than_a_bounded_number_of_draws() -> None:
    rows = 300_000
    results = RowResults("triplets", rows, means={"accuracy": (1.0, 0.0, 1.0) * (rows // 3)})
    low, high = estimate_intervals(results)["accuracy"]
    error = 1.96 * np.sqrt(2 / 9 / rows)
    assert (low, high) == pytest.approx((2 / 3 - error, 2 / 3 + error), abs=error / 3)
