"""Re-embeds a library for another model, in short steps, and switches to it.

While the last sentences of a batch are computed, the next batch starts, and finished vectors are stored in small
chunks: the cores or the GPU never pause, and a person who types never waits for a long step.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.jobs import Progress, Steps
from desktop_app.engine import embedding
from desktop_app.engine.embedding import (
    BATCH_SIZE,
    CHUNK_SIZE,
    GPU_BATCH_SIZE,
    PATIENCE_S,
    SMALL_CHUNK_SIZE,
    EmbeddingBatch,
)
from desktop_app.engine.throughput import ThroughputMeter

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.engine.embedding import Vector

LOOKUP_SIZE = 256
"""Sentences that are looked at in one step: some milliseconds."""


class Reembedder:
    """Gives every sentence a vector of the model that the library switches to.

    Args:
        library: switches to the encoder's model.
        encoder: computes the vectors.
        is_user_active: whether to leave a core free at the moment, and keep steps short.

    Attributes:
        refused: sentences (text by id) that the model has no usable vector for.
        embedded: number of sentences that got a vector.
    """

    def __init__(self, library: Library, encoder: Encoder, is_user_active: Callable[[], bool]) -> None:
        self.refused: dict[int, str] = {}
        self.embedded = 0
        self._library = library
        self._switching = library.model_switch
        self._encoder = encoder
        self._is_user_active = is_user_active
        self._batch = BATCH_SIZE if encoder.device.device == "cpu" else GPU_BATCH_SIZE
        self._ids: dict[str, int] = {}  # of texts that are not stored yet
        self._found: dict[str, None] = {}  # texts that are in no batch yet
        self._batches: deque[EmbeddingBatch] = deque()
        self._ready: dict[str, Vector] = {}

    def run(self) -> Steps[None]:
        """Embed all sentences, step by step. If stopped, stored vectors stay; they are not computed again."""
        before, total = self._switching.count_done(), self._library.info().sentences
        pace = ThroughputMeter(0)
        after: int | None = 0
        try:
            while after is not None or self._ids:
                embedding.reserve_core(self._encoder, self._is_user_active())
                if after is not None and self._wants_more():
                    after = self._look(after)
                    yield None
                self._begin(at_the_end=after is None)
                self._embed()
                yield self._progress(before, total, pace)
                if self._store():
                    total = self._library.info().sentences
                    yield self._progress(before, total, pace)
        finally:
            for each in self._batches:
                each.interrupt()
            self._batches.clear()
            embedding.reserve_core(self._encoder, False)

    def _wants_more(self) -> bool:
        return len(self._found) < self._batch and len(self._batches) < 2

    def _look(self, after: int) -> int | None:
        """Read the next sentences; returns the last one's id, None at the end."""
        bare, last = self._switching.without_new_vector(after, min(LOOKUP_SIZE, self._batch - len(self._found)))
        for sentence_id, text in bare:
            if sentence_id not in self.refused:
                self._ids[text] = sentence_id
                self._found[text] = None
        return last

    def _begin(self, *, at_the_end: bool) -> None:
        """Start a batch once it is full and the one before is nearly done."""
        if not self._found or (len(self._found) < self._batch and not at_the_end):
            return
        if len(self._batches) < 2 and (not self._batches or len(self._batches[-1].remaining) <= self._batch // 4):
            self._batches.append(EmbeddingBatch(self._found))
            self._found = {}

    def _embed(self) -> None:
        """Collect vectors that are ready."""
        for each in list(self._batches):
            found = each.take(self._encoder, PATIENCE_S)
            if isinstance(found, str):
                del each.remaining[found]
                self.refused[self._ids.pop(found)] = found
            else:
                self._ready |= found
            if not each.remaining:
                self._batches.remove(each)

    def _store(self) -> bool:
        """Store a chunk of vectors, if it is full or no more are expected soon."""
        most = SMALL_CHUNK_SIZE if self._is_user_active() else CHUNK_SIZE
        if not self._ready or (len(self._ready) < most and self._batches):
            return False
        texts = list(self._ready)[:most]
        beyond = self._encoder.count_truncated(texts).tolist()
        ids = [self._ids.pop(text) for text in texts]
        vectors = np.stack([self._ready.pop(text) for text in texts])
        self._switching.append(ids, vectors, {i for i, count in zip(ids, beyond, strict=True) if count})
        self.embedded += len(ids)
        return True

    def _progress(self, before: int, total: int, pace: ThroughputMeter) -> Progress:
        done = self.embedded + len(self._ready)
        rate = pace.rate(done)
        return Progress(
            "switching",
            min(before + done, total),
            total,
            "sentences",
            sentences=done,
            sentences_per_s=rate,
            remaining_s=max(total - before - done, 0) / rate if rate else None,
        )
