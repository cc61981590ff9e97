"""Relevance feedback: a person's judgements of hits, or the best documents themselves, move the query.

J. Rocchio, "Relevance feedback in information retrieval", 1971; the weights are the usual ones of C. Manning et al.,
"Introduction to Information Retrieval", 2008, section 9.1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.score_fusion import score_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.records import ScoredSentence

    Vector = NDArray[np.float32]

_RELEVANT_WEIGHT, _IRRELEVANT_WEIGHT = 0.75, 0.25

_FEEDBACK_DOCUMENTS = 3
_FEEDBACK_WEIGHT = 0.75
MIN_DOCUMENTS_FOR_FEEDBACK = 30
"""The number of candidates from which feedback pays off: with fewer, three are not a real choice."""


def apply_judgements(vector: Vector, judged: Mapping[int, bool], rows: Mapping[int, Vector]) -> Vector:
    """Return a query's vector moved towards relevant sentences and away from irrelevant ones.

    Args:
        vector: float32 [dim], of length 1.
        judged: whether sentences are relevant.
        rows: their unit vectors; sentences without one are skipped.
    """
    total = vector.astype(np.float64)
    for is_relevant, weight in ((True, _RELEVANT_WEIGHT), (False, -_IRRELEVANT_WEIGHT)):
        kept = [rows[each] for each, verdict in judged.items() if verdict == is_relevant and each in rows]
        if kept:
            total += weight * np.mean(kept, axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, np.float32) if length > 1e-3 else vector


def demote_rejected(found: Sequence[ScoredSentence], judged: Mapping[int, bool]) -> list[ScoredSentence]:
    """Return a ranking with the irrelevant sentences at its end."""
    if False not in judged.values():
        return list(found)
    return sorted(found, key=lambda near: judged.get(near.sentence_id) is False)


def apply_pseudo_feedback(
    query: Vector, means: Vector, meaning: Sequence[float], joint: NDArray[np.float64]
) -> Sequence[float]:
    """Return the documents' similarities to a query moved towards the best of them.

    Pseudo relevance feedback: the documents best by meaning and words together mostly answer the query, and contain the
    words of further answers. Only the means of the documents are compared again: that costs one product, and ranks
    Cranfield as well as a complete second search.

    Args:
        query: unit vector float32 [dim].
        means: of each candidate's sentences: float32 [n, dim], rows of length 1, zeros if it has none.
        meaning: similarity of each candidate to the query (`score_document`).
        joint: of each, as `fuse_document_scores` returns them.
    """
    best = means[np.argsort(-joint, kind="stable")[:_FEEDBACK_DOCUMENTS]].mean(axis=0)
    length = float(np.linalg.norm(best))
    if length < 1e-9:
        return meaning
    moved = query + _FEEDBACK_WEIGHT / length * best
    nearer = means @ (moved / np.linalg.norm(moved) - query)
    return [score + score_document(0.0, float(more)) for score, more in zip(meaning, nearer, strict=True)]
