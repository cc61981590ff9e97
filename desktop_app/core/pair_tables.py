"""Reads and writes a person's own tables of sentence pairs: TSV, CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.escaping import (
    CsvWriter,
    find_csv_delimiter,
    restore_cell,
    split_tsv_line,
    to_json_line,
    to_tsv_line,
)
from desktop_app.core.input_files import read_text_file
from desktop_app.core.messages import system_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TABLE_SUFFIXES = (".tsv", ".csv", ".jsonl")
_USUAL_COLUMN_PAIRS = (("sentence1", "sentence2"), ("question1", "question2"), ("premise", "hypothesis"), ("a", "b"))
_USUAL_COLUMN_NAMES = (
    re.compile(r"(first|second)?sentence[12ab]?|(erster|zweiter)?satz[12ab]?|text[12ab]?|question[12]?"),
    re.compile(r"premise|hypothesis|anchor|positive|negative|query|document|source|target"),
    re.compile(r"cosine|score|similarity|label|kind|badges|isduplicate"),
)
"""Usual column names of such tables, without blanks and punctuation."""


@dataclass(frozen=True, slots=True)
class PairTable:
    """A table with two columns of sentences.

    Attributes:
        header: names of the columns.
        rows: cells, as many as there are names.
        left: the column of the first sentence.
        right: the column of the second.
        has_header: whether the file names its columns; otherwise the names are generated, and its first row is a pair.
        numbers: the line of the file in which each row begins, from 1.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int
    right: int
    has_header: bool = True
    numbers: tuple[int, ...] = ()

    def texts(self, column: int) -> list[str]:
        """Return the sentences of a column."""
        return [row[column] for row in self.rows]


def read_pair_table(file: str) -> PairTable:
    """Read a table by its header; the sentences are in columns with usual names, else in the first two.

    A first row without a usual name, and with a cell longer than a word, is a pair like the others.

    Raises:
        NotFound: it cannot be read.
        BadData: it is not a table of pairs; the message names the line.
    """
    text = read_text_file(file)
    suffix = Path(file).suffix.lower()
    try:
        if suffix in (".jsonl", ".ndjson"):
            header, lines = _parse_json_lines(file, text)
            has_header = True
        elif suffix == ".csv":
            header, lines, has_header = _split_header(_read_csv_rows(text))
        else:
            rows = text.replace("\r\n", "\n").split("\n")
            cells = [(number, split_tsv_line(row)) for number, row in enumerate(rows, start=1) if row]
            header, lines, has_header = _split_header(cells)
    except csv.Error as error:
        raise BadData(
            "{file} is not a valid CSV file: {why}",
            "A quotation mark may not be closed.",
            file=file,
            why=system_text(error),
        ) from error
    if len(header) < 2:
        raise BadData("{file} has fewer than two columns", "Two are needed: sentence1 and sentence2.", file=file)
    for number, row in lines:
        if len(row) != len(header):
            raise BadData(
                "{file}, line {number} has {count} columns, the first has {header_count}",
                "Every row must have as many columns as the first line.",
                file=file,
                number=number,
                count=len(row),
                header_count=len(header),
            )
    lower = [name.strip().casefold() for name in header]
    left, right = next(
        ((lower.index(a), lower.index(b)) for a, b in _USUAL_COLUMN_PAIRS if a in lower and b in lower), (0, 1)
    )
    numbers = tuple(number for number, _ in lines)
    return PairTable(tuple(header), tuple(tuple(row) for _, row in lines), left, right, has_header, numbers)


def _read_csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with the line each begins in: a cell may span several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=find_csv_delimiter(text), strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    for cells in reader:
        if any(cells):
            rows.append((start, list(map(restore_cell, cells))))
        start = reader.line_num + 1
    return rows


def _split_header(
    filled: Sequence[tuple[int, Sequence[str]]],
) -> tuple[list[str], list[tuple[int, Sequence[str]]], bool]:
    """Return names, numbered rows and whether the names come from the file."""
    if not filled:
        return [], [], True
    first = list(filled[0][1])
    if _is_header(first):
        return first, list(filled[1:]), True
    return [f"sentence{at}" if at < 3 else f"column{at}" for at in range(1, len(first) + 1)], list(filled), False


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether cells are column names: one has a usual name, or none is longer than a word."""
    plain = ["".join(sign for sign in cell.casefold() if sign.isalnum()) for cell in cells]
    return any(names.fullmatch(name) for names in _USUAL_COLUMN_NAMES for name in plain) or all(
        len(cell.split()) < 2 for cell in cells
    )


def _parse_json_lines(file: str, text: str) -> tuple[list[str], list[tuple[int, Sequence[str]]]]:
    header: list[str] = []
    rows: list[tuple[int, Sequence[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise BadData(
                "{file}, line {number} is not JSON", "Each line must be one object.", file=file, number=number
            ) from error
        if not isinstance(record, dict):
            raise BadData(
                "{file}, line {number} is not an object", "Each line must be one object.", file=file, number=number
            )
        header = header or list(record)
        rows.append((number, [_to_cell(record[name]) for name in header if name in record]))
    return header, rows


def _to_cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def unique_column_names(header: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return names for further columns: the wanted ones, with a number appended if the table already has them."""
    names: list[str] = []
    for name in wanted:
        free, number = name, 1
        while free in header:
            number += 1
            free = f"{name}_{number}"
        names.append(free)
    return tuple(names)


def write_pair_table(file: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table in the format of the file's suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise UsageError(
            "{file} has the extension {suffix}" if suffix else "{file} has no file extension",
            "Tables are written to .tsv, .csv or .jsonl.",
            file=file,
            suffix=suffix,
        )
    with open_atomic_text(file) as out:
        if suffix == ".jsonl":
            out.writelines(to_json_line(dict(zip(header, row, strict=True))) for row in rows)
        elif suffix == ".csv":
            CsvWriter(out).write_rows([header, *rows])
        else:
            out.writelines(map(to_tsv_line, (header, *rows)))
