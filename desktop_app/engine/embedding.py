"""Sentences that are in no library: compared, paired, turned into a matrix.

Where a person reads the score of two sentences itself, in four decimals or more, both are embedded in full precision
(`exact`): bf16 moves a score by up to a few thousandths. Vectors of a library, queries and matrices are embedded in
the precision that is fastest here, whose vectors are within a cosine of 0.9995 of the exact ones: far less than what
the order of hits depends on.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.pairs import cosine_of_rows, most_similar_pairs, score_pair
from desktop_app.analysis.paraphrases import is_unknown, kind_of
from desktop_app.core.badges import badges
from desktop_app.core.jobs import Progress, Steps
from desktop_app.core.records import ChangeSet
from desktop_app.engine.requests import Comparison, EmbedReport, TextPair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.insight import PairKind
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import IndexPair

WORTH_TUNING = 1024
"""Sentences from which it pays to find out first what computes fastest: that takes up to 2 s."""

_ASK_MORE = 8
_PATIENCE_S = 0.01  # how long a step in the background waits for vectors
_STEP = 256  # texts that are looked at at once
_WARM_UP = 64  # texts embedded before the clock starts


def tune(encoder: Encoder) -> Steps[None]:
    """Let the encoder find out what computes fastest on this machine; nothing to do where that is known."""
    before = encoder.device
    for _ in encoder.tune():
        yield Progress("tuning")
    if encoder.device != before:
        yield ChangeSet(encoder=True)


def embed_attentively(
    encoder: Encoder,
    texts: Sequence[str],
    someone_waits: Callable[[], bool],
    progress: Callable[[int], Progress],
) -> Steps[NDArray[np.float32]]:
    """Embed distinct texts in the background, in short steps and on one core less while somebody types.

    Args:
        encoder: what embeds.
        texts: distinct ones.
        someone_waits: whether a core is to be left to somebody just now.
        progress: makes a report of how many are done.

    Returns:
        float32 [n, dim], rows of length 1.
    """
    vectors = np.empty((len(texts), encoder.model.dim), np.float32)
    done = 0
    try:
        with contextlib.closing(encoder.encode_batches(texts, patience_s=_PATIENCE_S)) as passes:
            for rows, part in passes:
                vectors[rows] = part
                done += len(rows)
                encoder.set_threads(max(1, encoder.device.threads - 1) if someone_waits() else 0)
                yield progress(done)
    finally:
        encoder.set_threads(0)
    return vectors


def embed_each(
    encoder: Encoder, texts: Sequence[str], *, normalize: bool = True, exact: bool = False
) -> Steps[NDArray[np.float32]]:
    """Return float32 [len(texts), dim], one row for each text; a repeated text is embedded once."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = np.empty((len(rows), encoder.model.dim), np.float32)
    done = 0
    with contextlib.closing(encoder.encode_batches(list(rows), normalize=normalize, exact=exact)) as batches:
        for indices, part in batches:
            vectors[indices] = part
            done += len(indices)
            yield Progress("embedding", done, len(rows), "sentences", sentences=done)
    return vectors[np.fromiter((rows[text] for text in texts), np.int64, len(texts))]


def know(encoder: Encoder, texts: Sequence[str]) -> Steps[NDArray[np.bool_]]:
    """Return whether the model knows a word of each text: bool [n]."""
    parts = []
    for start in range(0, len(texts), _STEP):
        parts.append(encoder.knows(texts[start : start + _STEP]))
        yield None
    return np.concatenate([np.empty(0, np.bool_), *parts])


def compare(encoder: Encoder, a: str, b: str) -> Comparison:
    """Return how alike two sentences are, by the model's own output."""
    u, v = encoder.encode([a, b], normalize=False, exact=True)
    label, probability = encoder.classify(u, v) or (None, None)
    return Comparison(a, b, score_pair(u, v), encoder.model.normalised, label, probability)


def compare_rows(encoder: Encoder, left: Sequence[str], right: Sequence[str]) -> Steps[NDArray[np.float64]]:
    """Return the cosine of each text of `left` with the one beside it in `right`: float64 [n]."""
    vectors = yield from embed_each(encoder, [*left, *right], normalize=False, exact=True)
    return cosine_of_rows(vectors[: len(left)], vectors[len(left) :])


def pair_texts(
    encoder: Encoder, texts: Sequence[str], top_k: int, min_score: float, kind: PairKind | None = None
) -> Steps[list[TextPair]]:
    """Return the most similar pairs of `texts`, best first; repeated texts pair with themselves."""
    vectors = yield from embed_each(encoder, texts, exact=True)
    ask = top_k
    while True:
        pairs: list[TextPair] = []
        for found in most_similar_pairs(vectors, ask, min_score):
            if found is not None:
                pairs = [_text_pair(texts, pair) for pair in found]
            yield None
        right = [pair for pair in pairs if kind in (None, pair.kind) and not is_unknown(pair.kind, pair.score)]
        if len(right) >= top_k or len(pairs) < ask:
            return right[:top_k]
        ask *= _ASK_MORE  # pairs of other kinds stood before


def _text_pair(texts: Sequence[str], pair: IndexPair) -> TextPair:
    a, b = texts[pair.a], texts[pair.b]
    return TextPair(pair.a, pair.b, a, b, pair.score, kind_of(a, b), badges(a, b))


def embed_file(encoder: Encoder, texts: Sequence[str], *, raw: bool) -> Steps[tuple[NDArray[np.float32], EmbedReport]]:
    """Return a row for each text and what it cost; `raw` gives the model's own output."""
    if len(texts) >= WORTH_TUNING:
        yield from tune(encoder)
    encoder.encode(texts[:_WARM_UP], normalize=not raw)
    tokens = int(encoder.count_tokens(texts).sum())
    started = time.perf_counter()
    vectors = yield from embed_each(encoder, texts, normalize=not raw)
    seconds = time.perf_counter() - started
    return vectors, EmbedReport(len(texts), encoder.model.dim, seconds, tokens, encoder.device)
