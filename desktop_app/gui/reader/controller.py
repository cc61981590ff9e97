"""What the reader does: opens hits and documents, keeps tabs, finds files that have moved."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject

from desktop_app.core.annotations import annotation_to_hit
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_file, choose_save_file
from desktop_app.gui.reader.model import HitNavigation
from desktop_app.gui.results.hit_model import HIT_ROLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.reader.model import ReaderBookmark
    from desktop_app.gui.reader.pane import ReaderPane
    from desktop_app.gui.reader.tabs import ReaderTabs
    from desktop_app.gui.results.highlighting import HighlightTerms
    from desktop_app.gui.results.hit_model import HitModel

_MAX_MARKED_HITS, _MIN_SCORE_SHARE = 200, 0.7
"""Of the first hits, only those that score close to the best are marked: more would mark every second sentence."""


class ReaderController(QObject):
    """The reader of one window.

    Args:
        context: the services of the window.
        reader: the pane.
        hits: the current search result; the other hits of a document are marked too.
        query_terms: returns the words that the current search looks for.

    Attributes:
        pane: the reader.
        is_wanted: whether the person wants to see the reader where the current pane leaves room for it.
    """

    def __init__(
        self,
        context: WindowContext,
        reader: ReaderPane,
        hits: HitModel,
        query_terms: Callable[[], HighlightTerms],
    ) -> None:
        super().__init__(context.widget)
        self._context = context
        self.pane = reader
        self._hits = hits
        self._query_terms = query_terms
        self.is_wanted = True
        hits.rowsInserted.connect(self._mark_further_hits)
        reader.find_similar.connect(context.navigator.find_similar)
        reader.compare.connect(context.navigator.compare_with)
        reader.tell.connect(context.tell)
        reader.file_wanted.connect(self.find_file)
        reader.source_wanted.connect(
            lambda each: context.navigator.show_in_zotero.emit(each.document_id, each.key, each.page)
        )
        reader.document_wanted.connect(lambda document: context.navigator.open_document.emit(document, False))
        actions = context.actions
        actions["view.reader"].setChecked(True)
        actions.bind(
            {
                "reader.focus": self.focus,
                "reader.zoom_in": lambda: reader.view.step_zoom(1),
                "reader.zoom_out": lambda: reader.view.step_zoom(-1),
                "reader.zoom_actual": lambda: reader.view.set_zoom(1.0),
                "reader.fit_width": lambda: reader.pages.set_fit("width"),
                "reader.fit_page": lambda: reader.pages.set_fit("page"),
                "reader.dark": lambda: reader.set_dark(not reader.pages.is_dark),
                "reader.outline": reader.outline.pop_up,
                "reader.extraction": reader.toggle_extraction,
                "reader.merge": lambda: reader.extraction.model.merge(),
                "reader.split": lambda: reader.extraction.split(),
                "reader.ignore": lambda: reader.extraction.model.ignore(),
                "reader.undo_correction": lambda: reader.extraction.model.undo(),
                "annotation.add": reader.marker.highlight,
                "annotation.note": lambda: reader.marker.highlight(with_note=True),
                "annotation.undo": reader.annotations.undo,
                "annotation.show": self.show_annotations,
                "annotation.save_copy": self.choose_annotated_copy,
                "reader.copy": reader.menus.copy,
                "reader.copy_citation": reader.menus.copy_cited,
                "reader.similar": reader.menus.request_similar,
                "reader.compare": reader.menus.request_compare,
                "reader.close_tab": self.close_tab,
                "reader.next_tab": lambda: self.tabs.go(1),
                "reader.previous_tab": lambda: self.tabs.go(-1),
            }
        )
        actions.add_to_pane("reader", reader)
        actions.enable(("reader.next_tab", "reader.previous_tab"), False)
        reader.annotations.failed.connect(context.tell_error)
        reader.annotations.deleted.connect(self._offer_undo)
        reader.annotations.changed.connect(self._enable_annotations)
        reader.document_shown.connect(self._enable_annotations)
        self._enable_annotations()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard focus is in the reader."""
        focus = self._context.widget.focusWidget()
        return focus is not None and (focus is self.pane or self.pane.isAncestorOf(focus))

    @property
    def is_visible(self) -> bool:
        """Whether the reader is shown."""
        return not self.pane.isHidden()

    def stop(self) -> None:
        """Cancel every request."""
        self.pane.stop()

    def show_hit(self, hit: Hit) -> None:
        """Show a hit, in the tab of its document if that is kept; the reader stays hidden if it is."""
        self._show(hit.document_id, partial(self._show_hit_here, hit))

    def _show_hit_here(self, hit: Hit) -> None:
        self.pane.show_hit(hit, self._hits_in_same_document(hit), self._query_terms())

    def follow_hit(self, hit: Hit) -> None:
        """Show a hit of another list than the search in the current tab, unless the reader is hidden."""
        if self.is_visible:
            self._show(hit.document_id, partial(self.pane.show_hit, hit, []))

    def open_hit(self, hit: Hit, *, in_new_tab: bool = False) -> None:
        """Show the reader, and a hit in it."""
        self._open(hit.document_id, partial(self._show_hit_here, hit), in_new_tab=in_new_tab)

    def open_document(self, document: Document, *, in_new_tab: bool = False) -> None:
        """Show the reader, and a document in it."""
        self._open(document.document_id, partial(self.pane.show_document, document), in_new_tab=in_new_tab)

    def keep_document(self, document: Document) -> None:
        """Show the reader and a document in it, and keep the document in a tab."""
        self.open_document(document)
        self.tabs.keep()

    def _open(self, document_id: int, show: Callable[[], None], *, in_new_tab: bool) -> None:
        self.set_visible(True)
        if in_new_tab:
            self.tabs.open(show)
        else:
            self._show(document_id, show)

    def _show(self, document_id: int, show: Callable[[], None]) -> None:
        if self.has_tabs:
            self.tabs.show(document_id, show)
        else:
            show()

    # Tabs

    @cached_property
    def tabs(self) -> ReaderTabs:
        """The open documents; made when the first one is opened in a tab of its own."""
        from desktop_app.gui.reader.tabs import ReaderTabs

        return ReaderTabs(self._context, self.pane)

    @property
    def has_tabs(self) -> bool:
        """Whether several documents are open."""
        return "tabs" in self.__dict__ and bool(self.tabs.names)

    def close_tab(self) -> None:
        """Close the current document."""
        if self.has_tabs:
            self.tabs.close()
        else:
            self.pane.clear()

    @property
    def open_documents(self) -> tuple[list[tuple[ReaderBookmark, bool]], int]:
        """The open documents from left to right, each with whether it is kept, and the index of the current one."""
        if self.has_tabs:
            return self.tabs.bookmarks, self.tabs.bar.currentIndex()
        now = self.pane.bookmark()
        return ([(now, False)] if now is not None else []), 0

    def restore_documents(self, bookmarks: Sequence[tuple[ReaderBookmark, bool]], current: int) -> None:
        """Open documents at their reading positions in an empty reader, which stays hidden if it is.

        Args:
            bookmarks: at least one, from left to right, each with whether it is kept in its tab.
            current: the index of the one to show.
        """
        if len(bookmarks) > 1 or bookmarks[0][1]:
            self.tabs.restore(bookmarks, current)
        else:
            self.pane.return_to(bookmarks[0][0])

    def mark_hit(self, hit: Hit) -> None:
        """Mark a hit in the current document, without scrolling to it; nothing happens in another document."""
        now = self.pane.bookmark()
        if now is not None and now.shown.document_id == hit.document_id:
            navigation = HitNavigation.starting_at(hit, self._hits_in_same_document(hit), self._query_terms())
            self.pane.return_to(replace(now, navigation=navigation))

    def _mark_further_hits(self) -> None:
        """Mark the hits of the open document that the list has read meanwhile, and count them."""
        hit = self.pane.current
        if hit is not None and self._hits.row_of(hit.sentence_id) is not None:
            self.mark_hit(hit)

    # Visibility

    def set_visible(self, visible: bool) -> None:
        """Show or hide the reader, as the person wants it."""
        self.is_wanted = visible
        self._set_visible(visible)

    def reserve_room(self, has_room: bool) -> None:
        """Show the reader next to the current pane if the pane leaves room and the person wants it."""
        self._set_visible(self.is_wanted and has_room)

    def _set_visible(self, visible: bool) -> None:
        self.pane.setVisible(visible)
        self._context.actions["view.reader"].setChecked(visible)

    def focus(self) -> None:
        """Show the reader and move the keyboard focus into it."""
        self.set_visible(True)
        self.pane.take_focus()

    def _hits_in_same_document(self, hit: Hit) -> list[Hit]:
        """Return the hits of the current result that are in the document of `hit`."""
        model = self._hits
        rows = [model.index(row).data(HIT_ROLE) for row in range(min(model.rowCount(QModelIndex()), _MAX_MARKED_HITS))]
        min_score = _MIN_SCORE_SHARE * max((row.score for row in rows), default=0.0)
        return [row for row in rows if row.document_id == hit.document_id and row.score >= min_score]

    # Highlights and notes

    def show_annotations(self) -> None:
        """List the highlights and notes of the document, or of the library."""
        from desktop_app.gui.reader.annotations_dialog import AnnotationsDialog

        dialog = AnnotationsDialog(self._context, self.pane.shown)
        dialog.opened.connect(self.open_annotation)
        dialog.copy_wanted.connect(self.choose_annotated_copy)
        dialog.show()

    def open_annotation(self, annotation: Annotation) -> None:
        """Show the reader, and an annotation in its document."""
        hit = annotation_to_hit(annotation)
        self._open(hit.document_id, partial(self.pane.show_hit, hit, []), in_new_tab=False)

    def choose_annotated_copy(self) -> None:
        """Let the person choose where to save a copy of the PDF with its highlights."""
        shown = self.pane.shown
        if shown is None or shown.type != "pdf":
            self._context.tell(self.tr("Open a PDF in the reader first."))
            return
        stem = os.path.splitext(os.path.basename(shown.path))[0]
        choose_save_file(
            self._context.widget,
            self.tr("Save a copy with highlights"),
            {"pdf": "PDF"},
            partial(self.save_annotated_copy, shown.document_id),
            suggestion=self.tr("{name} with highlights").format(name=stem),
        )

    def save_annotated_copy(self, document_id: int, file: str) -> None:
        """Save a copy of a PDF with its highlights, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self._context.tell(reason)
            return

        def done(count: int) -> None:
            text = self.tr("Saved a copy with {highlights}: {path}")
            self._context.tell(text.format(highlights=display_text.count_highlights(count), path=file))

        session = self._context.session
        job = session.workspace.annotations.save_copy(document_id, file)
        session.bridge.call(job, self, done, on_error=self._context.tell_error)

    def _offer_undo(self, count: int, restore: Callable[[], None]) -> None:
        text = self.tr("Deleted {highlights}.").format(highlights=display_text.count_highlights(count))
        self._context.offer(text, self.tr("Undo"), restore)

    def _enable_annotations(self) -> None:
        shown, actions = self.pane.shown, self._context.actions
        actions.enable(("annotation.undo",), self.pane.annotations.can_undo)
        has_own = bool(self.pane.annotations.annotations)
        actions.enable(("annotation.save_copy",), shown is not None and shown.type == "pdf" and has_own)

    # Files that have moved

    def find_file(self, document_id: int) -> None:
        """Let the person choose the file of a document that has moved."""
        title = self.tr("Where is the file now?")
        choose_file(self._context.widget, title, lambda path: self.relink(document_id, path))

    def relink(self, document_id: int, path: str) -> None:
        """Give a document another file; it is imported again if its content differs."""
        session = self._context.session

        def show(rows: list[Document]) -> None:
            for document in rows:
                self.open_document(document)
            self._context.navigator.import_files.emit([path])

        def linked(_nothing: None) -> None:
            job = session.workspace.read_documents([document_id])
            session.bridge.call(job, self, show)

        job = session.workspace.watched_folders.relink(document_id, path)
        session.bridge.call(job, self, linked, on_error=self._context.tell_error)
