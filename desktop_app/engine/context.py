"""What the services share: library, encoder and reader, each opened when the first job needs it.

Library, encoder and reader are opened when the first job needs them, on the engine's thread, which alone touches
them; what numpy and the analyses bring is imported then too, so that nothing of it stands before the window's first
frame. A part is made when it is first asked for.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, ParamSpec

from desktop_app.core.errors import AppError, ModelMismatch
from desktop_app.core.jobs import WAITING, ChangeSet, Progress, Steps, Waiting
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.ocr import make_missing_error as ocr_missing
from desktop_app.core.scope import Scope
from desktop_app.engine.pages import PageService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.ports import (
        ApproximateProducts,
        Encoder,
        ModelCatalogue,
        PageSource,
        PairScorer,
        ProcessTask,
        Reader,
    )
    from desktop_app.core.records import BackupInfo, DeviceInfo, Hit, ModelInfo
    from desktop_app.engine.calibration import Calibrator
    from desktop_app.engine.collections import CollectionService
    from desktop_app.engine.compare import ComparisonService, ExplanationService
    from desktop_app.engine.corrections import CorrectionService
    from desktop_app.engine.duplicates import DuplicateService
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.evaluation import EvaluationService
    from desktop_app.engine.import_forecast import ImportForecastService
    from desktop_app.engine.importing import Importer
    from desktop_app.engine.maintenance import MaintenanceService
    from desktop_app.engine.model_comparison import ModelComparisonService
    from desktop_app.engine.models import ModelService
    from desktop_app.engine.other_model import OtherModel
    from desktop_app.engine.pair_labels import PairLabelService
    from desktop_app.engine.query_vectors import QueryVectors
    from desktop_app.engine.requests import ImportReport, ImportRequest, SearchRequest, SearchResult
    from desktop_app.engine.reranking import RerankingService
    from desktop_app.engine.search import Searcher
    from desktop_app.engine.search_statistics import SearchStatisticsService
    from desktop_app.engine.trace import TraceService
    from desktop_app.engine.training import TrainingService
    from desktop_app.engine.user_data import UserDataService
    from desktop_app.engine.watched_folders import WatchedFolderService

log = logging.getLogger(__name__)

_MAX_PRIORITIZED = 50
_MEASURED_DOCUMENTS = 50  # documents of an import
_CACHE_VISIBILITY = "survey"
_NO_CHANGES = ChangeSet()
_BUILD_POLL_S = 0.01  # how long the end waits before it looks again at a process that builds a segment

P = ParamSpec("P")


class EngineContext:
    """Library, encoder, reader, and what is done with them.

    Args:
        engine: runs the jobs; `close` stops it.
        open_library: opens the library; called on the engine's thread.
        load_encoder: loads the encoder of a library (None: of none yet), or the one that was asked for.
        start_reader: makes the reader.
        is_supported: which files inside folders are taken.
        choose_device: says what the encoder of a library (None: of none yet) would compute on, without loading one.
        start_pages: makes the source of pages to look at; None where none are shown.
        start_work: begins a task in a process of its own; None where nothing is trained or evaluated.
        model_source: opens the list of models; None where none but the library's own is to be had.
        load_model: loads the encoder in a folder.
        ocr: what is done about pages without text.
        memory: the file of what imports were like on this machine; None: nothing is remembered.
        restore: makes a library of a backup (file, folder); None where there is none to be made.
        load_scorer: loads what judges pairs, by name or folder; None where hits are not ordered anew.
        scores: the file in which scores of models are kept; None: they are not.
        quick_products: returns what multiplies vectors float32 [n, dim] with one another quicker than plainly, or None.

    Attributes:
        viewing: documents to look at.
        ocr: what is done about pages without text, from the next import on.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        load_encoder: Callable[[ModelInfo | None], Encoder],
        start_reader: Callable[[], Reader],
        is_supported: Callable[[str], bool],
        choose_device: Callable[[ModelInfo | None], DeviceInfo],
        start_pages: Callable[[], PageSource] | None = None,
        start_work: Callable[[str, object], ProcessTask] | None = None,
        model_source: Callable[[], ModelCatalogue] | None = None,
        load_model: Callable[[Path], Encoder] | None = None,
        ocr: OcrChoice | None = None,
        restore: Callable[[Path, Path], Steps[BackupInfo]] | None = None,
        memory: Path | None = None,
        load_scorer: Callable[[str], PairScorer] | None = None,
        scores: Path | None = None,
        quick_products: Callable[[NDArray[np.float32]], ApproximateProducts | None] | None = None,
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._load_encoder = attach_foreground_gate(load_encoder, engine.foreground_gate)
        self._start_reader = start_reader
        self._is_supported = is_supported
        self._choose_device = choose_device
        self._library: Library | None = None
        self._encoder: Encoder | None = None
        self._reader: Reader | None = None
        self._start_work = start_work
        self._model_source = model_source
        self._load_model = (
            attach_foreground_gate(load_model, engine.foreground_gate) if load_model is not None else None
        )
        self._restore = restore
        self._memory = memory
        self._first: deque[int] = deque(maxlen=_MAX_PRIORITIZED)  # documents that a person opened while they waited
        self._load_scorer = load_scorer
        self._scores = scores
        self._quick_products = quick_products
        self._is_settled = False
        self._endings: list[Callable[[], None]] = []
        self.ocr = ocr or OcrChoice()
        self.viewing = PageService(engine, self._open, start_pages)
        self._told_failure = ""
        engine.watch(self._detect_device_change)
        engine.at_exit(self._close)
        engine.start()

    # What it can do beside; each is made when it is first asked for

    @cached_property
    def maintenance(self) -> MaintenanceService:
        """Statistics of the library."""
        from desktop_app.engine.maintenance import MaintenanceService

        return MaintenanceService(self._engine, self._open, self._restore)

    @cached_property
    def collecting(self) -> CollectionService:
        """Documents that belong together."""
        from desktop_app.engine.collections import CollectionService

        return CollectionService(self._engine, self._open)

    @cached_property
    def import_forecast(self) -> ImportForecastService:
        """What imports will take."""
        from desktop_app.engine.import_forecast import ImportForecastService

        return ImportForecastService(self._engine, self._open, self._is_supported, self._memory)

    @cached_property
    def following(self) -> WatchedFolderService:
        """Watched folders."""
        from desktop_app.engine.watched_folders import WatchedFolderService

        following = WatchedFolderService(self._engine, self._open, self._take_in)
        self._endings.append(following.end)
        return following

    @cached_property
    def correcting(self) -> CorrectionService:
        """Sentences that were cut wrongly."""
        from desktop_app.engine.corrections import CorrectionService

        return CorrectionService(self._engine, self._open, self._library_encoder)

    @cached_property
    def comparing(self) -> ComparisonService:
        """Sentences that are in no library."""
        from desktop_app.engine.compare import ComparisonService

        return ComparisonService(self._engine, self._ready_encoder, self._other_model)

    @cached_property
    def user_data(self) -> UserDataService:
        """What a person keeps beside the documents."""
        from desktop_app.engine.user_data import UserDataService

        return UserDataService(self._engine, self._open)

    @cached_property
    def finding(self) -> SearchStatisticsService:
        """The hits of a search as a whole."""
        from desktop_app.engine.search_statistics import SearchStatisticsService

        return SearchStatisticsService(
            self._engine, self._open, lambda request: self._make_searcher(request).sentences(), self._rows
        )

    @cached_property
    def judging(self) -> EvaluationService:
        """How good models are."""
        from desktop_app.engine.evaluation import EvaluationService

        return EvaluationService(self._engine, self._start_work, self._open, self._scores)

    @cached_property
    def duplicates(self) -> DuplicateService:
        """What the library says as a whole."""
        from desktop_app.engine.duplicates import DuplicateService

        return DuplicateService(
            self._engine, self._open, self._calibrating, self._start_work, self._query_vector, self._quick_products
        )

    @cached_property
    def explaining(self) -> ExplanationService:
        """Why two sentences are as alike as they are."""
        from desktop_app.engine.compare import ExplanationService

        return ExplanationService(self._engine, self._ready_encoder, self._open, self._percentile, self._other_model)

    @cached_property
    def marking(self) -> PairLabelService:
        """What persons say of pairs of sentences."""
        from desktop_app.engine.pair_labels import PairLabelService

        return PairLabelService(self._engine, self._open)

    @cached_property
    def tracing(self) -> TraceService:
        """Two texts beside each other."""
        from desktop_app.engine.trace import TraceService

        return TraceService(self._engine, self._open, self._library_encoder, self._start_reader)

    @cached_property
    def models(self) -> ModelService:
        """Which models there are, and switching to another one."""
        from desktop_app.engine.models import ModelService

        return ModelService(self._engine, self._open, self._model_source, self._load_model, self._use)

    @cached_property
    def reranking(self) -> RerankingService:
        """Hits in a new order."""
        from desktop_app.engine.reranking import RerankingService

        assert self._load_scorer is not None, "this workspace orders nothing anew"
        return RerankingService(self._engine, self._load_scorer)

    @cached_property
    def model_comparison(self) -> ModelComparisonService:
        """What another model would find."""
        from desktop_app.engine.model_comparison import ModelComparisonService

        return ModelComparisonService(self._engine, self._open, self._library_encoder, self._other_model)

    @cached_property
    def training(self) -> TrainingService:
        """Models that learn."""
        from desktop_app.engine.training import TrainingService

        return TrainingService(self._engine, self._start_work, self._open, self._library_encoder)

    # On the engine's thread

    @cached_property
    def _other_model(self) -> OtherModel:
        from desktop_app.engine.other_model import OtherModel

        return OtherModel(self._model_source, self._load_model)

    def _open(self) -> Library:
        if self._library is None:
            self._library = self._open_library()
        return self._library

    def _settle(self) -> Steps[None]:
        """Find the documents that moved with the library; does nothing where it lies where it lay."""
        library = self._open()
        if not self._is_settled:
            from desktop_app.engine.library_relocation import relocate_library

            try:
                yield from relocate_library(library)
            except AppError as error:
                log.warning("where the library lies could not be noted: %s", error)  # it can be searched all the same
            self._is_settled = True

    def _ready_encoder(self) -> Encoder:
        """Return the encoder: the library's if one is open, else the one that was asked for."""
        if self._encoder is None:
            self._encoder = self._load_encoder(self._library.model if self._library else None)
        return self._encoder

    @property
    def device_failure(self) -> str:
        """What a person is told where a graphics processor has failed; empty where none has. From any thread."""
        encoder = self._encoder
        return encoder.device.failure if encoder is not None else ""

    def _detect_device_change(self) -> ChangeSet:
        failure = self.device_failure
        if failure == self._told_failure:
            return _NO_CHANGES
        self._told_failure = failure
        return ChangeSet(encoder=True)

    def _use(self, encoder: Encoder) -> None:
        """Have queries and imports embedded by `encoder` from now on."""
        self._encoder = encoder

    def _library_encoder(self) -> Encoder:
        """Return the encoder that the library's vectors come from."""
        library, encoder = self._open(), self._ready_encoder()
        if library.model is not None and library.model.fingerprint != encoder.model.fingerprint:
            raise ModelMismatch(
                f"This library answers to the model {library.model.name}, not to {encoder.model.name}",
                f"Leave --model away, or switch the library with `models use {encoder.model.name}`.",
            )
        return encoder

    @cached_property
    def _query_vectors(self) -> QueryVectors:
        from desktop_app.engine.query_vectors import QueryVectors

        return QueryVectors()

    def _query_vector(self, text: str) -> NDArray[np.float32]:
        return self._query_vectors.of(self._library_encoder(), text)

    @cached_property
    def _calibrating(self) -> Calibrator:
        from desktop_app.engine.calibration import Calibrator

        return Calibrator(self._schedule_calibration)

    def _schedule_calibration(self) -> Job[None] | None:
        """Measure anew what a cosine means, once nobody types: while an import runs the library grows all the time."""

        def steps() -> Steps[None]:
            while self._engine.is_user_active:
                yield WAITING
            self._calibrating.recalibrate(self._open())

        return None if self._engine.has_job("calibrate") else self._engine.submit("calibrate", steps)

    def _schedule_visibility_cache(self) -> Job[None] | None:
        """Note anew what is in sight, once nobody types and nothing comes in: searches are quicker from then on."""

        def steps() -> Steps[None]:
            while self._engine.is_user_active or self._engine.has_other_job(_CACHE_VISIBILITY, "import"):
                yield WAITING
            yield from self._open().cache_visibility()

        is_due = not (self._open().is_visibility_cached or self._engine.has_job(_CACHE_VISIBILITY))
        return self._engine.submit(_CACHE_VISIBILITY, steps) if is_due else None

    def _calibration(self) -> Calibration | None:
        return self._calibrating.of(self._open(), self._open().info().searchable)

    def _rows(self, result: SearchResult, first: int, count: int) -> list[Hit]:
        from desktop_app.engine.calibration import add_percentiles
        from desktop_app.engine.hit_annotation import annotate_hits

        library, by_meaning = self._open(), result.mode != "words"
        hits = library.hits(result.found[first : first + count], first_rank=first + 1, scope=result.scope)
        hits = annotate_hits(library, hits, result.query, result.copies, by_meaning=by_meaning)
        return add_percentiles(hits, self._calibration()) if by_meaning else hits

    def _percentile(self, cosine: float) -> float | None:
        library = self._open()
        if library.model is None or library.model.fingerprint != self._ready_encoder().model.fingerprint:
            return None
        calibration = self._calibration()
        return calibration.percentile(cosine) if calibration is not None else None

    def _make_searcher(self, request: SearchRequest) -> Searcher:
        from desktop_app.engine.search import Searcher

        self._schedule_visibility_cache()
        return Searcher(self._open(), self._library_encoder, self._query_vectors, request, self._calibrating)

    def _take_in(self, request: ImportRequest) -> Steps[ImportReport]:
        if request.ocr:
            # Said before anything is read anew.
            found = yield from self.viewing.find_ocr()
            if found is None:
                raise ocr_missing()
            found.chosen(request.ocr)
        yield from self._settle()  # else what moved with the library would come in a second time
        report = yield from self._importer().run(request)
        newest = frozenset(file.document_id for file in report.imported[-_MEASURED_DOCUMENTS:])
        if newest:
            scope = Scope(document_ids=newest)
            self.import_forecast.learn(report, self._open().documents(limit=len(newest), scope=scope))
        if report.imported and not report.stopped:
            yield from self._run_maintenance(self._open().maintain())
        return report

    def _importer(self) -> Importer:
        from desktop_app.engine.importing import Importer

        if self._reader is None:
            self._reader = self._start_reader()
        return Importer(
            self._open(),
            self._library_encoder,
            self._reader,
            self._is_supported,
            lambda: self._engine.is_user_active,
            self.ocr.requested_languages if self.ocr.mode == "always" else "",
            first=self._first,
            is_asked=lambda: self._engine.foreground_gate.is_taken,
        )

    def _run_maintenance(self, steps: Iterator[object]) -> Steps[None]:
        for step in steps:
            yield WAITING if isinstance(step, Waiting) else Progress("indexing")
        yield ChangeSet(sentences=True)

    def _close(self) -> None:
        self.viewing.close()
        if "_query_vectors" in self.__dict__:
            self._query_vectors.close()
        if self._reader is not None:
            self._reader.close()
        if self._library is not None:
            try:
                # What was removed and can no longer be brought back does not outlive the program.
                for step in self._library.purge() if self._library.writable else ():
                    if isinstance(step, Waiting):
                        time.sleep(_BUILD_POLL_S)
            finally:
                self._library.close()


def attach_foreground_gate(load: Callable[P, Encoder], foreground_gate: ForegroundGate) -> Callable[P, Encoder]:
    """Return what loads encoders that stand still while a person waits for an answer."""

    def loaded(*arguments: P.args, **named: P.kwargs) -> Encoder:
        encoder = load(*arguments, **named)
        encoder.set_foreground_gate(foreground_gate)
        return encoder

    return loaded
