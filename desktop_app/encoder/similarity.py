"""Cosine similarity of vectors: plain numpy, so that scoring needs no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cos_sim(a: Any, b: Any) -> NDArray[np.float32]:
    """Return the cosine similarity of every row of `a` with every row of `b`.

    Args:
        a: [n, dim] or one vector [dim]: numpy array, torch tensor (any device or precision), or a list of these.
        b: [m, dim] or [dim], likewise.

    Returns:
        float32 [n, m], -1 to 1. A zero vector has similarity 0 with everything.
    """
    rows_a, rows_b = _unit_rows(a), _unit_rows(b)
    # Rounding can make a product of unit vectors slightly larger than 1; arccos and percentiles would fail on it.
    products: NDArray[np.float32] = np.clip(rows_a @ rows_b.T, -1.0, 1.0)
    return products


def rowwise_cosines(u: NDArray[np.float32], v: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row of `u` with the same row of `v`: float64 [n]; 0 with a zero vector."""
    a, b = u.astype(np.float64), v.astype(np.float64)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    found = np.zeros(len(a))
    np.divide(np.einsum("ij,ij->i", a, b), norms, out=found, where=norms > 0)
    return np.clip(found, -1.0, 1.0)


def _unit_rows(vectors: Any) -> NDArray[np.float32]:
    rows: NDArray[Any] = np.atleast_2d(_as_array(vectors))
    if rows.ndim != 2:
        raise ValueError(f"vectors are [dim] or [n, dim], not {list(rows.shape)}")
    if rows.shape == (1, 0):  # an empty list: no rows, not one row without numbers
        rows = rows.reshape(0, 0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
    return unit


def _as_array(vectors: Any) -> NDArray[np.float32]:
    """Return numpy float32. Recognises torch by its methods, without importing it."""
    if hasattr(vectors, "detach"):
        # numpy has no bfloat16, so every tensor goes through fp32.
        return np.asarray(vectors.detach().float().cpu().numpy(), dtype=np.float32)
    if isinstance(vectors, (list, tuple)) and any(hasattr(vector, "detach") for vector in vectors):
        return np.stack([_as_array(vector) for vector in vectors])
    return np.asarray(vectors, dtype=np.float32)
