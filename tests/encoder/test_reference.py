"""Vectors equal those of the sentence-transformers library, on the same folders."""

from __future__ import annotations

import shutil
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from desktop_app.encoder import SiameseEncoder, bundled_model_folder, read_model_info, save
from tests.encoder.conftest import CONFIG, HIDDEN, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MEAN, CLS, MAX = "pooling_mode_mean_tokens", "pooling_mode_cls_token", "pooling_mode_max_tokens"
TANH, GELU, IDENTITY = (
    "torch.nn.modules.activation.Tanh",
    "torch.nn.modules.activation.GELU",
    "torch.nn.modules.linear.Identity",
)
POOLER = {
    "max_seq_length": 48,
    "do_lower_case": False,
    "modality_config": {"text": {"method": "forward", "method_output_name": "pooler_output"}},
    "module_output_name": "sentence_embedding",
}


def dense(width: int, out: int, activation: str, **more: Any) -> dict[str, Any]:
    return {"in_features": width, "out_features": out, "activation_function": activation, **more}


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def load_reference(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the reference library's own, about its dependencies
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def smallest_cosine(ours: np.ndarray, theirs: np.ndarray) -> float:
    assert ours.shape == theirs.shape
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    return float(((ours * theirs).sum(axis=1) / lengths).min())


def write_mpnet(folder: Path) -> None:
    """Replace the BERT by a tiny model of another family."""
    from transformers import MPNetConfig, MPNetModel

    config = MPNetConfig(
        vocab_size=CONFIG["vocab_size"],
        hidden_size=HIDDEN,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=40,
        max_position_embeddings=60,
        pad_token_id=0,
    )
    MPNetModel(config).save_pretrained(folder)


def test_the_bundled_model(encoder: SiameseEncoder, sentences: list[str]) -> None:
    reference = load_reference(bundled_model_folder())
    theirs = reference.encode(sentences, normalize_embeddings=True)
    ours = encoder.encode(sentences)
    assert smallest_cosine(ours, theirs) >= 0.99999
    np.testing.assert_allclose(ours, theirs, atol=2e-5)
    assert encoder.dim == reference.get_embedding_dimension()
    assert encoder.model.max_length == reference.max_seq_length


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({}, id="mean"),
        pytest.param({"pooling": {CLS: True}}, id="cls"),
        pytest.param({"pooling": {MAX: True}}, id="max"),
        pytest.param({"pooling": {"pooling_mode_mean_sqrt_len_tokens": True}, "normalize": False}, id="mean-sqrt"),
        pytest.param({"pooling": {MEAN: True, CLS: True, MAX: True}}, id="three side by side, flags"),
        pytest.param({"pooling": {"pooling_mode": "cls"}}, id="newer key"),
        pytest.param({"pooling": {"pooling_mode": ["mean", "cls"]}}, id="two side by side, newer key"),
        pytest.param({"normalize": False}, id="no normalize"),
        pytest.param({"dense": [dense(HIDDEN, 12, TANH)]}, id="dense"),
        pytest.param({"dense": [dense(HIDDEN, 12, GELU, bias=False)], "normalize": False}, id="dense without bias"),
        pytest.param(
            {"dense": [dense(HIDDEN, 20, IDENTITY), dense(20, 8, TANH)], "normalize": False}, id="two dense layers"
        ),
        pytest.param({"dense": [dense(HIDDEN, 12, TANH, use_residual=True)]}, id="dense with residual"),
        pytest.param({"dense": [dense(HIDDEN, HIDDEN, TANH, use_residual=True)]}, id="dense with plain residual"),
        pytest.param({"sentence_config": {"max_seq_length": 9, "do_lower_case": True}}, id="short and lower case"),
        pytest.param({"sentence_config": {"do_lower_case": False}}, id="length from the position table"),
        pytest.param({"pooling": {}, "sentence_config": POOLER, "normalize": False}, id="pooler"),
        pytest.param({"plain": True}, id="plain transformers folder"),
    ],
)
def test_tiny_models(make_model: Callable[..., Path], sentences: list[str], parts: dict[str, Any]) -> None:
    folder = make_model(**parts)
    ours, reference = SiameseEncoder(folder, device="cpu"), load_reference(folder)
    raw, theirs = ours.encode(sentences, normalize=False), reference.encode(sentences)
    assert smallest_cosine(raw, theirs) >= 0.9999
    np.testing.assert_allclose(raw, theirs, rtol=1e-3, atol=1e-4)  # lengths too, not only directions
    assert ours.model.max_length == reference.max_seq_length
    assert read_model_info(folder) == ours.model


def test_prompts(make_model: Callable[..., Path], sentences: list[str]) -> None:
    prompts = {"prompts": {"query": "ask: ", "document": "read this text: "}, "default_prompt_name": "query"}
    folder = make_model(prompts=prompts)
    ours, reference = SiameseEncoder(folder), load_reference(folder)
    assert smallest_cosine(ours.encode(sentences, kind="query"), reference.encode_query(sentences)) >= 0.9999
    assert smallest_cosine(ours.encode(sentences), reference.encode_document(sentences)) >= 0.9999
    assert not np.allclose(ours.encode(["tea"]), ours.encode(["tea"], kind="query"))


def test_a_default_prompt_is_for_both_kinds(make_model: Callable[..., Path], sentences: list[str]) -> None:
    folder = make_model(prompts={"prompts": {"sts": "same meaning: "}, "default_prompt_name": "sts"})
    ours, theirs = SiameseEncoder(folder), load_reference(folder).encode(sentences)
    assert smallest_cosine(ours.encode(sentences), theirs) >= 0.9999
    assert smallest_cosine(ours.encode(sentences, kind="query"), theirs) >= 0.9999


def test_prompts_can_be_excluded_from_the_pooling(make_model: Callable[..., Path], sentences: list[str]) -> None:
    folder = make_model(pooling={MEAN: True, "include_prompt": False}, prompts={"prompts": {"query": "ask this: "}})
    ours, reference = SiameseEncoder(folder), load_reference(folder)
    assert smallest_cosine(ours.encode(sentences, kind="query"), reference.encode_query(sentences)) >= 0.9999


CASED = {"tokenizer_class": "BertTokenizer", "do_lower_case": False, "model_max_length": 48, "pad_token": "[PAD]"}


def test_tokenizer_config_overrides_the_case_of_a_bert_tokenizer(
    make_model: Callable[..., Path], sentences: list[str]
) -> None:
    folder = make_model()
    write(folder / "tokenizer_config.json", CASED)
    ours, theirs = SiameseEncoder(folder), load_reference(folder).encode(sentences)
    assert smallest_cosine(ours.encode(sentences), theirs) >= 0.9999
    assert not np.allclose(ours.encode("A TEA"), ours.encode("a tea"), atol=0.01)


def test_lower_case_before_a_cased_tokenizer(make_model: Callable[..., Path], sentences: list[str]) -> None:
    folder = make_model(sentence_config={"max_seq_length": 48, "do_lower_case": True})
    write(folder / "tokenizer_config.json", CASED)
    ours, theirs = SiameseEncoder(folder), load_reference(folder).encode(sentences)
    assert smallest_cosine(ours.encode(sentences), theirs) >= 0.9999
    np.testing.assert_allclose(ours.encode("A TEA"), ours.encode("a tea"), atol=1e-6)


def test_tiny_models_distinguish_texts(make_model: Callable[..., Path]) -> None:
    """Otherwise equal cosines would prove nothing."""
    vectors = SiameseEncoder(make_model()).encode(["a cat", "the theorem of 1984", "quiet water"])
    assert np.abs(vectors @ vectors.T - np.eye(3)).max() < 0.95


def test_a_tokenizer_with_only_a_vocabulary(make_model: Callable[..., Path], sentences: list[str]) -> None:
    folder = make_model()
    (folder / "tokenizer.json").unlink()
    ours, theirs = SiameseEncoder(folder).encode(sentences), load_reference(folder).encode(sentences)
    assert smallest_cosine(ours, theirs) >= 0.9999


def test_another_body_goes_through_transformers(make_model: Callable[..., Path], sentences: list[str]) -> None:
    folder = make_model()
    write_mpnet(folder)
    ours, theirs = SiameseEncoder(folder).encode(sentences), load_reference(folder).encode(sentences)
    assert smallest_cosine(ours, theirs) >= 0.9999


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"pooling": {MEAN: True, CLS: True}}, id="two poolings"),
        pytest.param({"dense": [dense(HIDDEN, 12, TANH)], "normalize": False}, id="dense"),
        pytest.param({"pooling": {}, "sentence_config": POOLER}, id="pooler"),
        pytest.param(
            {
                "prompts": {"prompts": {"query": "ask: "}},
                "sentence_config": {"max_seq_length": 9, "do_lower_case": True},
            },
            id="prompt, length and case",
        ),
    ],
)
def test_saved_models_load_in_both(
    make_model: Callable[..., Path], sentences: list[str], tmp_path: Path, parts: dict[str, Any]
) -> None:
    first = SiameseEncoder(make_model(**parts), precision="fp32")
    save(first, tmp_path / "saved")
    again, reference = SiameseEncoder(tmp_path / "saved"), load_reference(tmp_path / "saved")
    vectors = first.encode(sentences, normalize=False, kind="query")
    np.testing.assert_allclose(again.encode(sentences, normalize=False, kind="query"), vectors, atol=1e-5)
    assert smallest_cosine(vectors, reference.encode_query(sentences)) >= 0.9999


def test_folders_of_sentence_transformers_load_here(
    make_model: Callable[..., Path], sentences: list[str], tmp_path: Path
) -> None:
    reference = load_reference(make_model(dense=[dense(HIDDEN, 12, TANH)], prompts={"prompts": {"query": "ask: "}}))
    reference.save(str(tmp_path / "theirs"), create_model_card=False)
    ours = SiameseEncoder(tmp_path / "theirs")
    assert smallest_cosine(ours.encode(sentences, kind="query"), reference.encode_query(sentences)) >= 0.9999
    assert ours.model.max_length == reference.max_seq_length


def test_the_bundled_model_survives_a_round_trip(encoder: SiameseEncoder, sentences: list[str], tmp_path: Path) -> None:
    save(encoder, tmp_path / "copy")
    assert (
        smallest_cosine(load_reference(tmp_path / "copy").encode(sentences[:40]), encoder.encode(sentences[:40]))
        >= 0.99999
    )
    shutil.rmtree(tmp_path / "copy")
