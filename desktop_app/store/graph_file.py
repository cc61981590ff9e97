"""Reads vectors directly from a segment's file, far faster than hnswlib's `get_items`.

The layout is that of hnswlib 0.8 (`HierarchicalNSW::saveIndex`): a header, then for each row its links, its vector and
its label. The header gives the offset of each within a row; a file with inconsistent offsets is rejected.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]

# offset of the row block, capacity, rows, bytes per row, offset of the label, offset of the vector; then the highest
# level, the entry point, three sizes, a double, and ef_construction.
_HEADER = struct.Struct("=6Q iI 3Q d Q")
_BLOCK_BYTES = 8_000_000

_read_at: Any = getattr(os, "preadv", None)  # one system call instead of two, where available


class GraphFile:
    """The rows of a segment's file, in insertion order.

    The file is opened for each read, so that it can be deleted at any time on every system.

    Raises:
        OSError: it cannot be read.
        ValueError: its layout is unknown.

    Attributes:
        rows: the number of rows.
    """

    def __init__(self, file: Path, dim: int, rows: int) -> None:
        self._file = file
        with file.open("rb") as stream:
            head = stream.read(_HEADER.size)
            if len(head) < _HEADER.size:
                raise ValueError("the file is too short")
            _, _, count, row_bytes, label_at, vector_at, *_ = _HEADER.unpack(head)
            end = stream.seek(0, 2)
        fits = vector_at + 4 * dim <= label_at and label_at + 8 <= row_bytes
        if count != rows:
            raise ValueError(f"{count} rows instead of {rows}")
        if not fits or end < _HEADER.size + count * row_bytes:
            raise ValueError("the file is laid out in an unknown way")
        self._row = np.dtype(
            {
                "names": ["vector", "label"],
                "formats": [("<f4", dim), "<i8"],
                "offsets": [vector_at, label_at],
                "itemsize": row_bytes,
            }
        )
        self._dim = dim
        self.rows = rows
        self._by_label: tuple[Ids, Ids] | None = None

    @property
    def ids(self) -> Ids:
        """The labels of all rows, int64 [n], ascending."""
        return self._labels()[0]

    def _labels(self) -> tuple[Ids, Ids]:
        """Return the labels in ascending order and the row of each; reads the file once."""
        if self._by_label is None:
            step = max(1, _BLOCK_BYTES // self._row.itemsize)
            labels = np.empty(self.rows, np.int64)
            with self._file.open("rb", buffering=0) as stream:
                for at in range(0, self.rows, step):
                    labels[at : at + step] = self._read(stream, at, min(step, self.rows - at))["label"]
            order = np.argsort(labels, kind="stable")
            self._by_label = labels[order], order
        return self._by_label

    def _read(self, stream: FileIO, at: int, count: int) -> NDArray[np.void]:
        stream.seek(_HEADER.size + at * self._row.itemsize)
        rows = np.frombuffer(stream.read(count * self._row.itemsize), self._row)
        if len(rows) != count:
            raise ValueError("the file is shorter than it was")
        return rows

    def vectors(self, ids: Ids) -> Vectors:
        """Return the vectors of `ids` (any order, all of them present): float32 [len(ids), dim].

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        labels, rows = self._labels()
        at = rows[np.minimum(np.searchsorted(labels, ids), len(labels) - 1)]
        order = np.argsort(at, kind="stable")
        wanted = at[order]
        found = np.empty((len(ids), self._dim), np.float32)
        step = max(1, _BLOCK_BYTES // self._row.itemsize)
        with self._file.open("rb", buffering=0) as stream:
            for first in range(0, len(wanted), step):
                got, here = self._gather(stream, wanted[first : first + step]), order[first : first + step]
                if not np.array_equal(got["label"], ids[here]):
                    raise ValueError("the file has other rows than it had")
                found[here] = got["vector"]
        return found

    def _gather(self, stream: FileIO, rows: Ids) -> NDArray[np.void]:
        """Return rows of the file, given in ascending order; consecutive rows are read together.

        A search asks for a thousand scattered rows: each costs a few microseconds, without an array of its own.
        """
        got = np.empty(len(rows), self._row)
        size, room = self._row.itemsize, got.view(np.uint8).data
        starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        places = (_HEADER.size + rows[starts] * size).tolist()
        ends = [*(starts[1:] * size).tolist(), len(rows) * size]
        file, at = stream.fileno(), 0
        for place, end in zip(places, ends, strict=True):
            if _read_at is not None:
                count = _read_at(file, [room[at:end]], place)
            else:
                stream.seek(place)
                count = stream.readinto(room[at:end])
            if count != end - at:
                raise ValueError("the file is shorter than it was")
            at = end
        return got
