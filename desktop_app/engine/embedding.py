"""Embeds texts in the background: in short steps, and in batches, several of them at a time."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import FileFailure, VectorNotFinite
from desktop_app.core.jobs import ChangeSet, Progress, Steps
from desktop_app.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vector
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Place


MIN_TEXTS_TO_TUNE = 1024
"""Number of texts from which it pays to find the fastest way to compute first: that takes up to 2 s."""

CHUNK_SIZE = 128
"""Sentences that are looked up or stored in one step: some 15 ms."""

SMALL_CHUNK_SIZE = 32
"""Sentences that are stored in one step while a person is typing."""

PATIENCE_S = 0.01
"""How long a background step waits for vectors."""

BATCH_SIZE = 1024
"""Sentences that are embedded together: their lengths are alike, and all cores are busy."""

GPU_BATCH_SIZE = 8192

_KNOWN_PER_STEP = 256  # texts whose words are looked up in one step
_MAX_QUOTED_CHARS = 80  # characters of a sentence in a message


def tune_encoder(encoder: Encoder) -> Steps[None]:
    """Let the encoder find the fastest way to compute on this machine; does nothing where that is known."""
    before = encoder.device
    for _ in encoder.tune():
        yield Progress("tuning")
    if encoder.device != before:
        yield ChangeSet(encoder=True)


def embed_distinct(
    encoder: Encoder,
    texts: Sequence[str],
    is_user_active: Callable[[], bool],
    progress: Callable[[int], Progress],
    *,
    normalize: bool = True,
    exact: bool = False,
) -> Steps[NDArray[np.float32]]:
    """Embed distinct texts in short steps, with one core less while a person is typing.

    Args:
        encoder: embeds the texts.
        texts: distinct texts.
        is_user_active: whether to leave a core free at the moment.
        progress: makes a report of the number of finished texts.
        normalize: whether rows have length 1; otherwise they are the model's own output.
        exact: whether to compute in full precision.

    Returns:
        float32 [n, dim].

    Raises:
        VectorNotFinite: the model has no vector for a text; the message names it.
    """
    vectors = np.empty((len(texts), encoder.model.dim), np.float32)
    done = 0
    batches = encoder.encode_batches(texts, normalize=normalize, exact=exact, timeout_s=PATIENCE_S)
    try:
        with contextlib.closing(batches):
            for rows, part in batches:
                vectors[rows] = part
                done += len(rows)
                encoder.set_threads(max(1, encoder.device.threads - 1) if is_user_active() else 0)
                yield progress(done)
    except VectorNotFinite as error:
        raise error.of(texts[error.text], error.text) from error
    finally:
        encoder.set_threads(0)
    return vectors


def embed_all(
    encoder: Encoder,
    texts: Sequence[str],
    is_user_active: Callable[[], bool],
    *,
    normalize: bool = True,
    exact: bool = False,
) -> Steps[NDArray[np.float32]]:
    """Return float32 [len(texts), dim], one row for each text; a repeated text is embedded once.

    Otherwise as `embed_distinct`.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}

    def progress(done: int) -> Progress:
        return Progress("embedding", done, len(rows), "sentences", sentences=done)

    try:
        vectors = yield from embed_distinct(
            encoder, list(rows), is_user_active, progress, normalize=normalize, exact=exact
        )
    except VectorNotFinite as error:
        raise error.of(error.sentence, texts.index(error.sentence)) from error
    return vectors[np.fromiter((rows[text] for text in texts), np.int64, len(texts))]


def find_known_texts(encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.bool_]]:
    """Return whether the model knows a word of each text: bool [n]."""
    parts = [np.empty(0, np.bool_)]
    for start in range(0, len(texts), _KNOWN_PER_STEP):
        parts.append(encoder.knows_words(texts[start : start + _KNOWN_PER_STEP]))
        yield None
    return np.concatenate(parts)


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
        "The model {model} cannot embed a sentence ({where}): it gives {fault} for “{shown}”",
        model=model,
        fault=fault,
        where=where,
        shown=shown,
    )
