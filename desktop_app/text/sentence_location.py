"""Finds a sentence on a page by its letters and digits."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from desktop_app.text.cleaning import clean_character

if TYPE_CHECKING:
    from collections.abc import Sequence

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
"""A reader turns raised digits into superscripts; PDFium and the file's own text may have either."""
_MIN_SIMILARITY = 85.0
"""Lowest percentage of equal letters if a sentence is not on the page literally."""
_MIN_SAME_TEXT = 60.0
"""Below this percentage the text at a sentence's place is another one: the file has changed."""


def extract_letters(text: str) -> str:
    """Return the letters and digits of `text`, lower case, ligatures decomposed, without accents.

    An accent may be a character of its own on the page, beside its letter or elsewhere in the line.
    """
    text = text.translate(_RAISED)
    if not text.isascii():
        text = normalize("NFD", text)
    return "".join(letter.lower() for char in text for letter in clean_character(char) if letter.isalnum())


class PageLetters:
    """The letters and digits of a page, each with PDFium's index of its character."""

    def __init__(self, codes: Sequence[int]) -> None:
        self._codes = codes
        letters: list[str] = []
        indices: list[int] = []
        for index, code in enumerate(codes):
            if 0 < code < 0x110000:
                for letter in extract_letters(chr(code)):
                    letters.append(letter)
                    indices.append(index)
        self.text = "".join(letters)
        self._indices = indices

    def find(self, sentence: str, expected: float = 0.0) -> tuple[int, int] | None:
        """Find a sentence.

        Args:
            sentence: its text.
            expected: where to look first, as a share of the page's text: the nearest of several matches counts.

        Returns:
            PDFium's first index and one past the last; None if the sentence is not on the page.
        """
        wanted = extract_letters(sentence)
        if not wanted or not self.text:
            return None
        found = _find_all(self.text, wanted)
        if found:
            goal = expected * len(self.text)
            start = min(found, key=lambda at: abs(at - goal))
            return self._include_marks(sentence, self._indices[start], self._indices[start + len(wanted) - 1] + 1)
        from rapidfuzz import fuzz

        near = fuzz.partial_ratio_alignment(wanted, self.text, score_cutoff=_MIN_SIMILARITY)
        if near is None or near.dest_end <= near.dest_start or len(wanted) > 2 * len(self.text):
            return None
        return self._include_marks(sentence, self._indices[near.dest_start], self._indices[near.dest_end - 1] + 1)

    def _include_marks(self, sentence: str, start: int, stop: int) -> tuple[int, int]:
        """Extend a match to the quotes, brackets and stops around the sentence."""
        before, after = _leading_marks(sentence), _leading_marks(sentence[::-1])
        while start > 0 and self._codes[start - 1] in before:
            start -= 1
        while stop < len(self._codes) and self._codes[stop] in after:
            stop += 1
        return start, stop


def _leading_marks(sentence: str) -> set[int]:
    """Return the characters before the first letter or digit."""
    first = next((at for at, char in enumerate(sentence) if char.isalnum()), 0)
    return {ord(char) for char in sentence[:first] if not char.isspace()}


def _find_all(text: str, wanted: str) -> list[int]:
    places = []
    at = text.find(wanted)
    while at >= 0:
        places.append(at)
        at = text.find(wanted, at + 1)
    return places


def matches_sentence(stretch: str, sentence: str) -> bool:
    """Return whether a stretch of a page is (a part of) the sentence that was read there."""
    there, wanted = extract_letters(stretch), extract_letters(sentence)
    if not there or not wanted:
        return not wanted
    if there in wanted:
        return True
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(there, wanted) >= _MIN_SAME_TEXT
