"""Actions on pairs."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

DUPLICATES_ACTIONS = (
    ActionSpec(
        "pair.open",
        _tr("Sho&w Side by Side"),
        "tools",
        (),  # Enter in the list
        "side-by-side",
        _tr("Show both sentences of the selected pair in their documents, side by side"),
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.compare",
        _tr("Compare Pai&r…"),
        "tools",
        ("Ctrl+Return",),
        "scale",
        _tr("Compare the selected pair in detail: scores and matching words"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.reviewed",
        _tr("Mark as Re&viewed"),
        "tools",
        ("R",),
        "check",
        _tr("Mark the selected pair as reviewed, or remove the mark"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.same",
        _tr("Means the Sa&me"),
        "tools",
        ("S",),
        "equal",
        _tr("Label the selected pair as meaning the same, for training. Repeat to remove the label."),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.different",
        _tr("N&ot the Same"),
        "tools",
        ("D",),
        "equal-not",
        _tr("Label the selected pair as not meaning the same, for training. Repeat to remove the label."),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.copy",
        _tr("Copy Pair with C&itations"),
        "tools",
        (QKeySequence.StandardKey.Copy,),
        "quote",
        _tr("Copy both sentences with their documents and pages"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.export",
        _tr("E&xport Pairs…"),
        "file",
        (),
        "save",
        _tr("Save the listed pairs as CSV, JSON lines or Markdown"),
        starts_disabled=True,
    ),
)

PAIR_ACTION_IDS = ("pair.open", "pair.compare", "pair.reviewed", "pair.same", "pair.different", "pair.copy")
"""The actions that need a selected pair."""

DUPLICATES_ACTION_IDS = tuple(spec.id for spec in DUPLICATES_ACTIONS)
"""The actions that need the pane of duplicates."""
