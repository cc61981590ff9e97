"""The table of all actions, for menus, shortcuts, tooltips and the command palette."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr
from desktop_app.gui.compare.controller import COMPARE_ACTIONS
from desktop_app.gui.help.controller import HELP_ACTIONS
from desktop_app.gui.library.actions import DOCUMENT_ACTIONS, IMPORT_ACTIONS, LIBRARY_ACTIONS, SORT_ACTIONS
from desktop_app.gui.preferences.controller import PREFERENCES_ACTIONS
from desktop_app.gui.reader.actions import (
    ANNOTATION_ACTIONS,
    EXTRACTION_ACTIONS,
    OCR_ACTIONS,
    READER_ACTIONS,
    TAB_ACTIONS,
)
from desktop_app.gui.search.actions import (
    ACTIONS_WITH_HITS,
    CONTEXT_ACTIONS,
    COPY_ACTIONS,
    EDIT_ACTIONS,
    FIND_ACTIONS,
    HIT_DOCUMENT_ACTIONS,
    SEARCH_ACTIONS,
)
from desktop_app.gui.shell.edit_menu import STANDARD_EDIT_ACTIONS
from desktop_app.gui.shell.panes import PANE_SPECS

Keys = QKeySequence.StandardKey


_PANE_ACTIONS = tuple(row for pane in PANE_SPECS for row in pane.actions)

ACTION_SPECS = (
    *IMPORT_ACTIONS,
    *(row for row in LIBRARY_ACTIONS if row.menu),
    # In the File menu the exports, which start disabled, stand last.
    *sorted((row for row in _PANE_ACTIONS if row.menu == "file"), key=lambda row: row.starts_disabled),
    *(row for row in LIBRARY_ACTIONS if not row.menu),
    *PREFERENCES_ACTIONS,
    ActionSpec(
        "app.quit",
        _tr("&Quit"),
        "file",
        (Keys.Quit, "Ctrl+Q"),
        "log-out",
        _tr("Quit. Imports resume the next time you start Kindred."),
        role=QAction.MenuRole.QuitRole,
    ),
    *FIND_ACTIONS,
    *STANDARD_EDIT_ACTIONS,
    *EDIT_ACTIONS,
    *COPY_ACTIONS,
    *ACTIONS_WITH_HITS,
    *CONTEXT_ACTIONS,
    *SEARCH_ACTIONS,
    *HIT_DOCUMENT_ACTIONS,
    *COMPARE_ACTIONS,
    *(row for row in _PANE_ACTIONS if row.menu == "edit"),
    *DOCUMENT_ACTIONS,
    *(row for row in _PANE_ACTIONS if row.menu not in ("file", "edit")),
    *(pane.action for pane in PANE_SPECS),
    *READER_ACTIONS,
    *ANNOTATION_ACTIONS,
    *TAB_ACTIONS,
    *EXTRACTION_ACTIONS,
    *OCR_ACTIONS,
    *SORT_ACTIONS,
    ActionSpec(
        "view.theme.system",
        _tr("Use &System Theme"),
        "view",
        (),
        "monitor",
        group="theme",
    ),
    ActionSpec("view.theme.light", _tr("&Light Theme"), "view", (), "sun", group="theme"),
    ActionSpec("view.theme.dark", _tr("&Dark Theme"), "view", (), "moon", group="theme"),
    *HELP_ACTIONS,
)
