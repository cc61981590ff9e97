"""Logs the stack of the GUI thread when it blocks for more than 100 ms."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from desktop_app.gui.base.fault_reporter import shorten_code_path

if TYPE_CHECKING:
    from types import FrameType

log = logging.getLogger(__name__)

BEAT_INTERVAL_MS = 50
STALL_MS = 100
_MAX_REPEATED_REPORTS = 5
_JOIN_TIMEOUT_S = 2.0


class Watchdog(QObject):
    """A timer ticks on the window's thread, and a watching thread checks that it does.

    Twenty times a second, each takes some microseconds. A block is logged once, with the stack when it was noticed, and
    its length when it is over. If the watching thread was delayed too, the whole process stood still (the machine
    slept, or something held the interpreter lock): that is no block of the window's thread, and its stack would be
    meaningless.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._beaten_s = 0.0
        self._beat_count = 0
        self._watched = threading.get_ident()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._report_counts: dict[str, int] = {}
        self._timer = QTimer(self, interval=BEAT_INTERVAL_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Start with the next turn of the event loop; call this on its thread."""
        self._watched = threading.get_ident()
        self._timer.start()

    def stop(self) -> None:
        """Stop and wait for the thread. Calling it again does nothing."""
        self._timer.stop()
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(_JOIN_TIMEOUT_S)
            self._thread = None

    def _beat(self) -> None:
        self._beaten_s = time.monotonic()
        self._beat_count += 1
        if self._thread is None and not self._stopped.is_set():
            self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
            self._thread.start()

    # On the watching thread

    def _watch(self) -> None:
        allowed_s = (BEAT_INTERVAL_MS + STALL_MS) / 1000
        told_at_beat = -1
        began_s = since_s = looked_s = time.monotonic()
        while not self._stopped.wait(BEAT_INTERVAL_MS / 1000):
            now = time.monotonic()
            overslept_s, looked_s = now - looked_s - BEAT_INTERVAL_MS / 1000, now
            beats, beaten_s = self._beat_count, self._beaten_s
            if told_at_beat not in (-1, beats):
                log.warning("the window's thread goes on after %.0f ms", 1000 * (beaten_s - began_s) - BEAT_INTERVAL_MS)
                told_at_beat = -1
            if overslept_s > STALL_MS / 1000:
                log.info("nothing ran for %.0f ms: the machine slept, or was too busy", 1000 * overslept_s)
                since_s = now
            if told_at_beat == -1 and now - max(beaten_s, since_s) > allowed_s:
                began_s, told_at_beat = beaten_s, beats
                self._log_stack(1000 * (now - beaten_s) - BEAT_INTERVAL_MS)

    def _log_stack(self, elapsed_ms: float) -> None:
        frame = sys._current_frames().get(self._watched)
        stack = format_stack(frame)
        count = self._report_counts[stack] = self._report_counts.get(stack, 0) + 1
        if count <= _MAX_REPEATED_REPORTS:
            last = " (not reported again)" if count == _MAX_REPEATED_REPORTS else ""
            log.warning("the window's thread has stood still for %.0f ms%s, here:\n%s", elapsed_ms, last, stack)


def format_stack(frame: FrameType | None) -> str:
    """Return a stack, the innermost call last; code locations only."""
    places = traceback.StackSummary.extract(traceback.walk_stack(frame), lookup_lines=False) if frame else []
    return "\n".join(f"  {shorten_code_path(at.filename)}:{at.lineno} in {at.name}" for at in reversed(places))
