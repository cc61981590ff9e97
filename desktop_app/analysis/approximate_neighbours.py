"""Nearly all of the nearest neighbours of every row of a large matrix, in time that grows almost linearly.

1. A tree divides the rows into leaves of about a hundred similar ones.
2. Each leaf is compared with the leaves whose centres are nearest to its own.
3. Other trees bring rows together that the first one has separated: near copies are found by nothing else, as all
   neighbours of their neighbours are near copies too. The leaves of these trees are compared with themselves only.
4. Each leaf is compared with the neighbours of its rows' neighbours (as in Dong, Moses and Li 2011, "Efficient
   k-nearest neighbor graph construction", but for a whole leaf by one matrix product). That is repeated until a sample
   of rows, which is compared with all others, shows that enough neighbours are found.

The result depends on the rows and their order alone: nothing is drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.neighbour_graph import NEIGHBOURS, NeighbourLists, copy_in_steps, round_cosines
from desktop_app.core.jobs import map_steps

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from desktop_app.analysis.compact_vectors import CompactVectors
    from desktop_app.core.arrays import Scores

    Rows = NDArray[np.int64]
    StepsTo = Generator[None, None, "T"]

T = TypeVar("T")

TARGET_RECALL = 0.985
"""The share of the sample's neighbours that is enough: 0.98 of all rows' neighbours are found then."""

_BLOCK = 2048  # rows that are read, or compared with the sample, in one step
_SAMPLED = 400  # rows of the sample
_SPLIT_SAMPLE = 256  # rows of a node that decide how it is divided
_SPLIT_ROUNDS = 4
_CENTRE_PRODUCTS = 500_000  # of leaves' centres in one step
_TURNED = 1024  # rows whose neighbours are turned round in one step
_SCORED = 128  # rows whose final cosines are computed in one step
_FORESEEN_ROUNDS = 4
_SAME = np.float32(1e-5)  # cosines that differ by less have no order
_NOBODY = np.iinfo(np.int32).max  # a row after all others


@dataclass(frozen=True, slots=True)
class ApproximationSettings:
    """How much is compared. The defaults take steps of about 20 ms on a slow core.

    Attributes:
        leaf_rows: rows of a leaf at most.
        probed: leaves that each leaf is compared with at first.
        more_trees: trees besides the first.
        columns: rows that a leaf is compared with in a round at most; more than twice `width` times `leaf_rows`.
        width: neighbours that are kept of each row until the end: more of them lead to more of their neighbours.
        rounds: rounds at most.
    """

    leaf_rows: int = 64
    probed: int = 64
    more_trees: int = 2
    columns: int = 12_000
    width: int = 24
    rounds: int = 6


DEFAULT = ApproximationSettings()


class ApproximateNeighbours:
    """Finds the neighbours of all rows; can be stopped after any step and continued.

    Args:
        count: the number of rows.
        k: neighbours of a row.
        settings: how much is compared.

    Attributes:
        lists: the neighbours found so far, more than k until the search is over.
        recall: the share of the sample's neighbours that are found; 0 until the first round is over.
    """

    def __init__(self, count: int, k: int = NEIGHBOURS, settings: ApproximationSettings = DEFAULT) -> None:
        self.lists = NeighbourLists.empty(0, max(k, settings.width))  # until the search begins
        self.recall = 0.0
        self._k = k
        self._settings = settings
        self._sample = _RecallSample(count, k)
        self._leaves: list[Rows] = []
        self._near_leaves = np.empty((0, 0), np.int64)
        self._round = 0  # 0: leaves are compared with near leaves
        self._leaf = 0  # the next one of the round
        self._tree = 0  # further trees that are done
        self._pointing: NDArray[np.int32] | None = None  # the rows that have a row as their neighbour, in this round
        self._begun: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None  # both when this round began
        self._before: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None  # both when the one before began
        self._marked = np.zeros(count, np.bool_)
        self._is_complete = count == 0

    def find(self, vectors: CompactVectors) -> Generator[tuple[int, int], None, None]:
        """Find the neighbours, or continue to.

        Args:
            vectors: the rows, of length 1; a row of zeros has no neighbours.

        Yields:
            (leaves done, leaves in all) after each step; the latter as far as it can be foreseen.
        """
        count, width = len(self._marked), self.lists.neighbours.shape[1]
        if len(self.lists.neighbours) < count:
            self.lists = yield from _with_progress(NeighbourLists.empty_in_steps(count, width), (0, 1))
        if not self._leaves and not self._is_complete:
            leaves = yield from _with_progress(_divide(vectors, self._settings.leaf_rows, 0), (0, 1))
            self._near_leaves = yield from _with_progress(
                _find_near_leaves(vectors, leaves, self._settings.probed), (0, 1)
            )
            self._leaves = leaves
        while not self._is_complete:
            while self._round and self._tree < self._settings.more_trees:
                yield from self._compare_within_leaves(vectors)
                self._tree += 1
            if self._round and self._pointing is None:
                pointing = yield from _with_progress(_turn_round(self.lists), self._progress())
                begun = yield from _with_progress(copy_in_steps(self.lists.neighbours, width), self._progress())
                self._before, self._begun, self._pointing = self._begun, (begun, pointing), pointing
            while self._leaf < len(self._leaves):
                rows = self._leaves[self._leaf]
                columns = self._near_rows(rows) if self._pointing is not None else self._rows_of_near_leaves()
                yield self._progress()
                others = vectors.unscaled(columns)
                yield self._progress()
                cosines = vectors[rows] @ others.T
                cosines *= vectors.scales(columns)
                yield self._progress()
                self._take(rows, columns, np.minimum(cosines, np.float32(1.0), out=cosines))
                self._leaf += 1
                yield self._progress()
            if self._round:
                yield from _with_progress(self._sample.compare(vectors), self._progress())
                self.recall = self._sample.measure(self.lists)
            self._round, self._leaf, self._pointing = self._round + 1, 0, None
            self._is_complete = self.recall >= TARGET_RECALL or self._round > self._settings.rounds
        self._begun = self._before = None
        self._pointing = None
        self.lists = yield from _with_progress(self.lists.first_in_steps(self._k), (1, 1))
        yield from _with_progress(_compute_scores(vectors, self.lists), (1, 1))

    def _compare_within_leaves(self, vectors: CompactVectors) -> Generator[tuple[int, int], None, None]:
        """Make the rows of each leaf of another tree each other's neighbours, where they are near enough."""
        others = _divide(vectors, self._settings.leaf_rows, self._tree + 1)
        for rows in (yield from _with_progress(others, self._progress())):
            own = vectors[rows]
            cosines = np.minimum(own @ own.T, np.float32(1.0))
            np.fill_diagonal(cosines, -1.0)
            self._offer_rows(rows, rows, cosines)
            yield self._progress()

    def _progress(self) -> tuple[int, int]:
        count = len(self._leaves)
        return self._round * count + self._leaf, (max(self._round, _FORESEEN_ROUNDS) + 1) * count

    def _rows_of_near_leaves(self) -> Rows:
        """Return the rows int64 [c] of the leaves that are nearest to the current one, ascending."""
        return np.sort(np.concatenate([self._leaves[near] for near in self._near_leaves[self._leaf].tolist()]))

    def _near_rows(self, rows: Rows) -> Rows:
        """Return the neighbours of rows in both directions, and the neighbours of those: int64 [c], ascending.

        What was at hand in the round before was compared in it: neighbours that were known then bring only those of
        their neighbours that were not. Of very many, those remain that are neighbours of most.
        """
        assert self._pointing is not None, "it is set for a round"
        marked, lists = self._marked, (self.lists.neighbours, self._pointing)
        for each in lists:
            marked[each[rows]] = True  # -1 marks the last row, which does no harm
        first = np.flatnonzero(marked)
        if self._before is None:
            further = np.concatenate([each[first].ravel() for each in lists])
        else:
            marked[first] = False
            for each, before in zip(lists, self._before, strict=True):
                marked[_find_new(each[rows], before[rows])] = True
            is_new = marked[first]
            new, known = first[is_new], first[~is_new]
            further = np.concatenate(
                [each[new].ravel() for each in lists]
                + [_find_new(each[known], before[known]) for each, before in zip(lists, self._before, strict=True)]
            )
            marked[first] = True
        marked[further] = True
        found = np.flatnonzero(marked)
        if len(found) > self._settings.columns:
            marked[first] = False
            others, counts = np.unique(further[marked[further]], return_counts=True)
            most = np.argsort(-counts, kind="stable")[: max(self._settings.columns - len(first), 0)]
            marked[found] = False
            return np.sort(np.append(first, others[most]))
        marked[found] = False
        return found

    def _take(self, rows: Rows, columns: Rows, cosines: Scores) -> None:
        """Make the best columns the neighbours of the rows, and the rows neighbours of columns that have worse ones.

        Args:
            rows: of the leaf int64 [b].
            columns: rows int64 [c], ascending; they contain the known neighbours of the rows.
            cosines: float32 [b, c]; those of a row with itself are changed.
        """
        lists = self.lists
        at = np.minimum(np.searchsorted(columns, rows), len(columns) - 1)
        here = np.flatnonzero(columns[at] == rows)
        cosines[here, at[here]] = -1.0
        if self._round:
            self._offer_rows(rows, columns, cosines)
        k = min(lists.neighbours.shape[1], len(columns))
        best = np.argpartition(cosines, len(columns) - k, axis=1)[:, len(columns) - k :]
        best.sort(axis=1)
        scores = np.take_along_axis(cosines, best, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")
        scores = np.take_along_axis(scores, order, axis=1)
        near = columns[np.take_along_axis(best, order, axis=1)]
        lists.neighbours[rows, :k] = np.where(scores > 0.0, near, -1)
        lists.scores[rows, :k] = np.maximum(scores, 0.0)

    def _offer_rows(self, rows: Rows, columns: Rows, cosines: Scores) -> None:
        """Make the rows neighbours of the columns that have worse ones."""
        floor = self.lists.floor[columns]
        some = np.flatnonzero(cosines.max(axis=0) > floor)
        i, j = np.divmod(np.flatnonzero(cosines[:, some] > floor[some]), max(len(some), 1))
        j = some[j]
        is_new = (self.lists.neighbours[columns[j]] != rows[i, None]).all(axis=1)
        i, j = i[is_new], j[is_new]
        self.lists.offer(columns[j], rows[i], cosines[i, j])


class _RecallSample:
    """Rows that are compared with all others.

    Args:
        count: the number of rows in all.
        k: neighbours of a row.
    """

    def __init__(self, count: int, k: int) -> None:
        self._rows = np.unique(np.linspace(0, max(count - 1, 0), min(_SAMPLED, count)).astype(np.int64))
        self._k = k
        self._floor: Scores | None = None  # the cosine of each row's last true neighbour

    def compare(self, vectors: CompactVectors) -> Generator[None, None, None]:
        """Compare the sample with all rows, once."""
        if self._floor is not None:
            return
        own = vectors[self._rows]
        best = np.zeros((len(self._rows), self._k), np.float32)
        for left in range(0, len(vectors), _BLOCK):
            right = min(left + _BLOCK, len(vectors))
            cosines = own @ vectors[left:right].T
            here = np.flatnonzero((self._rows >= left) & (self._rows < right))
            cosines[here, self._rows[here] - left] = -1.0
            yield
            best = np.partition(np.hstack([best, cosines]), right - left, axis=1)[:, right - left :]
            yield
        self._floor = best.min(axis=1)

    def measure(self, lists: NeighbourLists) -> float:
        """Return the share of true neighbours that the lists contain; one with an equal cosine counts."""
        assert self._floor is not None, "the sample is compared first"
        floor = self._floor
        full = floor > 0.0  # the others have fewer than k neighbours
        if not full.any():
            return 1.0
        return float((lists.scores[self._rows[full], : self._k] >= floor[full, None] - _SAME).mean())


def _find_new(neighbours: NDArray[np.int32], before: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return those of neighbours int32 [b, k] that are not among the ones of the same row before: int32 [c]."""
    new: NDArray[np.int32] = neighbours[(neighbours[:, :, None] != before[:, None, :]).all(axis=2)]
    return new


def _with_progress(steps: StepsTo[T], progress: tuple[int, int]) -> Generator[tuple[int, int], None, T]:
    """Return the result of steps that say nothing about their progress."""
    return map_steps(steps, lambda _: progress)


def _divide(vectors: CompactVectors, leaf_rows: int, tree: int) -> StepsTo[list[Rows]]:
    """Return leaves of similar rows, each ascending: every node of the tree is halved across a long extent.

    Args:
        vectors: all rows.
        leaf_rows: rows of a leaf at most.
        tree: its number; the first one has the best leaves, and each of the others divides in another way.
    """
    leaves: list[Rows] = []
    nodes = [np.arange(len(vectors))]
    while nodes:
        rows = nodes.pop()
        if len(rows) <= leaf_rows:
            leaves.append(rows)
            continue
        line = _find_line(vectors[rows[:: len(rows) // _SPLIT_SAMPLE + 1]], tree)
        yield
        places = np.empty(len(rows), np.float32)
        for top in range(0, len(rows), _BLOCK):
            places[top : top + _BLOCK] = vectors[rows[top : top + _BLOCK]] @ line
            yield
        middle = len(rows) // 2
        edge = np.partition(places, middle)[middle]
        is_low = places < edge
        # Rows that are equal may all lie on the edge: the first of them go with the lower half.
        is_low[np.flatnonzero(places == edge)[: middle - int(is_low.sum())]] = True
        nodes += [rows[~is_low], rows[is_low]]
        yield
    return leaves


def _find_line(sample: Scores, tree: int) -> Scores:
    """Return the direction float32 [dim] across which a node is halved.

    Args:
        sample: rows of the node float32 [s, dim].
        tree: of the first tree, the direction from one to the other of two clusters; else between two distant rows.
    """
    one = sample[tree % len(sample)]
    other = sample[int(np.argmin(sample @ one))]
    for _ in range(0 if tree else _SPLIT_ROUNDS):
        is_one = sample @ (one - other) > 0.0
        if is_one.all() or not is_one.any():
            break
        one, other = _find_direction(sample[is_one]), _find_direction(sample[~is_one])
    line: Scores = one - other
    return line


def _find_direction(vectors: Scores) -> Scores:
    """Return the direction float32 [dim] of the mean of vectors float32 [b, dim]."""
    mean = vectors.mean(axis=0)
    direction: Scores = mean / np.float32(max(float(np.linalg.norm(mean)), 1e-9))
    return direction


def _find_near_leaves(vectors: CompactVectors, leaves: list[Rows], probed: int) -> StepsTo[Rows]:
    """Return for each leaf the ones with the nearest centres, itself included: int64 [leaves, probed]."""
    centres = np.empty((len(leaves), vectors.dim), np.float32)
    for number, rows in enumerate(leaves):
        centres[number] = _find_direction(vectors[rows])
        yield
    probed = min(probed, len(leaves))
    near = np.empty((len(leaves), probed), np.int64)
    step = max(1, _CENTRE_PRODUCTS // max(len(leaves), 1))
    for top in range(0, len(leaves), step):
        cosines = centres[top : top + step] @ centres.T
        near[top : top + step] = np.argpartition(cosines, len(leaves) - probed, axis=1)[:, len(leaves) - probed :]
        yield
    return near


def _turn_round(lists: NeighbourLists) -> StepsTo[NDArray[np.int32]]:
    """Return for each row the nearest of the rows that have it as their neighbour: int32 [n, k], padded with -1.

    Without them, two rows that share a neighbour would not find each other if it has nearer neighbours than them.
    """
    pointing = yield from NeighbourLists.empty_in_steps(*lists.neighbours.shape)
    for top in range(0, len(lists.neighbours), _TURNED):
        near = lists.neighbours[top : top + _TURNED]
        row, slot = np.nonzero(near >= 0)
        pointing.offer(near[row, slot].astype(np.int64), row + top, lists.scores[row + top, slot])
        yield
    neighbours: NDArray[np.int32] = pointing.neighbours
    return neighbours


def _compute_scores(vectors: CompactVectors, lists: NeighbourLists) -> StepsTo[None]:
    """Compute the cosines of all pairs one by one: in the product of a block they differ by a rounding."""
    for top in range(0, len(vectors), _SCORED):
        rows = slice(top, min(top + _SCORED, len(vectors)))
        near = lists.neighbours[rows].astype(np.int64)
        others = vectors[np.maximum(near, 0).ravel()].reshape(*near.shape, -1)
        scores = round_cosines(np.einsum("ikd,id->ik", others, vectors[rows]))
        none = (near < 0) | (scores <= 0.0)
        scores[none], near[none] = 0.0, _NOBODY
        order = np.lexsort((near, -scores))
        near[near == _NOBODY] = -1
        lists.neighbours[rows] = np.take_along_axis(near, order, axis=1)
        lists.scores[rows] = np.take_along_axis(scores, order, axis=1)
        yield
