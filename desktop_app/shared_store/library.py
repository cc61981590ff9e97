"""The shared library: a schema of a PostgreSQL database with pgvector, used by many sessions at a time."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import LibraryInfo, OtherImporter
from desktop_app.core.stored_rows import HALFWAY
from desktop_app.shared_store.analysis_reader import SharedAnalysisReader
from desktop_app.shared_store.annotations import SharedAnnotationStore
from desktop_app.shared_store.clusters import SharedClusterStore
from desktop_app.shared_store.collections import SharedCollectionStore
from desktop_app.shared_store.connection import LIVE_WORKERS, PROGRAM, WORKER_LOCKS, SharedDatabase
from desktop_app.shared_store.doctor import SharedDoctor
from desktop_app.shared_store.document_ranking import SharedDocumentRanking
from desktop_app.shared_store.documents import STATES, SharedDocumentStore
from desktop_app.shared_store.file_copies import SharedFileCopyStore
from desktop_app.shared_store.ingest import SharedDocumentIngest
from desktop_app.shared_store.keyword_index import SharedKeywordIndex
from desktop_app.shared_store.keyword_search import SharedKeywordSearch
from desktop_app.shared_store.look_ahead import SharedLookAhead
from desktop_app.shared_store.maintenance import SharedLibraryMaintenance
from desktop_app.shared_store.model_files import SharedModelFiles
from desktop_app.shared_store.model_switch import SharedModelSwitching
from desktop_app.shared_store.models import SharedLibraryModels
from desktop_app.shared_store.ocr_pages import SharedOcrPageStore
from desktop_app.shared_store.pair_labels import SharedPairLabelStore
from desktop_app.shared_store.paths import PathCodec
from desktop_app.shared_store.purge import SharedEraser
from desktop_app.shared_store.recall_meter import SharedRecallMeter
from desktop_app.shared_store.schema import check_server, check_version, find_right
from desktop_app.shared_store.search import SharedVectorSearch
from desktop_app.shared_store.sentence_corrections import SharedCorrectionStore
from desktop_app.shared_store.sentences import TALLY, SharedSentenceStore
from desktop_app.shared_store.user_data import SharedUserDataStore
from desktop_app.shared_store.vectors import PART_ROWS, VectorSealer
from desktop_app.shared_store.watched_folders import SharedWatchedFolderStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Self

    from desktop_app.core.jobs import Steps
    from desktop_app.core.shared_address import LibraryRight, SharedAddress


_IMPORTERS = (
    "SELECT a.application_name AS program, a.usename::text AS person, count(*) AS documents FROM document d"
    f" JOIN ({WORKER_LOCKS}) l ON l.worker = d.worker JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE d.state = ANY(%(states)s) AND d.removed_at IS NULL AND d.worker <> %(own)s GROUP BY 1, 2 ORDER BY 1, 2"
)


class ServerVisibility:
    """Implements `core.library.VisibilityCache` without a cache: every search asks the server once, in any case."""

    @property
    def is_filled(self) -> bool:
        """Whether the cache is up to date."""
        return True

    def fill(self) -> Steps[None]:
        """Do nothing."""
        yield from ()


class SharedLibrary:
    """Implements `core.library.Library` on a server; the protocols document each part.

    Used from the thread that opened it. Several sessions may write at the same time.
    """

    def __init__(
        self,
        database: SharedDatabase,
        *,
        tail_rows: int,
        part_rows: int,
        undo_s: float,
        clock: Callable[[], float] | None,
        roots: Mapping[str, str],
        machine: str,
    ) -> None:
        self._database = database
        # Removals are compared between computers, whose clocks differ.
        removal_clock, clock = clock or database.read_clock, clock or time.time
        # The first libraries have none until they are upgraded.
        self._identity = str(database.value("SELECT to_jsonb(meta) ->> 'identity' FROM meta") or "")
        self._right: LibraryRight = find_right(database)
        self.read_transaction = database.read_transaction
        # A library that its owner has not upgraded yet does not know copies.
        has_copies = bool(database.value("SELECT to_regclass('file_copy') IS NOT NULL"))
        paths = PathCodec(roots, has_copies=has_copies, machine=machine)
        sealer = VectorSealer(database, tail_rows, part_rows)
        self.models = SharedLibraryModels(database)
        self.model_files = SharedModelFiles(database)
        self.sentences = SharedSentenceStore(database, paths)
        self.ingest = SharedDocumentIngest(database, paths, self.sentences, self.models)
        self.documents = SharedDocumentStore(database, paths, self.ingest.note_removed, clock, removal_clock)
        self.copies = SharedFileCopyStore(database, paths, self.documents, self.ingest.note_removed)
        self.visibility = ServerVisibility()
        keywords = SharedKeywordIndex(database, paths)
        self.annotations = SharedAnnotationStore(database, paths, clock)
        self.search = SharedVectorSearch(database, paths, self.documents, self.models, keywords, self.annotations)
        self.keyword_search = SharedKeywordSearch(database, keywords, self.search)
        self.document_ranking = SharedDocumentRanking(database, paths, self.models, self.search)
        self.analysis_reader = SharedAnalysisReader(database, paths, self.models, self.sentences)
        self.clusters = SharedClusterStore(database, self.models)
        self.pair_labels = SharedPairLabelStore(database, clock)
        self.user_data = SharedUserDataStore(database, paths, clock)
        self.collections = SharedCollectionStore(database)
        self.watched_folders = SharedWatchedFolderStore(database, paths)
        self.ocr_pages = SharedOcrPageStore(database, paths)
        self.corrections = SharedCorrectionStore(database, paths, self.ingest, self.sentences)
        findings = (self.analysis_reader, self.clusters)
        eraser = SharedEraser(database, self.models, self.sentences, sealer, findings)
        self.model_switch = SharedModelSwitching(
            database, paths, self.models, self.sentences, self.ingest, sealer, eraser
        )
        self.look_ahead = SharedLookAhead(
            database, paths, self.documents, self.models, self.search, keywords, self.document_ranking
        ).open
        self._meter = SharedRecallMeter(database, self.models, self.search)
        self.maintenance = SharedLibraryMaintenance(
            database,
            self.models,
            self.ingest,
            sealer,
            self._meter,
            eraser,
            SharedDoctor(database, self.models, self.ingest, sealer),
            take_removed=self.documents.take_removed,
            restorable_after=lambda: removal_clock() - undo_s,
        )

    @classmethod
    def open(
        cls,
        address: SharedAddress,
        password: str | None = None,
        *,
        writable: bool = True,
        tail_rows: int = 25_000,
        part_rows: int = PART_ROWS,
        undo_s: float = 600.0,
        clock: Callable[[], float] | None = None,
        roots: Mapping[str, str] | None = None,
        machine: str = "",
        take_cancellation: Callable[[], bool] = lambda: False,
    ) -> Self:
        """Open the library at an address.

        Args:
            address: of the library.
            password: of its user; None: none, or one that libpq finds by itself.
            writable: change the library, if the user may; otherwise only read.
            tail_rows: how many vectors are searched exactly before they move into graphs.
            part_rows: how many vectors a graph holds; up to half as many again before it is split.
            undo_s: how long documents that others removed stay restorable, in seconds.
            clock: seconds since 1970; None: this computer's, and the server's for removals.
            roots: folders of this machine by the names of roots.
            machine: name of this machine; empty: the system's.
            take_cancellation: whether the answer to the statement under way is not wanted any more; asked while the
                server takes its time. A read then raises Cancelled.

        Raises:
            LibraryUnreachable: the server does not answer, refuses the user, or is too old.
            NotFound: there is no such library.
            LibraryTooNew: a newer version upgraded it.
            LibraryBusy: its owner has to upgrade it first.
            RightMissing: the user may not even read it.
        """
        connect = partial(SharedDatabase, address, password, machine=machine, take_cancellation=take_cancellation)
        database = connect(writable=writable)
        try:
            check_server(database)
            check_version(database)
            if writable and find_right(database) not in ("writer", "owner"):
                database.close()
                database = connect(writable=False)
            library = cls(
                database,
                tail_rows=tail_rows,
                part_rows=part_rows,
                undo_s=undo_s,
                clock=clock,
                roots=roots or {},
                machine=machine,
            )
            if database.writable:
                database.register_worker()
                library.ingest.recover()
                if roots:
                    library.user_data.move_below_roots()
        except BaseException:
            database.close()
            raise
        return library

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def writable(self) -> bool:
        """Whether this session may change the library."""
        return self._database.writable

    @property
    def is_shared(self) -> bool:
        """Whether other sessions may change it at the same time."""
        return True

    @property
    def silence_s(self) -> float:
        """How long the server has not answered what it was asked, in seconds."""
        return self._database.silence_s

    def poll_changes(self) -> ChangeSet:
        """Return what other sessions have changed since the last call."""
        messages = self._database.take_messages()
        if messages is None:
            return ChangeSet(
                listing=True,
                sentences=True,
                collections=True,
                searches=True,
                annotations=True,
                quotes=True,
                labels=True,
            )
        changes = ChangeSet()
        for message in dict.fromkeys(messages):
            kind, _, ids = message.partition(" ")
            documents = frozenset(map(int, ids.split(","))) if ids else frozenset()
            changes |= ChangeSet(
                documents=documents,
                listing=kind == "listing",
                sentences=kind in ("listing", "sentences"),
                encoder=kind == "encoder",
                collections=kind == "collections",
                searches=kind == "searches",
                annotations=kind == "annotations",
                quotes=kind == "quotes",
                labels=kind == "labels",
            )
        return changes

    def list_importers(self) -> list[OtherImporter]:
        """Return who else imports into the library at this moment."""
        rows = self._database.rows(_IMPORTERS, own=self._database.worker, states=list(HALFWAY))
        return [OtherImporter(row.program.removeprefix(PROGRAM).strip(), row.person, row.documents) for row in rows]

    def count_searchable(self) -> int:
        """Return how many sentences a search reaches, from sums of changes."""
        return self._database.answer(TALLY).get(f"vectors.{self.models.current_id}", 0)

    def info(self) -> LibraryInfo:
        """Return counts: sums of changes, and the states of all documents."""
        states: dict[str, int] = {}
        occurrences = 0
        live: set[int] | None = None
        for row in self._database.answer(STATES):
            state = row.state
            if state in HALFWAY:
                live = set(self._database.column(LIVE_WORKERS)) if live is None else live
                state = state if row.worker in live else "queued"
            states[state] = states.get(state, 0) + row.count
            occurrences += int(row.sentences)
        counted = self._database.answer(TALLY)
        vectors = self.count_searchable()
        return LibraryInfo(
            documents=sum(states.values()),
            sentences=counted.get("sentences", 0),
            occurrences=occurrences,
            vectors=vectors,
            searchable=vectors,
            model=self.models.current,
            folder=str(self._database.address),
            states=states,
            recall=self._meter.last(),
            identity=self._identity,
            right=self._right,
            is_writable=self.writable,
            is_shared=True,
        )
