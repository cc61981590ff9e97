"""The most similar pairs of a set of sentences, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.records import IndexPair, PairScore

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

_ROWS = 512  # a block of 512 x 2048 scores is 4 MB: it fits into the cache of most machines
_COLUMNS = 2048
_BOUND_DIMENSIONS = 64  # principal axes whose products are computed first
_SIGNS = 9  # the first of these axes, whose signs assign rows to cells
_SAMPLE = 20_000  # rows that determine the axes
_WORTH_BOUNDS = 4096
_TOO_MANY = 0.01  # share of a block from which the whole block is computed
_ROUNDING = np.float32(1e-4)


def score_pair(u: NDArray[np.float32], v: NDArray[np.float32]) -> PairScore:
    """Compare two vectors float32 [dim] of any length; the cosine with a zero vector is 0."""
    a, b = u.astype(np.float64), v.astype(np.float64)
    dot = float(a @ b)
    norms = float(np.linalg.norm(a) * np.linalg.norm(b))
    # Rounding can push the cosine of equal vectors slightly above 1.
    cosine = max(-1.0, min(1.0, dot / norms)) if norms else 0.0
    return PairScore(cosine, dot, float(np.linalg.norm(a - b)))


def rowwise_cosine(u: NDArray[np.float32], v: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row of `u` float32 [n, dim] with the same row of `v`: float64 [n]."""
    a, b = u.astype(np.float64), v.astype(np.float64)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines = np.zeros(len(a))
    np.divide(np.einsum("ij,ij->i", a, b), norms, out=cosines, where=norms > 0)
    return np.clip(cosines, -1.0, 1.0)


def find_most_similar_pairs(
    vectors: NDArray[np.float32], top_k: int, min_score: float = -1.0
) -> Iterator[list[IndexPair] | None]:
    """Find the `top_k` pairs of rows with the highest cosine, exactly, by blocks.

    Args:
        vectors: float32 [n, dim], rows of length 1.
        top_k: how many pairs.
        min_score: lowest cosine.

    Yields:
        None after each block, as a point to pause; finally the pairs, best first, equal scores by (a, b).
    """
    best = _BestPairs(top_k, min_score)
    count = len(vectors)
    worth = count >= _WORTH_BOUNDS and vectors.shape[1] > 2 * _BOUND_DIMENSIONS
    bounds = _project_for_bounds(vectors) if worth else None
    if bounds is not None:
        best.floor = max(best.floor, (yield from _find_reached_score(vectors, bounds, top_k)) - _ROUNDING)
    for top in range(0, count, _ROWS):
        rows = vectors[top : top + _ROWS]
        for left in range(top, count, _COLUMNS):
            columns = vectors[left : left + _COLUMNS]
            found = None
            if bounds is not None and best.floor > -1.0:
                found = _find_pairs_within_bounds(bounds, vectors, (top, left), best.floor)
            if found is None:
                scores = rows @ columns.T
                above = scores >= best.floor
                if left < top + len(rows):  # this block touches the diagonal: keep only what is right of it
                    above &= np.arange(left, left + scores.shape[1]) > np.arange(top, top + len(rows))[:, None]
                i, j = np.nonzero(above)
                found = i + top, j + left, scores[i, j]
            best.offer(*found)
            yield None
    yield best.pairs()


class _BestPairs:
    """The best pairs so far; equal scores by (a, b)."""

    def __init__(self, top_k: int, min_score: float) -> None:
        self._top_k = top_k
        self._a = np.empty(0, np.int64)
        self._b = np.empty(0, np.int64)
        self._scores = np.empty(0, np.float32)
        self.floor = np.float32(min_score)

    def offer(self, a: NDArray[np.int64], b: NDArray[np.int64], scores: NDArray[np.float32]) -> None:
        """Add pairs int64 [c], int64 [c], float32 [c]."""
        if not len(scores):
            return
        if len(scores) > self._top_k:
            # The first block adds all its pairs; sorting them would take longer than their products.
            enough = scores >= np.partition(scores, -self._top_k)[-self._top_k]
            a, b, scores = a[enough], b[enough], scores[enough]
        self._a = np.concatenate([self._a, a])
        self._b = np.concatenate([self._b, b])
        self._scores = np.concatenate([self._scores, scores])
        if len(self._scores) > self._top_k:
            self._sort()
            self._a, self._b = self._a[: self._top_k], self._b[: self._top_k]
            self._scores = self._scores[: self._top_k]
            self.floor = max(self.floor, self._scores[-1])

    def _sort(self) -> None:
        order = np.lexsort((self._b, self._a, -self._scores))
        self._a, self._b, self._scores = self._a[order], self._b[order], self._scores[order]

    def pairs(self) -> list[IndexPair]:
        """Return the pairs, best first."""
        self._sort()
        columns = (self._a.tolist(), self._b.tolist(), self._scores.tolist())
        return [IndexPair(a, b, score) for a, b, score in zip(*columns, strict=True)]


def _project_for_bounds(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32 [n, _KEPT + 1] whose products are never below the cosines.

    The first principal axes of the rows, and the length of each remainder: by Cauchy and Schwarz the products of
    the remainders are at most the product of their lengths. A sixth of the numbers, so a sixth of the work.
    """
    sample = vectors[:: max(1, len(vectors) // _SAMPLE)].astype(np.float64)
    axes = np.linalg.eigh(sample.T @ sample)[1][:, -_BOUND_DIMENSIONS:].astype(np.float32)
    kept = vectors @ axes
    left = np.einsum("ij,ij->i", vectors, vectors) - np.einsum("ij,ij->i", kept, kept)
    return np.column_stack([kept, np.sqrt(np.maximum(left, 0.0))])


def _find_reached_score(
    vectors: NDArray[np.float32], bounds: NDArray[np.float32], top_k: int
) -> Generator[None, None, np.float32]:
    """Return a cosine that at least `top_k` pairs reach; -1 if none is known.

    Without one, blocks would be computed whole until so many good pairs are found. Similar rows mostly have
    the same signs along the first axes, so such cells contain many of the best pairs, and few of all.
    """
    first = bounds[:, _BOUND_DIMENSIONS - _SIGNS : _BOUND_DIMENSIONS]
    cells = (first > np.median(first, axis=0)) @ (1 << np.arange(_SIGNS))
    order = np.argsort(cells, kind="stable")
    best, floor = np.empty(0, np.float32), np.float32(-1.0)
    for cell in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
        for top in range(0, len(cell), _ROWS):
            rows = vectors[cell[top : top + _ROWS]]
            scores = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
            best = np.concatenate([best, scores[scores >= floor]])
            if len(best) > top_k:
                best = np.partition(best, -top_k)[-top_k:]
            if len(best) == top_k:
                floor = best.min()
            yield None
    return floor


def _find_pairs_within_bounds(
    bounds: NDArray[np.float32], vectors: NDArray[np.float32], at: tuple[int, int], floor: np.float32
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]] | None:
    """Return the pairs of a block whose cosines reach `floor`; None if the bounds exclude too few."""
    top, left = at
    most = bounds[top : top + _ROWS] @ bounds[left : left + _COLUMNS].T
    # Few rows have such a pair, and the maximum of a row is found faster than all positions.
    rows = np.flatnonzero(most.max(axis=1) >= floor - _ROUNDING)
    i, j = np.nonzero(most[rows] >= floor - _ROUNDING)
    i, j = rows[i] + top, j + left
    if left < top + _ROWS:
        after = j > i
        i, j = i[after], j[after]
    if len(i) > most.size * _TOO_MANY:
        return None
    scores: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[i], vectors[j])
    reached = scores >= floor
    return i[reached], j[reached], scores[reached]
