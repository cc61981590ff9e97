"""Files of labelled sentences: their columns, their kind and a preview of their contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DataKind = Literal["similarity", "duplicates", "nli", "triplets", "pairs"]
"""What the rows of a file are; `pairs` are anchors with their positives and no labels."""

NLI_LABELS = ("contradiction", "entailment", "neutral")
"""The classes of natural language inference; a class's number is its place here."""

DUPLICATE_LABELS = ("different", "same")
"""The classes of pairs that mean the same or do not: label 0 and label 1."""

PAIR_LABELS = "marks:"
"""In place of a file: the pairs of which a person has said whether they mean the same."""


def normalize_sentence(text: str) -> str:
    """Return a sentence without what makes it no other one: case, blanks, final stops."""
    plain = " ".join(text.split()).casefold()
    return plain.rstrip(". ") or plain


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of labelled sentences, and how to read it where its header does not say.

    Attributes:
        path: TSV, CSV or JSONL; for retrieval a folder; or MARKS.
        columns: names (or numbers, from 1) of the columns to use, in order; empty: by the header.
        score_range: lowest and highest similarity score; None: 0-5 or 0-1 by the largest value.
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
        rows: how many.
        labels: how often each class stands there; empty for scores and where there are no labels.
        scores: lowest, mean and highest similarity, 0 to 1; None where there are none.
        sentences: distinct texts.
        characters: median, 95th percentile and maximum of the texts' lengths.
        repeated: rows whose texts stand in an earlier row too.
        contradicting: those of them whose label is another one.
        unlabelled: rows that are left out, for nobody agreed on their label.
        examples: some first rows, as text.
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
