"""The words that an English word may be a form of."""

from __future__ import annotations

import pytest

from desktop_app.core.english_inflection import list_base_forms


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("departs", "depart"),
        ("ferries", "ferry"),
        ("boxes", "box"),
        ("leashes", "leash"),
        ("glasses", "glass"),
        ("horses", "horse"),
        ("captain's", "captain"),
        ("barked", "bark"),
        ("hopped", "hop"),
        ("hoped", "hope"),
        ("carried", "carry"),
        ("barking", "bark"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("agreeing", "agree"),
        ("meetings", "meet"),
        ("skippers", "skip"),
        ("hiker", "hike"),
        ("happier", "happy"),
        ("biggest", "big"),
        ("quickly", "quick"),
        ("happily", "happy"),
        ("comfortably", "comfortable"),
        ("basically", "basic"),
    ],
)
def test_a_form_names_its_word(word: str, base: str) -> None:
    assert base in list_base_forms(word)


@pytest.mark.parametrize(
    "word", ["sing", "bed", "bus", "glass", "boxs", "lbs", "fly", "gas", "rhythm", "s", "'s", "", "ed"]
)
def test_what_is_no_form_of_another_word_names_none(word: str) -> None:
    assert list_base_forms(word) == []
