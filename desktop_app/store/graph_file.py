"""Reads vectors directly from a segment's file, far faster than hnswlib's `get_items`.

The layout is that of hnswlib 0.8 (`HierarchicalNSW::saveIndex`): a header, then for each row its links, its vector and
its label. The header gives the offset of each within a row; a file with inconsistent offsets is rejected.
"""

from __future__ import annotations

import os
import struct
import weakref
from contextlib import contextmanager
from io import FileIO
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]

# offset of the row block, capacity, rows, bytes per row, offset of the label, offset of the vector; then the highest
# level, the entry point, three sizes, a double, and ef_construction.
_HEADER = struct.Struct("=6Q iI 3Q d Q")
_HIGHEST_LEVEL = 64  # of a graph; each level has a sixteenth of the rows of the one below
_COUNT = 0xFFFF  # the bits of a list's first number that tell how many links follow
_BLOCK_BYTES = 8_000_000
_FEW = 64
_SCANNED_BYTES = 1_000_000  # read and multiplied at once: so many stay in the processor's cache between the two

_read_at: Any = getattr(os, "preadv", None)  # one system call instead of two, where available


class GraphFile:
    """The rows of a segment's file, in insertion order.

    The file is opened for each read, so that it can be deleted at any time on every system.

    Args:
        file: the file.
        dim: length of a vector.
        rows: the number of rows.
        is_held: keep it open instead, because another process may delete it.

    Raises:
        OSError: it cannot be read.
        ValueError: its layout is unknown.

    Attributes:
        rows: the number of rows.
    """

    def __init__(self, file: Path, dim: int, rows: int, *, is_held: bool = False) -> None:
        self._file = file
        self._held: int | None = None
        if is_held:
            self._held = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, self._held)
        with file.open("rb") as stream:
            head = stream.read(_HEADER.size)
            if len(head) < _HEADER.size:
                raise ValueError("the file is too short")
            links_at, capacity, count, row_bytes, label_at, vector_at, top, entry, most, *_ = _HEADER.unpack(head)
            end = stream.seek(0, 2)
        self._head = head
        fits = vector_at + 4 * dim <= label_at and label_at + 8 <= row_bytes
        if count != rows:
            raise ValueError(f"{count} rows instead of {rows}")
        if not fits or end < _HEADER.size + count * row_bytes:
            raise ValueError("the file is laid out in an unknown way")
        self._row = np.dtype(
            {
                "names": ["links", "vector", "label"],
                "formats": [("<u4", vector_at // 4), ("<f4", dim), "<i8"],
                "offsets": [0, vector_at, label_at],
                "itemsize": row_bytes,
            }
        )
        # hnswlib makes room for twice as many links on the lowest level as on the others.
        is_usual = (links_at, capacity, vector_at) == (0, count, 4 * (2 * most + 1))
        self._levels = (top, entry, most) if is_usual and 0 <= top <= _HIGHEST_LEVEL and entry < count else None
        self._dim = dim
        self.rows = rows
        self._by_label: tuple[Ids, Ids] | None = None

    @contextmanager
    def _open(self) -> Iterator[FileIO]:
        with FileIO(self._file if self._held is None else self._held, closefd=self._held is None) as stream:
            yield stream

    @property
    def ids(self) -> Ids:
        """The labels of all rows, int64 [n], ascending."""
        return self._labels()[0]

    def _labels(self) -> tuple[Ids, Ids]:
        """Return the labels in ascending order and the row of each; reads the file once."""
        if self._by_label is None:
            step = max(1, _BLOCK_BYTES // self._row.itemsize)
            labels = np.empty(self.rows, np.int64)
            for at, rows in self._read_all(step):
                labels[at : at + len(rows)] = rows["label"]
            self._sort_labels(labels)
        assert self._by_label is not None, "just set"
        return self._by_label

    def _sort_labels(self, labels: Ids) -> None:
        order = np.argsort(labels, kind="stable")
        self._by_label = labels[order], order

    def _read_all(self, step: int) -> Iterator[tuple[int, NDArray[np.void]]]:
        """Yield all rows, `step` at a time, with the number of the first; the next piece overwrites one."""
        room = np.empty(min(step, self.rows), self._row)
        with self._open() as stream:
            stream.seek(_HEADER.size)
            for at in range(0, self.rows, step):
                piece = room[: self.rows - at]
                if stream.readinto(piece.view(np.uint8).data) != piece.nbytes:
                    raise ValueError("the file is shorter than it was")
                yield at, piece

    def compare(self, query: Vectors) -> tuple[Ids, Vectors]:
        """Return the label of each row and its product with a vector float32 [dim]: int64 and float32 [n].

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels, scores = np.empty(self.rows, np.int64), np.empty(self.rows, np.float32)
        for at, rows in self._read_all(max(1, _SCANNED_BYTES // self._row.itemsize)):
            labels[at : at + len(rows)] = rows["label"]
            np.matmul(rows["vector"], query, out=scores[at : at + len(rows)])
        if self._by_label is None:
            self._sort_labels(labels)
        return labels, scores

    def check_links(self) -> None:
        """Follow all links, and read the labels on the way.

        hnswlib does not look where a link leads: in a damaged file, outside its memory. It can search a graph that
        passes this check, whatever else in the file is wrong.

        Raises:
            OSError: the file is gone.
            ValueError: a link leads nowhere, a label is impossible, or the file is laid out in an unknown way.
        """
        labels = np.empty(self.rows, np.int64)
        is_sound = self._levels is not None
        for at, rows in self._read_all(max(1, _SCANNED_BYTES // self._row.itemsize)):
            labels[at : at + len(rows)] = rows["label"]
            is_sound = is_sound and _lead_to_rows(rows["links"], self.rows)
        if not is_sound or not self._are_upper_links_sound():
            raise ValueError("a link leads nowhere")
        self._sort_labels(labels)
        if self.ids[0] < 1 or (np.diff(self.ids) == 0).any():
            raise ValueError("a label is impossible")

    def check_path(self) -> None:
        """Check that the path still leads to the file that was opened, for those who open it themselves.

        Raises:
            OSError: the file is gone.
            ValueError: the path leads to another file.
        """
        with self._file.open("rb") as stream:
            is_same = stream.read(_HEADER.size) == self._head
            if self._held is not None:
                is_same = is_same and os.path.samestat(os.fstat(self._held), os.fstat(stream.fileno()))
        if not is_same:
            raise ValueError("another file is in its place")

    def _are_upper_links_sound(self) -> bool:
        """Return whether all links above the lowest level lead to rows of their level, and the file ends after them."""
        assert self._levels is not None, "its layout is known"
        top, entry, most = self._levels
        with self._open() as stream:
            stream.seek(_HEADER.size + self.rows * self._row.itemsize)
            rest = stream.read()
        if len(rest) % 4:
            return False
        # For each row the number of bytes of its links, 0 for most of them, then a list for each of its levels.
        words, size, place = np.frombuffer(rest, "<u4"), most + 1, 0
        levels, starts = np.zeros(self.rows, np.int64), []
        sizes = words.tolist()  # numbers one by one are read faster from a list
        for row in range(self.rows):
            if place >= len(sizes):
                return False
            if length := sizes[place]:
                levels[row] = height = length // (4 * size)
                if length % (4 * size) or height > top:
                    return False
                starts.append(place + 1 + size * np.arange(height))
                place += length // 4
            place += 1
        if place != len(sizes) or levels[entry] != top:
            return False
        if not starts:
            return True
        lists = words[np.concatenate(starts)[:, None] + np.arange(size)]
        heights = np.concatenate([1 + np.arange(len(each)) for each in starts])
        if not _lead_to_rows(lists, self.rows):
            return False
        is_link = np.arange(most) < (lists[:, :1] & _COUNT)
        return bool((levels[np.where(is_link, lists[:, 1:], entry)] >= heights[:, None]).all())

    def pieces_with(self, kept: Ids) -> Iterator[memoryview]:
        """Yield the whole file, a piece at a time, with zeros as the vectors of rows that are not `kept`.

        Args:
            kept: labels, ascending.

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        step = max(1, _BLOCK_BYTES // self._row.itemsize)
        with self._open() as stream:
            yield memoryview(stream.read(_HEADER.size))
        for _, rows in self._read_all(step):
            at = np.minimum(np.searchsorted(kept, rows["label"]), max(len(kept) - 1, 0))
            rows["vector"][kept[at] != rows["label"] if len(kept) else slice(None)] = 0.0
            yield memoryview(rows.view(np.uint8).data)
        with self._open() as stream:  # the links of the rows on higher levels
            stream.seek(_HEADER.size + self.rows * self._row.itemsize)
            yield memoryview(stream.read())

    def vectors(self, ids: Ids) -> Vectors:
        """Return the vectors of `ids` (any order, all of them present): float32 [len(ids), dim].

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels, rows = self._labels()
        at = rows[np.minimum(np.searchsorted(labels, ids), len(labels) - 1)]
        if len(ids) <= _FEW:
            return self._read_few(ids, at)
        order = np.argsort(at, kind="stable")
        wanted = at[order]
        found = np.empty((len(ids), self._dim), np.float32)
        step = max(1, _BLOCK_BYTES // self._row.itemsize)
        with self._open() as stream:
            for first in range(0, len(wanted), step):
                got, here = self._gather(stream, wanted[first : first + step]), order[first : first + step]
                if not np.array_equal(got["label"], ids[here]):
                    raise ValueError("the file has other rows than it had")
                found[here] = got["vector"]
        return found

    def _read_few(self, ids: Ids, at: Ids) -> Vectors:
        """Return the vectors of `ids` in the rows `at`: a search reads some of each of forty files."""
        size, got = self._row.itemsize, np.empty(len(ids), self._row)
        room = got.view(np.uint8).data
        with self._open() as stream:
            for number, row in enumerate(at.tolist()):
                self._read_at(stream, room[number * size : (number + 1) * size], _HEADER.size + row * size)
        if not (got["label"] == ids).all():
            raise ValueError("the file has other rows than it had")
        return np.ascontiguousarray(got["vector"])

    @staticmethod
    def _read_at(stream: FileIO, room: memoryview, place: int) -> None:
        """Fill a buffer from a place in the file."""
        if _read_at is not None:
            count = _read_at(stream.fileno(), [room], place)
        else:
            stream.seek(place)
            count = stream.readinto(room)
        if count != len(room):
            raise ValueError("the file is shorter than it was")

    def _gather(self, stream: FileIO, rows: Ids) -> NDArray[np.void]:
        """Return rows of the file, given in ascending order; consecutive rows are read together.

        A search asks for a thousand scattered rows: each costs a few microseconds, without an array of its own.
        """
        got = np.empty(len(rows), self._row)
        size, room = self._row.itemsize, got.view(np.uint8).data
        starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        places = (_HEADER.size + rows[starts] * size).tolist()
        ends = [*(starts[1:] * size).tolist(), len(rows) * size]
        at = 0
        for place, end in zip(places, ends, strict=True):
            self._read_at(stream, room[at:end], place)
            at = end
        return got


def _lead_to_rows(lists: NDArray[np.uint32], rows: int) -> bool:
    """Return whether lists of links, uint32 [n, 1 + most], are of a possible length and lead to rows that exist."""
    counts, most = lists[:, :1], lists.shape[1] - 1
    # The bits above the count mark deleted rows: there are none.
    return bool((counts <= most).all() and ((lists[:, 1:] < rows) | (np.arange(most) >= counts)).all())
