"""Actions on a traced draft."""

from __future__ import annotations

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

TRACE_ACTIONS = (
    ActionSpec(
        "trace.open",
        _tr("Check a D&raft…"),
        "tools",
        (),
        "list-checks",
        _tr("Find sources in your library for each sentence of a file. The file isn't added to the library."),
    ),
    ActionSpec(
        "trace.paste",
        _tr("Check Copied Te&xt"),
        "tools",
        (),
        "clipboard-paste",
        _tr("Find sources in your library for each sentence of the text on the clipboard"),
    ),
    ActionSpec(
        "trace.next",
        _tr("Next Unsupported Sentence"),
        "",
        ("F8",),
        "chevron-down",
        _tr("Go to the next sentence that your library doesn't support, or of the selected type"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.previous",
        _tr("Previous Unsupported Sentence"),
        "",
        ("Shift+F8",),
        "chevron-up",
        _tr("Go to the previous sentence that your library doesn't support, or of the selected type"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.again",
        _tr("Check Draft Again"),
        "",
        ("F5",),
        "rotate-ccw",
        _tr("Read the draft again, and check it against the current library"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.export",
        _tr("Export Checked Draft…"),
        "",
        (),
        "save",
        _tr("Save the draft with its sources as Markdown with citations, CSV, JSON lines or BibTeX"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.import",
        _tr("Add Draft to Library"),
        "",
        (),
        "book-plus",
        _tr("Import the draft as a document. Otherwise it isn't added to the library."),
        pane="trace",
        starts_disabled=True,
    ),
)

TRACE_ACTION_IDS = tuple(spec.id for spec in TRACE_ACTIONS if spec.starts_disabled)
"""The actions that need a traced draft."""
