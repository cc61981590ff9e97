"""The vector index in memory: sealed HNSW graphs and exactly searched rows, searched as one. No SQL.

A part of the index never changes while it is searched: graphs are sealed, and the rows that still grow are a plain
matrix. All parts return cosine similarities; hnswlib's distances do not leave this module. The cosines of graphs with
projected vectors (`projection.py`) are approximate: they choose candidates, which are compared exactly afterwards.

A search needs the rows of its hits three times: for their cosines, for those of hits found by words only, and for near
copies; and a search-as-you-type finds some of them again. Reading them from segment files takes some microseconds each,
so `VectorCache` keeps them.
"""

from __future__ import annotations

import logging
import math
from bisect import bisect_left, bisect_right
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from desktop_app.core.jobs import run_to_completion
from desktop_app.store.legacy_graph_file import open_graph_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    import hnswlib
    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.jobs import Steps
    from desktop_app.store.projection import Projection


_LEAST_SHARE = 80
_MORE = 3
"""The minimum number of rows to ask a graph for, and the factor when it may have more.

The narrowest search of the recall meter finds so many anyway, and what is near is often in one graph: documents on a
subject come in together.
"""

_MORE_CANDIDATES, _MIN_MORE_CANDIDATES = 0.5, 128
"""How many more rows than are wanted, as a share and at least, graphs with projected vectors give as candidates."""

_LOADED_BY_SEARCH = 1
"""Graphs that a search loads into memory at most: a person waits for it."""

T = TypeVar("T", bound=np.generic)

_log = logging.getLogger(__name__)

# Y. Malkov, D. Yashunin: Efficient and robust approximate nearest neighbor search using HNSW graphs (2016).
M = 16
EF_CONSTRUCTION = 100
EF_SEARCH = 160
"""Width of a search until the recall meter has set one; see tests/store/test_vector_index.py for its recall."""

_EXACT_SHARE = 0.2
"""A graph asked for more than this share of its rows is slower than the matrix product over all of them."""

BLOCK = 16_384
"""Rows to read and multiply at once."""

_SMALL_BLOCK = 4096
"""The same in background steps: the memory of so few is still there from the last block."""

MAX_ROWS_AT_ONCE = 1024
"""Requests for more rows than this do not come from a search and are not cached."""

_MAX_CACHED_ROWS = 4 * MAX_ROWS_AT_ONCE
_MAX_AMONG = 50_000  # rows that are kept of a part of the library: 77 MB of 384 dimensions


class VectorIndex:
    """All parts of a library's index: sealed segments by id, and the tail that still grows.

    Args:
        dim: length of a vector.
        helper: searches some of the parts in parallel; None: one after the other.

    Attributes:
        ef: how many candidates a graph search keeps at least.
        is_searched: whether there was a search: then graphs are kept in memory for the next ones.
    """

    def __init__(self, dim: int, helper: Executor | None = None) -> None:
        self.dim = dim
        self._helper = helper
        self.is_searched = False
        self.tail = ExactRows(dim)
        self.segments: dict[int, IndexPart] = {}
        self.ef = EF_SEARCH
        self._cache = VectorCache(dim)
        self._among: _RowsAmong | None = None

    def __len__(self) -> int:
        return len(self.tail) + sum(len(part) for part in self.segments.values())

    def parts(self) -> list[IndexPart]:
        """Return the parts that have rows."""
        return [part for part in (*self.segments.values(), self.tail) if len(part)]

    def blocks(self) -> Iterator[tuple[Ids, Vectors]]:
        """Yield all rows, one block at a time: sentence ids int64 [b] and vectors float32 [b, dim]."""
        for part in self.parts():
            for at in range(0, len(part), _SMALL_BLOCK):
                ids = part.ids[at : at + _SMALL_BLOCK]
                yield ids, part.vectors(ids)

    def sentences(self, rows: int) -> Iterator[tuple[Ids, Vectors]]:
        """Yield each sentence once, `rows` at a time, as the index is now: ids int64 [b], vectors float32 [b, dim].

        A sentence that got another vector may still be in a graph. The index may change meanwhile.

        Raises:
            OSError, ValueError: the file of a graph that is not in memory is gone.
        """
        parts = self.parts()
        exact = [part.rows() for part in parts if isinstance(part, ExactRows)]
        known = np.sort(np.concatenate([np.empty(0, np.int64), *(ids for ids, _ in exact)]))
        for ids, vectors in exact:
            for at in range(0, len(ids), rows):
                yield ids[at : at + rows], vectors[at : at + rows]
        for part in parts:
            if isinstance(part, HnswGraph):
                ids = part.ids[~contains_ids(known, part.ids)]
                for at in range(0, len(ids), rows):
                    yield ids[at : at + rows], part.vectors(ids[at : at + rows])

    def find_candidates(self, query: Vectors, top_k: int, ef: int | None = None) -> Ids:
        """Return the ids of the rows to compare exactly for the `top_k` nearest, best first by approximate cosines.

        There are fewer than `top_k` only when there are no more rows.

        Raises:
            OSError, ValueError: the file of a graph is gone.
        """
        self.is_searched = True
        self._load_some()
        return self._find_nearest(query, self.count_candidates(top_k), ef or self.ef)

    def count_candidates(self, top_k: int) -> int:
        """Return how many rows to compare exactly for the `top_k` best: more where some cosines are approximate."""
        if not any(isinstance(part, HnswGraph) and part.is_projected for part in self.segments.values()):
            return top_k
        return top_k + max(_MIN_MORE_CANDIDATES, int(top_k * _MORE_CANDIDATES))

    def _find_nearest(self, query: Vectors, top_k: int, ef: int) -> Ids:
        """Return the ids of the `top_k` nearest rows, some by approximate cosines.

        Each part is first asked for its share. A part whose rows are all among the best may have more of them: it is
        asked again, for more. Asking every part for all `top_k` takes twice as long, and there may be twenty parts.
        """
        total = len(self)
        asked = {part: share_of(part, top_k, total) for part in self.parts()}
        if not asked:
            return np.empty(0, np.int64)
        found = self._search_parts(query, asked, ef)
        while True:
            ids = np.concatenate([found[part][0] for part in asked])
            best, scores = select_best(ids, np.concatenate([found[part][1] for part in asked]), top_k)
            edge = scores[-1] if len(scores) == top_k else -np.inf
            worst = {part: found[part][1].min() for part in asked if asked[part] < min(top_k, len(part))}
            # One at a time: the rest of the richest part may show that the others have nothing more to offer.
            rich = max(worst, key=lambda part: float(worst[part]), default=None)
            if rich is None or worst[rich] < edge:
                return best
            asked[rich] = min(_MORE * asked[rich], top_k, len(rich))
            found[rich] = rich.search(query, asked[rich], ef)

    def _load_some(self) -> None:
        """Load some of the graphs that are only in their files; the others are compared row by row."""
        graphs = (part for part in self.segments.values() if isinstance(part, HnswGraph))
        waiting = (graph for graph in graphs if graph.is_verified and graph.can_be_loaded)
        for graph in islice(waiting, _LOADED_BY_SEARCH):
            try:
                graph.load_into_memory()
            except (OSError, ValueError, RuntimeError) as error:
                _log.warning("the graph %s is searched row by row: %s", graph.path.name, error)

    def _search_parts(
        self, query: Vectors, asked: dict[IndexPart, int], ef: int
    ) -> dict[IndexPart, tuple[Ids, Vectors]]:
        """Return the results of each part; hnswlib and matrix products release the interpreter lock."""
        waiting = deque(reversed(asked.items()))  # the tail first: it may take longest
        found: dict[IndexPart, tuple[Ids, Vectors]] = {}

        def search() -> None:
            while waiting:
                try:
                    part, count = waiting.popleft()
                except IndexError:  # the other thread took it
                    return
                found[part] = part.search(query, count, ef)

        helping = self._helper.submit(search) if self._helper is not None and len(asked) > 1 else None
        try:
            search()
        finally:
            if helping is not None:
                helping.result()
        return found

    def search_among(self, query: Vectors, ids: Ids, top_k: int) -> tuple[Ids, Vectors]:
        """Return the exact `top_k` nearest of `ids`, best first; ids without a vector are left out.

        The rows of not too many ids are kept: a person who searches in a part of a library searches there again.
        """
        if MAX_ROWS_AT_ONCE < len(ids) <= _MAX_AMONG:
            held, vectors = self._rows_among(ids)
            return select_best(held, vectors @ query, top_k)
        best = np.empty(0, np.int64), np.empty(0, np.float32)
        for at in range(0, len(ids), BLOCK):
            held, vectors = self.vectors(ids[at : at + BLOCK])
            best = select_best(np.concatenate([best[0], held]), np.concatenate([best[1], vectors @ query]), top_k)
        return best

    def _rows_among(self, ids: Ids) -> tuple[Ids, Vectors]:
        state = [(part, losses, len(part)) for part, losses in self._state()]
        known = self._among
        if known is None or known.state != state or not np.array_equal(known.asked, ids):
            self._among = None  # the memory is free before more is taken
            known = self._among = _RowsAmong(state, ids, *self._gather(ids))
        return known.held, known.vectors

    def _state(self) -> list[tuple[IndexPart, int]]:
        """Return the parts of the index, each with a number that changes when rows are dropped."""
        return [(part, part.losses if isinstance(part, ExactRows) else 0) for part in self.parts()]

    def contains(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether any part contains it."""
        held = np.zeros(len(ids), np.bool_)
        for part in self.parts():
            held |= part.contains(ids)
        return held

    def clear_vector_cache(self) -> None:
        """Drop cached rows: some were erased."""
        self._cache.forget()
        self._among = None

    def vectors(self, ids: Ids) -> tuple[Ids, Vectors]:
        """Return those of `ids` (distinct) that have a vector, and their rows float32 [n, dim]."""
        if len(ids) > MAX_ROWS_AT_ONCE:
            return self._gather(ids)
        cache, state = self._cache, self._state()
        cache.keep_to(state)
        places = cache.places(ids)
        if (missing := places < 0).any():
            if not cache.has_room(int(missing.sum())):
                cache.forget()
                cache.keep_to(state)
                missing[:] = True
            cache.add(*self._gather(ids[missing]))
            places = cache.places(ids)
        here = places >= 0
        return ids[here], cache.rows(places[here])

    def _gather(self, ids: Ids) -> tuple[Ids, Vectors]:
        """Return those of `ids` that have a vector, ascending, and their rows; a search asks for some of every part."""
        ids = np.sort(ids)
        places = ids.tolist()  # to find the range of a part faster
        vectors, is_found = np.empty((len(ids), self.dim), np.float32), np.zeros(len(ids), np.bool_)
        for part in self.parts():
            own = part.ids
            first, last = (own[0], own[-1]) if isinstance(part, HnswGraph) else (own.min(), own.max())
            left = bisect_left(places, first)
            right = bisect_right(places, last, left)
            if left == right:
                continue
            held = part.contains(ids[left:right])
            held &= ~is_found[left:right]
            if held.all():
                vectors[left:right] = part.vectors(ids[left:right])
            elif held.any():
                vectors[left:right][held] = part.vectors(ids[left:right][held])
            is_found[left:right] |= held
        return (ids, vectors) if is_found.all() else (ids[is_found], vectors[is_found])

    def scores(self, query: Vectors, ids: Ids) -> tuple[Ids, Vectors]:
        """Return those of `ids` that have a vector with their cosines, best first and each once.

        A sentence that got another vector may be in two parts. Products are summed row by row in float64, so that equal
        vectors have equal scores in every part; a matrix product or hnswlib's own loops may differ in the last bit.
        """
        held, vectors = self.vectors(np.unique(ids))
        exact = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).astype(np.float32)
        return select_best(held, np.clip(exact, -1.0, 1.0), len(held))


def share_of(part: IndexPart, top_k: int, total: int) -> int:
    """Return how many rows to ask a part for first; a matrix product finds all of them in the same time.

    Args:
        part: the part.
        top_k: rows wanted.
        total: rows of all parts.
    """
    if isinstance(part, ExactRows) or (isinstance(part, HnswGraph) and not part.is_in_memory):
        return min(top_k, len(part))
    return min(top_k, len(part), max(_LEAST_SHARE, 2 * math.ceil(top_k * len(part) / total)))


def select_best(ids: Ids, scores: Vectors, top_k: int) -> tuple[Ids, Vectors]:
    """Return the `top_k` best, highest score first, equal scores by id."""
    if len(ids) > top_k:
        # Rows that tie with the last one chosen must stay until ids decide.
        edge = np.partition(scores, len(scores) - top_k)[len(scores) - top_k]
        keep = scores >= edge
        ids, scores = ids[keep], scores[keep]
    order = np.lexsort((ids, -scores))[:top_k]
    return ids[order], scores[order]


class IndexPart(Protocol):
    """A set of vectors with the ids of their sentences."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def search(self, query: Vectors, top_k: int, ef: int = ...) -> tuple[Ids, Vectors]:
        """Return ids and cosines of up to `top_k` rows near `query` float32 [dim], in any order.

        `ef`: how many candidates to keep if the search is not exact.
        """
        ...

    def contains(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is in this part."""
        ...

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`, all of which must be in this part: float32 [len(ids), dim]."""
        ...

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n]."""
        ...


class ExactRows:
    """A growing matrix of unit rows that is searched exactly.

    `marks` are the ids of the embeddings in the database, in ascending order; they tell which rows a sealed segment has
    taken over.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._count = 0
        self._marks: Ids = np.empty(0, np.int64)
        self._ids: Ids = np.empty(0, np.int64)
        self._matrix: Vectors = np.empty((0, dim), np.float32)
        self._sorted: tuple[Ids, Ids] | None = None
        self.losses = 0
        """How often rows were dropped."""

    def __len__(self) -> int:
        return self._count

    @property
    def marks(self) -> Ids:
        """Embedding ids in the database, int64 [n], ascending."""
        return self._marks[: self._count]

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n]."""
        return self._ids[: self._count]

    def rows(self) -> tuple[Ids, Vectors]:
        """Return the ids int64 [n] and vectors float32 [n, dim] as they are now: later changes leave them alone."""
        return self.ids, self._matrix[: self._count]

    def append(self, marks: Ids, ids: Ids, vectors: Vectors) -> None:
        """Add rows; their marks must be above all existing ones."""
        assert vectors.shape == (len(ids), self.dim), f"{vectors.shape} is not ({len(ids)}, {self.dim})"
        end = self._count + len(ids)
        if end > len(self._ids):
            self.reserve(max(1024, end, len(self._ids) * 3 // 2))
        self._marks[self._count : end] = marks
        self._ids[self._count : end] = ids
        self._matrix[self._count : end] = vectors
        self._count = end
        self._sorted = None

    def reserve(self, room: int) -> None:
        """Make room for so many rows, at least as many as there are: nothing is copied until they are here."""
        self._marks = _grow_array(self._marks, self._count, room)
        self._ids = _grow_array(self._ids, self._count, room)
        self._matrix = _grow_array(self._matrix, self._count, room)

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        """Drop the rows that are not `wanted`, bool [n]."""
        if wanted.all():
            return
        self.losses += 1
        first = int(wanted.argmax())
        if wanted[first:].all():  # a segment took the oldest rows: nothing is copied
            self._marks, self._ids, self._matrix = self._marks[first:], self._ids[first:], self._matrix[first:]
            self._count -= first
            self._sorted = None
            return
        self._marks, self._ids = self.marks[wanted], self.ids[wanted]
        self._matrix = self._matrix[: self._count][wanted]
        self._count = len(self._ids)
        self._sorted = None

    def search(self, query: Vectors, top_k: int, ef: int = EF_SEARCH) -> tuple[Ids, Vectors]:
        """Return the exact best rows."""
        return select_best(self.ids, self._matrix[: self._count] @ query, top_k)

    def _by_id(self) -> tuple[Ids, Ids]:
        """Return the ids in ascending order, and the row of each."""
        if self._sorted is None:
            order = np.argsort(self.ids, kind="stable")
            self._sorted = self.ids[order], order
        return self._sorted

    def contains(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is here."""
        return contains_ids(self._by_id()[0], ids)

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`."""
        ascending, order = self._by_id()
        rows: Vectors = self._matrix[order[np.searchsorted(ascending, ids)]]
        return rows


class HnswGraph:
    """A sealed HNSW graph in a file.

    It takes 1.2 KB a row in memory (of 384 dimensions; 0.8 in the file), which only makes searches faster: until it is
    loaded, they compare the rows in the file. Ids and vectors are always read from the file.

    Args:
        file: the file.
        dim: length of a vector.
        rows: the number of rows.
        is_verified: whether the checksum of the file was found to be right; before, a graph's links are checked when it
            is loaded, because hnswlib would follow a damaged one anywhere.
        is_held: keep the file open: reads are faster, and another process may delete it, if the system allows it.
        projection: of the vectors in memory; None: they are whole.
        read_stored: returns the stored vectors of sentences if the file is gone, zeros for erased ones.

    Raises:
        OSError, ValueError: the file cannot be read, or contains a different number of rows.

    Attributes:
        path: the file.
        is_verified: as above.
        failure: why its file could not be read when it was needed; None: it could.
    """

    def __init__(
        self,
        file: Path,
        dim: int,
        rows: int,
        *,
        is_verified: bool = False,
        is_held: bool = False,
        projection: Projection | None = None,
        read_stored: Callable[[Ids], Vectors] | None = None,
    ) -> None:
        self.path = file
        self.is_verified = is_verified
        self._file = open_graph_file(file, dim, rows, is_held=is_held)
        self._projection = projection
        self._read_stored = read_stored
        self._index: hnswlib.Index | None = None
        self._is_projected = False
        self._is_checked = False
        self._is_unreadable = False
        self.failure: Exception | None = None

    @classmethod
    def load(cls, file: Path, dim: int, rows: int) -> HnswGraph:
        """Read a verified graph into memory, with whole vectors.

        Raises:
            RuntimeError, ValueError, OSError: hnswlib cannot read it, or it contains a different number of rows.
        """
        graph = cls(file, dim, rows, is_verified=True)
        graph.load_into_memory()
        assert len(graph.ids) == rows, "the ids are in memory too: the file may go"
        return graph

    @property
    def is_in_memory(self) -> bool:
        """Whether a search can use the graph."""
        return self._index is not None

    @property
    def is_projected(self) -> bool:
        """Whether it is in memory with projected vectors: then cosines of searches are approximate."""
        return self._index is not None and self._is_projected

    @property
    def is_legacy(self) -> bool:
        """Whether an earlier version of the program wrote the file, in another format."""
        return self._file.is_legacy

    @property
    def can_be_loaded(self) -> bool:
        """Whether the graph is not in memory, and was not found to be unreadable."""
        return self._index is None and not self._is_unreadable

    def note_verified(self) -> None:
        """Note that the checksum of the file is right: then it is worth another try to load the graph."""
        self.is_verified, self._is_unreadable = True, False

    def check_links(self) -> None:
        """Check the links unless the file is verified; `load_steps` does so if nobody has.

        Raises:
            RuntimeError, ValueError, OSError: a link leads nowhere, or the file cannot be read.
        """
        if not self.is_verified and not self._is_checked:
            with self._noting_failures():
                self._file.check_links()
            self._is_checked = True

    def load_steps(self, *, more_follow: bool = False, makes_room: bool = False) -> Steps[None]:
        """Load the graph into memory if it is not, step by step.

        Args:
            more_follow: keep the memory that was needed to load the next graph, until `release_spare_memory`.
            makes_room: take the memory from the system in short steps before it is needed in long ones.

        Raises:
            RuntimeError, ValueError, OSError: hnswlib cannot read it, or it contains a different number of rows.
        """
        if self._index is not None:
            return
        if not self.is_verified and not self._is_checked:
            self.check_links()
            yield None
        with self._noting_failures():
            index, is_projected = yield from self._file.load_steps(
                self._projection, more_follow=more_follow, makes_room=makes_room
            )
        if self._index is None:  # a search may have loaded it meanwhile
            self._index, self._is_projected = index, is_projected

    def load_into_memory(self) -> None:
        """Load the graph into memory if it is not, at once; raises what `load_steps` does."""
        run_to_completion(self.load_steps())

    @contextmanager
    def _noting_failures(self) -> Iterator[None]:
        """Note a failure to read the graph, so that not every search tries it again."""
        try:
            yield
        except MemoryError as error:
            self._is_unreadable = True
            raise RuntimeError("there is not enough memory for the graph") from error
        except (OSError, ValueError, RuntimeError):
            self._is_unreadable = True
            raise
        self._is_unreadable = False

    def take_memory(self, other: HnswGraph) -> None:
        """Take over what is in memory of a graph with the same rows and links."""
        self._index, self._is_projected, self._is_checked = other._index, other._is_projected, other._is_checked

    def unload(self) -> None:
        """Release the memory; the file stays."""
        self._index, self._is_checked = None, False

    def __len__(self) -> int:
        return self._file.rows

    @property
    def ids(self) -> Ids:
        """Sentence ids, int64 [n], ascending."""
        try:
            return self._file.ids
        except (OSError, ValueError) as error:
            self.failure = error
            raise

    def read_ids(self) -> None:
        """Read the ids from the file, which the first search or comparison of rows needs.

        Raises:
            OSError, ValueError: the file is gone, or has changed since it was first opened.
        """
        _ = self._file.ids

    def search(self, query: Vectors, top_k: int, ef: int = EF_SEARCH) -> tuple[Ids, Vectors]:
        """Return the best rows that the graph finds; exact when a large share is requested, or it is not in memory.

        Raises:
            OSError, ValueError: the file is needed, and gone.
        """
        top_k = min(top_k, len(self))
        if self._index is not None and top_k <= len(self) * _EXACT_SHARE:
            with suppress(RuntimeError):  # hnswlib 0.8 raises when its walk met fewer than `top_k` rows
                return self._walk(self._index, query, top_k, ef)
        try:
            return select_best(*self._file.compare(query), top_k)
        except (OSError, ValueError) as error:  # somebody has deleted or damaged the file
            if self._index is not None:
                with suppress(RuntimeError):
                    return self._walk(self._index, query, top_k, ef)
            self.failure = error
            raise

    def _walk(self, index: hnswlib.Index, query: Vectors, top_k: int, ef: int) -> tuple[Ids, Vectors]:
        if self._is_projected:
            assert self._projection is not None, "the vectors were projected"
            query = self._projection.project_query(query)
        index.set_ef(max(ef, top_k + top_k // 2))
        labels, distances = index.knn_query(query[None, :], k=top_k, num_threads=1)
        return labels[0].astype(np.int64), np.float32(1.0) - distances[0]

    def contains(self, ids: Ids) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is here."""
        return contains_ids(self.ids, ids)

    def vectors(self, ids: Ids) -> Vectors:
        """Return the rows of `ids`.

        Raises:
            OSError, ValueError: the file is gone.
        """
        try:
            return self._file.vectors(ids)
        except (OSError, ValueError):  # somebody has deleted the file
            if self._read_stored is None:
                raise
        return self._read_stored(ids)


def contains_ids(ascending: Ids, ids: Ids) -> NDArray[np.bool_]:
    """Return for each of `ids` whether it is among the `ascending` ones."""
    if not len(ascending):
        return np.zeros(len(ids), np.bool_)
    at = np.minimum(np.searchsorted(ascending, ids), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[at] == ids
    return found


def _grow_array(array: NDArray[T], count: int, room: int) -> NDArray[T]:
    grown = np.empty((room, *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown


@dataclass(frozen=True, slots=True, eq=False)
class _RowsAmong:
    """Those of the `asked` ids that the index in a `state` has, with their rows float32 [n, dim]."""

    state: Sequence[tuple[object, int, int]]
    asked: Ids
    held: Ids
    vectors: Vectors


class VectorCache:
    """A few thousand rows by sentence id; emptied when there is no room for more."""

    def __init__(self, dim: int) -> None:
        # The system allocates memory as rows are written.
        self._rows: Vectors = np.empty((_MAX_CACHED_ROWS, dim), np.float32)
        self._places: dict[int, int] = {}
        self._source: Sequence[tuple[object, int]] = ()

    def keep_to(self, source: Sequence[tuple[object, int]]) -> None:
        """Empty the cache, unless its rows come from exactly these parts of the index, each in its given state."""
        if source != self._source:
            self.forget()
            self._source = source

    def forget(self) -> None:
        """Drop all rows."""
        if self._places:
            self._places.clear()
            self._rows = np.empty_like(self._rows)
        self._source = ()  # otherwise a graph that was replaced would stay in memory

    def has_room(self, count: int) -> bool:
        """Return whether `count` more rows fit."""
        return len(self._places) + count <= _MAX_CACHED_ROWS

    def add(self, ids: Ids, rows: Vectors) -> None:
        """Add rows that are not cached yet."""
        first = len(self._places)
        self._rows[first : first + len(ids)] = rows
        self._places.update(zip(ids.tolist(), range(first, first + len(ids)), strict=True))

    def places(self, ids: Ids) -> Ids:
        """Return for each of `ids` its row, -1 for those that are not cached."""
        find = self._places.get
        return np.fromiter((find(each, -1) for each in ids.tolist()), np.int64, len(ids))

    def rows(self, places: Ids) -> Vectors:
        """Return a copy of some rows."""
        return self._rows[places]
