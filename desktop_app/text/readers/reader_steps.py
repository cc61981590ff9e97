"""The steps of a reader: events, batches of sentences, heartbeats, and how to retry after a crash."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import DocumentHead, ReaderEvent, ReadingDone, SentenceSpan, SentencesRead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH_SENTENCES = 200
"""Sentences in one message through the pipe."""

_MAX_NAMES = 5
_MAX_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class FileFacts:
    """SHA-256 (hexadecimal) and number of a file's bytes."""

    content_hash: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class RetryWith:
    """If the task dies from here on, restart it with these arguments changed; None: do not restart it."""

    changes: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The task is alive, without a result yet."""


Step = ReaderEvent | RetryWith | Heartbeat
"""Readers yield events, and steps for the process that runs them."""


def batch_sentences(spans: Iterable[SentenceSpan]) -> Iterator[SentencesRead]:
    """Yield sentences in batches: few messages, none of them large."""
    iterator = iter(spans)
    while batch := tuple(islice(iterator, BATCH_SENTENCES)):
        yield SentencesRead(batch)


def read_without_pages(head: DocumentHead, spans: Iterable[SentenceSpan], *warnings: Message) -> Iterator[Step]:
    """Yield all steps of reading a document without pages; skip empty warnings.

    Raises:
        FileFailure: the document has no sentences.
    """
    yield head
    found = 0
    for batch in batch_sentences(spans):
        found += len(batch.spans)
        yield batch
    if not found:
        raise FileFailure("no_text", "The file has no text")
    yield ReadingDone(tuple(filter(None, warnings)))


def remark_on_attachments(attached: Sequence[str]) -> tuple[Message, ...]:
    """Return a remark on files that are embedded in a document and not read; nothing if there are none."""
    if not attached:
        return ()
    names = ", ".join(name[:_MAX_NAME_LENGTH] for name in attached[:_MAX_NAMES])
    return (
        Message(
            "{count} attachment was not read: {names}"
            if len(attached) == 1
            else "{count} attachments were not read: {names}",
            code="attachments_unread",
            count=len(attached),
            names=f"{names}, …" if len(attached) > _MAX_NAMES else names,
        ),
    )
