"""Actions on clusters."""

from __future__ import annotations

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

CLUSTER_ACTIONS = (
    ActionSpec(
        "clusters.list",
        _tr("Themes as &List"),
        "",
        ("Ctrl+Alt+L",),
        "list",
        _tr("Show the themes one below the other"),
        pane="clusters",
        group="clusters_view",
    ),
    ActionSpec(
        "clusters.map",
        _tr("Themes as &Map"),
        "",
        ("Ctrl+Alt+V",),
        "map",
        _tr("Show every sentence as a point, near each other what is alike"),
        pane="clusters",
        group="clusters_view",
    ),
    ActionSpec(
        "clusters.find",
        _tr("&Find Themes"),
        "library",
        (),
        "shapes",
        _tr("Find what the library is about; the program chooses how finely"),
        pane="clusters",
        separated=True,
    ),
    ActionSpec(
        "clusters.update",
        _tr("Give New Sentences Their &Place"),
        "library",
        ("F5",),
        "rotate-ccw",
        _tr("Look at the themes again, as finely as before"),
        pane="clusters",
    ),
    ActionSpec(
        "clusters.rename", _tr("&Name Theme…"), "", ("F2",), "pencil", _tr("Give the theme a name"), pane="clusters"
    ),
    ActionSpec(
        "clusters.pin",
        _tr("&Pin Theme"),
        "",
        ("Ctrl+Alt+P",),
        "pin",
        _tr("Keep the theme as it is, however finely the library is divided"),
        pane="clusters",
        checkable=True,
    ),
    ActionSpec(
        "clusters.merge",
        _tr("&Merge Themes"),
        "",
        ("Ctrl+Alt+M",),
        "merge",
        _tr("Make one theme of those that are chosen"),
        pane="clusters",
    ),
    ActionSpec(
        "clusters.split",
        _tr("&Split Theme"),
        "",
        ("Ctrl+Alt+S",),
        "split",
        _tr("Make several themes of the chosen one"),
        pane="clusters",
    ),
    ActionSpec(
        "clusters.undo",
        _tr("&Take Back"),
        "",
        ("Ctrl+Alt+Z",),
        "undo-2",
        _tr("Take the last naming, pinning, merging or splitting back"),
        pane="clusters",
    ),
    ActionSpec(
        "clusters.keys",
        _tr("&Key Sentences…"),
        "",
        ("Ctrl+Alt+K",),
        "list",
        _tr("The most telling of these sentences, as many as you like"),
        pane="clusters",
    ),
    ActionSpec(
        "clusters.export",
        _tr("&Export Themes…"),
        "file",
        (),
        "download",
        _tr("Write all themes with their sentences to a file"),
        pane="clusters",
    ),
)

CLUSTER_ACTION_IDS = tuple(
    spec.id for spec in CLUSTER_ACTIONS if spec.id not in ("clusters.find", "clusters.list", "clusters.map")
)
"""The actions that need clusters."""
