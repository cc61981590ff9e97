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
    """Vectors on their way from a device.

    Attributes:
        has_arrived: whether `wait` returns at once; True where that cannot be told.
        wait: waits for them, float32 [b, dim].
        elapsed_s: how long the device computed them, once they are here.
    """

    has_arrived: Callable[[], bool]
    wait: Callable[[], NDArray[np.float32]]
    elapsed_s: Callable[[], float]


class DeviceStream:
    """The way to a device and back that waits for nothing.

    CUDA copies from and to pinned memory while it computes and the processor goes on. MPS computes while the processor
    goes on and copies when it is done. On the processor itself, and where a device has no events, the calls wait.

    Args:
        device: `cpu`, `cuda` or `mps`.
    """

    def __init__(self, device: str) -> None:
        self.device = device
        self._pinned = device == "cuda"
        self._urgent: Any = None
        # Both are partly typed.
        events: Any = {"cuda": torch.cuda, "mps": torch.mps}.get(device)
        self._event: Any = getattr(events, "Event", None)

    def high_priority(self) -> contextlib.AbstractContextManager[object]:
        """Have what is sent, computed and fetched inside go before what else the device has to do, where it can."""
        if self.device != "cuda":
            return contextlib.nullcontext()
        cuda: Any = torch.cuda
        if self._urgent is None:
            self._urgent = cuda.Stream(priority=-1)
        stream: contextlib.AbstractContextManager[object] = cuda.stream(self._urgent)
        return stream

    def start(self) -> Callable[[], float]:
        """Return a stopwatch that begins when the device comes to what is sent to it next.

        It is stopped by the `fetch` that it is given to.
        """
        began = time.perf_counter()
        if self._event is None:
            return lambda: time.perf_counter() - began
        first, last = self._event(enable_timing=True), self._event(enable_timing=True)
        first.record()
        return _EventTimer(first, last)

    def send(self, tensor: Tensor) -> Tensor:
        """Return a processor's tensor on the device."""
        if self._pinned:
            tensor = tensor.pin_memory()
        return tensor.to(self.device, non_blocking=self._pinned)

    def fetch(self, tensor: Tensor, stopwatch: Callable[[], float]) -> PendingVectors:
        """Begin to bring a tensor back."""
        if not isinstance(stopwatch, _EventTimer):
            elapsed_s = stopwatch()
            return PendingVectors(lambda: True, lambda: tensor.cpu().numpy(), lambda: elapsed_s)
        arrived = tensor
        if self._pinned:
            arrived = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
            arrived.copy_(tensor, non_blocking=True)
        stopwatch.last.record()

        def wait() -> NDArray[np.float32]:
            stopwatch.last.synchronize()
            out: NDArray[np.float32] = arrived.cpu().numpy()
            return out

        return PendingVectors(stopwatch.last.query, wait, stopwatch)

    def finish(self) -> None:
        """Wait until the device has done all that it was given, so that it has the memory back."""
        if self.device == "cuda":
            torch.cuda.synchronize()
        elif self.device == "mps":
            torch.mps.synchronize()

    def free_memory(self) -> None:
        """Give back memory of the device that torch keeps for later."""
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
