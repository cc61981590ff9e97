"""The most similar pairs of rows are those of a plain comparison of all with all."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis.similar_pairs import find_most_similar_pairs, rowwise_cosine, score_pair
from desktop_app.core.records import IndexPair


def _unit(count: int, dim: int, seed: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _last(vectors: NDArray[np.float32], top_k: int, min_score: float = -1.0) -> list[IndexPair]:
    *pauses, pairs = find_most_similar_pairs(vectors, top_k, min_score)
    assert all(pause is None for pause in pauses)
    assert pairs is not None
    return pairs


@pytest.mark.parametrize(("count", "top_k"), [(2, 5), (30, 7), (700, 50), (1300, 1000)])
def test_the_best_pairs_are_those_of_a_plain_comparison(count: int, top_k: int) -> None:
    vectors = _unit(count, 16, seed=count)
    scores = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    a, b = np.triu_indices(count, k=1)
    best = np.lexsort((b, a, -scores[a, b]))[:top_k]
    expected = list(zip(scores[a, b][best], a[best], b[best], strict=True))
    found = _last(vectors, top_k)
    assert len(found) == len(expected)
    np.testing.assert_allclose([pair.score for pair in found], [score for score, _, _ in expected], atol=1e-6)
    assert {(pair.a, pair.b) for pair in found} == {(i, j) for _, i, j in expected}


def test_blocks_beyond_the_first_columns_are_compared_too() -> None:
    vectors = _unit(5000, 8, seed=1)
    vectors[4999] = vectors[3]
    best = _last(vectors, 1)[0]
    assert (best.a, best.b) == (3, 4999)


@pytest.fixture(scope="module")
def near_copies() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """4,500 vectors, 500 of them nearly those of others, and the score of each pair above the diagonal."""
    rng = np.random.default_rng(7)
    vectors = rng.standard_normal((4500, 256)).astype(np.float32) * (np.arange(1, 257) ** -0.5).astype(np.float32)
    vectors[4000:] = vectors[:500] + 0.03 * rng.standard_normal((500, 256)).astype(np.float32)
    vectors[17] = 0.0
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return vectors, np.triu(vectors @ vectors.T, 1)


@pytest.mark.parametrize("top_k", [1, 400, 5000])
def test_bounds_exclude_none_of_the_best_pairs(
    near_copies: tuple[NDArray[np.float32], NDArray[np.float32]], top_k: int
) -> None:
    vectors, scores = near_copies
    a, b = np.nonzero(scores > 0.25)
    assert len(a) > 5000
    order = np.argsort(-scores[a, b], kind="stable")[:top_k]
    a, b = a[order], b[order]
    found = _last(vectors, top_k)
    assert {(pair.a, pair.b) for pair in found} == set(zip(a.tolist(), b.tolist(), strict=True))
    np.testing.assert_allclose([pair.score for pair in found], scores[a, b], atol=1e-6)


def test_equal_scores_come_in_the_order_of_their_rows() -> None:
    vectors = np.repeat(_unit(1, 8, seed=2), 4, axis=0)
    assert [(p.a, p.b) for p in _last(vectors, 4)] == [(0, 1), (0, 2), (0, 3), (1, 2)]


def test_no_pair_below_the_lowest_score() -> None:
    vectors = _unit(100, 8, seed=3)
    found = _last(vectors, 10_000, min_score=0.5)
    assert found
    assert min(pair.score for pair in found) >= 0.5


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_rows_have_no_pair(count: int) -> None:
    assert list(find_most_similar_pairs(_unit(count, 4, seed=4), 5))[-1] == []


def test_the_three_measures_of_a_pair() -> None:
    score = score_pair(np.array([3, 0], np.float32), np.array([3, 4], np.float32))
    assert (score.cosine, score.dot, score.euclidean) == (pytest.approx(0.6), 9.0, 4.0)


def test_a_zero_vector_is_similar_to_nothing() -> None:
    zero, one = np.zeros(4, np.float32), np.ones(4, np.float32)
    assert score_pair(zero, one).cosine == 0
    assert rowwise_cosine(np.stack([zero, one]), np.stack([one, one])).tolist() == [0.0, pytest.approx(1.0)]


@pytest.mark.parametrize("seed", range(20))
def test_no_cosine_is_above_one(seed: int) -> None:
    some = _unit(1, 384, seed)[0]
    assert score_pair(some, some).cosine <= 1
    assert rowwise_cosine(some[None], some[None])[0] <= 1
    assert score_pair(some, some).euclidean == 0
