"""Signals that end the program (Ctrl-C, kill, end of a session), received inside the event loop of Qt.

Python runs signal handlers only between bytecodes, and Qt's loop may run none for hours. So the interpreter writes the
number of the signal to a socket (`signal.set_wakeup_fd`), and Qt watches that socket.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal

if TYPE_CHECKING:
    from types import FrameType

_END_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]


class EndSignalListener(QObject):
    """Receives signals of the system until `stop`.

    Attributes:
        received: the first signal arrived; carries its number.
        status: the exit status after it (128 + its number, as in shells); None without a signal.
    """

    received = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.status: int | None = None
        self._before: dict[int, Any] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may listen
        self._receiver, self._sender = socket.socketpair()
        self._receiver.setblocking(False)
        self._sender.setblocking(False)
        self._wakeup_before = signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        for number in _END_SIGNALS:
            # An ignored signal (nohup) stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, _ignore_signal)
        self._notifier = QSocketNotifier(self._receiver.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal_received)

    def stop(self) -> None:
        """Restore the previous handlers. Calling it again does nothing."""
        if not self._before:
            return
        self._notifier.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        signal.set_wakeup_fd(self._wakeup_before)
        self._receiver.close()
        self._sender.close()

    def _on_signal_received(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for number in self._receiver.recv(64):
                if number in self._before and self.status is None:
                    self.status = 128 + number
                    self.received.emit(number)


def _ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Replace Python's default handler; the socket reports the signal."""
