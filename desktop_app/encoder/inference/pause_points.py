"""Points in a forward pass at which its thread can be paused.

A pass over a batch takes some 150 ms, with large models seconds. A network cannot be left and resumed, but its thread
can wait. So networks call `pause_point` before every product, at least before every layer, and a background thread
sets a function for these points with `set_pause_hook`. In every other thread (that of a typed query, a training) a
pause point does nothing.
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
    """Make passes in this thread call `pause` between their parts; `pause` returns the seconds that it took."""
    _thread_pause.pause = pause


def pause_point() -> None:
    """Wait if this thread has to. An exception of the hook ends the pass."""
    if _thread_pause.pause is not None:
        _thread_pause.rested_s += _thread_pause.pause()


def paused_seconds() -> float:
    """Return the total seconds that passes in this thread have waited."""
    return _thread_pause.rested_s
