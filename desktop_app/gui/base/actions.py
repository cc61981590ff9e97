"""The table of actions, one row for each, and the QActions made from it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

Keys = QKeySequence.StandardKey


def mark_for_translation(text: str) -> str:
    """Mark a text of the table for translation; `translate_marked` translates it once the language is known."""
    return text


def translate_marked(text: str) -> str:
    """Return a marked text in the window's language."""
    return QCoreApplication.translate("", text)


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing a person can do.

    Attributes:
        id: never changes; the part before the dot names the subject.
        text: the text in menus.
        menu: the menu that lists it (`shell/menu_layout.py` says where); empty for none.
        keys: shortcuts; the first is shown.
        icon: name of its icon; empty for none.
        tip: one sentence that explains the text.
        pane: the pane that must have the focus for the shortcut to work; empty for the whole window.
        group: a set of choices of which one is checked.
        checkable: whether it can be on or off.
        starts_disabled: whether it is disabled until its feature enables it.
        role: its place in the menu that macOS gives each program, instead of its own place.
    """

    id: str
    text: str
    menu: str = ""
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""
    tip: str = ""
    pane: str = ""
    group: str = ""
    checkable: bool = False
    starts_disabled: bool = False
    # By itself Qt looks at the first word of a text: in German "Überall suchen" would be "Über Kindred".
    role: QAction.MenuRole = QAction.MenuRole.NoRole


_KEYS_ON_MACOS: dict[str | QKeySequence.StandardKey, tuple[str, ...]] = {
    "Ctrl+Tab": ("Meta+Tab",),  # else: the next program
    "Ctrl+Shift+Tab": ("Meta+Shift+Tab",),
    "Ctrl+Alt+H": ("Ctrl+Meta+H",),  # else: hides the other programs
    "Ctrl+Shift+Q": ("Ctrl+Alt+C",),  # else: logs the person out
    "Del": ("Ctrl+Backspace", "Del"),  # most keyboards have no key for deleting forwards
}
"""Keys that macOS takes or lacks, and what stands in their place. Qt calls Command "Ctrl" and Control "Meta"."""


MENUS = (
    ("file", mark_for_translation("&File")),
    ("edit", mark_for_translation("&Edit")),
    ("search", mark_for_translation("&Search")),
    ("library", mark_for_translation("&Library")),
    ("view", mark_for_translation("&View")),
    ("tools", mark_for_translation("&Tools")),
    ("help", mark_for_translation("&Help")),
)


class TableAction(QAction):
    """An action that can be refused for good, whatever its feature says.

    Attributes:
        refusal: why; empty if it is not refused.
    """

    def __init__(self, text: str, parent: QObject) -> None:
        super().__init__(text, parent)
        self.refusal = ""
        self._is_wanted = True

    def setEnabled(self, enabled: bool) -> None:
        """Enable or disable the action; a refused one stays disabled."""
        if enabled != self._is_wanted:  # dozens of actions are set with each answer
            self._is_wanted = enabled
            super().setEnabled(enabled and not self.refusal)

    def refuse(self, reason: str) -> None:
        """Disable the action and say why; an empty reason allows it again."""
        self.refusal = reason
        super().setEnabled(self._is_wanted and not reason)


class ActionTable(QObject):
    """The table's rows as QActions of one window.

    Args:
        window: the window that owns the actions.
        rows: the specifications, in the order of the menus.
        chosen: the shortcuts that the person chose, by action id.
    """

    def __init__(self, window: QWidget, rows: Sequence[ActionSpec], chosen: Mapping[str, str] | None = None) -> None:
        super().__init__(window)
        self._rows = tuple(rows)
        self._actions: dict[str, TableAction] = {}
        self._specs = {spec.id: spec for spec in self._rows}
        groups: dict[str, QActionGroup] = {}
        for spec in self._rows:
            action = TableAction(translate_marked(spec.text), self)
            action.setObjectName(spec.id)
            action.setMenuRole(spec.role)
            if spec.icon:
                action.setIcon(make_icon(spec.icon))
            action.setCheckable(spec.checkable or bool(spec.group))
            action.setEnabled(not spec.starts_disabled)
            action.setIconVisibleInMenu(not action.isCheckable())  # the tick is shown there
            if spec.group:
                groups.setdefault(spec.group, QActionGroup(self)).addAction(action)
            if spec.pane:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._actions[spec.id] = action
        self.assign(chosen or {})
        # Last: Qt tells a widget about each change of its actions.
        window.addActions([self._actions[spec.id] for spec in self._rows if not spec.pane])

    def __contains__(self, action_id: str) -> bool:
        return action_id in self._actions

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def assign(self, chosen: Mapping[str, str]) -> None:
        """Set the shortcuts: those that the person chose, else those of the table that no choice has taken.

        Args:
            chosen: one shortcut for each action id, as text; empty for none.
        """
        own = {spec.id: list(_unique_shortcuts((chosen[spec.id],))) for spec in self._rows if spec.id in chosen}
        taken = [(self._specs[action_id], key) for action_id, keys in own.items() for key in keys]
        for spec in self._rows:
            action = self._actions[spec.id]
            keys = own.get(spec.id)
            if keys is None:
                keys = [
                    key
                    for key in _unique_shortcuts(_usual_keys(spec))
                    if not any(key == other_key and shortcuts_overlap(spec, other) for other, other_key in taken)
                ]
            if keys != action.shortcuts():
                action.setShortcuts(keys)
            self._show_tip(spec)

    def _show_tip(self, spec: ActionSpec) -> None:
        """Explain an action in its tooltip, with its shortcut; one that is refused says why."""
        action = self._actions[spec.id]
        tip = translate_marked(spec.tip) if spec.tip else action.text().replace("&", "")
        action.setToolTip(action.refusal or _add_shortcut(tip, action))

    def rows(self) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield every action, in the table's order."""
        for spec in self._rows:
            yield spec, self._actions[spec.id]

    def shortcut_owner(self, key: QKeySequence, other_than: str) -> QAction | None:
        """Return the action whose shortcut would conflict with the same one on the action `other_than`."""
        asking = self._specs[other_than]
        for spec, action in self.rows():
            if spec is not asking and key in action.shortcuts() and shortcuts_overlap(spec, asking):
                return action
        return None

    def bind(self, handlers: dict[str, Callable[[], object]]) -> None:
        """Set the functions that actions call when they are triggered."""
        for action_id, handler in handlers.items():
            self._actions[action_id].triggered.connect(lambda _checked=False, handler=handler: handler())

    def add_to_pane(self, pane: str, widget: QWidget) -> None:
        """Let the pane's own shortcuts work while the focus is in `widget`."""
        for spec in self._rows:
            if spec.pane == pane:
                widget.addAction(self._actions[spec.id])

    def menu_rows(self, menu: str) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield a menu's actions in order."""
        for spec in self._rows:
            if spec.menu == menu:
                yield spec, self._actions[spec.id]

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Disable actions for good, and say why in their tips; those that are not named are allowed again.

        Args:
            reasons: why, by action id.
        """
        for action_id, action in self._actions.items():
            if (reason := reasons.get(action_id, "")) != action.refusal:
                action.refuse(reason)
                self._show_tip(self._specs[action_id])

    def enable(self, ids: Iterable[str], enabled: bool) -> None:
        """Enable or disable actions."""
        for action_id in ids:
            self._actions[action_id].setEnabled(enabled)


class ShortcutTip(QObject):
    """The tip of a widget, with an action's shortcut; follows when the person changes the shortcut.

    Args:
        widget: the widget.
        action: the action.
        text: the tip without the shortcut; empty for the action's own tip.
    """

    def __init__(self, widget: QWidget, action: QAction, text: str = "") -> None:
        super().__init__(widget)
        self._widget = widget
        self._action = action
        self._text = text
        action.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        tip = _add_shortcut(self._text, self._action) if self._text else self._action.toolTip()
        if tip != self._widget.toolTip():
            self._widget.setToolTip(tip)


def _add_shortcut(text: str, action: QAction) -> str:
    """Return a text with an action's shortcut in brackets; the bare text if it has none."""
    shortcut = shortcut_text(action)
    return f"{text} ({shortcut})" if shortcut else text


def shortcut_text(action: QAction) -> str:
    """Return the shortcut of an action as the system writes it, of several the usual one; empty for none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def shortcuts_overlap(first: ActionSpec, second: ActionSpec) -> bool:
    """Return whether the shortcuts of two actions can apply at the same time, so that equal ones would conflict."""
    return not first.pane or not second.pane or first.pane == second.pane


def plain_action_name(action: QAction) -> str:
    """Return an action's text without the marks for menus."""
    return action.text().partition("\t")[0].replace("&", "").rstrip("…")


def format_shortcuts(spec: ActionSpec, action: QAction) -> list[QKeySequence]:
    """Return the shortcuts of an action; of a standard key only the usual one, as few keyboards have a "Find" key."""
    found: list[QKeySequence] = []
    now = action.shortcuts()
    for key in _usual_keys(spec):
        if isinstance(key, QKeySequence.StandardKey):
            found += [each for each in QKeySequence.keyBindings(key)[:1] if each not in found]
        elif (each := QKeySequence(key)) not in found:
            found.append(each)
    usual = [each for each in found if each in now]
    return usual or now  # shortcuts that the person chose are not in the table


def _usual_keys(spec: ActionSpec) -> tuple[str | QKeySequence.StandardKey, ...]:
    """Return the shortcuts of the table that this system allows."""
    if sys.platform != "darwin":
        return spec.keys
    return tuple(each for key in spec.keys for each in _KEYS_ON_MACOS.get(key, (key,)))


@cache
def _unique_shortcuts(keys: tuple[str | QKeySequence.StandardKey, ...]) -> tuple[QKeySequence, ...]:
    """Return the shortcuts without repetition; a standard key can stand for several or, on some systems, for none."""
    result: list[QKeySequence] = []
    for key in keys:
        found = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        result += [sequence for sequence in found if sequence not in result and not sequence.isEmpty()]
    return tuple(result)
