"""Products in bf16 find every pair that plain products find."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from desktop_app.analysis import neighbour_graph as graph_module
from desktop_app.analysis.neighbour_graph import (
    NEIGHBOURS,
    NeighbourLists,
    PlainDotProducts,
    PlainRows,
    find_nearest_neighbours,
    find_neighbours_of_few,
)
from desktop_app.core.ports import RowsToCompare
from desktop_app.encoder.inference import fast_dot_products
from desktop_app.encoder.inference.fast_dot_products import (
    FastDotProducts,
    QuantizedRows,
    make_fast_dot_products,
    make_quantized_rows,
)


def _rows(count: int, dim: int, seed: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((20, dim))
    rows = centres[rng.integers(0, 20, count)] + rng.standard_normal((count, dim))
    rows[7] = rows[3]
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("dim", [3, 384, 768])
def test_no_pair_is_below_its_limit(dim: int) -> None:
    vectors = _rows(600, dim, seed=dim)
    quick = FastDotProducts(vectors)
    keys = quick.between(np.arange(200), 100, 600)
    exact = np.clip(vectors[:200] @ vectors[100:600].T, -1.0, 1.0)
    limits = quick.limits(exact.ravel()).reshape(exact.shape)
    above = exact > quick.margin
    assert (keys >= limits)[above].all()
    assert np.abs(quick.scores(keys[:, 0]) - exact[:, 0]).max() < quick.margin
    # They are precise enough: a slightly higher limit is not reached.
    assert (keys < quick.limits(exact.ravel() + 3 * np.float32(quick.margin)).reshape(exact.shape))[above].all()


def test_neighbours_are_the_same_with_fast_and_plain_products() -> None:
    vectors = _rows(3000, 384, seed=1)
    found = []
    for made in (PlainDotProducts(vectors), FastDotProducts(vectors)):
        lists = NeighbourLists.empty(len(vectors))
        for _ in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_), made):
            pass
        found.append(lists)
    plain, quick = found
    np.testing.assert_array_equal(plain.neighbours, quick.neighbours)
    np.testing.assert_allclose(plain.scores, quick.scores, atol=1e-6)


def _make_quantized(own: NDArray[np.float32]) -> QuantizedRows:
    """Return rows in int8, however slow; skips the test on a processor whose sums overflow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_dot_products, "_MIN_SPEEDUP", 0.0)
        patch.setattr(fast_dot_products, "_MIN_OWN_ROWS", 0)
        made = make_quantized_rows(own)
    if made is None:
        pytest.skip("this processor has no exact products of int8")
    return made


def _near_alike(count: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal(384) + 0.05 * rng.standard_normal((count, 384))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_few_of_many_nearly_equal_rows_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, offered = _near_alike(3000), []
    offer = NeighbourLists.offer

    def counted(lists: NeighbourLists, rows: NDArray[np.int64], *more: NDArray[np.generic]) -> None:
        offered.append(len(rows))
        offer(lists, rows, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(NeighbourLists, "offer", counted)
    lists = NeighbourLists.empty(len(vectors))
    for _ in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_), FastDotProducts(vectors)):
        pass
    assert max(offered) < 30_000  # of up to 524,288 pairs of a part within the precision of bf16


@pytest.mark.parametrize("made", [PlainDotProducts, FastDotProducts])
@pytest.mark.parametrize("rows", [_near_alike(1500), _rows(1500, 384, seed=4)], ids=["near", "apart"])
def test_a_pair_has_the_same_score_in_both_lists(made: type, rows: NDArray[np.float32]) -> None:
    lists = NeighbourLists.empty(len(rows))
    for _ in find_nearest_neighbours(rows, lists, np.ones(len(rows), np.bool_), made(rows)):
        pass
    score = {
        (row, int(near)): value
        for row in range(len(rows))
        for near, value in zip(lists.neighbours[row], lists.scores[row], strict=True)
    }
    both = [(value, score[near, row]) for (row, near), value in score.items() if (near, row) in score]
    assert len(both) > 1000
    assert all(one == other for one, other in both)


def test_they_are_used_only_for_many_rows_and_only_if_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = _rows(600, 384, seed=2)
    assert make_fast_dot_products(vectors) is None
    monkeypatch.setattr(fast_dot_products, "_MIN_ROWS", 600)
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 0.0)
    assert isinstance(make_fast_dot_products(vectors), FastDotProducts)
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 1e9)
    assert make_fast_dot_products(vectors) is None


@pytest.mark.parametrize("dim", [3, 384])
@pytest.mark.parametrize("made", [PlainRows, _make_quantized], ids=["plain", "quantized"])
def test_no_pair_is_outside_its_bounds(made: Callable[[NDArray[np.float32]], RowsToCompare], dim: int) -> None:
    vectors = _rows(700, dim, seed=dim)
    vectors[100:110] = vectors[:10]
    vectors[3] = vectors[120] = 0.0
    vectors[130] *= 1.5  # a damaged one
    own, others = vectors[:100], vectors[100:]
    exact = own @ others.T
    rows = made(own)
    for piece in (slice(0, 20), slice(20, 600), slice(30, 31)):
        products = rows.take(others[piece])
        cosines = exact[20:90, piece]
        keys = products.between(20, 90)
        assert keys.shape == cosines.shape
        assert (keys > products.lowest).all()
        for column in range(0, cosines.shape[1], 7):
            reached = np.ascontiguousarray(cosines[:, column])
            assert (keys[:, column] >= products.row_limits(20, 90, reached))[reached >= 0].all()
            assert (products.least_cosines(20, 90, keys[:, column]) <= reached + 1e-6).all()
        for row in range(0, 70, 7):
            reached = np.ascontiguousarray(cosines[row])
            assert (keys[row] >= products.column_limits(reached))[reached >= 0].all()
        assert not (keys >= products.column_limits(np.full(keys.shape[1], np.inf, np.float32))).any()
    products = rows.take(others[40:])
    limits = products.row_limits(0, 100, np.full(100, 0.95, np.float32))
    assert (products.between(0, 100) >= limits[:, None]).mean() < 0.3, "limits leave most pairs out"


def _with_an_outlier(count: int) -> NDArray[np.float32]:
    """Return rows with one large number each, which decides the steps of int8."""
    rows = _rows(count, 384, seed=8)
    rows[:, 5] = 30.0
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "vectors", [_rows(1300, 384, seed=6), _near_alike(1300), _with_an_outlier(1300)], ids=["apart", "near", "outlier"]
)
def test_few_new_rows_have_the_same_neighbours_with_quantized_and_plain_products(
    vectors: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_module, "_MAX_DENSE_BLOCKS", 2)
    vectors = vectors.copy()
    vectors[900:910] = vectors[7]
    new = np.zeros(len(vectors), np.bool_)
    new[np.random.default_rng(1).permutation(len(vectors))[:150]] = True
    old = np.flatnonzero(~new)
    before = NeighbourLists.empty(len(old))
    for _ in find_nearest_neighbours(vectors[old], before, np.ones(len(old), np.bool_)):
        pass
    pieces = [(rows, vectors[rows]) for rows in np.array_split(np.arange(len(vectors)), 5)]
    found = []
    for products in (None, _make_quantized(vectors[new])):
        lists, ask = NeighbourLists.empty(len(vectors)), new.copy()
        lists.neighbours[old] = np.where(before.neighbours >= 0, old[before.neighbours], -1)
        lists.scores[old] = before.scores
        for _ in find_neighbours_of_few(vectors[new], lists, ask, pieces, products):
            pass
        found.append(lists)
    np.testing.assert_array_equal(found[0].neighbours, found[1].neighbours)
    np.testing.assert_array_equal(found[0].scores, found[1].scores)


def test_products_that_leave_most_pairs_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = _near_alike(2000)
    new = np.arange(len(vectors)) < 150
    known = NeighbourLists.empty(len(vectors))
    for _ in find_nearest_neighbours(vectors, known, np.ones(len(vectors), np.bool_)):
        pass
    pieces = [(rows, vectors[rows]) for rows in np.array_split(np.arange(len(vectors)), 20)]
    monkeypatch.setattr(graph_module, "_MAX_DENSE_BLOCKS", 3)
    quick = _make_quantized(vectors[new])
    taken: list[int] = []
    take = quick.take
    monkeypatch.setattr(quick, "take", lambda some: (taken.append(len(some)), take(some))[1])
    for _ in find_neighbours_of_few(vectors[new], known, new, pieces, quick):
        pass
    assert 3 <= len(taken) <= 5, "of 20; the next piece is multiplied meanwhile"
    np.testing.assert_allclose(known.scores, _best_scores(vectors), atol=5e-6)


def _best_scores(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, 0.0)
    return np.sort(cosines, axis=1)[:, : -1 - NEIGHBOURS : -1]


def test_rows_that_are_no_numbers_are_not_quantized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 0.0)
    monkeypatch.setattr(torch, "_int_mm", lambda a, b: (a.float() @ b.float()).int())
    own = _rows(200, 8, seed=2)
    own[7, 3] = np.nan
    assert make_quantized_rows(own) is None


def test_quantized_products_are_used_only_for_enough_rows_and_only_if_faster_and_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 0.0)
    assert make_quantized_rows(_rows(20, 8, seed=2)) is None
    own = _rows(200, 8, seed=2)
    monkeypatch.setattr(torch, "_int_mm", lambda a, b: (a.float() @ b.float()).int())
    assert isinstance(make_quantized_rows(own), QuantizedRows)
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 1e9)
    assert make_quantized_rows(own) is None
    monkeypatch.setattr(fast_dot_products, "_MIN_SPEEDUP", 0.0)
    monkeypatch.setattr(torch, "_int_mm", lambda a, b: (a.float() @ b.float()).int() - 1)
    assert make_quantized_rows(own) is None, "sums that overflow"


def test_products_are_measured_in_one_thread_as_they_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def multiply(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        threads.append(torch.get_num_threads())
        return (a.float() @ b.float()).int()

    def measure() -> None:
        torch.set_num_threads(2)
        make_quantized_rows(_rows(200, 8, seed=2))

    monkeypatch.setattr(torch, "_int_mm", multiply)
    with ThreadPoolExecutor(1) as executor:
        executor.submit(measure).result()
    assert set(threads) == {1}
