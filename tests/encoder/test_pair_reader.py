"""Sentences that are embedded once, for their scores and for a judge of their words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import VectorNotFinite
from desktop_app.encoder import SiameseEncoder, word_alignment
from desktop_app.encoder.word_alignment import EmbeddedText, EmbeddedTexts, WordEmbedder
from desktop_app.encoder.word_judge import WordJudge
from desktop_app.encoder.word_rarity import WordRarity
from tests.patience import PATIENCE_S
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


class PausedPasses:
    """Each pass through a model waits until `may_end` is released; `begun` once for each that has started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)
        run = WordEmbedder._run

        def wait_and_run(embedder: WordEmbedder, *given: Any) -> Any:
            self.begun.release()
            assert self.may_end.acquire(timeout=PATIENCE_S)
            return run(embedder, *given)

        monkeypatch.setattr(WordEmbedder, "_run", wait_and_run)


def test_a_step_does_not_wait_for_the_end_of_a_pass(encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = PausedPasses(monkeypatch)
    steps = encoder.read_pairs().embed(["the cat", "the dog"])
    assert [next(steps), next(steps)] == [0, 0]
    passes.may_end.release()
    assert len(run_steps(steps)) == 2


def test_a_core_is_left_free_from_the_next_pass_on(judging: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = PausedPasses(monkeypatch)
    monkeypatch.setattr(word_alignment, "_BATCH_TOKENS", 1)  # a pass for each text
    encoder = SiameseEncoder(judging, device="cpu", precision="fp32", threads=2)
    steps = encoder.read_pairs().embed(FIRST[:6])
    next(steps)
    assert all(passes.begun.acquire(timeout=PATIENCE_S) for _ in range(2))
    encoder.set_threads(1)
    passes.may_end.release()
    for _ in range(5):
        next(steps)
    assert not passes.begun.acquire(blocking=False)
    passes.may_end.release(5)
    assert len(run_steps(steps)) == 6


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
