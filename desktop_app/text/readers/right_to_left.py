"""Lines of scripts that are written from right to left: their words in the order in which they are read.

PDFium gives each word as it is read, and the words of a line too as long as all of them are of such a script; names in
other letters, and numbers with signs at their ends, come in the order in which they stand on the page.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import bidirectional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_LEFTWARDS, _RIGHTWARDS = ("R", "AL"), ("L",)
_NUMBERS = ("EN", "AN")
_WITHIN = ("ES", "CS")
"""What joins two numbers: a sign, a point, a comma, a colon."""
_BESIDE = ("ET",)
"""What goes with a number: per cent, a currency."""


def reads_leftwards(codes: Iterable[int]) -> bool:
    """Say whether most letters of a page are of scripts that are written from right to left."""
    counted = Counter(codes)  # most pages have few different ones
    leftwards = sum(times for code, times in counted.items() if _is_leftwards(code))
    letters = sum(times for code, times in counted.items() if code < 0x110000 and chr(code).isalpha())
    return leftwards > 0 and 2 * leftwards > letters


def reading_order(chars: Sequence[str], centres: Sequence[float | None]) -> list[int]:
    """Return the characters of a line, by their positions, in the order in which they are read.

    Args:
        chars: as PDFium gave them.
        centres: where each stands, counted from the right; None for those without a box.
    """
    words: list[list[int]] = []
    blanks: list[int] = []
    for is_blank, group in groupby(range(len(chars)), key=lambda at: chars[at].isspace()):
        positions = list(group)
        if is_blank:
            blanks.append(positions[0])
        else:
            words.append(positions)
    if not any(_is_leftwards(ord(char)) for char in chars) or len(blanks) < len(words) - 1:
        return list(range(len(chars)))
    where = _where(centres)
    words = [[at for run in sorted(_runs(word, chars), key=_centre(where)) for at in run] for word in words]
    words = _with_phrases(sorted(words, key=_centre(where)), chars)
    if chars and chars[0].isspace():
        del blanks[0]
    order = list(words[0])
    for blank, word in zip(blanks, words[1:], strict=False):
        order += [blank, *word]
    return order


def _is_leftwards(code: int) -> bool:
    return 0x0590 <= code <= 0x08FF or 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC


def _where(centres: Sequence[float | None]) -> list[float]:
    """Return where characters stand; those without a box with the one before."""
    found: list[float] = []
    for centre in centres:
        found.append(centre if centre is not None else found[-1] if found else 0.0)
    return found


def _centre(where: Sequence[float]) -> Callable[[Sequence[int]], float]:
    return lambda positions: (where[positions[0]] + where[positions[-1]]) / 2


def _runs(word: Sequence[int], chars: Sequence[str]) -> list[list[int]]:
    """Part a word where its direction changes; each number is one run."""
    runs: list[list[int]] = []
    before = ""
    for nth, at in enumerate(word):
        kind = bidirectional(chars[at])
        following = bidirectional(chars[word[nth + 1]]) if nth + 1 < len(word) else ""
        if kind in _LEFTWARDS or (kind == "NSM" and before == "leftwards"):
            direction = "leftwards"
        elif kind in (*_RIGHTWARDS, *_NUMBERS, *_BESIDE) or kind == "NSM":
            direction = "rightwards"
        elif before == "rightwards" and following in (*_RIGHTWARDS, *_NUMBERS):
            direction = "rightwards"  # "12.5", "state-of-the-art"
        else:
            direction = ""
        if runs and direction and direction == before:
            runs[-1].append(at)
        else:
            runs.append([at])
        before = direction
    return runs


def _with_phrases(words: list[list[int]], chars: Sequence[str]) -> list[list[int]]:
    """Turn words of other scripts that follow each other: among themselves they are read from left to right."""
    ordered: list[list[int]] = []
    phrase: list[list[int]] = []
    between: list[list[int]] = []
    for word in words:
        kinds = {bidirectional(chars[at]) for at in word}
        if kinds.isdisjoint(_LEFTWARDS) and not kinds.isdisjoint(_RIGHTWARDS):
            phrase += [*between, word]
            between = []
        elif phrase and kinds.isdisjoint(_LEFTWARDS):
            between.append(word)
        else:
            ordered += [*reversed(phrase), *between, word]
            phrase, between = [], []
    return [*ordered, *reversed(phrase), *between]
