"""What is shown where results would be, as a function of the state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StateContent:
    """What is shown: an icon, a title, a text, and the ids of actions that help."""

    kind: str
    icon: str
    title: str
    text: str = ""
    actions: tuple[str, ...] = ()
    tone: str = "muted"
