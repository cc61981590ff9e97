"""Measures how fast sentences are processed and estimates the remaining time."""

from __future__ import annotations

import time
from collections import deque

_ENOUGH_SHARE, _ENOUGH_S = 0.05, 20.0
"""The first batches are slow: an estimate made of them is many times too long. In a long import time is enough."""


class ThroughputMeter:
    """Rate over the last seconds, and the remaining time by the share of the work that is done.

    Args:
        total: the expected number of sentences.

    Attributes:
        done: the part of `total` that is done.
    """

    def __init__(self, total: float) -> None:
        self._started = time.monotonic()
        self._recent: deque[tuple[float, int]] = deque([(self._started, 0)])
        self._total = max(total, 1.0)
        self.done = 0.0

    def expect(self, more: float) -> None:
        """Increase the total."""
        self._total += more

    def rate(self, sentences: int) -> float:
        """Return sentences a second over the last seconds; `sentences` is the number so far."""
        now = time.monotonic()
        self._recent.append((now, sentences))
        while len(self._recent) > 2 and now - self._recent[0][0] > 5.0:
            self._recent.popleft()
        oldest_time, oldest_count = self._recent[0]
        # There are fewer than before after a document was begun anew.
        return max(sentences - oldest_count, 0) / (now - oldest_time) if now > oldest_time else 0.0

    def remaining_s(self, under_way: float = 0.0) -> float | None:
        """Return the remaining seconds; None while they are unknown.

        Args:
            under_way: sentences that are done of documents that are not in `done` yet.
        """
        share = min((self.done + under_way) / self._total, 1.0)
        elapsed = time.monotonic() - self._started
        is_early = elapsed < 2.0 or (elapsed < _ENOUGH_S and share < _ENOUGH_SHARE)
        return None if share < 0.01 or is_early else elapsed * (1 - share) / share

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started
