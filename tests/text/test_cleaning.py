"""Cleaning of characters, hyphens, running heads and page numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.jobs import run_to_completion
from desktop_app.text.cleaning import (
    clean_character,
    count_words,
    has_wide_characters,
    is_clean,
    is_combining,
    is_suspended_hyphen,
    rate_text_quality,
    should_keep_hyphen,
)
from desktop_app.text.readers.pdf_running_lines import find_running_lines, is_page_number


def test_a_text_is_clean_if_no_character_of_it_changes() -> None:
    changed = {char for char in map(chr, range(0x110000)) if not is_clean(char)}
    assert changed == {
        char for char in map(chr, range(0x110000)) if clean_character(char) != char or is_combining(char)
    }
    assert is_clean("one blank ")
    assert not is_clean("two  blanks")


def test_one_wide_character_is_enough() -> None:
    assert has_wide_characters("page 12 of 東京")
    assert has_wide_characters("ｆｕｌｌ")
    assert not has_wide_characters("“Zoë” — naïve, Ελλάδα, русский")


@given(st.characters())
def test_no_character_becomes_a_control_a_surrogate_or_a_noncharacter(char: str) -> None:
    for letter in clean_character(char):
        code = ord(letter)
        assert letter.isprintable() or letter == " " or code > 0xA0
        assert not 0xD800 <= code < 0xE000
        assert code & 0xFFFE != 0xFFFE
        assert code >= 0x20


@pytest.mark.parametrize(
    ("char", "letters"),
    [
        ("ﬁ", "fi"),
        ("ﬃ", "ffi"),
        ("ﬆ", "st"),
        ("\u00ad", ""),
        ("\u00a0", " "),
        ("\t", " "),
        ("\ud800", ""),
        ("\ufffe", ""),
        ("é", "é"),
        ("😀", "😀"),
    ],
)
def test_a_character_becomes_letters_a_blank_or_nothing(char: str, letters: str) -> None:
    assert clean_character(char) == letters


@pytest.mark.parametrize(
    ("left", "right", "keeps"),
    [
        ("exam", "ple of this", False),
        ("Anglo", "Saxon", True),
        ("1914", "18", True),
        ("COVID", "19", True),
        ("well", "known fact", True),
        ("out-of", "scope", True),
        ("re", "lated", False),
        ("state-of-the", "art", True),
    ],
)
def test_a_line_end_hyphen_is_kept_only_if_it_belongs_to_the_word(left: str, right: str, keeps: bool) -> None:
    words = Counter({"well-known": 2, "related": 3, "re-lated": 1, "example": 1})
    assert should_keep_hyphen(left, right, words) is keeps


@pytest.mark.parametrize(
    ("left", "right", "keeps"),
    [
        ("the user", "system exchange", True),
        ("a bag", "of-words model", True),
        ("exam", "ple", False),
        ("a base", "ball", False),
        ("for", "ward", False),
        ("the flat-bot", "tomed boat", False),
        ("a broad-shoul", "dered man", False),
        ("the open-base", "ball field", False),
        ("a point-for", "point comparison", True),
        ("the multi-user", "system", True),
        ("a ten-year", "old boy", True),
        ("a man-about", "town", True),
        ("black-and-white", "striped", True),
        ("a rag-tag", "and-bobtail crowd", True),
    ],
)
def test_two_words_of_the_document_are_not_halves_of_one(left: str, right: str, keeps: bool) -> None:
    words = Counter(
        {
            "user": 3,
            "system": 4,
            "of": 9,
            "base": 2,
            "ball": 1,
            "for": 9,
            "ward": 2,
            "bottom": 1,
            "tomed": 1,
            "baseball": 3,
        }
    )
    assert should_keep_hyphen(left, right, words) is keeps


@pytest.mark.parametrize(
    ("left", "right", "is_suspended"),
    [
        ("die Nord", "und Südseite", True),
        ("ein 20", "oder 30-jähriger Mann", True),
        ("two", "and three-dimensional flows", True),
        ("in", "or outside", True),
        ("the col", "or of it", False),
        ("the fact", "or of two", False),
        ("der Ver", "under", False),
    ],
)
def test_a_hyphen_before_a_conjunction_stands_for_the_end_of_a_word(left: str, right: str, is_suspended: bool) -> None:
    words = Counter({"in": 5, "or": 3, "und": 9, "fact": 2, "factor": 1})
    assert is_suspended_hyphen(left, right, words) is is_suspended
    assert should_keep_hyphen(left, right, words) is is_suspended


def test_half_words_at_line_ends_are_not_counted() -> None:
    assert count_words(["a well-known exam-", "ple"]) == Counter({"a": 1, "well-known": 1, "ple": 1})


@pytest.mark.parametrize("line", ["12", "- 12 -", "xiv", "Page 3 of 9", "[ 7 ]", "3/10", "Seite 4"])
def test_lone_page_numbers_are_recognised(line: str) -> None:
    assert is_page_number(line)


@pytest.mark.parametrize("line", ["12 monkeys", "In 1984", "Chapter 3", "civil war", "5 10 15"])
def test_text_with_numbers_is_no_page_number(line: str) -> None:
    assert not is_page_number(line)


def test_only_lines_that_repeat_at_the_same_height_are_running_heads() -> None:
    pages = [
        [("Annual Report 2020", 780.0), (f"{number}", 20.0), ("Same words", 700.0 - 40 * number)] for number in range(5)
    ]
    assert run_to_completion(find_running_lines(pages, 12.0)) == {(page, line) for page in range(5) for line in (0, 1)}


def test_a_line_on_two_pages_is_not_a_running_head() -> None:
    assert run_to_completion(find_running_lines([[("Title", 780.0)], [("Title", 780.0)]], 12.0)) == set()


@pytest.mark.parametrize(
    "foot", [lambda page: f"{page + 40}", lambda page: f"A report, page {page} of 5", lambda _: "12 March 2026"]
)
def test_numbers_that_count_the_pages_or_stay_are_running_lines(foot: Callable[[int], str]) -> None:
    pages = [[("Annual Report 2020", 780.0), (foot(number), 20.0)] for number in range(5)]
    assert run_to_completion(find_running_lines(pages, 12.0)) == {(page, line) for page in range(5) for line in (0, 1)}


@pytest.mark.parametrize(
    "totals",
    [
        ("Total 310.50 EUR", "Total 87.20 EUR", "Total 1,204.00 EUR", "Total 66.10 EUR"),
        ("310.50", "87.20", "1204", "66.10"),
        ("civil", "mix", "ill", "vivid"),
        ("Rotate: 0", "Rotate: 90", "Rotate: 180", "Rotate: 270"),
    ],
)
def test_lines_that_differ_only_in_their_numbers_are_text(totals: tuple[str, ...]) -> None:
    assert run_to_completion(find_running_lines([[(text, 20.0)] for text in totals], 12.0)) == set()


def test_a_number_with_the_word_page_needs_no_other_page() -> None:
    pages = [[("Page 17", 20.0)], [("- 4 -", 20.0)], [("3", 20.0)], [("1999", 20.0)]]
    assert run_to_completion(find_running_lines(pages, 12.0)) == {(0, 0), (1, 0), (2, 0)}


def test_unreadable_characters_lower_the_quality() -> None:
    assert rate_text_quality("All of this can be read.") == 1.0
    assert rate_text_quality("") == 0.0
    assert rate_text_quality("(cid:12)(cid:13)(cid:14)") == 0.0
    assert rate_text_quality("ok\ufffd\ufffd") == 0.5
    assert rate_text_quality("Wordsgluedtogetherwithoutanyblank x") == 0.5  # they are still text
