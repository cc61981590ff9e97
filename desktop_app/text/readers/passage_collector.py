"""Collects the passages of documents without pages; places count characters.

Places count in the text of all passages of a document (or of one of its chapters or messages), each on one
line and followed by a line feed.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.language_detection import guess_language
from desktop_app.core.pages import OutlineEntry
from desktop_app.text.cleaning import clean_character
from desktop_app.text.passages import Passage, clean_stretch, split_into_sentences
from desktop_app.text.readers.paragraph_kind import is_reference_heading, looks_like_reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import SpanKind, Unit

_MAX_TITLE = 500
_SAMPLE_CHARACTERS = 20_000
_MAX_CELL = 200
"""A cell with more characters is prose in a table."""


class CollectorMark(NamedTuple):
    """The state of a collector, to which it can return."""

    passages: int
    headings: int
    position: int
    in_references: bool


class PassageCollector:
    """Collects the passages of a document.

    Attributes:
        passages: in reading order.
        headings: the table of contents.
    """

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self.headings: list[OutlineEntry] = []
        self._page: int | None = None
        self._position = 0
        self._in_references = False

    def begin_page(self, page: int) -> None:
        """Start a chapter or message, counted from 1."""
        self._page = page
        self._position = 0
        self._in_references = False

    def mark(self) -> CollectorMark:
        """Return the state."""
        return CollectorMark(len(self.passages), len(self.headings), self._position, self._in_references)

    def rewind(self, mark: CollectorMark) -> None:
        """Forget all that was added after a mark on the same page."""
        del self.passages[mark.passages :]
        del self.headings[mark.headings :]
        self._position, self._in_references = mark.position, mark.in_references

    def add(self, text: str, kind: SpanKind = "body", level: int = 0) -> None:
        """Add a paragraph; ignore a blank one.

        Args:
            text: as in the file.
            kind: its kind; entries of a list of references are recognised here.
            level: of a heading, from 0.
        """
        shown, _ = clean_stretch(text, 0, clean_character)
        if not shown:
            return
        if kind == "heading":
            self._in_references = is_reference_heading(shown)
            self.headings.append(OutlineEntry(shown[:_MAX_TITLE], self._page, level))
        elif self._in_references and kind in ("body", "list") and looks_like_reference(shown):
            kind = "reference"
        passage = Passage(kind)
        passage.add(shown, array("i", range(self._position, self._position + len(shown))), self._page)
        self._position += len(shown) + 1
        self.passages.append(passage)

    def add_lines(self, text: str, kind: SpanKind) -> None:
        """Add each line as a paragraph (code, verse)."""
        for line in text.splitlines():
            self.add(line, kind)

    def add_row(self, cells: Sequence[str]) -> None:
        """Add a table row; cells with whole paragraphs become paragraphs."""
        filled = [cell for cell in cells if cell.strip()]
        if len(filled) > 1 and max(map(len, filled)) <= _MAX_CELL:
            self.add(" ".join(filled), "table")
        else:
            for cell in filled:
                self.add(cell)

    def spans(self) -> Iterator[SentenceSpan]:
        """Yield the sentences."""
        return split_into_sentences(self.passages, guess_passage_language(self.passages), character_unit)


def character_unit(_page: int | None) -> Unit:
    """Return the unit of the places."""
    return "text"


def guess_passage_language(passages: Sequence[Passage]) -> str:
    """Guess the language of passages from their middle: the start is often names and a table of contents."""
    texts: list[str] = []
    length = 0
    for passage in passages[len(passages) // 3 :]:
        texts.append(passage.text)
        length += len(passage)
        if length > _SAMPLE_CHARACTERS:
            break
    return guess_language("\n".join(texts))
