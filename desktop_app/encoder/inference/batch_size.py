"""How many tokens a batch holds: limited by device, duration of a pass, and memory."""

from __future__ import annotations

from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

TARGET_PASS_S = 0.04
"""How long a pass on the processor should take while nobody waits."""

SHORT_PASS_S = 0.015
"""How long it should take while somebody does: the whole step, with its surroundings, stays within 20 ms."""


@dataclass(frozen=True, slots=True)
class _DeviceLimits:
    """What suits a kind of device.

    Attributes:
        first: tokens of a pass until it is known how long passes take.
        fewest: fewer are not worth a pass while nobody waits.
        most: more are no faster.
        step: numbers of tokens are multiples of it, for oneDNN makes code for every shape that it meets.
        telling: fewer say little of how long passes take, they last mostly by their start.
    """

    first: int
    fewest: int
    most: int
    step: int
    telling: int


# A graphics processor is idle below some ten thousand.
_DEVICE_LIMITS = {
    "cpu": _DeviceLimits(512, 256, 4096, 128, 128),
    "cuda": _DeviceLimits(32_768, 8_192, 65_536, 1_024, 2_048),
    "mps": _DeviceLimits(8_192, 2_048, 32_768, 256, 1_024),
}


class BatchSizer:
    """How many tokens a pass takes: as many as last `TARGET_PASS_S`.

    More tokens than fit the caches of a processor are no faster (bf16 on one core of an AMD EPYC, sentences a second:
    128 tokens 539, 256: 599, 512: 650, 1,024: 658, 2,048: 630, 4,096: 602), and a pass is what nobody can interrupt.

    Args:
        device: `cpu`, `cuda` or `mps`.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._limits = _DEVICE_LIMITS.get(device.partition(":")[0], _DEVICE_LIMITS["cpu"])
        self._seconds_per_token: float | None = None

    def note(self, tokens: int, seconds: float) -> None:
        """Learn from a pass."""
        if tokens < self._limits.telling:
            return
        found, old = seconds / tokens, self._seconds_per_token
        self._seconds_per_token = found if old is None else 0.7 * old + 0.3 * found

    def forget(self) -> None:
        """Begin anew: something else computes from now on."""
        self._seconds_per_token = None

    def tokens(self, asked: int | None, *, keep_short: bool = False) -> int:
        """Return the tokens of the next pass.

        Args:
            asked: what the caller wants; below the usual number the caller wants short steps, so the pass is kept
                to `SHORT_PASS_S` too. None for the usual number.
            keep_short: whether somebody may wait for the end of the pass: then it is kept to `SHORT_PASS_S` too.
        """
        limits, pace = self._limits, self._seconds_per_token
        if keep_short:
            short = limits.fewest if pace is None else max(limits.telling, int(SHORT_PASS_S / pace))
            return min(short, self.tokens(asked))
        if asked is not None and asked >= limits.first:
            return asked
        if pace is None:
            return asked or limits.first
        if asked is not None:
            return max(1, min(asked, int(SHORT_PASS_S / pace)))
        found = int(TARGET_PASS_S / pace) // limits.step * limits.step
        return max(limits.fewest, min(limits.most, found))


_PASSES_BEFORE_RETRY = 256  # passes
_FLOATS_PER_TOKEN = 24  # of fp32, for each dimension of a token, that a body holds while it computes


def max_tokens_in_memory(hidden: int, threads: int) -> int:
    """Return the tokens of a pass on the processor for which there is memory now, in each of `threads` at once.

    Half of what is free: beyond that a small machine begins to swap, and everything else on it stands still.

    Args:
        hidden: length of a token's vector.
        threads: batches that are computed at once.
    """
    free = psutil.virtual_memory().available // 2
    return max(1, int(free // (threads * hidden * _FLOATS_PER_TOKEN * 4)))


class MemoryLimit:
    """How many tokens of a pass the memory of a device holds, as far as passes have failed for want of it.

    What other programs take they may give back: after many passes that fitted, twice as many are tried.
    """

    def __init__(self) -> None:
        self._most: int | None = None
        self._fitted = 0

    def limit(self, tokens: int) -> int:
        """Return `tokens`, or as many as there is room for."""
        return tokens if self._most is None else min(tokens, self._most)

    def record_out_of_memory(self, tokens: int) -> None:
        """Learn that a pass of so many tokens had not the memory."""
        half = max(1, tokens // 2)
        # Of the batches that were in flight together each tells the same.
        self._most = half if self._most is None else min(self._most, half)
        self._fitted = 0

    def fitted(self) -> None:
        """Learn that a pass had the memory that it needs."""
        if self._most is None:
            return
        self._fitted += 1
        if self._fitted >= _PASSES_BEFORE_RETRY:
            self._most, self._fitted = 2 * self._most, 0
