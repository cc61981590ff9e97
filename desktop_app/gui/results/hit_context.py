"""The sentences around a hit, read on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from desktop_app.core.records import Hit, Occurrence
    from desktop_app.gui.base.session import LibrarySession

_SENTENCES_PER_STEP = 3  # more sentences on each side
_MAX_SENTENCES = 30
_PARAGRAPH = "\N{LINE SEPARATOR}"


@dataclass(frozen=True, slots=True)
class HitContext:
    """The text around a hit.

    Attributes:
        sentence_id: of the hit.
        before: one text, its paragraphs separated by a line separator.
        after: likewise.
        is_whole: whether there is no more text.
    """

    sentence_id: int
    before: str
    after: str
    is_whole: bool


class HitContextController(QObject):
    """Reads more and more of the sentences around one hit.

    Attributes:
        arrived: the text was read; carries a HitContext.
        failed: reading failed; carries the exception.
    """

    arrived = Signal(object)
    failed = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._hit: tuple[int, int] | None = None
        self._sentences = 0

    def load_more(self, hit: Hit) -> None:
        """Read more text around `hit` than before."""
        if self._hit != (hit.document_id, hit.ordinal):
            self._hit, self._sentences = (hit.document_id, hit.ordinal), 0
        self._sentences = min(self._sentences + _SENTENCES_PER_STEP, _MAX_SENTENCES)
        count = self._sentences
        job = self._session.workspace.read(
            lambda library: library.sentences.context(hit.document_id, hit.ordinal, count, count), key="context"
        )
        self._session.bridge.call(job, self, lambda rows: self._on_read(hit, rows, count), on_error=self.failed.emit)

    def reset(self) -> None:
        """Start over with the next request."""
        self._hit = None

    def _on_read(self, hit: Hit, rows: list[Occurrence], count: int) -> None:
        # The document may have been imported again since, with another sentence at this position.
        if not any(row.ordinal == hit.ordinal and row.sentence_id == hit.sentence_id for row in rows):
            return
        before = [row for row in rows if row.ordinal < hit.ordinal]
        after = [row for row in rows if row.ordinal > hit.ordinal]
        is_whole = count >= _MAX_SENTENCES or (len(before) < count and len(after) < count)
        self.arrived.emit(HitContext(hit.sentence_id, _join_sentences(before), _join_sentences(after), is_whole))


def _join_sentences(rows: list[Occurrence]) -> str:
    parts: list[str] = []
    paragraph: int | None = None
    for row in rows:
        if parts:
            parts.append(" " if row.paragraph == paragraph else _PARAGRAPH)
        parts.append(" ".join(row.text.split()))
        paragraph = row.paragraph
    return "".join(parts)
