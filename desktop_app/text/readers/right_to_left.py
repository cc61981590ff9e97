"""Reading order of lines in scripts written from right to left.

PDFium returns each word in reading order, and also the words of a line if all are of such a script; names in
other scripts, and numbers with signs at their ends, come in their order on the page.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import bidirectional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_RTL_CLASSES, _LTR_CLASSES = ("R", "AL"), ("L",)
_NUMBERS = ("EN", "AN")
_NUMBER_TERMINATORS = ("ET",)
"""Characters that belong to a number: per cent, a currency."""


def is_right_to_left(codes: Iterable[int]) -> bool:
    """Return whether most letters of a page are of right-to-left scripts."""
    counted = Counter(codes)  # most pages have few different ones
    leftwards = sum(times for code, times in counted.items() if _is_right_to_left_character(code))
    letters = sum(times for code, times in counted.items() if code < 0x110000 and chr(code).isalpha())
    return leftwards > 0 and 2 * leftwards > letters


def reading_order(chars: Sequence[str], centres: Sequence[float | None]) -> list[int]:
    """Return the positions of the characters of a line in reading order.

    Args:
        chars: in PDFium's order.
        centres: the position of each, counted from the right; None for characters without a box.
    """
    words: list[list[int]] = []
    blanks: list[int] = []
    for is_blank, group in groupby(range(len(chars)), key=lambda at: chars[at].isspace()):
        positions = list(group)
        if is_blank:
            blanks.append(positions[0])
        else:
            words.append(positions)
    if not any(_is_right_to_left_character(ord(char)) for char in chars) or len(blanks) < len(words) - 1:
        return list(range(len(chars)))
    where = _fill_centres(centres)
    words = [
        [at for run in sorted(_split_into_runs(word, chars), key=_make_centre_key(where)) for at in run]
        for word in words
    ]
    words = _reverse_phrases(sorted(words, key=_make_centre_key(where)), chars)
    if chars and chars[0].isspace():
        del blanks[0]
    order = list(words[0])
    for blank, word in zip(blanks, words[1:], strict=False):
        order += [blank, *word]
    return order


def _is_right_to_left_character(code: int) -> bool:
    return 0x0590 <= code <= 0x08FF or 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC


def _fill_centres(centres: Sequence[float | None]) -> list[float]:
    """Return the positions of characters; one without a box has that of the character before."""
    found: list[float] = []
    for centre in centres:
        found.append(centre if centre is not None else found[-1] if found else 0.0)
    return found


def _make_centre_key(where: Sequence[float]) -> Callable[[Sequence[int]], float]:
    return lambda positions: (where[positions[0]] + where[positions[-1]]) / 2


def _split_into_runs(word: Sequence[int], chars: Sequence[str]) -> list[list[int]]:
    """Divide a word where its direction changes; each number is one run."""
    runs: list[list[int]] = []
    before = ""
    for nth, at in enumerate(word):
        kind = bidirectional(chars[at])
        following = bidirectional(chars[word[nth + 1]]) if nth + 1 < len(word) else ""
        if kind in _RTL_CLASSES or (kind == "NSM" and before == "leftwards"):
            direction = "leftwards"
        elif kind in (*_LTR_CLASSES, *_NUMBERS, *_NUMBER_TERMINATORS) or kind == "NSM":
            direction = "rightwards"
        elif before == "rightwards" and following in (*_LTR_CLASSES, *_NUMBERS):
            direction = "rightwards"  # "12.5", "state-of-the-art"
        else:
            direction = ""
        if runs and direction and direction == before:
            runs[-1].append(at)
        else:
            runs.append([at])
        before = direction
    return runs


def _reverse_phrases(words: list[list[int]], chars: Sequence[str]) -> list[list[int]]:
    """Reverse adjacent words of other scripts: among themselves they are read from left to right."""
    ordered: list[list[int]] = []
    phrase: list[list[int]] = []
    between: list[list[int]] = []
    for word in words:
        kinds = {bidirectional(chars[at]) for at in word}
        if kinds.isdisjoint(_RTL_CLASSES) and not kinds.isdisjoint(_LTR_CLASSES):
            phrase += [*between, word]
            between = []
        elif phrase and kinds.isdisjoint(_RTL_CLASSES):
            between.append(word)
        else:
            ordered += [*reversed(phrase), *between, word]
            phrase, between = [], []
    return [*ordered, *reversed(phrase), *between]
