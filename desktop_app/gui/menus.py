"""The window's menu bar: the table of actions, and the menus that are filled when they are opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.gui.action_spec import shown
from desktop_app.gui.actions import MENUS
from desktop_app.gui.icons import icon
from desktop_app.gui.mnemonics import settle
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from desktop_app.gui.main_window import MainWindow

_INNER = {
    "sort": ("arrow-up-down", "LibraryPane", "Sort documents"),
    "theme": ("contrast", "PreferencesDialog", "Theme"),
}
"""Groups of choices with a menu of their own inside another: picture, and context and text of its title."""


class WindowMenus(QObject):
    """Fills the menu bar of one window.

    Attributes:
        recent: the libraries that were open last.
        saved: the searches that were kept.
    """

    recent: QMenu
    saved: QMenu

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._inner: dict[str, QMenu] = {}
        bar = window.menuBar()
        bar.setAccessibleName(translate("MainWindow", "Menu bar"))
        for name, title in MENUS:
            menu = bar.addMenu(shown(title))
            menu.setAccessibleName(menu.title().replace("&", ""))
            menu.setToolTipsVisible(False)
            for spec, action in window.actions_table.of_menu(name):
                if spec.separated:
                    menu.addSeparator()
                self._home(menu, spec.group).addAction(action)
                if spec.id == "library.new":
                    self._add_recent(menu)
                if spec.id == "search.save":
                    self._add_saved(menu)
            settle(menu)
        for inner in self._inner.values():
            settle(inner)
        settle(bar)

    def _home(self, menu: QMenu, group: str) -> QMenu:
        """Return the menu that a choice of a group stands in: one inside `menu`, which else would outgrow a screen."""
        if group not in _INNER:
            return menu
        if group not in self._inner:
            picture, context, title = _INNER[group]
            self._inner[group] = inner = menu.addMenu(icon(picture), translate(context, title))
            inner.setAccessibleName(inner.title().replace("&", ""))
        return self._inner[group]

    def _add_recent(self, menu: QMenu) -> None:
        self.recent = menu.addMenu(icon("library"), translate("MainWindow", "&Recent Libraries"))
        self.recent.setAccessibleName(translate("MainWindow", "Recent libraries"))
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(lambda: self._window.tools.show_recent(self.recent))

    def _add_saved(self, menu: QMenu) -> None:
        self.saved = menu.addMenu(icon("quote"), translate("MainWindow", "Save&d Searches"))
        self.saved.setAccessibleName(translate("MainWindow", "Saved searches"))
        self.saved.setToolTipsVisible(True)
        self.saved.aboutToShow.connect(lambda: self._window.memory.fill(self.saved))
