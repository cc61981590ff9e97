"""Training and evaluation in words: what is asked for, what was found. Plain values that cross between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Task = Literal["similarity", "duplicates", "nli", "retrieval"]
DataKind = Literal["similarity", "duplicates", "nli", "triplets", "pairs"]
"""What the rows of a file are; `pairs` are anchors with their positives and no labels."""
Architecture = Literal["siamese", "cross"]
Objective = Literal["softmax", "binary", "cosine", "contrastive", "triplet", "ranking"]
ThresholdFrom = Literal["given", "stored", "best"]

TASKS: tuple[Task, ...] = ("similarity", "duplicates", "nli", "retrieval")
POOLINGS = ("mean", "max", "cls", "attention", "pooler")
NLI_LABELS = ("contradiction", "entailment", "neutral")
"""The classes of natural language inference; a class's number is its place here."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of labelled sentences, and how to read it where its header does not say.

    Attributes:
        path: TSV, CSV or JSONL; for retrieval a folder.
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


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair that the model judges most wrongly.

    Attributes:
        line: where it stands in its file, from 1.
        expected: the label or score in words.
        found: likewise, by the model.
        score: the model's own number: a cosine, or a probability.
    """

    line: int
    a: str
    b: str
    expected: str
    found: str
    score: float


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Points of a curve: recall and precision, or false and true positive rate."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a model is at a task.

    Attributes:
        task: which one.
        measures: names and values as the command line's contract has them, ready for JSON.
        worst: the pairs judged most wrongly, the worst first.
        curves: `precision-recall` and `roc`, of duplicates.
    """

    task: Task
    measures: dict[str, object]
    worst: tuple[JudgedPair, ...] = ()
    curves: dict[str, CurvePoints] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """What to measure.

    Attributes:
        data: the file, or a folder for retrieval.
        model: name or folder; empty for the bundled model.
        task: None: from the columns.
        architecture: which kind of model the folder holds; None: what is found there.
        pooling: in place of the model's own; empty: its own.
        threshold: a number, `stored`, `best`; empty: stored if there is one, else best.
        device: as the encoder takes it.
        precision: likewise.
        threads: likewise.
        worst: how many of the most wrongly judged pairs to return.
    """

    data: DataFile
    model: str = ""
    task: Task | None = None
    architecture: Architecture | None = None
    pooling: str = ""
    threshold: str = ""
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    worst: int = 20
