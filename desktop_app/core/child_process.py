"""The host of child processes: start, messages both ways, limits, and an end with the parent.

The readers of files, the tasks of training and evaluation, the download of a model and the building of a segment of
the vector index all run in a `ChildProcess`. Each has its own protocol above it: which messages cross the pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import types
import warnings
from dataclasses import dataclass
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

from desktop_app.core.unfinished_files import make_temporary_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

    from desktop_app.core.errors import AppError, Cancelled

ADDRESS_SPACE_MARGIN = 1 << 30
"""Bytes of address space that a child may use beyond its resident memory: libraries, reserved heaps."""

CONTEXT: BaseContext = multiprocessing.get_context("spawn")
"""Starts the processes: a forked child of a program with threads may hang."""

_NICENESS = 5
_THREAD_BELOW_NORMAL = -1  # of Windows
_MEMORY_CHECK_S = 0.25
_JOIN_TIMEOUT_S = 5.0


class ChildDied(Exception):
    """A child process crashed, or was killed because it used too much memory.

    Attributes:
        exit_status: as `multiprocessing.Process.exitcode`.
        was_killed: the host killed it because it exceeded its memory limit.
        exceeded_memory: it was killed for that, or crashed in a way that looks like it.
    """

    def __init__(self, exit_status: int | None, *, was_killed: bool = False, exceeded_memory: bool = False) -> None:
        super().__init__(f"a child process ended with status {exit_status}")
        self.exit_status = exit_status
        self.was_killed = was_killed
        self.exceeded_memory = exceeded_memory


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """Message of a child: its task raised an error that a person can act on, or was cancelled."""

    error: AppError | Cancelled


@dataclass(frozen=True, slots=True)
class TaskCrashed:
    """Message of a child: its task raised an unexpected exception. `details` is its traceback."""

    details: str


@dataclass(frozen=True, slots=True)
class _ChildSetup:
    """What a child does before its own work."""

    is_low_priority: bool
    memory_bytes: int | None
    scratch_folder: str


class ChildProcess:
    """A spawned process that is connected to this one by a pipe.

    The child ignores Ctrl+C, prints nothing, and ends when its parent ends. There is no thread on the parent's side:
    `receive` also checks the child's memory. Use one instance from one thread.

    Args:
        target: a function of a module, called in the child as `target(pipe, *arguments)`. Its module is imported in
            the child.
        arguments: are pickled.
        name: of the process.
        low_priority: other programs, and the program itself, go first.
        memory_bytes: resident memory that the child may use; None for no limit.
        with_scratch_folder: give the child a folder for its temporary files; it is deleted with the child, however
            that ends.

    Raises:
        OSError: the process cannot be started.
        StorageFull: the folder cannot be created.
    """

    def __init__(
        self,
        target: Callable[..., None],
        arguments: tuple[object, ...],
        *,
        name: str,
        low_priority: bool = False,
        memory_bytes: int | None = None,
        with_scratch_folder: bool = False,
    ) -> None:
        self._memory_bytes = memory_bytes
        self._peak_bytes = 0
        self._scratch = contextlib.ExitStack()
        self._scratch_folder = str(self._scratch.enter_context(make_temporary_folder())) if with_scratch_folder else ""
        setup = _ChildSetup(low_priority, memory_bytes, self._scratch_folder)
        self._pipe, childs_end = CONTEXT.Pipe()
        self._process = CONTEXT.Process(  # type: ignore[attr-defined]  # every context has it
            target=_run_child, args=(childs_end, setup, target, arguments), name=name, daemon=True
        )
        try:
            with _MAIN_MODULE.hide():
                self._process.start()
        except BaseException:
            self._pipe.close()
            self._delete_scratch_folder()
            raise
        finally:
            childs_end.close()
        self.pid = self._process.pid
        self._is_closed = False
        self._memory_checked_at = time.monotonic()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return not self._is_closed and self._process.is_alive()

    @property
    def resident_bytes(self) -> int:
        """The child's resident memory; 0 when it is not known."""
        import psutil  # type: ignore[import-untyped]  # here, and not above: the window starts without it

        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    @property
    def cpu_seconds(self) -> float | None:
        """The processor time that the child and its ended children have used; None when it is not known."""
        import psutil

        try:
            return float(sum(psutil.Process(self.pid).cpu_times()[:4]))
        except psutil.Error:
            return None

    def send(self, message: object) -> None:
        """Send a message to the child.

        Raises:
            OSError: the child is gone.
        """
        self._pipe.send(message)

    def receive(self, wait_s: float = 0.0) -> Any | None:
        """Return the child's next message; None when none arrives within `wait_s` seconds.

        Raises:
            ChildDied: the child crashed, or was killed here because of its memory. It is closed then.
        """
        self._check_memory()
        try:
            return self._pipe.recv() if self._pipe.poll(wait_s) else None
        except (EOFError, OSError) as error:
            raise self._close_dead() from error

    def wait(self, seconds: float) -> None:
        """Wait until there is something to `receive`, at most `seconds`."""
        with contextlib.suppress(OSError):
            self._pipe.poll(seconds)

    def close(self) -> None:
        """Kill the process and the processes that it has started. Calling it again does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        _kill_process_tree(self._process)
        self._pipe.close()
        with contextlib.suppress(ValueError):  # it still runs
            self._process.close()
        self._delete_scratch_folder()

    def _check_memory(self) -> None:
        now = time.monotonic()
        if self._memory_bytes is None or self._is_closed or now - self._memory_checked_at < _MEMORY_CHECK_S:
            return
        self._memory_checked_at = now
        self._peak_bytes = max(self._peak_bytes, self.resident_bytes)
        if self._peak_bytes > self._memory_bytes:
            self.close()
            raise ChildDied(None, was_killed=True, exceeded_memory=True)

    def _close_dead(self) -> ChildDied:
        exit_status = None
        if not self._is_closed:
            self._process.join(_JOIN_TIMEOUT_S)
            exit_status = self._process.exitcode
        self.close()
        # A library that gets no more memory aborts: between two checks, too much memory shows as a crash.
        is_large = self._memory_bytes is not None and self._peak_bytes > 0.5 * self._memory_bytes
        return ChildDied(exit_status, exceeded_memory=is_large)

    def _delete_scratch_folder(self) -> None:
        self._scratch.close()


def lower_priority() -> None:
    """Let other programs go first from here on: this thread, and the threads and processes that it starts.

    Five steps of niceness: at ten, work came to a standstill next to a busy program. On macOS this changes the whole
    process. On Windows a child's main thread changes its process, and any other thread only itself: the window, in a
    process of low priority, would stand still next to a busy program.
    """
    with contextlib.suppress(OSError, AttributeError):
        if sys.platform == "linux":
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, max(os.getpriority(os.PRIO_PROCESS, thread), _NICENESS))
        elif sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), _NICENESS))
        elif threading.current_thread() is threading.main_thread():
            import psutil

            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        else:
            system = ctypes.WinDLL("kernel32")
            system.GetCurrentThread.restype = ctypes.c_void_p
            system.SetThreadPriority(ctypes.c_void_p(system.GetCurrentThread()), _THREAD_BELOW_NORMAL)


class _MainModuleHider:
    """Hides `__main__` while processes start: spawn would run it again in the child, with all it imports.

    Several threads may start processes at the same time: it is back when the last one has started.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._starting = 0
        self._main: types.ModuleType | None = None

    @contextlib.contextmanager
    def hide(self) -> Iterator[None]:
        """Hide it in this block."""
        with self._lock:
            if not self._starting:
                self._main = sys.modules["__main__"]
                sys.modules["__main__"] = types.ModuleType("__main__")
            self._starting += 1
        try:
            yield
        finally:
            with self._lock:
                self._starting -= 1
                if not self._starting and self._main is not None:
                    sys.modules["__main__"], self._main = self._main, None


_MAIN_MODULE = _MainModuleHider()


def _kill_process_tree(process: multiprocessing.process.BaseProcess) -> None:
    """Kill a process and the processes that it has started, such as the programs that recognise text."""
    import psutil

    helpers: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error, ValueError):
        helpers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.join(_JOIN_TIMEOUT_S)
    for helper in helpers:
        with contextlib.suppress(psutil.Error):
            helper.kill()


def _run_child(
    pipe: Connection, setup: _ChildSetup, target: Callable[..., None], arguments: tuple[object, ...]
) -> None:
    """Run in the child: set the process up, then call `target`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which then ends its children in order
    if setup.scratch_folder:
        tempfile.tempdir = setup.scratch_folder
    _silence_output()
    _exit_with_parent(setup.scratch_folder)
    if setup.is_low_priority:
        lower_priority()
    if setup.memory_bytes is not None:
        _limit_address_space(setup.memory_bytes)
    try:
        target(pipe, *arguments)
    except (EOFError, ConnectionError):  # the parent is gone or has closed its end
        if setup.scratch_folder:
            shutil.rmtree(setup.scratch_folder, ignore_errors=True)


def _silence_output() -> None:
    """Discard what libraries print: the terminal is for the command line's answers."""
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, number)
    os.close(nowhere)


def _exit_with_parent(scratch_folder: str) -> None:
    """End this process when its parent ends, even while a library is busy."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        if scratch_folder:
            shutil.rmtree(scratch_folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=wait, name="parent-watch", daemon=True).start()


def _limit_address_space(memory_bytes: int) -> None:
    """Cap the address space where the system can: a bomb must not outrun the parent's memory checks."""
    if sys.platform == "linux":
        import resource

        limit = memory_bytes + ADDRESS_SPACE_MARGIN
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
