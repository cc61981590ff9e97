"""Brings the extraction view into a reader: what is drawn on its pages or text, and the bar below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop_app.gui import words
from desktop_app.gui.icons import icon
from desktop_app.gui.reading.extraction import Extraction
from desktop_app.gui.reading.extraction_bar import ExtractionBar, offset_of_letter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.bridge import Bridge
    from desktop_app.gui.panes.reader import ReaderPane


class ExtractionDesk(QObject):
    """The extraction view of one reader; made when it is first wanted.

    Attributes:
        extraction: what is known and chosen.
        bar: the chosen sentence and its buttons.
    """

    def __init__(self, reader: ReaderPane, workspace: Workspace, bridge: Bridge) -> None:
        super().__init__(reader)
        self._reader = reader
        self.extraction = extraction = Extraction(workspace, bridge, self)
        self.bar = ExtractionBar()
        reader.add_below(self.bar)
        reader.pages.extraction = extraction
        extraction.changed.connect(reader.pages.viewport().update)
        extraction.chosen_changed.connect(self._show)
        extraction.corrected.connect(lambda _ordinal: self._on_corrected())
        extraction.failed.connect(lambda error: reader.tell.emit(" ".join(words.error(error))))
        reader.document_shown.connect(self._on_document)
        reader.pages.page_changed.connect(lambda _page: self._show())
        reader.pages.word_chosen.connect(self._on_word)
        reader.text.sentence_pressed.connect(extraction.choose)
        reader.text.word_chosen.connect(self._on_word)
        reader.menus.add_corrections = self.add_to_menu
        self.bar.field.stepped.connect(extraction.step)
        self.bar.merge.clicked.connect(extraction.merge)
        self.bar.split.clicked.connect(self.split)
        self.bar.ignore.clicked.connect(extraction.ignore)
        self.bar.undo.clicked.connect(extraction.undo)
        self.bar.hide()

    @property
    def is_on(self) -> bool:
        """Whether it is seen."""
        return self.extraction.is_on

    def toggle(self) -> None:
        """Show it, with the keyboard in it, or hide it."""
        on = not self.is_on
        self.extraction.show(self._reader.shown)
        self.extraction.set_on(on)
        self.bar.setVisible(on)
        self._reader.head.extraction.setChecked(on)
        if on:
            self.bar.field.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._reader.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def split(self) -> None:
        """Split the chosen sentence at the caret."""
        self.extraction.split(self.bar.caret)

    def add_to_menu(self, menu: QMenu) -> None:
        """Put into a menu what can be done about the chosen sentence; the press that opened it has chosen that."""
        if not self.is_on:
            return
        extraction = self.extraction
        chosen, is_free = extraction.chosen, not extraction.is_busy
        is_inside = chosen is not None and 0 < self.bar.caret < len(chosen.text)
        for picture, text, keys, handler, can in (
            ("merge", self.tr("Merge with Next"), "Ctrl+Alt+M", extraction.merge, chosen is not None),
            ("split", self.tr("Split Here"), "Ctrl+Alt+S", self.split, is_inside),
            ("eraser", self.tr("Ignore"), "Ctrl+Alt+I", extraction.ignore, chosen is not None),
            ("undo-2", self.tr("Take Back the Last"), "Ctrl+Alt+Z", extraction.undo, extraction.corrections > 0),
        ):
            menu.addAction(icon(picture), f"{text}\t{keys}", handler).setEnabled(can and is_free)
        menu.addSeparator()

    def _on_document(self) -> None:
        if self.is_on:
            self.extraction.show(self._reader.shown)

    def _on_word(self, letters: int) -> None:
        if self.extraction.chosen is not None:
            self.bar.put_caret(offset_of_letter(self.extraction.chosen.text, letters))

    def _on_corrected(self) -> None:
        if self._reader.mode == "text":
            self._reader.reload_text()

    def _show(self) -> None:
        """Show the sentence at hand in the bar, and on the page or in the text."""
        extraction, reader = self.extraction, self._reader
        chosen = extraction.chosen
        pages = [place.page for place in chosen.places if place.page is not None] if chosen is not None else []
        if reader.mode == "pages" and pages and extraction.is_on and reader.pages.page not in pages:
            reader.pages.go_to(pages[0])
        page = pages[0] if pages else reader.pages.page
        self.bar.show_sentence(chosen, extraction.note(page), busy=extraction.is_busy, undoable=extraction.corrections)
        reader.text.show_cuts(extraction.is_on, chosen.ordinal if chosen is not None else None)
        if chosen is not None and reader.mode == "text":
            reader.text.reveal_sentence(chosen.ordinal)
