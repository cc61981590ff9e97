"""Clusters of a library: communities of its neighbour graph, and the choice of granularity."""

from __future__ import annotations

import ctypes
import os
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.jobs import run_to_completion

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from desktop_app.analysis.compact_vectors import VectorRows
    from desktop_app.analysis.neighbour_graph import NeighbourGraph
    from desktop_app.core.arrays import Ids, Vectors

    Labels = NDArray[np.int64]


UNCLUSTERED = -1

DEFAULT_GRANULARITIES = (0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)
"""The granularities to try if none is chosen."""

LARGE_GRAPH_GRANULARITIES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Those of a graph of more than `LARGE_GRAPH` sentences, where each takes a second."""

LARGE_GRAPH = 30_000

FINE_GRANULARITIES = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
"""The granularities that are tried one after the other until a cluster divides."""

_CLEAR_MARGIN = 0.1  # a sentence this much nearer to its own centre than to any other is clearly assigned
_CLEAR = 0.6  # clearness from which on a library has topics of its own accord
_LARGE_CLUSTER = 200  # mean number of sentences above which a few topics tell little
_STRUCTURED = 0.3  # clearness of parts above chance: those of random directions reach 0.2
_SECOND_PEAK_SHARE = 0.65
_VALLEY_SHARE = 0.95
_HOPELESS_SHARE = 0.3
_MIN_BROAD, _MAX_BROAD = 8, 30  # clusters on the first of two levels
_MOST_JOINED = 1000  # clusters
_MIN_SPREAD = 0.03  # of cosines: smaller differences between neighbours mean little
_LABELS_ONLY = {"return_probs": False, "return_aggregate": False}  # of scikit-network: no further matrices
_ROUGH_TOLERANCE = 1e-2
_MOST_UNGROUPED = 300_000  # nodes of a graph that is divided roughly without joining them first
_WEIGHED = 65_536
_SAMPLED_ROWS = 10_000
_BLOCK = 1024
_GATHERED = 4096  # vectors multiplied at once
_MOST_COSINES = 1_500_000  # computed at once
_COMPARED_ROWS = 256


class Communities:
    """The communities of a graph at any granularity; the graph is prepared once.

    Leiden (V. Traag, L. Waltman, N. van Eck: From Louvain to Leiden, 2019) of scikit-network. An edge weighs less the
    farther a neighbour is behind the nearest one, measured by the mean of the list (L. McInnes, J. Healy, J. Melville:
    UMAP, 2018, section 3.1), so that dense and sparse regions divide alike; neighbours of each other count twice. The
    result depends on the order of the nodes, so they are in the order of their texts' hashes, whatever the order in
    which they were stored.
    """

    def __init__(self, graph: NeighbourGraph) -> None:
        from scipy import sparse

        near = graph.lists.neighbours
        there = near >= 0
        weights = np.empty(int(there.sum()))
        ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
        for top in range(0, len(near), _WEIGHED):
            rows = slice(top, min(top + _WEIGHED, len(near)))
            weights[ends[rows.start] : ends[rows.stop]] = _weigh_edges(graph.lists.scores[rows], there[rows])
        directed = sparse.csr_matrix((weights, near[there], ends), (len(near), len(near)))
        directed.sort_indices()
        self._adjacency = sparse.csr_matrix(directed + directed.T)

    def __len__(self) -> int:
        return int(self._adjacency.shape[0])

    def at(self, granularity: float, min_size: int = 1) -> Labels:
        """Return the community of each node int64 [n], 0 for the largest; -1 in communities below `min_size`."""
        from sknetwork.clustering import Leiden

        # scikit-network 0.33 uses C's rand(), which `random_state` does not seed: without this a division would
        # depend on those computed before in the same process.
        _load_c_library().srand(1)
        leiden = Leiden(resolution=granularity, random_state=0, **_LABELS_ONLY)
        return self._number(_fit(leiden, self._adjacency), min_size)

    def approximate_at(self, granularity: float, min_size: int = 1) -> Labels:
        """Return approximately the result of `at`, in a third of the time; of a large graph, in a tenth.

        The nodes of a large graph are joined to groups once, the same for every granularity.
        """
        if len(self) <= _MOST_UNGROUPED or not self._adjacency.nnz:
            return self._number(_fit(_make_rough(granularity), self._adjacency), min_size)
        groups, joined = self._groups
        return self._number(_fit(_make_rough(granularity), joined)[groups], min_size)

    @cached_property
    def _groups(self) -> tuple[Labels, csr_matrix]:
        """The group of each node int64 [n], and the graph of the groups: the first step of a fine division."""
        from scipy import sparse

        groups = _fit(_make_rough(LARGE_GRAPH_GRANULARITIES[-1], n_aggregations=1), self._adjacency)
        ends = np.arange(len(groups) + 1)
        member = sparse.csr_matrix((np.ones(len(groups)), groups, ends), (len(groups), int(groups.max(initial=-1)) + 1))
        return groups, sparse.csr_matrix(member.T.tocsr() @ (self._adjacency @ member))

    def _number(self, found: Labels, min_size: int) -> Labels:
        return number_by_size(found, max(min_size, 2))


def _weigh_edges(scores: NDArray[np.float32], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weight of each neighbour in lists of scores [b, k], in their order: float64 [edges]."""
    # Rounded, so that the last bits of a product, which depend on the position of its block, do not matter.
    rounded = np.where(there, np.round(scores.astype(np.float64), 4), np.nan)
    behind = np.nanmax(rounded, axis=1, initial=-1.0, keepdims=True) - rounded
    spread = np.nansum(behind, axis=1, keepdims=True) / np.maximum(there.sum(axis=1, keepdims=True), 1)
    weights: NDArray[np.float64] = np.exp(-behind / np.maximum(spread, _MIN_SPREAD))[there]
    return weights


def _make_rough(granularity: float, **settings: int) -> object:
    from sknetwork.clustering import Louvain

    return Louvain(
        resolution=granularity,
        random_state=0,
        tol_optimization=_ROUGH_TOLERANCE,
        tol_aggregation=_ROUGH_TOLERANCE,
        **_LABELS_ONLY,
        **settings,
    )


def _fit(algorithm: object, adjacency: csr_matrix) -> Labels:
    """Return the label of each node int64 [n] that an algorithm of scikit-network finds."""
    if not adjacency.nnz:
        return np.full(adjacency.shape[0], UNCLUSTERED, np.int64)
    return np.asarray(algorithm.fit_predict(adjacency), np.int64)  # type: ignore[attr-defined]


@cache
def _load_c_library() -> ctypes.CDLL:
    """Return the C library whose `rand` extension modules use."""
    return ctypes.CDLL("ucrtbase" if os.name == "nt" else None)


class GranularityChoice:
    """Chooses the granularity of a library's clusters from rough divisions, given in order, coarse ones first.

    A division is rated by its clearness: the mean over sentences of their margin, cut at 0.1, divided by 0.1. The
    margin of a sentence is its cosine with the centre of the other sentences of its cluster minus that with the nearest
    other centre; in no cluster it is 0. Because margins are cut, many small clear clusters are as good as few large
    ones that are farther apart. Because a sentence is left out of its own centre, small clusters do not look good by
    chance. Clearness falls when a cluster is cut in two, and when two clusters are joined.

    The best division is taken, or a finer one that is the best after a valley (intents within domains, say) and at
    least 0.65 as clear. A library without clear topics, such as novels, has no best number: it gets about as many
    as the square root of its number of sentences. So does one whose few clear topics are large and fall into parts that
    are less clear, such as novels beside papers; the parts of a topic without any are no clearer than chance.

    Args:
        vectors: float32 [n, dim], rows of length 1.
    """

    def __init__(self, vectors: VectorRows) -> None:
        self._vectors = vectors
        self._tried: list[tuple[float, float, int]] = []  # granularity, clearness, clusters

    def consider(self, granularity: float, labels: Labels) -> Generator[None, None, bool]:
        """Rate a division in steps; return whether finer ones are worth trying."""
        clearness = yield from measure_clearness_in_steps(self._vectors, labels)
        self._tried.append((granularity, clearness, int(labels.max(initial=UNCLUSTERED)) + 1))
        clearest = max(value for _, value, _ in self._tried)
        return clearest < _CLEAR or clearness >= _HOPELESS_SHARE * clearest

    @property
    def granularity(self) -> float:
        """The choice among the divisions so far."""
        clearest = max(value for _, value, _ in self._tried)
        if clearest <= 0:  # homogeneous at every granularity
            return self._tried[0][0]
        size = np.log(np.sqrt(len(self._vectors)))
        usual = min(self._tried, key=lambda each: abs(np.log(max(each[2], 1)) - size))
        if clearest < _CLEAR:
            return usual[0]
        peak = len(self._tried) - 1
        for at in range(len(self._tried) - 1, -1, -1):
            value = self._tried[at][1]
            if value > self._tried[peak][1]:
                peak = at
            elif value < _VALLEY_SHARE * self._tried[peak][1]:
                if self._tried[peak][1] >= _SECOND_PEAK_SHARE * clearest:
                    break
                peak = at
        found = self._tried[peak]
        is_rough = len(self._vectors) > _LARGE_CLUSTER * found[2] and usual[1] >= _STRUCTURED
        return usual[0] if found[1] < _CLEAR or is_rough else found[0]


def list_granularities(count: int) -> tuple[float, ...]:
    """Return the granularities to try for a graph of `count` nodes, in order."""
    return LARGE_GRAPH_GRANULARITIES if count > LARGE_GRAPH else DEFAULT_GRANULARITIES


def apply_pinned_clusters(
    labels: Labels, pinned: list[Ids], near: NDArray[np.int32], fresh: NDArray[np.bool_], min_size: int
) -> tuple[Labels, dict[int, int]]:
    """Apply the clusters that a person has pinned to a division.

    Their members leave their clusters, whose rest may be too small. A fresh node goes to a pinned cluster if more than
    half of its neighbours belong to it.

    Args:
        labels: int64 [n], -1 for unclustered.
        pinned: rows of each pinned cluster.
        near: int32 [n, k], neighbours, padded with -1.
        fresh: bool [n], nodes that are new.
        min_size: nodes in smaller clusters that are not pinned are unclustered.

    Returns:
        labels int64 [n], 0 for the largest; and the pinned cluster of each label.
    """
    if not any(len(rows) for rows in pinned):
        return labels, {}
    first = int(labels.max(initial=-1)) + 1
    over = labels.copy()
    of_pin = np.full(len(labels), UNCLUSTERED, np.int64)
    for number, rows in enumerate(pinned):
        over[rows] = first + number
        of_pin[rows] = number
    asking = np.flatnonzero(fresh & (of_pin < 0))
    of_near = np.where(near[asking] >= 0, of_pin[near[asking]], UNCLUSTERED)
    for number in range(len(pinned)):
        most = (of_near == number).sum(axis=1) * 2 > np.maximum((near[asking] >= 0).sum(axis=1), 1)
        over[asking[most]] = first + number
    ordered = number_by_size(over, min_size, always=first)
    meant = {int(ordered[rows[0]]): number for number, rows in enumerate(pinned) if len(rows)}
    return ordered, meant


def number_by_size(found: Labels, min_size: int, always: int | None = None) -> Labels:
    """Renumber labels: 0 for the largest, ties by the first node; -1 below `min_size`, except from `always` on.

    Args:
        found: int64 [n], any labels; -1 for none.
        min_size: smallest cluster that stays.
        always: labels from this one on stay however small.
    """
    labels, first, inverse, sizes = np.unique(found, return_index=True, return_inverse=True, return_counts=True)
    stays = (labels >= 0) & ((sizes >= min_size) | (labels >= (np.inf if always is None else always)))
    order = [at for at in np.lexsort((first, -sizes)) if stays[at]]
    rank = np.full(len(labels), UNCLUSTERED, np.int64)
    rank[order] = np.arange(len(order))
    ranked: Labels = rank[inverse]
    return ranked


def order_by_label(labels: Labels) -> Ids:
    """Return the rows of labels int64 [n] from -1 on, by their label, those of the same one ascending."""
    if labels.max(initial=UNCLUSTERED) >= np.iinfo(np.uint16).max:
        return np.argsort(labels, kind="stable")
    return np.argsort((labels + 1).astype(np.uint16), kind="stable")  # short numbers sort in a tenth of the time


def assign_loose_in_steps(vectors: VectorRows, labels: Labels) -> Generator[None, None, Labels]:
    """Return the parts of a cluster after putting the rest into the part with the nearest centre; in short steps.

    Args:
        vectors: float32 [n, dim].
        labels: int64 [n], at least two parts; -1 for the rest.
    """
    whole, loose = labels.copy(), np.flatnonzero(labels < 0)
    centres = yield from cluster_centres_in_steps(vectors, labels)
    for top in range(0, len(loose), _BLOCK):
        some = loose[top : top + _BLOCK]
        whole[some] = np.argmax(np.round(vectors[some] @ centres.T, 5), axis=1)
        yield
    return number_by_size(whole, 1)


def measure_clearness_in_steps(vectors: VectorRows, labels: Labels) -> Generator[None, None, float]:
    """Return how clearly a division assigns sentences, at most 1; 0 for fewer than two clusters.

    See `GranularityChoice`. A large library is sampled.
    """
    centres, lengths = yield from _sum_clusters_in_steps(vectors, labels)
    if len(centres) < 2:
        return 0.0
    rows = np.arange(len(labels))[:: max(1, len(labels) // _SAMPLED_ROWS)]
    members = rows[labels[rows] >= 0]
    total = 0.0
    step = max(1, min(_BLOCK, _MOST_COSINES // len(centres)))
    for top in range(0, len(members), step):
        some = members[top : top + step]
        cosines = vectors[some] @ centres.T
        at, own = np.arange(len(some)), labels[some]
        length, inside = lengths[own], cosines[at, own].astype(np.float64) * lengths[own]
        # The centre of the others has the direction of their sum: the cluster's sum without the sentence.
        others = np.sqrt(np.maximum(length**2 - 2 * inside + 1, 1e-9))
        cosines[at, own] = -1.0
        margins = (inside - 1) / others - cosines.max(axis=1)
        total += float(np.clip(margins / _CLEAR_MARGIN, -1.0, 1.0).sum())
        yield
    return total / len(rows)


def cluster_centres(vectors: VectorRows, labels: Labels) -> Vectors:
    """Return the mean direction of each cluster: float32 [clusters, dim], rows of length 1."""
    return run_to_completion(cluster_centres_in_steps(vectors, labels))


def cluster_centres_in_steps(vectors: VectorRows, labels: Labels) -> Generator[None, None, Vectors]:
    """Like `cluster_centres`, in short steps."""
    centres, _ = yield from _sum_clusters_in_steps(vectors, labels)
    return centres


def _sum_clusters_in_steps(
    vectors: VectorRows, labels: Labels
) -> Generator[None, None, tuple[Vectors, NDArray[np.float64]]]:
    """Return the sum of the vectors of each cluster: its direction float32 [clusters, dim], its length [clusters]."""
    count = int(labels.max(initial=-1)) + 1
    order = order_by_label(labels)
    yield
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    yield
    centres, lengths = np.zeros((count, vectors.shape[1]), np.float32), np.zeros(count)
    summed = 0
    for cluster in range(count):
        members = np.sort(order[starts[cluster] : starts[cluster + 1]])
        total = np.zeros(vectors.shape[1])
        for top in range(0, len(members), _BLOCK):
            some = members[top : top + _BLOCK]
            total += vectors[some].sum(axis=0, dtype=np.float64)
            summed += len(some)
            if summed >= _BLOCK:
                summed = 0
                yield
        lengths[cluster] = np.linalg.norm(total)
        centres[cluster] = total / max(lengths[cluster], 1e-12)
    return centres, lengths


def measure_closeness_in_steps(vectors: VectorRows, rows: Ids, centre: Vectors) -> Generator[None, None, Vectors]:
    """Return the cosine of each of `rows` int64 [m] with a centre float32 [dim], in short steps: float32 [m]."""
    closeness = np.empty(len(rows), np.float32)
    for top in range(0, len(rows), _GATHERED):
        closeness[top : top + _GATHERED] = vectors[rows[top : top + _GATHERED]] @ centre
        yield
    return closeness


def choose_key_rows(vectors: VectorRows, rows: Ids, closeness: Vectors, count: int, distinct: float = 0.9) -> list[int]:
    """Return up to `count` of `rows` that represent all of them: near their centre, but not similar.

    Greedily takes the nearest to the centre whose cosine with those before is below `distinct`.

    Args:
        vectors: float32 [n, dim], rows of length 1.
        rows: int64 [m].
        closeness: cosine of each of them with the centre, float32 [m].
        count: how many.
        distinct: see above.
    """
    order = rows[np.lexsort((rows, -np.round(closeness, 5)))]
    chosen: list[int] = []
    for top in range(0, len(order), _COMPARED_ROWS):
        some = order[top : top + _COMPARED_ROWS]
        nearest = np.full(len(some), -1.0, np.float32)  # to the chosen ones
        if chosen:
            nearest = (vectors[some] @ vectors[np.array(chosen)].T).max(axis=1)
        while len(chosen) < count and (free := np.flatnonzero(nearest < distinct)).size:
            at = int(free[0])
            chosen.append(int(some[at]))
            nearest = np.maximum(nearest, vectors[some] @ vectors[some[at : at + 1]][0])
            nearest[: at + 1] = 1.0
        if len(chosen) == count:
            break
    return chosen


def group_clusters(centres: Vectors) -> Labels:
    """Return the broad cluster of each of many clusters, int64 [clusters]; -1 for all if there are at most 30.

    Their centres are joined by the method of J. Ward (Hierarchical grouping to optimize an objective function, 1963),
    to the square root of twice their number, at least 8 and at most 30: as many as a person takes in. Of more than a
    thousand, the largest thousand are joined, and the others belong to the group with the nearest centre.

    Args:
        centres: float32 [clusters, dim], rows of length 1; those of large clusters first.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    count = len(centres)
    if count <= _MAX_BROAD:
        return np.full(count, UNCLUSTERED, np.int64)
    broad = min(max(round(np.sqrt(2 * count)), _MIN_BROAD), _MAX_BROAD)
    large = np.round(centres[:_MOST_JOINED].astype(np.float64), 5)
    # By a matrix product: a tenth of the time that `linkage` takes to compute distances.
    lengths = np.square(large).sum(axis=1)
    squares = np.maximum(lengths[:, None] + lengths - 2 * (large @ large.T), 0.0)
    np.fill_diagonal(squares, 0.0)
    # Rounded: the last bits of a product differ between processors, and equal distances must stay equal.
    joined = linkage(squareform(np.sqrt(np.round(squares, 9)), checks=False), "ward")
    groups = fcluster(joined, broad, "maxclust").astype(np.int64)
    if count > _MOST_JOINED:
        middles = cluster_centres(large.astype(np.float32), groups - 1)
        others = np.argmax(np.round(centres[_MOST_JOINED:] @ middles.T, 5), axis=1)
        groups = np.concatenate([groups, others + 1])
    return number_by_size(groups, 1)


def match_known_clusters(labels: Labels, known: Labels) -> dict[int, int]:
    """Return which known cluster each cluster continues.

    Two clusters are the same if they share more than half of the nodes that both partitions know of either, the largest
    shares first: so a cluster keeps its name when sentences are added, and loses it when it divides.

    Args:
        labels: int64 [n], -1 for unclustered.
        known: int64 [n], the earlier clusters of the nodes; -1 for new or unclustered ones.
    """
    both = (labels >= 0) & (known >= 0)
    many = int(known.max(initial=0)) + 1
    pairs, shared = np.unique(labels[both] * many + known[both], return_counts=True)
    size_now, size_then = np.bincount(labels[both]), np.bincount(known[known >= 0])
    found: dict[int, int] = {}
    continued: set[int] = set()
    for at in np.lexsort((pairs, -shared)):
        (now, then), count = divmod(int(pairs[at]), many), int(shared[at])
        if now not in found and then not in continued and 2 * count > min(size_now[now], size_then[then]):
            found[now] = then
            continued.add(then)
    return found


def sample_clusters(labels: Labels, most: int, least: int) -> tuple[Ids, list[float]]:
    """Return about `most` of many nodes, evenly spread, and for how many of its nodes one of each cluster stands.

    Small clusters are taken whole, and of every other one as many nodes, but at least `least`.

    Args:
        labels: int64 [n], at least 0.
        most: nodes in all.
        least: nodes of a large cluster.

    Returns:
        Their positions int64 [m], ascending; and a number for each cluster.
    """
    sizes = np.bincount(labels)
    if len(labels) <= most:
        return np.arange(len(labels)), [1.0] * len(sizes)
    ascending = np.sort(sizes)
    # What is left for a cluster if all smaller ones are whole.
    shares = (most - np.cumsum(ascending) + ascending) / np.arange(len(sizes), 0, -1)
    whole = int(np.argmax(shares < ascending))
    each = max(int(shares[whole]), least)
    order = order_by_label(labels)
    size = sizes[labels[order]]
    rank = np.arange(len(labels)) - (np.cumsum(sizes) - sizes)[labels[order]]
    kept = np.minimum(size, each)
    taken = order[(rank + 1) * kept // size > rank * kept // size]
    taken.sort()
    return taken, (sizes / np.maximum(np.minimum(sizes, each), 1)).tolist()
