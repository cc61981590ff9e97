"""The files of a model in a shared library: stored once, whole or not at all, read by everybody."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.model_files import PIECE_BYTES, ModelFile
from desktop_app.shared_store.library import SharedLibrary
from tests.steps import run_steps
from tests.store.helpers import MODEL, drain, take_in, texts

from .conftest import Open

OTHER = MODEL.__class__("other", "9" * 64, MODEL.dim, 64, "mean", normalised=True)


def write(folder: Path, name: str, content: bytes) -> tuple[ModelFile, Path]:
    (folder / name).write_bytes(content)
    return ModelFile(name, len(content), hashlib.sha256(content).hexdigest()), folder / name


@pytest.fixture
def files(tmp_path: Path) -> dict[ModelFile, Path]:
    return dict(
        [
            write(tmp_path, "config.json", b"{}"),
            write(tmp_path, "empty.txt", b""),
            write(tmp_path, "model.safetensors", bytes(range(256)) * (PIECE_BYTES // 256) * 2 + b"end"),
        ]
    )


def read_all(library: SharedLibrary, file: ModelFile) -> bytes:
    pieces, number = b"", 0
    while piece := library.model_files.read_piece(MODEL.fingerprint, file, number):
        pieces, number = pieces + piece, number + 1
    return pieces


def test_a_reader_gets_the_files_as_they_were(
    library: SharedLibrary, open_session: Open, files: dict[ModelFile, Path]
) -> None:
    assert library.model_files.find(MODEL.fingerprint) == ()
    run_steps(library.model_files.store(MODEL.fingerprint, files))
    reader = open_session("reader")
    found = reader.model_files.find(MODEL.fingerprint)
    assert set(found) == set(files)
    for file, path in files.items():
        assert read_all(reader, file) == path.read_bytes()


def test_a_reader_stores_nothing(library: SharedLibrary, open_session: Open, files: dict[ModelFile, Path]) -> None:
    reader = open_session("reader")
    with pytest.raises(LibraryBusy, match="read-only"):
        run_steps(reader.model_files.store(MODEL.fingerprint, files))
    assert library.model_files.find(MODEL.fingerprint) == ()


def test_an_interrupted_store_goes_on_and_shows_nothing_before(
    library: SharedLibrary, open_session: Open, files: dict[ModelFile, Path]
) -> None:
    steps = library.model_files.store(MODEL.fingerprint, files)
    next(steps)
    next(steps)
    other = open_session("writer")
    assert other.model_files.find(MODEL.fingerprint) == ()
    run_steps(other.model_files.store(MODEL.fingerprint, files))  # leaves it to the first one
    assert other.model_files.find(MODEL.fingerprint) == ()
    steps.close()
    seen: list[object] = []
    run_steps(other.model_files.store(MODEL.fingerprint, files), seen)
    assert len(seen) == 2  # two of four pieces were there
    assert set(library.model_files.find(MODEL.fingerprint)) == set(files)


def test_files_are_erased_with_their_model(library: SharedLibrary, files: dict[ModelFile, Path]) -> None:
    take_in(library, "a.txt", texts("a", 3))
    library.model_switch.begin(OTHER)
    run_steps(library.model_files.store(OTHER.fingerprint, files))
    library.model_switch.give_up()
    drain(library.maintenance.purge())
    assert library.model_files.find(OTHER.fingerprint) == ()
    assert library._database.value("SELECT count(*) FROM model_piece") == 0


def test_an_unknown_model_is_not_stored(library: SharedLibrary, files: dict[ModelFile, Path]) -> None:
    run_steps(library.model_files.store("0" * 64, files))
    assert library.model_files.find("0" * 64) == ()
