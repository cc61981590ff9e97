"""The precision for the machine: the fastest faithful one, measured in short steps and saved."""

from __future__ import annotations

import copy
import json
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from desktop_app.core.messages import verbatim
from desktop_app.core.records import DeviceInfo
from desktop_app.encoder import SiameseEncoder, measure_precision, siamese
from desktop_app.encoder.inference import precision, precision_benchmark
from desktop_app.encoder.inference.precision_benchmark import SAMPLE_SENTENCES
from desktop_app.encoder.inference.prepared_model import PreparedModel
from tests.encoder.conftest import as_on_a_gpu

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class _Contest:
    """A fake machine: each precision takes a given time and makes a given error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **ways: tuple[float, float] | None) -> None:
        self.now = self.built = self.build_s = 0.0
        self.waited = 0.0  # while another program had the processor
        self.passes: list[str] = []
        self.ways = {"fp32": (1.0, 0.0), **ways}
        monkeypatch.setattr(precision_benchmark, "_prepare_model", self.build)
        clocks = SimpleNamespace(perf_counter=lambda: self.now + self.waited + self.built, thread_time=lambda: self.now)
        monkeypatch.setattr(precision_benchmark, "time", clocks)
        monkeypatch.setattr(precision_benchmark, "sys", SimpleNamespace(platform="linux"))
        self.waits: dict[str, float] = {}

    def build(self, encoder: SiameseEncoder, name: str) -> Any:
        way = self.ways[name]
        self.built += self.build_s
        if way is None:
            raise RuntimeError("this precision is not implemented")
        milliseconds, error = way

        def inference(ids: torch.Tensor, mask: torch.Tensor | None, skipped: int, *, normalize: bool) -> torch.Tensor:
            self.now += milliseconds / 1000 * ids.shape[0]
            self.waited += self.waits.get(name, 0.0)
            self.passes.append(name)
            exact = torch.nn.functional.one_hot(ids[:, 1] % 31, 32).float()
            exact[:, 31] = error
            return torch.nn.functional.normalize(exact, dim=-1)

        inference.precision = name  # type: ignore[attr-defined]
        return inference


@pytest.fixture
def tiny(make_model: Callable[..., Path], tmp_path: Path) -> SiameseEncoder:
    return SiameseEncoder(make_model(), device="cpu", memory=tmp_path / "cache" / "precision.json")


def finish(steps: Any) -> tuple[int, Any]:
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return count, done.value
        count += 1


FAITHFUL, ROUGH, WRONG = 0.01, 0.05, float("nan")


@pytest.mark.parametrize(
    ("bf16", "fp16", "chosen"),
    [
        ((0.4, FAITHFUL), (0.5, FAITHFUL), "bf16"),
        ((0.5, FAITHFUL), (0.4, FAITHFUL), "fp16"),
        ((0.2, ROUGH), (0.5, FAITHFUL), "fp16"),
        ((0.2, ROUGH), (0.95, FAITHFUL), "fp32"),
        ((0.2, WRONG), (9.0, FAITHFUL), "fp32"),
        (None, (0.5, FAITHFUL), "fp16"),
        (None, None, "fp32"),
    ],
)
def test_the_fastest_faithful_precision_is_chosen(
    tiny: SiameseEncoder,
    monkeypatch: pytest.MonkeyPatch,
    bf16: tuple[float, float] | None,
    fp16: tuple[float, float] | None,
    chosen: str,
) -> None:
    _Contest(monkeypatch, bf16=bf16, fp16=fp16)
    _, choice = finish(measure_precision(tiny))
    assert choice.precision == chosen
    assert (tiny.device.precision, tiny.device.note) == (chosen, choice.note)
    assert tiny.backend.prepared_model.precision == chosen
    assert str(choice.note).startswith(chosen)
    if chosen != "fp32":
        assert " times as fast as fp32 here, cosine " in str(choice.note)


def test_another_program_does_not_affect_the_choice(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = _Contest(monkeypatch, bf16=(0.4, FAITHFUL), fp16=None)
    contest.waits["bf16"] = 0.05
    _, choice = finish(measure_precision(tiny))
    assert choice.precision == "bf16"


def test_an_emulated_precision_is_rejected_at_once(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=(80.0, FAITHFUL))
    finish(measure_precision(tiny))
    assert contest.passes.count("fp16") == 3
    assert contest.now < 2.0


def test_measuring_a_large_model_is_limited_in_time(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = _Contest(monkeypatch, bf16=(20.0, FAITHFUL), fp16=None)
    contest.ways["fp32"] = (40.0, 0.0)
    _, choice = finish(measure_precision(tiny))
    assert choice.precision == "bf16"
    assert contest.now < 3.0


def test_measurements_that_would_take_too_long_are_skipped(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = _Contest(monkeypatch, bf16=(40.0, FAITHFUL), fp16=(40.0, FAITHFUL))
    contest.ways["fp32"] = (100.0, 0.0)
    contest.build_s = 0.5
    _, choice = finish(measure_precision(tiny))
    assert choice.precision == "bf16"
    assert "fp16" not in contest.passes
    assert contest.now + contest.built <= 2.0


def test_a_model_too_large_for_any_trial_keeps_its_precision(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = _Contest(monkeypatch, bf16=(40.0, FAITHFUL), fp16=(40.0, FAITHFUL))
    contest.ways["fp32"] = (1.0, 0.0)
    monkeypatch.setattr(precision_benchmark, "_count_weight_bytes", lambda _encoder: 8_000_000_000)
    note = tiny.device.note
    _, choice = finish(measure_precision(tiny))
    assert (choice.precision, choice.note) == (tiny.device.precision, tiny.device.note) == ("fp32", note)
    assert "not been measured yet" in str(note)
    assert set(contest.passes) == {"fp32"}
    assert tiny.memory is not None
    assert not tiny.memory.exists(), "another time the machine may be less busy"
    assert not tiny.needs_measuring


def test_weights_are_prepacked_in_another_thread(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    build = precision_benchmark._prepare_model

    def built(encoder: SiameseEncoder, name: str) -> Any:
        threads.add(threading.current_thread().name)
        return build(encoder, name)

    monkeypatch.setattr(precision_benchmark, "_prepare_model", built)
    finish(measure_precision(tiny))
    assert threads == {"measuring"}


def test_another_torch_is_measured_again(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    finish(measure_precision(tiny))
    folder, memory = tiny.model.folder, tiny.memory
    assert not SiameseEncoder(folder, device="cpu", memory=memory).needs_measuring
    monkeypatch.setattr(torch, "__version__", "99.0.0")
    assert SiameseEncoder(folder, device="cpu", memory=memory).needs_measuring


def test_the_choice_is_saved_for_this_machine_and_model(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tiny.device.precision == "fp32"
    assert tiny.needs_measuring
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    steps, choice = finish(measure_precision(tiny))
    assert steps > 10
    assert not tiny.needs_measuring
    again = SiameseEncoder(tiny.model.folder, device="cpu", memory=tiny.memory)
    assert (again.device.precision, again.device.note, again.needs_measuring) == ("bf16", choice.note, False)
    asked = SiameseEncoder(tiny.model.folder, device="cpu", precision="fp16", memory=tiny.memory)
    assert (asked.device.precision, asked.needs_measuring) == ("fp16", False)
    another = SiameseEncoder(tiny.model.folder, device="cpu", pooling="max", memory=tiny.memory)
    assert (another.device.precision, another.needs_measuring) == ("fp32", True)
    monkeypatch.setattr(precision, "_describe_cpu", lambda: ["another processor"])
    moved = SiameseEncoder(tiny.model.folder, device="cpu", memory=tiny.memory)
    assert moved.needs_measuring


def test_stopped_early_it_changes_nothing(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    steps = measure_precision(tiny)
    for _ in range(8):
        next(steps)
    steps.close()
    assert tiny.device.precision == "fp32"
    assert tiny.needs_measuring
    assert tiny.memory is not None
    assert not tiny.memory.exists()


@pytest.mark.parametrize("content", ["", "[1]", "no json", "{}", '{"KEY": {"precision": "int8"}}', '{"KEY": 3}'])
def test_a_damaged_file_of_choices_is_ignored(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    assert tiny.memory is not None
    tiny.memory.parent.mkdir()
    tiny.memory.write_text(content.replace("KEY", precision._memory_key(tiny.model.fingerprint, "cpu")), "utf-8")
    again = SiameseEncoder(tiny.model.folder, device="cpu", memory=tiny.memory)
    assert (again.device.precision, again.needs_measuring) == ("fp32", True)
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    finish(measure_precision(again))
    assert next(reversed(json.loads(tiny.memory.read_text("utf-8")).values()))["precision"] == "bf16"


def test_a_file_of_choices_that_cannot_be_written_costs_only_time(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert tiny.memory is not None
    tiny.memory.parent.write_text("a file in the folder's place", "utf-8")
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    finish(measure_precision(tiny))
    assert tiny.device.precision == "bf16"
    assert "cannot be kept" in caplog.text
    caplog.clear()


def test_a_gpu_is_measured_too_and_keeps_its_name(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tiny.memory is not None
    as_on_a_gpu(tiny)
    monkeypatch.setattr(tiny.backend, "_standing", verbatim("A Card"))
    contest = _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=(0.4, ROUGH))
    _, choice = finish(measure_precision(tiny))
    assert (tiny.device.device, tiny.device.precision) == ("cpu:0", "bf16")
    assert str(tiny.device.note) == f"A Card; {choice.note}"
    assert set(contest.passes) == {"fp32", "bf16", "fp16"}
    assert precision.load_precision_choice(tiny.memory, tiny.model.fingerprint, "cpu:0") == choice
    assert precision.load_precision_choice(tiny.memory, tiny.model.fingerprint, "cpu") is None, (
        "another device, another choice"
    )


def test_the_reason_for_a_missing_gpu_stays_in_the_note(tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    why = "CUDA cannot be used: the driver is too old"
    monkeypatch.setattr(siamese, "choose_device", lambda *_: DeviceInfo("cpu", "fp32", 1, verbatim(why)))
    encoder = SiameseEncoder(tiny.model.folder)
    assert str(encoder.device.note) == f"{why}; fp32: faster modes have not been measured yet"
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    _, choice = finish(measure_precision(encoder))
    assert str(encoder.device.note) == f"{why}; {choice.note}"


def test_a_gpu_failure_during_the_measurement_is_left_to_the_next_batch(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    as_on_a_gpu(tiny)
    _Contest(monkeypatch, fp32=None)
    assert finish(measure_precision(tiny))[1].precision == "fp32"
    assert tiny.memory is not None
    assert not tiny.memory.exists()
    assert not tiny.needs_measuring
    caplog.clear()


def test_a_gpu_that_fails_in_every_candidate_is_not_saved_as_slow(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    as_on_a_gpu(tiny)
    _Contest(monkeypatch, bf16=None, fp16=None)
    assert finish(measure_precision(tiny))[1].speeds == {}
    assert tiny.memory is not None
    assert not tiny.memory.exists()
    caplog.clear()


@pytest.mark.parametrize("error", [RuntimeError("DefaultCPUAllocator: can't allocate memory"), MemoryError()])
@pytest.mark.parametrize("is_card", [False, True])
def test_too_little_memory_says_nothing_about_a_precision(
    tiny: SiameseEncoder,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    is_card: bool,
) -> None:
    if is_card:
        as_on_a_gpu(tiny)
    contest = _Contest(monkeypatch, bf16=(0.9, FAITHFUL), fp16=(0.1, FAITHFUL))

    def build(encoder: SiameseEncoder, name: str) -> Any:
        if name == "fp16":
            raise error
        return contest.build(encoder, name)

    monkeypatch.setattr(precision_benchmark, "_prepare_model", build)
    before = tiny.device
    _, choice = finish(measure_precision(tiny))
    assert (choice.precision, tiny.device) == ("fp32", before)
    assert tiny.memory is not None
    assert not tiny.memory.exists()
    assert not tiny.needs_measuring
    caplog.clear()


def test_a_device_that_took_over_meanwhile_does_not_count_as_measured(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    as_on_a_gpu(tiny)

    def build(encoder: SiameseEncoder, _name: str) -> Any:
        encoder.backend.device = replace(encoder.device, device="cpu")
        raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(precision_benchmark, "_prepare_model", build)
    finish(measure_precision(tiny))
    assert tiny.needs_measuring
    caplog.clear()


def test_fp16_is_abandoned_if_it_is_out_of_range(
    tiny: SiameseEncoder, sentences: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected = tiny.encode(sentences)
    as_on_a_gpu(tiny, precision="fp16")
    inference = tiny.backend.prepared_model
    fewer: list[int] = []
    made: list[str] = []
    ready = tiny.backend._ready

    def make(device: DeviceInfo) -> PreparedModel:
        made.append(device.precision)
        return ready(device)

    monkeypatch.setattr(tiny.backend, "_ready", make)

    class Beyond:
        precision = "fp16"

        def __call__(self, ids: torch.Tensor, *more: Any, **most: Any) -> torch.Tensor:
            fewer.append(len(ids))
            return inference(ids, *more, **most) * float("inf")

    tiny.backend.prepared_model = Beyond()  # type: ignore[assignment]
    found = np.zeros_like(expected)
    for indices, rows in tiny.encode_batches(sentences, batch_tokens=600):
        found[indices] = rows
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert tiny.device.precision == tiny.backend.prepared_model.precision == "fp32"
    assert "beyond the range of fp16" in str(tiny.device.note)
    assert len(fewer) <= 4, "only batches already in flight"
    assert made == ["fp32"], "the memory of a GPU may not hold another one"
    caplog.clear()


def test_the_bundled_model_on_this_machine(sentences: list[str]) -> None:
    encoder = SiameseEncoder(device="cpu")
    expected = encoder.encode(sentences[:40])
    batches = encoder.encode_batches(sentences[:40], batch_tokens=300)
    first, rows = next(batches)
    found = np.full_like(expected, np.nan)
    found[first] = rows
    _, choice = finish(measure_precision(encoder))  # switched in the middle of a corpus
    for indices, rows in batches:
        found[indices] = rows
    assert encoder.device.precision == choice.precision
    assert (found * expected).sum(axis=1).min() >= 0.999
    assert choice.precision == "fp32" or choice.cosines[choice.precision] >= 0.9995


def test_the_sample_has_sentences_of_all_lengths() -> None:
    assert len(SAMPLE_SENTENCES) == len(set(SAMPLE_SENTENCES)) == 64
    lengths = sorted(len(text.split()) for text in SAMPLE_SENTENCES)
    assert lengths[0] <= 2
    assert lengths[-1] >= 20


def test_exact_scores_are_in_fp32_whatever_is_fastest(tiny: SiameseEncoder, sentences: list[str]) -> None:
    expected = tiny.encode(sentences)
    tiny.set_precision("bf16", verbatim("bf16: fast"))
    rounded = tiny.encode(sentences)
    assert np.abs(rounded - expected).max() > 1e-4
    np.testing.assert_allclose(tiny.encode(sentences, exact=True), expected, atol=2e-6)
    np.testing.assert_allclose(tiny.encode(sentences), rounded, atol=1e-3)
    asked = SiameseEncoder(tiny.model.folder, device="cpu", precision="bf16")
    for text in sentences[:5]:  # one at a time: rounding depends on the shape of a batch
        np.testing.assert_allclose(asked.encode(text, exact=True), asked.encode(text), atol=1e-6)
    assert str(asked.device.note) == "bf16: set by you"


def test_another_network_is_exact_too(tiny: SiameseEncoder) -> None:
    tiny.set_precision("bf16")
    tiny.encode(["a cat"], exact=True)
    network = copy.deepcopy(tiny.network)
    with torch.no_grad():
        network.body.embeddings.word_embeddings.weight.mul_(-1.0)  # type: ignore[operator, union-attr]
    tiny.network = network
    tiny.refresh()
    expected = tiny.network(torch.from_numpy(tiny.tokenizer.encode(["a cat"])[0].astype(np.int64))[None], None)
    np.testing.assert_allclose(tiny.encode(["a cat"], exact=True), expected, atol=2e-6)


def test_tuning_measures_once_and_only_if_it_can_be_saved(
    tiny: SiameseEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _Contest(monkeypatch, bf16=(0.5, FAITHFUL), fp16=None)
    assert tiny.device.note == precision.default_precision_choice(tiny.device).note
    assert list(SiameseEncoder(tiny.model.folder, device="cpu").tune()) == []
    assert len(list(tiny.tune())) > 10
    assert tiny.device.precision == "bf16"
    assert list(tiny.tune()) == []


def test_the_saved_precision_of_the_processor_is_used_when_a_gpu_fails(
    tiny: SiameseEncoder, caplog: pytest.LogCaptureFixture
) -> None:
    assert tiny.memory is not None
    choice = precision.PrecisionChoice("bf16", verbatim("bf16: fast"), {}, {})
    precision.save_precision_choice(tiny.memory, tiny.model.fingerprint, choice, "cpu")
    tiny.backend.fall_back(RuntimeError("the driver is gone"))
    assert (tiny.device.device, tiny.device.precision) == ("cpu", "bf16")
    assert "the driver is gone" in str(tiny.device.note)
    assert "bf16: fast" in str(tiny.device.note)
    caplog.clear()
