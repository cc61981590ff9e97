"""A person's corrections of sentences: merge, split or ignore them, or say what they are; reapplied on every read.

A correction identifies sentences by the hashes of their texts, so it applies to every place in the document where they
occur, and to the next version of the file too. Corrections are applied in the order in which they were made, each to
the result of those before it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from desktop_app.core.passage_kinds import decide_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import PassageKind, Place

CorrectionAction = Literal["merge", "split", "ignore", "kind"]

_CHARACTER_UNITS = frozenset({"char", "pdfium", "text"})
"""Units of places that count characters."""
_LINE_END = 8
"""Indices that blanks and line ends take between two consecutive stretches of text."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A change to a sentence.

    Attributes:
        correction_id: grows with every correction; 0 until it is stored.
        action: `merge` it with the next one, `split` it, `ignore` it, or change its `kind`.
        text_hash: of the sentence.
        next_hash: of the next sentence; None unless they are merged.
        at: index of the first character of the second part; None unless it is split.
        kind: what it is; None unless that is changed.
    """

    correction_id: int
    action: CorrectionAction
    text_hash: bytes
    next_hash: bytes | None = None
    at: int | None = None
    kind: PassageKind | None = None


@dataclass(frozen=True, slots=True)
class CorrectedSpans:
    """Sentences after corrections, and the originals they replace: the same, unless something was corrected."""

    spans: tuple[SentenceSpan, ...]
    originals: tuple[SentenceSpan, ...]

    @property
    def is_corrected(self) -> bool:
        """Whether the sentences differ from the originals."""
        return self.spans != self.originals


@dataclass(frozen=True, slots=True)
class CorrectedRange:
    """A corrected range of a document: `count` sentences from the ordinal `first` on, and the originals."""

    first: int
    count: int
    originals: tuple[SentenceSpan, ...]


def hash_text(text: str) -> bytes:
    """Return the 16 bytes that identify a text."""
    return hash_bytes(text.encode("utf-8", "surrogatepass"))


def hash_bytes(text: bytes) -> bytes:
    """Return what `hash_text` returns for a text in UTF-8; damaged bytes have a hash too."""
    return hashlib.blake2b(text, digest_size=16).digest()


class CorrectionApplier:
    """Applies corrections to sentences as they arrive, in reading order."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self._stages = [_CorrectionStage(each) for each in corrections]
        self._group: _CorrectionGroup | None = None
        self._spans: list[SentenceSpan] = []

    def feed(self, span: SentenceSpan) -> list[CorrectedSpans]:
        """Add the next sentence; returns the sentences that are final now."""
        if not self._stages:
            return [CorrectedSpans((span,), (span,))]
        return self._passed([_PendingSentence(span, _CorrectionGroup([span]))], 0)

    def finish(self) -> list[CorrectedSpans]:
        """Return the remaining sentences."""
        cuts: list[CorrectedSpans] = []
        for number, stage in enumerate(self._stages):
            cuts += self._passed(stage.flushed(), number + 1)
        cuts += self._settled()
        return cuts

    def _passed(self, items: list[_PendingSentence], stage: int) -> list[CorrectedSpans]:
        for each in self._stages[stage:]:
            items = [after for item in items for after in each.taken(item)]
        cuts: list[CorrectedSpans] = []
        for item in items:
            group = item.group.root
            if self._group is not None and self._group.root is not group:
                cuts += self._settled()
            self._group = group
            if item.span is not None:
                self._spans.append(item.span)
        return cuts

    def _settled(self) -> list[CorrectedSpans]:
        if self._group is None:
            return []
        cut = CorrectedSpans(tuple(self._spans), tuple(self._group.root.originals))
        self._group, self._spans = None, []
        return [cut]


@dataclass(slots=True, eq=False)
class _CorrectionGroup:
    """Original sentences whose corrections overlap."""

    originals: list[SentenceSpan]
    joined_to: _CorrectionGroup | None = None

    @property
    def root(self) -> _CorrectionGroup:
        return self if self.joined_to is None else self.joined_to.root

    def join(self, other: _CorrectionGroup) -> None:
        """Absorb the sentences of the following group."""
        first, second = self.root, other.root
        if first is not second:
            first.originals += second.originals
            second.joined_to = first


@dataclass(slots=True, eq=False)
class _PendingSentence:
    """A sentence between two corrections; `span` is None if it is ignored."""

    span: SentenceSpan | None
    group: _CorrectionGroup
    _hash: bytes = field(default=b"")

    @property
    def hash(self) -> bytes:
        if not self._hash and self.span is not None:
            self._hash = hash_text(self.span.text)
        return self._hash


class _CorrectionStage:
    """Applies one correction."""

    def __init__(self, correction: Correction) -> None:
        self._correction = correction
        self._held: list[_PendingSentence] = []  # the first half of a pair, and ignored sentences after it

    def taken(self, item: _PendingSentence) -> list[_PendingSentence]:
        """Return the sentences that leave this stage, held ones included."""
        rule = self._correction
        if rule.action == "merge":
            return self._merged(item)
        if item.span is None or item.hash != rule.text_hash:
            return [item]
        if rule.action == "ignore":
            return [_PendingSentence(None, item.group)]
        if rule.kind is not None:
            return [_PendingSentence(replace(item.span, passage=rule.kind, reason="person"), item.group)]
        return [_PendingSentence(part, item.group) for part in split_span(item.span, rule.at or 0)]

    def flushed(self) -> list[_PendingSentence]:
        """Return the held sentences."""
        held, self._held = self._held, []
        return held

    def _merged(self, item: _PendingSentence) -> list[_PendingSentence]:
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
            return [_PendingSentence(merge_spans(first.span, item.span), first.group)]
        held = self.flushed()
        if item.span is not None and item.hash == rule.text_hash:
            self._held = [item]
            return held
        return [*held, item]


def merge_spans(first: SentenceSpan, second: SentenceSpan) -> SentenceSpan:
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
    return _make_span(first, first.text + joint + second.text, tuple(places))


def split_span(span: SentenceSpan, at: int) -> tuple[SentenceSpan, ...]:
    """Return the two parts of a sentence, the second starting at character `at`; the sentence if one would be empty."""
    first, second = span.text[:at].rstrip(), span.text[at:].lstrip()
    if not first or not second:
        return (span,)
    length = len(span.text)
    head = slice_places(span.places, 0.0, len(first) / length)
    tail = slice_places(span.places, (length - len(second)) / length, 1.0)
    return _make_span(span, first, head), _make_span(span, second, tail)


def _make_span(span: SentenceSpan, text: str, places: tuple[Place, ...]) -> SentenceSpan:
    """Return another part of the paragraph of a sentence, with its own kind."""
    passage, reason = decide_kind(span.kind, text)
    return replace(span, text=text, places=places, passage=passage, reason=reason)


def slice_places(places: Sequence[Place], begin: float, end: float) -> tuple[Place, ...]:
    """Return the part of places between two shares of their length; rows and times are not divided."""
    if any(place.unit not in _CHARACTER_UNITS for place in places):
        return tuple(places)
    lengths = [place.stop - place.start for place in places]
    total = sum(lengths) + len(lengths) - 1  # there is a blank between two of them
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
