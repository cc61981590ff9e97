"""Connects the reader with the lists of the window: it follows the selected hit and opens what is chosen in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent

from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.hit_model import HIT_ROLE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.library.model import DocumentTreeModel
    from desktop_app.gui.library.pane import LibraryPane
    from desktop_app.gui.reader.controller import ReaderController
    from desktop_app.gui.search.feature import SearchFeature
    from desktop_app.gui.search.pane import SearchPane

_FOLLOW_DELAY_MS = 150


class ReaderLink(QObject):
    """The reader and the lists of one window.

    Args:
        context: the services of the window.
        reader: the reader.
        search: the search box and the controller of the search.
        search_pane: the list of hits.
        library_pane: the list of documents.
        documents: its model.
    """

    def __init__(
        self,
        context: WindowContext,
        reader: ReaderController,
        search: SearchFeature,
        search_pane: SearchPane,
        library_pane: LibraryPane,
        documents: DocumentTreeModel,
    ) -> None:
        super().__init__(context.widget)
        self._context = context
        self._reader = reader
        self._search = search.controller
        self._search_pane = search_pane
        self._library_pane = library_pane
        self._selected: tuple[str, int, int, str] | None = None
        self._follow = QTimer(self, singleShot=True, interval=_FOLLOW_DELAY_MS)
        self._follow.timeout.connect(self._show_selected)
        search_pane.chosen.connect(self._on_selected)
        library_pane.clicked.connect(self._follow_document)
        library_pane.kept.connect(self.keep_document)
        actions = context.actions
        for widget in (search.box, search_pane, library_pane.view):
            actions.add_to_pane("opening", widget)
        MiddleClickFilter(search_pane.view).clicked.connect(
            lambda index: self.open_hit(index.data(HIT_ROLE), in_new_tab=True)
        )
        MiddleClickFilter(library_pane.view).clicked.connect(
            lambda index: self._open_document_in_new_tab(index.data(DOCUMENT_ROLE))
        )
        actions.bind(
            {
                "view.reader": self.toggle,
                "reader.open_tab": self.open_in_new_tab,
                "zotero.show": self.show_in_zotero,
                "hit.next": lambda: self.step(1),
                "hit.previous": lambda: self.step(-1),
            }
        )
        selection = library_pane.view.selectionModel()
        for signal in (search_pane.chosen, selection.selectionChanged, documents.counted):
            signal.connect(self._offer_tab)
        self._offer_tab()

    def stop(self) -> None:
        """Stop following the selection."""
        self._follow.stop()

    def open_hit(self, hit: Hit, *, in_new_tab: bool = False) -> None:
        """Show a hit at once, and the reader with it."""
        self._follow.stop()
        self._reader.open_hit(hit, in_new_tab=in_new_tab)

    def open_document(self, document: Document, *, in_new_tab: bool = False) -> None:
        """Show a document at once, and the reader with it. One without sentences opens in another program."""
        if document.sentences:
            self._follow.stop()
            self._reader.open_document(document, in_new_tab=in_new_tab)
        elif document.state == "queued":
            self._context.session.workspace.imports.prioritize(document.document_id)
            name = display_text.document_name(document.title, document.path)
            self._context.tell(self.tr("{name} moved to the front of the queue.").format(name=name))
        elif not desktop.open_file(document.path):
            self._context.tell(display_text.describe_unopened_file(document.path))

    def keep_document(self, document: Document) -> None:
        """Show a document in a tab of its own, which stays. One without sentences opens in another program."""
        if document.sentences:
            self._follow.stop()
            self._reader.keep_document(document)
        else:
            self.open_document(document)

    def _follow_document(self, document: Document) -> None:
        """Show a clicked document, unless the reader is hidden; of one that could not be read, say what to do."""
        if document.sentences:
            if self._reader.is_visible:
                self._follow.stop()
                self._reader.open_document(document)
        elif document.state == "failed":
            self._tell_failure(document)

    def _tell_failure(self, document: Document) -> None:
        text = (
            f"{display_text.document_name(document.title, document.path)}: "
            f"{display_text.describe_failure(document.reason, document.path)}. "
            f"{display_text.describe_failure_remedy(document.reason, document.path)}"
        )
        helps = {"encrypted": "document.password", "no_text": "document.recognise"}.get(document.reason or "")
        action = self._context.actions[helps] if helps else None
        if action is not None and action.isEnabled():
            self._context.offer(text, action.text().replace("&", ""), action.trigger)
        else:
            self._context.tell(text)

    def step(self, by: int) -> None:
        """Go to the next hit: of the document while the reader has the focus, else of the list."""
        if self._reader.has_focus:
            self._reader.pane.step(by)
        else:
            self._search_pane.step(by)

    def toggle(self) -> None:
        """Show the reader, or hide it."""
        self._reader.set_visible(not self._reader.is_visible)
        self._show_selected()

    def open_in_new_tab(self) -> None:
        """Open the current document of the library if the library has the focus, else the current hit."""
        focus, library = self._context.widget.focusWidget(), self._library_pane
        if focus is not None and library.isAncestorOf(focus):
            self._open_document_in_new_tab(library.view.currentIndex().data(DOCUMENT_ROLE))
        elif (hit := self._search_pane.current) is not None:
            self.open_hit(hit, in_new_tab=True)

    def show_in_zotero(self) -> None:
        """Show in Zotero the document of the reader if it has the focus, else the selected result or document."""
        pane, hit = self._reader.pane, self._search_pane.current
        selected = self._library_pane.view.currentIndex().data(DOCUMENT_ROLE)
        show = self._context.navigator.show_in_zotero
        if pane.shown is not None and (self._reader.has_focus or (hit is None and selected is None)):
            show.emit(pane.shown.document_id, "", pane.pages.page if pane.mode == "pages" else None)
        elif hit is not None:
            show.emit(hit.document_id, "", hit.places[0].page if hit.type == "pdf" and hit.places else None)
        elif selected is not None:
            show.emit(selected.document_id, "", None)
        else:
            self._context.tell(self.tr("Select a result or open a document first."))

    def _open_document_in_new_tab(self, document: Document | None) -> None:
        if document is not None:
            self._context.navigator.open_document.emit(document, True)

    def _offer_tab(self) -> None:
        """Enable the action that opens a new tab if a hit or a document is selected."""
        pane, library = self._search_pane, self._library_pane
        self._context.actions.enable(
            ("reader.open_tab",), pane.current is not None or bool(library.view.selected_nodes())
        )

    def _on_selected(self, hit: Hit | None) -> None:
        # Running through the list does not wait for every document on the way.
        selected = None if hit is None else (self._context.search.query, hit.document_id, hit.ordinal, hit.text)
        if selected is not None and selected == self._selected:
            return  # the list was refreshed: who reads another document meanwhile stays there
        self._selected = selected
        if hit is None:
            self._follow.stop()
        elif self._reader.is_visible:
            self._follow.start(max(_FOLLOW_DELAY_MS, self._search.idle_delay_ms))

    def _show_selected(self) -> None:
        hit = self._search_pane.current
        if hit is not None and self._reader.is_visible:
            self._reader.show_hit(hit)


class MiddleClickFilter(QObject):
    """Reports middle clicks of a view, which Qt would take for a selection.

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
        """Take the events of the middle button."""
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
