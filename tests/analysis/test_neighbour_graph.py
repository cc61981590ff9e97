"""The neighbour graph is exact, however it is built."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis import neighbour_graph
from desktop_app.analysis.neighbour_graph import (
    NEIGHBOURS,
    NeighbourGraph,
    NeighbourLists,
    RowIndex,
    find_nearest_neighbours,
    find_neighbours_of_few,
)
from desktop_app.core.jobs import run_to_completion


def sentences(count: int, seed: int = 0, dim: int = 24) -> NDArray[np.float32]:
    """Unit vectors in clumps, like those of sentences."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((20, dim))[rng.integers(0, 20, count)] + 0.7 * rng.standard_normal((count, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def graph(vectors: NDArray[np.float32]) -> NeighbourLists:
    lists = NeighbourLists.empty(len(vectors))
    for done, total in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_)):
        assert 0 <= done <= total
    return lists


def complete(vectors: NDArray[np.float32], lists: NeighbourLists, ask: NDArray[np.bool_]) -> None:
    for _ in find_nearest_neighbours(vectors, lists, ask):
        pass


def best_scores(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    scores = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(scores, -2)
    padded = np.pad(np.sort(scores, axis=1)[:, ::-1][:, :NEIGHBOURS], ((0, 0), (0, max(0, NEIGHBOURS - len(vectors)))))
    return np.maximum(padded, 0).astype(np.float32)


@pytest.mark.parametrize("count", [0, 1, 2, NEIGHBOURS, NEIGHBOURS + 1, 511, 513, 5000])
def test_the_neighbours_are_the_exact_ones(count: int) -> None:
    vectors = sentences(count)
    lists = graph(vectors)
    np.testing.assert_allclose(lists.scores, best_scores(vectors), atol=2e-6)
    there = lists.neighbours >= 0
    rows = np.repeat(np.arange(count), NEIGHBOURS).reshape(count, NEIGHBOURS)
    assert not (lists.neighbours == rows)[there].any(), "no row is its own neighbour"
    assert all(len(set(row[row >= 0])) == (row >= 0).sum() for row in lists.neighbours)
    products = (vectors[rows[there]] * vectors[lists.neighbours[there]]).sum(axis=1)
    np.testing.assert_allclose(products, lists.scores[there], atol=2e-6)


@pytest.mark.parametrize("share", [0.001, 0.1, 0.6])
def test_adding_new_rows_gives_the_graph_of_all(share: float) -> None:
    vectors = sentences(3000)
    new = np.random.default_rng(1).random(len(vectors)) < share
    old = np.flatnonzero(~new)
    before = graph(vectors[old])
    lists = NeighbourLists.empty(len(vectors))
    lists.neighbours[old] = np.where(before.neighbours >= 0, old[before.neighbours], -1)
    lists.scores[old] = before.scores
    complete(vectors, lists, new)
    np.testing.assert_array_equal(lists.neighbours, graph(vectors).neighbours)
    assert not new.any(), "nothing is wanting any more"


@pytest.mark.parametrize("count", [20, 3000])
def test_few_new_rows_are_compared_with_pieces_of_the_others(count: int) -> None:
    vectors = sentences(count)
    vectors[5] = 0.0
    new = np.zeros(count, np.bool_)
    new[[3, 4, 5, count - 2]] = True
    old = np.flatnonzero(~new)
    before = graph(vectors[old])
    lists = NeighbourLists.empty(count)
    lists.neighbours[old] = np.where(before.neighbours >= 0, old[before.neighbours], -1)
    lists.scores[old] = before.scores
    pieces = [(rows, vectors[rows]) for rows in np.array_split(np.random.default_rng(0).permutation(count), 7)]
    own, untouched = vectors[new], lists.neighbours.copy()
    stopped = find_neighbours_of_few(own, lists, new, iter(pieces))
    for _ in range(5):
        next(stopped)
    np.testing.assert_array_equal(lists.neighbours, untouched)
    assert new.sum() == 4
    done = list(find_neighbours_of_few(own, lists, new, iter(pieces)))
    assert done == sorted(done)
    whole = graph(vectors)
    np.testing.assert_array_equal(lists.neighbours, whole.neighbours)
    np.testing.assert_allclose(lists.scores, whole.scores, atol=2e-6)
    assert not new.any()


def test_few_rows_whose_lists_were_lost_get_the_same_ones_again() -> None:
    vectors = sentences(500)
    whole = graph(vectors)
    lost = np.zeros(500, np.bool_)
    lost[whole.neighbours[7, :3]] = True  # others still have them as neighbours
    lists = NeighbourLists(whole.neighbours.copy(), whole.scores - np.float32(1e-4))
    own = vectors[lost]
    assert list(find_neighbours_of_few(own, lists, lost, [(np.arange(500), vectors)]))
    np.testing.assert_array_equal(np.sort(lists.neighbours, axis=1), np.sort(whole.neighbours, axis=1))


def test_a_piece_may_have_no_row_of_the_graph() -> None:
    vectors = sentences(300)
    whole = graph(vectors)
    lists = NeighbourLists(whole.neighbours.copy(), whole.scores.copy())
    few = np.arange(300) < 3
    none = np.empty(0, np.int64), np.empty((0, vectors.shape[1]), np.float32)  # all of them were erased
    assert list(find_neighbours_of_few(vectors[few], lists, few, [none, (np.arange(300), vectors), none]))
    np.testing.assert_array_equal(lists.neighbours, whole.neighbours)


def test_not_every_nearly_equal_sentence_is_offered_to_every_list(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.ones(24) + 0.03 * np.random.default_rng(0).standard_normal((600, 24))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    new = np.arange(600) < 60
    old = np.flatnonzero(~new)
    before = graph(vectors[old])
    lists = NeighbourLists.empty(600)
    lists.neighbours[old], lists.scores[old] = old[before.neighbours], before.scores
    offered: list[int] = []
    offer = NeighbourLists.offer

    def count(
        to: NeighbourLists, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: NDArray[np.float32]
    ) -> None:
        offered.extend([len(rows)] if to is lists else [])
        offer(to, rows, cols, scores)

    monkeypatch.setattr(NeighbourLists, "offer", count)
    list(find_neighbours_of_few(vectors[new], lists, new, [(np.arange(600), vectors)]))
    assert 0 < sum(offered) < 4000, "of 32,400"
    np.testing.assert_allclose(lists.scores, graph(vectors).scores, atol=2e-6)


def test_lists_name_the_rows_that_a_new_neighbour_has_changed() -> None:
    vectors = sentences(400)
    new = np.zeros(400, np.bool_)
    new[[10, 300]] = True
    old = np.flatnonzero(~new)
    before = graph(vectors[old])
    lists = NeighbourLists.empty(400)
    lists.neighbours[old], lists.scores[old] = old[before.neighbours], before.scores
    known = lists.neighbours.copy()
    list(find_neighbours_of_few(vectors[new], lists, new, [(np.arange(400), vectors)]))
    changed = (lists.neighbours != known).any(axis=1)
    assert 0 < changed[old].sum() < len(old)
    np.testing.assert_array_equal(lists.changed[old], changed[old])


def test_lists_of_other_sentences_are_those_whose_neighbours_stay() -> None:
    vectors = sentences(400)
    ids = np.random.default_rng(2).permutation(1000)[:400] + 1
    known = NeighbourGraph(ids, graph(vectors))
    gone = ids[7]
    others = np.insert(np.delete(ids, 7), [0, 200], [2001, 2002])
    lists, missing = run_to_completion(known.lists_of(others))
    named = {
        key: others[near[near >= 0]].tolist()
        for key, near, is_missing in zip(others.tolist(), lists.neighbours, missing.tolist(), strict=True)
        if not is_missing
    }
    before = {
        key: ids[near[near >= 0]].tolist() for key, near in zip(ids.tolist(), known.lists.neighbours, strict=True)
    }
    assert named == {key: near for key, near in before.items() if gone not in (key, *near)}
    rows = known.find_rows(others[~missing])
    np.testing.assert_array_equal(lists.scores[~missing], known.lists.scores[rows])
    assert set(others[missing].tolist()) >= {2001, 2002}


def test_a_stopped_graph_is_the_graph_of_a_part_and_can_continue() -> None:
    vectors = sentences(1500)
    whole = graph(vectors)
    lists, ask = NeighbourLists.empty(len(vectors)), np.ones(len(vectors), np.bool_)
    left = [1500]
    while ask.any():
        for number, _ in enumerate(find_nearest_neighbours(vectors, lists, ask)):
            if ask.sum() < left[-1]:
                left.append(int(ask.sum()))
                done = np.flatnonzero(~ask)
                alone = graph(vectors[done]).neighbours
                np.testing.assert_array_equal(lists.neighbours[done], np.where(alone >= 0, done[alone], -1))
            elif number > 6:
                break  # in the midst of a block
    assert left == [1500, 1244, 988, 732, 476, 220, 0]
    np.testing.assert_array_equal(lists.neighbours, whole.neighbours)


def test_lists_of_changed_rows_are_emptied_and_rows_that_are_gone_are_in_no_list() -> None:
    lists = graph(sentences(60))
    whole = lists.neighbours.copy()
    lists.changed[:] = False
    changed, gone = np.arange(60) < 5, np.arange(60) == 40
    lists.drop(changed, gone)
    assert (lists.neighbours[changed] == -1).all()
    assert (lists.scores[changed] == 0).all()
    assert (np.diff(lists.scores, axis=1) <= 0).all()
    for row in np.flatnonzero(~changed).tolist():
        left = [near for near in whole[row].tolist() if near != 40]
        assert lists.neighbours[row].tolist() == left + [-1] * (whole.shape[1] - len(left))
        assert (lists.scores[row, len(left) :] == 0).all()
        assert bool(lists.changed[row]) == (len(left) < whole.shape[1])
    assert lists.changed[changed].all()
    lists.drop(np.ones(60, np.bool_), gone)
    assert (lists.neighbours == -1).all()
    assert lists.changed.all()


def test_a_stored_half_of_an_update_is_completed() -> None:
    """A list may already name a sentence that is searched again: it is listed once."""
    vectors = sentences(800)
    lists = graph(vectors)
    ask = np.zeros(len(vectors), np.bool_)
    ask[::17] = True
    complete(vectors, lists, ask)
    np.testing.assert_array_equal(lists.neighbours, graph(vectors).neighbours)


def test_a_sentence_without_a_valid_vector_has_no_neighbours() -> None:
    vectors = sentences(100)
    vectors[7] = 0
    lists = graph(vectors)
    assert (lists.neighbours[7] == -1).all()
    assert not (lists.neighbours == 7).any()


@pytest.mark.parametrize("count", [20, 300, 2500])
@pytest.mark.parametrize("dim", [24, 384])
def test_identical_sentences_have_the_first_ones_as_neighbours(count: int, dim: int) -> None:
    """Each in the lists of the others at the same place, whatever the processor makes of the last bits of products."""
    vectors = np.repeat(sentences(1, dim=dim), count, axis=0)
    lists = graph(vectors)
    first = np.arange(NEIGHBOURS + 1)
    expected = np.stack([first[first != row][:NEIGHBOURS] for row in range(count)])
    np.testing.assert_array_equal(lists.neighbours, expected)
    assert (lists.scores == 1.0).all()
    few = np.arange(count) % 7 == 0
    assert list(find_neighbours_of_few(vectors[few], lists, few, [(np.arange(count), vectors)]))
    np.testing.assert_array_equal(lists.neighbours, expected)


def test_every_pair_of_neighbours_is_one_edge() -> None:
    vectors = sentences(300)
    a, b, scores = NeighbourGraph(np.arange(300), graph(vectors)).edges()
    assert (a < b).all()
    assert len(set(zip(a.tolist(), b.tolist(), strict=True))) == len(a)
    np.testing.assert_allclose(scores, (vectors[a] * vectors[b]).sum(axis=1), atol=2e-6)
    assert set(zip(a.tolist(), b.tolist(), strict=True)) == {
        (min(row, near), max(row, near))
        for row, list_ in enumerate(graph(vectors).neighbours.tolist())
        for near in list_
    }


def test_edges_below_a_floor_that_rises_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_graph, "_EDGE_ROWS", 100)
    whole = NeighbourGraph(np.arange(300), graph(sentences(300)))
    all_blocks = list(whole.edge_blocks())[1:]
    floors = np.quantile(np.concatenate([scores for _, _, scores in all_blocks]), [0.2, 0.5, 0.8]).tolist()
    asked = iter(floors)
    found = list(whole.edge_blocks(lambda: next(asked)))[1:]
    assert len(found) == 3
    for floor, block, every in zip(floors, found, all_blocks, strict=True):
        for edges, expected in zip(block, every, strict=True):
            np.testing.assert_array_equal(edges, expected[every[2] >= floor])


def test_rows_are_found_by_id_in_any_order() -> None:
    known = NeighbourGraph(np.array([30, 10, 20]), NeighbourLists.empty(3))
    assert known.find_rows(np.array([10, 99, 30, 1])).tolist() == [1, -1, 0, -1]
    assert NeighbourGraph(np.empty(0, np.int64), NeighbourLists.empty(0)).find_rows(np.array([1])).tolist() == [-1]


@pytest.mark.parametrize("step", [1, 1000])
def test_rows_of_dense_and_of_scattered_ids_are_found(step: int) -> None:
    ids = np.random.default_rng(6).permutation(500)[:300] * step + 1
    known = RowIndex(ids)
    asked = np.concatenate([ids[::-1], [-5, 0, 2, 500 * step + 7, 10**12]]).reshape(5, 61)
    expected = [ids.tolist().index(each) if each in ids else -1 for each in asked.ravel().tolist()]
    assert known.find_rows(asked).ravel().tolist() == expected
    assert known.present(ids).tolist() == list(range(300))
