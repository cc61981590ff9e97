"""The neighbour graph of a library, updated on demand and cached.

Up to 300,000 sentences it is exact, and new sentences are compared with all others in a library of any size. Where
that would be more products than 300,000 sentences need, all neighbours are found anew, and nearly all of them: the
result depends on the sentences alone, not on the order in which they arrived.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from desktop_app.analysis.approximate_neighbours import ApproximateNeighbours
from desktop_app.analysis.compact_vectors import CompactVectors
from desktop_app.analysis.neighbour_graph import (
    NEIGHBOURS,
    NeighbourGraph,
    NeighbourLists,
    RowIndex,
    find_nearest_neighbours,
    find_neighbours_of_few,
)
from desktop_app.core.errors import StorageFull
from desktop_app.core.jobs import Progress, Steps
from desktop_app.core.mapped_arrays import map_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.library import Library
    from desktop_app.core.mapped_arrays import MappedArrays
    from desktop_app.core.ports import ApproximateProducts, RowsToCompare

_log = logging.getLogger(__name__)

T = TypeVar("T")

_LISTS_PER_STEP = 400
_ROWS_ZEROED_PER_STEP = 8192
_ROWS_COMPARED_PER_STEP = 32_768
_SAVE_AFTER_PRODUCTS = 600_000_000  # products: some 20 s of a slow core
_MAX_INTERIM_SAVES = 5  # saves while a large graph grows: its first lists change with every further part
_MIN_PRODUCTS_TO_LAY_OUT = 100_000_000  # products
_MAX_EXACT_PRODUCTS = 45_000_000_000  # products: of 300,000 sentences with each other; below, exact is as fast
_FEW = 4096  # new sentences of a library of more than `_MANY`: all other vectors are not kept in memory for them
_MANY = 300_000
_MOSTLY_WHOLE = 0.9
_MAPPED_ROWS = 100_000  # of fewer sentences a graph takes less than 13 MB
_MEASURED = 200  # sentences whose stored neighbours are checked
_SAME_COSINE = 1e-4
_MAX_SQUARE = 65_536.0**2  # a damaged vector is longer, or has values that are no numbers
_NO_IDS = np.empty(0, np.int64)


@dataclass(slots=True, eq=False)
class _GraphGrowth:
    """A graph under construction. Its missing rows are known at every step: it is never mistaken for a complete one.

    Attributes:
        fingerprint: of the model.
        ids: all sentences of the library int64 [n].
        lists: neighbours of the rows that are not `incomplete`, among themselves.
        incomplete: bool [n], rows that must still be compared.
        unsaved: bool [n], rows that the library has no list of yet.
        is_current: returns whether the library still has the model and the vectors that it began with.
        approximation: the search for all neighbours of a large library, while it lasts.
    """

    fingerprint: str
    ids: NDArray[np.int64]
    lists: NeighbourLists
    incomplete: NDArray[np.bool_]
    unsaved: NDArray[np.bool_]
    is_current: Callable[[], bool] = lambda: True
    approximation: ApproximateNeighbours | None = None

    @property
    def is_saved(self) -> bool:
        """Whether the library has every list as it is here."""
        return not (self.unsaved.any() or self.lists.changed.any())

    def matches(self, fingerprint: str, ids: NDArray[np.int64]) -> bool:
        """Whether it becomes the graph of these sentences."""
        return self.fingerprint == fingerprint and np.array_equal(self.ids, ids)


class NeighbourGraphCache:
    """Keeps the last graph in memory, and one whose construction was stopped, to continue it.

    A large graph is saved in the library as it grows, like the graph of a smaller library that is then extended.

    Args:
        make_fast_products: returns a faster way to multiply vectors float32 [n, dim] with one another, or None.
        make_rows_to_compare: returns a faster way to multiply few vectors float32 [m, dim] with many, or None.
        folder: for temporary files: a large graph in memory is one that is mapped; None: it is in memory.
    """

    def __init__(
        self,
        make_fast_products: Callable[[NDArray[np.float32]], ApproximateProducts | None] | None = None,
        make_rows_to_compare: Callable[[NDArray[np.float32]], RowsToCompare | None] | None = None,
        *,
        folder: Path | None = None,
    ) -> None:
        self._make_fast_products = make_fast_products or (lambda _: None)
        self._make_rows_to_compare = make_rows_to_compare or (lambda _: None)
        self._folder = folder
        self._graph: NeighbourGraph | None = None
        self._mapped: MappedArrays | None = None
        self._is_stored = False  # or the library cannot be written
        self._fingerprint = ""
        self._growth: _GraphGrowth | None = None
        self._times_forgotten = 0

    def forget(self) -> None:
        """Forget all graphs, those under construction too: sentences may have other vectors under the same ids."""
        self._graph = self._mapped = self._growth = None
        self._times_forgotten += 1

    def graph(self, library: Library) -> Steps[NeighbourGraph]:
        """Return the graph of every sentence with a vector: from memory or the library, extended by what is new."""
        while True:
            fingerprint = model_fingerprint(library)
            is_current = self._watch(library, fingerprint)
            known = self._graph if self._fingerprint == fingerprint else None
            ids = yield from join_pieces(
                library.analysis_reader.nodes(known.ids if known is not None else _NO_IDS), _NO_IDS
            )
            if not is_current():
                continue
            if known is not None and np.array_equal(known.ids, ids):
                return known
            growth, self._growth = self._growth, None  # only one of two jobs continues it
            if growth is not None and not growth.matches(fingerprint, ids):
                growth = None
            # Nobody says here that another program has repaired a shared library: what it stores is right.
            if growth is None and known is not None and self._is_stored and not library.is_shared:
                growth = yield from _extend_graph(known, ids, fingerprint)
            if growth is None:
                growth = yield from _start_growth(library, ids, fingerprint)
            if not is_current():
                continue
            growth.is_current = is_current
            try:
                is_whole = yield from _complete_graph(library, growth, self._products, self._make_rows_to_compare)
            except BaseException:
                self._growth = growth if is_current() else None
                raise
            if is_whole:
                self._graph, self._fingerprint = NeighbourGraph(ids, growth.lists), fingerprint
                self._is_stored = not library.writable or growth.is_saved
                return (yield from self._map_graph(self._graph))

    def _watch(self, library: Library, fingerprint: str) -> Callable[[], bool]:
        """Return a function that says whether the model has this fingerprint, and nothing was forgotten since."""
        begun = self._times_forgotten
        return lambda: self._times_forgotten == begun and model_fingerprint(library) == fingerprint

    def _map_graph(self, graph: NeighbourGraph) -> Steps[NeighbourGraph]:
        """Return a large graph in a mapped file, which is kept instead of the one in memory."""
        self._mapped = None
        if self._folder is None or len(graph.ids) < _MAPPED_ROWS:
            return graph
        try:
            mapped = yield from map_arrays((graph.ids, graph.lists.neighbours, graph.lists.scores), self._folder)
        except OSError as error:
            _log.warning("the graph of neighbours stays in memory: %s", error)
            return graph
        ids, neighbours, scores = mapped.arrays
        lists = NeighbourLists(neighbours, scores)
        lists.changed = graph.lists.changed
        if self._graph is graph:  # no other job has found another one meanwhile
            self._graph, self._mapped = NeighbourGraph(ids, lists), mapped
            return self._graph
        return graph

    def release_memory(self) -> None:
        """Release the memory of a graph that nobody reads at the moment; it takes some again when it is read."""
        if self._mapped is not None:
            self._mapped.release()

    def part(self, library: Library, whole: NeighbourGraph, rows: NDArray[np.int64]) -> Steps[NeighbourGraph]:
        """Return the graph of some rows int64 [m] of a graph, in their order.

        For most of the rows it is taken from the whole graph. The sentences of a small part have their neighbours
        elsewhere: there the graph is computed again, and not saved.
        """
        count = len(whole.ids)
        if len(rows) == count:
            return whole
        if len(rows) >= _MOSTLY_WHOLE * count:
            yield None
            return whole.part(rows)
        if count_products(len(rows), len(rows)) > _MAX_EXACT_PRODUCTS:
            approximation = ApproximateNeighbours(len(rows))
            compact = yield from read_compact_vectors(library, whole.ids[rows])
            for done, total in approximation.find(compact):
                yield Progress("comparing", len(rows) * done // total, len(rows), "sentences")
            return NeighbourGraph(whole.ids[rows], approximation.lists)
        lists, incomplete = NeighbourLists.empty(len(rows)), np.ones(len(rows), np.bool_)
        vectors = yield from read_vectors(library, whole.ids[rows])
        for done, total in find_nearest_neighbours(vectors, lists, incomplete, self._products(vectors, incomplete)):
            yield Progress("comparing", len(rows) * done // max(total, 1), len(rows), "sentences")
        return NeighbourGraph(whole.ids[rows], lists)

    def _products(self, vectors: NDArray[np.float32], incomplete: NDArray[np.bool_]) -> ApproximateProducts | None:
        """Return the fastest way to find the neighbours of these rows; None for the plain one."""
        return self._make_fast_products(vectors) if incomplete.sum() * len(vectors) > _MIN_PRODUCTS_TO_LAY_OUT else None


def model_fingerprint(library: Library) -> str:
    """Return the fingerprint of the library's model; empty if it has none yet."""
    return library.models.current.fingerprint if library.models.current else ""


def restart_on_model_change(library: Library, begin: Callable[[], Steps[T]]) -> Steps[T]:
    """Return the result of steps; they start again if the library changes its model while they run.

    Otherwise results from the old model's vectors would be stored as the new one's.
    """
    while True:
        fingerprint = model_fingerprint(library)
        steps = begin()
        try:
            while model_fingerprint(library) == fingerprint:
                try:
                    step = next(steps)
                except StopIteration as end:
                    found: T = end.value
                    return found
                yield step
        finally:
            steps.close()


def _start_growth(library: Library, ids: NDArray[np.int64], fingerprint: str) -> Steps[_GraphGrowth]:
    """Return the saved part of the graph of `ids`."""
    lists = yield from NeighbourLists.empty_in_steps(len(ids))
    missing = yield from _read_saved_lists(library, ids, lists)
    return _GraphGrowth(fingerprint, ids, lists, missing, missing.copy())


def _extend_graph(known: NeighbourGraph, ids: NDArray[np.int64], fingerprint: str) -> Steps[_GraphGrowth | None]:
    """Return the graph of `ids` as far as a graph in memory has it; None if much is missing: more may be stored."""
    lists, missing = yield from known.lists_of(ids)
    return _GraphGrowth(fingerprint, ids, lists, missing, missing.copy()) if missing.sum() <= _FEW else None


def _complete_graph(
    library: Library,
    growth: _GraphGrowth,
    products: Callable[[NDArray[np.float32], NDArray[np.bool_]], ApproximateProducts | None],
    rows_to_compare: Callable[[NDArray[np.float32]], RowsToCompare | None],
) -> Steps[bool]:
    """Compute the incomplete rows and save them; returns False if it is not current any more."""
    count, ids = len(growth.ids), growth.ids
    if count_products(int(growth.incomplete.sum()), count) > _MAX_EXACT_PRODUCTS:
        if not (yield from _approximate_graph(library, growth)):
            return False
    elif 0 < growth.incomplete.sum() <= _FEW and count > _MANY:
        if not (yield from _compare_few(library, growth, rows_to_compare)):
            return False
    elif growth.incomplete.any():
        vectors = yield from read_vectors(library, ids)
        compared = count - int(growth.incomplete.sum())
        fast_products = products(vectors, growth.incomplete)
        yield None
        steps = find_nearest_neighbours(vectors, growth.lists, growth.incomplete, fast_products)
        last = 0
        for done, total in steps:
            if not growth.is_current():
                return False
            # Progress is shown in sentences, not in products. Earlier comparisons count as done.
            share = (compared * compared // 2 + done) / max(compared * compared // 2 + total, 1)
            yield Progress("comparing", int(count * share), count, "sentences")
            if done < total and done - last > max(_SAVE_AFTER_PRODUCTS, total // _MAX_INTERIM_SAVES):
                last = done
                yield from _save_lists(library, growth)
    yield from _save_lists(library, growth)
    return growth.is_current()


def _approximate_graph(library: Library, growth: _GraphGrowth) -> Steps[bool]:
    """Find nearly all neighbours of every row; returns False if it is not current any more."""
    count = len(growth.ids)
    growth.approximation = growth.approximation or ApproximateNeighbours(count)
    vectors = yield from read_compact_vectors(library, growth.ids)
    for done, total in growth.approximation.find(vectors):
        if not growth.is_current():
            return False
        yield Progress("comparing", count * done // total, count, "sentences")
    _log.info("the graph of %d sentences has %.4f of their neighbours", count, growth.approximation.recall)
    found, known = growth.approximation.lists, growth.lists
    for top in range(0, count, _ROWS_COMPARED_PER_STEP):
        some = slice(top, top + _ROWS_COMPARED_PER_STEP)
        found.changed[some] = (found.neighbours[some] != known.neighbours[some]).any(axis=1) | known.changed[some]
        yield None
    growth.lists, growth.approximation = found, None
    growth.incomplete[:] = False
    return True


def _compare_few(
    library: Library,
    growth: _GraphGrowth,
    rows_to_compare: Callable[[NDArray[np.float32]], RowsToCompare | None],
) -> Steps[bool]:
    """Compare few rows with all others, piece by piece; returns False if it is not current any more."""
    count = len(growth.ids)
    finder = RowIndex(growth.ids)
    yield None
    asked = np.flatnonzero(growth.incomplete)
    known = library.search.vectors(growth.ids[asked].tolist())
    dim = library.models.current.dim if library.models.current else 0
    zeros = np.zeros(dim, np.float32)
    own = np.zeros((len(asked), dim), np.float32)
    for row, key in enumerate(growth.ids[asked].tolist()):
        if len(vector := known.get(key, zeros)) == dim:  # else the library has changed its model; noticed below
            own[row] = vector
    own[~(np.einsum("ij,ij->i", own, own) < _MAX_SQUARE)] = 0.0  # the reader leaves such vectors out of the others
    yield None
    products = rows_to_compare(own)
    yield None

    def read_pieces() -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        for ids, piece in library.analysis_reader.vectors():
            if piece.shape[1] != dim:
                return  # the library has changed its model; the loop below notices
            rows = finder.find_rows(ids)
            here = rows >= 0
            yield (rows, piece) if here.all() else (rows[here], piece[here])

    for done in find_neighbours_of_few(own, growth.lists, growth.incomplete, read_pieces(), products):
        if not growth.is_current():
            return False
        yield Progress("comparing", done, count, "sentences")
    return True


def count_products(new: int, count: int) -> int:
    """Return how many products compare new sentences with each other and with the rest of `count`."""
    return new * (count - new) + new * new // 2


def measure_stored_graph(library: Library) -> Steps[tuple[float, int] | None]:
    """Compare the stored neighbours of a sample with all sentences that have stored neighbours.

    Returns (share of the nearest ones that are stored, sentences of the sample); None if there is no graph.
    """
    listed = yield from join_pieces((ids for ids, _, _ in library.analysis_reader.neighbours(NEIGHBOURS)), _NO_IDS)
    if not len(listed):
        return None
    sample = np.unique(listed[np.linspace(0, len(listed) - 1, _MEASURED).astype(np.int64)])
    own = library.search.vectors(sample.tolist())
    yield None
    finder, known = RowIndex(np.fromiter(own, np.int64)), RowIndex(listed)
    queries = np.stack(list(own.values())) if own else np.empty((0, 0), np.float32)
    stored, best = np.zeros((len(own), NEIGHBOURS), np.float32), np.zeros((len(own), NEIGHBOURS), np.float32)
    for ids, _, scores in library.analysis_reader.neighbours(NEIGHBOURS):
        rows = finder.find_rows(ids)
        stored[rows[rows >= 0]] = scores[rows >= 0]
        yield None
    for ids, vectors in library.analysis_reader.vectors():
        if vectors.shape[1] != queries.shape[1]:
            return None  # the library has changed its model
        cosines = queries @ vectors.T
        rows = finder.find_rows(ids)
        cosines[rows[rows >= 0], np.flatnonzero(rows >= 0)] = 0.0
        cosines[:, known.find_rows(ids) < 0] = 0.0
        yield None
        best = np.partition(np.hstack([best, cosines]), len(ids), axis=1)[:, len(ids) :]
        yield None
    floor = best.min(axis=1, keepdims=True)
    full = floor[:, 0] > 0.0  # the others have fewer neighbours
    return (float((stored >= floor - _SAME_COSINE)[full].mean()) if full.any() else 1.0), len(own)


def join_pieces(pieces: Iterator[NDArray[np.int64]], empty: NDArray[np.int64]) -> Steps[NDArray[np.int64]]:
    """Return the pieces of a stream as one array; `empty` if there are none."""
    parts = [empty]
    for piece in pieces:
        parts.append(piece)
        yield None
    return np.concatenate(parts)


def read_vectors(library: Library, ids: NDArray[np.int64]) -> Steps[NDArray[np.float32]]:
    """Return the vectors of `ids` int64 [n]: float32 [n, dim]; a row of zeros where there is no sound vector."""
    dim = library.models.current.dim if library.models.current else 0
    vectors = np.empty((len(ids), dim), np.float32)
    for top in range(0, len(ids), _ROWS_ZEROED_PER_STEP):
        # The system provides memory at the first write: with vectors in random order, nearly all in one step.
        vectors[top : top + _ROWS_ZEROED_PER_STEP] = 0.0
        yield None
    order = np.argsort(ids, kind="stable")
    ascending = ids[order]
    yield None
    if not len(ids):
        return vectors
    for some, piece in library.analysis_reader.vectors():
        if piece.shape[1] != dim:
            break  # the library has changed its model; the caller will notice
        at = np.minimum(np.searchsorted(ascending, some), len(ids) - 1)
        here = ascending[at] == some
        vectors[order[at[here]]] = piece[here]
        yield None
    return vectors


def read_compact_vectors(library: Library, ids: NDArray[np.int64], bits: Literal[8, 16] = 16) -> Steps[CompactVectors]:
    """Return the vectors of `ids` int64 [n]; a row of zeros where there is no sound vector."""
    dim = library.models.current.dim if library.models.current else 0
    vectors = CompactVectors(len(ids), dim, bits)
    for top in range(0, len(ids), _ROWS_ZEROED_PER_STEP):
        vectors.clear(slice(top, top + _ROWS_ZEROED_PER_STEP))  # see `read_vectors`
        yield None
    finder = RowIndex(ids)
    yield None
    for some, piece in library.analysis_reader.vectors():
        if piece.shape[1] != dim:
            break  # the library has changed its model; the caller will notice
        rows = finder.find_rows(some)
        vectors[rows[rows >= 0]] = piece[rows >= 0]
        yield None
    return vectors


def _read_saved_lists(library: Library, ids: NDArray[np.int64], lists: NeighbourLists) -> Steps[NDArray[np.bool_]]:
    """Fill `lists` with the saved lists; returns bool [n], the rows without a sound one."""
    missing = np.ones(len(ids), np.bool_)
    finder = RowIndex(ids)
    yield None
    for some, near, scores in library.analysis_reader.neighbours(NEIGHBOURS):
        rows = finder.find_rows(some)
        near_rows = np.where(near > 0, finder.find_rows(near), -1)
        sound = (rows >= 0) & ((near <= 0) | (near_rows >= 0)).all(axis=1)
        lists.neighbours[rows[sound]] = near_rows[sound]
        lists.scores[rows[sound]] = scores[sound]
        missing[rows[sound]] = False
        yield None
    # A sentence that others name has lost its own list with its vector, which a repair has replaced: they may have lost
    # it as a neighbour, and the next best one is not in their lists.
    named = np.zeros(len(ids), np.bool_)
    for top in range(0, len(ids), _ROWS_COMPARED_PER_STEP):
        near_rows = lists.neighbours[top : top + _ROWS_COMPARED_PER_STEP]
        named[top : top + _ROWS_COMPARED_PER_STEP] = (missing[near_rows] & (near_rows >= 0)).any(axis=1)
        yield None
    return missing | named


def _save_lists(library: Library, growth: _GraphGrowth) -> Steps[None]:
    """Save what has changed: known sentences before new ones, so that every saved list is complete.

    What a full disk keeps from being saved is computed again next time.
    """
    if not library.writable:
        return
    lists, ids = growth.lists, growth.ids
    for rows in (
        np.flatnonzero(lists.changed & ~growth.unsaved & ~growth.incomplete),
        np.flatnonzero(growth.unsaved & ~growth.incomplete),
    ):
        for top in range(0, len(rows), _LISTS_PER_STEP):
            some = rows[top : top + _LISTS_PER_STEP]
            if not growth.is_current():
                return
            near = lists.neighbours[some]
            try:
                library.analysis_reader.save_neighbours(
                    ids[some], np.where(near >= 0, ids[near], 0), lists.scores[some]
                )
            except StorageFull as error:
                _log.warning("the graph of neighbours is not saved: %s", error)
                return
            lists.changed[some], growth.unsaved[some] = False, False
            yield Progress("storing", top, len(rows), "sentences")
