"""Finds the words of a text to highlight: query words, and words that differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextLayout

from desktop_app.core.index_terms import iter_terms
from desktop_app.core.word_conditions import WordStart, fold_words, iter_words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.index_terms import IndexTerm
    from desktop_app.core.query import Query
    from desktop_app.gui.base.theme import Theme

WordShade = tuple[int, int, float]
"""The position of a word in a sentence (start, length), and how strongly it is shaded, 0 to 1."""

_JOINING = frozenset((" ", "'", "\N{RIGHT SINGLE QUOTATION MARK}", "-"))
"""Characters between two words that are marked as one."""


@dataclass(frozen=True, slots=True)
class HighlightTerms:
    """The words to mark in a text, as index terms.

    Attributes:
        terms: words.
        phrases: words that are marked only as a sequence, since small words occur everywhere.
        starts: beginnings of words, without case and accents.
    """

    terms: frozenset[str] = frozenset()
    phrases: tuple[tuple[str, ...], ...] = ()
    starts: tuple[str, ...] = ()

    def words_of(self, text: str) -> list[IndexTerm]:
        """Return the words of a text, with index terms for those that may match."""
        wanted = (*self.terms, *(term for phrase in self.phrases for term in phrase), *self.starts)
        return list(iter_terms(text, frozenset(term[0] for term in wanted)))


NO_HIGHLIGHTS = HighlightTerms()


def find_highlight_terms(query: Query) -> HighlightTerms:
    """Return the words to mark for a query: its content words and exact phrases."""
    keyword_query = query.keyword_query
    required = [word for part in keyword_query.must for word in iter_words_of(part)]
    starts = tuple(fold_words(word.text).strip() for word in required if isinstance(word, WordStart))
    texts = [word if isinstance(word, str) else word.text for word in required if not isinstance(word, WordStart)]
    phrases = [tuple(term.term for term in iter_terms(text)) for text in texts]
    words = [term.term for word in keyword_query.any for term in iter_terms(word)]
    alone = [phrase[0] for phrase in phrases if len(phrase) == 1]
    return HighlightTerms(frozenset([*words, *alone]), tuple(phrase for phrase in phrases if len(phrase) > 1), starts)


def find_matches(text: str, wanted: HighlightTerms) -> list[tuple[int, int]]:
    """Return (start, length) of each matching word of `text`; neighbours are joined across a space."""
    found: list[tuple[int, int]] = []
    if wanted == NO_HIGHLIGHTS:
        return found
    words = wanted.words_of(text)
    within = {at for start, stop in _find_phrases(words, wanted) for at in range(start, stop)}
    for at, word in enumerate(words):
        is_wanted = word.term in wanted.terms or at in within
        if not is_wanted and not _has_start(text[word.start : word.stop], wanted.starts):
            continue
        if found and text[sum(found[-1]) : word.start] in _JOINING:
            start = found[-1][0]
            found[-1] = (start, word.stop - start)
        else:
            found.append((word.start, word.stop - word.start))
    return found


def _has_start(word: str, starts: tuple[str, ...]) -> bool:
    return bool(starts) and fold_words(word).strip().startswith(starts)


def find_first_phrase(text: str, wanted: HighlightTerms) -> tuple[int, int] | None:
    """Return (start, length) of the first matching phrase; None without one."""
    words = wanted.words_of(text) if wanted.phrases else []
    found = min(_find_phrases(words, wanted), default=None)
    return (words[found[0]].start, words[found[1] - 1].stop - words[found[0]].start) if found is not None else None


def _find_phrases(words: Sequence[IndexTerm], wanted: HighlightTerms) -> list[tuple[int, int]]:
    """Return (first, one past the last) word of each phrase that matches."""
    found = []
    for phrase in wanted.phrases:
        for at in range(len(words) - len(phrase) + 1):
            if all(words[at + nth].term == term for nth, term in enumerate(phrase)):
                found.append((at, at + len(phrase)))
    return found


def to_utf16_spans(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return `spans` of `text` in UTF-16 units, which Qt counts: an emoji is two."""
    if text.isascii() or all(ord(character) <= 0xFFFF for character in text):
        return spans

    def units(part: str) -> int:
        return len(part) + sum(ord(character) > 0xFFFF for character in part)

    return [(units(text[:start]), units(text[start : start + length])) for start, length in spans]


def difference_formats(
    text: str, spans: tuple[tuple[int, int], ...], kind: str, theme: Theme
) -> list[QTextLayout.FormatRange]:
    """Return formats for spans (start, stop) of a text: marked in a near copy, underlined in a paraphrase."""
    style = QTextCharFormat()
    if kind not in ("exact", "near"):
        style.setFontUnderline(True)
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(theme.color("accent"))
    else:
        style.setBackground(theme.color("mark"))
        style.setForeground(theme.color("on_mark"))
    ranges = []
    for start, length in to_utf16_spans(text, [(start, stop - start) for start, stop in spans]):
        each = QTextLayout.FormatRange()
        each.start, each.length, each.format = start, length, style
        ranges.append(each)
    return ranges
