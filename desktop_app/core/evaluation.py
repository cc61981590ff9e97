"""Requests and results of model evaluations, as plain values that cross processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.messages import Message
    from desktop_app.core.score_intervals import RowResults, ScoreDifference
    from desktop_app.core.training_settings import Architecture

EvaluationTask = Literal["similarity", "duplicates", "nli", "triplets", "pairs", "retrieval"]
ThresholdFrom = Literal["given", "stored", "best"]

TASKS: tuple[EvaluationTask, ...] = ("similarity", "duplicates", "nli", "triplets", "pairs", "retrieval")

KEY_MEASURES: dict[EvaluationTask, str] = {
    "similarity": "spearman",
    "duplicates": "average_precision",
    "nli": "accuracy",
    "triplets": "accuracy",
    "pairs": "mrr@10",
    "retrieval": "ndcg@10",
}
"""The measure of each task by which epochs and models are compared."""


def similarity_that_counts(correlations: Mapping[str, object]) -> str:
    """Return the name of the correlation that counts: of the model's own score, if it has one beside the cosine."""
    return "score" if "score" in correlations else "cosine"


@dataclass(frozen=True, slots=True)
class MisjudgedPair:
    """A pair that the model judges badly.

    Attributes:
        line: its line in the file, from 1.
        expected: the label or score in words.
        found: the model's label or score, likewise.
        score: the model's own number: a cosine or a probability; for triplets how much nearer the positive is.
        other: the sentence that the model puts nearer to `a` than `b`, for triplets and pairs; else empty.
    """

    line: int
    a: str
    b: str
    expected: str
    found: str
    score: float
    other: str = ""


@dataclass(frozen=True, slots=True)
class EvaluatedRow:
    """The model's result for a row.

    Attributes:
        line: its line in the file, from 1.
        texts: its two or three sentences.
        expected: the label or score in words.
        found: the model's label in words; empty if it only gives a score.
        score: the model's own number, on which its judgement is based.
        probabilities: of each class by a head or cross-encoder that distinguishes classes; else empty.
    """

    line: int
    texts: tuple[str, ...]
    expected: str
    found: str
    score: float
    probabilities: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Points of a curve: recall and precision, or false and true positive rate."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a model is at a task.

    Attributes:
        task: the task.
        measures: names and values as documented for the command line, ready for JSON.
        worst: the pairs judged most wrongly, the worst first.
        curves: `precision-recall` and `roc`, of duplicates.
        model: name of the measured model; empty when a training measures its own model.
        folder: its folder.
        rows: every row, in order, if requested.
        notes: remarks for the person.
        results: what the measures are computed from, for their intervals; None if there are no rows.
        differences: to the model that it was compared with, by the names of the measures.
    """

    task: EvaluationTask
    measures: dict[str, object]
    worst: tuple[MisjudgedPair, ...] = ()
    curves: dict[str, CurvePoints] = field(default_factory=dict)
    model: str = ""
    folder: str = ""
    rows: tuple[EvaluatedRow, ...] = ()
    notes: tuple[Message, ...] = ()
    results: RowResults | None = None
    differences: dict[str, ScoreDifference] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """A model and the data to measure it on.

    Attributes:
        data: the file, or a folder for retrieval.
        model: name or folder; empty for the bundled model.
        task: None: inferred from the columns.
        architecture: which kind of model the folder contains; None: detected.
        pooling: replaces the model's own; empty: its own.
        threshold: a number, `stored`, `best`; empty: stored if there is one, else best.
        device: as the encoder takes it.
        precision: likewise.
        threads: likewise.
        worst: how many of the worst misjudged pairs to return.
        reranker: for retrieval: name or folder of a cross-encoder that reorders the first documents of each query, to
            show what that gains; empty: none.
        every_row: also return the model's result for each row.
        compared_with: results of another model on the same data, to return the differences to them; None: of none.
    """

    data: DataFile
    model: str = ""
    task: EvaluationTask | None = None
    architecture: Architecture | None = None
    pooling: str = ""
    threshold: str = ""
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    worst: int = 20
    reranker: str = ""
    every_row: bool = False
    compared_with: RowResults | None = None
