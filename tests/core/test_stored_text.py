"""Texts and names as a library stores and shows them."""

from __future__ import annotations

import pytest

from desktop_app.core.stored_text import display_title, fold_text
from desktop_app.core.tags import clean_tag, parse_tags

TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}fdp.exe\N{POP DIRECTIONAL FORMATTING}"


def test_no_title_turns_the_line_that_it_stands_in() -> None:
    assert display_title("", None, TURNED) == "fdp.exe"
    assert display_title("", f"{TURNED} 2", "a.txt") == "fdp.exe 2"
    assert display_title("", "\N{HEBREW LETTER ALEF}\N{RIGHT-TO-LEFT MARK}", "a.txt").endswith("\N{RIGHT-TO-LEFT MARK}")


@pytest.mark.parametrize(
    "opener", ["\N{LEFT-TO-RIGHT EMBEDDING}", "\N{RIGHT-TO-LEFT ISOLATE}", "\N{FIRST STRONG ISOLATE}"]
)
def test_no_tag_does(opener: str) -> None:
    assert clean_tag(f"{opener}sea") == "sea"
    assert parse_tags(f"{opener}sea, bread") == ["sea", "bread"]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("SEA", "sea"),
        ("Ärger im Café", "arger im cafe"),
        ("A\N{COMBINING DIAERESIS}rger", "arger"),
        ("Straße", "strasse"),
        ("\N{LATIN SMALL LIGATURE FI}nal №\N{SUPERSCRIPT TWO}", "final no2"),
        ("Ὀδύσσεια", "οδυσσεια"),
        ("\N{HEBREW LETTER SHIN}\N{HEBREW POINT QAMATS}", "\N{HEBREW LETTER SHIN}"),
    ],
)
def test_case_and_accents_are_folded(text: str, folded: str) -> None:
    assert fold_text(text) == folded
