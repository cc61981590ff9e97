"""An icon in the system tray, where a person wants one and the system has one: it shows the quick search."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from desktop_app.gui.base.icons import application_icon

if TYPE_CHECKING:
    from desktop_app.core.settings import Settings
    from desktop_app.gui.base.window_context import WindowContext


class TrayController(QObject):
    """Shows and hides the icon, as the setting says.

    Args:
        context: the services of the window.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self.icon: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        context.settings_changed.connect(self._apply)
        context.painted.connect(lambda: self._apply(context.settings))

    def stop(self) -> None:
        """Remove the icon."""
        if self.icon is not None:
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None
        if self._menu is not None:
            self._menu.deleteLater()
            self._menu = None

    def _apply(self, settings: Settings) -> None:
        if not settings.tray or not QSystemTrayIcon.isSystemTrayAvailable():
            self.stop()
        elif self.icon is None:
            actions = self._context.actions
            self._menu = QMenu()
            self._menu.setAccessibleName("Kindred")
            self._menu.addAction(actions["search.quick"])
            self._menu.addAction(self.tr("Open Kindred"), self._context.raise_window)
            self._menu.addSeparator()
            self._menu.addAction(actions["app.quit"])
            self.icon = QSystemTrayIcon(application_icon(), self)
            self.icon.setToolTip("Kindred")
            self.icon.setContextMenu(self._menu)
            if sys.platform != "darwin":  # there a click opens the menu too, above the field
                self.icon.activated.connect(self._on_activated)
            self.icon.show()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self._context.actions["search.quick"].trigger()
