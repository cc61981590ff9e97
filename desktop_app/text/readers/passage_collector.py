"""Collects the passages of documents without pages; places count characters.

Places count in the text of all passages of a document (or of one of its chapters or messages), each on one
line and followed by a line feed.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.language_detection import guess_language
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import OmittedText
from desktop_app.text.passages import MAX_PASSAGE, Passage, clean_stretch, split_into_sentences, split_long_text
from desktop_app.text.readers.paragraph_kind import is_reference_heading, looks_like_reference
from desktop_app.text.readers.reader_steps import MAX_TITLE, PROGRESS_CHARACTERS, Heartbeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_app.core.reader_events import OmissionKind
    from desktop_app.core.records import SpanKind, Unit
    from desktop_app.text.readers.reader_steps import SpanStep

_SAMPLE_CHARACTERS = 20_000
_MAX_OMITTED = 200_000
"""Characters of omitted text that are kept for a document."""
_MAX_CELL = 200
"""A cell with more characters is prose in a table."""


class _CollectedPassage(NamedTuple):
    """A passage in little memory: its places are consecutive and start at `position`."""

    text: str
    kind: SpanKind
    page: int | None
    position: int
    is_cut: bool


class CollectorMark(NamedTuple):
    """The state of a collector, to which it can return."""

    passages: int
    headings: int
    position: int
    in_references: bool


class PassageCollector:
    """Collects the passages of a document.

    Attributes:
        headings: the table of contents.
        omitted: what the reader left out on purpose.
    """

    def __init__(self) -> None:
        self.headings: list[OutlineEntry] = []
        self.omitted: list[OmittedText] = []
        self._omitted_characters = 0
        self._collected: list[_CollectedPassage] = []
        self._page: int | None = None
        self._position = 0
        self._in_references = False
        self._unreported = 0

    @property
    def texts(self) -> Iterable[str]:
        """The texts of the passages, in reading order."""
        return (each.text for each in self._collected)

    def __len__(self) -> int:
        return len(self._collected)

    def begin_page(self, page: int) -> None:
        """Start a chapter or message, counted from 1."""
        self._page = page
        self._position = 0
        self._in_references = False

    def mark(self) -> CollectorMark:
        """Return the state."""
        return CollectorMark(len(self._collected), len(self.headings), self._position, self._in_references)

    def rewind(self, mark: CollectorMark, kind: OmissionKind) -> None:
        """Omit all that was added after a mark on the same page."""
        for each in self._collected[mark.passages :]:
            self.omit(kind, each.text)
        del self._collected[mark.passages :]
        del self.headings[mark.headings :]
        self._position, self._in_references = mark.position, mark.in_references

    def add(self, text: str, kind: SpanKind = "body", level: int = 0, *, is_cut: bool = False) -> None:
        """Add a paragraph; ignore a blank one, and cut one that is too long.

        Args:
            text: as in the file.
            kind: its kind; entries of a list of references are recognised here.
            level: of a heading, from 0.
            is_cut: whether the paragraph continues in the next one.
        """
        self._unreported += len(text) + 1
        if len(text) <= MAX_PASSAGE:
            self._add_part(text, kind, level, is_cut=is_cut)
            return
        *parts, last = split_long_text(text)
        for part in parts:
            self._add_part(part, "body" if kind == "heading" else kind, level, is_cut=True)
        self._add_part(last, "body" if kind == "heading" else kind, level, is_cut=is_cut)

    def omit(self, kind: OmissionKind, text: str) -> None:
        """Note a text that is left out on purpose."""
        shown, _ = clean_stretch(text[: max(_MAX_OMITTED - self._omitted_characters, 0)])
        if shown:
            self._omitted_characters += len(shown)
            self.omitted.append(OmittedText(kind, shown, self._page))

    def heartbeats(self) -> Iterator[Heartbeat]:
        """Yield a heartbeat if much text was added since the last one."""
        if self._unreported > PROGRESS_CHARACTERS // 2:
            self._unreported = 0
            yield Heartbeat()

    def _add_part(self, text: str, kind: SpanKind, level: int, *, is_cut: bool) -> None:
        shown, _ = clean_stretch(text)
        if not shown:
            return
        if kind == "heading":
            self._in_references = is_reference_heading(shown)
            self.headings.append(OutlineEntry(shown[:MAX_TITLE], self._page, level))
        elif self._in_references and kind in ("body", "list") and looks_like_reference(shown):
            kind = "reference"
        self._collected.append(_CollectedPassage(shown, kind, self._page, self._position, is_cut))
        self._position += len(shown) + 1

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

    def spans(self) -> Iterator[SpanStep]:
        """Yield the sentences."""
        language = guess_middle_language([each.text for each in self._collected])
        return split_into_sentences(map(_to_passage, self._collected), language, character_unit)


def _to_passage(collected: _CollectedPassage) -> Passage:
    text, kind, page, position, is_cut = collected
    passage = Passage(kind, is_cut=is_cut)
    passage.add(text, array("i", range(position, position + len(text))), page)
    return passage


def character_unit(_page: int | None) -> Unit:
    """Return the unit of the places."""
    return "text"


def guess_middle_language(texts: Sequence[str]) -> str:
    """Guess the language of passages from their middle: the start is often names and a table of contents."""
    sample: list[str] = []
    length = 0
    for text in islice(texts, len(texts) // 3, None):
        sample.append(text)
        length += len(text)
        if length > _SAMPLE_CHARACTERS:
            break
    return guess_language("\n".join(sample))
