"""Runs the steps of a job to their end, as the engine does."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator
from typing import Any, TypeVar

from desktop_app.core.jobs import Waiting

T = TypeVar("T")

_NEVER = threading.Event()


def wait_a_moment() -> None:
    """Let a thread or a process get on: polling without a pause would take processor time from it."""
    _NEVER.wait(0.002)


def go_through(steps: Iterable[T]) -> Iterator[T]:
    """Yield what steps yield, and rest a moment after each that only waits."""
    for step in steps:
        yield step
        if isinstance(step, Waiting):
            wait_a_moment()


def run_steps(steps: Generator[Any, None, Any], seen: list[Any] | None = None, *, limit: int = 100_000) -> Any:
    """Return the result of steps; collect what they yield in `seen`.

    A job that only waits fails after `limit` steps.
    """
    for _ in range(limit):
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value
        if seen is not None:
            seen.append(step)
        if isinstance(step, Waiting):
            wait_a_moment()
    raise AssertionError("the steps do not end")
