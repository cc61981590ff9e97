"""Requests and results of model evaluations, as plain values that cross processes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.messages import Message
    from desktop_app.core.training_settings import Architecture

EvaluationTask = Literal["similarity", "duplicates", "nli", "triplets", "pairs", "retrieval"]
ThresholdFrom = Literal["given", "stored", "best"]

TASKS: tuple[EvaluationTask, ...] = ("similarity", "duplicates", "nli", "triplets", "pairs", "retrieval")


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
    """

    task: EvaluationTask
    measures: dict[str, object]
    worst: tuple[MisjudgedPair, ...] = ()
    curves: dict[str, CurvePoints] = field(default_factory=dict)
    model: str = ""
    folder: str = ""
    rows: tuple[EvaluatedRow, ...] = ()
    notes: tuple[Message, ...] = ()


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


ScoreChange = Literal["better", "unclear", "worse"]


def judge_change(before: float, after: float, rows: int, *, is_correlation: bool) -> ScoreChange:
    """Return whether a measure of the same rows has changed by more than chance explains.

    The difference has to exceed twice the standard error of the measure. Two models judge the same rows, so their
    errors go together, and the error of the difference is about that of one measure: sqrt(2 (1 - c)) of it at a
    correlation c of their errors, which is 1 at c = 1/2.

    Args:
        before: the measure before, -1 to 1 for a correlation, else 0 to 1.
        after: likewise after.
        rows: how many rows were measured.
        is_correlation: whether the measure is a rank correlation. Its standard error is that of Bonett and Wright
            (2000); that of a share is sqrt(p (1 - p) / n), which no other mean of numbers from 0 to 1 exceeds.
    """
    p = (before + after) / 2
    if is_correlation:
        error = (1 - p * p) * math.sqrt((1 + p * p / 2) / max(rows - 3, 1))
    else:
        error = math.sqrt(max(p * (1 - p), 0.0) / max(rows, 1))
    if abs(after - before) <= 2 * error:
        return "unclear"
    return "better" if after > before else "worse"
