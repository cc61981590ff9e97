"""Variants: models with prompts or a length that a person set, kept next to their base models."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.errors import ModelMissing, UsageError
from desktop_app.core.models import ModelChanges, ModelEntry
from desktop_app.encoder import SiameseEncoder, save
from desktop_app.encoder.checkpoint import read_checkpoint, read_model_info
from desktop_app.encoder.models import registry
from desktop_app.encoder.models.registry import ModelRegistry
from tests.encoder.conftest import write
from tests.encoder.models.test_registry import AddingHere, names
from tests.steps import run_steps

MakeModel = Callable[..., Path]
E5 = ModelChanges("query: ", "passage: ")


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelRegistry:
    monkeypatch.setattr(registry, "ModelAddProcess", AddingHere)
    return ModelRegistry(tmp_path / "models")


@pytest.fixture
def plain(make_model: MakeModel, tmp_path: Path) -> Path:
    """A model that publishes no prompts."""
    shutil.copytree(make_model(), tmp_path / "plain")
    return tmp_path / "plain"


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_prompts_of_a_person_act_like_published_ones(models: ModelRegistry, plain: Path, tmp_path: Path) -> None:
    before = bytes_of(plain)
    entry = run_steps(models.add(str(plain), E5))
    assert (entry.name, entry.origin, entry.info.name) == ("plain-adapted", "adapted", "plain-adapted")
    assert (entry.info.query_prompt, entry.info.passage_prompt) == ("query: ", "passage: ")
    assert names(models) == ["all-MiniLM-L6-v2", "plain-adapted"]
    assert bytes_of(plain) == before
    published = tmp_path / "published"
    shutil.copytree(plain, published)
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    write(published / "config_sentence_transformers.json", prompts)
    expected, found = (
        SiameseEncoder(published, device="cpu"),
        SiameseEncoder(models.find("plain-adapted"), device="cpu"),
    )
    texts = ["A quiet river.", "The captain left."]
    for kind in ("query", "document"):
        np.testing.assert_array_equal(found.encode(texts, kind=kind), expected.encode(texts, kind=kind))
    assert not np.allclose(found.encode(texts), SiameseEncoder(plain, device="cpu").encode(texts), atol=1e-3)
    assert found.model.fingerprint == expected.model.fingerprint  # whatever the origin: equal vectors
    # A model trained from it has the prompts in its own files.
    save(found, tmp_path / "saved")
    assert read_checkpoint(tmp_path / "saved").prompt("query") == "query: "


def test_a_variant_that_another_process_adds_meanwhile_is_listed_once(
    models: ModelRegistry, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faster: list[ModelEntry] = []

    class Overtaken(AddingHere):
        def poll(self) -> Any:
            monkeypatch.setattr(registry, "ModelAddProcess", AddingHere)
            faster.append(run_steps(models.add(str(plain), E5)))
            return super().poll()

    monkeypatch.setattr(registry, "ModelAddProcess", Overtaken)
    assert run_steps(models.add(str(plain), E5)) == faster[0]
    assert names(models)[1:] == [faster[0].name]
    assert [str(each) for each in (models._folder / "adapted").iterdir()] == [faster[0].info.folder]


@pytest.mark.parametrize("changes", [E5, ModelChanges(passage_prompt="x "), ModelChanges(max_length=24)])
def test_changes_of_vectors_make_another_model(models: ModelRegistry, plain: Path, changes: ModelChanges) -> None:
    entry = run_steps(models.add(str(plain), changes))
    info = read_model_info(entry.info.folder)
    assert info.fingerprint == entry.info.fingerprint != read_model_info(plain).fingerprint
    assert info.max_length == (changes.max_length or 48)
    assert models.with_fingerprint(info.fingerprint) == Path(entry.info.folder)


def test_equal_variants_are_listed_once_and_others_get_their_own_names(models: ModelRegistry, plain: Path) -> None:
    first = run_steps(models.add(str(plain), E5))
    assert run_steps(models.add(str(plain), E5)).name == first.name
    assert run_steps(models.add(str(plain), ModelChanges(max_length=24))).name == "plain-adapted-2"
    # A variant of a listed model, and of another variant: earlier settings stay.
    third = run_steps(models.add("plain-adapted", ModelChanges(max_length=32)))
    assert (third.name, third.info.query_prompt, third.info.max_length) == ("plain-adapted-3", "query: ", 32)
    assert models.remove("plain-adapted").origin == "adapted"
    assert not Path(first.info.folder).exists()
    assert Path(third.info.folder).is_dir()
    assert plain.is_dir()
    assert names(models) == ["all-MiniLM-L6-v2", "plain-adapted-2", "plain-adapted-3"]


def test_a_variant_of_the_bundled_model_works_wherever_that_is_installed(models: ModelRegistry) -> None:
    entry = run_steps(models.add("all-MiniLM-L6-v2", ModelChanges(max_length=128)))
    assert (entry.name, entry.info.max_length) == ("all-MiniLM-L6-v2-adapted", 128)
    assert json.loads((Path(entry.info.folder) / "adapted_model.json").read_text("utf-8"))["base"] == ""


def test_an_empty_prompt_removes_a_published_one(models: ModelRegistry, make_model: MakeModel) -> None:
    folder = make_model(prompts={"prompts": {"query": "query: ", "passage": "passage: "}})
    entry = run_steps(models.add(str(folder), ModelChanges(passage_prompt="")))
    assert (entry.info.query_prompt, entry.info.passage_prompt) == ("query: ", "")


@pytest.mark.parametrize("length", [0, 7, 97, -1, 10**9])
def test_an_impossible_length_is_refused(models: ModelRegistry, plain: Path, length: int) -> None:
    with pytest.raises(UsageError, match="supports 8 to 96 tokens"):
        run_steps(models.add(str(plain), ModelChanges(max_length=length)))
    assert names(models) == ["all-MiniLM-L6-v2"]
    assert not list((Path(models._folder) / "adapted").iterdir())


def test_the_list_reports_problems_of_the_base_model(models: ModelRegistry, plain: Path) -> None:
    run_steps(models.add(str(plain), E5))
    (entry,) = models.entries()[1:]
    assert (entry.info.query_prompt, str(entry.problem)) == ("query: ", "")
    config = json.loads((plain / "config.json").read_text("utf-8"))
    write(plain / "config.json", {**config, "layer_norm_eps": 1e-5})
    with pytest.raises(ModelMissing, match="has changed since"):
        models.find("plain-adapted")
    shutil.rmtree(plain)
    (entry,) = models.entries()[1:]
    assert "no model folder" in str(entry.problem)
    with pytest.raises(ModelMissing):
        models.find("plain-adapted")


def test_the_base_of_a_variant_is_not_removed(models: ModelRegistry, plain: Path) -> None:
    run_steps(models.add(str(plain)))
    run_steps(models.add(str(plain), E5))
    run_steps(models.add("all-MiniLM-L6-v2", E5))  # a variant of the bundled one conflicts with nothing
    with pytest.raises(UsageError, match="plain-adapted is a variant of plain") as caught:
        models.remove("plain")
    assert str(caught.value.hint) == "Remove plain-adapted first: `models remove plain-adapted`."
    assert SiameseEncoder(models.find("plain-adapted"), device="cpu").encode(["A quiet river."]).shape[0] == 1
    models.remove("plain-adapted")
    models.remove("plain")
    assert names(models) == ["all-MiniLM-L6-v2", "all-MiniLM-L6-v2-adapted"]


def test_a_settings_file_with_odd_values_is_reported(models: ModelRegistry, plain: Path) -> None:
    entry = run_steps(models.add(str(plain), E5))
    file = Path(entry.info.folder) / "adapted_model.json"
    for odd in ({"base": 5}, {"base": str(plain), "max_length": "x"}, {"base": str(plain), "query_prompt": []}):
        write(file, odd)
        with pytest.raises(ModelMissing):
            models.find("plain-adapted")
        assert models.entries()[1].problem
