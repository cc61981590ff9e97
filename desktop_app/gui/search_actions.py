"""What a person can do about how searches look for things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.action_spec import ActionSpec
from desktop_app.gui.action_spec import mark as _tr

if TYPE_CHECKING:
    from desktop_app.core.records import SearchMode

MODES: tuple[SearchMode, ...] = ("both", "meaning", "words")

SEARCHING = (
    ActionSpec(
        "search.mode.both",
        _tr("By Meaning and &Words"),
        "edit",
        tip=_tr("Find what means the same and what has the words"),
        group="search_mode",
        separated=True,
    ),
    ActionSpec(
        "search.mode.meaning",
        _tr("By Meanin&g"),
        "edit",
        tip=_tr("Find what means the same, whatever its words"),
        group="search_mode",
    ),
    ActionSpec(
        "search.mode.words",
        _tr("By W&ords"),
        "edit",
        tip=_tr("Find what has the words, in any of their forms"),
        group="search_mode",
    ),
    ActionSpec(
        "search.notation",
        _tr("Search &Notation"),
        "help",
        (),
        "text-search",
        _tr("How to ask for exact phrases, leave words out, and keep to titles, folders, types and dates"),
    ),
)
