"""The tree view of folders and documents, and its delegate, which paints rows and edits titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyleOptionViewItem, QTreeView, QWidget

from desktop_app.core.formats import find_format
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.library.folder_tree import DocumentNode, FolderNode
from desktop_app.gui.library.model import DOCUMENT_ROLE, FOLDER_ROLE, MISSING_ROLE, PROGRESS_ROLE, TAGS_ROLE
from desktop_app.gui.widgets.item_views import RowDraft
from desktop_app.gui.widgets.row_delegate import ICON_PX, MARGIN_PX, PAD_PX, RowDelegate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QMouseEvent

    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Document
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.library.model import DocumentTreeModel
    from desktop_app.gui.widgets.item_views import AnyIndex


_CHEVRON_PX = 14
_BAR_PX = 3


class DocumentTreeView(QTreeView):
    """Shows a DocumentTreeModel.

    Attributes:
        document_clicked: a document was clicked, and is the only selected row; carries the Document.
        document_double_clicked: carries the Document.
        closed: paths of the folders that the person closed.
    """

    document_clicked = Signal(object)
    document_double_clicked = Signal(object)

    def __init__(self, model: DocumentTreeModel, themes: ThemeManager) -> None:
        super().__init__()
        self._model = model
        self._themes = themes
        self.closed: set[str] = set()
        self._is_restoring = False
        self._chosen: set[int | str] = set()
        self._current: int | str | None = None
        self._scroll = 0
        self._draft = RowDraft(self)
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

    def selected_nodes(self) -> list[DocumentNode | FolderNode]:
        """Return the selected rows, from top to bottom."""
        selection = self.selectionModel().selection()
        found: list[DocumentNode | FolderNode] = []
        for part in (selection.at(nth) for nth in range(selection.size())):
            first = self._model.node(part.topLeft())
            if first is not None:
                above = first.folder if isinstance(first, DocumentNode) else first.parent
                found += above.rows[part.top() : part.bottom() + 1] if above is not None else []
        if len(found) < 2:
            return found
        chosen = set(found)
        return [node for node in self._model.forest.root.list_rows() if node in chosen]

    def selected_files(self) -> list[DocumentNode]:
        """Return the selected files and the visible ones in selected folders, from top to bottom."""
        found: dict[DocumentNode, None] = {}
        listed: set[FolderNode | None] = set()  # with everything in them
        for node in self.selected_nodes():
            if isinstance(node, DocumentNode):
                found[node] = None
            else:
                if node.parent not in listed:
                    found.update(dict.fromkeys(node.list_documents()))
                listed.add(node)
        return list(found)

    def selected_tops(self) -> list[DocumentNode | FolderNode]:
        """Return the selected rows, without those in folders that are selected themselves."""
        found: list[DocumentNode | FolderNode] = []
        covered: set[FolderNode | None] = set()
        for node in self.selected_nodes():
            above = node.folder if isinstance(node, DocumentNode) else node.parent
            if above not in covered:
                found.append(node)
            if isinstance(node, FolderNode):
                covered |= {node, *node.list_folders()}
        return found

    def choose(self, keys: Iterable[int | str]) -> None:
        """Select rows by document id, or by the path of a folder or copy; skip hidden ones."""
        found = [node for key in keys if (node := self._model.find_node(key)) is not None]
        chosen = QItemSelection()
        for first, last in _contiguous_runs(found):
            chosen.select(self._model.index_of_node(first), self._model.index_of_node(last))
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _index_of(self, key: int | str) -> QModelIndex:
        node = self._model.find_node(key)
        return self._model.index_of_node(node) if node is not None else QModelIndex()

    # Open folders

    def open_folders(self) -> None:
        """Open all folders except those that the person closed; all of them while a filter is active."""
        self._is_restoring = True
        # Folders open one by one before they are laid out: `expandAll` also notes each document as open.
        self.scheduleDelayedItemsLayout()
        closed = self.closed if self._model.forest.filter.is_open else set()
        for path in self._model.forest.folders:
            self.setExpanded(self._model.index_of_folder(path), path not in closed)
        self.executeDelayedItemsLayout()
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
        self._chosen = {_node_key(node) for node in self.selected_nodes()}
        current = self._model.node(self.currentIndex()) if self.currentIndex().isValid() else None
        self._current = _node_key(current) if current is not None else None
        self._scroll = self.verticalScrollBar().value()
        self._draft.save(self._current)

    def _restore(self) -> None:
        self.open_folders()
        if self._current is not None and (index := self._index_of(self._current)).isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if self._chosen:
            self.choose(self._chosen)
        self.verticalScrollBar().setValue(self._scroll)
        self._draft.reopen(self._index_of)

    # Painting and the mouse

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint the whole width of a selected row, not only from its icon on."""
        delegate = self.itemDelegate()
        if isinstance(delegate, DocumentDelegate):
            delegate.paint_ground(painter, self._row_rect(index), self._state(index))
        super().drawRow(painter, option, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        """Paint the arrow of a folder, right of the frame of a selected row."""
        if isinstance(self._model.node(index), FolderNode):
            side = _CHEVRON_PX
            at = QRect(rect.right() - side + 5, rect.center().y() - side // 2, side, side)
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            paint_icon(painter, at, name, self._themes.theme.color("muted"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open or close a folder; report a document."""
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            super().mouseDoubleClickEvent(event)
        elif isinstance(self._model.node(index), FolderNode):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.document_double_clicked.emit(index.data(DOCUMENT_ROLE))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report a document that was clicked alone."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        nodes = self.selected_nodes()
        if event.button() == Qt.MouseButton.LeftButton and len(nodes) == 1 and index.isValid():
            document = index.data(DOCUMENT_ROLE)
            if document is not None and isinstance(nodes[0], DocumentNode) and nodes[0].document == document:
                self.document_clicked.emit(document)

    def _row_rect(self, index: AnyIndex) -> QRect:
        rect = self.visualRect(index)
        return QRect(0, rect.top(), self.viewport().width(), rect.height())

    def _state(self, index: AnyIndex) -> tuple[bool, bool, bool]:
        """Return whether a row is selected, hovered and focused."""
        under = self.viewport().mapFromGlobal(self.cursor().pos()) if self.underMouse() else None
        hovered = under is not None and self._row_rect(index).contains(under)
        return self.selectionModel().isSelected(index), hovered, self.hasFocus() and index == self.currentIndex()


def _node_key(node: DocumentNode | FolderNode) -> int | str:
    return node.name if isinstance(node, DocumentNode) else node.path


def _contiguous_runs(
    nodes: list[DocumentNode | FolderNode],
) -> list[tuple[DocumentNode | FolderNode, DocumentNode | FolderNode]]:
    """Return first and last of each run of neighbours."""
    rows: dict[str, list[DocumentNode | FolderNode]] = {}
    for node in nodes:
        above = node.folder if isinstance(node, DocumentNode) else node.parent
        rows.setdefault(above.path if above is not None else "", []).append(node)
    runs: list[tuple[DocumentNode | FolderNode, DocumentNode | FolderNode]] = []
    for inner in rows.values():
        inner.sort(key=lambda node: node.row)
        first = inner[0]
        for node, following in zip(inner, [*inner[1:], None], strict=True):
            if following is None or following.row != node.row + 1:
                runs.append((first, node))
                first = following or node
    return runs


def _document_icon_and_tone(document: Document) -> tuple[str, str]:
    """Return the icon of a document's state, and the theme colour of icon and text."""
    if document.state == "failed":
        return "circle-alert", "bad"
    if document.state == "queued":
        return "clock", "muted"
    if document.state in ("reading", "embedding"):
        return "loader-circle", "accent"
    return find_format(document.type).icon, "muted"


class DocumentDelegate(RowDelegate):
    """Paints the name of a document or folder and its state, with a thin bar while it is read."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        folder: FolderNode | None = index.data(FOLDER_ROLE)
        rect: QRect = option.rect.adjusted(0, 1, -MARGIN_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if folder is not None:
            state = display_text.describe_folder_state(folder.documents, folder.failed)
            self.paint_lines(painter, rect, "folder", "muted", folder.name, state)
        else:
            document: Document = index.data(DOCUMENT_ROLE)
            progress: Progress | None = index.data(PROGRESS_ROLE)
            name, tone = _document_icon_and_tone(document)
            state = display_text.describe_document_state(document, progress)
            if index.data(MISSING_ROLE):
                name, tone, state = "triangle-alert", "bad", display_text.describe_missing_file(document)
            title = index.data(Qt.ItemDataRole.DisplayRole)
            inner = self.paint_lines(painter, rect, name, tone, title, state, index.data(TAGS_ROLE) or ())
            if document.state == "reading" and progress is not None and progress.page and progress.page_count:
                self._paint_bar(painter, inner, progress.page / progress.page_count)
        painter.restore()

    def _paint_bar(self, painter: QPainter, inner: QRect, share: float) -> None:
        theme = self._themes.theme
        bar = QRectF(inner.left(), inner.bottom() - _BAR_PX, inner.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        bar.setWidth(inner.width() * min(share, 1.0))
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)

    # Renaming

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """Return a field that holds the title."""
        field = QLineEdit(index.data(Qt.ItemDataRole.EditRole), parent)
        field.setObjectName("title")
        field.setAccessibleName(display_text.translate("rows", "Title"))
        field.setPlaceholderText(display_text.translate("rows", "Title in the file"))
        field.setMaxLength(500)
        return field

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Keep the text: Qt calls this at every change of the row, and would overwrite what is being typed."""

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Place the field over name and state."""
        row = option.rect
        left = row.left() + PAD_PX + ICON_PX
        editor.setGeometry(left, row.top() + 3, row.right() - left - MARGIN_PX, row.height() - 6)
