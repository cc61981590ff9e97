"""A model's files on their way to a shared library and back: only what a model needs, and only as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_app.core.errors import AppError, DeviceUnavailable, ModelMissing, Offline, StorageFull
from desktop_app.core.jobs import WAITING
from desktop_app.core.model_files import PIECE_BYTES, ModelFile
from desktop_app.core.models import ModelChanges
from desktop_app.encoder.checkpoint import read_model_info
from desktop_app.encoder.models import registry, transfer
from desktop_app.encoder.models.bundled import BUNDLED_NAME
from desktop_app.encoder.models.download import ModelAddRequest
from desktop_app.encoder.models.registry import ModelRegistry
from desktop_app.encoder.models.variants import VARIANT_FILE
from tests.encoder.models.test_registry import here
from tests.steps import run_steps

MakeModel = Callable[..., Path]
__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")


class Shelf:
    """Keeps the files of a model as a library does; counts the pieces that are read."""

    def __init__(self, files: dict[ModelFile, Path]) -> None:
        self.content = {file: path.read_bytes() for file, path in files.items()}
        self.read: list[tuple[str, int]] = []

    def read_piece(self, file: ModelFile, number: int) -> bytes:
        self.read.append((file.name, number))
        return self.content[file][number * PIECE_BYTES : (number + 1) * PIECE_BYTES]


@pytest.fixture
def mine(tmp_path: Path) -> ModelRegistry:
    return ModelRegistry(tmp_path / "mine")


@pytest.fixture
def other(tmp_path: Path) -> ModelRegistry:
    return ModelRegistry(tmp_path / "other")


def made_file(name: str, content: bytes = b"{}") -> ModelFile:
    return ModelFile(name, len(content), hashlib.sha256(content).hexdigest())


def test_a_model_arrives_as_it_was(other: ModelRegistry, make_model: MakeModel) -> None:
    folder = make_model()
    (folder / "run_me.py").write_text("print(1)")
    shelf = Shelf(transfer.list_model_files(folder))
    assert "run_me.py" not in {file.name for file in shelf.content}
    info = read_model_info(folder)
    entry = run_steps(other.receive("news/room", info.fingerprint, list(shelf.content), shelf.read_piece))
    assert (entry.name, entry.origin, entry.info.fingerprint) == ("news-room", "downloaded", info.fingerprint)
    assert other.with_fingerprint(info.fingerprint) == Path(entry.info.folder)
    assert sorted(path.name for path in Path(entry.info.folder).iterdir() if path.is_file()) == sorted(
        path.name for path in folder.iterdir() if path.is_file() and path.name != "run_me.py"
    )
    other.remove(entry.name)
    assert not Path(entry.info.folder).exists()


def test_what_has_arrived_is_not_fetched_again(other: ModelRegistry, make_model: MakeModel) -> None:
    folder = make_model()
    shelf = Shelf(transfer.list_model_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    steps: Iterator[object] = other.receive("x", fingerprint, list(shelf.content), shelf.read_piece)
    while ("model.safetensors", 1) not in shelf.read:
        next(steps)
    steps.close()
    before = set(shelf.read)
    shelf.read.clear()
    run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    assert not before.difference({("model.safetensors", 1)}).intersection(shelf.read)


def test_a_model_that_another_window_fetches_is_not_fetched_twice(other: ModelRegistry, make_model: MakeModel) -> None:
    folder = make_model()
    shelf = Shelf(transfer.list_model_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    steps = other.receive("x", fingerprint, list(shelf.content), shelf.read_piece)
    next(steps)
    with pytest.raises(AppError, match="is being downloaded already"):
        run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    assert run_steps(steps).info.fingerprint == fingerprint


class FailingTrial:
    """Finds too little memory for the trial, or does not end."""

    def __init__(self, _request: ModelAddRequest, *, ends: bool) -> None:
        self._ends = ends

    def poll(self) -> None:
        if self._ends:
            raise DeviceUnavailable("There is too little memory", "Close other programs.")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("is_variant", [True, False])
@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_model_that_could_not_be_tried_is_not_fetched_again(
    mine: ModelRegistry,
    other: ModelRegistry,
    make_model: MakeModel,
    monkeypatch: pytest.MonkeyPatch,
    is_stopped: bool,
    is_variant: bool,
) -> None:
    folder = make_model()
    if is_variant:
        folder = Path(run_steps(mine.add(str(folder), ModelChanges("query: ", None, 20))).info.folder)
    shelf = Shelf(mine.list_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    with monkeypatch.context() as patch:
        patch.setattr(registry, "ModelAddProcess", partial(FailingTrial, ends=not is_stopped))
        steps: Iterator[object] = other.receive("x", fingerprint, list(shelf.content), shelf.read_piece)
        if is_stopped:
            next(step for step in steps if step is WAITING)
            steps.close()
        else:
            with pytest.raises(DeviceUnavailable):
                run_steps(steps)
    assert [entry.name for entry in other.entries()] == [BUNDLED_NAME]
    assert "model.safetensors" in {name for name, _ in shelf.read}
    shelf.read.clear()
    entry = run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    assert {name for name, _ in shelf.read} <= {VARIANT_FILE}
    assert entry.info.fingerprint == fingerprint
    assert other.find("x") == Path(entry.info.folder)


def test_a_disk_that_gets_full_meanwhile_is_reported(other: ModelRegistry, make_model: MakeModel) -> None:
    files = list(transfer.list_model_files(make_model()))
    with pytest.raises(StorageFull, match="No space left on device"):
        run_steps(other.receive("x", "f" * 64, files, Mock(side_effect=OSError(28, "No space left on device"))))


@pytest.mark.parametrize("is_variant", [True, False])
def test_a_model_that_a_full_disk_kept_from_being_listed_is_not_fetched_again(
    mine: ModelRegistry,
    other: ModelRegistry,
    make_model: MakeModel,
    monkeypatch: pytest.MonkeyPatch,
    is_variant: bool,
) -> None:
    folder = make_model()
    if is_variant:
        folder = Path(run_steps(mine.add(str(folder), ModelChanges("query: ", None, 20))).info.folder)
    shelf = Shelf(mine.list_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    with monkeypatch.context() as full:
        full.setattr(registry, "write_private", Mock(side_effect=OSError(28, "No space left on device")))
        with pytest.raises(StorageFull):
            run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    shelf.read.clear()
    entry = run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    assert {name for name, _ in shelf.read} <= {VARIANT_FILE}
    assert other.find("x") == Path(entry.info.folder)


def test_a_damaged_file_is_refused_and_fetched_again(other: ModelRegistry, make_model: MakeModel) -> None:
    folder = make_model()
    shelf = Shelf(transfer.list_model_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    weights = next(file for file in shelf.content if file.name == "model.safetensors")
    whole = shelf.content[weights]
    shelf.content[weights] = whole[:-1] + bytes([whole[-1] ^ 1])
    with pytest.raises(Offline, match="arrived damaged"):
        run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))
    assert [entry.name for entry in other.entries()] == [BUNDLED_NAME]
    shelf.content[weights] = whole
    run_steps(other.receive("x", fingerprint, list(shelf.content), shelf.read_piece))


@pytest.mark.parametrize(
    "name",
    [
        "run_me.py",
        "../config.json",
        "/etc/passwd",
        "1_Pooling/../../x.json",
        "model.bin",
        "pytorch_model.bin",
        "a/b/config.json",
    ],
)
def test_files_that_no_model_needs_are_refused(
    other: ModelRegistry, make_model: MakeModel, name: str, tmp_path: Path
) -> None:
    shelf = Shelf(transfer.list_model_files(make_model()))
    shelf.content[made_file(name)] = b"{}"
    with pytest.raises(ModelMissing, match="not those of a model"):
        run_steps(other.receive("x", "f" * 64, list(shelf.content), shelf.read_piece))
    assert shelf.read == []


def test_another_model_under_the_name_is_not_kept(other: ModelRegistry, make_model: MakeModel, tmp_path: Path) -> None:
    shelf = Shelf(transfer.list_model_files(make_model()))
    with pytest.raises(ModelMissing, match="another model"):
        run_steps(other.receive("x", "f" * 64, list(shelf.content), shelf.read_piece))
    assert [entry.name for entry in other.entries()] == [BUNDLED_NAME]
    assert [path for path in (tmp_path / "other" / "downloaded").iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("is_bundled", [True, False])
def test_a_variant_brings_its_base(
    mine: ModelRegistry, other: ModelRegistry, make_model: MakeModel, is_bundled: bool
) -> None:
    base = BUNDLED_NAME if is_bundled else str(make_model())
    variant = run_steps(mine.add(base, ModelChanges("query: ", None, 20)))
    shelf = Shelf(mine.list_files(Path(variant.info.folder)))
    assert (len(shelf.content) == 1) is is_bundled
    entry = run_steps(other.receive("v", variant.info.fingerprint, list(shelf.content), shelf.read_piece))
    assert (entry.origin, entry.info.fingerprint) == ("adapted", variant.info.fingerprint)
    assert len(other.entries()) == (2 if is_bundled else 3)
    assert other.find("v") == Path(entry.info.folder)


def test_a_name_cannot_lead_out_of_the_folder(other: ModelRegistry, make_model: MakeModel, tmp_path: Path) -> None:
    folder = make_model()
    shelf = Shelf(transfer.list_model_files(folder))
    fingerprint = read_model_info(folder).fingerprint
    entry = run_steps(other.receive("../../..", fingerprint, list(shelf.content), shelf.read_piece))
    assert Path(entry.info.folder).parent == tmp_path / "other" / "downloaded"


def test_a_full_disk_is_told_before(
    other: ModelRegistry, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(transfer.list_model_files(make_model()))
    large = [*shelf.content, ModelFile("vocab.json", 1 << 60, "0" * 64)]
    with pytest.raises(AppError, match="MB are free"):
        run_steps(other.receive("x", "f" * 64, large, shelf.read_piece))
    assert shelf.read == []
