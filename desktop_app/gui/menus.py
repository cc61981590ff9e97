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
        self._sorting: QMenu | None = None
        bar = window.menuBar()
        bar.setAccessibleName(translate("MainWindow", "Menu bar"))
        for name, title in MENUS:
            menu = bar.addMenu(shown(title))
            menu.setAccessibleName(menu.title().replace("&", ""))
            menu.setToolTipsVisible(False)
            for spec, action in window.actions_table.of_menu(name):
                if spec.separated:
                    menu.addSeparator()
                (self._of_sorting(menu) if spec.group == "sort" else menu).addAction(action)
                if spec.id == "library.new":
                    self._add_recent(menu)
                if spec.id == "search.save":
                    self._add_saved(menu)
            settle(menu)
            if self._sorting is not None:
                settle(self._sorting)
        settle(bar)

    def _of_sorting(self, menu: QMenu) -> QMenu:
        """Return the menu inside `menu` for the orders of documents: so many would make it longer than a screen."""
        if self._sorting is None:
            self._sorting = menu.addMenu(icon("arrow-up-down"), translate("LibraryPane", "Sort documents"))
            self._sorting.setAccessibleName(translate("LibraryPane", "Sort documents"))
        return self._sorting

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
