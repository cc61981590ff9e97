"""The list view of hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView

from desktop_app.gui.widgets.item_views import reserve_scroll_bar

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget


class HitListView(QListView):
    """Lays its rows out again for every width, because the height of a card depends on it.

    Qt does so only for rows that wrap or flow from left to right.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeps_current_visible = False
        self.setObjectName("hits")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(24)  # Qt's own is the height of a card
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scroll_bar(self)  # the cards keep their width
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Keep the current row marked: Ctrl and a click would take the mark from it, and keys would still act on it."""
        command = super().selectionCommand(index, event)
        flags = QItemSelectionModel.SelectionFlag
        return flags.NoUpdate if command & flags.Deselect else command

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give every row its new height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._keeps_current_visible = self._keeps_current_visible or self._is_current_visible(
                event.oldSize().height()
            )
            self.scheduleDelayedItemsLayout()

    def doItemsLayout(self) -> None:
        """Lay the rows out; keep the current one visible."""
        super().doItemsLayout()
        if self._keeps_current_visible:
            self._keeps_current_visible = False
            self.scrollTo(self.currentIndex())

    def _is_current_visible(self, height_px: int) -> bool:
        index = self.currentIndex()
        if not index.isValid():
            return False
        row = self.visualRect(index)
        return row.top() < height_px and row.bottom() >= 0
