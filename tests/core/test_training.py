"""Reports of trainings and mined negatives, written and read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop_app.core.evaluation import CurvePoints, Evaluation, MisjudgedPair
from desktop_app.core.messages import Message
from desktop_app.core.score_intervals import RowResults, ScoreDifference
from desktop_app.core.training import (
    EpochReport,
    TrainingReport,
    read_negatives,
    read_report,
    write_negatives,
    write_report,
)

DIFFERENCE = ScoreDifference("average_precision", 0.5, 0.75, -0.125, 0.5, 10)
JUDGED = Evaluation(
    "duplicates",
    {"accuracy": 0.75, "intervals": {"accuracy": [0.5, 1.0]}},
    curves={"roc": CurvePoints((0.0, 1.0), (0.25, 1.0))},
    model="m",
    folder="/m",
    results=RowResults("duplicates", 2, (0.0, 1.0), (0.25, 0.5), (0.0, 1.0), {"accuracy": (1.0, 1.0)}),
    differences={"average_precision": DIFFERENCE},
)
REPORT = TrainingReport(
    output="/models/new",
    epochs=(EpochReport(1, 0.5, {"accuracy": 0.5}), EpochReport(2, 0.25, None)),
    before={"accuracy": 0.5},
    after={"accuracy": 0.75},
    best_epoch=2,
    threshold=0.625,
    rows=90,
    validation_rows=10,
    left_out=3,
    seconds=12.5,
    steps_per_s=2.5,
    resumed_at=4,
    stopped=Message("Stopped."),
    warnings=(Message("Few rows."),),
    judged=JUDGED,
    judged_before=replace(JUDGED, measures={"accuracy": 0.5}),
    averaged=True,
)


def test_a_report_stands_beside_the_model_and_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_report(tmp_path / "new", REPORT)
    assert [file.name for file in tmp_path.iterdir()] == ["new.report.json"]
    assert read_report(tmp_path / "new") == REPORT


def test_the_key_measure_tells_whether_a_training_made_its_model_better() -> None:
    assert REPORT.difference == DIFFERENCE
    assert replace(REPORT, judged=None).difference is None
    assert replace(REPORT, judged=replace(JUDGED, differences={})).difference is None


def test_a_report_holds_no_sentence_of_the_data(tmp_path: Path) -> None:
    worst = (MisjudgedPair(2, "My secret.", "Another.", "same", "different", 0.5),)
    write_report(tmp_path / "new", replace(REPORT, judged=replace(JUDGED, worst=worst)))
    assert "secret" not in (tmp_path / "new.report.json").read_text("utf-8")
    assert read_report(tmp_path / "new") == REPORT


def test_a_missing_or_damaged_report_is_none(tmp_path: Path) -> None:
    assert read_report(tmp_path / "new") is None
    for damaged in ("", "[]", "{}", '{"epochs": 3}', "\x00"):
        (tmp_path / "new.report.json").write_text(damaged, "utf-8")
        assert read_report(tmp_path / "new") is None


def test_negatives_may_hold_any_character(tmp_path: Path) -> None:
    found = {("a\u2028b", "c\nd"): "\ud800 lone", ("x", "y"): "z"}
    write_negatives(tmp_path / "negatives", found)
    assert read_negatives(tmp_path / "negatives") == found
