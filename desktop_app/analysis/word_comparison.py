"""Compares two sentences word by word: the words that differ, and the words that correspond."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Spans = tuple[tuple[int, int], ...]

LETTER = rf"[\w{MARKS}]"
"""A letter, digit or mark of a word: vowels of Hindi or Thai are marks, which `\\w` leaves out."""
SIGN = (
    r"(?<![\w.,])[-+±−–](?=[\d.])|[€$£¥₹](?=\s?\d)|(?<=\d)[%‰€$£¥₹°]|(?<=\d\s)[%‰€$£¥₹°]"
    r"|(?:(?<=[\w)])|(?<=[\w)]\s))[<>≤≥≠=](?=\s?[\w(+−-])"
)
"""Punctuation that means something, beside a number or in a formula: 50 % is not 50 €, and -5 is not 5."""

_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*|{SIGN}")
_SPACELESS = (
    "\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2-\u0eb3\u0ebd\u0ec0-\u0ec6\u1000-\u102a\u1780-\u17b3"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts without blanks between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""
_IS_SPACELESS = re.compile(f"[{_SPACELESS}]")
_WORD_OR_CHARACTER = re.compile(
    rf"[{_SPACELESS}][{MARKS}]*|(?:(?![{_SPACELESS}]){LETTER})+(?:['’](?:(?![{_SPACELESS}]){LETTER})+)*|{SIGN}"
)


def find_word_differences(a: str, b: str) -> tuple[Spans, Spans]:
    """Return (start, stop) of the words of each text that the other does not have at that place, in reading order.

    Case and punctuation do not matter: the common words are a longest common subsequence. Words that differ side by
    side are one span. In scripts without blanks between words, each character stands for a word.
    """
    parts_a, parts_b = _split_words(a), _split_words(b)
    only_a: set[int] = set()
    only_b: set[int] = set()
    for step in Indel.opcodes([_fold(a[i:j]) for i, j in parts_a], [_fold(b[i:j]) for i, j in parts_b]):
        if step.tag == "delete":
            only_a.update(range(step.src_start, step.src_end))
        elif step.tag == "insert":
            only_b.update(range(step.dest_start, step.dest_end))
    return _join_spans(a, parts_a, only_a), _join_spans(b, parts_b, only_b)


def _split_words(text: str) -> list[tuple[int, int]]:
    pattern = _WORD_OR_CHARACTER if _IS_SPACELESS.search(text) else _WORD
    return [match.span() for match in pattern.finditer(text)]


def _fold(word: str) -> str:
    """Return a word without case, its apostrophe straight and its accents part of their letters."""
    word = word.casefold()
    return word if word.isascii() else unicodedata.normalize("NFC", word).replace("\u2019", "'")


def _join_spans(text: str, parts: Sequence[tuple[int, int]], only: set[int]) -> Spans:
    spans: list[tuple[int, int]] = []
    last = None
    for at in sorted(only):
        start, stop = parts[at]
        # Across a blank or a hyphen, but not across a full stop or a comma.
        if last == at - 1 and spans and not text[spans[-1][1] : start].strip(" -"):
            spans[-1] = spans[-1][0], stop
        else:
            spans.append((start, stop))
        last = at
    return tuple(spans)


def align_words(similarity: NDArray[np.float32]) -> tuple[tuple[int, int], ...]:
    """Return (row, column) pairs with the highest sum, each row and column at most once, and only values above 0.

    The assignment problem by shortest augmenting paths (Jonker & Volgenant 1987), O(n^2 m) for n <= m. Sentences are
    short: importing scipy's would take longer than running this.

    Args:
        similarity: float32 [n, m].
    """
    is_turned = similarity.shape[0] > similarity.shape[1]
    gain = np.maximum(similarity.T if is_turned else similarity, 0.0)  # staying alone is never worse
    cost = -gain.astype(np.float64)
    rows, columns = cost.shape
    row_of = np.full(columns, -1)
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    for row in range(rows):
        # A tree of cheapest paths from this row, until it reaches a free column.
        distance = np.full(columns, np.inf)
        came_from = np.full(columns, -1)
        is_done = np.zeros(columns, np.bool_)
        current, column, reached = row, -1, 0.0
        while current >= 0:
            through = reached + cost[current] - row_price[current] - column_price
            is_nearer = ~is_done & (through < distance)
            distance[is_nearer], came_from[is_nearer] = through[is_nearer], current
            column = int(np.argmin(np.where(is_done, np.inf, distance)))
            reached = float(distance[column])
            is_done[column] = True
            current = int(row_of[column])
        row_price[row] += reached
        settled = np.flatnonzero(is_done & (row_of >= 0))
        row_price[row_of[settled]] += reached - distance[settled]
        column_price[is_done] -= reached - distance[is_done]
        while True:  # back along the path: every column gets the row that leads to it
            before = int(came_from[column])
            taken = np.flatnonzero(row_of == before)
            row_of[column] = before
            if before == row:
                break
            column = int(taken[0])
    found = [(int(row_of[at]), at) for at in range(columns) if row_of[at] >= 0]
    pairs = sorted((column, row) if is_turned else (row, column) for row, column in found)
    return tuple((row, column) for row, column in pairs if similarity[row, column] > 0)
