"""Two texts beside each other: a draft and the sentences of the library that it rests on, two documents aligned."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from desktop_app.core.badges import Badge
    from desktop_app.core.records import Hit

Support = Literal["verbatim", "close", "related", "unsupported"]
Change = Literal["kept", "reworded", "moved", "new", "dropped"]
SUPPORTS: tuple[Support, ...] = get_args(Support)
CHANGES: tuple[Change, ...] = get_args(Change)


@dataclass(frozen=True, slots=True)
class TracedSentence:
    """A sentence of a draft.

    Attributes:
        text: the sentence.
        page: of the draft, from 1; None where it has no pages.
        support: `verbatim`: the library has the same words, whatever their case and punctuation; `close`: it says the
            same; `related`: it is about the same; `unsupported`: nothing is nearer than that.
        score: cosine with the best source; None where the library is empty or the model knows no word of the text.
        sources: the best places of the library, best first; none of an unsupported sentence.
        badges: in what it differs from the best source nevertheless.
    """

    text: str
    page: int | None
    support: Support
    score: float | None
    sources: tuple[Hit, ...] = ()
    badges: tuple[Badge, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A draft, sentence by sentence in reading order."""

    sentences: tuple[TracedSentence, ...]
    seconds: float

    @property
    def coverage(self) -> dict[Support, int]:
        """How many sentences have which support."""
        counts = Counter(sentence.support for sentence in self.sentences)
        return {support: counts[support] for support in SUPPORTS}


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A sentence of one document, of the other, or of both.

    Attributes:
        change: `kept`: the same words in the same order of sentences; `reworded`: the same said otherwise; `moved`:
            it stands elsewhere; `new`: only in the second document; `dropped`: only in the first.
        score: cosine of both; None where there is but one.
        a: in the first document; of a file that is in no library its `document_id` is 0.
        b: in the second document, likewise.
        badges: in what both differ nevertheless.
        differs_a: (start, stop) of the words of `a` that are not in `b` at that place, where most words are the same.
        differs_b: likewise of `b`.
    """

    change: Change
    score: float | None
    a: Hit | None
    b: Hit | None
    badges: tuple[Badge, ...] = ()
    differs_a: tuple[tuple[int, int], ...] = ()
    differs_b: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Diff:
    """Two documents in the order of the second; what was dropped stands where it stood."""

    rows: tuple[DiffRow, ...]
    seconds: float

    @property
    def counts(self) -> dict[Change, int]:
        """How many rows there are of which kind."""
        counts = Counter(row.change for row in self.rows)
        return {change: counts[change] for change in CHANGES}
