"""The reader: a sentence in its place, on the page or in the stored text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.core.errors import FileFailure
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.reader.document_loader import DocumentLoader, ShownDocument
from desktop_app.gui.reader.head import ReaderHeader
from desktop_app.gui.reader.heat_strip import HeatStrip
from desktop_app.gui.reader.hit_navigation import HitNavigation
from desktop_app.gui.reader.menus import ReaderMenus
from desktop_app.gui.reader.page_view import PageView
from desktop_app.gui.reader.text_view import StoredTextView
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms
from desktop_app.gui.widgets.labels import NoticeBar, StateView
from desktop_app.gui.widgets.state_view import StateContent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.pages import OutlineEntry, PagedFile, TextSlice
    from desktop_app.core.records import Document, Hit
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.base.theme import Theme, ThemeManager
    from desktop_app.gui.reader.bookmarks import ReaderBookmark, ReadingPosition
    from desktop_app.gui.reader.extraction_view import ExtractionController

ReaderMode = Literal["empty", "opening", "pages", "text", "locked"]
_SLOW_OPEN_MS = 300


class ReaderPane(QWidget):
    """Shows hits and documents.

    Args:
        workspace: has the documents.
        bridge: brings them.
        themes: the colours.
        name: tells it from others that look at documents at the same time.

    Attributes:
        find_similar: sentences like this text are wanted.
        pointed: the cursor is in another sentence, or another hit is marked; carries its text.
        compare: this text is to be compared with another.
        tell: something to say in one line.
        hit_shown: another hit of the document was gone to; carries the Hit.
        file_wanted: the file of a document is gone and is to be found again; carries the document's id.
        document_shown: pages, text or a state came into sight.
        opened: the document that was asked for, whether it is seen yet or not.
        file: its pages, where they are seen.
        walk: its hits.
        mode: what is seen: `empty`, `opening`, `pages`, `text` or `locked`.
    """

    find_similar = Signal(str)
    pointed = Signal(str)
    compare = Signal(str)
    tell = Signal(str)
    hit_shown = Signal(object)
    file_wanted = Signal(object)
    document_shown = Signal()

    def __init__(self, workspace: Workspace, bridge: Bridge, themes: ThemeManager, name: str = "") -> None:
        super().__init__()
        self._themes = themes
        self._workspace, self._bridge = workspace, bridge
        self.opened: ShownDocument | None = None
        self.file: PagedFile | None = None
        self.walk = HitNavigation()
        self._place: ReadingPosition | None = None  # to go back to, once the document is there
        self._is_stale = False  # the library has another version of what is shown
        self._dark_choice: bool | None = None
        self.mode: ReaderMode = "empty"
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Reader"))
        self.setMinimumWidth(236)  # a window of 760 pixels has room for all three parts
        self._opening = DocumentLoader(workspace, bridge, self, name)
        self.head = ReaderHeader()
        self.notice = NoticeBar(self.tr("About this document"))
        self.remarks = ReaderNotices(self, self.notice)
        self.state = StateView()
        self.pages = PageView(workspace.viewing, bridge, themes, name)
        self.text = StoredTextView(themes)
        self.standing = ReaderStatus(self)
        self.menus = ReaderMenus(self, lambda: self.opened, self.chosen_text, self.standing.describe_page)
        self._stack = QStackedWidget()
        self._stack.setAccessibleName(self.tr("Document"))
        for each in (self.state, self.pages, self.text):
            self._stack.addWidget(each)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.notice)
        self.heat = HeatStrip(themes)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self._stack, 1)
        body.addWidget(self.heat)
        column.addLayout(body, 1)
        self._column = column
        self._read_stored = QAction(self.tr("Read the Stored Text"), self)
        self._read_stored.triggered.connect(lambda: self._open_text())
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_OPEN_MS)
        self._slow.timeout.connect(self._show_opening)
        self.contents = ReaderOutline(self)
        self._connect(bridge)
        self.clear()

    def _connect(self, bridge: Bridge) -> None:
        self.head.stepped.connect(self.step)
        self.head.zoomed.connect(lambda direction: self.view.step_zoom(direction))
        self.head.zoom_chosen.connect(lambda zoom: self.view.set_zoom(zoom))
        self.head.fit_chosen.connect(self.pages.set_fit)
        self.head.dark_chosen.connect(self.set_dark)
        self.head.outline_wanted.connect(self.contents.pop_up)
        self.head.extraction_wanted.connect(self.toggle_extraction)
        self.head.menu_wanted.connect(self.menus.show_for_file)
        for signal, mine in (
            (self.menus.find_similar, self.find_similar),
            (self.menus.compare, self.compare),
            (self.menus.tell, self.tell),
        ):
            signal.connect(mine)
        self.pages.page_changed.connect(lambda _page: self.standing.show())
        for view in (self.pages, self.text):
            view.zoom_changed.connect(self.standing.show)
            view.menu_wanted.connect(self.menus.show_for_text)
            view.located.connect(self.remarks.located)
        self.heat.chosen.connect(lambda index: self.step(index - (self.walk.at or 0)))
        self.text.resized.connect(self.standing.show_heat)
        self.text.cursorPositionChanged.connect(self._on_cursor)
        self._opening.pages_loaded.connect(self._on_pages)
        self._opening.pages_unavailable.connect(self._on_no_pages)
        self._opening.stored_text_loaded.connect(self._on_text)
        self._opening.text_unavailable.connect(self._on_no_text)
        self._opening.outline_loaded.connect(self.contents.add)
        self._opening.gone.connect(self.remarks.gone)
        self._opening.document_reloaded.connect(self._on_looked_up)
        self._themes.changed.connect(self._on_theme)
        bridge.changed.connect(self._on_library_changed)
        self._on_theme(self._themes.theme)

    @property
    def widget(self) -> QWidget:
        """The reader itself: what an `EmbeddedReader` puts into a layout."""
        return self

    def take_focus(self) -> None:
        """Move the keyboard focus to the text."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def add_above(self, widget: QWidget) -> None:
        """Put something above the document and its tools."""
        self._column.insertWidget(0, widget)

    def add_below(self, widget: QWidget) -> None:
        """Put something below the document."""
        self._column.addWidget(widget)

    @property
    def text_under_cursor(self) -> str:
        """The sentence under the cursor in a text, else what is chosen or marked."""
        under = self.text.sentence_under_cursor() if self.mode == "text" else ""
        return under or self.chosen_text()

    # What is shown

    @property
    def shown(self) -> ShownDocument | None:
        """The document at hand; None where its pages or text are not seen."""
        return self.opened if self.mode in ("pages", "text") else None

    @cached_property
    def extraction(self) -> ExtractionController:
        """Where sentences begin and end, and what is to be done about it."""
        from desktop_app.gui.reader.extraction_view import ExtractionController

        return ExtractionController(self, self._workspace, self._bridge)

    def toggle_extraction(self) -> None:
        """Show where sentences begin and end, or hide it."""
        if self.shown is not None or self.extraction.is_on:
            self.extraction.toggle()
        else:
            self.head.extraction.setChecked(False)

    def reload_text(self) -> None:
        """Read the stored text anew."""
        self._open_text()

    @property
    def view(self) -> PageView | StoredTextView:
        """Pages, or the stored text."""
        return self.text if self.mode == "text" else self.pages

    @property
    def current(self) -> Hit | None:
        """The hit that is marked."""
        return self.walk.current

    def show_hit(self, hit: Hit, hits_of_document: Sequence[Hit] = (), sought: HighlightTerms = NO_HIGHLIGHTS) -> None:
        """Show a hit in its place.

        Args:
            hit: the one to bring into sight.
            hits_of_document: all hits of the same search in its document; they are marked faintly.
            sought: what that search looked for by words; it is marked in them.
        """
        self.walk, self._place = HitNavigation.beginning(hit, hits_of_document, sought), None
        self._open(ShownDocument(hit.document_id, hit.path, display_text.document_name(hit.title, hit.path), hit.type))

    def show_document(self, document: Document) -> None:
        """Show a document from its beginning."""
        self.walk, self._place = HitNavigation(), None
        name = display_text.document_name(document.title, document.path)
        self._open(ShownDocument(document.document_id, document.path, name, document.type))

    def bookmark(self) -> ReaderBookmark | None:
        """Return what is shown and where one is in it; None where nothing is."""
        from desktop_app.gui.reader.bookmarks import ReaderBookmark

        if self.opened is None:
            return None
        place = self.view.place() if self.shown is not None else self._place
        return ReaderBookmark(self.opened, self.walk, place)

    def return_to(self, bookmark: ReaderBookmark) -> None:
        """Show again what was shown, where one was."""
        self.walk, self._place = bookmark.walk, bookmark.place
        self._open(bookmark.shown)

    def clear(self) -> None:
        """Show nothing, as before anything was chosen."""
        self.stop()
        self.opened, self.file, self._place, self.walk = None, None, None, HitNavigation()
        self.contents.forget()
        self.text.begin()
        self._show_state(
            "empty",
            StateContent(
                "reader_empty",
                "book-open",
                self.tr("Choose a sentence to read it in its place"),
                self.tr("The page it stands on appears here, with the sentence marked."),
            ),
        )

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._opening.stop()
        self._slow.stop()
        self.pages.close_file()

    def next_hit(self) -> None:
        """Go to the next hit in this document."""
        self.step(1)

    def previous_hit(self) -> None:
        """Go to the previous hit in this document."""
        self.step(-1)

    def step(self, by: int) -> None:
        """Go on by so many hits of this document."""
        if (further := self.walk.stepped(by)) is not None:
            self.walk = further
            self._mark()
            self.hit_shown.emit(further.current)

    # Opening

    def _open(self, shown: ShownDocument) -> None:
        same = self.opened == shown and not self._is_stale
        self.opened = shown
        self.head.title.setText(shown.name)
        self.head.title.setToolTip(display_text.make_tooltip(shown.path))
        if same and self.mode in ("pages", "text"):
            self._mark()
            return
        self._is_stale = False
        self.remarks.forget()
        self.mode = "opening"
        self._slow.start()
        if shown.type == "pdf":
            self._opening.open_pages(shown)
        else:
            self._open_text()
            self._opening.check_file_missing(shown)

    def _on_pages(self, file: PagedFile) -> None:
        assert self.opened is not None
        self.file = file
        self.contents.show(file.outline)
        self.text.begin()
        self.pages.show_file(self.opened.path, file)
        self._show("pages", self.pages)
        self._mark()

    def _on_no_pages(self, error: BaseException) -> None:
        reason = error.reason if isinstance(error, FileFailure) else "damaged"
        if reason == "encrypted":
            title = self.tr("The document is protected by a password")
            text = self.tr("Its pages can be shown once its password was entered in this session.")
            self._show_state("locked", StateContent("reader_locked", "lock", title, text), [self._read_stored])
            return
        self._open_text()
        if reason == "unreadable":
            self.remarks.gone()
        else:
            self.remarks.show_without_pages(display_text.describe_error(error)[0])

    def _open_text(self) -> None:
        """Show the stored text."""
        if self.opened is not None:
            self.notice.hide()
            self.file = None
            self.contents.forget()
            self._opening.open_text(self.opened)

    def _on_text(self, part: TextSlice) -> None:
        if part.first == 0:
            self.pages.close_file()
            self.text.begin()
        self.text.add(part.sentences)
        if part.first:
            self.standing.show_heat()
        if part.first == 0:
            self._show("text", self.text)
            self._mark()
        if part.is_last:
            self.contents.find_headings()

    def _on_no_text(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self._show_state("empty", StateContent("reader_error", "triangle-alert", message, hint))

    # What is said around it

    def _mark(self) -> None:
        """Mark the hits in what is shown, and bring the current one into sight, or the place where one was."""
        hit = self.current
        place, self._place = self._place, None
        if place is not None and place.mode != self.mode:
            place = None  # then there were pages, and now there is the stored text
        if self.mode == "pages":
            self.pages.mark(self.walk.count_hits_by_page(), self.walk.at, sought=self.walk.sought, seeks=place is None)
        elif self.mode == "text":
            at = hit.ordinal if hit is not None else None
            self.text.mark(self.walk.ordinals, at, sought=self.walk.sought, seeks=place is None)
        if place is not None:
            self.view.return_to(place)
        self.standing.show_count()
        self.standing.show()
        self.standing.show_heat()
        self.pointed.emit(self.text_under_cursor)

    def _on_cursor(self) -> None:
        if self.mode == "text" and (text := self.text.sentence_under_cursor()):
            self.pointed.emit(text)

    def _show(self, mode: ReaderMode, view: QWidget) -> None:
        self._slow.stop()
        self.mode = mode
        self._stack.setCurrentWidget(view)
        self.heat.show_marks(())
        self.document_shown.emit()
        self.head.setVisible(mode != "empty")
        self.head.show_tools(pages=mode == "pages", text=mode == "text")
        self.contents.offer()
        self.standing.show_count()
        self.standing.show()

    def _show_state(self, mode: ReaderMode, view: StateContent, actions: Sequence[QAction] = ()) -> None:
        if mode != "opening":  # what is told of the document stays while its stored text is on its way
            self.notice.hide()
        self.state.show_view(view, actions)
        self._show(mode, self.state)

    def _show_opening(self) -> None:
        if self.mode == "opening":
            self._show_state("opening", StateContent("reader_opening", "hourglass", self.tr("Opening the document…")))

    def _on_theme(self, theme: Theme) -> None:
        if self._dark_choice is None:
            self.pages.set_dark(theme.dark)
            self.head.dark.setChecked(theme.dark)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if self.opened is None:
            return
        is_other = self.opened.document_id in changes.documents
        self._is_stale = self._is_stale or is_other
        if changes.listing or is_other:
            self._opening.reload_document(self.opened)

    def _on_looked_up(self, document: Document | None) -> None:
        """Show nothing of a document that was removed; a file that has come back is read again."""
        if document is None:
            self.clear()
        elif self.remarks.is_gone and self._is_stale and document.state == "ready" and self.opened is not None:
            self._open(self.opened)

    # What is done

    def chosen_text(self) -> str:
        """Return the text that is chosen, else the sentence that is marked."""
        chosen = self.text.plain_selection() if self.mode == "text" else self.pages.selection.plain()
        return chosen or (self.current.text if self.current is not None else "")

    def set_dark(self, dark: bool) -> None:
        """Draw pages dark, or as they are, whatever the theme."""
        self._dark_choice = dark
        self.head.dark.setChecked(dark)
        self.pages.set_dark(dark)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, also when only a sentence is marked."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.chosen_text():
            self.menus.copy()
        else:
            super().keyPressEvent(event)


class ReaderOutline:
    """What the reader knows of its document's headings, and how one goes to them.

    Attributes:
        entries: the headings, in order.
    """

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader
        self.entries: tuple[OutlineEntry, ...] = ()

    def show(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Take the headings of pages."""
        self.entries = entries
        self.offer()

    def add(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Take headings that were looked up; none leave those that are there."""
        self.show(entries or self.entries)

    def find_headings(self) -> None:
        """Take the headings that stand in the stored text, where the file names none."""
        from desktop_app.core.pages import OutlineEntry

        if not self.entries and (found := self._reader.text.headings):
            self.show(tuple(OutlineEntry(heading, None, 0) for heading in found))

    def forget(self) -> None:
        """Know of none."""
        self.entries = ()

    def offer(self) -> None:
        """Offer the headings where there are any."""
        self._reader.head.outline.setVisible(bool(self.entries))

    def pop_up(self) -> None:
        """Show the table of contents."""
        from desktop_app.gui.reader.outline import OutlinePopup

        if self.entries:
            reader = self._reader
            popup = OutlinePopup(reader, self.entries, reader.pages.page if reader.mode == "pages" else 0)
            popup.chosen.connect(self._go_to)
            popup.pop_up(reader.head.outline.mapToGlobal(reader.head.outline.rect().bottomLeft()))

    def _go_to(self, entry: OutlineEntry) -> None:
        reader = self._reader
        reader.view.setFocus()
        if reader.mode == "pages" and entry.page is not None:
            reader.pages.go_to(entry.page)
        elif reader.mode == "text" and not (
            reader.text.find_heading(entry.title) or (entry.page is not None and reader.text.find_page(entry.page))
        ):
            reader.tell.emit(translate("ReaderPane", "This heading is not in the text that was stored."))


class ReaderNotices:
    """The line above a document, and what its button does.

    Attributes:
        is_gone: the file was not there when the document was opened.
    """

    def __init__(self, reader: ReaderPane, notice: NoticeBar) -> None:
        self._reader = reader
        self._notice = notice
        self.is_gone = False
        notice.pressed.connect(self._on_pressed)

    def forget(self) -> None:
        """Say nothing: another document is opened."""
        self.is_gone = False
        self._notice.hide()

    def gone(self) -> None:
        """Say that the file of what is shown is no longer there."""
        shown = self._reader.opened
        assert shown is not None
        self.is_gone = True
        text = translate("ReaderPane", "The file is no longer there; this is the text that was stored.")
        self._notice.say(f"{text}\n{shown.path}", translate("ReaderPane", "Find the File…"))

    def show_without_pages(self, why: str) -> None:
        """Say why text is shown in place of pages."""
        self._notice.say(translate("ReaderPane", "{why}; this is the text that was stored.").format(why=why))

    def located(self, found: bool) -> None:
        """Say so when a sentence was not found on its page."""
        if not found:
            self._notice.say(
                translate(
                    "ReaderPane", "This sentence was not found on its page: the file has changed since it was read."
                ),
                translate("ReaderPane", "Read the Stored Text"),
            )
        elif self._reader.mode == "pages":
            self._notice.hide()

    def _on_pressed(self) -> None:
        shown = self._reader.opened
        if self.is_gone and shown is not None:
            self._reader.file_wanted.emit(shown.document_id)
        else:
            self._reader.reload_text()


class ReaderStatus:
    """Where one is in the document of a reader."""

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader

    def show_count(self) -> None:
        """Show which of the document's hits is marked."""
        self._reader.head.show_count(self._reader.walk.at, len(self._reader.walk.hits))

    def show_heat(self) -> None:
        """Show along the scroll bar where the hits lie."""
        reader = self._reader
        shares: list[float] = []
        if reader.mode == "pages":
            shares = reader.pages.shares(reader.walk.pages)
        elif reader.mode == "text":
            shares = reader.text.shares(reader.walk.ordinals)
        reader.heat.show_marks(reader.walk.heat(shares))

    def show(self) -> None:
        """Show which page one reads, how large, and whether the marked sentence was read by OCR."""
        reader = self._reader
        page, count, page_label = 0, 0, ""
        if reader.mode == "pages" and reader.file is not None:
            page, count = reader.pages.page, len(reader.file.sizes)
            page_label = self._label(page)
        reader.pages.setAccessibleDescription(reader.head.show_place(page, count, page_label))
        if reader.mode == "text" and reader.current is not None:
            reader.head.show_place_in_text(display_text.format_location(reader.current))
        reader.head.recognised.setVisible(self._is_recognised())
        reader.head.show_zoom(reader.view.zoom)

    def describe_page(self) -> str:
        """Return the page of what is chosen or marked: "p. 4"."""
        reader = self._reader
        if reader.mode == "pages" and (pages := reader.pages.selection.pages):
            page = pages[0]
            return display_text.translate("words", "p. {page}").format(page=self._label(page) or page)
        return display_text.format_location(reader.current) if reader.current is not None else ""

    def _is_recognised(self) -> bool:
        """Say whether the marked sentence was read by OCR, and its page is the one in sight."""
        reader, hit = self._reader, self._reader.current
        if hit is None or not hit.is_recognised:
            return False
        return reader.mode == "text" or (
            reader.mode == "pages" and reader.pages.page in {each.page for each in hit.places}
        )

    def _label(self, page: int) -> str:
        labels = self._reader.file.labels if self._reader.file is not None else ()
        return labels[page - 1] if 1 <= page <= len(labels) else ""
