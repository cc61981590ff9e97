"""Batches of sentences between a reader and the library: embedded together, stored in small chunks.

While one batch is stored the next is already being embedded, so that the cores always have work. Every step is short,
so that typing never waits for one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.sentence_corrections import CorrectedRange, CorrectionApplier
from desktop_app.engine import embedding
from desktop_app.engine.embedding import CHUNK_SIZE, PATIENCE_S, EmbeddingBatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.errors import FileFailure
    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.reader_events import ReadingDone, SentenceSpan
    from desktop_app.core.records import Document
    from desktop_app.core.sentence_corrections import CorrectedSpans, Correction


@dataclass(slots=True, eq=False)
class IncomingDocument:
    """A document that is being imported.

    Attributes:
        spans: sentences that wait to be embedded.
        in_batches: number of sentences that are in a batch and not stored yet.
        reading_done: the reader's last event; None before.
        stored_count: number of stored sentences.
        is_gone: whether it has failed or was removed.
        sample: the beginning of its text, from which its language is guessed.
        corrected: applies a person's corrections of its sentences; None if there are none.
    """

    document: Document
    spans: deque[SentenceSpan] = field(default_factory=deque)
    in_batches: int = 0
    reading_done: ReadingDone | None = None
    stored_count: int = 0
    is_gone: bool = False
    sample: str = ""
    corrected: CorrectedSentences | None = None

    @property
    def is_whole(self) -> bool:
        """Whether its last sentence is stored."""
        return self.reading_done is not None and not self.spans and not self.in_batches


@dataclass(frozen=True, slots=True)
class StorageChunk:
    """Sentences of one document that are stored together.

    Attributes:
        texts: those without a vector in the library, and `vectors` float32 [len(texts), dim] of them.
        truncated: those of `texts` whose end the model does not see.
    """

    arrival: IncomingDocument
    spans: list[SentenceSpan]
    texts: list[str]
    vectors: NDArray[np.float32]
    truncated: set[str]


@dataclass(frozen=True, slots=True)
class RefusedText:
    """A text that a model has no vector for, and the documents that contain it, each with its first such sentence."""

    text: str
    model: str
    holders: dict[IncomingDocument, SentenceSpan]
    is_zero: bool = False

    def failure(self, holder: IncomingDocument) -> FileFailure:
        """Return the failure of a document that contains it."""
        return embedding.make_no_vector_failure(
            self.model, self.text, self.holders[holder].places[0], is_zero=self.is_zero
        )


@dataclass(slots=True, eq=False)
class _SentenceBatch(EmbeddingBatch):
    """A batch: `parts` are to be stored once there are no `remaining` texts to embed."""

    parts: deque[tuple[IncomingDocument, list[SentenceSpan]]] = field(default_factory=deque)


class SentenceBatches:
    """Batches in the order of their documents; the first is stored as soon as it is embedded.

    Args:
        library: knows which texts have a vector; the caller stores.
        encoder: used from the caller's thread.
        timeout_s: how long a step waits for vectors; None, if a person waits for them: as long as it takes.
    """

    def __init__(self, library: Library, encoder: Encoder, timeout_s: float | None = PATIENCE_S) -> None:
        self._library = library
        self._timeout_s = timeout_s
        self._encoder = encoder
        self._batches: deque[_SentenceBatch] = deque()
        self._pending_vectors: dict[str, NDArray[np.float32]] = {}  # vectors that are not stored yet
        self._truncated: set[str] = set()

    def __len__(self) -> int:
        return len(self._batches)

    @property
    def remaining(self) -> int:
        """Number of texts of the last batch that must still be embedded."""
        return len(self._batches[-1].remaining) if self._batches else 0

    @property
    def encoder(self) -> Encoder:
        """The encoder in use."""
        return self._encoder

    def add_batch(self, parts: list[tuple[IncomingDocument, list[SentenceSpan]]]) -> Iterator[None]:
        """Look up the new texts of a batch, step by step, and queue it behind those before it."""
        batch = _SentenceBatch(parts=deque(parts))
        for arrival, spans in parts:
            arrival.in_batches += len(spans)
        texts = list(dict.fromkeys(span.text for _, spans in parts for span in spans))
        encoder = self._encoder
        for start in range(0, len(texts), CHUNK_SIZE):
            batch.remaining |= self._without_vector(texts[start : start + CHUNK_SIZE])
            yield
        if self._encoder is not encoder:
            batch.remaining = self._without_vector(texts)
        # Only now, because between the steps other texts were embedded and documents may have been removed.
        batch.parts = deque(part for part in batch.parts if not part[0].is_gone)
        batch.remaining = {text: None for text in batch.remaining if not self._is_known(text)}
        self._batches.append(batch)

    def switch_encoder(self, encoder: Encoder) -> None:
        """Use another encoder for everything that is not stored yet: the library has switched to its model."""
        self._encoder = encoder
        self._pending_vectors.clear()
        self._truncated.clear()
        known: set[str] = set()
        for batch in self._batches:
            batch.interrupt()
            texts = dict.fromkeys(span.text for _, spans in batch.parts for span in spans)
            batch.remaining = self._without_vector([text for text in texts if text not in known])
            known |= batch.remaining.keys()

    def _without_vector(self, texts: list[str]) -> dict[str, None]:
        """Return those of `texts` that must be embedded, and note which of them are truncated."""
        new = self._library.ingest.without_vector(texts)
        counts = self._encoder.count_truncated(new).tolist()
        self._truncated.update(text for text, beyond in zip(new, counts, strict=True) if beyond)
        return dict.fromkeys(new)

    def advance(self) -> RefusedText | None:
        """Collect vectors that are ready after a short wait; returns a text that the model has no vector for."""
        for batch in self._batches:
            if not batch.remaining:
                continue
            found = batch.take(self._encoder, self._timeout_s)
            if isinstance(found, str):
                return RefusedText(found, self._encoder.model.name, self._holders(found), batch.is_zero)
            self._pending_vectors |= found
        return None

    def next_chunk(self, most: int = CHUNK_SIZE) -> StorageChunk | None:
        """Return what to store next, up to `most` sentences; None if nothing is ready."""
        while self._batches and not self._batches[0].remaining:
            batch = self._batches[0]
            if not batch.parts:
                self._batches.popleft()
                continue
            arrival, spans = batch.parts[0]
            taken = spans[:most]
            del spans[:most]
            if not spans:
                batch.parts.popleft()
            arrival.in_batches -= len(taken)
            texts = [text for text in dict.fromkeys(span.text for span in taken) if text in self._pending_vectors]
            rows = [self._pending_vectors[text] for text in texts]
            vectors = np.stack(rows) if rows else np.empty((0, self._encoder.model.dim), np.float32)
            return StorageChunk(arrival, taken, texts, vectors, self._truncated.intersection(texts))
        if not self._batches:
            self._pending_vectors.clear()
            self._truncated.clear()
        return None

    def mark_stored(self, chunk: StorageChunk) -> None:
        """Forget vectors that the library has now."""
        for text in chunk.texts:
            del self._pending_vectors[text]
            self._truncated.discard(text)

    def drop_document(self, arrival: IncomingDocument) -> None:
        """Do nothing more with a document: texts that only it needs are not embedded."""
        for batch in self._batches:
            batch.parts = deque(part for part in batch.parts if part[0] is not arrival)
        needed = {span.text for batch in self._batches for _, spans in batch.parts for span in spans}
        for batch in self._batches:
            remaining = {text: None for text in batch.remaining if text in needed}
            if len(remaining) < len(batch.remaining):  # otherwise what is computed is needed
                batch.remaining = remaining
                batch.interrupt()
        arrival.in_batches, arrival.is_gone = 0, True

    def close(self) -> None:
        """Stop computing."""
        for batch in self._batches:
            batch.interrupt()
        self._batches.clear()
        embedding.reserve_core(self._encoder, False)

    def _is_known(self, text: str) -> bool:
        """Whether a text has a vector that is not stored yet, or will get one."""
        return text in self._pending_vectors or any(text in batch.remaining for batch in self._batches)

    def _holders(self, text: str) -> dict[IncomingDocument, SentenceSpan]:
        """Return the documents that contain a text, each with its first sentence of that text."""
        holders: dict[IncomingDocument, SentenceSpan] = {}
        for arrival, spans in (part for batch in self._batches for part in batch.parts):
            if found := next((span for span in spans if span.text == text), None):
                holders.setdefault(arrival, found)
        return holders


class CorrectedSentences:
    """Applies corrections to a document's sentences, and records what was read where something was corrected.

    Attributes:
        kept_cuts: the recorded ranges.
    """

    def __init__(self, rules: Sequence[Correction]) -> None:
        self._applier = CorrectionApplier(rules)
        self._ordinal = 0
        self.corrected_ranges: list[CorrectedRange] = []

    def feed(self, spans: Sequence[SentenceSpan]) -> list[SentenceSpan]:
        """Return the sentences that are final after these spans."""
        return self._record_ranges([correction for span in spans for correction in self._applier.feed(span)])

    def finish(self) -> list[SentenceSpan]:
        """Return the remaining sentences."""
        return self._record_ranges(self._applier.finish())

    def _record_ranges(self, corrections: Sequence[CorrectedSpans]) -> list[SentenceSpan]:
        found: list[SentenceSpan] = []
        for correction in corrections:
            if correction.is_corrected:
                self.corrected_ranges.append(CorrectedRange(self._ordinal, len(correction.spans), correction.originals))
            self._ordinal += len(correction.spans)
            found += correction.spans
        return found
