"""A thread that shares the work of another one, and begins on another core."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class HelperThread(ThreadPoolExecutor):
    """Runs functions one after the other, each beside the thread that submits it.

    On Linux they begin on another core than the one of that thread. In a virtual machine the scheduler believes that a
    halted core is not there (`vcpu_is_preempted` in kernel/sched), and wakes a thread on the core of the one that wakes
    it: both would take turns for as long as a search lasts.

    Args:
        name: of the thread.
    """

    def __init__(self, name: str) -> None:
        # The thread must not refer to this object, otherwise it would never end.
        self._started: list[tuple[int, set[int]]] = []
        super().__init__(1, name, _note_start, (self._started,))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function in the thread, which starts with the first one."""
        if self._started:
            ((thread, allowed),) = self._started
            with suppress(OSError, AttributeError):  # a container may forbid it; another C library has no such function
                others = allowed - {_c_library().sched_getcpu()}
                if others:
                    os.sched_setaffinity(thread, others)
                    return super().submit(partial(_run_anywhere, allowed, fn, *args, **kwargs))
        return super().submit(fn, *args, **kwargs)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _note_start(started: list[tuple[int, set[int]]]) -> None:
    """Note the calling thread, and the cores that it may use."""
    if sys.platform == "linux":
        started.append((threading.get_native_id(), os.sched_getaffinity(0)))


def _run_anywhere(cores: set[int], fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function on the core on which the thread began, or on any of `cores` if the scheduler moves it."""
    with suppress(OSError):
        os.sched_setaffinity(0, cores)
    return fn(*args, **kwargs)
