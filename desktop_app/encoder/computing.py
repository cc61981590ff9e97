"""Batches of tokens to vectors: on which device, in which precision, and what to do when a device fails."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.errors import AppError, DeviceUnavailable, VectorNotFinite
from desktop_app.core.remarks import remark
from desktop_app.core.right_of_way import RightOfWay
from desktop_app.encoder.device import Pace, default_batch_tokens
from desktop_app.encoder.inference import Inference, padded
from desktop_app.encoder.pausing import rested_s
from desktop_app.encoder.pipelines import Card, Inline, Link, Threads
from desktop_app.encoder.precision import NOT_MEASURED

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo
    from desktop_app.encoder.batching import Batch
    from desktop_app.encoder.network import Network
    from desktop_app.encoder.pipelines import Arrival, Pipeline
    from desktop_app.encoder.precision import PrecisionChoice

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """How texts are to be embedded.

    Attributes:
        prompt: put before each.
        skipped: tokens at the start that are left out of the pooling.
        normalize: rows of length 1.
        exact: in fp32 where the precision was left to the program.
        alone: a single query: as soon as may be, where others have the same vector whatever they are embedded with.
    """

    prompt: str
    skipped: int
    normalize: bool
    exact: bool
    alone: bool = False


class Computing:
    """A network at work on a device.

    Args:
        network: the model in fp32 on the processor.
        pad_id: token that fills up shorter texts.
        device: what to compute on.
        chooses: whether the precision is left to the program.
        recall: returns what is known of the precisions on this processor, if anything.

    Raises:
        RuntimeError: the device has too little memory, or fails.

    Attributes:
        network: what is computed; after a change call `refresh`.
        device: what is computed on now.
        inference: what computes.
        knows_precision: whether there is nothing to find out about precisions.
        threads: batches that the processor computes at once.
        right_of_way: taken while a person waits for something else.
    """

    def __init__(
        self,
        network: Network,
        pad_id: int,
        device: DeviceInfo,
        *,
        chooses: bool,
        recall: Callable[[], PrecisionChoice | None],
    ) -> None:
        self.network = network
        self.device = device
        self.threads = device.threads
        self.right_of_way = RightOfWay()
        self._pad_id = pad_id
        self._chooses = chooses
        self._recall = recall
        self._pace = Pace()
        self._exact: Inference | None = None
        self._building = threading.Lock()
        self._take_remembered()
        self.inference = self._ready(self.device)

    def refresh(self) -> None:
        """Compute with another `network` from now on."""
        self.inference, self._exact = self._ready(self.device), None

    def set_precision(self, precision: str, note: str) -> None:
        """Compute in another precision from now on."""
        device = replace(self.device, precision=precision, note=note)
        if precision != self.inference.precision:
            self.inference = self._ready(device)
            self._pace.forget()
        self.device = device

    def budget(self, asked: int | None) -> int:
        """Return the tokens of the next batch; `asked` are those that the caller wants."""
        if self.device.device == "cpu":
            return self._pace.tokens(asked)
        return asked or default_batch_tokens(self.device.device)

    def pipeline(self, wish: Wish, *, one_batch: bool) -> Pipeline:
        """Return a way for batches: `one_batch` on a processor needs no thread."""
        if self.device.device == "cpu":
            if one_batch:
                return Inline(lambda batch: self._compute(batch, wish))
            return Threads(lambda batch: self._compute(batch, wish), lambda: self.threads, self.right_of_way)
        link = self.link(self.device.device)
        return Card(lambda batch: self._launch(batch, link, wish))

    def link(self, device: str) -> Link:
        """Return the way to a device and back."""
        return Link(device)

    def checked(self, batch: Batch, vectors: NDArray[np.float32], wish: Wish, name: str) -> NDArray[np.float32]:
        """Return `vectors`, those that are not finite computed once more, plainly and in fp32.

        A text may be beyond the range of fp16, or of the powers that `LeanBert` takes.

        Raises:
            VectorNotFinite: that did not help; `name` is what the model is called.
        """
        lost = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if not len(lost):
            return vectors
        log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
        vectors = vectors.copy()
        for place in lost:
            with torch.inference_mode():
                ids, mask = padded([batch.rows[place]], self._pad_id)
                vector = self.network(ids, mask, wish.skipped)[0]
                vectors[place] = F.normalize(vector, dim=-1) if wish.normalize else vector
            if not np.isfinite(vectors[place]).all():
                raise VectorNotFinite(
                    f"The model {name} gives no finite vector for text {batch.indices[place]} (counted from 0)",
                    "Its weights may be damaged: copy the model anew, or use another.",
                    batch.indices[place],
                )
        return vectors

    def fall_back(self, error: BaseException) -> None:
        """Compute on the processor from now on: the device failed."""
        self.device = fallen_back(self.device, error)
        self._take_remembered()
        self._pace.forget()
        self.refresh()

    def free_memory(self) -> None:
        """Give back memory of the device that torch keeps for later."""
        if self.device.device == "cuda":
            torch.cuda.empty_cache()
        elif self.device.device == "mps":
            torch.mps.empty_cache()

    def _take_remembered(self) -> None:
        """Take the precision that was measured on this processor, if it was and is wanted."""
        wanted = self._chooses and self.device.device == "cpu"
        known = self._recall() if wanted else None
        self.knows_precision = not wanted or known is not None
        if wanted:
            self.device = (known or NOT_MEASURED).applied_to(self.device)

    def _ready(self, device: DeviceInfo) -> Inference:
        return Inference(self.network, device.precision, device.device)

    def _inference(self, wish: Wish) -> Inference:
        """Return what computes; asked for each batch, for the precision may change in the middle of a corpus."""
        if not (wish.exact and self._chooses) or self.device.precision == "fp32":
            return self.inference
        with self._building:
            if self._exact is None:
                self._exact = self._ready(replace(self.device, precision="fp32"))
            return self._exact

    def _compute(self, batch: Batch, wish: Wish) -> NDArray[np.float32]:
        """Return float32 [b, dim] of a batch, on the processor; called from any thread."""
        started = time.perf_counter() - rested_s()
        inference = self._inference(wish)
        # inference_mode belongs to the thread and must not stay on while a generator rests at a yield.
        with torch.inference_mode():
            ids, mask = padded(batch.rows, self._pad_id)
            if mask is None and not wish.alone:
                mask = torch.ones_like(ids, dtype=torch.bool)
            vectors: NDArray[np.float32] = inference(ids, mask, wish.skipped, normalize=wish.normalize).numpy()
        if inference is self.inference:
            self._pace.note(batch.tokens, time.perf_counter() - rested_s() - started)
        return vectors

    def _launch(self, batch: Batch, link: Link, wish: Wish) -> Arrival:
        """Start a batch on the device."""
        with torch.inference_mode():
            ids, mask = padded(batch.rows, self._pad_id)
            on_device = None if mask is None else link.send(mask)
            inference = self._inference(wish)
            return link.fetch(inference(link.send(ids), on_device, wish.skipped, normalize=wish.normalize))


def fallen_back(device: DeviceInfo, error: BaseException) -> DeviceInfo:
    """Return what to compute on in place of `device`, which failed; its note says so."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    log.warning("%s failed (%s): computing on the processor", device.device, reason)
    note = remark(f"{device.device} failed ({reason}): on the processor")
    return replace(device, device="cpu", precision="fp32", note=note)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether there was not the memory for a batch."""
    # torch has a type for the memory of CUDA; MPS and the processor's allocator raise RuntimeError.
    message = str(error)
    return (
        isinstance(error, (MemoryError, torch.OutOfMemoryError))
        or "allocate memory" in message
        or "out of memory" in message
    )


def too_little_memory(device: str, what: str) -> AppError:
    """Return the error to raise when `device` cannot hold `what`."""
    return DeviceUnavailable(
        f"The memory of {device} is too small for {what}", "Close other programs, or use --device cpu."
    )
