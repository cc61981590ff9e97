"""Groups texts of similar length into batches, as a stream."""

from __future__ import annotations

import queue
import threading
from bisect import insort
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
