"""A library's stored clusters: the last division, a person's changes and the map positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class StoredCluster:
    """A cluster as it is kept.

    Attributes:
        cluster_id: None for a new one.
        name: the program's, or the person's own.
        own_name: whether a person gave the name: then it stays when a sentence is erased, and is not made anew.
        pinned: whether it stays as it is when the library is divided anew.
        dormant: it is in no division at present; kept for its own name, for the day it comes back.
        keywords: the most telling words, best first.
        members: sentence ids int64 [m]: the key sentences, then the others, the nearest to the centre first.
        closeness: their cosines with the centre float32 [m].
        keys: how many of them are key sentences.
    """

    cluster_id: int | None
    name: str
    members: Ids
    closeness: Floats
    own_name: bool = False
    pinned: bool = False
    dormant: bool = False
    keywords: tuple[str, ...] = ()
    keys: int = 0


@dataclass(frozen=True, slots=True)
class StoredDivision:
    """The last time that the library was divided.

    Attributes:
        granularity: how fine.
        is_chosen: whether the program chose that.
        min_size: sentences in smaller clusters are unclustered.
        seen: the highest sentence id there was: what came later has not been looked at.
        new_after: sentences with higher ids were new at that look.
    """

    granularity: float
    is_chosen: bool
    min_size: int
    seen: int
    new_after: int


class ClusterStore(Protocol):
    """Keeps themes and map of a library. What names or shows an erased sentence goes with it."""

    def look(self) -> StoredDivision | None:
        """Return the last look; None while there was none with the library's model."""
        ...

    def clusters(self) -> list[StoredCluster]:
        """Return every cluster that was kept, by id, dormant ones too."""
        ...

    def keep(self, found: Sequence[StoredCluster], look: StoredDivision) -> list[int]:
        """Keep clusters and look in the place of those before; returns the clusters' ids. One transaction."""
        ...

    def change(self, cluster_id: int, *, name: str | None = None, pinned: bool | None = None) -> None:
        """Give a cluster a person's own name (an empty one: none), or pin it, or let it go.

        Raises:
            NotFound: there is no such cluster.
        """
        ...

    def arrived(self, seen: int) -> int:
        """Return how many sentences in sight with a vector have a higher id than `seen`."""
        ...

    def positions(self) -> tuple[Ids, Floats]:
        """Return sentence ids int64 [m] and their places on the map float32 [m, 2]; none of another model."""
        ...

    def save_positions(self, ids: Ids, places: Floats) -> None:
        """Keep places on the map in the place of those before; one transaction."""
        ...

    def forget_erased(self) -> Iterator[None]:
        """Forget what tells of sentences that have been erased."""
        ...
