"""The action that opens the preferences, and what applies the choices made there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.preferences.dialog import PreferencesPageSpec

PREFERENCES_ACTIONS = (
    ActionSpec(
        "app.preferences",
        _tr("&Preferences…"),
        "file",
        ("Ctrl+,",),  # Qt's standard key has keys on macOS only
        "settings",
        _tr("Change appearance, library, models, shortcuts and more"),
        role=QAction.MenuRole.PreferencesRole,
    ),
)


class PreferencesController(QObject):
    """The preferences of one window.

    Args:
        context: the services of the window.
        list_pages: returns the pages of other features.

    Attributes:
        started: the settings that the running program started with.
        can_restart: whether the program can restart itself.
        wants_restart: whether it is to restart when the window has closed.
    """

    def __init__(self, context: WindowContext, list_pages: Callable[[], Sequence[PreferencesPageSpec]]) -> None:
        super().__init__(context.widget)
        self._context = context
        self._list_pages = list_pages
        self.started = context.settings
        self.can_restart = False
        self.wants_restart = False
        context.actions.bind(
            {
                "app.preferences": self.show,
                "library.models": lambda: self.show("models"),
                "library.watched": lambda: self.show("watched"),
            }
        )

    def show(self, page: str = "") -> None:
        """Open the preferences at a page, by its name, or at the first one."""
        from desktop_app.gui.preferences.dialog import PreferencesDialog

        context = self._context
        dialog = PreferencesDialog(
            context.settings,
            self.started,
            context.paths,
            context.session.status,
            self._list_pages(),
            context.widget,
            context.actions,
        )
        dialog.show_page(page)
        dialog.offer_restart(self.can_restart)
        dialog.restart.connect(self.restart)
        dialog.forget.connect(context.actions["search.forget"].trigger)
        dialog.changed.connect(self._change)
        dialog.open_library.connect(context.actions["library.open"].trigger)
        dialog.default_wanted.connect(context.actions["library.default"].trigger)
        dialog.new_library.connect(context.actions["library.new"].trigger)
        dialog.open()

    def _change(self, changes: dict[str, object]) -> None:
        from desktop_app.gui.preferences.dialog import PreferencesDialog

        context = self._context
        if "theme" in changes:
            context.actions[f"view.theme.{changes['theme']}"].trigger()
        else:
            context.change_settings(**changes)
        if "shortcuts" in changes:
            context.actions.assign(context.settings.shortcuts)
        for dialog in context.widget.findChildren(PreferencesDialog):
            dialog.show_settings(context.settings)

    def restart(self) -> None:
        """Close the window and restart the program with the new settings."""
        self.wants_restart = self.can_restart
        self._context.widget.close()
