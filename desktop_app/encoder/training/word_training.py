"""Fits a word judge: trains a model on parts of the rows, and judges the rows that each model has not seen.

The scores of rows that a model was trained on are too sure, so how score and words go together cannot be learnt from
them. The scores of each part come from a model trained on the other parts (Wolpert 1992, "Stacked generalization").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.jobs import Progress
from desktop_app.core.training import StepReport
from desktop_app.encoder.classification_head import score_pairs
from desktop_app.encoder.datasets.dataset import divide_rows, exclude_shared_sentences
from desktop_app.encoder.metrics import best_threshold
from desktop_app.encoder.training.loop import TrainingLoop, mix_weights
from desktop_app.encoder.word_alignment import ALIGNMENT_FEATURES, PairWords
from desktop_app.encoder.word_judge import WordJudge
from desktop_app.encoder.word_rarity import WordRarity

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from numpy.typing import NDArray

    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel
    from desktop_app.encoder.word_judge import JudgedKind

FEWEST_ROWS = 200
"""With fewer rows, hardly a tree can be fitted."""

PARTS = 5
"""Of the training rows; the model is trained once without each."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the training rows.

    Attributes:
        rows: its rows: int64 [some].
        others: the rows of the other parts that share no sentence with it.
    """

    rows: NDArray[np.int64]
    others: DataSet


@dataclass(frozen=True, slots=True)
class LearntWords:
    """What trainings on parts of the rows give a model that was trained on all of them.

    Attributes:
        judge: see `WordJudge`.
        threshold: the probability that separates the rows best; None for pairs with scores.
        weights: the mean of the weights of these trainings, as `TrainingLoop.copy_weights` returns them.
        share: of these in the mean of all trainings.
    """

    judge: WordJudge
    threshold: float | None
    weights: dict[str, Any]
    share: float


def make_parts(data: DataSet, settings: TrainingSettings) -> list[Part]:
    """Return the parts of pairs with labels or scores.

    Raises:
        UsageError: the settings do not fit.
        BadData: there are too few rows, or too few of them share no sentence.
    """
    if settings.threshold is not None:
        raise UsageError(
            "A threshold cannot be given for a model that also judges by words",
            "Leave the threshold open: it is fitted to what the model says in the end.",
        )
    if len(data) < FEWEST_ROWS:
        raise BadData(
            "{count} training rows are too few to learn from their words",
            "At least {min_rows} are needed.",
            count=len(data),
            min_rows=FEWEST_ROWS,
        )
    part_of = divide_rows(data, PARTS, settings.seed)
    parts = []
    for number in range(PARTS):
        rows = np.flatnonzero(part_of == number)
        others = exclude_shared_sentences(data.take(np.flatnonzero(part_of != number)), data.take(rows))
        if len(others) < len(data) / 2 or not others.has_variety:
            raise BadData(
                "Too many rows of {source} share a sentence to learn from their words",
                "Add rows with other sentences, or train without words.",
                source=data.source,
            )
        parts.append(Part(rows, others))
    return parts


def fit_word_judge(
    data: DataSet,
    parts: list[Part],
    settings: TrainingSettings,
    finished: TrainingLoop,
    build: Callable[[], tuple[TrainedModel, Objective]],
) -> Generator[object, None, LearntWords]:
    """Train on the other rows of each part, and return what that gives a model that was trained on all rows.

    Args:
        data: duplicates with labels, or pairs with scores.
        parts: of these.
        settings: of the training.
        finished: the training of the model: those of the parts end after the same epoch.
        build: returns the untrained model and its objective.

    Yields:
        Progress.

    Raises:
        AppError: a training failed.
    """
    assert data.labels is not None, f"{data.kind} have no labels"
    alone = replace(settings, validation=0.0, patience=0, runs=1, words=False)
    scores = np.zeros(len(data))
    alignment = np.zeros((len(data), len(ALIGNMENT_FEATURES)), np.float32)
    rarity = WordRarity.count(*data.texts)
    weights: dict[str, Any] = {}
    before = 0
    counts = [TrainingLoop.count_steps(len(part.others), alone, finished) for part in parts]
    for number, (part, count) in enumerate(zip(parts, counts, strict=True)):
        model, objective = build()
        loop = TrainingLoop(model, objective, part.others, None, alone, like=finished)
        for report in loop.run():
            if isinstance(report, StepReport):
                done, total = before + report.step, sum(counts)
                left = (total - done) / report.steps_per_s if report.steps_per_s else None
                yield Progress("parts", done, total, "steps", remaining_s=left)
            else:
                yield None
        before += count
        own = loop.copy_weights()
        weights = mix_weights(weights, own, 1 / (number + 1)) if weights else own
        held = data.take(part.rows)
        u, v, words = yield from model.embed_pairs(held, rarity)
        alignment[part.rows] = words.alignment
        scores[part.rows] = score_pairs(u, v, None if objective.head is None else objective.head.to("cpu"))
        del model, objective, loop, u, v, own  # the next ones need the memory
    kind: JudgedKind = "similarity" if data.kind == "similarity" else "duplicates"
    labels = np.asarray(data.labels, np.float64)
    words = PairWords(data.texts[0], data.texts[1], alignment)
    judge, predicted = yield from WordJudge.fit(scores, words, labels, rarity, kind)
    threshold = float(best_threshold(predicted, data.labels)) if kind == "duplicates" else None
    return LearntWords(judge, threshold, weights, len(parts) / (len(parts) + finished.combined))
