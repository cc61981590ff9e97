"""The steps of a reader: events, batches of sentences, heartbeats, and how to retry after a crash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.reader_events import (
    DocumentHead,
    OmittedText,
    ReaderEvent,
    ReadingDone,
    SentenceSpan,
    SentencesRead,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH_SENTENCES = 200
"""Sentences in one message through the pipe."""
PROGRESS_CHARACTERS = 50_000
"""A reader yields a step at least after so many characters: the process that runs it takes silence for a hang."""
MAX_TITLE = 500
"""Most characters of a title, an author or a heading."""
MAX_REPEATS = 1000
"""How often the same sentence of a document is kept: a few packed kilobytes may hold millions of them."""
_FREE_REPETITIONS = 20_000
_REPETITIONS_PER_SENTENCE = 100
"""A document keeps so many repetitions in any case, and so many for each distinct sentence: its place in the library
must not grow without limit with a text that repeats a few sentences."""

_COUNTED_SENTENCES = 100_000
"""Sentences of a document whose repetitions are counted: the most frequent ones."""

_MAX_NAMES = 5
_MAX_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class RetryWith:
    """If the task dies from here on, restart it with these arguments changed; None: do not restart it."""

    changes: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The task is alive, without a result yet."""


@dataclass(frozen=True, slots=True)
class ParagraphCut:
    """A paragraph was cut because it is too long; its next part is another paragraph."""


Step = ReaderEvent | RetryWith | Heartbeat
"""Readers yield events, and steps for the process that runs them."""
SpanStep = SentenceSpan | Heartbeat | ParagraphCut
"""The sentences of a document, with what else its reader reports on the way."""


class SpanBatches:
    """Puts the sentences of a document into batches, and leaves out endless repetitions.

    Attributes:
        sentences: how many sentences there were so far.
    """

    def __init__(self) -> None:
        self.sentences = 0
        self._cuts = 0
        self._left_out = 0
        self._left_out_of_all = 0
        self._distinct = 0
        self._repetitions = 0
        self._repeats: dict[int, int] = {}

    def batch(self, spans: Iterable[SpanStep]) -> Iterator[SentencesRead | Heartbeat]:
        """Yield sentences in batches: few messages, none of them large."""
        batch: list[SentenceSpan] = []
        characters = 0
        for span in spans:
            match span:
                case Heartbeat():
                    yield span
                    continue
                case ParagraphCut():
                    self._cuts += 1
                    continue
            self.sentences += 1
            if self._is_repeated_too_often(span.text):
                if (self._left_out + self._left_out_of_all) % BATCH_SENTENCES == 0:
                    yield Heartbeat()
                continue
            batch.append(_with_passage_kind(span))
            characters += len(span.text)
            if len(batch) == BATCH_SENTENCES or characters > PROGRESS_CHARACTERS // 2:
                yield SentencesRead(tuple(batch))
                batch.clear()
                characters = 0
        if batch:
            yield SentencesRead(tuple(batch))

    def remarks(self) -> tuple[Message, ...]:
        """Return remarks on paragraphs that were cut and on repetitions that were left out."""
        remarks = []
        if self._cuts:
            remarks.append(
                Message(
                    "A very long paragraph was split"
                    if self._cuts == 1
                    else "Very long paragraphs were split in {count:,} places",
                    code="paragraphs_divided",
                    count=self._cuts,
                )
            )
        if self._left_out:
            remarks.append(
                Message(
                    "{count:,} repetitions of sentences that occur more than {most:,} times were skipped",
                    code="repetitions_left_out",
                    most=MAX_REPEATS,
                    count=self._left_out,
                )
            )
        if self._left_out_of_all:
            remarks.append(
                Message(
                    "The document says little and repeats it: {count:,} repetitions were skipped",
                    code="repetitions_left_out",
                    count=self._left_out_of_all,
                )
            )
        return tuple(remarks)

    def _is_repeated_too_often(self, text: str) -> bool:
        """Count a sentence; returns whether it is left out, and counts that too."""
        key = hash(text)
        repeats = self._repeats[key] = self._repeats.get(key, 0) + 1
        if len(self._repeats) > _COUNTED_SENTENCES:
            self._forget_rare_sentences()
        if repeats == 1:
            self._distinct += 1
        elif repeats > MAX_REPEATS:
            self._left_out += 1
            return True
        elif self._repetitions >= max(_FREE_REPETITIONS, _REPETITIONS_PER_SENTENCE * self._distinct):
            self._left_out_of_all += 1
            return True
        else:
            self._repetitions += 1
        return False

    def _forget_rare_sentences(self) -> None:
        rare = 1
        while len(self._repeats) > _COUNTED_SENTENCES // 2:
            self._repeats = {each: count for each, count in self._repeats.items() if count > rare}
            rare *= 2


def _with_passage_kind(span: SentenceSpan) -> SentenceSpan:
    passage, reason = decide_kind(span.kind, span.text)
    return SentenceSpan(span.text, span.places, span.paragraph, span.kind, passage, reason)


def read_without_pages(
    head: DocumentHead, spans: Iterable[SpanStep], *warnings: Message, omitted: Iterable[OmittedText] = ()
) -> Iterator[Step]:
    """Yield all steps of reading a document without pages; skip empty warnings.

    Raises:
        FileFailure: the document has no sentences.
    """
    yield head
    batches = SpanBatches()
    yield from batches.batch(spans)
    if not batches.sentences:
        raise FileFailure("no_text", "The file has no text")
    yield ReadingDone((*filter(None, warnings), *batches.remarks()), omitted=tuple(omitted))


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
