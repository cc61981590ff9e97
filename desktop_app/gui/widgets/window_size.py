"""The first size of windows and dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_FRAME = QSize(16, 48)  # what a window manager puts around a window, about


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Give a window its size, or what its screen has room for: at 200 percent that may be less than one thinks."""
    size = QSize(width, height)
    if QGuiApplication.platformName() != "offscreen":  # its screen is a made-up one
        size = fit_to_screen(size, window.screen().availableGeometry().size())
    window.resize(size)


def fit_to_screen(size: QSize, screen: QSize) -> QSize:
    """Return a window's size on a screen, with room for its frame."""
    return size.boundedTo(screen - _FRAME)
