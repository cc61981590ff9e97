"""Makes buttons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QPushButton, QToolButton

from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.display_text import make_tooltip, translate
from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QIcon, QKeyEvent
    from PySide6.QtWidgets import QAbstractButton


class PushButton(QPushButton):
    """A button that Enter presses, too, while it has the focus; elsewhere Enter belongs to the focused widget."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Enter as with the space bar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)


class ActionButton(PushButton):
    """Triggers an action; it is gray as long as the action is, and says why.

    Args:
        action: of the menus.
    """

    def __init__(self, action: QAction) -> None:
        super().__init__(action.text().replace("&", ""))
        self._action = action
        self.setAccessibleName(self.text())
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())


def make_push_button(text: str, name: str = "", picture: str = "", tip: str = "", *, tone: str = "") -> QPushButton:
    """Return a button; screen readers read `name` where the text alone is not clear."""
    result = PushButton(text)
    result.setAccessibleName(name or text.replace("&", "").rstrip("…"))
    if picture:
        result.setIcon(make_icon(picture))
        if text:
            result.setText(f" {text}")  # Qt leaves hardly any space between icon and text
    result.setToolTip(tip)
    if tone:
        result.setProperty("tone", tone)
    return result


def enable_or_explain(button: QAbstractButton, is_enabled: bool, refusal: str) -> None:
    """Enable a button, or gray it out and let its tip say why the person may not press it."""
    button.setEnabled(is_enabled and not refusal)
    button.setToolTip(make_tooltip(refusal) if refusal else "")


def make_close_button(dialog: QDialog) -> QPushButton:
    """Return a button that closes `dialog`."""
    result = make_push_button(translate("buttons", "Close"))
    result.clicked.connect(dialog.close)
    return result


def make_icon_button(picture: str, text: str) -> QToolButton:
    """Return a small button with an icon only; `text` is its tip and its accessible name."""
    button = QToolButton()
    button.setIcon(make_icon(picture))
    button.setIconSize(QSize(16, 16))
    button.setToolTip(text)
    button.setAccessibleName(text)
    return button


def make_choice_button(action: QAction, text: str) -> QToolButton:
    """Return a button for one of several choices; its siblings are the others.

    It is not the action's default button, which would show the longer text of the menu.
    """
    button = QToolButton()
    button.setText(text)
    ShortcutTip(button, action)
    button.setCheckable(True)
    button.setAutoExclusive(True)  # else a click on the checked button would uncheck it here only
    button.setChecked(action.isChecked())
    button.clicked.connect(action.trigger)
    action.toggled.connect(partial(_show_checked, button))
    return button


def _show_checked(button: QToolButton, checked: bool) -> None:
    button.setAutoExclusive(False)  # else it stays checked when a choice without a button takes its place
    button.setChecked(checked)
    button.setAutoExclusive(True)


def set_button_icon(button: QToolButton, picture: QIcon) -> None:
    """Show an icon before the text of a button."""
    button.setIcon(picture)
    button.setText(f" {button.text()}")  # Qt leaves hardly any space between icon and text
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
