"""The services of a window that features share, and the requests that they make of each other."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.stored_path import find_stored_path
from desktop_app.gui.base import desktop, display_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.paths import Paths
    from desktop_app.core.records import Document, DocumentCollection, Hit
    from desktop_app.core.settings import Settings
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.base.model_list import ModelsController
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.base.theme import ThemeManager


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """Two sentences to compare.

    Attributes:
        first: a sentence; empty to keep the one that the dialog shows.
        second: another sentence; likewise.
        pair: the library's pair of these sentences, with everything known about it; None for typed sentences.
        model: folder of the model to compare with; empty for the library's own.
        model_name: the name of that model.
    """

    first: str = ""
    second: str = ""
    pair: Pair | None = None
    model: str = ""
    model_name: str = ""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import files.

    Attributes:
        passwords: passwords to try on locked files.
        force: whether to read unchanged files again.
        ocr: languages in which OCR reads pages without text; None for the preferred ones.
        then: called when the import has ended, however it ended.
    """

    passwords: tuple[str, ...] = ()
    force: bool = False
    ocr: str | None = None
    then: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class DuplicatesRequest:
    """A part of the library whose duplicates to show.

    Attributes:
        name: the name of the part.
        touching: ids of documents that hold one of both sentences; None for any document.
        scope: the part that holds both sentences.
    """

    name: str
    touching: frozenset[int] | None = None
    scope: Scope = EVERYTHING


class KnownDocuments(Protocol):
    """The documents that the window lists."""

    def document(self, document_id: int) -> Document | None:
        """Return a document; None where the list has no such id."""

    def all_documents(self) -> Iterable[Document]:
        """Return every document of the list."""

    @property
    def count(self) -> int:
        """How many documents the list has."""


class EmbeddedReader(Protocol):
    """A reader that another feature shows among its own widgets."""

    @property
    def widget(self) -> QWidget:
        """The widget to put into a layout."""

    def show_hit(self, hit: Hit) -> None:
        """Show a hit in its document."""

    def take_focus(self) -> None:
        """Move the keyboard focus to the text."""

    def clear(self) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Cancel pending requests."""


class CurrentSearch(QObject):
    """The search that the window shows, for features that follow it. The search feature keeps it up to date.

    Attributes:
        answered: a result has arrived; carries whether it refreshes the result of the same query.
        cleared: no search is shown any more.
        query: the query as typed.
        result: the latest result; None while no search is shown.
    """

    answered = Signal(object)
    cleared = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.query = ""
        self.result: SearchResult | None = None

    def show_result(self, query: str, result: SearchResult | None, *, is_refresh: bool) -> None:
        """Note a result and emit `answered`."""
        self.query, self.result = query, result
        self.answered.emit(is_refresh)

    def clear(self, query: str) -> None:
        """Note that there is no result, and emit `cleared` if there was one."""
        had_result = self.result is not None
        self.query, self.result = query, None
        if had_result:
            self.cleared.emit()


class Navigator(QObject):
    """Requests from one feature to another. Features emit these signals; only `shell` connects them.

    Attributes:
        open_hit: show a Hit in the reader.
        open_hit_in_tab: show a Hit in a new tab of the reader.
        follow_hit: show a Hit in the reader, unless the reader is hidden.
        open_document: show a Document in the reader; the flag asks for a new tab.
        find_file: ask where the file of a document is now; carries the document's id.
        search_for: search for a text.
        find_similar: search for a sentence of a document, which the history does not remember.
        limit_search: search only in parts of the library; carries a list of ScopePart.
        show_pane: show a pane, by its name.
        compare: show a ComparisonRequest in the comparison dialog.
        compare_with: compare a sentence with the one that waits for a second one; without one it becomes the first.
        compare_documents: show two documents (a list of Document, at most two) side by side.
        show_duplicates: show a DuplicatesRequest in its pane.
        import_files: import paths.
        import_references: import a list of references; carries its path.
        import_with_options: import paths; carries the paths and ImportOptions.
        keep_text: offer to keep a text as a document.
        open_library: open the library in a folder.
        show_preferences: open the preferences at a page, by its name.
        show_in_zotero: show a document in Zotero; carries its id, the key of an annotation or nothing, a page or None.
        use_reranker: rerank the first hits with a model from now on; carries its name or folder.
    """

    open_hit = Signal(object)
    open_hit_in_tab = Signal(object)
    follow_hit = Signal(object)
    open_document = Signal(object, bool)
    find_file = Signal(object)
    search_for = Signal(str)
    find_similar = Signal(str)
    limit_search = Signal(object)
    show_pane = Signal(str)
    compare = Signal(object)
    compare_with = Signal(str)
    compare_documents = Signal(object)
    show_duplicates = Signal(object)
    import_files = Signal(object)
    import_references = Signal(str)
    import_with_options = Signal(object, object)
    keep_text = Signal(str)
    open_library = Signal(object)
    show_preferences = Signal(str)
    show_in_zotero = Signal(object, str, object)
    use_reranker = Signal(str)


class WindowContext(QObject):
    """The services of a window that every feature may use.

    Args:
        widget: the window itself, as the parent of dialogs.
        session: the open library.
        actions: the actions of the window.
        themes: the colours and fonts.
        models: the models that the library knows.
        documents: the documents that the library holds.
        settings: the person's settings.
        paths: the folders of the program.
        save_settings: writes the settings; raises OSError.
        make_reader: returns a new reader with a name for its window state, in a widget.

    Attributes:
        notified: a line to show at the bottom of the window.
        offered: a line with a button; carries the line, the button's text and the function that the button calls.
        settings_changed: carries the new Settings.
        painted: the window was painted for the first time; heavy work may begin.
        closing: the window closes; requests that are pending are to be dropped.
        card_added: a widget that shows progress is to stand below the library; carries it.
        folder_moved: a folder was found in another place; carries the old and the new path.
        scope_part_replaced: a part of the library has a new name; carries the old and the new ScopePart.
        scope_part_removed: a part of the library is gone; carries its ScopePart.
        pair_judged: the person said whether two sentences mean the same; carries (first, second, True, False or None).
        navigator: requests to other features.
        search: the search that the window shows.
        collections: all collections, then all tags, each sorted by name.
    """

    notified = Signal(str)
    offered = Signal(str, str, object)
    settings_changed = Signal(object)
    painted = Signal()
    closing = Signal()
    card_added = Signal(object)
    folder_moved = Signal(str, str)
    scope_part_replaced = Signal(object, object)
    scope_part_removed = Signal(object)
    pair_judged = Signal(object)

    def __init__(
        self,
        widget: QWidget,
        session: LibrarySession,
        actions: ActionTable,
        themes: ThemeManager,
        models: ModelsController,
        documents: KnownDocuments,
        settings: Settings,
        paths: Paths,
        save_settings: Callable[[Settings], None],
        make_reader: Callable[[str, QWidget], EmbeddedReader],
    ) -> None:
        super().__init__(widget)
        self.widget = widget
        self.session = session
        self.actions = actions
        self.themes = themes
        self.models = models
        self.documents = documents
        self.settings = settings
        self.paths = paths
        self.make_reader = make_reader
        self.collections: Sequence[DocumentCollection] = ()
        self._save_settings = save_settings
        self.navigator = Navigator(self)
        self.search = CurrentSearch(self)

    @property
    def state_file(self) -> Path:
        """The file that keeps sizes and positions of windows."""
        return self.paths.window_state_file

    @property
    def library_identity(self) -> str:
        """The identity of the library, for links; empty before it is open."""
        status = self.session.status
        return status.library.identity if status is not None else ""

    def tell(self, text: str) -> None:
        """Show one line at the bottom of the window."""
        self.notified.emit(text)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard, and say so."""
        self.tell(desktop.copy_text(text))

    def tell_error(self, error: BaseException) -> None:
        """Show what went wrong, and what to do about it; the window shows a lost connection itself."""
        if self.session.note_loss(error):
            return
        message, hint = display_text.describe_error(error)
        self.tell(f"{message}. {hint}".strip())

    def offer(self, text: str, label: str, accept: Callable[[], None]) -> None:
        """Show one line with a button that calls `accept`."""
        self.offered.emit(text, label, accept)

    def raise_window(self) -> None:
        """Bring the window to the front."""
        self.widget.raise_()
        self.widget.activateWindow()

    def overwrite_refusal(self, file: str) -> str:
        """Return why a file must not be overwritten: it is a document of the library. Empty if it may be.

        Links are followed, because a document can be reached by several paths.
        """
        target = find_stored_path(file)
        paths = (path for document in self.documents.all_documents() for path in document.paths)
        if any(target == os.path.realpath(path) for path in paths):
            return self.tr("{name} is a document of this library. Select another name.").format(name=file)
        return ""

    def refuse_overwrite(self, file: str) -> bool:
        """Return whether a file must not be overwritten, and say so at the bottom of the window."""
        if reason := self.overwrite_refusal(file):
            self.tell(reason)
        return bool(reason)

    def change_settings(self, **changes: object) -> None:
        """Replace settings by name and save them."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        self.settings_changed.emit(self.settings)
        try:
            self._save_settings(self.settings)
        except OSError as error:
            reason = str(error.strerror or error)
            self.tell(self.tr("Couldn't save the settings: {why}").format(why=reason))
