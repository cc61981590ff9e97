"""The table of everything that a person can do: it feeds menus, shortcuts, tooltips and the command palette."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr
from desktop_app.gui.clusters.actions import CLUSTER_ACTIONS
from desktop_app.gui.compare.actions import COMPARE_ACTIONS
from desktop_app.gui.duplicates.actions import DUPLICATES_ACTIONS
from desktop_app.gui.help.actions import HELP_ACTIONS
from desktop_app.gui.library.actions import DOCUMENT_ACTIONS, IMPORT_ACTIONS, SORT_ACTIONS
from desktop_app.gui.reader.actions import EXTRACTION_ACTIONS, OCR_ACTIONS, READER_ACTIONS, TAB_ACTIONS
from desktop_app.gui.search.actions import ACTIONS_WITH_HITS, SEARCH_ACTIONS
from desktop_app.gui.shell.panes import PANE_SPECS
from desktop_app.gui.trace.actions import TRACE_ACTIONS

Keys = QKeySequence.StandardKey

ACTION_SPECS = (
    *IMPORT_ACTIONS,
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
    *(row for row in (*TRACE_ACTIONS, *DUPLICATES_ACTIONS, *CLUSTER_ACTIONS) if row.menu == "file"),
    ActionSpec(
        "library.default",
        _tr("Open the Default Library"),
        icon="book",
        tip=_tr("Go back to the default library"),
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
    *ACTIONS_WITH_HITS,
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
    *SEARCH_ACTIONS,
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
    *COMPARE_ACTIONS,
    *(row for row in DUPLICATES_ACTIONS if row.menu != "file"),
    *DOCUMENT_ACTIONS,
    *(row for row in (*CLUSTER_ACTIONS, *TRACE_ACTIONS) if row.menu != "file"),
    ActionSpec("library.reopen", _tr("Try Again"), tip=_tr("Open the library again")),
    *(pane.action for pane in PANE_SPECS),
    *READER_ACTIONS,
    *TAB_ACTIONS,
    *EXTRACTION_ACTIONS,
    *OCR_ACTIONS,
    *SORT_ACTIONS,
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
    *HELP_ACTIONS,
)
