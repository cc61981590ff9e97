"""What can be done about the documents that are read: rows of the table of actions."""

from __future__ import annotations

from desktop_app.gui.action_spec import ActionSpec
from desktop_app.gui.action_spec import mark as _tr

TABS = (
    ActionSpec(
        "reader.open_tab",
        _tr("Open in New &Tab"),
        "view",
        ("Ctrl+Return", "Ctrl+Enter"),
        "file-plus",
        _tr("Read the chosen hit or document beside what is open already; a middle click does so too"),
        pane="opening",
        separated=True,
    ),
    ActionSpec(
        "reader.close_tab",
        _tr("&Close Document"),
        "view",
        ("Ctrl+W",),
        "x",
        _tr("Close the document in the reader, with its tab where there are several"),
    ),
    ActionSpec(
        "reader.next_tab",
        _tr("Ne&xt Tab"),
        "view",
        ("Ctrl+Tab",),
        tip=_tr("Read the next open document"),
    ),
    ActionSpec(
        "reader.previous_tab",
        _tr("Previo&us Tab"),
        "view",
        ("Ctrl+Shift+Tab",),
        tip=_tr("Read the open document before"),
    ),
)

EXTRACTION = (
    ActionSpec(
        "reader.extraction",
        _tr("Show E&xtraction"),
        "view",
        ("Ctrl+Shift+X",),
        "scan-text",
        _tr("Show in the reader where sentences begin and end and what became of each page, or hide it"),
        separated=True,
    ),
    ActionSpec(
        "reader.merge",
        _tr("Merge Sentence with the Next"),
        "",
        ("Ctrl+Alt+M",),
        tip=_tr("In the extraction view: make one sentence of the chosen one and the next"),
    ),
    ActionSpec(
        "reader.split",
        _tr("Split Sentence at the Caret"),
        "",
        ("Ctrl+Alt+S",),
        tip=_tr("In the extraction view: let a new sentence begin at the word with the caret"),
    ),
    ActionSpec(
        "reader.ignore",
        _tr("Ignore Sentence"),
        "",
        ("Ctrl+Alt+I",),
        tip=_tr("In the extraction view: leave the chosen sentence out of the library, wherever it stands here"),
    ),
    ActionSpec(
        "reader.undo_correction",
        _tr("Undo Correction of Sentences"),
        "",
        ("Ctrl+Alt+Z",),
        tip=_tr("In the extraction view: undo the last correction of this document"),
    ),
)
