"""Makes background work pause while a person waits for an answer."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WAIT_S = 0.25
"""How long others stand aside at most: what takes longer is no answer to something typed, or waits itself."""


class ForegroundGate:
    """Taken when a person asks for something, given back with the answer; long work looks at it between its parts.

    Used from any thread.

    Attributes:
        changed: told of every change; who has conditions of his own to wait for may wait for all of them with it.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._until = float("-inf")

    @property
    def is_taken(self) -> bool:
        """Whether somebody waits for an answer just now."""
        return time.monotonic() < self._until

    def take(self) -> None:
        """Have others stand aside from now on."""
        with self.changed:
            self._until = time.monotonic() + MAX_WAIT_S
            self.changed.notify_all()

    def give_back(self) -> None:
        """Let them go on."""
        with self.changed:
            self._until = float("-inf")
            self.changed.notify_all()

    def wait_until_open(self, goes_on: Callable[[], bool]) -> float:
        """Wait while it is taken, or until `goes_on` after a change; returns for how many seconds."""
        began = time.monotonic()
        with self.changed:
            while not goes_on() and (left := self._until - time.monotonic()) > 0:
                self.changed.wait(left)
        return time.monotonic() - began
