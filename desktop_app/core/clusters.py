"""Clusters of a library: requests and results, their stored form, key sentences and the sentence map."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class StoredCluster:
    """A cluster as it is stored.

    Attributes:
        cluster_id: None for a new one.
        name: generated, or chosen by a person.
        own_name: whether a person chose the name: it is then kept when a sentence is erased, and never regenerated.
        pinned: whether the cluster is kept unchanged by the next division.
        dormant: whether it is in no division at present, and only stored so that its chosen name can return.
        keywords: the most distinctive words, best first.
        members: sentence ids int64 [m]: the key sentences, then the others, the nearest to the centre first.
        closeness: their cosines with the centre float32 [m].
        keys: how many of them are key sentences.
        broad: the broad cluster that it belongs to, by its id; None if the library has few clusters.
        is_broad: whether this is no cluster itself, but keeps the name that a person chose for the broad cluster
            `broad`, and the sentences by which that is recognized; it is dormant.
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
    broad: int | None = None
    is_broad: bool = False


@dataclass(frozen=True, slots=True)
class StoredDivision:
    """The last division of the library.

    Attributes:
        granularity: how fine it is.
        is_chosen: whether the program chose the granularity.
        min_size: sentences in smaller clusters are unclustered.
        seen: the highest sentence id at that time: later sentences are not in the division.
        new_after: sentences with higher ids were new in that division.
    """

    granularity: float
    is_chosen: bool
    min_size: int
    seen: int
    new_after: int


GRANULARITIES = (0.25, 0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
"""The granularities of the window's slider, from few clusters to many."""


@dataclass(frozen=True, slots=True)
class ClustersRequest:
    """How to divide the library into clusters.

    Attributes:
        granularity: larger: more clusters; None: the program chooses.
        min_size: sentences in smaller clusters are unclustered; None: 5, or 3 in a library of less than 200.
        scope: the part of the library to divide.
    """

    granularity: float | None = None
    min_size: int | None = None
    scope: Scope = EVERYTHING


def compact_ids(ids: Ids) -> array[int]:
    """Return ids int64 [n] in four bytes each where that is enough: panes keep those of a million sentences."""
    code = "i" if int(ids.max(initial=0)) < 1 << 31 else "q"
    return array(code, ids.astype(f"i{array(code).itemsize}").tobytes())


@dataclass(frozen=True, slots=True)
class Cluster:
    """Sentences about the same subject.

    Attributes:
        cluster_id: stays the same when sentences are added, as long as more than half of the cluster stays together.
        name: for people; empty if the sentences have no distinctive words.
        keywords: the most distinctive words, best first.
        key_sentences: nearest to the centre and distinct, best first; `score` is the cosine with the centre.
        sentence_ids: all members: the key sentences, then the others, the nearest to the centre first. As compact as
            possible: the clusters of a pane may have a million.
        documents: how many documents contain them.
        closeness: the members' cosines with the centre.
        own_name: whether a person chose the name.
        pinned: whether the cluster is kept unchanged by the next division.
        new: how many members were new in the last division.
        broad: the id of its broad cluster; None if there are few clusters.
    """

    cluster_id: int
    name: str
    keywords: tuple[str, ...]
    key_sentences: tuple[Hit, ...]
    sentence_ids: Sequence[int]
    documents: int
    closeness: Sequence[float] = ()
    own_name: bool = False
    pinned: bool = False
    new: int = 0
    broad: int | None = None

    @property
    def size(self) -> int:
        """How many sentences belong to it."""
        return len(self.sentence_ids)


@dataclass(frozen=True, slots=True)
class BroadCluster:
    """Clusters about related subjects: the first of two levels, where there are more clusters than a person takes in.

    Attributes:
        broad_id: stays the same as long as more than half of its sentences stay together.
        name: chosen by a person, or of the words that are frequent in its clusters and rare in the others.
        cluster_ids: its clusters, largest first.
        size: how many sentences belong to it.
        documents: how many documents contain them.
        own_name: whether a person chose the name.
    """

    broad_id: int
    name: str
    cluster_ids: tuple[int, ...]
    size: int
    documents: int
    own_name: bool = False


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of a library, largest first.

    Attributes:
        unclustered: the sentences in no cluster.
        is_chosen: whether the program chose the granularity.
        new_after: sentences with higher ids were new in this division.
        arrived: how many sentences have come since, and are in no cluster yet.
        broad: the broad clusters, largest first; empty if there are few clusters.
    """

    clusters: tuple[Cluster, ...]
    unclustered: tuple[int, ...]
    granularity: float
    seconds: float
    is_chosen: bool = True
    new_after: int = 0
    arrived: int = 0
    broad: tuple[BroadCluster, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SentenceMap:
    """The positions of sentences on the map of a library.

    Attributes:
        ids: sentence ids int64 [n].
        places: float32 [n, 2]; similar sentences are near each other, y grows upwards.
        documents: the first document that contains each, int64 [n].
        is_new: whether the layout is new, rather than extended.
        dates: when those documents were last changed, float64 [n], seconds since 1970, 0 if unknown; None if not
            requested.
    """

    ids: NDArray[np.int64]
    places: NDArray[np.float32]
    documents: NDArray[np.int64]
    is_new: bool = False
    dates: NDArray[np.float64] | None = None


MAX_KEY_SENTENCE_HITS = 200
"""Search hits to choose key sentences from: hits farther down have little to do with the query."""


@dataclass(frozen=True, slots=True)
class KeySentences:
    """The sentences that represent a text, in reading order; `score` is the cosine with the centre of all.

    Of the results of a query only those that answer it; then `score` is the cosine with the query.

    Attributes:
        sentences: the key sentences.
        total: how many sentences they represent.
    """

    sentences: tuple[Hit, ...]
    total: int = 0
