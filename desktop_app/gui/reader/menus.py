"""Context menus of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QPoint, Signal

from desktop_app.core.citation import quote_text
from desktop_app.core.vaults import make_obsidian_link
from desktop_app.gui.base import desktop
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QWidget

    from desktop_app.gui.reader.model import ShownDocument


class ReaderMenus(QObject):
    """The context menus of a reader, and their commands.

    Args:
        reader: the parent of the menus.
        shown: returns the document in the reader.
        text: returns the selected text, else the current hit, else an empty text.
        page: returns the page of that text, such as "p. 4", or an empty text.

    Attributes:
        find_similar: search for sentences like this text.
        compare: compare this text.
        tell: a line to show at the bottom of the window.
        link_wanted: copy a link to what is shown.
        add_corrections: adds the corrections of the extraction to the top of a text's menu; None if it is off.
        add_annotations: adds highlighting to a text's menu, which opens at a position on the screen; None if there is
            none.
    """

    find_similar = Signal(str)
    compare = Signal(str)
    tell = Signal(str)
    link_wanted = Signal()

    def __init__(
        self,
        reader: QWidget,
        shown: Callable[[], ShownDocument | None],
        text: Callable[[], str],
        page: Callable[[], str],
    ) -> None:
        super().__init__(reader)
        self._reader = reader
        self._shown = shown
        self._text = text
        self._page = page
        self.add_corrections: Callable[[QMenu], None] | None = None
        self.add_annotations: Callable[[QMenu, QPoint], None] | None = None

    def show_for_text(self, at: QPoint) -> None:
        """Show the menu of the selected text or the current hit."""
        has_text = bool(self._text())
        menu = make_popup_menu(self._reader, self.tr("Text"))
        if self.add_corrections is not None:
            self.add_corrections(menu)
        for name, text, keys, handler in (
            ("copy", self.tr("Copy"), self.tr("Ctrl+C"), self.copy),
            ("quote", self.tr("Copy with Citation"), "", self.copy_cited),
            ("", "", "", None),
            ("text-search", self.tr("Find Similar Sentences"), "", self.request_similar),
            ("scale", self.tr("Compare…"), "", self.request_compare),
        ):
            if handler is None:
                menu.addSeparator()
                continue
            action = menu.addAction(make_icon(name), f"{text}\t{keys}" if keys else text, handler)
            action.setEnabled(has_text)
        if self.add_annotations is not None:
            menu.addSeparator()
            self.add_annotations(menu, at)
        menu.addSeparator()
        self._add_file(menu)
        menu.popup(at)

    def show_for_file(self, at: QPoint) -> None:
        """Show the menu of the document."""
        menu = make_popup_menu(self._reader, self.tr("Document"))
        self._add_file(menu)
        menu.popup(at)

    def _add_file(self, menu: QMenu) -> None:
        for name, text, handler in (
            ("external-link", self.tr("Open in Default App"), self.open_outside),
            ("folder-open", self.tr("Show in Folder"), self.show_in_folder),
            ("link", self.tr("Copy Link"), self.link_wanted.emit),
        ):
            menu.addAction(make_icon(name), text, handler).setEnabled(self._shown() is not None)
        shown = self._shown()
        if shown is not None and make_obsidian_link(shown.path):
            menu.addAction(make_icon("external-link"), self.tr("Open in Obsidian"), self.open_in_obsidian)

    def copy(self) -> None:
        """Copy the text."""
        if text := self._text():
            self.tell.emit(desktop.copy_text(text))

    def copy_cited(self) -> None:
        """Copy the text in quotes, with its document and page."""
        text, shown = self._text(), self._shown()
        if text and shown is not None:
            source = ", ".join(part for part in (shown.name, self._page()) if part)
            quoted = quote_text(text, QLocale().name()[:2])
            self.tell.emit(desktop.copy_text(f"{quoted} ({source})"))

    def request_similar(self) -> None:
        """Request sentences like the text."""
        if text := self._text():
            self.find_similar.emit(text)

    def request_compare(self) -> None:
        """Request a comparison of the text."""
        if text := self._text():
            self.compare.emit(text)

    def open_outside(self) -> None:
        """Open the document in the system's program for it."""
        shown = self._shown()
        if shown is not None and not desktop.open_file(shown.path):
            self.tell.emit(self.tr("{name} could not be opened: {path}").format(name=shown.name, path=shown.path))

    def open_in_obsidian(self) -> None:
        """Open the note in Obsidian."""
        shown = self._shown()
        if shown is not None and not desktop.open_in_obsidian(shown.path):
            self.tell.emit(self.tr("{name} could not be opened: {path}").format(name=shown.name, path=shown.path))

    def show_in_folder(self) -> None:
        """Show the folder of the document."""
        shown = self._shown()
        if shown is not None and not desktop.show_in_folder(shown.path):
            text = self.tr("{name} has moved or been deleted: {path}")
            self.tell.emit(text.format(name=shown.name, path=shown.path))
