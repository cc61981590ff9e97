"""What the encoder computes on."""

from __future__ import annotations

import psutil
import pytest
import torch

from desktop_app.core.errors import DeviceUnavailable, UsageError
from desktop_app.encoder import choose_device
from desktop_app.encoder.device import default_threads


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine without a graphics processor."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    return monkeypatch


def test_auto_without_a_graphics_processor_is_the_processor_in_fp32(machine: pytest.MonkeyPatch) -> None:
    info = choose_device()
    assert (info.device, info.precision) == ("cpu", "fp32")
    assert info.threads == default_threads() >= 1


def test_auto_takes_cuda_before_mps(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device().device == "mps"
    assert choose_device().precision == "fp32"
    machine.setattr(torch.cuda, "is_available", lambda: True)
    machine.setattr(torch.cuda, "get_device_name", lambda: "A Card")
    info = choose_device()
    assert (info.device, info.precision, info.note) == ("cuda", "fp16", "A Card")
    assert choose_device("cpu").device == "cpu"


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_said_to_be_absent(machine: pytest.MonkeyPatch, device: str) -> None:
    with pytest.raises(DeviceUnavailable) as caught:
        choose_device(device)
    assert "--device cpu" in caught.value.hint


def test_a_card_without_bf16_says_so(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(torch.cuda, "is_available", lambda: True)
    machine.setattr(torch.cuda, "get_device_name", lambda: "An old card")
    machine.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    with pytest.raises(DeviceUnavailable):
        choose_device("cuda", "bf16")


@pytest.mark.parametrize(
    ("device", "precision", "threads"), [("tpu", "auto", 0), ("cpu", "int8", 0), ("cpu", "auto", -1)]
)
def test_words_that_mean_nothing_are_refused(device: str, precision: str, threads: int) -> None:
    with pytest.raises(UsageError):
        choose_device(device, precision, threads)


def test_what_is_asked_for_is_honoured(machine: pytest.MonkeyPatch) -> None:
    info = choose_device("cpu", "bf16", 3)
    assert (info.device, info.precision, info.threads) == ("cpu", "bf16", 3)


@pytest.mark.parametrize(("physical", "allowed", "threads"), [(8, 8, 8), (8, 2, 2), (1, 1, 1), (None, 64, None)])
def test_every_core_that_is_allowed_computes(
    monkeypatch: pytest.MonkeyPatch, physical: int | None, allowed: int, threads: int | None
) -> None:
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=True: physical)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(allowed)), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert default_threads() == (6 if threads is None else threads)
