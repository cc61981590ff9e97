"""The sheet of all keyboard shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.gui.base.actions import MENUS, format_shortcuts, plain_action_name, translate_marked
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.widgets.buttons import make_close_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.gui.base.actions import ActionTable

_COLUMNS = 2
ShortcutSection = tuple[str, list[tuple[str, list[str]]]]


def list_shortcut_sections(actions: ActionTable) -> list[ShortcutSection]:
    """Return (title, [(name, keys)]) for the actions of each menu, then for search box and lists."""
    found: list[ShortcutSection] = []
    native = QKeySequence.SequenceFormat.NativeText
    for menu, title in MENUS:
        rows = [
            (plain_action_name(action), [key.toString(native) for key in format_shortcuts(spec, action)])
            for spec, action in actions.menu_rows(menu)
            if action.shortcuts()
        ]
        if rows:
            found.append((translate_marked(title).replace("&", ""), rows))
    found.append(
        (
            translate("shortcuts", "In the search box"),
            [
                (translate("shortcuts", "Next or previous result"), ["↓", "↑"]),
                (translate("shortcuts", "Jump several results"), _to_native_text("PgDown", "PgUp")),
                (translate("shortcuts", "Open the selected result"), _to_native_text("Return")),
                (translate("shortcuts", "Clear the box"), _to_native_text("Esc")),
            ],
        )
    )
    found.append(
        (
            translate("shortcuts", "In lists and dialogs"),
            [
                (translate("shortcuts", "Select"), ["↓", "↑"]),
                (translate("shortcuts", "Select several"), _to_native_text("Shift+Down", "Ctrl+Space")),
                (translate("shortcuts", "Open"), _to_native_text("Return")),
                (translate("shortcuts", "Open the context menu"), _to_native_text("Menu", "Shift+F10")),
                (translate("shortcuts", "Go to the next part of the window"), _to_native_text("Tab")),
                (translate("shortcuts", "Close a dialog"), _to_native_text("Esc")),
            ],
        )
    )
    return found


def _to_native_text(*keys: str) -> list[str]:
    return [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys]


class ShortcutsDialog(QDialog):
    """Shows the shortcuts of the action table."""

    def __init__(self, actions: ActionTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAccessibleName(self.windowTitle())
        sections = list_shortcut_sections(actions)
        sheet = _make_sheet(sections, _COLUMNS)
        if sheet.sizeHint().width() > _available_width_px(self):
            sheet = _make_sheet(sections, 1)
        sheet.setAccessibleName(self.tr("Shortcuts"))
        self.area = QScrollArea()
        self.area.setAccessibleName(self.tr("Shortcuts"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.setWidget(sheet)
        # It never scrolls sideways: translated names need more room than others.
        self.area.setMinimumWidth(sheet.sizeHint().width() + self.area.verticalScrollBar().sizeHint().width())
        palette = actions["app.palette"]
        rest = self.tr("All other commands are in the menus and in the command palette ({keys}).").format(
            keys=palette.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        )
        foot = make_row(
            (make_label(rest, tone="muted", wrap=True), 1), make_close_button(self), margins=(22, 10, 16, 14)
        )
        make_column((self.area, 1), foot, parent=self, spacing=0)
        set_initial_size(self, 860, 640)


def _available_width_px(dialog: QWidget) -> int:
    """Return the width that a dialog may have on its screen."""
    scroll_bar_and_frame = 40
    return dialog.screen().availableGeometry().width() - scroll_bar_and_frame


def _make_sheet(sections: list[ShortcutSection], column_count: int) -> QWidget:
    sheet = QWidget()
    across = QHBoxLayout(sheet)
    across.setContentsMargins(22, 18, 22, 12)
    across.setSpacing(40)
    columns = [QVBoxLayout() for _ in range(column_count)]
    heights = [0] * column_count
    for title, rows in sections:
        shortest = heights.index(min(heights))
        heights[shortest] += len(rows) + 2
        columns[shortest].addLayout(_make_section(title, rows))
        columns[shortest].addSpacing(20)
    for column in columns:
        column.addStretch(1)
        across.addLayout(column, 1)
    return sheet


def _make_section(title: str, rows: list[tuple[str, list[str]]]) -> QVBoxLayout:
    grid = QGridLayout()
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    for row, (what, keys) in enumerate(rows):
        grid.addWidget(make_label(what), row, 0)
        caps = make_row("stretch", spacing=5)
        for key in keys:
            caps.addWidget(_make_key_label(key))
        grid.addLayout(caps, row, 1)
    return make_column(make_label(title, tone="muted", weight=QFont.Weight.DemiBold), grid, spacing=8)


def _make_key_label(key: str) -> QLabel:
    """Return a label that looks like a key."""
    cap = make_label(key, factor=0.88)
    cap.setProperty("surface", "key")
    return cap
