"""Fewer dimensions for the graphs in memory: those in which a library's vectors differ most.

A search along a graph's links only chooses candidates; their cosines are computed from the whole vectors, which stay in
the files. So two thirds of the dimensions are enough in memory: the directions in which the vectors of a sample are
longest. No other directions change the products of these vectors less (C. Eckart, G. Young: The approximation of one
matrix by another of lower rank, 1936).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps

    Vectors = NDArray[np.float32]

MIN_SHARE = 0.8
"""A graph whose vectors keep less of their squared length is searched with all dimensions."""

_KEPT = 2 / 3
_MULTIPLE = 16  # of the numbers that hnswlib multiplies at once
_LONGEST_SQUARE = 1.1  # of a unit vector in half precision, and more
_MIN_DIM = 128  # below it, links and labels take most of the memory


class Projection:
    """The directions of a model's vectors that graphs in memory keep; learned from one of them.

    Args:
        dim: length of a vector.

    Attributes:
        dim: as above.
        kept: length of a projected vector; `dim` for vectors that are too short to gain anything.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.kept = _MULTIPLE * round(dim * _KEPT / _MULTIPLE) if dim >= _MIN_DIM else dim
        self._matrix: Vectors | None = None
        self._last: tuple[Vectors, Vectors] | None = None

    @property
    def is_learned(self) -> bool:
        """Whether it can be used."""
        return self._matrix is not None

    def learn(self, sample: Iterable[Vectors]) -> Steps[None]:
        """Take the directions from pieces of a sample of unit vectors, float32 [n, dim] each.

        They are the leading right singular vectors of all pieces. Damaged vectors, which are too long, say nothing.
        """
        moments = np.zeros((self.dim, self.dim), np.float32)
        for piece in sample:
            whole = piece[np.einsum("ij,ij->i", piece, piece) < _LONGEST_SQUARE]
            moments += whole.T @ whole
            yield None
        if moments.any():
            _, directions = np.linalg.eigh(moments)  # the longest come last
            self._matrix = np.ascontiguousarray(directions[:, ::-1][:, : self.kept], np.float32)

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
