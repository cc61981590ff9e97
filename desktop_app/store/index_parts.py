"""The parts that an index of vectors has: sealed HNSW graphs, and rows that are searched exactly. No SQL.

The parts give cosine similarities; hnswlib's distances stay in here.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Protocol, TypeVar

import hnswlib
import numpy as np

from desktop_app.store.graph_file import GraphFile

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]

T = TypeVar("T", bound=np.generic)

_log = logging.getLogger(__name__)

# Y. Malkov, D. Yashunin: Efficient and robust approximate nearest neighbor search using HNSW graphs (2016).
M = 16
EF_CONSTRUCTION = 100
EF_SEARCH = 160
"""Least width of a search; see tests/store/test_vector_index.py for the recall it gives."""

_EXACT_SHARE = 0.2
"""A graph asked for more than this share of its rows is slower than the matrix product over all of them."""

BLOCK = 16_384
"""Rows that are read and multiplied at once."""


def best_of(ids: Ids, scores: Vectors, top_k: int) -> tuple[Ids, Vectors]:
    """Return the `top_k` best, highest score first, equal scores by id."""
    if len(ids) > top_k:
        # Everything that equals the last one chosen must stay until ids have decided.
        edge = np.partition(scores, len(scores) - top_k)[len(scores) - top_k]
        keep = scores >= edge
        ids, scores = ids[keep], scores[keep]
    order = np.lexsort((ids, -scores))[:top_k]
    return ids[order], scores[order]


def native_name(path: Path) -> str | bytes:
    """Return `path` as hnswlib's C++ streams take it: raw bytes, for it knows nothing of surrogates."""
    return str(path).encode("mbcs", "strict") if os.name == "nt" else os.fsencode(path)


class Part(Protocol):
    """Some vectors with the ids of their sentences."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def search(self, query: Vectors, top_k: int, ef: int = ...) -> tuple[Ids, Vectors]:
        """Return ids and cosines of up to `top_k` rows near `query` float32 [dim], in any order.

        `ef`: how many candidates are kept where the search is not exact.
        """
        ...

    def held(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is here."""
        ...

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`, all of which are here: float32 [len(ids), dim]."""
        ...

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n]."""
        ...


class Rows:
    """A growing matrix of unit rows that is searched exactly.

    `marks` are the numbers of the rows in the database, ascending; they say what a sealed segment has taken over.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._count = 0
        self._marks: Ids = np.empty(0, np.int64)
        self._ids: Ids = np.empty(0, np.int64)
        self._matrix: Vectors = np.empty((0, dim), np.float32)
        self._sorted: tuple[Ids, Ids] | None = None
        self.losses = 0
        """How often rows were forgotten."""

    def __len__(self) -> int:
        return self._count

    @property
    def marks(self) -> Ids:
        """Numbers of the rows in the database, int64 [n], ascending."""
        return self._marks[: self._count]

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n]."""
        return self._ids[: self._count]

    def append(self, marks: Ids, ids: Ids, vectors: Vectors) -> None:
        """Add rows; their marks are above all that are here."""
        assert vectors.shape == (len(ids), self.dim), f"{vectors.shape} is not ({len(ids)}, {self.dim})"
        end = self._count + len(ids)
        if end > len(self._ids):
            room = max(1024, end, len(self._ids) * 3 // 2)
            self._marks = _grown(self._marks, self._count, room)
            self._ids = _grown(self._ids, self._count, room)
            self._matrix = _grown(self._matrix, self._count, room)
        self._marks[self._count : end] = marks
        self._ids[self._count : end] = ids
        self._matrix[self._count : end] = vectors
        self._count = end
        self._sorted = None

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        """Forget the rows that are not `wanted`, bool [n]."""
        if wanted.all():
            return
        self.losses += 1
        first = int(wanted.argmax())
        if wanted[first:].all():  # a segment took the oldest: nothing is copied
            self._marks, self._ids, self._matrix = self._marks[first:], self._ids[first:], self._matrix[first:]
            self._count -= first
            self._sorted = None
            return
        self._marks, self._ids = self.marks[wanted], self.ids[wanted]
        self._matrix = self._matrix[: self._count][wanted]
        self._count = len(self._ids)
        self._sorted = None

    def search(self, query: Vectors, top_k: int, ef: int = EF_SEARCH) -> tuple[Ids, Vectors]:
        """Return the exact best."""
        return best_of(self.ids, self._matrix[: self._count] @ query, top_k)

    def _by_id(self) -> tuple[Ids, Ids]:
        """Return the ids ascending, and where each of them stands."""
        if self._sorted is None:
            order = np.argsort(self.ids, kind="stable")
            self._sorted = self.ids[order], order
        return self._sorted

    def held(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is here."""
        return _are_in(self._by_id()[0], ids)

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`."""
        ascending, order = self._by_id()
        rows: Vectors = self._matrix[order[np.searchsorted(ascending, ids)]]
        return rows


class Graph:
    """A sealed HNSW graph, in a file whose checksum was found right.

    It takes 1.7 KB a row in memory (of 384 dimensions), and is there only for searches: ids and vectors are read from
    the file.

    Raises:
        OSError, ValueError: the file cannot be read, or holds another number of rows.
    """

    def __init__(self, file: Path, dim: int, rows: int) -> None:
        self._path = file
        self._file = GraphFile(file, dim, rows)
        self._dim = dim
        self._index: hnswlib.Index | None = None

    @classmethod
    def load(cls, file: Path, dim: int, rows: int) -> Graph:
        """Read a graph into memory.

        Raises:
            RuntimeError, ValueError, OSError: hnswlib cannot read it, or it holds another number of rows.
        """
        graph = cls(file, dim, rows)
        graph.bring_in()
        assert len(graph.ids) == rows, "the ids are in memory too: the file may go"
        return graph

    @property
    def is_in_memory(self) -> bool:
        """Whether a search need not read it first."""
        return self._index is not None

    def bring_in(self) -> hnswlib.Index:
        """Have it in memory; the first search does so too.

        Raises:
            RuntimeError, ValueError, OSError: hnswlib cannot read it, or it holds another number of rows.
        """
        if self._index is None:
            index = hnswlib.Index(space="ip", dim=self._dim)
            index.load_index(native_name(self._path))
            index.set_num_threads(1)
            if index.get_current_count() != len(self):
                raise ValueError(f"{index.get_current_count()} rows instead of {len(self)}")
            self._index = index
        return self._index

    def let_go(self) -> None:
        """Leave it to the file."""
        self._index = None

    def __len__(self) -> int:
        return self._file.rows

    @property
    def _ids(self) -> Ids:
        return self._file.ids

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n], ascending."""
        return self._ids

    def search(self, query: Vectors, top_k: int, ef: int = EF_SEARCH) -> tuple[Ids, Vectors]:
        """Return the best that the graph leads to; exact when a large share of it is asked for."""
        top_k = min(top_k, len(self))
        if top_k <= len(self) * _EXACT_SHARE and (index := self._searched()) is not None:
            index.set_ef(max(ef, top_k + top_k // 2))
            try:
                labels, distances = index.knn_query(query[None, :], k=top_k, num_threads=1)
            except RuntimeError:
                pass  # hnswlib 0.8 raises when its walk met fewer than `top_k` rows: then look at all of them
            else:
                return labels[0].astype(np.int64), np.float32(1.0) - distances[0]
        found = [self._exact(query, self._ids[at : at + BLOCK], top_k) for at in range(0, len(self), BLOCK)]
        return np.concatenate([ids for ids, _ in found]), np.concatenate([scores for _, scores in found])

    def _searched(self) -> hnswlib.Index | None:
        try:
            return self.bring_in()
        except (OSError, ValueError, RuntimeError) as error:
            _log.warning("the graph %s is searched row by row: %s", self._path.name, error)
            return None

    def _exact(self, query: Vectors, ids: Ids, top_k: int) -> tuple[Ids, Vectors]:
        return best_of(ids, self.vectors(ids) @ query, top_k)

    def held(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is here."""
        return _are_in(self._ids, ids)

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`."""
        try:
            return self._file.vectors(ids)
        except (OSError, ValueError):  # a writer has put another file in its place; memory may still have them
            if self._index is None:
                raise
            return np.asarray(self._index.get_items(ids), np.float32)


def _are_in(ascending: Ids, ids: Ids) -> NDArray[np.bool_]:
    if not len(ascending):
        return np.zeros(len(ids), np.bool_)
    at = np.minimum(np.searchsorted(ascending, ids), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[at] == ids
    return found


def _grown(array: NDArray[T], count: int, room: int) -> NDArray[T]:
    grown = np.empty((room, *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown
