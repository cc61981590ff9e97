"""Two texts aligned sentence by sentence: in order by dynamic programming, then what stands elsewhere.

The first is the alignment of Needleman & Wunsch (1970) with gaps that cost nothing: of all ways to join sentences
without crossing, the one whose similarities above a limit sum highest. A row of its table is computed at once, for a
running maximum is all that a gap without cost needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Joined = list[tuple[int, int, float]]

_BLOCK = 128  # rows whose similarities are computed at once


def aligned(a: Vectors, b: Vectors, limit: float) -> Iterator[Joined | None]:
    """Join sentences of two texts without crossing.

    Args:
        a: float32 [n, dim], rows of length 1 in reading order; a row of zeros joins nothing.
        b: float32 [m, dim], likewise.
        limit: lowest cosine.

    Yields:
        None after each step; at last (row of `a`, row of `b`, cosine), ascending. Memory: n * m / 4 bytes.
    """
    n, m = len(a), len(b)
    best = np.zeros(m + 1, np.float32)
    joins = np.zeros((n, (m + 8) // 8), np.uint8)  # one bit a cell: the cell joins its two sentences
    skips = np.zeros((n, (m + 8) // 8), np.uint8)  # likewise: nothing is lost without this sentence of `a`
    for start in range(0, n, _BLOCK):
        gains = a[start : start + _BLOCK] @ b.T - limit
        for row, gain in enumerate(gains, start):
            joined = np.where(gain >= 0, best[:-1] + gain + _TINY, -1.0)
            candidate = best.copy()
            candidate[1:] = np.maximum(candidate[1:], joined)
            now = np.maximum.accumulate(candidate)
            joins[row] = np.packbits(np.concatenate([[False], (joined >= now[1:]) & (joined > best[1:])]))
            skips[row] = np.packbits(now == best)
            best = now
        yield None
    found: Joined = []
    row, column = n - 1, m
    while row >= 0 and column > 0:
        byte, bit = column >> 3, 0x80 >> (column & 7)
        if joins[row, byte] & bit:
            found.append((row, column - 1, float(a[row] @ b[column - 1])))
            row, column = row - 1, column - 1
        elif skips[row, byte] & bit:
            row -= 1
        else:
            column -= 1
    yield found[::-1]


_TINY = np.float32(1e-6)  # a join at the very limit is better than none


def moved(
    a: Vectors, b: Vectors, left: NDArray[np.int64], right: NDArray[np.int64], limit: float
) -> Iterator[Joined | None]:
    """Join what the order kept apart: the nearest first, each sentence once.

    Args:
        a: as for `aligned`.
        b: as for `aligned`.
        left: rows of `a` that are joined to nothing, ascending.
        right: rows of `b`, likewise.
        limit: lowest cosine.

    Yields:
        None after each step; at last (row of `a`, row of `b`, cosine), in the order of `a`.
    """
    candidates: Joined = []
    others = b[right]
    for start in range(0, len(left), _BLOCK):
        rows = left[start : start + _BLOCK]
        near = a[rows] @ others.T
        for place, column in zip(*np.nonzero(near >= limit), strict=True):
            candidates.append((int(rows[place]), int(right[column]), float(near[place, column])))
        yield None
    candidates.sort(key=lambda each: (-each[2], each[0], each[1]))
    seen_a: set[int] = set()
    seen_b: set[int] = set()
    found: Joined = []
    for row, column, score in candidates:
        if row not in seen_a and column not in seen_b:
            seen_a.add(row)
            seen_b.add(column)
            found.append((row, column, score))
    yield sorted(found)
