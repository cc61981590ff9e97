"""The choice of device, precision and threads."""

from __future__ import annotations

import itertools
import warnings
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psutil
import pytest
import torch

from desktop_app.core.errors import DeviceUnavailable, UsageError
from desktop_app.encoder import choose_device, cpu_cores, device
from desktop_app.encoder.cpu_cores import default_threads, quota_cores
from desktop_app.encoder.device import fastest_cpu_precision
from desktop_app.encoder.inference import batching
from desktop_app.encoder.inference.batching import FreeMemory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine without a GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    return monkeypatch


def test_auto_without_a_graphics_processor_is_the_processor_in_fp32(machine: pytest.MonkeyPatch) -> None:
    info = choose_device()
    assert (info.device, info.precision) == ("cpu", "fp32")
    assert info.threads == default_threads() >= 1


def test_the_processor_is_timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = fastest_cpu_precision()
    seconds = {"fp32": (0.0, 1.0, 0.0, 0.1), "bf16": (0.0, 0.1, 0.0, 1.0)}[first]  # the other one is faster now
    clock = itertools.cycle(seconds)
    monkeypatch.setattr(device.time, "perf_counter", lambda: next(clock))
    assert fastest_cpu_precision.__wrapped__() != first
    assert fastest_cpu_precision() == first, "trainings of a process are alike"


def test_auto_takes_cuda_before_mps(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device().device == "mps"
    assert choose_device().precision == "fp32"
    machine.setattr(torch.cuda, "is_available", lambda: True)
    machine.setattr(torch.cuda, "get_device_name", lambda: "A Card")
    plans: list[bool] = []
    machine.setattr(torch.backends.cuda, "enable_cudnn_sdp", plans.append)
    info = choose_device()
    assert plans == [False], "cuDNN's attention would plan every new shape"
    assert (info.device, info.precision, str(info.note)) == ("cuda", "fp16", "A Card")
    assert choose_device("cpu").device == "cpu"


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_missing_device_is_reported(machine: pytest.MonkeyPatch, device: str) -> None:
    with pytest.raises(DeviceUnavailable) as caught:
        choose_device(device)
    assert "--device cpu" in str(caught.value.hint)


def test_a_gpu_without_bf16_is_reported(machine: pytest.MonkeyPatch) -> None:
    machine.setattr(torch.cuda, "is_available", lambda: True)
    machine.setattr(torch.cuda, "get_device_name", lambda: "An old card")
    machine.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    with pytest.raises(DeviceUnavailable):
        choose_device("cuda", "bf16")


@pytest.mark.parametrize(
    ("device", "precision", "threads"), [("tpu", "auto", 0), ("cpu", "int8", 0), ("cpu", "auto", -1)]
)
def test_unknown_words_are_refused(device: str, precision: str, threads: int) -> None:
    with pytest.raises(UsageError):
        choose_device(device, precision, threads)


def test_requested_values_are_used(machine: pytest.MonkeyPatch) -> None:
    info = choose_device("cpu", "bf16", 3)
    assert (info.device, info.precision, info.threads) == ("cpu", "bf16", 3)


@pytest.mark.parametrize(("physical", "allowed", "threads"), [(8, 8, 8), (8, 2, 2), (1, 1, 1), (None, 64, None)])
def test_every_allowed_core_computes(
    monkeypatch: pytest.MonkeyPatch, physical: int | None, allowed: int, threads: int | None
) -> None:
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=True: physical)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(allowed)), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    monkeypatch.setattr(cpu_cores, "quota_cores", lambda: None)
    assert default_threads() == (6 if threads is None else threads)


def _write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, "ascii")
    return root


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2.0),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
        (
            {
                "proc/self/cgroup": "0::/user/app\n",
                "sys/fs/cgroup/user/app/cpu.max": "max 100000",
                "sys/fs/cgroup/user/cpu.max": "150000 100000",
            },
            1.5,
        ),
        ({"proc/self/cgroup": "0::/not/seen/here\n", "sys/fs/cgroup/cpu.max": "300000 100000"}, 3.0),
        (
            {
                "proc/self/cgroup": "5:memory:/a\n4:cpu,cpuacct:/a\n0::/a\n",
                "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "50000",
                "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000",
            },
            0.5,
        ),
        (
            {
                "proc/self/cgroup": "4:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            None,
        ),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "rubbish"}, None),
    ],
)
def test_the_quota_of_a_control_group_is_found(tmp_path: Path, files: dict[str, str], cores: float | None) -> None:
    assert quota_cores(_write(tmp_path, files)) == cores


@pytest.mark.parametrize(("quota", "threads"), [(None, 8), (0.5, 1), (2.0, 2), (3.9, 3), (64.0, 8)])
def test_no_more_threads_compute_than_the_quota_allows(
    monkeypatch: pytest.MonkeyPatch, quota: float | None, threads: int
) -> None:
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=True: 8)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr(cpu_cores, "quota_cores", lambda: quota)
    assert default_threads() == threads


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A torch for CUDA that asks the driver again."""
    monkeypatch.setattr(torch.version, "cuda", "12.8")
    device._find_cuda_problem.cache_clear()
    yield monkeypatch
    device._find_cuda_problem.cache_clear()


def test_auto_says_why_a_gpu_is_not_used(driver: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def too_old() -> bool:
        warnings.warn(
            "CUDA initialization: The NVIDIA driver on your system is too old (found version 11040). Please update "
            "your GPU driver",
            stacklevel=1,
        )
        return False

    driver.setattr(torch.cuda, "is_available", too_old)
    info = choose_device()
    assert info.device == "cpu"
    assert str(info.note) == "CUDA cannot be used: The NVIDIA driver on your system is too old (found version 11040)"
    assert not choose_device("cpu").note
    with pytest.raises(DeviceUnavailable, match="too old"):
        choose_device("cuda")
    caplog.clear()


def test_a_driver_without_an_answer_counts_as_no_gpu(
    driver: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> str:
        raise RuntimeError("CUDA driver error: unknown error\nmore")

    driver.setattr(torch.cuda, "is_available", lambda: True)
    driver.setattr(torch.cuda, "get_device_name", fails)
    assert str(choose_device().note) == "CUDA cannot be used: CUDA driver error: unknown error"
    caplog.clear()


def test_a_pass_takes_at_most_half_of_the_free_memory(machine: pytest.MonkeyPatch) -> None:
    for free, threads, at_least, at_most in ((16e9, 8, 4096, 1 << 30), (400e6, 4, 100, 700), (0, 4, 1, 1)):
        machine.setattr(psutil, "virtual_memory", lambda free=free: SimpleNamespace(available=int(free)))
        tokens = FreeMemory(768).max_tokens(threads)
        assert at_least <= tokens <= at_most
        assert tokens == 1 or tokens * threads * 768 * 4 < free / 2


def test_free_memory_is_looked_at_again_after_a_while(machine: pytest.MonkeyPatch) -> None:
    clock = iter((10.0, 10.0 + batching.MEMORY_INTERVAL_S / 2, 10.0 + batching.MEMORY_INTERVAL_S))
    machine.setattr(batching.time, "monotonic", lambda: next(clock))
    memory, free = FreeMemory(768), iter((8e9, 1e9))
    machine.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=int(next(free))))
    first, soon, later = (memory.max_tokens(2) for _ in range(3))
    assert first == soon == pytest.approx(8 * later, rel=0.01)
