"""The approximate neighbour graph has nearly all neighbours, and depends on the rows alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis.approximate_neighbours import ApproximateNeighbours, ApproximationSettings
from desktop_app.analysis.compact_vectors import CompactVectors
from desktop_app.analysis.neighbour_graph import NEIGHBOURS, NeighbourLists, find_nearest_neighbours

DIM = 32
FEW = ApproximationSettings(leaf_rows=16, probed=4, columns=500, width=15)
"""Compares a row with an eighth of 4,000 others at most."""


def normalise(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def near_copies(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Clusters of fifty near copies, in any order: most neighbours of a row are among them."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((count // 50, DIM))
    return normalise(centres[rng.permutation(count) % len(centres)] + 0.2 * rng.standard_normal((count, DIM)))


def sentences(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Rows in clumps of several hundred, some of them nobody's near neighbour."""
    rng = np.random.default_rng(seed)
    spread = rng.choice([0.3, 0.6, 1.0], (count, 1))
    return normalise(
        rng.standard_normal((20, DIM))[rng.integers(0, 20, count)] + spread * rng.standard_normal((count, DIM))
    )


def compact(vectors: NDArray[np.float32]) -> CompactVectors:
    rows = CompactVectors(*vectors.shape)
    rows[:] = vectors
    return rows


def approximate(vectors: NDArray[np.float32], settings: ApproximationSettings = FEW) -> ApproximateNeighbours:
    found = ApproximateNeighbours(len(vectors), settings=settings)
    before = 0
    for done, total in found.find(compact(vectors)):
        assert before <= done <= total or done == total == 1
        before = done if total > 1 else 0
    return found


def exact(vectors: NDArray[np.float32]) -> NeighbourLists:
    lists = NeighbourLists.empty(len(vectors))
    for _ in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_)):
        pass
    return lists


@pytest.mark.parametrize("made", [near_copies, sentences])
def test_nearly_all_neighbours_are_found_and_measured(made: Callable[[int], NDArray[np.float32]]) -> None:
    vectors = made(4000)
    found = approximate(vectors)
    floor = exact(vectors).floor[:, None]
    recall = float((found.lists.scores >= floor - 1e-5).mean())
    assert recall >= 0.98
    assert found.recall == pytest.approx(recall, abs=0.015)


@pytest.mark.parametrize("made", [near_copies, sentences])
def test_what_is_missed_is_measured_too(made: Callable[[int], NDArray[np.float32]]) -> None:
    vectors = made(2000)
    found = approximate(vectors, ApproximationSettings(16, probed=2, more_trees=0, columns=500, width=15, rounds=1))
    recall = float((found.lists.scores >= exact(vectors).floor[:, None] - 1e-5).mean())
    assert recall < 0.9
    assert found.recall == pytest.approx(recall, abs=0.03)


@pytest.mark.parametrize("count", [0, 1, 2, NEIGHBOURS, NEIGHBOURS + 1, 200])
def test_every_list_is_sound(count: int) -> None:
    vectors = sentences(count) if count else np.empty((0, DIM), np.float32)
    lists = approximate(vectors).lists
    there = lists.neighbours >= 0
    rows = np.repeat(np.arange(count), NEIGHBOURS).reshape(count, NEIGHBOURS)
    assert not (lists.neighbours == rows)[there].any(), "no row is its own neighbour"
    assert all(len(set(row[row >= 0])) == (row >= 0).sum() for row in lists.neighbours)
    assert (np.diff(lists.scores, axis=1) <= 0).all()
    assert (lists.scores[~there] == 0).all()
    products = (vectors[rows[there]] * vectors[lists.neighbours[there]]).sum(axis=1)
    np.testing.assert_allclose(products, lists.scores[there], atol=1e-4)
    if count <= NEIGHBOURS:
        np.testing.assert_array_equal(there.sum(axis=1), (exact(vectors).neighbours >= 0).sum(axis=1))


def test_a_search_that_was_stopped_anywhere_ends_like_one_that_was_not() -> None:
    vectors = sentences(700)
    whole, rows = approximate(vectors).lists, compact(vectors)
    stopped, steps, patience = ApproximateNeighbours(len(vectors), settings=FEW), 1, 0
    while patience < 5000:
        running = stopped.find(rows)
        if sum(1 for _, _ in zip(range(steps), running, strict=False)) < steps:
            break
        running.close()
        patience, steps = patience + 1, steps * 3 // 2 + 1
    np.testing.assert_array_equal(stopped.lists.neighbours, whole.neighbours)
    np.testing.assert_array_equal(stopped.lists.scores, whole.scores)


def test_rows_of_zeros_have_no_neighbours_and_equal_rows_fill_each_others_lists() -> None:
    vectors = sentences(900)
    vectors[100:500] = vectors[100]
    vectors[[7, 899]] = 0
    lists = approximate(vectors).lists
    assert (lists.neighbours[[7, 899]] == -1).all()
    assert not np.isin(lists.neighbours, [7, 899]).any()
    np.testing.assert_allclose(lists.scores[100:500], 1.0, atol=1e-5)
    assert lists.scores.max() <= 1.0
