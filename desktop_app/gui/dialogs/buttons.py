"""Buttons that several dialogs have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from desktop_app.gui.icons import icon
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog


def close_button(dialog: QDialog) -> QPushButton:
    """Return a button that closes `dialog`."""
    result = push_button(translate("buttons", "Close"))
    result.clicked.connect(dialog.close)
    return result


def push_button(text: str, name: str = "", picture: str = "", tip: str = "") -> QPushButton:
    """Return a button; `name` is what a screen reader calls it where the text alone would not say enough."""
    result = QPushButton(text)
    result.setAccessibleName(name or text.replace("&", "").rstrip("…"))
    result.setAutoDefault(False)  # Enter belongs to what has the focus
    if picture:
        result.setIcon(icon(picture))
        if text:
            result.setText(f" {text}")  # Qt leaves hardly any space between the two
    result.setToolTip(tip)
    return result
