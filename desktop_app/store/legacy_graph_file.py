"""Reads the files in which earlier versions of the program kept graphs, and gives their content in the current format.

The layout is that of hnswlib 0.8 (`HierarchicalNSW::saveIndex`): a header, then for each row its links, its vector in
float32 and its label; then the links above the lowest level. The header gives the offset of each within a row; a file
with inconsistent offsets is rejected.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any

import hnswlib
import numpy as np

from desktop_app.store.graph_file import (
    BLOCK_BYTES,
    HIGHEST_LEVEL,
    MAGIC,
    SCANNED_BYTES,
    GraphFile,
    are_upper_links_sound,
    head_pieces,
    lead_to_rows,
    narrow_links,
)
from desktop_app.store.half_vectors import round_to_halves, to_halves

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.jobs import Steps
    from desktop_app.store.projection import Projection


# offset of the row block, capacity, rows, bytes per row, offset of the label, offset of the vector; then the highest
# level, the entry point, three sizes, a double, and ef_construction.
_HEADER = struct.Struct("=6Q iI 3Q d Q")


def open_graph_file(file: Path, dim: int, rows: int, *, is_held: bool = False) -> GraphFile:
    """Open the file of a graph, whichever format it has; see `GraphFile`."""
    with file.open("rb") as stream:
        is_current = stream.read(len(MAGIC)) == MAGIC
    return (GraphFile if is_current else LegacyGraphFile)(file, dim, rows, is_held=is_held)


class LegacyGraphFile(GraphFile):
    """A file that hnswlib wrote."""

    is_legacy = True
    _head_bytes = _HEADER.size

    def _read_layout(self, end: int) -> None:
        links_at, capacity, count, row_bytes, label_at, vector_at, top, entry, most, *_, width = _HEADER.unpack(
            self._content
        )
        fits = vector_at + 4 * self._dim <= label_at and label_at + 8 <= row_bytes
        if count != self.rows:
            raise ValueError(f"{count} rows instead of {self.rows}")
        if not fits or end < _HEADER.size + count * row_bytes:
            raise ValueError("the file is laid out in an unknown way")
        self._rows_at = _HEADER.size
        self._row = np.dtype(
            {
                "names": ["links", "vector", "label"],
                "formats": [("<u4", vector_at // 4), ("<f4", self._dim), "<i8"],
                "offsets": [0, vector_at, label_at],
                "itemsize": row_bytes,
            }
        )
        # hnswlib makes room for twice as many links on the lowest level as on the others.
        is_usual = (links_at, capacity, vector_at) == (0, count, 4 * (2 * most + 1))
        is_usual = is_usual and 0 <= top <= HIGHEST_LEVEL and entry < count
        self._shape = (most, top, entry, width) if is_usual else None

    def _read_labels(self) -> Ids:
        labels = np.empty(self.rows, np.int64)
        for at, rows in self._read_all(max(1, BLOCK_BYTES // self._row.itemsize)):
            labels[at : at + len(rows)] = rows["label"]
        return labels

    def compare(self, query: Vectors) -> tuple[Ids, Vectors]:
        """Return the label of each row and its product with a vector, as `GraphFile` does."""
        labels, scores = np.empty(self.rows, np.int64), np.empty(self.rows, np.float32)
        for at, rows in self._read_all(max(1, 2 * SCANNED_BYTES // self._row.itemsize)):
            labels[at : at + len(rows)] = rows["label"]
            np.matmul(rows["vector"], query, out=scores[at : at + len(rows)])
        if self._by_label is None:
            self._sort_labels(labels)
        return labels, scores

    def _check_head(self, stream: Any) -> None:
        """Do nothing: each row has its label."""

    def _vectors_of(self, got: NDArray[Any], ids: Ids) -> Vectors:
        if not (got["label"] == ids).all():
            raise ValueError("the file has other rows than it had")
        return round_to_halves(got["vector"])

    def check_links(self) -> None:
        """Follow all links, as `GraphFile` does."""
        labels = np.empty(self.rows, np.int64)
        is_sound = self._shape is not None
        for at, rows in self._read_all(max(1, 2 * SCANNED_BYTES // self._row.itemsize)):
            labels[at : at + len(rows)] = rows["label"]
            is_sound = is_sound and lead_to_rows(rows["links"], self.rows)
        if not is_sound or not self._are_upper_lists_sound():
            raise ValueError("a link leads nowhere")
        self._keep_checked_labels(labels)

    def _are_upper_lists_sound(self) -> bool:
        assert self._shape is not None, "its layout is known"
        _, top, entry, _ = self._shape
        try:
            levels, lists = self._read_upper_lists()
        except ValueError:
            return False
        return are_upper_links_sound(levels, lists, top, entry)

    def _read_upper_lists(self) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
        """Return the level of each row, and the lists of links above the lowest level.

        Raises:
            ValueError: there is more or less than these in the rest of the file, or a row is too high.
        """
        assert self._shape is not None, "its layout is known"
        most, top, _, _ = self._shape
        with self._open() as stream:
            stream.seek(_HEADER.size + self.rows * self._row.itemsize)
            rest = stream.read()
        # For each row the number of bytes of its links, 0 for most of them, then a list for each of its levels.
        words, size, place = np.frombuffer(rest[: len(rest) // 4 * 4], "<u4"), most + 1, 0
        levels, starts = np.zeros(self.rows, np.uint8), [np.empty(0, np.int64)]
        sizes = words.tolist()  # numbers one by one are read faster from a list
        is_sound = len(rest) % 4 == 0
        for row in range(self.rows if is_sound else 0):
            length = sizes[place] if place < len(sizes) else -1
            height = length // (4 * size)
            if length % (4 * size) or not 0 <= height <= top:
                is_sound = False
                break
            if height:
                levels[row] = height
                starts.append(place + 1 + size * np.arange(height))
                place += length // 4
            place += 1
        if not is_sound or place != len(sizes):
            raise ValueError("the file is laid out in an unknown way")
        return levels, words[np.concatenate(starts)[:, None] + np.arange(size)]

    def load_steps(
        self, projection: Projection | None = None, *, more_follow: bool = False, makes_room: bool = False
    ) -> Steps[tuple[hnswlib.Index, bool]]:
        """Load the graph into memory, as `GraphFile` does; hnswlib reads the file itself, with whole vectors."""
        self.check_path()
        yield None
        index = hnswlib.Index(space="ip", dim=self._dim)
        index.load_index(to_native_path(self._file))
        index.set_num_threads(1)
        if index.get_current_count() != self.rows:
            raise ValueError(f"{index.get_current_count()} rows instead of {self.rows}")
        return index, False

    def pieces_with(self, kept: Ids | None) -> Iterator[memoryview]:
        """Yield the whole file in the current format, as `GraphFile` does."""
        if self._shape is None:
            raise ValueError("the file is laid out in an unknown way")
        labels = self._read_labels()
        yield from head_pieces(self._dim, labels, self._shape, *self._read_upper_lists())
        for _, rows in self._read_all(max(1, BLOCK_BYTES // self._row.itemsize)):
            if not lead_to_rows(rows["links"], self.rows):
                raise ValueError("a link leads nowhere")
            yield narrow_links(rows["links"], self.rows)
        yield from self._vector_pieces(labels, kept)

    def _halves_of(self, rows: NDArray[Any]) -> NDArray[np.float16]:
        return to_halves(rows["vector"])


def to_native_path(path: Path) -> str | bytes:
    """Return `path` as hnswlib's C++ streams take it: raw bytes, because C++ does not know Python's surrogates."""
    return str(path).encode("mbcs", "strict") if os.name == "nt" else os.fsencode(path)
