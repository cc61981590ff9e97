"""What a feature may use of the window around it, and how it asks other features for something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.paths import Paths
    from desktop_app.core.records import Document, Hit
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
        pair: the pair of the library that they are, with everything that is known of it; None for typed sentences.
        model: folder of the model to compare with; empty for the library's own.
        model_name: what that model is called.
    """

    first: str = ""
    second: str = ""
    pair: Pair | None = None
    model: str = ""
    model_name: str = ""


@dataclass(frozen=True, slots=True)
class DuplicatesRequest:
    """A part of the library whose duplicates are to be shown.

    Attributes:
        name: what the part is called.
        touching: ids of documents that hold one of both sentences; None for any document.
        scope: holds both sentences.
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


class EmbeddedReader(Protocol):
    """A reader that a feature puts into its own layout."""

    @property
    def widget(self) -> QWidget:
        """What to put into a layout."""

    def show_hit(self, hit: Hit) -> None:
        """Show a hit in its document."""

    def take_focus(self) -> None:
        """Move the keyboard focus to the text."""

    def clear(self) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Cancel pending requests."""


class Navigator(QObject):
    """Requests from one feature to another. Features emit these signals; only `shell` connects them.

    Attributes:
        open_hit: show a Hit in the reader.
        open_document: show a Document in the reader; the flag asks for a new tab.
        follow_hit: show a Hit in the reader, unless the reader is hidden.
        find_file: ask where the file of a document lies now, by the document's id.
        search_for: search for a text.
        find_similar: search for sentences like a text; the history does not keep it as a query of the person.
        show_pane: show a pane, by its name.
        show_duplicates: show a DuplicatesRequest in its pane.
        compare: show a ComparisonRequest in the comparison dialog.
        compare_with: compare a text with the sentence that waits for a second one; without one it becomes the first.
        compare_documents: show at most two Documents side by side, the earlier one first.
        import_files: import paths.
        keep_text: offer to keep a text as a document.
        show_preferences: open the preferences at a page, by its name.
    """

    open_hit = Signal(object)
    open_document = Signal(object, bool)
    follow_hit = Signal(object)
    find_file = Signal(object)
    search_for = Signal(str)
    find_similar = Signal(str)
    show_pane = Signal(str)
    show_duplicates = Signal(object)
    compare = Signal(object)
    compare_with = Signal(str)
    compare_documents = Signal(object)
    import_files = Signal(object)
    keep_text = Signal(str)
    show_preferences = Signal(str)


class WindowContext(QObject):
    """The services of a window that every feature may use.

    Args:
        widget: the window itself, as the parent of dialogs.
        session: the open library.
        actions: the actions of the window.
        themes: the colours and fonts.
        models: the models that the library knows.
        settings: what the person has chosen.
        paths: the folders of the program.
        save_settings: writes the settings; raises OSError.
        documents: the documents that the window lists.
        make_reader: makes a reader; its name tells it from others that read documents at the same time.

    Attributes:
        notified: a line to show at the bottom of the window.
        settings_changed: carries the new Settings.
        search_answered: the search has new hits; `search_result` holds them.
        pair_judged: a person said whether two sentences mean the same; carries (first, second, True, False or None).
        search_result: what the search found; None while there is no answer.
        navigator: requests to other features.
    """

    notified = Signal(str)
    settings_changed = Signal(object)
    search_answered = Signal()
    pair_judged = Signal(object)

    def __init__(
        self,
        widget: QWidget,
        session: LibrarySession,
        actions: ActionTable,
        themes: ThemeManager,
        models: ModelsController,
        settings: Settings,
        paths: Paths,
        save_settings: Callable[[Settings], None],
        documents: KnownDocuments,
        make_reader: Callable[[str], EmbeddedReader],
    ) -> None:
        super().__init__(widget)
        self.widget = widget
        self.session = session
        self.actions = actions
        self.themes = themes
        self.models = models
        self.settings = settings
        self.paths = paths
        self.documents = documents
        self.make_reader = make_reader
        self.search_result: SearchResult | None = None
        self._save_settings = save_settings
        self.navigator = Navigator(self)

    def tell(self, text: str) -> None:
        """Show one line at the bottom of the window."""
        self.notified.emit(text)

    def tell_error(self, error: BaseException) -> None:
        """Show what went wrong, and what to do about it."""
        message, hint = display_text.describe_error(error)
        self.tell(f"{message}. {hint}".strip())

    def change_settings(self, **changes: object) -> None:
        """Replace settings by name and save them."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        self.settings_changed.emit(self.settings)
        try:
            self._save_settings(self.settings)
        except OSError as error:
            reason = str(error.strerror or error)
            self.tell(self.tr("The settings could not be written: {why}").format(why=reason))
