"""Loads what the reader shows of a document: its pages or its stored text; the newest request wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from desktop_app.core.pages import OutlineEntry, PagedFile, TextSlice
    from desktop_app.core.records import Document
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """The document at hand; `name` is what it is called."""

    document_id: int
    path: str
    name: str
    type: str | None


class DocumentLoader(QObject):
    """Opens one document at a time.

    Attributes:
        pages_loaded: carries the PagedFile.
        pages_unavailable: the pages cannot be shown; carries the exception.
        stored_text_loaded: more of the stored text; carries the TextSlice.
        text_unavailable: carries the exception.
        outline_loaded: the table of contents of a text; carries a tuple of OutlineEntry.
        gone: the file of a text is no longer there.
        document_reloaded: the document as the library has it now; None when it was removed.
    """

    pages_loaded = Signal(object)
    pages_unavailable = Signal(object)
    stored_text_loaded = Signal(object)
    text_unavailable = Signal(object)
    outline_loaded = Signal(object)
    gone = Signal()
    document_reloaded = Signal(object)

    def __init__(self, workspace: Workspace, bridge: Bridge, parent: QObject, reader: str = "") -> None:
        super().__init__(parent)
        self._reader = reader
        self._workspace = workspace
        self._bridge = bridge
        self._ticket = 0

    def stop(self) -> None:
        """Want nothing of what is under way."""
        self._ticket += 1

    def open_pages(self, shown: ShownDocument) -> None:
        """Ask for the pages of a file."""
        self._ticket += 1
        ticket = self._ticket

        def take(file: PagedFile) -> None:
            if ticket == self._ticket:
                self.pages_loaded.emit(file)

        def refuse(error: BaseException) -> None:
            if ticket == self._ticket:
                self.pages_unavailable.emit(error)

        job = self._workspace.viewing.pages(shown.document_id, shown.path, reader=self._reader)
        self._bridge.call(job, self, take, on_error=refuse)

    def open_text(self, shown: ShownDocument) -> None:
        """Ask for the stored text, slice by slice, and for its table of contents."""
        self._ticket += 1
        ticket = self._ticket

        def take(entries: list[OutlineEntry]) -> None:
            if ticket == self._ticket:
                self.outline_loaded.emit(tuple(entries))

        self._load(ticket, shown.document_id, 0)
        self._bridge.call(self._workspace.outline(shown.document_id), self, take, on_error=lambda _error: None)

    def check_file_missing(self, shown: ShownDocument) -> None:
        """Look whether a file is still there."""
        ticket = self._ticket

        def take(is_there: bool) -> None:
            if ticket == self._ticket and not is_there:
                self.gone.emit()

        # Where nobody can look, nothing is said.
        self._bridge.call(
            self._workspace.viewing.check_file_exists(shown.path), self, take, on_error=lambda _error: None
        )

    def reload_document(self, shown: ShownDocument) -> None:
        """Look what has become of the document."""
        ticket = self._ticket

        def take(rows: list[Document]) -> None:
            if ticket == self._ticket:
                self.document_reloaded.emit(rows[0] if rows else None)

        self._bridge.call(self._workspace.documents_by_id([shown.document_id]), self, take)

    def _load(self, ticket: int, document_id: int, first: int) -> None:
        def take(part: TextSlice) -> None:
            if ticket != self._ticket:
                return
            self.stored_text_loaded.emit(part)
            if not part.is_last and part.sentences:
                self._load(ticket, document_id, part.sentences[-1].ordinal + 1)

        def fail(error: BaseException) -> None:
            if ticket == self._ticket:
                self.text_unavailable.emit(error)

        job = self._workspace.viewing.document_text(document_id, first, reader=self._reader)
        self._bridge.call(job, self, take, on_error=fail)
