"""The k nearest neighbours of every sentence of a library, as a graph.

Exact, by blocks of matrix products: up to several hundred thousand sentences this is as fast as querying the HNSW
index for each of them, and nothing is missed (see tests/benchmarks/RESULTS.md). Products need not be exact to find the
few pairs that may enter a list: those are computed again, in fp32. A library that has grown computes the
new sentences only: each product serves both the row and the column.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from desktop_app.core.jobs import run_to_completion

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Scores
    from desktop_app.core.ports import ApproximateProducts, BoundedProducts, RowsToCompare

    Rows = NDArray[np.int32]
    Bools = NDArray[np.bool_]
    Cells = tuple[NDArray[np.int64], NDArray[np.int64]]

T = TypeVar("T", bound=np.generic)

NEIGHBOURS = 15
"""Neighbours per sentence."""

_DENSE = 4  # a table of at most so many entries for each known id
_ROWS = 256  # a block of 256 x 2048 products of 384 values takes about 10 ms on a slow core
_COLUMNS = 2048
_MAX_DENSE_BLOCKS = 32  # in a row, with more candidates than that share; the first blocks of any matrix have many
_MAX_OFFERED = 4096  # pairs that are computed and added to lists together
_MANY = 0.03  # share of a block from which a plain product of all is faster than one per candidate
_EDGE_ROWS = 4096
_OWN_ROWS = 1024  # new rows that are compared with others in one step
_ROWS_AT_ONCE = 32_768  # rows whose lists are made, copied or looked through in one step
_STEP = np.float32(2.0**-19)  # of cosines in lists; far less than the margin of plain products
_STORED_MARGIN = np.float32(1e-3)  # stored cosines may be those of vectors that are rounded in another way
_EMPTY_ROWS = np.empty(0, np.int64)


class NeighbourLists:
    """The best neighbours found so far for every row of a matrix.

    Attributes:
        neighbours: int32 [n, k], rows of the matrix, best first, padded with -1.
        scores: float32 [n, k], cosines, 0 where there is no neighbour. Only cosines above 0 are neighbours.
        changed: bool [n], rows whose neighbours `offer` or `drop` has changed; whoever stores them clears it.
    """

    def __init__(self, neighbours: Rows, scores: Scores) -> None:
        self.neighbours = neighbours
        self.scores = scores
        self.changed = np.zeros(len(neighbours), np.bool_)

    @classmethod
    def empty(cls, count: int, k: int = NEIGHBOURS) -> NeighbourLists:
        """Return lists of `count` rows without neighbours."""
        return run_to_completion(cls.empty_in_steps(count, k))

    @classmethod
    def empty_in_steps(cls, count: int, k: int = NEIGHBOURS) -> Generator[None, None, NeighbourLists]:
        """Like `empty`, in short steps: the system provides memory at the first write."""
        lists = cls(np.empty((count, k), np.int32), np.empty((count, k), np.float32))
        for top in range(0, count, _ROWS_AT_ONCE):
            lists.neighbours[top : top + _ROWS_AT_ONCE] = -1
            lists.scores[top : top + _ROWS_AT_ONCE] = 0.0
            yield
        return lists

    def first_in_steps(self, k: int) -> Generator[None, None, NeighbourLists]:
        """Return a copy of the lists with at most `k` neighbours each, in short steps."""
        neighbours = yield from copy_in_steps(self.neighbours, k)
        return NeighbourLists(neighbours, (yield from copy_in_steps(self.scores, k)))

    @property
    def floor(self) -> Scores:
        """The cosine that a neighbour must exceed to enter a row's list: float32 [n]."""
        floor: Scores = self.scores[:, -1]
        return floor

    def drop(self, rows: Bools, neighbours: Bools) -> None:
        """Empty the lists of `rows` bool [n], and remove `neighbours` bool [n] from all others."""
        if rows.all():
            self.neighbours[:] = -1
            self.scores[:] = 0.0
            self.changed[:] = True
            return
        self.neighbours[rows] = -1
        self.scores[rows] = 0.0
        self.changed[rows] = True
        for _ in self.drop_neighbours(neighbours):
            pass

    def drop_neighbours(self, neighbours: Bools) -> Iterator[None]:
        """Remove `neighbours` bool [n] from all lists; yield after some of them."""
        for top in range(0, len(self.neighbours), _ROWS_AT_ONCE):
            near, scores = (each[top : top + _ROWS_AT_ONCE] for each in (self.neighbours, self.scores))
            gone = neighbours[near] & (near >= 0)
            some = np.flatnonzero(gone.any(axis=1))
            left = np.where(gone[some], np.float32(0.0), scores[some])
            order = np.argsort(-left, axis=1, kind="stable")
            near[some] = np.take_along_axis(np.where(gone[some], -1, near[some]), order, axis=1)
            scores[some] = np.take_along_axis(left, order, axis=1)
            self.changed[top + some] = True
            yield

    def offer(self, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: Scores) -> None:
        """Add candidates: `cols` int64 [c] as neighbours of `rows` int64 [c]; none of them is known yet.

        Equal scores are in the order of the rows: the lists do not depend on the order of the candidates.
        """
        order = np.lexsort((cols, -scores, rows))
        rows, cols, scores = rows[order], cols[order], scores[order]
        begins = np.concatenate([[True], rows[1:] != rows[:-1]]) if len(rows) else np.empty(0, np.bool_)
        starts = np.flatnonzero(begins)
        rank = np.arange(len(rows)) - starts[np.cumsum(begins) - 1]
        # First the best candidate of each row, then the second ones, ...: each row occurs once per batch.
        for number in range(min(int(rank.max(initial=-1)) + 1, self.neighbours.shape[1])):
            some = np.flatnonzero(rank == number)
            self._insert(rows[some], cols[some], scores[some])

    def _insert(self, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: Scores) -> None:
        near, known = self.neighbours[rows], self.scores[rows]
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
        self.neighbours[rows], self.scores[rows] = near, known
        self.changed[rows] = True


@dataclass(frozen=True, slots=True)
class NeighbourGraph:
    """The sentences of a library and their neighbours.

    Attributes:
        ids: sentence ids int64 [n] in the order of their texts' hashes, which depends on the texts alone.
        lists: their neighbours, as rows of `ids`.
    """

    ids: NDArray[np.int64]
    lists: NeighbourLists

    def find_rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each of `ids` int64 [m]; -1 for those that are not in the graph."""
        return find_rows(self.ids, ids)

    def lists_of(self, ids: NDArray[np.int64]) -> Generator[None, None, tuple[NeighbourLists, Bools]]:
        """Return the lists of other sentences int64 [m] as far as they are known, in short steps.

        Returns:
            Lists as rows of `ids`, and bool [m], those without one: sentences that are new here, and those with a
            neighbour that is not among `ids`.
        """
        lists = yield from NeighbourLists.empty_in_steps(len(ids), self.lists.neighbours.shape[1])
        missing = np.ones(len(ids), np.bool_)
        rows = self.find_rows(ids)
        yield
        to_new = np.full(len(self.ids) + 1, -1, np.int32)  # the last for -1
        to_new[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        yield
        for top in range(0, len(ids), _ROWS_AT_ONCE):
            new = top + np.flatnonzero(rows[top : top + _ROWS_AT_ONCE] >= 0)
            near = self.lists.neighbours[rows[new]]
            moved = to_new[near]
            sound = ((moved >= 0) | (near < 0)).all(axis=1)
            new = new[sound]
            lists.neighbours[new], lists.scores[new] = moved[sound], self.lists.scores[rows[new]]
            lists.changed[new], missing[new] = self.lists.changed[rows[new]], False
            yield
        return lists, missing

    def part(self, rows: NDArray[np.int64]) -> NeighbourGraph:
        """Return the graph of some rows int64 [m], with their neighbours among them."""
        to_part = np.full(len(self.ids) + 1, -1, np.int32)  # the last for -1
        to_part[rows] = np.arange(len(rows))
        near = to_part[self.lists.neighbours[rows]]
        scores = np.where(near >= 0, self.lists.scores[rows], 0).astype(np.float32)
        return NeighbourGraph(self.ids[rows], NeighbourLists(near, scores))

    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Scores]:
        """Return rows a < b int64 [e] and cosines float32 [e] of all pairs of neighbours, each pair once."""
        blocks = list(self.edge_blocks())
        a, b, scores = (np.concatenate(each) for each in zip(*blocks, strict=True))
        return a, b, scores

    def edge_blocks(self, find_floor: Callable[[], float] = lambda: 0.0) -> Iterator[tuple[Ids, Ids, Scores]]:
        """Like `edges`, some at a time; no pair is repeated.

        Args:
            find_floor: returns the cosine below which pairs are left out; called for each block.
        """
        near, scores = self.lists.neighbours, self.lists.scores
        yield np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
        for top in range(0, len(near), _EDGE_ROWS):
            block, scores_of_block = near[top : top + _EDGE_ROWS], scores[top : top + _EDGE_ROWS]
            row, slot = _find_true_cells((block >= 0) & (scores_of_block >= find_floor()))
            other, score = block[row, slot].astype(np.int64), scores_of_block[row, slot]
            row += top
            # A pair in both lists is taken from the list of its first row.
            behind = np.flatnonzero(other < row)
            is_known = (near[other[behind]] == row[behind, None]).any(axis=1)
            taken = np.ones(len(row), np.bool_)
            taken[behind[is_known]] = False
            row, other, score = row[taken], other[taken], score[taken]
            yield np.minimum(row, other), np.maximum(row, other), score


def copy_in_steps(numbers: NDArray[T], columns: int) -> Generator[None, None, NDArray[T]]:
    """Return a copy of the first columns of `numbers` [n, k], in short steps."""
    copy = np.empty((len(numbers), min(columns, numbers.shape[1])), numbers.dtype)
    for top in range(0, len(numbers), _ROWS_AT_ONCE):
        copy[top : top + _ROWS_AT_ONCE] = numbers[top : top + _ROWS_AT_ONCE, :columns]
        yield
    return copy


class RowIndex:
    """Finds ids among known ones, prepared once for many calls: in a table of all ids, or sorted if few are known.

    Args:
        known: int64 [n], distinct, in any order.
    """

    def __init__(self, known: NDArray[np.int64]) -> None:
        end = int(known.max(initial=-1)) + 1
        self._table: NDArray[np.int32] | None = None
        if known.min(initial=0) >= 0 and end <= _DENSE * len(known):
            self._table = np.full(end + 1, -1, np.int32)  # the last entry stands for all ids beyond
            self._table[known] = np.arange(len(known))
        else:
            self._order = np.argsort(known, kind="stable")
            self._ascending = known[self._order]

    def find_rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the position of each of `ids`, of any shape; -1 for unknown ones."""
        if self._table is not None:
            last = len(self._table) - 1
            rows: NDArray[np.int64] = self._table[np.where((ids >= 0) & (ids < last), ids, last)].astype(np.int64)
            return rows
        if not len(self._ascending):
            return np.full(ids.shape, -1, np.int64)
        at = np.minimum(np.searchsorted(self._ascending, ids), len(self._ascending) - 1)
        return np.where(self._ascending[at] == ids, self._order[at], -1)

    def present(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of those of `ids` int64 [m] that are known."""
        rows = self.find_rows(ids)
        return rows[rows >= 0]


def find_rows(known: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the position of each of `ids` in `known` int64 [n], distinct in any order; -1 for unknown ones."""
    return RowIndex(known).find_rows(ids)


class PlainDotProducts:
    """Products in fp32. See `ApproximateProducts`.

    Args:
        vectors: float32 [n, dim], rows of length 1 or zeros.
    """

    margin = 1e-5
    lowest = -2.0

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def between(self, rows: NDArray[np.int64], left: int, right: int) -> NDArray[Any]:
        """See `ApproximateProducts`."""
        return self._vectors[rows] @ self._vectors[left:right].T

    def limits(self, scores: Scores) -> NDArray[Any]:
        """See `ApproximateProducts`."""
        return scores - np.float32(self.margin)

    def scores(self, keys: NDArray[Any]) -> Scores:
        """See `ApproximateProducts`."""
        return keys


@dataclass(frozen=True, slots=True)
class PlainRows:
    """Rows to compare in fp32, float32 [m, dim]. See `RowsToCompare`."""

    own: NDArray[np.float32]

    def take(self, vectors: NDArray[np.float32]) -> BoundedProducts:
        """See `RowsToCompare`."""
        return _PlainBoundedProducts(self.own, vectors)


@dataclass(frozen=True, slots=True)
class _PlainBoundedProducts:
    own: NDArray[np.float32]
    vectors: NDArray[np.float32]
    lowest: float = -2.0

    def between(self, left: int, right: int) -> NDArray[Any]:
        cosines: Scores = self.own[left:right] @ self.vectors.T
        return cosines

    def row_limits(self, left: int, right: int, cosines: Scores) -> NDArray[Any]:
        limits: Scores = np.maximum(cosines - np.float32(PlainDotProducts.margin), 0)
        return limits

    def column_limits(self, cosines: Scores) -> NDArray[Any]:
        return self.row_limits(0, 0, cosines)

    def least_cosines(self, left: int, right: int, keys: NDArray[Any]) -> Scores:
        return keys


def find_nearest_neighbours(
    vectors: NDArray[np.float32], lists: NeighbourLists, ask: Bools, products: ApproximateProducts | None = None
) -> Iterator[tuple[int, int]]:
    """Find the neighbours of the rows in `ask`, and add those rows to the lists of the others.

    The graph grows block by block: after a block, the lists of its rows and of all before it are complete among
    themselves, as if there were no others. A caller that stops there has the graph of a smaller library, and can
    continue later.

    Args:
        vectors: float32 [n, dim], rows of length 1; a row of zeros has no neighbours.
        lists: the known neighbours of the other rows; completed in place.
        ask: bool [n], rows without known neighbours; those of a finished block are cleared.
        products: approximate ones of these vectors, to find candidates; their cosines are computed in fp32.

    Yields:
        (products done, products in all) after each part of a block.
    """
    plain = PlainDotProducts(vectors)
    products = products or plain
    lists.drop(ask, ask)
    rows = np.flatnonzero(ask)
    here = ~ask
    total = len(rows) * int(here.sum()) + len(rows) * (len(rows) + _ROWS) // 2
    done = 0
    for top in range(0, len(rows), _ROWS):
        block = _RowBlock(vectors, lists, rows[top : top + _ROWS])
        offered = here.copy()
        here[block.rows] = True
        for left in range(0, len(here), _COLUMNS):
            right = min(left + _COLUMNS, len(here))
            valid = int(here[left:right].sum())
            if not valid:
                continue
            for each, at_once in ((products, False), (plain, True)):
                keys = each.between(block.rows, left, right)
                yield min(done, total), total
                _exclude_non_pairs(keys, block.rows, left, here[left:right], each.lowest)
                if block.take(each, keys, left, offered[left:right], at_once=at_once):
                    break
                # Many nearly equal sentences: only plain products tell them apart.
                yield min(done, total), total
            done += len(block.rows) * valid
            yield min(done, total), total
            if block.is_full:
                block.offer()
                yield min(done, total), total
        for _ in block.finish(products):
            yield min(done, total), total
        ask[block.rows] = False
        yield min(done, total), total


def find_neighbours_of_few(
    own: NDArray[np.float32],
    lists: NeighbourLists,
    ask: Bools,
    pieces: Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]],
    products: RowsToCompare | None = None,
) -> Iterator[int]:
    """Find the neighbours of few rows of a large matrix, as `find_nearest_neighbours` does, without the whole matrix.

    Nothing changes before the last piece: a caller that stops earlier begins again.

    Args:
        own: the vectors of the rows in `ask`, float32 [m, dim].
        lists: the known neighbours of the other rows; completed in place.
        ask: bool [n], rows without known neighbours; cleared at the end.
        pieces: rows int64 [b] of the matrix and their vectors float32 [b, dim], each row once, those in `ask` included.
        products: multiplies `own` with pieces to find candidates; their cosines are computed in fp32.

    Yields:
        Rows done after each part of a piece.
    """
    asked, done = np.flatnonzero(ask), 0
    k = lists.neighbours.shape[1]
    found = NeighbourLists.empty(len(asked), k)
    into: list[tuple[NDArray[np.int64], NDArray[np.int64], Scores]] = []
    names_asked = np.zeros(len(ask), np.bool_)  # lists that lose rows, which must come back
    for top in range(0, len(ask), _ROWS_AT_ONCE):
        near = lists.neighbours[top : top + _ROWS_AT_ONCE]
        names_asked[top : top + _ROWS_AT_ONCE] = (ask[near] & (near >= 0)).any(axis=1)
        yield done
    sieve = _Sieve(products or PlainRows(own), own, k)
    for piece in _multiply_ahead(pieces, sieve, len(own)):
        rows, vectors, products_of_piece = piece.rows, piece.vectors, piece.products.result()
        is_asked = ask[rows]
        margins = np.where(names_asked[rows], _STORED_MARGIN, np.float32(PlainDotProducts.margin))
        floor_of_columns = np.maximum(lists.floor[rows] - margins, 0)
        floor_of_columns[is_asked] = np.inf
        here = np.flatnonzero(is_asked)
        places_of_asked = np.searchsorted(asked, rows[here])
        yield done
        for left, right, waiting in piece.blocks:
            some, keys = own[left:right], waiting.result()
            yield done
            inside = (places_of_asked >= left) & (places_of_asked < right)
            block = _PieceBlock(
                left,
                right,
                vectors,
                (places_of_asked[inside] - left, here[inside]),
                found.floor[left:right],
                floor_of_columns,
            )
            into_own, into_others = yield from sieve.find_candidates(products_of_piece, keys, block, done)
            for own_rows, columns in _cut(*into_own):
                scores = _multiply_pairs(some, own_rows, vectors, columns)
                enters = (scores > 0.0) & (scores >= found.floor[left + own_rows])
                found.offer(left + own_rows[enters], rows[columns[enters]], scores[enters])
                yield done
            for own_rows, columns in _cut(*into_others):
                scores = _multiply_pairs(some, own_rows, vectors, columns)
                enters = (scores > 0.0) & (scores >= floor_of_columns[columns])
                into.append((rows[columns[enters]], asked[left + own_rows[enters]], scores[enters]))
                yield done
        done += len(rows)
        yield done
    if names_asked.any():
        for _ in lists.drop_neighbours(ask):
            yield done
    lists.neighbours[asked], lists.scores[asked] = found.neighbours, found.scores
    if into:
        pairs = tuple(np.concatenate(each) for each in zip(*into, strict=True))
        order = np.argsort(pairs[0], kind="stable")
        yield done
        for some_pairs in np.array_split(order, len(order) // _MAX_OFFERED + 1):
            lists.offer(*(each[some_pairs] for each in pairs))
            yield done
    ask[:] = False
    yield done


@dataclass(frozen=True, slots=True)
class _PieceBlock:
    """Some own rows with a piece of the others.

    Attributes:
        left, right: the own rows.
        vectors: of the piece, float32 [b, dim].
        same: rows of the block and columns int64 [s] where a row meets itself.
        floor: the cosines that enter the lists of the own rows, float32 [right - left].
        floor_of_columns: the same for the piece, float32 [b].
    """

    left: int
    right: int
    vectors: NDArray[np.float32]
    same: Cells
    floor: Scores
    floor_of_columns: Scores


class _Sieve:
    """Finds the pairs that may enter a list: by quick products, and where these leave too many by plain ones.

    Attributes:
        rows: the own rows, for the next pieces: the plain ones after the quick ones were of little use.

    Args:
        rows: the own rows, to compare quickly.
        own: their vectors float32 [m, dim].
        k: neighbours in a list.
    """

    def __init__(self, rows: RowsToCompare, own: NDArray[np.float32], k: int) -> None:
        self.rows = rows
        self._plain = PlainRows(own)
        self._k = k
        self._dense_blocks = 0

    def find_candidates(
        self, products: BoundedProducts, keys: NDArray[Any], block: _PieceBlock, done: int
    ) -> Generator[int, None, tuple[Cells, Cells]]:
        """Return the pairs of a block, whose products have these keys, for lists of own rows and for those of others.

        Yields:
            `done`, after each part.
        """
        is_plain = isinstance(products, _PlainBoundedProducts)
        found = yield from self._compare(products, keys, block, done, keys.size if is_plain else keys.size * _MANY)
        if found is not None:
            self._dense_blocks = 0
        else:
            # Cosines of a narrow range, or with a large number in each vector: quick products can't tell them apart.
            self._dense_blocks += 1
            if self._dense_blocks >= _MAX_DENSE_BLOCKS:
                self.rows = self._plain
            count = len(block.vectors)
            keys = np.empty((block.right - block.left, count), np.float32)
            for top in range(0, count, _COLUMNS):
                some = slice(top, top + _COLUMNS)
                keys[:, some] = self._plain.take(block.vectors[some]).between(block.left, block.right)
                yield done
            found = yield from self._compare(self._plain.take(block.vectors), keys, block, done, keys.size)
            assert found is not None, "a block has no more candidates than pairs"
        return found

    def _compare(
        self, products: BoundedProducts, keys: NDArray[Any], block: _PieceBlock, done: int, most: float
    ) -> Generator[int, None, tuple[Cells, Cells] | None]:
        """Return the cells whose keys [r, b] reach the limits of rows, and of columns; None for more than `most`."""
        keys[block.same] = products.lowest
        floor, first = block.floor, keys.shape[1] - self._k
        if first > 0 and not floor.all():
            edge = np.partition(keys, first, axis=1)[:, first]
            floor = np.maximum(floor, products.least_cosines(block.left, block.right, edge))
            yield done
        # Few rows have a candidate, and the maximum of a row or column is found faster than all of them.
        limits = products.row_limits(block.left, block.right, floor)
        rows = np.flatnonzero(keys.max(axis=1) >= limits)
        into_own = keys[rows] >= limits[rows, None]
        yield done
        limits = products.column_limits(block.floor_of_columns)
        columns = np.flatnonzero(keys.max(axis=0) >= limits)
        into_others = keys[:, columns] >= limits[columns]
        yield done
        if max(np.count_nonzero(into_own), np.count_nonzero(into_others)) > most:
            return None
        (own_rows, own_columns), (other_rows, other_columns) = map(_find_true_cells, (into_own, into_others))
        return (rows[own_rows], own_columns), (other_rows, columns[other_columns])


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece whose products are under way: `blocks` of own rows, from `left` to `right`, with their keys."""

    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]
    products: Future[BoundedProducts]
    blocks: list[tuple[int, int, Future[NDArray[Any]]]]


def _multiply_ahead(
    pieces: Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]], sieve: _Sieve, count: int
) -> Iterator[_Piece]:
    """Yield pieces; another thread multiplies the next one meanwhile, which takes half of the time."""
    thread = ThreadPoolExecutor(1, "products")

    def begin(rows: NDArray[np.int64], vectors: NDArray[np.float32]) -> _Piece:
        products = thread.submit(sieve.rows.take, vectors)
        spans = ((left, min(left + _OWN_ROWS, count)) for left in range(0, count, _OWN_ROWS))
        blocks = [(left, right, thread.submit(_multiply, products, left, right)) for left, right in spans]
        return _Piece(rows, vectors, products, blocks)

    try:
        before: _Piece | None = None
        for rows, vectors in pieces:
            if not len(rows):  # all of its sentences were erased, or added after the graph's were listed
                continue
            piece = begin(rows, vectors)
            if before is not None:
                yield before
            before = piece
        if before is not None:
            yield before
    finally:
        thread.shutdown(cancel_futures=True)  # nobody waits for the products of a cancelled search


def _multiply(products: Future[BoundedProducts], left: int, right: int) -> NDArray[Any]:
    return products.result().between(left, right)


def _cut(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs, as many at a time as are computed together."""
    for top in range(0, len(rows), _MAX_OFFERED):
        yield rows[top : top + _MAX_OFFERED], columns[top : top + _MAX_OFFERED]


def _multiply_pairs(
    a: NDArray[np.float32], rows: NDArray[np.int64], b: NDArray[np.float32], columns: NDArray[np.int64]
) -> Scores:
    """Return the cosines float32 [c] of rows of `a` with rows of `b`."""
    return round_cosines(np.einsum("ij,ij->i", a[rows], b[columns]))


def round_cosines(products: Scores) -> Scores:
    """Return products of rows of length 1, of any shape, as cosines, which are 1 for equal sentences.

    The last bits of a product depend on the processor and on the position in its block: of equal sentences, some
    would be nearer than others, and their lists would divide them into clusters.
    """
    cosines: Scores = np.minimum(np.round(products / _STEP) * _STEP, np.float32(1.0))
    return cosines


class _RowBlock:
    """Rows that are compared with all others, and the pairs that may enter a list.

    Candidates for the list of a row of the block wait until all of them are known: most are outdone by then, and are
    never computed exactly. Candidates for the lists of other rows are added in between.

    Args:
        vectors: float32 [n, dim].
        lists: of all rows.
        rows: of the block int64 [b].
    """

    def __init__(self, vectors: NDArray[np.float32], lists: NeighbourLists, rows: NDArray[np.int64]) -> None:
        self.rows = rows
        self._vectors, self._lists = vectors, lists
        self._own = vectors[rows]
        self._floor = lists.floor[rows]  # lower bound of the last score in a row's list
        self._pool: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]] = (
            _EMPTY_ROWS,
            _EMPTY_ROWS,
            np.empty(0, np.int16),
        )
        self._thinned = 0
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.int64], Scores]] = []
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether pairs should be added to the lists, which raises their floors."""
        return self._count > _MAX_OFFERED

    def take(
        self, products: ApproximateProducts, keys: NDArray[Any], left: int, offered: Bools, *, at_once: bool
    ) -> bool:
        """Add the products of the block with columns from `left` on, keys [b, c].

        Args:
            products: their source.
            keys: of the products; the lowest value for non-pairs.
            left: the row of the first column.
            offered: bool [c], columns whose lists the rows of the block may enter.
            at_once: whether candidates are computed and added whatever their number.

        Returns:
            False if nothing was added because there are too many candidates.
        """
        most = keys.size * _MANY
        limits = self._limits(products, keys, self._lists.floor[self.rows] if at_once else self._floor)
        some = np.flatnonzero(keys.max(axis=1) >= limits)
        i, j = _find_true_cells(keys[some] >= limits[some, None])
        i = some[i]
        of_columns = products.limits(self._lists.floor[left : left + len(offered)])
        some = np.flatnonzero(offered & (keys.max(axis=0) >= of_columns))
        into_i, into_j = _find_true_cells(keys[:, some] >= of_columns[some])
        into_j = some[into_j]
        if not at_once and max(len(i), len(into_i)) > most:
            return False
        is_many = max(len(i), len(into_i)) > most  # a pair has the same score for both
        if at_once:
            self._wait(self.rows[i], j + left, keys[i, j] if is_many else self._scores(i, j + left))
        else:
            self._pool_in(products, i, j + left, keys[i, j])
        scores = keys[into_i, into_j] if is_many else self._scores(into_i, into_j + left)
        self._wait(into_j + left, self.rows[into_i], scores)
        return True

    def offer(self) -> None:
        """Add the waiting pairs to the lists."""
        if self._waiting:
            rows, cols, scores = (np.concatenate(each) for each in zip(*self._waiting, strict=True))
            self._lists.offer(rows, cols, scores)
            self._waiting.clear()
            self._count = 0
            self._floor = np.maximum(self._floor, self._lists.floor[self.rows])

    def finish(self, products: ApproximateProducts) -> Iterator[None]:
        """Compute the remaining candidates and add them to the lists; yield after each part."""
        self._thin(products)
        i, cols, keys = self._pool
        order = np.argsort(-keys, kind="stable")  # the best of all rows first: later ones are outdone at once
        for top in range(0, len(order), _MAX_OFFERED):
            some = order[top : top + _MAX_OFFERED]
            self._wait(self.rows[i[some]], cols[some], self._scores(i[some], cols[some]))
            yield
            self.offer()
            yield
        self.offer()

    def _limits(self, products: ApproximateProducts, keys: NDArray[Any], known: Scores) -> NDArray[Any]:
        """Return the smallest keys [b] of candidates of each row.

        Args:
            products: the source of the keys.
            keys: [b, c]; for rows without known neighbours the k best are enough.
            known: lower bound of the score of each row's last neighbour, float32 [b].
        """
        k = self._lists.neighbours.shape[1]
        empty = np.flatnonzero(known <= 0.0)
        if len(empty) and keys.shape[1] > k:
            edge = products.scores(np.ascontiguousarray(np.partition(keys[empty], -k, axis=1)[:, -k]))
            self._floor[empty] = np.maximum(self._floor[empty], edge - np.float32(products.margin))
        return products.limits(self._floor)

    def _scores(self, i: NDArray[np.int64], cols: NDArray[np.int64]) -> Scores:
        """Return the cosines float32 [c] of rows of the block with rows of the matrix."""
        scores: Scores = np.einsum("ij,ij->i", np.take(self._own, i, axis=0), np.take(self._vectors, cols, axis=0))
        return scores

    def _wait(self, rows: NDArray[np.int64], cols: NDArray[np.int64], scores: Scores) -> None:
        """Keep those of the pairs that may enter the lists of their rows."""
        scores = round_cosines(scores)
        floor = self._lists.floor[rows]
        enters = (scores > floor) | ((scores == floor) & (cols < self._lists.neighbours[rows, -1]))
        enters &= scores > 0.0
        if entering := int(enters.sum()):
            self._waiting.append((rows[enters], cols[enters], scores[enters]))
            self._count += entering

    def _pool_in(
        self, products: ApproximateProducts, i: NDArray[np.int64], cols: NDArray[np.int64], keys: NDArray[Any]
    ) -> None:
        known_i, known_cols, known = self._pool
        if len(known_i):
            i, cols, keys = np.append(known_i, i), np.append(known_cols, cols), np.append(known, keys)
        self._pool = i, cols, keys
        if len(self._pool[0]) > max(2 * self._thinned, _MAX_OFFERED):
            self._thin(products)

    def _thin(self, products: ApproximateProducts) -> None:
        """Drop from the pool what k others of the same row outdo."""
        i, cols, keys = self._pool
        order = np.argsort(4.0 * i + products.scores(keys))[::-1]  # by row, then score: faster than by two keys
        i, cols, keys = i[order], cols[order], keys[order]
        k = self._lists.neighbours.shape[1]
        starts = np.flatnonzero(np.concatenate([[True], i[1:] != i[:-1]])) if len(i) else np.empty(0, np.int64)
        lasts = starts + k - 1
        full = lasts < np.append(starts[1:], len(i))
        rows, edge = i[starts[full]], products.scores(keys[lasts[full]])
        self._floor[rows] = np.maximum(self._floor[rows], edge - np.float32(products.margin))
        kept = keys >= products.limits(self._floor)[i]
        self._pool = i[kept], cols[kept], keys[kept]
        self._thinned = int(kept.sum())


def _find_true_cells(where: Bools) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and columns int64 [c] where `where` bool [b, c] is true: faster than nonzero of a matrix."""
    return np.divmod(np.flatnonzero(where), max(where.shape[1], 1))


def _exclude_non_pairs(keys: NDArray[Any], block: NDArray[np.int64], left: int, here: Bools, lowest: float) -> None:
    """Mark non-pairs: columns that are not `here` yet, and each row with itself."""
    if not here.all():
        keys[:, ~here] = lowest
    inside = np.flatnonzero((block >= left) & (block < left + len(here)))
    keys[inside, block[inside] - left] = lowest
