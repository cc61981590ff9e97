"""Passes through a network that can be held between two of its products, in the thread that computes them.

A pass over a batch takes some 40 ms, and a network cannot be left and taken up again; but its thread can wait. So
networks call `pause_here` before every product, and a thread that computes for nobody in particular says with
`pause_with` what is to happen there. In every other thread (that of a typed query, a training) it does nothing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _Here(threading.local):
    pause: Callable[[], float] | None = None
    rested_s = 0.0


_here = _Here()


def pause_with(pause: Callable[[], float]) -> None:
    """Have passes in this thread call `pause` between their parts; it returns the seconds that it took."""
    _here.pause = pause


def pause_here() -> None:
    """Wait, where this thread is to wait. What `pause` raises ends the pass."""
    if _here.pause is not None:
        _here.rested_s += _here.pause()


def rested_s() -> float:
    """Return the seconds that passes in this thread have waited in all."""
    return _here.rested_s
