"""Tables of pairs of sentences that a person brings: TSV (quoting off), CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData, NotFound, UsageError
from desktop_app.core.writing import text_written_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TABLE_SUFFIXES = (".tsv", ".csv", ".jsonl")
_NAMED = (("sentence1", "sentence2"), ("question1", "question2"), ("premise", "hypothesis"), ("a", "b"))


@dataclass(frozen=True, slots=True)
class PairTable:
    """A table of which two columns are sentences.

    Attributes:
        header: names of the columns.
        rows: cells, as many as there are names.
        left: the column of the first sentence.
        right: of the second.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int
    right: int

    def texts(self, column: int) -> list[str]:
        """Return the sentences of a column."""
        return [row[column] for row in self.rows]


def read_pair_table(file: str) -> PairTable:
    """Read a table by its header; the sentences are in columns with usual names, else in the first two.

    Raises:
        NotFound: it cannot be read.
        BadData: it is no such table; the line is named.
    """
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise NotFound(f"{file} cannot be read: {error.strerror or error}", "Check its name.") from error
    except UnicodeDecodeError as error:
        raise BadData(f"{file} is not UTF-8", "Save the file as UTF-8.") from error
    suffix = Path(file).suffix.lower()
    try:
        if suffix in (".jsonl", ".ndjson"):
            header, lines = _from_json(file, text)
        elif suffix == ".csv":
            header, lines = _from_cells(list(csv.reader(io.StringIO(text, newline=""), strict=True)))
        else:
            header, lines = _from_cells([line.split("\t") for line in text.replace("\r\n", "\n").split("\n")])
    except csv.Error as error:
        raise BadData(f"{file} is no sound CSV: {error}", "A quotation mark may not be closed.") from error
    if len(header) < 2:
        raise BadData(f"{file} has {len(header)} columns", "Two are needed: sentence1 and sentence2.")
    for number, cells in lines:
        if len(cells) != len(header):
            raise BadData(
                f"{file}, row {number} has {len(cells)} columns, the header has {len(header)}",
                "Every row has as many columns as the first line.",
            )
    lower = [name.strip().casefold() for name in header]
    left, right = next(((lower.index(a), lower.index(b)) for a, b in _NAMED if a in lower and b in lower), (0, 1))
    return PairTable(tuple(header), tuple(tuple(cells) for _, cells in lines), left, right)


def _from_cells(lines: Sequence[Sequence[str]]) -> tuple[list[str], list[tuple[int, Sequence[str]]]]:
    filled = [(number, cells) for number, cells in enumerate(lines, start=1) if any(cells)]
    return (list(filled[0][1]), filled[1:]) if filled else ([], [])


def _from_json(file: str, text: str) -> tuple[list[str], list[tuple[int, Sequence[str]]]]:
    header: list[str] = []
    rows: list[tuple[int, Sequence[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise BadData(f"{file}, line {number} is no JSON", "Each line is one object.") from error
        if not isinstance(record, dict):
            raise BadData(f"{file}, line {number} is no object", "Each line is one object.")
        header = header or list(record)
        rows.append((number, [_cell(record[name]) for name in header if name in record]))
    return header, rows


def _cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_pair_table(file: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table in the form that the file's ending asks for.

    Raises:
        UsageError: the ending is none of ours.
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise UsageError(f"{file} ends in {suffix or 'nothing'}", "Tables are written to .tsv, .csv or .jsonl.")
    with text_written_whole(file) as out:
        if suffix == ".jsonl":
            out.writelines(json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
        elif suffix == ".csv":
            csv.writer(out).writerows([header, *rows])
        else:
            # A tab or a break within a cell would be read as another cell or row.
            out.writelines("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in (header, *rows))
