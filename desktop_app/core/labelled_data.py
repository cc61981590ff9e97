"""Files of labelled sentences: their columns and kind, a preview of their contents, and writing them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.escaping import CsvWriter, to_json_line, to_tsv_line
from desktop_app.core.export_files import check_suffix

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.duplicates import PairLabel

DataKind = Literal["similarity", "duplicates", "nli", "triplets", "pairs"]
"""What the rows of a file are; `pairs` are anchors with their positives, without labels."""

NLI_LABELS = ("contradiction", "entailment", "neutral")
"""The classes of natural language inference; a class's number is its index here."""

DUPLICATE_LABELS = ("different", "same")
"""The classes of pairs that mean the same or do not: label 0 and label 1."""

PAIR_LABELS = "marks:"
"""In place of a file: the pairs that a person labelled as the same or not."""

LABEL_SUFFIXES = (".tsv", ".csv", ".jsonl")
"""Suffixes of files of labelled data, as `train` and `evaluate` read them."""


def normalize_sentence(text: str) -> str:
    """Return a sentence without insignificant differences: case, blanks, final stops."""
    plain = " ".join(text.split()).casefold()
    return plain.rstrip(". ") or plain


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of labelled sentences, and how to read it if its header does not say.

    Attributes:
        path: TSV, CSV or JSONL; for retrieval a folder; or PAIR_LABELS.
        columns: names (or numbers, from 1) of the columns to use, in order; empty: by the header.
        score_range: lowest and highest similarity score; None: 0-5 or 0-1, depending on the largest value.
    """

    path: str
    columns: tuple[str, ...] = ()
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class DataPreview:
    """What was understood of a file.

    Attributes:
        kind: what its rows are.
        columns: the columns used, in order: texts, then the label if there is one.
        rows: the number of rows.
        labels: the number of rows of each class; empty for scores and without labels.
        scores: lowest, mean and highest similarity, 0 to 1; None without scores.
        sentences: the number of distinct texts.
        characters: median, 95th percentile and maximum of the texts' lengths.
        repeated: rows whose texts also occur in an earlier row.
        contradicting: those of them with a different label.
        unlabelled: rows left out because their annotators did not agree on a label.
        examples: some of the first rows, as text: in the order of `columns`, scores from 0 to 1.
    """

    kind: DataKind
    columns: tuple[str, ...]
    rows: int
    labels: dict[str, int]
    scores: tuple[float, float, float] | None
    sentences: int
    characters: tuple[int, int, int]
    repeated: int
    contradicting: int
    examples: tuple[tuple[str, ...], ...]
    unlabelled: int = 0


def write_pair_labels(file: str, labels: Sequence[PairLabel]) -> None:
    """Write the pairs that a person labelled: `sentence1`, `sentence2`, `label` (1: the same).

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    check_suffix(file, LABEL_SUFFIXES)
    rows = [(label.a, label.b, int(bool(label.same))) for label in labels]
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
            out.writelines(to_json_line(dict(zip(columns, row, strict=True))) for row in flat)
        elif suffix == ".csv":
            CsvWriter(out).write_rows([columns, *flat])
        else:
            out.writelines(map(to_tsv_line, (columns, *flat)))
