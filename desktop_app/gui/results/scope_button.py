"""A button that limits a pane to a part of the library, with chips for what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.scope import EVERYTHING
from desktop_app.gui.results.scope import SearchScope
from desktop_app.gui.results.scope_bar import ScopeBar
from desktop_app.gui.widgets.buttons import make_icon_button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.core.scope import Scope, ScopePart
    from desktop_app.gui.base.window_context import WindowContext


class PaneScopeController(QObject):
    """Lets a person limit a pane to folders, documents, collections, tags, types, languages or dates.

    Attributes:
        wanted: another part is chosen; carries the Scope.
        scope: the chosen parts.
        bar: shows the parts; hidden while there are none.
        button: opens the list of parts.

    Args:
        context: the services of the window.
        pane: the pane.
        tip: the tip of the button.
    """

    wanted = Signal(object)

    def __init__(self, context: WindowContext, pane: QWidget, tip: str) -> None:
        super().__init__(pane)
        self._context = context
        self._pane = pane
        self._parts_of: dict[Scope, tuple[ScopePart, ...]] = {EVERYTHING: ()}  # of every scope that was chosen
        self._is_going_back = False
        self.scope = SearchScope(self)
        self.scope.changed.connect(self._on_changed)
        self.scope.follow_library(context)
        self.bar = ScopeBar(self.scope, self.tr("The whole library"))
        self.button = make_icon_button("list-filter", tip)
        self.button.setAccessibleName(tip)
        self.button.clicked.connect(self.show_parts)

    def show(self, scope: Scope) -> None:
        """Show the scope of the pane, since a chosen scope may have been abandoned. Emits nothing."""
        if scope in self._parts_of:
            self._is_going_back = True
            self.scope.set_parts(self._parts_of[scope])
            self._is_going_back = False

    def _on_changed(self) -> None:
        if not self._is_going_back:
            wanted = self.scope.scope
            self._parts_of[wanted] = self.scope.parts
            self.wanted.emit(wanted)

    def show_parts(self) -> None:
        """List the parts to choose from."""
        from desktop_app.gui.results.filter_popup import FilterPopup, list_all_choices

        popup = FilterPopup(self._pane, self.scope.parts)
        popup.toggled.connect(self.scope.toggle)
        popup.cleared.connect(self.scope.clear)
        popup.pop_up(self.button.mapToGlobal(self.button.rect().bottomRight()))
        list_all_choices(self._context, popup)
