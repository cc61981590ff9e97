"""A model's files on their way to a shared library and back.

Only files that the program loads are taken: safetensors, tokenizers and configuration, nothing that can run. Whoever
may write to a library may have put anything there, so names and contents are checked before a file gets its name.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.core.errors import ModelMissing, Offline
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.jobs import Progress
from desktop_app.core.model_files import PIECE_BYTES, ModelFile
from desktop_app.encoder.models.download import require_free_space, select_model_files
from desktop_app.encoder.models.model_files import file_sha256
from desktop_app.encoder.models.variants import VARIANT_FILE, read_variant, variant_base_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop_app.core.jobs import Steps
    from desktop_app.core.models import ModelChanges

_PARTIAL_SUFFIX = ".begun"


def list_model_files(folder: Path) -> dict[ModelFile, Path]:
    """Return the files of the model in a folder, small ones first; of a variant, its own file and those of its base.

    Raises:
        ModelMissing: there are no safetensors.
    """
    found: dict[ModelFile, Path] = {}
    variant = read_variant(folder)
    if variant is not None:
        found[_describe(VARIANT_FILE, folder / VARIANT_FILE)] = folder / VARIANT_FILE
        if not variant[0]:
            return found  # every computer has the bundled model
        folder = variant_base_folder(variant[0])
    names = [path.relative_to(folder).as_posix() for path in (*folder.glob("*"), *folder.glob("*/*")) if path.is_file()]
    for name in select_model_files(folder.name, names):
        found[_describe(name, folder / name)] = folder / name
    return found


def _describe(name: str, path: Path) -> ModelFile:
    return ModelFile(name, path.stat().st_size, file_sha256(path))


def receive_files(
    name: str, folder: Path, files: Sequence[ModelFile], read_piece: Callable[[ModelFile, int], bytes]
) -> Steps[None]:
    """Write the files of a model into a folder, step by step; what an interrupted call has written is kept.

    Args:
        name: of the model.
        folder: is created.
        files: of the model.
        read_piece: returns a piece of a file, by its number; empty after the last one.

    Raises:
        ModelMissing: there are files that no model needs, or no safetensors.
        Offline: a file arrived damaged.
        StorageFull: there is not enough space.
    """
    names = [file.name for file in files if file.name != VARIANT_FILE]
    if names and set(select_model_files(name, names)) != set(names):
        raise ModelMissing(
            "The library's files of the model {name} are not those of a model",
            "They were not fetched. Tell the library's owner.",
            name=name,
        )
    folder.mkdir(parents=True, exist_ok=True)
    total, done = sum(file.size_bytes for file in files), 0
    require_free_space(folder, total)
    for file in files:
        target = folder / file.name
        if not target.is_file() or file_sha256(target) != file.sha256:
            for written in _receive_file(name, target, file, read_piece):
                yield Progress("downloading", done + written, total, "bytes")
        done += file.size_bytes


def _receive_file(
    name: str, target: Path, file: ModelFile, read_piece: Callable[[ModelFile, int], bytes]
) -> Iterator[int]:
    """Write a file, piece by piece; yields how many bytes are there."""
    target.parent.mkdir(exist_ok=True)
    draft = target.with_name(target.name + _PARTIAL_SUFFIX)
    with draft.open("r+b" if draft.is_file() else "w+b") as out:
        number = out.seek(0, os.SEEK_END) // PIECE_BYTES
        out.truncate(out.seek(number * PIECE_BYTES))
        while out.tell() < file.size_bytes and (piece := read_piece(file, number)):
            out.write(piece)
            number += 1
            yield out.tell()
    if draft.stat().st_size != file.size_bytes or file_sha256(draft) != file.sha256:
        draft.unlink()
        raise Offline(
            "{file} of the model {name} arrived damaged: its checksum is wrong",
            "Try again; only this file is fetched again.",
            file=file.name,
            name=name,
        )
    replace_file(draft, target)


def read_received_changes(folder: Path) -> ModelChanges | None:
    """Return what a received variant changes; None for a complete model."""
    variant = read_variant(folder)
    return None if variant is None else variant[1]
