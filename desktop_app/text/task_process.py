"""Runs named tasks in a child process that can be killed: both sides of the pipe.

A task is a generator function. The values that it yields cross the pipe one message at a time, and a full pipe makes
it wait. The process is persistent (spawn) and starts when it is first needed. The parent's `poll` is also the
watchdog; there is no thread on that side.
"""

from __future__ import annotations

import importlib
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.child_process import ChildDied, ChildProcess, TaskCrashed, TaskFailed
from desktop_app.core.errors import AppError, FileFailure
from desktop_app.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.reader_events import ReaderLimits

TASKS: dict[str, str] = {
    "read_document": "desktop_app.text.readers:read_document",
    "look_at_file": "desktop_app.text.page_tasks:look_at_file",
    "open_pages": "desktop_app.text.page_tasks:open_pages",
    "render_page": "desktop_app.text.page_tasks:render_page",
    "page_boxes": "desktop_app.text.page_tasks:page_boxes",
    "page_characters": "desktop_app.text.page_tasks:page_characters",
    "write_annotations": "desktop_app.text.page_tasks:write_annotations",
    "find_ocr": "desktop_app.text.tesseract:find_ocr",
}
"""Name of each task and its generator function, imported on first use."""

_START_TIMEOUT_S = 60.0
"""Silence allowed to a process that is still starting, on a busy machine."""
_CPU_CHECK_S = 0.2
"""Silence after which the processor time of the process is watched, and how often."""
_MAX_POLL_GAP_S = 5.0
"""A longer time between two polls (a busy parent, a machine asleep) counts as this much silence."""
_RESTART_MEMORY_SHARE = 0.25
"""A process that still holds this share of its limit when a task begins is replaced by a new one."""


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The process has started."""


@dataclass(frozen=True, slots=True)
class TaskYielded:
    """A task yielded a value."""

    value: Any


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A task is finished."""


WorkerMessage = WorkerReady | TaskYielded | TaskEnded | TaskFailed | TaskCrashed


def import_task(target: str) -> Callable[..., Iterator[Any]]:
    """Return the function that `module:name` names."""
    module, _, name = target.partition(":")
    function: Callable[..., Iterator[Any]] = getattr(importlib.import_module(module), name)
    return function


def serve_tasks(pipe: Connection, tasks: dict[str, str]) -> None:
    """Serve tasks in a child process.

    Raises:
        EOFError, ConnectionError: the parent closed the pipe.
    """
    pipe.send((0, WorkerReady()))
    while True:
        ticket, name, arguments = pipe.recv()
        pipe.send((ticket, _run_task(pipe, ticket, tasks[name], arguments)))


def _run_task(pipe: Connection, ticket: int, target: str, arguments: dict[str, Any]) -> WorkerMessage:
    try:
        for value in import_task(target)(**arguments):
            pipe.send((ticket, TaskYielded(value)))
    except AppError as error:
        return TaskFailed(error)
    except (BrokenPipeError, ConnectionError):
        raise
    except MemoryError:
        return TaskFailed(FileFailure("too_large", "The file needs more memory than it may have"))
    except RecursionError:
        return TaskFailed(FileFailure("damaged", "The file is nested too deeply"))
    except Exception:  # noqa: BLE001 - the process survives any error of a library and serves the next file
        return TaskCrashed(traceback.format_exc())
    return TaskEnded()


class ProcessDied(Exception):
    """The process of a task crashed or was killed.

    Attributes:
        reason: `timeout` or `too_large` when the watchdog killed it, `damaged` when it crashed.
        message: what happened, for a person.
    """

    def __init__(self, reason: FailureReason, template: str, /, **values: object) -> None:
        self.reason = reason
        self.message = Message.of(template, values, reason)
        super().__init__(str(self.message))


class TaskProcess:
    """A process that runs named tasks, one at a time; it is restarted after it was killed.

    Args:
        limits: of its memory and silence.
        tasks: by default `TASKS`.
    """

    def __init__(self, limits: ReaderLimits, tasks: dict[str, str] | None = None) -> None:
        self._limits = limits
        self._tasks = TASKS if tasks is None else tasks
        self._child: ChildProcess | None = None
        self._busy = False
        self._ending = False
        self._ticket = 0
        self._task: tuple[str, dict[str, Any]] = ("", {})
        self._may_repeat = False
        self._ready = False
        self._silence_s = 0.0
        self._computed_s = 0.0
        self._cpu_at: float | None = None
        self._checked_at_s = 0.0
        self._last_poll = 0.0

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._child.pid if self._child is not None else None

    def begin(self, task: str, arguments: dict[str, Any]) -> None:
        """Start a task; kill one that is still running."""
        if (self._busy and not self._ending) or self._is_unfit():
            self.kill()
        self._task = (task, arguments)
        self._may_repeat = True
        self._send()

    def _send(self) -> None:
        self._ticket += 1
        for attempt in (1, 2):
            if self._child is None:
                self._child = ChildProcess(
                    serve_tasks,
                    (self._tasks,),
                    name="kindred-reader",
                    memory_bytes=self._limits.memory_bytes,
                    with_scratch_folder=True,
                )
            try:
                self._child.send((self._ticket, *self._task))
                break
            except OSError:
                # It died while idle: a new one takes over.
                self.kill()
                if attempt == 2:
                    raise
        self._busy, self._ending = True, False
        self._note_progress()
        self._last_poll = time.monotonic()

    def leave(self) -> None:
        """Ignore further messages of the task, which is about to end by itself."""
        self._ending = True

    def poll(self) -> WorkerMessage | None:
        """Return the task's next message, or None if there is none yet. Never waits.

        Raises:
            ProcessDied: it crashed, or the watchdog killed it.
        """
        if self._child is None or not self._busy:
            return None
        now = time.monotonic()
        gap, self._last_poll = now - self._last_poll, now
        try:
            while (received := self._child.receive()) is not None:
                ticket, message = received
                self._note_progress()
                self._ready = True
                if ticket != self._ticket:
                    continue  # "ready", or a message that an earlier task left
                self._may_repeat = False
                if not isinstance(message, TaskYielded):
                    self._busy = False
                return message  # type: ignore[no-any-return]
        except ChildDied as death:
            self.kill()
            if death.was_killed or not self._may_repeat:
                raise self._too_large() if death.exceeded_memory else _crashed() from death
            # It died before the task began (killed while it waited, say), so the task is not the cause.
            self._may_repeat = False
            self._send()
            return None
        # Silence is counted only here: an unread message is no silence.
        self._silence_s += min(gap, _MAX_POLL_GAP_S)
        allowed = self._limits.silence_s if self._ready else max(self._limits.silence_s, _START_TIMEOUT_S)
        self._watch_cpu()
        if self._computed_s > allowed:
            self.kill()
            raise ProcessDied("timeout", "No progress for {allowed:g} seconds", allowed=allowed)
        if self._silence_s > self._limits.stalled_s:
            self.kill()
            raise ProcessDied("timeout", "No progress for {allowed:g} seconds", allowed=self._limits.stalled_s)
        return None

    def _note_progress(self) -> None:
        self._silence_s = self._computed_s = self._checked_at_s = 0.0
        self._cpu_at = None

    def _watch_cpu(self) -> None:
        """Measure how long the process has computed since its last message: on a busy machine it often waits."""
        if self._child is None or self._silence_s - self._checked_at_s < _CPU_CHECK_S:
            return
        self._checked_at_s = self._silence_s
        cpu = self._child.cpu_seconds
        if cpu is None:
            self._computed_s = self._silence_s
        elif self._cpu_at is None:
            self._cpu_at = cpu
        else:
            self._computed_s = cpu - self._cpu_at

    def kill(self) -> None:
        """End the process now; a running task is lost."""
        child, self._child = self._child, None
        self._busy = self._ending = self._ready = False
        if child is not None:
            child.close()

    def _is_unfit(self) -> bool:
        if self._child is None:
            return False
        if not self._child.is_alive:
            return True
        return self._child.resident_bytes > _RESTART_MEMORY_SHARE * self._limits.memory_bytes

    def _too_large(self) -> ProcessDied:
        megabytes = self._limits.memory_bytes // 1_000_000
        return ProcessDied("too_large", "The file needs more than {megabytes:,} MB of memory", megabytes=megabytes)


def _crashed() -> ProcessDied:
    return ProcessDied("damaged", "The file crashed the reader")
