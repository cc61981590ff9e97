"""The neighbour graph of a library, brought up to date when somebody needs it and kept for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.neighbours import K, Lists, NeighbourGraph, RowFinder, nearest_neighbours
from desktop_app.core.jobs import Progress, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from desktop_app.core.library_ports import Library

T = TypeVar("T")

_KEPT_AT_ONCE = 500
_MOST = 0.9


class Graphs:
    """Holds the graph of the last use. A step that is cancelled leaves what was before, here and in the library."""

    def __init__(self) -> None:
        self._graph: NeighbourGraph | None = None
        self._of = ""

    def graph(self, library: Library) -> Steps[NeighbourGraph]:
        """Return the graph of every sentence with a vector: the one in memory, the kept one, or what has changed."""
        while True:
            fingerprint = _fingerprint(library)
            ids = yield from joined(library.material.nodes(), np.empty(0, np.int64))
            known = self._graph
            if known is not None and self._of == fingerprint and np.array_equal(known.ids, ids):
                return known
            lists = yield from _completed(library, ids, fingerprint)
            if lists is not None:
                self._graph, self._of = NeighbourGraph(ids, lists), fingerprint
                return self._graph


def _fingerprint(library: Library) -> str:
    return library.model.fingerprint if library.model else ""


def of_one_model(library: Library, begin: Callable[[], Steps[T]]) -> Steps[T]:
    """Return what steps return; they are begun anew when the library changes its model while they are under way.

    Otherwise what was read off the old model's vectors would be kept as the new one's.
    """
    while True:
        fingerprint = _fingerprint(library)
        steps = begin()
        try:
            while _fingerprint(library) == fingerprint:
                try:
                    step = next(steps)
                except StopIteration as end:
                    found: T = end.value
                    return found
                yield step
        finally:
            steps.close()


def _completed(library: Library, ids: NDArray[np.int64], fingerprint: str) -> Steps[Lists | None]:
    """Return the lists of `ids`, what is not kept found and kept; None when the library has changed its model."""
    lists = Lists.empty(len(ids))
    missing = yield from _take_kept(library, ids, lists)
    if not missing.any():
        return lists
    vectors = yield from matrix(library, ids)
    steps = nearest_neighbours(vectors, lists, missing)
    while _fingerprint(library) == fingerprint:
        try:
            done, total = next(steps)
        except StopIteration as end:
            if library.writable:
                yield from _keep(library, ids, lists, end.value, missing)
            return lists if _fingerprint(library) == fingerprint else None
        # Products are no matter of a person: sentences are.
        yield Progress("comparing", len(ids) * done // max(total, 1), len(ids), "sentences")
    return None


def joined(pieces: Iterator[NDArray[np.int64]], empty: NDArray[np.int64]) -> Steps[NDArray[np.int64]]:
    """Return the pieces of a stream as one array; `empty` when there are none."""
    taken = [empty]
    for piece in pieces:
        taken.append(piece)
        yield None
    return np.concatenate(taken)


def part_of(library: Library, whole: NeighbourGraph, rows: NDArray[np.int64]) -> Steps[NeighbourGraph]:
    """Return the graph of some rows int64 [m] of a graph, in their order.

    Of most of them it is read off the whole one. Sentences of a small part have their neighbours elsewhere: there it
    is found anew, and kept by nobody.
    """
    count = len(whole.ids)
    if len(rows) == count:
        return whole
    if len(rows) < _MOST * count:
        lists = Lists.empty(len(rows))
        vectors = yield from matrix(library, whole.ids[rows])
        for done, total in nearest_neighbours(vectors, lists, np.ones(len(rows), np.bool_)):
            yield Progress("comparing", len(rows) * done // max(total, 1), len(rows), "sentences")
        return NeighbourGraph(whole.ids[rows], lists)
    yield None
    return whole.part(rows)


def matrix(library: Library, ids: NDArray[np.int64]) -> Steps[NDArray[np.float32]]:
    """Return the vectors of `ids` int64 [n]: float32 [n, dim]; a row of zeros where there is no sound one."""
    dim = library.model.dim if library.model else 0
    vectors = np.zeros((len(ids), dim), np.float32)
    order = np.argsort(ids, kind="stable")
    ascending = ids[order]
    yield None
    if not len(ids):
        return vectors
    for some, piece in library.material.vectors():
        if piece.shape[1] != dim:
            break  # the library has changed its model meanwhile; who asked will see
        at = np.minimum(np.searchsorted(ascending, some), len(ids) - 1)
        here = ascending[at] == some
        vectors[order[at[here]]] = piece[here]
        yield None
    return vectors


def _take_kept(library: Library, ids: NDArray[np.int64], lists: Lists) -> Steps[NDArray[np.bool_]]:
    """Fill `lists` with what the library has kept; returns bool [n], the rows that it has nothing sound of."""
    missing = np.ones(len(ids), np.bool_)
    finder = RowFinder(ids)
    yield None
    for some, near, scores in library.material.neighbours(K):
        rows = finder.rows_of(some)
        near_rows = np.where(near > 0, finder.rows_of(near), -1)
        sound = (rows >= 0) & ((near <= 0) | (near_rows >= 0)).all(axis=1)
        lists.near[rows[sound]] = near_rows[sound]
        lists.scores[rows[sound]] = scores[sound]
        missing[rows[sound]] = False
        yield None
    return missing


def _keep(
    library: Library, ids: NDArray[np.int64], lists: Lists, changed: NDArray[np.bool_], missing: NDArray[np.bool_]
) -> Steps[None]:
    """Store what has changed: known sentences before new ones, so that a list that is there is always complete."""
    fingerprint = _fingerprint(library)
    for rows in (np.flatnonzero(changed & ~missing), np.flatnonzero(missing)):
        for top in range(0, len(rows), _KEPT_AT_ONCE):
            some = rows[top : top + _KEPT_AT_ONCE]
            if _fingerprint(library) != fingerprint:
                return
            near = lists.near[some]
            library.material.keep_neighbours(ids[some], np.where(near >= 0, ids[near], 0), lists.scores[some])
            yield Progress("storing", top, len(rows), "sentences")
