"""Aligns two texts sentence by sentence: in order by dynamic programming, then moved sentences.

The first is the alignment of Needleman & Wunsch (1970) with gaps that cost nothing: of all ways to join sentences
without crossing, the one whose similarities above a limit sum highest. A row of its table is computed at once, for a
running maximum is all that a gap without cost needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Rows = NDArray[np.int64]
    Joined = list[tuple[int, int, float]]

_BLOCK = 128  # rows whose similarities are computed at once
_MAX_CANDIDATES = 8  # candidates of a row
_DISTANCE_PENALTY = 1e-4  # what a candidate at the other end of the text counts less
_STEP_ROWS = 4096


def align_in_order(a: Vectors, b: Vectors, limit: float) -> Iterator[Joined | None]:
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


_EPSILON = np.float32(1e-6)  # a join at the very limit is better than none


def match_moved_sentences(a: Vectors, b: Vectors, left: Rows, right: Rows, limit: float) -> Iterator[Joined | None]:
    """Join what the order kept apart: in each turn the nearest first, each sentence once.

    Of a row with more than `_MAX_CANDIDATES` sentences at `limit` or above only that many are looked at in a turn: by
    their cosine, and by where they stand. Where all of them are taken it waits for the next turn, and what is joined to
    another by then may have been nearer to it.

    Args:
        a: as for `align_in_order`.
        b: as for `align_in_order`.
        left: rows of `a` that are joined to nothing, ascending.
        right: rows of `b`, likewise.
        limit: lowest cosine.

    Yields:
        None after each step; at last (row of `a`, row of `b`, cosine), in the order of `a`.
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
        # Those that had more candidates than were kept may find one among what is left.
        free_a = more[~np.isin(more, list(taken_a))]
        free_b = free_b[~np.isin(free_b, list(taken_b))]
        if not taken_a:
            break
        yield None
    yield sorted(found)


def _find_candidates(
    a: Vectors, b: Vectors, left: Rows, right: Rows, limit: float
) -> Generator[None, None, tuple[Rows, Rows, Vectors, Rows]]:
    """Return the nearest of `right` to each of `left`, some of each: rows, columns, cosines; and rows with still more.

    Of equals those are taken that stand about where the row does: of many equal rows each has others so. In short
    steps, and in memory for those candidates alone: of two texts of 5,000 equal lines there are 25 million.
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
