"""Cosine similarity of any kind of vectors, and the three numbers of a pair."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from desktop_app.encoder import SiameseEncoder, cos_sim

SENTENCES = [
    "The cat sits outside",
    "A man is playing guitar",
    "I love pasta",
    "The new movie is awesome",
    "The cat plays in the garden",
    "A woman watches TV",
    "The new movie is so great",
    "Do you like pizza?",
]
BEST_PAIRS = [
    (3, 6, "0.8939"),
    (0, 4, "0.6788"),
    (2, 7, "0.5096"),
    (2, 6, "0.2560"),
    (2, 3, "0.2440"),
    (1, 4, "0.2105"),
    (3, 7, "0.1969"),
    (6, 7, "0.1692"),
    (0, 5, "0.1310"),
    (4, 7, "0.0900"),
]


def test_the_eight_sentences_have_their_known_scores(encoder: SiameseEncoder) -> None:
    vectors = encoder.encode(SENTENCES)
    scores = cos_sim(vectors, vectors)
    pairs = sorted(((scores[i, j], i, j) for i in range(8) for j in range(i + 1, 8)), reverse=True)
    assert [(i, j, f"{score:.4f}") for score, i, j in pairs[:10]] == BEST_PAIRS


@pytest.mark.parametrize(
    "wrap",
    [
        np.asarray,
        lambda rows: rows,
        torch.tensor,
        lambda rows: torch.tensor(rows, requires_grad=True),
        lambda rows: torch.tensor(rows, dtype=torch.bfloat16),
        lambda rows: [torch.tensor(row) for row in rows],
        lambda rows: [np.asarray(row) for row in rows],
        lambda rows: np.asarray(rows, dtype=np.float16),
    ],
)
def test_every_kind_of_input(wrap: object) -> None:
    a, b = [[3.0, 4.0], [1.0, 0.0]], [[0.0, 2.0], [-6.0, -8.0], [4.0, -3.0]]
    scores = cos_sim(wrap(a), wrap(b))  # type: ignore[operator]
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, [[0.8, -1.0, 0.0], [0.0, -0.6, 0.8]], atol=1e-6)


def test_one_vector_is_one_row() -> None:
    assert cos_sim([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]).tolist() == [[1.0, 0.0]]
    assert cos_sim(np.ones(3), torch.ones(3)).shape == (1, 1)


def test_no_vectors_give_an_empty_matrix() -> None:
    assert cos_sim(np.empty((0, 3)), np.ones((2, 3))).shape == (0, 2)


def test_zero_vectors_have_similarity_zero() -> None:
    scores = cos_sim([[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0]])
    np.testing.assert_allclose(scores, [[0, 0], [0, 1]], atol=1e-6)


def test_scores_never_leave_their_range() -> None:
    rows = np.random.default_rng(0).standard_normal((200, 384)).astype(np.float32)
    scores = cos_sim(rows, rows)
    assert scores.max() <= 1.0
    assert scores.min() >= -1.0


def test_too_many_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="n, dim"):
        cos_sim(np.ones((2, 2, 2)), np.ones((2, 2)))
