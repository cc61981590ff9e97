"""Folders with unexpected contents: always an error of the model, never a bug."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from desktop_app.core.errors import AppError, DeviceUnavailable, ModelMissing
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.inference import network
from desktop_app.encoder.models.download import try_model
from tests.encoder.conftest import HIDDEN, VOCABULARY, write

MakeModel = Callable[..., Path]

ODD: list[Any] = [None, True, False, 0, -1, 3, 1.5, 1e300, "", "x", "mean", "\0", "a" * 5000, [], [1], ["x"], [[]]]
ODD += [{}, {"x": 1}, {"content": 5}, [{}], float("nan"), float("inf")]
FILES = ["config.json", "modules.json", "1_Pooling/config.json", "2_Dense/config.json", "sentence_bert_config.json"]
FILES += ["config_sentence_transformers.json", "tokenizer_config.json", "special_tokens_map.json"]
FILES += ["model.safetensors.index.json"]
SENTENCE = {"max_seq_length": 48, "do_lower_case": False, "modality_config": {"text": {"method_output_name": "last"}}}
PROMPTS = {"prompts": {"query": "query: ", "document": None}, "default_prompt_name": None}
DENSE = {"in_features": HIDDEN, "out_features": 8, "activation_function": "torch.nn.modules.activation.Tanh"}

FEW = 2000  # tokens


@pytest.fixture(scope="module")
def in_pieces(make_model: MakeModel) -> Path:
    """A model with every kind of file, its weights in two; few words, so that it loads at once."""
    folder = make_model(dense=[DENSE], sentence_config=SENTENCE, prompts=PROMPTS)
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer["model"]["vocab"] = {token: n for token, n in tokenizer["model"]["vocab"].items() if n < FEW}
    write(folder / "tokenizer.json", tokenizer)
    cut_table(folder, FEW)
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    index: dict[str, str] = {}
    for number, part in enumerate((names[::2], names[1::2])):
        file = f"model-0000{number + 1}-of-00002.safetensors"
        save_file({name: tensors[name] for name in part}, folder / file, metadata={"format": "pt"})
        index |= dict.fromkeys(part, file)
    write(folder / "model.safetensors.index.json", {"metadata": {"total_size": 1}, "weight_map": index})
    return folder


def cut_table(folder: Path, rows: int) -> None:
    tensors = load_file(folder / "model.safetensors")
    table = tensors["embeddings.word_embeddings.weight"]
    more = torch.zeros(max(0, rows - len(table)), HIDDEN)
    tensors["embeddings.word_embeddings.weight"] = torch.cat([table[:rows], more])
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    write(folder / "config.json", {**json.loads((folder / "config.json").read_text()), "vocab_size": rows})


def spoilt(value: Any, source: random.Random) -> Any:
    """Return a JSON value with one change at a random position."""
    value = copy.deepcopy(value)
    places: list[tuple[Any, Any]] = []

    def walk(inside: Any) -> None:
        for key, each in inside.items() if isinstance(inside, dict) else enumerate(inside):
            places.append((inside, key))
            if isinstance(each, dict | list):
                walk(each)

    walk(value)
    if not places or source.random() < 0.05:
        return source.choice(ODD)
    inside, key = source.choice(places)
    if source.random() < 0.15:
        del inside[key]
    else:
        inside[key] = source.choice(ODD)
    return value


def attempt(folder: Path, seed: int, load: Callable[[Path], object]) -> bool:
    """Load the model with one damaged file; return whether that was refused."""
    source = random.Random(seed)
    file = folder / FILES[seed % len(FILES)]
    content = file.read_bytes()
    try:
        write(file, spoilt(json.loads(content), source))
        try:
            load(folder)
        except AppError as error:
            refusal = error
        else:
            return False
    finally:
        file.write_bytes(content)
    assert refusal.hint
    assert len(str(refusal)) < 700
    return True


def test_any_contents_of_its_files_are_read_or_refused(in_pieces: Path) -> None:
    refused = [attempt(in_pieces, seed, read_checkpoint) for seed in range(360)]
    assert 75 < sum(refused) < 300


def test_any_contents_of_its_files_are_loaded_or_refused(in_pieces: Path) -> None:
    def load(folder: Path) -> None:
        try_model(folder)

    refused = [attempt(in_pieces, seed, load) for seed in range(10_000, 10_027)]
    assert any(refused)
    assert not all(refused)


@pytest.mark.parametrize(
    ("file", "name", "value", "message"),
    [
        ("sentence_bert_config.json", "max_seq_length", "x", r'has "x" for max_seq_length, which is not a whole'),
        ("1_Pooling/config.json", "pooling_mode", 5, "has 5 for pooling_mode, which is not a list of texts"),
        ("model.safetensors.index.json", "weight_map", [], r"has \[\] for weight_map, which is not an object"),
        ("config.json", "architectures", {"x": 1}, "architectures"),
        ("config.json", "num_hidden_layers", 10**9, "impossible value"),
        ("config_sentence_transformers.json", "prompts", [], "prompts"),
        ("tokenizer_config.json", "pad_token", 5, "pad_token"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(
    in_pieces: Path, tmp_path: Path, file: str, name: str, value: object, message: str
) -> None:
    folder = tmp_path / "odd"
    shutil.copytree(in_pieces, folder)
    write(folder / file, {**json.loads((folder / file).read_text("utf-8")), name: value})
    with pytest.raises(ModelMissing, match=message) as caught:
        try_model(folder)
    assert str(caught.value.hint)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json", "2_Dense/model.safetensors"])
def test_a_placeholder_of_git_lfs_is_reported(make_model: MakeModel, name: str) -> None:
    folder = make_model(dense=[DENSE])
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 90868376\n"
    (folder / name).write_text(pointer, "utf-8")
    with pytest.raises(ModelMissing, match="git-lfs pointer") as caught:
        try_model(folder)
    assert "git lfs pull" in str(caught.value.hint)


def test_endless_nesting_is_not_a_configuration(make_model: MakeModel) -> None:
    folder = make_model()
    (folder / "config.json").write_text("[" * 200_000, "utf-8")
    with pytest.raises(ModelMissing, match="cannot be read"):
        read_checkpoint(folder)


# Tokenizer and weights of two models


def test_a_tokenizer_with_one_token_more_than_the_table_has_rows_is_refused(make_model: MakeModel) -> None:
    folder = make_model()
    cut_table(folder, VOCABULARY - 1)  # no trial sentence has the last token
    with pytest.raises(ModelMissing, match=f"has {VOCABULARY} tokens, but the model has {VOCABULARY - 1}") as caught:
        SiameseEncoder(folder, device="cpu")
    assert "from the same source" in str(caught.value.hint)


def test_an_added_token_beyond_the_table_is_refused(make_model: MakeModel) -> None:
    folder = make_model()
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer["added_tokens"].append({**tokenizer["added_tokens"][-1], "id": VOCABULARY, "content": "[NEW]"})
    write(folder / "tokenizer.json", tokenizer)
    with pytest.raises(ModelMissing, match=f"{VOCABULARY + 1} tokens"):
        SiameseEncoder(folder, device="cpu")


def test_a_token_far_beyond_the_others_is_refused(make_model: MakeModel) -> None:
    folder = make_model()
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    last = max(vocabulary, key=lambda token: vocabulary[token])
    vocabulary[last] = 40_000
    write(folder / "tokenizer.json", tokenizer)
    with pytest.raises(ModelMissing, match="40001 tokens"):
        SiameseEncoder(folder, device="cpu")


def test_a_body_without_a_known_table_has_no_known_rows(make_model: MakeModel) -> None:
    made = SiameseEncoder(make_model(), device="cpu").network
    assert made.rows == VOCABULARY
    made.body = torch.nn.Module()
    made.body.model = torch.nn.Module()
    assert made.rows is None
    made.body.model.get_input_embeddings = lambda: None
    assert made.rows is None


def test_too_little_memory_is_not_damage(make_model: MakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.")

    folder = make_model()
    monkeypatch.setattr(SiameseEncoder, "encode", fail)
    with pytest.raises(DeviceUnavailable, match="cannot be used: there is too little memory"):
        try_model(folder)
    monkeypatch.setattr(network, "load_file", fail)
    with pytest.raises(DeviceUnavailable, match="too small for the model"):
        try_model(folder)


def test_a_table_with_rows_to_spare_is_used(make_model: MakeModel) -> None:
    folder = make_model()
    expected = SiameseEncoder(folder, device="cpu").encode(["a quiet river"])
    cut_table(folder, 30528)
    found = SiameseEncoder(folder, device="cpu").encode(["a quiet river"])
    assert torch.allclose(torch.from_numpy(found), torch.from_numpy(expected), atol=1e-6)
