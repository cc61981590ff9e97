"""Score fusion: combines the rankings by meaning and by words into one.

Both scores of every candidate are known, so they are added instead of being reduced to ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


MEANING_WEIGHT = 0.6
WORDS_WEIGHT = 0.4


def fuse_document_scores(
    meaning: Sequence[float] | NDArray[np.float64], words: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the joint scores float64 [n] of documents; higher is better, 0 is their mean.

    Both are first standardised (z-scores over the candidates). The weights are those that rank Cranfield's documents
    best (nDCG@10 0.563; reciprocal ranks 0.552, meaning alone 0.494, words alone 0.521), with pseudo relevance feedback
    (`engine/relevance_feedback.py`) 0.581.

    Args:
        meaning: similarity of each candidate.
        words: BM25 of each candidate, 0 for one without the words.
    """
    return MEANING_WEIGHT * _standardise(meaning) + (1 - MEANING_WEIGHT) * _standardise(words)


def mix_word_scores(words: Sequence[float], added: Sequence[float], share: float) -> NDArray[np.float64]:
    """Return BM25 of a query's words mixed with BM25 of added words, both standardised: float64 [n].

    Args:
        words: of each document.
        added: likewise.
        share: of the added words, 0 to 1.
    """
    return (1 - share) * _standardise(words) + share * _standardise(added)


def score_document(best: float, mean: float) -> float:
    """Return a document's score: half its best sentence's cosine, half the cosine of the mean of its sentences."""
    return 0.5 * best + 0.5 * mean


def fuse_sentence_scores(
    cosines: Sequence[float] | NDArray[np.float64], word_shares: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the joint scores float64 [n] of sentences: the cosine plus the share of the query's words they contain.

    Few sentences contain any word of a query. With z-scores, the one with a single rare word would be far above the
    rest and outrank everything; a share adds its part and no more. Unlike BM25, it prefers no short sentences: a
    sentence of three words is no better an answer because one of them is in the query.

    Args:
        cosines: of each candidate with the query.
        word_shares: the share of the query's words in each candidate, rare ones counting for more: 0 to 1.
    """
    return np.asarray(cosines, np.float64) + WORDS_WEIGHT * np.asarray(word_shares, np.float64)


def _standardise(scores: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    values = np.asarray(scores, np.float64)
    if not len(values):
        return values
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))
