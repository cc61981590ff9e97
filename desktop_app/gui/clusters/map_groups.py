"""Which theme each point of the map belongs to, and where the themes lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.gui.clusters.model import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.insight import Cluster

_LEAST_OF_NAMED = 3


@dataclass(frozen=True, slots=True, eq=False)
class Middle:
    """Where a theme lies: its id, its name, and float32 [2]."""

    cluster_id: int
    name: str
    place: NDArray[np.float32]


def grouped(
    ids: NDArray[np.int64], places: NDArray[np.float32], clusters: Sequence[Cluster]
) -> tuple[NDArray[np.int64], list[Middle]]:
    """Return the number of each point's theme int64 [n], -1 for none, and where themes of more than a few points lie.

    Args:
        ids: of the points' sentences int64 [n].
        places: float32 [n, 2].
        clusters: the themes.
    """
    groups = np.full(len(ids), -1, np.int64)
    middles: list[Middle] = []
    order = np.argsort(ids, kind="stable")
    ascending = ids[order]
    for number, cluster in enumerate(clusters if len(ids) else ()):
        members = np.array(cluster.sentence_ids, np.int64)
        at = np.minimum(np.searchsorted(ascending, members), len(ascending) - 1)
        rows = order[at[ascending[at] == members]]
        groups[rows] = number
        if len(rows) >= _LEAST_OF_NAMED:
            middles.append(Middle(cluster.cluster_id, name_of(cluster), _middle(places[rows])))
    return groups, middles


def _middle(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the middle of the half that lies closest together: outliers do not pull a name away."""
    apart = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    middle: NDArray[np.float32] = places[apart <= np.median(apart)].mean(axis=0)
    return middle
