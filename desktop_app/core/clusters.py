"""A library's stored clusters: the last division, a person's changes and the map positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope

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


GRANULARITIES = (0.25, 0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
"""How fine a library can be divided by the slider, from few themes to many."""


@dataclass(frozen=True, slots=True)
class ClustersRequest:
    """How the library is to be divided into themes.

    Attributes:
        granularity: larger: more clusters; None: the program chooses.
        min_size: sentences in smaller clusters are unclustered; None: 5, or 3 in a library of less than 200.
        scope: only what stands there.
    """

    granularity: float | None = None
    min_size: int | None = None
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class Cluster:
    """Sentences that are about the same.

    Attributes:
        cluster_id: stays when sentences are added, for as long as more than half of the cluster stays together.
        name: for people; empty where the sentences have no telling words.
        keywords: the most telling words, best first.
        key_sentences: nearest to the centre and distinct, best first; `score` is the cosine with the centre.
        sentence_ids: all members: the key sentences, then the others, the nearest to the centre first.
        documents: how many documents they stand in.
        closeness: the members' cosines with the centre.
        own_name: whether a person gave the name.
        pinned: whether it stays as it is when the library is divided anew.
        new: how many members were new at the last look.
    """

    cluster_id: int
    name: str
    keywords: tuple[str, ...]
    key_sentences: tuple[Hit, ...]
    sentence_ids: tuple[int, ...]
    documents: int
    closeness: tuple[float, ...] = ()
    own_name: bool = False
    pinned: bool = False
    new: int = 0

    @property
    def size(self) -> int:
        """How many sentences belong to it."""
        return len(self.sentence_ids)


@dataclass(frozen=True, slots=True)
class Clusters:
    """The themes of a library, largest first.

    Attributes:
        unclustered: the sentences that belong to none.
        is_chosen: whether the program chose the granularity.
        new_after: sentences with higher ids were new at this look.
        arrived: how many sentences have come since, and are in no theme yet.
    """

    clusters: tuple[Cluster, ...]
    unclustered: tuple[int, ...]
    granularity: float
    seconds: float
    is_chosen: bool = True
    new_after: int = 0
    arrived: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SentenceMap:
    """Where sentences lie on the map of a library.

    Attributes:
        ids: sentence ids int64 [n].
        places: float32 [n, 2]; near each other what is alike, y grows upwards.
        documents: the first document that each stands in, int64 [n].
        is_new: whether it was laid out anew, and not only added to.
        dates: when those documents were changed last, float64 [n], seconds since 1970; 0 where nobody knows; None:
            nobody asked.
    """

    ids: NDArray[np.int64]
    places: NDArray[np.float32]
    documents: NDArray[np.int64]
    is_new: bool = False
    dates: NDArray[np.float64] | None = None


MAX_KEY_SENTENCE_HITS = 200
"""Hits of a search that key sentences are chosen from: what is farther down has little to do with the query."""


@dataclass(frozen=True, slots=True)
class KeySentences:
    """The sentences that carry a text, in reading order; `score` is the cosine with the centre of all."""

    sentences: tuple[Hit, ...]
