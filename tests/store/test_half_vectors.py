"""Vectors in half precision: exact where they are read, and nearly equal to what was given."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from desktop_app.store.half_vectors import are_numbers, read_vectors, round_to_halves, to_halves, widen


def test_every_number_of_half_precision_is_widened_exactly() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(-1, 64)
    is_number = np.isfinite(halves)
    wide = widen(halves)
    np.testing.assert_array_equal(wide[is_number], halves[is_number].astype(np.float32))
    assert np.signbit(wide[np.signbit(halves) & is_number]).all()
    np.testing.assert_array_equal(are_numbers(wide), is_number.all(axis=1))


def test_rows_of_any_length_are_widened_into_a_part_of_an_array() -> None:
    rng = np.random.default_rng(0)
    for rows, dim in ((1, 1), (700, 3), (300, 1000), (0, 8)):
        halves = to_halves(rng.standard_normal((rows, dim), np.float32))
        room = np.zeros((rows, dim + 2), np.float32)
        widen(halves, room[:, 1 : 1 + dim])
        np.testing.assert_array_equal(room[:, 1 : 1 + dim], halves.astype(np.float32))
        assert not room[:, 0].any()


def test_stored_vectors_of_both_kinds_are_read_together() -> None:
    vectors = np.random.default_rng(1).standard_normal((5, 6)).astype(np.float32)
    old, new = [row.astype("<f4").tobytes() for row in vectors], [row.astype("<f2").tobytes() for row in vectors]
    for stored in (old, new, [old[0], new[1], old[2], new[3], old[4]]):
        np.testing.assert_array_equal(read_vectors(stored, 6), round_to_halves(vectors))
    assert read_vectors([], 6).shape == (0, 6)
    with pytest.raises(ValueError, match="impossible length"):
        read_vectors([old[0], new[1][:-1]], 6)


def test_sentences_keep_their_cosines_and_ranks() -> None:
    from desktop_app.encoder import SiameseEncoder

    sentences = [
        "Sea level is rising faster than expected.",
        "The oceans are climbing more quickly than scientists thought.",
        "Glaciers lose more ice each summer.",
        "Bread needs flour, water, salt and yeast.",
        "Knead the dough until it is smooth.",
        "The train to the coast was late again.",
        "Passengers waited an hour at the station.",
        "A cat sleeps on the warm windowsill.",
    ]
    vectors = SiameseEncoder().encode(sentences)
    stored = round_to_halves(vectors)
    before, after = vectors @ vectors.T, vectors @ stored.T
    np.testing.assert_allclose(after, before, atol=1e-4)
    np.testing.assert_array_equal(np.argsort(-after, axis=1), np.argsort(-before, axis=1))


def test_a_damaged_number_is_read_without_a_warning() -> None:
    damaged = np.array([[1e38, 0.0, -1e38, 1.0], [1.0, 0.0, 0.0, 0.0]], "<f4")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vectors = read_vectors([row.tobytes() for row in damaged], 4)
    assert are_numbers(vectors).tolist() == [False, True]
