"""Where a person corrects how a document is cut into sentences: merged, split, left out; whenever it is read.

A correction knows sentences by the hashes of their texts, so it holds for every place of the document where they stand,
and for the next version of the file too. Corrections are applied in the order in which they were made, each to what
those before it left.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.reading import SentenceSpan
    from desktop_app.core.records import Place

Action = Literal["merge", "split", "ignore"]

_COUNTED = frozenset({"char", "pdfium", "text"})
"""Units of places that count characters."""
_LINE_END = 8
"""Indices that blanks and line ends take between two stretches of text that follow each other."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What is done to a sentence.

    Attributes:
        correction_id: later ones are greater; 0 until it is kept.
        action: `merge` it with the next one, `split` it, or `ignore` it.
        text_hash: of the sentence.
        next_hash: of the sentence that follows it; None unless they are merged.
        at: character at which the second part begins; None unless it is split.
    """

    correction_id: int
    action: Action
    text_hash: bytes
    next_hash: bytes | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Sentences, and those that were read in their place: the same, unless something was corrected."""

    spans: tuple[SentenceSpan, ...]
    originals: tuple[SentenceSpan, ...]

    @property
    def is_corrected(self) -> bool:
        """Whether they are not as they were read."""
        return self.spans != self.originals


@dataclass(frozen=True, slots=True)
class KeptCut:
    """A stretch of a document that was corrected: `count` sentences from the ordinal `first` on, and what was read."""

    first: int
    count: int
    originals: tuple[SentenceSpan, ...]


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which a text is known."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Cutter:
    """Applies corrections to sentences as they come, in reading order."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self._stages = [_Stage(each) for each in corrections]
        self._group: _Group | None = None
        self._spans: list[SentenceSpan] = []

    def feed(self, span: SentenceSpan) -> list[Cut]:
        """Take the next sentence; return what is settled."""
        if not self._stages:
            return [Cut((span,), (span,))]
        return self._passed([_Item(span, _Group([span]))], 0)

    def finish(self) -> list[Cut]:
        """Return the rest."""
        cuts: list[Cut] = []
        for number, stage in enumerate(self._stages):
            cuts += self._passed(stage.flushed(), number + 1)
        cuts += self._settled()
        return cuts

    def _passed(self, items: list[_Item], stage: int) -> list[Cut]:
        for each in self._stages[stage:]:
            items = [after for item in items for after in each.taken(item)]
        cuts: list[Cut] = []
        for item in items:
            group = item.group.root
            if self._group is not None and self._group.root is not group:
                cuts += self._settled()
            self._group = group
            if item.span is not None:
                self._spans.append(item.span)
        return cuts

    def _settled(self) -> list[Cut]:
        if self._group is None:
            return []
        cut = Cut(tuple(self._spans), tuple(self._group.root.originals))
        self._group, self._spans = None, []
        return [cut]


@dataclass(slots=True, eq=False)
class _Group:
    """Sentences that were read and whose corrections touch each other."""

    originals: list[SentenceSpan]
    joined_to: _Group | None = None

    @property
    def root(self) -> _Group:
        return self if self.joined_to is None else self.joined_to.root

    def join(self, other: _Group) -> None:
        """Take in the sentences of a group that follows."""
        first, second = self.root, other.root
        if first is not second:
            first.originals += second.originals
            second.joined_to = first


@dataclass(slots=True, eq=False)
class _Item:
    """A sentence on its way; without one where it was left out."""

    span: SentenceSpan | None
    group: _Group
    _hash: bytes = field(default=b"")

    @property
    def hash(self) -> bytes:
        if not self._hash and self.span is not None:
            self._hash = text_hash(self.span.text)
        return self._hash


class _Stage:
    """One correction at work."""

    def __init__(self, correction: Correction) -> None:
        self._correction = correction
        self._held: list[_Item] = []  # the first half of a pair, and what was left out behind it

    def taken(self, item: _Item) -> list[_Item]:
        """Return what becomes of an item, and of those that were held."""
        rule = self._correction
        if rule.action == "merge":
            return self._merged(item)
        if item.span is None or item.hash != rule.text_hash:
            return [item]
        if rule.action == "ignore":
            return [_Item(None, item.group)]
        return [_Item(part, item.group) for part in split_span(item.span, rule.at or 0)]

    def flushed(self) -> list[_Item]:
        """Return what was held."""
        held, self._held = self._held, []
        return held

    def _merged(self, item: _Item) -> list[_Item]:
        rule = self._correction
        if self._held and item.span is None:
            self._held.append(item)
            return []
        if self._held and item.hash == rule.next_hash:
            (first, *between), self._held = self._held, []
            for other in (*between, item):
                first.group.join(other.group)
            assert first.span is not None
            assert item.span is not None
            return [_Item(merged(first.span, item.span), first.group)]
        held = self.flushed()
        if item.span is not None and item.hash == rule.text_hash:
            self._held = [item]
            return held
        return [*held, item]


def merged(first: SentenceSpan, second: SentenceSpan) -> SentenceSpan:
    """Return two sentences as one."""
    joint = "" if _is_wide(first.text[-1:]) and _is_wide(second.text[:1]) else " "
    places = list(first.places)
    for place in second.places:
        last = places[-1]
        follows = place.page == last.page and place.unit == last.unit and 0 <= place.start - last.stop <= _LINE_END
        if follows:
            places[-1] = replace(last, stop=max(last.stop, place.stop), last_line=place.last_line)
        elif place != last:
            places.append(place)
    return replace(first, text=first.text + joint + second.text, places=tuple(places))


def split_span(span: SentenceSpan, at: int) -> tuple[SentenceSpan, ...]:
    """Return the two parts of a sentence, the second from the character `at` on; itself where one would be empty."""
    first, second = span.text[:at].rstrip(), span.text[at:].lstrip()
    if not first or not second:
        return (span,)
    length = len(span.text)
    head = places_within(span.places, 0.0, len(first) / length)
    tail = places_within(span.places, (length - len(second)) / length, 1.0)
    return replace(span, text=first, places=head), replace(span, text=second, places=tail)


def places_within(places: Sequence[Place], begin: float, end: float) -> tuple[Place, ...]:
    """Return a part of places, from and to shares of their length; rows and times are not parted."""
    if any(place.unit not in _COUNTED for place in places):
        return tuple(places)
    lengths = [place.stop - place.start for place in places]
    total = sum(lengths) + len(lengths) - 1  # a blank stands between two of them
    start, stop = round(begin * total), max(round(end * total), round(begin * total) + 1)
    found: list[Place] = []
    offset = 0
    for place, length in zip(places, lengths, strict=True):
        low, high = max(start - offset, 0), min(stop - offset, length)
        if low < high:
            found.append(replace(place, start=place.start + low, stop=place.start + high))
        offset += length + 1
    return tuple(found) or tuple(places)


def _is_wide(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) in "WF"
