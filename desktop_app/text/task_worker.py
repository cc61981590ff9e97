"""The child side of `reader_process` and `page_process`: serves named tasks through a pipe.

A task is a generator function; what it yields crosses the pipe one message at a time, and a full pipe is what
holds it back.
"""

from __future__ import annotations

import importlib
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.child_process import TaskCrashed, TaskFailed
from desktop_app.core.errors import AppError, FileFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

TASKS: dict[str, str] = {
    "read_document": "desktop_app.text.readers:read_document",
    "look_at_file": "desktop_app.text.page_tasks:look_at_file",
    "open_pages": "desktop_app.text.page_tasks:open_pages",
    "render_page": "desktop_app.text.page_tasks:render_page",
    "page_boxes": "desktop_app.text.page_tasks:page_boxes",
    "page_characters": "desktop_app.text.page_tasks:page_characters",
    "find_ocr": "desktop_app.text.tesseract:find_ocr",
}
"""Name of each task and where its generator function is; it is imported when it is first asked for."""


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The process has started."""


@dataclass(frozen=True, slots=True)
class TaskYielded:
    """A task yielded a value."""

    value: Any


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A task is finished."""


WorkerMessage = WorkerReady | TaskYielded | TaskEnded | TaskFailed | TaskCrashed


def import_task(target: str) -> Callable[..., Iterator[Any]]:
    """Return the function that `module:name` means."""
    module, _, name = target.partition(":")
    function: Callable[..., Iterator[Any]] = getattr(importlib.import_module(module), name)
    return function


def serve_tasks(pipe: Connection, tasks: dict[str, str]) -> None:
    """Serve tasks in a child process.

    Raises:
        EOFError, ConnectionError: the parent closed the pipe.
    """
    pipe.send((0, WorkerReady()))
    while True:
        ticket, name, arguments = pipe.recv()
        pipe.send((ticket, _run_task(pipe, ticket, tasks[name], arguments)))


def _run_task(pipe: Connection, ticket: int, target: str, arguments: dict[str, Any]) -> WorkerMessage:
    try:
        for value in import_task(target)(**arguments):
            pipe.send((ticket, TaskYielded(value)))
    except AppError as error:
        return TaskFailed(error)
    except (BrokenPipeError, ConnectionError):
        raise
    except MemoryError:
        return TaskFailed(FileFailure("too_large", "The file needs more memory than it may have"))
    except RecursionError:
        return TaskFailed(FileFailure("damaged", "The file is nested too deeply"))
    except Exception:  # noqa: BLE001 - whatever one file does to a library, the process serves the next one
        return TaskCrashed(traceback.format_exc())
    return TaskEnded()
