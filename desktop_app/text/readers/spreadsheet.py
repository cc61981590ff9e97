"""Spreadsheets to events, a page for each sheet and a unit for each row: XLSX (ECMA-376) and ODS (OASIS OpenDocument).

Cells are read as they are shown: dates, percentages and currencies by their formats, formulas by their results. The
first row that looks like one names the columns. Comments and text boxes follow the rows of their sheet.
"""

from __future__ import annotations

import contextlib
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.errors import FileFailure
from desktop_app.core.language_detection import guess_language
from desktop_app.core.messages import Message
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, OmittedText, PageRead, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.text.passages import clean_stretch, split_long_text
from desktop_app.text.readers.number_formats import BUILT_IN_FORMATS, format_number
from desktop_app.text.readers.open_document import refuse_encrypted
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat, SpanBatches
from desktop_app.text.readers.table import is_header, iter_row_sentences
from desktop_app.text.readers.word import find_main_part, read_properties, read_relations
from desktop_app.text.readers.xml_events import EVENTS_PER_HEARTBEAT, iter_xml_events
from desktop_app.text.readers.zip_package import ZipPackage
from desktop_app.text.splitter import split_sentences

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import SpanStep, Step
    from desktop_app.text.readers.xml_events import XmlEvent

_MAIN = "xl/workbook.xml"
_MAX_SHEETS = 10_000
_MAX_CHARACTERS = 300_000_000
"""Of a document: a few packed kilobytes may repeat a long cell a million times. Rows after it are left out."""
_MAX_REPEATS = 1000
"""How often a repeated row or cell of an ODS file is read."""
_MAX_COLUMN = 1 << 14
_HEADER_ROWS = 20
"""Rows with text among which the one with the names of the columns is looked for: titles stand before it."""
_MAX_NAME = 200
_MAX_OMITTED = 20_000
_SAMPLE_CHARACTERS = 20_000
_THREADED = "[Threaded comment]"
"""The start of the text that stands for a threaded comment where a program does not know those."""
_MARKS = {"tab": " ", "s": " ", "line-break": "\n"}
_NOTES = frozenset({"annotation", "frame", "custom-shape", "text-box"})
_ABOUT_NOTE = frozenset({"creator", "date", "date-string", "creator-initials"})


class _Row(NamedTuple):
    """A row, or a note beside one.

    Attributes:
        number: counted from 1.
        cells: the texts that are not blank, by column, counted from 0.
        note: a comment or text box; empty for a row.
    """

    number: int
    cells: dict[int, str]
    note: str = ""


class _ShownRow(NamedTuple):
    """A row with clean text: its cells, each with the name of its column, or a note beside it."""

    number: int
    cells: list[tuple[str, str]]
    note: str = ""


@dataclass(slots=True)
class _Sheet:
    """A sheet: its name, the part with its rows, and whether programs show it."""

    name: str
    part: str = ""
    is_hidden: bool = False


@dataclass(slots=True)
class _Reading:
    """What is known while a document is read.

    Attributes:
        language: of its text.
        characters: how many were read.
        paragraphs: how many there were.
        omitted: texts of sheets that programs do not show.
        cut_at: sheet and row from which on nothing was read.
        damaged: names of the sheets that could not be read.
    """

    language: str
    characters: int = 0
    paragraphs: int = 0
    omitted: list[OmittedText] = field(default_factory=list)
    cut_at: tuple[str, int] | None = None
    damaged: list[str] = field(default_factory=list)

    def remarks(self) -> Iterator[Message]:
        """Yield remarks on what was not read."""
        if self.damaged:
            yield Message("Damaged sheets that could not be read: {names}", names=", ".join(self.damaged[:5]))
        if self.cut_at is not None:
            sheet, row = self.cut_at
            yield Message("The sheets are too long: reading stopped at row {row:,} of {sheet}", row=row, sheet=sheet)


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a spreadsheet.

    Raises:
        FileFailure: the file is locked, damaged, a decompression bomb, or has no text.
    """
    with ZipPackage(path) as package:
        if "content.xml" in package:
            yield from _read_open_document(package, content_hash)
        else:
            yield from _read_workbook(package, content_hash)


def _make_head(content_hash: str, sheets: list[_Sheet], title: str, author: str, dated: str) -> DocumentHead:
    if not sheets:
        raise FileFailure("damaged", "The file has no sheets")
    if len(sheets) > _MAX_SHEETS:
        raise FileFailure(
            "too_large", "The file has {count:,} sheets; the limit is {most:,}", count=len(sheets), most=_MAX_SHEETS
        )
    for number, sheet in enumerate(sheets, 1):
        sheet.name = clean_stretch(sheet.name)[0][:_MAX_NAME] or str(number)
    return DocumentHead(
        "spreadsheet",
        content_hash,
        title,
        author,
        page_count=len(sheets),
        page_labels=tuple(sheet.name for sheet in sheets),
        outline=tuple(OutlineEntry(sheet.name, page, 0) for page, sheet in enumerate(sheets, 1) if not sheet.is_hidden),
        dated=read_written_date(dated),
    )


def _end(batches: SpanBatches, reading: _Reading) -> ReadingDone:
    if not batches.sentences:
        raise FileFailure("no_text", "The sheets have no text")
    return ReadingDone((*reading.remarks(), *batches.remarks()), omitted=tuple(reading.omitted))


def _iter_spans(
    rows: Iterable[_Row | Heartbeat], sheet: _Sheet, page: int, reading: _Reading, *, is_named: bool
) -> Iterator[SpanStep]:
    """Yield the sentences of a sheet; if it has any, after its name if that is wanted."""
    for row in _iter_shown_rows(rows, sheet, reading):
        if isinstance(row, Heartbeat):
            yield row
            continue
        if is_named:
            is_named = False
            yield SentenceSpan(sheet.name, (Place(page, 1, 2, "row"),), reading.paragraphs, "heading")
            reading.paragraphs += 1
        place = Place(page, row.number, row.number + 1, "row")
        found = False
        texts = _split(row.note, reading.language) if row.note else iter_row_sentences(row.cells, reading.language)
        for sentence in texts:
            found = True
            yield SentenceSpan(sentence, (place,), reading.paragraphs, "body" if row.note else "table")
        reading.paragraphs += found


def _iter_shown_rows(
    rows: Iterable[_Row | Heartbeat], sheet: _Sheet, reading: _Reading
) -> Iterator[_ShownRow | Heartbeat]:
    """Yield the rows and notes with text, cells with the names of their columns; stop where there is too much."""
    names: dict[int, str] = {}
    left = _HEADER_ROWS
    reported_at = reading.characters
    header: tuple[int, dict[int, str]] | None = None  # until a row follows it
    for row in rows:
        if isinstance(row, Heartbeat):
            yield row
            continue
        cells = {column: shown for column, cell in row.cells.items() if (shown := _clean(cell))}
        note = _clean(row.note)
        reading.characters += sum(map(len, cells.values())) + len(note)
        if reading.characters > _MAX_CHARACTERS:
            reading.cut_at = (sheet.name, row.number)
            return
        if reading.characters - reported_at > PROGRESS_CHARACTERS // 2:
            reported_at = reading.characters
            yield Heartbeat()
        if note:
            yield _ShownRow(row.number, [], note)
            continue
        if left and len(cells) > 1:
            left = 0
            if is_header(list(cells.values())):
                names, header = cells, (row.number, cells)
                continue
        left -= left > 0 and bool(cells)
        if cells:
            header = None
            yield _ShownRow(row.number, [(names.get(column, ""), cells[column]) for column in sorted(cells)])
    if header is not None:
        number, cells = header
        yield _ShownRow(number, [("", cells[column]) for column in sorted(cells)])


def _clean(text: str) -> str:
    return clean_stretch(text)[0] if text else ""


def _split(text: str, language: str) -> Iterator[str]:
    for part in split_long_text(text):
        for start, stop in split_sentences(part, language):
            yield part[start:stop]


def _omit(rows: Iterable[_Row | Heartbeat], page: int, reading: _Reading) -> Iterator[Heartbeat]:
    """Note the first texts of a sheet that programs do not show."""
    length = 0
    for row in rows:
        if isinstance(row, Heartbeat):
            yield row
            continue
        text = _clean(row.note or " ".join(row.cells.values()))
        length += len(text)
        if text:
            reading.omitted.append(OmittedText("hidden", text[:_MAX_OMITTED], page))
        if length > _MAX_OMITTED:
            return


# XLSX


class _SharedStrings:
    """The texts that cells refer to by number, in little memory."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends = array("Q")

    def append(self, text: str) -> None:
        """Add the next text."""
        self._data += text.encode("utf-8", "replace")
        self._ends.append(len(self._data))

    def get(self, number: str) -> str:
        """Return a text; nothing if there is none."""
        try:
            at = int(number)
            start = self._ends[at - 1] if at else 0
            return self._data[start : self._ends[at]].decode("utf-8") if at >= 0 else ""
        except (ValueError, IndexError):
            return ""

    def sample(self) -> str:
        """Return some text from the middle."""
        at = len(self._ends) // 3
        start = self._ends[at - 1] if at else 0
        return self._data[start : start + _SAMPLE_CHARACTERS].decode("utf-8", "ignore")


def _read_workbook(package: ZipPackage, content_hash: str) -> Iterator[Step]:
    main = find_main_part(package, _MAIN)
    if main not in package:
        raise FileFailure("damaged", "A part of the file is missing: {name}", name=main)
    sheets, from_1904 = _list_sheets(package, main)
    about = read_properties(package, "docProps/core.xml")
    yield _make_head(content_hash, sheets, about.get("title", ""), about.get("creator", ""), about.get("created", ""))
    folder = main.rpartition("/")[0]
    shared = _SharedStrings()
    if (part := f"{folder}/sharedStrings.xml") in package:
        yield from _read_shared_strings(package, part, shared)
    cells = _CellReader(shared, _read_formats(package, f"{folder}/styles.xml"), from_1904=from_1904)
    reading = _Reading(guess_language(shared.sample()))
    batches = SpanBatches()
    is_named = sum(not sheet.is_hidden for sheet in sheets) > 1
    for page, sheet in enumerate(sheets, 1):
        try:
            rows = _iter_sheet(package, sheet.part, cells)
            if sheet.is_hidden:
                yield from _omit(rows, page, reading)
            elif reading.cut_at is None:
                yield from batches.batch(_iter_spans(rows, sheet, page, reading, is_named=is_named))
        except FileFailure as failure:
            if failure.reason != "damaged":
                raise
            reading.damaged.append(sheet.name)
        yield PageRead(page, len(sheets))
    if reading.damaged and not batches.sentences:
        raise FileFailure("damaged", "The file is damaged and cannot be read")
    yield _end(batches, reading)


def _list_sheets(package: ZipPackage, main: str) -> tuple[list[_Sheet], bool]:
    """Return the sheets with cells, and whether dates are counted from 1904."""
    relations = read_relations(package, main)
    sheets: list[_Sheet] = []
    from_1904 = False
    for event in iter_xml_events(package.chunks(main)):
        if event.kind != "start":
            continue
        if event.name == "workbookPr":
            from_1904 = event.attributes.get("date1904", "") in ("1", "true")
        elif event.name == "sheet":
            part = relations.get(event.attributes.get("id", ""), "")
            state = event.attributes.get("state", "visible")
            if part in package and "/chartsheets/" not in part:
                sheets.append(_Sheet(event.attributes.get("name", ""), part, state != "visible"))
    return sheets, from_1904


def _read_shared_strings(package: ZipPackage, part: str, shared: _SharedStrings) -> Iterator[Heartbeat]:
    pieces: list[str] = []
    is_text = False
    reading_aid = 0
    for number, event in enumerate(iter_xml_events(package.chunks(part)), 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if is_text and not reading_aid:
                pieces.append(event.name)
            continue
        match event.name:
            case "t":
                is_text = event.kind == "start"
            case "rPh":  # how the text is pronounced
                reading_aid += 1 if event.kind == "start" else -1
            case "si" if event.kind == "end":
                shared.append("".join(pieces))
                pieces.clear()


def _read_formats(package: ZipPackage, part: str) -> list[str]:
    """Return the number format of each cell style."""
    named = dict(BUILT_IN_FORMATS)
    formats: list[str] = []
    in_cell_styles = False
    with contextlib.suppress(FileFailure):
        for event in iter_xml_events(package.chunks(part)):
            if event.name == "cellXfs":
                in_cell_styles = event.kind == "start"
            elif event.kind == "start" and event.name == "numFmt":
                with contextlib.suppress(ValueError):
                    named[int(event.attributes.get("numFmtId", ""))] = event.attributes.get("formatCode", "General")
            elif event.kind == "start" and event.name == "xf" and in_cell_styles:
                number = event.attributes.get("numFmtId", "0")
                formats.append(named.get(int(number) if number.isdecimal() else 0, "General"))
    return formats


class _CellReader:
    """Reads the values of cells.

    Args:
        shared: the texts that cells refer to.
        formats: of numbers, by the styles of cells.
        from_1904: whether days are counted from 1904.
    """

    def __init__(self, shared: _SharedStrings, formats: list[str], *, from_1904: bool) -> None:
        self._shared = shared
        self._formats = formats
        self._from_1904 = from_1904

    def read(self, value: str, kind: str, style: str) -> str:
        """Return the text of a cell."""
        match kind:
            case "s":
                return self._shared.get(value)
            case "b":
                return "TRUE" if value == "1" else "FALSE"
            case "e":
                return ""  # an error
            case "str" | "inlineStr" | "d":
                return value
        try:
            number = float(value)
        except ValueError:
            return value
        at = int(style) if style.isdecimal() else 0
        code = self._formats[at] if at < len(self._formats) else "General"
        return format_number(number, code, from_1904=self._from_1904)


def _iter_sheet(package: ZipPackage, part: str, cells: _CellReader) -> Iterator[_Row | Heartbeat]:
    """Yield the rows of a sheet, then its comments and text boxes."""
    yield from _iter_rows(iter_xml_events(package.chunks(part)), cells)
    with contextlib.suppress(FileFailure):
        related = [name for name in read_relations(package, part).values() if name in package]
        is_threaded = any("/threadedComments/" in name for name in related)
        for name in related:
            if "/threadedComments/" in name or "/comments" in name:
                yield from _iter_comments(iter_xml_events(package.chunks(name)), is_threaded=is_threaded)
            elif "/drawings/" in name and name.endswith(".xml"):
                yield from _iter_text_boxes(iter_xml_events(package.chunks(name)))


def _iter_rows(events: Iterable[XmlEvent], cells: _CellReader) -> Iterator[_Row | Heartbeat]:
    number = column = 0
    row: dict[int, str] = {}
    about: dict[str, str] = {}
    pieces: list[str] = []
    is_value = False
    for count, event in enumerate(events, 1):
        if count % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if is_value:
                pieces.append(event.name)
            continue
        starts = event.kind == "start"
        match event.name:
            case "row" if starts:
                given = event.attributes.get("r", "")
                number = int(given) if given.isdecimal() and len(given) < 9 else number + 1
                column = 0
                row = {}
            case "row":
                if row:
                    yield _Row(number, row)
            case "c" if starts:
                about = event.attributes
                column = _read_column(about.get("r", ""), column)
                pieces.clear()
            case "c":
                if pieces and (text := cells.read("".join(pieces), about.get("t", "n"), about.get("s", "0"))):
                    row[column] = text
                column += 1
            case "v" | "t":
                is_value = starts


def _read_column(reference: str, expected: int) -> int:
    """Return the column, from 0, of a cell such as `AB12`; the expected one if it has no name."""
    column = 0
    for char in reference[:3].upper():
        if not "A" <= char <= "Z":
            break
        column = 26 * column + ord(char) - 64
    return column - 1 if 0 < column <= _MAX_COLUMN else expected


def _read_row(reference: str) -> int:
    digits = reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")[:8]
    return int(digits) if digits.isdecimal() else 1


def _iter_comments(events: Iterable[XmlEvent], *, is_threaded: bool) -> Iterator[_Row | Heartbeat]:
    row = 1
    pieces: list[str] = []
    is_text = False
    for count, event in enumerate(events, 1):
        if count % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if is_text:
                pieces.append(event.name)
            continue
        starts = event.kind == "start"
        match event.name:
            case "comment" | "threadedComment" if starts:
                row = _read_row(event.attributes.get("ref", ""))
                pieces.clear()
            case "comment" | "threadedComment":
                text = "".join(pieces)
                if not (is_threaded and text.startswith(_THREADED)):
                    yield _Row(row, {}, text)
            case "t":
                is_text = starts
            case "text":  # of a threaded comment: without parts
                is_text = starts


def _iter_text_boxes(events: Iterable[XmlEvent]) -> Iterator[_Row | Heartbeat]:
    """Yield the paragraphs of the shapes on a sheet, with the rows at which they begin."""
    row = 1
    pieces: list[str] = []
    inside: list[str] = []
    for count, event in enumerate(events, 1):
        if count % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "start":
            inside.append(event.name)
            if event.name == "cNvPr" and (described := event.attributes.get("descr", "").strip()):
                yield _Row(row, {}, described)
        elif event.kind == "end":
            inside.pop()
            if event.name == "p" and pieces:
                yield _Row(row, {}, "".join(pieces))
                pieces.clear()
        elif inside[-1:] == ["t"]:
            pieces.append(event.name)
        elif inside[-2:] == ["from", "row"] and event.name.isdecimal() and len(event.name) < 9:
            row = int(event.name) + 1


# ODS


def _read_open_document(package: ZipPackage, content_hash: str) -> Iterator[Step]:
    refuse_encrypted(package)
    # Two passes: the names of the sheets come before the text, and the text is never in memory as a whole.
    sheets, sample = yield from _look_at_tables(package)
    about = read_properties(package, "meta.xml")
    author = about.get("creator", "") or about.get("initial-creator", "")
    dated = about.get("creation-date", "") or about.get("date", "")
    yield _make_head(content_hash, sheets, about.get("title", ""), author, dated)
    reading = _Reading(guess_language(sample))
    batches = SpanBatches()
    is_named = sum(not sheet.is_hidden for sheet in sheets) > 1
    tables = _OpenTables(package)
    for page, sheet in enumerate(sheets, 1):
        rows = tables.next_rows()
        if sheet.is_hidden:
            yield from _omit(rows, page, reading)
        elif reading.cut_at is None:
            yield from batches.batch(_iter_spans(rows, sheet, page, reading, is_named=is_named))
        yield PageRead(page, len(sheets))
    yield _end(batches, reading)


def _look_at_tables(package: ZipPackage) -> Generator[Heartbeat, None, tuple[list[_Sheet], str]]:
    """Return the sheets, and a sample of the text."""
    sheets: list[_Sheet] = []
    hidden: set[str] = set()
    style = ""
    depth = length = 0
    sample: list[str] = []
    for number, event in enumerate(iter_xml_events(package.chunks("content.xml")), 1):
        if number % EVENTS_PER_HEARTBEAT == 0:
            yield Heartbeat()
        if event.kind == "text":
            if depth and length < _SAMPLE_CHARACTERS:
                sample.append(event.name)
                length += len(event.name)
        elif event.name == "table":
            depth += 1 if event.kind == "start" else -1
            if event.kind == "start" and depth == 1:
                name = event.attributes.get("name", "")
                sheets.append(_Sheet(name, is_hidden=event.attributes.get("style-name", "") in hidden))
        elif event.kind == "start" and event.name == "style":
            style = event.attributes.get("name", "")
        elif event.kind == "start" and event.name == "table-properties" and event.attributes.get("display") == "false":
            hidden.add(style)
    return sheets, " ".join(sample)


class _OpenTables:
    """The tables of an OpenDocument file, one after the other."""

    def __init__(self, package: ZipPackage) -> None:
        self._events = enumerate(iter_xml_events(package.chunks("content.xml")), 1)
        self._in_table = False

    def next_rows(self) -> Iterator[_Row | Heartbeat]:
        """Yield the rows and notes of the next table; the rest of the one before is skipped."""
        yield from self._skip_to_table()
        row = _OpenRow()
        depth = 1
        for count, event in self._events:
            if count % EVENTS_PER_HEARTBEAT == 0:
                yield Heartbeat()
            if event.name == "table" and event.kind != "text":
                depth += 1 if event.kind == "start" else -1
                if not depth:
                    self._in_table = False
                    break
            elif event.name == "table-row" and event.kind == "end" and depth == 1:
                yield from row.end()
            else:
                row.add(event)
        yield from row.notes

    def _skip_to_table(self) -> Iterator[Heartbeat]:
        depth = int(self._in_table)
        for count, event in self._events:
            if count % EVENTS_PER_HEARTBEAT == 0:
                yield Heartbeat()
            if event.name == "table" and event.kind != "text":
                depth += 1 if event.kind == "start" else -1
                if depth == 1 and event.kind == "start":
                    break
        self._in_table = True


class _OpenRow:
    """The row that is being read.

    Attributes:
        notes: the comments and text boxes so far.
    """

    def __init__(self) -> None:
        self.notes: list[_Row] = []
        self._number = 1
        self._repeats = self._cell_repeats = 1
        self._column = 0
        self._cells: dict[int, str] = {}
        self._pieces: list[str] = []
        self._note: list[str] = []
        self._value = ""
        self._inside: list[str] = []

    def add(self, event: XmlEvent) -> None:
        """Take an event inside of a table."""
        if event.kind == "text":
            self._add_text(" ".join(event.name.split("\n")))
            return
        starts = event.kind == "start"
        match event.name:
            case "table-row" if starts:
                self._repeats = _read_count(event.attributes.get("number-rows-repeated", ""))
                self._column = 0
            case "table-cell" | "covered-table-cell" if starts:
                self._cell_repeats = _read_count(event.attributes.get("number-columns-repeated", ""))
                self._value = event.attributes.get("value", "")
                self._pieces.clear()
            case "table-cell" | "covered-table-cell":
                self._end_cell()
            case name if name in _NOTES or name in _ABOUT_NOTE:
                if starts:
                    self._inside.append(name)
                elif self._inside:
                    self._inside.pop()
                    if name in _NOTES and not self._inside:
                        self._end_note()
            case "p" | "h" if starts:
                if self._inside:
                    self._end_note()
                elif self._pieces:
                    self._pieces.append(" ")
            case name if starts and name in _MARKS:
                self._add_text(_MARKS[name])

    def end(self) -> Iterator[_Row]:
        """End the row: yield it as often as it is repeated."""
        for number in range(self._number, self._number + min(self._repeats, _MAX_REPEATS) if self._cells else 0):
            yield _Row(number, self._cells)
        self._number += self._repeats
        self._cells = {}

    def _add_text(self, text: str) -> None:
        if not self._inside:
            self._pieces.append(text)
        elif self._inside[-1] not in _ABOUT_NOTE:
            self._note.append(text)

    def _end_cell(self) -> None:
        text = "".join(self._pieces) or self._value
        if text.strip():
            for at in range(min(self._cell_repeats, _MAX_REPEATS)):
                self._cells[self._column + at] = text
        self._column += self._cell_repeats
        self._pieces.clear()

    def _end_note(self) -> None:
        text = "".join(self._note)
        self._note.clear()
        if text.strip():
            self.notes.append(_Row(self._number, {}, text))


def _read_count(given: str) -> int:
    return max(int(given), 1) if given.isdecimal() and len(given) < 9 else 1
