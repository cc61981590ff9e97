"""Connects the reader with the window: what is selected in a list is read at its side."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFileDialog

from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.hit_model import HIT_ROLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QAbstractItemView

    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.reader.tabs import ReaderTabs
    from desktop_app.gui.shell.main_window import MainWindow

_FOLLOW_DELAY_MS = 150
_MAX_MARKED_HITS, _MIN_SCORE_SHARE = 200, 0.7
"""Of the list's first hits those are marked that score so near to the best: more would mark every second sentence."""


class ReaderController(QObject):
    """The reader of one window.

    Attributes:
        is_wanted: whether the person wants to see it, where a pane leaves it room.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._reader = reader = window.reader
        self.is_wanted = True
        self._follow = QTimer(self, singleShot=True, interval=_FOLLOW_DELAY_MS)
        self._follow.timeout.connect(self._show_chosen)
        window.search_pane.chosen.connect(self._on_chosen)
        reader.find_similar.connect(self.find_similar)
        reader.compare.connect(lambda text: window.tools.compare_with(text))
        reader.tell.connect(window.tell)
        reader.file_wanted.connect(self.find_file)
        actions = window.action_table
        actions["view.reader"].setChecked(True)
        for widget in (window.search_box, window.search_pane, window.library_pane.view):
            actions.add_to_pane("opening", widget)
        MiddleClickFilter(window.search_pane.view).clicked.connect(
            lambda index: self.open_hit(index.data(HIT_ROLE), in_new_tab=True)
        )
        MiddleClickFilter(window.library_pane.view).clicked.connect(
            lambda index: self._read_in_new_tab(index.data(DOCUMENT_ROLE))
        )
        actions.bind(
            {
                "view.reader": self.toggle,
                "reader.focus": self.focus,
                "reader.zoom_in": lambda: reader.view.step_zoom(1),
                "reader.zoom_out": lambda: reader.view.step_zoom(-1),
                "reader.zoom_actual": lambda: reader.view.set_zoom(1.0),
                "reader.fit_width": lambda: reader.pages.set_fit("width"),
                "reader.fit_page": lambda: reader.pages.set_fit("page"),
                "reader.dark": lambda: reader.set_dark(not reader.pages.is_dark),
                "reader.outline": reader.contents.pop_up,
                "reader.extraction": reader.toggle_extraction,
                "reader.merge": lambda: reader.extraction.extraction.merge(),
                "reader.split": lambda: reader.extraction.split(),
                "reader.ignore": lambda: reader.extraction.extraction.ignore(),
                "reader.undo_correction": lambda: reader.extraction.extraction.undo(),
                "reader.copy": reader.menus.copy,
                "reader.copy_citation": reader.menus.copy_cited,
                "reader.similar": reader.menus.request_similar,
                "reader.compare": reader.menus.request_compare,
                "reader.open_tab": self.open_in_new_tab,
                "reader.close_tab": self.close_tab,
                "reader.next_tab": lambda: self.tabs.go(1),
                "reader.previous_tab": lambda: self.tabs.go(-1),
            }
        )
        actions.enable(("reader.next_tab", "reader.previous_tab"), False)
        library = window.library_pane.view.selectionModel()
        for signal in (window.search_pane.chosen, library.selectionChanged, window.documents.counted):
            signal.connect(self._offer_tab)
        self._offer_tab()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the reader."""
        focus = self._window.focusWidget()
        return focus is not None and (focus is self._reader or self._reader.isAncestorOf(focus))

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._follow.stop()
        self._reader.stop()

    def open_hit(self, hit: Hit, *, in_new_tab: bool = False) -> None:
        """Show a hit at once, and the reader with it."""
        self._open(
            partial(self._reader.show_hit, hit, self._others(hit), self._window.search_pane.sought),
            in_new_tab=in_new_tab,
        )

    def open_document(self, document: Document, *, in_new_tab: bool = False) -> None:
        """Show a document at once, and the reader with it."""
        self._open(partial(self._reader.show_document, document), in_new_tab=in_new_tab)

    def _open(self, show: Callable[[], None], *, in_new_tab: bool) -> None:
        self._follow.stop()
        self.set_visible(True)
        if in_new_tab:
            self.tabs.open(show)
        else:
            show()

    # Tabs

    @cached_property
    def tabs(self) -> ReaderTabs:
        """The documents that are open beside each other; made when the first is opened in a tab of its own."""
        from desktop_app.gui.reader.tabs import ReaderTabs

        return ReaderTabs(self._window)

    @property
    def has_tabs(self) -> bool:
        """Whether several documents are open."""
        return "tabs" in self.__dict__ and bool(self.tabs.names)

    def _offer_tab(self) -> None:
        """Offer a new tab where there is something that can be opened in it: a hit or a document."""
        pane, library = self._window.search_pane, self._window.library_pane
        self._window.action_table.enable(("reader.open_tab",), pane.current is not None or bool(library.chosen()))

    def open_in_new_tab(self) -> None:
        """Open what is chosen where the keyboard is: a document of the library, else a hit."""
        focus, library = self._window.focusWidget(), self._window.library_pane
        if focus is not None and library.isAncestorOf(focus):
            self._read_in_new_tab(library.view.currentIndex().data(DOCUMENT_ROLE))
        elif (hit := self._window.search_pane.current) is not None:
            self.open_hit(hit, in_new_tab=True)

    def close_tab(self) -> None:
        """Close the document that is read."""
        if self.has_tabs:
            self.tabs.close()
        else:
            self._reader.clear()

    def _read_in_new_tab(self, document: Document | None) -> None:
        if document is not None:
            self._window.commands.read_document(document, in_new_tab=True)

    def step(self, by: int) -> None:
        """Go to the next hit: of the document while one reads, else of the list."""
        if self.has_focus:
            self._reader.step(by)
        else:
            self._window.search_pane.step(by)

    def toggle(self) -> None:
        """Show the reader, or hide it."""
        self.set_visible(self._reader.isHidden())
        if not self._reader.isHidden():
            self._show_chosen()

    def set_visible(self, visible: bool) -> None:
        """Show the reader, or hide it."""
        self.is_wanted = visible
        self._reader.setVisible(visible)
        self._window.action_table["view.reader"].setChecked(visible)

    def reserve_room(self, has_room: bool) -> None:
        """Let the reader stand beside the pane in sight, or not."""
        visible = self.is_wanted and has_room
        self._reader.setVisible(visible)
        self._window.action_table["view.reader"].setChecked(visible)

    def focus(self) -> None:
        """Put the keyboard into the reader."""
        self.set_visible(True)
        self._reader.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_chosen(self, hit: Hit | None) -> None:
        # Who runs through the list is not held up by every document on the way.
        if hit is None:
            self._follow.stop()
        elif not self._reader.isHidden():
            self._follow.start(max(_FOLLOW_DELAY_MS, self._window.search.idle_delay_ms))

    def _show_chosen(self) -> None:
        hit = self._window.search_pane.current
        if hit is not None and not self._reader.isHidden():
            self._reader.show_hit(hit, self._others(hit), self._window.search_pane.sought)

    def _others(self, hit: Hit) -> list[Hit]:
        """Return the hits of the list that stand in the same document."""
        model = self._window.hits
        rows = [model.index(row).data(HIT_ROLE) for row in range(min(model.rowCount(QModelIndex()), _MAX_MARKED_HITS))]
        least = _MIN_SCORE_SHARE * max((row.score for row in rows), default=0.0)
        return [row for row in rows if row.document_id == hit.document_id and row.score >= least]

    def find_file(self, document_id: int) -> None:
        """Let the person show where a document's file lies now."""
        dialog = QFileDialog(self._window, self.tr("Where does the file lie now?"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.relink(document_id, path))
        dialog.open()

    def relink(self, document_id: int, path: str) -> None:
        """Give a document another file; it is read anew where it is not the same."""
        session = self._window.session

        def show(rows: list[Document]) -> None:
            for document in rows:
                self.open_document(document)
            self._window.imports.start([path])

        def linked(_nothing: None) -> None:
            session.bridge.call(session.workspace.documents_by_id([document_id]), self, show)

        job = session.workspace.following.relink(document_id, path)
        session.bridge.call(job, self, linked, on_error=self._window.tell_error)

    def follow_hit(self, hit: Hit) -> None:
        """Show a hit in the reader, unless the reader is hidden."""
        if not self._reader.isHidden():
            self._reader.show_hit(hit, [])

    def find_similar(self, text: str) -> None:
        """Search for sentences like a text."""
        self._window.memory.take(text)


class MiddleClickFilter(QObject):
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
