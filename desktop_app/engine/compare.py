"""Compares and explains sentences that need not be in a library: two texts, tables, lists.

Where a person reads the score of two sentences itself, with four decimals or more, both are embedded in full precision
(`exact`): bf16 moves a score by up to a few thousandths. Vectors of a library, queries and matrices are embedded in the
precision that is fastest here; these vectors are within a cosine of 0.9995 of the exact ones, which is far less than
what the order of hits depends on.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.duplicates import classify_pair, is_unknown_words_pair
from desktop_app.analysis.similar_pairs import find_most_similar_pairs, rowwise_cosine, score_pair
from desktop_app.analysis.word_comparison import align_words, find_word_differences
from desktop_app.core.duplicates import PairLabel
from desktop_app.core.errors import VectorNotFinite
from desktop_app.core.jobs import Lane, Progress, Steps, map_steps
from desktop_app.core.pair_tables import read_pair_table, unique_column_names, write_pair_table
from desktop_app.core.records import WordComparison
from desktop_app.core.sentence_differences import find_badges
from desktop_app.engine.embedding import MIN_TEXTS_TO_TUNE, embed_all, find_known_texts, reserve_core, tune_encoder
from desktop_app.engine.query_understanding import understand_query
from desktop_app.engine.requests import (
    EXPLAINED_CHARACTERS,
    Comparison,
    EmbedReport,
    Explanation,
    ScoredTable,
    TextPair,
)
from desktop_app.engine.unknown_languages import find_unknown_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.duplicates import Pair, PairKind, PairVerdict
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import KeywordSearch
    from desktop_app.core.ports import Encoder, PairReader
    from desktop_app.core.records import IndexPair
    from desktop_app.core.sentence_differences import Badge
    from desktop_app.engine.context import EngineContext

Result = TypeVar("Result")

_OVERFETCH_FACTOR = 8
_TEXTS_PER_STEP = 256  # texts that are processed in one step
_MIN_LENGTH = 1e-12  # of a vector that has a direction, as in torch's `normalize`
_WARM_UP_TEXTS = 64  # texts that are embedded before the clock starts

_JUDGED_CHARACTERS = 1000  # of a text whose language is looked at

MAX_WORDS = 80
"""Words of a sentence that are compared: more would not be readable."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRows:
    """Pairs of sentences compared row by row.

    Attributes:
        cosines: float64 [n].
        verdicts: what the model was trained to say of each pair; None if it was not.
    """

    cosines: NDArray[np.float64]
    verdicts: list[PairVerdict] | None = None


class ComparisonService:
    """Compares and explains sentences.

    Args:
        context: the encoder and library that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._encoder = context.load_encoder
        self._is_user_active = context.engine.is_user_active

    def compare(self, a: str, b: str, *, model: str = "", key: str | None = "compare") -> Job[Comparison]:
        """Compare two sentences with a model (name or folder); empty: the library's. With a key, the latest wins.

        Raises (the job):
            ModelMissing, ModelUnusable: the model is not there, or has no vectors of sentences.
        """

        def steps() -> Steps[Comparison]:
            encoder = (yield from self._context.other_model.load(model)) if model else self._encoder()
            return (yield from compare_texts(encoder, a, b))

        return self._context.engine.submit("compare", steps, lane=Lane.FRONT, key=key)

    def release_model(self) -> None:
        """Release the other model that sentences were compared with."""
        self._context.engine.submit(
            "release model", self._context.other_model.release, lane=Lane.FRONT, key="release model"
        )

    def find_known_texts(self, texts: Sequence[str]) -> Job[NDArray[np.bool_]]:
        """Return whether the model knows a word of each text: bool [n]; the scores of other texts mean nothing."""
        return self._context.engine.submit("find known texts", lambda: find_known_texts(self._encoder(), texts))

    def find_unknown_languages(self, texts: Sequence[str]) -> Job[tuple[str, ...]]:
        """Return the languages (two letters) of texts that the model was not trained for."""

        def find() -> tuple[str, ...]:
            return self._find_unknown_languages(self._encoder(), texts)

        return self._context.engine.submit("find unknown languages", find)

    def score_table(self, file: str, *, asker: str = "") -> Job[ScoredTable]:
        """Compare every pair of a table: TSV, CSV or JSON lines. The latest request of an asker wins.

        Raises (the job):
            NotFound: the file cannot be read.
            BadData: it is no table of pairs.
        """
        return self._context.engine.submit(
            "score table",
            lambda: score_table(self._encoder(), file, self._is_user_active, self._words),
            key=f"score table {asker}",
        )

    def export_table(self, scored: ScoredTable, file: str) -> Job[int]:
        """Write a table with the scores of each pair; returns how many.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """
        return self._context.engine.submit("export table", lambda: _export_table(scored, file))

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
        return self._context.engine.submit(
            "pair texts",
            lambda: find_text_pairs(self._encoder(), texts, top_k, (min_score, max_score), kind, self._is_user_active),
        )

    def embed(self, texts: Sequence[str], *, raw: bool) -> Job[tuple[NDArray[np.float32], EmbedReport]]:
        """Embed texts as a matrix float32 [n, dim]."""
        return self._context.engine.submit(
            "embed",
            lambda: embed_and_measure(self._encoder(), texts, self._is_user_active, raw=raw),
        )

    def explain(
        self,
        a: str,
        b: str,
        cosine: float,
        *,
        verdict: PairVerdict | None = None,
        pair: Pair | None = None,
        model: str = "",
    ) -> Job[Explanation]:
        """Explain two sentences that have this cosine. The latest request wins.

        Args:
            a: the first sentence.
            b: the second one.
            cosine: of both.
            verdict: what the model says of them, if it was trained to.
            pair: the pair of the library that they are, in this order; its badges, differences and label are used as
                they are, and so is its kind without a verdict. None: they are computed and read.
            model: name or folder of the model that computed the cosine, for which no percentile is known; empty: the
                library's.
        """

        def steps() -> Steps[Explanation]:
            encoder = (yield from self._context.other_model.load(model)) if model else self._encoder()
            begin_a, begin_b = a[:EXPLAINED_CHARACTERS], b[:EXPLAINED_CHARACTERS]
            first, second = (bool(known) for known in encoder.knows_words([begin_a, begin_b]))
            yield None
            unknown_languages = self._find_unknown_languages(encoder, (a, b))
            yield None
            percentile = None if model else self._find_percentile(cosine)
            yield None
            words = yield from _compare_words(encoder, begin_a, begin_b)
            if pair is not None:
                kind = pair.kind if verdict is None else classify_pair(a, b, cosine, verdict)
                badges, only_a, only_b = pair.badges, pair.differs_a, pair.differs_b
                is_labelled = pair.reviewed or pair.same is not None
                label = PairLabel(a, b, pair.reviewed, pair.same) if is_labelled else None
            else:
                kind, badges = classify_pair(a, b, cosine, verdict), find_badges(begin_a, begin_b)
                only_a, only_b = find_word_differences(begin_a, begin_b)
                if min(len(a), len(b)) > EXPLAINED_CHARACTERS:  # both end anywhere, so that the last words differ
                    only_a = tuple(span for span in only_a if span[1] < EXPLAINED_CHARACTERS)
                    only_b = tuple(span for span in only_b if span[1] < EXPLAINED_CHARACTERS)
                label = self._context.open_library().pair_labels.find([(a, b)])[0]
            return Explanation(
                a, b, kind, badges, only_a, only_b, percentile, (first, second), label, words, unknown_languages
            )

        return self._context.engine.submit("explain", steps, lane=Lane.FRONT, key="explain")

    def compare_words(self, a: str, b: str) -> Job[WordComparison | None]:
        """Align the words of two sentences; None if one of them has no words."""
        return self._context.engine.submit("words", lambda: _compare_words(self._encoder(), a, b), lane=Lane.FRONT)

    def percentile(self, cosine: float) -> Job[float | None]:
        """Return the share of random pairs of the library below a cosine, 0 to 100; None where it is unknown."""
        return self._context.engine.submit("percentile", lambda: self._find_percentile(cosine), lane=Lane.FRONT)

    # On the engine's thread

    def _find_unknown_languages(self, encoder: Encoder, texts: Sequence[str]) -> tuple[str, ...]:
        words = self._words
        found = [understand_query([text[:_JUDGED_CHARACTERS]], encoder, words) for text in texts]
        return tuple(dict.fromkeys(each.language for each in found if not each.is_known and each.language))

    @property
    def _words(self) -> KeywordSearch | None:
        """The words of the library, if it is open: two sentences can be compared without one."""
        library = self._context.opened_library
        return library.keyword_search if library is not None else None

    def _find_percentile(self, cosine: float) -> float | None:
        library = self._context.open_library()
        if library.models.current is None or library.models.current.fingerprint != self._encoder().model.fingerprint:
            return None
        calibration = self._context.calibration()
        return calibration.percentile(cosine) if calibration is not None else None


def compare_texts(encoder: Encoder, a: str, b: str) -> Steps[Comparison]:
    """Return the similarity of two sentences, by the model's own output."""
    verdict = None
    if (reader := encoder.read_pairs()) is not None:
        (u,), (v,), (verdict,) = yield from _report(reader.judge([a], [b]), "judging", 1, "pairs")
    else:
        u, v = encoder.encode([a, b], normalize=False, exact=True)
        if encoder.judges_pairs:
            [verdict] = yield from _judge_pairs(encoder, u[None], v[None], [a], [b])
    score = score_pair(u, v)
    kind = classify_pair(a, b, score.cosine, verdict)
    return Comparison(a, b, score, encoder.model.normalised, verdict, kind)


def compare_rows(
    encoder: Encoder, left: Sequence[str], right: Sequence[str], is_user_active: Callable[[], bool]
) -> Steps[ComparedRows]:
    """Compare each text of `left` with the one in the same row of `right`.

    Raises:
        VectorNotFinite: the model has no vector for a text; its index is that of the pair.
    """
    reader = encoder.read_pairs() if left else None
    verdicts = None
    try:
        if reader is not None:
            u, v, verdicts = yield from _report(
                _leave_core(encoder, reader.judge(left, right), is_user_active), "judging", len(left), "pairs"
            )
        else:
            vectors = yield from embed_all(encoder, [*left, *right], is_user_active, normalize=False, exact=True)
            u, v = vectors[: len(left)], vectors[len(left) :]
    except VectorNotFinite as error:
        raise error.of([*left, *right][error.text], error.text % len(left)) from error
    if reader is None and encoder.judges_pairs:
        verdicts = yield from _judge_pairs(encoder, u, v, left, right)
    return ComparedRows(rowwise_cosine(u, v), verdicts)


def _judge_pairs(
    encoder: Encoder, u: NDArray[np.float32], v: NDArray[np.float32], left: Sequence[str], right: Sequence[str]
) -> Steps[list[PairVerdict]]:
    """Return what a model that judges pairs says of each one."""
    if not left:
        return []
    return (yield from _report(encoder.judge_pairs(u, v, left, right), "judging", len(left), "pairs"))


def _report(steps: Generator[int, None, Result], phase: str, total: int, unit: str) -> Steps[Result]:
    """Report the progress of steps that yield how much is done; returns their result."""
    return map_steps(steps, lambda done: Progress(phase, done, total, unit))


def _leave_core(
    encoder: Encoder, steps: Generator[int, None, Result], is_user_active: Callable[[], bool]
) -> Generator[int, None, Result]:
    """Go through steps of a `PairReader` with one core less while a person is typing."""

    def reserve(done: int) -> int:
        reserve_core(encoder, is_user_active())
        return done

    try:
        return (yield from map_steps(steps, reserve))
    finally:
        encoder.set_threads(0)


def score_table(
    encoder: Encoder, file: str, is_user_active: Callable[[], bool], words: KeywordSearch | None = None
) -> Steps[ScoredTable]:
    """Return a table with the cosine, kind and badges of each of its pairs."""
    table = read_pair_table(file)
    yield None
    left, right = table.texts(table.left), table.texts(table.right)
    try:
        rows = yield from compare_rows(encoder, left, right, is_user_active)
    except VectorNotFinite as error:
        raise error.in_line(table.numbers[error.text], file) from error
    known = yield from find_known_texts(encoder, [*left, *right])
    verdicts = tuple(rows.verdicts) if rows.verdicts is not None else None
    kinds: list[PairKind] = []
    found: list[tuple[Badge, ...]] = []
    for top in range(0, len(left), _TEXTS_PER_STEP):
        piece = slice(top, top + _TEXTS_PER_STEP)
        some = verdicts[piece] if verdicts is not None else itertools.repeat(None, len(left[piece]))
        for a, b, cosine, verdict in zip(left[piece], right[piece], rows.cosines[piece].tolist(), some, strict=True):
            kinds.append(classify_pair(a, b, cosine, verdict))
            found.append(find_badges(a, b))
        yield Progress("looking", top, len(left), "pairs")
    both = known[: len(left)] & known[len(left) :]
    languages: list[str] = []
    for column in (left, right):
        languages += yield from find_unknown_languages(column, encoder, words)
    return ScoredTable(
        table,
        tuple(rows.cosines.tolist()),
        tuple(kinds),
        tuple(found),
        tuple(both.tolist()),
        verdicts,
        tuple(dict.fromkeys(languages)),
    )


def _export_table(scored: ScoredTable, file: str) -> int:
    cells = zip(scored.table.rows, scored.cosines, scored.kinds, scored.badges, strict=True)
    rows = [(*row, f"{cosine:.6f}", kind, " ".join(some)) for row, cosine, kind, some in cells]
    header = scored.table.header
    write_pair_table(file, (*header, *unique_column_names(header, ("cosine", "kind", "badges"))), rows)
    return len(rows)


def find_text_pairs(
    encoder: Encoder,
    texts: Sequence[str],
    top_k: int,
    scores: tuple[float, float],
    kind: PairKind | None,
    is_user_active: Callable[[], bool],
) -> Steps[list[TextPair]]:
    """Return the most similar pairs of `texts` within a range of cosines, best first; equal texts are pairs too."""
    min_score, max_score = scores
    # A reader computes on the processor. Of many sentences few are in a pair: a GPU embeds all of them faster.
    reader = encoder.read_pairs() if texts and encoder.device.device == "cpu" else None
    judges_pairs = encoder.judges_pairs
    # A model that judges pairs was trained on its own output, which need not have length 1.
    is_scaled = encoder.model.normalised or not judges_pairs
    if reader is not None:
        output = yield from _embed_to_judge(encoder, reader, texts, is_user_active)
    else:
        output = yield from embed_all(encoder, texts, is_user_active, normalize=is_scaled, exact=True)
    vectors = output if is_scaled and reader is None else _scale_rows(encoder, texts, output)
    ask = top_k
    verdicts: dict[tuple[int, int], PairVerdict] = {}
    while True:
        pairs: list[TextPair] = []
        for found in find_most_similar_pairs(vectors, ask, min_score):
            yield None
            if found is not None:
                if judges_pairs:
                    within = [(pair.a, pair.b) for pair in found if min(pair.score, 1.0) <= max_score]
                    new = [pair for pair in within if pair not in verdicts]
                    first, second = [a for a, _ in new], [b for _, b in new]
                    sides = [texts[row] for row in first], [texts[row] for row in second]
                    if reader is None or not new:
                        said = yield from _judge_pairs(encoder, output[first], output[second], *sides)
                    else:
                        steps = _leave_core(encoder, reader.judge(*sides), is_user_active)
                        _, _, said = yield from _report(steps, "judging", len(new), "pairs")
                    verdicts.update(zip(new, said, strict=True))
                pairs = [_make_text_pair(texts, pair, verdicts.get((pair.a, pair.b))) for pair in found]
        right = [
            pair
            for pair in pairs
            if kind in (None, pair.kind)
            and min(pair.score, 1.0) <= max_score
            and not is_unknown_words_pair(pair.kind, pair.score)
        ]
        if len(right) >= top_k or len(pairs) < ask:
            break
        ask *= _OVERFETCH_FACTOR  # pairs of other kinds or scores came first
    return right[:top_k]


def _embed_to_judge(
    encoder: Encoder, reader: PairReader, texts: Sequence[str], is_user_active: Callable[[], bool]
) -> Steps[NDArray[np.float32]]:
    """Return the model's own output for each text: float32 [len(texts), dim]."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    distinct = list(rows)
    try:
        steps = _leave_core(encoder, reader.embed(distinct), is_user_active)
        vectors = yield from _report(steps, "embedding", len(distinct), "sentences")
    except VectorNotFinite as error:
        sentence = distinct[error.text]
        raise error.of(sentence, texts.index(sentence)) from error
    return vectors[[rows[text] for text in texts]]


def _scale_rows(encoder: Encoder, texts: Sequence[str], output: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the model's own output with rows of length 1.

    Raises:
        VectorNotFinite: a row is zero.
    """
    lengths = np.linalg.norm(output, axis=1, keepdims=True)
    for row in np.flatnonzero(lengths < _MIN_LENGTH).tolist():
        try:
            encoder.encode([texts[row]], exact=True)  # raises the error that names the model
        except VectorNotFinite as error:
            raise error.of(texts[row], row) from error
    return output if encoder.model.normalised else output / np.maximum(lengths, _MIN_LENGTH)


def _make_text_pair(texts: Sequence[str], pair: IndexPair, verdict: PairVerdict | None) -> TextPair:
    a, b = texts[pair.a], texts[pair.b]
    kind = classify_pair(a, b, pair.score, verdict)
    return TextPair(pair.a, pair.b, a, b, min(pair.score, 1.0), kind, find_badges(a, b), verdict)


def embed_and_measure(
    encoder: Encoder, texts: Sequence[str], is_user_active: Callable[[], bool], *, raw: bool
) -> Steps[tuple[NDArray[np.float32], EmbedReport]]:
    """Return a row for each text and what it cost; `raw` gives the model's own output."""
    if len(texts) >= MIN_TEXTS_TO_TUNE:
        yield from tune_encoder(encoder)
    yield from embed_all(encoder, texts[:_WARM_UP_TEXTS], is_user_active, normalize=not raw)
    tokens = int(encoder.count_tokens(texts).sum())
    started = time.perf_counter()
    vectors = yield from embed_all(encoder, texts, is_user_active, normalize=not raw)
    seconds = time.perf_counter() - started
    return vectors, EmbedReport(len(texts), encoder.model.dim, seconds, tokens, encoder.device)


def _compare_words(encoder: Encoder, a: str, b: str) -> Steps[WordComparison | None]:
    both = []
    for text in (a, b):
        (found,) = encoder.token_vectors([text])
        both.append(found)
        yield None
    left, right = both
    if not (left.tokens and right.tokens):
        return None
    similarity = (left.vectors[:MAX_WORDS] @ right.vectors[:MAX_WORDS].T).clip(-1.0, 1.0)
    yield None
    is_cut = max(len(left.tokens), len(right.tokens)) > MAX_WORDS
    alignment = align_words(similarity)
    return WordComparison(left.tokens[:MAX_WORDS], right.tokens[:MAX_WORDS], similarity, alignment, is_cut)
