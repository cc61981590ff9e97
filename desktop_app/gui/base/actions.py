"""Actions: one row a thing that a person can do; the QActions made from the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop_app.gui.base.icons import make_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

Keys = QKeySequence.StandardKey


def mark_for_translation(text: str) -> str:
    """Mark a text of the table for translation, which `translate_marked` does when the language is known."""
    return text


def translate_marked(text: str) -> str:
    """Return a marked text in the window's language."""
    return QCoreApplication.translate("", text)


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing a person can do.

    Attributes:
        id: stable; the part before the dot says what it is about.
        text: as it stands in menus.
        menu: the menu it stands in; empty for none.
        keys: shortcuts; the first is shown.
        icon: name of its icon; empty for none.
        tip: one sentence that says more than the text.
        pane: the pane that has to hold the focus for its shortcut; empty for the whole window.
        group: of a set of choices only one is checked.
        checkable: it is on or off.
        separated: whether a line stands above it in its menu.
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
    separated: bool = False


MENUS = (
    ("file", mark_for_translation("&File")),
    ("edit", mark_for_translation("&Edit")),
    ("search", mark_for_translation("&Search")),
    ("library", mark_for_translation("&Library")),
    ("view", mark_for_translation("&View")),
    ("help", mark_for_translation("&Help")),
)


class ActionTable(QObject):
    """The table's rows as QActions of one window.

    Args:
        window: whose actions they are.
        rows: the specifications, in the order of the menus.
        chosen: the shortcuts that a person chose, by the actions' ids.
    """

    def __init__(self, window: QWidget, rows: Sequence[ActionSpec], chosen: Mapping[str, str] | None = None) -> None:
        super().__init__(window)
        self._rows = tuple(rows)
        self._actions: dict[str, QAction] = {}
        self._specs = {spec.id: spec for spec in self._rows}
        groups: dict[str, QActionGroup] = {}
        for spec in self._rows:
            action = QAction(translate_marked(spec.text), self)
            action.setObjectName(spec.id)
            if spec.icon:
                action.setIcon(make_icon(spec.icon))
            action.setStatusTip("")
            action.setCheckable(spec.checkable or bool(spec.group))
            action.setIconVisibleInMenu(not action.isCheckable())  # its place is the tick's
            if spec.group:
                groups.setdefault(spec.group, QActionGroup(self)).addAction(action)
            if spec.pane:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            else:
                window.addAction(action)
            self._actions[spec.id] = action
        self.assign(chosen or {})

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def assign(self, chosen: Mapping[str, str]) -> None:
        """Give each action its shortcuts: what a person chose, else the table's that nobody's choice has taken.

        Args:
            chosen: one shortcut by an action's id, as text; empty for none.
        """
        own = {spec.id: _unique_shortcuts((chosen[spec.id],)) for spec in self._rows if spec.id in chosen}
        taken = [(self._specs[action_id], key) for action_id, keys in own.items() for key in keys]
        for spec in self._rows:
            action = self._actions[spec.id]
            keys = own.get(spec.id)
            if keys is None:
                keys = [
                    key
                    for key in _unique_shortcuts(spec.keys)
                    if not any(key == other_key and shortcuts_overlap(spec, other) for other, other_key in taken)
                ]
            action.setShortcuts(keys)
            shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = translate_marked(spec.tip) if spec.tip else action.text().replace("&", "")
            action.setToolTip(f"{tip} ({shortcut})" if shortcut else tip)

    def rows(self) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield every action, in the table's order."""
        for spec in self._rows:
            yield spec, self._actions[spec.id]

    def shortcut_owner(self, key: QKeySequence, other_than: str) -> QAction | None:
        """Return the action that has a shortcut where the action `other_than` would have it too."""
        asking = self._specs[other_than]
        for spec, action in self.rows():
            if spec is not asking and key in action.shortcuts() and shortcuts_overlap(spec, asking):
                return action
        return None

    def bind(self, handlers: dict[str, Callable[[], object]]) -> None:
        """Say what happens when an action is triggered."""
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

    def enable(self, ids: Iterable[str], enabled: bool) -> None:
        """Let actions be triggered, or not."""
        for action_id in ids:
            self._actions[action_id].setEnabled(enabled)


def shortcuts_overlap(first: ActionSpec, second: ActionSpec) -> bool:
    """Return whether the shortcuts of two actions can be meant at the same time; one of them has to give way then."""
    return not first.pane or not second.pane or first.pane == second.pane


def plain_action_name(action: QAction) -> str:
    """Return an action's text without the marks for menus."""
    return action.text().replace("&", "").rstrip("…")


def format_shortcuts(spec: ActionSpec, action: QAction) -> list[QKeySequence]:
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


def _unique_shortcuts(keys: tuple[str | QKeySequence.StandardKey, ...]) -> list[QKeySequence]:
    """Return shortcuts, each once; a standard key may mean several or, on some platforms, none."""
    result: list[QKeySequence] = []
    for key in keys:
        found = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        result += [sequence for sequence in found if sequence not in result and not sequence.isEmpty()]
    return result
