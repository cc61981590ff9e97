"""Recognises text of fonts that do not say which letters they show: "ǥǡ", "ef mf" or "9$7 &RGH" in place of words.

Such a text looks like any other to a library that reads PDFs. What gives it away: letters of several scripts in one
word, symbols within words, words without vowels, or function words that appear when all letters are moved by the same
step. A page is only judged if it has enough of them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from desktop_app.core.language_detection import count_distinct_function_words, count_function_words

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

_SAMPLE = 4000
_MIN_LETTERS = 24
_MIN_ODD = 6
_BLANKS = re.compile("[ \t\r\n]+")
_WORD = re.compile(r"[^\W\d_]+")
_SYMBOL = re.compile(r"[¢-©¬-±´¶¸¼-¿×÷\u02c6\u02c7\u02d8-\u02dd]")
_SYMBOL_IN_WORD = re.compile(rf"[^\W\d_]{_SYMBOL.pattern}+[^\W\d_]")
_RARE_LATIN = re.compile(r"[\u0180-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01dd-\u0217\u021c-\u0258\u025a-\u02af]")
"""Latin letters of few languages; those of Romanian, Vietnamese, Pinyin and Azerbaijani are not among them."""
_VOWEL = re.compile("[aeiouyæœøıəůʻ]")
_SCRIPTS = (
    (0x02FF, "latin"), (0x036F, ""), (0x03FF, "greek"), (0x052F, "cyrillic"),
    (0x058F, "armenian"), (0x05FF, "hebrew"), (0x08FF, "arabic"), (0x0DFF, "indic"), (0x0EFF, "thai"),
    (0x0FFF, "tibetan"), (0x109F, "burmese"), (0x10FF, "georgian"), (0x11FF, "hangul"), (0x13FF, "ethiopic"),
    (0x167F, "syllabics"), (0x1DFF, "other"), (0x1EFF, "latin"), (0x1FFF, "greek"),
)  # fmt: skip
"""Last code point and name of ranges; beyond them words of several scripts are usual, as in Chinese."""

_MIN_MIXED, _MIXED_SHARE = 4, 0.25
_SYMBOL_SHARE = 0.25
_RARE_SHARE = 0.3
_FEW_SHARE = 0.5
"""For the few characters of a page that is too short for the other shares."""
_MIN_LANGUAGE_WORDS, _LANGUAGE_SHARE = 3, 0.04
_MIN_SHIFTED_HITS, _MIN_SHIFTED_WORDS, _SHIFTED_SHARE = 5, 4, 0.12
_LONGEST_STEP = 96
_SHIFTED_SAMPLE = 1500
_MIN_LOWER_WORDS, _NO_VOWEL_SHARE = 25, 0.35


def has_wrong_letters(text: str) -> bool:
    """Return whether the letters of a page's text are not those that the page shows; False if it is too short."""
    sample = text[:_SAMPLE]
    words = _WORD.findall(sample)
    letters = sum(map(len, words))
    if not sample.isascii() and _has_odd_letters(sample, words, letters):
        return True
    if letters < _MIN_LETTERS and len(sample) < _MIN_LETTERS:
        return False
    hits = _count_long_function_words(words)
    if len(hits) >= _MIN_LANGUAGE_WORDS and hits.total() >= _LANGUAGE_SHARE * len(words):
        return False
    return _is_shifted(sample, hits.total()) or _lacks_vowels(words)


def _has_odd_letters(sample: str, words: list[str], letters: int) -> bool:
    """Return whether symbols, rare letters or letters of several scripts stand in words."""
    odd = len(_RARE_LATIN.findall(sample)) + len(_SYMBOL.findall(sample))
    if odd >= _MIN_ODD and odd > _FEW_SHARE * len("".join(sample.split())):
        return True
    return _has_symbols_in_words(sample) or (letters >= _MIN_LETTERS and _mixes_scripts(words, letters))


def _has_symbols_in_words(sample: str) -> bool:
    tokens = [token for token in sample.split() if len(token) > 2]
    return len(_SYMBOL_IN_WORD.findall(sample)) > max(_MIN_MIXED, _SYMBOL_SHARE * len(tokens))


def _mixes_scripts(words: list[str], letters: int) -> bool:
    long = [word for word in words if len(word) > 1]
    mixed = sum(len({_script(char) for char in word} - {""}) > 1 for word in long)
    if mixed >= _MIN_MIXED and mixed > _MIXED_SHARE * len(long):
        return True
    return sum(len(_RARE_LATIN.findall(word)) for word in words) > _RARE_SHARE * letters


def _script(char: str) -> str:
    code = ord(char)
    if code > _SCRIPTS[-1][0] or char in "µªº":
        return ""
    return next(name for last, name in _SCRIPTS if code <= last)


def _count_long_function_words(words: Iterable[str]) -> Counter[str]:
    """Count function words; those of a single letter occur anywhere."""
    return count_function_words(word for word in words if len(word) > 1)


def _is_shifted(sample: str, hits_as_written: int) -> bool:
    """Return whether function words appear when all characters but blanks are moved by the same step."""
    raw = _BLANKS.sub(" ", sample[:_SHIFTED_SAMPLE]).encode("latin-1", "replace")
    for step in range(1 - _LONGEST_STEP, _LONGEST_STEP):
        words = raw.translate(_step_table(step)).decode("latin-1").lower().split()
        if count_distinct_function_words(words) < _MIN_SHIFTED_WORDS:
            continue
        hits = _count_long_function_words(words)
        needed = max(_MIN_SHIFTED_HITS, _SHIFTED_SHARE * len(words), 2 * hits_as_written)
        if step and len(hits) >= _MIN_SHIFTED_WORDS and hits.total() >= needed:
            return True
    return False


@cache
def _step_table(step: int) -> bytes:
    return bytes((code + step) % 256 if code != 0x20 else 0x20 for code in range(256))


def _lacks_vowels(words: list[str]) -> bool:
    lower = {word for word in words if len(word) > 3 and word.islower() and word.isalpha() and word[0] <= "\u024f"}
    without = sum(_VOWEL.search(unicodedata.normalize("NFKD", word)) is None for word in lower)
    return len(lower) >= _MIN_LOWER_WORDS and without > _NO_VOWEL_SHARE * len(lower)
