"""Files of evaluations, compared whole."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

from desktop_app.core.evaluation import EvaluatedRow, Evaluation
from desktop_app.core.evaluation_files import flatten_measures, write_evaluated_rows, write_scores
from desktop_app.core.messages import Message

MEASURES: dict[str, object] = {
    "rows": 40,
    "accuracy": 0.75,
    "spearman": {"cosine": 0.5, "dot": 0.25, "rows": 40},
    "confusion": {"same": 0.125},
}
FOUND = Evaluation(
    "duplicates",
    MEASURES,
    model="small",
    folder="/models/small",
    notes=(Message("Few rows."),),
    rows=(
        EvaluatedRow(2, ("A cat.", "A dog."), "different", "same", 0.12345678, {"same": 0.75, "different": 0.25}),
        EvaluatedRow(3, ("A cat.", "Cats."), "same", "same", 0.5),
    ),
)


def table(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines, "excel-tab" if file.suffix == ".tsv" else "excel"))


def test_measures_are_flattened_without_counts_and_tables() -> None:
    assert flatten_measures(MEASURES) == {"accuracy": 0.75, "spearman, cosine": 0.5, "spearman, dot": 0.25}


def test_every_row_of_every_model(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    write_evaluated_rows(file, [FOUND, replace(FOUND, model="large", rows=FOUND.rows[1:])])
    assert table(file) == [
        [
            "model",
            "line",
            "sentence1",
            "sentence2",
            "label",
            "found",
            "score",
            "probability_same",
            "probability_different",
        ],
        ["small", "2", "A cat.", "A dog.", "different", "same", "0.123457", "0.75", "0.25"],
        ["small", "3", "A cat.", "Cats.", "same", "same", "0.5", "", ""],
        ["large", "3", "A cat.", "Cats.", "same", "same", "0.5", "", ""],
    ]


def test_triplets_name_their_sentences(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    row = EvaluatedRow(2, ("a", "p", "n"), "right", "wrong", -0.5)
    write_evaluated_rows(file, [replace(FOUND, task="triplets", rows=(row,))])
    assert table(file) == [
        ["model", "line", "anchor", "positive", "negative", "label", "found", "score"],
        ["small", "2", "a", "p", "n", "right", "wrong", "-0.5"],
    ]


def test_scores_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    write_scores(file, [("small", MEASURES, FOUND), ("large", {"accuracy": 0.5, "f1": 0.25}, None)])
    assert table(file) == [
        ["measure", "small", "large"],
        ["accuracy", "0.75", "0.5"],
        ["spearman, cosine", "0.5", ""],
        ["spearman, dot", "0.25", ""],
        ["f1", "", "0.25"],
    ]


def test_scores_with_all_details(tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    write_scores(file, [("small before", MEASURES, FOUND), ("large", {"accuracy": 0.5}, None)])
    first, second = json.loads(file.read_text("utf-8"))
    assert (first["model"], first["folder"], first["task"], first["measures"]) == (
        *("small before", "/models/small", "duplicates"),
        MEASURES,
    )
    assert (first["notes"], first["rows"]) == (["Few rows."], [])
    assert second == {"measures": {"accuracy": 0.5}, "model": "large"}
