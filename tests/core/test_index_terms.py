"""Highlights match the full-text index: both tokenize and stem in the same way."""

from __future__ import annotations

import random
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.index_terms import iter_terms
from desktop_app.core.stop_words import STOP_WORDS
from desktop_app.store.migrations import TOKENIZER

ROOT = Path(__file__).parents[2]

_BEGINNINGS = """
    abbey agr bl bubbl c care conflat conform controll decid deriv dig e electr f fail fil fizz flow formal gyro hop
    hopp inferen irritat k li lov m nation oper oxygen p plaster predic radic rat relat replac s sens sensibil sk
    summar syz t tan tie tr trouble u vi vile w x y yell
"""
_ENDINGS = """
    a able ably al aliti alism alize alli ally ance anci ant ate ation ational ative ator bl bli e ed eed edly eli ement
    enc ence enci ent entli er es ful fulness ible ic ical icate iciti ies ing ingly ion ism iti ive iveness iviti iz
    ize ization izer l ll logi logy ly ment ness ou ous ousli ousness s sion ss sses tion tional y ying z
"""


def of_the_index(text: str) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.text_factory = lambda found: found.decode("utf-8", "replace")
        connection.execute(f"CREATE VIRTUAL TABLE t USING fts5(text, tokenize = '{TOKENIZER}')")
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
        connection.execute("INSERT INTO t VALUES (?)", (text,))
        return [row[0] for row in connection.execute("SELECT term FROM v ORDER BY offset")]


def letters(first: int, last: int, *, without: str = "") -> str:
    chosen = (chr(code) for code in range(first, last + 1))
    return " ".join(f"{letter}rosiert an{letter}ing" for letter in chosen if letter.isalpha() and letter not in without)


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"{beginning}{ending}" for beginning in _BEGINNINGS.split() for ending in ["", *_ENDINGS.split()]),
        " ".join("".join(random.Random(seed).choices("aeiybsxlt", k=seed % 9 + 1)) for seed in range(3000)),
        " ".join(sorted(STOP_WORDS)),
        (ROOT / "resources/manual/en/search.md").read_text("utf-8"),
        (ROOT / "resources/manual/de/search.md").read_text("utf-8"),
        "don't it\u2019s well-known snake_case x1 1,000 3.5 m\u00b2 \u00bd C++ a.b@c.org \U0001f30asea\U0001f30a",
        "cafe\u0301 nai\u0308vete\u0301s o\u0305ver \u0301alone STRASSEN",
        "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2 \u5317\u4eac\u5e02 \u05e9\u05dc\u05d5\u05dd",
        # Hindi, Tamil, Thai, Hebrew, Arabic; emoji; every mark.
        "\u0939\u093f\u0928\u094d\u0926\u0940 \u092d\u093e\u0937\u093e \u092e\u0947\u0902",
        "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0bae\u0bca\u0bb4\u0bbf \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
        "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u0643\u0650\u062a\u064e\u0627\u0628\u064c",
        "1\ufe0f\u20e3 love \u2764\ufe0f",
        " ".join(f"q{chr(code)}z" for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc")),
        "a" * 61 + "ing " + "a" * 62 + "ing " + "\u00df" * 30 + "ing " + "\u00df" * 31 + "ing",
        # Latin with accents except the dotted capital I, whose lower case is two letters; Vietnamese; Greek; Cyrillic.
        letters(0xC0, 0x17F, without="\u0130"),
        letters(0x1EA0, 0x1EF9),
        letters(0x391, 0x3C9),
        letters(0x400, 0x4FF),
    ],
)
def test_terms_equal_those_of_the_full_text_index(text: str) -> None:
    assert [term.term for term in iter_terms(text)] == of_the_index(text)


def test_terms_are_at_their_reported_positions() -> None:
    text = "The caf\u00e9s rise, cafe\u0301s too."
    assert [(term.term, text[term.start : term.stop]) for term in iter_terms(text)] == [
        ("the", "The"),
        ("cafe", "caf\u00e9s"),
        ("rise", "rise"),
        ("cafe", "cafe\u0301s"),
        ("too", "too"),
    ]


def test_only_words_with_wanted_initials_are_stemmed() -> None:
    words = [(term.term, term.start) for term in iter_terms("Seas rise, Élan sinks", frozenset("se"))]
    assert words == [("sea", 0), ("", 5), ("elan", 11), ("sink", 16)]
