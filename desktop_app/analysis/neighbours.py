"""The k nearest neighbours of every sentence of a library: pairs and clusters are read off this graph.

Exact, by blocks of matrix products: up to several hundred thousand sentences that is as quick as asking the HNSW
index for each of them, and nothing is missed (see tests/benchmarks/RESULTS.md). Products need not be exact to find the
few pairs that may enter a list: those are computed once more, in fp32. A library that has grown asks for its
new sentences only: each product serves the row and the column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from desktop_app.core.ports import Products

    Rows = NDArray[np.int32]
    Scores = NDArray[np.float32]
    Bools = NDArray[np.bool_]

K = 15
"""Neighbours of a sentence."""

_ROWS = 256  # a block of 256 x 2048 products of 384 values is about 10 ms of a slow core
_COLUMNS = 2048
_OFFERED = 4096  # pairs that are put into lists together
_MANY = 0.03  # share of a block from which a plain product of all is quicker than one of each candidate
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
        """Take in candidates: `cols` int64 [c] as neighbours of `rows` int64 [c], none of them known yet.

        Equal scores stand in the order of the rows: the same lists however the candidates came.
        """
        order = np.lexsort((cols, -scores, rows))
        rows, cols, scores = rows[order], cols[order], scores[order]
        begins = np.concatenate([[True], rows[1:] != rows[:-1]]) if len(rows) else np.empty(0, np.bool_)
        starts = np.flatnonzero(begins)
        rank = np.arange(len(rows)) - starts[np.cumsum(begins) - 1]
        # The best of each row's, then the second ones, ...: each row stands once in what is put in together.
        for number in range(min(int(rank.max(initial=-1)) + 1, self.near.shape[1])):
            some = np.flatnonzero(rank == number)
            self._insert(rows[some], cols[some], scores[some])

    def _insert(self, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: Scores) -> None:
        near, known = self.near[rows], self.scores[rows]
        new = scores[:, None]
        place = ((known > new) | ((known == new) & (near < cols[:, None]) & (near >= 0))).sum(axis=1)
        enters = place < near.shape[1]
        if not enters.all():
            rows, cols, scores, near, known, place = (each[enters] for each in (rows, cols, scores, near, known, place))
        slots = np.arange(near.shape[1])
        before = slots - (slots > place[:, None])
        near, known = np.take_along_axis(near, before, axis=1), np.take_along_axis(known, before, axis=1)
        every = np.arange(len(rows))
        near[every, place], known[every, place] = cols, scores
        self.near[rows], self.scores[rows] = near, known


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


class PlainProducts:
    """Products in fp32. See `Products`.

    Args:
        vectors: float32 [n, dim], rows of length 1 or zeros.
    """

    margin = 1e-5
    lowest = -2.0

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def between(self, rows: NDArray[np.int64], left: int, right: int) -> NDArray[Any]:
        """See `Products`."""
        return self._vectors[rows] @ self._vectors[left:right].T

    def limits(self, scores: Scores) -> NDArray[Any]:
        """See `Products`."""
        return scores - np.float32(self.margin)

    def scores(self, keys: NDArray[Any]) -> Scores:
        """See `Products`."""
        return keys


def nearest_neighbours(
    vectors: NDArray[np.float32], lists: Lists, ask: Bools, products: Products | None = None
) -> Iterator[tuple[int, int]]:
    """Find the neighbours of the rows in `ask`, and put those rows into the lists of the others.

    The graph grows block by block: when a block is done, the lists of its rows and of all before it are complete among
    themselves, as if there were no others. Who stops there has the graph of a smaller library, which goes on later.

    Args:
        vectors: float32 [n, dim], rows of length 1; a row of zeros is nobody's neighbour.
        lists: what is known of the other rows; completed in place.
        ask: bool [n], rows that nothing is known of yet; those of a block are taken out when it is done.
        products: of these vectors, to find candidates by; what they are worth is computed in fp32.

    Yields:
        (products done, products in all) after each part of a block.
    """
    plain = PlainProducts(vectors)
    products = products or plain
    lists.drop(ask, ask)
    rows = np.flatnonzero(ask)
    here = ~ask
    total = len(rows) * int(here.sum()) + len(rows) * (len(rows) + _ROWS) // 2
    done = 0
    for top in range(0, len(rows), _ROWS):
        block = rows[top : top + _ROWS]
        here[block] = True
        own = np.zeros(len(here), np.bool_)
        own[block] = True
        found = _Found(vectors, lists, block, own)
        for left in range(0, len(here), _COLUMNS):
            right = min(left + _COLUMNS, len(here))
            valid = int(here[left:right].sum())
            if not valid:
                continue
            keys = products.between(block, left, right)
            yield min(done, total), total
            _leave_out(keys, block, left, here[left:right], products.lowest)
            i, j = _candidates(products, keys, lists, block, (left, right), here & ~own)
            scores = None
            if len(i) > _MANY * keys.size:
                # Many sentences that are all nearly alike: only plain products tell them apart.
                yield min(done, total), total
                keys = plain.between(block, left, right)
                _leave_out(keys, block, left, here[left:right], plain.lowest)
                yield min(done, total), total
                i, j = _candidates(plain, keys, lists, block, (left, right), here & ~own)
                if len(i) > _MANY * keys.size:
                    scores = keys[i, j]
            found.take(i, j, left, scores)
            done += len(block) * valid
            yield min(done, total), total
            if found.is_many:
                found.offer()
                yield min(done, total), total
        found.offer()
        ask[block] = False
        yield min(done, total), total


class _Found:
    """Pairs of a block's rows that are worth a place in a list, exactly computed and not yet offered."""

    def __init__(self, vectors: NDArray[np.float32], lists: Lists, block: NDArray[np.int64], own: Bools) -> None:
        self._vectors, self._lists, self._block, self._own = vectors, lists, block, own
        self._rows = vectors[block]
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.int64], Scores]] = []

    @property
    def is_many(self) -> bool:
        """Whether they should be offered: the lists' floors rise with it."""
        return sum(len(scores) for _, _, scores in self._waiting) > _OFFERED

    def take(self, i: NDArray[np.int64], j: NDArray[np.int64], left: int, scores: Scores | None) -> None:
        """Take in candidates, rows of the block int64 [c] and columns from `left` on, with their cosines if known."""
        a, b = self._block[i], j + left
        if scores is None:
            scores = np.einsum("ij,ij->i", np.take(self._rows, i, axis=0), np.take(self._vectors, b, axis=0))
        scores = np.minimum(scores, np.float32(1.0))
        # Those of the block have the other half in it.
        for rows, cols, is_offered in ((a, b, None), (b, a, ~self._own[b])):
            floor = self._lists.floor[rows]
            fits = (scores > floor) | ((scores == floor) & (cols < self._lists.near[rows, -1]))
            fits &= scores > 0.0
            enters = np.flatnonzero(fits if is_offered is None else fits & is_offered)
            self._waiting.append((rows[enters], cols[enters], scores[enters]))

    def offer(self) -> None:
        """Put them into the lists."""
        if self._waiting:
            rows, cols, scores = (np.concatenate(each) for each in zip(*self._waiting, strict=True))
            self._lists.offer(rows, cols, scores)
            self._waiting.clear()


def _leave_out(keys: NDArray[Any], block: NDArray[np.int64], left: int, here: Bools, lowest: float) -> None:
    """Mark what is no pair: columns that are not `here` yet, and each row with itself."""
    if not here.all():
        keys[:, ~here] = lowest
    inside = np.flatnonzero((block >= left) & (block < left + len(here)))
    keys[inside, block[inside] - left] = lowest


def _candidates(
    products: Products,
    keys: NDArray[Any],
    lists: Lists,
    block: NDArray[np.int64],
    columns: tuple[int, int],
    offered: Bools,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places int64 [c], int64 [c] of keys [b, c] that may enter a list.

    Either that of their row, or that of their column where `offered` bool [n] lets it.
    """
    k = lists.near.shape[1]
    floor = lists.floor[block]
    empty = np.flatnonzero(floor <= 0.0)
    if len(empty) and keys.shape[1] > k:
        # No empty list is to be offered much more than its length.
        edge = products.scores(np.ascontiguousarray(np.partition(keys[empty], -k, axis=1)[:, -k]))
        floor[empty] = np.maximum(edge - np.float32(products.margin), 0.0)
    left, right = columns
    above = keys >= products.limits(floor)[:, None]
    of_columns = np.where(offered[left:right], lists.floor[left:right], np.float32(1.5))
    above |= keys >= products.limits(of_columns)
    i, j = np.divmod(np.flatnonzero(above), keys.shape[1])
    return i, j
