"""A job is a generator: each step does a small batch, each `yield` can report, cancel or give way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar, cast

from desktop_app.core.errors import Cancelled

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_MOMENT_S = 0.001


class Lane(IntEnum):
    """The priority of a job."""

    FRONT = 0  # a person waits: query, comparison, next page
    BACKGROUND = 1  # nobody waits: imports, exports, library maintenance


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job.

    Attributes:
        phase: a stable word: `reading`, `embedding`, `indexing`, `exporting` ...
        done: units done so far.
        total: units in all; None while unknown.
        unit: what is counted: `documents`, `sentences`, `queries` ...
        document_id: the current document, if any.
        page: the current page of it, from 1, of `page_count`.
        sentences: sentences embedded so far in this job.
        sentences_per_s: over the last seconds; 0 while unknown.
        remaining_s: estimate; None while unknown.
    """

    phase: str
    done: int = 0
    total: int | None = None
    unit: str = ""
    document_id: int | None = None
    page: int | None = None
    page_count: int | None = None
    sentences: int = 0
    sentences_per_s: float = 0.0
    remaining_s: float | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What kind of thing changed in the library, so that panes refresh themselves.

    Attributes:
        documents: ids whose row changed (state, counts, title).
        listing: documents were added or removed.
        sentences: the sentences that a search can find changed.
        encoder: the encoder computes in another way than before.
        collections: collections or their documents changed.
        searches: saved searches were changed by another session, with a folder that moved, or by erasing.
        annotations: highlights and notes changed.
        quotes: quotes were changed by another session.
        labels: judgements of hits or labels of pairs were changed by another session.
        annotated: ids of documents whose annotations were made searchable, which changes how many sentences they have.
    """

    documents: frozenset[int] = frozenset()
    listing: bool = False
    sentences: bool = False
    encoder: bool = False
    collections: bool = False
    searches: bool = False
    annotations: bool = False
    quotes: bool = False
    labels: bool = False
    annotated: frozenset[int] = frozenset()

    def __or__(self, other: ChangeSet) -> ChangeSet:
        """Join two change sets."""
        return ChangeSet(
            self.documents | other.documents,
            self.listing or other.listing,
            self.sentences or other.sentences,
            self.encoder or other.encoder,
            self.collections or other.collections,
            self.searches or other.searches,
            self.annotations or other.annotations,
            self.quotes or other.quotes,
            self.labels or other.labels,
            self.annotated | other.annotated,
        )


class Waiting:
    """Yielded by a step that found nothing to do yet: the engine runs other jobs, or rests a moment."""

    __slots__ = ()


WAITING = Waiting()

Step = Progress | ChangeSet | Waiting | None
"""What a step yields: a report, a change of the library, "nothing yet", or nothing at all."""

Steps = Generator[Step, None, T]
"""The body of a job; its return value is the job's result."""


class Job(Generic[T]):
    """A piece of work handed to the engine. Created by `Engine.submit`.

    Callbacks run briefly on the engine's thread and must not raise. Any thread may cancel, pause or resume it.
    """

    def __init__(
        self,
        name: str,
        lane: Lane,
        key: str | None,
        begin: Callable[[], Steps[T]],
        chain: str | None = None,
        wake_engine: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.lane = lane
        self.key = key
        self.chain = chain
        self.begin = begin
        self._wake_engine = wake_engine
        self.steps: Steps[T] | None = None
        self.error: BaseException | None = None
        self.progress: Progress | None = None
        self._result: T | None = None
        self._finished = threading.Event()
        self._cancelled = threading.Event()
        self._paused = threading.Event()
        self._lock = threading.Lock()
        self._on_done: list[Callable[[Job[T]], None]] = []
        self._on_progress: list[Callable[[Progress], None]] = []

    def cancel(self) -> None:
        """Ask the job to stop at its next step; committed work stays."""
        self._cancelled.set()
        self._wake_engine()

    def pause(self, paused: bool = True) -> None:
        """Pause the job at its next step, or resume it."""
        if paused:
            self._paused.set()
        else:
            self._paused.clear()
        self._wake_engine()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._cancelled.is_set()

    @property
    def is_paused(self) -> bool:
        """Whether it is paused."""
        return self._paused.is_set() and not self._cancelled.is_set()

    @property
    def is_finished(self) -> bool:
        """Whether it has ended: with a result, with an error, or cancelled."""
        return self._finished.is_set()

    @property
    def result(self) -> T:
        """The return value of the job.

        Raises:
            BaseException: the error that ended it; Cancelled if it was stopped.
        """
        assert self._finished.is_set(), f"job {self.name} has not ended"
        if self.error is not None:
            raise self.error
        return cast("T", self._result)

    def wait(self, timeout_s: float | None = None) -> T:
        """Wait for the end and return the result, or raise the job's error.

        Raises:
            TimeoutError: it had not ended after `timeout_s`.
        """
        if not self._finished.wait(timeout_s):
            raise TimeoutError(f"job {self.name} has not ended after {timeout_s} s")
        return self.result

    def on_done(self, callback: Callable[[Job[T]], None]) -> None:
        """Call `callback` with the job when it ends; at once if it has ended."""
        with self._lock:
            if not self._finished.is_set():
                self._on_done.append(callback)
                return
        callback(self)

    def on_progress(self, callback: Callable[[Progress], None]) -> None:
        """Call `callback` with each report, at most 20 a second."""
        self._on_progress.append(callback)

    def report(self, progress: Progress) -> None:
        """Pass a report on (engine only)."""
        self.progress = progress
        for callback in self._on_progress:
            callback(progress)

    def finish(self, result: T | None = None, error: BaseException | None = None) -> None:
        """End the job (engine only)."""
        with self._lock:
            self._result, self.error = result, error
            self._finished.set()
            callbacks, self._on_done = self._on_done, []
        for callback in callbacks:
            callback(self)

    @property
    def was_cancelled(self) -> bool:
        """Whether it ended because it was stopped or a newer job replaced it."""
        return isinstance(self.error, Cancelled)


def run_to_completion(steps: Generator[object, None, T]) -> T:
    """Run all steps and return the result."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return cast("T", end.value)
        if isinstance(step, Waiting):
            time.sleep(_MOMENT_S)  # polling without a pause would take the processor from what it waits for


def map_steps(steps: Generator[S, None, T], change: Callable[[S], R]) -> Generator[R, None, T]:
    """Return the result of steps; yields `change(step)` for each of them."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return cast("T", end.value)
        yield change(step)
