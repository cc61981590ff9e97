"""The standard entries of the Edit menu: they do what their key does where the focus is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.base.actions import ActionTable

_KEYS = {
    "edit.undo": QKeySequence.StandardKey.Undo,
    "edit.redo": QKeySequence.StandardKey.Redo,
    "edit.cut": QKeySequence.StandardKey.Cut,
    "edit.copy": QKeySequence.StandardKey.Copy,
    "edit.paste": QKeySequence.StandardKey.Paste,
    "edit.select_all": QKeySequence.StandardKey.SelectAll,
}

# Without shortcuts: the fields, lists and panes have their own for these keys.
STANDARD_EDIT_ACTIONS = (
    ActionSpec("edit.undo", _tr("&Undo"), icon="undo-2"),
    ActionSpec("edit.redo", _tr("&Redo")),
    ActionSpec("edit.cut", _tr("Cu&t")),
    ActionSpec("edit.copy", _tr("&Copy"), icon="copy"),
    ActionSpec("edit.paste", _tr("&Paste"), icon="clipboard-paste"),
    ActionSpec("edit.select_all", _tr("Select &All")),
)


class EditMenuController(QObject):
    """Carries out the standard entries of the Edit menu of one window."""

    def __init__(self, window: QWidget, actions: ActionTable) -> None:
        super().__init__(window)
        self._window = window
        for name, key in _KEYS.items():
            action = actions[name]
            hint = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            action.setText(f"{action.text()}\t{hint}" if hint else action.text())
            actions.bind({name: partial(self._press, key)})

    def _press(self, key: QKeySequence.StandardKey) -> None:
        """Act as if a key was pressed in the control that has the focus."""
        focus = self._window.focusWidget() or self._window
        if isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit):
            _send(focus, key)
            return
        widget: QWidget | None = focus
        while widget is not None:
            for action in widget.actions():
                if action.isEnabled() and QKeySequence(key) in action.shortcuts():
                    action.trigger()
                    return
            widget = widget.parentWidget() if widget is not self._window else None
        _send(focus, key)


def _send(widget: QWidget, key: QKeySequence.StandardKey) -> None:
    bindings = QKeySequence.keyBindings(key)
    if bindings:
        pressed = bindings[0][0]  # type: ignore[index]
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, pressed.key(), pressed.keyboardModifiers()))
