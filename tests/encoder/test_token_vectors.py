"""The vectors of a text's words from the last layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from desktop_app.encoder import SiameseEncoder


def test_words_are_whole_and_in_order(encoder: SiameseEncoder) -> None:
    (found,) = encoder.token_vectors(["The unbelievability of Zürich's ice-cream, isn't it?"])
    assert found.tokens[:3] == ("The", "unbelievability", "of")
    assert "Zürich" in found.tokens
    assert found.tokens[-1] == "?"
    assert found.vectors.shape == (len(found.tokens), 384)
    assert found.vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=1), 1, rtol=1e-5)


def test_a_word_is_the_mean_of_its_pieces(encoder: SiameseEncoder) -> None:
    text = "unbelievability"
    (found,) = encoder.token_vectors([text])
    ids = encoder.tokenizer.encode([text])[0]
    with torch.inference_mode():
        hidden, _ = encoder.network.body(torch.from_numpy(ids.astype(np.int64))[None], None)
    mean = hidden[0, 1:-1].mean(0).numpy()
    assert len(ids) > 3
    np.testing.assert_allclose(found.vectors[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_words_with_similar_meanings_are_nearer_than_others(encoder: SiameseEncoder) -> None:
    left, right = encoder.token_vectors(["A dog barks loudly.", "A hound howls noisily."])
    cosines = left.vectors @ right.vectors.T
    dog, hound = left.tokens.index("dog"), right.tokens.index("hound")
    assert cosines[dog].argmax() == hound


@pytest.mark.parametrize("text", ["", " ", "\ud800", "[SEP]", "word " * 2000, "👩‍👩‍👧 x", "日本語の文章"])
def test_any_text_is_accepted(encoder: SiameseEncoder, text: str) -> None:
    (found,) = encoder.token_vectors([text])
    assert len(found.tokens) == len(found.vectors)
    assert all(token.strip() for token in found.tokens)
    assert np.isfinite(found.vectors).all()
    assert len(found.tokens) < 256


def test_a_prompt_does_not_count_as_words(make_model: Callable[..., Path]) -> None:
    folder = make_model(prompts={"prompts": {"document": "text: "}, "default_prompt_name": "document"})
    (found,) = SiameseEncoder(folder, device="cpu").token_vectors(["a quiet river"])
    assert found.tokens == ("a", "quiet", "river")
