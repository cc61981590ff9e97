"""Requests of which only the newest counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.base.session import LibrarySession

T = TypeVar("T")
AnswerState = Literal["nothing", "getting_ready", "waiting", "answered", "failed"]

TYPING_PAUSE_MS = 120
"""After this pause in typing, a request is sent."""

_STALE_AFTER_MS = 400


class LatestJob(Generic[T]):
    """Follows one job of the engine at a time. A replaced job no longer reports anything.

    Args:
        session: the open library.
        receiver: once it is deleted, nothing is called.

    Attributes:
        progress: the latest report of the job that runs; None before the first one, and while none runs.
    """

    def __init__(self, session: LibrarySession, receiver: QObject) -> None:
        self._session = session
        self._receiver = receiver
        self._job: Job[T] | None = None
        self.progress: Progress | None = None

    @property
    def is_running(self) -> bool:
        """Whether a job runs."""
        return self._job is not None

    def start(
        self,
        job: Job[T],
        on_result: Callable[[T], object],
        *,
        on_error: Callable[[BaseException], object] | None = None,
        on_cancelled: Callable[[], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> None:
        """Follow a job in place of the previous one. When a function is called at its end, no job runs any more.

        Args:
            job: the job.
            on_result: receives its result.
            on_error: receives its exception.
            on_cancelled: the job was cancelled.
            on_progress: receives each report.
        """
        self._job, self.progress = job, None

        def end(follow: Callable[[], object]) -> None:
            if self._job is job:
                self._job = self.progress = None
                follow()

        def report(progress: Progress) -> None:
            if self._job is job:
                self.progress = progress
                if on_progress is not None:
                    on_progress(progress)

        self._session.bridge.call(
            job,
            self._receiver,
            lambda result: end(lambda: on_result(result)),
            on_error=lambda error: end(lambda: on_error(error) if on_error is not None else None),
            on_cancelled=lambda: end(lambda: on_cancelled() if on_cancelled is not None else None),
            on_progress=report,
        )

    def cancel(self) -> None:
        """Cancel the job that runs; `on_cancelled` is called when it ends."""
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        """Stop following the job: none of its functions is called any more."""
        self._job = self.progress = None


class JobGroup:
    """Follows jobs of the engine whose answers become useless together, as when another document is opened.

    Args:
        bridge: delivers the answers.
        receiver: once it is deleted, nothing is called.
    """

    def __init__(self, bridge: Bridge, receiver: QObject) -> None:
        self._bridge = bridge
        self._receiver = receiver
        self._generation = 0

    def start(
        self,
        job: Job[T],
        on_result: Callable[[T], object],
        *,
        on_error: Callable[[BaseException], object] | None = None,
    ) -> None:
        """Follow one more job.

        Args:
            job: the job.
            on_result: receives its result.
            on_error: receives its exception.
        """
        generation = self._generation

        def take(result: T) -> None:
            if generation == self._generation:
                on_result(result)

        def fail(error: BaseException) -> None:
            if generation == self._generation and on_error is not None:
                on_error(error)

        self._bridge.call(job, self._receiver, take, on_error=fail if on_error is not None else None)

    def drop(self) -> None:
        """Stop following the jobs."""
        self._generation += 1


class _LatestAnswerSignals(QObject):
    changed = Signal()


class LatestAnswer(Generic[T]):
    """Asks the engine once typing pauses. The newest question wins; answers to older ones are dropped.

    Args:
        session: nothing is asked before its model is loaded.
        ask: hands the current question to the engine; returns None if there is nothing to ask.
        parent: owns the Qt objects.

    Attributes:
        answer: the newest answer. It stays while the next one is pending, so that figures do not flicker.
        error: why the newest question has no answer.
    """

    def __init__(self, session: LibrarySession, ask: Callable[[], Job[T] | None], parent: QObject) -> None:
        self._session = session
        self._ask = ask
        self._signals = _LatestAnswerSignals(parent)
        self.changed = self._signals.changed
        self.answer: T | None = None
        self.error: BaseException | None = None
        self._request: LatestJob[T] = LatestJob(session, self._signals)
        self._is_held = False
        self._typing = QTimer(self._signals, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._send_request)
        self._slow = QTimer(self._signals, singleShot=True, interval=_STALE_AFTER_MS)
        self._slow.timeout.connect(self.changed)
        session.changed.connect(self._on_session_changed)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is pending."""
        return self._is_held or self._typing.isActive() or self._request.is_running

    @property
    def is_stale(self) -> bool:
        """Whether the answer has belonged to an earlier question for so long that it should be dimmed."""
        return self.is_waiting and not self._slow.isActive()

    @property
    def state(self) -> AnswerState:
        """The state of the question."""
        if self._session.phase == "failed" and self._is_held:
            return "failed"
        if self._is_held:
            return "getting_ready"
        if self.error is not None:
            return "failed"
        if self.answer is not None:
            return "answered"
        return "waiting" if self.is_waiting else "nothing"

    @property
    def reason(self) -> BaseException | None:
        """Why there is no answer."""
        return self.error if self.error is not None else self._session.error

    def ask(self, *, at_once: bool = False) -> None:
        """Ask again: when typing pauses, or now."""
        if not self.is_waiting:
            self._slow.start()
        if at_once:
            self._typing.stop()
            self._send_request()
        else:
            self._typing.start()
            self.changed.emit()

    def clear(self) -> None:
        """Drop the answer and any pending one, because there is nothing to ask."""
        self.stop()
        self._request.drop()
        self.answer, self.error = None, None
        self.changed.emit()

    def stop(self) -> None:
        """Send no pending question."""
        self._typing.stop()
        self._slow.stop()
        self._is_held = False

    def _send_request(self) -> None:
        self._is_held = self._session.phase != "ready"
        if self._is_held:
            self.answer = None
            self.changed.emit()
            return
        job = self._ask()
        if job is None:
            self.clear()
            return
        self._request.start(
            job, lambda answer: self._on_answer(answer, None), on_error=lambda error: self._on_answer(None, error)
        )
        self.changed.emit()

    def _on_answer(self, answer: T | None, error: BaseException | None) -> None:
        self.answer, self.error = answer, error
        self.changed.emit()

    def _on_session_changed(self) -> None:
        if self._is_held:
            self._send_request()
