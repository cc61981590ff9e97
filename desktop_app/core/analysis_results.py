"""Results of analysing a whole library: pairs, clusters, key sentences and the sentence map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.badges import Badge
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope

PairKind = Literal["exact", "near", "paraphrase"]


@dataclass(frozen=True, slots=True)
class PairsRequest:
    """Which pairs of the library are wanted.

    Attributes:
        top_k: how many at most.
        min_score: lowest cosine.
        across_documents: only pairs whose sentences stand in two documents.
        kind: only pairs of this kind; None for all.
        scope: only sentences that stand there.
        max_score: highest cosine.
        touching: only pairs one of whose sentences stands in one of these documents; None for all.
        unreviewed: only pairs that nobody has marked as reviewed.
    """

    top_k: int = 100
    min_score: float = 0.0
    across_documents: bool = True
    kind: PairKind | None = None
    scope: Scope = EVERYTHING
    max_score: float = 1.0
    touching: frozenset[int] | None = None
    unreviewed: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences of the library that are alike, each at a place where it stands.

    Attributes:
        score: cosine similarity; 1 for a text that stands in both places.
        kind: `exact`: the same words, whatever their case and punctuation; `near`: a copy with some words changed;
            `paraphrase`: other words.
        badges: in what they differ nevertheless.
        folded: further pairs that differ from this one in numbers only and are not listed.
        percentile: share of random pairs of the library below the score, 0 to 100; None until measured.
        reviewed: whether a person has marked it so.
        same: whether a person says that both mean the same; None where nobody has said.
        differs_a: (start, stop) of the words of `a` that are not in `b` at that place.
        differs_b: likewise of `b`.
    """

    score: float
    kind: PairKind
    badges: tuple[Badge, ...]
    a: Hit
    b: Hit
    folded: int = 0
    percentile: float | None = None
    reviewed: bool = False
    same: bool | None = None
    differs_a: tuple[tuple[int, int], ...] = ()
    differs_b: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PairLabel:
    """What a person said of two sentences, in whatever order they come.

    Attributes:
        reviewed: it was looked at and need not be shown again.
        same: whether both mean the same: labelled data; None where nobody has said.
        marked_at: seconds since 1970, UTC, of the latest change.
    """

    a: str
    b: str
    reviewed: bool = False
    same: bool | None = None
    marked_at: float = 0.0


@dataclass(frozen=True, slots=True)
class PairList:
    """The most similar pairs, best first, and how long it took to find them.

    Attributes:
        listing: what goes on from here; the engine's own.
        is_complete: whether there are no more.
    """

    pairs: tuple[Pair, ...]
    seconds: float
    listing: object = None
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class MorePairs:
    """Further pairs of a list.

    Attributes:
        folded: for every pair of the list so far, these included, its `folded` as it is now.
        is_complete: whether there are no more.
    """

    pairs: tuple[Pair, ...]
    folded: tuple[int, ...]
    is_complete: bool


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


MAX_KEY_SENTENCE_HITS = 200
"""Hits of a search that key sentences are chosen from: what is farther down has little to do with the query."""


@dataclass(frozen=True, slots=True)
class KeySentences:
    """The sentences that carry a text, in reading order; `score` is the cosine with the centre of all."""

    sentences: tuple[Hit, ...]


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
