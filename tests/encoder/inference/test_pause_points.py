"""Background computation pauses in the middle of a pass while a person waits for an answer."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from desktop_app.core import foreground_gate
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.inference import backend
from desktop_app.encoder.inference.backend import EncodeOptions
from desktop_app.encoder.inference.batching import Batch
from desktop_app.encoder.inference.pause_points import pause_point, paused_seconds, set_pause_hook
from desktop_app.encoder.inference.pipelines import ThreadPipeline
from desktop_app.encoder.inference.prepared_model import pad_rows
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXTS = [f"{'word ' * (1 + place % 23)}number {place}" for place in range(300)]


class _Way(ForegroundGate):
    """Records which threads have started to pause."""

    def __init__(self) -> None:
        super().__init__()
        self.standing = threading.Semaphore(0)

    def wait_until_open(self, should_continue: Callable[[], bool]) -> float:
        self.standing.release()
        return super().wait_until_open(should_continue)

    def await_standing(self) -> None:
        assert self.standing.acquire(timeout=PATIENCE_S), "nothing pauses"


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Way]:
    """A gate that does not open by itself."""
    monkeypatch.setattr(foreground_gate, "MAX_WAIT_S", 1000.0)
    way = _Way()
    yield way
    way.open()


class _TwoProducts:
    """A stand-in for a network: a pass of many texts has two products, and a pause point between them."""

    def __init__(self, way: _Way, width: int) -> None:
        self.order: list[str] = []
        self._way = way
        self._width = width

    def __call__(self, ids: torch.Tensor, mask: torch.Tensor | None, skipped: int, *, normalize: bool) -> torch.Tensor:
        if len(ids) == 1:
            self.order.append("query")
        else:
            self.order.append("first product")
            if "query" not in self.order:
                self._way.close()
            pause_point()
            self.order.append("second product")
        return torch.ones(len(ids), self._width)


def test_a_query_in_the_middle_of_a_large_batch_is_answered_before_it_ends(
    make_model: Callable[..., Path], way: _Way
) -> None:
    encoder = SiameseEncoder(make_model(), device="cpu", precision="fp32", threads=2)
    network = encoder.backend.prepared_model = _TwoProducts(way, encoder.dim)  # type: ignore[assignment]
    encoder.set_foreground_gate(way)
    found: list[int] = []
    with contextlib.closing(encoder.encode_batches(TEXTS, timeout_s=PATIENCE_S)) as batches:
        indices, _ = next(batches)
        assert len(indices) == 0, "a caller with a timeout does not wait for paused work"
        way.await_standing()
        encoder.encode("a query")
        assert network.order[-1] == "query"
        assert "second product" not in network.order
        way.open()
        for indices, _ in batches:
            found += indices.tolist()
    assert sorted(found) == list(range(len(TEXTS)))
    assert network.order.count("first product") == network.order.count("second product") > 1


def test_no_step_with_a_timeout_computes_a_batch_itself(encoder: SiameseEncoder) -> None:
    texts = ["one", "two"]
    computed: list[str] = []
    inference = encoder.backend.prepared_model

    def noted(*arguments: Any, **named: Any) -> torch.Tensor:
        computed.append(threading.current_thread().name)
        return inference(*arguments, **named)

    encoder.backend.prepared_model = noted  # type: ignore[assignment]
    try:
        for _ in encoder.encode_batches(texts, timeout_s=0.01):
            pass
        encoder.encode(texts)
    finally:
        encoder.backend.prepared_model = inference
    assert computed == ["encoding 0", threading.current_thread().name]


def test_a_caller_without_a_timeout_is_served_while_the_gate_is_taken(
    make_model: Callable[..., Path], way: _Way
) -> None:
    encoder = SiameseEncoder(make_model(), device="cpu", precision="fp32", threads=2)
    expected = encoder.encode(TEXTS)
    encoder.set_foreground_gate(way)
    way.close()
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=2e-6)
    assert way.is_closed


def test_a_paused_pass_ends_when_its_result_is_no_longer_needed(way: _Way) -> None:
    went_on: list[int] = []

    def compute(batch: Batch) -> np.ndarray:
        pause_point()
        went_on.append(batch.indices[0])
        return np.zeros((1, 1), np.float32)

    way.close()
    pipeline = ThreadPipeline(compute, lambda: 1, way)
    pipeline.put(Batch([0], [np.array([0], dtype=np.int32)]))
    way.await_standing()
    pipeline.close()
    assert (went_on, way.is_closed) == ([], True)


def test_the_gate_opens_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreground_gate, "MAX_WAIT_S", 0.01)
    way = ForegroundGate()
    way.close()
    assert way.wait_until_open(lambda: False) <= PATIENCE_S
    assert not way.is_closed


def _in_a_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.mark.parametrize("is_lean", [True, False])
def test_there_is_a_pause_point_before_the_products_of_each_layer(encoder: SiameseEncoder, is_lean: bool) -> None:
    points: list[int] = []
    rows = encoder.tokenizer.encode(TEXTS[:5])
    body = encoder.backend.prepared_model.body if is_lean else encoder.network.body
    found: list[torch.Tensor] = []

    def one_pass() -> None:
        with torch.inference_mode():
            found.append(body(*pad_rows(rows, 0))[0])

    def held() -> None:
        set_pause_hook(lambda: points.append(1) or 0.0)  # type: ignore[func-returns-value]
        one_pass()

    one_pass()
    _in_a_thread(held)
    assert len(points) == (24 if is_lean else 6)
    assert torch.equal(found[0], found[1]), "a paused pass computes the same vectors"


def test_models_of_other_families_have_pause_points_too(make_model: Callable[..., Path], tmp_path: Path) -> None:
    from transformers import MPNetConfig, MPNetModel

    folder = make_model(plain=True)
    config = MPNetConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48
    )
    MPNetModel(config).save_pretrained(folder)
    other = SiameseEncoder(folder, device="cpu", precision="fp32", pooling="mean")
    points: list[int] = []

    def held() -> None:
        set_pause_hook(lambda: points.append(1) or 0.0)  # type: ignore[func-returns-value]
        with torch.inference_mode():
            other.network(*pad_rows(other.tokenizer.encode(TEXTS[:2]), 0))

    _in_a_thread(held)
    assert len(points) == 3


def test_paused_time_does_not_make_the_next_passes_smaller(
    encoder: SiameseEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    def now() -> float:
        clock[0] += 0.01
        return clock[0]

    def pause() -> float:
        clock[0] += 100.0
        return 100.0

    monkeypatch.setattr(backend.time, "perf_counter", now)
    pace = encoder.backend._batch_sizer
    pace.reset()
    rows = encoder.tokenizer.encode(["word " * 60] * 8)

    def held() -> None:
        set_pause_hook(pause)
        encoder.backend._compute(Batch(list(range(8)), rows), EncodeOptions("", 0, True, False))
        assert paused_seconds() == 100.0 * 24

    _in_a_thread(held)
    assert pace.tokens(None) > 256
    pace.reset()
