"""Measures how fast sentences are processed and estimates the remaining time."""

from __future__ import annotations

import time
from collections import deque


class ThroughputMeter:
    """Rate over the last seconds, and the remaining time by the share of bytes that is done."""

    def __init__(self, total_bytes: int) -> None:
        self._started = time.monotonic()
        self._recent: deque[tuple[float, int]] = deque([(self._started, 0)])
        self._total_bytes = max(total_bytes, 1)
        self.done_bytes = 0

    def expect(self, more_bytes: int) -> None:
        """Increase the total."""
        self._total_bytes += more_bytes

    def rate(self, sentences: int) -> float:
        """Return sentences a second over the last seconds; `sentences` is the number so far."""
        now = time.monotonic()
        self._recent.append((now, sentences))
        while len(self._recent) > 2 and now - self._recent[0][0] > 5.0:
            self._recent.popleft()
        oldest_time, oldest_count = self._recent[0]
        return (sentences - oldest_count) / (now - oldest_time) if now > oldest_time else 0.0

    def remaining_s(self) -> float | None:
        """Return the remaining seconds; None while they are unknown."""
        share = self.done_bytes / self._total_bytes
        elapsed = time.monotonic() - self._started
        return None if share < 0.01 or elapsed < 2.0 else elapsed * (1 - share) / share

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started
