"""The menu bar, made from the actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.gui.base.actions import MENUS, translate_marked
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtWidgets import QMenu, QMenuBar

    from desktop_app.gui.base.actions import ActionTable

_INNER = {
    "sort": ("arrow-up-down", "LibraryPane", "Sort documents"),
    "theme": ("contrast", "PreferencesDialog", "Theme"),
}
"""Groups of choices with a submenu: icon, and context and text of its title."""


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
        self._inner: dict[str, QMenu] = {}
        bar.setAccessibleName(translate("MainWindow", "Menu bar"))
        for name, title in MENUS:
            menu = bar.addMenu(translate_marked(title))
            menu.setAccessibleName(menu.title().replace("&", ""))
            menu.setToolTipsVisible(False)
            for spec, action in actions.menu_rows(name):
                if spec.separated:
                    menu.addSeparator()
                self._menu_for(menu, spec.group).addAction(action)
                if spec.id == "library.new":
                    self._add_recent(menu)
                if spec.id == "search.save":
                    self._add_saved(menu)
            assign_mnemonics(menu)
        for inner in self._inner.values():
            assign_mnemonics(inner)
        assign_mnemonics(bar)

    def _menu_for(self, menu: QMenu, group: str) -> QMenu:
        """Return the menu for a group: a submenu of `menu`, which would otherwise be too long for a screen."""
        if group not in _INNER:
            return menu
        if group not in self._inner:
            picture, context, title = _INNER[group]
            self._inner[group] = inner = menu.addMenu(make_icon(picture), translate(context, title))
            inner.setAccessibleName(inner.title().replace("&", ""))
        return self._inner[group]

    def _add_recent(self, menu: QMenu) -> None:
        self.recent = menu.addMenu(make_icon("library"), translate("MainWindow", "&Recent Libraries"))
        self.recent.setAccessibleName(translate("MainWindow", "Recent libraries"))
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(lambda: self._fill_recent_libraries(self.recent))

    def _add_saved(self, menu: QMenu) -> None:
        self.saved = menu.addMenu(make_icon("quote"), translate("MainWindow", "Save&d Searches"))
        self.saved.setAccessibleName(translate("MainWindow", "Saved searches"))
        self.saved.setToolTipsVisible(True)
        self.saved.aboutToShow.connect(lambda: self._fill_saved_searches(self.saved))


def assign_mnemonics(menu: QMenu | QMenuBar) -> None:
    """Give each entry of a menu its own mnemonic, as long as there are letters."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(actions, choose_mnemonics([action.text() for action in actions]), strict=True):
        if text != action.text():
            action.setText(text)


def choose_mnemonics(texts: Sequence[str]) -> list[str]:
    """Return the texts with `&` before unique letters.

    A text keeps its letter unless an earlier text has it. The others get the first free initial of a word, else any
    free letter, else none.
    """
    letters: dict[str, int] = {}
    for nth, text in enumerate(texts):
        if letter := find_mnemonic(text):
            letters.setdefault(letter, nth)
    result = []
    for nth, text in enumerate(texts):
        if letters.get(find_mnemonic(text)) == nth:
            result.append(text)
            continue
        plain = text.replace("&", "")
        position = next((at for at in _mnemonic_candidates(plain) if plain[at].lower() not in letters), None)
        if position is not None:
            letters[plain[position].lower()] = nth
            plain = f"{plain[:position]}&{plain[position:]}"
        result.append(plain)
    return result


def find_mnemonic(text: str) -> str:
    """Return the mnemonic of a text in lower case; empty for none."""
    return text.partition("&")[2][:1].lower()


def _mnemonic_candidates(text: str) -> Iterable[int]:
    """Return the positions of letters, initials first."""
    begins = [match.start() for match in re.finditer(r"\b[^\W\d_]", text)]
    return [*begins, *(at for at, char in enumerate(text) if char.isalpha() and at not in begins)]
