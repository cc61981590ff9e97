"""Batches of sentences between a reader and the library: embedded together, stored in small chunks.

While one batch is stored the next is being embedded already, so that the processor's cores are never without work;
and every step is short, so that somebody who types waits for none of them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.engine import embedding_batch
from desktop_app.engine.embedding_batch import CHUNK_SIZE, PATIENCE_S, EmbeddingBatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from desktop_app.core.errors import FileFailure
    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.reader_events import ReadingDone, SentenceSpan
    from desktop_app.core.records import Document
    from desktop_app.engine.corrected_sentences import CorrectedSentences


@dataclass(slots=True, eq=False)
class IncomingDocument:
    """A document on its way in.

    Attributes:
        spans: sentences that wait to be embedded.
        taken: sentences that are in a batch and not stored yet.
        done: what the reader said at its end; None before.
        stored: sentences stored.
        gone: whether it has failed or was removed meanwhile.
        sample: the beginning of its text, by which its language is told.
        cutting: what a person corrected of how it is cut into sentences; None: nothing.
    """

    document: Document
    spans: deque[SentenceSpan] = field(default_factory=deque)
    taken: int = 0
    done: ReadingDone | None = None
    stored: int = 0
    gone: bool = False
    sample: str = ""
    cutting: CorrectedSentences | None = None

    @property
    def is_whole(self) -> bool:
        """Whether its last sentence is stored."""
        return self.done is not None and not self.spans and not self.taken


@dataclass(frozen=True, slots=True)
class StorageChunk:
    """Sentences of one document that are stored together.

    Attributes:
        texts: those without a vector in the library, and `vectors` float32 [len(texts), dim] of them.
        truncated: those of `texts` of which the model does not see the end.
    """

    arrival: IncomingDocument
    spans: list[SentenceSpan]
    texts: list[str]
    vectors: NDArray[np.float32]
    truncated: set[str]


@dataclass(frozen=True, slots=True)
class RefusedText:
    """A text that a model has no vector for, and the documents that hold it, each with its first such sentence."""

    text: str
    model: str
    holders: dict[IncomingDocument, SentenceSpan]
    is_zero: bool = False

    def failure(self, holder: IncomingDocument) -> FileFailure:
        """Return what to say of a document that holds it."""
        return embedding_batch.make_no_vector_failure(
            self.model, self.text, self.holders[holder].places[0], is_zero=self.is_zero
        )


@dataclass(slots=True, eq=False)
class _SentenceBatch(EmbeddingBatch):
    """A batch: `parts` are to be stored, once nothing is `left` to be embedded for it."""

    parts: deque[tuple[IncomingDocument, list[SentenceSpan]]] = field(default_factory=deque)


class SentenceBatches:
    """Batches at work in the order of their documents; the first is stored as soon as it is embedded.

    Args:
        library: asked which texts have a vector; storing is left to the caller.
        encoder: used from the caller's thread.
        timeout_s: how long a step waits for vectors; None, where a person waits for them: as long as it takes.
    """

    def __init__(self, library: Library, encoder: Encoder, timeout_s: float | None = PATIENCE_S) -> None:
        self._library = library
        self._timeout_s = timeout_s
        self._encoder = encoder
        self._works: deque[_SentenceBatch] = deque()
        self._fresh: dict[str, NDArray[np.float32]] = {}  # vectors that are not stored yet
        self._truncated: set[str] = set()

    def __len__(self) -> int:
        return len(self._works)

    @property
    def left(self) -> int:
        """Texts of the last batch that are still to be embedded."""
        return len(self._works[-1].left) if self._works else 0

    @property
    def encoder(self) -> Encoder:
        """What embeds."""
        return self._encoder

    def reserve_core(self, leave: bool) -> None:
        """Leave a core to somebody who types, or take it again."""
        embedding_batch.reserve_core(self._encoder, leave)

    def begin(self, parts: list[tuple[IncomingDocument, list[SentenceSpan]]]) -> Iterator[None]:
        """Look up what is new in a batch, step by step, and have it embedded after those before it."""
        work = _SentenceBatch(parts=deque(parts))
        for arrival, spans in parts:
            arrival.taken += len(spans)
        texts = list(dict.fromkeys(span.text for _, spans in parts for span in spans))
        encoder = self._encoder
        for start in range(0, len(texts), CHUNK_SIZE):
            work.left |= self._without_vector(texts[start : start + CHUNK_SIZE])
            yield
        if self._encoder is not encoder:
            work.left = self._without_vector(texts)
        # Only now, for between the steps others were embedded, and documents may have gone.
        work.parts = deque(part for part in work.parts if not part[0].gone)
        work.left = {text: None for text in work.left if not self._is_known(text)}
        self._works.append(work)

    def use(self, encoder: Encoder) -> None:
        """Have embedded by another encoder what is not stored yet: the library has switched to its model."""
        self._encoder = encoder
        self._fresh.clear()
        self._truncated.clear()
        known: set[str] = set()
        for work in self._works:
            work.interrupt()
            texts = dict.fromkeys(span.text for _, spans in work.parts for span in spans)
            work.left = self._without_vector([text for text in texts if text not in known])
            known |= work.left.keys()

    def _without_vector(self, texts: list[str]) -> dict[str, None]:
        """Return those of `texts` that are to be embedded; notes of which the model does not see the end."""
        new = self._library.without_vector(texts)
        counts = self._encoder.count_truncated(new).tolist()
        self._truncated.update(text for text, beyond in zip(new, counts, strict=True) if beyond)
        return dict.fromkeys(new)

    def embed(self) -> RefusedText | None:
        """Take vectors that are ready, waiting a moment for them; or tell which text the model has none for."""
        for work in self._works:
            if not work.left:
                continue
            found = work.take(self._encoder, self._timeout_s)
            if isinstance(found, str):
                return RefusedText(found, self._encoder.model.name, self._holders(found), work.is_zero)
            self._fresh |= found
        return None

    def next_chunk(self, most: int = CHUNK_SIZE) -> StorageChunk | None:
        """Return what is to be stored next, up to `most` sentences; None when nothing is ready."""
        while self._works and not self._works[0].left:
            work = self._works[0]
            if not work.parts:
                self._works.popleft()
                continue
            arrival, spans = work.parts[0]
            taken = spans[:most]
            del spans[:most]
            if not spans:
                work.parts.popleft()
            arrival.taken -= len(taken)
            texts = [text for text in dict.fromkeys(span.text for span in taken) if text in self._fresh]
            rows = [self._fresh[text] for text in texts]
            vectors = np.stack(rows) if rows else np.empty((0, self._encoder.model.dim), np.float32)
            return StorageChunk(arrival, taken, texts, vectors, self._truncated.intersection(texts))
        if not self._works:
            self._fresh.clear()
            self._truncated.clear()
        return None

    def stored(self, piece: StorageChunk) -> None:
        """Forget vectors that the library has now."""
        for text in piece.texts:
            del self._fresh[text]
            self._truncated.discard(text)

    def leave(self, arrival: IncomingDocument) -> None:
        """Have nothing more to do with a document: what only it needed is not embedded."""
        for work in self._works:
            work.parts = deque(part for part in work.parts if part[0] is not arrival)
        needed = {span.text for work in self._works for _, spans in work.parts for span in spans}
        for work in self._works:
            work.left = {text: None for text in work.left if text in needed}
            work.interrupt()
        arrival.taken, arrival.gone = 0, True

    def close(self) -> None:
        """End what is being computed."""
        for work in self._works:
            work.interrupt()
        self._works.clear()
        self.reserve_core(False)

    def _is_known(self, text: str) -> bool:
        """Whether a vector is there that is not stored yet, or on its way."""
        return text in self._fresh or any(text in work.left for work in self._works)

    def _holders(self, text: str) -> dict[IncomingDocument, SentenceSpan]:
        """Return the documents that hold a text, each with its first sentence of that text."""
        holders: dict[IncomingDocument, SentenceSpan] = {}
        for arrival, spans in (part for work in self._works for part in work.parts):
            if found := next((span for span in spans if span.text == text), None):
                holders.setdefault(arrival, found)
        return holders
