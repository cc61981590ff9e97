"""Words of two sentences that correspond: vectors of sentences and words in one pass, and what they say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import VectorNotFinite
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.word_alignment import ALIGNMENT_FEATURES, WordEmbedder, align_words
from desktop_app.encoder.word_rarity import WordRarity
from tests.steps import run_steps

PAIRS = [
    ("A man is playing a guitar.", "A man is playing a flute."),
    ("The old bridge was closed in 1990, after the flood!", "They shut the bridge."),
    ("", "?!"),
    ("A dog barks.", "A dog barks."),
]
RARITY = WordRarity.count([text for pair in PAIRS for text in pair])


def embed(encoder: SiameseEncoder, pairs: list[tuple[str, str]]) -> Any:
    """Embed pairs with their words in one go."""
    first, second = map(list, zip(*pairs, strict=True))
    return run_steps(encoder.embed_pairs(first, second, RARITY))


def test_sentences_have_the_vectors_that_they_have_without_their_words(encoder) -> None:
    u, v, words = embed(encoder, PAIRS)
    for found, side in ((u, words.first), (v, words.second)):
        np.testing.assert_allclose(found, encoder.encode(side, normalize=False, exact=True), atol=2e-6)


def test_words_are_those_of_the_word_vectors(encoder) -> None:
    _, _, words = embed(encoder, PAIRS)
    for (a, b), found in zip(PAIRS, words.alignment, strict=True):
        kept = []
        for each in encoder.token_vectors([a, b]):
            rows = [row for row, token in enumerate(each.tokens) if any(map(str.isalnum, token))]
            kept.append(([each.tokens[row].lower() for row in rows], each.vectors[rows]))
        np.testing.assert_allclose(found, align_words(*kept, RARITY), atol=1e-4)


def test_a_single_pair_and_many_say_the_same(encoder) -> None:
    _, _, many = embed(encoder, PAIRS)
    _, _, one = embed(encoder, PAIRS[1:2])
    np.testing.assert_allclose(one.alignment[0], many.alignment[1], atol=1e-4)


def test_a_word_without_a_counterpart_is_a_gap_in_either_order() -> None:
    """Two words are the same in both; the third, a rare one, has a counterpart at a right angle."""
    vectors = np.eye(4, dtype=np.float32)
    rarity = WordRarity.count(["a boat sails"] * 9 + ["a ship"] * 3)
    a = ["a", "sails", "boat"], vectors[[0, 1, 2]]
    b = ["a", "sails", "ship"], vectors[[0, 1, 3]]
    found = dict(zip(ALIGNMENT_FEATURES, align_words(a, b, rarity), strict=True))
    assert list(found.values()) == align_words(b, a, rarity)
    assert found["nearest words, mean of the side with less"] == pytest.approx(2 / 3)
    assert found["rarest word without a counterpart, less"] == pytest.approx(rarity.of("boat"))
    assert found["rarest word without a counterpart, more"] == pytest.approx(rarity.of("ship"))
    same = align_words(a, a, rarity)
    assert same == pytest.approx([1, 1, 1, 1, 0, 0, 0, 0], abs=1e-6)


def test_the_body_reads_each_text_once(make_model: Callable[..., Path]) -> None:
    encoder = SiameseEncoder(make_model(), device="cpu", precision="fp32", threads=1)
    seen: list[int] = []
    encoder.network.body.register_forward_hook(lambda _body, given, _found: seen.append(len(given[0])))
    embedder = WordEmbedder(encoder.network, encoder.tokenizer, "", "cpu", lambda: 1)
    run_steps(embedder.embed_pairs(["A dog barks."], ["The dog barks loudly."], RARITY))
    assert sum(seen) == 2
    run_steps(embedder.embed_pairs(["A dog barks."], ["A dog barks."], RARITY))
    assert sum(seen) == 3


def test_a_text_without_a_vector_is_named(make_model: Callable[..., Path]) -> None:
    encoder = SiameseEncoder(make_model(), device="cpu", precision="fp32", threads=1)
    usual, odd = (set(encoder.tokenizer.encode([text])[0]) for text in ("the cat sleeps", "the cat sings"))
    parameters = dict(encoder.network.named_parameters())
    with torch.no_grad():
        parameters[next(name for name in parameters if "word_embeddings" in name)][[*(odd - usual)]] = torch.nan
    with pytest.raises(VectorNotFinite) as caught:
        embed(encoder, [("the cat", "the cat sleeps"), ("the cat", "the cat sings")])
    assert caught.value.text == 3


def test_words_have_no_counterpart_in_a_text_without_words() -> None:
    rarity = WordRarity.count(["a boat sails"] * 9 + ["a ship"] * 3)
    a, nothing = (["a", "ship"], np.eye(2, dtype=np.float32)), ([], np.empty((0, 0), np.float32))
    found = dict(zip(ALIGNMENT_FEATURES, align_words(a, nothing, rarity), strict=True))
    assert list(found.values()) == align_words(nothing, a, rarity)
    assert found["nearest words, mean of the side with more"] == 0
    assert found["rarest word without a counterpart, more"] == pytest.approx(rarity.of("ship"))


def test_pairs_are_left_at_once(encoder) -> None:
    steps = encoder.embed_pairs(["one two"] * 5, [f"number {n}" for n in range(5)], RARITY)
    next(steps)
    steps.close()
    assert not [each for each in threading.enumerate() if each.name.startswith("embedding")]
