"""The file of a graph: what was written is read, and its links are checked before hnswlib follows them."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from unittest.mock import Mock

import hnswlib
import numpy as np
import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import run_to_completion
from desktop_app.store import graph_file
from desktop_app.store.graph_file import GraphFile, graph_pieces
from desktop_app.store.vector_index import HnswGraph

from .helpers import stored_unit

DIM, ROWS, M = 16, 600, 16
HEADER = 64
TOP, ENTRY = 28, 32  # places in the header
LEVELS = HEADER + 8 * ROWS
LISTS = LEVELS + ROWS
VECTORS = 2 * DIM * ROWS  # bytes at the end of the file
LINKS = 2 * (1 + 2 * M) * ROWS  # bytes before these
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows does not let an open file be exchanged")


@pytest.fixture(scope="module")
def built() -> hnswlib.Index:
    index = hnswlib.Index(space="ip", dim=DIM)
    index.init_index(max_elements=ROWS, M=M, ef_construction=100, random_seed=100)
    vectors = stored_unit(np.random.default_rng(0).standard_normal((ROWS, DIM)))
    index.add_items(vectors, np.arange(ROWS)[::-1] + 7, num_threads=1)
    return index


@pytest.fixture(scope="module")
def content(built: hnswlib.Index) -> bytes:
    return b"".join(graph_pieces(built))


@pytest.fixture
def file(content: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "graph.hnsw"
    file.write_bytes(content)
    return file


def test_a_graph_is_read_as_it_was_built(built: hnswlib.Index, content: bytes, file: Path) -> None:
    stored = GraphFile(file, DIM, ROWS)
    stored.check_links()
    assert stored.ids.tolist() == list(range(7, ROWS + 7))
    vectors = np.asarray(built.get_items(stored.ids), np.float32)
    for ids in (stored.ids, stored.ids[::-1], stored.ids[5:8], stored.ids[::7]):
        np.testing.assert_array_equal(stored.vectors(ids), vectors[ids - 7])
    labels, scores = stored.compare(vectors[3])
    np.testing.assert_allclose(scores, vectors[labels - 7] @ vectors[3], atol=1e-6)
    index, _ = run_to_completion(stored.load_steps())
    built.set_ef(50)
    index.set_ef(50)
    for ours, theirs in zip(index.knn_query(vectors, 10), built.knn_query(vectors, 10), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert b"".join(graph_pieces(index)) == content
    assert len(content) / ROWS < 1.1 * (2 * DIM + 2 * 33 + 9), "vectors and links take two bytes a number"


def test_a_graph_in_memory_has_no_table_of_labels(file: Path) -> None:
    index, _ = run_to_completion(GraphFile(file, DIM, ROWS).load_steps())
    assert len(index.get_ids_list()) == 1, "a table of 50,000 labels takes two megabytes"


def test_a_copy_has_no_vectors_of_erased_rows(file: Path, tmp_path: Path) -> None:
    stored, copy = GraphFile(file, DIM, ROWS), tmp_path / "copy.hnsw"
    assert b"".join(stored.pieces_with(None)) == file.read_bytes()
    kept = stored.ids[::2]
    copy.write_bytes(b"".join(stored.pieces_with(kept)))
    copied = GraphFile(copy, DIM, ROWS)
    copied.check_links()
    np.testing.assert_array_equal(copied.vectors(kept), stored.vectors(kept))
    assert not copied.vectors(stored.ids[1::2]).any()


def test_a_wrong_number_in_a_vector_only_changes_the_ranking(content: bytes, file: Path) -> None:
    file.write_bytes(content[:-2] + struct.pack("<e", 9.0))
    graph = HnswGraph(file, DIM, ROWS)
    graph.load_into_memory()
    assert graph.is_in_memory


@pytest.mark.parametrize(
    "damage",
    [
        "a link to no row",
        "too many links",
        "a deleted row",
        "an upper link to no row",
        "too many upper links",
        "an upper link to a row of the lowest level",
        "another level",
        "another entry",
        "another highest level",
    ],
)
def test_a_graph_with_a_link_that_leads_nowhere_is_not_loaded(content: bytes, file: Path, damage: str) -> None:
    links = len(content) - VECTORS - LINKS
    levels = content[LEVELS:LISTS]
    low, high = levels.index(0), next(row for row, level in enumerate(levels) if level)
    place, kind, number = {
        "a link to no row": (links + 2, "<H", ROWS),
        "too many links": (links, "<H", 33),
        "a deleted row": (links, "<H", 1 << 15 | 4),
        "an upper link to no row": (LISTS + 2, "<H", ROWS),
        "too many upper links": (LISTS, "<H", 17),
        "an upper link to a row of the lowest level": (LISTS + 2, "<H", low),
        "another level": (LEVELS + high, "B", levels[high] + 1),
        "another entry": (ENTRY, "<I", low),
        "another highest level": (TOP, "<I", 40),
    }[damage]
    changed = bytearray(content)
    struct.pack_into(kind, changed, place, number)
    file.write_bytes(changed)
    graph = HnswGraph(file, DIM, ROWS)
    assert graph.can_be_loaded
    with pytest.raises(ValueError, match="leads nowhere"):
        graph.load_into_memory()
    assert not graph.is_in_memory
    assert not graph.can_be_loaded, "it is not tried again"
    assert len(graph.search(np.ones(DIM, np.float32), 5)[0]) == 5, "its rows are compared"


@pytest.mark.parametrize("size", [-4, 4, -VECTORS, 40 - 10**6], ids=["less", "more", "no vectors", "no header"])
def test_a_file_of_another_size_is_refused(content: bytes, file: Path, size: int) -> None:
    file.write_bytes(content + bytes(size) if size > 0 else content[:size] or content[:40])
    with pytest.raises(ValueError, match=r"unknown way|too short"):
        GraphFile(file, DIM, ROWS)


@pytest.mark.parametrize(("place", "rows"), [(8, ROWS), (12, ROWS), (16, ROWS), (24, ROWS)])
def test_a_file_with_another_header_is_refused(content: bytes, file: Path, place: int, rows: int) -> None:
    file.write_bytes(content[:place] + b"\x07" + content[place + 1 :])
    with pytest.raises(ValueError, match=r"unknown way|rows instead"):
        GraphFile(file, DIM, rows)


def test_a_graph_with_other_labels_is_not_read(content: bytes, file: Path) -> None:
    file.write_bytes(content[:HEADER] + struct.pack("<q", 9000) + content[HEADER + 8 :])
    graph = HnswGraph(file, DIM, ROWS)
    for read in (graph.load_into_memory, graph.read_ids, lambda: graph.search(np.ones(DIM, np.float32), 5)):
        with pytest.raises(ValueError, match="other rows"):
            read()


@pytest.mark.parametrize("label", [0, -1, 8], ids=["zero", "negative", "repeated"])
def test_a_graph_with_an_impossible_label_is_not_loaded(label: int, tmp_path: Path) -> None:
    index = hnswlib.Index(space="ip", dim=DIM)
    index.init_index(max_elements=3, M=M, ef_construction=100, random_seed=100)
    index.add_items(stored_unit(np.random.default_rng(0).standard_normal((3, DIM))), [7, 8, 9], num_threads=1)
    (state,) = index.__getstate__()
    state["data_level0"][-8:].view("<i8")[:] = label
    index = Mock(__getstate__=lambda _: (state,))
    file = tmp_path / "graph.hnsw"
    file.write_bytes(b"".join(graph_pieces(index)))
    with pytest.raises(ValueError, match="label"):
        HnswGraph(file, DIM, 3).load_into_memory()


@pytest.mark.parametrize("is_held", [False, pytest.param(True, marks=POSIX)])
def test_a_graph_whose_file_was_exchanged_is_not_loaded(content: bytes, file: Path, is_held: bool) -> None:
    late = file.with_name("late.hnsw")
    graph = HnswGraph(file, DIM, ROWS, is_held=is_held)
    graph.check_links()
    late.write_bytes(content if is_held else content[:36] + struct.pack("<I", 101) + content[40:])
    late.replace(file)
    with pytest.raises(ValueError, match="another file"):
        graph.load_into_memory()
    if not is_held:
        with pytest.raises(ValueError, match="other rows"):
            graph.vectors(graph.ids[:3])


def test_a_graph_is_loaded_step_by_step(file: Path) -> None:
    graph = HnswGraph(file, DIM, ROWS)
    steps = graph.load_steps()
    next(steps)
    assert not graph.is_in_memory
    assert len(graph.search(np.ones(DIM, np.float32), 5)[0]) == 5, "its rows are compared"
    steps.close()
    for _ in range(2):
        steps = graph.load_steps()
        next(steps)
        with pytest.raises(Cancelled):
            steps.throw(Cancelled())
    assert graph.can_be_loaded, "a cancelled job says nothing about the file"
    assert len(list(graph.load_steps())) > 1
    assert graph.is_in_memory
    assert not list(graph.load_steps())


def test_graphs_of_several_sizes_are_loaded_one_after_the_other(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    loaded: list[tuple[HnswGraph, np.ndarray]] = []
    for number, (rows, dim) in enumerate(((300, 16), (200, 16), (400, 16), (350, 8), (400, 16))):
        index = hnswlib.Index(space="ip", dim=dim)
        index.init_index(max_elements=rows, M=M, ef_construction=100, random_seed=100)
        vectors = stored_unit(rng.standard_normal((rows, dim)))
        index.add_items(vectors, np.arange(rows) + 1, num_threads=1)
        file = tmp_path / f"{number}.hnsw"
        file.write_bytes(b"".join(graph_pieces(index)))
        graph = HnswGraph(file, dim, rows)
        run_to_completion(graph.load_steps(more_follow=True))
        loaded.append((graph, vectors))
    graph_file.release_spare_memory()
    for graph, vectors in loaded:
        for row in range(0, len(vectors), 50):
            ids, scores = graph.search(vectors[row], 5)
            assert ids[0] == row + 1
            np.testing.assert_allclose(scores, vectors[ids - 1] @ vectors[row], atol=1e-6)


def test_a_graph_for_which_there_is_not_enough_memory_is_not_tried_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = HnswGraph(file, DIM, ROWS)
    monkeypatch.setattr(hnswlib.Index, "__setstate__", Mock(side_effect=MemoryError))
    with pytest.raises(RuntimeError, match="not enough memory"):
        graph.load_into_memory()
    assert not graph.can_be_loaded
    assert len(graph.search(np.ones(DIM, np.float32), 5)[0]) == 5, "its rows are compared"


def test_many_rows_have_longer_links(tmp_path: Path) -> None:
    rows, dim = 70_000, 2
    index = hnswlib.Index(space="ip", dim=dim)
    index.init_index(max_elements=rows, M=2, ef_construction=2, random_seed=100)
    angles = np.random.default_rng(0).uniform(0, 7, rows)
    index.add_items(np.stack([np.cos(angles), np.sin(angles)], 1), np.arange(rows) + 1, num_threads=1)
    file = tmp_path / "graph.hnsw"
    file.write_bytes(b"".join(graph_pieces(index)))
    stored = GraphFile(file, dim, rows)
    stored.check_links()
    assert b"".join(graph_pieces(run_to_completion(stored.load_steps())[0])) == file.read_bytes()
