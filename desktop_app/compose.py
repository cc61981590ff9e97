"""Builds library, encoder, reader and engine from the settings: the only file that names the ports' implementations.

Heavy packages are imported when they are needed: torch, SQLAlchemy and hnswlib on the engine's thread, after the
window is painted.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from desktop_app.core.errors import LibraryBusy, LibraryReadOnly, ModelMismatch, ModelMissing, NotFound, PackageMissing
from desktop_app.core.formats import is_supported
from desktop_app.core.freed_memory import release_mapped_files
from desktop_app.core.models import MODEL_NOT_HERE
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.shared_address import SharedAddress, SharedLogin, library_roots
from desktop_app.encoder import load_torch_dll_before_qt as load_torch_dll_before_qt
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.ports import (
        ApproximateProducts,
        Encoder,
        PageSource,
        PairScorer,
        ProcessTask,
        Reader,
        RowsToCompare,
        SharedAdministration,
    )
    from desktop_app.core.reader_events import ReaderLimits
    from desktop_app.core.records import BackupInfo, DeviceInfo, ModelInfo
    from desktop_app.core.settings import LaunchOptions, Settings
    from desktop_app.encoder.models.registry import ModelRegistry


def open_workspace(launch: LaunchOptions) -> Workspace:
    """Return a workspace on the library that `launch` names; library, encoder and reader open when needed."""
    login = SharedLogin(launch.shared, launch.password) if launch.shared is not None else None

    def open_library() -> Library:
        from desktop_app.store.library import LocalLibrary

        if launch.settings.low_priority:
            from desktop_app.core.child_process import lower_priority

            lower_priority()  # in the engine's thread, before it starts others
        if login is not None:
            take_cancellation = workspace.engine.take_cancellation
            return _open_shared(launch, login, writable=launch.writable, take_cancellation=take_cancellation)
        if launch.create and not launch.writable:
            # Not kept open for writing: an assistant that only reads stays for hours, and the window could not open.
            with suppress(LibraryBusy):  # another process creates it
                LocalLibrary.open(launch.library).close()
        try:
            return LocalLibrary.open(launch.library, writable=launch.writable, create=launch.create)
        except LibraryReadOnly as error:
            if not launch.may_only_read:
                raise
            try:
                return LocalLibrary.open(launch.library, writable=False, create=False)
            except LibraryBusy:  # an older version has written it, and it cannot be upgraded
                raise error from None

    def open_other(place: LibraryPlace) -> Library:
        from desktop_app.store.library import LocalLibrary

        if isinstance(place, SharedAddress):
            return _open_shared(launch, SharedLogin(place), writable=True)
        return LocalLibrary.open(place, writable=True, create=True)

    def open_administration(login: SharedLogin) -> SharedAdministration:
        _check_driver()
        from desktop_app.shared_store.administration import ServerAdministration

        return ServerAdministration(login)

    mapped: set[Path] = set()

    def load_encoder(bound: ModelInfo | None) -> Encoder:
        # To find the folder, weights are hashed, which leaves the interpreter to others for a third of a second.
        Thread(target=_import_torch, name="torch").start()
        return load_model(_model_folder(launch, bound, login))

    def load_model(folder: Path) -> Encoder:
        from desktop_app.encoder.siamese import SiameseEncoder

        settings = launch.settings
        encoder = SiameseEncoder(
            folder,
            device=settings.device,
            precision=settings.precision,
            threads=_count_threads(settings),
            memory=_precision_file(launch),
        )
        mapped.update(encoder.mapped_files)
        return encoder

    def release_memory() -> None:
        """Release what was only needed to load encoders: weights are laid out in another way."""
        release_mapped_files(mapped)

    def try_model(folder: Path) -> Encoder:
        from desktop_app.encoder.models.download import TRIAL_TEXTS, translate_model_errors

        encoder = load_model(folder)
        with translate_model_errors(folder):
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
        # A process of its own: turning a page never waits for an import.
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
                model=str(_open_registry(launch).find(request.model) if request.model else _model_folder(launch, None)),
                device=settings.device,
                precision=settings.precision,
                threads=settings.threads,
            )
        if isinstance(request, EvaluationRequest) and request.reranker:
            request = replace(request, reranker=str(_open_registry(launch).find(request.reranker)))
        return WorkProcess(task, request)

    def load_scorer(model: str) -> PairScorer:
        from desktop_app.encoder.cross_encoder import CrossEncoder

        return CrossEncoder(_open_registry(launch).find(model), launch.settings.precision, launch.settings.threads)

    def make_fast_products(vectors: NDArray[np.float32]) -> ApproximateProducts | None:
        from desktop_app.encoder.inference import fast_dot_products

        return fast_dot_products.make_fast_dot_products(vectors)

    def make_rows_to_compare(own: NDArray[np.float32]) -> RowsToCompare | None:
        from desktop_app.encoder.inference import fast_dot_products

        return fast_dot_products.make_quantized_rows(own)

    def split_sentences(text: str) -> list[str]:
        from desktop_app.text import splitter

        return [" ".join(text[start:stop].split()) for start, stop in splitter.split_sentences(text)]

    workspace = Workspace(
        EngineSetup(
            open_library=open_library,
            load_encoder=load_encoder,
            start_reader=start_reader,
            is_supported=lambda path: is_supported(Path(path)),
            choose_device=lambda bound: choose_device(launch, bound),
            check_model=(lambda bound: _check_model(launch, bound)) if launch.model else None,
            start_pages=start_pages,
            start_task=start_task,
            open_models=lambda: _open_registry(launch),
            load_model=try_model,
            load_scorer=load_scorer,
            restore_backup=restore_backup,
            make_fast_products=make_fast_products,
            make_rows_to_compare=make_rows_to_compare,
            split_sentences=split_sentences,
            open_other=open_other,
            login=login,
            open_administration=open_administration,
            ocr=OcrChoice(launch.settings.ocr, launch.settings.ocr_languages),
            release_memory=release_memory,
            temporary_folder=launch.cache,
            rates_file=launch.cache / "imports.json" if launch.cache is not None else None,
            scores_file=launch.models / "scores.jsonl" if launch.models is not None else None,
            trained_folder=launch.trained,
        )
    )
    return workspace


def _import_torch() -> None:
    with suppress(Exception):  # whatever is wrong (a broken library raises OSError): the import that needs it says so
        import_module("torch")


def _open_shared(
    launch: LaunchOptions,
    login: SharedLogin,
    *,
    writable: bool,
    take_cancellation: Callable[[], bool] = lambda: False,
) -> Library:
    """Open a shared library; only then is the driver of its server imported.

    Raises:
        PackageMissing: it is not installed.
    """
    _check_driver()
    from desktop_app.shared_store.library import SharedLibrary
    from desktop_app.shared_store.passwords import find_password

    return SharedLibrary.open(
        login.address,
        find_password(login),
        writable=writable,
        roots=library_roots(launch.settings.roots, login.address),
        take_cancellation=take_cancellation,
    )


def _check_driver() -> None:
    if find_spec("psycopg") is None or find_spec("keyring") is None:
        raise PackageMissing(
            "Shared libraries need the packages psycopg and keyring", "Install Kindred with the extra `shared`."
        )


def _count_threads(settings: Settings) -> int:
    """Return the number of computing threads: half of them at low priority; 0 means one for each core."""
    from desktop_app.encoder.cpu_cores import default_threads

    if not settings.low_priority:
        return settings.threads
    return max(1, (settings.threads or default_threads()) // 2)


def choose_device(launch: LaunchOptions, bound: ModelInfo | None = None) -> DeviceInfo:
    """Return the device on which the encoder of a library would compute, without loading it.

    Args:
        launch: options of the program.
        bound: the library's model, for its measured precision; None: the default precision.
    """
    from desktop_app.encoder.device import choose_device as choose
    from desktop_app.encoder.inference.precision import default_precision_choice, load_precision_choice

    settings = launch.settings
    if launch.model:
        _check_model(launch, bound)
    device = choose(settings.device, settings.precision, _count_threads(settings))
    if settings.precision != "auto":
        return device
    measured = (
        load_precision_choice(_precision_file(launch), bound.fingerprint, device.device) if bound is not None else None
    )
    return (measured or default_precision_choice(device)).apply_to(device)


def _precision_file(launch: LaunchOptions) -> Path | None:
    """Return the file of the precisions measured on this machine."""
    return launch.cache / "precision.json" if launch.cache is not None else None


def _open_registry(launch: LaunchOptions) -> ModelRegistry:
    """Return the registry of the models on this computer."""
    from desktop_app.encoder.models.registry import ModelRegistry

    return ModelRegistry(launch.models if launch.models is not None else launch.library / "models")


def _check_model(launch: LaunchOptions, bound: ModelInfo | None) -> None:
    """Refuse the requested model if it is missing, or not the library's; see `_model_folder`."""
    _model_folder(launch, bound)


def _model_folder(launch: LaunchOptions, bound: ModelInfo | None, login: SharedLogin | None = None) -> Path:
    """Return the encoder's folder: the requested one, else the library's, else that of the settings.

    Raises:
        ModelMismatch: the requested model is not the library's.
        ModelMissing: the library's model is not on this computer.
    """
    from desktop_app.encoder.checkpoint import read_model_info

    registry = _open_registry(launch)
    if launch.model:
        folder = registry.find(launch.model)
        if bound is not None and (requested := read_model_info(folder)).fingerprint != bound.fingerprint:
            raise ModelMismatch(
                "This library uses the model {name}, not {asked_name}",
                "Omit --model, or switch the library with `models use {model}`.",
                name=bound.name,
                asked_name=requested.name,
                model=launch.model,
            )
        return folder
    if bound is None:
        bound = _model_of_library(launch, login)
    if bound is None:
        return registry.find(launch.settings.model)
    if (here := registry.with_fingerprint(bound.fingerprint, bound.folder)) is not None:
        return here
    if launch.shared is not None:
        raise ModelMissing(
            "This shared library uses the model {name}, which is not on this computer",
            "The library keeps the model's files: get them from there (command: `models fetch`).",
            code=MODEL_NOT_HERE,
            name=bound.name,
        )
    raise ModelMissing(
        "The model of this library, {name}, is no longer in {folder}",
        "Restore its folder, or give another model with --model.",
        name=bound.name,
        folder=bound.folder,
    )


def _model_of_library(launch: LaunchOptions, login: SharedLogin | None) -> ModelInfo | None:
    """Return the model of a library that is not open; None if there is no library."""
    from desktop_app.store.library import LocalLibrary

    library: Library
    try:
        if launch.shared is not None:
            library = _open_shared(launch, login or SharedLogin(launch.shared), writable=False)
        else:
            library = LocalLibrary.open(launch.library, writable=False, create=False)
    except NotFound:
        return None
    try:
        return library.models.current
    finally:
        library.close()
