"""Guesses the languages of documents from their stored text and caches the guesses.

Guessing from stored text also covers libraries filled by an earlier version. A guess takes about a millisecond;
`LibraryMaintenance` makes all of them before anybody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.language_detection import guess_language

if TYPE_CHECKING:
    import sqlite3


_SAMPLE_SENTENCES = 40
"""Sentences to sample, starting a third into the document: the beginning is often names and a table of contents."""

_SAMPLE = (
    "SELECT sentence.text, occurrence.kind FROM occurrence JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE occurrence.version_id = ? AND occurrence.ordinal >= ? ORDER BY occurrence.ordinal LIMIT ?"
)
_PROSE_KINDS = ("body", "list", "heading")


class DocumentLanguages:
    """Answers the SQL function `language_of` of one connection."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self._known: dict[int, tuple[int, str]] = {}

    def of(self, version_id: int | None, sentences: int) -> str:
        """Return the language (two letters) of a version with `sentences` sentences; empty if none are stored."""
        if version_id is None or not sentences:
            return ""
        known = self._known.get(version_id)
        # While a document is being imported, there is more text to judge by from time to time.
        if known is not None and (known[0] >= _SAMPLE_SENTENCES or sentences < 2 * known[0]):
            return known[1]
        rows = self._raw.execute(_SAMPLE, (version_id, sentences // 3, _SAMPLE_SENTENCES)).fetchall()
        running = [text for text, kind in rows if kind in _PROSE_KINDS]
        language = guess_language("\n".join(running or [text for text, _ in rows]))
        self._known[version_id] = sentences, language
        return language
