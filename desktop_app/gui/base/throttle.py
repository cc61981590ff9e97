"""Runs at once the first time, then no more often than a given interval."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal


class Throttle(QObject):
    """Limits how often something is done: the first request is due at once; later ones are merged and wait.

    Attributes:
        due: do it now.
    """

    due = Signal()

    def __init__(self, every_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._every_ms = every_ms
        self._since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._fire)

    def request(self) -> None:
        """Have `due` emitted soon."""
        if not self._timer.isActive():
            elapsed_ms = self._since.elapsed() if self._since.isValid() else self._every_ms
            self._timer.start(max(self._every_ms - int(elapsed_ms), 0))

    def stop(self) -> None:
        """Drop a request that waits."""
        self._timer.stop()

    def _fire(self) -> None:
        self._since.start()
        self.due.emit()
