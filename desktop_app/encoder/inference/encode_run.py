"""Sends one corpus or query through the network, and recovers when memory runs out.

Several of these run at once on one device: an import has two, a query is a third. Facts that one of them learns about
the device are kept in `InferenceBackend`, for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.messages import Message
from desktop_app.encoder.device import is_out_of_memory, memory_error
from desktop_app.encoder.inference.batching import BatchWindow
from desktop_app.encoder.tokenizing import PART_TEXTS, SLICE_TEXTS

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from desktop_app.encoder.inference.backend import EncodeOptions, InferenceBackend
    from desktop_app.encoder.inference.batching import Batch
    from desktop_app.encoder.tokenizing import TokenIds


class EncodeRun:
    """Sends one corpus, or one query, through the network.

    Args:
        backend: the network at work.
        slices: (index of the first, rows) of consecutive texts, tokenized; closed at the end.
        options: how to embed them.
        requested_tokens: maximum number of tokens of a batch; None: what suits the device.
        timeout_s: how long a step waits for a batch; None: without limit.
        dim: length of a vector.
        name: of the model.
    """

    def __init__(
        self,
        backend: InferenceBackend,
        slices: Generator[tuple[int, list[TokenIds]]],
        options: EncodeOptions,
        requested_tokens: int | None,
        timeout_s: float | None,
        dim: int,
        name: str,
    ) -> None:
        self._backend = backend
        self._slices = slices
        self._options = options
        self._requested_tokens = requested_tokens
        self._timeout_s = timeout_s
        self._dim = dim
        self._name = name
        self._window = BatchWindow(slices, backend.network.pad_to_tokens)
        # A single batch is computed in this thread, unless there is a timeout that it might exceed.
        self._open(one_batch=self._is_one_batch() and timeout_s is None)
        self._waited_for_memory = False

    def run(self) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        """Yield (indices, vectors) of a batch, empty ones after the timeout; see `encode_batches`."""
        try:
            while True:
                if self._device != self._backend.device.device:
                    self._restart_pipeline()  # another run has found that the device fails
                self._fill()
                if not self._pipeline.in_flight:
                    return
                taken = self._pipeline.take(self._timeout_s)
                if taken is None:
                    yield np.empty(0, np.int64), np.empty((0, self._dim), np.float32)
                    continue
                batch, outcome = taken
                if isinstance(outcome, BaseException):
                    self._window.give_back(batch)
                    self._recover(batch, outcome)
                    continue
                self._waited_for_memory = False
                self._backend.memory_limit.record_success()
                vectors = self._backend.check_vectors(batch, outcome, self._options, self._name)
                yield np.array(batch.indices, dtype=np.int64), vectors
        finally:
            self._pipeline.close()
            self._slices.close()

    def _is_one_batch(self) -> bool:
        """Return whether all texts are one batch, too short to be divided among threads."""
        window, usual = self._window, self._backend.next_batch_tokens(self._requested_tokens)
        return window.fits(usual) and window.fits(
            self._backend.next_batch_tokens(self._requested_tokens, window.remaining_tokens)
        )

    def _fill(self) -> None:
        """Start as many batches as the device takes."""
        gate = self._backend.foreground_gate
        for _ in range(SLICE_TEXTS // PART_TEXTS):
            if gate.is_closed:
                break
            self._window.grow()
        while self._pipeline.has_room and (
            batch := self._window.take(
                self._backend.next_batch_tokens(self._requested_tokens, self._window.remaining_tokens),
                few_shapes=self._device == "cpu",
            )
        ):
            self._pipeline.put(batch)
            if gate.is_closed:
                break  # the batches in flight are paused anyway

    def _recover(self, batch: Batch, error: BaseException) -> None:
        """Continue after an error of a batch; raise errors that cannot be repaired."""
        backend = self._backend
        if is_out_of_memory(error) and len(batch.rows) > 1:
            backend.free_memory()
            backend.memory_limit.record_out_of_memory(batch.tokens)
        elif is_out_of_memory(error) and self._device == "cpu":
            raise memory_error("cpu", Message("one text")) from error
        elif is_out_of_memory(error) and not self._waited_for_memory:
            # The batches of others may fill the GPU: try again when they have finished, with smaller ones from now on.
            self._waited_for_memory = True
            backend.wait_for_memory()
        elif self._device != "cpu" and isinstance(error, (RuntimeError, MemoryError)):
            backend.fall_back(error)
            self._restart_pipeline()
        else:
            raise error

    def _open(self, *, one_batch: bool) -> None:
        self._device = self._backend.device.device
        self._pipeline = self._backend.pipeline(self._options, one_batch=one_batch)

    def _restart_pipeline(self) -> None:
        """Take back the batches on a device that has failed, and continue on the present device."""
        while self._pipeline.in_flight and (lost := self._pipeline.take()):
            self._window.give_back(lost[0])
        self._pipeline.close()
        self._open(one_batch=False)
