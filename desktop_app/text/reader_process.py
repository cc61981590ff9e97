"""Reads files in a child process that can be killed: the parent side of `readers`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

from desktop_app.core.child_process import TaskCrashed, TaskFailed
from desktop_app.core.errors import FileFailure
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
from desktop_app.text.readers.reader_steps import Heartbeat, RetryWith
from desktop_app.text.task_process import ProcessDied, TaskEnded, TaskProcess, TaskYielded

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_MAX_ATTEMPTS = 6
"""Each costs the limit of silence: a file may have a few pages on which a library hangs, not any number."""

_log = logging.getLogger(__name__)


class ProcessReader:
    """Implements `core.ports.Reader`: files to sentences, in a process that can be killed."""

    def __init__(self, limits: ReaderLimits | None = None, *, tasks: dict[str, str] | None = None) -> None:
        self._limits = limits or ReaderLimits()
        self._process = TaskProcess(self._limits, tasks)
        self._reading: FileReading | None = None

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._process.pid

    def start(
        self, path: Path, *, password: str | None = None, known_hashes: Collection[str] = (), ocr: str = ""
    ) -> FileReading:
        """Begin to read `path`; cancel a reading that is still running."""
        if self._reading is not None:
            self._reading.cancel()
        arguments = {
            "path": path,
            "password": password,
            "known_hashes": tuple(known_hashes),
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
    """Implements `core.ports.Reading`."""

    def __init__(self, process: TaskProcess, arguments: dict[str, Any]) -> None:
        self._process = process
        self._arguments = arguments
        self._fallback: dict[str, Any] | None = None
        self._first_death: ProcessDied | None = None
        self._attempts = 1
        self._has_head = self._has_sentences = False
        self._pages_returned = 0
        self._over = False
        self._process.begin("read_document", arguments)

    def poll(self) -> ReaderEvent | None:
        """Return the next event, or None if there is none yet.

        Raises:
            FileFailure: the file cannot be read; the reading is over.
        """
        while not self._over:
            try:
                message = self._process.poll()
            except ProcessDied as death:
                self._restart(death)
                return None
            match message:
                case None:
                    return None
                case TaskYielded(value=value):
                    event = self._filter_event(value)
                    if event is not None:
                        return event
                case TaskFailed(error=error):
                    self._fail(error)
                case TaskCrashed(details=details):
                    _log.error("a reader failed on a file:\n%s", details)
                    self._fail(FileFailure("damaged", "The file is damaged and cannot be read"))
                case TaskEnded():
                    self._over = True
        return None

    def cancel(self) -> None:
        """Stop reading. Calling it again, or after the end, does nothing."""
        if not self._over:
            self._over = True
            self._process.kill()

    def _filter_event(self, value: object) -> ReaderEvent | None:
        """Return the event for the caller, or None. After a restart with another engine no event is repeated."""
        match value:
            case RetryWith(changes=changes):
                self._fallback = changes
            case Heartbeat():
                pass
            case DocumentHead():
                had_head, self._has_head = self._has_head, True
                return None if had_head else value
            case PageRead(page=page):
                if page > self._pages_returned:
                    self._pages_returned = page
                    return value
            case RecognisedPage():
                return value
            case SentencesRead():
                self._has_sentences = True
                return value
            case ReadingDone() | FileUnchanged() | ArchiveRead():
                self._over = True
                self._process.leave()
                return value
            case _:
                raise AssertionError(f"a reader yielded {value!r}")
        return None

    def _restart(self, death: ProcessDied) -> None:
        """Begin again with the other engine, if there is one and no sentences were returned that it would repeat."""
        changes, self._fallback = self._fallback, None
        if self._first_death is None:
            self._first_death = death
        if changes is None or self._has_sentences or self._attempts >= _MAX_ATTEMPTS:
            self._fail(FileFailure(self._first_death.reason, self._first_death.message))
        self._attempts += 1
        self._arguments = self._arguments | changes
        self._process.begin("read_document", self._arguments)

    def _fail(self, error: Exception) -> NoReturn:
        self._over = True
        if self._first_death is not None and self._first_death.reason != "damaged":
            # The first engine's failure says more than the second one's.
            raise FileFailure(self._first_death.reason, self._first_death.message) from error
        raise error
