"""The library on this machine: a folder with an SQLite database and the segments of its vector index."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.look_ahead import look_no_further
from desktop_app.core.model_files import NoModelFiles
from desktop_app.core.records import LibraryInfo, OtherImporter
from desktop_app.core.stored_rows import HALFWAY
from desktop_app.store.analysis_reader import LocalAnalysisReader
from desktop_app.store.annotations import LocalAnnotationStore
from desktop_app.store.clusters import LocalClusterStore
from desktop_app.store.collections import LocalCollectionStore
from desktop_app.store.counters import ensure_identity, format_identity, read_counters
from desktop_app.store.database import Database, create_database
from desktop_app.store.doctor import Doctor
from desktop_app.store.document_ranking import LocalDocumentRanking
from desktop_app.store.documents import LocalDocumentStore
from desktop_app.store.file_copies import LocalFileCopyStore
from desktop_app.store.index_segment_sealing import SegmentSealer
from desktop_app.store.index_segments import Segments
from desktop_app.store.ingest import LocalDocumentIngest
from desktop_app.store.keyword_index import KEYWORD_INDEXES, KeywordIndex
from desktop_app.store.keyword_levels import trim_levels
from desktop_app.store.keyword_search import LocalKeywordSearch
from desktop_app.store.library_lock import (
    CREATED_DRAFT,
    DATABASE_FILE,
    SEGMENTS_FOLDER,
    claim_library,
    explain_folder_errors,
    is_library_written,
)
from desktop_app.store.library_models import LocalLibraryModels
from desktop_app.store.maintenance import LocalLibraryMaintenance
from desktop_app.store.migrations import APPLICATION_ID, DOCUMENT_STATES, migrate
from desktop_app.store.model_switch import LocalModelSwitching, RejectedSentences
from desktop_app.store.ocr_pages import LocalOcrPageStore
from desktop_app.store.pair_labels import LocalPairLabelStore
from desktop_app.store.purge import Eraser
from desktop_app.store.recall_meter import RecallMeter
from desktop_app.store.search import LocalVectorSearch
from desktop_app.store.sentence_corrections import LocalCorrectionStore
from desktop_app.store.sentences import LocalSentenceStore
from desktop_app.store.user_data import LocalUserDataStore
from desktop_app.store.visibility import LocalVisibilityCache
from desktop_app.store.watched_folders import LocalWatchedFolderStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from desktop_app.core.look_ahead import LookAhead
    from desktop_app.store.library_lock import WriterLock


class LocalLibrary:
    """Implements `core.library.Library` for a folder on this machine; the protocols document each part.

    Used from the thread that opened it.
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
        self.read_transaction = database.read_transaction
        self._lock = lock
        clock = make_monotonic(clock)
        opened_at = clock()
        self._segments = Segments(database, folder / SEGMENTS_FOLDER)
        self._sealer = SegmentSealer(database, self._segments, tail_rows)
        keywords = KeywordIndex(database)
        self.models = LocalLibraryModels(database, self._segments)
        self.model_files = NoModelFiles()
        self.sentences = LocalSentenceStore(database, keywords)
        self.ingest = LocalDocumentIngest(database, self.sentences, self._segments, keywords)
        self.documents = LocalDocumentStore(
            database, self.ingest.note_removed, clock, may_be_importing=self._may_be_importing
        )
        self.copies = LocalFileCopyStore(database, self.documents, self.ingest.note_removed)
        self.visibility = LocalVisibilityCache(database)
        self.annotations = LocalAnnotationStore(database, clock)
        self.search = LocalVectorSearch(
            database, self.documents, self._segments, keywords, self.visibility, self.annotations
        )
        self.keyword_search = LocalKeywordSearch(database, keywords, self.search)
        self.document_ranking = LocalDocumentRanking(database, self._segments, self.search)
        self.analysis_reader = LocalAnalysisReader(database, self.sentences, self._segments)
        self.clusters = LocalClusterStore(database)
        self.pair_labels = LocalPairLabelStore(database, clock)
        self.user_data = LocalUserDataStore(database, clock)
        self.collections = LocalCollectionStore(database)
        self.watched_folders = LocalWatchedFolderStore(database)
        self.ocr_pages = LocalOcrPageStore(database)
        self.corrections = LocalCorrectionStore(database, self.ingest, self.sentences, keywords)
        findings = (self.analysis_reader, self.clusters)
        eraser = Eraser(database, self.sentences, self._segments, self._sealer, keywords, findings)
        rejected = RejectedSentences(database, self.ingest, self.sentences, eraser)
        self.model_switch = LocalModelSwitching(
            database, self.models, self.sentences, self._segments, self._sealer, rejected
        )
        self._meter = RecallMeter(database, self._segments, self.search)
        self.maintenance = LocalLibraryMaintenance(
            database,
            self._segments,
            self._sealer,
            self.visibility,
            keywords,
            self._meter,
            eraser,
            Doctor(database, self._segments, self.ingest, self._sealer, keywords),
            restorable_after=lambda: max(opened_at, clock() - undo_s),
            info=self.info,
        )

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool = True,
        create: bool = True,
        tail_rows: int = 50_000,
        undo_s: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Open the library in `folder`.

        Args:
            folder: the library's folder; created with `writable` and `create`.
            writable: take the writer's lock; otherwise read next to the process that has it.
            create: create a missing library.
            tail_rows: how many vectors are searched exactly before they become a segment.
            undo_s: how long `maintenance.run` keeps removed documents restorable, in seconds.
            clock: seconds since 1970.

        Raises:
            NotFound: there is no library, and `create` is False.
            LibraryBusy: another process is writing it, or a writer has to migrate it first.
            LibraryTooNew: a newer version wrote it.
            LibraryDamaged: its database cannot be read, or is lost; nothing was changed.
            LibraryReadOnly: it is to be written, and cannot be.
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
        file = folder / DATABASE_FILE
        if lock is not None and not file.exists():
            with explain_folder_errors(folder):
                create_database(file, folder / CREATED_DRAFT, APPLICATION_ID)
        database = Database(file, writable=lock is not None)
        try:
            migrate(database)
            if lock is not None:
                trim_levels(database, KEYWORD_INDEXES)
            library = cls(folder, database, lock, tail_rows=tail_rows, undo_s=undo_s, clock=clock)
            if lock is not None:
                with database.write_transaction() as connection:
                    ensure_identity(connection)
                library.ingest.recover()
                library._segments.files.delete_orphans()
        except BaseException:
            database.close()
            raise
        return library

    def close(self) -> None:
        """Stop a build, empty the log, and release files and lock. Calling it again does nothing."""
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
    def is_shared(self) -> bool:
        """Whether other sessions may change it at the same time: never."""
        return False

    def look_ahead(self) -> AbstractContextManager[LookAhead]:
        """Read nothing ahead: every question is answered without delay."""
        return look_no_further()

    def list_importers(self) -> list[OtherImporter]:
        """Return nobody: one program at a time writes the library."""
        return []

    @property
    def silence_s(self) -> float:
        """Return 0: there is no server."""
        return 0.0

    def poll_changes(self) -> ChangeSet:
        """Return nothing: nobody else writes the library."""
        return ChangeSet()

    def count_searchable(self) -> int:
        """Return how many sentences a search reaches."""
        with self._database.read_transaction() as connection:
            return self._segments.searchable(connection)

    def info(self) -> LibraryInfo:
        """Return counts; cheap, no table is scanned."""
        with self._database.read_transaction() as connection:
            counted = read_counters(connection)
            searchable = self._segments.searchable(connection)
            hidden = self.visibility.count_hidden(connection, counted["sentences"] - counted["occurrences"])
            model = self.models.current
        states = {state: counted[f"documents.{state}"] for state in DOCUMENT_STATES}
        if any(states[state] for state in HALFWAY) and not self._may_be_importing():
            states["queued"] += sum(states.pop(state) for state in HALFWAY)
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
            identity=format_identity(counted),
            is_writable=self.writable,
            hidden=hidden,
        )

    def _may_be_importing(self) -> bool:
        return self.writable or is_library_written(self.folder)


def make_monotonic(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a clock that stops while the system's clock is set back.

    Otherwise a document removed after that would seem to be removed in an earlier session, and be erased at once.
    """
    latest = float("-inf")

    def now() -> float:
        nonlocal latest
        latest = max(latest, clock())
        return latest

    return now
