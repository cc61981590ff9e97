"""Finds the words that make the selected hit similar to the query, to shade them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.stop_words import find_stop_words
from desktop_app.gui.base.requests import LatestJob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit, WordComparison
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.results.highlighting import WordShade
    from desktop_app.gui.search.controller import SearchController
    from desktop_app.gui.search.pane import SearchPane

_SELECTION_DELAY_MS = 200
_MIN_RELEVANCE = 0.12


def word_shades(text: str, words: Sequence[str], nearness: Sequence[float]) -> list[WordShade]:
    """Return the positions of words in their sentence, and how strongly each is shaded.

    Args:
        text: the sentence.
        words: its words, in reading order, as written.
        nearness: of each word, its highest cosine with a word of the query. Words above the lowest third are shaded:
            within a sentence all words are slightly similar.
    """
    is_content = dict(zip(words, _find_content_words(words), strict=True))
    content_scores = [near for word, near in zip(words, nearness, strict=True) if is_content[word]]
    if not content_scores:
        return []
    ordered = sorted(content_scores)
    least, most = ordered[len(ordered) // 3] if len(ordered) > 2 else 0.0, ordered[-1]
    found: list[WordShade] = []
    at = 0
    for word, near in zip(words, nearness, strict=True):
        start = text.find(word, at)
        if start < 0:
            continue
        at = start + len(word)
        strength = (near - least) / (most - least) if most > least else 0.0
        if is_content[word] and strength >= _MIN_RELEVANCE:
            found.append((start, len(word), min(strength, 1.0)))
    return found


def _find_content_words(words: Sequence[str]) -> list[bool]:
    """Return for each word of a text whether it is a content word."""
    plain = [word.casefold() for word in words]
    nothing = find_stop_words(plain)
    return [any(map(str.isalnum, word)) and word not in nothing for word in plain]


class WordRelevanceController(QObject):
    """Requests the words of the selected hit once the selection rests."""

    def __init__(self, context: WindowContext, search: SearchController, pane: SearchPane) -> None:
        super().__init__(pane)
        self._session, self._search, self._pane = context.session, search, pane
        self._request: LatestJob[WordComparison | None] = LatestJob(context.session, self)
        self._pause = QTimer(self, singleShot=True, interval=_SELECTION_DELAY_MS)
        self._pause.timeout.connect(self._ask)
        pane.chosen.connect(self._on_chosen)
        search.answered.connect(lambda _again: self._on_chosen(pane.current))

    def stop(self) -> None:
        """Cancel what is pending."""
        self._request.drop()
        self._pause.stop()

    def _on_chosen(self, hit: Hit | None) -> None:
        self.stop()
        result = self._pane.model.result
        if hit is not None and result is not None and result.mode != "words" and "meaning" in hit.matched_by:
            self._pause.start(max(_SELECTION_DELAY_MS, self._search.idle_delay_ms))

    def _ask(self) -> None:
        hit, result = self._pane.current, self._pane.model.result
        if hit is None or result is None or not result.understood.like:
            return
        # An error is not shown: the hit can be read without it.
        query = result.understood.part_of(hit.part_scores)
        job = self._session.workspace.comparison.compare_words(" ".join(query.like), hit.text)
        self._request.start(job, lambda found: self._show(hit, found))

    def _show(self, hit: Hit, found: WordComparison | None) -> None:
        if found is None:
            return
        content = [row for row, is_content in enumerate(_find_content_words(found.a)) if is_content]
        rows = content or list(range(len(found.a)))
        nearness = found.similarity[rows].max(axis=0)
        self._pane.show_shades(hit.sentence_id, word_shades(hit.text, found.b, nearness.tolist()))
