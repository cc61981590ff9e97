"""A person's models: linked, downloaded on request, tried before they are listed, checked when used."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from desktop_app.core.child_process import ChildDied
from desktop_app.core.errors import (
    AppError,
    DeviceUnavailable,
    ModelMissing,
    NotFound,
    Offline,
    StorageFull,
    UsageError,
)
from desktop_app.core.jobs import Progress
from desktop_app.core.recommended_models import RecommendedModel
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.checkpoint import read_model_info
from desktop_app.encoder.models import download, registry
from desktop_app.encoder.models.bundled import bundled_model_folder
from desktop_app.encoder.models.download import (
    DownloadStarted,
    ModelAddRequest,
    download_model,
    select_model_files,
    try_model,
)
from desktop_app.encoder.models.registry import ModelRegistry
from tests.disks import fill, needs_mount, small_disk
from tests.encoder.conftest import HIDDEN, VOCABULARY, write
from tests.encoder.fake_hub import SHA, Hub
from tests.steps import run_steps

MakeModel = Callable[..., Path]
DOWNLOAD_SETTINGS = (
    "HF_HOME",
    "HF_HUB_DISABLE_TELEMETRY",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN",
    "HF_HUB_DISABLE_PROGRESS_BARS",
    "HF_HUB_DISABLE_XET",
    "HF_HUB_DISABLE_SYMLINKS_WARNING",
)
"""The variables that a download sets in its process."""


class AddingHere:
    """Tries a model in this process, which takes a hundredth of the time."""

    def __init__(self, request: ModelAddRequest) -> None:
        assert not request.repository
        self._folder = request.folder

    def poll(self) -> Any:
        return try_model(self._folder)

    def close(self) -> None:
        pass


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ModelAddProcess", AddingHere)


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on most machines; the server is on this one."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def models(tmp_path: Path) -> ModelRegistry:
    return ModelRegistry(tmp_path / "models")


def names(models: ModelRegistry) -> list[str]:
    return [entry.name for entry in models.entries()]


# Folders


@pytest.mark.usefixtures("here")
def test_a_folder_is_linked_and_found_by_its_name(models: ModelRegistry, make_model: MakeModel, tmp_path: Path) -> None:
    folder = make_model().rename(tmp_path / "mine")
    entry = run_steps(models.add(str(folder)))
    assert (entry.name, entry.origin, entry.info.dim, entry.info.max_length) == ("mine", "linked", HIDDEN, 48)
    assert names(models) == ["all-MiniLM-L6-v2", "mine"]
    assert models.find("mine") == folder
    assert models.with_fingerprint(entry.info.fingerprint) == folder
    assert run_steps(models.add(str(folder))) == entry  # again: changes nothing
    assert names(models) == ["all-MiniLM-L6-v2", "mine"]
    assert models.remove("mine").name == "mine"
    assert names(models) == ["all-MiniLM-L6-v2"]
    assert folder.is_dir()
    folder.rename(make_model().parent / "put back")


@pytest.mark.usefixtures("here")
def test_two_models_with_the_same_name_get_two_names(
    models: ModelRegistry, make_model: MakeModel, tmp_path: Path
) -> None:
    for parent in ("a", "b"):
        shutil.copytree(make_model(), tmp_path / parent / "same")
        run_steps(models.add(str(tmp_path / parent / "same")))
    assert names(models) == ["all-MiniLM-L6-v2", "same", "same-2"]
    assert models.find("same-2") == tmp_path / "b" / "same"


@pytest.mark.usefixtures("here")
def test_a_model_that_has_changed_or_gone_is_not_used(
    models: ModelRegistry, make_model: MakeModel, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(make_model(), folder)
    run_steps(models.add(str(folder)))
    tensors = load_file(folder / "model.safetensors")
    tensors["embeddings.LayerNorm.bias"] += 1
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(ModelMissing, match="has changed since"):
        models.find("mine")
    shutil.rmtree(folder)
    with pytest.raises(ModelMissing, match="is missing"):
        models.find("mine")
    assert "is missing" in str(models.entries()[1].problem)
    models.remove("mine")


def test_the_bundled_model_is_always_there(models: ModelRegistry) -> None:
    (entry,) = models.entries()
    assert (entry.name, entry.origin, str(entry.problem)) == ("all-MiniLM-L6-v2", "bundled", "")
    assert models.find("") == models.find("all-MiniLM-L6-v2") == Path(entry.info.folder)
    assert run_steps(models.add("all-MiniLM-L6-v2")) == entry
    with pytest.raises(UsageError, match="comes with Kindred"):
        models.remove("all-MiniLM-L6-v2")


@pytest.mark.usefixtures("here")
def test_the_bundled_model_has_its_own_name_wherever_it_is_found(models: ModelRegistry, tmp_path: Path) -> None:
    own = bundled_model_folder()

    assert run_steps(models.add(str(own))).name == "all-MiniLM-L6-v2"
    assert names(models) == ["all-MiniLM-L6-v2"]

    copy = tmp_path / "elsewhere" / "model"
    copy.parent.mkdir()
    shutil.copytree(own, copy)
    assert run_steps(models.add(str(copy))).name == "all-MiniLM-L6-v2-2"
    assert read_model_info(copy).name == "all-MiniLM-L6-v2"
    named = copy.rename(copy.with_name("mine"))
    assert read_model_info(named).name == "mine"


def test_unknown_names_are_refused(models: ModelRegistry, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="There is no model 'mine'") as caught:
        models.find("mine")
    assert "models add" in str(caught.value.hint)
    with pytest.raises(NotFound, match="There is no folder"):
        run_steps(models.add(str(tmp_path / "nothing here")))
    with pytest.raises(NotFound, match="There is no model"):
        models.remove("../../etc")
    assert not (tmp_path / "models").exists()


def test_an_unreadable_list_is_reported(models: ModelRegistry, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "models.json").write_text("{", "utf-8")
    with pytest.raises(ModelMissing, match="cannot be read") as caught:
        models.entries()
    assert "Delete it" in str(caught.value.hint)


# Models that do not work


def _no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _pickle(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _half(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[: len(content) // 2])


def _wrong_hidden(folder: Path) -> None:
    write(folder / "config.json", {**json.loads((folder / "config.json").read_text()), "hidden_size": 2 * HIDDEN})


def _wrong_dense(folder: Path) -> None:
    save_file({"linear.weight": torch.zeros(8, 7), "linear.bias": torch.zeros(8)}, folder / "2_Dense/model.safetensors")


def _no_tokenizer(folder: Path) -> None:
    for name in ("tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink()


def _half_tokenizer(folder: Path) -> None:
    content = (folder / "tokenizer.json").read_bytes()
    (folder / "tokenizer.json").write_bytes(content[: len(content) // 2])


def _large_tokens(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    tensors["embeddings.word_embeddings.weight"] = tensors["embeddings.word_embeddings.weight"][:50].clone()
    save_file(tensors, folder / "model.safetensors")
    write(folder / "config.json", {**json.loads((folder / "config.json").read_text()), "vocab_size": 50})


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_no_weights, r"model\.safetensors not found"),
        (_pickle, "pickle"),
        (_half, "cannot be loaded"),
        (_wrong_hidden, "takes 32 numbers, but the previous part gives 64"),
        (_wrong_dense, "cannot be loaded"),
        (_no_tokenizer, "tokenizer"),
        (_half_tokenizer, "tokenizer"),
        (_large_tokens, f"has {VOCABULARY} tokens, but the model has 50"),
    ],
)
def test_bad_folders_are_reported_and_not_listed(
    models: ModelRegistry, make_model: MakeModel, tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    dense = {"in_features": HIDDEN, "out_features": 8, "activation_function": "torch.nn.modules.activation.Tanh"}
    folder = tmp_path / "bad"
    shutil.copytree(make_model(dense=[dense]), folder)
    spoil(folder)
    with pytest.raises(ModelMissing, match=message) as caught:
        run_steps(models.add(str(folder)))
    assert str(caught.value.hint)
    assert names(models) == ["all-MiniLM-L6-v2"]


def test_a_model_is_tried_in_a_child_process(models: ModelRegistry, make_model: MakeModel, tmp_path: Path) -> None:
    shutil.copytree(make_model(), tmp_path / "bad")
    _half(tmp_path / "bad")
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        run_steps(models.add(str(tmp_path / "bad")))


# Downloads


@pytest.fixture
def hub(make_model: MakeModel, tmp_path: Path) -> Iterator[Hub]:
    folder = tmp_path / "hub"
    shutil.copytree(make_model(), folder)
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(b"another format")
    (folder / "README.md").write_text("Read me.", "utf-8")
    with Hub(folder, "owner/tiny").serving() as hub:
        yield hub


@pytest.mark.usefixtures("online")
def test_a_name_is_downloaded_with_progress_and_kept(hub: Hub, tmp_path: Path) -> None:
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    seen: list[Any] = []
    entry = run_steps(models.add("owner/tiny"), seen)
    assert (entry.name, entry.origin, entry.info.name) == ("owner/tiny", "downloaded", "tiny")
    reports = [step for step in seen if isinstance(step, Progress)]
    assert {report.phase for report in reports} == {"downloading"}
    weights = (hub.folder / "model.safetensors").stat().st_size
    assert all(weights < (report.total or 0) < 2 * weights for report in reports)
    fetched = {path for _, path in hub.asked}
    assert not [path for path in fetched if path.endswith((".bin", ".onnx", ".md"))]
    folder = models.find("owner/tiny")
    assert folder == models.find("tiny") == tmp_path / "models" / "downloaded" / "owner" / "tiny"
    assert SiameseEncoder(folder).model == entry.info
    # Nothing is left over, and nothing is requested twice.
    left = {file.name for file in (tmp_path / "models").rglob("*")}
    assert not left & {".cache", ".hub", ".revision", "tiny.part"}
    before = len(hub.asked)
    assert run_steps(models.add("owner/tiny")) == entry
    assert len(hub.asked) == before
    models.remove("tiny")
    assert not folder.exists()


@pytest.mark.usefixtures("online")
def test_an_interrupted_download_continues(hub: Hub, tmp_path: Path) -> None:
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    hub.breaks_after = 1_200_000
    with pytest.raises(Offline, match="cannot be downloaded") as caught:
        run_steps(models.add("owner/tiny"))
    assert "try again" in str(caught.value.hint)
    assert names(models) == ["all-MiniLM-L6-v2"]
    with pytest.raises(ModelMissing):
        models.find("owner/tiny")
    hub.breaks_after, hub.status = None, 200
    hub.ranges.clear()
    entry = run_steps(models.add("owner/tiny"))
    assert hub.ranges
    assert min(hub.ranges) >= 1_000_000
    assert models.find("tiny") == Path(entry.info.folder)


class DownloadingHere:
    """Downloads and tries a model in this process.

    Attributes:
        before_trial: is called before the trial.
    """

    before_trial: Callable[[], None] = staticmethod(lambda: None)
    fetched_bytes = 0

    def __init__(self, request: ModelAddRequest) -> None:
        self._request = request
        self._parts = self._run()

    def _run(self) -> Iterator[Any]:
        class Pipe:
            def send(self, message: object) -> None:
                pass

        download_model(self._request, Pipe())  # type: ignore[arg-type]
        yield DownloadStarted(1)
        self.before_trial()
        yield try_model(self._request.folder)

    def poll(self) -> Any:
        return next(self._parts)

    def close(self) -> None:
        pass


@pytest.fixture
def downloads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for name in DOWNLOAD_SETTINGS:
        monkeypatch.setenv(name, "1")  # and restored
    monkeypatch.setattr(registry, "ModelAddProcess", DownloadingHere)


@pytest.mark.usefixtures("online", "downloads_here")
@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_complete_download_that_could_not_be_tried_is_not_fetched_again(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
) -> None:
    def run_out_of_memory() -> None:
        raise DeviceUnavailable("There is too little memory", "Close other programs.")

    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    if is_stopped:
        steps = models.add("owner/tiny")
        next(step for step in steps if isinstance(step, Progress))
        steps.close()
    else:
        with monkeypatch.context() as patch:
            patch.setattr(DownloadingHere, "before_trial", staticmethod(run_out_of_memory))
            with pytest.raises(DeviceUnavailable):
                run_steps(models.add("owner/tiny"))
    assert names(models) == ["all-MiniLM-L6-v2"]
    assert any(path.endswith(".safetensors") for _, path in hub.asked)
    hub.asked.clear()
    entry = run_steps(models.add("owner/tiny"))
    assert [path for _, path in hub.asked if not path.startswith("/api/")] == []
    assert models.find("tiny") == Path(entry.info.folder)
    assert not list((tmp_path / "models").rglob(".revision"))


@pytest.mark.usefixtures("online", "downloads_here")
def test_a_complete_download_that_could_not_be_listed_is_not_fetched_again(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    with monkeypatch.context() as full:
        full.setattr(registry, "write_private", fill_up)
        with pytest.raises(StorageFull):
            run_steps(models.add("owner/tiny"))
    assert names(models) == ["all-MiniLM-L6-v2"]
    hub.asked.clear()
    entry = run_steps(models.add("owner/tiny"))
    assert [path for _, path in hub.asked if not path.startswith("/api/")] == []
    assert models.find("tiny") == Path(entry.info.folder)
    assert not list((tmp_path / "models").rglob(".revision"))


def test_a_download_stays_when_the_process_that_tries_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed:
        def __init__(self, *_: object, **_more: object) -> None:
            pass

        def receive(self, _timeout_s: float) -> object:
            raise ChildDied(-9)

        def close(self) -> None:
            pass

    monkeypatch.setattr(download, "ChildProcess", Killed)
    part = tmp_path / "models" / "downloaded" / "owner" / "tiny.part"
    part.mkdir(parents=True)
    with pytest.raises(DeviceUnavailable, match="ended with status -9"):
        run_steps(ModelRegistry(tmp_path / "models").add("owner/tiny"))
    assert part.is_dir()


@pytest.mark.usefixtures("online")
@needs_mount
def test_a_download_continues_after_a_full_disk(hub: Hub, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        models = ModelRegistry(disk, hub.endpoint)
        hub.before_weights = lambda: fill(disk, left=1_300_000)
        with pytest.raises(StorageFull, match="No space left") as caught:
            run_steps(models.add("owner/tiny"))
        assert "Free some disk space" in str(caught.value.hint)
        assert names(models) == ["all-MiniLM-L6-v2"]
        with pytest.raises(StorageFull, match=r"but only \d MB are free"):  # known before anything is downloaded
            run_steps(models.add("owner/tiny"))
        (disk / "filler").unlink()
        hub.before_weights = lambda: None
        hub.ranges.clear()
        assert run_steps(models.add("owner/tiny")).origin == "downloaded"
        assert hub.ranges
        assert hub.ranges[0] > 0


@pytest.mark.usefixtures("online")
def test_redirects_are_followed_and_a_part_that_is_too_long_is_discarded(hub: Hub, tmp_path: Path) -> None:
    hub.store = "/elsewhere"
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    part = tmp_path / "models" / "downloaded" / "owner" / "tiny.part"
    part.mkdir(parents=True)
    (part / ".revision").write_text(SHA, "utf-8")
    for name, more in (("model.safetensors", b"more than there is"), ("tokenizer.json", b"")):
        (part / f"{name}.begun").write_bytes((hub.folder / name).read_bytes() + more)
    assert run_steps(models.add("owner/tiny")).origin == "downloaded"
    assert {path for _, path in hub.asked if path.startswith("/elsewhere/")}


@pytest.mark.usefixtures("online")
def test_a_stopped_download_can_be_discarded(hub: Hub, tmp_path: Path) -> None:
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    steps = models.add("owner/tiny")
    next(step for step in steps if isinstance(step, Progress))
    steps.close()
    assert names(models) == ["all-MiniLM-L6-v2"]
    part = tmp_path / "models" / "downloaded" / "owner" / "tiny.part"
    assert part.is_dir()
    models.remove("owner/tiny")
    assert not part.exists()


@pytest.mark.usefixtures("online", "downloads_here")
def test_a_model_that_is_being_downloaded_is_neither_downloaded_twice_nor_removed(hub: Hub, tmp_path: Path) -> None:
    first, second = (ModelRegistry(tmp_path / "models", hub.endpoint) for _ in range(2))

    def use_the_second() -> None:
        hub.before_weights = lambda: None
        for use in (lambda: run_steps(second.add("owner/tiny")), lambda: second.remove("owner/tiny")):
            with pytest.raises(AppError, match="is being downloaded already, in another window") as failure:
                use()
            assert "Wait" in str(failure.value.hint)

    hub.before_weights = use_the_second
    entry = run_steps(first.add("owner/tiny"))
    assert run_steps(second.add("owner/tiny")) == entry
    assert [file.name for file in (tmp_path / "models" / "downloaded" / "owner").iterdir()] == ["tiny"]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("owner/tiny", "tiny"),
        ("sentence-transformers/tiny", "tiny"),
        ("sentence-transformers/tiny", "sentence-transformers/tiny"),
        ("tiny-0123abcd", "tiny"),
        ("owner-tiny-0123abcd", "owner/tiny"),
    ],
)
def test_an_unfinished_download_is_removed_by_its_short_name(tmp_path: Path, folder: str, name: str) -> None:
    downloads = tmp_path / "models" / "downloaded"
    part, another = (downloads / f"{each}.part" for each in (folder, "owner/tiny-large"))
    for each in (part, another):
        each.mkdir(parents=True)
    models = ModelRegistry(tmp_path / "models")
    assert models.remove(name).name == folder
    assert (part.exists(), another.exists()) == (False, True)
    with pytest.raises(NotFound):
        models.remove(name)


def test_a_short_name_of_several_unfinished_downloads_removes_the_one_that_it_adds(tmp_path: Path) -> None:
    downloads = tmp_path / "models" / "downloaded"
    parts = [downloads / f"{owner}/tiny.part" for owner in ("owner", "other", "sentence-transformers")]
    for each in parts:
        each.mkdir(parents=True)
    models = ModelRegistry(tmp_path / "models")
    models.remove("tiny")
    assert [each.exists() for each in parts] == [True, True, False]
    with pytest.raises(NotFound):
        models.remove("tiny")
    assert [each.exists() for each in parts] == [True, True, False], "no guess between two"


def test_a_model_of_the_list_takes_no_other_unfinished_download_along(tmp_path: Path, make_model: MakeModel) -> None:
    models = ModelRegistry(tmp_path / "models")
    entry = run_steps(models.add(str(make_model())))
    part = tmp_path / "models" / "downloaded" / "owner" / f"{entry.name}.part"
    part.mkdir(parents=True)
    models.remove(entry.name)
    assert names(models) == ["all-MiniLM-L6-v2"]
    assert part.is_dir()
    models.remove(entry.name)
    assert not part.exists()


@pytest.mark.usefixtures("online")
def test_a_name_without_a_model_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.status = 404
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    with pytest.raises(ModelMissing, match="There is no model sentence-transformers/tiny at"):
        run_steps(models.add("tiny"))
    assert list((tmp_path / "models").rglob("*.part")) == []


@pytest.mark.usefixtures("online")
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_file_with_a_wrong_checksum_is_not_used_and_only_it_is_downloaded_again(
    hub: Hub, tmp_path: Path, name: str
) -> None:
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    hub.checksums[name] = "0" * 64
    with pytest.raises(Offline, match=f"{name} of the model owner/tiny arrived damaged") as caught:
        run_steps(models.add("owner/tiny"))
    assert "Try again" in str(caught.value.hint)
    assert names(models) == ["all-MiniLM-L6-v2"]
    assert not list((tmp_path / "models").rglob(f"{name}*"))
    hub.checksums.clear()
    hub.asked.clear()
    assert run_steps(models.add("owner/tiny")).name == "owner/tiny"
    assert not [path for _, path in hub.asked if path.endswith("/config.json") and "Pooling" not in path]


@pytest.mark.usefixtures("online")
def test_an_offered_model_is_taken_at_its_revision_with_its_own_checksum(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = hashlib.sha256((hub.folder / "model.safetensors").read_bytes()).hexdigest()
    offered = RecommendedModel("small", "owner/tiny", SHA, 1, 3, "MIT", 0.5, weights)
    wrong = replace(offered, weights_sha256="0" * 64)
    for model in (wrong, offered):
        monkeypatch.setattr(registry, "find_recommended", lambda _name, model=model: model)
        models = ModelRegistry(tmp_path / "models", hub.endpoint)
        if model is wrong:
            with pytest.raises(Offline, match="arrived damaged"):
                run_steps(models.add("owner/tiny"))
        else:
            assert run_steps(models.add("owner/tiny")).origin == "downloaded"
    assert f"/api/models/owner/tiny/revision/{SHA}" in {path for _, path in hub.asked}


@pytest.mark.usefixtures("online")
def test_a_login_page_in_place_of_the_hub_is_named(hub: Hub, tmp_path: Path) -> None:
    hub.login_page = "<html><title>Welcome to the hotel</title></html>"
    models = ModelRegistry(tmp_path / "models", hub.endpoint)
    with pytest.raises(Offline, match="answers, but not like a model hub") as caught:
        run_steps(models.add("owner/tiny"))
    assert "open a web page" in str(caught.value.hint)
    assert names(models) == ["all-MiniLM-L6-v2"]


@pytest.mark.usefixtures("online")
def test_without_network_it_says_what_to_copy_where(tmp_path: Path) -> None:
    with pytest.raises(Offline) as caught:
        run_steps(ModelRegistry(tmp_path / "models", "http://127.0.0.1:9").add("owner/tiny"))
    assert "https://huggingface.co/owner/tiny/tree/main" in str(caught.value.hint)
    assert "add that folder" in str(caught.value.hint)


def test_offline_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(Offline, match="HF_HUB_OFFLINE"):
        run_steps(ModelRegistry(tmp_path / "models", "http://127.0.0.1:9").add("owner/tiny"))


@pytest.mark.parametrize(
    "error", [socket.gaierror(-3, "name resolution"), TimeoutError("timed out"), OSError(101, "x")]
)
def test_a_missing_network_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    """In this process, at the lowest call of all: there is no network access."""
    constants = pytest.importorskip("huggingface_hub.constants")
    for name in DOWNLOAD_SETTINGS:
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    asked: list[object] = []

    def nothing(address: object, *_arguments: object, **_options: object) -> None:
        asked.append(address)
        raise error

    monkeypatch.setattr(socket, "create_connection", nothing)
    with pytest.raises(Offline, match=r"owner/tiny cannot be downloaded from http://nowhere\.invalid") as caught:
        download_model(
            ModelAddRequest(tmp_path / "models" / "tiny.part", "owner/tiny", "http://nowhere.invalid"), Quiet()
        )  # type: ignore[arg-type]
    assert "Check the connection" in str(caught.value.hint)
    assert asked
    assert not list((tmp_path / "models").rglob("*.safetensors"))


class Quiet:
    """Replaces the pipe."""

    def send(self, message: object) -> None:
        raise AssertionError(message)


def test_only_useful_files_are_downloaded() -> None:
    listed = [
        ".gitattributes",
        "1_Pooling/config.json",
        "2_Dense/config.json",
        "2_Dense/model.safetensors",
        "2_Dense/pytorch_model.bin",
        "README.md",
        "config.json",
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
        "modules.json",
        "onnx/model.onnx",
        "openvino/config.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "train_script.py",
    ]
    in_pieces = select_model_files("m", listed)
    assert set(listed) - set(in_pieces) == {
        ".gitattributes",
        "2_Dense/pytorch_model.bin",
        "README.md",
        "onnx/model.onnx",
        "openvino/config.json",
        "train_script.py",
    }
    whole = select_model_files("m", [*listed, "model.safetensors"])
    assert "model.safetensors" in whole
    assert not [name for name in whole if "-of-" in name or name.endswith("index.json")]


def test_a_model_with_only_pickles_is_refused() -> None:
    with pytest.raises(ModelMissing, match="pickle") as caught:
        select_model_files("owner/old", ["config.json", "pytorch_model.bin"])
    assert isinstance(caught.value, AppError)
