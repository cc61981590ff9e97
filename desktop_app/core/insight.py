"""What the program finds out about a library as a whole: pairs, clusters, key sentences, aligned documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.core.records import EVERYTHING

if TYPE_CHECKING:
    from desktop_app.core.badges import Badge
    from desktop_app.core.records import Hit, Scope

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
    """

    top_k: int = 100
    min_score: float = 0.0
    across_documents: bool = True
    kind: PairKind | None = None
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences of the library that are alike, each at a place where it stands.

    Attributes:
        score: cosine similarity; 1 for a text that stands in both places.
        kind: `exact`: the same words, whatever their case and punctuation; `near`: a copy with some words changed;
            `paraphrase`: other words.
        badges: in what they differ nevertheless.
        folded: further pairs that differ from this one in numbers only and are not listed.
    """

    score: float
    kind: PairKind
    badges: tuple[Badge, ...]
    a: Hit
    b: Hit
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Pairs:
    """The most similar pairs, best first, and how long it took to find them."""

    pairs: tuple[Pair, ...]
    seconds: float


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
        sentence_ids: all members.
        documents: how many documents they stand in.
    """

    cluster_id: int
    name: str
    keywords: tuple[str, ...]
    key_sentences: tuple[Hit, ...]
    sentence_ids: tuple[int, ...]
    documents: int

    @property
    def size(self) -> int:
        """How many sentences belong to it."""
        return len(self.sentence_ids)


@dataclass(frozen=True, slots=True)
class Clusters:
    """The themes of a library, largest first; `unclustered` are the sentences that belong to none."""

    clusters: tuple[Cluster, ...]
    unclustered: tuple[int, ...]
    granularity: float
    seconds: float


@dataclass(frozen=True, slots=True)
class KeySentences:
    """The sentences that carry a document, in reading order; `score` is the cosine with the document's centre."""

    sentences: tuple[Hit, ...]
