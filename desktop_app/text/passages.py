"""A passage: a paragraph of clean text that knows the place of each of its characters in the file."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.reader_events import SentenceSpan
from desktop_app.core.records import Place, SpanKind, Unit
from desktop_app.text.cleaning import clean_character, compose_letter, is_combining
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, ParagraphCut
from desktop_app.text.splitter import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop_app.text.readers.reader_steps import SpanStep

_PLAIN_ASCII = re.compile(r"[!-~]++(?: [!-~]++)*")

_LINE_END = re.compile(r"\r\n|\r|\n")

MAX_PASSAGE = 50_000
"""Characters after which a paragraph is cut: readers need memory and time for each paragraph as a whole."""

NOWHERE = -1
"""The index of a character that is not in the file: a blank between two joined lines."""


@dataclass(slots=True)
class Passage:
    """A paragraph under construction.

    Attributes:
        kind: its kind.
        pieces: its text, in order; `text` joins them.
        indices: the index of each character on its page or in its file, or `NOWHERE`.
        segments: (first character, page) of each unbroken stretch; each becomes a place.
        is_cut: whether its paragraph goes on in the next passage because it is too long.
        unit: of its places; None: that of its page.
    """

    kind: SpanKind = "body"
    pieces: list[str] = field(default_factory=list)
    indices: array[int] = field(default_factory=lambda: array("i"))
    segments: list[tuple[int, int | None]] = field(default_factory=list)
    is_cut: bool = False
    unit: Unit | None = None

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def text(self) -> str:
        """The clean text: one line, single blanks."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def last_characters(self, length: int = 64) -> str:
        """Return the end of the text: at least `length` characters if it has as many."""
        end = ""
        for piece in reversed(self.pieces):
            end = piece[-length:] + end
            if len(end) >= length:
                break
        return end

    def add(self, text: str, indices: array[int], page: int | None, *, broken: bool = False) -> None:
        """Append text of `page`; `broken`: other text lies between it and the previous text."""
        if not text:
            return
        if not self.segments or self.segments[-1][1] != page or broken:
            self.segments.append((len(self.indices), page))
        self.pieces.append(text)
        self.indices.extend(indices)

    def add_blank(self) -> None:
        """Append a blank that has no place."""
        self.pieces.append(" ")
        self.indices.append(NOWHERE)

    def drop_last_character(self) -> None:
        """Remove the last character (a hyphen that only the line end needed)."""
        last = self.pieces.pop()
        self.indices.pop()
        if len(last) > 1:
            self.pieces.append(last[:-1])
        while self.segments and self.segments[-1][0] >= len(self.indices) > 0:
            self.segments.pop()

    def places(self, start: int, stop: int, unit_of: Callable[[int | None], Unit]) -> tuple[Place, ...]:
        """Return the places of the characters from `start` to `stop`, one for each stretch."""
        places: list[Place] = []
        text = self.text
        segment = bisect_right(self.segments, start, key=lambda item: item[0]) - 1
        while segment < len(self.segments) and self.segments[segment][0] < stop:
            begin, page = self.segments[segment]
            end = self.segments[segment + 1][0] if segment + 1 < len(self.segments) else len(self.indices)
            segment += 1
            begin, end = max(begin, start), min(end, stop)
            indices, stretch = self.indices[begin:end], text[begin:end]
            known = [index for index, char in zip(indices, stretch, strict=True) if index != NOWHERE and char != " "]
            if not known:
                continue
            unit = self.unit or unit_of(page)
            width = 1
            if unit == "pdfium":
                # In right-to-left lines PDFium numbers names in other scripts in the opposite order.
                first, last = min(known), max(known)
                # PDFium counts UTF-16 units: a character beyond U+FFFF has two of its indices.
                width = 2 if stretch[indices.index(last)] > "\uffff" else 1
            else:
                first, last = sorted((known[0], known[-1]))
            places.append(Place(page, first, last + width, unit))
        return tuple(places)


def clean_stretch(text: str, first: int = 0) -> tuple[str, array[int]]:
    """Clean a stretch of text: single blanks, none at the ends, each character with its index.

    Args:
        text: consecutive characters of the file.
        first: index of the first one.

    Returns:
        The clean text and the index of each of its characters.
    """
    stripped = text.strip()
    if _PLAIN_ASCII.fullmatch(stripped):
        # Most lines need no change; this is ten times faster.
        start = first + len(text) - len(text.lstrip())
        return stripped, array("i", range(start, start + len(stripped)))
    out: list[str] = []
    indices = array("i")
    blank = True
    for index, char in enumerate(text, first):
        for letter in clean_character(char):
            if letter == " ":
                if blank:
                    continue
                blank = True
            elif out and is_combining(letter) and (composed := compose_letter(out[-1], letter)):
                out[-1] = composed
                continue
            else:
                blank = False
            out.append(letter)
            indices.append(index)
    if out and out[-1] == " ":
        out.pop()
        indices.pop()
    return "".join(out), indices


def split_long_text(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most `MAX_PASSAGE` characters, cut after a blank if there is one."""
    start = 0
    while len(text) - start > MAX_PASSAGE:
        stop = find_cut(text, start)
        yield text[start:stop]
        start = stop
    yield text[start:]


def find_cut(text: str, start: int) -> int:
    """Return where a text that is too long is cut: at most `MAX_PASSAGE` characters after `start`."""
    stop = start + MAX_PASSAGE
    return text.rfind(" ", start + MAX_PASSAGE // 2, stop) + 1 or stop


def split_into_sentences(
    passages: Iterable[Passage | Heartbeat], language: str, unit_of: Callable[[int | None], Unit]
) -> Iterator[SpanStep]:
    """Split passages into sentences with their places, in order; split tables and code at line ends too."""
    ordinal = characters = 0
    for passage in passages:
        if isinstance(passage, Heartbeat):
            yield passage
            continue
        if passage.is_cut:
            yield ParagraphCut()
        characters += len(passage) + 1
        if characters > PROGRESS_CHARACTERS // 2:
            yield Heartbeat()
            characters = 0
        text = passage.text
        found = False
        for start, stop in split_sentences(text, language):
            places = passage.places(start, stop, unit_of)
            if places:
                found = True
                yield SentenceSpan(text[start:stop], places, ordinal, passage.kind)
        ordinal += found


def locate_by_line(spans: Iterable[SpanStep], text: str) -> Iterator[SpanStep]:
    """Yield the sentences of a text file with their line numbers, as editors count them."""
    ends = array("q")
    line_ends = _LINE_END.finditer(text)
    for span in spans:
        if not isinstance(span, SentenceSpan):
            yield span
            continue
        last = max(place.stop for place in span.places)
        while (not ends or ends[-1] < last) and (line_end := next(line_ends, None)) is not None:
            ends.append(line_end.end())
        places = tuple(
            Place(
                place.page,
                place.start,
                place.stop,
                place.unit,
                bisect_right(ends, place.start) + 1,
                bisect_right(ends, place.stop - 1) + 1,
            )
            for place in span.places
        )
        yield SentenceSpan(span.text, places, span.paragraph, span.kind)
