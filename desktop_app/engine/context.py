"""The context that all services share: engine, library, encoder, and everything else that is opened on first use.

`EngineSetup` holds the implementations and files that the program passes in. `EngineContext` opens library, encoder and
processes when the first job needs them, on the engine's thread, and only that thread uses them. numpy and the analyses
are imported then too, so that they do not delay the window's first frame.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from desktop_app.core.errors import AppError, FileFailure, ModelMismatch
from desktop_app.core.jobs import WAITING, ChangeSet, Steps, Waiting
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.ocr import OcrChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.ports import (
        ApproximateProducts,
        Encoder,
        ModelCatalogue,
        PageSource,
        PairScorer,
        PendingAnswer,
        ProcessTask,
        Reader,
        RowsToCompare,
        SharedAdministration,
    )
    from desktop_app.core.records import BackupInfo, DeviceInfo, ModelInfo
    from desktop_app.core.shared_address import SharedLogin
    from desktop_app.engine.calibration import Calibrator
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.model_loading import OtherModel
    from desktop_app.engine.neighbour_graph import NeighbourGraphCache
    from desktop_app.engine.query_vectors import QueryVectors

log = logging.getLogger(__name__)

_MAX_PRIORITIZED = 50
_NO_CHANGES = ChangeSet()
_BUILD_POLL_S = 0.01  # how long closing waits before it looks again at a process that builds a segment
_LAST_WORK_S = 2.0  # how long closing erases what was removed if a person or the system asked the program to end

P = ParamSpec("P")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSetup:
    """The implementations, files and settings that a workspace works with.

    Attributes:
        open_library: opens the library; called on the engine's thread.
        load_encoder: loads the encoder of a library (None: of a library that has none yet), or the one that the
            person asked for.
        start_reader: makes a reader.
        is_supported: whether a file inside a folder is imported.
        choose_device: returns the device that the encoder of a library (None: that has none yet) would compute on,
            without loading it.
        check_model: refuses the model that the person asked for if it is not this one, the library's; None if no model
            was asked for.
        start_pages: makes the source of page images; None where pages are not shown.
        start_task: starts a named task in a process of its own; None where nothing is trained or evaluated.
        open_models: opens the list of models; None where only the library's own is available.
        load_model: loads the encoder in a folder.
        load_scorer: loads a model that scores pairs, by name or folder; None where hits are not reranked.
        restore_backup: makes a library (folder) from a backup (file); None where backups are not restored.
        open_other: opens another library for writing, and creates a missing folder; None where there is none.
        login: how to sign in to the library, if it is a shared one.
        open_administration: returns how the shared library of a login is administered; None where there are none.
        make_fast_products: returns a faster way to multiply vectors float32 [n, dim] with one another, or None.
        make_rows_to_compare: returns a faster way to multiply few vectors float32 [m, dim] with many, or None.
        split_sentences: cuts what a person wrote on a document into sentences; by default at line ends.
        ocr: how pages without text are treated, until it is changed.
        release_memory: releases what was only needed to load an encoder; called when there is nothing to do.
        temporary_folder: where large results are kept that need not stay in memory; None: they stay there.
        rates_file: where the speed of imports on this machine is kept; None: it is not kept.
        scores_file: where the scores of models are kept; None: they are not kept.
        trained_folder: where the window trains models; None: nowhere.
    """

    open_library: Callable[[], Library]
    load_encoder: Callable[[ModelInfo | None], Encoder]
    start_reader: Callable[[], Reader]
    is_supported: Callable[[str], bool]
    choose_device: Callable[[ModelInfo | None], DeviceInfo]
    check_model: Callable[[ModelInfo], None] | None = None
    start_pages: Callable[[], PageSource] | None = None
    start_task: Callable[[str, object], ProcessTask] | None = None
    open_models: Callable[[], ModelCatalogue] | None = None
    load_model: Callable[[Path], Encoder] | None = None
    load_scorer: Callable[[str], PairScorer] | None = None
    restore_backup: Callable[[Path, Path], Steps[BackupInfo]] | None = None
    open_other: Callable[[LibraryPlace], Library] | None = None
    login: SharedLogin | None = None
    open_administration: Callable[[SharedLogin], SharedAdministration] | None = None
    make_fast_products: Callable[[NDArray[np.float32]], ApproximateProducts | None] | None = None
    make_rows_to_compare: Callable[[NDArray[np.float32]], RowsToCompare | None] | None = None
    split_sentences: Callable[[str], Iterable[str]] = str.splitlines
    ocr: OcrChoice = field(default_factory=OcrChoice)
    release_memory: Callable[[], None] = lambda: None
    temporary_folder: Path | None = None
    rates_file: Path | None = None
    scores_file: Path | None = None
    trained_folder: Path | None = None


class EngineContext:
    """The engine, its setup, and what is opened with it.

    Attributes:
        engine: runs the jobs.
        setup: the implementations that everything is opened with.
        ocr: how pages without text are treated, from the next import on.
        prioritized: ids of documents that a person opened while they waited to be imported; any thread may add to it.
        training_models: names or folders of the models that trainings start from, while these run.
        page_source: reads pages for display; one request at a time.
        opened_library: the library; None until it is open.
        loaded_encoder: embeds queries and imports; None until it is loaded.
        is_hurried: whether closing leaves what takes longer than a moment to the next session that writes.
    """

    def __init__(self, engine: Engine, setup: EngineSetup) -> None:
        self.engine = engine
        self.setup = setup
        self.ocr = setup.ocr
        self.prioritized: deque[int] = deque(maxlen=_MAX_PRIORITIZED)
        self.training_models: list[str] = []
        self.page_source = SharedPageSource(setup.start_pages)
        self.opened_library: Library | None = None
        self.loaded_encoder: Encoder | None = None
        self.is_hurried = False
        self._reader: Reader | None = None
        self._is_relocated = False
        self._reported_failure = NOTHING

    @property
    def device_failure(self) -> Message:
        """Why a graphics processor has failed; empty if none has. Safe to read on any thread."""
        encoder = self.loaded_encoder
        return encoder.device.failure if encoder is not None else NOTHING

    # On the engine's thread

    def open_library(self) -> Library:
        """Return the library, opening it first if need be."""
        if self.opened_library is None:
            self.opened_library = self.setup.open_library()
        return self.opened_library

    def open_library_for_vectors(self) -> Library:
        """Return the library to answer from its own vectors, without the encoder.

        Raises:
            ModelMismatch: the person asked for another model than the library's.
        """
        library = self.open_library()
        if self.setup.check_model is not None and library.models.current is not None:
            self.setup.check_model(library.models.current)
        return library

    def relocate_library(self) -> Steps[None]:
        """Find the documents that moved with the library, once; does nothing if the library has not moved."""
        library = self.open_library()
        if not self._is_relocated:
            from desktop_app.engine.relocation import relocate_library

            try:
                yield from relocate_library(library)
            except AppError as error:
                log.warning("the location of the library could not be saved: %s", error)  # it can still be searched
            self._is_relocated = True

    def load_encoder(self) -> Encoder:
        """Return the encoder: the library's if one is open, else the one that the person asked for."""
        if self.loaded_encoder is None:
            load = attach_foreground_gate(self.setup.load_encoder, self.engine.foreground_gate)
            self.loaded_encoder = load(self.opened_library.models.current if self.opened_library else None)
        return self.loaded_encoder

    def library_encoder(self) -> Encoder:
        """Return the encoder that the library's vectors come from.

        If another session has switched the library to another model, it is loaded: one of a shared library, or the one
        that writes a library which this one only reads.

        Raises:
            ModelMismatch: the person asked for another one.
            ModelMissing: this computer does not have it.
        """
        library, encoder = self.open_library(), self.load_encoder()
        own = library.models.current
        may_be_switched = library.is_shared or not library.writable
        if own is not None and own.fingerprint != encoder.model.fingerprint and may_be_switched:
            self.loaded_encoder = None
            encoder = self.load_encoder()
        if own is not None and own.fingerprint != encoder.model.fingerprint:
            raise ModelMismatch(
                "This library uses the model {name}, not {model_name}",
                "Omit --model, or switch the library with `models use {model_name}`.",
                name=own.name,
                model_name=encoder.model.name,
            )
        return encoder

    def load_model(self, folder: Path) -> Encoder:
        """Return the encoder in a folder; any thread may load it."""
        assert self.setup.load_model is not None, "this workspace loads no other models"
        return attach_foreground_gate(self.setup.load_model, self.engine.foreground_gate)(folder)

    def choose_device(self) -> DeviceInfo:
        """Return the device that the encoder computes on, or would once it is loaded."""
        if self.loaded_encoder is not None:
            return self.loaded_encoder.device
        return self.setup.choose_device(self.opened_library.models.current if self.opened_library else None)

    def open_reader(self) -> Reader:
        """Return the reader of imports, starting it first if need be."""
        if self._reader is None:
            self._reader = self.setup.start_reader()
        return self._reader

    @cached_property
    def other_model(self) -> OtherModel:
        """A model other than the library's own."""
        from desktop_app.engine.model_loading import OtherModel

        return OtherModel(self.setup.open_models, self.load_model)

    @cached_property
    def query_vectors(self) -> QueryVectors:
        """The vectors of the latest queries."""
        from desktop_app.engine.query_vectors import QueryVectors

        return QueryVectors()

    @cached_property
    def neighbour_graphs(self) -> NeighbourGraphCache:
        """The library's neighbour graph, and the latest part of it."""
        from desktop_app.engine.neighbour_graph import NeighbourGraphCache

        setup = self.setup
        graphs = NeighbourGraphCache(
            setup.make_fast_products, setup.make_rows_to_compare, folder=setup.temporary_folder
        )
        self.engine.at_rest(graphs.release_memory)
        return graphs

    @cached_property
    def calibrator(self) -> Calibrator:
        """Calibrates the cosines of this library."""
        from desktop_app.engine.calibration import Calibrator

        return Calibrator(self._schedule_calibration)

    def calibration(self) -> Calibration | None:
        """Return the calibration of cosines in this library; None while it is too small for one."""
        return self.calibrator.calibration_of(self.open_library(), self.open_library().count_searchable())

    def _schedule_calibration(self) -> Job[None] | None:
        """Calibrate again once the person has stopped typing: during an import the library grows all the time."""

        def steps() -> Steps[None]:
            while self.engine.is_user_active():
                yield WAITING
            self.calibrator.recalibrate(self.open_library())

        return None if self.engine.has_job("calibrate") else self.engine.submit("calibrate", steps)

    def detect_device_failure(self) -> ChangeSet:
        """Report a failure of the encoder's device as a change, once."""
        failure = self.device_failure
        if failure == self._reported_failure:
            return _NO_CHANGES
        self._reported_failure = failure
        return ChangeSet(encoder=True)

    def close(self) -> None:
        """Close the library and end the threads and processes that were started."""
        self.page_source.close()
        if "query_vectors" in self.__dict__:
            self.query_vectors.close()
        if self._reader is not None:
            self._reader.close()
        library = self.opened_library
        if library is not None:
            try:
                until = time.monotonic() + _LAST_WORK_S if self.is_hurried else math.inf
                for step in library.maintenance.tidy_up() if library.writable else ():
                    if time.monotonic() > until:
                        break  # the next session that writes continues
                    if isinstance(step, Waiting):
                        time.sleep(_BUILD_POLL_S)
            finally:
                library.close()


def attach_foreground_gate(load: Callable[P, Encoder], foreground_gate: ForegroundGate) -> Callable[P, Encoder]:
    """Return a loader of encoders that pause while a person waits for an answer."""

    def loaded(*arguments: P.args, **named: P.kwargs) -> Encoder:
        encoder = load(*arguments, **named)
        encoder.set_foreground_gate(foreground_gate)
        return encoder

    return loaded


class SharedPageSource:
    """Starts the source of pages at the first request, and sends it one request at a time.

    Args:
        start: makes the source; None where pages cannot be shown.

    Attributes:
        passwords: tried on locked files, the newest first, until the program ends. They are stored nowhere.
    """

    def __init__(self, start: Callable[[], PageSource] | None) -> None:
        self._start = start
        self._source: PageSource | None = None
        self._pending: PendingAnswer[object] | None = None
        self.passwords: tuple[str, ...] = ()

    def remember_passwords(self, passwords: Iterable[str]) -> None:
        """Try these passwords on locked files before the others."""
        self.passwords = tuple(dict.fromkeys([*passwords, *self.passwords]))

    def ask(self, ask: Callable[[PageSource], PendingAnswer[T]]) -> Steps[T]:
        """Wait until the source is free, send it a request, and return its answer.

        Raises:
            FileFailure: pages cannot be shown here.
        """
        while self._pending is not None:
            yield WAITING
        if self._source is None:
            if self._start is None:
                raise FileFailure("unreadable", "Pages cannot be shown here")
            self._source = self._start()
        pending = self._pending = ask(self._source)
        try:
            while (answer := pending.poll()) is None:
                yield None if pending.has_partial_answer else WAITING
            return answer
        finally:
            pending.abandon()
            self._pending = None

    def find_ocr(self) -> Steps[OcrEngine | None]:
        """Return the Tesseract that is installed; None where there is none."""
        if self._source is None and self._start is None:
            return None
        (found,) = yield from self.ask(lambda source: source.find_ocr())
        return found

    def close(self) -> None:
        """End the process."""
        if self._source is not None:
            self._source.close()
