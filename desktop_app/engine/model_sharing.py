"""Puts the files of a model into a shared library, and fetches them on computers that lack it.

The bundled model is on every computer and is not stored.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import AppError, NotFound

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.models import ModelEntry
    from desktop_app.core.ports import ModelCatalogue
    from desktop_app.core.records import ModelInfo

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SharedModel:
    """The model of a shared library.

    Attributes:
        name: of the model.
        size_bytes: of its files in the library; 0 if they are not there.
        is_here: whether this computer has it.
    """

    name: str
    size_bytes: int
    is_here: bool


def describe_shared_model(library: Library, catalogue: ModelCatalogue) -> SharedModel | None:
    """Return where the model of a library is; None while it has none."""
    model = library.models.current
    if model is None:
        return None
    size = sum(file.size_bytes for file in library.model_files.find(model.fingerprint))
    return SharedModel(model.name, size, _find_here(model.fingerprint, catalogue) is not None)


def share_model(library: Library, model: ModelInfo, catalogue: ModelCatalogue) -> Steps[None]:
    """Store the files of the library's model in the library, unless they are there.

    A library without room for them can still be used.

    Args:
        library: has vectors of the model.
        model: with the folder that it was loaded from.
        catalogue: the models on this computer.
    """
    if not (library.is_shared and library.writable) or model.fingerprint == catalogue.entries()[0].info.fingerprint:
        return
    try:
        if not library.model_files.find(model.fingerprint):
            files = yield from run_in_thread(lambda: catalogue.list_files(Path(model.folder)))
            yield from library.model_files.store(model.fingerprint, files)
    except AppError as error:
        log.warning("the model %s was not stored in the library: %s", model.name, error)


def share_known_model(library: Library, model: ModelInfo, catalogue: ModelCatalogue) -> Steps[None]:
    """Store the files of a model in a library, unless they are there or this computer lacks the model.

    It need not be listed: `import --model FOLDER` takes any folder, and the library remembers it.
    """
    folder = yield from run_in_thread(
        lambda: catalogue.with_fingerprint(model.fingerprint, model.folder), may_outlast_job=True
    )
    if folder is not None:
        yield from share_model(library, replace(model, folder=str(folder)), catalogue)


def fetch_model(library: Library, catalogue: ModelCatalogue) -> Steps[ModelEntry]:
    """Fetch the files of the library's model, and add it to the models of this computer.

    Raises:
        NotFound: the library has no model, or does not keep its files.
        AppError: they are damaged, or cannot be written.
    """
    model = library.models.current
    if model is None:
        raise NotFound("The library has no model yet", "Import something first.")
    known = _find_here(model.fingerprint, catalogue)
    if known is not None:
        return known
    files = library.model_files.find(model.fingerprint)
    if not files:
        raise NotFound(
            "The library does not hold the files of its model {name}",
            "Ask somebody who has the model and may write to the library to open it once in Kindred.",
            name=model.name,
        )
    read_piece = library.model_files.read_piece
    fingerprint = model.fingerprint
    return (
        yield from catalogue.receive(
            model.name, fingerprint, files, lambda file, number: read_piece(fingerprint, file, number)
        )
    )


def _find_here(fingerprint: str, catalogue: ModelCatalogue) -> ModelEntry | None:
    usable = (entry for entry in catalogue.entries() if not entry.problem)
    return next((entry for entry in usable if entry.info.fingerprint == fingerprint), None)
