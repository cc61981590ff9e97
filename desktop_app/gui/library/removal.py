"""Removes documents and files of documents, with a few seconds to undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.jobs import ChangeSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.records import RemovedFiles
    from desktop_app.gui.base.window_context import WindowContext


class RemovalController(QObject):
    """Hides documents, and erases them when the time for undoing is over or the program ends.

    Attributes:
        changed: what can be restored changed; carries the number of documents, and that of copies of documents that
            stay.
        are_files_deleted: whether the files of all these documents were deleted from watched folders.
        restored: documents are back; the import of a removed one has to be resumed.
        failed: a step failed; carries the exception.
    """

    changed = Signal(object, object)
    restored = Signal()
    failed = Signal(object)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._removed: list[RemovedFiles] = []
        self.are_files_deleted = False
        self._timer = QTimer(self, singleShot=True, interval=round(context.settings.undo_s * 1000))
        self._timer.timeout.connect(self._purge)
        self.failed.connect(context.tell_error)
        context.settings_changed.connect(lambda settings: self.set_undo_time(settings.undo_s))
        context.actions.bind({"document.undo_remove": self.undo})
        context.actions.enable(("document.undo_remove",), False)
        self.changed.connect(
            lambda count, copies: context.actions.enable(("document.undo_remove",), count + copies > 0)
        )

    def set_undo_time(self, undo_s: float) -> None:
        """Set the time for undoing; documents that wait keep their own."""
        if self._timer.interval() != round(undo_s * 1000) and not self._timer.isActive():
            self._timer.setInterval(round(undo_s * 1000))

    def remove(self, document_ids: Sequence[int]) -> None:
        """Remove documents, with all their files."""
        from desktop_app.core.records import RemovedFiles  # the window starts without the records

        ids = tuple(document_ids)

        def change(library: Library) -> RemovedFiles:
            library.documents.remove(ids)
            return RemovedFiles(ids)

        if ids:
            self._submit(change)

    def remove_files(self, paths: Sequence[str]) -> None:
        """Remove files, and documents with their last one."""
        if paths:
            self._submit(lambda library: library.copies.remove(paths))

    def _submit(self, change: Callable[[Library], RemovedFiles]) -> None:
        job = self._session.workspace.change(change, ChangeSet(listing=True, sentences=True))
        self._session.bridge.call(
            job, self, lambda removed: self._add(removed, are_files_deleted=False), on_error=self.failed.emit
        )

    def note_deleted(self, document_ids: Sequence[int]) -> None:
        """Offer to undo the removal of documents whose files were deleted from watched folders.

        Restored, they stay as missing.
        """
        from desktop_app.core.records import RemovedFiles  # the window starts without the records

        self._add(RemovedFiles(tuple(document_ids)), are_files_deleted=True)

    def undo(self) -> None:
        """Restore every document that is not erased yet."""
        removed, self._removed = self._removed, []
        self._timer.stop()
        self.changed.emit(0, 0)
        if removed:
            job = self._session.workspace.change(
                lambda library: _restore(library, removed), ChangeSet(listing=True, sentences=True)
            )
            self._session.bridge.call(
                job, self, self._on_restored, on_error=lambda error: self._on_not_restored(removed, error)
            )

    def _on_restored(self, erased: int) -> None:
        self.restored.emit()
        if erased:
            self._context.tell(self.tr("%Ln documents are already erased and can't be brought back.", "", erased))

    def _on_not_restored(self, removed: list[RemovedFiles], error: BaseException) -> None:
        """Offer to undo once more: nothing is erased yet."""
        self._removed = removed + self._removed
        self._offer_undo()
        self.failed.emit(error)

    def stop(self) -> None:
        """Leave the rest to the end of the program."""
        self._timer.stop()

    def _add(self, removed: RemovedFiles, *, are_files_deleted: bool) -> None:
        self.are_files_deleted = are_files_deleted and (self.are_files_deleted or not self._removed)
        self._removed.append(removed)
        self._offer_undo()

    def _offer_undo(self) -> None:
        self._timer.start()
        gone = {document_id for each in self._removed for document_id in each.document_ids}
        copies = [number for each in self._removed for number, _ in each.copies if number not in gone]
        self.changed.emit(len(gone), len(copies))

    def _purge(self) -> None:
        self._removed = []
        self.changed.emit(0, 0)
        self._session.bridge.call(self._session.workspace.maintenance.purge(), self, on_error=self.failed.emit)


def _restore(library: Library, removed: Sequence[RemovedFiles]) -> int:
    """Restore what was removed; returns how many documents are erased already."""
    from desktop_app.core.scope import Scope

    for each in reversed(removed):
        library.copies.restore(each)
    ids = {document_id for each in removed for document_id in each.document_ids}
    there = library.documents.fetch(limit=len(ids), scope=Scope(document_ids=frozenset(ids))) if ids else []
    return len(ids) - len(there)
