"""What a workspace is made of: library, encoder and reader, and the parts that do one thing with them.

Library, encoder and reader are opened when the first job needs them, on the engine's thread, which alone touches
them; what numpy and the analyses bring is imported then too, so that nothing of it stands before the window's first
frame. A part is made when it is first asked for.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError, ModelMismatch
from desktop_app.core.jobs import WAITING, ChangeSet, Progress, Steps, Waiting
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.ocr import missing as ocr_missing
from desktop_app.core.scope import Scope
from desktop_app.engine.heeding import heedful
from desktop_app.engine.viewing import Viewing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.core.jobs import Job
    from desktop_app.core.library_ports import Library
    from desktop_app.core.models import ModelSource
    from desktop_app.core.ports import Encoder, PageSource, PairScorer, Products, Reader, Work
    from desktop_app.core.records import BackupInfo, DeviceInfo, Hit, ModelInfo
    from desktop_app.engine.analysing import Analysing
    from desktop_app.engine.before_after import ModelComparison
    from desktop_app.engine.calibrating import Calibrating
    from desktop_app.engine.caring import Caring
    from desktop_app.engine.collecting import Collecting
    from desktop_app.engine.comparing import Comparing
    from desktop_app.engine.correcting import Correcting
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.explaining import Explaining
    from desktop_app.engine.finding import Finding
    from desktop_app.engine.fine_tuning import FineTuning
    from desktop_app.engine.following import Following
    from desktop_app.engine.forecasting import Forecasting
    from desktop_app.engine.importing import Importer
    from desktop_app.engine.judging import Judging
    from desktop_app.engine.keeping import Keeping
    from desktop_app.engine.marking import Marking
    from desktop_app.engine.modelling import Modelling
    from desktop_app.engine.other_model import OtherModel
    from desktop_app.engine.query_vectors import QueryVectors
    from desktop_app.engine.requests import ImportReport, ImportRequest, SearchRequest, SearchResult
    from desktop_app.engine.reranking import Reranking
    from desktop_app.engine.searching import Finder
    from desktop_app.engine.tracing import Tracing

log = logging.getLogger(__name__)

_MOST_HURRIED = 50
_LEARNED_FROM = 50  # documents of an import
_SURVEY = "survey"
_NOTHING = ChangeSet()
_REST_S = 0.01  # how long the end waits before it looks again at a process that builds a segment


class Parts:
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
        start_work: Callable[[str, object], Work] | None = None,
        model_source: Callable[[], ModelSource] | None = None,
        load_model: Callable[[Path], Encoder] | None = None,
        ocr: OcrChoice | None = None,
        restore: Callable[[Path, Path], Steps[BackupInfo]] | None = None,
        memory: Path | None = None,
        load_scorer: Callable[[str], PairScorer] | None = None,
        scores: Path | None = None,
        quick_products: Callable[[NDArray[np.float32]], Products | None] | None = None,
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._load_encoder = heedful(load_encoder, engine.right_of_way)
        self._start_reader = start_reader
        self._is_supported = is_supported
        self._choose_device = choose_device
        self._library: Library | None = None
        self._encoder: Encoder | None = None
        self._reader: Reader | None = None
        self._start_work = start_work
        self._model_source = model_source
        self._load_model = heedful(load_model, engine.right_of_way) if load_model is not None else None
        self._restore = restore
        self._memory = memory
        self._first: deque[int] = deque(maxlen=_MOST_HURRIED)  # documents that a person opened while they waited
        self._load_scorer = load_scorer
        self._scores = scores
        self._quick_products = quick_products
        self._is_settled = False
        self._endings: list[Callable[[], None]] = []
        self.ocr = ocr or OcrChoice()
        self.viewing = Viewing(engine, self._open, start_pages)
        self._told_failure = ""
        engine.watch(self._device_changes)
        engine.at_exit(self._close)
        engine.start()

    # What it can do beside; each is made when it is first asked for

    @cached_property
    def caring(self) -> Caring:
        """Statistics of the library."""
        from desktop_app.engine.caring import Caring

        return Caring(self._engine, self._open, self._restore)

    @cached_property
    def collecting(self) -> Collecting:
        """Documents that belong together."""
        from desktop_app.engine.collecting import Collecting

        return Collecting(self._engine, self._open)

    @cached_property
    def forecasting(self) -> Forecasting:
        """What imports will take."""
        from desktop_app.engine.forecasting import Forecasting

        return Forecasting(self._engine, self._open, self._is_supported, self._memory)

    @cached_property
    def following(self) -> Following:
        """Watched folders."""
        from desktop_app.engine.following import Following

        following = Following(self._engine, self._open, self._take_in)
        self._endings.append(following.end)
        return following

    @cached_property
    def correcting(self) -> Correcting:
        """Sentences that were cut wrongly."""
        from desktop_app.engine.correcting import Correcting

        return Correcting(self._engine, self._open, self._library_encoder)

    @cached_property
    def comparing(self) -> Comparing:
        """Sentences that are in no library."""
        from desktop_app.engine.comparing import Comparing

        return Comparing(self._engine, self._ready_encoder, self._other_model)

    @cached_property
    def keeping(self) -> Keeping:
        """What a person keeps beside the documents."""
        from desktop_app.engine.keeping import Keeping

        return Keeping(self._engine, self._open)

    @cached_property
    def finding(self) -> Finding:
        """The hits of a search as a whole."""
        from desktop_app.engine.finding import Finding

        return Finding(self._engine, self._open, lambda request: self._finder(request).sentences(), self._rows)

    @cached_property
    def judging(self) -> Judging:
        """How good models are."""
        from desktop_app.engine.judging import Judging

        return Judging(self._engine, self._start_work, self._open, self._scores)

    @cached_property
    def analysing(self) -> Analysing:
        """What the library says as a whole."""
        from desktop_app.engine.analysing import Analysing

        return Analysing(
            self._engine, self._open, self._calibrating, self._start_work, self._query_vector, self._quick_products
        )

    @cached_property
    def explaining(self) -> Explaining:
        """Why two sentences are as alike as they are."""
        from desktop_app.engine.explaining import Explaining

        return Explaining(self._engine, self._ready_encoder, self._open, self._percentile, self._other_model)

    @cached_property
    def marking(self) -> Marking:
        """What persons say of pairs of sentences."""
        from desktop_app.engine.marking import Marking

        return Marking(self._engine, self._open)

    @cached_property
    def tracing(self) -> Tracing:
        """Two texts beside each other."""
        from desktop_app.engine.tracing import Tracing

        return Tracing(self._engine, self._open, self._library_encoder, self._start_reader)

    @cached_property
    def modelling(self) -> Modelling:
        """Which models there are, and switching to another one."""
        from desktop_app.engine.modelling import Modelling

        return Modelling(self._engine, self._open, self._model_source, self._load_model, self._use)

    @cached_property
    def reranking(self) -> Reranking:
        """Hits in a new order."""
        from desktop_app.engine.reranking import Reranking

        assert self._load_scorer is not None, "this workspace orders nothing anew"
        return Reranking(self._engine, self._load_scorer)

    @cached_property
    def before_after(self) -> ModelComparison:
        """What another model would find."""
        from desktop_app.engine.before_after import ModelComparison

        return ModelComparison(self._engine, self._open, self._library_encoder, self._other_model)

    @cached_property
    def fine_tuning(self) -> FineTuning:
        """Models that learn."""
        from desktop_app.engine.fine_tuning import FineTuning

        return FineTuning(self._engine, self._start_work, self._open, self._library_encoder)

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
            from desktop_app.engine.settling import settle

            try:
                yield from settle(library)
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

    def _device_changes(self) -> ChangeSet:
        failure = self.device_failure
        if failure == self._told_failure:
            return _NOTHING
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
    def _calibrating(self) -> Calibrating:
        from desktop_app.engine.calibrating import Calibrating

        return Calibrating(self._calibrate_later)

    def _calibrate_later(self) -> Job[None] | None:
        """Measure anew what a cosine means, once nobody types: while an import runs the library grows all the time."""

        def steps() -> Steps[None]:
            while self._engine.someone_waits:
                yield WAITING
            self._calibrating.renew(self._open())

        return None if self._engine.has_work("calibrate") else self._engine.submit("calibrate", steps)

    def _survey_later(self) -> Job[None] | None:
        """Note anew what is in sight, once nobody types and nothing comes in: searches are quicker from then on."""

        def steps() -> Steps[None]:
            while self._engine.someone_waits or self._engine.has_other_work(_SURVEY, "import"):
                yield WAITING
            yield from self._open().survey()

        is_due = not (self._open().is_surveyed or self._engine.has_work(_SURVEY))
        return self._engine.submit(_SURVEY, steps) if is_due else None

    def _calibration(self) -> Calibration | None:
        return self._calibrating.of(self._open(), self._open().info().searchable)

    def _rows(self, result: SearchResult, first: int, count: int) -> list[Hit]:
        from desktop_app.engine.calibrating import placed
        from desktop_app.engine.refining import told

        library, by_meaning = self._open(), result.mode != "words"
        hits = library.hits(result.found[first : first + count], first_rank=first + 1, scope=result.scope)
        hits = told(library, hits, result.query, result.copies, by_meaning=by_meaning)
        return placed(hits, self._calibration()) if by_meaning else hits

    def _percentile(self, cosine: float) -> float | None:
        library = self._open()
        if library.model is None or library.model.fingerprint != self._ready_encoder().model.fingerprint:
            return None
        calibration = self._calibration()
        return calibration.percentile(cosine) if calibration is not None else None

    def _finder(self, request: SearchRequest) -> Finder:
        from desktop_app.engine.searching import Finder

        self._survey_later()
        return Finder(self._open(), self._library_encoder, self._query_vectors, request, self._calibrating)

    def _take_in(self, request: ImportRequest) -> Steps[ImportReport]:
        if request.ocr:
            # Said before anything is read anew.
            found = yield from self.viewing.find_ocr()
            if found is None:
                raise ocr_missing()
            found.chosen(request.ocr)
        yield from self._settle()  # else what moved with the library would come in a second time
        report = yield from self._importer().run(request)
        newest = frozenset(file.document_id for file in report.imported[-_LEARNED_FROM:])
        if newest:
            scope = Scope(document_ids=newest)
            self.forecasting.learn(report, self._open().documents(limit=len(newest), scope=scope))
        if report.imported and not report.stopped:
            yield from self._care(self._open().maintain())
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
            lambda: self._engine.someone_waits,
            self.ocr.wished if self.ocr.mode == "always" else "",
            first=self._first,
            is_asked=lambda: self._engine.right_of_way.is_taken,
        )

    def _care(self, steps: Iterator[object]) -> Steps[None]:
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
                        time.sleep(_REST_S)
            finally:
                self._library.close()
