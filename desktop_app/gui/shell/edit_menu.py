"""The standard entries of the Edit menu: they do what their key does where the focus is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QMenuBar, QPlainTextEdit, QTextEdit

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr
from desktop_app.gui.reader.pane import ReaderPane
from desktop_app.gui.search.search_box import SearchBox

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu, QWidget

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
    """Carries out the standard entries of the Edit menu of one window.

    Whenever the menu opens, those entries are enabled that can act where the focus is.

    Args:
        window: the window.
        actions: its actions.
        menu: its Edit menu.
    """

    def __init__(self, window: QWidget, actions: ActionTable, menu: QMenu) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._focus_before: QWidget | None = None  # the menu bar took it, because its keys are used
        menu.aboutToShow.connect(self._enable)
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        for name, key in _KEYS.items():
            action = actions[name]
            hint = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            action.setText(f"{action.text()}\t{hint}" if hint else action.text())
            actions.bind({name: partial(self._press, key)})

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._focus_before = old if isinstance(new, QMenuBar) else None

    def _enable(self) -> None:
        focus = self._focus_before or self._window.focusWidget() or self._window
        for name, key in _KEYS.items():
            self._actions[name].setEnabled(self._can_press(focus, key))

    def _can_press(self, focus: QWidget, key: QKeySequence.StandardKey) -> bool:
        """Return whether a standard key does something in a control."""
        keys = QKeySequence.StandardKey
        pasted = QApplication.clipboard().mimeData()
        has_pasted = pasted is not None and (pasted.hasText() or pasted.hasUrls())
        if key == keys.Paste and not has_pasted:
            return False
        reader = _find_reader(focus)
        if isinstance(focus, QLineEdit):
            can = {
                keys.Undo: focus.isUndoAvailable(),
                keys.Redo: focus.isRedoAvailable(),
                keys.Cut: focus.hasSelectedText() and not focus.isReadOnly(),
                keys.Copy: focus.hasSelectedText(),
                keys.Paste: not focus.isReadOnly(),
                keys.SelectAll: bool(focus.text()),
            }
        elif isinstance(focus, QPlainTextEdit | QTextEdit):
            document, has_selection = focus.document(), focus.textCursor().hasSelection()
            can = {
                keys.Undo: document.isUndoAvailable() and not focus.isReadOnly(),
                keys.Redo: document.isRedoAvailable() and not focus.isReadOnly(),
                keys.Cut: has_selection and not focus.isReadOnly(),
                keys.Copy: has_selection,
                keys.Paste: not focus.isReadOnly(),
                keys.SelectAll: not document.isEmpty(),
            }
            if isinstance(focus, SearchBox):
                can[keys.Copy] |= self._actions["hit.copy"].isEnabled()  # without a selection, it copies the result
        elif isinstance(focus, QAbstractItemView):
            model, modes = focus.model(), QAbstractItemView.SelectionMode
            takes_many = focus.selectionMode() not in (modes.NoSelection, modes.SingleSelection)
            can = {
                keys.Copy: focus.currentIndex().isValid(),
                keys.SelectAll: takes_many and model is not None and model.rowCount() > 0,
            }
        else:
            can = {keys.SelectAll: reader is not None and reader.shown is not None}
        if reader is not None and key == keys.Copy and reader.chosen_text():
            return True
        if reader is not None and key == keys.Undo and reader.annotations.can_undo:
            return True
        return can.get(key, False) or self._find_action(focus, key) is not None

    def _find_action(self, focus: QWidget, key: QKeySequence.StandardKey) -> QAction | None:
        """Return the enabled action with that key of a control or of what it lies in; None in a text."""
        if isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit):
            return None
        widget: QWidget | None = focus
        while widget is not None:
            for action in widget.actions():
                if action.isEnabled() and QKeySequence(key) in action.shortcuts():
                    return action
            widget = widget.parentWidget() if widget is not self._window else None
        return None

    def _press(self, key: QKeySequence.StandardKey) -> None:
        """Act as if a key was pressed in the control that has the focus."""
        focus = self._window.focusWidget() or self._window
        if (action := self._find_action(focus, key)) is not None:
            action.trigger()
        else:
            _send(focus, key)


def _find_reader(widget: QWidget | None) -> ReaderPane | None:
    """Return the reader that a control lies in."""
    while widget is not None and not isinstance(widget, ReaderPane):
        widget = widget.parentWidget()
    return widget


def _send(widget: QWidget, key: QKeySequence.StandardKey) -> None:
    bindings = QKeySequence.keyBindings(key)
    if bindings:
        pressed = bindings[0][0]  # type: ignore[index]
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, pressed.key(), pressed.keyboardModifiers()))
