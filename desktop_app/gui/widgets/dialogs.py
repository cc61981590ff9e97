"""What dialogs share: their buttons and their first size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

_FRAME = QSize(16, 48)  # what a window manager puts around a window, about


def make_close_button(dialog: QDialog) -> QPushButton:
    """Return a button that closes `dialog`."""
    result = make_push_button(translate("buttons", "Close"))
    result.clicked.connect(dialog.close)
    return result


def make_push_button(text: str, name: str = "", picture: str = "", tip: str = "") -> QPushButton:
    """Return a button; `name` is what a screen reader calls it where the text alone would not say enough."""
    result = QPushButton(text)
    result.setAccessibleName(name or text.replace("&", "").rstrip("…"))
    result.setAutoDefault(False)  # Enter belongs to what has the focus
    if picture:
        result.setIcon(make_icon(picture))
        if text:
            result.setText(f" {text}")  # Qt leaves hardly any space between the two
    result.setToolTip(tip)
    return result


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Give a window its size, or what its screen has room for: at 200 percent that may be less than one thinks."""
    size = QSize(width, height)
    if QGuiApplication.platformName() != "offscreen":  # its screen is a made-up one
        size = fit_to_screen(size, window.screen().availableGeometry().size())
    window.resize(size)


def fit_to_screen(size: QSize, screen: QSize) -> QSize:
    """Return a window's size on a screen, with room for its frame."""
    return size.boundedTo(screen - _FRAME)
