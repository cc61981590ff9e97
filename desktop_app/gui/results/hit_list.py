"""The list view of hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QListView

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class HitListView(QListView):
    """Lays its rows out anew for every width: the height of a card depends on it.

    Qt does so only for rows that wrap or flow from left to right.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_held = False  # the chosen row is in sight and shall stay so

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give every row the height that it needs now."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._is_held = self._is_held or self._is_current_visible(event.oldSize().height())
            self.scheduleDelayedItemsLayout()

    def doItemsLayout(self) -> None:
        """Lay the rows out; the chosen one stays in sight."""
        super().doItemsLayout()
        if self._is_held:
            self._is_held = False
            self.scrollTo(self.currentIndex())

    def _is_current_visible(self, height_px: int) -> bool:
        index = self.currentIndex()
        if not index.isValid():
            return False
        row = self.visualRect(index)
        return row.top() < height_px and row.bottom() >= 0
