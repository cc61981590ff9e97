"""What can be done about how a document was cut into sentences: rows of the table of actions."""

from __future__ import annotations

from desktop_app.gui.action_spec import ActionSpec
from desktop_app.gui.action_spec import mark as _tr

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
