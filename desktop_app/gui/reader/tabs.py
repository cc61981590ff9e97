"""Open documents in tabs: one reader, and a bookmark for each hidden document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QTabBar, QToolButton

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from PySide6.QtGui import QMouseEvent

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.records import Document
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.reader.model import ReaderBookmark, ShownDocument
    from desktop_app.gui.reader.pane import ReaderPane

TAB_ACTION_IDS = ("reader.next_tab", "reader.previous_tab")
"""The actions that need two tabs."""

_MIN_TAB_WIDTH_PX, _MAX_TAB_WIDTH_PX = 132, 200


class ReaderTabBar(QTabBar):
    """The names of documents, each with a close button. The data of a tab, an int, identifies it.

    Attributes:
        close_wanted: close a tab; carries its index.
    """

    close_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("documents_read")
        self.setAccessibleName(self.tr("Open documents"))
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self._pressed: int | None = None

    def add(self, key: int, at: int) -> None:
        """Insert a tab; `name` gives it a name."""
        at = self.insertTab(at, "")
        self.setTabData(at, key)
        button = QToolButton()
        button.setProperty("tone", "close")
        button.setIcon(make_icon("x"))
        button.setIconSize(QSize(13, 13))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+W closes the tab that has the focus
        button.setAccessibleName(self.tr("Close tab"))
        button.clicked.connect(lambda: self.close_wanted.emit(self.index_of(key)))
        self.setTabButton(at, QTabBar.ButtonPosition.RightSide, button)

    def name(self, at: int, shown: ShownDocument) -> None:
        """Name a tab after its document."""
        self.setTabText(at, shown.name.replace("&", "&&"))
        self.setTabToolTip(at, display_text.make_tooltip(shown.path))
        self.setAccessibleTabName(at, shown.name)
        button = self.tabButton(at, QTabBar.ButtonPosition.RightSide)
        if button is not None:
            says = self.tr("Close {name}").format(name=shown.name)
            button.setAccessibleName(says)
            button.setToolTip(display_text.make_tooltip(says))

    def index_of(self, key: int) -> int:
        """Return the index of a tab; -1 if there is none."""
        return next((at for at in range(self.count()) if self.tabData(at) == key), -1)

    def tabSizeHint(self, index: int) -> QSize:
        """Return a width between bounds, so that a long name does not push the others out."""
        size = super().tabSizeHint(index)
        return QSize(min(max(size.width(), _MIN_TAB_WIDTH_PX), _MAX_TAB_WIDTH_PX), size.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the size to which a tab shrinks before the bar scrolls."""
        return QSize(_MIN_TAB_WIDTH_PX, super().minimumTabSizeHint(index).height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the tab on which the middle button was pressed."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pressed = self.tabAt(event.position().toPoint())
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close a tab with the middle button."""
        if event.button() == Qt.MouseButton.MiddleButton:
            at, pressed = self.tabAt(event.position().toPoint()), self._pressed
            self._pressed = None
            if at >= 0 and at == pressed:
                self.close_wanted.emit(at)
            return
        super().mouseReleaseEvent(event)


class ReaderTabs(QObject):
    """The open documents of one reader. A single document has a tab only if the person keeps it."""

    def __init__(self, context: WindowContext, reader: ReaderPane) -> None:
        super().__init__(context.widget)
        self._context, self._reader = context, reader
        self._bookmarks: dict[int, ReaderBookmark] = {}
        self._kept: set[int] = set()  # tabs in which nothing else is shown
        self._current = 0
        self._last = 0
        self.bar = ReaderTabBar()
        self.bar.hide()
        self._reader.add_above(self.bar)
        self.bar.currentChanged.connect(self._on_chosen)
        self.bar.close_wanted.connect(self.close)
        self._reader.document_shown.connect(self._set_accessible_name)
        context.session.bridge.changed.connect(self._on_library_changed)

    @property
    def names(self) -> list[str]:
        """The names of the tabs, from left to right; none while there is one document."""
        return [self._bookmarks[self.bar.tabData(at)].shown.name for at in range(self.bar.count())]

    def open(self, show: Callable[[], None]) -> None:
        """Show something in a new tab; an empty reader needs no tab."""
        before = self._reader.bookmark()
        if before is None:
            show()
            return
        if not self._bookmarks:
            self._current = self._add(before, 0)
        self._bookmarks[self._current] = before
        show()
        if (now := self._reader.bookmark()) is not None:
            self._current = self._add(now, self.bar.index_of(self._current) + 1)
            with QSignalBlocker(self.bar):
                self.bar.setCurrentIndex(self.bar.index_of(self._current))
        self._refresh()

    @property
    def bookmarks(self) -> list[tuple[ReaderBookmark, bool]]:
        """The open documents from left to right, each with whether it is kept; none while there is one document."""
        if (now := self._reader.bookmark()) is not None and self._current in self._bookmarks:
            self._bookmarks[self._current] = now
        keys = [self.bar.tabData(at) for at in range(self.bar.count())]
        return [(self._bookmarks[key], key in self._kept) for key in keys]

    def restore(self, bookmarks: Sequence[tuple[ReaderBookmark, bool]], current: int) -> None:
        """Open documents in tabs, each with whether it is kept, and show one of them; there are none yet."""
        for at, (bookmark, is_kept) in enumerate(bookmarks):
            key = self._add(bookmark, at)
            if is_kept:
                self._kept.add(key)
        with QSignalBlocker(self.bar):
            self.bar.setCurrentIndex(current)
        self._current = self.bar.tabData(current)
        self._reader.return_to(self._bookmarks[self._current])
        self._refresh()

    def keep(self) -> None:
        """Keep the current document in its tab: whatever is shown next goes to another one."""
        if (now := self._reader.bookmark()) is None:
            return
        if not self._bookmarks:
            self._current = self._add(now, 0)
            with QSignalBlocker(self.bar):
                self.bar.setCurrentIndex(0)
        self._kept.add(self._current)
        self._refresh()

    def show(self, document_id: int, show: Callable[[], None]) -> None:
        """Show something of a document: in its tab if that is kept, else in one that is not kept."""
        now = self._reader.bookmark()
        if now is not None and now.shown.document_id != document_id:
            if (key := self._tab_for(document_id)) is None:
                self.open(show)
                return
            if key != self._current:
                self.bar.setCurrentIndex(self.bar.index_of(key))
        show()

    def _tab_for(self, document_id: int) -> int | None:
        """Return the tab in which to show a document: the kept one, the current one, or the first that is not kept."""
        own = [key for key in self._kept if self._bookmarks[key].shown.document_id == document_id]
        free = [key for key in (self._current, *self._bookmarks) if key not in self._kept]
        return next(iter(own + free), None)

    def close(self, at: int | None = None) -> None:
        """Close a tab, by default the current one; the tab to its right becomes current, or the last one."""
        at = self.bar.currentIndex() if at is None else at
        if not 0 <= at < self.bar.count():
            return
        key = self.bar.tabData(at)
        with QSignalBlocker(self.bar):
            del self._bookmarks[key]
            self._kept.discard(key)
            self.bar.removeTab(at)
            if not self._bookmarks:
                self._reader.clear()
            elif key == self._current:
                at = min(at, self.bar.count() - 1)
                self.bar.setCurrentIndex(at)
                self._current = self.bar.tabData(at)
                self._reader.return_to(self._bookmarks[self._current])
            if self.bar.count() == 1 and not self._kept:
                self.bar.removeTab(0)
                self._bookmarks.clear()
        self._refresh()

    def go(self, by: int) -> None:
        """Go `by` tabs further; the first one follows the last."""
        if count := self.bar.count():
            self.bar.setCurrentIndex((self.bar.currentIndex() + by) % count)

    def _add(self, bookmark: ReaderBookmark, at: int) -> int:
        self._last += 1
        self._bookmarks[self._last] = bookmark
        with QSignalBlocker(self.bar):
            self.bar.add(self._last, at)
        self.bar.name(self.bar.index_of(self._last), bookmark.shown)
        return self._last

    def _refresh(self) -> None:
        has_tabs = self.bar.count() > 0
        self.bar.setVisible(has_tabs)
        self._context.actions.enable(TAB_ACTION_IDS, has_tabs)

    def _on_chosen(self, at: int) -> None:
        key = self.bar.tabData(at)
        # Qt also reports that the current tab was moved; it is still the same one.
        if key is None or key == self._current or key not in self._bookmarks:
            return
        if (before := self._reader.bookmark()) is not None:
            self._bookmarks[self._current] = before
        self._current = key
        self._reader.return_to(self._bookmarks[key])

    def _set_accessible_name(self) -> None:
        """Name the current tab after the document that is now shown in it."""
        now = self._reader.bookmark()
        if now is not None and self._current in self._bookmarks:
            self._bookmarks[self._current] = now
            self.bar.name(self.bar.index_of(self._current), now.shown)

    # Removed documents

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if not self._bookmarks or not (changes.listing or changes.documents):
            return
        asked = {bookmark.shown.document_id for bookmark in self._bookmarks.values()}

        def look(rows: list[Document]) -> None:
            self._close_documents(asked - {row.document_id for row in rows})
            self._rename({row.document_id: display_text.document_name(row.title, row.path) for row in rows})

        session = self._context.session
        job = session.workspace.read_documents(asked)
        session.bridge.call(job, self, look)

    def _rename(self, names: Mapping[int, str]) -> None:
        """Show the titles that documents have now."""
        for key, bookmark in self._bookmarks.items():
            name = names.get(bookmark.shown.document_id, bookmark.shown.name)
            if name != bookmark.shown.name:
                self._bookmarks[key] = replace(bookmark, shown=replace(bookmark.shown, name=name))
                self.bar.name(self.bar.index_of(key), self._bookmarks[key].shown)

    def _close_documents(self, document_ids: Iterable[int]) -> None:
        """Close the tabs of removed documents; the current one last, because the reader clears itself."""
        document_ids = frozenset(document_ids)
        keys = [key for key, bookmark in self._bookmarks.items() if bookmark.shown.document_id in document_ids]
        for key in sorted(keys, key=lambda each: each == self._current):
            if key in self._bookmarks:
                self.close(self.bar.index_of(key))
