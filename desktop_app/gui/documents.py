"""The library's documents as a list that follows the library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from desktop_app.gui import words
from desktop_app.gui.throttle import Throttle

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import ChangeSet, Document
    from desktop_app.gui.session import Session

AnyIndex = QModelIndex | QPersistentModelIndex
DOCUMENT_ROLE = Qt.ItemDataRole.UserRole
PROGRESS_ROLE = Qt.ItemDataRole.UserRole + 1
SORT_ROLE = Qt.ItemDataRole.UserRole + 2

_PAGE = 500
_REFRESH_EVERY_MS = 250
_NO_INDEX = QModelIndex()


class DocumentModel(QAbstractListModel):
    """Documents in the order of their ids."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: list[Document] = []
        self._rows: dict[int, int] = {}
        self._progress: Progress | None = None

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Return the number of documents."""
        return 0 if parent.isValid() else len(self._documents)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a document's name, details, or itself."""
        if not index.isValid() or index.row() >= len(self._documents):
            return None
        document = self._documents[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words.document_name(document.title, document.path)
        if role == Qt.ItemDataRole.ToolTipRole:
            return words.tooltip(words.document_details(document))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            name = words.document_name(document.title, document.path)
            return f"{name}, {words.document_state(document, self._progress_of(document))}"
        if role == DOCUMENT_ROLE:
            return document
        if role == PROGRESS_ROLE:
            return self._progress_of(document)
        if role == SORT_ROLE:
            return sort_key(document)
        return None

    def document(self, index: AnyIndex) -> Document:
        """Return the document at `index`."""
        return self._documents[index.row()]

    def documents(self) -> list[Document]:
        """Return all of them."""
        return list(self._documents)

    def index_of(self, document_id: int) -> QModelIndex:
        """Return where a document is."""
        row = self._rows.get(document_id)
        return QModelIndex() if row is None else self.index(row)

    def replace(self, documents: list[Document]) -> None:
        """Show `documents`, given in the order of their ids; selections stay where they can."""
        wanted = {document.document_id for document in documents}
        for row in range(len(self._documents) - 1, -1, -1):
            if self._documents[row].document_id not in wanted:
                self.beginRemoveRows(_NO_INDEX, row, row)
                del self._documents[row]
                self.endRemoveRows()
        present = {document.document_id for document in self._documents}
        row = 0
        while row < len(documents):
            stop = row
            while stop < len(documents) and documents[stop].document_id not in present:
                stop += 1
            if stop > row:
                self.beginInsertRows(_NO_INDEX, row, stop - 1)
                self._documents[row:row] = documents[row:stop]
                self.endInsertRows()
            row = stop + 1
        self._rows = {document.document_id: row for row, document in enumerate(documents)}
        self.update(documents)

    def update(self, documents: list[Document]) -> None:
        """Show what became of these documents."""
        for document in documents:
            row = self._rows.get(document.document_id)
            if row is not None and self._documents[row] != document:
                self._documents[row] = document
                self.dataChanged.emit(self.index(row), self.index(row))

    def show_progress(self, progress: Progress | None) -> None:
        """Show how far the document at hand is."""
        before, self._progress = self._progress, progress
        for each in (before, progress):
            if each is not None and each.document_id is not None:
                index = self.index_of(each.document_id)
                if index.isValid():
                    self.dataChanged.emit(index, index)

    def _progress_of(self, document: Document) -> Progress | None:
        progress = self._progress
        return progress if progress is not None and progress.document_id == document.document_id else None


def sort_key(document: Document) -> str:
    """Return a key that puts what is being read on top, and the rest in the order of names: 2 before 10."""
    name = words.document_name(document.title, document.path).casefold()
    name = re.sub(r"\d+", lambda digits: digits.group().zfill(12), name)
    is_worked_on = document.state in ("reading", "embedding")
    return f"{'0' if is_worked_on else '1'}{name}\0{document.document_id:020d}"


class SortedDocuments(QSortFilterProxyModel):
    """A DocumentModel in the order that people see."""

    def __init__(self, model: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSourceModel(model)
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(True)
        self.sort(0)


class DocumentFeed(QObject):
    """Keeps a DocumentModel in step with the library; asks a few times a second at most.

    Attributes:
        listed: the list is complete as of now.
    """

    listed = Signal()

    def __init__(self, session: Session, model: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._pages: list[Document] = []
        self._listing_due = False
        self._listing = False
        self._changed: set[int] = set()
        self.is_listed = False
        self._refreshing = Throttle(_REFRESH_EVERY_MS, self)
        self._refreshing.due.connect(self._refresh)
        session.opened.connect(self._list)
        session.bridge.changed.connect(self._on_changed)

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._refreshing.stop()

    def _on_changed(self, changes: ChangeSet) -> None:
        if not (changes.listing or changes.documents):
            return
        self._listing_due = self._listing_due or changes.listing
        self._changed |= changes.documents
        self._refreshing.request()

    def _refresh(self) -> None:
        if self._listing:
            self._refreshing.request()
        elif self._listing_due:
            self._list()
        elif self._changed:
            ids, self._changed = sorted(self._changed), set()
            self._session.bridge.call(self._session.workspace.document_rows(ids), self, self._model.update)

    def _list(self) -> None:
        self._listing_due, self._listing, self._pages = False, True, []
        self._changed.clear()
        self._next_page()

    def _next_page(self) -> None:
        after = self._pages[-1].document_id if self._pages else 0
        job = self._session.workspace.documents(after_id=after, limit=_PAGE)
        self._session.bridge.call(job, self, self._on_page, on_error=self._on_error, on_cancelled=self._on_cancelled)

    def _on_page(self, page: list[Document]) -> None:
        self._pages += page
        if len(page) == _PAGE:
            self._next_page()
            return
        self._listing, self.is_listed = False, True
        self._model.replace(self._pages)
        self._pages = []
        self.listed.emit()

    def _on_error(self, _error: BaseException) -> None:
        self._listing = False

    def _on_cancelled(self) -> None:
        self._listing = False
