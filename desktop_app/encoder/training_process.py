"""Runs training, evaluation and clustering tasks in a child process.

The task is a generator in the child. It runs as long as its parent asks for news: a parent that pauses its job, or is
busy with a search, pauses the task too. A message from the parent stops it at its next step, so that it can save a
checkpoint. The child answers each request: during a step of minutes it reads none, and more than a pipe holds would
block the parent, and both for ever once the child sends its result.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.child_process import ChildDied, ChildProcess, TaskCrashed, TaskFailed
from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.jobs import Progress

if TYPE_CHECKING:
    from collections.abc import Generator
    from multiprocessing.connection import Connection

TASKS = {
    "preview": "desktop_app.encoder.training.tasks:preview_file",
    "train": "desktop_app.encoder.training.tasks:train",
    "anchors": "desktop_app.encoder.training.tasks:list_anchors",
    "evaluate": "desktop_app.encoder.evaluation.task:evaluate",
    "communities": "desktop_app.analysis.tasks:find_communities",
    "layout": "desktop_app.analysis.tasks:lay_out_map",
}
"""Name of each task and its generator function, imported in the child."""

_ASK_INTERVAL_S = 0.2  # between two requests of the parent for news
_MAX_UNHEARD = 20  # requests that the child has not answered yet
_PAUSE_AFTER_S = 1.5  # without a request, after which the child pauses
_REPORT_INTERVAL_S = 0.05


class _RequestHeard:
    """The child's answer to a request for news."""


@dataclass(frozen=True, slots=True)
class _TaskFinished:
    value: object


class WorkProcess:
    """Implements `core.ports.ProcessTask`: one task in a process that ends with it.

    Attributes:
        is_finished: whether `poll` has returned the result.
    """

    def __init__(self, task: str, request: object) -> None:
        is_gentle = bool(getattr(request, "gentle", False))
        self._child = ChildProcess(_run_child, (TASKS[task], request), name=f"kindred-{task}", low_priority=is_gentle)
        self._requested_at = 0.0
        self._unheard = 0
        self.is_finished = False

    def poll(self) -> object | None:
        """Return the next report, finally the result, or None if there is nothing new. Never waits.

        Raises:
            AppError: the task failed, or its process died.
            Cancelled: it was stopped.
        """
        now = time.monotonic()
        if now - self._requested_at > _ASK_INTERVAL_S and self._unheard < _MAX_UNHEARD:
            self._requested_at = now
            self._unheard += 1
            with contextlib.suppress(OSError):
                self._child.send("more")
        try:
            message: object = self._child.receive()
            while isinstance(message, _RequestHeard):
                self._unheard -= 1
                message = self._child.receive()
        except ChildDied as error:
            status = error.exit_status
            raise AppError(
                "The worker process ended unexpectedly (status {status})",
                "It may have run out of memory: try a smaller --batch-size or --max-length.",
                status=status,
            ) from error
        if isinstance(message, TaskFailed):
            raise message.error
        if isinstance(message, TaskCrashed):
            raise RuntimeError(f"the work failed:\n{message.details}")
        if isinstance(message, _TaskFinished):
            self.is_finished = True
            return message.value
        return message

    def cancel(self) -> None:
        """Ask the task to stop at its next step; then `poll` raises Cancelled."""
        with contextlib.suppress(OSError):
            self._child.send("stop")

    def close(self) -> None:
        """End the process. Calling it again does nothing."""
        self._child.close()


def _run_child(pipe: Connection, target: str, request: object) -> None:
    os.environ["TOKENIZERS_PARALLELISM"] = "true"  # no typed query competes in this process
    pipe.send(_run_task(pipe, target, request))


def _run_task(pipe: Connection, target: str, request: object) -> _TaskFinished | TaskFailed | TaskCrashed:
    try:
        module, _, name = target.partition(":")
        steps = getattr(importlib.import_module(module), name)(request)
        return _TaskFinished(_drive_steps(pipe, steps))
    except (AppError, Cancelled) as error:
        return TaskFailed(error)
    except (EOFError, OSError) as error:
        if isinstance(error, (EOFError, BrokenPipeError, ConnectionError)):
            raise
        return TaskCrashed(traceback.format_exc())
    except Exception:  # noqa: BLE001 - the parent raises it again
        return TaskCrashed(traceback.format_exc())


def _drive_steps(pipe: Connection, steps: Generator[object, None, Any]) -> Any:
    """Run the task to its end; returns its result."""
    last_message_at = time.monotonic()
    reported_at = 0.0
    is_cancelled = False
    while True:
        while pipe.poll(0.0 if time.monotonic() - last_message_at < _PAUSE_AFTER_S else None):
            is_stop = pipe.recv() == "stop"
            last_message_at = time.monotonic()
            if not is_stop:
                pipe.send(_RequestHeard())
            elif not is_cancelled:
                is_cancelled = True
                steps.throw(Cancelled())
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value
        if step is None:
            continue
        now = time.monotonic()
        # Reports of progress are thinned; all others are sent.
        if not isinstance(step, Progress) or now - reported_at >= _REPORT_INTERVAL_S:
            reported_at = now
            pipe.send(step)
