"""Vectors of a large library in half or a quarter of the memory of float32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    VectorRows: TypeAlias = "NDArray[np.float32] | CompactVectors"


class CompactVectors:
    """The rows of a matrix as small integers, with a scale for each row.

    A product of two rows of length 1 differs from that of the float32 rows by some hundred-thousandths at most with 16
    bits, by some thousandths with 8. Reading rows is like indexing an array: `vectors[rows]` is float32 [b, dim], for a
    slice or row numbers int64 [b].

    Args:
        count: the number of rows, each of which is set or cleared before it is read.
        dim: the numbers of a row.
        bits: of a number, 16 or 8.
    """

    def __init__(self, count: int, dim: int, bits: Literal[8, 16] = 16) -> None:
        self._numbers = np.empty((count, dim), np.int8 if bits == 8 else np.int16)
        self._steps = np.float32(2 ** (bits - 1) - 1)  # of a number between 0 and the largest one of its row
        self._scales = np.empty(count, np.float32)

    def __len__(self) -> int:
        return len(self._scales)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and the numbers of a row."""
        return len(self), self.dim

    @property
    def dim(self) -> int:
        """The numbers of a row."""
        return self._numbers.shape[1]

    def clear(self, rows: slice) -> None:
        """Fill rows with zeros."""
        self._numbers[rows] = 0
        self._scales[rows] = 0.0

    def __setitem__(self, rows: NDArray[np.int64] | slice, vectors: NDArray[np.float32]) -> None:
        scales = np.abs(vectors).max(axis=1, initial=0.0) / self._steps
        self._scales[rows] = scales
        self._numbers[rows] = np.rint(vectors / np.where(scales > 0.0, scales, np.float32(1.0))[:, None])

    def __getitem__(self, rows: NDArray[np.int64] | slice) -> NDArray[np.float32]:
        return self.unscaled(rows) * self._scales[rows][:, None]

    def unscaled(self, rows: NDArray[np.int64] | slice) -> NDArray[np.float32]:
        """Return rows float32 [b, dim] without their scales: a product with few other rows is scaled faster itself."""
        numbers: NDArray[np.float32] = self._numbers[rows].astype(np.float32)
        return numbers

    def scales(self, rows: NDArray[np.int64] | slice) -> NDArray[np.float32]:
        """Return the scales of rows: float32 [b]."""
        scales: NDArray[np.float32] = self._scales[rows]
        return scales
