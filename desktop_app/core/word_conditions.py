"""Conditions on the words of a text: words in any form, exact phrases, beginnings of words, and groups of them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(f"(?:[^\\W_]|[{MARKS}])+")
_KEPT_CLASSES = (0, 8, 9)  # of marks: vowel signs, voiced kana and the virama make another word, accents do not


@dataclass(frozen=True, slots=True)
class ExactPhrase:
    """Words with these letters, case and accents aside, one after the other."""

    text: str


@dataclass(frozen=True, slots=True)
class WordStart:
    """A word that begins so."""

    text: str


@dataclass(frozen=True, slots=True)
class WordGroup:
    """Several conditions: any of them, or all."""

    parts: tuple[WordCondition, ...]
    is_any: bool


WordCondition: TypeAlias = "str | ExactPhrase | WordStart | WordGroup"
"""A text is a word or phrase in any of its forms."""


def iter_words_of(condition: WordCondition) -> Iterator[str | ExactPhrase | WordStart]:
    """Yield the words, phrases and beginnings in a condition."""
    if isinstance(condition, WordGroup):
        for part in condition.parts:
            yield from iter_words_of(part)
    else:
        yield condition


def fold_words(text: str) -> str:
    """Return the words of a text between single blanks, without case and accents, with a blank at both ends."""
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in apart if unicodedata.combining(letter) in _KEPT_CLASSES)
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def has_words(text: str | None, folded: str) -> bool:
    """Return whether a text has these words, one after the other, as `fold_words` returns them.

    Without the blank at its end the last word may go on.
    """
    return text is not None and folded in fold_words(text)
