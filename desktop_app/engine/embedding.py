"""Embeds texts in the background, step by step."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import VectorNotFinite
from desktop_app.core.jobs import ChangeSet, Progress, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.ports import Encoder

MIN_TEXTS_TO_TUNE = 1024
"""Number of texts from which it pays to find the fastest way to compute first: that takes up to 2 s."""

_PATIENCE_S = 0.01  # how long a background step waits for vectors
_KNOWN_PER_STEP = 256  # texts whose words are looked up in one step


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
    passes = encoder.encode_batches(texts, normalize=normalize, exact=exact, timeout_s=_PATIENCE_S)
    try:
        with contextlib.closing(passes):
            for rows, part in passes:
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
