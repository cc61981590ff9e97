"""Graphs in memory with projected vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import hnswlib
import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.jobs import run_to_completion
from desktop_app.store.graph_file import graph_pieces
from desktop_app.store.half_vectors import to_halves
from desktop_app.store.projection import Projection
from desktop_app.store.recall_meter import TOP_K, RecallMeter
from desktop_app.store.search import ASK_MORE
from desktop_app.store.vector_index import HnswGraph, VectorIndex

from .helpers import search_index, stored_unit

DIM, ROWS = 192, 3000
Vectors = NDArray[np.float32]
Make = Callable[..., HnswGraph]


def spread(seed: int, rows: int = ROWS, *, first: int = 0, used: int = 60) -> Vectors:
    """Return vectors near one another, as those of sentences, that differ most in `used` directions from `first` on."""
    rng = np.random.default_rng(seed)
    lengths = np.full(DIM, 0.08)
    lengths[first : first + used] = 1.0
    return stored_unit(rng.standard_normal((rows, DIM)) * lengths)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def write(vectors: Vectors, first_id: int = 1, **more: object) -> HnswGraph:
        index = hnswlib.Index(space="ip", dim=vectors.shape[1])
        index.init_index(max_elements=len(vectors), M=16, ef_construction=100, random_seed=100)
        index.add_items(vectors, np.arange(len(vectors)) + first_id, num_threads=1)
        file = tmp_path / f"{first_id}.hnsw"
        file.write_bytes(b"".join(graph_pieces(index)))
        graph = HnswGraph(file, vectors.shape[1], len(vectors), is_verified=True, **more)
        graph.load_into_memory()
        return graph

    return write


def memory_of(graph: HnswGraph) -> int:
    assert graph._index is not None
    return graph._index.__getstate__()[0]["data_level0"].nbytes


def nearest(vectors: Vectors, query: Vectors, count: int) -> list[int]:
    return (np.argsort(-(vectors @ query), kind="stable")[:count] + 1).tolist()


def test_a_search_finds_the_nearest_rows_with_their_exact_cosines(make: Make) -> None:
    vectors, projection = spread(1), Projection(DIM)
    index = VectorIndex(DIM)
    index.segments = {
        1: make(vectors[:1500], projection=projection),
        2: make(vectors[1500:], 1501, projection=projection),
    }
    assert all(isinstance(part, HnswGraph) and part.is_projected for part in index.parts())
    for query in spread(2, 20):
        ids, scores = search_index(index, query, 10, ef=300)
        assert ids.tolist() == nearest(vectors, query, 10)
        np.testing.assert_array_equal(scores, index.scores(query, ids)[1])


def test_it_takes_less_memory(make: Make) -> None:
    whole, projected = make(spread(1)), make(spread(1), projection=Projection(DIM))
    assert memory_of(whole) - memory_of(projected) == ROWS * 4 * (DIM - 128)
    np.testing.assert_array_equal(whole.vectors(whole.ids), projected.vectors(projected.ids))


def test_a_graph_whose_vectors_are_unlike_the_others_keeps_whole_ones(make: Make) -> None:
    projection = Projection(DIM)
    projected = make(spread(1, used=120), projection=projection)
    unlike = spread(2, first=100, used=92)
    whole = make(unlike, ROWS + 1, projection=projection)
    assert (projected.is_projected, whole.is_projected) == (True, False)
    assert whole.search(unlike[5], 3)[0][0] == ROWS + 6
    index = VectorIndex(DIM)
    index.segments = {1: projected, 2: whole}
    assert search_index(index, unlike[5], 3)[0][0] == ROWS + 6


@pytest.mark.parametrize("steps", [1, 3, 12, 18])
def test_two_loads_at_once_agree_on_the_directions(make: Make, steps: int) -> None:
    projection = Projection(DIM)
    first, second = spread(1, used=90), spread(2, first=20, used=90)
    paths = [make(first).path, make(second, ROWS + 1).path]
    graphs = [HnswGraph(path, DIM, ROWS, is_verified=True, projection=projection) for path in paths]
    loading = graphs[0].load_steps()
    for _ in range(steps):
        next(loading)
    graphs[1].load_into_memory()  # a search does not wait for the job
    run_to_completion(loading)
    for vectors, graph, first_id in ((first, graphs[0], 1), (second, graphs[1], ROWS + 1)):
        for row in range(0, ROWS, 300):
            assert graph.search(vectors[row], 3)[0][0] == row + first_id


def test_vectors_that_use_all_dimensions_stay_whole(make: Make) -> None:
    graph = make(spread(1, used=DIM), projection=Projection(DIM))
    assert graph.is_in_memory
    assert not graph.is_projected


def test_as_many_dimensions_are_kept_as_are_needed(make: Make) -> None:
    few, more = Projection(DIM), Projection(DIM)
    assert make(spread(1), projection=few).is_projected
    assert make(spread(1, used=156), ROWS + 1, projection=more).is_projected
    assert (few.kept, more.kept) == (128, 144)


def test_the_meter_measures_what_searches_find(make: Make) -> None:
    vectors, projection = spread(1, 3 * ROWS, used=100), Projection(DIM)
    index = VectorIndex(DIM)
    index.segments = {
        at: make(vectors[at * ROWS : (at + 1) * ROWS], at * ROWS + 1, projection=projection) for at in range(3)
    }
    queries = spread(2, 30, used=100)
    meter = RecallMeter(Mock(), Mock(stay_in_memory=True), Mock())
    for width in (10, 400):
        measured = run_to_completion(meter._found(index, queries, width, 3 * ROWS))
        searched = [search_index(index, query, TOP_K + ASK_MORE, ef=width)[0][:TOP_K] for query in queries]
        shared = sum(len(np.intersect1d(one, other)) for one, other in zip(measured, searched, strict=True))
        assert shared >= 0.99 * TOP_K * len(queries)


def test_short_vectors_stay_whole(make: Make) -> None:
    assert not make(spread(1)[:, :96], projection=Projection(96)).is_projected


def test_damaged_vectors_do_not_spoil_the_graphs_of_others(tmp_path: Path, make: Make) -> None:
    vectors, projection = spread(1), Projection(DIM)
    content = bytearray(make(vectors).path.read_bytes())
    content[-DIM * 2 * 100 :] = to_halves(np.full(DIM * 100, np.inf, np.float32)).tobytes()
    damaged = tmp_path / "damaged.hnsw"
    damaged.write_bytes(content)
    graph = HnswGraph(damaged, DIM, ROWS, projection=projection)
    graph.load_into_memory()
    assert graph.is_in_memory
    assert make(vectors, projection=projection).is_projected


def test_a_graph_answers_after_its_file_was_deleted(make: Make) -> None:
    vectors = spread(1)
    graph = make(vectors, projection=Projection(DIM), read_stored=lambda ids: vectors[ids - 1])
    graph.path.unlink()
    index = VectorIndex(DIM)
    index.segments = {1: graph}
    query = spread(2, 1)[0]
    assert search_index(index, query, 10, ef=300)[0].tolist() == nearest(vectors, query, 10)
    lonely = make(vectors, projection=Projection(DIM))
    lonely.path.unlink()
    with pytest.raises(OSError, match="hnsw"):
        lonely.vectors(lonely.ids[:3])


def test_a_copy_takes_over_projected_memory(make: Make) -> None:
    vectors, projection = spread(1), Projection(DIM)
    graph = make(vectors, projection=projection)
    copy = HnswGraph(graph.path, DIM, ROWS, projection=projection)
    copy.take_memory(graph)
    assert copy.is_projected
    for query in spread(2, 5):
        assert copy.search(query, 10)[0].tolist() == graph.search(query, 10)[0].tolist()
    copy.unload()
    assert not copy.is_projected


def test_a_sentence_in_two_parts_is_found_once(make: Make) -> None:
    vectors = spread(1)
    index = VectorIndex(DIM)
    index.segments = {1: make(vectors, projection=Projection(DIM))}
    index.tail.append(np.arange(50), np.arange(1, 51), vectors[:50])
    query = vectors[7]
    for _ in range(2):  # the second time from the cache
        ids, scores = search_index(index, query, 20, ef=300)
        assert ids.tolist() == nearest(vectors, query, 20)
        np.testing.assert_allclose(scores, vectors[ids - 1] @ query, atol=2e-4)
        held, rows = index.vectors(np.arange(40, 120))
        np.testing.assert_array_equal(rows, vectors[held - 1])
