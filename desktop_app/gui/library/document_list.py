"""Keeps the list of documents up to date, and looks for missing files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.records import Document
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.library.model import DocumentTreeModel

_FIRST_ROWS = 500
_REFRESH_INTERVAL_MS = 250

_CHECK_INTERVAL_MS = 3000


class DocumentListController(QObject):
    """Keeps a DocumentTreeModel up to date; requests at most a few lists per second.

    Attributes:
        listed: the list is complete.
    """

    listed = Signal()

    def __init__(self, session: LibrarySession, model: DocumentTreeModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._first: list[Document] = []
        self._listing_due = False
        self._listing = False
        self._changed: set[int] = set()
        self.is_listed = False
        self._refreshing = Throttle(_REFRESH_INTERVAL_MS, self)
        self._refreshing.due.connect(self._refresh)
        session.opened.connect(self._list)
        session.bridge.changed.connect(self._on_changed)

    def stop(self) -> None:
        """Cancel a pending refresh."""
        self._refreshing.stop()

    def _on_changed(self, changes: ChangeSet) -> None:
        changed = changes.documents | changes.annotated
        if not (changes.listing or changed):
            return
        self._listing_due = self._listing_due or changes.listing
        self._changed |= changed
        self._refreshing.request()

    def _refresh(self) -> None:
        if self._listing:
            self._refreshing.request()
        elif self._listing_due:
            self._list()
        elif self._changed:
            ids, self._changed = sorted(self._changed), set()
            self._session.bridge.call(
                self._session.workspace.read_documents(ids),
                self,
                self._model.update,
            )

    def _list(self) -> None:
        self._listing_due, self._listing, self._first = False, True, []
        self._changed.clear()
        first, others = self._session.workspace.list_documents(_FIRST_ROWS)
        self._session.bridge.call(first, self, self._on_first, on_error=self._on_error)
        self._session.bridge.call(
            others, self, self._on_others, on_error=self._on_error, on_cancelled=self._on_cancelled
        )

    def _on_first(self, documents: list[Document]) -> None:
        self._first = documents
        if not self.is_listed and len(documents) == _FIRST_ROWS:
            self._model.replace(documents)

    def _on_others(self, documents: list[Document]) -> None:
        self._listing, self.is_listed = False, True
        self._model.replace([*self._first, *documents])
        self._first = []
        self.listed.emit()

    def _on_error(self, _error: BaseException) -> None:
        self._listing = False

    def _on_cancelled(self) -> None:
        self._listing = False


class MissingFilesController(QObject):
    """Looks for missing files when the list changes and when the person returns to the window."""

    def __init__(
        self, session: LibrarySession, document_list: DocumentListController, model: DocumentTreeModel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._throttle = Throttle(_CHECK_INTERVAL_MS, self)
        self._throttle.due.connect(self.check_files)
        document_list.listed.connect(self._throttle.request)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_state)

    def stop(self) -> None:
        """Cancel a pending look."""
        self._throttle.stop()

    def check_soon(self) -> None:
        """Look for missing files in a moment: a watched folder was synchronized."""
        self._throttle.request()

    def check_files(self) -> None:
        """Look for missing files now."""
        self._session.bridge.call(
            self._session.workspace.watched_folders.find_missing_files(), self, self._model.mark_missing
        )

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._session.status is not None:
            self._throttle.request()
