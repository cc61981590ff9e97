"""The part of the library that is searched, as chips that can be taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QSizePolicy, QWidget

from desktop_app.gui import words
from desktop_app.gui.icons import icon
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.gui.scope import Part, SearchScope

_MOST_CHIPS = 4
_WIDEST_PX = 190
_ICONS = {"folder": "folder", "document": "file-text", "type": "list-filter"}


class Chip(QPushButton):
    """A button that says what it takes away."""

    def __init__(self, text: str, name: str, picture: str, tip: str) -> None:
        super().__init__()
        self.setProperty("tone", "chip")
        self.setIcon(icon(picture))
        self.setIconSize(QSize(14, 14))
        self.setAccessibleName(name)
        self.setToolTip(words.tooltip(tip))
        self.setMaximumWidth(_WIDEST_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        room = _WIDEST_PX - 60
        short = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        self.setText(f"{short}  ×".replace("&", "&&"))


class ScopeBar(QWidget):
    """Shows the parts of a SearchScope; hidden while everything is searched."""

    def __init__(self, scope: SearchScope) -> None:
        super().__init__()
        self._scope = scope
        self.setAccessibleName(self.tr("Where to search"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 8, 16, 0)
        self._row.setSpacing(6)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # chips give way, the pane does not grow
        self.chips: list[Chip] = []
        scope.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        while item := self._row.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        parts = self._scope.parts
        self.chips = []
        self.setVisible(bool(parts))
        if not parts:
            return
        heading = label(self.tr("Only in"), tone="muted", factor=0.9)
        heading.setAccessibleName(self.tr("Only in"))
        self._row.addWidget(heading)
        for part in parts[:_MOST_CHIPS]:
            self._add(part)
        if rest := parts[_MOST_CHIPS:]:
            text = self.tr("{count} more").format(count=words.number(len(rest)))
            names = "\n".join(part.name for part in rest[:20])
            self._put(Chip(text, self.tr("Do not search these"), "list", names), lambda: self._leave_out(rest))
        self._put(Chip(self.tr("Search everywhere"), self.tr("Search everywhere"), "search", ""), self._scope.clear)
        self._row.addStretch(1)

    def _add(self, part: Part) -> None:
        name = self.tr("Do not keep the search to {name}").format(name=part.name)
        tip = self.tr("{path}\nClick to take it away").format(path=part.key if part.kind != "type" else part.name)
        self._put(Chip(part.name, name, _ICONS[part.kind], tip), lambda: self._scope.leave_out(part))

    def _put(self, chip: Chip, take_away: Callable[[], object]) -> None:
        # The chip is deleted on the way: not before its own click is through.
        chip.clicked.connect(lambda: take_away(), Qt.ConnectionType.QueuedConnection)
        self.chips.append(chip)
        self._row.addWidget(chip)

    def _leave_out(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            self._scope.leave_out(part)
