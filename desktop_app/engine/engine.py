"""The engine: one thread that owns model, index and database, and two lanes of jobs written as generators."""

from __future__ import annotations

import inspect
import logging
import threading
import time
from typing import TYPE_CHECKING, TypeVar, cast

from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.freed_memory import return_freed_memory
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
T = TypeVar("T")

_REPORT_EVERY_S = 0.05  # progress and changes are sent to the window at most 20 times a second
_REST_S = 0.01  # how long the thread sleeps when every job waits for another process
_USER_ACTIVE_S = 2.0  # a person who typed this recently is still typing
_IDLE_S = 3.0  # how long there is nothing to do before freed memory is returned: nobody is typing then
_PAINTING_S = 0.03  # how long background work leaves the interpreter to a window that paints what a person asked for


class Engine:
    """Runs jobs on one thread, the front lane first; within a lane in order of submission.

    A newer job replaces unfinished jobs with the same key. If a job's step finds nothing to do yet, the next job has
    its turn.

    Attributes:
        foreground_gate: closed while a job that a person asked for waits or runs.
    """

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._lanes: tuple[list[Job[object]], list[Job[object]]] = ([], [])
        self._listeners: list[Callable[[ChangeSet], None]] = []
        self._change_sources: list[Callable[[], ChangeSet]] = []
        self._at_exit: list[Callable[[], None]] = []
        self._at_rest: list[Callable[[], None]] = []
        self._changes = ChangeSet()
        self._sent_at = 0.0
        self._reported_at: dict[int, float] = {}
        self._pending_progress: dict[int, Progress] = {}
        self._cancelled_jobs: set[Job[object]] = set()  # a job gets Cancelled once; it decides itself how to end
        self._running: Job[object] | None = None
        self._last_request_at = float("-inf")
        self._painting_until = float("-inf")
        self._has_freed_memory = False  # since memory was returned last
        self.foreground_gate = ForegroundGate()
        self._person_jobs: set[Job[object]] = set()  # the jobs that the gate is closed for
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def submit(
        self,
        name: str,
        begin: Callable[[], Steps[T] | T],
        *,
        lane: Lane = Lane.BACKGROUND,
        key: str | None = None,
        chain: str | None = None,
        by_person: bool = True,
    ) -> Job[T]:
        """Queue a job.

        Args:
            name: for the log and for messages.
            begin: called on the engine's thread; returns the job's generator, or its result at once.
            lane: the front lane if a person waits for it.
            key: an unfinished job of the lane with this key is cancelled: the latest wins.
            chain: jobs of one chain run one after the other; the next one waits even while this one has nothing to do.
            by_person: whether a person just asked for this front job. A window that refreshes what it shows after a
                change must not slow down the work that makes the changes.

        Returns:
            the job; it is cancelled at once if the engine has stopped.
        """

        def steps() -> Steps[T]:
            begun = begin()
            if inspect.isgenerator(begun):
                return (yield from cast("Steps[T]", begun))
            return cast("T", begun)

        job: Job[T] = Job(name, lane, key, steps, chain, self._wake_up)
        with self._wake:
            if self._stopping:
                job.cancel()
            else:
                if key is not None:
                    for older in self._lanes[lane]:
                        if older.key == key:
                            older.cancel()
                self._lanes[lane].append(cast("Job[object]", job))
                if lane is Lane.FRONT and by_person:
                    self._last_request_at = time.monotonic()
                    self._person_jobs.add(cast("Job[object]", job))
                    self.foreground_gate.close()
                self._wake.notify()
                return job
        job.finish(error=Cancelled())
        return job

    def cancel_jobs(self, key: str) -> None:
        """Cancel the unfinished jobs with a key."""
        with self._wake:
            for job in (*self._lanes[Lane.FRONT], *self._lanes[Lane.BACKGROUND]):
                if job.key == key:
                    job.cancel()

    def listen(self, listener: Callable[[ChangeSet], None]) -> None:
        """Call `listener` on the engine's thread with what changed in the library, at most 20 times a second."""
        self._listeners.append(listener)

    def add_change_source(self, source: Callable[[], ChangeSet]) -> None:
        """Call `source` on the engine's thread after every step; it returns changes that no job reports."""
        self._change_sources.append(source)

    def at_exit(self, close: Callable[[], None]) -> None:
        """Call `close` on the engine's thread when it stops; the latest registered first."""
        self._at_exit.append(close)

    def at_rest(self, release: Callable[[], None]) -> None:
        """Call `release` on the engine's thread when there was nothing to do for some seconds after an analysis."""
        self._at_rest.append(release)

    def is_user_active(self) -> bool:
        """Whether a person asked for something in the last moments; background steps are then kept short."""
        return time.monotonic() - self._last_request_at < _USER_ACTIVE_S

    def has_other_job(self, name: str, chain: str | None = None) -> bool:
        """Whether there is an unpaused background job with another name (in a chain, if one is given)."""
        with self._wake:
            others = [job for job in self._lanes[Lane.BACKGROUND] if job.name != name and not job.is_paused]
        return any(chain is None or job.chain == chain for job in others)

    def has_job(self, name: str) -> bool:
        """Whether there is a background job with this name."""
        with self._wake:
            return any(job.name == name for job in self._lanes[Lane.BACKGROUND])

    def take_cancellation(self) -> bool:
        """Return whether the step that runs should raise Cancelled at once; on the engine's thread.

        That is so if a newer request has replaced its job, or the engine stops. A job is told only once. Work in the
        background ends between its steps, where it expects to.
        """
        job = self._running
        if job is None or job in self._cancelled_jobs:
            return False
        if not self._stopping and not (job.lane is Lane.FRONT and job.is_cancelled):
            return False
        self._cancelled_jobs.add(job)
        return True

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Cancel every job at its next step, close what was opened, and wait for the thread."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def _wake_up(self) -> None:
        """Let the thread look at its jobs at once: one was paused, resumed or cancelled."""
        with self._wake:
            self._wake.notify()

    # On the engine's thread

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._run_turn()
        finally:
            for lane in self._lanes:
                for job in list(lane):
                    self._end_job(job, close=True)
            for close in reversed(self._at_exit):
                try:
                    close()
                except AppError as error:  # a full disk, or a server that is away
                    log.warning("closing failed: %s", error)
                except Exception:
                    log.exception("closing failed")
            self._send_changes(force=True)

    def _run_turn(self) -> None:
        """Run one step of the first job that has something to do, in the front lane first."""
        with self._wake:
            painting = self._painting_until - time.monotonic()
            if painting > 0 and not self._lanes[Lane.FRONT] and not self._stopping:
                self._wake.wait(painting)
                return
            jobs = [*self._lanes[Lane.FRONT], *self._lanes[Lane.BACKGROUND]]
        busy: set[str] = set()
        for job in jobs:
            if job.chain is not None:
                if job.chain in busy and not job.is_cancelled:
                    continue
                busy.add(job.chain)
            if not job.is_paused and not self._run_step(job):
                return
        self._send_changes(force=True)
        for job in jobs:
            if progress := self._pending_progress.get(id(job)):
                self._report(job, progress, force=True)
        with self._wake:
            now = [*self._lanes[Lane.FRONT], *self._lanes[Lane.BACKGROUND]]
            if self._stopping or now != jobs:
                return
            if any(not job.is_paused for job in jobs):
                self._wake.wait(_REST_S)
                return
            if self._wake.wait(_IDLE_S if self._has_freed_memory else None):
                return
        self._has_freed_memory = False
        for release in (*self._at_rest, return_freed_memory):
            try:
                release()
            except Exception:  # it only keeps memory
                log.exception("releasing memory failed")

    def _run_step(self, job: Job[object]) -> bool:
        """Run one step of `job`; returns whether it found nothing to do."""
        self._running = job
        try:
            if job.steps is None:
                if job.is_cancelled:
                    raise Cancelled
                job.steps = job.begin()
            if job.is_cancelled and job not in self._cancelled_jobs:
                self._cancelled_jobs.add(job)
                step = job.steps.throw(Cancelled())
            else:
                step = next(job.steps)
        except StopIteration as end:
            self._end_job(job, result=end.value)
            return False
        except BaseException as error:
            if not isinstance(error, AppError | Cancelled):
                log.exception("job %s failed", job.name)
            self._end_job(job, error=error)
            return False
        finally:
            self._running = None
        self._collect_changes()
        if isinstance(step, Progress):
            self._report(job, step)
        elif isinstance(step, ChangeSet):
            self._changes |= step
            self._send_changes()
        return isinstance(step, Waiting)

    def _collect_changes(self) -> None:
        for source in self._change_sources:
            self._changes |= source()

    def _report(self, job: Job[object], progress: Progress, *, force: bool = False) -> None:
        now = time.monotonic()
        if force or now - self._reported_at.get(id(job), float("-inf")) >= _REPORT_EVERY_S:
            self._reported_at[id(job)] = now
            self._pending_progress.pop(id(job), None)
            job.report(progress)
        else:
            self._pending_progress[id(job)] = progress

    def _send_changes(self, *, force: bool = False) -> None:
        if self._changes == ChangeSet():
            return
        now = time.monotonic()
        if force or now - self._sent_at >= _REPORT_EVERY_S:
            changes, self._changes, self._sent_at = self._changes, ChangeSet(), now
            for listener in self._listeners:
                listener(changes)

    def _end_job(
        self,
        job: Job[object],
        *,
        result: object = None,
        error: BaseException | None = None,
        close: bool = False,
    ) -> None:
        if close and job.steps is not None:
            try:
                job.steps.close()
            except Exception:
                log.exception("job %s failed while it was closed", job.name)
        if close:
            error = Cancelled()
        self._has_freed_memory |= job.lane is Lane.BACKGROUND
        with self._wake:
            self._lanes[job.lane].remove(job)
            if job in self._person_jobs:
                self._person_jobs.remove(job)
                self._painting_until = time.monotonic() + _PAINTING_S
                if not self._person_jobs:
                    self.foreground_gate.open()
        if progress := self._pending_progress.get(id(job)):
            self._report(job, progress, force=True)
        self._reported_at.pop(id(job), None)
        self._cancelled_jobs.discard(job)
        self._collect_changes()
        self._send_changes(force=True)
        job.finish(result, error)
