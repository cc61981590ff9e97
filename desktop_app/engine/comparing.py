"""Sentences that are in no library: compared, paired, turned into a matrix.

Where a person reads the score of two sentences itself, in four decimals or more, both are embedded in full precision
(`exact`): bf16 moves a score by up to a few thousandths. Vectors of a library, queries and matrices are embedded in
the precision that is fastest here, whose vectors are within a cosine of 0.9995 of the exact ones: far less than what
the order of hits depends on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.pairs import cosine_of_rows, most_similar_pairs, score_pair
from desktop_app.analysis.paraphrases import is_unknown, kind_of
from desktop_app.core.badges import badges
from desktop_app.core.errors import VectorNotFinite
from desktop_app.core.jobs import Lane, Progress, Steps
from desktop_app.core.pair_tables import free_names, read_pair_table, write_pair_table
from desktop_app.engine.embedding import WORTH_TUNING, embed_each, tune
from desktop_app.engine.requests import Comparison, EmbedReport, ScoredTable, TextPair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.badges import Badge
    from desktop_app.core.insight import PairKind
    from desktop_app.core.jobs import Job
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import IndexPair
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.other_model import OtherModel

_ASK_MORE = 8
_STEP = 256  # texts that are looked at at once
_WARM_UP = 64  # texts embedded before the clock starts


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRows:
    """Pairs of sentences side by side.

    Attributes:
        cosines: float64 [n].
        labels: of each pair what the model's head calls it, and the probability; None where it has none.
    """

    cosines: NDArray[np.float64]
    labels: list[tuple[str, float]] | None = None


class Comparing:
    """What can be asked of sentences beside the library.

    Args:
        engine: runs the jobs.
        ready_encoder: returns the encoder, loading it first if need be; called on the engine's thread.
        other_model: holds another one.
    """

    def __init__(self, engine: Engine, ready_encoder: Callable[[], Encoder], other_model: OtherModel) -> None:
        self._engine = engine
        self._encoder = ready_encoder
        self._other_model = other_model

    def compare(self, a: str, b: str, *, model: str = "", key: str | None = "compare") -> Job[Comparison]:
        """Compare two sentences, by the name or folder of a model; empty: the library's. With a key, the latest wins.

        Raises:
            ModelMissing, ModelUnusable: the model is not there, or has no vectors of sentences.
        """

        def steps() -> Steps[Comparison]:
            encoder = (yield from self._other_model.ready(model)) if model else self._encoder()
            return compare(encoder, a, b)

        return self._engine.submit("compare", steps, lane=Lane.FRONT, key=key)

    def leave_model(self) -> None:
        """Let go the other model that was compared by."""
        self._engine.submit("leave model", self._other_model.forget, lane=Lane.FRONT, key="leave model")

    def know(self, texts: Sequence[str]) -> Job[NDArray[np.bool_]]:
        """Say of each text whether the model knows a word of it: bool [n]; the scores of others say nothing."""
        return self._engine.submit("know", lambda: know(self._encoder(), texts))

    def score_table(self, file: str) -> Job[ScoredTable]:
        """Compare every pair of a table: TSV, CSV or JSON lines. The latest wins.

        Raises (the job):
            NotFound: it cannot be read.
            BadData: it is no such table.
        """
        return self._engine.submit(
            "score table", lambda: score_table(self._encoder(), file, self._is_typed), key="score table"
        )

    def export_table(self, scored: ScoredTable, file: str) -> Job[int]:
        """Write a table with what was found of each pair; returns how many.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """
        return self._engine.submit("export table", lambda: _export(scored, file))

    def pair_texts(
        self,
        texts: Sequence[str],
        top_k: int,
        min_score: float,
        kind: PairKind | None = None,
        *,
        max_score: float = 1.0,
    ) -> Job[list[TextPair]]:
        """Find the most similar pairs of a list of sentences."""
        return self._engine.submit(
            "pair texts",
            lambda: pair_texts(self._encoder(), texts, top_k, (min_score, max_score), kind, self._is_typed),
        )

    def embed(self, texts: Sequence[str], *, raw: bool) -> Job[tuple[NDArray[np.float32], EmbedReport]]:
        """Turn texts into a matrix float32 [n, dim]."""
        return self._engine.submit("embed", lambda: embed_file(self._encoder(), texts, self._is_typed, raw=raw))

    def _is_typed(self) -> bool:
        """Whether somebody may be typing: then a core is left to them."""
        return self._engine.someone_waits


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


def compare_rows(
    encoder: Encoder, left: Sequence[str], right: Sequence[str], someone_waits: Callable[[], bool]
) -> Steps[ComparedRows]:
    """Compare each text of `left` with the one beside it in `right`.

    Raises:
        VectorNotFinite: there is none for a text; its index is that of the pair.
    """
    try:
        vectors = yield from embed_each(encoder, [*left, *right], someone_waits, normalize=False, exact=True)
    except VectorNotFinite as error:
        raise error.of(error.sentence, error.text % len(left)) from error
    u, v = vectors[: len(left)], vectors[len(left) :]
    labels: list[tuple[str, float]] = []
    for place in range(len(left)):
        label = encoder.classify(u[place], v[place])
        if label is None:
            break
        labels.append(label)
        if place % _STEP == 0:
            yield None
    return ComparedRows(cosine_of_rows(u, v), labels if len(labels) == len(left) and labels else None)


def score_table(encoder: Encoder, file: str, someone_waits: Callable[[], bool]) -> Steps[ScoredTable]:
    """Return a table with the cosine, kind and badges of each of its pairs."""
    table = read_pair_table(file)
    yield None
    left, right = table.texts(table.left), table.texts(table.right)
    try:
        rows = yield from compare_rows(encoder, left, right, someone_waits)
    except VectorNotFinite as error:
        raise error.in_line(table.numbers[error.text], file) from error
    known = yield from know(encoder, [*left, *right])
    kinds: list[PairKind] = []
    found: list[tuple[Badge, ...]] = []
    for top in range(0, len(left), _STEP):
        for a, b in zip(left[top : top + _STEP], right[top : top + _STEP], strict=True):
            kinds.append(kind_of(a, b))
            found.append(badges(a, b))
        yield Progress("looking", top, len(left), "pairs")
    both = known[: len(left)] & known[len(left) :]
    labels = tuple(rows.labels) if rows.labels is not None else None
    return ScoredTable(table, tuple(rows.cosines.tolist()), tuple(kinds), tuple(found), tuple(both.tolist()), labels)


def _export(scored: ScoredTable, file: str) -> int:
    cells = zip(scored.table.rows, scored.cosines, scored.kinds, scored.badges, strict=True)
    rows = [(*row, f"{cosine:.6f}", kind, " ".join(some)) for row, cosine, kind, some in cells]
    header = scored.table.header
    write_pair_table(file, (*header, *free_names(header, ("cosine", "kind", "badges"))), rows)
    return len(rows)


def pair_texts(
    encoder: Encoder,
    texts: Sequence[str],
    top_k: int,
    scores: tuple[float, float],
    kind: PairKind | None,
    someone_waits: Callable[[], bool],
) -> Steps[list[TextPair]]:
    """Return the most similar pairs of `texts` with a cosine from and to, best first; equal texts are pairs too."""
    min_score, max_score = scores
    vectors = yield from embed_each(encoder, texts, someone_waits, exact=True)
    ask = top_k
    while True:
        pairs: list[TextPair] = []
        for found in most_similar_pairs(vectors, ask, min_score):
            if found is not None:
                pairs = [_text_pair(texts, pair) for pair in found]
            yield None
        right = [
            pair
            for pair in pairs
            if kind in (None, pair.kind) and min(pair.score, 1.0) <= max_score and not is_unknown(pair.kind, pair.score)
        ]
        if len(right) >= top_k or len(pairs) < ask:
            return right[:top_k]
        ask *= _ASK_MORE  # pairs of other kinds or scores stood before


def _text_pair(texts: Sequence[str], pair: IndexPair) -> TextPair:
    a, b = texts[pair.a], texts[pair.b]
    return TextPair(pair.a, pair.b, a, b, pair.score, kind_of(a, b), badges(a, b))


def embed_file(
    encoder: Encoder, texts: Sequence[str], someone_waits: Callable[[], bool], *, raw: bool
) -> Steps[tuple[NDArray[np.float32], EmbedReport]]:
    """Return a row for each text and what it cost; `raw` gives the model's own output."""
    if len(texts) >= WORTH_TUNING:
        yield from tune(encoder)
    yield from embed_each(encoder, texts[:_WARM_UP], someone_waits, normalize=not raw)
    tokens = int(encoder.count_tokens(texts).sum())
    started = time.perf_counter()
    vectors = yield from embed_each(encoder, texts, someone_waits, normalize=not raw)
    seconds = time.perf_counter() - started
    return vectors, EmbedReport(len(texts), encoder.model.dim, seconds, tokens, encoder.device)
