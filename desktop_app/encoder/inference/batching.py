"""Groups texts of similar length into batches, as a stream; decides how many tokens a batch holds."""

from __future__ import annotations

import queue
import threading
import time
from bisect import insort
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

from desktop_app.encoder.tokenizing import SLICE_CHARACTERS, SLICE_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.encoder.tokenizing import TextTokenizer, TokenIds

WINDOW_TEXTS = 4096
"""Tokenized texts that wait to be batched: enough that the texts of a batch have the same length."""

_SLICES_AHEAD = 8
_AHEAD_TEXTS, _AHEAD_CHARACTERS = 2048, 8 * SLICE_CHARACTERS
"""Limits of a slice that is tokenized for a GPU: nobody waits for it, and more texts keep all cores busy."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts that go through the network together.

    Attributes:
        indices: their positions in the caller's sequence.
        rows: int32 [tokens] of each, the longest first.
        least_length: the number of tokens to which shorter texts are padded in any case.
    """

    indices: list[int]
    rows: list[TokenIds]
    least_length: int = 0

    @property
    def tokens(self) -> int:
        """Number of tokens, with padding."""
        return len(self.rows) * max(len(self.rows[0]), self.least_length)


class BatchWindow:
    """Tokenized texts, sorted by length, from which batches are taken, the longest first.

    Args:
        slices: (index of the first, rows) of consecutive texts.
        least_length: the number of tokens to which shorter texts are padded in any case.
    """

    def __init__(self, slices: Iterator[tuple[int, list[TokenIds]]], least_length: int = 0) -> None:
        self._slices = slices
        self._least_length = least_length
        self._waiting: list[tuple[int, int]] = []  # (tokens, index), the longest last
        self._rows: dict[int, TokenIds] = {}
        self._tokens = 0  # of all waiting texts
        self._exhausted = False

    @property
    def remaining_tokens(self) -> int | None:
        """Number of tokens that wait, without padding; None while there are more texts to read."""
        return self._tokens if self._exhausted else None

    def fits(self, tokens: int) -> bool:
        """Return whether all remaining texts make one batch of at most `tokens`, or are one text."""
        while not self._exhausted and (self._tokens <= tokens or len(self._waiting) <= 1):
            self._take_in()
        count = len(self._waiting)
        return self._exhausted and (count <= 1 or count * self._waiting[-1][0] <= tokens)

    def grow(self) -> None:
        """Read another slice, unless there are enough: the window grows step by step with the work."""
        if len(self._waiting) < WINDOW_TEXTS:
            self._take_in()

    def take(self, tokens: int, *, few_shapes: bool) -> Batch | None:
        """Return the next batch; None at the end.

        Args:
            tokens: the most it may have, with padding, unless it is one text.
            few_shapes: whether numbers of texts are rounded down by `round_down_texts`, but for the last batch.
        """
        self._fill(tokens)
        if not self._waiting:
            return None
        count = max(1, tokens // self._waiting[-1][0])
        if few_shapes and count < len(self._waiting):
            count = round_down_texts(count)
        taken = self._waiting[-count:]
        indices = [index for _, index in reversed(taken)]
        del self._waiting[-count:]
        self._tokens -= sum(length for length, _ in taken)
        return Batch(indices, [self._rows.pop(index) for index in indices], self._least_length)

    def give_back(self, batch: Batch) -> None:
        """Take back the texts of a batch that was not computed."""
        for index, row in zip(batch.indices, batch.rows, strict=True):
            self._rows[index] = row
            length = max(len(row), self._least_length)
            insort(self._waiting, (length, index))
            self._tokens += length

    def _fill(self, tokens: int) -> None:
        """Read slices until there is a batch."""
        while not self._exhausted and self._tokens < tokens:
            self._take_in()

    def _take_in(self) -> None:
        found = next(self._slices, None) if not self._exhausted else None
        if found is None:
            self._exhausted = True
            return
        start, rows = found
        for index, row in enumerate(rows, start):
            self._rows[index] = row
            length = max(len(row), self._least_length)
            self._waiting.append((length, index))
            self._tokens += length
        self._waiting.sort()


def round_down_texts(count: int) -> int:
    """Return at most `count` texts: up to 7 of them, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40 and so on.

    On a processor, oneDNN compiles code for each number of texts of a length. With AMX that takes 2 ms, and without
    rounding a sixth of the time of an import.
    """
    spare = max(0, count.bit_length() - 3)
    return count >> spare << spare


def slice_texts(
    texts: Sequence[str], most_texts: int = SLICE_TEXTS, most_characters: int = SLICE_CHARACTERS
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of slices, limited in texts and (except for a single text) in characters."""
    start, characters = 0, 0
    for index, text in enumerate(texts):
        if index > start and (index - start >= most_texts or characters + len(text) > most_characters):
            yield start, index
            start, characters = index, 0
        characters += len(text)
    if len(texts) > start:
        yield start, len(texts)


def tokenize_slices(
    tokenizer: TextTokenizer,
    texts: Sequence[str],
    prompt: str,
    most_texts: int = SLICE_TEXTS,
    most_characters: int = SLICE_CHARACTERS,
) -> Iterator[tuple[int, list[TokenIds]]]:
    """Yield (index of the first, rows) of up to `most_texts` consecutive texts, tokenized on demand."""
    for start, stop in slice_texts(texts, most_texts, most_characters):
        yield start, tokenizer.encode(texts[start:stop], prompt)


def divide_by_length(lengths: Sequence[int], most_tokens: int, least_length: int = 0) -> list[list[int]]:
    """Return the places of tokenized texts in batches of texts of similar length, the longest first.

    Args:
        lengths: number of tokens of each text.
        most_tokens: of a batch, with padding; a longer text is a batch of its own.
        least_length: the number of tokens to which shorter texts are padded in any case.
    """
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if not batches or (len(batches[-1]) + 1) * max(lengths[batches[-1][0]], least_length) > most_tokens:
            batches.append([])
        batches[-1].append(place)
    return batches


def tokenize_slices_ahead(
    tokenizer: TextTokenizer, texts: Sequence[str], prompt: str
) -> Iterator[tuple[int, list[TokenIds]]]:
    """Like `tokenize_slices`, but in a thread, a few slices ahead, so that a GPU need not wait.

    The thread ends when the generator is closed or exhausted.

    Args:
        tokenizer: only the thread uses it while this generator lives.
        texts: do not change them until it ends.
        prompt: is put before each text.
    """
    ready: queue.Queue[Any] = queue.Queue(_SLICES_AHEAD)
    stopped = threading.Event()

    def work() -> None:
        try:
            for found in tokenize_slices(tokenizer, texts, prompt, _AHEAD_TEXTS, _AHEAD_CHARACTERS):
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
            # A full queue would block the thread: make room until it has seen the flag.
            try:
                ready.get(timeout=0.01)
            except queue.Empty:
                continue
        thread.join()


TARGET_PASS_S = 0.15
"""Duration of a pass on the processor, which can be paused and ended at the points of `pause_points.py`."""

GPU_PASS_S = 0.04
"""Duration of a pass on a GPU, which finishes what it has started."""

_LEAST_SHARE_S, _FEWEST_SHARED = 0.04, 64  # less is not worth another pass at the end of a corpus: seconds, tokens

SHORT_PASS_S = 0.015
"""Duration of a pass while somebody waits: the whole step, with its overhead, stays within 20 ms."""


@dataclass(frozen=True, slots=True)
class _DeviceLimits:
    """Batch sizes that suit a kind of device.

    Attributes:
        first: tokens of a pass until the duration of passes is known.
        fewest: fewer are not worth a pass while nobody waits.
        most: more are not faster.
        target_s: duration of a pass while nobody waits.
        step: the usual numbers of tokens are multiples of it, because oneDNN makes code for every shape that it meets.
        informative: the duration of smaller passes is mostly overhead, and says little.
    """

    first: int
    fewest: int
    most: int
    target_s: float
    step: int
    informative: int


# A GPU is partly idle below some ten thousand tokens.
_DEVICE_LIMITS = {
    "cpu": _DeviceLimits(512, 256, 1024, TARGET_PASS_S, 128, 128),
    "cuda": _DeviceLimits(32_768, 8_192, 65_536, GPU_PASS_S, 1_024, 2_048),
    "mps": _DeviceLimits(8_192, 2_048, 32_768, GPU_PASS_S, 256, 1_024),
}


class BatchSizer:
    """Chooses the number of tokens of a pass, so that it takes the device's usual time.

    More tokens than fit the caches of a processor are no faster (bf16 on one core of an AMD EPYC of the fifth
    generation, sentences a second: 128 tokens 539, 256: 599, 512: 650, 1,024: 658, 2,048: 630, 4,096: 602). With fewer
    tokens the weights are read more often: an EPYC of the fourth generation reaches 0.71 to 0.74 of the rate of bare
    products with 256 tokens, 0.75 to 0.78 with 512, 0.79 to 0.81 with 1,024, and no more with 1,536.

    Args:
        device: `cpu`, `cuda` or `mps`.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._limits = _DEVICE_LIMITS.get(device.partition(":")[0], _DEVICE_LIMITS["cpu"])
        self._seconds_per_token: float | None = None

    def record(self, tokens: int, seconds: float) -> None:
        """Learn from a pass."""
        if tokens < self._limits.informative:
            return
        found, old = seconds / tokens, self._seconds_per_token
        self._seconds_per_token = found if old is None else 0.7 * old + 0.3 * found

    def reset(self) -> None:
        """Start over: something else computes from now on."""
        self._seconds_per_token = None

    def share(self, remaining_tokens: int, threads: int) -> int:
        """Return the tokens of a pass at the end of a corpus, so that all threads have work until the end."""
        pace, fewest = self._seconds_per_token, self._limits.fewest
        least = fewest if pace is None else max(_FEWEST_SHARED, min(fewest, int(_LEAST_SHARE_S / pace)))
        return max(least, -(-remaining_tokens // threads))

    def tokens(self, requested_tokens: int | None, *, keep_short: bool = False) -> int:
        """Return the tokens of the next pass.

        Args:
            requested_tokens: the caller's wish; below the usual number the caller wants short steps, so the pass is
                kept to `SHORT_PASS_S` too. None for the usual number.
            keep_short: whether somebody may wait for the end of the pass: then it is kept to `SHORT_PASS_S` too.
        """
        limits, pace = self._limits, self._seconds_per_token
        if keep_short:
            short = limits.fewest if pace is None else max(limits.informative, int(SHORT_PASS_S / pace))
            return min(short, self.tokens(requested_tokens))
        if requested_tokens is not None and requested_tokens >= limits.first:
            return requested_tokens
        if pace is None:
            return requested_tokens or limits.first
        if requested_tokens is not None:
            return max(1, min(requested_tokens, int(SHORT_PASS_S / pace)))
        found = int(limits.target_s / pace) // limits.step * limits.step
        return max(limits.fewest, min(limits.most, found))


_PASSES_BEFORE_RETRY = 256  # passes
MEMORY_INTERVAL_S = 0.25
"""How old the known size of the free memory may be."""

_FLOATS_PER_TOKEN = 24  # fp32 numbers in memory for each dimension of a token during the computation


class FreeMemory:
    """The number of tokens of a pass on the processor that fit into its free memory.

    It uses half of the free memory: with more, a small machine starts to swap, and everything else stalls. It asks for
    the free memory a few times a second: each time takes 0.7 ms, a twentieth of a short pass.

    Args:
        hidden: length of a token's vector.
    """

    def __init__(self, hidden: int) -> None:
        self._token_bytes = hidden * _FLOATS_PER_TOKEN * 4
        self._free_bytes = 0
        self._asked_at = float("-inf")

    def max_tokens(self, threads: int) -> int:
        """Return how many tokens fit, in `threads` passes at once."""
        now = time.monotonic()
        if now - self._asked_at >= MEMORY_INTERVAL_S:
            self._free_bytes, self._asked_at = psutil.virtual_memory().available // 2, now
        return max(1, int(self._free_bytes // (threads * self._token_bytes)))


class MemoryLimit:
    """The number of tokens of a pass that fit into a device's memory, learnt from passes that failed.

    Other programs may release memory: after many successful passes the limit is doubled.
    """

    def __init__(self) -> None:
        self._most: int | None = None
        self._fitted = 0

    def limit(self, tokens: int) -> int:
        """Return `tokens`, at most the limit."""
        return tokens if self._most is None else min(tokens, self._most)

    def record_out_of_memory(self, tokens: int) -> None:
        """Record that a pass of so many tokens did not fit."""
        half = max(1, tokens // 2)
        # Batches that were in flight together report the same.
        self._most = half if self._most is None else min(self._most, half)
        self._fitted = 0

    def record_success(self) -> None:
        """Record that a pass fitted."""
        if self._most is None:
            return
        self._fitted += 1
        if self._fitted >= _PASSES_BEFORE_RETRY:
            self._most, self._fitted = 2 * self._most, 0
