"""Words in the form of the server's word index: a `tsvector` made of the stems of `core.index_terms`.

The server's own parser and dictionaries are not used: they know stop words, and depend on how the server was built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.index_terms import iter_terms, stem_word
from desktop_app.core.word_conditions import ExactPhrase, WordStart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_POSITION = 16_383
_MAX_LEXEME_BYTES = 1000
_MIN_START, _LONGEST_SUFFIX = 3, 5
"""Letters of the beginning of a word that are looked up at least, and those that stemming may have changed."""


def stems_of(text: str) -> list[str]:
    """Return the stems of a text, in order."""
    return [term.term for term in iter_terms(text) if term.term]


def pack_words(stems: Sequence[str]) -> str:
    """Return stems as the text of a `tsvector`."""
    positions: dict[str, list[int]] = {}
    for at, stem in enumerate(stems, start=1):
        positions.setdefault(stem, []).append(min(at, _MAX_POSITION))
    return " ".join(f"{_quote(stem)}:{','.join(map(str, own))}" for stem, own in positions.items())


def phrase_query(phrase: str) -> str:
    """Return a `tsquery` for a word or phrase in any of its forms; empty if it has no words."""
    return " <-> ".join(_quote(stem) for stem in stems_of(phrase))


def start_query(text: str) -> str:
    """Return a `tsquery` for all texts that may have a word that begins so: the index has stems."""
    *before, last = stems_of(text) or [""]
    word = text.split()[-1] if text.split() else ""
    start = word[: max(_MIN_START, len(word) - _LONGEST_SUFFIX)]
    shortest = min("".join(stems_of(start)) or last, stem_word(word), last, key=len)
    if not shortest:
        return ""
    return " <-> ".join([*map(_quote, before), f"{_quote(shortest)}:*"])


def condition_query(condition: str | ExactPhrase | WordStart) -> str:
    """Return a `tsquery` for all texts that may satisfy a condition."""
    if isinstance(condition, WordStart):
        return start_query(condition.text)
    return phrase_query(condition.text if isinstance(condition, ExactPhrase) else condition)


def any_of(queries: Iterable[str]) -> str:
    """Return a `tsquery` for texts that match any of some queries."""
    return join_queries(queries, is_any=True)


def join_queries(queries: Iterable[str], *, is_any: bool) -> str:
    """Return a `tsquery` for texts that match any or all of some queries; an empty one matches nothing."""
    parts = dict.fromkeys(queries)
    if not is_any and "" in parts:
        return ""
    return (" | " if is_any else " & ").join(f"({query})" for query in parts if query)


def _quote(stem: str) -> str:
    """Return a stem in quotes: nothing between them is an operator."""
    short = stem.encode()[:_MAX_LEXEME_BYTES].decode("utf-8", "ignore")
    return "'" + short.replace("\\", "\\\\").replace("'", "''") + "'"
