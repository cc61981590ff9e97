"""Embeds sentences and judges pairs of them by their words, without embedding any for a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.encoder.inference.backend import refuse_non_finite_rows
from desktop_app.encoder.word_alignment import EmbeddedTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from desktop_app.core.arrays import Vectors
    from desktop_app.core.duplicates import PairVerdict
    from desktop_app.encoder.word_alignment import PairWords, WordEmbedder
    from desktop_app.encoder.word_rarity import WordRarity

    JudgeWords = Callable[[Vectors, Vectors, PairWords], Generator[int, None, list[PairVerdict]]]


class WordPairReader:
    """Embeds and judges with a model that has a word judge; see `core.ports.PairReader`.

    Args:
        embedder: gives vectors of sentences and words in one pass.
        rarity: of words, by the judge.
        judge: returns what the model says of pairs by their vectors and words.
        model: what the model is called.
    """

    def __init__(self, embedder: WordEmbedder, rarity: WordRarity, judge: JudgeWords, model: str) -> None:
        self._embedder, self._rarity, self._judge, self._model = embedder, rarity, judge, model
        self._kept = EmbeddedTexts()

    def embed(self, texts: Sequence[str]) -> Generator[int, None, Vectors]:
        """See `core.ports.PairReader`."""
        vectors = yield from self._embedder.embed_texts(texts, self._kept)
        refuse_non_finite_rows(vectors, self._model)
        return vectors

    def judge(
        self, first: Sequence[str], second: Sequence[str]
    ) -> Generator[int, None, tuple[Vectors, Vectors, list[PairVerdict]]]:
        """See `core.ports.PairReader`."""
        u, v, words = yield from self._embedder.embed_pairs(first, second, self._rarity, self._kept)
        refuse_non_finite_rows(u, self._model)
        refuse_non_finite_rows(v, self._model, len(first))
        verdicts = yield from self._judge(u, v, words)
        return u, v, verdicts
