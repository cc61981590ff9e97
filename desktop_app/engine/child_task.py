"""Follows a task in a child process as a job, and hands it data in a temporary file."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.jobs import WAITING, Progress, Steps
from desktop_app.core.unfinished_files import explain_temporary_errors, make_temporary_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_app.core.ports import ProcessTask

_CHECKPOINT_WAIT_S = 8.0  # how long closing the program waits for a checkpoint
_POLL_S = 0.02


def follow_task(task: ProcessTask, on_report: Callable[[object], None] | None = None) -> Steps[Any]:
    """Run a task to its end and return its result.

    A cancelled job lets the task reach its next step, where it saves a checkpoint. When the program closes, it waits a
    moment for that if the task has started.

    Args:
        task: a started task; it is closed here.
        on_report: called on the engine's thread with every report that is no `Progress`.

    Raises:
        AppError: the task failed.
    """
    has_begun = False
    try:
        while (report := task.poll()) is None or not task.is_finished:
            try:
                if isinstance(report, Progress):
                    yield report
                elif report is None:
                    yield WAITING
                else:
                    has_begun = True
                    if on_report is not None:
                        on_report(report)
                    yield None
            except Cancelled:
                # The engine raises Cancelled once; from here on the task reports when it has stopped.
                task.cancel()
        return report
    except GeneratorExit:
        if has_begun:
            _wait_for_end(task)
        raise
    finally:
        task.close()


def _wait_for_end(task: ProcessTask) -> None:
    """Let the task reach its next step, unless that takes long."""
    task.cancel()
    latest = time.monotonic() + _CHECKPOINT_WAIT_S
    while time.monotonic() < latest:
        try:
            if task.poll() is None:
                time.sleep(_POLL_S)
        except (AppError, Cancelled, RuntimeError):
            return  # it has ended
        if task.is_finished:
            return


@contextlib.contextmanager
def write_temporary_file(name: str, write: Callable[[Path], object]) -> Iterator[Path]:
    """Write a temporary file and yield it; it is deleted afterwards.

    It holds sentences of documents: a file that stayed would outlive a removed document.

    Args:
        name: of the file.
        write: writes the file; may raise OSError.

    Raises:
        StorageFull: the file cannot be written.
    """
    with make_temporary_folder() as folder:
        file = folder / name
        with explain_temporary_errors():
            write(file)
        yield file
