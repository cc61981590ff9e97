"""The reader: shows a sentence in its document, on the page or in the stored text."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_app.core.annotations import COLOURS, DEFAULT_COLOUR, OWN_COLOURS, Annotation
from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import find_format
from desktop_app.core.links import LibraryLink, format_link, link_hit
from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.reader.annotations import AnnotationModel, AnnotationPopup, colour_title, make_colour_icon
from desktop_app.gui.reader.find_bar import FindBar
from desktop_app.gui.reader.header import ReaderHeader
from desktop_app.gui.reader.heat_strip import HeatStrip
from desktop_app.gui.reader.menus import ReaderMenus
from desktop_app.gui.reader.model import (
    DocumentLoader,
    HitNavigation,
    ReaderBookmark,
    ReaderMode,
    ReadingPosition,
    ShownDocument,
)
from desktop_app.gui.reader.outline import ReaderOutline
from desktop_app.gui.reader.page_view import PageView
from desktop_app.gui.reader.text_view import StoredTextView
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.notice_bar import NoticeBar
from desktop_app.gui.widgets.state_view import StateContent, StateView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.pages import PagedFile, TextSlice
    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.base.theme import Theme, ThemeManager
    from desktop_app.gui.reader.extraction import ExtractionController

_SLOW_OPEN_MS = 300


class ReaderPane(QWidget):
    """Shows hits and documents.

    Args:
        session: the open library.
        themes: the colours.
        name: distinguishes it from other readers that are open at the same time.
        actions: the window's actions on this reader, whose shortcuts its tips name; None if they act on another one.

    Attributes:
        find_similar: search for sentences like this text.
        pointed: the cursor is in another sentence, or another hit is current; carries its text.
        compare: compare this text with another one.
        tell: a line to show at the bottom of the window.
        file_wanted: the file of a document is missing and the person wants to find it; carries the document's id.
        source_wanted: the person wants to see a highlight in the program that it comes from; carries the Annotation.
        document_wanted: open another document; carries the Document.
        document_shown: pages, text or a state is now shown.
        document: the requested document, whether it is loaded yet or not.
        session: the open library.
        find_bar: finds words in the document.
        file: its pages, if they are shown.
        navigation: its hits.
        annotations: its highlights and notes.
        mode: what is shown: `empty`, `opening`, `pages`, `text` or `locked`.
    """

    find_similar = Signal(str)
    pointed = Signal(str)
    compare = Signal(str)
    tell = Signal(str)
    file_wanted = Signal(object)
    source_wanted = Signal(object)
    document_wanted = Signal(object)
    document_shown = Signal()

    def __init__(
        self,
        session: LibrarySession,
        themes: ThemeManager,
        name: str = "",
        parent: QWidget | None = None,
        actions: ActionTable | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._themes = themes
        self.session = session
        self._name = name
        self.document: ShownDocument | None = None
        self.file: PagedFile | None = None
        self.navigation = HitNavigation()
        self._position: ReadingPosition | None = None  # to restore once the document is loaded
        self._is_stale = False  # the library has another version of the document
        self._dark_choice: bool | None = None
        self._wants_focus = False  # the person went to a document that is still being opened
        self._focus_then: QWidget | None = None  # when they did
        self.mode: ReaderMode = "empty"
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Reader"))
        self.setMinimumWidth(236)  # a window of 760 pixels has room for all three columns
        self._loader = DocumentLoader(session, self, name)
        self.header = ReaderHeader()
        if actions is not None:
            self.header.name_shortcuts(actions)
        self.notice = NoticeBar(self.tr("About this document"))
        self.notices = ReaderNotices(self, session, self.notice)
        self.state = StateView()
        self.pages = PageView(session.workspace.pages, session.bridge, themes, name)
        self.text = StoredTextView(themes)
        self.annotations = AnnotationModel(session, self, name)
        self.pages.annotations = self.annotations
        self.marker = AnnotationMarker(self)
        self.status = ReaderStatus(self)
        self.menus = ReaderMenus(self, lambda: self.document, self.chosen_text, self.status.describe_page)
        self.menus.add_annotations = self.marker.add_to_menu
        self._stack = QStackedWidget()
        self._stack.setAccessibleName(self.tr("Document"))
        for each in (self.state, self.pages, self.text):
            self._stack.addWidget(each)
        self.find_bar = FindBar(self)
        column = make_column(self.header, self.find_bar, self.notice, parent=self, spacing=0)
        self.heat_strip = HeatStrip(themes)
        body = make_row((self._stack, 1), self.heat_strip, spacing=0)
        column.addLayout(body, 1)
        self._column = column
        self._read_stored = QAction(self.tr("Show Saved Text"), self)
        self._read_stored.triggered.connect(lambda: self._open_text())
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_OPEN_MS)
        self._slow.timeout.connect(self._show_opening)
        self.outline = ReaderOutline(self, self.header.outline, self.pages, self.text, lambda: self.mode)
        self.outline.message_emitted.connect(self.tell)
        self._connect()
        self.clear()

    def _connect(self) -> None:
        self.document_shown.connect(self.find_bar.follow_document)
        self.document_shown.connect(lambda: self.annotations.show(self.shown))
        self.annotations.changed.connect(self._show_annotations)
        self.annotations.loaded.connect(self._on_annotations_loaded)
        self.header.stepped.connect(self.step)
        self.header.zoomed.connect(lambda direction: self.view.step_zoom(direction))
        self.header.zoom_chosen.connect(lambda zoom: self.view.set_zoom(zoom))
        self.header.fit_chosen.connect(self.pages.set_fit)
        self.header.dark_chosen.connect(self.set_dark)
        self.header.outline_wanted.connect(self.outline.pop_up)
        self.header.extraction_wanted.connect(self.toggle_extraction)
        self.header.menu_wanted.connect(self.menus.show_for_file)
        for signal, mine in (
            (self.menus.find_similar, self.find_similar),
            (self.menus.compare, self.compare),
            (self.menus.tell, self.tell),
            (self.menus.link_wanted, self.copy_link),
        ):
            signal.connect(mine)
        self.pages.page_changed.connect(lambda _page: self.status.show())
        for view in (self.pages, self.text):
            view.zoom_changed.connect(self.status.show)
            view.menu_wanted.connect(self.menus.show_for_text)
            view.located.connect(self.notices.show_located)
            view.annotation_pressed.connect(self.marker.open_popup)
        self.heat_strip.chosen.connect(lambda index: self._step_hit(index - (self.navigation.index or 0)))
        self.text.resized.connect(self.status.show_heat)
        self.text.cursorPositionChanged.connect(self._on_cursor)
        self._loader.pages_loaded.connect(self._on_pages)
        self._loader.pages_unavailable.connect(self._on_no_pages)
        self._loader.stored_text_loaded.connect(self._on_text)
        self._loader.text_unavailable.connect(self._on_no_text)
        self._loader.outline_loaded.connect(self.outline.add)
        self._loader.links_loaded.connect(self.header.show_linking)
        self.header.linking_chosen.connect(self.document_wanted)
        self._loader.file_missing.connect(self.notices.show_missing_file)
        self._loader.document_reloaded.connect(self._on_looked_up)
        self._themes.changed.connect(self._on_theme)
        self.session.bridge.changed.connect(self._on_library_changed)
        self._on_theme(self._themes.theme)

    @property
    def widget(self) -> QWidget:
        """The reader itself, as the widget of an `EmbeddedReader`."""
        return self

    def take_focus(self) -> None:
        """Move the keyboard focus to the document; to one that is being opened as soon as it is shown."""
        self._wants_focus = self.mode == "opening"
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._focus_then = self.window().focusWidget()

    def add_above(self, widget: QWidget) -> None:
        """Add a widget above the document and its tools."""
        self._column.insertWidget(0, widget)

    def add_below(self, widget: QWidget) -> None:
        """Add a widget below the document."""
        self._column.addWidget(widget)

    @property
    def text_under_cursor(self) -> str:
        """The sentence under the cursor in a text, else the selected text, else the current hit."""
        under = self.text.sentence_under_cursor() if self.mode == "text" else ""
        return under or self.chosen_text()

    # What is shown

    @property
    def shown(self) -> ShownDocument | None:
        """The document; None if its pages or text are not shown."""
        return self.document if self.mode in ("pages", "text") else None

    @cached_property
    def extraction(self) -> ExtractionController:
        """The extraction view."""
        from desktop_app.gui.reader.extraction import ExtractionController

        extraction = ExtractionController(
            self.session, self.pages, self.text, lambda: self.shown, lambda: self.mode, self, self._name, self._actions
        )
        self.menus.add_corrections = extraction.add_to_menu
        extraction.toggled.connect(self._on_extraction_toggled)
        extraction.message_emitted.connect(self.tell)
        extraction.corrected.connect(self._on_corrected)
        self.document_shown.connect(extraction.show_document)
        self.add_below(extraction.bar)
        return extraction

    def toggle_extraction(self) -> None:
        """Switch the extraction view on or off."""
        if self.shown is not None or self.extraction.is_on:
            self.extraction.toggle()
        else:
            self.header.extraction.setChecked(False)

    def _on_extraction_toggled(self, on: bool) -> None:
        self.header.extraction.setChecked(on)
        if not on:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_corrected(self) -> None:
        if self.mode == "text":
            self._open_text()

    def reload_text(self) -> None:
        """Load the stored text again."""
        self._open_text()

    @property
    def view(self) -> PageView | StoredTextView:
        """The pages or the stored text."""
        return self.text if self.mode == "text" else self.pages

    @property
    def current(self) -> Hit | None:
        """The current hit."""
        return self.navigation.current

    def show_hit(self, hit: Hit, hits_of_document: Sequence[Hit] = (), sought: HighlightTerms = NO_HIGHLIGHTS) -> None:
        """Show a hit in its document.

        Args:
            hit: the hit to scroll to.
            hits_of_document: all hits of the same search in its document; they are marked faintly.
            sought: the words of that search; they are highlighted in the hits.
        """
        self.navigation, self._position = HitNavigation.starting_at(hit, hits_of_document, sought), None
        self._open(ShownDocument(hit.document_id, hit.path, display_text.document_name(hit.title, hit.path), hit.type))

    def show_document(self, document: Document) -> None:
        """Show a document from its start."""
        self.navigation, self._position = HitNavigation(), None
        name = display_text.document_name(document.title, document.path)
        self._open(ShownDocument(document.document_id, document.path, name, document.type))

    def bookmark(self) -> ReaderBookmark | None:
        """Return the document and the reading position; None if the reader is empty."""
        if self.document is None:
            return None
        position = self.view.position() if self.shown is not None else self._position
        return ReaderBookmark(self.document, self.navigation, position)

    def return_to(self, bookmark: ReaderBookmark) -> None:
        """Show a document at the reading position it was left at."""
        self.navigation, self._position = bookmark.navigation, bookmark.position
        self._open(bookmark.shown)

    def clear(self) -> None:
        """Show nothing, as before the first document."""
        self.stop()
        self.find_bar.hide()  # it would say that nothing was found
        self.document, self.file, self._position, self.navigation = None, None, None, HitNavigation()
        self.outline.clear()
        self.text.begin()
        self._show_state(
            "empty",
            StateContent(
                "reader_empty",
                "book-open",
                self.tr("Nothing open"),
                self.tr("Select a result to see it highlighted on its page."),
            ),
        )

    def stop(self) -> None:
        """Cancel pending requests."""
        self._loader.stop()
        self._slow.stop()
        self.find_bar.stop()
        self.pages.close_file()

    def step(self, by: int) -> None:
        """Go to another hit of this document, `by` hits further on; to another match while words are being found."""
        if self.find_bar.is_active:
            self.find_bar.step(by)
        else:
            self._step_hit(by)

    def _step_hit(self, by: int) -> None:
        if (further := self.navigation.moved_by(by)) is not None:
            self.navigation = further
            self._mark()

    # Opening

    def _open(self, shown: ShownDocument) -> None:
        same = self.document == shown and not self._is_stale
        self.document = shown
        self.header.title.setText(shown.name)
        self.header.title.setToolTip(display_text.make_tooltip(shown.path))
        if same and self.mode in ("pages", "text"):
            self._mark()
            return
        self._is_stale = False
        self.notices.clear()
        self.header.show_linking(())
        self.mode = "opening"
        self._slow.start()
        if find_format(shown.type).shows_pages:
            self._loader.open_pages(shown)
        else:
            self._open_text()
            self._loader.check_file_missing(shown)

    def _on_pages(self, file: PagedFile) -> None:
        assert self.document is not None
        self.file = file
        self.outline.show(file.outline)
        self.text.begin()
        self.pages.show_file(self.document.path, file)
        self._show("pages", self.pages)
        self._mark()

    def _on_no_pages(self, error: BaseException) -> None:
        reason = error.reason if isinstance(error, FileFailure) else "damaged"
        if reason == "encrypted":
            title = self.tr("This document is password-protected")
            text = self.tr("Enter the password to view its pages.")
            self._show_state("locked", StateContent("reader_locked", "lock", title, text), [self._read_stored])
            return
        self._open_text()
        if reason == "unreadable":
            self.notices.show_missing_file()
        else:
            self.notices.show_without_pages(display_text.describe_error(error)[0])

    def _open_text(self) -> None:
        """Show the stored text."""
        if self.document is not None:
            self.notice.hide()
            self.file = None
            self.outline.clear()
            self._loader.open_text(self.document)

    def _on_text(self, part: TextSlice) -> None:
        if part.first == 0:
            self.pages.close_file()
            self.text.begin()
        self.text.add(part.sentences)
        if part.first:
            self.status.show_heat()
        if part.first == 0:
            self._show("text", self.text)
            self._mark()
        if part.is_last:
            self.outline.find_headings()
        if self.annotations.annotations:
            self._show_annotations()

    def _on_no_text(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self._show_state("empty", StateContent("reader_error", "triangle-alert", message, hint))

    # Marks and states

    def _mark(self) -> None:
        """Mark the hits, and scroll to the current one or back to the reading position."""
        navigation, hit = self.navigation, self.current
        position, self._position = self._position, None
        if position is not None and position.mode != self.mode:
            position = None  # it is a position in pages, and now the stored text is shown
        seeks = position is None
        if self.mode == "pages":
            sentences = self.annotations.resolve(navigation.sentences_to_locate(), navigation.hits)
            seeks = seeks and (self.annotations.is_loaded or hit is None or hit.kind != "note")
            self.pages.mark(sentences, navigation.index, sought=navigation.terms, seeks=seeks)
        elif self.mode == "text":
            ordinals = [self.annotations.ordinal_of(each) for each in navigation.hits]
            ordinal = self.annotations.ordinal_of(hit) if hit is not None else None
            self.text.mark(ordinals, ordinal, sought=navigation.terms, seeks=seeks)
        if position is not None:
            self.view.return_to(position)
        self.status.show_count()
        self.status.show()
        self.status.show_heat()
        self.pointed.emit(self.text_under_cursor)

    def _on_annotations_loaded(self) -> None:
        """Go to what a note was written on, which was unknown before."""
        if any(hit.kind == "note" for hit in self.navigation.hits):
            self._mark()

    def _show_annotations(self) -> None:
        self.pages.viewport().update()
        if self.mode == "text":
            self.text.show_annotations(self.annotations.locate_in_text(self.text.rows, self.text.first_of_pages))

    def _on_cursor(self) -> None:
        if self.mode == "text" and (text := self.text.sentence_under_cursor()):
            self.pointed.emit(text)

    def _show(self, mode: ReaderMode, view: QWidget) -> None:
        self._slow.stop()
        self.mode = mode
        focus = self.window().focusWidget()
        # Who has gone elsewhere meanwhile, to type a query for example, stays there.
        wants_focus = self._wants_focus and focus in (self._focus_then, None)
        has_focus = wants_focus or (focus is not None and self._stack.isAncestorOf(focus))
        self._stack.setCurrentWidget(view)
        if has_focus and mode in ("pages", "text"):
            view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._wants_focus = has_focus and mode == "opening"
        self.heat_strip.show_marks(())
        self.document_shown.emit()
        self.header.setVisible(mode != "empty")
        self.header.show_tools(pages=mode == "pages", text=mode == "text")
        self.outline.show_button()
        self.status.show_count()
        self.status.show()

    def _show_state(self, mode: ReaderMode, view: StateContent, actions: Sequence[QAction] = ()) -> None:
        if mode != "opening":  # a notice about the document stays while its stored text is loading
            self.notice.hide()
        self.state.show_view(view, actions)
        self._show(mode, self.state)

    def _show_opening(self) -> None:
        if self.mode == "opening":
            self._show_state("opening", StateContent("reader_opening", "hourglass", self.tr("Opening the document…")))

    def _on_theme(self, theme: Theme) -> None:
        if self._dark_choice is None:
            self.pages.set_dark(theme.dark)
            self.header.dark.setChecked(theme.dark)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if self.document is None:
            return
        is_other = self.document.document_id in changes.documents
        self._is_stale = self._is_stale or is_other
        if changes.listing or is_other:
            self._loader.reload_document(self.document)
        if changes.annotations and self.shown is not None:
            self.annotations.reload()

    def _on_looked_up(self, document: Document | None) -> None:
        """Clear the reader if the document was removed; load a file again that is no longer missing."""
        if document is None:
            self.clear()
            return
        name = display_text.document_name(document.title, document.path)
        if self.document is not None and self.document.path == document.path and self.document.name != name:
            self.document = replace(self.document, name=name)
            self.header.title.setText(name)
        if self.notices.is_file_missing and self._is_stale and document.state == "ready" and self.document is not None:
            self._open(self.document)

    # Commands

    def selected_text(self) -> str:
        """Return the text that is selected in the document."""
        return self.text.plain_selection() if self.mode == "text" else self.pages.selection.plain()

    def chosen_text(self) -> str:
        """Return the selected text, else the text of the current hit."""
        return self.selected_text() or (self.current.text if self.current is not None else "")

    def copy_link(self) -> None:
        """Copy a link to the page that is shown, or to the result in the stored text."""
        status, document = self.session.status, self.document
        if status is None or document is None:
            return
        identity = status.library.identity
        if self.mode == "pages":
            link = LibraryLink(identity, document.document_id, page=self.pages.page)
        elif self.current is not None:
            link = link_hit(identity, self.current)
        else:
            link = LibraryLink(identity, document.document_id)
        self.tell.emit(desktop.copy_text(format_link(link)))

    def set_dark(self, dark: bool) -> None:
        """Draw pages dark or as they are, independent of the theme."""
        self._dark_choice = dark
        self.header.dark.setChecked(dark)
        self.pages.set_dark(dark)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selection, or the current hit if nothing is selected."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.chosen_text():
            self.menus.copy()
        elif event.matches(QKeySequence.StandardKey.Undo) and self.annotations.can_undo:
            self.annotations.undo()
        else:
            super().keyPressEvent(event)


class AnnotationMarker:
    """Highlights the selected text of a reader, and opens the popup of a highlight."""

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader
        self.colour = DEFAULT_COLOUR  # of the next highlight: that of the last one

    def highlight(self, colour: str = "", *, with_note: bool = False) -> None:
        """Highlight the selected text, else the sentence at the cursor, else the current hit.

        Args:
            colour: its colour; empty for the last one.
            with_note: whether to open its popup then, to write a note.
        """
        self.colour = colour or self.colour
        draft = self._draft()
        if draft is None:
            self._reader.tell.emit(translate("ReaderPane", "Select the text to highlight first."))
            return
        reader = self._reader
        at = self._corner_of_selection()

        def edit(annotation_id: int) -> None:
            if with_note:
                self._show(replace(draft, annotation_id=annotation_id), at)

        reader.annotations.add([draft], edit)
        reader.pages.selection.clear()
        cursor = reader.text.textCursor()
        cursor.clearSelection()
        reader.text.setTextCursor(cursor)
        reader.view.viewport().update()

    def _draft(self) -> Annotation | None:
        reader = self._reader
        shown, hit = reader.shown, reader.current
        if shown is None:
            return None
        draft = Annotation(0, shown.document_id, "", colour=self.colour)
        if reader.mode == "text":
            return self._draft_in_text(draft)
        if parts := reader.pages.selection.parts():
            from desktop_app.core.records import Place

            places = tuple(Place(page, start, start + len(text), "text") for page, start, text in parts)
            draft = replace(draft, text=" ".join(text for _, _, text in parts), places=places)
        elif hit is not None and hit.kind != "note" and hit.document_id == shown.document_id:
            draft = replace(draft, text=hit.text, places=hit.places)
        else:
            return None
        labels = reader.file.labels if reader.file is not None else ()
        page = draft.page or 0
        return replace(draft, page_label=labels[page - 1] if 1 <= page <= len(labels) else None)

    def _draft_in_text(self, draft: Annotation) -> Annotation | None:
        text = self._reader.text
        if (chosen := text.selected_range()) is None:
            return None
        ordinal, offset, ordinals = chosen
        rows = [text.rows[key] for key in ordinals]
        marked = text.plain_selection() or rows[0].text
        places = tuple(dict.fromkeys(place for row in rows for place in row.places))
        return replace(draft, text=marked, places=places, ordinal=ordinal, offset=offset)

    def _corner_of_selection(self) -> QPoint:
        """Return the point below the selection, on the screen."""
        view = self._reader.view
        if self._reader.mode == "text":
            return view.viewport().mapToGlobal(self._reader.text.cursorRect().bottomLeft())
        rects = self._reader.pages.selection_rects() or self._reader.pages.current_rects()
        return view.viewport().mapToGlobal(rects[-1].bottomLeft().toPoint() if rects else view.rect().center())

    def add_to_menu(self, menu: QMenu, at: QPoint) -> None:
        """Add highlighting in each colour, or what can be done with the highlight at a point of the screen."""
        view = self._reader.view
        point = view.viewport().mapFromGlobal(at)
        found = view.annotation_at(QPointF(point)) if isinstance(view, PageView) else view.annotation_at(point)
        can_mark = self._draft() is not None
        colours = menu.addMenu(make_icon("highlighter"), translate("ReaderPane", "&Highlight"))
        colours.setEnabled(can_mark)
        for name in OWN_COLOURS:
            choose = partial(self.highlight, COLOURS[name])
            colours.addAction(make_colour_icon(COLOURS[name]), colour_title(name), choose)
        note = menu.addAction(
            make_icon("sticky-note"),
            translate("ReaderPane", "Highlight and Add &Note…"),
            partial(self.highlight, with_note=True),
        )
        note.setEnabled(can_mark)
        if found is not None:
            menu.addAction(translate("ReaderPane", "&Edit Highlight…"), partial(self.open_popup, found, at))
            if found.origin == "own":
                menu.addAction(
                    make_icon("trash-2"),
                    translate("ReaderPane", "&Delete Highlight"),
                    partial(self._reader.annotations.delete, [found.annotation_id]),
                )

    def open_popup(self, annotation: Annotation, at: QPoint) -> None:
        """Show a highlight's colours and note."""
        self._show(annotation, at + QPoint(0, 8))

    def _show(self, annotation: Annotation, at: QPoint) -> None:
        model = self._reader.annotations
        popup = AnnotationPopup(self._reader, annotation, model.unsaved.get(annotation.annotation_id))
        popup.colour_chosen.connect(lambda colour: model.change(annotation, colour=colour))
        popup.colour_chosen.connect(self._remember_colour)
        popup.comment_changed.connect(lambda text: model.change(annotation, comment=text))
        popup.delete_wanted.connect(lambda: model.delete([annotation.annotation_id]))
        popup.source_wanted.connect(lambda: self._reader.source_wanted.emit(annotation))
        popup.pop_up(at)

    def _remember_colour(self, colour: str) -> None:
        self.colour = colour


class ReaderNotices:
    """The notice above a document, and its button.

    Attributes:
        is_file_missing: the file did not exist when the document was opened.
    """

    def __init__(self, reader: ReaderPane, session: LibrarySession, notice: NoticeBar) -> None:
        self._reader = reader
        self._session = session
        self._notice = notice
        self.is_file_missing = False
        notice.pressed.connect(self._on_pressed)

    def clear(self) -> None:
        """Hide the notice, because another document is opened."""
        self.is_file_missing = False
        self._notice.hide()

    def show_missing_file(self) -> None:
        """Say that the file of the document no longer exists."""
        shown = self._reader.document
        assert shown is not None
        self.is_file_missing = True
        status = self._session.status
        if status is not None and status.library.is_shared and not os.path.isdir(os.path.dirname(shown.path)):
            text = translate("ReaderPane", "This computer does not reach the original file. Showing the saved text.")
        else:
            text = translate("ReaderPane", "The original file is missing. Showing the saved text.")
        offer = translate("ReaderPane", "Locate File…") if self._session.is_writable else ""
        self._notice.say(f"{text}\n{shown.path}", offer)

    def show_without_pages(self, why: str) -> None:
        """Say why the stored text is shown instead of pages."""
        self._notice.say(translate("ReaderPane", "{why}. Showing the saved text.").format(why=why))

    def show_located(self, found: bool) -> None:
        """Say so if a sentence was not found on its page."""
        if not found:
            self._notice.say(
                translate("ReaderPane", "Can't locate this sentence. The file has changed since it was imported."),
                translate("ReaderPane", "Show Saved Text"),
            )
        elif self._reader.mode == "pages":
            self._notice.hide()

    def _on_pressed(self) -> None:
        shown = self._reader.document
        if self.is_file_missing and shown is not None:
            self._reader.file_wanted.emit(shown.document_id)
        else:
            self._reader.reload_text()


class ReaderStatus:
    """The hit count, page, zoom and heat strip of a reader."""

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader

    def show_count(self) -> None:
        """Show the number of the current hit."""
        self._reader.header.show_count(self._reader.navigation.index, len(self._reader.navigation.hits))

    def show_heat(self) -> None:
        """Show the positions of the hits along the scroll bar."""
        reader = self._reader
        shares: list[float] = []
        if reader.mode == "pages":
            shares = reader.pages.shares(reader.navigation.pages)
        elif reader.mode == "text":
            shares = reader.text.shares(reader.navigation.ordinals)
        reader.heat_strip.show_marks(reader.navigation.heat_strip_marks(shares))

    def show(self) -> None:
        """Show the page, the zoom, and whether the current hit was read by OCR."""
        reader = self._reader
        page, count, page_label = 0, 0, ""
        if reader.mode == "pages" and reader.file is not None:
            page, count = reader.pages.page, len(reader.file.sizes)
            page_label = self._label(page)
        reader.pages.setAccessibleDescription(reader.header.show_place(page, count, page_label))
        if reader.mode == "text" and reader.current is not None:
            reader.header.show_place_in_text(display_text.format_location(reader.current))
        reader.header.recognised.setVisible(self._is_recognised())
        reader.header.show_zoom(reader.view.zoom)

    def describe_page(self) -> str:
        """Return the page of the selected text or the current hit: "p. 4"."""
        reader = self._reader
        if reader.mode == "pages" and (pages := reader.pages.selection.pages):
            page = pages[0]
            return display_text.translate("words", "p. {page}").format(page=self._label(page) or page)
        if reader.mode == "text" and reader.text.textCursor().hasSelection():
            return self._describe_selection_in_text()
        return display_text.format_location(reader.current) if reader.current is not None else ""

    def _describe_selection_in_text(self) -> str:
        """Return where the sentence stands in which the selection begins; it may be far from the current hit."""
        reader = self._reader
        if (chosen := reader.text.selected_range()) is None or reader.document is None:
            return ""
        row = reader.text.rows[chosen[0]]
        hit = next((each for each in reader.navigation.hits if each.ordinal == row.ordinal), None)
        if hit is not None:
            return display_text.format_location(hit)
        return display_text.format_places(row.places, reader.document.type)

    def _is_recognised(self) -> bool:
        """Return whether the current hit was read by OCR and its page is shown."""
        reader, hit = self._reader, self._reader.current
        if hit is None or not hit.is_recognised:
            return False
        return reader.mode == "text" or (
            reader.mode == "pages" and reader.pages.page in {each.page for each in hit.places}
        )

    def _label(self, page: int) -> str:
        labels = self._reader.file.labels if self._reader.file is not None else ()
        return labels[page - 1] if 1 <= page <= len(labels) else ""
