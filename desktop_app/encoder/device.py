"""Where and how the encoder computes: device, precision, threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

from desktop_app.core.errors import DeviceUnavailable, UsageError
from desktop_app.core.records import DeviceInfo
from desktop_app.core.settings import DEVICES, PRECISIONS

if TYPE_CHECKING:
    import torch


def choose_device(device: str = "auto", precision: str = "auto", threads: int = 0) -> DeviceInfo:
    """Return what to compute on. Changes nothing; `SiameseEncoder` sets the threads.

    Args:
        device: `auto` takes CUDA, else Apple's MPS, else the processor; or one of `cpu`, `cuda`, `mps`.
        precision: `auto`, `fp32`, `bf16` or `fp16`.
        threads: of torch on the processor; 0 for `default_threads()`.

    Raises:
        DeviceUnavailable: the device or precision is not there.
        UsageError: a word that names no device or precision.
    """
    if device not in DEVICES:
        raise UsageError(f"{device!r} is not a device", f"Use one of {', '.join(DEVICES)}.")
    if precision not in PRECISIONS:
        raise UsageError(f"{precision!r} is not a precision", f"Use one of {', '.join(PRECISIONS)}.")
    if threads < 0:
        raise UsageError(f"{threads} is not a number of threads", "Use 0 to let the program choose.")
    import torch

    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    best = "cuda" if has_cuda else "mps" if has_mps else "cpu"
    chosen = best if device == "auto" else device
    if chosen == "cuda" and not has_cuda:
        raise DeviceUnavailable(
            "there is no CUDA device that this torch can use",
            "Use --device cpu or auto, or install the NVIDIA driver and a torch built for CUDA.",
        )
    if chosen == "mps" and not has_mps:
        raise DeviceUnavailable(
            "there is no Apple graphics processor that this torch can use", "Use --device cpu or auto."
        )
    if precision == "bf16" and chosen == "cuda" and not torch.cuda.is_bf16_supported():
        raise DeviceUnavailable("this graphics processor does not compute in bf16", "Use --precision fp16.")
    return DeviceInfo(
        device=chosen,
        precision=choose_precision(chosen) if precision == "auto" else precision,
        threads=threads or default_threads(),
        note=torch.cuda.get_device_name() if chosen == "cuda" else "",
    )


def choose_precision(device: str) -> str:
    """Return the precision that `auto` means on `device`.

    A table for now. Whether reduced precision is faster on a processor depends on its instructions (AMX,
    AVX-512-BF16), and whether it is faithful on the model, so both are to be measured at the first start; this
    function is where that measurement is to be asked.
    """
    return {"cuda": "fp16"}.get(device, "fp32")


def default_threads() -> int:
    """Return the number of cores this process may use, less one for the window, at least 1.

    Hyper-threads do not count: two of them share the units that multiply matrices.
    """
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    return max(1, cores - 1)


def torch_dtype(precision: str) -> torch.dtype:
    """Return torch's type for `fp32`, `bf16` or `fp16`."""
    import torch

    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


def default_batch_tokens(device: str) -> int:
    """Return how many tokens, with padding, one forward pass takes.

    On a processor more tokens than fit its caches are no faster, and one pass is the step that nobody can
    interrupt; a graphics processor is idle below some ten thousand.
    """
    return {"cuda": 32_768, "mps": 8_192}.get(device, 2_048)
