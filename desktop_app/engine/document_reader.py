"""Reads the document that an import has open, trying each known password."""

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
    """One document at a time, in the reader's process.

    Args:
        reader: reads one file at a time.

    Attributes:
        passwords: tried on a locked file, after none at all.
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
        """Begin to read a document.

        Args:
            document: the one that is read next.
            known_hash: of its content as it was read before; None: it is read whatever its content.
            ocr: languages in which pages without text are read by OCR; empty: they are not.
        """
        self._document, self._known_hash, self._ocr = document, known_hash, ocr
        # The empty password first: many files are encrypted only against changes.
        self._tries = deque((None, *self.passwords))
        self._try()

    def _try(self) -> None:
        assert self._document is not None
        self._reading = self._reader.start(
            Path(self._document.path), password=self._tries.popleft(), known_hash=self._known_hash, ocr=self._ocr
        )

    def poll(self) -> ReaderEvent | None:
        """Return what was read next; None when there is nothing yet. After the last of it no document is there.

        Raises:
            FileFailure: it cannot be read, by none of the passwords; no document is there any more.
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
        """Read no more of it."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
