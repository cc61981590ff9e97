"""Runs training, evaluation and clustering tasks in a child process.

The work is a generator in the child. It goes on as long as its parent asks for news: a parent that holds its job,
or is busy with a search, holds the work too. A word from the parent stops it at its next step, so that it can leave
a checkpoint.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import multiprocessing
import os
import signal
import sys
import time
import traceback
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.child_process import exit_with_parent, hide_main_module
from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.jobs import Progress

if TYPE_CHECKING:
    from collections.abc import Generator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

TASKS = {
    "preview": "desktop_app.encoder.training.tasks:preview_file",
    "train": "desktop_app.encoder.training.tasks:train",
    "anchors": "desktop_app.encoder.training.tasks:list_anchors",
    "evaluate": "desktop_app.encoder.evaluation.task:evaluate",
    "communities": "desktop_app.analysis.tasks:find_communities",
    "layout": "desktop_app.analysis.tasks:lay_out_map",
}
"""Name of each task and its generator function, imported in the child."""

_ASK_INTERVAL_S = 0.2  # between two words of the parent that it still wants news
_PAUSE_AFTER_S = 1.5  # without such a word after which the child rests
_REPORT_INTERVAL_S = 0.05
_NICENESS = 5  # of work beside somebody who searches; at 10 it starves

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _TaskFinished:
    value: Any


@dataclass(frozen=True, slots=True)
class _TaskFailed:
    error: AppError | Cancelled


@dataclass(frozen=True, slots=True)
class _TaskCrashed:
    details: str


class WorkProcess:
    """Keeps the promises of `core.ports.Work`: one task in a process that ends with it.

    Attributes:
        is_finished: whether `poll` has returned the result.
    """

    def __init__(self, task: str, request: object) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        process = context.Process(
            target=_run_child, args=(theirs, TASKS[task], request), name=f"kindred-{task}", daemon=True
        )
        try:
            with hide_main_module():
                process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            theirs.close()
        self._process: SpawnProcess | None = process
        self._asked_at = 0.0
        self.is_finished = False

    def poll(self) -> object | None:
        """Return the next report, the result at last, or None when there is nothing new. Never waits.

        Raises:
            AppError: the work cannot be done, or its process died.
            Cancelled: it was stopped.
        """
        now = time.monotonic()
        if now - self._asked_at > _ASK_INTERVAL_S:
            self._asked_at = now
            with contextlib.suppress(OSError):
                self._pipe.send("more")
        try:
            message = self._pipe.recv() if self._pipe.poll() else None
        except (EOFError, OSError) as error:
            status = self._process.exitcode if self._process is not None else None
            raise AppError(
                f"the process that worked ended unexpectedly (status {status})",
                "Its memory may have been too small: try a smaller --batch-size or --max-length.",
            ) from error
        if isinstance(message, _TaskFailed):
            raise message.error
        if isinstance(message, _TaskCrashed):
            raise RuntimeError(f"the work failed:\n{message.details}")
        if isinstance(message, _TaskFinished):
            self.is_finished = True
            return message.value  # type: ignore[no-any-return]
        return message

    def cancel(self) -> None:
        """Ask the work to stop at its next step; `poll` raises Cancelled when it has."""
        with contextlib.suppress(OSError):
            self._pipe.send("stop")

    def close(self) -> None:
        """End the process. Calling it again does nothing."""
        process, self._process = self._process, None
        if process is None:
            return
        self._pipe.close()
        process.kill()
        process.join()
        process.close()


def _run_child(pipe: Connection, target: str, request: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which then stops us in order
    exit_with_parent()
    os.environ["TOKENIZERS_PARALLELISM"] = "true"  # nobody types here
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, number)
    if getattr(request, "gentle", False) and sys.platform != "win32":
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, OSError):  # the parent has let go of us
        pipe.send(_run_task(pipe, target, request))


def _run_task(pipe: Connection, target: str, request: object) -> _TaskFinished | _TaskFailed | _TaskCrashed:
    try:
        module, _, name = target.partition(":")
        steps = getattr(importlib.import_module(module), name)(request)
        return _TaskFinished(_drive_steps(pipe, steps))
    except (AppError, Cancelled) as error:
        return _TaskFailed(error)
    except (EOFError, OSError) as error:
        if isinstance(error, (EOFError, BrokenPipeError, ConnectionError)):
            raise
        return _TaskCrashed(traceback.format_exc())
    except Exception:  # noqa: BLE001 - it is raised again where it can be told
        return _TaskCrashed(traceback.format_exc())


def _drive_steps(pipe: Connection, steps: Generator[object, None, Any]) -> Any:
    """Drive the work to its end; returns its result."""
    heard_at = time.monotonic()
    reported_at = 0.0
    is_told = False
    while True:
        while pipe.poll(0.0 if time.monotonic() - heard_at < _PAUSE_AFTER_S else None):
            is_stop = pipe.recv() == "stop"
            heard_at = time.monotonic()
            if is_stop and not is_told:
                is_told = True
                steps.throw(Cancelled())
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value
        if step is None:
            continue
        now = time.monotonic()
        # Reports of progress are thinned; everything else is told.
        if not isinstance(step, Progress) or now - reported_at >= _REPORT_INTERVAL_S:
            reported_at = now
            pipe.send(step)
