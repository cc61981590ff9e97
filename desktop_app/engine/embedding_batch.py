"""A batch of texts in the encoder, shared by imports and model switches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure, VectorNotFinite
from desktop_app.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Place

    Vector = NDArray[np.float32]

CHUNK_SIZE = 128
"""Sentences that are looked up or stored in one step: some 15 ms."""

SMALL_CHUNK_SIZE = 32
"""Sentences that are stored in one step while a person is typing."""

PATIENCE_S = 0.01
"""How long a background step waits for vectors."""

BATCH_SIZE = 1024
"""Sentences that are embedded together: their lengths are alike, and all cores are busy."""

GPU_BATCH_SIZE = 8192

_MAX_QUOTED_CHARS = 80  # characters of a sentence in a message


@dataclass(slots=True, eq=False)
class EmbeddingBatch:
    """Texts that are embedded together.

    Several can be computed at a time: while the last texts of one are computed, the next one occupies the other cores.

    Attributes:
        remaining: texts that are still to be embedded.
        submitted: texts that the encoder was last given.
        running: the encoder's results; None while nothing is computed.
        is_zero: whether the last text without a vector got a vector of zeros.
    """

    remaining: dict[str, None] = field(default_factory=dict)
    submitted: list[str] = field(default_factory=list)
    running: Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None] | None = None
    is_zero: bool = False

    def take(self, encoder: Encoder, timeout_s: float | None) -> dict[str, Vector] | str:
        """Return vectors that are ready after a short wait; or the text that the model has no vector for.

        Such a text stays in `remaining`; the caller removes it and calls again for the others.
        """
        if self.running is None:
            self.submitted = list(self.remaining)
            self.running = encoder.encode_batches(self.submitted, timeout_s=timeout_s)
        try:
            indices, vectors = next(self.running)
        except VectorNotFinite as error:
            self.running, self.is_zero = None, error.is_zero
            return self.submitted[error.text]
        found = {self.submitted[index]: vector for index, vector in zip(indices.tolist(), vectors, strict=True)}
        for text in found:
            del self.remaining[text]
        if not self.remaining:
            self.running.close()
        return found

    def interrupt(self) -> None:
        """Stop computing; the next `take` submits the `remaining` texts again."""
        if self.running is not None:
            self.running.close()
            self.running = None


def reserve_core(encoder: Encoder, leave: bool) -> None:
    """Leave a core free for a person who is typing, or use it again."""
    encoder.set_threads(max(1, encoder.device.threads - 1) if leave else 0)


def make_no_vector_failure(model: str, text: str, place: Place, *, is_zero: bool = False) -> FileFailure:
    """Return the failure of a document with a text that the model has no vector for, with the place of the text."""
    where = (
        Message("page {page}", page=place.page)
        if place.page is not None
        else Message("characters {start:,} to {stop:,}", start=place.start, stop=place.stop)
    )
    shown = text if len(text) <= _MAX_QUOTED_CHARS else f"{text[:_MAX_QUOTED_CHARS]}…"
    fault = Message("a vector of zeros") if is_zero else Message("no usable vector")
    return FileFailure(
        "no_vector",
        "The model {model} gives {fault} for a sentence ({where}): “{shown}”",
        model=model,
        fault=fault,
        where=where,
        shown=shown,
    )
