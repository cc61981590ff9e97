"""Batches of tokens to vectors: on which device, in which precision, and what to do when a device fails."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.errors import AppError, DeviceUnavailable, VectorNotFinite
from desktop_app.core.remarks import remark
from desktop_app.core.right_of_way import RightOfWay
from desktop_app.encoder.device import first_line
from desktop_app.encoder.inference import Inference, padded
from desktop_app.encoder.link import Arrival, Link
from desktop_app.encoder.pace import Pace, Room, tokens_that_fit
from desktop_app.encoder.pausing import rested_s
from desktop_app.encoder.pipelines import Card, Inline, Threads
from desktop_app.encoder.precision import not_measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo
    from desktop_app.encoder.batching import Batch
    from desktop_app.encoder.network import Network
    from desktop_app.encoder.pipelines import Pipeline
    from desktop_app.encoder.precision import PrecisionChoice
    from desktop_app.encoder.tokenizing import TokenIds

log = logging.getLogger(__name__)

_CARD_IN_FLIGHT = 3
_OUT_OF_MEMORY = ("allocate memory", "out of memory", "not enough memory", "_ALLOC_FAILED")
_SHORTEST = 0.5  # of a vector that is to have the length 1: what is shorter was all but nothing before
_MANY = 4  # texts of a batch beyond the range of fp16: then it is the precision that does not suit the model


@dataclass(frozen=True, slots=True)
class Wish:
    """How texts are to be embedded.

    Attributes:
        prompt: put before each.
        skipped: tokens at the start that are left out of the pooling.
        normalize: rows of length 1.
        exact: in fp32 where the precision was left to the program.
        alone: a single query: as soon as may be, where others have the same vector whatever they are embedded with.
        unit: rows are to have the length 1, by `normalize` or by the model's own last part.
    """

    prompt: str
    skipped: int
    normalize: bool
    exact: bool
    alone: bool = False
    unit: bool = False


class Computing:
    """A network at work on a device.

    Args:
        network: the model in fp32 on the processor.
        pad_id: token that fills up shorter texts.
        device: what to compute on.
        chooses: whether the precision is left to the program.
        recall: returns what is known of the precisions on a device, if anything.

    Raises:
        RuntimeError: the device has too little memory, or fails.

    Attributes:
        network: what is computed; after a change call `refresh`.
        device: what is computed on now.
        inference: what computes.
        knows_precision: whether there is nothing to find out about precisions.
        threads: batches that the processor computes at once.
        right_of_way: taken while a person waits for something else.
        room: what the memory of the device holds.
        on_fall_back: called when a graphics processor has failed.
    """

    def __init__(
        self,
        network: Network,
        pad_id: int,
        device: DeviceInfo,
        *,
        chooses: bool,
        recall: Callable[[str], PrecisionChoice | None],
    ) -> None:
        self.network = network
        self.device = device
        self.threads = device.threads
        self.right_of_way = RightOfWay()
        self.room = Room()
        self.on_fall_back: Callable[[], None] = lambda: None
        self._pad_id = pad_id
        self._chooses = chooses
        self._recall = recall
        self._pace = Pace(device.device)
        self._links: dict[str, Link] = {}
        # What is said of the device stays said whatever is found out about its precisions.
        self._standing = device.note if chooses or device.device != "cpu" else ""
        self._is_out_of_range = False
        self._exact: Inference | None = None
        self._building = threading.Lock()
        self._take_remembered()
        self.inference = self._ready(self.device)

    def refresh(self) -> None:
        """Compute with another `network` from now on."""
        self.inference, self._exact = self._ready(self.device), None

    def set_precision(self, precision: str, note: str) -> None:
        """Compute in another precision from now on."""
        device = replace(self.device, precision=precision, note="; ".join(filter(None, (self._standing, note))))
        if precision != self.inference.precision:
            self.inference = self._ready(device)
            self._pace.forget()
        self.device = device

    @property
    def is_shared(self) -> bool:
        """Whether somebody may wait for the end of a pass: a core is left to them, or an answer is on its way."""
        return self.threads < self.device.threads or self.right_of_way.is_taken

    def budget(self, asked: int | None) -> int:
        """Return the tokens of the next batch; `asked` are those that the caller wants."""
        # A processor stands still in the middle of a pass, a graphics processor ends what it has begun.
        on_card = self.device.device != "cpu"
        tokens = self.room.limit(self._pace.tokens(asked, hurried=on_card and self.is_shared))
        return tokens if on_card else min(tokens, tokens_that_fit(self.network.hidden, self.threads))

    def pipeline(self, wish: Wish, *, one_batch: bool) -> Pipeline:
        """Return a way for batches: `one_batch` on a processor needs no thread."""
        if self.device.device == "cpu":
            if one_batch:
                return Inline(lambda batch: self._compute(batch, wish))
            return Threads(lambda batch: self._compute(batch, wish), lambda: self.threads, self.right_of_way)
        link = self.link(self.device.device)
        return Card(lambda batch: self._launch(batch, link, wish), lambda: 1 if self.is_shared else _CARD_IN_FLIGHT)

    def link(self, device: str) -> Link:
        """Return the way to a device and back."""
        # One for all: what is urgent goes by a stream whose memory torch keeps apart.
        return self._links.setdefault(device, Link(device))

    def checked(self, batch: Batch, vectors: NDArray[np.float32], wish: Wish, name: str) -> NDArray[np.float32]:
        """Return `vectors`, all of them finite and, where they are to have a length, not zero.

        Args:
            batch: what they are the vectors of.
            vectors: float32 [b, dim].
            wish: how they were embedded.
            name: what the model is called.

        Raises:
            VectorNotFinite: the model has none for a text.
        """
        if self._is_out_of_range:
            self._is_out_of_range = False
            if self.device.precision == "fp16":
                self.set_precision("fp32", remark("fp32: the model's numbers are beyond the range of fp16"))
        lost = _not_finite(vectors)
        if len(lost) and self.device.device != "cpu":  # there it was tried where the batch was computed
            vectors = self._plainly(batch, vectors, lost, wish)
            lost = _not_finite(vectors)
        for place in lost.tolist():
            raise VectorNotFinite(
                f"The model {name} gives no finite vector for text {batch.indices[place]} (counted from 0)",
                "Its weights may be damaged: copy the model anew, or use another.",
                batch.indices[place],
                model=name,
            )
        if wish.unit:
            for place in np.flatnonzero(np.linalg.norm(vectors, axis=1) < _SHORTEST).tolist():
                raise VectorNotFinite(
                    f"The model {name} gives a vector of zeros for text {batch.indices[place]} (counted from 0)",
                    "What has no direction cannot be compared: leave the text out, or use another model.",
                    batch.indices[place],
                    model=name,
                    is_zero=True,
                )
        return vectors

    def fall_back(self, error: BaseException) -> None:
        """Compute on the processor from now on: the device failed."""
        self.device = fallen_back(self.device, error)
        self._standing = self.device.note
        self._pace, self.room = Pace(), Room()
        self._take_remembered()
        self.refresh()
        self.on_fall_back()

    def wait_for_memory(self) -> None:
        """Wait until the device is through with what others have in flight; from now on that is less."""
        link = self.link(self.device.device)
        try:
            link.finish()
        except RuntimeError:  # it fails otherwise too, as the next batch will tell
            log.warning("%s does not finish", self.device.device, exc_info=True)
        self.free_memory()
        self.room.was_short(self.budget(None))

    def free_memory(self) -> None:
        """Give back memory of the device that torch keeps for later."""
        try:
            self.link(self.device.device).free_memory()
        except RuntimeError:
            log.warning("%s gives no memory back", self.device.device, exc_info=True)

    def _take_remembered(self) -> None:
        """Take the precision that was measured on this device, if it was and is wanted."""
        known = self._recall(self.device.device) if self._chooses else None
        self.knows_precision = not self._chooses or known is not None
        if self._chooses:
            self.device = (known or not_measured(self.device)).applied_to(self.device)

    def _ready(self, device: DeviceInfo) -> Inference:
        made = Inference(self.network, device.precision, device.device)
        if device.device != "cpu":
            self.link(device.device).finish()  # before another stream reads the weights
        return made

    def _inference(self, wish: Wish) -> Inference:
        """Return what computes; asked for each batch, for the precision may change in the middle of a corpus."""
        if not (wish.exact and self._chooses) or self.device.precision == "fp32":
            return self.inference
        return self._in_fp32()

    def _in_fp32(self) -> Inference:
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
        if len(lost := _not_finite(vectors)):
            self._doubt(inference, lost)
            vectors = self._plainly(batch, vectors, lost, wish)  # here, where it can be held
        return vectors

    def _launch(self, batch: Batch, link: Link, wish: Wish) -> Arrival:
        """Start a batch on the device."""
        inference = self._inference(wish)
        arrival = self._send(inference, batch.rows, link, wish)

        def wait() -> NDArray[np.float32]:
            vectors = arrival.wait()
            if inference is self.inference:
                self._pace.note(batch.tokens, arrival.took_s())
            if len(lost := _not_finite(vectors)) and inference.precision != "fp32":
                log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
                self._doubt(inference, lost)
                rows = [batch.rows[place] for place in lost]
                vectors = vectors.copy()
                vectors[lost] = self._send(self._in_fp32(), rows, link, wish).wait()
            return vectors

        return Arrival(arrival.is_here, wait, arrival.took_s)

    def _send(self, inference: Inference, rows: list[TokenIds], link: Link, wish: Wish) -> Arrival:
        """Start a pass on the device."""
        with torch.inference_mode(), link.urgently() if wish.alone else nullcontext():
            took_s = link.start()
            ids, mask = padded(rows, self._pad_id)
            on_device = None if mask is None else link.send(mask)
            return link.fetch(inference(link.send(ids), on_device, wish.skipped, normalize=wish.normalize), took_s)

    def _doubt(self, inference: Inference, lost: NDArray[np.int64]) -> None:
        """Note that texts of a batch have no finite vectors: where that is many, fp16 does not suit the model."""
        if inference.precision == "fp16" and self._chooses and len(lost) >= _MANY:
            self._is_out_of_range = True

    def _plainly(
        self, batch: Batch, vectors: NDArray[np.float32], lost: NDArray[np.int64], wish: Wish
    ) -> NDArray[np.float32]:
        """Return `vectors`, the `lost` ones of them computed once more, plainly, in fp32 on the processor.

        A text may be beyond the range of fp16, or of the powers that `LeanBert` takes.
        """
        log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
        vectors = vectors.copy()
        for place in lost.tolist():
            with torch.inference_mode():
                ids, mask = padded([batch.rows[place]], self._pad_id)
                vector = self.network(ids, mask, wish.skipped)[0]
                vectors[place] = F.normalize(vector, dim=-1) if wish.normalize else vector
        return vectors


def _not_finite(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rows that hold a number that is none."""
    return np.flatnonzero(~np.isfinite(vectors).all(axis=1))


def fallen_back(device: DeviceInfo, error: BaseException) -> DeviceInfo:
    """Return what to compute on in place of `device`, which failed; its note says so."""
    reason = first_line(error)
    log.warning("%s failed (%s): computing on the processor", device.device, reason)
    note = remark(f"{device.device} failed ({reason}): on the processor")
    return replace(device, device="cpu", precision="fp32", note=note, failure=note)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether there was not the memory for a batch."""
    # torch has a type for the memory of CUDA; its libraries, MPS and the processor's allocator raise RuntimeError.
    message = str(error)
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(sign in message for sign in _OUT_OF_MEMORY)


def unable(device: str, error: BaseException) -> AppError:
    """Return the error to raise when `device`, which was asked for, cannot take the model."""
    if is_out_of_memory(error):
        return too_little_memory(device, "the model")
    return DeviceUnavailable(f"{device} failed: {first_line(error)}", "Use --device cpu or auto.")


def too_little_memory(device: str, what: str) -> AppError:
    """Return the error to raise when `device` cannot hold `what`."""
    return DeviceUnavailable(
        f"The memory of {device} is too small for {what}", "Close other programs, or use --device cpu."
    )
