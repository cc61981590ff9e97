"""Names and numbers of a training in words."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.gui.training.labels import (
    find_key_measure,
    format_error_line,
    label_intervals,
    label_measure,
    label_measures,
)

SIMILAR = {"cosine": 0.875, "dot": 0.75, "rows": 9}
FOUND = {
    "spearman": SIMILAR,
    "accuracy": 0.5,
    "mrr@10": 0.25,
    "odd": 0.125,
    "rows": 100,
    "confusion": {"same": 0.5, "other": 0.25},
    "intervals": {"spearman": (0.8, 0.9), "accuracy": (0.4, 0.6)},
}


def test_numbers_have_names_and_counts_and_tables_are_left_out(qapp: object) -> None:
    assert label_measures(FOUND) == {
        **{"Spearman, cosine": 0.875, "Spearman, dot": 0.75},
        **{"accuracy": 0.5, "MRR@10": 0.25, "odd": 0.125},
    }


def test_intervals_have_the_names_of_their_measures(qapp: object) -> None:
    intervals = label_intervals(FOUND)
    assert intervals == {"Spearman, cosine": (0.8, 0.9), "accuracy": (0.4, 0.6)}
    assert set(intervals) <= set(label_measures(FOUND))
    assert label_intervals({"accuracy": 0.5}) == {}
    assert label_measure("odd", FOUND) == "odd"


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (FOUND, ("Spearman", 0.875)),
        ({"spearman": dict.fromkeys(SIMILAR), "accuracy": 0.5}, None),
        ({"accuracy": 0.5, "mrr@10": 0.25}, ("MRR@10", 0.25)),
        ({"accuracy": 0.5, "average_precision": 0.75}, ("average precision", 0.75)),
        ({"accuracy": 0.5}, ("accuracy", 0.5)),
        ({"f1": 0.5, "accuracy": None}, None),
    ],
)
def test_one_measure_compares_epochs(found: dict[str, object], key: object, qapp: object) -> None:
    assert find_key_measure(found) == key


def test_an_error_is_one_line(qapp: object) -> None:
    line = format_error_line(UsageError("It is torn", "Mend it."))
    assert "It is torn" in line
    assert "Mend it." in line
    assert format_error_line(ValueError("odd")) == "odd"
