"""Everything a person can do, in one table: it feeds menus, shortcuts and tooltips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop_app.gui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtWidgets import QWidget

Keys = QKeySequence.StandardKey


def _tr(text: str) -> str:
    """Mark a text of the table for translation; `Actions` translates it."""
    return text


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
    separated: bool = False


MENUS = (
    ("file", _tr("&File")),
    ("edit", _tr("&Edit")),
    ("library", _tr("&Library")),
    ("view", _tr("&View")),
    ("help", _tr("&Help")),
)

TABLE = (
    ActionSpec(
        "library.import",
        _tr("&Import Files…"),
        "file",
        (Keys.Open,),
        "file-plus",
        _tr("Add PDF, text or Markdown files to the library"),
    ),
    ActionSpec(
        "library.import_folder",
        _tr("Import &Folder…"),
        "file",
        ("Ctrl+Shift+O",),
        "folder-plus",
        _tr("Add every document in a folder and the folders below it"),
    ),
    ActionSpec(
        "library.samples",
        _tr("Try with &Sample Documents"),
        "file",
        (),
        "sparkles",
        _tr("Add a few short texts that come with the program"),
    ),
    ActionSpec(
        "library.open",
        _tr("&Open Library…"),
        "file",
        (),
        "library",
        _tr("Choose another library; it opens at the next start"),
        separated=True,
    ),
    ActionSpec(
        "library.new",
        _tr("&New Library…"),
        "file",
        (),
        "book-plus",
        _tr("Begin a new library in a folder of its own; it opens at the next start"),
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
        "edit",
        (Keys.Find, "Ctrl+L"),
        "search",
        _tr("Go to the search box"),
    ),
    ActionSpec(
        "hit.next",
        _tr("&Next Hit"),
        "edit",
        (Keys.FindNext, "F3"),
        tip=_tr("Choose the next hit"),
        separated=True,
    ),
    ActionSpec(
        "hit.previous",
        _tr("&Previous Hit"),
        "edit",
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
    ActionSpec(
        "hit.open",
        _tr("&Open Document"),
        "edit",
        (),
        "external-link",
        _tr("Open the document of the chosen hit in the program that the system has for it (Enter)"),
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
        "document.open",
        _tr("&Open"),
        "library",
        (),
        "external-link",
        _tr("Open the chosen documents in the program that the system has for them"),
    ),
    ActionSpec(
        "document.show_in_folder",
        _tr("Show in &Folder"),
        "library",
        (),
        "folder-open",
        _tr("Open the folder that holds the chosen document"),
    ),
    ActionSpec(
        "document.retry",
        _tr("Import &Again"),
        "library",
        ("Ctrl+R",),
        "rotate-ccw",
        _tr("Read the chosen documents again where they failed or their files have changed"),
        separated=True,
    ),
    ActionSpec(
        "document.password",
        _tr("Enter &Password…"),
        "library",
        (),
        "key-round",
        _tr("Import a protected document with its password; the password is not stored"),
    ),
    ActionSpec(
        "document.remove",
        _tr("&Remove from Library"),
        "library",
        ("Del",),  # Qt's standard key for deleting is also Ctrl+D on X11
        "trash-2",
        _tr("Take the chosen documents out of the library; their files stay where they are"),
        pane="library",
        separated=True,
    ),
    ActionSpec(
        "document.undo_remove",
        _tr("&Undo Removal"),
        "library",
        (Keys.Undo,),
        "undo-2",
        _tr("Bring back the documents that were removed last"),
    ),
    ActionSpec(
        "library.focus",
        _tr("Go to &Documents"),
        "library",
        ("Ctrl+Shift+L",),
        "list",
        _tr("Go to the list of documents"),
        separated=True,
    ),
    ActionSpec("library.reopen", _tr("Try Again"), tip=_tr("Open the library again")),
    ActionSpec("view.theme.system", _tr("Theme as the &System"), "view", (), "monitor", group="theme"),
    ActionSpec("view.theme.light", _tr("&Light Theme"), "view", (), "sun", group="theme"),
    ActionSpec("view.theme.dark", _tr("&Dark Theme"), "view", (), "moon", group="theme"),
    ActionSpec(
        "app.palette",
        _tr("Find an &Action…"),
        "help",
        ("Ctrl+Shift+P",),
        "command",
        _tr("Find an action by a few letters of its name"),
    ),
    ActionSpec(
        "app.shortcuts",
        _tr("&Keyboard Shortcuts"),
        "help",
        (Keys.HelpContents, "F1", "Ctrl+?"),
        "keyboard",
        _tr("All shortcuts on one sheet"),
    ),
    ActionSpec("app.about", _tr("&About Kindred"), "help", (), "info", _tr("Version, parts and licences")),
)


class Actions(QObject):
    """The table's rows as QActions of one window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        self._specs = {spec.id: spec for spec in TABLE}
        groups: dict[str, QActionGroup] = {}
        for spec in TABLE:
            action = QAction(QCoreApplication.translate("actions", spec.text), self)
            action.setObjectName(spec.id)
            action.setShortcuts(_sequences(spec.keys))
            if spec.icon:
                action.setIcon(icon(spec.icon))
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = QCoreApplication.translate("actions", spec.tip) if spec.tip else action.text().replace("&", "")
            action.setToolTip(f"{tip} ({keys})" if keys else tip)
            action.setStatusTip("")
            if spec.group:
                action.setCheckable(True)
                groups.setdefault(spec.group, QActionGroup(self)).addAction(action)
            if spec.pane:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            else:
                window.addAction(action)
            self._actions[spec.id] = action

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

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


def _sequences(keys: tuple[str | QKeySequence.StandardKey, ...]) -> list[QKeySequence]:
    """Return shortcuts, each once; a standard key may mean several or, on some platforms, none."""
    result: list[QKeySequence] = []
    for key in keys:
        found = QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        result += [sequence for sequence in found if sequence not in result]
    return result
