"""The words in which two sentences differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

if TYPE_CHECKING:
    from collections.abc import Sequence

    Spans = tuple[tuple[int, int], ...]

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def find_word_differences(a: str, b: str) -> tuple[Spans, Spans]:
    """Return (start, stop) of the words of each text that the other does not have at that place, in reading order.

    Case and punctuation do not matter: the common words are a longest common subsequence. Words
    that differ side by side are one span.
    """
    parts_a, parts_b = _split_words(a), _split_words(b)
    only_a: set[int] = set()
    only_b: set[int] = set()
    for step in Indel.opcodes([a[i:j].casefold() for i, j in parts_a], [b[i:j].casefold() for i, j in parts_b]):
        if step.tag == "delete":
            only_a.update(range(step.src_start, step.src_end))
        elif step.tag == "insert":
            only_b.update(range(step.dest_start, step.dest_end))
    return _join_spans(a, parts_a, only_a), _join_spans(b, parts_b, only_b)


def _split_words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


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
