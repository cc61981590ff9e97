"""Turns batches of tokens into vectors on a device, and falls back when the device fails."""

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

from desktop_app.core.errors import VectorNotFinite
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.messages import NOTHING, Message, join_messages
from desktop_app.encoder.device import cpu_fallback
from desktop_app.encoder.inference.batching import BatchSizer, FreeMemory, MemoryLimit
from desktop_app.encoder.inference.device_stream import DeviceStream, PendingVectors
from desktop_app.encoder.inference.pause_points import paused_seconds
from desktop_app.encoder.inference.pipelines import GpuPipeline, InlinePipeline, ThreadPipeline
from desktop_app.encoder.inference.precision import default_precision_choice
from desktop_app.encoder.inference.prepared_model import PreparedModel, pad_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo
    from desktop_app.encoder.inference.batching import Batch
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.inference.pipelines import Pipeline
    from desktop_app.encoder.inference.precision import PrecisionChoice
    from desktop_app.encoder.tokenizing import TokenIds

log = logging.getLogger(__name__)

_GPU_BATCHES_IN_FLIGHT = 3
_MIN_NORM = 0.5  # of a vector that should have length 1: a shorter one was almost zero before normalisation
_OUT_OF_RANGE_TEXTS = 4  # texts of a batch beyond the range of fp16: from here on the precision does not suit the model


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """How to embed texts.

    Attributes:
        prompt: is put before each text.
        prompt_tokens: tokens at the start that the pooling skips.
        normalize: rows of length 1.
        exact: in fp32, if the program chooses the precision.
        is_single_query: a single query is computed as quickly as possible. All other texts get the same vector
            whatever they are batched with.
        expects_unit_length: rows should have length 1, by `normalize` or by the model's own last part.
    """

    prompt: str
    prompt_tokens: int
    normalize: bool
    exact: bool
    is_single_query: bool = False
    expects_unit_length: bool = False


class InferenceBackend:
    """A network at work on a device.

    Args:
        network: the model in fp32 on the processor.
        pad_id: token of padding.
        device: where to compute.
        auto_precision: whether the program chooses the precision.
        load_choice: returns the saved precision for a device, if there is one.

    Raises:
        RuntimeError: the device has too little memory, or fails.

    Attributes:
        network: the model; after a change call `refresh`.
        device: where it computes now.
        prepared_model: the network in the precision and on the device of the computation.
        is_precision_known: whether the precision is measured or requested.
        threads: batches that the processor computes at once.
        foreground_gate: taken while a person waits for something else.
        memory_limit: the number of tokens that fit into the device's memory.
        on_cpu_fallback: called after a GPU has failed.
    """

    def __init__(
        self,
        network: Network,
        pad_id: int,
        device: DeviceInfo,
        *,
        auto_precision: bool,
        load_choice: Callable[[str], PrecisionChoice | None],
    ) -> None:
        self.network = network
        self.device = device
        self.threads = device.threads
        self.foreground_gate = ForegroundGate()
        self.memory_limit = MemoryLimit()
        self.on_cpu_fallback: Callable[[], None] = lambda: None
        self._pad_id = pad_id
        self._auto_precision = auto_precision
        self._load_choice = load_choice
        self._batch_sizer = BatchSizer(device.device)
        self._free_memory = FreeMemory(network.hidden)
        self._streams: dict[str, DeviceStream] = {}
        # This part of the note stays, whatever is found out about precisions.
        self._standing = device.note if auto_precision or device.device != "cpu" else NOTHING
        self._is_out_of_range = False
        self._exact: PreparedModel | None = None
        self._building = threading.Lock()
        self._take_remembered()
        self.prepared_model = self._ready(self.device)

    def refresh(self) -> None:
        """Compute with another `network` from now on."""
        self.prepared_model, self._exact = self._ready(self.device), None

    def set_precision(self, precision: str, note: Message) -> None:
        """Compute in another precision from now on."""
        device = replace(self.device, precision=precision, note=join_messages(self._standing, note))
        if precision != self.prepared_model.precision:
            # The model that has computed texts again in fp32 is there: a GPU may not hold another one.
            known = self._exact if precision == "fp32" else None
            self.prepared_model = known or self._ready(device)
            self._batch_sizer.reset()
        self.device = device

    @property
    def is_shared(self) -> bool:
        """Whether somebody may wait for the end of a pass: a core is reserved for them, or a query is running."""
        return self.threads < self.device.threads or self.foreground_gate.is_closed

    def next_batch_tokens(self, requested_tokens: int | None, remaining_tokens: int | None = None) -> int:
        """Return the number of tokens of the next batch.

        Args:
            requested_tokens: the caller's wish; None for the usual number.
            remaining_tokens: of all texts that wait; None while there are more texts to read. On a processor they are
                divided among its threads.
        """
        # A processor can pause in the middle of a pass; a GPU finishes a pass that has started.
        on_card = self.device.device != "cpu"
        tokens = self.memory_limit.limit(
            self._batch_sizer.tokens(requested_tokens, keep_short=on_card and self.is_shared)
        )
        if on_card:
            return tokens
        if remaining_tokens is not None and self.threads > 1:
            tokens = min(tokens, self._batch_sizer.share(remaining_tokens, self.threads))
        return min(tokens, self._free_memory.max_tokens(self.threads))

    def pipeline(self, options: EncodeOptions, *, one_batch: bool) -> Pipeline:
        """Return a pipeline for batches; `one_batch` on a processor needs no thread."""
        if self.device.device == "cpu":
            if one_batch:
                return InlinePipeline(lambda batch: self._compute(batch, options))
            return ThreadPipeline(
                lambda batch: self._compute(batch, options), lambda: self.threads, self.foreground_gate
            )
        stream = self.stream(self.device.device)
        return GpuPipeline(
            lambda batch: self._launch(batch, stream, options), lambda: 1 if self.is_shared else _GPU_BATCHES_IN_FLIGHT
        )

    def stream(self, device: str) -> DeviceStream:
        """Return the stream to a device and back."""
        # One for all: urgent work uses a CUDA stream with separate memory.
        return self._streams.setdefault(device, DeviceStream(device))

    def check_vectors(
        self, batch: Batch, vectors: NDArray[np.float32], options: EncodeOptions, name: str
    ) -> NDArray[np.float32]:
        """Return `vectors`; all are finite and, if they should have length 1, not zero.

        Args:
            batch: the texts of the vectors.
            vectors: float32 [b, dim].
            options: how they were embedded.
            name: of the model.

        Raises:
            VectorNotFinite: the model has no such vector for a text.
        """
        if self._is_out_of_range:
            self._is_out_of_range = False
            if self.device.precision == "fp16":
                self.set_precision(
                    "fp32", Message("fp32: the model's numbers are beyond the range of fp16", code="precision_overflow")
                )
        lost = find_non_finite_rows(vectors)
        if len(lost) and self.device.device != "cpu":  # on a processor `_compute` has tried that
            vectors = self._recompute_in_fp32(batch, vectors, lost, options)
            lost = find_non_finite_rows(vectors)
        for place in lost.tolist():
            raise make_not_finite_error(name, batch.indices[place])
        if options.expects_unit_length:
            for place in np.flatnonzero(np.linalg.norm(vectors, axis=1) < _MIN_NORM).tolist():
                raise VectorNotFinite(
                    "The model {model} cannot embed text {index} (counted from 0): its vector is all zeros",
                    "A vector of zeros cannot be compared: remove the text, or use another model.",
                    batch.indices[place],
                    model=name,
                    is_zero=True,
                    index=batch.indices[place],
                )
        return vectors

    def fall_back(self, error: BaseException) -> None:
        """Compute on the processor from now on: the device failed."""
        self.device = cpu_fallback(self.device, error)
        self._standing = self.device.note
        self._batch_sizer, self.memory_limit = BatchSizer(), MemoryLimit()
        self._take_remembered()
        self.refresh()
        self.on_cpu_fallback()

    def wait_for_memory(self) -> None:
        """Wait until the device has finished the batches of others; from now on they are smaller."""
        stream = self.stream(self.device.device)
        try:
            stream.finish()
        except RuntimeError:  # it has failed in another way; the next batch will show it
            log.warning("%s does not finish", self.device.device, exc_info=True)
        self.free_memory()
        self.memory_limit.record_out_of_memory(self.next_batch_tokens(None))

    def free_memory(self) -> None:
        """Release memory of the device that torch keeps for later."""
        try:
            self.stream(self.device.device).free_memory()
        except RuntimeError:
            log.warning("%s gives no memory back", self.device.device, exc_info=True)

    def _take_remembered(self) -> None:
        """Use the precision that was measured on this device, if there is one and the program chooses."""
        known = self._load_choice(self.device.device) if self._auto_precision else None
        self.is_precision_known = not self._auto_precision or known is not None
        if self._auto_precision:
            self.device = (known or default_precision_choice(self.device)).apply_to(self.device)

    @property
    def is_exact_in_fp32(self) -> bool:
        """Whether `exact` means fp32: not if somebody has named another precision."""
        return self._auto_precision or self.device.precision == "fp32"

    def _ready(self, device: DeviceInfo) -> PreparedModel:
        made = PreparedModel(self.network, device.precision, device.device)
        if device.device != "cpu":
            self.stream(device.device).finish()  # before another stream reads the weights
        return made

    def _choose_model(self, options: EncodeOptions) -> PreparedModel:
        """Return the model for a batch. The precision may change in the middle of a corpus."""
        if not (options.exact and self._auto_precision) or self.device.precision == "fp32":
            return self.prepared_model
        return self._get_fp32_model()

    def _get_fp32_model(self) -> PreparedModel:
        with self._building:
            if self._exact is None:
                self._exact = self._ready(replace(self.device, precision="fp32"))
            return self._exact

    def _compute(self, batch: Batch, options: EncodeOptions) -> NDArray[np.float32]:
        """Return float32 [b, dim] of a batch, on the processor; called from any thread."""
        started = time.perf_counter() - paused_seconds()
        prepared = self._choose_model(options)
        # inference_mode belongs to the thread and must not stay on while a generator waits at a yield.
        with torch.inference_mode():
            ids, mask = pad_rows(batch.rows, self._pad_id)
            if mask is None and not options.is_single_query:
                mask = torch.ones_like(ids, dtype=torch.bool)
            vectors: NDArray[np.float32] = prepared(
                ids, mask, options.prompt_tokens, normalize=options.normalize
            ).numpy()
        if prepared is self.prepared_model:
            self._batch_sizer.record(batch.tokens, time.perf_counter() - paused_seconds() - started)
        if len(lost := find_non_finite_rows(vectors)):
            self._note_out_of_range(prepared, lost)
            vectors = self._recompute_in_fp32(batch, vectors, lost, options)  # here, where the thread can pause
        return vectors

    def _launch(self, batch: Batch, stream: DeviceStream, options: EncodeOptions) -> PendingVectors:
        """Start a batch on the device."""
        prepared = self._choose_model(options)
        arrival = self._send(prepared, batch.rows, stream, options)

        def wait() -> NDArray[np.float32]:
            vectors = arrival.wait()
            if prepared is self.prepared_model:
                self._batch_sizer.record(batch.tokens, arrival.elapsed_s())
            if len(lost := find_non_finite_rows(vectors)) and prepared.precision != "fp32":
                log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
                self._note_out_of_range(prepared, lost)
                rows = [batch.rows[place] for place in lost]
                vectors = vectors.copy()
                vectors[lost] = self._send(self._get_fp32_model(), rows, stream, options).wait()
            return vectors

        return PendingVectors(arrival.has_arrived, wait, arrival.elapsed_s)

    def _send(
        self, prepared: PreparedModel, rows: list[TokenIds], stream: DeviceStream, options: EncodeOptions
    ) -> PendingVectors:
        """Start a pass on the device."""
        with torch.inference_mode(), stream.high_priority() if options.is_single_query else nullcontext():
            elapsed_s = stream.start()
            ids, mask = pad_rows(rows, self._pad_id)
            on_device = None if mask is None else stream.send(mask)
            return stream.fetch(
                prepared(stream.send(ids), on_device, options.prompt_tokens, normalize=options.normalize), elapsed_s
            )

    def _note_out_of_range(self, prepared: PreparedModel, lost: NDArray[np.int64]) -> None:
        """Record that texts of a batch have no finite vectors: if they are many, fp16 does not suit the model."""
        if prepared.precision == "fp16" and self._auto_precision and len(lost) >= _OUT_OF_RANGE_TEXTS:
            self._is_out_of_range = True

    def _recompute_in_fp32(
        self, batch: Batch, vectors: NDArray[np.float32], lost: NDArray[np.int64], options: EncodeOptions
    ) -> NDArray[np.float32]:
        """Return `vectors` after computing the `lost` ones again in fp32 on the processor, with the plain network.

        A text may be beyond the range of fp16, or of the powers in `PackedBert`.
        """
        log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
        vectors = vectors.copy()
        for place in lost.tolist():
            with torch.inference_mode():
                ids, mask = pad_rows([batch.rows[place]], self._pad_id)
                vector = self.network(ids, mask, options.prompt_tokens)[0]
                vectors[place] = F.normalize(vector, dim=-1) if options.normalize else vector
        return vectors


def make_not_finite_error(name: str, text: int) -> VectorNotFinite:
    """Return the error that a model called `name` gives a text a vector that is not finite."""
    return VectorNotFinite(
        "The model {model} cannot embed text {index} (counted from 0): its vector is not finite",
        "Its weights may be damaged: copy the model again, or use another.",
        text,
        model=name,
        index=text,
    )


def find_non_finite_rows(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rows with a number that is not finite."""
    return np.flatnonzero(~np.isfinite(vectors).all(axis=1))


def refuse_non_finite_rows(vectors: NDArray[np.float32], name: str, start: int = 0) -> None:
    """Refuse vectors by a model called `name` that are not finite; the first one is that of text `start`.

    Raises:
        VectorNotFinite: a row has a number that is not finite.
    """
    for row in find_non_finite_rows(vectors).tolist():
        raise make_not_finite_error(name, start + row)
