"""`train`: a model of one's own from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

PAIRS = [
    ("A cat sleeps.", "The cat is asleep.", 1),
    ("Bees make honey.", "Honey comes from bees.", 1),
    ("The river froze.", "Ice covered the river.", 1),
    ("She sells bread.", "Bread is sold by her.", 1),
    ("A ship left the harbour.", "The engine needs oil.", 0),
    ("The court gave its verdict.", "Nobody likes rain.", 0),
    ("Snow fell in May.", "He plays the flute.", 0),
    ("A lamp burns.", "The garden is closed.", 0),
    ("The old wall fell.", "The train was late.", 0),
    ("It is noon.", "Wolves howl at night.", 0),
]


@pytest.fixture
def pairs(tmp_path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(f"{a}\t{b}\t{c}" for a, b, c in PAIRS), "utf-8")
    return file


def test_a_trained_model_is_reported_and_can_be_used(kindred, pairs, tmp_path) -> None:
    output = tmp_path / "mine"
    options = ("--epochs", 1, "--batch-size", 4, "--max-length", 16, "--validation", 0.4, "--seed", 3)
    answer = kindred("train", pairs, "--output", output, *options, "--json")
    assert answer.status == 0, answer.out
    found = answer.json
    assert {"output", "epochs", "before", "after", "seconds", "steps_per_s"} <= set(found)
    assert found["output"] == str(output)
    assert [set(epoch) for epoch in found["epochs"]] == [{"epoch", "loss", "validation"}]
    measured = kindred("evaluate", pairs, "--model", output, "--json").json
    assert measured["threshold_from"] == "stored"
    assert measured["threshold"] == found["threshold"]
    compared = kindred("compare", "Bees make honey.", "Honey comes from bees.", "--model", output, "--json").json
    assert compared["label"] in ("same", "different")
    assert 0.5 <= compared["probability"] <= 1
    again = kindred("train", pairs, "--output", output)
    assert (again.status, "exists already" in again.err) == (3, True)
    assert kindred("info", "--json").json["model"] != "mine"


def test_what_cannot_be_trained_says_why(kindred, pairs, tmp_path) -> None:
    output = ("--output", tmp_path / "mine")
    wrong = kindred("train", pairs, *output, "--objective", "cosine", "--preset", "nli")
    assert (wrong.status, "is for softmax, not cosine" in wrong.err) == (2, True)
    fits_not = kindred("train", pairs, *output, "--preset", "nli", "--epochs", 1, "--columns", "sentence1,sentence2")
    assert (fits_not.status, "learns from nli" in fits_not.err) == (3, True)
    assert kindred("train", pairs, *output, "--validation", "2").status == 2
    missing = kindred("train", tmp_path / "none.tsv", *output)
    assert (missing.status, "cannot be read" in missing.err) == (3, True)
    assert not (tmp_path / "mine").exists()
