"""What is said of a training's result, and what there is to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.evaluation import Evaluation
from desktop_app.core.messages import NOTHING
from desktop_app.core.score_intervals import ScoreDifference
from desktop_app.core.training import EpochReport, TrainingReport
from desktop_app.core.training_settings import PRESETS
from desktop_app.core.training_verdict import judge_training, list_reasons

SETTINGS = PRESETS["similarity"]


def report(
    before: float,
    after: float,
    half_width: float,
    rows: int,
    learnt: int = 5000,
    losses: tuple[float, ...] = (1.0, 0.5),
) -> TrainingReport:
    gap = after - before
    difference = ScoreDifference("spearman", before, after, gap - half_width, gap + half_width, rows)
    epochs = tuple(EpochReport(number, loss, None) for number, loss in enumerate(losses, start=1))
    judged = Evaluation("similarity", {}, differences={"spearman": difference})
    return TrainingReport("m", epochs, {}, {}, 1, None, learnt, rows, 0, 1.0, 1.0, judged=judged)


@pytest.mark.parametrize(
    ("before", "after", "half_width", "rows", "code", "says"),
    [
        (0.80, 0.84, 0.01, 500, "training_better", "improved"),
        (-0.85, -0.47, 0.2, 500, "training_inverted", "Check that a higher score in the data means more similar"),
        (0.84, 0.80, 0.01, 500, "training_worse", "made the model worse. The original weights are kept"),
        (
            0.80,
            0.75,
            0.30,
            8,
            "training_worse_unclear",
            "8 validation rows are too few to be sure; about 290 would be needed",
        ),
        (0.80, 0.82, 0.10, 40, "training_unclear", "with 40 validation rows, a difference this small may be chance"),
        (0.80, 0.802, 0.004, 5000, "training_same", "on 5,000 validation rows, the scores differ by less than 0.01"),
    ],
)
def test_a_verdict_says_how_sure_it_is(
    before: float, after: float, half_width: float, rows: int, code: str, says: str
) -> None:
    found = judge_training(report(before, after, half_width, rows))
    assert found.code == code
    assert says in str(found)


def test_without_validation_rows_there_is_no_verdict() -> None:
    done = replace(report(0.8, 0.7, 0.01, 500), judged=None)
    assert judge_training(done) == NOTHING
    assert list_reasons(done, SETTINGS) == []


def codes(done: TrainingReport, **changes: object) -> list[str]:
    return [each.code for each in list_reasons(done, replace(SETTINGS, **changes))]  # type: ignore[arg-type]


def test_a_better_model_needs_no_reasons() -> None:
    assert codes(report(0.80, 0.84, 0.01, 500)) == []
    assert codes(report(0.80, 0.80, 0.01, 500)) == []


def test_the_reasons_are_those_that_the_training_shows() -> None:
    clear = report(0.84, 0.80, 0.01, 500)
    assert codes(clear) == ["overfitting", "check_data"]
    assert codes(report(0.84, 0.80, 0.10, 8)) == ["few_validation_rows", "overfitting", "check_data"]
    assert codes(report(0.84, 0.80, 0.01, 500, learnt=99))[0] == "few_training_rows"
    assert codes(report(0.84, 0.80, 0.01, 500, losses=(1.0, 0.95))) == ["loss_did_not_fall", "check_data"]
    assert codes(report(0.84, 0.80, 0.01, 500, losses=(1.0,))) == ["check_data"]
    assert codes(clear, learning_rate=SETTINGS.learning_rate * 3)[0] == "high_learning_rate"
    assert codes(clear, learning_rate=SETTINGS.learning_rate * 2) == ["overfitting", "check_data"]
    assert "new_layers" in codes(clear, pooling="cls")
    assert "new_layers" in codes(clear, projection=64)
    assert "new_layers" not in codes(clear, projection=64, architecture="cross")
