"""All shortcuts on one sheet, by menu, and the keys of the search box and the lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.gui.action_spec import shown
from desktop_app.gui.actions import MENUS
from desktop_app.gui.dialogs.buttons import close_button
from desktop_app.gui.dialogs.palette import plain_name
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import label
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop_app.gui.actions import Actions, ActionSpec

_COLUMNS = 2
Section = tuple[str, list[tuple[str, list[str]]]]


def sections(actions: Actions) -> list[Section]:
    """Return (title, [(what, keys)]) of each menu's actions that have a shortcut, then of search box and lists."""
    found: list[Section] = []
    native = QKeySequence.SequenceFormat.NativeText
    for menu, title in MENUS:
        rows = [
            (plain_name(action), [key.toString(native) for key in shown_keys(spec, action)])
            for spec, action in actions.of_menu(menu)
            if action.shortcuts()
        ]
        if rows:
            found.append((shown(title).replace("&", ""), rows))
    found.append(
        (
            translate("shortcuts", "In the search box"),
            [
                (translate("shortcuts", "Next or previous hit"), ["↓", "↑"]),
                (translate("shortcuts", "Several hits on"), _native("PgDown", "PgUp")),
                (translate("shortcuts", "Open the chosen hit"), _native("Return")),
                (translate("shortcuts", "Empty the box"), _native("Esc")),
            ],
        )
    )
    found.append(
        (
            translate("shortcuts", "In lists and dialogs"),
            [
                (translate("shortcuts", "Choose"), ["↓", "↑"]),
                (translate("shortcuts", "Choose several"), _native("Shift+Down", "Ctrl+Space")),
                (translate("shortcuts", "Open"), _native("Return")),
                (translate("shortcuts", "What can be done with it"), _native("Menu", "Shift+F10")),
                (translate("shortcuts", "Go to the next part"), _native("Tab")),
                (translate("shortcuts", "Close a dialog"), _native("Esc")),
            ],
        )
    )
    return found


def shown_keys(spec: ActionSpec, action: QAction) -> list[QKeySequence]:
    """Return an action's shortcuts, of a standard key only the usual one: "Find" is on few keyboards."""
    found: list[QKeySequence] = []
    now = action.shortcuts()
    for key in spec.keys:
        if isinstance(key, QKeySequence.StandardKey):
            found += [each for each in QKeySequence.keyBindings(key)[:1] if each not in found]
        elif (each := QKeySequence(key)) not in found:
            found.append(each)
    usual = [each for each in found if each in now]
    return usual or now  # a person's own choice is none of the table's


def _native(*keys: str) -> list[str]:
    return [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys]


class ShortcutSheet(QDialog):
    """Shows the shortcuts of the action table."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAccessibleName(self.windowTitle())
        sheet = QWidget()
        sheet.setAccessibleName(self.tr("Shortcuts"))
        across = QHBoxLayout(sheet)
        across.setContentsMargins(22, 18, 22, 12)
        across.setSpacing(40)
        found = sections(actions)
        columns = [QVBoxLayout() for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for title, rows in found:
            shortest = heights.index(min(heights))
            heights[shortest] += len(rows) + 2
            columns[shortest].addLayout(_section(title, rows))
            columns[shortest].addSpacing(20)
        for column in columns:
            column.addStretch(1)
            across.addLayout(column, 1)
        self.area = QScrollArea()
        self.area.setAccessibleName(self.tr("Shortcuts"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.setWidget(sheet)
        palette = actions["app.palette"]
        rest = self.tr("Everything else is in the menus, and in the action palette: {keys}").format(
            keys=palette.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        )
        foot = QHBoxLayout()
        foot.setContentsMargins(22, 10, 16, 14)
        foot.addWidget(label(rest, tone="muted", wrap=True), 1)
        foot.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        column.addLayout(foot)
        give_size(self, 860, 640)


def _section(title: str, rows: list[tuple[str, list[str]]]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(8)
    column.addWidget(label(title, tone="muted", weight=QFont.Weight.DemiBold))
    grid = QGridLayout()
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    for row, (what, keys) in enumerate(rows):
        grid.addWidget(label(what), row, 0)
        caps = QHBoxLayout()
        caps.setSpacing(5)
        caps.addStretch(1)
        for key in keys:
            caps.addWidget(_cap(key))
        grid.addLayout(caps, row, 1)
    column.addLayout(grid)
    return column


def _cap(key: str) -> QLabel:
    """Return a label that looks like a key."""
    cap = label(key, factor=0.88)
    cap.setProperty("surface", "key")
    return cap
