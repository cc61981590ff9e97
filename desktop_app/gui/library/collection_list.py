"""Collections and tags above the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.mime_data import DOCUMENTS_MIME, accept_as_copy, mime_documents
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QKeyEvent,
        QPaintEvent,
    )

    from desktop_app.core.records import DocumentCollection
    from desktop_app.gui.base.actions import ActionTable

_MAX_ROWS = 6
_MARK_RADIUS_PX = 5
_SCROLL_INTERVAL_MS, _SCROLL_STEP_PX = 30, 5
_COLLECTION_ACTIONS = (
    "collection.rename",
    "collection.forget",
    "collection.search_here",
    "collection.keys",
    "collection.pairs",
)
_MENU_ACTIONS = (
    "collection.search_here",
    "collection.keys",
    "collection.pairs",
    "",
    "collection.rename",
    "collection.forget",
    "",
    "collection.new",
)


class CollectionListView(QListWidget):
    """Lists "all documents" and each collection and tag; hidden while there is none.

    Attributes:
        picked: another row was selected.
        dropped: documents were dropped on a collection; carries (its id, their ids).
        dropped_on_new: documents were dropped for a new collection; carries their ids.
    """

    picked = Signal()
    dropped = Signal(object, object)
    dropped_on_new = Signal(object)

    def __init__(self, actions: ActionTable) -> None:
        super().__init__()
        self._actions = actions
        self.setObjectName("kinds")
        self.setAccessibleName(self.tr("Collections and tags"))
        self.setIconSize(QSize(16, 16))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.currentRowChanged.connect(self._on_current)
        self._items: list[DocumentCollection] = []
        self._held_at: QPoint | None = None  # where documents are held above the list
        self._target = -1  # the row that would receive them, 0 or less for none
        self._scrolling = QTimer(self, interval=_SCROLL_INTERVAL_MS)
        self._scrolling.timeout.connect(self._scroll)
        self.hide()
        self._enable()

    @property
    def current(self) -> DocumentCollection | None:
        """The selected collection; None for all documents."""
        row = self.currentRow()
        return self._items[row - 1] if 0 < row <= len(self._items) else None

    def set_collections(self, items: Sequence[DocumentCollection]) -> None:
        """Show these collections; keep the selection."""
        before = self.current
        self.blockSignals(True)
        self.clear()
        self._items = list(items)
        self.addItem(QListWidgetItem(make_icon("inbox"), self.tr("All documents")))
        for each in self._items:
            is_tag = each.kind == "tag"
            count = display_text.count_documents(len(each.document_ids))
            picture = make_icon("tag" if is_tag else "library")
            item = QListWidgetItem(picture, f"{each.name}  {display_text.format_number(len(each.document_ids))}")
            item.setToolTip(display_text.make_tooltip(f"{each.name}\n{count}"))
            name = self.tr("tag {name}").format(name=each.name) if is_tag else each.name
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {count}")
            self.addItem(item)
        ids = [each.collection_id for each in self._items]
        row = ids.index(before.collection_id) + 1 if before is not None and before.collection_id in ids else 0
        self.setCurrentRow(row)
        self.blockSignals(False)
        self.setVisible(bool(self._items))
        self._fit_height()
        if self.current != before:
            self.picked.emit()
        self._enable()

    def _fit_height(self) -> None:
        height = self.sizeHintForRow(0) if self.count() else 0
        self.setFixedHeight(min(self.count(), _MAX_ROWS) * height + 4)

    def select(self, collection_id: int) -> None:
        """Select a collection or tag by its id."""
        ids = [each.collection_id for each in self._items]
        if collection_id in ids:
            self.setCurrentRow(ids.index(collection_id) + 1)

    def _on_current(self) -> None:
        self._enable()
        self.picked.emit()

    def _enable(self) -> None:
        current = self.current
        texts = self._texts_of_tags() if current is not None and current.kind == "tag" else self._texts()
        for name, text in texts.items():
            self._actions[name].setText(text)
        self._actions.enable(_COLLECTION_ACTIONS, current is not None)

    def _texts(self) -> dict[str, str]:
        return {
            "collection.rename": self.tr("Rename Collection…"),
            "collection.forget": self.tr("Delete Collection"),
            "collection.search_here": self.tr("Search in This Collection"),
            "collection.keys": self.tr("Key Sentences of This Collection…"),
            "collection.pairs": self.tr("Duplicates in This Collection"),
            "document.uncollect": self.tr("Remove from Co&llection"),
        }

    def _texts_of_tags(self) -> dict[str, str]:
        return {
            "collection.rename": self.tr("Rename Tag…"),
            "collection.forget": self.tr("Delete Tag"),
            "collection.search_here": self.tr("Search with This Tag"),
            "collection.keys": self.tr("Key Sentences with This Tag…"),
            "collection.pairs": self.tr("Duplicates with This Tag"),
            "document.uncollect": self.tr("&Remove Tag"),
        }

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename with F2, remove with Delete, show all documents with Escape."""
        if event.key() == Qt.Key.Key_F2:
            self._actions["collection.rename"].trigger()
        elif event.key() == Qt.Key.Key_Delete:
            self._actions["collection.forget"].trigger()
        elif event.key() == Qt.Key.Key_Escape:
            self.setCurrentRow(0)
        else:
            super().keyPressEvent(event)

    def _show_menu(self, at: QPoint) -> None:
        menu = make_popup_menu(self, self.tr("Collection"))
        for name in _MENU_ACTIONS:
            if not name:
                menu.addSeparator()
            elif (action := self._actions[name]).isEnabled():
                menu.addAction(action)
        menu.popup(self.viewport().mapToGlobal(at))

    # Dropped documents

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept documents of this window only, and show a row that makes a new collection of them."""
        if event.mimeData().hasFormat(DOCUMENTS_MIME):
            event.acceptProposedAction()
            if self.count() == len(self._items) + 1:
                self.addItem(QListWidgetItem(make_icon("plus"), self.tr("New collection")))
                self._fit_height()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept a drop on a collection or the row of a new one; scroll near the upper and lower edge."""
        if event.mimeData().hasFormat(DOCUMENTS_MIME) and self._row_at(event) != 0:
            event.acceptProposedAction()
        else:
            event.ignore()
        self._hold(event.position().toPoint())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the mark and the row of a new collection, and stop scrolling."""
        super().dragLeaveEvent(event)
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit the dropped documents."""
        ids = mime_documents(event.mimeData())
        row = self._row_at(event)
        self._end_drag()
        accept_as_copy(event)
        if row > 0:
            self.dropped.emit(self._items[row - 1].collection_id, ids)
        elif row < 0:
            self.dropped_on_new.emit(ids)

    def _end_drag(self) -> None:
        self._hold(None)
        if self.count() > len(self._items) + 1:
            self.takeItem(self.count() - 1)
            self._fit_height()

    def _hold(self, at: QPoint | None) -> None:
        """Mark the row under documents that are held above the list, and scroll near its edges; None if they are gone.

        Qt's own scrolling stops after a few pixels if the pointer rests.
        """
        self._held_at = at
        row = self.indexAt(at).row() if at is not None else -1
        if row != self._target:
            self._target = row
            self.viewport().update()
        margin = self.autoScrollMargin()
        if at is not None and not margin <= at.y() < self.viewport().height() - margin:
            self._scrolling.start()
        else:
            self._scrolling.stop()

    def _scroll(self) -> None:
        if (at := self._held_at) is not None:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + (_SCROLL_STEP_PX if at.y() > self.viewport().height() / 2 else -_SCROLL_STEP_PX))
            self._hold(at)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame the marked row: what is dragged covers its name."""
        super().paintEvent(event)
        if self._target <= 0 or (item := self.item(self._target)) is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
        painter.drawRoundedRect(
            QRectF(self.visualItemRect(item)).adjusted(1, 1, -1, -1), _MARK_RADIUS_PX, _MARK_RADIUS_PX
        )

    def _row_at(self, event: QDropEvent) -> int:
        """Return the row under the pointer; -1 below all collections."""
        row = self.indexAt(event.position().toPoint()).row()
        return row if row <= len(self._items) else -1
