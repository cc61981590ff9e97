"""Words in the form of the full-text index: case-folded, without accents, stemmed.

The index is SQLite's FTS5. This module repeats what FTS5 does to a word (`unicode61 remove_diacritics 2` with marks as
parts of words, then `porter`), so that matched words can be highlighted; a test compares both, word by word. The stems
are those of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two rules that its author
added later (-bli, -logi).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

# Letters, digits and marks.
_TERM = re.compile(f"(?:[^\\W_]|[{MARKS}])+")
# The accents that the index removes from words.
_REMOVED_MARKS = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030f\u0311\u031b"
    "\u0323\u0324\u0325\u0326\u0327\u0328\u032d\u032e\u0330\u0331"
)
# Minimum and maximum length in bytes of a word that is stemmed; others are left as they are.
_SHORTEST, _LONGEST = 3, 64
_CACHED_STEMS = 1 << 14
_VOWELS = frozenset(b"aeiou")
_Y, _E, _L, _S, _T = b"yelst"

_STEP_2 = (
    *((b"ational", b"ate"), (b"tional", b"tion"), (b"enci", b"ence"), (b"anci", b"ance"), (b"izer", b"ize")),
    *((b"logi", b"log"), (b"bli", b"ble"), (b"alli", b"al"), (b"entli", b"ent"), (b"eli", b"e"), (b"ousli", b"ous")),
    *((b"ization", b"ize"), (b"ation", b"ate"), (b"ator", b"ate"), (b"alism", b"al"), (b"iveness", b"ive")),
    *((b"fulness", b"ful"), (b"ousness", b"ous"), (b"aliti", b"al"), (b"iviti", b"ive"), (b"biliti", b"ble")),
)
_STEP_3 = (
    *((b"icate", b"ic"), (b"ative", b""), (b"alize", b"al"), (b"iciti", b"ic"), (b"ical", b"ic"), (b"ful", b"")),
    (b"ness", b""),
)
_STEP_4 = (
    *(b"al", b"ance", b"ence", b"er", b"ic", b"able", b"ible", b"ant", b"ement", b"ment", b"ent", b"ion", b"ou"),
    *(b"ism", b"ate", b"iti", b"ous", b"ive", b"ize"),
)


class IndexTerm(NamedTuple):
    """A word of a text: its form in the index, and its position (half-open, in characters)."""

    term: str
    start: int
    stop: int


def iter_terms(text: str, initials: frozenset[str] | None = None) -> Iterator[IndexTerm]:
    """Yield the words of a text, in order.

    With `initials` (first letters of terms) a word that starts with none of them gets an empty term: that saves most of
    the time when only some words are wanted.
    """
    for match in _TERM.finditer(text):
        word = match.group()
        is_wanted = initials is None or _fold_case(word[0]) in initials
        yield IndexTerm(stem_word(word) if is_wanted else "", match.start(), match.end())


@lru_cache(maxsize=_CACHED_STEMS)
def stem_word(word: str) -> str:
    """Return the form of a word in the index."""
    return _porter_stem(_fold_case(word).encode()).decode("utf-8", "replace")


def _fold_case(word: str) -> str:
    """Return a word in lower case, letters of the Latin alphabet without their accents."""
    if word.isascii():
        return word.lower()
    return "".join(map(_fold_letter, word))


def _fold_letter(letter: str) -> str:
    small = letter.casefold()
    if len(small) != 1:
        small = letter.lower()
    if len(small) != 1:
        return letter
    if small in _REMOVED_MARKS:
        return ""
    apart = unicodedata.normalize("NFD", small)
    return apart[0] if len(apart) > 1 and apart[0].isascii() else small


def _porter_stem(word: bytes) -> bytes:
    if not _SHORTEST <= len(word) <= _LONGEST:
        return word
    word = _strip_ing(_strip_plural(word))
    if word[-1] == _Y and _has_vowel(word[:-1]):
        word = word[:-1] + b"i"
    for endings in (_STEP_2, _STEP_3):
        word = _replace_ending(word, endings)
    word = _strip_ending(word)
    if word[-1] == _E:
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    if word[-2:] == b"ll" and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _strip_plural(word: bytes) -> bytes:
    """Step 1a."""
    if word[-1] != _S or word[-2] == _S:
        return word
    if word.endswith((b"sses", b"ies")):
        return word[:-2] if len(word) > (4 if word.endswith(b"sses") else 3) else word[:-1]
    return word[:-1]


def _strip_ing(word: bytes) -> bytes:
    """Step 1b."""
    if word.endswith(b"eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in (b"ed", b"ing"):
        stem = word.removesuffix(ending)
        if stem and stem != word and _has_vowel(stem):
            return _restore_ending(stem)
    return word


def _restore_ending(stem: bytes) -> bytes:
    """Return the stem before -ed or -ing was added: hop, not hopp; file, not fil."""
    if stem[-2:] in (b"at", b"bl", b"iz") and len(stem) > 2:
        return stem + b"e"
    if len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] not in b"aeioulsz":
        return stem[:-1]
    return stem + b"e" if _measure(stem) == 1 and _is_short(stem) else stem


def _replace_ending(word: bytes, endings: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """Steps 2 and 3: only the longest matching ending counts, whether it is removed or not."""
    for ending, shorter in endings:
        if word.endswith(ending) and len(word) > len(ending):
            stem = word[: -len(ending)]
            return stem + shorter if _measure(stem) > 0 else word
    return word


def _strip_ending(word: bytes) -> bytes:
    """Step 4."""
    for ending in _STEP_4:
        if word.endswith(ending) and len(word) > len(ending):
            stem = word[: -len(ending)]
            goes = _measure(stem) > 1 and (ending != b"ion" or stem[-1] in (_S, _T))
            return stem if goes else word
    return word


def _mark_consonants(word: bytes) -> list[bool]:
    """Return which letters are consonants; a y is one at the beginning and after a vowel."""
    found: list[bool] = []
    for letter in word:
        found.append(letter not in _VOWELS and (letter != _Y or not found or not found[-1]))
    return found


def _measure(word: bytes) -> int:
    """Return how often a consonant follows a vowel."""
    found = _mark_consonants(word)
    return sum(after and not before for before, after in pairwise(found))


def _has_vowel(word: bytes) -> bool:
    return any(letter in _VOWELS or (letter == _Y and at > 0) for at, letter in enumerate(word))


def _is_short(word: bytes) -> bool:
    """Return whether a word ends in consonant, vowel, consonant, where the last is not w, x or y."""
    return len(word) > 2 and _mark_consonants(word)[-3:] == [True, False, True] and word[-1] not in b"wxy"
