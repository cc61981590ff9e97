"""Files of labelled sentences: TSV (no quoting), CSV (excel dialect) and JSONL, recognised by their header.

| columns | rows |
|---|---|
| sentence1, sentence2, score | similarity |
| sentence1, sentence2, label | duplicates (0 and 1) or natural language inference (three words) |
| premise, hypothesis, label | natural language inference, as in SNLI, or by number: 0, 1, 2 as `_NLI_NUMBERS` |
| question1, question2, is_duplicate | duplicates, as in Quora's data |
| anchor, positive, negative | triplets |
| anchor, positive | pairs |

Without a header, three columns text, text, number are similarity. Rows of inference without an agreed label (`-`, or
-1 among numbers) are skipped and counted; true and false are same and different.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import BadData
from desktop_app.core.escaping import find_csv_delimiter, restore_cell, split_tsv_line
from desktop_app.core.input_files import decode_utf8
from desktop_app.core.labelled_data import NLI_LABELS
from desktop_app.core.messages import NOTHING, Message, join_messages, system_text
from desktop_app.encoder.datasets.dataset import DataSet
from desktop_app.encoder.datasets.row_files import (
    describe_excess_length,
    format_column_names,
    is_blank,
    iter_json_rows,
    read_file_bytes,
    split_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.labelled_data import DataFile, DataKind

    Rows = list[tuple[int, list[str]]]  # (line, cells)

_TEXT_COLUMNS = (("sentence1", "sentence2"), ("premise", "hypothesis"), ("question1", "question2"))
_SCORE, _LABELS = ("score",), ("label", "is_duplicate")
_EXPECTED_COLUMNS = Message(
    "sentence1, sentence2 and score or label; premise, hypothesis, label; question1, question2, is_duplicate; "
    "anchor, positive and perhaps negative"
)
_MAX_FAULTS_SHOWN = 5
_RARE = 20  # a 2 in fewer than one of this many rows is a mistake among zeros and ones
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_TRUTHS = {"true": "1", "false": "0"}


@dataclass(frozen=True, slots=True)
class _ColumnLayout:
    """The meaning of the columns: positions of the texts and of the label (None without one), and their names."""

    texts: tuple[int, ...]
    label: int | None
    names: tuple[str, ...]
    kind: DataKind | None  # None: it depends on the labels


def read_labelled_file(file: DataFile) -> DataSet:
    """Read a file of labelled sentences.

    Raises:
        NotFound: it does not exist or cannot be read.
        BadData: it has none of the known forms, or has bad rows; the message names their lines.
    """
    path = Path(file.path).expanduser()
    if path.is_dir():
        raise BadData("{path} is a folder", "Use a .tsv, .csv or .jsonl file.", path=path)
    raw = read_file_bytes(path)
    text = decode_utf8(path, raw)
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        header, rows = _read_jsonl(path, text, file.columns)
    else:
        lines = list(_read_csv(path, text) if suffix == ".csv" else _read_tsv(text))
        header, rows = _split_header(path, lines, file.columns)
    if not rows:
        raise BadData(
            "{path} has no rows",
            "Use one of these sets of columns: {expected_columns}.",
            path=path,
            expected_columns=_EXPECTED_COLUMNS,
        )
    layout = _detect_layout(path, header, rows, file.columns)
    return _build_dataset(path, rows, layout, file, hashlib.sha256(raw).hexdigest())


def _read_tsv(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(split_lines(text), start=1):
        if line:
            yield number, split_tsv_line(line)


def _read_csv(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    # The csv module's limit applies to a whole process; `_build_dataset` has a limit that names the line.
    before = csv.field_size_limit(2**31 - 1)
    try:
        delimiter = find_csv_delimiter(text)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        start = last = 1
        try:
            for cells in reader:
                if cells:
                    yield start, list(map(restore_cell, cells))
                start, last = reader.line_num + 1, start
            if _ends_in_quotes(text, last, delimiter):
                raise BadData(
                    "{path}, line {last} has a quotation mark that is never closed",
                    'Close it, or double it inside quotes: "".',
                    path=path,
                    last=last,
                )
        except csv.Error as error:
            raise BadData(
                "{path}, line {start}: {why}",
                "Save it as CSV again, with the texts in quotes.",
                path=path,
                start=start,
                why=system_text(error),
            ) from error
    finally:
        csv.field_size_limit(before)


def _ends_in_quotes(text: str, line: int, delimiter: str) -> bool:
    """Return whether the text ends within quotes of the last row, which starts at a line."""
    rest = itertools.islice(io.StringIO(text, newline=""), line - 1, None)
    try:
        list(csv.reader(rest, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "unexpected end of data" in str(error)
    return False


class _JsonContainer(str):
    """A list or an object where JSON should have a text or a number."""

    __slots__ = ()


def _cell_text(value: object) -> str:
    if isinstance(value, list | dict):
        return _JsonContainer(json.dumps(value, ensure_ascii=False))
    return "" if value is None else str(value)


def _read_jsonl(path: Path, text: str, columns: Sequence[str]) -> tuple[list[str], Rows]:
    """Return columns and rows; the columns are those of the first row."""
    header: list[str] = []
    rows: Rows = []
    for number, value in iter_json_rows(path, text):
        header = header or [str(name) for name in value]
        missing = [name for name in columns or header if name not in value and not columns]
        if missing:
            raise BadData(
                "{path}, line {number} has no {missing!r}",
                "Every row needs the columns of the first row.",
                path=path,
                number=number,
                missing=missing[0],
            )
        rows.append((number, [_cell_text(value.get(name)) for name in header]))
    return header, rows


def _split_header(path: Path, lines: Rows, columns: Sequence[str]) -> tuple[list[str], Rows]:
    """Return (column names, rows); names are numbers if the file has no header."""
    if not lines:
        raise BadData(
            "{path} is empty",
            "Use one of these sets of columns: {expected_columns}.",
            path=path,
            expected_columns=_EXPECTED_COLUMNS,
        )
    first = [cell.strip().lower() for cell in lines[0][1]]
    known = {name for pair in _TEXT_COLUMNS for name in pair} | {"anchor", "positive"}
    wanted = [name.strip().lower() for name in columns]
    if not columns:
        # Without known names: three columns text, text, number. Anything else is an unknown header.
        has_header = bool(known & set(first)) or len(first) != 3 or _parse_number(first[2]) is None
    elif all(name.isdigit() for name in wanted):
        has_header = _is_label_header(lines, int(wanted[-1]) - 1) or bool(known & set(first))
    else:
        has_header = True
    if has_header:
        return first, lines[1:]
    return [str(place) for place in range(1, len(first) + 1)], lines


def _is_label_header(lines: Rows, place: int) -> bool:
    """Return whether the second row's cell is a label or number and the first row's is not: then that is a name."""
    cells = [cells[place].strip().lower() if place < len(cells) else "" for _, cells in lines[:2]]
    is_value = [cell in NLI_LABELS or _parse_number(cell) is not None for cell in cells]
    return is_value == [False, True]


def _detect_layout(path: Path, header: Sequence[str], rows: Rows, columns: Sequence[str]) -> _ColumnLayout:
    names = [name.strip().lower() for name in header]
    if columns:
        return _layout_from_choice(path, names, rows, [name.strip().lower() for name in columns])
    if all(name.isdigit() for name in names):
        return _ColumnLayout((0, 1), 2, ("sentence1", "sentence2", "score"), "similarity")
    if {"anchor", "positive"} <= set(names):
        found = ("anchor", "positive", "negative") if "negative" in names else ("anchor", "positive")
        return _ColumnLayout(tuple(map(names.index, found)), None, found, "triplets" if len(found) == 3 else "pairs")
    for pair in _TEXT_COLUMNS:
        if not set(pair) <= set(names):
            continue
        for label in (*_SCORE, *_LABELS):
            if label in names:
                texts = (names.index(pair[0]), names.index(pair[1]))
                return _ColumnLayout(
                    texts, names.index(label), (*pair, label), "similarity" if label in _SCORE else None
                )
    raise BadData(
        "{path} has the columns {header}",
        "Use these: {expected_columns}. Or say which columns to use (in a command: --columns).",
        path=path,
        header=format_column_names(header),
        expected_columns=_EXPECTED_COLUMNS,
    )


def _layout_from_choice(path: Path, names: list[str], rows: Rows, columns: Sequence[str]) -> _ColumnLayout:
    if not 2 <= len(columns) <= 3:
        raise BadData(
            "--columns names {count} columns",
            "Give two texts, and a score, a label or a third text.",
            count=len(columns),
        )
    places = []
    for column in columns:
        if column in names:
            places.append(names.index(column))
        elif column.isdigit() and 1 <= int(column) <= len(names):
            places.append(int(column) - 1)
        else:
            raise BadData(
                "{path} has no column {column!r}",
                "Its columns are {names}.",
                path=path,
                column=column,
                names=format_column_names(names),
            )
    if len(places) == 2:
        return _ColumnLayout(tuple(places), None, tuple(columns), "pairs")
    if columns[2] in _SCORE:
        return _ColumnLayout(tuple(places[:2]), places[2], tuple(columns), "similarity")
    cells = {cells[places[2]].strip().lower() for _, cells in rows if len(cells) > places[2]}
    if all(_parse_number(cell) is not None for cell in cells) or cells <= {*NLI_LABELS, *_TRUTHS, "-", "0", "1"}:
        return _ColumnLayout(tuple(places[:2]), places[2], tuple(columns), None)
    return _ColumnLayout(tuple(places), None, tuple(columns), "triplets")


def _build_dataset(path: Path, rows: Rows, layout: _ColumnLayout, file: DataFile, digest: str) -> DataSet:
    """Return the rows as a data set.

    Raises:
        BadData: rows are bad; the message names the lines of the first few.
    """
    needed = max(*layout.texts, layout.label if layout.label is not None else 0) + 1
    kind = layout.kind or _detect_label_kind(path, rows, layout)
    place = layout.label
    named_by = _NLI_NUMBERS if kind == "nli" and not _has_nli_words(rows, layout) else _NLI_WORDS
    unlabelled = 0
    faults: list[Message] = []
    texts: list[tuple[str, ...]] = []
    labels: list[float] = []
    lines: list[int] = []
    for line, cells in rows:
        fault, label = NOTHING, 0.0
        if len(cells) < needed:
            fault = Message(
                "line {line} has {count} columns where {needed} are needed",
                code="row_columns",
                line=line,
                count=len(cells),
                needed=needed,
            )
        else:
            row = tuple(cells[place] for place in layout.texts)
            if kind == "nli" and place is not None and cells[place].strip() in named_by.unknown:
                unlabelled += 1
                continue
            fault = _find_row_fault(line, row, layout.names)
            if not fault and place is not None:
                fault, label = (
                    named_by.label(line, cells[place]) if kind == "nli" else _parse_label(line, cells[place], kind)
                )
        if fault:
            faults.append(fault)
            continue
        texts.append(row)
        labels.append(label)
        lines.append(line)
    if faults:
        named = faults[:_MAX_FAULTS_SHOWN]
        if more := len(faults) - len(named):
            named.append(Message("{more:,} more rows", code="more_rows", more=more))
        why = join_messages(*named)
        raise BadData("{path} has rows that cannot be used: {why}", "Correct or remove these rows.", path=path, why=why)
    if not lines:
        raise BadData(
            "None of the {unlabelled:,} rows of {path} has a label",
            "Use rows with labels.",
            unlabelled=unlabelled,
            path=path,
        )
    values = np.asarray(labels, np.float64)
    numbers: NDArray[np.float32] | NDArray[np.int64] = values.astype(np.int64)
    if kind == "similarity":
        numbers = _scale_scores(path, values, lines, file.score_range)
    return DataSet(
        kind=kind,
        names=layout.names,
        texts=tuple(zip(*texts, strict=True)),
        labels=None if layout.label is None else numbers,
        lines=np.asarray(lines, np.int64),
        source=str(path),
        digest=digest,
        unlabelled=unlabelled,
    )


def _find_row_fault(line: int, texts: Sequence[str], names: Sequence[str]) -> Message:
    for text, name in zip(texts, names, strict=False):
        if isinstance(text, _JsonContainer):
            return Message(
                "line {line} has {text} in {name} instead of a text",
                code="row_not_text",
                line=line,
                text=text[:40],
                name=name,
            )
        if is_blank(text):
            return Message("line {line} has no text in {name}", code="row_without_text", line=line, name=name)
        if fault := describe_excess_length(line, text, name):
            return fault
    return NOTHING


def _detect_label_kind(path: Path, rows: Rows, layout: _ColumnLayout) -> DataKind:
    """Return whether labels are duplicates, inference or scores, by the first label."""
    assert layout.label is not None, "a layout without a label has its kind"
    if _has_nli_words(rows, layout):
        return "nli"
    cells = [cells[layout.label].strip().lower() for _, cells in rows if len(cells) > layout.label]
    if _is_numbered_inference(cells, layout.names):
        return "nli"
    if any(cell in _TRUTHS for cell in cells):
        return "duplicates"
    numbers = [_parse_number(cell) for cell in cells]
    if any(number is not None and number not in (0.0, 1.0) for number in numbers):
        return "similarity" if layout.names[-1] not in _LABELS else "duplicates"
    if any(number is not None for number in numbers):
        return "duplicates"
    shown = ", ".join(repr(cell) for cell in dict.fromkeys(cells[:50]))[:120]
    raise BadData(
        "{path} has the labels {shown}" if shown else "{path} has no labels",
        "Labels are 0 and 1, or {nli_labels}; scores are numbers.",
        path=path,
        shown=shown,
        nli_labels=", ".join(NLI_LABELS),
    )


def _has_nli_words(rows: Rows, layout: _ColumnLayout) -> bool:
    """Return whether labels are the words of inference."""
    place = layout.label
    return place is not None and any(
        cells[place].strip().lower() in NLI_LABELS for _, cells in rows if len(cells) > place
    )


def _is_numbered_inference(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether labels are numbers of inference: by the columns, or if all three occur and none is rare."""
    if names[-1] != "label" or not {*_NLI_NUMBERS.classes, *_NLI_NUMBERS.unknown}.issuperset(cells):
        return False
    counts = Counter(_NLI_NUMBERS.classes.get(cell) for cell in cells)
    return "premise" in names or all(counts[name] * _RARE >= len(cells) for name in NLI_LABELS)


@dataclass(frozen=True, slots=True)
class _NliNames:
    """The names of the classes of inference in a file: the class of each name, and names of no class."""

    classes: Mapping[str, str]
    unknown: frozenset[str]

    def label(self, line: int, cell: str) -> tuple[Message, float]:
        """Return (the problem or nothing, the label's number)."""
        shown = cell.strip()
        if shown.lower() in self.classes:
            return NOTHING, float(NLI_LABELS.index(self.classes[shown.lower()]))
        allowed = ", ".join(name for name in self.classes if not name.endswith(".0"))
        return Message(
            "line {line} has the label {shown!r}, which is not one of {allowed}",
            code="row_label",
            line=line,
            shown=shown[:40],
            allowed=allowed,
        ), 0.0


_NLI_WORDS = _NliNames({name: name for name in NLI_LABELS}, frozenset("-"))
# The order in the files of SNLI and MultiNLI with numbers as labels; there -1 means "-".
_NLI_NUMBER_ORDER = ("entailment", "neutral", "contradiction")
_NLI_NUMBERS = _NliNames(
    {f"{number}{end}": name for end in ("", ".0") for number, name in enumerate(_NLI_NUMBER_ORDER)},
    frozenset({"-", "-1", "-1.0"}),
)


def _parse_label(line: int, cell: str, kind: DataKind) -> tuple[Message, float]:
    """Return (the problem or nothing, the label's number) of a duplicate pair or of a score."""
    shown = cell.strip()
    if kind == "duplicates":
        shown = _TRUTHS.get(shown.lower(), shown)
    number = _parse_number(shown)
    if number is not None and (kind != "duplicates" or number in (0.0, 1.0)):
        return NOTHING, number
    if kind == "duplicates":
        return Message(
            "line {line} has the label {shown!r} instead of 0 or 1", code="row_label", line=line, shown=shown[:40]
        ), 0.0
    return Message(
        "line {line} has the score {shown!r}, which is not a number", code="row_score", line=line, shown=shown[:40]
    ), 0.0


def _parse_number(cell: str) -> float | None:
    try:
        value = float(cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _scale_scores(
    path: Path, values: NDArray[np.float64], lines: list[int], given: tuple[float, float] | None
) -> NDArray[np.float32]:
    """Return scores from 0 to 1."""
    low, high = given or (0.0, 1.0 if values.max() <= 1.0 else 5.0)
    outside = np.flatnonzero((values < low) | (values > high))
    if len(outside):
        place = int(outside[0])
        raise BadData(
            "{path}, line {line} has the score {score:g}, outside {low:g} to {high:g}"
            if len(outside) == 1
            else "{path}, line {line} has the score {score:g}, outside {low:g} to {high:g} ({count:,} such rows)",
            "Correct it, or give the range: --score-range LOW,HIGH.",
            path=path,
            line=lines[place],
            score=values[place],
            low=low,
            high=high,
            count=len(outside),
        )
    return ((values - low) / (high - low)).astype(np.float32)
