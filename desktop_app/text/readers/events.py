"""What readers share: the facts of a file, batches of sentences, and what to do when a reader dies."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import FileFailure
from desktop_app.core.reading import DocumentHead, ReaderEvent, ReadingDone, Sentences, SentenceSpan
from desktop_app.core.remarks import remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH = 200
"""Sentences that cross the pipe at once."""

_MOST_NAMED = 5
_LONGEST_NAME = 100


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


def told(head: DocumentHead, spans: Iterable[SentenceSpan], *warnings: str) -> Iterator[Step]:
    """Yield the whole reading of a document that has no pages; empty warnings are left out.

    Raises:
        FileFailure: there is no sentence.
    """
    yield head
    found = 0
    for batch in batched(spans):
        found += len(batch.spans)
        yield batch
    if not found:
        raise FileFailure("no_text", "The file has no text")
    yield ReadingDone(tuple(filter(None, warnings)))


def not_read(attached: Sequence[str]) -> tuple[str, ...]:
    """Return a remark on files that are packed into a document and stay unread; none where there are none."""
    if not attached:
        return ()
    names = ", ".join(name[:_LONGEST_NAME] for name in attached[:_MOST_NAMED])
    verb = "attachment was" if len(attached) == 1 else "attachments were"
    return (remark(f"{len(attached)} {verb} not read: {names}{', …' if len(attached) > _MOST_NAMED else ''}"),)
