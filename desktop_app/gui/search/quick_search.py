"""A small search field above other programs: the best sentences of the library for the text on the clipboard."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop_app.engine.requests import SearchRequest
from desktop_app.gui.base import display_text
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.search.remarks import QueryRemarks
from desktop_app.gui.search.state import describe_relevance
from desktop_app.gui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from desktop_app.core.records import Hit
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.base.window_context import WindowContext

_ROWS = 6
_WIDTH_PX, _ROW_PX = 620, 52
_TYPING_MS = 120
_MAX_CLIPBOARD_CHARACTERS = 500


class QuickSearchWindow(QWidget):
    """The field and its results.

    Attributes:
        opened: a result was chosen, to be shown in the main window; carries the Hit.
        query_changed: carries the text to search for.
    """

    opened = Signal(object)
    query_changed = Signal(str)

    def __init__(self) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.FramelessWindowHint
        super().__init__(None, flags)
        self.setWindowTitle(self.tr("Search with Kindred"))
        self.setAccessibleName(self.windowTitle())
        self.field = QLineEdit()
        self.field.setAccessibleName(self.tr("Search"))
        self.field.setPlaceholderText(self.tr("Search your documents by meaning"))
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setObjectName("quotes")
        self.list.setAccessibleName(self.tr("Results"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._keys = self.tr("Enter: show in Kindred · Ctrl+C: copy with citation · Esc: close")
        self.hint = ElidedLabel(self.tr("Keys"), "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 10)
        column.setSpacing(8)
        for each in (self.field, self.list, self.hint):
            column.addWidget(each)
        self._listed = ""  # the query of the results
        self._is_open_wanted = False  # Enter was pressed before the answer to the typed text came
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(lambda: self.query_changed.emit(self.query))
        self.field.textChanged.connect(self._on_typed)
        self.list.itemClicked.connect(lambda _item: self._open())
        self.resize(QSize(_WIDTH_PX, 150))
        self.show_hits(())

    @property
    def query(self) -> str:
        """The text to search for."""
        return self.field.text().strip()

    @property
    def current(self) -> Hit | None:
        """The selected result."""
        item = self.list.currentItem()
        hit: Hit | None = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        return hit

    def start(self, text: str) -> None:
        """Show the field above everything, with a text to search for that typing replaces."""
        self.field.setText(text)
        self.field.selectAll()
        screen = QGuiApplication.primaryScreen().availableGeometry()
        self.move(screen.center().x() - self.width() // 2, screen.top() + screen.height() // 5)
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_note(self, note: str) -> None:
        """Show a note on the query in place of the keys; an empty one shows the keys."""
        self.hint.setText(note or self._keys)

    def show_hits(self, hits: tuple[Hit, ...], query: str = "", problem: str = "") -> None:
        """List the results of a query, best first; `problem`: why there are none."""
        self._listed = query
        self.show_note(problem)
        self.list.clear()
        names = display_text.name_documents(hits)
        for hit in hits:
            source = ", ".join(filter(None, (names[hit.path], display_text.format_location(hit))))
            item = QListWidgetItem(f"{hit.text}\n{source}")
            item.setData(Qt.ItemDataRole.UserRole, hit)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(hits))
        self.setFixedHeight(96 + _ROW_PX * len(hits) + (10 if hits else 0))
        if self._is_open_wanted and query == self.query:
            self._is_open_wanted = False
            self._open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the keys of the field move through the results, open or copy one, and close."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                row = self.list.currentRow() + (1 if key == Qt.Key.Key_Down else -1)
                self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._on_enter()
                return True
            if key == Qt.Key.Key_Escape:
                self._is_open_wanted = False
                self.hide()
                return True
            is_copy = key == Qt.Key.Key_C and event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if is_copy and not self.field.hasSelectedText() and self.current is not None:
                QGuiApplication.clipboard().setText(display_text.cite_hit(self.current))
                self.hide()
                return True
        return super().eventFilter(watched, event)

    def _on_typed(self, _text: str) -> None:
        self._is_open_wanted = False
        self._typing.start()

    def _on_enter(self) -> None:
        """Open the selected result, or the best one of the typed text as soon as it is found."""
        if self._listed == self.query:
            self._open()
            return
        self._is_open_wanted = True
        if self._typing.isActive():
            self._typing.stop()
            self.query_changed.emit(self.query)

    def _open(self) -> None:
        if self.current is not None:
            self.hide()
            self.opened.emit(self.current)


class QuickSearchController(QObject):
    """Searches for the field, with the engine of the main window.

    Args:
        context: the services of the main window.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._request: LatestJob[SearchResult] = LatestJob(context.session, self)
        self.window = QuickSearchWindow()
        self.window.query_changed.connect(self._search)
        self.window.opened.connect(self._open)
        self._result: SearchResult | None = None
        self._remarks = QueryRemarks(self)
        self._remarks.settled.connect(self._show_note)

    def start(self, token: str = "") -> None:
        """Show the field with the text on the clipboard.

        Args:
            token: activation token for Wayland.
        """
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt reads and removes it
        text = " ".join(QGuiApplication.clipboard().text().split())
        self.window.start(text if len(text) <= _MAX_CLIPBOARD_CHARACTERS else "")

    def stop(self) -> None:
        """Close the field."""
        self._remarks.stop()
        self.window.close()
        self.window.deleteLater()

    def _search(self, query: str) -> None:
        self._result = None
        if not query:
            self._request.drop()
            self.window.show_hits(())
            return
        job = self._context.session.workspace.search.find_sentences(SearchRequest(query, _ROWS), key="quick search")
        self._request.start(
            job,
            lambda result: self._show(query, result),
            on_error=lambda error: self._show_error(query, error),
        )

    def _show(self, query: str, result: SearchResult) -> None:
        self._result = result
        self.window.show_hits(tuple(result.hits[:_ROWS]), query)
        self._show_note()

    def _show_error(self, query: str, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self.window.show_hits((), query, f"{message}. {hint}".strip())

    def _show_note(self) -> None:
        if (result := self._result) is not None:
            remarks = self._remarks.choose_shown(result.query, result.remarks)
            self.window.show_note(describe_relevance(result, remarks))

    def _open(self, hit: Hit) -> None:
        self._context.navigator.open_hit.emit(hit)
        self._context.raise_window()
