"""What readers yield: file facts, batches of sentences, and how to retry after a crash."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import remark
from desktop_app.core.reader_events import DocumentHead, ReaderEvent, ReadingDone, SentenceSpan, SentencesRead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH_SENTENCES = 200
"""Sentences that cross the pipe at once."""

_MAX_NAMES = 5
_MAX_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class FileFacts:
    """SHA-256 of a file's bytes (hexadecimal) and their number."""

    content_hash: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class RetryWith:
    """If this task dies from here on, start it again with these arguments changed; None: do not."""

    changes: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing to tell yet, but the task goes on."""


Step = ReaderEvent | RetryWith | Heartbeat
"""What a reader yields: events, and steps for the process that runs it."""


def batch_sentences(spans: Iterable[SentenceSpan]) -> Iterator[SentencesRead]:
    """Yield sentences in batches that are neither many messages nor large ones."""
    iterator = iter(spans)
    while batch := tuple(islice(iterator, BATCH_SENTENCES)):
        yield SentencesRead(batch)


def read_without_pages(head: DocumentHead, spans: Iterable[SentenceSpan], *warnings: str) -> Iterator[Step]:
    """Yield the whole reading of a document that has no pages; empty warnings are left out.

    Raises:
        FileFailure: there is no sentence.
    """
    yield head
    found = 0
    for batch in batch_sentences(spans):
        found += len(batch.spans)
        yield batch
    if not found:
        raise FileFailure("no_text", "The file has no text")
    yield ReadingDone(tuple(filter(None, warnings)))


def remark_on_attachments(attached: Sequence[str]) -> tuple[str, ...]:
    """Return a remark on files that are packed into a document and stay unread; none where there are none."""
    if not attached:
        return ()
    names = ", ".join(name[:_MAX_NAME_LENGTH] for name in attached[:_MAX_NAMES])
    verb = "attachment was" if len(attached) == 1 else "attachments were"
    return (remark(f"{len(attached)} {verb} not read: {names}{', …' if len(attached) > _MAX_NAMES else ''}"),)
