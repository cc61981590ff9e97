"""Asynchronous transfers of tensors to and from a device."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class PendingVectors:
    """Vectors that a device computes or sends.

    Attributes:
        has_arrived: returns whether `wait` would return at once; True if that is unknown.
        wait: waits for them: float32 [b, dim].
        elapsed_s: returns the time of their computation on the device, after `wait`.
    """

    has_arrived: Callable[[], bool]
    wait: Callable[[], NDArray[np.float32]]
    elapsed_s: Callable[[], float]


class DeviceStream:
    """Asynchronous transfers to a device and back.

    CUDA and MPS compute while the processor continues, and copy when they are done. On the processor itself, and on
    devices without events, the calls wait.

    Nothing is copied by way of pinned memory: torch ends the process when such memory is freed after the device has
    failed, and the work could not continue on the processor.

    Args:
        device: `cpu`, `cuda` or `mps`.
    """

    def __init__(self, device: str) -> None:
        self.device = device
        self._urgent: Any = None
        # Both are partly typed.
        events: Any = {"cuda": torch.cuda, "mps": torch.mps}.get(device)
        self._event: Any = getattr(events, "Event", None)

    def high_priority(self) -> contextlib.AbstractContextManager[object]:
        """Give transfers and computations inside priority over the device's other work, if it can."""
        if self.device != "cuda":
            return contextlib.nullcontext()
        cuda: Any = torch.cuda
        if self._urgent is None:
            self._urgent = cuda.Stream(priority=-1)
        stream: contextlib.AbstractContextManager[object] = cuda.stream(self._urgent)
        return stream

    def start(self) -> Callable[[], float]:
        """Return a stopwatch that starts when the device reaches the next work.

        The `fetch` that receives it stops it.
        """
        began = time.perf_counter()
        if self._event is None:
            return lambda: time.perf_counter() - began
        first, last = self._event(enable_timing=True), self._event(enable_timing=True)
        first.record()
        return _EventTimer(first, last)

    def send(self, tensor: Tensor) -> Tensor:
        """Send a tensor from the processor to the device."""
        # CUDA has read ordinary memory when the call returns, also if it does not wait for the device.
        return tensor.to(self.device, non_blocking=self.device == "cuda")

    def fetch(self, tensor: Tensor, stopwatch: Callable[[], float]) -> PendingVectors:
        """Start to fetch a tensor from the device."""
        if not isinstance(stopwatch, _EventTimer):
            elapsed_s = stopwatch()
            return PendingVectors(lambda: True, lambda: tensor.cpu().numpy(), lambda: elapsed_s)
        stopwatch.last.record()

        def wait() -> NDArray[np.float32]:
            stopwatch.last.synchronize()
            out: NDArray[np.float32] = tensor.cpu().numpy()
            return out

        return PendingVectors(stopwatch.last.query, wait, stopwatch)

    def finish(self) -> None:
        """Wait until the device has finished all work and has released its memory."""
        if self.device == "cuda":
            torch.cuda.synchronize()
        elif self.device == "mps":
            torch.mps.synchronize()

    def free_memory(self) -> None:
        """Release memory of the device that torch keeps for later."""
        if self.device == "cuda":
            torch.cuda.empty_cache()
        elif self.device == "mps":
            torch.mps.empty_cache()


@dataclass(frozen=True, slots=True)
class _EventTimer:
    """Two events of a device, before its work and after it."""

    first: Any
    last: Any

    def __call__(self) -> float:
        """Return the seconds between them."""
        return float(self.first.elapsed_time(self.last)) / 1000
