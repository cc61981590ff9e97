"""Collects garbage on the GUI thread only."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_CHECK_INTERVAL_MS = 1000
_STARTING_CHECKS = 10
"""So many checks are left out while a library opens: imports make hundreds of thousands of permanent objects, and to
look through them takes a tenth of a second each time, while a person waits for the first answer."""


class GarbageCollector(QObject):
    """Collects reference cycles in place of Python.

    Python collects in any thread that allocates. A cycle that holds a widget could be deleted on the engine's thread,
    which crashes Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._was_enabled = gc.isenabled()
        self._is_settled = False
        self._starting_checks = _STARTING_CHECKS
        gc.disable()
        self._timer = QTimer(self, interval=_CHECK_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation that is due, as Python itself would; not during the start."""
        if not self._is_settled and self._starting_checks:
            self._starting_checks -= 1
            return
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return

    def settle(self) -> None:
        """Once, exclude all live objects from later collections: torch alone has some 100,000 permanent ones."""
        if not self._is_settled:
            self._is_settled = True
            gc.collect()
            gc.freeze()

    def refreeze(self) -> None:
        """Collect the excluded objects too, because a window was closed with its model."""
        if self._is_settled:
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    def stop(self) -> None:
        """Let Python collect again."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
