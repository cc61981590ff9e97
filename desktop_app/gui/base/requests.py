"""Requests that are repeated while a person types: only the newest answer is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.gui.search.controller import TYPING_PAUSE_MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job
    from desktop_app.gui.base.session import LibrarySession

T = TypeVar("T")
AnswerState = Literal["nothing", "getting_ready", "waiting", "answered", "failed"]

_STALE_AFTER_MS = 400


class _LatestAnswerSignals(QObject):
    changed = Signal()


class LatestAnswer(Generic[T]):
    """Asks the engine once typing pauses; the latest wins, and what comes too late is dropped.

    Args:
        session: nothing is asked before its model is loaded.
        ask: hands the question as it stands to the engine; None when there is nothing to ask.
        parent: owns what of this is Qt's.

    Attributes:
        answer: the newest; it stays while the next one is under way, so that figures do not flicker.
        error: why the newest question has no answer.
    """

    def __init__(self, session: LibrarySession, ask: Callable[[], Job[T] | None], parent: QObject) -> None:
        self._session = session
        self._ask = ask
        self._signals = _LatestAnswerSignals(parent)
        self.changed = self._signals.changed
        self.answer: T | None = None
        self.error: BaseException | None = None
        self._ticket = 0
        self._answered_ticket = 0
        self._is_held = False
        self._typing = QTimer(self._signals, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._send_request)
        self._slow = QTimer(self._signals, singleShot=True, interval=_STALE_AFTER_MS)
        self._slow.timeout.connect(self.changed)
        session.changed.connect(self._on_session_changed)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_held or self._typing.isActive() or self._ticket != self._answered_ticket

    @property
    def is_stale(self) -> bool:
        """Whether the answer belongs to an earlier question, for so long that one should see it."""
        return self.is_waiting and not self._slow.isActive()

    @property
    def standing(self) -> AnswerState:
        """How it stands with the question."""
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
        """Ask anew: when typing pauses, or now."""
        if not self.is_waiting:
            self._slow.start()
        if at_once:
            self._typing.stop()
            self._send_request()
        else:
            self._typing.start()
            self.changed.emit()

    def forget(self) -> None:
        """There is nothing to ask: drop the answer, and those that are still to come."""
        self.stop()
        self._ticket += 1
        self._answered_ticket = self._ticket
        self.answer, self.error = None, None
        self.changed.emit()

    def stop(self) -> None:
        """Ask for nothing any more."""
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
            self.forget()
            return
        self._ticket += 1
        ticket = self._ticket
        self._session.bridge.call(
            job,
            self._signals,
            lambda answer: self._on_answer(ticket, answer, None),
            on_error=lambda error: self._on_answer(ticket, None, error),
        )
        self.changed.emit()

    def _on_answer(self, ticket: int, answer: T | None, error: BaseException | None) -> None:
        if ticket != self._ticket:
            return
        self._answered_ticket = ticket
        self.answer, self.error = answer, error
        self.changed.emit()

    def _on_session_changed(self) -> None:
        if self._is_held:
            self._send_request()
