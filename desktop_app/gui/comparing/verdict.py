"""What is said of two sentences beside their measures: what differs, and whether a person finds them the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop_app.gui.icons import icon
from desktop_app.gui.pairing.model import badge_name, kind_name
from desktop_app.gui.widgets import label, show_picture

if TYPE_CHECKING:
    from desktop_app.engine.requests import Explanation

_BADGES = ("negation", "numbers", "dates")


class Verdict(QWidget):
    """One line: the kind, a badge for what differs, and two buttons that keep the pair as labelled data.

    Attributes:
        judged: a person says that both mean the same (True), do not (False), or takes that back (None).
    """

    judged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What is said of the pair"))
        self.kind = label(tone="muted")
        self.kind.setAccessibleName(self.tr("Kind"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.kind)
        self.badges: dict[str, QLabel] = {}
        for badge in _BADGES:
            self.badges[badge] = chip = label(badge_name(badge), factor=0.92)
            chip.setProperty("surface", "badge")
            chip.setAccessibleName(chip.text())
            row.addWidget(chip)
        row.addStretch(1)
        self.same = self._button(True, self.tr("Means the sa&me"), "equal", self.tr("Keep as labelled data"))
        self.different = self._button(False, self.tr("&Not the same"), "equal-not", self.tr("Keep as labelled data"))
        row.addWidget(self.same)
        row.addWidget(self.different)
        self.show_explanation(None)

    def _button(self, same: bool, text: str, picture: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(text.replace("&", ""))
        show_picture(button, icon(picture))
        button.setToolTip(tip)
        button.setCheckable(True)
        button.clicked.connect(lambda checked: self._on_clicked(same, checked))
        return button

    def show_explanation(self, found: Explanation | None) -> None:
        """Show what was found out about two sentences; None: nothing yet."""
        name = kind_name(found.kind) if found is not None else ""
        self.kind.setText(name[:1].upper() + name[1:])  # German nouns keep their capitals
        for badge, chip in self.badges.items():
            chip.setVisible(found is not None and badge in found.badges)
        self.show_said(found.mark.same if found is not None and found.mark is not None else None)
        for button in (self.same, self.different):
            button.setEnabled(found is not None)

    def show_said(self, same: bool | None) -> None:
        """Show what a person said of the pair."""
        self.same.setChecked(same is True)
        self.different.setChecked(same is False)

    def _on_clicked(self, same: bool, checked: bool) -> None:
        self.show_said(same if checked else None)
        self.judged.emit(same if checked else None)
