"""Watches a connection that waits for an answer: a server that falls silent is noticed within seconds.

The network notices a dead connection by itself only after 20 seconds (`tcp_user_timeout`), and never if something in
between still confirms every packet. So while a statement has no answer, a second connection asks the server about the
first one. If it cannot be opened, or the server is not working on the statement, the first one is given up; the second
one then takes its place.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

from desktop_app.core.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    Looking = Callable[["WatchedConnection", float], None]

T = TypeVar("T")

_LOOK_EVERY_S = 0.05
_ASK_AFTER_S = 1.0  # of silence; most statements have their answer by then
_ASK_EVERY_S = 3.0
_OBEY_WITHIN_S = 3.0  # how long the end of a cancelled statement is waited for
_SHORTEST_TIMEOUT_S = 3
_FAR_FACTOR = 3
_BUSY = ("active", "fastpath function call")


class WatchedConnection(psycopg.Connection[Any]):
    """Calls `look` again and again while nothing comes from the server.

    Attributes:
        look: gets the connection and the seconds since anything came; it may close the connection.
        heard_at: when the server answered last (`time.monotonic`).
        silent_since: when something was heard last, or asked; 0 while no statement waits for its answer.
    """

    look: Looking | None = None
    heard_at = 0.0
    silent_since = 0.0

    def wait(self, gen: Generator[Any, Any, T], interval: float = _LOOK_EVERY_S, timeout: float | None = None) -> T:
        """Run a generator of psycopg that waits for the server; every statement and copy comes through here."""
        return super().wait(gen if self.look is None else self._look_around(gen), _LOOK_EVERY_S, timeout)

    def _look_around(self, waiting: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        heard = self.silent_since = time.monotonic()
        try:
            state = next(waiting)
            while True:
                ready = yield state
                if ready:
                    heard = self.silent_since = time.monotonic()
                elif self.look is not None:
                    self.look(self, time.monotonic() - heard)
                    if self.closed:
                        raise psycopg.OperationalError("the server does not answer")
                state = waiting.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            self.heard_at, self.silent_since = time.monotonic(), 0.0


class ConnectionAttempt:
    """Opens a connection in a thread.

    Args:
        connect: opens it.
        about: the process of the server whose work is asked about; 0: none.
    """

    def __init__(self, connect: Callable[[], WatchedConnection], about: int = 0) -> None:
        self._connect = connect
        self._about = about
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._is_abandoned = False
        self._connection: WatchedConnection | None = None
        self._error: Exception | None = None
        self.is_busy = False
        """Whether the server works on what the first connection has asked."""
        threading.Thread(target=self._run, name="connecting", daemon=True).start()

    def _run(self) -> None:
        try:
            connection = self._connect()
            try:
                if self._about:
                    state = connection.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", (self._about,))
                    self.is_busy = any(row[0] in _BUSY for row in state.fetchall())
            except BaseException:
                connection.close()
                raise
            with self._lock:
                self._connection = connection
                if self._is_abandoned:
                    connection.close()
        except Exception as error:  # noqa: BLE001 - raised where the connection is needed
            self._error = error
        finally:
            self._ended.set()

    def has_ended(self, within_s: float = 0.0) -> bool:
        """Return whether the connection is open, or could not be opened."""
        return self._ended.wait(within_s) if within_s else self._ended.is_set()

    @property
    def was_refused(self) -> bool:
        """Whether the server has answered that it takes no further connection."""
        return self._error is not None and "FATAL" in str(self._error.__cause__)

    def take(self) -> WatchedConnection:
        """Return the connection after the attempt has ended.

        Raises:
            LibraryUnreachable: it could not be opened.
        """
        if self._error is not None:
            raise self._error
        assert self._connection is not None, "the attempt has ended"
        return self._connection

    def abandon(self) -> None:
        """Close the connection, now or when it is open."""
        with self._lock:
            self._is_abandoned = True
            if self._connection is not None:
                self._connection.close()


class ServerWatch:
    """Decides, while a statement has no answer, whether to wait on.

    Args:
        connect: opens another connection; gets the limit in seconds.
        take_cancellation: whether the answer is not wanted any more; True only once for each job.

    Attributes:
        attempt: the latest attempt to open another connection; None: there is none.
        is_kept: whether the statement must not be cancelled, since it is part of a change.
        was_cancelled: whether the latest statement was.
    """

    def __init__(self, connect: Callable[[int], WatchedConnection], take_cancellation: Callable[[], bool]) -> None:
        self._connect = connect
        self._take_cancellation = take_cancellation
        self.attempt: ConnectionAttempt | None = None
        self.is_kept = False
        self.was_cancelled = False
        self._cancelled_at = 0.0
        self._asked_at = 0.0
        self._timeout_s = _SHORTEST_TIMEOUT_S

    def begin(self, timeout_s: int) -> WatchedConnection:
        """Open the first connection. Whoever is far away gets more time for the next ones.

        Raises:
            LibraryUnreachable: it cannot be opened.
            Cancelled: nobody waits for it any more.
        """
        started = time.monotonic()
        self.attempt = ConnectionAttempt(lambda: self._connect(timeout_s))
        try:
            connection = self.finish(self.attempt)
        except Cancelled:
            self.forget_attempt()
            raise
        self._timeout_s = max(_SHORTEST_TIMEOUT_S, round(_FAR_FACTOR * (time.monotonic() - started)))
        return connection

    def try_again(self, about: int = 0) -> ConnectionAttempt:
        """Return the attempt that is under way, or begin one."""
        if self.attempt is None:
            self.attempt = ConnectionAttempt(lambda: self._connect(self._timeout_s), about)
        return self.attempt

    def forget_attempt(self) -> None:
        """Drop the latest attempt, and the connection that it has opened or opens."""
        if self.attempt is not None:
            self.attempt.abandon()
            self.attempt = None

    def finish(self, attempt: ConnectionAttempt) -> WatchedConnection:
        """Wait for an attempt, and return its connection.

        Raises:
            LibraryUnreachable: it cannot be opened.
            Cancelled: nobody waits for it any more.
        """
        while not attempt.has_ended(_LOOK_EVERY_S):
            if self._take_cancellation():
                raise Cancelled
        self.attempt = None
        return attempt.take()

    def look(self, connection: WatchedConnection, silent_s: float) -> None:
        """Cancel what nobody waits for, and close the connection if the server will not answer on it."""
        now = time.monotonic()
        if self.was_cancelled:
            if now - self._cancelled_at > _OBEY_WITHIN_S:
                connection.pgconn.finish()
            return
        if not self.is_kept and self._take_cancellation():
            self.was_cancelled, self._cancelled_at = True, now
            threading.Thread(target=_cancel, args=(connection,), name="cancelling", daemon=True).start()
            return
        attempt = self.attempt
        if attempt is None:
            if silent_s > _ASK_AFTER_S and now - self._asked_at > _ASK_EVERY_S:
                self._asked_at = now
                self.try_again(connection.info.backend_pid)
        elif attempt.has_ended():
            # Something has come since it was asked, or will.
            if silent_s <= now - self._asked_at or attempt.is_busy or attempt.was_refused:
                self.forget_attempt()
            else:
                connection.pgconn.finish()


def _cancel(connection: WatchedConnection) -> None:
    with suppress(psycopg.Error):  # then the connection is closed
        connection.cancel_safe(timeout=_OBEY_WITHIN_S)
