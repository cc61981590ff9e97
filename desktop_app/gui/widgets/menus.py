"""Makes menus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget


def make_popup_menu(parent: QWidget, name: str) -> QMenu:
    """Return a menu that is gone once it closes; `name` is for screen readers."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(name)
    return menu
