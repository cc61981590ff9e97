"""The actions on documents and folders."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.links import LibraryLink, format_link
from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.base.file_dialogs import choose_file, choose_folder, make_filters
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.window_context import DuplicatesRequest, ImportOptions
from desktop_app.gui.library.folder_tree import DocumentNode
from desktop_app.gui.results import scope
from desktop_app.gui.widgets.text_dialog import ask_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.records import Document
    from desktop_app.engine.references import ReferenceList, ReferenceMatches
    from desktop_app.engine.requests import FailedFile, ImportReport
    from desktop_app.engine.watched_folders import RelinkReport
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.library.document_list import MissingFilesController
    from desktop_app.gui.library.model import DocumentTreeModel
    from desktop_app.gui.library.pane import LibraryPane
    from desktop_app.gui.library.removal import RemovalController

_MAX_OPENED = 10


class LibraryController(QObject):
    """The actions on documents of one window.

    Attributes:
        password_refused: a password that was tried is wrong; carries the message.
    """

    password_refused = Signal(object)

    def __init__(
        self,
        context: WindowContext,
        pane: LibraryPane,
        model: DocumentTreeModel,
        removals: RemovalController,
        missing: MissingFilesController,
    ) -> None:
        super().__init__(context.widget)
        self._context, self._pane, self._model = context, pane, model
        self._removals, self._missing = removals, missing
        self._tried: set[str] = set()  # paths of locked files whose password is being tried
        context.actions.bind(
            {
                "library.focus": pane.focus_list,
                "library.filter": pane.focus_filter,
                "document.open": self.open,
                "document.search_here": self.search_here,
                "document.details": self.show_details,
                "document.keys": self.show_keys,
                "document.pairs": self.show_pairs,
                "document.compare": self.compare,
                "document.rename": pane.rename,
                "document.cite": self.cite,
                "document.reference": self.edit_reference,
                "references.import": self.choose_references,
                "document.show_in_folder": self.show_in_folder,
                "document.copy_path": self.copy_paths,
                "document.copy_link": self.copy_links,
                "document.relink": self.find_again,
                "document.retry": self.import_again,
                "document.password": self.enter_password,
                "document.recognise": self.read_by_ocr,
                "document.remove": self.remove,
            }
        )
        model.renamed.connect(self.rename)
        pane.activated.connect(lambda document: context.navigator.open_document.emit(document, False))

    # Files

    def open(self) -> None:
        """Open the selected documents in their programs."""
        documents = self._pane.selected_documents()
        for document in documents[:_MAX_OPENED]:
            self.open_outside(document.path)
        if len(documents) > _MAX_OPENED:
            text = self.tr("Opened the first {count} of {all}.")
            self._context.tell(text.format(count=_MAX_OPENED, all=display_text.count_documents(len(documents))))

    def open_outside(self, path: str) -> None:
        """Open a file, or say why not."""
        if not desktop.open_file(path):
            self._context.tell(display_text.describe_unopened_file(path))

    def show_in_folder(self) -> None:
        """Show the first selected row in the file manager."""
        for node in self._pane.view.selected_nodes()[:1]:
            if isinstance(node, DocumentNode):
                self.show_path_in_folder(node.document.path)
            else:
                self.open_outside(node.path)

    def show_path_in_folder(self, path: str) -> None:
        """Show a file in the file manager, or say that it is missing."""
        if not desktop.show_in_folder(path):
            self._context.tell(display_text.describe_unopened_file(path))

    def copy_paths(self) -> None:
        """Copy the paths of the selected documents and folders."""
        nodes = self._pane.view.selected_nodes()
        paths = [node.document.path if isinstance(node, DocumentNode) else node.path for node in nodes]
        self._context.copy("\n".join(paths))

    def copy_links(self) -> None:
        """Copy links to the selected documents, one in each line."""
        identity = self._context.library_identity
        links = [LibraryLink(identity, document.document_id) for document in self._pane.selected_documents()]
        self._context.copy("\n".join(map(format_link, links)))

    # Contents

    def show_details(self) -> None:
        """Show the details of the selected document."""
        document = next(iter(self._pane.selected_documents()), None)
        if document is None:
            return
        from desktop_app.gui.library.details_dialog import DocumentDetailsDialog

        tags = [
            each.name
            for each in self._context.collections
            if each.kind == "tag" and document.document_id in each.document_ids
        ]
        dialog = DocumentDetailsDialog(document, self._context.widget, tags=tags)
        dialog.opened.connect(self.open_outside)
        dialog.shown_in_folder.connect(self.show_path_in_folder)
        session = self._context.session
        session.bridge.call(
            session.workspace.read(lambda library: library.documents.page_notes(document.document_id)),
            dialog,
            dialog.show_notes,
        )
        session.bridge.call(
            session.workspace.read(lambda library: library.documents.omissions(document.document_id)),
            dialog,
            dialog.show_omissions,
        )
        dialog.open()

    def show_keys(self) -> None:
        """Show the key sentences of the selected documents."""
        documents = self._pane.selected_documents()
        if not documents:
            return
        from desktop_app.core.scope import Scope
        from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog

        first = documents[0]
        name = (
            display_text.document_name(first.title, first.path)
            if len(documents) == 1
            else display_text.count_documents(len(documents))
        )
        where = Scope(document_ids=frozenset(document.document_id for document in documents))
        dialog = KeySentencesDialog(self._context, name, scope=where)
        dialog.opened.connect(self._context.navigator.open_hit)
        dialog.show()

    def show_pairs(self) -> None:
        """Show the duplicates of the selected documents."""
        documents = self._pane.selected_documents()
        if documents:
            first = documents[0]
            is_one = len(documents) == 1
            name = (
                display_text.document_name(first.title, first.path)
                if is_one
                else display_text.count_documents(len(documents))
            )
            ids = frozenset(document.document_id for document in documents)
            self._context.navigator.show_duplicates.emit(DuplicatesRequest(name, touching=ids))

    def compare(self) -> None:
        """Show the two selected documents side by side; a single one waits for another to be dropped."""
        documents = [document for document in self._pane.selected_documents() if document.sentences]
        if len(documents) > 2:
            self._context.tell(self.tr("Select two documents to compare."))
            return
        self._context.navigator.compare_documents.emit(documents)

    def rename(self, document_id: int, title: str) -> None:
        """Set the title of a document; an empty one restores that of its file."""
        session = self._context.session
        changes = ChangeSet(documents=frozenset({document_id}))
        job = session.workspace.change(lambda library: library.documents.set_title(document_id, title), changes)
        session.bridge.call(job, self, on_error=self._context.tell_error)

    def cite(self) -> None:
        """Show the references of the selected documents in the styles there are."""
        from desktop_app.gui.results.citation_dialog import CitationDialog

        if documents := self._pane.selected_documents():
            CitationDialog(self._context, [document.document_id for document in documents]).show()

    def edit_reference(self) -> None:
        """Edit the reference of the selected document."""
        document = next(iter(self._pane.selected_documents()), None)
        if document is None:
            return
        from desktop_app.gui.library.reference_dialog import ReferenceDialog

        document_id = document.document_id
        session = self._context.session

        def show(references: dict[int, Reference]) -> None:
            if document_id in references:
                dialog = ReferenceDialog(references[document_id], self._context.widget)
                dialog.accepted_reference.connect(partial(self.set_reference, document_id))
                dialog.open()

        job = session.workspace.read(lambda library: library.documents.references([document_id]))
        session.bridge.call(job, self, show, on_error=self._context.tell_error)

    def set_reference(self, document_id: int, reference: Reference | None) -> None:
        """Set the reference of a document; None restores what its file says."""
        session = self._context.session
        changes = ChangeSet(documents=frozenset({document_id}))
        job = session.workspace.change(lambda library: library.documents.set_reference(document_id, reference), changes)
        session.bridge.call(job, self, on_error=self._context.tell_error)

    def choose_references(self) -> None:
        """Ask for a file of a reference manager, and import it."""
        filters = make_filters(self.tr("References"), "*.bib *.ris *.json")
        choose_file(self._context.widget, self.tr("Import References"), self.import_references, filters)

    def import_references(self, file: str) -> None:
        """Import the documents that a list of references links, then give documents their references."""
        session = self._context.session

        def apply(listed: ReferenceList) -> None:
            def receive_matches(matches: ReferenceMatches) -> None:
                self._tell_matches(matches, len(listed.damaged_lines))

            job = session.workspace.references.apply(listed.entries)
            session.bridge.call(job, self, receive_matches, on_error=self._context.tell_error)

        def receive(listed: ReferenceList) -> None:
            if listed.new_files:
                options = ImportOptions(then=lambda: apply(listed))
                self._context.navigator.import_with_options.emit(list(listed.new_files), options)
            else:
                apply(listed)

        session.bridge.call(session.workspace.references.read(file), self, receive, on_error=self._context.tell_error)

    def _tell_matches(self, matches: ReferenceMatches, damaged: int) -> None:
        text = self.tr("Updated the references of {documents}.").format(
            documents=display_text.count_documents(len(matches.documents))
        )
        if matches.unmatched:
            text += " " + self.tr("%Ln references match no document.", "", len(matches.unmatched))
        if damaged:
            text += " " + self.tr("%Ln entries in the file are damaged.", "", damaged)
        self._context.tell(text)

    def search_here(self) -> None:
        """Search only in the selected documents and folders."""
        nodes = self._pane.view.selected_tops()
        if not nodes:
            return
        self._context.navigator.limit_search.emit(
            [
                scope.document_part(node.document) if isinstance(node, DocumentNode) else scope.folder_part(node.path)
                for node in nodes
            ]
        )

    def find_again(self) -> None:
        """Ask where the selected document or folder is now."""
        node = next(iter(self._pane.view.selected_nodes()), None)
        if isinstance(node, DocumentNode):
            self._context.navigator.find_file.emit(node.document.document_id)
        elif node is not None:
            title = self.tr("Where is the folder {name} now?").format(name=node.name)
            choose_folder(self._context.widget, title, partial(self.relink_folder, node.path))

    def relink_folder(self, old: str, new: str) -> None:
        """Note that a folder moved, and report which documents were found there."""

        def tell(done: RelinkReport) -> None:
            text = self.tr("Found {documents} in {name}.").format(
                documents=display_text.count_documents(done.moved), name=Path(new).name or new
            )
            if done.left:
                text += " " + self.tr("{documents} not found in that folder and left unchanged.").format(
                    documents=display_text.count_documents(done.left)
                )
            self._context.tell(text)
            self._missing.check_files()
            if done.moved:
                self._context.folder_moved.emit(old, new)

        session = self._context.session
        session.bridge.call(
            session.workspace.watched_folders.relink_folder(old, new), self, tell, on_error=self._context.tell_error
        )

    # Importing and removing

    def import_again(self) -> None:
        """Import the selected documents again; of a folder everything in it, unless a filter hides some."""
        nodes = self._pane.view.selected_nodes()
        if self._model.forest.filter.is_open:
            paths = [node.document.path if isinstance(node, DocumentNode) else node.path for node in nodes]
        else:
            paths = [document.path for document in self._pane.selected_documents()]
        self._context.navigator.import_with_options.emit(paths, ImportOptions(force=True))

    def remove(self) -> None:
        """Remove the selected documents, and those shown in selected folders; of a document with copies these files."""
        self._removals.remove_files(self._pane.selected_paths())

    def ignore(self, files: Sequence[FailedFile]) -> None:
        """Remove documents that failed, except those with an earlier version that can be searched."""
        found = [self._model.document(file.document_id) for file in files if file.document_id is not None]
        self._removals.remove(
            [document.document_id for document in found if document is not None and not document.sentences]
        )

    def enter_password(self) -> None:
        """Ask for the password of the selected documents."""
        self.ask_password([document.path for document in self._pane.selected_documents() if _is_locked(document)])

    def ask_password(self, paths: Sequence[str]) -> None:
        """Ask for the password of some documents and import them with it; it is not stored."""
        if not paths:
            return
        if len(paths) == 1:
            text = self.tr("Password for {name}:").format(name=Path(paths[0]).name.replace("&", "&&"))
        else:
            text = self.tr("Password for {documents}:").format(documents=display_text.count_documents(len(paths)))
        window = QApplication.activeWindow() or self._context.widget  # the report of an import, or the window
        label = text + "\n" + self.tr("Kept in memory until you quit; never saved.")
        dialog = ask_text(window, self.tr("Password"), label, partial(self._try, list(paths)), secret=True)
        dialog.setWindowIcon(make_icon("key-round"))

    def read_by_ocr(self) -> None:
        """Read pages without text of the selected documents by OCR, after asking for their languages."""
        documents = filter(display_text.may_be_scanned, self._pane.selected_documents())
        self.choose_ocr_languages([each.path for each in documents])

    def choose_ocr_languages(self, paths: Sequence[str]) -> None:
        """Ask for the languages of some documents, and read their pages without text by OCR."""
        if not paths:
            self._context.tell(self.tr("OCR works only on PDF documents and images."))
            return

        def start(languages: str) -> None:
            options = ImportOptions(force=True, ocr=languages)
            self._context.navigator.import_with_options.emit(list(paths), options)

        def ask(engine: OcrEngine | None) -> None:
            from desktop_app.gui.library.ocr_dialog import OcrDialog

            dialog = OcrDialog(
                engine, session.workspace.context.ocr.requested_languages, len(paths), self._context.widget
            )
            dialog.chosen.connect(start)
            dialog.open()

        session = self._context.session
        session.bridge.call(session.workspace.pages.find_ocr_engine(), self, ask, on_error=self._context.tell_error)

    def _try(self, paths: list[str], password: str) -> None:
        self._tried |= set(paths)
        self._context.navigator.import_with_options.emit(paths, ImportOptions(passwords=(password,)))

    def report_refused_passwords(self, report: ImportReport) -> None:
        """Report the documents that the tried password does not open."""
        refused = [file.path for file in report.failed if file.reason == "encrypted" and file.path in self._tried]
        self._tried.clear()
        if refused:
            name = Path(refused[0]).name if len(refused) == 1 else display_text.count_documents(len(refused))
            self.password_refused.emit(self.tr("Wrong password for {name}.").format(name=name))


def _is_locked(document: Document) -> bool:
    return document.state == "failed" and document.reason == "encrypted"
