"""The table of contents of a document: its button in the header, and the popup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from desktop_app.gui.base.display_text import translate
from desktop_app.gui.widgets.layouts import make_column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QToolButton

    from desktop_app.core.pages import OutlineEntry
    from desktop_app.gui.reader.model import ReaderMode
    from desktop_app.gui.reader.page_view import PageView
    from desktop_app.gui.reader.text_view import StoredTextView

_ENTRY_ROLE = Qt.ItemDataRole.UserRole
_MAX_EXPANDED_ENTRIES = 40
_EDGE_PX = 4


class ReaderOutline(QObject):
    """The headings of the document in a reader.

    Args:
        reader: the parent of the popup.
        button: opens the popup; hidden while there are no headings.
        pages: shows a heading by its page.
        text: shows a heading by its text.
        mode: returns what the reader shows.

    Attributes:
        message_emitted: a line to show at the bottom of the window.
        entries: the headings, in order.
    """

    message_emitted = Signal(str)

    def __init__(
        self,
        reader: QWidget,
        button: QToolButton,
        pages: PageView,
        text: StoredTextView,
        mode: Callable[[], ReaderMode],
    ) -> None:
        super().__init__(reader)
        self._reader, self._button = reader, button
        self._pages, self._text, self._mode = pages, text, mode
        self.entries: tuple[OutlineEntry, ...] = ()

    def show(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Replace the headings."""
        self.entries = entries
        self.show_button()

    def add(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Replace the headings, unless there are no new ones."""
        self.show(entries or self.entries)

    def find_headings(self) -> None:
        """Take the headings of the stored text if the file has no table of contents."""
        from desktop_app.core.pages import OutlineEntry

        if not self.entries and (found := self._text.headings):
            self.show(tuple(OutlineEntry(heading, None, 0) for heading in found))

    def clear(self) -> None:
        """Remove the headings."""
        self.entries = ()

    def show_button(self) -> None:
        """Show the button if there are headings."""
        self._button.setVisible(bool(self.entries))

    def pop_up(self) -> None:
        """Show the table of contents."""
        if self.entries:
            popup = OutlinePopup(self._reader, self.entries, self._pages.page if self._mode() == "pages" else 0)
            popup.chosen.connect(self._go_to)
            popup.pop_up(self._button.mapToGlobal(self._button.rect().bottomLeft()))

    def _go_to(self, entry: OutlineEntry) -> None:
        mode = self._mode()
        (self._text if mode == "text" else self._pages).setFocus()
        if mode == "pages" and entry.page is not None:
            self._pages.go_to(entry.page)
        elif mode == "text" and not (
            self._text.find_heading(entry.title) or (entry.page is not None and self._text.find_page(entry.page))
        ):
            self.message_emitted.emit(translate("ReaderPane", "This heading isn't in the saved text."))


class OutlinePopup(QFrame):
    """A tree of headings; Enter or a click goes to one.

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
        make_column(self._filter, self.tree, parent=self, margins=8, spacing=6)
        self._fill(entries, page)
        self.resize(QSize(360, min(440, 70 + 26 * max(len(entries), 3))))

    def pop_up(self, at: QPoint) -> None:
        """Show the popup at a position of the screen, or beside it where the screen ends."""
        screen = self.screen().availableGeometry().adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX)
        left = max(min(at.x(), screen.right() - self.width()), screen.left())
        self.move(left, max(min(at.y(), screen.bottom() - self.height()), screen.top()))
        self.show()
        self.tree.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Escape; Enter and Down in the field for the filter go to the list."""
        is_filtering, key, item = self._filter.hasFocus(), event.key(), self.tree.currentItem()
        if key == Qt.Key.Key_Escape:
            self.close()
        elif is_filtering and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item is not None:
            if not item.isHidden():
                self._choose(item, 0)
        elif is_filtering and key == Qt.Key.Key_Down:
            self.tree.setFocus()
        else:
            super().keyPressEvent(event)

    def _fill(self, entries: Sequence[OutlineEntry], page: int) -> None:
        self.tree.ensurePolished()  # all rows get the height of the first one measured
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
        matches = self.tree.findItems(text, Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive, 0)
        if wanted and matches and self.tree.currentItem() not in matches:
            self.tree.setCurrentItem(matches[0])

    def _choose(self, item: QTreeWidgetItem, _column: int) -> None:
        entry = item.data(0, _ENTRY_ROLE)
        self.close()
        self.chosen.emit(entry)
