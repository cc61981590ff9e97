"""The menu bar, made from the actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.gui.base.actions import MENUS, TableAction, translate_marked
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.mnemonics import choose_mnemonics
from desktop_app.gui.shell.menu_layout import MENU_LAYOUT, RECENT_LIBRARIES, SAVED_SEARCHES, SEPARATOR, Submenu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QMenu, QMenuBar

    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.shell.menu_layout import MenuEntry


class MenuBarController(QObject):
    """Fills the menu bar of one window.

    Args:
        bar: the menu bar.
        actions: the actions of the window.
        fill_recent_libraries: lists the libraries that were open last, before their menu opens.
        fill_saved_searches: lists the saved searches, before their menu opens.

    Attributes:
        recent: the libraries that were open last.
        saved: the saved searches.
        menus: the menus by name.
    """

    recent: QMenu
    saved: QMenu

    def __init__(
        self,
        bar: QMenuBar,
        actions: ActionTable,
        fill_recent_libraries: Callable[[QMenu], None],
        fill_saved_searches: Callable[[QMenu], None],
    ) -> None:
        super().__init__(bar)
        self._fill_recent_libraries, self._fill_saved_searches = fill_recent_libraries, fill_saved_searches
        self._actions = actions
        bar.setAccessibleName(translate("MainWindow", "Menu bar"))
        self.menus: dict[str, QMenu] = {}
        for name, title in MENUS:
            self.menus[name] = menu = bar.addMenu(translate_marked(title))
            self._fill(menu, MENU_LAYOUT[name])
        assign_mnemonics(bar)

    def _fill(self, menu: QMenu, entries: Iterable[MenuEntry]) -> None:
        menu.setAccessibleName(menu.title().replace("&", ""))
        menu.setToolTipsVisible(False)
        # Only for an action that is refused in this library: its tip says why.
        menu.hovered.connect(
            lambda action: menu.setToolTipsVisible(isinstance(action, TableAction) and bool(action.refusal))
        )
        for entry in entries:
            if isinstance(entry, Submenu):
                self._fill(menu.addMenu(make_icon(entry.icon), translate_marked(entry.title)), entry.entries)
            elif entry == SEPARATOR:
                menu.addSeparator()
            elif entry == RECENT_LIBRARIES:
                self._add_recent(menu)
            elif entry == SAVED_SEARCHES:
                self._add_saved(menu)
            elif entry in self._actions:
                menu.addAction(self._actions[entry])
        assign_mnemonics(menu)

    def _add_recent(self, menu: QMenu) -> None:
        self.recent = menu.addMenu(make_icon("library"), translate("MainWindow", "&Recent Libraries"))
        self.recent.setAccessibleName(translate("MainWindow", "Recent libraries"))
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(lambda: self._fill_recent_libraries(self.recent))

    def _add_saved(self, menu: QMenu) -> None:
        self.saved = menu.addMenu(make_icon("quote"), translate("MainWindow", "Save&d Searches"))
        self.saved.setAccessibleName(translate("MainWindow", "Saved searches"))
        self.saved.setToolTipsVisible(True)
        self.saved.aboutToShow.connect(self._on_saved_wanted)

    def _on_saved_wanted(self) -> None:
        self._fill_saved_searches(self.saved)
        self.saved.addSeparator()
        self.saved.addAction(self._actions["search.saved"])


def assign_mnemonics(menu: QMenu | QMenuBar) -> None:
    """Give each entry of a menu its own mnemonic, as long as there are letters."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(actions, choose_mnemonics([action.text() for action in actions]), strict=True):
        if text != action.text():
            action.setText(text)
