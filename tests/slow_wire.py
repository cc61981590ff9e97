"""A wire between a program and a server on this machine that delays everything, and counts round trips."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from tests.steps import wait_a_moment

_COUNTED_DELAY_S = 0.03  # in which a program on a busy machine sends everything that belongs to one round trip

_CHUNK = 1 << 16
_CLOSED = b""
_ANSWERED = b"Z\0\0\0\5"
"""Before its last byte, what a server sends when it has answered everything that it was asked."""


class SlowWire:
    """Listens on a port of its own and passes all bytes on, each `delay_s` later, in both directions.

    Attributes:
        port: to connect to instead of the server's.
        delay_s: of each direction; a round trip takes twice as long.
        round_trips: how often the program has sent something on its first connection after it had got an answer. On
            another one it asks whether the server is alive, if an answer takes long. What it sends in pieces is one
            round trip if the delay is longer than it needs for them.
        received: bytes that the server has sent.
    """

    def __init__(self, port: int, delay_s: float = 0.0) -> None:
        self._server = port
        self.delay_s = delay_s
        self.round_trips = 0
        self.received = 0
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._is_closing = False
        self._is_refusing = False
        self._is_flowing = threading.Event()
        self._is_flowing.set()
        self._old: set[socket.socket] = set()  # the connections that nothing passes any more
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._start(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cut all connections and end the threads."""
        self._is_closing = True
        self._old.clear()
        self._is_flowing.set()
        with socket.create_connection(("127.0.0.1", self.port)):
            pass  # wakes the thread that waits for connections
        self._threads[0].join()
        self.cut()
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._sockets):
            each.close()

    @contextmanager
    def counting(self) -> Iterator[Callable[[], int]]:
        """Slow the wire down, and give a function that returns how many round trips there were meanwhile."""
        delay_s, before = self.delay_s, self.round_trips
        self.delay_s = _COUNTED_DELAY_S
        try:
            yield lambda: self.round_trips - before
        finally:
            self.delay_s = delay_s

    def cut(self) -> None:
        """Cut all connections, as if the network had gone."""
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        """Cut all connections, and every new one at once, as if the server had been stopped."""
        self._is_refusing = True
        self.cut()

    def fall_silent(self, *, for_new: bool = True) -> None:
        """Pass nothing on any more, without closing anything; with `for_new` False only on connections that are open.

        To both ends it looks as if the other one were busy.
        """
        self._old.update(self._sockets)
        if for_new:
            self._is_flowing.clear()

    def flow_again(self) -> None:
        """Pass on what comes, and what came meanwhile; take new connections again."""
        self._is_refusing = False
        self._old.clear()
        self._is_flowing.set()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            near, _ = self._listener.accept()
            if self._is_closing:
                near.close()
                return
            if self._is_refusing:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._server))
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets += [near, far]
            has_answered = threading.Event()
            has_answered.set()
            is_counted = len(self._sockets) == 2
            for source, target, is_asking in ((near, far, True), (far, near, False)):
                waiting: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
                self._start(self._read, source, waiting, is_asking, is_counted, has_answered)
                self._start(self._write, waiting, target, None if is_asking else has_answered)

    def _read(
        self,
        source: socket.socket,
        waiting: queue.SimpleQueue[tuple[float, bytes]],
        is_asking: bool,
        is_counted: bool,
        has_answered: threading.Event,
    ) -> None:
        content = b"."
        while content != _CLOSED:
            try:
                content = source.recv(_CHUNK)
            except OSError:
                content = _CLOSED
            if is_asking and content and has_answered.is_set():
                self.round_trips += is_counted
                has_answered.clear()
            elif not is_asking:
                self.received += len(content)
            waiting.put((time.monotonic() + self.delay_s, content))

    def _write(
        self,
        waiting: queue.SimpleQueue[tuple[float, bytes]],
        target: socket.socket,
        has_answered: threading.Event | None,
    ) -> None:
        while True:
            due, content = waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            self._is_flowing.wait()
            while target in self._old:
                wait_a_moment()
            try:
                if content == _CLOSED:
                    target.shutdown(socket.SHUT_WR)
                    return
                # The beginning of an answer may come before everything is asked.
                if has_answered is not None and content[-1 - len(_ANSWERED) : -1] == _ANSWERED:
                    has_answered.set()
                target.sendall(content)
            except OSError:
                return
