"""The tree view of folders and documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyleOptionViewItem, QTreeView

from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.library.delegate import DocumentDelegate
from desktop_app.gui.library.folder_tree import DocumentNode, FolderNode
from desktop_app.gui.widgets.item_views import edit_row_in_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QMouseEvent, QPainter

    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.library.model import DocumentTreeModel

AnyIndex = QModelIndex | QPersistentModelIndex

_CHEVRON_PX = 14


@dataclass(frozen=True, slots=True)
class _TitleDraft:
    """A title that is being typed."""

    document_id: int
    text: str
    cursor: int


class DocumentTreeView(QTreeView):
    """Shows a DocumentTreeModel.

    Attributes:
        closed: paths of the folders that the person closed.
    """

    def __init__(self, model: DocumentTreeModel, themes: ThemeManager) -> None:
        super().__init__()
        self._model = model
        self._themes = themes
        self.closed: set[str] = set()
        self._is_restoring = False
        self._chosen: set[int | str] = set()
        self._current: int | str | None = None
        self._scroll = 0
        self._draft: _TitleDraft | None = None
        self.setObjectName("documents")
        self.setAccessibleName(self.tr("Documents"))
        self.header().setAccessibleName(self.tr("Columns"))
        self.setHeaderHidden(True)
        # Selected rows are painted here in their whole width; Qt would paint over the arrows.
        colours = QPalette()
        colours.setColor(QPalette.ColorRole.Highlight, Qt.GlobalColor.transparent)
        self.setPalette(colours)
        self.setModel(model)
        self.setItemDelegate(DocumentDelegate(self, themes))
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(24)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.collapsed.connect(self._on_collapsed)
        self.expanded.connect(self._on_expanded)
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        model.rowsInserted.connect(self._on_rows_inserted)

    # Selection

    def chosen(self) -> list[DocumentNode | FolderNode]:
        """Return the selected rows, from top to bottom."""
        nodes = [self._model.node(index) for index in self.selectionModel().selectedIndexes()]
        return sorted((node for node in nodes if node is not None), key=_position_key)

    def choose(self, keys: Iterable[int | str]) -> None:
        """Select rows by document id or folder path; skip hidden ones."""
        found = [index for key in keys if (index := self._index_of(key)).isValid()]
        chosen = QItemSelection()
        for first, last in _contiguous_runs(found):
            chosen.select(first, last)
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _index_of(self, key: int | str) -> QModelIndex:
        return self._model.index_of_folder(key) if isinstance(key, str) else self._model.index_of(key)

    # Open folders

    def open_folders(self) -> None:
        """Open all folders except those that the person closed; all of them while a filter is active."""
        self._is_restoring = True
        self.expandAll()
        if self._model.forest.filter.is_open:
            for path in self.closed:
                self.collapse(self._model.index_of_folder(path))
        self._is_restoring = False

    def _on_collapsed(self, index: QModelIndex) -> None:
        folder = self._model.node(index)
        if not self._is_restoring and isinstance(folder, FolderNode) and self._model.forest.filter.is_open:
            self.closed.add(folder.path)

    def _on_expanded(self, index: QModelIndex) -> None:
        folder = self._model.node(index)
        if not self._is_restoring and isinstance(folder, FolderNode):
            self.closed.discard(folder.path)

    def _on_rows_inserted(self, parent: QModelIndex) -> None:
        folder = self._model.node(parent) if parent.isValid() else None
        if isinstance(folder, FolderNode) and folder.path not in self.closed and not self.isExpanded(parent):
            self.expand(parent)

    # Across a reset of the model

    def _keep(self) -> None:
        self._chosen = {_node_key(node) for node in self.chosen()}
        current = self._model.node(self.currentIndex()) if self.currentIndex().isValid() else None
        self._current = _node_key(current) if current is not None else None
        self._scroll = self.verticalScrollBar().value()
        self._draft = None
        field = self.indexWidget(self.currentIndex())
        if isinstance(field, QLineEdit) and isinstance(self._current, int):
            self._draft = _TitleDraft(self._current, field.text(), field.cursorPosition())

    def _restore(self) -> None:
        self.open_folders()
        if self._current is not None and (index := self._index_of(self._current)).isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if self._chosen:
            self.choose(self._chosen)
        self.verticalScrollBar().setValue(self._scroll)
        self._reopen_title_field()

    def _reopen_title_field(self) -> None:
        """Open the field for a title again: Qt closes it when the model is reset, with all that was typed."""
        draft, self._draft = self._draft, None
        if draft is None or not (index := self._index_of(draft.document_id)).isValid():
            return
        edit_row_in_place(self, index)
        field = self.indexWidget(index)
        if isinstance(field, QLineEdit):
            field.setText(draft.text)
            field.setCursorPosition(draft.cursor)

    # Painting and the mouse

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint the whole width of a selected row, not only from its icon on."""
        delegate = self.itemDelegate()
        if isinstance(delegate, DocumentDelegate):
            delegate.paint_ground(painter, self._row_rect(index), self._state(index))
        super().drawRow(painter, option, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        """Paint the arrow of a folder."""
        if isinstance(self._model.node(index), FolderNode):
            side = _CHEVRON_PX
            at = QRect(rect.right() - side + 1, rect.center().y() - side // 2, side, side)
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            paint_icon(painter, at, name, self._themes.theme.color("muted"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open or close a folder; a document is activated."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and isinstance(self._model.node(index), FolderNode):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().mouseDoubleClickEvent(event)

    def _row_rect(self, index: AnyIndex) -> QRect:
        rect = self.visualRect(index)
        return QRect(0, rect.top(), self.viewport().width(), rect.height())

    def _state(self, index: AnyIndex) -> tuple[bool, bool, bool]:
        """Return whether a row is selected, hovered and focused."""
        under = self.viewport().mapFromGlobal(self.cursor().pos()) if self.underMouse() else None
        hovered = under is not None and self._row_rect(index).contains(under)
        return self.selectionModel().isSelected(index), hovered, self.hasFocus() and index == self.currentIndex()


def _node_key(node: DocumentNode | FolderNode) -> int | str:
    return node.document.document_id if isinstance(node, DocumentNode) else node.path


def _position_key(node: DocumentNode | FolderNode) -> tuple[int, ...]:
    """Return a key that sorts rows from top to bottom."""
    rows: list[int] = []
    at: DocumentNode | FolderNode | None = node
    while at is not None and at.row >= 0:
        rows.append(at.row)
        at = at.folder if isinstance(at, DocumentNode) else at.parent
    return tuple(reversed(rows))


def _contiguous_runs(indexes: list[QModelIndex]) -> list[tuple[QModelIndex, QModelIndex]]:
    """Return first and last of each run of neighbours."""
    runs: list[tuple[QModelIndex, QModelIndex]] = []
    for index in sorted(indexes, key=lambda each: (each.parent().internalId(), each.row())):
        if runs and runs[-1][1].row() + 1 == index.row() and runs[-1][1].parent() == index.parent():
            runs[-1] = runs[-1][0], index
        else:
            runs.append((index, index))
    return runs
