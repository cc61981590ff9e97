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
from desktop_app.encoder.inference.batching import BatchSizer, MemoryLimit, max_tokens_in_memory
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
_MIN_NORM = 0.5  # of a vector that is to have the length 1: what is shorter was all but nothing before
_OUT_OF_RANGE_TEXTS = (
    4  # texts of a batch beyond the range of fp16: then it is the precision that does not suit the model
)


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """How texts are to be embedded.

    Attributes:
        prompt: put before each.
        prompt_tokens: tokens at the start that are left out of the pooling.
        normalize: rows of length 1.
        exact: in fp32 where the precision was left to the program.
        is_single_query: a single query is computed as quickly as possible. All other texts get the same vector
            whatever they are batched with.
        expects_unit_length: rows are to have the length 1, by `normalize` or by the model's own last part.
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
        pad_id: token that fills up shorter texts.
        device: what to compute on.
        chooses: whether the precision is left to the program.
        load_choice: returns what is known of the precisions on a device, if anything.

    Raises:
        RuntimeError: the device has too little memory, or fails.

    Attributes:
        network: what is computed; after a change call `refresh`.
        device: what is computed on now.
        prepared_model: what computes.
        is_precision_known: whether there is nothing to find out about precisions.
        threads: batches that the processor computes at once.
        foreground_gate: taken while a person waits for something else.
        memory_limit: what the memory of the device holds.
        on_cpu_fallback: called when a graphics processor has failed.
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
        self._streams: dict[str, DeviceStream] = {}
        # What is said of the device stays said whatever is found out about its precisions.
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
            self.prepared_model = self._ready(device)
            self._batch_sizer.reset()
        self.device = device

    @property
    def is_shared(self) -> bool:
        """Whether somebody may wait for the end of a pass: a core is left to them, or an answer is on its way."""
        return self.threads < self.device.threads or self.foreground_gate.is_taken

    def next_batch_tokens(self, requested_tokens: int | None) -> int:
        """Return the tokens of the next batch; `requested_tokens` are those that the caller wants."""
        # A processor stands still in the middle of a pass, a graphics processor ends what it has begun.
        on_card = self.device.device != "cpu"
        tokens = self.memory_limit.limit(
            self._batch_sizer.tokens(requested_tokens, keep_short=on_card and self.is_shared)
        )
        return tokens if on_card else min(tokens, max_tokens_in_memory(self.network.hidden, self.threads))

    def pipeline(self, options: EncodeOptions, *, one_batch: bool) -> Pipeline:
        """Return a way for batches: `one_batch` on a processor needs no thread."""
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
        """Return the way to a device and back."""
        # One for all: what is urgent goes by a stream whose memory torch keeps apart.
        return self._streams.setdefault(device, DeviceStream(device))

    def check_vectors(
        self, batch: Batch, vectors: NDArray[np.float32], options: EncodeOptions, name: str
    ) -> NDArray[np.float32]:
        """Return `vectors`, all of them finite and, where they are to have a length, not zero.

        Args:
            batch: what they are the vectors of.
            vectors: float32 [b, dim].
            options: how they were embedded.
            name: what the model is called.

        Raises:
            VectorNotFinite: the model has none for a text.
        """
        if self._is_out_of_range:
            self._is_out_of_range = False
            if self.device.precision == "fp16":
                self.set_precision(
                    "fp32", Message("fp32: the model's numbers are beyond the range of fp16", code="precision_overflow")
                )
        lost = _find_non_finite_rows(vectors)
        if len(lost) and self.device.device != "cpu":  # there it was tried where the batch was computed
            vectors = self._recompute_in_fp32(batch, vectors, lost, options)
            lost = _find_non_finite_rows(vectors)
        for place in lost.tolist():
            raise VectorNotFinite(
                "The model {model} gives no finite vector for text {index} (counted from 0)",
                "Its weights may be damaged: copy the model anew, or use another.",
                batch.indices[place],
                model=name,
                index=batch.indices[place],
            )
        if options.expects_unit_length:
            for place in np.flatnonzero(np.linalg.norm(vectors, axis=1) < _MIN_NORM).tolist():
                raise VectorNotFinite(
                    "The model {model} gives a vector of zeros for text {index} (counted from 0)",
                    "What has no direction cannot be compared: leave the text out, or use another model.",
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
        """Wait until the device is through with what others have in flight; from now on that is less."""
        stream = self.stream(self.device.device)
        try:
            stream.finish()
        except RuntimeError:  # it fails otherwise too, as the next batch will tell
            log.warning("%s does not finish", self.device.device, exc_info=True)
        self.free_memory()
        self.memory_limit.record_out_of_memory(self.next_batch_tokens(None))

    def free_memory(self) -> None:
        """Give back memory of the device that torch keeps for later."""
        try:
            self.stream(self.device.device).free_memory()
        except RuntimeError:
            log.warning("%s gives no memory back", self.device.device, exc_info=True)

    def _take_remembered(self) -> None:
        """Take the precision that was measured on this device, if it was and is wanted."""
        known = self._load_choice(self.device.device) if self._auto_precision else None
        self.is_precision_known = not self._auto_precision or known is not None
        if self._auto_precision:
            self.device = (known or default_precision_choice(self.device)).apply_to(self.device)

    def _ready(self, device: DeviceInfo) -> PreparedModel:
        made = PreparedModel(self.network, device.precision, device.device)
        if device.device != "cpu":
            self.stream(device.device).finish()  # before another stream reads the weights
        return made

    def _choose_model(self, options: EncodeOptions) -> PreparedModel:
        """Return what computes; asked for each batch, for the precision may change in the middle of a corpus."""
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
        # inference_mode belongs to the thread and must not stay on while a generator rests at a yield.
        with torch.inference_mode():
            ids, mask = pad_rows(batch.rows, self._pad_id)
            if mask is None and not options.is_single_query:
                mask = torch.ones_like(ids, dtype=torch.bool)
            vectors: NDArray[np.float32] = prepared(
                ids, mask, options.prompt_tokens, normalize=options.normalize
            ).numpy()
        if prepared is self.prepared_model:
            self._batch_sizer.record(batch.tokens, time.perf_counter() - paused_seconds() - started)
        if len(lost := _find_non_finite_rows(vectors)):
            self._note_out_of_range(prepared, lost)
            vectors = self._recompute_in_fp32(batch, vectors, lost, options)  # here, where it can be held
        return vectors

    def _launch(self, batch: Batch, stream: DeviceStream, options: EncodeOptions) -> PendingVectors:
        """Start a batch on the device."""
        prepared = self._choose_model(options)
        arrival = self._send(prepared, batch.rows, stream, options)

        def wait() -> NDArray[np.float32]:
            vectors = arrival.wait()
            if prepared is self.prepared_model:
                self._batch_sizer.record(batch.tokens, arrival.elapsed_s())
            if len(lost := _find_non_finite_rows(vectors)) and prepared.precision != "fp32":
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
        """Note that texts of a batch have no finite vectors: where that is many, fp16 does not suit the model."""
        if prepared.precision == "fp16" and self._auto_precision and len(lost) >= _OUT_OF_RANGE_TEXTS:
            self._is_out_of_range = True

    def _recompute_in_fp32(
        self, batch: Batch, vectors: NDArray[np.float32], lost: NDArray[np.int64], options: EncodeOptions
    ) -> NDArray[np.float32]:
        """Return `vectors`, the `lost` ones of them computed once more, plainly, in fp32 on the processor.

        A text may be beyond the range of fp16, or of the powers that `PackedBert` takes.
        """
        log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
        vectors = vectors.copy()
        for place in lost.tolist():
            with torch.inference_mode():
                ids, mask = pad_rows([batch.rows[place]], self._pad_id)
                vector = self.network(ids, mask, options.prompt_tokens)[0]
                vectors[place] = F.normalize(vector, dim=-1) if options.normalize else vector
        return vectors


def _find_non_finite_rows(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rows that hold a number that is none."""
    return np.flatnonzero(~np.isfinite(vectors).all(axis=1))
