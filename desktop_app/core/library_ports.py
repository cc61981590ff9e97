"""What the engine needs of a library. `compose.py` alone knows who keeps these promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.keeping import Keeping
    from desktop_app.core.models import ModelSwitching
    from desktop_app.core.part_ports import Collecting, Corrections, Marks, Material, Scans, Watching
    from desktop_app.core.query import Wording
    from desktop_app.core.reading import DocumentHead, FileRef, OutlineEntry, PageNote, ReadingDone, SentenceSpan
    from desktop_app.core.records import (
        BackupInfo,
        Check,
        Document,
        DocumentState,
        Hit,
        LibraryInfo,
        ModelInfo,
        Nearest,
        Occurrence,
    )
    from desktop_app.core.scope import Scope
    from desktop_app.core.themes import ThemeShelf
    from desktop_app.core.word_ports import WordIndex

    Vectors = NDArray[np.float32]


class Library(Protocol):
    """Documents, distinct sentences, where they stand, and their vectors. Used from one thread.

    Every method that changes something is one transaction. Only `writable` libraries may change.
    """

    @property
    def writable(self) -> bool:
        """Whether this process holds the writer's lock."""
        ...

    @property
    def model(self) -> ModelInfo | None:
        """The encoder that this library's vectors come from; None while it has none."""
        ...

    def bind_model(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        ...

    def vectors_by_model(self) -> dict[str, int]:
        """Return by fingerprint how many vectors of each model are here: of several only around a switch."""
        ...

    @property
    def watching(self) -> Watching:
        """The folders that are followed."""
        ...

    @property
    def collecting(self) -> Collecting:
        """Documents that belong together."""
        ...

    @property
    def scans(self) -> Scans:
        """Pages that were read by OCR."""
        ...

    @property
    def keeping(self) -> Keeping:
        """What a person keeps beside the documents."""
        ...

    @property
    def corrections(self) -> Corrections:
        """Of how documents are cut into sentences."""
        ...

    @property
    def switching(self) -> ModelSwitching:
        """From one model to another."""
        ...

    @property
    def marks(self) -> Marks:
        """What persons said of pairs of sentences."""
        ...

    @property
    def material(self) -> Material:
        """What analyses read of it."""
        ...

    @property
    def themes(self) -> ThemeShelf:
        """What it keeps of its themes."""
        ...

    def info(self) -> LibraryInfo:
        """Return counts; cheap, no table is scanned."""
        ...

    # Documents

    def add_files(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file: a new one in state `queued`, or the one with that path as it is.

        A document with that path that was removed and not yet purged comes back.
        """
        ...

    def document(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: it is not, or no longer, in the library.
        """
        ...

    def documents(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = ...
    ) -> list[Document]:
        """Return up to `limit` documents with ids above `after_id`, in the order of their ids."""
        ...

    def find_documents(self, name: str) -> list[Document]:
        """Return the documents that `name` means: an id, an absolute path, a folder above them, or a file name."""
        ...

    def queue_document(self, document_id: int, file: FileRef) -> None:
        """Put a document (failed, changed, interrupted) back to `queued`; what is stored of it stays searchable."""
        ...

    def begin_document(self, document_id: int, head: DocumentHead) -> None:
        """Start to take in a document's content: searchable as it grows, or, when it was there before, at its end."""
        ...

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: Vectors,
        truncated: Collection[str] = (),
    ) -> None:
        """Store the next sentences of a document that was begun, and vectors for those of `texts` that have none.

        Args:
            document_id: the document.
            spans: in reading order; every text has a vector in the library already or is in `texts`.
            texts: distinct texts, none of which had a vector when it was asked.
            vectors: float32 [len(texts), dim], rows of length 1.
            truncated: those of `texts` of which the model does not see the end.
        """
        ...

    def finish_document(self, document_id: int, done: ReadingDone) -> None:
        """Make the document `ready`; what an earlier version of it left behind goes."""
        ...

    def fail_document(self, document_id: int, reason: FailureReason, message: str) -> None:
        """Make the document `failed`; what was stored of this attempt goes, an earlier version stays."""
        ...

    def keep_document(self, document_id: int, file: FileRef) -> None:
        """Give up taking a document in anew: its earlier version, which it must have, is `ready` again as `file`."""
        ...

    def set_title(self, document_id: int, title: str) -> None:
        """Give a document the person's own title; an empty one gives it back its file's."""
        ...

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the document's table of contents."""
        ...

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return what became of each page when the document was read; nothing for a file without pages."""
        ...

    def remove_documents(self, document_ids: Sequence[int]) -> int:
        """Take documents out of sight; `restore_documents` brings them back until they are purged. Returns how many."""
        ...

    def restore_documents(self, document_ids: Sequence[int]) -> int:
        """Bring removed documents back. Returns how many."""
        ...

    def purge(self) -> Iterator[Step]:
        """Erase removed documents, and sentences and vectors that stand nowhere, from every file; step by step."""
        ...

    # Sentences and vectors

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector of the library's model, in order."""
        ...

    def nearest(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        *,
        scope: Scope = ...,
        min_score: float = -1.0,
        wording: Wording = ...,
    ) -> list[Nearest]:
        """Return the `top_k` visible sentences nearest to a unit vector float32 [dim], best first.

        Fewer than `top_k` only when there are no more. Equal scores are ordered by sentence id. Of `wording` counts
        what must be there and what must not.
        """
        ...

    def scores(self, vector: NDArray[np.float32], sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector float32 [dim]; those that have gone are left out."""
        ...

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the unit vectors float32 [dim] of sentences; those that have gone are left out."""
        ...

    def sample_vectors(self, count: int) -> Vectors:
        """Return the vectors of up to `count` sentences drawn at random: float32 [n, dim]; always the same ones."""
        ...

    @property
    def words(self) -> WordIndex:
        """The full-text index."""
        ...

    def steady(self) -> AbstractContextManager[object]:
        """Hold one committed state for all that is asked inside; it also spares a transaction for each of it."""
        ...

    @property
    def is_surveyed(self) -> bool:
        """Whether it is known of every sentence whether it is in sight, and `survey` would do nothing."""
        ...

    def survey(self) -> Steps[None]:
        """Note of every sentence whether it is in sight, so that searches need not ask; until that changes."""
        ...

    def hits(self, found: Sequence[Nearest], *, first_rank: int = 1, scope: Scope = ...) -> list[Hit]:
        """Return the rows of sentences found; those that have gone meanwhile are left out."""
        ...

    def nearest_documents(
        self, vector: NDArray[np.float32], top_k: int, *, scope: Scope = ..., best: int = 3
    ) -> list[tuple[int, float, list[Nearest]]]:
        """Return (document id, score, its `best` nearest sentences) of the best documents, best first.

        A document's score is half its best sentence's cosine and half the cosine of the mean of its sentences
        (nDCG@10 on Cranfield: 0.494 against 0.464 for the best sentence alone).
        """
        ...

    def document_scores(
        self, vector: NDArray[np.float32], document_ids: Sequence[int], *, best: int = 3
    ) -> list[tuple[int, float, list[Nearest]]]:
        """Return what `nearest_documents` says of these documents, in any order; those that have gone are left out."""
        ...

    def document_means(self, document_ids: Sequence[int]) -> Vectors:
        """Return the means of the vectors of documents' sentences: float32 [n, dim], rows of length 1.

        Zeros for a document that has none, or that has gone.
        """
        ...

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = ...
    ) -> Iterator[list[Occurrence]]:
        """Yield every visible occurrence in reading order, `batch` at a time: documents by id, sentences by ordinal.

        With `scope`, only those of its documents.
        """
        ...

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return a sentence with up to `before` sentences before it and `after` after it, in reading order."""
        ...

    # Care

    def keep_ready(self) -> None:
        """Have the whole index in memory from now on, as `maintain` brings it in: somebody is going to search often."""
        ...

    def maintain(self) -> Steps[None]:
        """Do what is due, step by step: seal the tail into a segment, rebuild bad or thin segments, purge."""
        ...

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Write everything into one file that a library can be made from elsewhere, step by step.

        Raises:
            UsageError: the file is there and may not be replaced.
            StorageFull: there is no room, or no right to write.
            LibraryDamaged: the library is not sound; an older backup stays as it is.
        """
        ...

    def check(self, *, repair: bool = False) -> Iterable[Check]:
        """Compare the library with itself; with `repair`, mend what is wrong."""
        ...

    def close(self) -> None:
        """Write what is left and let go of files and lock."""
        ...
