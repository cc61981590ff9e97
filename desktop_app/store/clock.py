"""The time by which a library counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def never_back(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a clock that stands still while the system's is set back.

    Otherwise what is removed after that would pass for removed in an earlier session, and be erased at once.
    """
    latest = float("-inf")

    def now() -> float:
        nonlocal latest
        latest = max(latest, clock())
        return latest

    return now
