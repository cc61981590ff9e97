"""What a library is about: communities of its neighbour graph, and how fine they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbours import NeighbourGraph

    Ids = NDArray[np.int64]
    Labels = NDArray[np.int64]
    Vectors = NDArray[np.float32]

UNCLUSTERED = -1

GRANULARITIES = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""What is tried when nobody says how fine the clusters should be."""

_AS_SEPARATE = 0.95
_AT_MOST = 1.5
_ROUGH = 1e-2
_JUDGED = 20_000
_BLOCK = 4096


class Communities:
    """The communities of a graph, as fine as one likes: the graph is laid out once.

    Leiden (V. Traag, L. Waltman, N. van Eck: From Louvain to Leiden, 2019) as scikit-network has it, on the edges
    weighted by the third power of their cosine: weak ties bind less. The result follows from the order of the nodes,
    so they come in the order of their texts' hashes, whatever the order in which they were stored.
    """

    def __init__(self, graph: NeighbourGraph) -> None:
        from scipy import sparse

        a, b, scores = graph.edges()
        # Rounded, so that the last bits of a product, which depend on the place of its block, decide nothing.
        weights = np.round(scores.astype(np.float64), 4) ** 3
        count = len(graph.ids)
        both = (np.concatenate([a, b]), np.concatenate([b, a]))
        self._adjacency = sparse.csr_matrix((np.concatenate([weights, weights]), both), (count, count))

    def __len__(self) -> int:
        return int(self._adjacency.shape[0])

    def at(self, granularity: float, min_size: int = 1) -> Labels:
        """Return the community of each node int64 [n], 0 for the largest; -1 in communities below `min_size`."""
        from sknetwork.clustering import Leiden

        return self._ordered(Leiden(resolution=granularity, random_state=0), min_size)

    def roughly_at(self, granularity: float, min_size: int = 1) -> Labels:
        """Return about what `at` returns, in a third of its time."""
        from sknetwork.clustering import Louvain

        louvain = Louvain(resolution=granularity, random_state=0, tol_optimization=_ROUGH, tol_aggregation=_ROUGH)
        return self._ordered(louvain, min_size)

    def _ordered(self, algorithm: object, min_size: int) -> Labels:
        if not self._adjacency.nnz:
            return np.full(len(self), UNCLUSTERED, np.int64)
        found = np.asarray(algorithm.fit_predict(self._adjacency), np.int64)  # type: ignore[attr-defined]
        sizes = np.bincount(found)
        first = np.full(len(sizes), len(found), np.int64)
        np.minimum.at(first, found, np.arange(len(found)))
        order = np.lexsort((first, -sizes))
        rank = np.empty(len(sizes), np.int64)
        rank[order] = np.arange(len(sizes))
        labels: Labels = np.where(sizes[found] >= max(min_size, 2), rank[found], UNCLUSTERED)
        return labels


def choose_granularity(
    communities: Communities, vectors: Vectors, min_size: int
) -> Generator[tuple[int, int], None, float]:
    """Return how fine clusters of this library should be.

    The finest of `GRANULARITIES` whose clusters are, within a twentieth, as far apart as those of the best one; of
    those with at most 1.5 times the square root of n clusters. How far apart: the mean, over sentences, of the cosine
    with the own cluster's centre less that with the nearest other one. It falls when one theme is cut in two.

    Args:
        communities: of n nodes.
        vectors: float32 [n, dim], rows of length 1.
        min_size: nodes in smaller clusters count as unclustered.

    Yields:
        (tried, to try).
    """
    tried: list[tuple[float, float]] = []
    for number, granularity in enumerate(GRANULARITIES):
        labels = communities.roughly_at(granularity, min_size)
        if tried and labels.max(initial=-1) + 1 > _AT_MOST * np.sqrt(len(vectors)):
            break
        tried.append((granularity, separation(vectors, labels)))
        yield number + 1, len(GRANULARITIES)
    best = max(value for _, value in tried)
    return max(granularity for granularity, value in tried if value >= best * _AS_SEPARATE)


def separation(vectors: Vectors, labels: Labels) -> float:
    """Return how far apart clusters are; 0 where there are fewer than two. A large library is judged by a part."""
    centres = centres_of(vectors, labels)
    members = np.flatnonzero(labels >= 0)
    if len(centres) < 2:
        return 0.0
    members = members[:: max(1, len(members) // _JUDGED)]
    apart = np.empty(len(members), np.float32)
    for top in range(0, len(members), _BLOCK):
        some = members[top : top + _BLOCK]
        cosines = vectors[some] @ centres.T
        rows = np.arange(len(some))
        own = cosines[rows, labels[some]]
        cosines[rows, labels[some]] = -1.0
        apart[top : top + _BLOCK] = own - cosines.max(axis=1)
    return float(apart.mean())


def centres_of(vectors: Vectors, labels: Labels) -> Vectors:
    """Return the mean direction of each cluster: float32 [clusters, dim], rows of length 1."""
    count = int(labels.max(initial=-1)) + 1
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    centres = np.zeros((count, vectors.shape[1]), np.float32)
    for cluster in range(count):
        members = np.sort(order[starts[cluster] : starts[cluster + 1]])
        centre = vectors[members].mean(axis=0, dtype=np.float64)
        centres[cluster] = centre / max(float(np.linalg.norm(centre)), 1e-12)
    return centres


def key_rows(vectors: Vectors, rows: Ids, centre: Vectors, count: int, distinct: float = 0.9) -> list[int]:
    """Return up to `count` of `rows` that say what all of them are about: near `centre`, not alike.

    Greedily the nearest to the centre whose cosine with those before is below `distinct`.
    """
    closeness = vectors[rows] @ centre
    chosen: list[int] = []
    for row in rows[np.lexsort((rows, -np.round(closeness, 5)))].tolist():
        if all(float(vectors[row] @ vectors[other]) < distinct for other in chosen):
            chosen.append(row)
            if len(chosen) == count:
                break
    return chosen


def matched(labels: Labels, known: Labels) -> dict[int, int]:
    """Return which of the known clusters each cluster goes on.

    Two clusters are one when they share more than half of what both partitions know of either of them, the largest
    shares first; so a cluster keeps its name when sentences are added, and loses it when it falls apart.

    Args:
        labels: int64 [n], -1 for unclustered.
        known: int64 [n], what the nodes' clusters were; -1 for new or unclustered ones.
    """
    both = (labels >= 0) & (known >= 0)
    pairs, shared = np.unique(np.stack([labels[both], known[both]]), axis=1, return_counts=True)
    size_now, size_then = np.bincount(labels[both]), np.bincount(known[known >= 0])
    found: dict[int, int] = {}
    for at in np.lexsort((pairs[1], pairs[0], -shared)):
        now, then, count = int(pairs[0, at]), int(pairs[1, at]), int(shared[at])
        if now not in found and then not in found.values() and 2 * count > min(size_now[now], size_then[then]):
            found[now] = then
    return found
