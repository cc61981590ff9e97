"""CSV and TSV to events: each row is a unit, labelled with the names of its columns."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.language_detection import guess_language
from desktop_app.core.passage_kinds import CELL_SEPARATOR
from desktop_app.core.reader_events import DocumentHead, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.text.decoding import decode
from desktop_app.text.passages import clean_stretch, split_long_text
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, read_without_pages
from desktop_app.text.splitter import MAX_LENGTH, split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import SpanStep, Step

_DELIMITERS = ",;\t|"
_SAMPLE_CHARACTERS = 20_000
_SAMPLE_ROWS = 50
_LONGEST_NAME = 60
"""Most characters of a column name: with a longer cell the first row is not a header."""
_MAX_CELL = 1_000_000
"""Most characters of a cell: a quotation mark that is never closed makes a longer one."""
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")
_NUMBER = re.compile(r"[-+(]?[$€£]?\s?\d[\d.,:/ %eE+-]*\)?")


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a table.

    Places are rows, counted from 1 including the header, as in a spreadsheet.

    Raises:
        FileFailure: the file is binary, damaged or has no text.
    """
    decoded = decode(path.read_bytes())
    text = decoded.text
    csv.field_size_limit(_MAX_CELL)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _detect_delimiter(text[:_SAMPLE_CHARACTERS])
    head = DocumentHead("csv", content_hash, encoding=decoded.encoding)
    return read_without_pages(head, _iter_spans(text, delimiter), decoded.warning)


def _detect_delimiter(sample: str) -> str:
    """Return the delimiter that divides most of the first rows into the same number of cells, more than one."""

    def agreement(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in _iter_rows(sample, delimiter, _SAMPLE_ROWS)]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual), usual) if usual > 1 else (0, 0)

    return max(_DELIMITERS, key=agreement)


def _iter_rows(text: str, delimiter: str, most: int | None = None) -> Iterator[list[str]]:
    """Yield the rows; in TSV a quotation mark is an ordinary character."""
    lines = _LineCounter(text)
    is_plain = delimiter == "\t" and '\t"' not in text
    rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL)
    count = first = 0
    while count != most:
        try:
            row = next(rows, None)
        except csv.Error as error:
            if is_plain:
                raise FileFailure(
                    "damaged", "Row {line_num} cannot be read as a table", line_num=rows.line_num
                ) from error
            # A quotation mark that is never closed would swallow the rest of the file.
            is_plain = True
            csv.field_size_limit(len(text) + 1)
            lines = _LineCounter(text, first)
            rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
            continue
        if row is None:
            return
        first = lines.position
        count += 1
        yield row


class _LineCounter:
    """Yields the lines of a text from a position on, with their ends.

    Attributes:
        position: where the next line begins.
    """

    def __init__(self, text: str, position: int = 0) -> None:
        self.position = position
        self._lines = _LINE.finditer(text, position)

    def __iter__(self) -> _LineCounter:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.position = line.end()
        return line.group()


def _iter_spans(text: str, delimiter: str) -> Iterator[SpanStep]:
    third = len(text) // 3
    language = guess_language(text[third : third + _SAMPLE_CHARACTERS])
    names: list[str] = []
    paragraph = characters = 0
    for number, row in enumerate(_iter_rows(text, delimiter), 1):
        characters += sum(map(len, row)) + len(row) + 1
        if characters > PROGRESS_CHARACTERS // 2:
            yield Heartbeat()
            characters = 0
        cells = [clean_stretch(cell)[0] for cell in row]
        if number == 1 and is_header(cells):
            names = cells if len(cells) > 1 else []
            continue
        found = False
        named = [(names[at] if at < len(names) else "", cell) for at, cell in enumerate(cells) if cell]
        for sentence in iter_row_sentences(named, language):
            found = True
            yield SentenceSpan(sentence, (Place(None, number, number + 1, "row"),), paragraph, "table")
        paragraph += found


def is_header(cells: Sequence[str]) -> bool:
    """Return whether the first row is a header: short cells, all different, no numbers."""
    return (
        len(set(cells)) == len(cells)
        and all(cell and len(cell) <= _LONGEST_NAME and not _NUMBER.fullmatch(cell) for cell in cells)
        and not any(cell.endswith((".", "!", "?")) for cell in cells)
    )


def iter_row_sentences(named: Sequence[tuple[str, str]], language: str) -> Iterator[str]:
    """Yield a row as one sentence; yield the sentences of each cell of a long row.

    Args:
        named: the filled cells: the name of the column, or nothing, and the text.
        language: of the text.
    """
    whole = CELL_SEPARATOR.join(_label_cell(name, cell) for name, cell in named)
    if len(whole) <= MAX_LENGTH:
        if whole:
            yield whole
        return
    for name, cell in named:
        for part in split_long_text(cell):
            for start, stop in split_sentences(part, language):
                yield _label_cell(name, part[start:stop])


def _label_cell(name: str, cell: str) -> str:
    return f"{name}: {cell}" if name else cell
