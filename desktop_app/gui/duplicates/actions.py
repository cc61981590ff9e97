"""Actions on pairs."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

DUPLICATES_ACTIONS = (
    ActionSpec(
        "pair.open",
        _tr("Show Both &Places"),
        "tools",
        (),  # Enter in the list
        "side-by-side",
        _tr("Show the places of the chosen pair side by side"),
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.compare",
        _tr("Compare the Pai&r…"),
        "tools",
        ("Ctrl+Return",),
        "scale",
        _tr("See the measures of the chosen pair and how its words belong together"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.reviewed",
        _tr("Mark as Re&viewed"),
        "tools",
        ("R",),
        "check",
        _tr("Mark the chosen pair as looked at, or take that back"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.same",
        _tr("Means the Sa&me"),
        "tools",
        ("S",),
        "equal",
        _tr("Say that both sentences mean the same: labelled data for a training; again takes it back"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.different",
        _tr("N&ot the Same"),
        "tools",
        ("D",),
        "equal-not",
        _tr("Say that the two sentences do not mean the same: labelled data for a training; again takes it back"),
        pane="pairs",
        starts_disabled=True,
    ),
    ActionSpec(
        "pair.copy",
        _tr("Copy the Pair with C&itations"),
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
        _tr("Write the pairs that are listed to a file: CSV, JSON lines or Markdown"),
        starts_disabled=True,
    ),
)

PAIR_ACTION_IDS = ("pair.open", "pair.compare", "pair.reviewed", "pair.same", "pair.different", "pair.copy")
"""The actions that need a selected pair."""

DUPLICATES_ACTION_IDS = tuple(spec.id for spec in DUPLICATES_ACTIONS)
"""The actions that need the pane of duplicates."""
