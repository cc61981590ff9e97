"""Makes background work pause while a person waits for an answer."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WAIT_S = 0.25
"""How long background work pauses at most: anything slower is not an answer to typing, or waits itself."""


class ForegroundGate:
    """Closed while a person waits for an answer, opened with it; long work checks it between its parts.

    Used from any thread.

    Attributes:
        changed: notified of every change; code with conditions of its own can wait for all of them with it.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._until = float("-inf")

    @property
    def is_closed(self) -> bool:
        """Whether somebody is waiting for an answer."""
        return time.monotonic() < self._until

    def close(self) -> None:
        """Make background work pause from now on."""
        with self.changed:
            self._until = time.monotonic() + MAX_WAIT_S
            self.changed.notify_all()

    def open(self) -> None:
        """Let background work continue."""
        with self.changed:
            self._until = float("-inf")
            self.changed.notify_all()

    def wait_until_open(self, goes_on: Callable[[], bool]) -> float:
        """Wait until the gate opens, or until `goes_on` holds after a change; returns the seconds waited."""
        began = time.monotonic()
        with self.changed:
            while not goes_on() and (left := self._until - time.monotonic()) > 0:
                self.changed.wait(left)
        return time.monotonic() - began
