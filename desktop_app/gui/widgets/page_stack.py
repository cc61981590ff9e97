"""Pages of which one is shown at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtWidgets import QWidget


class PageStack(QStackedWidget):
    """Shows one page at a time, and can be made as small as that page.

    Qt's own is at least as large as its largest page, also when that has been hidden for long.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _at: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size of the page that is shown."""
        page = self.currentWidget()
        if page is None:
            return super().minimumSizeHint()
        return page.minimumSizeHint().expandedTo(page.minimumSize()).boundedTo(page.maximumSize())
