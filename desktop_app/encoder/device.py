"""Where and how the encoder computes: device, precision, threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

from desktop_app.core.errors import DeviceUnavailable, UsageError
from desktop_app.core.records import DeviceInfo
from desktop_app.core.remarks import remark
from desktop_app.core.settings import DEVICES, PRECISIONS

if TYPE_CHECKING:
    import torch

PASS_S = 0.04
"""How long a pass on the processor should take while nobody waits."""

STEP_S = 0.015
"""How long it should take while somebody does: the whole step, with its surroundings, stays within 20 ms."""

_FIRST_TOKENS, _FEWEST_TOKENS, _MOST_TOKENS, _TOKENS_STEP = 512, 256, 4096, 128


def choose_device(device: str = "auto", precision: str = "auto", threads: int = 0) -> DeviceInfo:
    """Return what to compute on. Changes nothing.

    Args:
        device: `auto` takes CUDA, else Apple's MPS, else the processor; or one of `cpu`, `cuda`, `mps`.
        precision: `auto`, `fp32`, `bf16` or `fp16`.
        threads: batches that the processor computes at once; 0 for `default_threads()`.

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
        note=torch.cuda.get_device_name() if chosen == "cuda" else _asked_for(precision),
    )


def _asked_for(precision: str) -> str:
    return "" if precision == "auto" else remark(f"{precision}: as you chose")


def choose_precision(device: str) -> str:
    """Return the precision that `auto` begins with on `device`.

    fp16 is the faster and, its numbers being finer than those of bf16, the more faithful one on every card. Whether
    reduced precision is faster on a processor depends on its instructions (AMX, AVX-512-BF16), and whether it is
    faithful on the model: `precision.py` measures both.
    """
    return {"cuda": "fp16"}.get(device, "fp32")


def default_threads() -> int:
    """Return the number of cores this process may use, at least 1.

    Hyper-threads do not count: two of them share the units that multiply matrices. While a person types one fewer
    should compute: `SiameseEncoder.set_threads`.
    """
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    return max(1, cores)


def torch_dtype(precision: str) -> torch.dtype:
    """Return torch's type for `fp32`, `bf16` or `fp16`."""
    import torch

    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


def default_batch_tokens(device: str) -> int:
    """Return how many tokens, with padding, the first passes take; `Pace` learns better for a processor.

    A graphics processor is idle below some ten thousand.
    """
    return {"cuda": 32_768, "mps": 8_192}.get(device, _FIRST_TOKENS)


class Pace:
    """How many tokens a pass on the processor takes: as many as last `PASS_S`.

    More tokens than fit the caches are no faster (bf16 on one core of an AMD EPYC, sentences a second: 128 tokens
    539, 256: 599, 512: 650, 1,024: 658, 2,048: 630, 4,096: 602), and a pass is what nobody can interrupt.
    """

    def __init__(self) -> None:
        self._seconds_per_token: float | None = None

    def note(self, tokens: int, seconds: float) -> None:
        """Learn from a pass; small ones say little, they last mostly by their start."""
        if tokens < _FEWEST_TOKENS // 2:
            return
        found, old = seconds / tokens, self._seconds_per_token
        self._seconds_per_token = found if old is None else 0.7 * old + 0.3 * found

    def forget(self) -> None:
        """Begin anew: something else computes from now on."""
        self._seconds_per_token = None

    def tokens(self, asked: int | None) -> int:
        """Return the tokens of the next pass.

        Args:
            asked: what the caller wants; below the usual number the caller wants short steps, so the pass is kept
                to `STEP_S` too. None for the usual number.
        """
        if asked is not None and asked >= _FIRST_TOKENS:
            return asked
        pace = self._seconds_per_token
        if pace is None:
            return asked or _FIRST_TOKENS
        if asked is not None:
            return max(1, min(asked, int(STEP_S / pace)))
        # In steps, for oneDNN makes code for every shape that it meets.
        found = int(PASS_S / pace) // _TOKENS_STEP * _TOKENS_STEP
        return max(_FEWEST_TOKENS, min(_MOST_TOKENS, found))
