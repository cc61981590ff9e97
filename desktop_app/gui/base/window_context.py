"""What a feature may use of the window around it, and how it asks other features for something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.analysis_results import Pair
    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
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


class Navigator(QObject):
    """Requests from one feature to another. Features emit these signals; only `shell` connects them.

    Attributes:
        open_hit: show a Hit in the reader.
        open_document: show a Document in the reader; the flag asks for a new tab.
        search_for: search for a text.
        show_pane: show a pane, by its name.
        compare: show a ComparisonRequest in the comparison dialog.
        import_files: import paths.
        show_preferences: open the preferences at a page, by its name.
    """

    open_hit = Signal(object)
    open_document = Signal(object, bool)
    search_for = Signal(str)
    show_pane = Signal(str)
    compare = Signal(object)
    import_files = Signal(object)
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

    Attributes:
        notified: a line to show at the bottom of the window.
        settings_changed: carries the new Settings.
        navigator: requests to other features.
    """

    notified = Signal(str)
    settings_changed = Signal(object)

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
    ) -> None:
        super().__init__(widget)
        self.widget = widget
        self.session = session
        self.actions = actions
        self.themes = themes
        self.models = models
        self.settings = settings
        self.paths = paths
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
