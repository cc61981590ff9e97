"""Runs readers in a child process that can be killed.

One persistent process (spawn), started when it is first needed. Whoever polls is also the watchdog; there is
no thread on this side.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, NoReturn

from desktop_app.core.child_process import ChildDied, ChildProcess, TaskCrashed, TaskFailed
from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.reader_events import (
    ArchiveRead,
    DocumentHead,
    FileUnchanged,
    PageRead,
    ReaderEvent,
    ReaderLimits,
    ReadingDone,
    SentencesRead,
)
from desktop_app.text import task_worker
from desktop_app.text.readers.reader_steps import Heartbeat, RetryWith

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.errors import FailureReason

_START_TIMEOUT_S = 60.0
"""Silence allowed to a process that is only starting, on a busy machine."""
_MAX_POLL_GAP_S = 5.0
"""A longer time between two polls (a busy parent, a machine asleep) counts as this much silence."""
_MAX_ATTEMPTS = 3
_RESTART_MEMORY_SHARE = 0.25
"""A process that still holds this share of its limit when a task begins is replaced by a fresh one."""

_log = logging.getLogger(__name__)


class ProcessDied(Exception):
    """The process of a task is gone or was killed.

    Attributes:
        reason: `timeout` or `too_large` when the watchdog killed it, `damaged` when it crashed.
        message: what happened, for a person.
    """

    def __init__(self, reason: FailureReason, template: str, /, **values: object) -> None:
        self.reason = reason
        self.message = Message.of(template, values, reason)
        super().__init__(str(self.message))


class TaskProcess:
    """A process that runs named tasks, one at a time, and is restarted when it was killed.

    Any task of `task_worker.TASKS` runs here: reading now, rendering of pages later.
    """

    def __init__(self, limits: ReaderLimits, tasks: dict[str, str] | None = None) -> None:
        self._limits = limits
        self._tasks = task_worker.TASKS if tasks is None else tasks
        self._child: ChildProcess | None = None
        self._busy = False
        self._ending = False
        self._ticket = 0
        self._task: tuple[str, dict[str, Any]] = ("", {})
        self._may_repeat = False
        self._ready = False
        self._silence_s = 0.0
        self._last_poll = 0.0

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is none."""
        return self._child.pid if self._child is not None else None

    def begin(self, task: str, arguments: dict[str, Any]) -> None:
        """Start a task; one that is still running is killed."""
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
                    task_worker.serve_tasks,
                    (self._tasks,),
                    name="kindred-reader",
                    memory_bytes=self._limits.memory_bytes,
                    with_scratch_folder=True,
                )
            try:
                self._child.send((self._ticket, *self._task))
                break
            except OSError:
                # It died while it had nothing to do: a fresh one takes over.
                self.kill()
                if attempt == 2:
                    raise
        self._busy, self._ending = True, False
        self._silence_s = 0.0
        self._last_poll = time.monotonic()

    def leave(self) -> None:
        """Take no more messages of the task, which is about to end by itself."""
        self._ending = True

    def poll(self) -> task_worker.WorkerMessage | None:
        """Return the task's next message, or None when there is none yet. Never waits.

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
                self._silence_s = 0.0
                self._ready = True
                if ticket != self._ticket:
                    continue  # the process is ready, or what an earlier task left behind
                self._may_repeat = False
                if not isinstance(message, task_worker.TaskYielded):
                    self._busy = False
                return message  # type: ignore[no-any-return]
        except ChildDied as death:
            self.kill()
            if death.was_killed or not self._may_repeat:
                raise self._too_large() if death.exceeded_memory else _crashed() from death
            # It died before the task began (killed while it waited, say): that is not the task's fault.
            self._may_repeat = False
            self._send()
            return None
        # Only here is silence counted: messages that we left unread were none.
        self._silence_s += min(gap, _MAX_POLL_GAP_S)
        allowed = self._limits.silence_s if self._ready else max(self._limits.silence_s, _START_TIMEOUT_S)
        if self._silence_s > allowed:
            self.kill()
            raise ProcessDied("timeout", "No progress for {allowed:g} seconds", allowed=allowed)
        return None

    def kill(self) -> None:
        """End the process now; a task that it runs is lost."""
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


class ProcessReader:
    """Keeps the promises of `core.ports.Reader`: files to sentences, in a process that can be killed."""

    def __init__(self, limits: ReaderLimits | None = None, *, tasks: dict[str, str] | None = None) -> None:
        self._limits = limits or ReaderLimits()
        self._process = TaskProcess(self._limits, tasks)
        self._reading: FileReading | None = None

    @property
    def pid(self) -> int | None:
        """The id of the reader's process; None while there is none."""
        return self._process.pid

    def start(
        self, path: Path, *, password: str | None = None, known_hash: str | None = None, ocr: str = ""
    ) -> FileReading:
        """Begin to read `path`; a reading that is still going on is cancelled."""
        if self._reading is not None:
            self._reading.cancel()
        arguments = {
            "path": path,
            "password": password,
            "known_hash": known_hash,
            "file_bytes": self._limits.file_bytes,
        }
        if ocr:
            arguments["ocr"] = ocr
        self._reading = FileReading(self._process, arguments)
        return self._reading

    def close(self) -> None:
        """End the process."""
        if self._reading is not None:
            self._reading.cancel()
        self._process.kill()


class FileReading:
    """Keeps the promises of `core.ports.Reading`."""

    def __init__(self, process: TaskProcess, arguments: dict[str, Any]) -> None:
        self._process = process
        self._arguments = arguments
        self._fallback: dict[str, Any] | None = None
        self._first_death: ProcessDied | None = None
        self._attempts = 1
        self._head_given = self._sentences_given = False
        self._pages_given = 0
        self._over = False
        self._process.begin("read_document", arguments)

    def poll(self) -> ReaderEvent | None:
        """Return the next event, or None when there is none yet.

        Raises:
            FileFailure: the file cannot be read; the reading is over.
        """
        while not self._over:
            try:
                message = self._process.poll()
            except ProcessDied as death:
                self._after(death)
                return None
            match message:
                case None:
                    return None
                case task_worker.TaskYielded(value=value):
                    event = self._taken(value)
                    if event is not None:
                        return event
                case TaskFailed(error=error):
                    self._fail(error)
                case TaskCrashed(details=details):
                    _log.error("a reader broke on a file:\n%s", details)
                    self._fail(FileFailure("damaged", "The file is damaged and cannot be read"))
                case task_worker.TaskEnded():
                    self._over = True
        return None

    def cancel(self) -> None:
        """Stop reading. Calling it again, or after the end, does nothing."""
        if not self._over:
            self._over = True
            self._process.kill()

    def _taken(self, value: object) -> ReaderEvent | None:
        """Return what the caller is to see of a value: nothing twice, when a second engine began anew."""
        match value:
            case RetryWith(changes=changes):
                self._fallback = changes
            case Heartbeat():
                pass
            case DocumentHead():
                given, self._head_given = self._head_given, True
                return None if given else value
            case PageRead(page=page):
                if page > self._pages_given:
                    self._pages_given = page
                    return value
            case RecognisedPage():
                return value
            case SentencesRead():
                self._sentences_given = True
                return value
            case ReadingDone() | FileUnchanged() | ArchiveRead():
                self._over = True
                self._process.leave()
                return value
            case _:
                raise AssertionError(f"a reader yielded {value!r}")
        return None

    def _after(self, death: ProcessDied) -> None:
        """Begin again with the other engine, where there is one and nothing was given that it would repeat."""
        changes, self._fallback = self._fallback, None
        if self._first_death is None:
            self._first_death = death
        if changes is None or self._sentences_given or self._attempts >= _MAX_ATTEMPTS:
            self._fail(FileFailure(self._first_death.reason, self._first_death.message))
        self._attempts += 1
        self._arguments = self._arguments | changes
        self._process.begin("read_document", self._arguments)

    def _fail(self, error: Exception) -> NoReturn:
        self._over = True
        if self._first_death is not None and self._first_death.reason != "damaged":
            # The second engine's complaint tells less than what the first one ran into.
            raise FileFailure(self._first_death.reason, self._first_death.message) from error
        raise error
