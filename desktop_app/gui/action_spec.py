"""One row of the table of actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from PySide6.QtGui import QKeySequence


def mark(text: str) -> str:
    """Mark a text of the table for translation, which `shown` does when the language is known."""
    return text


def shown(text: str) -> str:
    """Return a marked text in the window's language."""
    return QCoreApplication.translate("", text)


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing a person can do.

    Attributes:
        id: stable; the part before the dot says what it is about.
        text: as it stands in menus.
        menu: the menu it stands in; empty for none.
        keys: shortcuts; the first is shown.
        icon: name of its icon; empty for none.
        tip: one sentence that says more than the text.
        pane: the pane that has to hold the focus for its shortcut; empty for the whole window.
        group: of a set of choices only one is checked.
        checkable: it is on or off.
        separated: whether a line stands above it in its menu.
    """

    id: str
    text: str
    menu: str = ""
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""
    tip: str = ""
    pane: str = ""
    group: str = ""
    checkable: bool = False
    separated: bool = False
