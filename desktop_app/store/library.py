"""The library on this machine: a folder with an SQLite database and the segments of its vector index."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.core.query import NO_KEYWORDS
from desktop_app.core.records import LibraryInfo
from desktop_app.core.scope import EVERYTHING
from desktop_app.store import backup
from desktop_app.store.analysis_reader import LocalAnalysisReader
from desktop_app.store.clusters import LocalClusterStore
from desktop_app.store.collections import LocalCollectionStore
from desktop_app.store.corrections import LocalCorrectionStore
from desktop_app.store.counters import read_counters
from desktop_app.store.database import Database
from desktop_app.store.doctor import Doctor
from desktop_app.store.document_ranking import DocumentRanking
from desktop_app.store.documents import DocumentTable
from desktop_app.store.ingest import DocumentIngest
from desktop_app.store.keyword_index import KeywordIndex
from desktop_app.store.keyword_search import LocalKeywordSearch
from desktop_app.store.library_lock import DATABASE_FILE, SEGMENTS_FOLDER, claim_library
from desktop_app.store.library_models import LibraryModels
from desktop_app.store.migrations import DOCUMENT_STATES, migrate
from desktop_app.store.model_switch import LocalModelSwitching
from desktop_app.store.ocr_pages import LocalOcrPageStore
from desktop_app.store.pair_labels import LocalPairLabelStore
from desktop_app.store.purge import Eraser
from desktop_app.store.recall_meter import RecallMeter
from desktop_app.store.rejected_sentences import RejectedSentences
from desktop_app.store.schema import DocumentRow
from desktop_app.store.scope_conditions import document_language_column, is_not_removed
from desktop_app.store.search import VectorSearch
from desktop_app.store.segment_sealing import SegmentSealer
from desktop_app.store.segments import Segments
from desktop_app.store.sentences import SentenceStore
from desktop_app.store.user_data import LocalUserDataStore
from desktop_app.store.watched_folders import LocalWatchedFolderStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.jobs import Steps
    from desktop_app.core.messages import Message
    from desktop_app.core.pages import OutlineEntry
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.reader_events import DocumentHead, FileRef, PageNote, ReadingDone, SentenceSpan
    from desktop_app.core.records import (
        BackupInfo,
        CheckResult,
        Document,
        DocumentState,
        Hit,
        ModelInfo,
        Occurrence,
        ScoredSentence,
    )
    from desktop_app.core.scope import Scope
    from desktop_app.store.library_lock import WriterLock


_LANGUAGES_PER_STEP = 16


class LocalLibrary:
    """Keeps the promises of `ports.Library` for a folder; what each method promises stands there.

    Used from the thread that opened it. The work is done by the parts: documents and their contents, sentences,
    search, erasing, the segments of the index, the doctor.

    Attributes:
        switching: from one model to another.
        keeping: what a person keeps beside the documents.
        watching: folders that are followed, and files that moved.
        marks: what persons said of pairs of sentences.
        collecting: documents that belong together.
        scans: pages that were read by OCR.
        corrections: of how documents are cut into sentences.
    """

    def __init__(
        self,
        folder: Path,
        database: Database,
        lock: WriterLock | None,
        *,
        tail_rows: int,
        undo_s: float,
        clock: Callable[[], float],
    ) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock
        self._undo_s = undo_s
        self._clock = clock = make_monotonic(clock)
        self._opened_at = clock()
        self._segments = Segments(database, folder / SEGMENTS_FOLDER)
        self._sealer = SegmentSealer(database, self._segments, tail_rows)
        self._models = LibraryModels(database, self._segments)
        self._keywords = KeywordIndex(database)
        self._sentences = SentenceStore(database, self._keywords)
        self._documents = DocumentTable(database, clock)
        self._importing = DocumentIngest(database, self._sentences, self._segments, self._keywords)
        self._search = VectorSearch(database, self._documents, self._segments, self._keywords)
        self._meter = RecallMeter(database, self._segments, self._search)
        self.words = LocalKeywordSearch(database, self._documents, self._keywords, self._search)
        self._ranking = DocumentRanking(database, self._segments, self._search)
        self.watching = LocalWatchedFolderStore(database)
        self.marks = LocalPairLabelStore(database, clock)
        self.collecting = LocalCollectionStore(database)
        self.scans = LocalOcrPageStore(database)
        self.user_data = LocalUserDataStore(database, clock)
        self.corrections = LocalCorrectionStore(database, self._importing, self._sentences, self._keywords)
        self.analysis_reader = LocalAnalysisReader(database, self._search, self._sentences)
        self.themes = LocalClusterStore(database)
        findings = (self.analysis_reader, self.themes)
        self._eraser = Eraser(database, self._sentences, self._segments, self._sealer, self._keywords, findings)
        refusing = RejectedSentences(database, self._importing, self._sentences, self._eraser)
        self.switching = LocalModelSwitching(
            database, self._models, self._sentences, self._segments, self._sealer, refusing
        )
        self._doctor = Doctor(database, self._segments, self._importing, self._sealer, self._keywords)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool = True,
        create: bool = True,
        tail_rows: int = 25_000,
        undo_s: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Open the library in `folder`.

        Args:
            folder: where it lies; made with `writable` and `create`.
            writable: take the writer's lock; otherwise read beside whoever has it.
            create: make a library where there is none.
            tail_rows: vectors that are searched exactly before they become a segment.
            undo_s: how long `maintain` leaves removed documents to be restored, in seconds.
            clock: seconds since 1970.

        Raises:
            NotFound: there is no library, and none was to be made.
            LibraryBusy: another process is writing it, or it has to be brought up to date by a writer first.
            LibraryTooNew: a newer version wrote it.
            LibraryDamaged: its database cannot be read; nothing was changed.
            StorageFull: the folder cannot be read or written, or is on a network drive.
        """
        folder = folder.absolute()
        lock = claim_library(folder, writable=writable, create=create)
        try:
            return cls._of(folder, lock, tail_rows=tail_rows, undo_s=undo_s, clock=clock)
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    @classmethod
    def _of(
        cls, folder: Path, lock: WriterLock | None, *, tail_rows: int, undo_s: float, clock: Callable[[], float]
    ) -> Self:
        database = Database(folder / DATABASE_FILE, writable=lock is not None)
        try:
            migrate(database)
            library = cls(folder, database, lock, tail_rows=tail_rows, undo_s=undo_s, clock=clock)
            if lock is not None:
                library._importing.recover()
                library._segments.files.delete_orphans()
        except BaseException:
            database.close()
            raise
        return library

    def close(self) -> None:
        """End a build, empty the log, and let go of files and lock. Calling it again does nothing."""
        self._sealer.stop()
        self._segments.close()
        self._database.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def writable(self) -> bool:
        """Whether this process holds the writer's lock."""
        return self._lock is not None

    @property
    def model(self) -> ModelInfo | None:
        """The encoder that this library's vectors come from."""
        return self._models.current

    def bind_model(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        self._models.bind(model)

    def vectors_by_model(self) -> dict[str, int]:
        """Return by fingerprint how many vectors of each model are here."""
        return self._models.counts()

    def info(self) -> LibraryInfo:
        """Return counts; cheap, no table is scanned."""
        with self._database.reading() as connection:
            counted = read_counters(connection)
            searchable = self._segments.searchable(connection)
            model = self.model
        states = {state: counted[f"documents.{state}"] for state in DOCUMENT_STATES}
        return LibraryInfo(
            documents=sum(states.values()),
            sentences=counted["sentences"],
            occurrences=counted["occurrences"],
            vectors=counted["vectors"],
            searchable=searchable,
            model=model,
            folder=str(self.folder),
            states={state: count for state, count in states.items() if count},
            recall=self._meter.last(counted),
        )

    # Documents

    def add_files(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file."""
        return self._documents.add_files(files)

    def document(self, document_id: int) -> Document:
        """Return one document."""
        return self._documents.document(document_id)

    def documents(
        self,
        *,
        after_id: int = 0,
        limit: int = 500,
        state: DocumentState | None = None,
        scope: Scope = EVERYTHING,
    ) -> list[Document]:
        """Return a page of documents."""
        return self._documents.documents(after_id=after_id, limit=limit, state=state, scope=scope)

    def find_documents(self, name: str) -> list[Document]:
        """Return the documents that `name` means."""
        return self._documents.find_documents(name)

    def queue_document(self, document_id: int, file: FileRef) -> None:
        """Put a document back to `queued`."""
        self._importing.queue(document_id, file)

    def begin_document(self, document_id: int, head: DocumentHead) -> None:
        """Start to take in a document's content."""
        self._importing.begin(document_id, head)

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
    ) -> None:
        """Store the next sentences of a document, and vectors float32 [len(texts), dim] for new texts."""
        self._importing.append(document_id, spans, texts, vectors, truncated)

    def finish_document(self, document_id: int, done: ReadingDone) -> None:
        """Make the document `ready`."""
        self._importing.finish(document_id, done)

    def fail_document(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Make the document `failed`."""
        self._importing.fail(document_id, reason, message)

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Give up taking a document in anew: its earlier version is `ready` again."""
        self._importing.keep(document_id, file)

    def set_title(self, document_id: int, title: str) -> None:
        """Give a document the person's own title."""
        self._documents.set_title(document_id, title)

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the document's table of contents."""
        return self._documents.outline(document_id)

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return what became of each page."""
        return self._documents.page_notes(document_id)

    def remove_documents(self, document_ids: Sequence[int]) -> int:
        """Take documents out of sight."""
        removed = self._documents.remove(document_ids)
        self._importing.removed(document_ids)
        return removed

    def restore_documents(self, document_ids: Sequence[int]) -> int:
        """Bring removed documents back."""
        return self._documents.restore(document_ids)

    def purge(self) -> Steps[None]:
        """Erase removed documents, and sentences and vectors that stand nowhere, from every file."""
        yield from self._eraser.purge(float("inf"))

    # Sentences and vectors

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector."""
        return self._sentences.without_vector(texts, promise=bool(self._importing.active))

    def nearest(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        *,
        scope: Scope = EVERYTHING,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = NO_KEYWORDS,
    ) -> list[ScoredSentence]:
        """Return the `top_k` visible sentences nearest to a unit vector float32 [dim]."""
        return self._search.nearest(vector, top_k, scope, min_score, keyword_query)

    def scores(self, vector: NDArray[np.float32], sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector float32 [dim]."""
        return self._search.scores(vector, sentence_ids)

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors of sentences."""
        return self._search.vectors(sentence_ids)

    def read_transaction(self) -> AbstractContextManager[object]:
        """Hold one committed state."""
        return self._database.reading()

    @property
    def is_visibility_cached(self) -> bool:
        """Whether it is known what stands in sight."""
        return self._search.sight.is_known

    def cache_visibility(self) -> Steps[None]:
        """Note what stands in sight."""
        return self._search.sight.cache_visibility()

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = EVERYTHING) -> list[Hit]:
        """Return the rows of sentences found."""
        return self._search.hits(found, first_rank, scope)

    def nearest_documents(
        self, vector: NDArray[np.float32], top_k: int, *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, its `best` nearest sentences) of the best documents."""
        return self._ranking.nearest_documents(vector, top_k, scope, best)

    def sample_vectors(self, count: int) -> NDArray[np.float32]:
        """Return the vectors of up to `count` sentences drawn at random: float32 [n, dim]."""
        return self._search.sample(count)

    def document_scores(
        self, vector: NDArray[np.float32], document_ids: Sequence[int], *, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, its `best` nearest sentences) of these documents."""
        return self._ranking.score_documents(vector, document_ids, best)

    def document_means(self, document_ids: Sequence[int]) -> NDArray[np.float32]:
        """Return the means of the vectors of documents' sentences: float32 [n, dim], rows of length 1."""
        return self._ranking.means(document_ids)

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = EVERYTHING
    ) -> Iterator[list[Occurrence]]:
        """Yield every visible occurrence in reading order, `batch` at a time."""
        return self._sentences.occurrences(document_id, batch, scope)

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return a sentence and those around it."""
        return self._sentences.context(document_id, ordinal, before, after)

    # Care

    def keep_index_loaded(self) -> None:
        """Have the whole index in memory from now on, as `maintain` brings it in."""
        self._segments.keep_in_memory()

    def maintain(self) -> Steps[None]:
        """Do what is due, step by step; yields `WAITING` while a child process builds.

        Documents removed in this session can be restored for `undo_s` seconds. Sentences that stand nowhere stay
        while documents wait to be imported, who may bring them back.
        """
        yield from self._segments.preload()
        if self.writable:
            yield from self._maintain()
        if self._segments.stay_in_memory:  # somebody searches
            yield from self.cache_visibility()

    def _maintain(self) -> Steps[None]:
        """Do what only the writer may."""
        yield from self._sealer.seal()
        yield from self._meter.measure_if_due()
        states = self.info().states
        waiting = any(states.get(state) for state in ("queued", "reading", "embedding"))
        before = max(self._opened_at, self._clock() - self._undo_s)
        yield from self._eraser.purge(before, loose=not waiting, urgent=False)
        yield from guess_languages(self._database)

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Write everything into one file."""
        info = self.info()
        counts = {"documents": info.documents, "sentences": info.occurrences}
        return backup.write_backup(self.folder / DATABASE_FILE, file, replace=replace, **counts)

    def check(self, *, repair: bool = False) -> Iterator[CheckResult]:
        """Compare the library with itself; with `repair`, mend what is wrong."""
        is_sound = True
        for check in self._doctor.check(repair=repair):
            is_sound = is_sound and check.ok
            yield check
        if is_sound:  # else there may be nothing to measure on
            yield from self._meter.check()


def make_monotonic(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a clock that stands still while the system's is set back.

    Otherwise what is removed after that would pass for removed in an earlier session, and be erased at once.
    """
    latest = float("-inf")

    def now() -> float:
        nonlocal latest
        latest = max(latest, clock())
        return latest

    return now


def guess_languages(database: Database) -> Iterator[None]:
    """Guess the languages of all documents, some at a time."""
    after = 0
    while True:
        query = select(DocumentRow.id, document_language_column()).where(DocumentRow.id > after, is_not_removed())
        with database.reading() as connection:
            rows = connection.execute(query.order_by(DocumentRow.id).limit(_LANGUAGES_PER_STEP)).all()
        if not rows:
            return
        after = rows[-1].id
        yield None
