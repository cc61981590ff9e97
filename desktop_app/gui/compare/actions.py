"""Actions that compare sentences."""

from __future__ import annotations

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

COMPARE_ACTIONS = (
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
)
