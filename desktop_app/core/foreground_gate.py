"""Makes background work pause while a person waits for an answer."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WAIT_S = 0.25
"""How long background work pauses at most: slower work is not an answer to typing, or pauses too."""


class ForegroundGate:
    """Closed while a person waits for an answer; long work checks it between its parts.

    Used from any thread.

    Attributes:
        changed: notified of every change; code that waits for further conditions can wait on it.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._until = float("-inf")

    @property
    def is_closed(self) -> bool:
        """Whether a person is waiting for an answer."""
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

    def wait_until_open(self, should_continue: Callable[[], bool]) -> float:
        """Wait until the gate opens, or until `should_continue` holds after a change; returns the seconds waited."""
        began = time.monotonic()
        with self.changed:
            while not should_continue() and (left := self._until - time.monotonic()) > 0:
                self.changed.wait(left)
        return time.monotonic() - began
