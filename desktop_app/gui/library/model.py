"""The documents of the library in their folders, as a Qt tree model."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_app.gui.base import display_text
from desktop_app.gui.base.mime_data import DOCUMENTS_MIME
from desktop_app.gui.library.folder_tree import (
    DocumentNode,
    FolderNode,
    FolderTree,
    find_home,
    name_of_node,
    show_files,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Document
    from desktop_app.gui.library.folder_tree import DocumentFilter, DocumentOrder
    from desktop_app.gui.widgets.item_views import AnyIndex

DOCUMENT_ROLE = Qt.ItemDataRole.UserRole
PROGRESS_ROLE = Qt.ItemDataRole.UserRole + 1
FOLDER_ROLE = Qt.ItemDataRole.UserRole + 2
MISSING_ROLE = Qt.ItemDataRole.UserRole + 3
TAGS_ROLE = Qt.ItemDataRole.UserRole + 4

_MAX_ROW_CHANGES = 100  # more documents than this rebuild the tree
_MAX_DRAGGED_FILES = 500  # looked at before a drag begins
_FOLDER_FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDragEnabled


class DocumentTreeModel(QStandardItemModel):
    """Folders and documents.

    Qt has an item for each folder, with as many empty rows as it shows documents: a view lays out 10,000 rows without
    a call into Python, which took 0.2 s, and asks for the contents of those alone that it paints.

    Attributes:
        counted: the numbers of documents, visible ones and failures may have changed.
        renamed: a title was typed; carries (document id, title).
    """

    counted = Signal()
    renamed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._forest = FolderTree()
        self._folders: dict[int, FolderNode] = {}  # by the address of their items, which is the id of their rows in Qt
        self._entering: FolderNode | DocumentNode | None = None
        self._progress: Progress | None = None
        self.setColumnCount(1)
        # Before anything else is connected: whoever learns of new rows finds them.
        self.rowsInserted.connect(self._on_rows_inserted)
        self.rowsRemoved.connect(self._on_rows_removed)

    # The interface of Qt

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the header of the only column."""
        return self.tr("Documents") if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's name, tooltip, text for screen readers, or its document or folder."""
        node = self.node(index) if index.isValid() else None
        if isinstance(node, DocumentNode):
            progress = self._progress
            at_hand = progress is not None and progress.document_id == node.document.document_id
            if role == TAGS_ROLE:
                return self._forest.tags.get(node.document.document_id, ())
            return _document_data(node.document, progress if at_hand else None, role, self._forest)
        return _folder_data(node, role) if node is not None else None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emit a typed title; the row changes once the library has it."""
        node = self.node(index) if index.isValid() else None
        if role != Qt.ItemDataRole.EditRole or not isinstance(node, DocumentNode):
            return False
        title = " ".join(str(value).split())
        if title != display_text.document_name(node.document.title, node.document.path):
            self.renamed.emit(node.document.document_id, title)
        return True

    # Look-up

    def document(self, document_id: int) -> Document | None:
        """Return a document; None for an unknown id."""
        leaf = self._forest.leaves.get(document_id)
        return leaf.document if leaf is not None else None

    def all_documents(self) -> Iterator[Document]:
        """Yield every document of the list, visible or not."""
        return (leaf.document for leaf in self._forest.leaves.values() if not leaf.document.is_copy)

    def node(self, index: AnyIndex) -> DocumentNode | FolderNode | None:
        """Return the document or folder at `index`."""
        folder = self._folders.get(index.internalId()) if index.isValid() else None
        return folder.rows[index.row()] if folder is not None and index.row() < len(folder.rows) else None

    def find_node(self, name: int | str) -> DocumentNode | FolderNode | None:
        """Return a folder or copy by its path, or a document by its id; None if it is hidden."""
        folder = self._forest.folders.get(name) if isinstance(name, str) else None
        node = folder or self._forest.leaves.get(name)
        return node if node is not None and node.row >= 0 else None

    def index_of_node(self, node: DocumentNode | FolderNode) -> QModelIndex:
        """Return the index of a document or folder that is not hidden."""
        if isinstance(node, DocumentNode):
            return self.index(node.row, 0, self.index_of_node(node.folder))
        return self.index(node.row, 0, self.index_of_node(node.parent)) if node.parent is not None else QModelIndex()

    def index_of(self, name: int | str) -> QModelIndex:
        """Return the index of a document by its id, or of a copy by its path; invalid if it is hidden."""
        leaf = self._forest.leaves.get(name)
        return self.index_of_node(leaf) if leaf is not None and leaf.row >= 0 else QModelIndex()

    def index_of_folder(self, path: str) -> QModelIndex:
        """Return the index of a folder; invalid if it is hidden."""
        folder = self._forest.folders.get(path)
        return self.index_of_node(folder) if folder is not None and folder.row >= 0 else QModelIndex()

    @property
    def forest(self) -> FolderTree:
        """The documents in their folders; read-only."""
        return self._forest

    @property
    def count(self) -> int:
        """Number of documents in the library."""
        return self._forest.document_count

    # Changes

    def arrange(self, order: DocumentOrder | None = None, filter_: DocumentFilter | None = None) -> None:
        """Set order and filter."""
        wanted = order or self._forest.order, filter_ or self._forest.filter
        if wanted != (self._forest.order, self._forest.filter):
            with self._reset():
                self._forest.arrange(*wanted)

    def replace(self, documents: Sequence[Document]) -> None:
        """Show `documents` and no others."""
        leaves = self._forest.leaves
        wanted = {name_of_node(shown): shown for shown in show_files(documents)}
        removed = [leaf for name, leaf in leaves.items() if name not in wanted]
        new: list[Document] = []
        known: list[tuple[Document, DocumentNode]] = []
        for name, shown in wanted.items():
            node = leaves.get(name)
            if node is None:
                new.append(shown)
            elif shown is not node.document and shown != node.document:
                known.append((shown, node))
        has_moved = False
        for shown, leaf in known:
            if find_home(shown.path) != leaf.home:
                has_moved = True
                self._forest.update_document(shown)
        if not has_moved:
            self._update([shown for shown, _ in known])
        entered = [self._forest.update_document(shown) for shown in new]
        if not removed and not new and not has_moved:
            return
        remaining = {name: leaf for name, leaf in leaves.items() if name in wanted} if removed else leaves
        changes = len(removed) + len(new)
        if has_moved or changes > _MAX_ROW_CHANGES or not self._forest.has_same_folders(remaining.values()):
            for shown, _ in known if has_moved else ():
                self._forest.update_document(shown)
            self._forest.leaves = remaining
            self._build()
            return
        for leaf in entered:
            leaf.folder = self._forest.folders[leaf.home]
            leaf.folder.leaves.append(leaf)
        for leaf in removed:
            leaf.is_shown = False
            leaf.folder.leaves.remove(leaf)
        is_settled = self._settle([*entered, *removed])
        self._forest.leaves = remaining
        if is_settled:
            self._count({leaf.folder.path: leaf.folder for leaf in [*entered, *removed]}.values())
        else:
            self._build()

    def update(self, documents: Iterable[Document]) -> None:
        """Update these documents; their files stay the same until the next `replace`."""
        self._update(
            shown
            for shown in show_files(documents)
            if (leaf := self._forest.leaves.get(name_of_node(shown))) is not None and leaf.document.path == shown.path
        )

    def _update(self, documents: Iterable[Document]) -> None:
        """Update documents in their folders, as their files show them."""
        moved: list[DocumentNode] = []
        touched: dict[str, FolderNode] = {}
        for document in documents:
            leaf = self._forest.leaves.get(name_of_node(document))
            if leaf is None or leaf.document == document:
                continue
            before = leaf.key, leaf.is_shown, leaf.document.state
            self._forest.update_document(document)
            if before[:2] != (leaf.key, leaf.is_shown):
                moved.append(leaf)
            if before[1:] != (leaf.is_shown, document.state):
                touched[leaf.folder.path] = leaf.folder
            if leaf.row >= 0:
                at = self.index_of_node(leaf)
                self.dataChanged.emit(at, at)
        if not self._settle(moved):
            self._build()
        elif touched:
            self._count(touched.values())

    def keep_folder_names(self) -> None:
        """Keep the names of the top folders: later imports from other places do not change them."""
        self._forest.keep_names()

    def restore_folder_names(self, names: dict[str, str]) -> None:
        """Keep names of top folders by their paths, as an earlier window showed them."""
        self._forest.top_names = dict(names)
        if self._forest.leaves:
            self._build()

    def mark_missing(self, document_ids: frozenset[int]) -> None:
        """Mark the documents whose files are missing."""
        changed = document_ids ^ self._forest.missing
        if not changed:
            return
        self._forest.missing = document_ids
        self._refresh_documents(changed)

    def show_tags(self, tags: dict[int, tuple[str, ...]]) -> None:
        """Show tags by document id."""
        before, self._forest.tags = self._forest.tags, tags
        self._refresh_documents({document_id for document_id, _ in before.items() ^ tags.items()})

    def _refresh_documents(self, document_ids: Iterable[int]) -> None:
        """Update some documents, and hide those that the filter excludes."""
        leaves = [leaf for number in document_ids for leaf in self._forest.leaves_of(number)]
        turned: list[DocumentNode] = []  # from visible to hidden, or back
        for leaf in leaves:
            was_shown = leaf.is_shown
            self._forest.update_visibility(leaf)
            if leaf.is_shown != was_shown:
                turned.append(leaf)
        if len(turned) > _MAX_ROW_CHANGES or not self._settle(turned):
            self._build()
            return
        rows: dict[FolderNode, list[int]] = {}
        for leaf in leaves:
            if leaf.row >= 0:
                rows.setdefault(leaf.folder, []).append(leaf.row)
        for folder, changed in rows.items():
            above = self.index_of_node(folder)
            self.dataChanged.emit(self.index(min(changed), 0, above), self.index(max(changed), 0, above))
        if turned:
            self._count({leaf.folder.path: leaf.folder for leaf in turned}.values())
        else:
            self.counted.emit()

    def mimeTypes(self) -> list[str]:
        """Return the formats of dragged documents."""
        return [DOCUMENTS_MIME, "text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the documents of the dragged rows, including those in folders, and for other programs their files.

        Documents in archives have no file of their own.
        """
        paths: dict[int, str] = {}
        for index in indexes:
            node = self.node(index)
            leaves = [node] if isinstance(node, DocumentNode) else node.list_documents() if node is not None else ()
            for leaf in leaves:
                paths[leaf.document.document_id] = leaf.document.path
        data = QMimeData()
        data.setData(DOCUMENTS_MIME, json.dumps(list(paths)).encode())
        if len(paths) <= _MAX_DRAGGED_FILES:
            data.setUrls([QUrl.fromLocalFile(path) for path in paths.values() if os.path.isfile(path)])
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        """Return that dragging copies."""
        return Qt.DropAction.CopyAction

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of the current document."""
        before, self._progress = self._progress, progress
        for each in (before, progress):
            if each is not None and each.document_id is not None:
                index = self.index_of(each.document_id)
                if index.isValid():
                    self.dataChanged.emit(index, index)

    def _build(self) -> None:
        """Rebuild the tree."""
        with self._reset():
            self._forest.build()

    @contextmanager
    def _reset(self) -> Iterator[None]:
        """Let everything that shows the model start anew after a change of the tree."""
        self.beginResetModel()
        yield
        self._fill()
        self.endResetModel()
        self.counted.emit()

    def _fill(self) -> None:
        """Give every visible folder its item, with empty rows for its documents.

        Never by `invisibleRootItem`: Qt deletes that one without a word to Python, which would then take any new Qt
        object at its address for it.
        """
        self.blockSignals(True)  # the items are part of one reset
        self.removeRows(0, self.rowCount())
        root = self._forest.root
        self.setRowCount(len(root.rows))
        for row, node in enumerate(root.rows):
            if isinstance(node, FolderNode):
                self.setItem(row, 0, _make_item(node))
        self.blockSignals(False)
        self._folders = {}
        for folder in (root, *self._forest.folders.values()):
            if folder.rows:
                self._folders[self.index(0, 0, self.index_of_node(folder)).internalId()] = folder

    def _on_rows_inserted(self, parent: QModelIndex, first: int, _last: int) -> None:
        folder = self._folder_at(parent)
        assert self._entering is not None
        folder.rows.insert(first, self._entering)
        folder.assign_row_numbers()

    def _on_rows_removed(self, parent: QModelIndex, first: int, _last: int) -> None:
        folder = self._folder_at(parent)
        folder.rows.pop(first).row = -1
        folder.assign_row_numbers()

    def _folder_at(self, index: QModelIndex) -> FolderNode:
        found = self.node(index)
        return found if isinstance(found, FolderNode) else self._forest.root

    def _settle(self, leaves: list[DocumentNode]) -> bool:
        """Update the folders of some documents row by row, so that nothing else on the screen moves.

        Returns:
            whether that was possible; if not, rebuild the tree.
        """
        for folder in {leaf.folder.path: leaf.folder for leaf in leaves}.values():
            wanted = folder.sorted_rows()
            if bool(wanted) != bool(folder.rows) or len(set(wanted) ^ set(folder.rows)) > _MAX_ROW_CHANGES:
                return False
            self._sync(folder, wanted)
        return True

    def _sync(self, folder: FolderNode, wanted: list[FolderNode | DocumentNode]) -> None:
        at = self.index_of_node(folder)
        keep = set(wanted)
        going = [row for row in range(len(folder.rows) - 1, -1, -1) if folder.rows[row] not in keep]
        for row in going:
            self.removeRow(row, at)
        present = set(folder.rows)
        if folder.rows != (ordered := [node for node in wanted if node in present]):
            self.layoutAboutToBeChanged.emit()
            before = [index for index in self.persistentIndexList() if self.node(index) in present]
            nodes = [self.node(index) for index in before]
            folder.rows = ordered
            folder.assign_row_numbers()
            self.changePersistentIndexList(before, [self.index_of_node(node) for node in nodes if node is not None])
            self.layoutChanged.emit()
        for row, node in enumerate(wanted):
            if node not in present:
                self._entering = node
                self.insertRow(row, at)

    def _count(self, changed: Iterable[FolderNode]) -> None:
        """Count again, and update the counts of these folders and their parents."""
        self._forest.count()
        for folder in changed:
            above: FolderNode | None = folder
            while above is not None and above.parent is not None:
                if above.row >= 0:  # not while the filter hides all its documents
                    at = self.index_of_node(above)
                    self.dataChanged.emit(at, at)
                above = above.parent
        self.counted.emit()


def _make_item(folder: FolderNode) -> QStandardItem:
    """Return the item of a folder and those of the folders in it, with an empty row for each document."""
    item = QStandardItem()
    item.setFlags(_FOLDER_FLAGS)
    item.setColumnCount(1)
    item.setRowCount(len(folder.rows))
    for row, node in enumerate(folder.rows):
        if not isinstance(node, FolderNode):
            break  # documents come after folders
        item.setChild(row, _make_item(node))
    return item


def _document_data(document: Document, progress: Progress | None, role: int, forest: FolderTree) -> Any:
    is_missing, tags = document.document_id in forest.missing, forest.tags.get(document.document_id, ())
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
        return display_text.document_name(document.title, document.path)
    if role == Qt.ItemDataRole.ToolTipRole:
        return display_text.make_tooltip(display_text.describe_document(document, is_missing=is_missing, tags=tags))
    if role == Qt.ItemDataRole.AccessibleTextRole:
        state = (
            display_text.describe_missing_file(document)
            if is_missing
            else display_text.describe_document_state(document, progress)
        )
        parts = [display_text.document_name(document.title, document.path), state, display_text.list_tags(tags)]
        return ", ".join(part for part in parts if part)
    if role == MISSING_ROLE:
        return is_missing
    if role == DOCUMENT_ROLE:
        return document
    return progress if role == PROGRESS_ROLE else None


def _folder_data(folder: FolderNode, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return folder.name
    if role == Qt.ItemDataRole.ToolTipRole:
        return display_text.make_tooltip(
            f"{folder.path}\n{display_text.describe_folder_state(folder.documents, folder.failed)}"
        )
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return f"{folder.name}, {display_text.describe_folder_state(folder.documents, folder.failed)}"
    return folder if role == FOLDER_ROLE else None
