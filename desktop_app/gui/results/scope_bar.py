"""The scope of a search or a pane: chips for its parts, and the button that chooses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QToolButton, QWidget

from desktop_app.core.scope import EVERYTHING
from desktop_app.gui.base import display_text
from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.results.scope import SearchScope
from desktop_app.gui.widgets.buttons import PushButton, make_icon_button
from desktop_app.gui.widgets.labels import make_label

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from desktop_app.core.scope import Scope, ScopePart
    from desktop_app.gui.base.window_context import WindowContext

_MAX_CHIPS = 8
_MAX_CHIP_WIDTH_PX = 220  # of the text: some thirty letters
_ICONS = {
    "folder": "folder",
    "document": "file-text",
    "collection": "library",
    "tag": "tag",
    "type": "list-filter",
    "language": "globe",
    "date": "clock",
    "passage": "highlighter",
}


class ScopeChip(PushButton):
    """A button that removes a part of the scope."""

    def __init__(self, text: str, name: str, picture: str, tip: str) -> None:
        super().__init__()
        self.setProperty("tone", "chip")
        self.setIcon(make_icon(picture))
        self.setIconSize(QSize(14, 14))
        self.setAccessibleName(name)
        self.setToolTip(display_text.make_tooltip(tip))
        self._full = " ".join(text.split())
        self._show_elided(_MAX_CHIP_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def shorten(self, width: int) -> None:
        """Elide the text to a width in pixels."""
        around = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self._short)
        self._show_elided(max(width - around, 0))

    def _show_elided(self, width: int) -> None:
        self._short = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideMiddle, width)
        # Qt leaves hardly any space between icon and text.
        self.setText(f" {self._short}  ×".replace("&", "&&"))


class ScopeBar(QWidget):
    """Shows the parts of a SearchScope that fit; hidden while everything is searched.

    Args:
        scope: the scope.
        everywhere: text of the button that removes all parts; empty for the bar of the search.
        clear_action: the action that removes all parts, whose shortcut the button names; None if there is none.
    """

    def __init__(self, scope: SearchScope, everywhere: str = "", clear_action: QAction | None = None) -> None:
        super().__init__()
        self._is_search = not everywhere
        self._scope = scope
        self._shown: tuple[tuple[ScopePart, ...], int] | None = None
        self.setAccessibleName(self.tr("Search in"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 8, 12, 0)
        self._row.setSpacing(6)
        self._row.setSizeConstraint(
            QLayout.SizeConstraint.SetNoConstraint
        )  # keeps the pane from growing with its chips
        self._heading = make_label(self.tr("Only in"), tone="muted", factor=0.9, name=self.tr("Only in"))
        self.everywhere = QToolButton()
        self.everywhere.setIcon(make_icon("x"))
        self.everywhere.setIconSize(QSize(16, 16))
        self.everywhere.setAccessibleName(everywhere or self.tr("Search everywhere"))
        self.everywhere.setToolTip(self.everywhere.accessibleName())
        if clear_action is not None:
            ShortcutTip(self.everywhere, clear_action, self.everywhere.accessibleName())
        self.everywhere.clicked.connect(scope.clear)
        self._row.addWidget(self._heading)
        self._row.addStretch(1)
        self._row.addWidget(self.everywhere)
        self.setMinimumHeight(38)
        self.chips: list[ScopeChip] = []
        self._counts: dict[ScopePart, int] = {}
        scope.changed.connect(self._refresh)
        self._refresh()

    def show_counts(self, counts: dict[ScopePart, int]) -> None:
        """Show the number of hits on each chip."""
        shown = {part: counts.get(part, 0) for part in self._scope.parts if part.kind != "passage"}
        if shown != self._counts:
            self._counts = shown
            self._shown = None
            self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more chips, or fewer."""
        super().resizeEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if not self._scope.parts:
            self._counts = {}
        parts = self._scope.parts
        self.setVisible(bool(parts))
        chips = [self._of_part(part) for part in parts[:_MAX_CHIPS]]
        room = self.width() - self._heading.sizeHint().width() - 70
        count = count_fitting_chips([chip.sizeHint().width() for chip in chips], room)
        if count < len(parts) and count > 1:
            count = count_fitting_chips(
                [chip.sizeHint().width() for chip in chips], room - 90
            )  # for the number of further chips
        if (parts, count) == self._shown:
            return
        self._shown = (parts, count)
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = chips[:count]
        if rest := parts[count:]:
            text = self.tr("{count} more").format(count=display_text.format_number(len(rest)))
            name = self.tr("Remove these filters") if self._is_search else self.tr("Remove these")
            more = ScopeChip(text, name, "list", "\n".join(part.name for part in rest[:20]))
            more.clicked.connect(lambda: self._remove_parts(rest), Qt.ConnectionType.QueuedConnection)
            self.chips.append(more)
        for nth, chip in enumerate(self.chips, start=1):
            self._row.insertWidget(nth, chip)

    def _of_part(self, part: ScopePart) -> ScopeChip:
        name = self.tr("Remove filter {name}") if self._is_search else self.tr("Remove {name}")
        name = name.format(name=part.name)
        is_path = part.kind in ("folder", "document")
        tip = self.tr("{path}\nClick to remove").format(path=part.key if is_path else part.name)
        text = part.name
        if part in self._counts:
            text = f"{part.name} · {display_text.format_number(self._counts[part])}"
            name += f", {display_text.format_number(self._counts[part])}"
        chip = ScopeChip(text, name, _ICONS[part.kind], tip)
        # Queued, because the chip is deleted: not before its click is handled.
        chip.clicked.connect(lambda: self._scope.remove_part(part), Qt.ConnectionType.QueuedConnection)
        return chip

    def _remove_parts(self, parts: tuple[ScopePart, ...]) -> None:
        for part in parts:
            self._scope.remove_part(part)


def count_fitting_chips(widths: list[int], room: int) -> int:
    """Return how many chips fit; at least one."""
    for count, width in enumerate(widths):
        room -= width + 6
        if room < 0:
            return max(count, 1)
    return len(widths)


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
        self._is_restoring = False
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
            self._is_restoring = True
            self.scope.set_parts(self._parts_of[scope])
            self._is_restoring = False

    def _on_changed(self) -> None:
        if not self._is_restoring:
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
