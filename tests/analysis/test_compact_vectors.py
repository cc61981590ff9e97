"""Compact vectors are half or a quarter as large as float32 and nearly as precise."""

from __future__ import annotations

import numpy as np

from desktop_app.analysis.cluster_map import project_to_plane
from desktop_app.analysis.clusters import (
    assign_loose_in_steps,
    choose_key_rows,
    cluster_centres,
    measure_clearness_in_steps,
)
from desktop_app.analysis.compact_vectors import CompactVectors
from desktop_app.core.jobs import run_to_completion


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


def test_clusters_of_a_large_library_are_measured_on_compact_rows() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(-1, 6, 900)
    rows = rng.standard_normal((6, 32))[labels] + 0.4 * rng.standard_normal((900, 32))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    compact = CompactVectors(*rows.shape, bits=8)
    compact[np.arange(900)] = rows
    assert compact.shape == rows.shape
    centres = cluster_centres(rows, labels)
    np.testing.assert_allclose(cluster_centres(compact, labels), centres, atol=1e-3)
    clear = [run_to_completion(measure_clearness_in_steps(each, labels)) for each in (rows, compact)]
    assert abs(clear[0] - clear[1]) < 1e-3
    loose = [run_to_completion(assign_loose_in_steps(each, labels)).tolist() for each in (rows, compact)]
    assert loose[0] == loose[1]
    members = np.flatnonzero(labels == 2)
    closeness = rows[members] @ centres[2]
    assert choose_key_rows(compact, members, closeness, 5) == choose_key_rows(rows, members, closeness, 5)
    places = [run_to_completion(project_to_plane(each)) for each in (rows, compact)]
    np.testing.assert_allclose(places[0], places[1], atol=0.1)
