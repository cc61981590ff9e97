"""Measures equal those of scipy and scikit-learn, including ties and borders.

Both are imported where they are needed: every process of a run reads this file, and few call it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.encoder import metrics

NUMBERS = st.integers(-5, 5).map(float)  # few values: ties are the hard part


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=40))
def test_correlations_are_those_of_scipy(pairs) -> None:
    from scipy import stats

    a, b = map(np.array, zip(*pairs, strict=True))
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert math.isnan(metrics.spearman(a, b))
        return
    assert metrics.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-12)
    assert metrics.pearson(a, b) == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.booleans()), min_size=2, max_size=40))
def test_classification_is_that_of_scikit_learn(rows) -> None:
    from sklearn import metrics as reference

    scores, labels = (np.array(values) for values in zip(*rows, strict=True))
    if labels.all() or not labels.any():
        return
    assert metrics.average_precision(scores, labels) == pytest.approx(reference.average_precision_score(labels, scores))
    assert metrics.area_under_curve(metrics.roc_curve(scores, labels)) == pytest.approx(
        reference.roc_auc_score(labels, scores)
    )
    for threshold in (-2.0, 0.0, 3.0):
        found, predicted = metrics.metrics_at_threshold(scores, labels, threshold), scores >= threshold
        assert found.accuracy == pytest.approx(reference.accuracy_score(labels, predicted))
        assert found.f1 == pytest.approx(reference.f1_score(labels, predicted, zero_division=0))
        assert found.precision == pytest.approx(reference.precision_score(labels, predicted, zero_division=0))
        assert found.recall == pytest.approx(reference.recall_score(labels, predicted, zero_division=0))


@pytest.mark.parametrize("measure", ["accuracy", "f1"])
@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(NUMBERS, st.booleans()), min_size=1, max_size=30))
def test_no_threshold_is_better_than_the_best(measure, rows) -> None:
    scores, labels = (np.array(values) for values in zip(*rows, strict=True))
    best = getattr(
        metrics.metrics_at_threshold(scores, labels, metrics.best_threshold(scores, labels, measure)), measure
    )
    others = [*np.unique(scores), scores.max() + 1]
    reached = max(getattr(metrics.metrics_at_threshold(scores, labels, other), measure) for other in others)
    assert best == pytest.approx(reached)


def test_a_threshold_lies_midway_between_the_scores_it_separates() -> None:
    scores, labels = np.array([0.9, 0.8, 0.4, 0.1]), np.array([True, True, False, False])
    for measure in ("accuracy", "f1"):
        assert metrics.best_threshold(scores, labels, measure) == pytest.approx(0.6)


def test_curves_for_pictures_are_short_and_keep_their_ends() -> None:
    scores = np.linspace(0, 1, 5000)
    whole = metrics.roc_curve(scores, np.arange(5000) % 3 == 0)
    thin = metrics.thin_curve(whole, 100)
    assert len(thin.x) <= 100
    assert (thin.x[0], thin.y[0], thin.x[-1], thin.y[-1]) == (0, 0, 1, 1)


def test_confusion_counts_truths_in_rows() -> None:
    assert metrics.confusion_matrix([0, 1, 1, 2], [0, 0, 1, 2], 3).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_rankings() -> None:
    from sklearn import metrics as reference

    relevant = {"a": 1.0, "c": 1.0, "z": 1.0}
    found = ["b", "a", "c"]
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg_at(found, relevant) == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / ideal)
    assert metrics.recall_at(found, relevant, 2) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank_at(found, relevant) == 0.5
    assert metrics.ndcg_at(found, {}) == metrics.recall_at(found, {}) == metrics.reciprocal_rank_at(found, {}) == 0
    grades = np.array([[0, 2, 1, 0]])
    ranked = np.array([[0.9, 0.8, 0.7, 0.6]])
    assert metrics.ndcg_at(["0", "1", "2", "3"], {"1": 2.0, "2": 1.0}) == pytest.approx(
        reference.ndcg_score(grades, ranked)
    )


@settings(max_examples=60, deadline=None)
@given(grades=st.lists(st.integers(0, 3), min_size=2, max_size=14), k=st.integers(1, 12))
def test_ndcg_at_any_depth_is_that_of_scikit_learn(grades, k) -> None:
    from sklearn import metrics as reference

    names = [str(at) for at in range(len(grades))]
    relevant = {name: float(grade) for name, grade in zip(names, grades, strict=True)}
    falling = np.arange(len(grades), 0, -1)[None]
    expected = reference.ndcg_score(np.array([grades]), falling, k=k) if any(grades) else 0.0
    assert metrics.ndcg_at(names, relevant, k) == pytest.approx(expected)
    # The ideal holds no more than k documents: a perfect top is 1, however many relevant ones there are.
    assert metrics.ndcg_at(["a", "b"], dict.fromkeys("abcdef", 1.0), 2) == 1.0
