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
