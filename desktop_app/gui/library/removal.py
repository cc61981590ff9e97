"""Removes documents, with a few seconds to undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.jobs import ChangeSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.gui.base.window_context import WindowContext


class RemovalController(QObject):
    """Hides documents, and erases them when the time for undoing is over or the program ends.

    Attributes:
        changed: the documents that can be restored changed; carries their number.
        are_files_deleted: whether the files of all these documents were deleted from watched folders.
        restored: documents are back; the import of a removed one has to be resumed.
        failed: a step failed; carries the exception.
    """

    changed = Signal(object)
    restored = Signal()
    failed = Signal(object)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._session = context.session
        self._removed: list[int] = []
        self.are_files_deleted = False
        self._timer = QTimer(self, singleShot=True, interval=round(context.settings.undo_s * 1000))
        self._timer.timeout.connect(self._purge)
        self.failed.connect(context.tell_error)
        context.settings_changed.connect(lambda settings: self.set_undo_time(settings.undo_s))
        context.actions.bind({"document.undo_remove": self.undo})
        context.actions.enable(("document.undo_remove",), False)
        self.changed.connect(lambda count: context.actions.enable(("document.undo_remove",), count > 0))

    def set_undo_time(self, undo_s: float) -> None:
        """Set the time for undoing; documents that wait keep their own."""
        if self._timer.interval() != round(undo_s * 1000) and not self._timer.isActive():
            self._timer.setInterval(round(undo_s * 1000))

    def remove(self, document_ids: Sequence[int]) -> None:
        """Remove documents."""
        if not document_ids:
            return
        ids = list(document_ids)
        job = self._session.workspace.change(
            lambda library: library.documents.remove(ids), ChangeSet(listing=True, sentences=True)
        )
        self._session.bridge.call(
            job, self, lambda _count: self._add(ids, are_files_deleted=False), on_error=self.failed.emit
        )

    def note_deleted(self, document_ids: Sequence[int]) -> None:
        """Offer to undo the removal of documents whose files were deleted from watched folders.

        Restored, they stay as missing.
        """
        self._add(list(document_ids), are_files_deleted=True)

    def undo(self) -> None:
        """Restore every document that is not erased yet."""
        ids, self._removed = self._removed, []
        self._timer.stop()
        self.changed.emit(0)
        if ids:
            job = self._session.workspace.change(
                lambda library: library.documents.restore(ids), ChangeSet(listing=True, sentences=True)
            )
            self._session.bridge.call(job, self, lambda _count: self.restored.emit(), on_error=self.failed.emit)

    def stop(self) -> None:
        """Leave the rest to the end of the program."""
        self._timer.stop()

    def _add(self, ids: list[int], *, are_files_deleted: bool) -> None:
        self.are_files_deleted = are_files_deleted and (self.are_files_deleted or not self._removed)
        self._removed += ids
        self._timer.start()
        self.changed.emit(len(self._removed))

    def _purge(self) -> None:
        self._removed = []
        self.changed.emit(0)
        self._session.bridge.call(self._session.workspace.maintenance.purge(), self, on_error=self.failed.emit)
