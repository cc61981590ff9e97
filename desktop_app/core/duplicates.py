"""Pairs of sentences that mean the same: the request, the pairs found, and what a person said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
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
