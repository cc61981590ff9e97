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
from desktop_app.gui.icons import icon
from desktop_app.gui.pair_actions import PAIRS
from desktop_app.gui.panes.table import PANES
from desktop_app.gui.reader_actions import EXTRACTION, TABS
from desktop_app.gui.search_actions import SEARCHING, WITH_HITS
from desktop_app.gui.tracing_actions import TRACING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtWidgets import QWidget

Keys = QKeySequence.StandardKey


MENUS = (
    ("file", _tr("&File")),
    ("edit", _tr("&Edit")),
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
    ActionSpec(
        "search.everywhere",
        _tr("Search &Everywhere"),
        "edit",
        ("Ctrl+Shift+A",),
        "search",
        _tr("Search the whole library again"),
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
    *PAIRS,
    *DOCUMENTS,
    *CLUSTERS,
    *TRACING,
    ActionSpec("library.reopen", _tr("Try Again"), tip=_tr("Open the library again")),
    *(pane.action for pane in PANES),
    ActionSpec(
        "view.reader",
        _tr("&Reader"),
        "view",
        ("F4",),
        "panel-right",
        _tr("Show the document of the chosen hit at the right, or hide it"),
        checkable=True,
        separated=True,
    ),
    ActionSpec(
        "reader.see_also",
        _tr("See &Also"),
        "view",
        ("Ctrl+Shift+J",),
        "",
        _tr("Show below the reader what the library says like the sentence under the cursor"),
        checkable=True,
    ),
    ActionSpec(
        "reader.focus",
        _tr("&Go to the Reader"),
        "view",
        ("Ctrl+Shift+E",),
        "book-open",
        _tr("Read with the keyboard: arrows, Page Up and Down, Home and End"),
    ),
    ActionSpec(
        "reader.outline",
        _tr("&Contents of the Document"),
        "view",
        ("Ctrl+Shift+H",),
        "table-of-contents",
        _tr("Go to a heading of the document in the reader"),
    ),
    ActionSpec(
        "reader.zoom_in",
        _tr("&Larger"),
        "view",
        (Keys.ZoomIn, "Ctrl++", "Ctrl+="),
        "plus",
        _tr("Show the document in the reader larger"),
        separated=True,
    ),
    ActionSpec(
        "reader.zoom_out",
        _tr("S&maller"),
        "view",
        (Keys.ZoomOut,),
        "minus",
        _tr("Show the document in the reader smaller"),
    ),
    ActionSpec(
        "reader.zoom_actual",
        _tr("&Actual Size"),
        "view",
        ("Ctrl+0",),
        tip=_tr("Show the document in the reader as large as on paper"),
    ),
    ActionSpec(
        "reader.fit_width",
        _tr("Fit &Width"),
        "view",
        ("Ctrl+9",),
        tip=_tr("Let the pages in the reader fill its width"),
    ),
    ActionSpec(
        "reader.fit_page",
        _tr("Fit &Page"),
        "view",
        ("Ctrl+8",),
        tip=_tr("Show whole pages in the reader"),
    ),
    ActionSpec(
        "reader.dark",
        _tr("Turn Pages Dar&k or Light"),
        "view",
        (),
        "contrast",
        _tr("Draw the pages in the reader light on dark, or as they are; pictures stay as they are"),
    ),
    *TABS,
    *EXTRACTION,
    ActionSpec(
        "reader.copy",
        _tr("Copy from the Reader"),
        "",
        (),  # the reader itself listens to the keys for copying: they are the list's too
        "copy",
        _tr("Copy the text chosen in the reader, or the sentence marked there"),
    ),
    ActionSpec(
        "reader.copy_citation",
        _tr("Copy from the Reader with Citation"),
        "",
        (),
        "quote",
        _tr("Copy the text chosen in the reader with its document and page"),
    ),
    ActionSpec(
        "reader.similar",
        _tr("Find &Similar Sentences"),
        "edit",
        ("Ctrl+Shift+S",),
        "text-search",
        _tr("Search for sentences like the text chosen in the reader, or the sentence marked there"),
    ),
    ActionSpec(
        "reader.compare",
        _tr("Compare Text of the Reader…"),
        "",
        (),
        "scale",
        _tr("Compare the text chosen in the reader with another one"),
    ),
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
    ActionSpec(
        "app.welcome",
        _tr("&Welcome"),
        "help",
        (),
        "sparkles",
        _tr("What Kindred does, where your data lies, and how to begin"),
        separated=True,
    ),
    ActionSpec("app.manual", _tr("&Manual"), "help", (), "book-open", _tr("A short manual; it needs no network")),
    ActionSpec(
        "app.problem",
        _tr("&Report a Problem…"),
        "help",
        (),
        "bug",
        _tr("Collect versions and log, without any text of documents, for a report"),
    ),
    ActionSpec(
        "app.licences", _tr("&Licences"), "help", (), "scale", _tr("All parts of the program and their licences")
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
            action = QAction(shown(spec.text), self)
            action.setObjectName(spec.id)
            action.setShortcuts(_sequences(spec.keys))
            if spec.icon:
                action.setIcon(icon(spec.icon))
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = shown(spec.tip) if spec.tip else action.text().replace("&", "")
            action.setToolTip(f"{tip} ({keys})" if keys else tip)
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
