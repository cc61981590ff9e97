"""Fewer dimensions for the graphs in memory: those in which a library's vectors differ most.

A search along a graph's links only chooses candidates; their cosines are computed from the whole vectors, which stay in
the files. So two thirds of the dimensions are enough in memory, or a few more: the directions in which the vectors of a
sample are longest. No other directions change the products of these vectors less (C. Eckart, G. Young: The
approximation of one matrix by another of lower rank, 1936).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.background_thread import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.jobs import Steps


MIN_SHARE = 0.88
"""A graph whose vectors keep less of their squared length is searched with all dimensions."""

_LEARNED_SHARE = 0.9  # the share that the sample keeps
_KEPT, _MOST_KEPT = 2 / 3, 3 / 4  # of the dimensions
_MULTIPLE = 16  # of the numbers that hnswlib multiplies at once
_LONGEST_SQUARE = 1.1  # of a unit vector in half precision, and more
_MIN_DIM = 128  # below it, links and labels take most of the memory


class Projection:
    """The directions of a model's vectors that graphs in memory keep; learned from one of them.

    Args:
        dim: length of a vector.

    Attributes:
        dim: as above.
        is_learned: whether it is known which directions there are.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.is_learned = dim < _MIN_DIM  # such vectors are never projected
        self._matrix: Vectors | None = None
        self._last: tuple[Vectors, Vectors] | None = None

    @property
    def kept(self) -> int:
        """The length of a projected vector; `dim` if projecting loses too much, or gains too little."""
        return self.dim if self._matrix is None else self._matrix.shape[1]

    def learn(self, sample: Iterable[Vectors]) -> Steps[None]:
        """Take the directions from pieces of a sample of unit vectors, float32 [n, dim] each.

        They are the leading right singular vectors of all pieces. Damaged vectors, which are too long, say nothing.
        """
        moments = np.zeros((self.dim, self.dim), np.float32)
        for piece in sample:
            whole = piece[np.einsum("ij,ij->i", piece, piece) < _LONGEST_SQUARE]
            moments += whole.T @ whole
            yield None
        if not moments.any():
            return
        squares, directions = yield from run_in_thread(lambda: np.linalg.eigh(moments))  # the longest come last
        if self.is_learned:  # from another graph meanwhile, which has projected vectors now
            return
        self.is_learned = True
        shares = np.cumsum(squares[::-1]) / squares.sum()
        needed = max(round(self.dim * _KEPT), 1 + int(np.searchsorted(shares, _LEARNED_SHARE)))
        kept = _MULTIPLE * math.ceil(needed / _MULTIPLE)
        if kept <= self.dim * _MOST_KEPT:
            self._matrix = np.ascontiguousarray(directions[:, ::-1][:, :kept], np.float32)

    def project(self, vectors: Vectors) -> Vectors:
        """Return projected vectors: float32 [n, kept]."""
        assert self._matrix is not None, "it was learned"
        projected: Vectors = vectors @ self._matrix
        return projected

    def project_query(self, query: Vectors) -> Vectors:
        """Return a projected vector, float32 [kept]; all graphs of a search ask for the same one."""
        last = self._last
        if last is None or last[0] is not query:
            last = self._last = query, self.project(query[None, :])[0]
        return last[1]
