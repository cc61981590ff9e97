"""Aligns the words of two sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def align_words(similarity: NDArray[np.float32]) -> tuple[tuple[int, int], ...]:
    """Return (row, column) pairs with the highest sum, each row and column at most once, and only values above 0.

    The assignment problem by shortest augmenting paths (Jonker & Volgenant 1987), O(n^2 m) for n <= m. Sentences are
    short: importing scipy's would take longer than running this.

    Args:
        similarity: float32 [n, m].
    """
    is_turned = similarity.shape[0] > similarity.shape[1]
    gain = np.maximum(similarity.T if is_turned else similarity, 0.0)  # staying alone is never worse
    cost = -gain.astype(np.float64)
    rows, columns = cost.shape
    row_of = np.full(columns, -1)
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    for row in range(rows):
        # A tree of cheapest paths from this row, until it reaches a free column.
        distance = np.full(columns, np.inf)
        came_from = np.full(columns, -1)
        is_done = np.zeros(columns, np.bool_)
        current, column, reached = row, -1, 0.0
        while current >= 0:
            through = reached + cost[current] - row_price[current] - column_price
            is_nearer = ~is_done & (through < distance)
            distance[is_nearer], came_from[is_nearer] = through[is_nearer], current
            column = int(np.argmin(np.where(is_done, np.inf, distance)))
            reached = float(distance[column])
            is_done[column] = True
            current = int(row_of[column])
        row_price[row] += reached
        settled = np.flatnonzero(is_done & (row_of >= 0))
        row_price[row_of[settled]] += reached - distance[settled]
        column_price[is_done] -= reached - distance[is_done]
        while True:  # back along the path: every column gets the row that leads to it
            before = int(came_from[column])
            taken = np.flatnonzero(row_of == before)
            row_of[column] = before
            if before == row:
                break
            column = int(taken[0])
    found = [(int(row_of[at]), at) for at in range(columns) if row_of[at] >= 0]
    pairs = sorted((column, row) if is_turned else (row, column) for row, column in found)
    return tuple((row, column) for row, column in pairs if similarity[row, column] > 0)
