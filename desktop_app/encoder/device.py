"""Chooses device, precision and threads, and describes failures of a device."""

from __future__ import annotations

import logging
import math
import time
import warnings
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError, DeviceUnavailable, UsageError
from desktop_app.core.messages import NOTHING, Message, join_messages, verbatim
from desktop_app.core.records import DeviceInfo
from desktop_app.core.settings import DEVICES, PRECISIONS
from desktop_app.encoder.cpu_cores import default_threads

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

_MIN_TRAINING_SPEEDUP = 1.2  # factor to fp32: below, the higher precision is worth more
_OUT_OF_MEMORY_SIGNS = ("allocate memory", "out of memory", "not enough memory", "_ALLOC_FAILED")


def choose_device(device: str = "auto", precision: str = "auto", threads: int = 0) -> DeviceInfo:
    """Return the device to compute on. Changes only which kernels CUDA's attention may use.

    Args:
        device: `auto` takes CUDA, else Apple's MPS, else the processor; or one of `cpu`, `cuda`, `mps`.
        precision: `auto`, `fp32`, `bf16` or `fp16`.
        threads: batches that the processor computes at once; 0 for `default_threads()`.

    Raises:
        DeviceUnavailable: the device or precision is not available.
        UsageError: there is no such device or precision.
    """
    if device not in DEVICES:
        raise UsageError(
            "{device!r} is not a device", "Use one of {devices}.", device=device, devices=", ".join(DEVICES)
        )
    if precision not in PRECISIONS:
        raise UsageError(
            "{precision!r} is not a precision",
            "Use one of {precisions}.",
            precision=precision,
            precisions=", ".join(PRECISIONS),
        )
    if threads < 0:
        raise UsageError(
            "{threads} is not a valid number of threads", "Use 0 to let the program choose.", threads=threads
        )
    import torch

    trouble = _find_cuda_problem() if device in ("auto", "cuda") else ""
    has_cuda = device in ("auto", "cuda") and not trouble and torch.cuda.is_available()
    has_mps = device in ("auto", "mps") and torch.backends.mps.is_available()
    best = "cuda" if has_cuda else "mps" if has_mps else "cpu"
    chosen = best if device == "auto" else device
    if chosen == "cuda" and not has_cuda:
        raise DeviceUnavailable(
            Message("CUDA cannot be used: {trouble}", trouble=trouble)
            if trouble
            else Message("There is no CUDA device that this version of torch can use"),
            "Use --device cpu or auto, or install the NVIDIA driver and a version of torch with CUDA.",
        )
    if chosen == "mps" and not has_mps:
        raise DeviceUnavailable("There is no Apple GPU that this version of torch can use", "Use --device cpu or auto.")
    if precision == "bf16" and chosen == "cuda" and not torch.cuda.is_bf16_supported():
        raise DeviceUnavailable("This GPU does not support bf16", "Use --precision fp16.")
    if chosen == "cuda":
        # cuDNN's attention plans each new shape for 6 ms a layer, and nearly every batch has one.
        torch.backends.cuda.enable_cudnn_sdp(False)
    notes = [
        verbatim(torch.cuda.get_device_name()) if chosen == "cuda" else NOTHING,
        Message("CUDA cannot be used: {trouble}", code="no_cuda", trouble=trouble) if trouble else NOTHING,
        _note_on_choice(precision) if chosen != "cuda" else NOTHING,
    ]
    return DeviceInfo(
        device=chosen,
        precision=choose_precision(chosen) if precision == "auto" else precision,
        threads=threads or default_threads(),
        note=join_messages(*notes),
    )


@lru_cache(1)
def _find_cuda_problem() -> str:
    """Return why CUDA cannot be used although this torch supports it and there is a GPU; empty if there is no problem.

    torch warns once if the driver is too old or does not answer, and does not warn if there is no driver.
    """
    import torch

    if torch.version.cuda is None:
        return ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if torch.cuda.is_available():
                torch.cuda.get_device_name()
                return ""
        except (RuntimeError, AssertionError) as error:
            log.warning("CUDA does not answer", exc_info=True)
            return error_summary(error)
    for warning in caught:
        text = str(warning.message)
        if "CUDA" in text or "NVIDIA" in text:
            log.warning("%s", text)
            return text.removeprefix("CUDA initialization: ").partition("\n")[0].split(". ")[0].strip(" .")
    return ""


def error_summary(error: BaseException) -> str:
    """Return the message of an error without torch's additions; the error's name if it has no message."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _note_on_choice(precision: str) -> Message:
    return (
        NOTHING
        if precision == "auto"
        else Message("{precision}: set by you", code="precision_chosen", precision=precision)
    )


def choose_precision(device: str) -> str:
    """Return the precision that `auto` starts with on `device`, until `precision_benchmark.py` has measured the best.

    Every GPU of the last ten years computes in fp16, which is more precise than bf16. Whether reduced precision is
    faster on a processor depends on its instructions (AMX, AVX-512-BF16).
    """
    return {"cuda": "fp16"}.get(device, "fp32")


def fastest_training_precision(device: str) -> str:
    """Return the fastest precision of a training's products on a device."""
    if device == "cpu":
        return fastest_cpu_precision()
    import torch

    return "fp32" if device == "cuda" and not torch.cuda.is_bf16_supported() else "bf16"


@lru_cache(1)
def fastest_cpu_precision() -> str:
    """Return `bf16` if its products are faster than those of fp32 on this processor, else `fp32`.

    Timed once in a process: it takes a fifth of a second, and trainings that are compared should not differ in it.
    Sums, normalisations, the softmax, weights and the optimizer stay fp32 in either.
    """
    import torch
    from torch.nn import functional as F

    rows, best = torch.rand(512, 384), dict.fromkeys((torch.float32, torch.bfloat16), math.inf)
    weight = torch.rand(1536, 384)
    for _ in range(8):
        for dtype in best:
            x, w = rows.to(dtype), weight.to(dtype)
            started = time.perf_counter()
            F.linear(x, w)
            best[dtype] = min(best[dtype], time.perf_counter() - started)
    return "bf16" if best[torch.float32] > _MIN_TRAINING_SPEEDUP * best[torch.bfloat16] else "fp32"


def torch_dtype(precision: str) -> torch.dtype:
    """Return torch's type for `fp32`, `bf16` or `fp16`."""
    import torch

    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


def cpu_fallback(device: DeviceInfo, error: BaseException) -> DeviceInfo:
    """Return the processor as the replacement of `device`, which failed; its note says so."""
    reason = error_summary(error)
    log.warning("%s failed (%s): computing on the processor", device.device, reason)
    note = Message(
        "{device} failed ({reason}): switched to the CPU", code="device_failed", device=device.device, reason=reason
    )
    return replace(device, device="cpu", precision="fp32", note=note, failure=note)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that memory ran out."""
    import torch

    # torch has a type for CUDA's memory; its libraries, MPS and the processor's allocator raise RuntimeError.
    message = str(error)
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(
        sign in message for sign in _OUT_OF_MEMORY_SIGNS
    )


def device_error(device: str, error: BaseException) -> AppError:
    """Return the error to raise when `device`, which was requested, cannot load the model."""
    if is_out_of_memory(error):
        return memory_error(device, Message("the model"))
    return DeviceUnavailable(
        "{device} failed: {why}", "Use --device cpu or auto.", device=device, why=error_summary(error)
    )


def memory_error(device: str, what: Message) -> AppError:
    """Return the error to raise when `device` cannot hold `what`."""
    return DeviceUnavailable(
        "The memory of {device} is too small for {what}",
        "Close other programs, or use --device cpu.",
        device=device,
        what=what,
    )
