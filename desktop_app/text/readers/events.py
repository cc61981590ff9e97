"""What readers share: the facts of a file, batches of sentences, and what to do when a reader dies."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_app.core.records import ReaderEvent, Sentences, SentenceSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BATCH = 200
"""Sentences that cross the pipe at once."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """SHA-256 of a file's bytes (hexadecimal) and their number."""

    content_hash: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Fallback:
    """If this task dies from here on, start it again with these arguments changed; None: do not."""

    changes: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class StillAlive:
    """Nothing to tell yet, but the task goes on."""


Step = ReaderEvent | Fallback | StillAlive
"""What a reader yields: events, and steps for the process that runs it."""


def batched(spans: Iterable[SentenceSpan]) -> Iterator[Sentences]:
    """Yield sentences in batches that are neither many messages nor large ones."""
    iterator = iter(spans)
    while batch := tuple(islice(iterator, BATCH)):
        yield Sentences(batch)
