"""Actions: one row a thing that a person can do; the QActions made from the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.clusters.actions import CLUSTER_ACTIONS
from desktop_app.gui.duplicates.actions import DUPLICATES_ACTIONS
from desktop_app.gui.help.actions import HELP_ACTIONS
from desktop_app.gui.library.actions import DOCUMENT_ACTIONS, IMPORT_ACTIONS, SORT_ACTIONS
from desktop_app.gui.reader.actions import EXTRACTION_ACTIONS, OCR_ACTIONS, READER_ACTIONS, TAB_ACTIONS
from desktop_app.gui.search.actions import ACTIONS_WITH_HITS, SEARCH_ACTIONS
from desktop_app.gui.shell.panes import PANE_SPECS
from desktop_app.gui.trace.actions import TRACE_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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

ACTION_SPECS = (
    *IMPORT_ACTIONS,
    ActionSpec(
        "library.open",
        mark_for_translation("&Open Library…"),
        "file",
        (),
        "library",
        mark_for_translation(
            "Open another library in this window; what runs here goes on when this one is opened again"
        ),
        separated=True,
    ),
    ActionSpec(
        "library.new",
        mark_for_translation("&New Library…"),
        "file",
        (),
        "book-plus",
        mark_for_translation("Begin a new library in a folder of its own"),
    ),
    *(row for row in (*TRACE_ACTIONS, *DUPLICATES_ACTIONS, *CLUSTER_ACTIONS) if row.menu == "file"),
    ActionSpec(
        "library.default",
        mark_for_translation("Open the Default Library"),
        icon="book",
        tip=mark_for_translation("Go back to the default library"),
    ),
    ActionSpec(
        "app.preferences",
        mark_for_translation("&Preferences…"),
        "file",
        ("Ctrl+,",),  # Qt's standard key for it has no keys but on macOS
        "settings",
        mark_for_translation("Theme, model, device, library and limits"),
        separated=True,
    ),
    ActionSpec(
        "app.quit",
        mark_for_translation("&Quit"),
        "file",
        (Keys.Quit, "Ctrl+Q"),
        "log-out",
        mark_for_translation("Close the window; an import goes on at the next start"),
        separated=True,
    ),
    ActionSpec(
        "search.focus",
        mark_for_translation("&Search"),
        "search",
        (Keys.Find, "Ctrl+L"),
        "search",
        mark_for_translation("Go to the search box"),
    ),
    ActionSpec(
        "hit.next",
        mark_for_translation("&Next Hit"),
        "search",
        (Keys.FindNext, "F3"),
        tip=mark_for_translation("Choose the next hit"),
        separated=True,
    ),
    ActionSpec(
        "hit.previous",
        mark_for_translation("&Previous Hit"),
        "search",
        (Keys.FindPrevious, "Shift+F3"),
        tip=mark_for_translation("Choose the previous hit"),
    ),
    ActionSpec(
        "hit.copy_citation",
        mark_for_translation("&Copy with Citation"),
        "edit",
        (Keys.Copy,),
        "quote",
        mark_for_translation("Copy the chosen sentence with its document and page"),
        pane="search",
        separated=True,
    ),
    ActionSpec(
        "hit.copy",
        mark_for_translation("Copy &Sentence"),
        "edit",
        ("Ctrl+Shift+C",),
        "copy",
        mark_for_translation("Copy the chosen sentence alone"),
    ),
    *ACTIONS_WITH_HITS,
    ActionSpec(
        "hit.more",
        mark_for_translation("&More Context"),
        "edit",
        ("Alt+Down",),
        "unfold-vertical",
        mark_for_translation("Show more of the sentences before and after the chosen hit"),
        separated=True,
    ),
    ActionSpec(
        "hit.less",
        mark_for_translation("&Less Context"),
        "edit",
        ("Alt+Up",),
        "fold-vertical",
        mark_for_translation("Show the chosen hit with its neighbours alone"),
    ),
    *SEARCH_ACTIONS,
    ActionSpec(
        "hit.open",
        mark_for_translation("&Open Document"),
        "edit",
        (),
        "external-link",
        mark_for_translation("Open the document of the chosen hit in the program that the system has for it"),
        separated=True,
    ),
    ActionSpec(
        "hit.show_in_folder",
        mark_for_translation("Show in &Folder"),
        "edit",
        (),
        "folder-open",
        mark_for_translation("Open the folder that holds the document of the chosen hit"),
    ),
    ActionSpec(
        "hit.compare",
        mark_for_translation("Compare Sentence &With…"),
        "edit",
        (),
        "scale",
        mark_for_translation("Compare the chosen sentence with another one"),
        separated=True,
    ),
    ActionSpec(
        "compare.open",
        mark_for_translation("Compare &Two Sentences…"),
        "edit",
        ("Ctrl+Shift+D",),
        "arrow-left-right",
        mark_for_translation("See how alike two sentences are: cosine, dot product and Euclidean distance"),
    ),
    ActionSpec(
        "compare.table",
        mark_for_translation("Score a Table o&f Pairs…"),
        "edit",
        (),
        "table",
        mark_for_translation("Compare many pairs of sentences from a file, and write the scores to another"),
    ),
    *(row for row in DUPLICATES_ACTIONS if row.menu != "file"),
    *DOCUMENT_ACTIONS,
    *(row for row in (*CLUSTER_ACTIONS, *TRACE_ACTIONS) if row.menu != "file"),
    ActionSpec("library.reopen", mark_for_translation("Try Again"), tip=mark_for_translation("Open the library again")),
    *(pane.action for pane in PANE_SPECS),
    *READER_ACTIONS,
    *TAB_ACTIONS,
    *EXTRACTION_ACTIONS,
    *OCR_ACTIONS,
    *SORT_ACTIONS,
    ActionSpec(
        "view.theme.system",
        mark_for_translation("Theme as the &System"),
        "view",
        (),
        "monitor",
        group="theme",
        separated=True,
    ),
    ActionSpec("view.theme.light", mark_for_translation("&Light Theme"), "view", (), "sun", group="theme"),
    ActionSpec("view.theme.dark", mark_for_translation("&Dark Theme"), "view", (), "moon", group="theme"),
    *HELP_ACTIONS,
)


class ActionTable(QObject):
    """The table's rows as QActions of one window.

    Args:
        window: whose actions they are.
        chosen: the shortcuts that a person chose, by the actions' ids.
    """

    def __init__(self, window: QWidget, chosen: Mapping[str, str] | None = None) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        self._specs = {spec.id: spec for spec in ACTION_SPECS}
        groups: dict[str, QActionGroup] = {}
        for spec in ACTION_SPECS:
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
        own = {spec.id: _unique_shortcuts((chosen[spec.id],)) for spec in ACTION_SPECS if spec.id in chosen}
        taken = [(self._specs[action_id], key) for action_id, keys in own.items() for key in keys]
        for spec in ACTION_SPECS:
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
        for spec in ACTION_SPECS:
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
        for spec in ACTION_SPECS:
            if spec.pane == pane:
                widget.addAction(self._actions[spec.id])

    def menu_rows(self, menu: str) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield a menu's actions in order."""
        for spec in ACTION_SPECS:
            if spec.menu == menu:
                yield spec, self._actions[spec.id]

    def enable(self, ids: Iterable[str], enabled: bool) -> None:
        """Let actions be triggered, or not."""
        for action_id in ids:
            self._actions[action_id].setEnabled(enabled)


def shortcuts_overlap(first: ActionSpec, second: ActionSpec) -> bool:
    """Return whether the shortcuts of two actions can be meant at the same time; one of them has to give way then."""
    return not first.pane or not second.pane or first.pane == second.pane


def _unique_shortcuts(keys: tuple[str | QKeySequence.StandardKey, ...]) -> list[QKeySequence]:
    """Return shortcuts, each once; a standard key may mean several or, on some platforms, none."""
    result: list[QKeySequence] = []
    for key in keys:
        found = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        result += [sequence for sequence in found if sequence not in result and not sequence.isEmpty()]
    return result
