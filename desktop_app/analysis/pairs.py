"""The most similar pairs of a set of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.records import IndexPair, PairScore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_ROWS = 512  # a block of 512 x 4096 scores is 8 MB: it stays in the cache of most machines
_COLUMNS = 4096


def score_pair(u: NDArray[np.float32], v: NDArray[np.float32]) -> PairScore:
    """Compare two vectors float32 [dim] of any length; the cosine with a zero vector is 0."""
    a, b = u.astype(np.float64), v.astype(np.float64)
    dot = float(a @ b)
    norms = float(np.linalg.norm(a) * np.linalg.norm(b))
    # Rounding can carry the cosine of like vectors a little past 1.
    cosine = max(-1.0, min(1.0, dot / norms)) if norms else 0.0
    return PairScore(cosine, dot, float(np.linalg.norm(a - b)))


def cosine_of_rows(u: NDArray[np.float32], v: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row of `u` float32 [n, dim] with the same row of `v`: float64 [n]."""
    a, b = u.astype(np.float64), v.astype(np.float64)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines = np.zeros(len(a))
    np.divide(np.einsum("ij,ij->i", a, b), norms, out=cosines, where=norms > 0)
    return np.clip(cosines, -1.0, 1.0)


def most_similar_pairs(
    vectors: NDArray[np.float32], top_k: int, min_score: float = -1.0
) -> Iterator[list[IndexPair] | None]:
    """Find the `top_k` pairs of rows with the highest cosine, exactly, by blocks.

    Args:
        vectors: float32 [n, dim], rows of length 1.
        top_k: how many pairs.
        min_score: lowest cosine.

    Yields:
        None after each block, as a point to pause; at last the pairs, best first, equal scores by (a, b).
    """
    best_a = np.empty(0, np.int64)
    best_b = np.empty(0, np.int64)
    best = np.empty(0, np.float32)
    floor = np.float32(min_score)
    count = len(vectors)
    for top in range(0, count, _ROWS):
        rows = vectors[top : top + _ROWS]
        for left in range(top, count, _COLUMNS):
            scores = rows @ vectors[left : left + _COLUMNS].T
            above = scores >= floor
            if left < top + len(rows):  # this block touches the diagonal: keep what lies right of it
                above &= np.arange(left, left + scores.shape[1]) > np.arange(top, top + len(rows))[:, None]
            i, j = np.nonzero(above)
            best_a = np.concatenate([best_a, i + top])
            best_b = np.concatenate([best_b, j + left])
            best = np.concatenate([best, scores[i, j]])
            if len(best) > top_k:
                keep = np.lexsort((best_b, best_a, -best))[:top_k]
                best_a, best_b, best = best_a[keep], best_b[keep], best[keep]
                floor = max(floor, best[-1])
            yield None
    order = np.lexsort((best_b, best_a, -best))
    yield [
        IndexPair(a, b, score)
        for a, b, score in zip(best_a[order].tolist(), best_b[order].tolist(), best[order].tolist(), strict=True)
    ]
