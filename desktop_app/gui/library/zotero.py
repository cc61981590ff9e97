"""Imports a library of Zotero, follows it, and shows documents in Zotero."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.base.file_dialogs import choose_folder
from desktop_app.gui.base.window_context import ImportOptions

if TYPE_CHECKING:
    from desktop_app.core.zotero import ZoteroLink
    from desktop_app.engine.zotero import ZoteroListing, ZoteroReport
    from desktop_app.gui.base.window_context import WindowContext


class ZoteroController(QObject):
    """The Zotero of one window."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._under_way: set[str] = set()
        self._told: set[str] = set()  # those of them whose result is told
        context.actions.bind({"zotero.import": self.choose_folder})
        context.navigator.show_in_zotero.connect(self.show_document)
        context.session.opened.connect(self.follow)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.applicationStateChanged.connect(self._on_state)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        # Who comes back to the window may have worked in Zotero meanwhile.
        if state == Qt.ApplicationState.ApplicationActive and self._context.session.phase == "ready":
            self.follow()

    # Importing

    def choose_folder(self) -> None:
        """Let the person choose the data folder of Zotero, and import it."""
        choose_folder(self._context.widget, self.tr("Select Zotero's data folder"), self.take_over)
        usual = Path.home() / "Zotero"
        if (usual / "zotero.sqlite").is_file():
            text = self.tr("Zotero usually keeps its data in {path}.").format(path=usual)
            self._context.tell(text)

    def take_over(self, folder: str, *, is_quiet: bool = False) -> None:
        """Import a data folder with its references, annotations, notes and collections, and follow it from then on.

        Args:
            folder: the data folder.
            is_quiet: say only what went wrong.
        """
        folder = os.path.normpath(folder)
        if not is_quiet:
            self._told.add(folder)  # also if it is just being followed
            self._context.tell(self.tr("Reading Zotero…"))
        if folder in self._under_way:
            return
        self._under_way.add(folder)
        session = self._context.session

        def fail(error: BaseException) -> None:
            self._under_way.discard(folder)
            self._told.discard(folder)
            self._context.tell_error(error)

        def apply(listing: ZoteroListing) -> None:
            job = session.workspace.zotero.apply(listing)
            done = partial(self._done, folder, listing)
            session.bridge.call(job, self, done, on_error=fail)

        def receive(listing: ZoteroListing) -> None:
            if listing.new_files:
                options = ImportOptions(then=lambda: apply(listing))
                self._context.navigator.import_with_options.emit(list(listing.new_files), options)
            else:
                apply(listing)

        session.bridge.call(session.workspace.zotero.read(folder), self, receive, on_error=fail)

    def _done(self, folder: str, listing: ZoteroListing, report: ZoteroReport) -> None:
        from desktop_app.engine.zotero import list_remarks

        self._under_way.discard(folder)
        if folder not in self._told:
            return
        self._told.discard(folder)
        text = self.tr("From Zotero: {documents}, {highlights}, {notes}, {collections}.").format(
            documents=display_text.count_documents(report.documents),
            highlights=display_text.count_highlights(report.annotations),
            notes=display_text.count_notes(report.notes),
            collections=display_text.count_collections(report.collections),
        )
        remarks = [display_text.translate_message(remark) + "." for remark in list_remarks(listing)]
        self._context.tell(" ".join([text, *remarks]))

    def follow(self) -> None:
        """Take over what has changed in the data folders that the library follows."""
        session = self._context.session

        def receive(folders: list[str]) -> None:
            for folder in folders:
                self.take_over(folder, is_quiet=True)

        session.bridge.call(session.workspace.zotero.find_changed(), self, receive, on_error=lambda _error: None)

    # Showing

    def show_document(self, document_id: int, annotation: str, page: int | None) -> None:
        """Show a document in Zotero: its item, or its page or annotation in Zotero's reader."""
        session = self._context.session

        def show(link: ZoteroLink | None) -> None:
            if link is None:
                self._context.tell(self.tr("This document isn't from Zotero."))
                return
            address = link.open_address(page, annotation) if page or annotation else link.select_address
            if not desktop.open_link(address):
                self._context.tell(self.tr("Zotero couldn't be opened: {address}").format(address=address))

        session.bridge.call(
            session.workspace.zotero.find_link(document_id), self, show, on_error=self._context.tell_error
        )
