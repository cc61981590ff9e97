"""Positions of sentences on the map: similar ones are near each other.

The forces are those of UMAP with a = b = 1 (L. McInnes, J. Healy, J. Melville: UMAP, 2018, section 3.2): neighbours
attract, a few others drawn at random repel. Here all sentences move at once, with momentum, each by the mean of its
forces, which is fast with whole arrays; they start on the plane of the two principal components. Everything
follows from the order of the nodes: the same library has the same map.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.analysis.neighbour_graph import NEIGHBOURS, NeighbourGraph, NeighbourLists
from desktop_app.core.jobs import map_steps

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from desktop_app.analysis.compact_vectors import VectorRows

    Places = NDArray[np.float32]

_REPULSIONS = 4  # sentences that repel each sentence in an epoch
_REPULSION = 12.0  # stronger than UMAP's: the sentences of a cluster stay apart (more neighbours stay neighbours)
_MOMENTUM = 0.5
_SPACE_SHARE = 0.3  # of a sentence's share of the map
_MAX_REPULSION = np.float32(4.0)  # most repulsion of neighbours that are too near, relative to their attraction
_CROWDED_FROM = 0.4  # share of the epochs after which crowds are dispersed
_CROWDED = 2.5  # times the mean density
_CROWD_STEP = 0.3  # cells, at most
_FARTHEST = 4.0  # that one force can move a sentence
_SPREAD = 10.0
_BLOCK = 2048
_PLACED_AT_ONCE = 4096
_SUBSPACE, _ITERATIONS = 16, 30
_WEIGHT_FLOOR = 0.1
_MOST_AT_ONCE = 200_000  # nodes that are laid out without landmarks
_EPOCHS = (300, 500)  # of these, fewest and most
_LANDMARK_EPOCHS, _REFINING_EPOCHS = 50, 150  # the former as shares of the time
_LANDMARK_EPOCHS_AT_ONCE = 300
_REFINING_RATE = 0.5
_EDGES_AT_ONCE = 100_000
_ROWS = 256  # of a grid that orders nodes by their places
_JITTER = 0.05


def project_to_plane(vectors: VectorRows) -> Generator[None, None, Places]:
    """Return the positions of vectors float32 [n, dim] on the plane of their principal components: float32 [n, 2]."""
    count, dim = vectors.shape
    if not count:
        return np.empty((0, 2), np.float32)
    mean = np.zeros(dim)
    for top in range(0, count, _BLOCK):
        mean += vectors[top : top + _BLOCK].sum(axis=0, dtype=np.float64)
        yield
    mean /= count
    covariance = np.zeros((dim, dim))
    for top in range(0, count, _BLOCK):
        some = vectors[top : top + _BLOCK] - mean.astype(np.float32)
        covariance += some.T @ some
        yield
    axes = _principal_axes(covariance)
    yield
    # An axis has no direction: let its largest component be positive.
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), np.arange(axes.shape[1])])
    places = np.zeros((count, 2), np.float32)
    for top in range(0, count, _BLOCK):
        some = (vectors[top : top + _BLOCK] - mean.astype(np.float32)) @ axes.astype(np.float32)
        places[top : top + _BLOCK, : some.shape[1]] = some
        yield
    spread = places.std(axis=0)
    # Rounded: the last bits of a product differ between machines.
    rounded: Places = np.round(places / np.maximum(spread, 1e-6) * _SPREAD, 3).astype(np.float32)
    return rounded


def _principal_axes(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the two principal axes, the first one first: float64 [dim, 2]; only one if there is one dimension.

    By subspace iteration (G. Golub, C. Van Loan: Matrix Computations, 2013, section 8.2.4): computing all axes would
    take too long while a person waits.
    """
    if len(covariance) <= 2 * _SUBSPACE:
        return np.asarray(np.linalg.eigh(covariance)[1][:, -2:][:, ::-1])
    basis = np.random.default_rng(0).standard_normal((len(covariance), _SUBSPACE))
    for _ in range(_ITERATIONS):
        basis = np.linalg.qr(covariance @ basis)[0]
    within = np.linalg.eigh(basis.T @ covariance @ basis)[1]
    return np.asarray((basis @ within)[:, -2:][:, ::-1])


def lay_out_graph(
    graph: NeighbourGraph, start: Places, epochs: int | None = None
) -> Generator[tuple[int, int], None, Places]:
    """Return the positions of a graph's nodes float32 [n, 2].

    Of a large graph, a tenth or so is laid out first: landmarks, which stand for the nodes around them. Then all nodes
    move, from the places of their landmarks, half as often as they would without.

    Args:
        graph: of n nodes.
        start: their first positions, float32 [n, 2].
        epochs: number of moves of a graph that is laid out at once; None: 300 to 500, fewer for more nodes.

    Yields:
        (epochs done, epochs in all); epochs of landmarks count by their share of the time.
    """
    count = len(start)
    if not count:
        return start
    pulls = _join_directions(graph)
    if epochs is not None or count <= _MOST_AT_ONCE:
        epochs = epochs or int(np.clip(15_000_000 // count, *_EPOCHS))
        moving = _move_nodes(pulls, start, epochs, 1.0)
        return (yield from map_steps(moving, lambda done: (done, epochs)))
    del graph
    total = _LANDMARK_EPOCHS + _REFINING_EPOCHS
    yield 0, total
    chosen, owner = _choose_landmarks(pulls)
    yield 0, total
    # Nodes without neighbours stand for themselves: of these alone, landmarks would never become fewer.
    at_once = _LANDMARK_EPOCHS_AT_ONCE if 2 * len(chosen) > count else None
    rough = lay_out_graph(_join_groups(pulls, owner, len(chosen)), start[chosen], at_once)
    landmarks = yield from map_steps(rough, lambda step: (_LANDMARK_EPOCHS * step[0] // step[1], total))
    room = _measure_room(landmarks[:, 0], landmarks[:, 1], count) / _SPACE_SHARE
    spread = np.sqrt(room * np.bincount(owner)[owner]).astype(np.float32)[:, None] / 2
    places: Places = landmarks[owner] + spread * np.random.default_rng(1).standard_normal(start.shape, np.float32)
    places[chosen] = landmarks
    # Nodes that are near each other on the map are neighbours in memory too: that halves the time.
    order = np.argsort(_rank_along_rows(landmarks)[owner], kind="stable")
    moving = _move_nodes(_reorder(pulls, order), places[order], _REFINING_EPOCHS, _REFINING_RATE)
    del pulls
    places[order] = yield from map_steps(moving, lambda done: (_LANDMARK_EPOCHS + done, total))
    return places


def _rank_along_rows(places: Places) -> NDArray[np.int64]:
    """Return the rank of each place along the rows of a grid, which go forth and back by turns: int64 [n]."""
    low, high = np.percentile(places, (0.5, 99.5), axis=0)
    cells = ((places - low) / np.maximum(high - low, 1e-6) * _ROWS).clip(0, _ROWS - 1).astype(np.int64)
    row = cells[:, 1]
    column = np.where(row % 2, _ROWS - 1 - cells[:, 0], cells[:, 0])
    rank = np.empty(len(places), np.int64)
    rank[np.argsort(row * _ROWS + column, kind="stable")] = np.arange(len(places))
    return rank


def _reorder(pulls: csr_matrix, order: NDArray[np.int64]) -> csr_matrix:
    """Return a symmetric matrix [n, n] with its nodes in another order int64 [n]."""
    new = np.empty(len(order), np.int32)
    new[order] = np.arange(len(order))
    moved = pulls[order]
    moved.indices = new[moved.indices]
    moved.has_sorted_indices = False
    moved.sort_indices()
    return moved


def _move_nodes(pulls: csr_matrix, start: Places, epochs: int, first_rate: float) -> Generator[int, None, Places]:
    """Return the positions of nodes float32 [n, 2] after so many moves.

    Args:
        pulls: the attraction of neighbours, symmetric [n, n].
        start: float32 [n, 2].
        epochs: number of moves.
        first_rate: step of the first move, at most 1; later ones are smaller.

    Yields:
        Epochs done.
    """
    count = len(start)
    blocks = _cut_rows(pulls.indptr)
    degrees = np.diff(pulls.indptr)
    sums = np.zeros(count)
    for rows, edges, has_pulls, _starts in blocks:
        if len(has_pulls):
            sums[rows] = np.bincount(
                np.repeat(np.arange(rows.stop - rows.start), degrees[rows]), pulls.data[edges], rows.stop - rows.start
            )
    pull = np.maximum(sums, 1e-3).astype(np.float32)
    generator = np.random.default_rng(0)
    places = start + generator.normal(0, 1e-2, start.shape).astype(np.float32)
    x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
    moved_x, moved_y = np.zeros(count, np.float32), np.zeros(count, np.float32)
    push = np.float32(_REPULSION * 2 * 5 / _REPULSIONS) * pull
    force_x, force_y = np.empty(count, np.float32), np.empty(count, np.float32)
    for epoch in range(epochs):
        rate = np.float32(first_rate * (1 - epoch / epochs))
        # Neighbours approach only as far as there is room for all: points on top of each other look like one.
        room = np.float32(_measure_room(x, y, count))
        force_x[:], force_y[:] = 0, 0
        for rows, edges, has_pulls, starts in blocks:
            cols = pulls.indices[edges]
            dx = x[cols] - np.repeat(x[rows], degrees[rows])
            dy = y[cols] - np.repeat(y[rows], degrees[rows])
            square = dx * dx + dy * dy
            nearness = np.minimum(room / (square + np.float32(0.05) * room), _MAX_REPULSION)
            strength = pulls.data[edges] / (1 + square) * (1 - nearness)
            if len(has_pulls):
                force_x[has_pulls] = 2 * np.add.reduceat(strength * dx, starts)
                force_y[has_pulls] = 2 * np.add.reduceat(strength * dy, starts)
        for _ in range(_REPULSIONS):
            other = generator.integers(0, count, count)
            dx, dy = x - x[other], y - y[other]
            square = dx * dx + dy * dy
            strength = push / ((np.float32(0.1) + square) * (1 + square))
            force_x += _limit(strength * dx, -_FARTHEST, _FARTHEST)
            force_y += _limit(strength * dy, -_FARTHEST, _FARTHEST)
        scale = rate / (2 * pull)
        moved_x = np.float32(_MOMENTUM) * moved_x + scale * force_x
        moved_y = np.float32(_MOMENTUM) * moved_y + scale * force_y
        x += _limit(moved_x, -_FARTHEST, _FARTHEST)
        y += _limit(moved_y, -_FARTHEST, _FARTHEST)
        if epoch >= epochs * _CROWDED_FROM:
            _spread_crowds(x, y, generator)
        yield epoch + 1
    return np.stack([x, y], axis=1)


def _measure_room(x: NDArray[np.float32], y: NDArray[np.float32], count: int) -> float:
    """Return the square of the distance that neighbours keep if all of `count` nodes share the map."""
    return _SPACE_SHARE * 16 * max(float(x.std() * y.std()), 1e-6) / count


def _cut_rows(ends: NDArray[np.int32]) -> list[tuple[slice, slice, NDArray[np.int64], NDArray[np.int32]]]:
    """Cut a matrix into blocks of rows whose edges fit into the processor's cache.

    Args:
        ends: where the edges of each row begin and end, int32 [n + 1].

    Returns:
        For each block its rows, its edges, the rows among them that have edges, and where these begin in the block.
    """
    count = len(ends) - 1
    wanted = np.searchsorted(ends, np.arange(0, int(ends[-1]), _EDGES_AT_ONCE))
    cuts = np.unique(np.concatenate([[0], wanted, [count]])).tolist()
    blocks = []
    for first, last in itertools.pairwise(cuts):
        has_edges = first + np.flatnonzero(np.diff(ends[first : last + 1]))
        edges = slice(int(ends[first]), int(ends[last]))
        blocks.append((slice(first, last), edges, has_edges, ends[has_edges] - ends[first]))
    return blocks


def _choose_landmarks(pulls: csr_matrix) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return some nodes int64 [m], no two of them neighbours, and the nearest one of each node, by number, int32 [n].

    Every other node is a neighbour of one of them (M. Luby: A simple parallel algorithm for the maximal independent set
    problem, 1986).
    """
    count, cols = pulls.shape[0], pulls.indices
    has_edges = np.flatnonzero(np.diff(pulls.indptr))
    starts = pulls.indptr[has_edges]
    priority = np.random.default_rng(0).permutation(count).astype(np.int32)
    is_open, is_chosen = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    while is_open.any():
        highest = np.full(count, -1, np.int32)
        highest[has_edges] = np.maximum.reduceat(np.where(is_open, priority, -1)[cols], starts)
        new = is_open & (priority > highest)
        is_chosen |= new
        is_open &= ~new
        is_open[has_edges] &= ~np.logical_or.reduceat(new[cols], starts)
    chosen = np.flatnonzero(is_chosen)
    owner = np.full(count, -1, np.int32)
    owner[chosen] = np.arange(len(chosen))
    edges = np.flatnonzero(is_chosen[cols])
    rows = np.searchsorted(pulls.indptr, edges, side="right") - 1
    edges = edges[np.lexsort((-pulls.data[edges], rows))]
    asking, first = np.unique(rows, return_index=True)
    owner[asking] = owner[cols[edges[first]]]
    return chosen, owner


def _join_groups(pulls: csr_matrix, owner: NDArray[np.int32], count: int) -> NeighbourGraph:
    """Return the graph of `count` groups of nodes: nearest are those with the strongest attraction between their nodes.

    Args:
        pulls: symmetric [n, n].
        owner: the group of each node int32 [n].
        count: the number of groups.
    """
    from scipy import sparse

    each = np.arange(len(owner) + 1, dtype=np.int32)
    member = sparse.csr_matrix((np.ones(len(owner), np.float32), owner, each), (len(owner), count))
    joined = sparse.csr_matrix(member.T.tocsr() @ (pulls @ member))
    rows = np.repeat(np.arange(count), np.diff(joined.indptr))
    apart = rows != joined.indices
    rows, cols, strength = rows[apart], joined.indices[apart], joined.data[apart]
    order = np.lexsort((cols, -strength, rows))
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    some = np.flatnonzero(rank < NEIGHBOURS)
    lists = NeighbourLists.empty(count)
    lists.neighbours[rows[some], rank[some]] = cols[order[some]]
    lists.scores[rows[some], rank[some]] = strength[order[some]]
    lists.scores /= np.maximum(lists.scores[:, :1], np.float32(1e-6))
    return NeighbourGraph(np.arange(count, dtype=np.int64), lists)


def _spread_crowds(x: NDArray[np.float32], y: NDArray[np.float32], generator: np.random.Generator) -> None:
    """Move points a little out of crowds that are denser than most; in place.

    Neighbours attract each other, and repulsion is sampled from all points: a homogeneous cluster would shrink to a
    dot. A grid measures the density; it is shifted each time, so that it leaves no pattern.
    """
    cells = int(np.clip(0.7 * np.sqrt(len(x)), 16, 224))
    (left, low), (right, high) = np.percentile(np.stack([x, y]), (0.5, 99.5), axis=1)
    size = max(float(right - left), float(high - low), 1e-6) / cells
    shift = generator.random(2)
    across, up = (x - left) / size + 2 + shift[0], (y - low) / size + 2 + shift[1]
    side = cells + 6
    inside = (across > 1) & (across < side - 2) & (up > 1) & (up < side - 2)  # strays beyond have enough room
    column, row = _limit(across, 0, side - 2).astype(np.int64), _limit(up, 0, side - 2).astype(np.int64)
    counts = np.bincount(row * side + column, minlength=side * side).reshape(side, side).astype(np.float32)
    density = _smooth_grid(_smooth_grid(counts))
    usual = _CROWDED * len(x) / cells**2
    slopes = np.gradient(np.log(density + np.float32(usual)))
    crowded = _limit(density / usual - 1, 0, 1)
    # Interpolated between the centres of four cells.
    column, row = _limit(across - 0.5, 0, side - 2).astype(np.int64), _limit(up - 0.5, 0, side - 2).astype(np.int64)
    right_part, upper_part = _limit(across - 0.5 - column, 0, 1), _limit(up - 0.5 - row, 0, 1)
    for places, slope in ((y, slopes[0]), (x, slopes[1])):
        push = _limit(slope * crowded, -1, 1)
        lower = push[row, column] * (1 - right_part) + push[row, column + 1] * right_part
        upper = push[row + 1, column] * (1 - right_part) + push[row + 1, column + 1] * right_part
        slid = lower * (1 - upper_part) + upper * upper_part
        places -= np.where(inside, _CROWD_STEP * size * slid, 0).astype(np.float32)


def _smooth_grid(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return cells float32 [h, w], smoothed with the weights 1 2 1 in both directions."""
    for _ in range(2):
        smooth = 2 * cells
        smooth[1:] += cells[:-1]
        smooth[:-1] += cells[1:]
        cells = np.divide(smooth, 4, out=smooth).T
    return cells


def _limit(values: NDArray[Any], least: float, most: float) -> NDArray[Any]:
    """Like `numpy.clip`, which takes longer than all the rest for the few points of a small map."""
    limited: NDArray[Any] = np.minimum(np.maximum(values, least), most)
    return limited


def _join_directions(graph: NeighbourGraph) -> csr_matrix:
    """Return how strongly neighbours attract each other, symmetric float32 [n, n], 0.1 to 1.

    The nearest neighbour attracts most, the last one least, at any distance: so isolated nodes are held too. Of the two
    directions, the stronger one counts.
    """
    from scipy import sparse

    near = graph.lists.neighbours
    count = len(near)
    scores = np.round(graph.lists.scores, 4)
    there = near >= 0
    best = scores.max(axis=1, initial=0.0)[:, None]
    least = np.where(there, scores, np.float32(np.inf)).min(axis=1, initial=np.inf)[:, None]
    span = np.where(np.isfinite(least), best - least, np.float32(1.0))
    scores -= least
    scores /= np.maximum(span, np.float32(1e-4))
    share = np.clip(scores, 0, 1, out=scores)[there]
    pulls = (np.float32(_WEIGHT_FLOOR) + np.float32(1 - _WEIGHT_FLOOR) * share).astype(np.float32)
    ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
    directed = sparse.csr_matrix((pulls, near[there], ends), (count, count))
    directed.sort_indices()
    return sparse.csr_matrix(directed.maximum(directed.T.tocsr()))


def place_new_nodes_in_steps(
    graph: NeighbourGraph, known: Places, is_known: NDArray[np.bool_]
) -> Generator[None, None, Places]:
    """Return the positions of all nodes float32 [n, 2]: known ones stay, new ones go to their neighbours.

    A new node goes to the mean of its neighbours with a position, weighted by nearness; nodes whose neighbours are all
    new wait for them. Nodes without any such neighbour go below all others. In short steps.

    Args:
        graph: of n nodes.
        known: float32 [n, 2], any values for unknown nodes.
        is_known: bool [n].
    """
    places, has_place = np.where(is_known[:, None], known, 0).astype(np.float32), is_known.copy()
    near, scores = graph.lists.neighbours, graph.lists.scores
    generator = np.random.default_rng(0)
    jitter = generator.normal(0, 1, known.shape).astype(np.float32)
    spread = known[is_known].std(axis=0) if is_known.any() else np.ones(2, np.float32)
    while True:
        waiting = np.flatnonzero(~has_place)
        found: list[NDArray[np.int64]] = []
        for top in range(0, len(waiting), _PLACED_AT_ONCE):
            some = waiting[top : top + _PLACED_AT_ONCE]
            weights = np.where((near[some] >= 0) & has_place[near[some]], scores[some] ** 3, 0)
            ready = weights.sum(axis=1) > 0
            rows, weights = some[ready], weights[ready]
            if len(rows):
                # The half with the largest weights: the mean of two clusters is in neither.
                heavy = np.where(weights >= np.median(weights, axis=1, keepdims=True), weights, 0)
                middle = (heavy[:, :, None] * places[near[rows]]).sum(axis=1) / heavy.sum(axis=1)[:, None]
                places[rows] = middle + _JITTER * np.minimum(spread, 10) * jitter[rows]
                found.append(rows)
            yield
        if not found:
            break
        # Only now: a node that has just got a position does not count as a neighbour in this round.
        has_place[np.concatenate(found)] = True
    alone = np.flatnonzero(~has_place)
    if len(alone):
        here = places[has_place]
        left, right = (here[:, 0].min(), here[:, 0].max()) if len(here) else (-1.0, 1.0)
        below = here[:, 1].min() - 0.05 * max(float(np.ptp(here[:, 1])), 1.0) if len(here) else 0.0
        places[alone, 0] = np.linspace(left, right, len(alone))
        places[alone, 1] = below
    return places
