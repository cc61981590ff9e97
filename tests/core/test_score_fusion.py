"""Meaning and words in one score."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.score_fusion import (
    MEANING_WEIGHT,
    WORDS_WEIGHT,
    fuse_document_scores,
    fuse_sentence_scores,
    score_document,
)


def test_words_add_their_share_of_the_query() -> None:
    fused = fuse_sentence_scores([0.5, 0.5, 0.5], [0.0, 0.5, 1.0])
    assert fused == pytest.approx([0.5, 0.5 + WORDS_WEIGHT / 2, 0.5 + WORDS_WEIGHT])


def test_without_words_the_cosine_decides() -> None:
    assert fuse_sentence_scores([0.25, 0.75], [0.0, 0.0]) == pytest.approx([0.25, 0.75])


def test_documents_are_standardised_before_they_are_added() -> None:
    fused = fuse_document_scores([0.1, 0.3], [10.0, 0.0])
    assert fused == pytest.approx([1 - 2 * MEANING_WEIGHT, 2 * MEANING_WEIGHT - 1])
    assert fuse_document_scores([0.1, 0.3], [0.0, 0.0]) == pytest.approx([-MEANING_WEIGHT, MEANING_WEIGHT])
    assert len(fuse_document_scores([], [])) == 0
    assert np.array_equal(fuse_document_scores([0.5], [3.0]), [0.0])


def test_a_document_counts_by_its_best_sentence_and_by_all() -> None:
    assert score_document(0.8, 0.2) == pytest.approx(0.5)
