"""Which words of a sentence are words of the query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_app.core.stop_words import telling_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def query_words(query: str) -> frozenset[str]:
    """Return the words of `query` that are worth marking: small ones would colour every sentence."""
    return frozenset(word.casefold() for word in telling_words(_WORD.findall(query)))


def phrase_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return all words of phrases that have to be there."""
    return frozenset(word.casefold() for phrase in phrases for word in _WORD.findall(phrase))


def matches(text: str, words: frozenset[str]) -> list[tuple[int, int]]:
    """Return (start, length) of each whole word of `text` that is in `words`; neighbours are joined across a blank."""
    found: list[tuple[int, int]] = []
    if not words:
        return found
    for match in _WORD.finditer(text):
        if match.group().casefold() not in words:
            continue
        if found and text[sum(found[-1]) : match.start()] == " ":
            start = found[-1][0]
            found[-1] = (start, match.end() - start)
        else:
            found.append((match.start(), match.end() - match.start()))
    return found


def in_utf16(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return `spans` of `text` counted in UTF-16 units, as Qt counts: an emoji is two."""
    if text.isascii() or all(ord(character) <= 0xFFFF for character in text):
        return spans

    def units(part: str) -> int:
        return len(part) + sum(ord(character) > 0xFFFF for character in part)

    return [(units(text[:start]), units(text[start : start + length])) for start, length in spans]
