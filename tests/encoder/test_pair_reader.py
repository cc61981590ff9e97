"""Sentences that are embedded once, for their scores and for a judge of their words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import VectorNotFinite
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.word_alignment import EmbeddedText, EmbeddedTexts
from desktop_app.encoder.word_judge import WordJudge
from desktop_app.encoder.word_rarity import WordRarity
from tests.steps import run_steps

FIRST = [f"the cat has {number % 9} old stones" for number in range(140)]
SECOND = [f"the dog had {number % 7} stones" for number in range(140)]


@pytest.fixture(scope="module")
def judging(make_model: Callable[..., Path]) -> Path:
    """A model whose output has another length than 1, and which judges pairs by their words."""
    folder = make_model(normalize=False)
    encoder = SiameseEncoder(folder, device="cpu", precision="fp32", threads=1)
    rarity = WordRarity.count(FIRST, SECOND)
    u, v, words = run_steps(encoder.embed_pairs(FIRST, SECOND, rarity))
    labels = np.array([number % 9 == number % 7 for number in range(140)], np.float64)
    judge, _ = run_steps(WordJudge.fit((u * v).sum(axis=1).astype(np.float64), words, labels, rarity))
    judge.save(folder)
    return folder


@pytest.fixture
def encoder(judging: Path) -> SiameseEncoder:
    return SiameseEncoder(judging, device="cpu", precision="fp32", threads=1)


def forget(encoder: SiameseEncoder) -> None:
    """Damage the weights: texts that are embedded from now on have no vector."""
    with torch.no_grad():
        for parameter in encoder.network.parameters():
            parameter.fill_(torch.nan)


def test_pairs_are_judged_as_by_vectors_that_are_given(encoder) -> None:
    u, v, verdicts = run_steps(encoder.read_pairs().judge(FIRST, SECOND))
    for found, side in ((u, FIRST), (v, SECOND)):
        np.testing.assert_allclose(found, encoder.encode(side, normalize=False, exact=True), atol=2e-6)
    given = run_steps(encoder.judge_pairs(u, v, FIRST, SECOND))
    np.testing.assert_allclose([each.probability for each in verdicts], [each.probability for each in given], atol=1e-5)
    assert [each.says_same for each in verdicts] == [each.says_same for each in given]


def test_a_text_is_embedded_once(encoder) -> None:
    texts = list(dict.fromkeys([*FIRST, *SECOND]))
    reader = encoder.read_pairs()
    vectors = run_steps(reader.embed(texts))
    np.testing.assert_allclose(vectors, encoder.encode(texts, normalize=False, exact=True), atol=2e-6)
    u, _, verdicts = run_steps(reader.judge(FIRST, SECOND))
    forget(encoder)
    again, _, same = run_steps(reader.judge(FIRST, SECOND))
    assert (u == again).all()
    assert same == verdicts
    assert (run_steps(reader.embed(texts)) == vectors).all()
    with pytest.raises(VectorNotFinite) as caught:
        run_steps(reader.judge([FIRST[0], FIRST[1]], [SECOND[0], "a sentence that is new"]))
    assert caught.value.text == 3


def test_a_text_without_a_vector_is_named(encoder) -> None:
    reader = encoder.read_pairs()
    forget(encoder)
    with pytest.raises(VectorNotFinite) as caught:
        run_steps(reader.embed(["the cat", "the dog"]))
    assert caught.value.text == 0


def test_only_a_judge_of_words_in_full_precision_reads_pairs(encoder, make_model, judging) -> None:
    assert SiameseEncoder(make_model(), device="cpu", threads=1).read_pairs() is None
    assert SiameseEncoder(judging, device="cpu", precision="bf16", threads=1).read_pairs() is None
    assert SiameseEncoder(judging, device="cpu", threads=1).read_pairs() is not None


def test_the_oldest_texts_are_dropped_when_many_are_kept() -> None:
    def embedded() -> Any:
        return EmbeddedText(np.zeros(8, np.float32), ["word"], np.zeros((1, 8), np.float32))

    kept = EmbeddedTexts(max_bytes=3 * 64)
    for name in "abcd":
        kept.add(name, embedded())
    assert [name for name in "abcd" if kept.find(name) is not None] == ["b", "c", "d"]
    kept.add("long", EmbeddedText(np.zeros(8, np.float32), [], np.zeros((100, 8), np.float32)))
    assert all(kept.find(name) is None for name in ("b", "c", "d", "long"))
