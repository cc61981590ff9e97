"""The parts of the index: exact rows, sealed graphs, and both together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.store.database import Database
from desktop_app.store.index_segment_builder import BuildRequest, build_segment
from desktop_app.store.migrations import migrate
from desktop_app.store.vector_index import ExactRows, HnswGraph, VectorIndex, select_best

from .helpers import search_index, stored_bytes, stored_unit

Rows2D = NDArray[np.float32]


def clustered(rows: int, dim: int, seed: int = 5) -> Rows2D:
    """Vectors distributed like those of sentences: topics of very different size, none of them isolated."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((300, dim))
    topic = np.minimum(rng.geometric(0.01, rows) - 1, 299)
    return stored_unit(centres[topic] * 0.7 + rng.standard_normal((rows, dim)) * rng.uniform(0.4, 1.2, (rows, 1)))


def graph_of(folder: Path, vectors: Rows2D, ids: NDArray[np.int64]) -> HnswGraph:
    """Build a segment from a database, like the child process."""
    database = Database(folder / "library.db", writable=True)
    migrate(database)
    with database.write_transaction() as connection:
        connection.exec_driver_sql(
            "INSERT INTO model (id, fingerprint, name, dim, max_length, pooling, normalised, folder, current)"
            " VALUES (1, 'f', 'n', 0, 0, 'mean', 1, x'', 1)"
        )
        connection.exec_driver_sql(
            "INSERT INTO sentence (id, hash, text) VALUES (?, ?, '')",
            [(int(i), int(i).to_bytes(16, "big")) for i in ids],
        )
        connection.exec_driver_sql(
            "INSERT INTO embedding (id, sentence_id, model_id, vector) VALUES (?, ?, 1, ?)",
            [(at + 1, int(i), stored_bytes(row)) for at, (i, row) in enumerate(zip(ids, vectors, strict=True))],
        )
    database.close()
    file = folder / "segment.hnsw"
    built = build_segment(BuildRequest(folder / "library.db", 1, vectors.shape[1], 1, len(ids), file))
    assert built.rows == len(ids)
    return HnswGraph.load(file, vectors.shape[1], len(ids))


def exact(vectors: Rows2D, ids: NDArray[np.int64], query: Rows2D, top_k: int) -> list[int]:
    scores = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).astype(np.float32)
    return ids[np.lexsort((ids, -scores))][:top_k].tolist()


def test_best_of_orders_equal_scores_by_id_at_the_cut_too() -> None:
    ids = np.array([9, 4, 7, 1, 3])
    scores = np.array([0.5, 0.5, 0.9, 0.5, 0.1], np.float32)
    assert select_best(ids, scores, 3)[0].tolist() == [7, 1, 4]
    assert select_best(ids, scores, 99)[0].tolist() == [7, 1, 4, 9, 3]


def test_rows_are_added_and_removed() -> None:
    rng = np.random.default_rng(1)
    vectors, ids = stored_unit(rng.standard_normal((5000, 16))), rng.permutation(9000)[:5000]
    rows = ExactRows(16)
    for at in range(0, 5000, 70):
        rows.append(np.arange(at, min(at + 70, 5000)), ids[at : at + 70], vectors[at : at + 70])
    query = vectors[17]
    assert rows.search(query, 10)[0].tolist() == exact(vectors, ids, query, 10)
    np.testing.assert_array_equal(rows.vectors(ids[[4999, 3, 70]]), vectors[[4999, 3, 70]])
    keep = np.arange(5000) % 3 > 0
    rows.keep(keep)
    assert len(rows) == keep.sum()
    assert rows.search(query, 10)[0].tolist() == exact(vectors[keep], ids[keep], query, 10)
    assert rows.contains(ids).tolist() == keep.tolist()
    rows.append(np.array([5000]), np.array([9001]), query[None])
    assert rows.search(query, 1)[0].tolist() == [9001 if not keep[17] else min(9001, ids[17])]


def test_a_graph_returns_at_most_as_many_rows_as_it_has(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    vectors, ids = stored_unit(rng.standard_normal((700, 16))), rng.permutation(5000)[:700]
    graph = graph_of(tmp_path, vectors, ids)
    query = stored_unit(rng.standard_normal(16))
    for top_k in (1, 100, 140, 141, 699, 700, 5000):
        found, scores = graph.search(query, top_k)
        assert len(set(found.tolist())) >= min(top_k, 700)
        np.testing.assert_allclose(scores, [vectors[np.flatnonzero(ids == i)[0]] @ query for i in found], atol=1e-5)
    assert select_best(*graph.search(query, 700), 700)[0].tolist() == exact(vectors, ids, query, 700)


def test_a_graph_returns_its_vectors_with_and_without_its_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    vectors, ids = stored_unit(rng.standard_normal((900, 24))), rng.permutation(5000)[:900]
    stored = dict(zip(ids.tolist(), vectors, strict=True))
    graph_of(tmp_path, vectors, ids)
    graph = HnswGraph(
        tmp_path / "segment.hnsw",
        24,
        900,
        read_stored=lambda asked: np.stack([stored[each] for each in asked.tolist()]),
    )
    graph.load_into_memory()
    at = rng.permutation(900)[:333]
    np.testing.assert_array_equal(graph.vectors(ids[at]), vectors[at])
    np.testing.assert_array_equal(graph.vectors(ids), vectors)
    file = tmp_path / "segment.hnsw"
    content = file.read_bytes()
    for damage in (content[: len(content) // 2], b"\xff" * 3000 + content[3000:], None):
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(damage)
        np.testing.assert_array_equal(graph.vectors(ids[at]), vectors[at])
        assert select_best(*graph.search(vectors[3], 5), 5)[0].tolist() == exact(vectors, ids, vectors[3], 5)


def test_a_graph_that_is_not_in_memory_compares_every_row(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    vectors, ids = stored_unit(rng.standard_normal((1100, 24))), rng.permutation(5000)[:1100]
    graph_of(tmp_path, vectors, ids)
    graph = HnswGraph(tmp_path / "segment.hnsw", 24, 1100)
    for query in stored_unit(rng.standard_normal((5, 24))):
        assert graph.search(query, 40)[0].tolist() == exact(vectors, ids, query, 40)
    assert not graph.is_in_memory
    np.testing.assert_array_equal(graph.vectors(ids[:70]), vectors[:70])
    np.testing.assert_array_equal(graph.vectors(ids[:7]), vectors[:7])


def test_a_file_that_is_no_valid_graph_is_not_loaded(tmp_path: Path) -> None:
    vectors = clustered(300, 16)
    graph_of(tmp_path, vectors, np.arange(1, 301))
    with pytest.raises(ValueError, match="rows"):
        HnswGraph.load(tmp_path / "segment.hnsw", 16, 299)


def test_equal_vectors_have_equal_scores_in_every_part(tmp_path: Path) -> None:
    vectors = clustered(600, 24)
    vectors[300:] = vectors[:300]
    index = VectorIndex(24)
    index.segments[1] = graph_of(tmp_path, vectors[:300], np.arange(1, 301))
    index.tail.append(np.arange(300), np.arange(301, 601), vectors[300:])
    _, scores = index.scores(vectors[0], np.arange(1, 601))
    by_id = dict(zip(*(part.tolist() for part in index.scores(vectors[0], np.arange(1, 601))), strict=True))
    assert all(by_id[i] == by_id[i + 300] for i in range(1, 301))
    assert np.all(np.diff(scores) <= 0)


def test_parts_are_merged(tmp_path: Path) -> None:
    vectors, ids = clustered(3000, 32), np.arange(1, 3001)
    index = VectorIndex(32)
    assert search_index(index, vectors[0], 5)[0].tolist() == []
    for at in range(2):
        folder = tmp_path / str(at)
        folder.mkdir()
        index.segments[at] = graph_of(folder, vectors[at * 1000 : at * 1000 + 1000], ids[at * 1000 : at * 1000 + 1000])
    index.tail.append(ids[2000:], ids[2000:], vectors[2000:])
    assert len(index) == 3000
    for query in vectors[::500]:
        assert search_index(index, query, 3000)[0].tolist() == exact(vectors, ids, query, 3000)
        assert index.search_among(query, ids[::7], 20)[0].tolist() == exact(vectors[::7], ids[::7], query, 20)
    held, rows = index.vectors(np.array([2500, 99999, 3, 1500]))
    np.testing.assert_array_equal(rows, vectors[held - 1])
    assert set(held.tolist()) == {2500, 3, 1500}


def test_each_sentence_is_read_once_even_if_the_index_changes_meanwhile(tmp_path: Path) -> None:
    vectors, ids = clustered(300, 16), np.arange(1, 301)
    index = VectorIndex(16)
    index.segments[1] = graph_of(tmp_path, vectors[:200], ids[:200])
    newer = clustered(120, 16, seed=6)
    index.tail.append(ids[:120], np.arange(181, 301), newer)  # twenty sentences have got another vector
    pieces = index.sentences(50)
    read = [next(pieces)]
    index.tail.keep(index.tail.ids > 290)
    index.tail.append(np.array([400]), np.array([400]), vectors[:1])
    read += pieces
    assert max(len(some) for some, _ in read) == 50
    held, rows = (np.concatenate(each) for each in zip(*read, strict=True))
    assert sorted(held.tolist()) == ids.tolist()
    expected = np.concatenate([vectors[:180], newer])
    np.testing.assert_allclose(rows, expected[held - 1], atol=1e-3)


class Sealed:
    """A part that answers like a graph with full recall, and records its requests."""

    def __init__(self, ids: NDArray[np.int64], vectors: Rows2D) -> None:
        self._rows = ExactRows(vectors.shape[1])
        self._rows.append(ids, ids, vectors)
        self.ids = self._rows.ids
        self.asked: list[int] = []
        self.gathered = 0

    def __len__(self) -> int:
        return len(self._rows)

    def contains(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._rows.contains(ids)

    def vectors(self, ids: NDArray[np.int64]) -> Rows2D:
        self.gathered += len(ids)
        return self._rows.vectors(ids)

    def search(self, query: Rows2D, top_k: int, ef: int = 0) -> tuple[NDArray[np.int64], Rows2D]:
        self.asked.append(top_k)
        return self._rows.search(query, top_k)


@pytest.mark.parametrize("top_k", [1, 10, 100, 500, 2999, 3000, 9000])
def test_a_part_with_most_of_the_best_rows_is_searched_deeper(top_k: int) -> None:
    rng = np.random.default_rng(11)
    vectors, ids = stored_unit(rng.standard_normal((3000, 16))), rng.permutation(3000)
    query = stored_unit(rng.standard_normal(16))
    by_score = np.argsort(-(vectors @ query))
    index = VectorIndex(16)
    # All the nearest are in one part, as sentences on one subject are in one document.
    for number in range(6):
        rows = by_score[500 * number : 500 * (number + 1)]
        index.segments[number] = Sealed(ids[rows], vectors[rows])  # type: ignore[assignment]
    found, scores = search_index(index, query, top_k)
    assert found.tolist() == exact(vectors, ids, query, top_k)
    np.testing.assert_allclose(scores, np.sort(vectors @ query)[::-1][:top_k], atol=1e-6)
    if top_k == 500:
        asked = [part.asked for part in index.segments.values()]  # type: ignore[attr-defined]
        assert asked[0][-1] == 500
        assert [len(each) for each in asked[1:]] == [1] * 5, "parts that have nothing more are not searched again"
        assert max(each[0] for each in asked) <= 200


def test_a_segment_has_high_recall(tmp_path: Path) -> None:
    """Recall@10 of at least 0.98 with 384 dimensions; a segment of 5,000 keeps the test short (50,000: slow)."""
    assert recall(tmp_path, 5_000) >= 0.98


@pytest.mark.slow
def test_a_full_segment_has_high_recall(tmp_path: Path) -> None:
    assert recall(tmp_path, 50_000) >= 0.98


def recall(folder: Path, rows: int) -> float:
    vectors = clustered(rows + 200, 384)
    queries, vectors = vectors[rows:], vectors[:rows]
    ids = np.arange(1, rows + 1)
    graph = graph_of(folder, vectors, ids)
    hits = [
        len(set(select_best(*graph.search(query, 10), 10)[0].tolist()) & set(exact(vectors, ids, query, 10)))
        for query in queries
    ]
    return sum(hits) / (10 * len(queries))


class TestGathering:
    def rows(self) -> tuple[VectorIndex, NDArray[np.int64], Rows2D]:
        rng = np.random.default_rng(4)
        vectors, ids = stored_unit(rng.standard_normal((6000, 8))), rng.permutation(9000)[:6000]
        index = VectorIndex(8)
        index.segments[1] = Sealed(ids[:3000], vectors[:3000])  # type: ignore[assignment]
        index.tail.append(np.arange(3000), ids[3000:], vectors[3000:])
        return index, ids, vectors

    def test_rows_match_their_ids_on_every_request(self) -> None:
        index, ids, vectors = self.rows()
        row_of = {int(i): row for i, row in zip(ids, vectors, strict=True)}
        rng = np.random.default_rng(8)
        for count in (1, 500, 900, 1000, 3000, 700, 900, 1000, 1000):
            asked = rng.permutation(9000)[:count]
            found, rows = index.vectors(asked)
            assert sorted(found.tolist()) == sorted(set(asked.tolist()) & set(row_of))
            np.testing.assert_array_equal(rows, np.array([row_of[i] for i in found.tolist()]))

    def test_a_part_is_read_once_for_one_search(self) -> None:
        index, ids, vectors = self.rows()
        part = index.segments[1]
        for _ in range(3):
            index.scores(vectors[0], ids[2900:3100])
        assert part.gathered == 100  # type: ignore[attr-defined]

    def test_erased_rows_are_not_found(self) -> None:
        index, ids, _ = self.rows()
        asked = np.array([ids[2999], ids[3000], ids[5000]])
        index.vectors(asked)
        index.tail.keep(index.tail.ids != ids[5000])
        assert set(index.vectors(asked)[0].tolist()) == {ids[2999], ids[3000]}
        del index.segments[1]
        assert index.vectors(asked)[0].tolist() == [ids[3000]]
        index.clear_vector_cache()
        assert index.vectors(asked)[0].tolist() == [ids[3000]]


def test_a_parallel_search_equals_a_sequential_one() -> None:
    rng = np.random.default_rng(9)
    vectors, ids = stored_unit(rng.standard_normal((4000, 16))), rng.permutation(4000)
    with ThreadPoolExecutor(1) as helper:
        index = VectorIndex(16, helper)
        for at in range(0, 4000, 100):
            index.segments[at] = Sealed(ids[at : at + 100], vectors[at : at + 100])  # type: ignore[assignment]
        for query in stored_unit(rng.standard_normal((20, 16))):
            assert search_index(index, query, 50)[0].tolist() == exact(vectors, ids, query, 50)


def test_a_part_that_fails_fails_the_search() -> None:
    rng = np.random.default_rng(9)
    vectors = stored_unit(rng.standard_normal((300, 16)))
    helper = ThreadPoolExecutor(1)
    index = VectorIndex(16, helper)
    for at in range(0, 300, 100):
        index.segments[at] = Sealed(np.arange(at, at + 100), vectors[at : at + 100])  # type: ignore[assignment]

    def damaged(*_: object) -> tuple[NDArray[np.int64], Rows2D]:
        raise OSError("a disk that went")

    for part in index.segments.values():
        held, part.search = part.search, damaged  # type: ignore[method-assign]
        with pytest.raises(OSError, match="a disk"):
            search_index(index, vectors[0], 10)
        part.search = held  # type: ignore[method-assign]
    assert search_index(index, vectors[7], 1)[0].tolist() == [7]
    helper.shutdown()
