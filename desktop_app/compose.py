"""Settings to library, encoder, reader and engine: the only file that names who keeps the promises of the ports.

Nothing heavy is imported before it is needed: torch, SQLAlchemy and hnswlib come in on the engine's thread, after
the window is painted.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import ModelMismatch, ModelMissing, NotFound
from desktop_app.core.formats import is_supported
from desktop_app.core.ocr import OcrChoice
from desktop_app.encoder import load_torch_dll_before_qt as load_torch_dll_before_qt
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.ports import ApproximateProducts, Encoder, PageSource, PairScorer, ProcessTask, Reader
    from desktop_app.core.reader_events import ReaderLimits
    from desktop_app.core.records import BackupInfo, DeviceInfo, ModelInfo
    from desktop_app.core.settings import LaunchOptions, Settings
    from desktop_app.encoder.models.registry import ModelRegistry


def open_workspace(launch: LaunchOptions) -> Workspace:
    """Return a workspace on the library that `launch` names; library, encoder and reader open when needed."""

    def open_library() -> Library:
        from desktop_app.store.library import LocalLibrary

        if launch.settings.low_priority:
            from desktop_app.core.child_process import lower_priority

            lower_priority()  # the engine's thread, before it begins any other
        return LocalLibrary.open(launch.library, writable=launch.writable, create=launch.create)

    def load_encoder(bound: ModelInfo | None) -> Encoder:
        return load_model(_model_folder(launch, bound))

    def load_model(folder: Path) -> Encoder:
        from desktop_app.encoder.siamese import SiameseEncoder

        settings = launch.settings
        return SiameseEncoder(
            folder,
            device=settings.device,
            precision=settings.precision,
            threads=_threads(settings),
            memory=_measured(launch),
        )

    def try_model(folder: Path) -> Encoder:
        from desktop_app.encoder.models.download import TRIAL_TEXTS, translate_model_errors

        encoder = load_model(folder)
        with translate_model_errors(folder, "embed a sentence"):
            encoder.encode(TRIAL_TEXTS)
        return encoder

    def restore_backup(file: Path, folder: Path) -> Steps[BackupInfo]:
        from desktop_app.store import backup

        return backup.restore_backup(file, folder)

    def limits() -> ReaderLimits:
        from desktop_app.core.reader_events import ReaderLimits

        settings = launch.settings
        return ReaderLimits(silence_s=settings.reader_timeout_s, memory_bytes=settings.reader_memory_mb * 1_000_000)

    def start_reader() -> Reader:
        from desktop_app.text.reader_process import ProcessReader

        return ProcessReader(limits())

    def start_pages() -> PageSource:
        # A process beside the reader's: nobody who turns a page waits for an import.
        from desktop_app.text.page_process import PageProcess

        return PageProcess(limits())

    def start_task(task: str, request: object) -> ProcessTask:
        from desktop_app.core.evaluation import EvaluationRequest
        from desktop_app.core.training import TrainingRequest
        from desktop_app.encoder.training_process import WorkProcess

        if isinstance(request, EvaluationRequest | TrainingRequest):
            settings = launch.settings
            request = replace(
                request,
                model=str(_shelf(launch).find(request.model) if request.model else _model_folder(launch, None)),
                device=settings.device,
                precision=settings.precision,
                threads=settings.threads,
            )
        if isinstance(request, EvaluationRequest) and request.reranker:
            request = replace(request, reranker=str(_shelf(launch).find(request.reranker)))
        return WorkProcess(task, request)

    def load_scorer(model: str) -> PairScorer:
        from desktop_app.encoder.cross_encoder import CrossEncoder

        return CrossEncoder(_shelf(launch).find(model), launch.settings.precision, launch.settings.threads)

    def make_fast_products(vectors: NDArray[np.float32]) -> ApproximateProducts | None:
        from desktop_app.encoder.inference import fast_dot_products

        return fast_dot_products.make_fast_dot_products(vectors)

    return Workspace(
        EngineSetup(
            open_library=open_library,
            load_encoder=load_encoder,
            start_reader=start_reader,
            is_supported=lambda path: is_supported(Path(path)),
            choose_device=lambda bound: choose_device(launch, bound),
            start_pages=start_pages,
            start_task=start_task,
            open_models=lambda: _shelf(launch),
            load_model=try_model,
            load_scorer=load_scorer,
            restore_backup=restore_backup,
            make_fast_products=make_fast_products,
            ocr=OcrChoice(launch.settings.ocr, launch.settings.ocr_languages),
            rates_file=launch.cache / "imports.json" if launch.cache is not None else None,
            scores_file=launch.models / "scores.jsonl" if launch.models is not None else None,
        )
    )


def _threads(settings: Settings) -> int:
    """Return how many threads compute: half of them where other programs go first; 0: as many as there are cores."""
    from desktop_app.encoder.cpu_cores import default_threads

    if not settings.low_priority:
        return settings.threads
    return max(1, (settings.threads or default_threads()) // 2)


def choose_device(launch: LaunchOptions, bound: ModelInfo | None = None) -> DeviceInfo:
    """Return what an encoder would compute on, without loading one: that of a library bound to a model, or any."""
    from desktop_app.encoder.device import choose_device as choose
    from desktop_app.encoder.inference.precision import default_precision_choice, load_precision_choice

    settings = launch.settings
    if launch.model:
        _model_folder(launch, bound)  # one that is nowhere, or not the library's, is said here too
    device = choose(settings.device, settings.precision, _threads(settings))
    if settings.precision != "auto":
        return device
    known = load_precision_choice(_measured(launch), bound.fingerprint, device.device) if bound is not None else None
    return (known or default_precision_choice(device)).apply_to(device)


def _measured(launch: LaunchOptions) -> Path | None:
    """Return the file of what was measured on this machine."""
    return launch.cache / "precision.json" if launch.cache is not None else None


def _shelf(launch: LaunchOptions) -> ModelRegistry:
    """Return the models that the person has."""
    from desktop_app.encoder.models.registry import ModelRegistry

    return ModelRegistry(launch.models if launch.models is not None else launch.library / "models")


def _model_folder(launch: LaunchOptions, bound: ModelInfo | None) -> Path:
    """Return the encoder's folder: the one asked for, else the library's, else that of the settings.

    Raises:
        ModelMismatch: the one asked for is not the library's.
        ModelMissing: the library's own is nowhere.
    """
    from desktop_app.encoder.checkpoint import read_model_info

    shelf = _shelf(launch)
    if launch.model:
        folder = shelf.find(launch.model)
        if bound is not None and (asked := read_model_info(folder)).fingerprint != bound.fingerprint:
            raise ModelMismatch(
                "This library uses the model {name}, not {asked_name}",
                "Omit --model, or switch the library with `models use {model}`.",
                name=bound.name,
                asked_name=asked.name,
                model=launch.model,
            )
        return folder
    if bound is None:
        bound = _model_of_library(launch)
    if bound is None:
        return shelf.find(launch.settings.model)
    for place in (shelf.find(""), Path(bound.folder), shelf.with_fingerprint(bound.fingerprint)):
        if place is not None and place.is_dir() and read_model_info(place).fingerprint == bound.fingerprint:
            return place
    raise ModelMissing(
        "The model of this library, {name}, is no longer in {folder}",
        "Restore its folder, or name it with --model.",
        name=bound.name,
        folder=bound.folder,
    )


def _model_of_library(launch: LaunchOptions) -> ModelInfo | None:
    """Return the model of a library that nobody has opened, None where there is no library."""
    from desktop_app.store.library import LocalLibrary

    try:
        library = LocalLibrary.open(launch.library, writable=False, create=False)
    except NotFound:
        return None
    try:
        return library.models.current
    finally:
        library.close()
