"""Clicks with the middle button on the rows of a list or tree, which Qt would take for choosing a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView


class MiddleClick(QObject):
    """Listens to a view, and keeps what is chosen in it.

    Attributes:
        clicked: a row was clicked; carries its QModelIndex.
    """

    clicked = Signal(object)

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QPersistentModelIndex | None = None
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what the middle button does."""
        kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease)
        if event.type() not in kinds or not isinstance(event, QMouseEvent):
            return False
        if event.button() != Qt.MouseButton.MiddleButton:
            return False
        index = self._view.indexAt(event.position().toPoint())
        if event.type() != QEvent.Type.MouseButtonRelease:
            self._pressed = QPersistentModelIndex(index)
            return True
        pressed, self._pressed = self._pressed, None
        if pressed is not None and index.isValid() and pressed == QPersistentModelIndex(index):
            self.clicked.emit(index)
        return True
