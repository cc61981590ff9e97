"""Batches in parallel, on cores and on a GPU: every text once, nothing left behind, and a GPU may fail."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from desktop_app.core.errors import DeviceUnavailable
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.messages import verbatim
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.inference import backend
from desktop_app.encoder.inference.batching import (
    GPU_PASS_S,
    SHORT_PASS_S,
    TARGET_PASS_S,
    Batch,
    BatchSizer,
    MemoryLimit,
    tokenize_slices_ahead,
)
from desktop_app.encoder.inference.device_stream import DeviceStream, PendingVectors
from desktop_app.encoder.inference.pipelines import ThreadPipeline
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = [f"{'word ' * (1 + place % 23)}number {place}" for place in range(700)]


def _batch(number: int) -> Batch:
    return Batch([number], [np.array([number], dtype=np.int32)])


def _vectors(batch: Batch) -> np.ndarray:
    return np.full((1, 1), batch.indices[0], dtype=np.float32)


class _Gate:
    """Counts simultaneous batches; with a width, none finishes before `width` have started."""

    def __init__(self, width: int = 0) -> None:
        self.barrier = threading.Barrier(width) if width else None
        self.lock = threading.Lock()
        self.inside = self.most = 0

    def __call__(self, batch: Batch) -> np.ndarray:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        if self.barrier is not None:
            self.barrier.wait(PATIENCE_S)
        with self.lock:
            self.inside -= 1
        return _vectors(batch)


def test_the_allowed_number_of_batches_is_computed_at_once() -> None:
    gate = _Gate(3)
    with contextlib.closing(ThreadPipeline(gate, lambda: 3, ForegroundGate())) as pipeline:
        for number in range(6):
            assert pipeline.has_room
            pipeline.put(_batch(number))
        assert not pipeline.has_room
        found = [pipeline.take() for _ in range(6)]
    assert sorted(batch.indices[0] for batch, _ in found) == list(range(6))
    assert all(vectors == batch.indices[0] for batch, vectors in found)
    assert gate.most == 3


def test_fewer_compute_as_soon_as_fewer_are_allowed() -> None:
    allowed, gate = [2], _Gate(2)
    with contextlib.closing(
        ThreadPipeline(lambda batch: gate(batch), lambda: allowed[0], ForegroundGate())
    ) as pipeline:
        for number in range(2):
            pipeline.put(_batch(number))
        pipeline.take(), pipeline.take()
        allowed[0], gate = 1, _Gate()
        for number in range(20):
            pipeline.put(_batch(number))
        for _ in range(20):
            pipeline.take()
    assert gate.most == 1


def test_an_error_comes_out_with_its_batch_and_the_others_go_on() -> None:
    def compute(batch: Batch) -> np.ndarray:
        if batch.indices == [1]:
            raise ValueError("not this one")
        return _vectors(batch)

    with contextlib.closing(ThreadPipeline(compute, lambda: 2, ForegroundGate())) as pipeline:
        for number in range(4):
            pipeline.put(_batch(number))
        found = {batch.indices[0]: outcome for batch, outcome in (pipeline.take() for _ in range(4))}
    assert isinstance(found[1], ValueError)
    assert [number for number in found if isinstance(found[number], np.ndarray)] != []


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("batch_tokens", [64, 600, None])
def test_vectors_do_not_depend_on_the_threads(
    make_model: Callable[..., Path], threads: int, batch_tokens: int | None
) -> None:
    encoder = SiameseEncoder(make_model(), device="cpu", precision="fp32", threads=threads)
    assert encoder.device.threads == threads
    texts = TEXTS[:200]
    expected = np.concatenate([encoder.encode([text]) for text in texts[::9]])
    vectors = np.full((len(texts), encoder.dim), np.nan, np.float32)
    for indices, rows in encoder.encode_batches(texts, batch_tokens=batch_tokens):
        assert np.isnan(vectors[indices]).all()
        vectors[indices] = rows
        encoder.set_threads(1 + len(indices) % threads)
    np.testing.assert_allclose(vectors[::9], expected, atol=2e-6)


def test_a_query_is_answered_in_the_middle_of_a_corpus(encoder: SiameseEncoder) -> None:
    expected = encoder.encode("a query")
    with contextlib.closing(encoder.encode_batches(TEXTS[:200], batch_tokens=300)) as batches:  # type: ignore[type-var]
        for _ in range(3):
            next(batches)
            np.testing.assert_allclose(encoder.encode("a query"), expected, atol=1e-6)


def test_a_caller_with_a_timeout_gets_empty_batches_meanwhile(
    encoder: SiameseEncoder, card: tuple[SiameseEncoder, _StandIn]
) -> None:
    expected = _on_the_processor(card[0])
    for each, timeout_s in ((encoder, 0.0), (card[0], 0.001)):
        texts = TEXTS if each is card[0] else TEXTS[:80]
        vectors = np.full((len(texts), each.dim), np.nan, np.float32)
        empty = 0
        for indices, rows in each.encode_batches(texts, timeout_s=timeout_s):
            assert np.isnan(vectors[indices]).all()
            vectors[indices] = rows
            empty += not len(indices)
        assert empty
        assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors, expected, atol=2e-6)


def test_one_batch_needs_no_thread(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda self: pytest.fail("a thread was started"))
    assert encoder.encode(["a query"]).shape == (1, 384)


def test_passes_grow_and_shrink_with_the_machine() -> None:
    quick, slow = BatchSizer(), BatchSizer()
    assert quick.tokens(None) == 512
    assert quick.tokens(100) == 100
    for _ in range(50):
        quick.record(512, 512 * TARGET_PASS_S / 1000)
        slow.record(512, 512 * TARGET_PASS_S / 300)
    assert quick.tokens(None) == 896, "in steps: every shape costs code of its own"
    assert slow.tokens(None) == 256
    assert slow.tokens(10_000) == 10_000, "a request for many tokens is met"
    assert quick.tokens(64) == 64
    assert slow.tokens(256) == int(300 * SHORT_PASS_S / TARGET_PASS_S), "a request for few tokens means a short step"
    for _ in range(50):
        quick.record(512, 512 * TARGET_PASS_S / 4000)
    assert quick.tokens(None) == 1024, "more are not faster"
    slow.record(3, 100.0)
    assert slow.tokens(None) == 256, "a tiny pass says nothing"
    for _ in range(100):
        slow.record(512, 512.0)
    assert slow.tokens(256) == 1
    slow.reset()
    assert slow.tokens(None) == 512


class _SteadySizer(BatchSizer):
    """Knows the pace of a machine, whatever passes take on this one."""

    def __init__(self, tokens_per_second: float) -> None:
        super().__init__()
        super().record(512, 512 / tokens_per_second)

    def record(self, tokens: int, seconds: float) -> None:
        pass


def _embed_steadily(
    encoder: SiameseEncoder,
    monkeypatch: pytest.MonkeyPatch,
    texts: list[str],
    *,
    threads: int,
    tokens_per_second: float = 7000,
) -> list[int]:
    """Return the numbers of texts in the passes of a machine with so many threads and such a pace."""
    monkeypatch.setattr(encoder.backend, "threads", threads)
    monkeypatch.setattr(encoder.backend, "_batch_sizer", _SteadySizer(tokens_per_second))
    return [len(indices) for indices, _ in encoder.encode_batches(texts)]


SHORT_CORPUS = [f"the {number}. sentence has a few words more than the others have" for number in range(60)]


def test_all_threads_have_work_until_the_end(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = _embed_steadily(encoder, monkeypatch, SHORT_CORPUS, threads=2)
    assert encoder.backend.next_batch_tokens(None) >= encoder.count_tokens(SHORT_CORPUS).sum(), (
        "one pass could take all"
    )
    assert len(sizes) > 2
    assert max(sizes) <= len(SHORT_CORPUS) / 2


def test_one_thread_takes_a_short_corpus_at_once(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda self: pytest.fail("a thread was started"))
    mixed = ["word " * (1 + 3 * place) for place in range(16)]
    assert encoder.count_tokens(mixed).sum() > 256, "two threads would divide them"
    assert _embed_steadily(encoder, monkeypatch, mixed, threads=1) == [16]


def test_a_slow_model_divides_also_few_tokens(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    few = SHORT_CORPUS[:14]
    assert 128 < encoder.count_tokens(few).sum() < 256
    assert _embed_steadily(encoder, monkeypatch, few, threads=2) == [14]
    assert _embed_steadily(encoder, monkeypatch, few, threads=2, tokens_per_second=100)[0] <= 7


def test_a_single_long_text_needs_no_thread(encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda self: pytest.fail("a thread was started"))
    assert len(list(encoder.encode_batches([" ".join(SHORT_CORPUS)], batch_tokens=100))) == 1


def test_passes_of_a_pooling_over_padding_count_it(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    padded = SiameseEncoder(make_model(pooling={"pooling_mode": "mean-padded"}), device="cpu", precision="fp32")
    assert padded.backend.network.pad_to_tokens == 48
    sizes = _embed_steadily(padded, monkeypatch, ["a b"] * 100, threads=1)
    assert max(sizes) <= padded.backend.next_batch_tokens(None) // 48
    assert sum(sizes) == 100


class _StandIn(DeviceStream):
    """A fake GPU: everything stays on the processor, and calls are recorded."""

    def __init__(self) -> None:
        super().__init__("cpu")
        self.events: list[str] = []
        self.flying = self.most = 0
        self.fails_after: int | None = None
        self.looks = 0
        self.finished = 0
        self.error: Exception = RuntimeError("CUDA error: unspecified launch failure\nmore")

    def send(self, tensor: torch.Tensor) -> torch.Tensor:
        return super().send(tensor).clone()

    def fetch(self, tensor: torch.Tensor, stopwatch: Callable[[], float]) -> PendingVectors:
        self.flying += 1
        self.most = max(self.most, self.flying)
        arrival = super().fetch(tensor, stopwatch)

        def fetched() -> np.ndarray:
            self.flying -= 1
            self.events.append("fetched")
            if self.fails_after is not None and len(self.events) > self.fails_after:
                raise self.error
            return arrival.wait()

        return PendingVectors(self.looked_at, fetched, arrival.elapsed_s)

    def finish(self) -> None:
        self.finished += 1

    def looked_at(self) -> bool:
        self.looks += 1
        return self.looks % 40 == 0  # not yet, for some 20 ms


@pytest.fixture
def card(make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> tuple[SiameseEncoder, _StandIn]:
    """A tiny encoder with a fake CUDA GPU."""
    encoder, link = SiameseEncoder(make_model(), device="cpu", precision="fp32"), _StandIn()
    encoder.backend.device = replace(encoder.device, device="cuda", note=verbatim("A Card"))
    monkeypatch.setattr(encoder.backend, "stream", lambda device: link)
    monkeypatch.setattr(encoder.backend, "_batch_sizer", BatchSizer("cuda"))
    return encoder, link


def _on_the_processor(encoder: SiameseEncoder) -> np.ndarray:
    return SiameseEncoder(encoder.model.folder, device="cpu", precision="fp32").encode(TEXTS)


def test_several_batches_are_in_flight_on_a_gpu(card: tuple[SiameseEncoder, _StandIn]) -> None:
    encoder, link = card
    vectors = np.empty((len(TEXTS), encoder.dim), np.float32)
    for indices, rows in encoder.encode_batches(TEXTS, batch_tokens=1000):
        vectors[indices] = rows
    np.testing.assert_allclose(vectors, _on_the_processor(encoder), atol=2e-6)
    assert link.most == 3
    assert link.flying == 0
    assert len(link.events) > 5
    assert encoder.encode("a query").shape == (encoder.dim,)


def test_a_gpu_with_too_little_memory_gets_smaller_batches(
    card: tuple[SiameseEncoder, _StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, _ = card
    inference, failures = encoder.backend.prepared_model, []

    def short(ids: torch.Tensor, *more: Any, **most: Any) -> torch.Tensor:
        if ids.numel() > 400:
            failures.append(ids.numel())
            raise torch.OutOfMemoryError("CUDA out of memory")
        return inference(ids, *more, **most)

    monkeypatch.setattr(encoder.backend, "prepared_model", short)
    np.testing.assert_allclose(encoder.encode(TEXTS), _on_the_processor(encoder), atol=2e-6)
    assert encoder.device.device == "cuda"
    assert 0 < len(failures) < 25


def test_batches_in_flight_together_halve_the_limit_once(
    card: tuple[SiameseEncoder, _StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, _ = card
    inference, tried = encoder.backend.prepared_model, []

    def short(ids: torch.Tensor, *more: Any, **most: Any) -> torch.Tensor:
        tried.append(ids.numel())
        if ids.numel() > 900:
            raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")
        return inference(ids, *more, **most)

    monkeypatch.setattr(encoder.backend, "prepared_model", short)
    for _ in encoder.encode_batches(TEXTS, batch_tokens=1600):
        pass
    assert encoder.device.device == "cuda"
    assert 600 < max(tried[3:]) <= 800, "three that failed together have halved it once"
    tried.clear()
    encoder.encode(TEXTS)
    assert max(tried) <= 800, "and the next call knows"


def test_a_pass_that_failed_holds_no_tensors(
    card: tuple[SiameseEncoder, _StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, _ = card
    inference, held = encoder.backend.prepared_model, []

    def short(ids: torch.Tensor, *more: Any, **most: Any) -> torch.Tensor:
        if len(ids) > 1:
            large = torch.zeros(8)
            held.append(weakref.ref(large))
            raise torch.OutOfMemoryError("CUDA out of memory")
        return inference(ids, *more, **most)

    monkeypatch.setattr(encoder.backend, "prepared_model", short)
    monkeypatch.setattr(encoder.backend, "free_memory", lambda: seen.extend(each() is None for each in held))
    seen: list[bool] = []
    encoder.encode(TEXTS[:40])
    assert seen
    assert all(seen), "when memory is freed nothing of a failed pass is left"


def test_a_memory_limit_is_raised_again_later() -> None:
    room = MemoryLimit()
    assert room.limit(1000) == 1000
    for _ in range(3):
        room.record_out_of_memory(1000)
    assert room.limit(1000) == 500
    for _ in range(255):
        room.record_success()
    assert room.limit(1000) == 500
    room.record_success()
    assert room.limit(2000) == 1000
    room.record_out_of_memory(1)
    assert room.limit(1000) == 1


@pytest.mark.parametrize("ends", ["first", "second", "query"])
def test_a_failing_gpu_fails_for_all_runs(
    card: tuple[SiameseEncoder, _StandIn], caplog: pytest.LogCaptureFixture, ends: str
) -> None:
    encoder, link = card
    expected = _on_the_processor(encoder)
    works = [encoder.encode_batches(TEXTS, batch_tokens=800, timeout_s=patience) for patience in (None, 0.001)]
    seen: list[list[int]] = [[], []]

    def step(which: int) -> bool:
        found = next(works[which], None)
        if found is not None:
            seen[which] += found[0].tolist()
            np.testing.assert_allclose(found[1], expected[found[0]], atol=2e-6)
        return found is not None

    for which in (0, 1, 0, 1):
        step(which)
    assert link.flying >= 3, "both have batches on the card"
    link.fails_after = 0
    if ends == "query":
        np.testing.assert_allclose(encoder.encode([TEXTS[3]], kind="query")[0], expected[3], atol=2e-6)
    turn = 0 if ends == "first" else 1
    while any([step(turn), step(1 - turn)]):
        pass
    assert [sorted(each) for each in seen] == [list(range(len(TEXTS)))] * 2
    np.testing.assert_allclose(encoder.encode([TEXTS[5]], kind="query")[0], expected[5], atol=2e-6)
    assert encoder.device.device == "cpu"
    assert str(encoder.device.failure) == "cuda failed (CUDA error: unspecified launch failure): switched to the CPU"
    assert caplog.text.count("computing on the processor") == 1, "said once"
    caplog.clear()


@pytest.mark.parametrize("stays", [False, True])
def test_a_query_waits_for_the_memory_of_an_import(
    card: tuple[SiameseEncoder, _StandIn],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    stays: bool,
) -> None:
    encoder, link = card
    inference = encoder.backend.prepared_model

    class Full:
        precision = "fp32"

        def __call__(self, ids: torch.Tensor, *more: Any, **most: Any) -> torch.Tensor:
            if len(ids) == 1 and (stays or not link.finished):
                raise torch.OutOfMemoryError("CUDA out of memory")
            return inference(ids, *more, **most)

    monkeypatch.setattr(encoder.backend, "prepared_model", Full())
    before = encoder.backend.next_batch_tokens(None)
    assert np.isfinite(encoder.encode(["a query"], kind="query")).all()
    assert link.finished == 1
    assert encoder.device.device == ("cpu" if stays else "cuda")
    assert stays or encoder.backend.next_batch_tokens(None) == before // 2, "an import takes less from now on"
    caplog.clear()


def test_while_somebody_waits_a_gpu_has_one_short_pass(
    card: tuple[SiameseEncoder, _StandIn],
) -> None:
    encoder, link = card
    backend = encoder.backend
    backend.device = replace(backend.device, threads=4)
    encoder.set_threads(0)
    for _ in range(40):
        backend._batch_sizer.record(10_000, 10_000 * GPU_PASS_S / 40_000)
    assert backend.next_batch_tokens(None) == 39 * 1024, "as many as last as long as a pass should"
    encoder.set_threads(3)  # a person is typing
    assert backend.next_batch_tokens(None) in range(14_990, 15_001), "no longer than a step"
    list(encoder.encode_batches(TEXTS, batch_tokens=1000))
    assert link.most == 1
    encoder.set_threads(0)
    list(encoder.encode_batches(TEXTS, batch_tokens=1000))
    assert link.most == 3


def test_tokenizers_are_parallel_only_while_a_gpu_computes(
    card: tuple[SiameseEncoder, _StandIn], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    encoder, _ = card
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    with contextlib.closing(encoder.encode_batches(TEXTS * 3, batch_tokens=1000)) as batches:
        next(batches)
        assert os.environ["TOKENIZERS_PARALLELISM"] == "true"
        encoder.backend.fall_back(RuntimeError("the driver is gone"))
        assert os.environ["TOKENIZERS_PARALLELISM"] == "false"
    caplog.clear()


@pytest.mark.parametrize("fails_after", [0, 4])
@pytest.mark.parametrize(
    "error",
    [RuntimeError("CUDA error: unspecified launch failure\nmore"), torch.OutOfMemoryError("CUDA out of memory")],
)
def test_the_processor_continues_after_a_gpu_has_failed(
    card: tuple[SiameseEncoder, _StandIn], caplog: pytest.LogCaptureFixture, fails_after: int, error: Exception
) -> None:
    encoder, link = card
    link.fails_after, link.error = fails_after, error
    seen: list[int] = []
    expected = _on_the_processor(encoder)
    tokens = 1000 if isinstance(error, torch.OutOfMemoryError) else 3000
    for indices, rows in encoder.encode_batches(TEXTS, batch_tokens=tokens):
        seen.extend(indices.tolist())
        np.testing.assert_allclose(rows, expected[indices], atol=2e-6)
    assert sorted(seen) == list(range(len(TEXTS)))
    assert (encoder.device.device, encoder.device.precision) == ("cpu", "fp32")
    assert str(error).partition("\n")[0] in str(encoder.device.note)
    assert "computing on the processor" in caplog.text
    caplog.clear()


def _without_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "A Card")
    ready = backend.PreparedModel

    def refusing(network: Any, precision: str, device: str) -> Any:
        if device == "cuda":
            raise RuntimeError("CUDA error: no kernel image is available for execution on the device")
        return ready(network, precision, device)

    monkeypatch.setattr(backend, "PreparedModel", refusing)


def test_the_processor_replaces_a_gpu_that_cannot_hold_the_model(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _without_a_card(monkeypatch)
    encoder = SiameseEncoder(make_model())
    assert encoder.device.device == "cpu"
    assert "no kernel image" in str(encoder.device.note)
    assert np.isfinite(encoder.encode(["a"])).all()
    caplog.clear()


def test_a_requested_gpu_is_not_replaced(make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    _without_a_card(monkeypatch)
    with pytest.raises(DeviceUnavailable, match="no kernel image"):
        SiameseEncoder(make_model(), device="cuda")


def test_tokens_for_a_gpu_are_made_in_a_thread_that_ends(encoder: SiameseEncoder) -> None:
    texts = [f"text {number}" for number in range(6000)]
    ahead = tokenize_slices_ahead(encoder.tokenizer, texts, "")
    assert next(ahead)[0] == 0
    assert [t.name for t in threading.enumerate()].count("tokenizing") == 1
    ahead.close()  # type: ignore[attr-defined]
    assert "tokenizing" not in [t.name for t in threading.enumerate()]
    assert sum(len(rows) for _, rows in tokenize_slices_ahead(encoder.tokenizer, texts[:1000], "")) == 1000


def test_errors_of_the_tokenizing_thread_are_raised_in_the_caller(encoder: SiameseEncoder) -> None:
    with pytest.raises(TypeError):
        list(tokenize_slices_ahead(encoder.tokenizer, ["a", 7], ""))  # type: ignore[list-item]


def test_truncated_tokens_are_counted(encoder: SiameseEncoder) -> None:
    texts = ["word", "word " * 254, "word " * 255, "word " * 2000, "", "x" * 100_001]
    counts = encoder.count_truncated(texts)
    assert counts.dtype == np.int64
    assert counts[:5].tolist() == [0, 0, 1, 2002 - 256, 0]
    assert encoder.count_tokens(["word " * 2000]).tolist() == [256], "the cut is back in its place"
    assert encoder.count_truncated([]).shape == (0,)
