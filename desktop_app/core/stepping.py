"""Work that comes in steps, done in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Generator

T = TypeVar("T")


def at_once(steps: Generator[object, None, T]) -> T:
    """Go through all steps; returns what they come to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast("T", end.value)
