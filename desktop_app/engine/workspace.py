"""The single entry point through which the window and the command line reach one library.

Each feature is a service, imported when it is first used. Their methods return at once with a job; the work is done
on the engine's thread.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps
from desktop_app.engine.context import EngineContext, EngineSetup
from desktop_app.engine.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import DeviceInfo, Document
    from desktop_app.engine.administration import AdministrationService
    from desktop_app.engine.annotations import AnnotationService
    from desktop_app.engine.clusters import ClusterService
    from desktop_app.engine.compare import ComparisonService
    from desktop_app.engine.duplicates import DuplicateService
    from desktop_app.engine.evaluation import EvaluationService
    from desktop_app.engine.export import ExportService
    from desktop_app.engine.import_forecast import ImportForecastService
    from desktop_app.engine.importing import ImportService
    from desktop_app.engine.library_copy import LibraryCopyService
    from desktop_app.engine.maintenance import MaintenanceService
    from desktop_app.engine.model_comparison import ModelComparisonService
    from desktop_app.engine.models import ModelService
    from desktop_app.engine.note_links import NoteLinkService
    from desktop_app.engine.pages import PageService
    from desktop_app.engine.references import ReferenceService
    from desktop_app.engine.repeated_passages import RepeatedPassageService
    from desktop_app.engine.requests import WorkspaceStatus
    from desktop_app.engine.reranking import RerankingService
    from desktop_app.engine.search import SearchService
    from desktop_app.engine.sentence_corrections import CorrectionService
    from desktop_app.engine.trace import TraceService
    from desktop_app.engine.training import TrainingService
    from desktop_app.engine.watched_folders import WatchedFolderService
    from desktop_app.engine.zotero import ZoteroService

T = TypeVar("T")

_NO_CHANGES = ChangeSet()
_DOCUMENTS_PER_STEP = 1000


class Workspace:
    """One library, its engine, and a service for each feature.

    Args:
        setup: the implementations that library, encoder and processes are opened with, when they are first needed.

    Attributes:
        engine: runs the jobs, and reports every change of the library.
        context: shared by the services.
    """

    def __init__(self, setup: EngineSetup) -> None:
        self.engine = Engine()
        self.context = context = EngineContext(self.engine, setup)
        self.engine.add_change_source(context.detect_device_failure)
        self.engine.at_exit(context.close)
        self.engine.at_rest(setup.release_memory)
        self.engine.start()

    # The workspace itself

    def open(self) -> Job[WorkspaceStatus]:
        """Open the library without loading an encoder, and find the documents that moved with it."""

        def steps() -> Steps[WorkspaceStatus]:
            yield from self.context.relocate_library()
            return self._status()

        return self.engine.submit("open", steps, lane=Lane.FRONT)

    def prepare(self) -> Job[WorkspaceStatus]:
        """Open the library and load its encoder, so that the first search is fast."""

        def steps() -> Steps[WorkspaceStatus]:
            self.context.open_library().maintenance.keep_index_loaded()
            yield Progress("opening")
            encoder = self.context.load_encoder()
            self._tune(encoder)
            if self.context.open_library().is_shared and self.context.setup.open_models is not None:
                self.models.share()
            return self._status()

        return self.engine.submit("prepare", steps, lane=Lane.FRONT)

    def status(self) -> Job[WorkspaceStatus]:
        """Return counts, model and device; loads no encoder."""
        return self.engine.submit("status", self._status, lane=Lane.FRONT, key="status", by_person=False)

    def poll(self) -> Job[None]:
        """Report what other sessions have changed in a shared library since the last call to every listener.

        The job fails with LibraryUnreachable while the server does not answer.
        """

        def steps() -> Steps[None]:
            changes = self.context.open_library().poll_changes()
            if changes != _NO_CHANGES:
                yield changes

        return self.engine.submit("poll", steps, lane=Lane.FRONT, by_person=False)

    @property
    def silence_s(self) -> float:
        """How long the server of a shared library has not answered what it was asked; 0 if nothing is pending."""
        library = self.context.opened_library
        return library.silence_s if library is not None else 0.0

    def device(self) -> Job[DeviceInfo]:
        """Return the device that the encoder computes on, or would once it is loaded."""
        return self.engine.submit("device", self.context.choose_device, lane=Lane.FRONT)

    def close(self, *, hurry: bool = False) -> None:
        """Cancel every job, write what is left, close files and processes, and wait for it.

        Args:
            hurry: leave to the next session what takes longer than some seconds: the program was asked to end.
        """
        self.context.is_hurried = hurry
        if "watched_folders" in self.__dict__:
            self.watched_folders.stop_listening()
        self.engine.stop()

    # The library itself

    def read(
        self, query: Callable[[Library], T], *, name: str = "read", key: str | None = None, by_person: bool = True
    ) -> Job[T]:
        """Run a short query of the library in the front lane.

        Args:
            query: called with the library on the engine's thread.
            name: of the job, for the log.
            key: an unfinished job with this key is cancelled: the latest wins.
            by_person: whether a person just asked for it; False for a window that refreshes what it shows.
        """
        return self.engine.submit(
            name, lambda: query(self.context.open_library()), lane=Lane.FRONT, key=key, by_person=by_person
        )

    def list_documents(self, first: int) -> tuple[Job[list[Document]], Job[list[Document]]]:
        """Return jobs for the first documents in order of id, which a window shows at once, and for all others.

        For a window that refreshes what it shows. Both are queued now: whatever is asked for later does not delay them.
        """
        after_id: list[int] = []

        def read_first(library: Library) -> list[Document]:
            page = library.documents.fetch(limit=first)
            after_id.extend(document.document_id for document in page[first - 1 :])
            return page

        def steps() -> Steps[list[Document]]:
            library = self.context.open_library()
            found: list[Document] = []
            while after_id:
                page = library.documents.fetch(after_id=after_id.pop(), limit=_DOCUMENTS_PER_STEP)
                after_id.extend(document.document_id for document in page[_DOCUMENTS_PER_STEP - 1 :])
                found += page
                yield None
            return found

        return (
            self.read(read_first, by_person=False),
            self.engine.submit("list documents", steps, lane=Lane.FRONT, by_person=False),
        )

    def read_documents(self, document_ids: Collection[int]) -> Job[list[Document]]:
        """Return the documents with these ids, in the order of the ids; those that have gone are left out.

        For a window that refreshes what it shows.
        """
        from desktop_app.core.scope import Scope

        scope = Scope(document_ids=frozenset(document_ids))
        return self.read(
            lambda library: library.documents.fetch(limit=max(len(document_ids), 1), scope=scope), by_person=False
        )

    def change(
        self,
        change: Callable[[Library], T],
        changes: ChangeSet = _NO_CHANGES,
        *,
        by_person: bool = True,
    ) -> Job[T]:
        """Change the library in the front lane, and report the change to every listener.

        Args:
            change: called with the library on the engine's thread; its result is the job's.
            changes: passed to every listener.
            by_person: as for `read`.
        """

        def steps() -> Steps[T]:
            result = change(self.context.open_library())
            if changes != _NO_CHANGES:
                yield changes
            return result

        return self.engine.submit("change", steps, lane=Lane.FRONT, by_person=by_person)

    # Features

    @cached_property
    def administration(self) -> AdministrationService:
        """Creates a shared library, gives rights in it, and describes it."""
        from desktop_app.engine.administration import AdministrationService

        return AdministrationService(self.context)

    @cached_property
    def library_copy(self) -> LibraryCopyService:
        """Copies the library to another place."""
        from desktop_app.engine.library_copy import LibraryCopyService

        return LibraryCopyService(self.context)

    @cached_property
    def search(self) -> SearchService:
        """Searches for sentences and documents."""
        from desktop_app.engine.search import SearchService

        return SearchService(self.context)

    @cached_property
    def reranking(self) -> RerankingService:
        """The best hits of a search in the order of a cross-encoder."""
        from desktop_app.engine.reranking import RerankingService

        return RerankingService(self.context)

    @cached_property
    def imports(self) -> ImportService:
        """Imports of files and folders."""
        from desktop_app.engine.importing import ImportService

        return ImportService(self.context)

    @cached_property
    def references(self) -> ReferenceService:
        """Lists of references, and the documents that they mean."""
        from desktop_app.engine.references import ReferenceService

        return ReferenceService(self.context)

    @cached_property
    def note_links(self) -> NoteLinkService:
        """Links between the notes of a vault."""
        from desktop_app.engine.note_links import NoteLinkService

        return NoteLinkService(self.context)

    @cached_property
    def import_forecast(self) -> ImportForecastService:
        """How long an import will take, and how much disk space it will need."""
        from desktop_app.engine.import_forecast import ImportForecastService

        return ImportForecastService(self.context)

    @cached_property
    def watched_folders(self) -> WatchedFolderService:
        """Folders that the library follows."""
        from desktop_app.engine.watched_folders import WatchedFolderService

        return WatchedFolderService(self.context)

    @cached_property
    def pages(self) -> PageService:
        """Documents as the reader shows them: page images, places on them, stored text."""
        from desktop_app.engine.pages import PageService

        return PageService(self.context)

    @cached_property
    def annotations(self) -> AnnotationService:
        """Highlights and notes on documents."""
        from desktop_app.engine.annotations import AnnotationService

        return AnnotationService(self.context)

    @cached_property
    def zotero(self) -> ZoteroService:
        """Libraries of Zotero."""
        from desktop_app.engine.zotero import ZoteroService

        return ZoteroService(self.context)

    @cached_property
    def corrections(self) -> CorrectionService:
        """Corrections of sentence boundaries."""
        from desktop_app.engine.sentence_corrections import CorrectionService

        return CorrectionService(self.context)

    @cached_property
    def clusters(self) -> ClusterService:
        """Clusters of sentences, the map and key sentences."""
        from desktop_app.engine.clusters import ClusterService

        return ClusterService(self.context)

    @cached_property
    def duplicates(self) -> DuplicateService:
        """The most similar pairs of sentences in the library."""
        from desktop_app.engine.duplicates import DuplicateService

        return DuplicateService(self.context)

    @cached_property
    def repeated_passages(self) -> RepeatedPassageService:
        """The passages of several sentences that occur in several places."""
        from desktop_app.engine.repeated_passages import RepeatedPassageService

        return RepeatedPassageService(self.context)

    @cached_property
    def comparison(self) -> ComparisonService:
        """Comparisons of sentences that need not be in the library."""
        from desktop_app.engine.compare import ComparisonService

        return ComparisonService(self.context)

    @cached_property
    def trace(self) -> TraceService:
        """The sources of a draft, and the differences between two documents."""
        from desktop_app.engine.trace import TraceService

        return TraceService(self.context)

    @cached_property
    def models(self) -> ModelService:
        """The models that a person has, and switching the library to another one."""
        from desktop_app.engine.models import ModelService

        return ModelService(self.context)

    @cached_property
    def model_comparison(self) -> ModelComparisonService:
        """Comparisons of what two models find."""
        from desktop_app.engine.model_comparison import ModelComparisonService

        return ModelComparisonService(self.context)

    @cached_property
    def training(self) -> TrainingService:
        """Fine-tuning of models."""
        from desktop_app.engine.training import TrainingService

        return TrainingService(self.context)

    @cached_property
    def evaluation(self) -> EvaluationService:
        """Scores of models on labelled data."""
        from desktop_app.engine.evaluation import EvaluationService

        return EvaluationService(self.context)

    @cached_property
    def export(self) -> ExportService:
        """Exports of the library and of search results to files."""
        from desktop_app.engine.export import ExportService

        return ExportService(self.context)

    @cached_property
    def maintenance(self) -> MaintenanceService:
        """Statistics, checks, backup and maintenance of the index."""
        from desktop_app.engine.maintenance import MaintenanceService

        return MaintenanceService(self.context)

    # On the engine's thread

    def _status(self) -> WorkspaceStatus:
        from desktop_app.engine.requests import WorkspaceStatus

        encoder = self.context.loaded_encoder
        library = self.context.open_library()
        info = library.info()
        return WorkspaceStatus(
            info,
            encoder.model if encoder else info.model,
            encoder.device if encoder else None,
            tuple(library.list_importers()),
        )

    def _tune(self, encoder: Encoder) -> Job[None]:
        """Tune the encoder in the background and search once, pausing while a person types."""

        def steps() -> Steps[None]:
            from desktop_app.engine.embedding import tune_encoder

            for part in (tune_encoder(encoder), self.search.warm_up()):
                for step in part:
                    yield step
                    while self.engine.is_user_active():
                        yield WAITING

        return self.engine.submit("tune", steps, key="tune")
