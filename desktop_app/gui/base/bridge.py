"""The one QObject through which results of the engine reach the GUI thread."""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from desktop_app.core.errors import AppError, Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import ChangeSet, Job, Progress
    from desktop_app.engine.workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _PendingCall:
    """The receiver of a job's result, kept on this side: the bridge is the only Qt object that the engine knows."""

    receiver: QObject
    on_result: Callable[[Any], None] | None
    on_error: Callable[[BaseException], None] | None
    on_cancelled: Callable[[], None] | None
    on_progress: Callable[[Progress], None] | None


class Bridge(QObject):
    """Delivers results, errors, progress and changes; outlives every job.

    Attributes:
        changed: something in the library changed; carries a ChangeSet.
        fault: a job ended with an exception that is a bug; carries the exception.
    """

    changed = Signal(object)
    fault = Signal(object)
    _arrived = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inbox: deque[tuple[int, str, object]] = deque()
        self._numbers = itertools.count(1)
        self._calls: dict[int, _PendingCall] = {}
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def listen(self, workspace: Workspace) -> None:
        """Emit `changed` for every change of the library."""
        workspace.engine.listen(self._on_changes)

    def call(
        self,
        job: Job[T],
        receiver: QObject,
        on_result: Callable[[T], None] | None = None,
        *,
        on_error: Callable[[BaseException], None] | None = None,
        on_cancelled: Callable[[], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Job[T]:
        """Call functions on the window's thread when a job reports or ends.

        Args:
            job: the job.
            receiver: once it is deleted, nothing is called.
            on_result: receives the result.
            on_error: receives an AppError, or any other exception, which is also emitted as `fault`.
            on_cancelled: the job was cancelled, or a newer one replaced it.
            on_progress: receives each report.

        Returns:
            the job.
        """
        number = next(self._numbers)
        self._calls[number] = _PendingCall(receiver, on_result, on_error, on_cancelled, on_progress)
        if on_progress is not None:
            job.on_progress(lambda progress: self._post(number, "progress", progress))
        job.on_done(lambda done: self._post(number, "done", done))
        return job

    def make_thread_safe_callback(self, receiver: QObject, called: Callable[[], None]) -> Callable[[], None]:
        """Return a function for any thread that runs `called` on the window's thread until `receiver` is deleted."""
        number = next(self._numbers)
        self._calls[number] = _PendingCall(receiver, None, None, None, lambda _nothing: called())
        return lambda: self._post(number, "progress", None)

    def close(self) -> None:
        """Drop everything that is not delivered yet."""
        self._calls.clear()
        self._inbox.clear()

    # On the engine's thread

    def _on_changes(self, changes: ChangeSet) -> None:
        self._post(0, "changes", changes)

    def _post(self, number: int, kind: str, content: object) -> None:
        self._inbox.append((number, kind, content))
        self._arrived.emit()

    # On the window's thread

    def _deliver(self) -> None:
        """Deliver one item. Each has its own event, so that a failure does not hold up the next one."""
        if not self._inbox:
            return
        number, kind, content = self._inbox.popleft()
        if kind == "changes":
            self.changed.emit(content)
            return
        call = self._calls.get(number) if kind == "progress" else self._calls.pop(number, None)
        if kind == "progress":
            if call is not None and isValid(call.receiver) and call.on_progress is not None:
                call.on_progress(content)  # type: ignore[arg-type]
            return
        job: Job[object] = content  # type: ignore[assignment]
        error = job.error
        if error is not None and not isinstance(error, AppError | Cancelled):
            self.fault.emit(error)
        if call is None or not isValid(call.receiver):
            return
        if error is None:
            if call.on_result is not None:
                call.on_result(job.result)
        elif isinstance(error, Cancelled):
            if call.on_cancelled is not None:
                call.on_cancelled()
        elif call.on_error is not None:
            call.on_error(error)
