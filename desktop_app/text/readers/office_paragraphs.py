"""Paragraphs of office documents, built from XML events: nested, in table cells, in notes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.text.cleaning import raise_numbers

if TYPE_CHECKING:
    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.passage_collector import PassageCollector

_PIECES_BEFORE = 4
"""Pieces of text in which the word before a raised number is looked for."""
_FILE_NAME = re.compile(r"(?:[a-z]:\\|https?:|file:).*|\S+\.[a-z]{2,5}", re.IGNORECASE)


@dataclass(slots=True)
class OfficeParagraph:
    """An open paragraph: its text so far, kind and level."""

    pieces: list[str] = field(default_factory=list)
    kind: SpanKind = "body"
    level: int = 0

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(self.pieces)


class OfficeParagraphs:
    """Puts paragraphs into a collector, and each table row as a whole.

    A paragraph inside another one (a note, a text box, what a picture shows) follows that one.
    """

    def __init__(self, collector: PassageCollector) -> None:
        self._collector = collector
        self._open: list[OfficeParagraph] = []
        self._inner: list[OfficeParagraph] = []
        self._rows: list[list[list[OfficeParagraph]]] = []

    @property
    def paragraph(self) -> OfficeParagraph | None:
        """The open paragraph."""
        return self._open[-1] if self._open else None

    def begin_paragraph(self) -> None:
        """Open a paragraph."""
        self._open.append(OfficeParagraph())

    def add(self, text: str, *, is_raised: bool = False) -> None:
        """Add text to the open paragraph; ignore text between paragraphs. Numbers may be raised: references."""
        if self._open:
            pieces = self._open[-1].pieces
            pieces.append(raise_numbers("".join(pieces[-_PIECES_BEFORE:]), text) if is_raised else text)

    def add_paragraph(self, text: str) -> None:
        """Add a whole paragraph."""
        self.begin_paragraph()
        self.add(text)
        self.end_paragraph()

    def add_description(self, text: str) -> None:
        """Add what a picture shows, in words; leave out the name of its file, which some programs put there."""
        if _FILE_NAME.fullmatch(text.strip()):
            self._collector.omit("alternative", text)
        else:
            self.add_paragraph(text)

    def end_paragraph(self) -> None:
        """Close a paragraph."""
        if not self._open:
            return
        paragraph = self._open.pop()
        if self._open:
            self._inner.append(paragraph)
            return
        for each in (paragraph, *self._inner):
            self._put(each)
        self._inner.clear()

    def begin_row(self) -> None:
        """Start a table row."""
        self._rows.append([])

    def begin_cell(self) -> None:
        """Start a cell."""
        if self._rows:
            self._rows[-1].append([])

    def end_row(self) -> None:
        """End a row: put it into the collector, or into the cell that contains its table."""
        if not self._rows:
            return
        cells = self._rows.pop()
        if self._rows:
            for cell in cells:
                for paragraph in cell:
                    self._put(paragraph)
        elif all(len(cell) <= 1 for cell in cells):
            self._collector.add_row([cell[0].text if cell else "" for cell in cells])
        else:
            for cell in cells:
                for paragraph in cell:
                    self._put(paragraph)

    def _put(self, paragraph: OfficeParagraph) -> None:
        if not paragraph.text.strip():
            return
        if self._rows and self._rows[-1]:
            self._rows[-1][-1].append(paragraph)
        else:
            self._collector.add(paragraph.text, paragraph.kind, paragraph.level)
