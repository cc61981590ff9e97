"""The file of a sealed graph: its labels, its links, and its vectors in half precision.

The vectors are a block of their own: a search that compares them all reads hardly anything else. A row takes 0.85 KB
(of 384 dimensions), half of what hnswlib's own file takes. For a search along the links, `load_steps` gives hnswlib
what it has in memory. Files of earlier versions of the program are read by `legacy_graph_file.py`.

After the header: labels int64 [rows]; the level of each row, uint8 [rows]; for each row and each of its levels above
the lowest a list of links [1 + M], the number of links first; for each row its list on the lowest level [1 + 2 M]; and
the vectors float16 [rows, dim]. Links are numbers of rows: uint16 where that is enough, otherwise uint32.
"""

from __future__ import annotations

import hashlib
import os
import struct
import weakref
from contextlib import contextmanager
from functools import lru_cache
from io import FileIO
from typing import TYPE_CHECKING, Any, NamedTuple

import hnswlib
import numpy as np

from desktop_app.store.half_vectors import HALF, to_halves, widen
from desktop_app.store.memory_in_steps import make_room, touch_memory
from desktop_app.store.projection import MIN_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.jobs import Steps
    from desktop_app.store.projection import Projection

    Links = NDArray[np.uint16] | NDArray[np.uint32]

MAGIC = b"KINDgrph"
_VERSION = 1
_HEADER = struct.Struct("<8s 2I Q 4I Q 16s")  # see `_Head`
HIGHEST_LEVEL = 64  # of a graph; each level has a sixteenth of the rows of the one below
COUNT_BITS = 0xFFFF  # of a list's first number: how many links follow; those above mark deleted rows (here: none)
BLOCK_BYTES = 8_000_000
SCANNED_BYTES = 500_000  # read, widened and multiplied at once: so many stay in the processor's cache in between
_FEW = 64
_PIECES_A_STEP = 4  # pieces of SCANNED_BYTES that are projected
_SAMPLE_ROWS = 16_384  # of which a projection is learned
_SAMPLE_PIECES = 16
_SEED = 100
_spare: list[NDArray[Any]] = []  # the memory that the last graph was loaded with, while more are loaded

# One system call instead of two, where available.
_read_at: Any = getattr(os, "preadv", None)
_pread: Any = getattr(os, "pread", None)


class _Head(NamedTuple):
    """What the header says; `digest` is that of the labels."""

    magic: bytes
    version: int
    dim: int
    rows: int
    most: int  # hnswlib's M: links of a row on a level; twice as many on the lowest one
    top: int
    entry: int
    width: int  # of a search while the graph was built
    lists: int
    digest: bytes


class GraphFile:
    """The rows of a segment's file, in insertion order.

    The file is opened for each read, so that it can be deleted at any time on every system.

    Args:
        file: the file.
        dim: length of a vector.
        rows: the number of rows.
        is_held: keep it open instead: reads are faster, and another process may delete it, if the system allows it.

    Raises:
        OSError: it cannot be read.
        ValueError: its layout is unknown.

    Attributes:
        rows: the number of rows.
        is_legacy: whether an earlier version of the program wrote it, in another format.
    """

    is_legacy = False
    _head_bytes = _HEADER.size

    def __init__(self, file: Path, dim: int, rows: int, *, is_held: bool = False) -> None:
        self._file = file
        self._held: int | None = None
        if is_held:
            self._held = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, self._held)
        with file.open("rb") as stream:
            self._content = stream.read(self._head_bytes)
            end = stream.seek(0, 2)
        if len(self._content) < self._head_bytes:
            raise ValueError("the file is too short")
        self._dim = dim
        self.rows = rows
        self._by_label: tuple[Ids, NDArray[np.uint16] | NDArray[np.uint32]] | None = None
        self._read_layout(end)

    def _read_layout(self, end: int) -> None:
        """Take the layout from the header, and check that it fits a file of `end` bytes."""
        self._head = head = _Head(*_HEADER.unpack(self._content))
        if head.rows != self.rows:
            raise ValueError(f"{head.rows} rows instead of {self.rows}")
        self._link = _link_type(head.rows)
        self._levels_at = _HEADER.size + 8 * head.rows
        self._lists_at = self._levels_at + head.rows
        self._links_at = self._lists_at + head.lists * (1 + head.most) * self._link.itemsize
        self._rows_at = self._links_at + head.rows * (1 + 2 * head.most) * self._link.itemsize
        self._row = np.dtype((HALF, self._dim))
        is_known = (head.magic, head.version, head.dim) == (MAGIC, _VERSION, self._dim) and head.most > 0
        if not is_known or end != self._rows_at + head.rows * self._row.itemsize:
            raise ValueError("the file is laid out in an unknown way")

    @contextmanager
    def _open(self) -> Iterator[FileIO]:
        with FileIO(self._file if self._held is None else self._held, closefd=self._held is None) as stream:
            yield stream

    # Labels

    @property
    def ids(self) -> Ids:
        """The labels of all rows, int64 [n], ascending."""
        return self._labels()[0]

    def _labels(self) -> tuple[Ids, NDArray[np.uint16] | NDArray[np.uint32]]:
        """Return the labels in ascending order and the row of each; reads the file once."""
        if self._by_label is None:
            self._sort_labels(self._read_labels())
        assert self._by_label is not None, "just set"
        return self._by_label

    def _sort_labels(self, labels: Ids) -> None:
        order = np.argsort(labels, kind="stable")
        self._by_label = labels[order], order.astype(_link_type(self.rows))

    def _read_labels(self) -> Ids:
        """Return the labels in the order of the rows, int64 [n]."""
        with self._open() as stream:
            labels = np.frombuffer(self._read(stream, _HEADER.size, 8 * self.rows), "<i8").astype(np.int64)
        if _digest(labels) != self._head.digest:
            raise ValueError("the file has other rows than it had")
        return labels

    # Vectors

    def compare(self, query: Vectors) -> tuple[Ids, Vectors]:
        """Return the label of each row and its product with a vector float32 [dim]: int64 and float32 [n].

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels, scores = self._read_labels(), np.empty(self.rows, np.float32)
        step = max(1, SCANNED_BYTES // self._row.itemsize)
        wide = np.empty((min(step, self.rows), self._dim), np.float32)
        for at, halves in self._read_all(step):
            some = widen(halves, wide[: len(halves)])
            np.matmul(some, query, out=scores[at : at + len(some)])
        if self._by_label is None:
            self._sort_labels(labels)
        return labels, scores

    def vectors(self, ids: Ids) -> Vectors:
        """Return the vectors of `ids` (any order, all of them present): float32 [len(ids), dim].

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels, rows = self._labels()
        at = rows[np.minimum(np.searchsorted(labels, ids), len(labels) - 1)].astype(np.int64)
        if len(ids) <= _FEW:
            return self._read_few(ids, at)
        if is_in_order := bool((at[1:] > at[:-1]).all()):
            order, wanted = np.arange(len(at)), at
        else:
            order = np.argsort(at, kind="stable")
            wanted = at[order]
        found = np.empty((len(ids), self._dim), np.float32)
        step = max(1, BLOCK_BYTES // self._row.itemsize)
        with self._open() as stream:
            self._check_head(stream)
            for first in range(0, len(wanted), step):
                got, here = self._gather(stream, wanted[first : first + step]), order[first : first + step]
                if is_in_order and len(got) == len(ids):
                    return self._vectors_of(got, ids)
                found[here] = self._vectors_of(got, ids[here])
        return found

    def _check_head(self, stream: FileIO) -> None:
        """Check that the file has the rows that it had: their vectors say nothing of it.

        Nobody overwrites a file that is held: another one takes its place.
        """
        if self._held is None and self._read(stream, 0, len(self._content)) != self._content:
            raise ValueError("the file has other rows than it had")

    def _vectors_of(self, got: NDArray[Any], ids: Ids) -> Vectors:
        """Return the vectors of rows that were read, those of `ids`."""
        return widen(got)

    def _read_few(self, ids: Ids, at: Ids) -> Vectors:
        """Return the vectors of `ids` in the rows `at`: a search reads some of each of twenty files."""
        size = self._row.itemsize
        places = [self._rows_at + row * size for row in at.tolist()]
        with self._open() as stream:
            self._check_head(stream)
            if _pread is not None:
                number = stream.fileno()
                content = b"".join([_pread(number, size, place) for place in places])
            else:
                content = b"".join([self._read(stream, place, size) for place in places])
        if len(content) != size * len(places):
            raise ValueError("the file is shorter than it was")
        return self._vectors_of(np.frombuffer(content, self._row.base).reshape(len(ids), *self._row.shape), ids)

    def _gather(self, stream: FileIO, rows: Ids) -> NDArray[Any]:
        """Return rows of the file, given in ascending order; consecutive rows are read together.

        A search asks for a thousand scattered rows: each costs a few microseconds, without an array of its own.
        """
        got = np.empty(len(rows), self._row)
        size, room = self._row.itemsize, _bytes_of(got)
        starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        places = (self._rows_at + rows[starts] * size).tolist()
        ends = [*(starts[1:] * size).tolist(), len(rows) * size]
        at = 0
        for place, end in zip(places, ends, strict=True):
            self._fill(stream, room[at:end], place)
            at = end
        return got

    def _read_all(self, step: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield all rows, `step` at a time, with the number of the first; the next piece overwrites one."""
        room = np.empty(min(step, self.rows), self._row)
        with self._open() as stream:
            stream.seek(self._rows_at)
            for at in range(0, self.rows, step):
                piece = room[: self.rows - at]
                if stream.readinto(_bytes_of(piece)) != piece.nbytes:
                    raise ValueError("the file is shorter than it was")
                yield at, piece

    @staticmethod
    def _fill(stream: FileIO, room: memoryview, place: int) -> None:
        """Fill a buffer from a place in the file."""
        if _read_at is not None:
            count = _read_at(stream.fileno(), [room], place)
        else:
            stream.seek(place)
            count = stream.readinto(room)
        if count != len(room):
            raise ValueError("the file is shorter than it was")

    def _read(self, stream: FileIO, place: int, size: int) -> bytearray:
        """Return `size` bytes from a place in the file."""
        content = bytearray(size)
        if size:
            self._fill(stream, memoryview(content), place)
        return content

    # Links

    def check_links(self) -> None:
        """Follow all links, and read the labels on the way.

        hnswlib does not look where a link leads: in a damaged file, outside its memory. It can search a graph that
        passes this check, whatever else in the file is wrong.

        Raises:
            OSError: the file is gone.
            ValueError: a link leads nowhere, a label is impossible, or the file is laid out in an unknown way.
        """
        labels = self._read_labels()
        head = self._head
        with self._open() as stream:
            levels, lists, links = self._read_levels(stream), self._read_lists(stream), self._read_links(stream)
        is_sound = (
            head.top <= HIGHEST_LEVEL
            and head.entry < self.rows
            and lead_to_rows(links, self.rows)
            and are_upper_links_sound(levels, lists, head.top, head.entry)
        )
        if not is_sound:
            raise ValueError("a link leads nowhere")
        self._keep_checked_labels(labels)

    def _keep_checked_labels(self, labels: Ids) -> None:
        self._sort_labels(labels)
        if self.ids[0] < 1 or (np.diff(self.ids) == 0).any():
            raise ValueError("a label is impossible")

    def _read_levels(self, stream: FileIO) -> NDArray[np.uint8]:
        return np.frombuffer(self._read(stream, self._levels_at, self.rows), np.uint8)

    def _read_lists(self, stream: FileIO) -> Links:
        size = self._links_at - self._lists_at
        return np.frombuffer(self._read(stream, self._lists_at, size), self._link).reshape(-1, 1 + self._head.most)

    def _read_links(self, stream: FileIO) -> Links:
        size = self._rows_at - self._links_at
        return np.frombuffer(self._read(stream, self._links_at, size), self._link).reshape(self.rows, -1)

    def check_path(self) -> None:
        """Check that the path still leads to the file that was opened, for those who open it themselves.

        Raises:
            OSError: the file is gone.
            ValueError: the path leads to another file.
        """
        with self._file.open("rb") as stream:
            is_same = stream.read(self._head_bytes) == self._content
            if self._held is not None:
                is_same = is_same and os.path.samestat(os.fstat(self._held), os.fstat(stream.fileno()))
        if not is_same:
            raise ValueError("another file is in its place")

    def load_steps(
        self, projection: Projection | None = None, *, more_follow: bool = False, makes_room: bool = False
    ) -> Steps[tuple[hnswlib.Index, bool]]:
        """Load the graph into memory, step by step; its links must be sound (`check_links`).

        Args:
            projection: of the vectors of its model: then, if they are not too different from those that it was learned
                from, the graph has the projected vectors. It is learned from this graph if from none yet.
            more_follow: keep the memory that was needed, until `release_spare_memory`, to load the next graph.
            makes_room: take the memory from the system in short steps before it is needed in long ones.

        Returns:
            the graph, and whether its vectors are projected.

        Raises:
            OSError, ValueError, RuntimeError, MemoryError: it cannot be loaded.
        """
        self.check_path()
        if projection is not None:
            if not projection.is_learned:
                yield from projection.learn(self._read_sample())
                yield None
            if projection.kept < self._dim:
                state = yield from self._read_state(projection, makes_room)
                if state is not None:
                    return (yield from self._make_index(state, more_follow, makes_room)), True
        state = yield from self._read_state(None, makes_room)
        assert state is not None, "whole vectors are always good enough"
        return (yield from self._make_index(state, more_follow, makes_room)), False

    def _make_index(self, state: dict[str, Any], more_follow: bool, makes_room: bool) -> Steps[hnswlib.Index]:
        yield None
        if makes_room:
            yield from make_room(state["data_level0"].nbytes)
        self.check_path()
        index = hnswlib.Index.__new__(hnswlib.Index)
        index.__setstate__((state,))
        _spare[:] = [state["data_level0"].base] if more_follow else []
        return index

    def _read_sample(self) -> Iterator[Vectors]:
        """Yield pieces of the vectors, from all over the file: float32 [n, dim] each."""
        size = min(_SAMPLE_ROWS // _SAMPLE_PIECES, self.rows)
        for first in np.linspace(0, self.rows - size, _SAMPLE_PIECES, dtype=np.int64).tolist():
            with self._open() as stream:
                self._check_head(stream)
                yield widen(self._gather(stream, np.arange(first, first + size)))

    def _read_state(self, projection: Projection | None, makes_room: bool) -> Steps[dict[str, Any] | None]:
        """Return what hnswlib has of the graph in memory; None if a projection would lose too much."""
        head = self._head
        dim = self._dim if projection is None else projection.kept
        labels = self._read_labels()
        if self._by_label is None:
            self._sort_labels(labels)
        state = _empty_state(dim, head.most, head.width)
        row = _memory_row(dim, head.most)
        if row.itemsize != state["size_data_per_element"]:
            raise RuntimeError("this version of hnswlib keeps graphs in another way")
        spare = _spare.pop() if _spare else np.empty(0, row)
        fits = spare.dtype == row and len(spare) >= self.rows
        memory = spare[: self.rows] if fits else np.empty(self.rows, row)
        if makes_room and not fits:
            yield from touch_memory(memory)
        memory["label"] = labels
        with self._open() as stream:
            self._check_head(stream)
            memory["links"] = self._read_links(stream)
            levels, lists = self._read_levels(stream), self._read_lists(stream).astype("<u4")
        # hnswlib reads as many lists as the levels say.
        if int(levels.sum()) != len(lists):
            raise ValueError("the file is laid out in an unknown way")
        yield None
        whole = kept = 0.0
        step = max(1, SCANNED_BYTES // self._row.itemsize)
        for number, (at, halves) in enumerate(self._read_all(step)):
            if projection is None:
                widen(halves, memory["vector"][at : at + len(halves)])
                continue
            wide = widen(halves)
            projected = memory["vector"][at : at + len(halves)] = projection.project(wide)
            whole += float(np.vdot(wide, wide))
            kept += float(np.vdot(projected, projected))
            if number % _PIECES_A_STEP == _PIECES_A_STEP - 1:
                yield None
        if kept < MIN_SHARE * whole:
            return None
        return state | {
            "ep_added": True,
            "max_elements": self.rows,
            "cur_element_count": self.rows,
            "max_level": head.top,
            "enterpoint_node": head.entry,
            # The table of labels takes two megabytes, and no search needs it, so it gets one entry: hnswlib's calls by
            # label (get_items, mark_deleted, add_items) do not work on this index.
            "label_lookup_external": np.zeros(self.rows, np.uint64),
            "label_lookup_internal": np.zeros(self.rows, np.uint32),
            "element_levels": levels.astype(np.int32),
            "data_level0": memory.view(np.int8),
            "link_lists": lists.view(np.int8).reshape(-1),
        }

    # Copies

    def pieces_with(self, kept: Ids | None) -> Iterator[memoryview]:
        """Yield the whole file in the current format, a piece at a time.

        Args:
            kept: labels, ascending: the vectors of other rows become zeros. None: all.

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels = self._read_labels()
        with self._open() as stream:
            self._check_head(stream)
            for place in range(0, self._rows_at, BLOCK_BYTES):
                yield memoryview(self._read(stream, place, min(BLOCK_BYTES, self._rows_at - place)))
        yield from self._vector_pieces(labels, kept)

    def _vector_pieces(self, labels: Ids, kept: Ids | None) -> Iterator[memoryview]:
        for at, rows in self._read_all(max(1, BLOCK_BYTES // self._row.itemsize)):
            halves = self._halves_of(rows)
            if kept is not None:
                halves[~np.isin(labels[at : at + len(rows)], kept)] = 0.0
            yield _bytes_of(halves)

    def _halves_of(self, rows: NDArray[Any]) -> NDArray[np.float16]:
        """Return the vectors of rows that were read, float16 [n, dim]; they may be changed."""
        return rows


def release_spare_memory() -> None:
    """Release what loading the next graph would use again: fresh memory takes an eighth of the time."""
    _spare.clear()


def graph_pieces(index: hnswlib.Index) -> Iterator[memoryview]:
    """Yield the file of a graph that was built, a piece at a time."""
    (state,) = index.__getstate__()
    most, dim = state["M"], state["dim"]
    memory = state["data_level0"].view(_memory_row(dim, most))
    lists = state["link_lists"].view("<u4").reshape(-1, 1 + most)
    shape = most, state["max_level"], state["enterpoint_node"], state["ef_construction"]
    labels = memory["label"].astype(np.int64)
    yield from head_pieces(dim, labels, shape, state["element_levels"].astype(np.uint8), lists)
    yield _bytes_of(memory["links"].astype(_link_type(len(memory))))
    yield _bytes_of(to_halves(memory["vector"]))


def head_pieces(
    dim: int, labels: Ids, shape: tuple[int, int, int, int], levels: NDArray[np.uint8], lists: NDArray[np.uint32]
) -> Iterator[memoryview]:
    """Yield what a file has before its links of the lowest level.

    Args:
        dim: length of a vector.
        labels: of the rows.
        shape: hnswlib's M, the highest level, the entry point, and the width of searches while it was built.
        levels: of the rows.
        lists: links above the lowest level, uint32 [sum of `levels`, 1 + M].
    """
    yield memoryview(_HEADER.pack(MAGIC, _VERSION, dim, len(labels), *shape, len(lists), _digest(labels)))
    yield _bytes_of(labels.astype("<i8"))
    yield _bytes_of(levels)
    yield _bytes_of(lists.astype(_link_type(len(labels))))


def narrow_links(links: NDArray[np.uint32], rows: int) -> memoryview:
    """Return links of the lowest level as a file of so many rows has them."""
    return _bytes_of(links.astype(_link_type(rows)))


def lead_to_rows(lists: Links, rows: int) -> bool:
    """Return whether lists of links [n, 1 + most] are of a possible length and lead to rows that exist."""
    counts, most = lists[:, :1], lists.shape[1] - 1
    return bool((counts <= most).all() and ((lists[:, 1:] < rows) | (np.arange(most) >= counts)).all())


def are_upper_links_sound(levels: NDArray[np.uint8], lists: Links, top: int, entry: int) -> bool:
    """Return whether all links above the lowest level lead to rows of their level.

    Args:
        levels: of the rows, uint8 [n].
        lists: of links, a list for each row and each of its levels, [sum of `levels`, 1 + most].
        top: the highest level.
        entry: the row at which a search begins.
    """
    if int(levels.sum()) != len(lists) or levels.max() > top or levels[entry] != top:
        return False
    if not len(lists):
        return True
    if not lead_to_rows(lists, len(levels)):
        return False
    high = levels[levels > 0].astype(np.int64)
    starts = np.cumsum(high) - high
    heights = 1 + np.arange(len(lists)) - np.repeat(starts, high)
    is_link = np.arange(lists.shape[1] - 1) < (lists[:, :1] & COUNT_BITS)
    return bool((levels[np.where(is_link, lists[:, 1:], entry)] >= heights[:, None]).all())


def _link_type(rows: int) -> np.dtype[Any]:
    return np.dtype("<u2") if rows <= COUNT_BITS else np.dtype("<u4")


def _digest(labels: Ids) -> bytes:
    return hashlib.blake2b(labels.astype("<i8").tobytes(), digest_size=16).digest()


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _memory_row(dim: int, most: int) -> np.dtype[Any]:
    """Return the type of a row in hnswlib's memory: its links on the lowest level, its vector, and its label."""
    return np.dtype([("links", "<u4", (1 + 2 * most,)), ("vector", "<f4", (dim,)), ("label", "<i8")])


@lru_cache(maxsize=4)
def _empty_state(dim: int, most: int, width: int) -> dict[str, Any]:
    """Return what hnswlib says of a graph without rows: the constants that it wants to hear again."""
    index = hnswlib.Index(space="ip", dim=dim)
    index.init_index(max_elements=1, M=most, ef_construction=width, random_seed=_SEED)
    index.set_num_threads(1)
    (state,) = index.__getstate__()
    return dict(state)
