"""What a pane other than the search is kept to: a button that lists the parts of the library, and their chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.gui.panes.scope_bar import ScopeBar
from desktop_app.gui.scope import SearchScope
from desktop_app.gui.widgets import icon_button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.main_window import MainWindow


class Narrowing(QObject):
    """Lets a person keep a pane to folders, documents, collections, tags, types, languages or times.

    Attributes:
        scope: what it is kept to.
        bar: shows that; out of sight while it is everything.
        button: lists what there is to choose.

    Args:
        window: whose library it is.
        pane: which is kept to a part of it.
        tip: what the button is for.
    """

    def __init__(self, window: MainWindow, pane: QWidget, tip: str) -> None:
        super().__init__(pane)
        self._window = window
        self._pane = pane
        self.scope = SearchScope(self)
        self.bar = ScopeBar(self.scope, self.tr("The whole library"))
        self.button = icon_button("list-filter", tip)
        self.button.setAccessibleName(tip)
        self.button.clicked.connect(self.show_parts)

    def show_parts(self) -> None:
        """List what there is to choose."""
        from desktop_app.gui.panes.filters import FilterPopup

        popup = FilterPopup(self._pane, self.scope.parts)
        popup.toggled.connect(self.scope.toggle)
        popup.cleared.connect(self.scope.clear)
        popup.pop_up(self.button.mapToGlobal(self.button.rect().bottomRight()))
        self._window.search_desk.list_parts(popup)
