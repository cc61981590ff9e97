"""Points in a forward pass at which its thread can be paused.

A pass over a batch takes some 40 ms, and a network cannot be left and taken up again; but its thread can wait. So
networks call `pause_point` before every product, and a thread that computes for nobody in particular says with
`set_pause_hook` what is to happen there. In every other thread (that of a typed query, a training) it does nothing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _ThreadPause(threading.local):
    pause: Callable[[], float] | None = None
    rested_s = 0.0


_thread_pause = _ThreadPause()


def set_pause_hook(pause: Callable[[], float]) -> None:
    """Have passes in this thread call `pause` between their parts; it returns the seconds that it took."""
    _thread_pause.pause = pause


def pause_point() -> None:
    """Wait, where this thread is to wait. What `pause` raises ends the pass."""
    if _thread_pause.pause is not None:
        _thread_pause.rested_s += _thread_pause.pause()


def paused_seconds() -> float:
    """Return the seconds that passes in this thread have waited in all."""
    return _thread_pause.rested_s
