"""Runs batches: at once, in threads on the processor, or several in flight on a GPU.

All have the same interface. Batches come out in any order, each with its vectors or its error.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol, TypeVar

import torch

from desktop_app.core.errors import Cancelled
from desktop_app.encoder.inference.pause_points import set_pause_hook

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.encoder.inference.batching import Batch
    from desktop_app.encoder.inference.device_stream import PendingVectors

    Outcome = NDArray[np.float32] | BaseException
    Compute = Callable[[Batch], NDArray[np.float32]]

T = TypeVar("T")

_POLL_INTERVAL_S = 0.0005
_SHORT_WAIT_S = 0.001


class Pipeline(Protocol):
    """Takes batches and returns their vectors. Use it from one thread."""

    @property
    def in_flight(self) -> int:
        """Number of batches that were put in and not taken out."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in without waiting."""
        ...

    def put(self, batch: Batch) -> None:
        """Put a batch in."""
        ...

    def take(self, timeout_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for a batch, and return it with float32 [b, dim] or its error.

        Returns None if there is none after `timeout_s`; None waits without limit.
        """
        ...

    def close(self) -> None:
        """Discard the batches in flight, and end the threads."""
        ...


class InlinePipeline:
    """Computes a batch in `take`: nothing happens in between."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._batches: deque[Batch] = deque()

    @property
    def in_flight(self) -> int:
        """Number of batches that were put in and not taken out."""
        return len(self._batches)

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in without waiting."""
        return not self._batches

    def put(self, batch: Batch) -> None:
        """Put a batch in."""
        self._batches.append(batch)

    def take(self, timeout_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Compute the batch, whatever the timeout."""
        batch = self._batches.popleft()
        return batch, _compute_outcome(self._compute, batch)

    def close(self) -> None:
        """Discard the batches in flight."""
        self._batches.clear()


class ThreadPipeline:
    """Computes whole batches in parallel, each on one core.

    Cores that share one small product wait for each other after each of some hundred operators. If another program
    uses one of them, that wait (OpenMP spins) makes the products fifty times slower. Threads that share
    nothing lose only the time that the other program takes. torch releases the interpreter's lock inside its
    operators.

    While the foreground gate is taken, the threads pause in the middle of a pass, unless a caller waits for them
    without a timeout: then they may compute the person's own query.

    Args:
        compute: called in the threads.
        threads: returns how many may compute now; called before each batch.
        foreground_gate: taken while a person waits for something else.
    """

    def __init__(self, compute: Compute, threads: Callable[[], int], foreground_gate: ForegroundGate) -> None:
        self._compute = compute
        self._allowed = threads
        self._right_of_way = foreground_gate
        self._changed = foreground_gate.changed
        self._is_waited_for = False
        self._todo: deque[Batch] = deque()
        self._done: deque[tuple[Batch, Outcome]] = deque()
        self._computing = 0
        self._in_flight = 0
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def in_flight(self) -> int:
        """Number of batches that were put in and not taken out."""
        return self._in_flight

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in: twice the number of threads keeps them busy."""
        return self._in_flight < 2 * self._allowed()

    def put(self, batch: Batch) -> None:
        """Put a batch in."""
        self._in_flight += 1
        if len(self._threads) < min(self._allowed(), self._in_flight):
            thread = threading.Thread(target=self._work, name=f"encoding {len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()
        with self._changed:
            self._todo.append(batch)
            self._changed.notify_all()

    def take(self, timeout_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for a batch; with a timeout it does not wait while the foreground gate is taken."""
        assert self._in_flight, "nothing was put in"
        with self._changed:
            self._is_waited_for = timeout_s is None
            self._changed.notify_all()  # more threads may be allowed by now
            if timeout_s is None:
                self._changed.wait_for(lambda: self._done)
            elif self._right_of_way.is_closed:
                # Wait a moment anyway, so that a caller in a loop leaves the processor to others.
                self._changed.wait_for(lambda: self._done, min(timeout_s, _SHORT_WAIT_S))
            else:
                self._changed.wait_for(lambda: self._done or self._right_of_way.is_closed, timeout_s)
            if not self._done:
                return None
            self._in_flight -= 1
            return self._done.popleft()

    def close(self) -> None:
        """Discard the batches in flight; running passes end at their next product."""
        with self._changed:
            self._closed = True
            self._todo.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _may_start(self) -> bool:
        return self._closed or bool(self._todo and self._computing < max(1, self._allowed()))

    def _pause(self) -> float:
        """Wait while the foreground gate is taken; end the pass if its result is no longer needed."""
        rested_s = 0.0
        if self._right_of_way.is_closed and not self._closed:
            rested_s = self._right_of_way.wait_until_open(lambda: self._closed or self._is_waited_for)
        if self._closed:
            raise Cancelled
        return rested_s

    def _work(self) -> None:
        # A new thread has as many threads of OpenMP as there are cores until it is set.
        torch.set_num_threads(1)
        set_pause_hook(self._pause)
        while True:
            with self._changed:
                self._changed.wait_for(self._may_start)
                if self._closed:
                    return
                batch = self._todo.popleft()
                self._computing += 1
            outcome = _compute_outcome(self._compute, batch)
            with self._changed:
                self._computing -= 1
                self._done.append((batch, outcome))
                self._changed.notify_all()


class GpuPipeline:
    """Keeps several batches in flight on a device: sends and starts the next before it fetches the first.

    Args:
        launch: starts a batch, and returns its pending vectors.
        depth: returns how many batches may be in flight now; called before each.
    """

    def __init__(self, launch: Callable[[Batch], PendingVectors], depth: Callable[[], int]) -> None:
        self._launch = launch
        self._depth = depth
        self._flying: deque[tuple[Batch, PendingVectors | BaseException]] = deque()

    @property
    def in_flight(self) -> int:
        """Number of batches that were put in and not taken out."""
        return len(self._flying)

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in."""
        return len(self._flying) < self._depth()

    def put(self, batch: Batch) -> None:
        """Start a batch."""
        try:
            self._flying.append((batch, self._launch(batch)))
        except (RuntimeError, MemoryError) as error:
            self._flying.append((batch, _drop_traceback(error)))

    def take(self, timeout_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for the batch that was started first."""
        batch, arrival = self._flying[0]
        outcome: Outcome | None
        if isinstance(arrival, BaseException):
            outcome = arrival
        else:
            outcome = _compute_outcome(lambda _: self._wait_for_arrival(arrival, timeout_s), batch)
        if outcome is None:
            return None
        self._flying.popleft()
        return batch, outcome

    def _wait_for_arrival(self, arrival: PendingVectors, timeout_s: float | None) -> NDArray[np.float32] | None:
        """Wait for vectors, at most the timeout. Polls, because a GPU has no wait with a timeout."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while until is not None and not arrival.has_arrived():
            if time.monotonic() >= until:
                return None
            time.sleep(_POLL_INTERVAL_S)
        return arrival.wait()

    def close(self) -> None:
        """Discard the batches in flight."""
        self._flying.clear()


def _compute_outcome(compute: Callable[[Batch], T], batch: Batch) -> T | BaseException:
    try:
        return compute(batch)
    except BaseException as error:  # noqa: BLE001 it is judged, and raised, where the batch is taken out
        return _drop_traceback(error)


def _drop_traceback(error: BaseException) -> BaseException:
    """Return an error without frames: they would keep the tensors of a failed pass in memory."""
    seen: BaseException | None = error
    while seen is not None:
        seen = seen.with_traceback(None)
        seen = seen.__cause__ or seen.__context__
    return error
