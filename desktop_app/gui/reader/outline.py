"""A document's table of contents as a popup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop_app.gui.base.display_text import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop_app.core.pages import OutlineEntry

_ENTRY_ROLE = Qt.ItemDataRole.UserRole
_MAX_EXPANDED_ENTRIES = 40


class OutlinePopup(QFrame):
    """Headings; Enter or a click goes to one.

    Attributes:
        chosen: carries the OutlineEntry.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget, entries: Sequence[OutlineEntry], page: int) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Contents"))
        self._filter = QLineEdit()
        self._filter.setPlaceholderText(self.tr("Filter headings"))
        self._filter.setAccessibleName(self.tr("Filter headings"))
        self._filter.textChanged.connect(self._filter_entries)
        self.tree = QTreeWidget()
        self.tree.setObjectName("outline")
        self.tree.setAccessibleName(self.tr("Contents"))
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(14)
        self.tree.setColumnCount(2)
        self.tree.setUniformRowHeights(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, self.tree.header().ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, self.tree.header().ResizeMode.ResizeToContents)
        self.tree.itemActivated.connect(self._choose)
        self.tree.itemClicked.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self._filter)
        column.addWidget(self.tree)
        self._fill(entries, page)
        self.resize(QSize(360, min(440, 70 + 26 * max(len(entries), 3))))

    def pop_up(self, at: QPoint) -> None:
        """Show it at a place of the screen."""
        self.move(at)
        self.show()
        self.tree.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _fill(self, entries: Sequence[OutlineEntry], page: int) -> None:
        self.tree.ensurePolished()  # rows have the height of the first that is measured
        parents: list[tuple[int, QTreeWidgetItem]] = []
        here: QTreeWidgetItem | None = None
        for entry in entries:
            number = str(entry.page) if entry.page is not None else ""
            item = QTreeWidgetItem([entry.title, number])
            item.setData(0, _ENTRY_ROLE, entry)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            where = translate("outline", "{title}, page {page}").format(title=entry.title, page=number)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, where if number else entry.title)
            while parents and parents[-1][0] >= entry.level:
                parents.pop()
            if parents:
                parents[-1][1].addChild(item)
            else:
                self.tree.addTopLevelItem(item)
            parents.append((entry.level, item))
            if entry.page is not None and entry.page <= page:
                here = item
        if len(entries) <= _MAX_EXPANDED_ENTRIES:
            self.tree.expandAll()
        else:
            self.tree.expandToDepth(0)
        if (current := here or self.tree.topLevelItem(0)) is not None:
            self.tree.setCurrentItem(current)
            self.tree.scrollToItem(current)

    def _filter_entries(self, text: str) -> None:
        wanted = text.casefold()

        def sift(item: QTreeWidgetItem) -> bool:
            below = [sift(child) for nth in range(item.childCount()) if (child := item.child(nth)) is not None]
            shown = wanted in item.text(0).casefold() or any(below)
            item.setHidden(not shown)
            if wanted and any(below):
                item.setExpanded(True)
            return shown

        for nth in range(self.tree.topLevelItemCount()):
            if (item := self.tree.topLevelItem(nth)) is not None:
                sift(item)

    def _choose(self, item: QTreeWidgetItem, _column: int) -> None:
        entry = item.data(0, _ENTRY_ROLE)
        self.close()
        self.chosen.emit(entry)
