"""Aligns two texts sentence by sentence: in order by dynamic programming, then moved sentences.

The first is the alignment of Needleman & Wunsch (1970) with gaps that cost nothing: of all ways to join sentences
without crossing, the one whose similarities above a limit have the highest sum. A row of its table is computed at once,
as a gap without cost needs only a running maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vectors

    Rows = NDArray[np.int64]
    Joined = list[tuple[int, int, float]]

_BLOCK = 128  # rows of similarities that are computed at once
_MAX_CANDIDATES = 8  # per row
_DISTANCE_PENALTY = 1e-4  # for a candidate at the other end of the text
_STEP_ROWS = 4096


def align_in_order(a: Vectors, b: Vectors, limit: float) -> Iterator[Joined | None]:
    """Join sentences of two texts without crossing.

    Args:
        a: float32 [n, dim], rows of length 1 in reading order; a row of zeros joins nothing.
        b: float32 [m, dim], likewise.
        limit: lowest cosine.

    Yields:
        None after each step; finally (row of `a`, row of `b`, cosine), ascending. Memory: n * m / 4 bytes.
    """
    n, m = len(a), len(b)
    best = np.zeros(m + 1, np.float32)
    joins = np.zeros((n, (m + 8) // 8), np.uint8)  # one bit per cell: the cell joins its two sentences
    skips = np.zeros((n, (m + 8) // 8), np.uint8)  # one bit per cell: skipping this sentence of `a` loses nothing
    for start in range(0, n, _BLOCK):
        gains = a[start : start + _BLOCK] @ b.T - limit
        for row, gain in enumerate(gains, start):
            joined = np.where(gain >= 0, best[:-1] + gain + _EPSILON, -1.0)
            candidate = best.copy()
            candidate[1:] = np.maximum(candidate[1:], joined)
            now = np.maximum.accumulate(candidate)
            joins[row] = np.packbits(np.concatenate([[False], (joined >= now[1:]) & (joined > best[1:])]))
            skips[row] = np.packbits(now == best)
            best = now
        yield None
    found: Joined = []
    row, column, done = n - 1, m, 0
    while row >= 0 and column > 0:
        done += 1
        if done % _STEP_ROWS == 0:
            yield None
        byte, bit = column >> 3, 0x80 >> (column & 7)
        if joins[row, byte] & bit:
            found.append((row, column - 1, float(a[row] @ b[column - 1])))
            row, column = row - 1, column - 1
        elif skips[row, byte] & bit:
            row -= 1
        else:
            column -= 1
    yield found[::-1]


_EPSILON = np.float32(1e-6)  # a join exactly at the limit is better than none


def match_moved_sentences(a: Vectors, b: Vectors, left: Rows, right: Rows, limit: float) -> Iterator[Joined | None]:
    """Join sentences that are in another order: in rounds, the nearest first, each sentence once.

    A row with more than `_MAX_CANDIDATES` sentences at `limit` or above considers only that many per round: by their
    cosine, and by their position. If all of them are taken it waits for the next round, and a sentence that is joined
    to another one by then may have been nearer to it.

    Args:
        a: as for `align_in_order`.
        b: as for `align_in_order`.
        left: rows of `a` that are not joined, ascending.
        right: rows of `b`, likewise.
        limit: lowest cosine.

    Yields:
        None after each step; finally (row of `a`, row of `b`, cosine), in the order of `a`.
    """
    free_a, free_b = left, right
    found: Joined = []
    while len(free_a) and len(free_b):
        rows, columns, scores, more = yield from _find_candidates(a, b, free_a, free_b, limit)
        order = np.lexsort((columns, rows, -scores))
        taken_a: set[int] = set()
        taken_b: set[int] = set()
        for number, at in enumerate(order.tolist()):
            row, column = int(rows[at]), int(columns[at])
            if row not in taken_a and column not in taken_b:
                taken_a.add(row)
                taken_b.add(column)
                found.append((row, column, float(scores[at])))
            if number % _STEP_ROWS == 0:
                yield None
        # Rows with more candidates than were kept may find one among the rest.
        free_a = more[~np.isin(more, list(taken_a))]
        free_b = free_b[~np.isin(free_b, list(taken_b))]
        if not taken_a:
            break
        yield None
    yield sorted(found)


def _find_candidates(
    a: Vectors, b: Vectors, left: Rows, right: Rows, limit: float
) -> Generator[None, None, tuple[Rows, Rows, Vectors, Rows]]:
    """Return the nearest of `right` to each of `left`, a few each: rows, columns, cosines; and the rows that have more.

    Of equals it takes those near the position of the row, so that many equal rows get different ones. In short
    steps, and with memory for these candidates only: two texts of 5,000 equal lines have 25 million.
    """
    none = np.empty(0, np.int64)
    rows, columns, scores, more = [none], [none], [np.empty(0, np.float32)], [none]
    others = b[right]
    places = np.arange(len(right)) / len(right)
    for start in range(0, len(left), _BLOCK):
        some = left[start : start + _BLOCK]
        near = a[some] @ others.T
        yield None
        own = np.arange(start, start + len(some)) / len(left)
        wanted = near - _DISTANCE_PENALTY * np.abs(own[:, None] - places[None, :]).astype(np.float32)
        wanted[near < limit] = -np.inf
        best = (
            np.argpartition(-wanted, _MAX_CANDIDATES - 1, axis=1)[:, :_MAX_CANDIDATES]
            if len(right) > _MAX_CANDIDATES
            else None
        )
        best = best if best is not None else np.broadcast_to(np.arange(len(right)), (len(some), len(right)))
        row, nth = np.nonzero(np.take_along_axis(near, best, axis=1) >= limit)
        rows.append(some[row])
        columns.append(right[best[row, nth]])
        scores.append(near[row, best[row, nth]])
        more.append(some[(near >= limit).sum(axis=1) > _MAX_CANDIDATES])
        yield None
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(scores), np.concatenate(more)
