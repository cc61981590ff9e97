"""Groups texts of similar length into batches, as a stream; decides how many tokens a batch holds."""

from __future__ import annotations

import queue
import threading
from bisect import insort
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

from desktop_app.encoder.tokenizing import SLICE_CHARACTERS, SLICE_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.encoder.tokenizing import TextTokenizer, TokenIds

WINDOW_TEXTS = 4096
"""Tokenized texts that wait to be batched: enough for the texts of one batch to be of one length."""

_SLICES_AHEAD = 8


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts that go through the network together.

    Attributes:
        indices: their places in the caller's sequence.
        rows: int32 [tokens] of each, the longest first.
    """

    indices: list[int]
    rows: list[TokenIds]

    @property
    def tokens(self) -> int:
        """Tokens with padding."""
        return len(self.rows) * len(self.rows[0])


class BatchWindow:
    """Tokenized texts, sorted by length, from which batches are taken, the longest first.

    Args:
        slices: (index of the first, rows) of consecutive texts.
    """

    def __init__(self, slices: Iterator[tuple[int, list[TokenIds]]]) -> None:
        self._slices = slices
        self._waiting: list[tuple[int, int]] = []  # (tokens, index), the longest last
        self._rows: dict[int, TokenIds] = {}
        self._exhausted = False

    def fits(self, tokens: int) -> bool:
        """Whether all texts that are left make one batch of at most `tokens`."""
        self._fill(tokens)
        return self._exhausted and (not self._waiting or len(self._waiting) * self._waiting[-1][0] <= tokens)

    def grow(self) -> None:
        """Take in another slice, unless there are enough: the window grows as the work goes on, a bit at a time."""
        if len(self._waiting) < WINDOW_TEXTS:
            self._take_in()

    def take(self, tokens: int) -> Batch | None:
        """Return the next batch, of at most `tokens` with padding unless it is one text; None at the end."""
        self._fill(tokens)
        if not self._waiting:
            return None
        count = max(1, tokens // self._waiting[-1][0])
        indices = [index for _, index in reversed(self._waiting[-count:])]
        del self._waiting[-count:]
        return Batch(indices, [self._rows.pop(index) for index in indices])

    def give_back(self, batch: Batch) -> None:
        """Take the texts of a batch that was not computed."""
        for index, row in zip(batch.indices, batch.rows, strict=True):
            self._rows[index] = row
            insort(self._waiting, (len(row), index))

    def _fill(self, tokens: int) -> None:
        """Take in slices until there is a batch."""
        while not self._exhausted and sum(length for length, _ in self._waiting) < tokens:
            self._take_in()

    def _take_in(self) -> None:
        found = next(self._slices, None) if not self._exhausted else None
        if found is None:
            self._exhausted = True
            return
        start, rows = found
        for index, row in enumerate(rows, start):
            self._rows[index] = row
            self._waiting.append((len(row), index))
        self._waiting.sort()


def slice_texts(texts: Sequence[str], most_texts: int = SLICE_TEXTS) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of what is tokenized in one go, bounded in texts and (one text aside) in characters."""
    start, characters = 0, 0
    for index, text in enumerate(texts):
        if index > start and (index - start >= most_texts or characters + len(text) > SLICE_CHARACTERS):
            yield start, index
            start, characters = index, 0
        characters += len(text)
    if len(texts) > start:
        yield start, len(texts)


def tokenize_slices(
    tokenizer: TextTokenizer, texts: Sequence[str], prompt: str, most_texts: int = SLICE_TEXTS
) -> Iterator[tuple[int, list[TokenIds]]]:
    """Yield (index of the first, rows) of up to `most_texts` consecutive texts, tokenized when they are asked for."""
    for start, stop in slice_texts(texts, most_texts):
        yield start, tokenizer.encode(texts[start:stop], prompt)


def tokenize_slices_ahead(
    tokenizer: TextTokenizer, texts: Sequence[str], prompt: str
) -> Iterator[tuple[int, list[TokenIds]]]:
    """As `tokenize_slices`, in a thread, a few slices ahead: so a graphics processor need not wait.

    The thread ends when the generator is closed or exhausted.

    Args:
        tokenizer: the thread's own while this generator lives.
        texts: not changed meanwhile.
        prompt: put before each.
    """
    ready: queue.Queue[Any] = queue.Queue(_SLICES_AHEAD)
    stopped = threading.Event()

    def work() -> None:
        try:
            for found in tokenize_slices(tokenizer, texts, prompt):
                ready.put(found)
                if stopped.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 it is raised where the texts are asked for
            ready.put(error)
        else:
            ready.put(None)

    thread = threading.Thread(target=work, name="tokenizing", daemon=True)
    thread.start()
    try:
        while (found := ready.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        stopped.set()
        while thread.is_alive():
            # A full queue would hold the thread: make room until it has seen the sign.
            try:
                ready.get(timeout=0.01)
            except queue.Empty:
                continue
        thread.join()


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

    def record(self, tokens: int, seconds: float) -> None:
        """Learn from a pass."""
        if tokens < self._limits.telling:
            return
        found, old = seconds / tokens, self._seconds_per_token
        self._seconds_per_token = found if old is None else 0.7 * old + 0.3 * found

    def reset(self) -> None:
        """Begin anew: something else computes from now on."""
        self._seconds_per_token = None

    def tokens(self, requested_tokens: int | None, *, keep_short: bool = False) -> int:
        """Return the tokens of the next pass.

        Args:
            requested_tokens: the caller's wish; below the usual number the caller wants short steps, so the pass is
                kept to `SHORT_PASS_S` too. None for the usual number.
            keep_short: whether somebody may wait for the end of the pass: then it is kept to `SHORT_PASS_S` too.
        """
        limits, pace = self._limits, self._seconds_per_token
        if keep_short:
            short = limits.fewest if pace is None else max(limits.telling, int(SHORT_PASS_S / pace))
            return min(short, self.tokens(requested_tokens))
        if requested_tokens is not None and requested_tokens >= limits.first:
            return requested_tokens
        if pace is None:
            return requested_tokens or limits.first
        if requested_tokens is not None:
            return max(1, min(requested_tokens, int(SHORT_PASS_S / pace)))
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

    def record_success(self) -> None:
        """Learn that a pass had the memory that it needs."""
        if self._most is None:
            return
        self._fitted += 1
        if self._fitted >= _PASSES_BEFORE_RETRY:
            self._most, self._fitted = 2 * self._most, 0
