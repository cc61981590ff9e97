"""Writes sentence pairs and pair labels to files: CSV, JSON lines, TSV or Markdown."""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.errors import UsageError
from desktop_app.core.json_rows import pair_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from desktop_app.core.duplicates import Pair, PairLabel
    from desktop_app.core.records import Hit

PAIR_SUFFIXES = (".csv", ".jsonl", ".md")
"""Suffixes of files that pairs can be written to; `.markdown` is accepted too."""

_COLUMNS = (
    *("score", "percentile", "kind", "badges", "folded", "reviewed", "same"),
    *(f"{name}_{side}" for side in "ab" for name in ("text", "title", "path", "page", "start", "stop", "unit")),
)


class PairWriter(Protocol):
    """Writes pairs of a library, best first."""

    def __call__(self, pairs: Sequence[Pair]) -> None:
        """Write some more pairs."""
        ...


@contextlib.contextmanager
def pair_writer(file: str) -> Iterator[PairWriter]:
    """Yield a writer for pairs of a library in the format of the file's suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    writers = {
        ".jsonl": _jsonl_pair_writer,
        ".csv": _csv_pair_writer,
        ".md": _markdown_pair_writer,
        ".markdown": _markdown_pair_writer,
    }
    if suffix not in writers:
        raise UsageError(
            "{file} has the extension {suffix}" if suffix else "{file} has no file extension",
            "Pairs are written to .jsonl, .csv or .md.",
            file=file,
            suffix=suffix,
        )
    with open_atomic_text(file) as out:
        yield writers[suffix](out)


LABEL_SUFFIXES = (".tsv", ".csv", ".jsonl")
"""Suffixes of files of labelled data, as `train` and `evaluate` read them."""


def write_pair_labels(file: str, marks: Sequence[PairLabel]) -> None:
    """Write the pairs that a person labelled: `sentence1`, `sentence2`, `label` (1: the same).

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    if suffix not in LABEL_SUFFIXES:
        raise UsageError(
            "{file} has the extension {suffix}" if suffix else "{file} has no file extension",
            "Marks are written to .tsv, .csv or .jsonl.",
            file=file,
            suffix=suffix,
        )
    rows = [(mark.a, mark.b, int(bool(mark.same))) for mark in marks]
    write_labelled_rows(file, ("sentence1", "sentence2", "label"), rows)


def write_labelled_rows(file: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows of labelled data; the file's suffix must be one of LABEL_SUFFIXES.

    Raises:
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    # Neither line-based form can represent a line break within a sentence.
    flat = ([" ".join(cell.split()) if isinstance(cell, str) else cell for cell in row] for row in rows)
    with open_atomic_text(file) as out:
        if suffix == ".jsonl":
            out.writelines(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in flat)
        elif suffix == ".csv":
            csv.writer(out).writerows([columns, *flat])
        else:
            out.writelines("\t".join(map(str, row)) + "\n" for row in (columns, *flat))


def _jsonl_pair_writer(out: IO[str]) -> PairWriter:
    ranks = itertools.count(1)

    def write(pairs: Sequence[Pair]) -> None:
        out.writelines(json.dumps(pair_json(pair, next(ranks)), ensure_ascii=False) + "\n" for pair in pairs)

    return write


def _csv_pair_writer(out: IO[str]) -> PairWriter:
    table = csv.writer(out)
    table.writerow(_COLUMNS)

    def write(pairs: Sequence[Pair]) -> None:
        for pair in pairs:
            same = "" if pair.same is None else int(pair.same)
            marks = (" ".join(pair.badges), pair.folded, int(pair.reviewed), same)
            table.writerow(
                (pair.score, pair.percentile, pair.kind, *marks, *_place_cells(pair.a), *_place_cells(pair.b))
            )

    return write


def _place_cells(hit: Hit) -> tuple[object, ...]:
    first = hit.places[0]
    return hit.text, hit.title, hit.path, first.page, first.start, first.stop, first.unit


def _markdown_pair_writer(out: IO[str]) -> PairWriter:
    ranks = itertools.count(1)

    def write(pairs: Sequence[Pair]) -> None:
        for pair in pairs:
            rank = next(ranks)
            badges = "".join(f", differs in {badge}" for badge in pair.badges)
            folded = f", and {pair.folded} more that differ in numbers" if pair.folded else ""
            out.write(f"{'' if rank == 1 else chr(10)}## {rank}. {pair.score:.3f}, {pair.kind}{badges}{folded}\n")
            for hit in (pair.a, pair.b):
                out.write(f"\n> {escape_markdown(hit.text)}\n>\n> {escape_markdown(_format_source(hit))}\n")

    return write


def _format_source(hit: Hit) -> str:
    page = hit.places[0].page
    return f"{hit.title}, p. {hit.page_label or page}" if page else hit.title


def escape_markdown(text: str) -> str:
    """Return document text with Markdown's special characters escaped."""
    return "".join("\\" + letter if letter in r"\`*_{}[]<>#|" else letter for letter in text)
