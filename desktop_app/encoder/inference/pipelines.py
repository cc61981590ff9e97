"""Ways to run batches: at once, in threads on the processor, or several in flight on a GPU.

All have one interface. Batches come out in any order, each with its vectors or with what went wrong.
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
    """Takes batches and gives their vectors. Used from one thread."""

    @property
    def in_flight(self) -> int:
        """Batches that were put in and not taken out."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in without waiting."""
        ...

    def put(self, batch: Batch) -> None:
        """Put a batch in."""
        ...

    def take(self, patience_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for a batch, and return it with float32 [b, dim] or the error that it ended in.

        None when there was none after `patience_s`; without one it waits as long as it takes.
        """
        ...

    def close(self) -> None:
        """Forget what is in flight; no thread is left afterwards."""
        ...


class InlinePipeline:
    """Computes a batch when it is asked for: nothing happens in between."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._batches: deque[Batch] = deque()

    @property
    def in_flight(self) -> int:
        """Batches that were put in and not taken out."""
        return len(self._batches)

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in without waiting."""
        return not self._batches

    def put(self, batch: Batch) -> None:
        """Put a batch in."""
        self._batches.append(batch)

    def take(self, patience_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Compute the batch, however long that takes."""
        batch = self._batches.popleft()
        return batch, _compute_outcome(self._compute, batch)

    def close(self) -> None:
        """Forget what is in flight."""
        self._batches.clear()


class ThreadPipeline:
    """Whole batches side by side, each on one core.

    Cores that share one small product wait for each other after each of some hundred operators; where another
    program has one of them meanwhile, that wait (OpenMP spins) made the products fifty times slower. Threads that
    share nothing lose what the other program takes and no more. torch gives up the interpreter's lock inside its
    operators.

    While a person has the right of way they stand still in the middle of a pass, unless somebody waits for them
    (`take` without patience): then they may be what that person waits for.

    Args:
        compute: called in the threads.
        threads: how many may compute just now; asked before each batch.
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
        """Batches that were put in and not taken out."""
        return self._in_flight

    @property
    def has_room(self) -> bool:
        """Whether another batch can be put in: twice as many as can be computed at once keep the threads busy."""
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

    def take(self, patience_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for a batch; who has patience does not wait while somebody else has the right of way."""
        assert self._in_flight, "nothing was put in"
        with self._changed:
            self._is_waited_for = patience_s is None
            self._changed.notify_all()  # more threads may be allowed by now
            if patience_s is None:
                self._changed.wait_for(lambda: self._done)
            elif self._right_of_way.is_taken:
                # Still a moment, so that a caller who asks again and again leaves the processor to others.
                self._changed.wait_for(lambda: self._done, min(patience_s, _SHORT_WAIT_S))
            else:
                self._changed.wait_for(lambda: self._done or self._right_of_way.is_taken, patience_s)
            if not self._done:
                return None
            self._in_flight -= 1
            return self._done.popleft()

    def close(self) -> None:
        """Forget what is in flight; passes that run end at their next product."""
        with self._changed:
            self._closed = True
            self._todo.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _may_start(self) -> bool:
        return self._closed or bool(self._todo and self._computing < max(1, self._allowed()))

    def _pause(self) -> float:
        """Stand still while somebody else has the right of way; ends the pass when nobody wants it any more."""
        rested_s = 0.0
        if self._right_of_way.is_taken and not self._closed:
            rested_s = self._right_of_way.wait_until_open(lambda: self._closed or self._is_waited_for)
        if self._closed:
            raise Cancelled
        return rested_s

    def _work(self) -> None:
        # A new thread has as many threads of OpenMP as there are cores until it is told.
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
    """Several batches in flight on a device: the next are sent and started before the first is fetched.

    Args:
        launch: starts a batch, and returns what waits for its vectors.
        depth: how many batches may be in flight just now; asked before each.
    """

    def __init__(self, launch: Callable[[Batch], PendingVectors], depth: Callable[[], int]) -> None:
        self._launch = launch
        self._depth = depth
        self._flying: deque[tuple[Batch, PendingVectors | BaseException]] = deque()

    @property
    def in_flight(self) -> int:
        """Batches that were put in and not taken out."""
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

    def take(self, patience_s: float | None = None) -> tuple[Batch, Outcome] | None:
        """Wait for the batch that was started first."""
        batch, arrival = self._flying[0]
        outcome: Outcome | None
        if isinstance(arrival, BaseException):
            outcome = arrival
        else:
            outcome = _compute_outcome(lambda _: self._arrived(arrival, patience_s), batch)
        if outcome is None:
            return None
        self._flying.popleft()
        return batch, outcome

    def _arrived(self, arrival: PendingVectors, patience_s: float | None) -> NDArray[np.float32] | None:
        """Wait for vectors so long and not longer; a card tells of their arrival, but cannot be waited for so."""
        until = None if patience_s is None else time.monotonic() + patience_s
        while until is not None and not arrival.has_arrived():
            if time.monotonic() >= until:
                return None
            time.sleep(_POLL_INTERVAL_S)
        return arrival.wait()

    def close(self) -> None:
        """Forget what is in flight."""
        self._flying.clear()


def _compute_outcome(compute: Callable[[Batch], T], batch: Batch) -> T | BaseException:
    try:
        return compute(batch)
    except BaseException as error:  # noqa: BLE001 it is judged, and raised, where the batch is taken out
        return _drop_traceback(error)


def _drop_traceback(error: BaseException) -> BaseException:
    """Return an error that holds no frames, or the tensors of a pass that failed for want of memory stay in memory."""
    seen: BaseException | None = error
    while seen is not None:
        seen = seen.with_traceback(None)
        seen = seen.__cause__ or seen.__context__
    return error
