"""Signals that end the program (Ctrl-C, kill, end of a session), received inside the event loop of Qt.

Python runs a signal's handler only between two of its own steps, and Qt's loop may take none for hours. So the number
of the signal is written to a socket by the interpreter itself (`signal.set_wakeup_fd`), and Qt listens to that.
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
    """Hears the system's signals from its making until `stop`.

    Attributes:
        received: the number of the first that came.
        status: what the process is to end with after it (128 + its number, as shells have it); None: none came.
    """

    received = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.status: int | None = None
        self._before: dict[int, Any] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may listen
        self._hears, self._told = socket.socketpair()
        self._hears.setblocking(False)
        self._told.setblocking(False)
        self._wakeup_before = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        for number in _END_SIGNALS:
            # One that is ignored (nohup) stays so.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, _ignore_signal)
        self._notifier = QSocketNotifier(self._hears.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal_received)

    def stop(self) -> None:
        """Hear no more; what was there before is there again. Calling it again does nothing."""
        if not self._before:
            return
        self._notifier.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        signal.set_wakeup_fd(self._wakeup_before)
        self._hears.close()
        self._told.close()

    def _on_signal_received(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for number in self._hears.recv(64):
                if number in self._before and self.status is None:
                    self.status = 128 + number
                    self.received.emit(number)


def _ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Take the place of Python's own answer: the socket tells of it."""
