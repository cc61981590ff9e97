"""Collects garbage on the GUI thread only."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_CHECK_INTERVAL_MS = 1000


class GarbageCollector(QObject):
    """Takes the collecting of reference cycles over from Python.

    Python collects in whichever thread happens to allocate. A cycle that holds a widget would then be deleted on the
    engine's thread, which Qt does not survive.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._was_enabled = gc.isenabled()
        self._is_settled = False
        gc.disable()
        self._timer = QTimer(self, interval=_CHECK_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation that is due, as Python itself would."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return

    def settle(self) -> None:
        """Once, take what is alive out of every later collection: torch alone brings some 100,000 lasting objects."""
        if not self._is_settled:
            self._is_settled = True
            gc.collect()
            gc.freeze()

    def refreeze(self) -> None:
        """Collect also what was taken out: a window was closed that stood since then, with its model."""
        if self._is_settled:
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    def stop(self) -> None:
        """Give the collecting back to Python."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
