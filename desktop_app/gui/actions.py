"""Everything a person can do, in one table: it feeds menus, shortcuts and tooltips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop_app.gui.action_spec import ActionSpec as ActionSpec
from desktop_app.gui.action_spec import mark as _tr
from desktop_app.gui.action_spec import shown
from desktop_app.gui.cluster_actions import CLUSTERS
from desktop_app.gui.document_actions import ADDING, DOCUMENTS, SORTING
from desktop_app.gui.help_actions import HELP
from desktop_app.gui.icons import icon
from desktop_app.gui.pair_actions import PAIRS
from desktop_app.gui.panes.table import PANES
from desktop_app.gui.reader_actions import EXTRACTION, READ_TEXT, READER, TABS
from desktop_app.gui.search_actions import SEARCHING, WITH_HITS
from desktop_app.gui.tracing_actions import TRACING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from PySide6.QtWidgets import QWidget

Keys = QKeySequence.StandardKey


MENUS = (
    ("file", _tr("&File")),
    ("edit", _tr("&Edit")),
    ("search", _tr("&Search")),
    ("library", _tr("&Library")),
    ("view", _tr("&View")),
    ("help", _tr("&Help")),
)

TABLE = (
    *ADDING,
    ActionSpec(
        "library.open",
        _tr("&Open Library…"),
        "file",
        (),
        "library",
        _tr("Open another library in this window; what runs here goes on when this one is opened again"),
        separated=True,
    ),
    ActionSpec(
        "library.new",
        _tr("&New Library…"),
        "file",
        (),
        "book-plus",
        _tr("Begin a new library in a folder of its own"),
    ),
    *(row for row in (*TRACING, *PAIRS, *CLUSTERS) if row.menu == "file"),
    ActionSpec(
        "library.default", _tr("Open the Default Library"), icon="book", tip=_tr("Go back to the default library")
    ),
    ActionSpec(
        "app.preferences",
        _tr("&Preferences…"),
        "file",
        ("Ctrl+,",),  # Qt's standard key for it has no keys but on macOS
        "settings",
        _tr("Theme, model, device, library and limits"),
        separated=True,
    ),
    ActionSpec(
        "app.quit",
        _tr("&Quit"),
        "file",
        (Keys.Quit, "Ctrl+Q"),
        "log-out",
        _tr("Close the window; an import goes on at the next start"),
        separated=True,
    ),
    ActionSpec(
        "search.focus",
        _tr("&Search"),
        "search",
        (Keys.Find, "Ctrl+L"),
        "search",
        _tr("Go to the search box"),
    ),
    ActionSpec(
        "hit.next",
        _tr("&Next Hit"),
        "search",
        (Keys.FindNext, "F3"),
        tip=_tr("Choose the next hit"),
        separated=True,
    ),
    ActionSpec(
        "hit.previous",
        _tr("&Previous Hit"),
        "search",
        (Keys.FindPrevious, "Shift+F3"),
        tip=_tr("Choose the previous hit"),
    ),
    ActionSpec(
        "hit.copy_citation",
        _tr("&Copy with Citation"),
        "edit",
        (Keys.Copy,),
        "quote",
        _tr("Copy the chosen sentence with its document and page"),
        pane="search",
        separated=True,
    ),
    ActionSpec(
        "hit.copy",
        _tr("Copy &Sentence"),
        "edit",
        ("Ctrl+Shift+C",),
        "copy",
        _tr("Copy the chosen sentence alone"),
    ),
    *WITH_HITS,
    ActionSpec(
        "hit.more",
        _tr("&More Context"),
        "edit",
        ("Alt+Down",),
        "unfold-vertical",
        _tr("Show more of the sentences before and after the chosen hit"),
        separated=True,
    ),
    ActionSpec(
        "hit.less",
        _tr("&Less Context"),
        "edit",
        ("Alt+Up",),
        "fold-vertical",
        _tr("Show the chosen hit with its neighbours alone"),
    ),
    *SEARCHING,
    ActionSpec(
        "hit.open",
        _tr("&Open Document"),
        "edit",
        (),
        "external-link",
        _tr("Open the document of the chosen hit in the program that the system has for it"),
        separated=True,
    ),
    ActionSpec(
        "hit.show_in_folder",
        _tr("Show in &Folder"),
        "edit",
        (),
        "folder-open",
        _tr("Open the folder that holds the document of the chosen hit"),
    ),
    ActionSpec(
        "hit.compare",
        _tr("Compare Sentence &With…"),
        "edit",
        (),
        "scale",
        _tr("Compare the chosen sentence with another one"),
        separated=True,
    ),
    ActionSpec(
        "compare.open",
        _tr("Compare &Two Sentences…"),
        "edit",
        ("Ctrl+Shift+D",),
        "arrow-left-right",
        _tr("See how alike two sentences are: cosine, dot product and Euclidean distance"),
    ),
    ActionSpec(
        "compare.table",
        _tr("Score a Table o&f Pairs…"),
        "edit",
        (),
        "table",
        _tr("Compare many pairs of sentences from a file, and write the scores to another"),
    ),
    *(row for row in PAIRS if row.menu != "file"),
    *DOCUMENTS,
    *(row for row in (*CLUSTERS, *TRACING) if row.menu != "file"),
    ActionSpec("library.reopen", _tr("Try Again"), tip=_tr("Open the library again")),
    *(pane.action for pane in PANES),
    *READER,
    *TABS,
    *EXTRACTION,
    *READ_TEXT,
    *SORTING,
    ActionSpec(
        "view.theme.system",
        _tr("Theme as the &System"),
        "view",
        (),
        "monitor",
        group="theme",
        separated=True,
    ),
    ActionSpec("view.theme.light", _tr("&Light Theme"), "view", (), "sun", group="theme"),
    ActionSpec("view.theme.dark", _tr("&Dark Theme"), "view", (), "moon", group="theme"),
    *HELP,
)


class Actions(QObject):
    """The table's rows as QActions of one window.

    Args:
        window: whose actions they are.
        chosen: the shortcuts that a person chose, by the actions' ids.
    """

    def __init__(self, window: QWidget, chosen: Mapping[str, str] | None = None) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        self._specs = {spec.id: spec for spec in TABLE}
        groups: dict[str, QActionGroup] = {}
        for spec in TABLE:
            action = QAction(shown(spec.text), self)
            action.setObjectName(spec.id)
            if spec.icon:
                action.setIcon(icon(spec.icon))
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
        own = {spec.id: _sequences((chosen[spec.id],)) for spec in TABLE if spec.id in chosen}
        taken = [(self._specs[action_id], key) for action_id, keys in own.items() for key in keys]
        for spec in TABLE:
            action = self._actions[spec.id]
            keys = own.get(spec.id)
            if keys is None:
                keys = [
                    key
                    for key in _sequences(spec.keys)
                    if not any(key == other_key and meet(spec, other) for other, other_key in taken)
                ]
            action.setShortcuts(keys)
            shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = shown(spec.tip) if spec.tip else action.text().replace("&", "")
            action.setToolTip(f"{tip} ({shortcut})" if shortcut else tip)

    def rows(self) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield every action, in the table's order."""
        for spec in TABLE:
            yield spec, self._actions[spec.id]

    def holder_of(self, key: QKeySequence, other_than: str) -> QAction | None:
        """Return the action that has a shortcut where the action `other_than` would have it too."""
        asking = self._specs[other_than]
        for spec, action in self.rows():
            if spec is not asking and key in action.shortcuts() and meet(spec, asking):
                return action
        return None

    def bind(self, handlers: dict[str, Callable[[], object]]) -> None:
        """Say what happens when an action is triggered."""
        for action_id, handler in handlers.items():
            self._actions[action_id].triggered.connect(lambda _checked=False, handler=handler: handler())

    def add_to_pane(self, pane: str, widget: QWidget) -> None:
        """Let the pane's own shortcuts work while the focus is in `widget`."""
        for spec in TABLE:
            if spec.pane == pane:
                widget.addAction(self._actions[spec.id])

    def of_menu(self, menu: str) -> Iterator[tuple[ActionSpec, QAction]]:
        """Yield a menu's actions in order."""
        for spec in TABLE:
            if spec.menu == menu:
                yield spec, self._actions[spec.id]

    def enable(self, ids: Iterable[str], enabled: bool) -> None:
        """Let actions be triggered, or not."""
        for action_id in ids:
            self._actions[action_id].setEnabled(enabled)


def meet(first: ActionSpec, second: ActionSpec) -> bool:
    """Return whether the shortcuts of two actions can be meant at the same time; one of them has to give way then."""
    return not first.pane or not second.pane or first.pane == second.pane


def _sequences(keys: tuple[str | QKeySequence.StandardKey, ...]) -> list[QKeySequence]:
    """Return shortcuts, each once; a standard key may mean several or, on some platforms, none."""
    result: list[QKeySequence] = []
    for key in keys:
        found = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        result += [sequence for sequence in found if sequence not in result and not sequence.isEmpty()]
    return result
