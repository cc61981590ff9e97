"""The page that changes keyboard shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from desktop_app.gui.base.actions import MENUS, format_shortcuts, plain_action_name, translate_marked
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_app.gui.base.actions import ActionSpec, ActionTable

_ACTION_COLUMN, _MENU_COLUMN, _KEYS_COLUMN = range(3)
_ACTION_ID_ROLE = Qt.ItemDataRole.UserRole
_MENU_PX, _KEYS_PX = 96, 168
# Keys without these are for typing and for navigation in lists and fields.
_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class ShortcutsPage(QWidget):
    """Shows each action with its shortcut; changes apply at once.

    Args:
        actions: the actions of the window; they have the new shortcuts once `chosen` is handled.
        settings: the shortcuts chosen so far.

    Attributes:
        chosen: the shortcuts changed; carries a dict of texts by action id.
    """

    chosen = Signal(object)

    def __init__(self, actions: ActionTable, settings: Mapping[str, str]) -> None:
        super().__init__()
        self._actions = actions
        self._chosen = dict(settings)
        self.setAccessibleName(self.tr("Keyboard"))
        title = make_heading(self.tr("Shortcuts"), 1.1)
        self.filter = QLineEdit()
        self.filter.setAccessibleName(self.tr("Find a command"))
        self.filter.setPlaceholderText(self.tr("Find a command"))
        self.filter.setClearButtonEnabled(True)
        for button in self.filter.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Show all commands"))
        self.all_default = make_push_button(self.tr("Reset A&ll"), self.tr("Reset all shortcuts to their defaults"))
        self.table = self._make_table()
        self.field = QKeySequenceEdit()
        self.field.setMaximumSequenceLength(1)
        self.field.setAccessibleName(self.tr("Press the new shortcut"))
        for part in self.field.findChildren(QLineEdit):
            part.setAccessibleName(self.field.accessibleName())
            part.setPlaceholderText(self.field.accessibleName())
        self.use = make_push_button(self.tr("&Assign"), self.tr("Assign this shortcut"))
        self.none = make_push_button(self.tr("&Remove"), self.tr("Remove the shortcut"))
        self.default = make_push_button(self.tr("Re&set"), self.tr("Reset to the default shortcut"))
        self.message = make_label(tone="muted", wrap=True, name=self.tr("Shortcut status"))
        self.message.setMinimumHeight(2 * self.message.fontMetrics().lineSpacing())
        self._lay_out(title)
        self.filter.textChanged.connect(self._filter_rows)
        self.table.currentCellChanged.connect(lambda *_cells: self._on_row())
        self.field.keySequenceChanged.connect(lambda _key: self._show_effect())
        self.use.clicked.connect(self._on_use)
        self.none.clicked.connect(lambda: self._choose(self._current, ""))
        self.default.clicked.connect(lambda: self._choose(self._current, None))
        self.all_default.clicked.connect(self._on_all_default)
        self._refresh()
        self.table.setCurrentCell(0, _ACTION_COLUMN)

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 3)
        table.setObjectName("scored")
        table.setAccessibleName(self.tr("Commands and shortcuts"))
        table.setHorizontalHeaderLabels([self.tr("Command"), self.tr("Menu"), self.tr("Shortcut")])
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(_ACTION_COLUMN, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(_MENU_COLUMN, _MENU_PX)
        header.resizeSection(_KEYS_COLUMN, _KEYS_PX)
        menus = {name: translate_marked(text).replace("&", "") for name, text in MENUS}
        for row, (spec, action) in enumerate(self._actions.rows()):
            table.insertRow(row)
            name = QTableWidgetItem(action.icon(), plain_action_name(action))
            name.setData(_ACTION_ID_ROLE, spec.id)
            table.setItem(row, _ACTION_COLUMN, name)
            table.setItem(row, _MENU_COLUMN, QTableWidgetItem(menus.get(spec.menu, "")))
            table.setItem(row, _KEYS_COLUMN, QTableWidgetItem())
        return table

    def _lay_out(self, title: QWidget) -> None:
        above = make_row((self.filter, 1), self.all_default, spacing=8)
        below = make_row((self.field, 1), self.use, self.none, self.default, spacing=8)
        make_column(title, above, (self.table, 1), below, self.message, parent=self, spacing=8)

    # Display

    @property
    def _current(self) -> ActionSpec | None:
        row = self.table.currentRow()
        if row < 0 or self.table.isRowHidden(row):
            return None
        action_id = self._item(row, _ACTION_COLUMN).data(_ACTION_ID_ROLE)
        return next(spec for spec, _action in self._actions.rows() if spec.id == action_id)

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None, "every cell is filled"
        return item

    def _refresh(self) -> None:
        for row, (spec, action) in enumerate(self._actions.rows()):
            keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in format_shortcuts(spec, action)]
            item = self._item(row, _KEYS_COLUMN)
            item.setText(", ".join(keys))
            font = item.font()
            font.setBold(spec.id in self._chosen)
            item.setFont(font)
        self._on_row()

    def _filter_rows(self, text: str) -> None:
        """Show the actions whose names, menus or shortcuts match the typed text."""
        for row in range(self.table.rowCount()):
            words = " ".join(self._item(row, column).text() for column in (_ACTION_COLUMN, _MENU_COLUMN, _KEYS_COLUMN))
            self.table.setRowHidden(row, text.strip().casefold() not in words.casefold())
        if self._current is None:
            seen = [row for row in range(self.table.rowCount()) if not self.table.isRowHidden(row)]
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.setCurrentCell(seen[0] if seen else -1, _ACTION_COLUMN, flags)
        self._on_row()

    def _on_row(self) -> None:
        self.field.clear()
        self.field.setEnabled(self._current is not None)
        self._show_effect()

    def _show_effect(self) -> None:
        """Show the effect of using the shortcut in the field."""
        spec, key = self._current, self.field.keySequence()
        why = ""
        if spec is not None and not key.isEmpty():
            why = self._refusal(spec, key)
            if not why and (holder := self._actions.shortcut_owner(key, spec.id)) is not None:
                text = self.tr("Already used by “{name}”. It will be reassigned.")
                self.message.setText(text.format(name=plain_action_name(holder)))
            else:
                self.message.setText(why)
        else:
            self.message.setText(self.tr("Select a command, then press its new shortcut in the field."))
        self.use.setEnabled(spec is not None and not key.isEmpty() and not why)
        self.none.setEnabled(spec is not None and bool(self._actions[spec.id].shortcuts()))
        self.default.setEnabled(spec is not None and spec.id in self._chosen)
        self.all_default.setEnabled(bool(self._chosen))

    def _refusal(self, spec: ActionSpec, key: QKeySequence) -> str:
        """Return why an action cannot have a shortcut; empty if it can."""
        combination: QKeyCombination = key[0]  # type: ignore[index] # which Qt's stubs do not know
        is_function = Qt.Key.Key_F1 <= combination.key() <= Qt.Key.Key_F35
        if spec.pane or is_function or combination.keyboardModifiers() & _MODIFIERS:
            return ""
        return self.tr("Use Ctrl, Alt or a function key.")

    # Actions

    def _on_use(self) -> None:
        spec, key = self._current, self.field.keySequence()
        if spec is None or key.isEmpty() or self._refusal(spec, key):
            return
        # Of two chosen shortcuts only one can stay; those of the table give way by themselves.
        holder = self._actions.shortcut_owner(key, spec.id)
        if holder is not None:
            self._chosen.pop(holder.objectName(), None)
        self._choose(spec, key.toString(QKeySequence.SequenceFormat.PortableText))

    def _choose(self, spec: ActionSpec | None, key: str | None) -> None:
        """Set the shortcut of an action; None for that of the table."""
        if spec is None:
            return
        if key is None:
            self._chosen.pop(spec.id, None)
        else:
            self._chosen[spec.id] = key
        self._emit_chosen()

    def _on_all_default(self) -> None:
        self._chosen.clear()
        self._emit_chosen()

    def _emit_chosen(self) -> None:
        self.chosen.emit(dict(self._chosen))
        self._refresh()
