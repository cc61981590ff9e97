"""Setup of child processes: skip the main module, silence output, end with the parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import types
import warnings
from multiprocessing import connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NICENESS = 5


@contextlib.contextmanager
def hide_main_module() -> Iterator[None]:
    """Hide `__main__` while a process starts: spawn would run it again in the child, with all it imports."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def lower_priority() -> None:
    """Let other programs go first from here on: this thread, and the threads and processes that it begins.

    Five steps of niceness: at ten, work came to a standstill beside a busy program. Where threads have no priority of
    their own it is the whole process that gives way.
    """
    with contextlib.suppress(OSError, AttributeError):
        if sys.platform == "linux":
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, max(os.getpriority(os.PRIO_PROCESS, thread), _NICENESS))
        elif sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), _NICENESS))
        else:
            import psutil

            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)


def silence_output() -> None:
    """Send what libraries print to nowhere: the terminal belongs to the command line's answers."""
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, number)
    os.close(nowhere)


def exit_with_parent(first: Callable[[], object] = lambda: None) -> None:
    """End this process when its parent ends, even while a library is busy; do `first` before."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        first()
        os._exit(1)

    threading.Thread(target=wait, name="parent-watch", daemon=True).start()
