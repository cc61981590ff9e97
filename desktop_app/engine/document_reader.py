"""Reads one document of an import, trying each known password."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.reader_events import ArchiveRead, FileUnchanged, ReadingDone

if TYPE_CHECKING:
    from desktop_app.core.ports import Reader, ReadingTask
    from desktop_app.core.reader_events import ReaderEvent
    from desktop_app.core.records import Document


class DocumentReader:
    """Reads one document at a time in the reader's process.

    Args:
        reader: reads one file at a time.

    Attributes:
        passwords: tried on a locked file, after no password.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._reading: ReadingTask | None = None
        self._document: Document | None = None
        self._known_hash: str | None = None
        self._ocr = ""
        self._tries: deque[str | None] = deque()
        self.passwords: tuple[str, ...] = ()

    @property
    def is_reading(self) -> bool:
        """Whether a document is being read."""
        return self._reading is not None

    def open(self, document: Document, known_hash: str | None, ocr: str) -> None:
        """Start to read a document.

        Args:
            document: to be read.
            known_hash: of its content when it was last read, to stop if it is unchanged; None: it is read in any case.
            ocr: languages in which OCR reads pages without text; empty: it does not.
        """
        self._document, self._known_hash, self._ocr = document, known_hash, ocr
        # No password first: many files are encrypted only against changes.
        self._tries = deque((None, *self.passwords))
        self._try()

    def _try(self) -> None:
        assert self._document is not None
        self._reading = self._reader.start(
            Path(self._document.path), password=self._tries.popleft(), known_hash=self._known_hash, ocr=self._ocr
        )

    def poll(self) -> ReaderEvent | None:
        """Return the next event; None if there is none yet. After the last event no document is open.

        Raises:
            FileFailure: the document cannot be read with any of the passwords; no document is open any more.
        """
        assert self._reading is not None
        try:
            event = self._reading.poll()
        except FileFailure as failure:
            if failure.reason == "encrypted" and self._tries:
                self._try()
                return None
            self._reading = None
            raise
        if isinstance(event, FileUnchanged | ArchiveRead | ReadingDone):
            self._reading = None
        return event

    def close(self) -> None:
        """Stop reading the document."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
