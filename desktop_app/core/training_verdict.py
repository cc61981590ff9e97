"""Whether a training made its model better, in words, and what to look at if it did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.objectives import OBJECTIVES
from desktop_app.core.score_intervals import SMALL_DIFFERENCE
from desktop_app.core.training_settings import PRESETS

if TYPE_CHECKING:
    from desktop_app.core.training import TrainingReport
    from desktop_app.core.training_settings import TrainingSettings

_FEW_ROWS = 100
_HIGH_RATE = 2  # times that of the preset
_CLEAR_FALL = 0.9  # of the loss of the first epoch


def judge_training(report: TrainingReport) -> Message:
    """Return whether the model got better, and which weights were kept; nothing without validation rows."""
    found = report.difference
    if found is None:
        return NOTHING
    if found.after < found.before:
        if found.change == "worse":
            return Message("Training made the model worse. The original weights are kept.", code="training_worse")
        return Message(
            "The model scores lower than before, but {rows:,} validation rows are too few to be sure; about "
            "{needed:,} would be needed. The original weights are kept.",
            code="training_worse_unclear",
            rows=found.rows,
            needed=found.rows_needed,
        )
    if found.change == "better" and found.after < 0:
        return Message(
            "The model improved, but it still scores pairs lower where the data scores them higher. Check "
            "that a higher score in the data means more similar.",
            code="training_inverted",
        )
    if found.change == "better":
        return Message("The model improved.", code="training_better")
    if found.rows_needed <= found.rows:
        return Message(
            "No clear change: on {rows:,} validation rows, the scores differ by less than {difference:.2f}.",
            code="training_same",
            rows=found.rows,
            difference=SMALL_DIFFERENCE,
        )
    return Message(
        "No clear change: with {rows:,} validation rows, a difference this small may be chance. About "
        "{needed:,} would be needed to tell.",
        code="training_unclear",
        rows=found.rows,
        needed=found.rows_needed,
    )


def list_reasons(report: TrainingReport, settings: TrainingSettings) -> list[Message]:
    """Return what to look at after a training that made its model worse; empty after any other."""
    found = report.difference
    if found is None or found.after >= found.before:
        return []
    reasons = []
    if found.change == "unclear":
        reasons.append(
            Message(
                "validation: very few rows ({rows:,}); use more, or a separate validation file",
                code="few_validation_rows",
                rows=found.rows,
            )
        )
    if report.rows < _FEW_ROWS:
        reasons.append(
            Message(
                "rows: very few ({rows:,}); add more, or train for fewer epochs",
                code="few_training_rows",
                rows=report.rows,
            )
        )
    usual = PRESETS[OBJECTIVES[settings.objective].preset]
    if settings.learning_rate > _HIGH_RATE * usual.learning_rate:
        reasons.append(
            Message(
                "learning rate: {rate:g} is high; {usual:g} is usual for this objective",
                code="high_learning_rate",
                rate=settings.learning_rate,
                usual=usual.learning_rate,
            )
        )
    losses = [each.loss for each in report.epochs]
    if len(losses) > 1 and losses[-1] < _CLEAR_FALL * losses[0]:
        reasons.append(
            Message(
                "overfitting: the loss fell but the score did not rise; train for fewer epochs, or average the weights",
                code="overfitting",
            )
        )
    elif len(losses) > 1:
        reasons.append(
            Message(
                "loss: it barely fell; labels may contradict each other, or the learning rate may not suit the data",
                code="loss_did_not_fall",
            )
        )
    if settings.architecture == "siamese" and (settings.pooling or settings.projection):
        reasons.append(
            Message(
                "layers: a new pooling or projection layer needs more rows than the model's own layers",
                code="new_layers",
            )
        )
    reasons.append(
        Message(
            "data: check the largest errors; labels may be swapped, or columns mixed up",
            code="check_data",
        )
    )
    return reasons
