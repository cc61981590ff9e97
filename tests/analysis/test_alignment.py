"""Two texts are aligned in order by the highest sum of similarities; moved sentences are aligned afterwards."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from desktop_app.analysis.alignment import align_in_order, match_moved_sentences

LIMIT = 0.5


def _last(steps: Iterator[Any]) -> Any:
    return list(steps)[-1]


def _texts(letters: str) -> np.ndarray:
    """Every letter has its own direction; a lower-case letter is between that and a direction of no other letter."""
    rows = np.zeros((len(letters), 60), np.float32)
    for row, letter in enumerate(letters):
        rows[row, ord(letter.upper()) - ord("A")] = 1.0 if letter.isupper() else 0.8
        if letter.islower():
            rows[row, 30 + ord(letter) - ord("a")] = 0.6
    return rows


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("ABC", "ABC", [(0, 0), (1, 1), (2, 2)]),
        ("ABCD", "AXCD", [(0, 0), (2, 2), (3, 3)]),
        ("ABCD", "aXcD", [(0, 0), (2, 2), (3, 3)]),
        ("ABC", "BC", [(1, 0), (2, 1)]),
        ("DABC", "ABCD", [(1, 0), (2, 1), (3, 2)]),
        ("AAAA", "AA", [(0, 0), (1, 1)]),
        ("ABC", "XYZ", []),
        ("", "ABC", []),
        ("ABC", "", []),
    ],
)
def test_sentences_are_joined_in_order(a: str, b: str, pairs: list[tuple[int, int]]) -> None:
    found = _last(align_in_order(_texts(a), _texts(b), LIMIT))
    if a == "AAAA":
        assert len(found) == 2
        assert found[0][0] < found[1][0]
    else:
        assert [(row, column) for row, column, _ in found] == pairs
    assert all(score == pytest.approx(1.0) or score == pytest.approx(0.8) for _, _, score in found)


def test_no_other_alignment_without_crossing_has_a_higher_sum() -> None:
    rng = np.random.default_rng(5)
    for n, m in itertools.product((1, 4, 6), (3, 5)):
        a, b = (rng.normal(size=(size, 6)).astype(np.float32) for size in (n, m))
        a /= np.linalg.norm(a, axis=1, keepdims=True)
        b /= np.linalg.norm(b, axis=1, keepdims=True)
        gains = np.maximum(a @ b.T - 0.1, 0.0)
        table = np.zeros((n + 1, m + 1))
        for i, j in itertools.product(range(1, n + 1), range(1, m + 1)):
            table[i, j] = max(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1] + gains[i - 1, j - 1])
        found = _last(align_in_order(a, b, 0.1))
        assert sum(score - 0.1 for _, _, score in found) == pytest.approx(table[n, m], abs=1e-4)
        assert all(one[0] < two[0] and one[1] < two[1] for one, two in itertools.pairwise(found))


def test_texts_longer_than_a_block_are_aligned_whole() -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=(300, 16)).astype(np.float32)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    keep = np.sort(rng.choice(300, 250, replace=False))
    found = _last(align_in_order(a, a[keep], 0.99))
    assert [(row, column) for row, column, _ in found] == [(int(row), at) for at, row in enumerate(keep)]


def test_moved_sentences_are_found_nearest_first() -> None:
    a, b = _texts("ABC"), _texts("cbB")
    found = _last(match_moved_sentences(a, b, np.array([1, 2]), np.array([0, 1, 2]), LIMIT))
    assert [(row, column) for row, column, _ in found] == [(1, 2), (2, 0)]
    assert _last(match_moved_sentences(a, b, np.array([], np.int64), np.array([0]), LIMIT)) == []


def test_many_equal_lines_are_each_joined_to_one_without_all_their_pairs_in_memory() -> None:
    line = np.full((2000, 4), 0.5, np.float32)
    everything = np.arange(2000)
    tracemalloc.start()
    found = _last(match_moved_sentences(line, line[:1500], everything, everything[:1500], LIMIT))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == 1500
    assert len({row for row, _, _ in found}) == len({column for _, column, _ in found}) == 1500
    assert most < 60e6, "three million pairs as objects take 400 MB"
    assert len(list(match_moved_sentences(line, line, everything, everything, LIMIT))) > 30, "it has many steps"


def test_a_sentence_with_more_candidates_than_are_kept_finds_one_among_the_rest() -> None:
    rng = np.random.default_rng(3)
    near = np.repeat(rng.normal(size=(1, 24)), 60, axis=0) + 0.05 * rng.normal(size=(60, 24))
    vectors = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    found = _last(match_moved_sentences(vectors[:30], vectors[30:], np.arange(30), np.arange(30), LIMIT))
    assert len(found) == 30
    first = max(found, key=lambda each: each[2])
    cosines = vectors[:30] @ vectors[30:].T
    assert first[:2] == np.unravel_index(np.argmax(cosines), cosines.shape)


def test_of_equal_sentences_each_is_joined_to_the_one_at_its_place() -> None:
    """Twenty equal lines among others: only some of the other text's are considered, those at the same place."""
    line = np.zeros((20, 21), np.float32)
    line[:, 0] = 1.0
    everything = np.arange(20)
    found = _last(match_moved_sentences(line, line, everything, everything, LIMIT))
    assert np.mean([abs(row - column) for row, column, _ in found]) < 4
