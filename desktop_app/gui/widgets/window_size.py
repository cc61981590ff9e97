"""The first size of windows and dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_FRAME = QSize(16, 48)  # about what a window manager adds around a window


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Set the size of a window, limited to its screen: at 200 % there is less room than expected."""
    size = QSize(width, height)
    if QGuiApplication.platformName() != "offscreen":  # its screen is not real
        size = fit_to_screen(size, window.screen().availableGeometry().size())
    window.resize(size)


def fit_to_screen(size: QSize, screen: QSize) -> QSize:
    """Return a size limited to a screen, minus the frame of a window."""
    return size.boundedTo(screen - _FRAME)
