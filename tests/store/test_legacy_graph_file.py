"""Reading a graph's file of an earlier version: its links are checked before hnswlib follows them."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from unittest.mock import Mock

import hnswlib
import numpy as np
import pytest

from desktop_app.store.legacy_graph_file import open_graph_file
from desktop_app.store.vector_index import HnswGraph

DIM, ROWS = 16, 600
HEADER = 96
ROW = 4 * 33 + 4 * DIM + 8  # 32 links and their number, the vector, the label
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows does not let an open file be exchanged")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("graph") / "graph.hnsw"
    index = hnswlib.Index(space="ip", dim=DIM)
    index.init_index(max_elements=ROWS, M=16, ef_construction=100, random_seed=100)
    index.add_items(np.random.default_rng(0).standard_normal((ROWS, DIM)), np.arange(ROWS) + 7, num_threads=1)
    index.save_index(str(file))
    return file.read_bytes()


def place_of_an_upper_list(content: bytes) -> int:
    """Return where the first list of links above the lowest level begins."""
    place = HEADER + ROWS * ROW
    while struct.unpack_from("<I", content, place) == (0,):
        place += 4
    return place + 4


def test_a_graph_whose_links_lead_to_rows_can_be_loaded_unverified(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "graph.hnsw"
    # A wrong number in a vector only changes the ranking.
    at = HEADER + 4 * 33
    file.write_bytes(content[:at] + struct.pack("<f", 9.0) + content[at + 4 :])
    stored = open_graph_file(file, DIM, ROWS)
    assert stored.is_legacy
    stored.check_links()
    assert stored.ids.tolist() == list(range(7, ROWS + 7))
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
        "another number of levels",
        "a level of odd length",
        "another entry",
        "another highest level",
        "another number of links",
        "a piece more",
        "a piece less",
    ],
)
def test_a_graph_with_a_link_that_leads_nowhere_is_not_loaded(content: bytes, tmp_path: Path, damage: str) -> None:
    upper = place_of_an_upper_list(content)
    low = next(row for row in range(ROWS) if is_on_lowest_level(content, row))
    numbers = {
        "a link to no row": (HEADER + ROW + 4, ROWS),
        "too many links": (HEADER + ROW, 33),
        "a deleted row": (HEADER + ROW, 1 << 16 | 4),
        "an upper link to no row": (upper + 4, ROWS),
        "too many upper links": (upper, 17),
        "an upper link to a row of the lowest level": (upper + 4, low),
        "another number of levels": (upper - 4, struct.unpack_from("<I", content, upper - 4)[0] + 68),
        "a level of odd length": (upper - 4, 67),
        "another entry": (52, low),
        "another highest level": (48, 40),
        "another number of links": (56, 17),
    }
    if damage in numbers:
        at, number = numbers[damage]
        content = content[:at] + struct.pack("<I", number) + content[at + 4 :]
    elif damage == "a piece more":
        content += b"\0\0\0\0"
    else:
        content = content[:-4]
    file = tmp_path / "graph.hnsw"
    file.write_bytes(content)
    graph = HnswGraph(file, DIM, ROWS)
    assert graph.can_be_loaded
    with pytest.raises(ValueError, match="leads nowhere"):
        graph.load_into_memory()
    assert not graph.is_in_memory
    assert not graph.can_be_loaded, "it is not tried again"
    assert len(graph.search(np.ones(DIM, np.float32), 5)[0]) == 5, "its rows are compared"


@pytest.mark.parametrize("label", [0, -1, 8], ids=["zero", "negative", "repeated"])
def test_a_graph_with_an_impossible_label_is_not_loaded(content: bytes, tmp_path: Path, label: int) -> None:
    at = HEADER + 4 * ROW + 4 * 33 + 4 * DIM
    file = tmp_path / "graph.hnsw"
    file.write_bytes(content[:at] + struct.pack("<q", label) + content[at + 8 :])
    with pytest.raises(ValueError, match="label"):
        HnswGraph(file, DIM, ROWS).load_into_memory()


@pytest.mark.parametrize("is_held", [False, pytest.param(True, marks=POSIX)])
def test_a_graph_whose_file_was_exchanged_is_not_loaded(content: bytes, tmp_path: Path, is_held: bool) -> None:
    """What was checked may be another file than hnswlib finds."""
    file, late = tmp_path / "graph.hnsw", tmp_path / "late.hnsw"
    file.write_bytes(content)
    graph = HnswGraph(file, DIM, ROWS, is_held=is_held)
    graph.check_links()
    another = content[:88] + struct.pack("<Q", 101)  # built with another width
    late.write_bytes(content if is_held else another + content[96:])
    late.replace(file)
    with pytest.raises(ValueError, match="another file"):
        graph.load_into_memory()


def test_a_verified_graph_gets_another_try(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "graph.hnsw"
    file.write_bytes(content)
    graph = HnswGraph(file, DIM, ROWS)
    with monkeypatch.context() as patch:
        patch.setattr(hnswlib, "Index", Mock(side_effect=MemoryError))
        with pytest.raises(RuntimeError, match="not enough memory"):
            graph.load_into_memory()
    assert not graph.can_be_loaded
    graph.note_verified()
    assert graph.can_be_loaded
    graph.load_into_memory()
    assert graph.is_in_memory


def is_on_lowest_level(content: bytes, wanted: int) -> bool:
    """Return whether a row has no links above the lowest level."""
    place = HEADER + ROWS * ROW
    for _ in range(wanted):
        place += 4 + struct.unpack_from("<I", content, place)[0]
    return struct.unpack_from("<I", content, place) == (0,)


def test_its_copy_in_the_current_format_has_the_same_graph(content: bytes, tmp_path: Path) -> None:
    file, copy = tmp_path / "graph.hnsw", tmp_path / "copy.hnsw"
    file.write_bytes(content)
    old = open_graph_file(file, DIM, ROWS)
    kept = np.setdiff1d(old.ids, [9, 10])
    copy.write_bytes(b"".join(old.pieces_with(None)))
    new = open_graph_file(copy, DIM, ROWS)
    assert not new.is_legacy
    assert new.ids.tolist() == old.ids.tolist()
    np.testing.assert_array_equal(new.vectors(new.ids), old.vectors(old.ids))
    new.check_links()
    graphs = [HnswGraph.load(each, DIM, ROWS) for each in (file, copy)]
    for query in new.vectors(new.ids[::60]):
        ours, theirs = (graph.search(query, 10)[0].tolist() for graph in graphs)
        assert ours == theirs
    copy.write_bytes(b"".join(old.pieces_with(kept)))
    erased = open_graph_file(copy, DIM, ROWS)
    assert not erased.vectors(np.array([9, 10])).any()
    np.testing.assert_array_equal(erased.vectors(kept), old.vectors(kept))
