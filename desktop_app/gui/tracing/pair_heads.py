"""The names of two documents above their texts, with what puts another one in the place of either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.gui import words
from desktop_app.gui.theme import scaled
from desktop_app.gui.widgets import ElidedLabel, icon_button

if TYPE_CHECKING:
    from collections.abc import Sequence


class PairHeads(QWidget):
    """Two names side by side, each with a button for a file; a button between them swaps both.

    Attributes:
        file_wanted: another file is to be chosen; carries the side, 0 or 1.
        names: the labels.
        choosers: the buttons for a file.
        swap: the button between them.
    """

    file_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Both documents"))
        sides = (self.tr("First document"), self.tr("Second document"))
        self._nothing = (self.tr("No first document"), self.tr("No second document"))
        self.names = [ElidedLabel(side, mode=Qt.TextElideMode.ElideMiddle) for side in sides]
        self.choosers = [icon_button("folder-open", self.tr("Compare with a file of your choice")) for _ in sides]
        self.swap = icon_button("arrow-left-right", self.tr("Swap both documents"))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 4)
        row.setSpacing(4)
        for side, (name, chooser) in enumerate(zip(self.names, self.choosers, strict=True)):
            name.setFont(scaled(name.font(), 1.08, QFont.Weight.DemiBold))
            chooser.setAccessibleName(f"{sides[side]}: {self.tr('choose a file')}")
            chooser.clicked.connect(lambda _checked=False, side=side: self.file_wanted.emit(side))
            row.addWidget(name, 1)
            row.addWidget(chooser)
            if side == 0:
                row.addSpacing(12)
                row.addWidget(self.swap)
                row.addSpacing(12)

    def show_names(self, names: Sequence[str]) -> None:
        """Show the names of both; an empty one: none is chosen yet."""
        for label, name, nothing in zip(self.names, names, self._nothing, strict=True):
            label.setText(name or nothing)
            label.setToolTip(words.tooltip(name) if name else "")
        self.swap.setEnabled(any(names))
