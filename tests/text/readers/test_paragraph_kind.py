"""What a passage is by its lines and words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from desktop_app.text.readers.paragraph_kind import classify_passage, is_reference_heading, looks_like_reference


def line(**facts: object) -> Any:
    usual = {"fixed_pitch": False, "bold": False, "size": 10.0, "cells": 1, "is_table_row": False}
    return SimpleNamespace(**usual | facts)


PLAIN, FIXED, BOLD, LARGE = line(), line(fixed_pitch=True), line(bold=True), line(size=14.0)
LONG = "The sea rises " * 20
PROSE = "The sea rises twice a day."


@pytest.mark.parametrize(
    ("text", "lines", "kind"),
    [
        (PROSE, [PLAIN, PLAIN], "body"),
        ("for each in rows: total += each", [FIXED, FIXED], "code"),
        ("for each in rows: total += each", [FIXED, PLAIN], "body"),
        ("for each in rows: total += each", [FIXED], "body"),
        (PROSE, [FIXED, FIXED], "body"),  # a screenplay
        ("a b c", [line(is_table_row=True)], "table"),
        ("a b c", [line(cells=3)], "table"),
        ("a b c", [line(cells=2)], "body"),
        ("sea tide\nice melt", [line(cells=2), line(cells=2)], "table"),
        ("The tides ........ 12", [PLAIN], "table"),
        ("sea 1 2 3", [PLAIN], "table"),
        ("sea 1 2", [PLAIN], "body"),
        ("• The sea", [PLAIN], "list"),
        ("(a) the sea", [PLAIN], "list"),
        ("2.1 Tides", [PLAIN], "heading"),
        ("Tides of the bay", [BOLD], "heading"),
        ("Tides of the bay", [BOLD, PLAIN], "body"),
        (PROSE, [BOLD], "body"),
        ("Tides of the bay", [LARGE], "heading"),
        (PROSE, [LARGE], "heading"),
        (PROSE, [line(size=12.0)], "body"),
        (LONG, [LARGE], "body"),
        ("References", [PLAIN], "heading"),
    ],
)
def test_a_passage_has_the_kind_of_its_lines_and_words(text: str, lines: list[Any], kind: str) -> None:
    assert classify_passage(text, lines, 10.0) == kind


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("7. References", True), ("Literaturverzeichnis:", True), ("References to tides", False), ("", False)],
)
def test_a_heading_begins_a_list_of_references(text: str, is_one: bool) -> None:
    assert is_reference_heading(text) is is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Airy, G. (1845). Tides and waves.", True),
        ("[3] anything", True),
        ("12. Airy 1845", True),
        ("Airy, G. Tides and waves.", False),
        ("in the year 1845 the sea rose", False),
    ],
)
def test_an_entry_has_a_year_and_names_or_a_mark(text: str, is_one: bool) -> None:
    assert looks_like_reference(text) is is_one
