"""Compact vectors are half as large as float32 and nearly as precise."""

from __future__ import annotations

import numpy as np

from desktop_app.analysis.compact_vectors import CompactVectors


def test_rows_come_back_with_products_that_differ_by_millionths() -> None:
    rows = np.random.default_rng(0).standard_normal((500, 384), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    compact = CompactVectors(500, 384)
    order = np.random.default_rng(1).permutation(500)
    compact[order] = rows[order]
    assert len(compact) == 500
    assert compact[:].dtype == np.float32
    np.testing.assert_allclose(compact[:] @ compact[:].T, rows @ rows.T, atol=3e-5)
    np.testing.assert_array_equal(compact[order[:3]], compact[:][order[:3]])
    scaled = compact.unscaled(slice(0, 9)) * compact.scales(slice(0, 9))[:, None]
    np.testing.assert_array_equal(scaled, compact[:9])


def test_a_cleared_row_and_a_row_of_zeros_are_zeros() -> None:
    compact = CompactVectors(3, 4)
    compact[np.array([0, 1])] = np.array([[0, 0, 0, 0], [0.5, -0.5, 0.5, 0.5]], np.float32)
    compact.clear(slice(2, 3))
    np.testing.assert_allclose(compact[:], [[0, 0, 0, 0], [0.5, -0.5, 0.5, 0.5], [0, 0, 0, 0]], atol=1e-6)
