"""Actions on a traced draft."""

from __future__ import annotations

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

TRACE_ACTIONS = (
    ActionSpec(
        "trace.open",
        _tr("Trace a D&raft…"),
        "tools",
        (),
        "list-checks",
        _tr("See of each sentence of a file what in the library it rests on; nothing of it enters the library"),
    ),
    ActionSpec(
        "trace.paste",
        _tr("Trace Copied Te&xt"),
        "tools",
        (),
        "clipboard-paste",
        _tr("See of each sentence of the text on the clipboard what in the library it rests on"),
    ),
    ActionSpec(
        "trace.next",
        _tr("Next Sentence without Support"),
        "",
        ("F8",),
        "chevron-down",
        _tr("Go to the next sentence of the draft that is only related or unsupported, or of the kind that was chosen"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.previous",
        _tr("Previous Sentence without Support"),
        "",
        ("Shift+F8",),
        "chevron-up",
        _tr("Go to the one before"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.again",
        _tr("Trace the Draft Again"),
        "",
        ("F5",),
        "rotate-ccw",
        _tr("Read the draft anew, and look for it in the library as it is now"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.export",
        _tr("Export the Traced Draft…"),
        "",
        (),
        "save",
        _tr("Write the draft with its sources to a file: CSV, JSON lines, or Markdown with citations"),
        pane="trace",
        starts_disabled=True,
    ),
    ActionSpec(
        "trace.import",
        _tr("Add the Draft to the Library"),
        "",
        (),
        "book-plus",
        _tr("Import the file of the draft, or keep its text as a document: nothing of it enters the library otherwise"),
        pane="trace",
        starts_disabled=True,
    ),
)

TRACE_ACTION_IDS = tuple(spec.id for spec in TRACE_ACTIONS if spec.starts_disabled)
"""The actions that need a traced draft."""
