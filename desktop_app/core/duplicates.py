"""Pairs of sentences that mean the same: the request, the pairs found, and a person's labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.core.sentence_differences import Badge


WordOverlap = Literal["exact", "near", "other"]
PairKind = Literal["exact", "near", "paraphrase", "related", "unrelated"]
PAIR_KINDS: tuple[PairKind, ...] = get_args(PairKind)
PairsPlace = Literal["across", "within", "anywhere"]

# The cosines from which two sentences count as paraphrased or related. Both are fitted on the development part of STS-B
# (Cer et al. 2017; 1,500 pairs that people judged from 0 to 5) with the bundled model: each is the cosine that
# separates the pairs judged so from the others with the best F1.
CLOSE = 0.75
"""From here on two sentences say the same, as far as a cosine can tell: judged 3.5 or more (F1 0.74)."""

RELATED = 0.45
"""From here on they are about the same: judged 2 or more (F1 0.90)."""

MIN_SCORE = 0.5
"""The least similar pairs of a library that are listed unless a person asks for others."""


@dataclass(frozen=True, slots=True)
class PairsRequest:
    """Which pairs of the library to find.

    Attributes:
        top_k: the maximum number of pairs.
        min_score: lowest cosine.
        where: only pairs `across` two documents, only `within` one, or `anywhere`.
        kind: only pairs of this kind; None for all.
        scope: only sentences in this scope; headings, fragments and so on too if it includes all passages.
        max_score: highest cosine.
        touching: only pairs with at least one sentence in one of these documents; None for all.
        unreviewed: only pairs that are not marked as reviewed.
        min_length: characters that each sentence has at least.
    """

    top_k: int = 100
    min_score: float = 0.0
    where: PairsPlace = "across"
    kind: PairKind | None = None
    scope: Scope = EVERYTHING
    max_score: float = 1.0
    touching: frozenset[int] | None = None
    unreviewed: bool = False
    min_length: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two similar sentences of the library, each at one place.

    Attributes:
        score: cosine similarity; 1 for the same text in both places.
        kind: `exact`: the same words, ignoring case and punctuation; `near`: a copy with some words changed;
            other words are a `paraphrase` from a cosine of CLOSE, `related` from RELATED, else `unrelated`. (Where a
            model was trained to tell pairs apart and is asked, it decides what a paraphrase is.)
        badges: how they differ nevertheless.
        folded: the number of further pairs that differ from this one in numbers only and are not listed.
        percentile: share of random pairs of the library below the score, 0 to 100; None until measured.
        reviewed: whether a person marked the pair as reviewed.
        same: whether a person says that both mean the same; None if unlabelled.
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
class PairVerdict:
    """What a model that was trained to judge pairs says of one.

    Attributes:
        label: the class; empty if the model says a score.
        probability: of the class, by the model's head; None without one.
        margin: the pair's score minus the threshold that is stored with the model; None without a threshold.
        score: that people would give the pair, 0 to 1; None if the model says a class.
    """

    label: str = ""
    probability: float | None = None
    margin: float | None = None
    score: float | None = None

    @property
    def says_same(self) -> bool | None:
        """Whether both mean the same; None where the label leaves that open, as "entailment" does."""
        return {"same": True, "different": False, "contradiction": False}.get(self.label)


@dataclass(frozen=True, slots=True)
class PairLabel:
    """A person's label of two sentences, in either order.

    Attributes:
        reviewed: the pair was checked and need not be shown again.
        same: whether both mean the same, as labelled data; None if unlabelled.
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
        listing: the engine's state, from which it continues the list.
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
        folded: the current `folded` of every pair listed so far, these included.
        is_complete: whether there are no more.
    """

    pairs: tuple[Pair, ...]
    folded: tuple[int, ...]
    is_complete: bool


MIN_PASSAGE_SENTENCES, MIN_PASSAGE_CHARACTERS = 2, 100
"""The least length of a repeated passage unless a person asks for another: below, sentences are alike by accident."""


@dataclass(frozen=True, slots=True)
class PassagesRequest:
    """Which repeated passages of the library to find.

    Attributes:
        top_k: the maximum number of passages.
        where: only passages with places in two documents (`across`), twice `within` one, or `anywhere`.
        scope: only sentences in this scope; headings, fragments and so on too if it includes all passages.
        touching: only passages with a place in one of these documents; None for all.
        min_sentences: the least number of copied sentences.
        min_length: characters that a passage has at least.
    """

    top_k: int = 100
    where: PairsPlace = "across"
    scope: Scope = EVERYTHING
    touching: frozenset[int] | None = None
    min_sentences: int = MIN_PASSAGE_SENTENCES
    min_length: int = MIN_PASSAGE_CHARACTERS


@dataclass(frozen=True, slots=True)
class AlignedSentences:
    """Two sentences that correspond in two copies of a passage; None where one copy has none.

    Attributes:
        differs_a: (start, stop) of the words of `a` that are not in `b` at that place.
        differs_b: likewise of `b`.
    """

    a: Hit | None
    b: Hit | None
    differs_a: tuple[tuple[int, int], ...] = ()
    differs_b: tuple[tuple[int, int], ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether the copies differ here."""
        return self.a is None or self.b is None or bool(self.differs_a or self.differs_b)


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """One place of a repeated passage.

    Attributes:
        sentences: in reading order; a passage begins with the first and ends with the last.
        overlap: share of words in common with the first place of the passage, in order, 0 to 1.
        rows: the sentences of the first place (`a`) beside those of this one (`b`); empty for the first.
    """

    sentences: tuple[Hit, ...]
    overlap: float = 1.0
    rows: tuple[AlignedSentences, ...] = ()


@dataclass(frozen=True, slots=True)
class RepeatedPassage:
    """A passage that occurs in several places, in reading order."""

    places: tuple[PassagePlace, ...]

    @property
    def sentences(self) -> int:
        """The number of sentences in its first place."""
        return len(self.places[0].sentences)

    @property
    def least_overlap(self) -> float:
        """The lowest share of words that a place has in common with the first."""
        return min(place.overlap for place in self.places)


@dataclass(frozen=True, slots=True)
class PassageList:
    """The longest repeated passages, the longest first; `total` counts those beyond `top_k` too."""

    passages: tuple[RepeatedPassage, ...]
    total: int
    seconds: float
