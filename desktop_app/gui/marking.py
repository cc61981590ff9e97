"""Which words of a text a query looks for: those that the full-text index matches, by their stems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.query import Query
    from desktop_app.core.terms import Term

_JOINING = frozenset((" ", "'", "\N{RIGHT SINGLE QUOTATION MARK}", "-"))
"""What stands between two words that are marked as one."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is marked in a text, as the index knows it.

    Attributes:
        terms: words.
        phrases: words that are marked only where all of them follow each other: small ones would be everywhere.
    """

    terms: frozenset[str] = frozenset()
    phrases: tuple[tuple[str, ...], ...] = ()

    def words_of(self, text: str) -> list[Term]:
        """Return the words of a text, those that may be wanted with their terms."""
        wanted = (*self.terms, *(term for phrase in self.phrases for term in phrase))
        return list(terms(text, frozenset(term[0] for term in wanted)))


NOTHING_SOUGHT = Sought()


def sought(query: Query) -> Sought:
    """Return what a query looks for: the words that say something, and exact phrases."""
    wording = query.wording
    phrases = [tuple(term.term for term in terms(phrase)) for phrase in wording.must]
    words = [term.term for word in wording.any for term in terms(word)]
    alone = [phrase[0] for phrase in phrases if len(phrase) == 1]
    return Sought(frozenset([*words, *alone]), tuple(phrase for phrase in phrases if len(phrase) > 1))


def matches(text: str, wanted: Sought) -> list[tuple[int, int]]:
    """Return (start, length) of each word of `text` that is wanted; neighbours are joined across a blank."""
    found: list[tuple[int, int]] = []
    if wanted == NOTHING_SOUGHT:
        return found
    words = wanted.words_of(text)
    within = {at for start, stop in _phrases(words, wanted) for at in range(start, stop)}
    for at, word in enumerate(words):
        if word.term not in wanted.terms and at not in within:
            continue
        if found and text[sum(found[-1]) : word.start] in _JOINING:
            start = found[-1][0]
            found[-1] = (start, word.stop - start)
        else:
            found.append((word.start, word.stop - word.start))
    return found


def first_phrase(text: str, wanted: Sought) -> tuple[int, int] | None:
    """Return (start, length) of the first phrase that is wanted; None where there is none."""
    words = wanted.words_of(text) if wanted.phrases else []
    found = min(_phrases(words, wanted), default=None)
    return (words[found[0]].start, words[found[1] - 1].stop - words[found[0]].start) if found is not None else None


def _phrases(words: Sequence[Term], wanted: Sought) -> list[tuple[int, int]]:
    """Return (first, one past the last) of the words of each phrase that is there."""
    found = []
    for phrase in wanted.phrases:
        for at in range(len(words) - len(phrase) + 1):
            if all(words[at + nth].term == term for nth, term in enumerate(phrase)):
                found.append((at, at + len(phrase)))
    return found


def in_utf16(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return `spans` of `text` counted in UTF-16 units, as Qt counts: an emoji is two."""
    if text.isascii() or all(ord(character) <= 0xFFFF for character in text):
        return spans

    def units(part: str) -> int:
        return len(part) + sum(ord(character) > 0xFFFF for character in part)

    return [(units(text[:start]), units(text[start : start + length])) for start, length in spans]
