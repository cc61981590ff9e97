"""The k nearest neighbours of every sentence of a library: pairs and clusters are read off this graph.

Exact, by blocks of matrix products: up to several hundred thousand sentences that is as quick as asking the HNSW
index for each of them, and nothing is missed (see tests/benchmarks/RESULTS.md). A library that has grown asks for its
new sentences only: each product serves the row and the column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Rows = NDArray[np.int32]
    Scores = NDArray[np.float32]
    Bools = NDArray[np.bool_]

K = 15
"""Neighbours of a sentence."""

_ROWS = 256  # a block of 256 x 2048 products of 384 values is about 10 ms of a slow core
_COLUMNS = 2048
_OFFERED = 1024  # columns of a block that are offered their rows at once: sorting what is offered takes as long
_EDGE_ROWS = 4096


class Lists:
    """The best neighbours found so far of every row of a matrix.

    Attributes:
        near: int32 [n, k], rows of the matrix, best first; -1 where there are no more.
        scores: float32 [n, k], cosines, 0 where there is no neighbour. Only cosines above 0 are neighbours.
    """

    def __init__(self, near: Rows, scores: Scores) -> None:
        self.near = near
        self.scores = scores

    @classmethod
    def empty(cls, count: int, k: int = K) -> Lists:
        """Return lists of `count` rows without any neighbour."""
        return cls(np.full((count, k), -1, np.int32), np.zeros((count, k), np.float32))

    @property
    def floor(self) -> Scores:
        """What a cosine must exceed to enter a row's list: float32 [n]."""
        floor: Scores = self.scores[:, -1]
        return floor

    def drop(self, rows: Bools, neighbours: Bools) -> None:
        """Empty the lists of `rows` bool [n], and take `neighbours` bool [n] out of all others."""
        if rows.all():
            self.near[:] = -1
            self.scores[:] = 0.0
            return
        gone = (self.near >= 0) & neighbours[self.near]
        gone[rows] = True
        self.near[gone] = -1
        self.scores[gone] = 0.0
        touched = np.flatnonzero(gone.any(axis=1))
        order = np.argsort(-self.scores[touched], axis=1, kind="stable")
        self.near[touched] = np.take_along_axis(self.near[touched], order, axis=1)
        self.scores[touched] = np.take_along_axis(self.scores[touched], order, axis=1)

    def offer(self, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: Scores) -> None:
        """Take in candidates: `cols` int64 [c] as neighbours of `rows` int64 [c], none of them known yet."""
        if not len(rows):
            return
        k = self.near.shape[1]
        touched = np.unique(rows)
        all_rows = np.concatenate([np.repeat(touched, k), rows])
        all_cols = np.concatenate([self.near[touched].ravel(), cols])
        all_scores = np.concatenate([self.scores[touched].ravel(), scores])
        # Equal scores in the order of the rows: the same lists however the candidates came.
        order = np.lexsort((all_cols, -all_scores, all_rows))
        starts = np.searchsorted(all_rows[order], touched)
        best = order[starts[:, None] + np.arange(k)]
        self.near[touched] = all_cols[best]
        self.scores[touched] = all_scores[best]


@dataclass(frozen=True, slots=True)
class NeighbourGraph:
    """The sentences of a library and their neighbours.

    Attributes:
        ids: sentence ids int64 [n] in the order of their texts' hashes, which follows from the texts alone.
        lists: their neighbours, as rows of `ids`.
    """

    ids: NDArray[np.int64]
    lists: Lists

    def rows_of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each of `ids` int64 [m]; -1 for those that are not in the graph."""
        return rows_of(self.ids, ids)

    def part(self, rows: NDArray[np.int64]) -> NeighbourGraph:
        """Return the graph of some rows int64 [m], with those of their neighbours that are among them."""
        to_part = np.full(len(self.ids) + 1, -1, np.int32)  # the last for -1
        to_part[rows] = np.arange(len(rows))
        near = to_part[self.lists.near[rows]]
        scores = np.where(near >= 0, self.lists.scores[rows], 0).astype(np.float32)
        return NeighbourGraph(self.ids[rows], Lists(near, scores))

    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Scores]:
        """Return rows a < b int64 [e] and cosines float32 [e] of all pairs of neighbours, each pair once."""
        blocks = list(self.edge_blocks())
        a, b, scores = (np.concatenate(each) for each in zip(*blocks, strict=True))
        return a, b, scores

    def edge_blocks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Scores]]:
        """Yield them some at a time: the same pair never twice."""
        near, scores = self.lists.near, self.lists.scores
        yield np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
        for top in range(0, len(near), _EDGE_ROWS):
            block = near[top : top + _EDGE_ROWS]
            row, slot = np.nonzero(block >= 0)
            other, row = block[row, slot].astype(np.int64), row + top
            # A pair that stands in both lists is taken from the list of its first row.
            behind = np.flatnonzero(other < row)
            is_known = (near[other[behind]] == row[behind, None]).any(axis=1)
            taken = np.ones(len(row), np.bool_)
            taken[behind[is_known]] = False
            row, other, slot = row[taken], other[taken], slot[taken]
            yield np.minimum(row, other), np.maximum(row, other), scores[row, slot]


class RowFinder:
    """Finds ids among known ones; sorted once, for many questions.

    Args:
        known: int64 [n], distinct, in any order.
    """

    def __init__(self, known: NDArray[np.int64]) -> None:
        self._order = np.argsort(known, kind="stable")
        self._ascending = known[self._order]

    def rows_of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where each of `ids`, of any shape, stands; -1 for those that do not."""
        if not len(self._ascending):
            return np.full(ids.shape, -1, np.int64)
        at = np.minimum(np.searchsorted(self._ascending, ids), len(self._ascending) - 1)
        return np.where(self._ascending[at] == ids, self._order[at], -1)

    def present(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where those of `ids` int64 [m] stand that are known."""
        rows = self.rows_of(ids)
        return rows[rows >= 0]


def rows_of(known: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where in `known` int64 [n], distinct in any order, each of `ids` stands; -1 for those that do not."""
    return RowFinder(known).rows_of(ids)


def nearest_neighbours(vectors: NDArray[np.float32], lists: Lists, ask: Bools) -> Iterator[tuple[int, int]]:
    """Find the neighbours of the rows in `ask`, and put those rows into the lists of the others.

    The graph grows block by block: when a block is done, the lists of its rows and of all before it are complete among
    themselves, as if there were no others. Who stops there has the graph of a smaller library, which goes on later.

    Args:
        vectors: float32 [n, dim], rows of length 1; a row of zeros is nobody's neighbour.
        lists: what is known of the other rows; completed in place.
        ask: bool [n], rows that nothing is known of yet; those of a block are taken out when it is done.

    Yields:
        (products done, products in all) after each part of a block.
    """
    lists.drop(ask, ask)
    rows = np.flatnonzero(ask)
    here = ~ask
    first = int(here.sum())
    total = len(rows) * first + len(rows) * (len(rows) + _ROWS) // 2
    done = 0
    for top in range(0, len(rows), _ROWS):
        block = rows[top : top + _ROWS]
        asked = vectors[block]
        here[block] = True
        columns = np.flatnonzero(here)  # each pair is multiplied once, in the later one's block
        for left in range(0, len(columns), _COLUMNS):
            some = columns[left : left + _COLUMNS]
            scores = np.clip(asked @ _rows_at(vectors, some).T, -1.0, 1.0)
            own = np.isin(some, block, assume_unique=True)
            scores[np.searchsorted(block, some[own]), own] = 0.0
            done += scores.size
            yield min(done, total), total
            for _ in _offer_block(lists, scores, block, some, own):
                yield min(done, total), total
        ask[block] = False
        yield min(done, total), total


def _rows_at(vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return some rows, ascending; those that lie side by side are not copied."""
    if rows[-1] - rows[0] == len(rows) - 1:
        return vectors[rows[0] : rows[-1] + 1]
    return vectors[rows]


def _offer_block(
    lists: Lists, scores: Scores, block: NDArray[np.int64], columns: NDArray[np.int64], own: Bools
) -> Iterator[None]:
    """Offer a block of products both ways, in short steps.

    Columns that are rows of this very block (`own`) have the other half in it.
    """
    k = lists.near.shape[1]
    floor = _raised(lists.floor[block], scores, k)
    i, j = np.nonzero(scores > floor[:, None])
    from_rows = block[i], columns[j], scores[i, j]
    yield
    for first in range(0, scores.shape[1], _OFFERED):
        part = scores[:, first : first + _OFFERED]
        some = columns[first : first + _OFFERED]
        floor = _raised(lists.floor[some], part.T, k)
        floor[own[first : first + _OFFERED]] = np.inf
        i, j = np.nonzero(part > floor)
        lists.offer(some[j], block[i], part[i, j])
        yield
    lists.offer(*from_rows)
    yield


def _raised(floor: Scores, scores: Scores, k: int) -> Scores:
    """Return `floor` [n] for rows of `scores` [n, m], raised so that no empty list is offered more than its length."""
    raised = floor.copy()
    empty = np.flatnonzero(floor <= 0.0)
    if len(empty) and scores.shape[1] > k:
        edge = np.partition(scores[empty], -k, axis=1)[:, -k]
        raised[empty] = np.maximum(np.nextafter(edge, np.float32(-2.0)), 0.0)
    return raised
