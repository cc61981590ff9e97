"""Which words of a sentence are words of the query."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# Words that say nothing on their own; marking them would colour every sentence.
_STOP_WORDS = frozenset(
    _WORD.findall(
        """
        a about after all also am an and any are as at be because been before being between both but by can could did
        do does doing down each for from further had has have having he her here hers him his how i if in into is it
        its just me more most my no nor not of off on once only or other our out over own same she should so some such
        than that the their them then there these they this those through to too under until up very was we were what
        when where which while who whom why will with would you your it's don't doesn't isn't i'm
        der die das und ist nicht ein eine zu den von mit sich des auf für im dem als auch es
        le la les et un une est que qui dans pour pas sur au du il elle ce
        el los las y en una por con para se del lo
        """
    )
)


def query_words(query: str) -> frozenset[str]:
    """Return the words of `query` that are worth marking."""
    return frozenset(word.casefold() for word in _WORD.findall(query)) - _STOP_WORDS


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
