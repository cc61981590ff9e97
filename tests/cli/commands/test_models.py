"""`models`: lists, adds, switches and removes models, as a script sees it."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.jobs import Job
from desktop_app.encoder import SiameseEncoder, bundled_model_folder, save
from desktop_app.store.library import LocalLibrary
from desktop_app.store.model_switch import LocalModelSwitching
from tests.cli.conftest import Kindred
from tests.patience import PATIENCE_S


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled model with another pooling: another model."""
    folder = tmp_path_factory.mktemp("models") / "largest"
    save(SiameseEncoder(device="cpu", precision="fp32", pooling="max"), folder)
    return folder


def test_the_bundled_model_before_there_is_a_library(kindred: Kindred) -> None:
    (row,) = kindred("models", "--json").json["models"]
    assert {key: row[key] for key in ("name", "dim", "max_length", "pooling", "active", "vectors")} == {
        "name": "all-MiniLM-L6-v2",
        "dim": 384,
        "max_length": 256,
        "pooling": "mean",
        "active": False,
        "vectors": 0,
    }
    assert len(row["fingerprint"]) == 64


def test_a_library_is_switched_and_back(kindred: Kindred, imported: Path, other: Path) -> None:
    assert kindred("models", "add", other, "--json").json["added"]["name"] == "largest"
    before = kindred("search", "a loaf of bread", "--json").json["hits"]
    switched = kindred("models", "use", "largest", "--json")
    assert (switched.status, switched.json["model"], switched.json["stopped"]) == (0, "largest", False)
    rows = {row["name"]: row for row in kindred("models", "--json").json["models"]}
    sentences = kindred("info", "--json").json["sentences"]
    assert (rows["largest"]["active"], rows["largest"]["vectors"]) == (True, sentences)
    assert (rows["all-MiniLM-L6-v2"]["active"], rows["all-MiniLM-L6-v2"]["vectors"]) == (False, 0)
    assert switched.json["embedded"] == sentences
    after = kindred("search", "a loaf of bread", "--json").json["hits"]
    assert [hit["score"] for hit in after] != [hit["score"] for hit in before]
    assert "largest" in kindred("models").out
    # It is found by its name when another model is requested, and refused if it is in use.
    assert kindred("search", "bread", "--model", "largest", "--json").status == 0
    refused = kindred("search", "bread", "--model", "all-MiniLM-L6-v2")
    assert refused.status == 3
    assert "models use all-MiniLM-L6-v2" in refused.err
    refused = kindred("models", "remove", "largest")
    assert refused.status == 2
    assert "models use" in refused.err
    kindred("models", "use", "all-MiniLM-L6-v2")
    assert kindred("models", "remove", "largest", "--json").json == {"removed": "largest"}
    assert other.is_dir()
    assert kindred("search", "a loaf of bread", "--json").json["hits"] == before
    assert kindred("doctor").status == 0


def test_models_that_cannot_be_added_are_reported(kindred: Kindred, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, status, words in (
        (("models", "add"), 2, "needs a model"),
        (("models", "add", tmp_path / "empty"), 3, "config.json not found"),
        (("models", "add", tmp_path / "nothing"), 3, "There is no folder"),
        (("models", "add", "owner/model"), 3, "HF_HUB_OFFLINE"),
        (("models", "use", "nothing"), 3, "models add"),
        (("models", "remove", "nothing"), 3, "There is no model"),
        (("models", "forget", "nothing"), 2, "invalid choice"),
    ):
        answer = kindred(*arguments)
        assert (answer.status, words in answer.err) == (status, True), answer
    assert kindred("models", "add", tmp_path / "empty", "--json").json["error"]["kind"] == "model_missing"


def test_a_library_that_another_process_writes_is_not_switched(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    with LocalLibrary.open(tmp_path / "base" / "data" / "library"):
        assert kindred("models", "use", "all-MiniLM-L6-v2").status == 3
        assert kindred("models").status == 0


def test_the_hits_of_another_model_are_shown_before_a_switch(kindred, papers, other_model) -> None:
    kindred("import", papers)
    found = kindred("search", "how fast does ice melt", "--against", other_model, "--top-k", 3, "--json").json
    assert found["after"] == "first-token"
    (query,) = found["queries"]
    assert len(query["before"]) == len(query["after"]) == 3
    assert all("moved" in hit for hit in query["after"])
    out = kindred("search", "how fast does ice melt", "--against", other_model, "--top-k", 3).out
    assert "of the results stay" in out
    assert kindred("info", "--json").json["model"] != "first-token"
    elsewhere = kindred("search", "how fast does ice melt", "--against", other_model, "--type", "epub", "--json").json
    assert [(query["before"], query["after"]) for query in elsewhere["queries"]] == [([], [])]
    answer = kindred(
        "search", "how fast does ice melt", "--against", other_model, "--type", "epub", "--min-score", "0.5"
    )
    assert "nothing found" in answer.out
    assert "without minimum similarity" in answer.err
    part = kindred("search", "--against", other_model, "--type", "epub")
    assert (part.status, "have their own filters" in part.err) == (2, True)
    none = kindred("search", "--against", other_model)
    assert (none.status, "no saved searches" in none.err) == (2, True)


# A model as a person sets it up


def test_prompts_and_a_length_are_given_when_a_model_is_added(kindred: Kindred, imported: Path, other: Path) -> None:
    prompts = ("--query-prompt", "query: ", "--passage-prompt", "passage: ", "--max-length", "64")
    added = kindred("models", "add", other, *prompts, "--json").json["added"]
    assert (added["name"], added["origin"], added["max_length"]) == ("largest-adapted", "adapted", 64)
    assert (added["query_prompt"], added["passage_prompt"]) == ("query: ", "passage: ")
    assert kindred("models", "use", "largest-adapted", "--json").json["model"] == "largest-adapted"
    rows = {row["name"]: row for row in kindred("models", "--json").json["models"]}
    assert rows["largest-adapted"]["active"]
    assert rows["all-MiniLM-L6-v2"]["query_prompt"] == ""
    assert "“query: ” before queries, “passage: ” before sentences" in kindred("models").out
    assert kindred("search", "a loaf of bread", "--json").json["hits"]
    assert not (other / "adapted_model.json").exists()
    for wrong in (("use", "largest-adapted", "--max-length", "9"), ("add", other, "--max-length", "4")):
        assert kindred("models", *wrong).status == 2


# Useless folders, with a library that must stay unchanged


def test_a_useless_model_folder_leaves_the_library_unchanged(kindred: Kindred, imported: Path, tmp_path: Path) -> None:
    kindred("search", "bread")  # whatever is done once is done
    library = tmp_path / "base" / "data" / "library"
    before = contents(library)
    for name, (spoil, words) in BAD.items():
        folder = tmp_path / name
        shutil.copytree(bundled_model_folder(), folder)
        spoil(folder)
        actions = (
            ("use", "add") if name == "half" else ("use",)
        )  # the rest of `add`: tests/encoder/models/test_registry.py
        for action in actions:
            answer = kindred("models", action, folder, "--json")
            assert answer.status == 3, (name, action, answer)
            error = answer.json["error"]
            assert (error["kind"], words in error["message"], bool(error["hint"])) == ("model_missing", True, True), (
                error
            )
            assert contents(library) == before, (name, action)
        shutil.rmtree(folder)
    assert [row["name"] for row in kindred("models", "--json").json["models"]] == ["all-MiniLM-L6-v2"]


def contents(folder: Path) -> dict[str, bytes]:
    """Return every byte of a library."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-shm", ".lock")))
    found = {str(file.relative_to(folder)): file.read_bytes() for file in files}
    return {name: content for name, content in found.items() if content}  # an empty log appears and disappears


def _half(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[: len(content) // 2])


def _another_length(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "hidden_size": 768}), "utf-8")


def _no_tokenizer(folder: Path) -> None:
    for file in (*folder.glob("*token*.json"), *folder.glob("vocab.*")):
        file.unlink()


BAD: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty": (lambda folder: [file.unlink() for file in folder.iterdir() if file.is_file()] and None, "config.json"),
    "no-weights": (lambda folder: (folder / "model.safetensors").unlink(), "model.safetensors not found"),
    "pickle": (lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin") and None, "pickle"),
    "half": (_half, "cannot be loaded"),
    "another-length": (_another_length, "cannot be loaded"),
    "no-tokenizer": (_no_tokenizer, "no tokenizer"),
    "pointer": (
        lambda folder: (
            (folder / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n") and None
        ),
        "git-lfs",
    ),
}


# Ctrl-C


def test_a_stopped_switch_is_reported_and_continues(
    kindred: Kindred, imported: Path, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = kindred("search", "a loaf of bread", "--json").json["hits"]
    sentences = kindred("info", "--json").json["sentences"]
    append, wait, cancel = LocalModelSwitching.append, Job.wait, Job.cancel
    stored, cancelled = threading.Event(), threading.Event()

    def some(self: LocalModelSwitching, ids: list[int], vectors: NDArray[np.float32], truncated: set[int]) -> None:
        append(self, ids[:3], vectors[:3], truncated)  # the rest is never stored: it is stopped before
        stored.set()
        assert cancelled.wait(PATIENCE_S)

    def interrupted(self: Job[Any], timeout: float | None = None) -> Any:
        if self.name == "switch model" and timeout is not None:
            assert stored.wait(PATIENCE_S)
            raise KeyboardInterrupt
        return wait(self, timeout)

    def noticed(self: Job[Any]) -> None:
        cancel(self)
        cancelled.set()

    with monkeypatch.context() as patched:
        patched.setattr(Job, "cancel", noticed)
        patched.setattr(LocalModelSwitching, "append", some)
        patched.setattr(Job, "wait", interrupted)
        stopped = kindred("models", "use", other)
    assert stopped.status == 130
    assert "Run the same command to resume" in stopped.err
    rows = {row["fingerprint"]: row for row in kindred("models", "--json").json["models"]}
    (target,) = (row for row in rows.values() if row["switching"])
    assert (target["switching"], target["active"]) == ("stopped", False)
    kept = target["vectors"]
    assert kept == 3
    assert kindred("search", "a loaf of bread", "--json").json["hits"] == hits
    done = kindred("models", "use", other, "--json")
    assert (done.status, done.json["embedded"], done.json["stopped"]) == (0, sentences - kept, False)
