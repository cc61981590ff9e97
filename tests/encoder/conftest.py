"""The bundled encoder, and tiny models with seeded weights in the sentence-transformers folder format."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest
import torch
from safetensors.torch import save_file

from desktop_app.encoder import SiameseEncoder, bundled_model_folder
from desktop_app.encoder.inference.bert import BertBody

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HIDDEN = 32
_BUNDLED_TOKENS = 30522
_COMMON_TOKENS = 10_000


@lru_cache(1)
def _read_small_tokenizer() -> tuple[dict[str, Any], list[int]]:
    """The bundled tokenizer with its most common tokens and all characters, and the former ids of these tokens.

    It divides rare words into more pieces. All that loads, trains, saves or compares a model takes as long as its
    vocabulary is large.
    """
    tokenizer = json.loads((bundled_model_folder() / "tokenizer.json").read_text("utf-8"))
    kept = {
        token: number
        for token, number in tokenizer["model"]["vocab"].items()
        if number < _COMMON_TOKENS or len(token.removeprefix("##")) == 1
    }
    tokens = sorted(kept, key=kept.__getitem__)
    tokenizer["model"]["vocab"] = {token: number for number, token in enumerate(tokens)}
    return tokenizer, sorted(kept.values())


@lru_cache(1)
def _write_small_tokenizer() -> tuple[str, str]:
    """The small tokenizer and its vocabulary as the texts of files."""
    tokenizer, _ = _read_small_tokenizer()
    return json.dumps(tokenizer), "\n".join(tokenizer["model"]["vocab"]) + "\n"


VOCABULARY = len(_read_small_tokenizer()[1])
CONFIG = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "hidden_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "hidden_act": "gelu",
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 96,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
}
WORDS = (
    "the a old new quiet red sudden cat river ship captain letter market engine proof theorem theatre winter "
    "window was is had seems became near under behind without because although never often twice seven 1984 "
    "3.14 e.g. don't co-operate naïve Zürich Москва 東京 καλημέρα 😀 — … U.S.A."
)


@pytest.fixture(scope="session")
def encoder() -> SiameseEncoder:
    """The bundled model in fp32 on the processor."""
    return SiameseEncoder(device="cpu", precision="fp32")


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    """Texts of all kinds."""
    source = random.Random(7)
    words = WORDS.split()
    made = [" ".join(source.choices(words, k=source.randint(1, 30))) for _ in range(40)]
    odd = [
        "",
        " ",
        "\t\n",
        ".",
        "?!",
        "a",
        "ﬁne ligatures",
        "e\u0301clair",
        "\x00\x07\x1b[31mred",
        "👩‍👩‍👧‍👦 family",
        "[SEP] [CLS] [MASK]",
        "日本語の文章です。",
        "مرحبا بالعالم",
        "zero\u200bwidth\u00adhyphen\ufeff",
        "word " * 2000,
        "x" * 10_000,
        "same",
        "same",
    ]
    return made + odd


@lru_cache(1)
def _make_tiny_body() -> BertBody:
    body = BertBody(CONFIG, with_pooler=True)
    source = torch.Generator().manual_seed(1)
    for name, parameter in body.named_parameters():
        # Strong words and mild biases: texts with different words must have different vectors, or nothing is tested.
        is_scale = name.endswith("LayerNorm.weight")
        deviation = 1.0 if "embeddings.weight" in name else 0.1 if is_scale or name.endswith("bias") else 0.3
        if "word_embeddings" in name:  # a word has the same vector, whatever others are kept
            table = torch.randn(_BUNDLED_TOKENS, HIDDEN, generator=source)
            parameter.data.copy_(table[_read_small_tokenizer()[1]])
        else:
            parameter.data.normal_(1.0 if is_scale else 0.0, deviation, generator=source)
    return body


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write the folder of a tiny seeded BERT, with the requested parts."""
    return lambda **parts: write_tiny_model(tmp_path_factory.mktemp("model"), **parts)


def write_tiny_model(
    folder: Path,
    *,
    pooling: dict[str, Any] | None = None,
    dense: list[dict[str, Any]] | None = None,
    normalize: bool = True,
    prompts: dict[str, Any] | None = None,
    sentence_config: dict[str, Any] | None = None,
    plain: bool = False,
    with_pooler: bool = True,
) -> Path:
    """Write a tiny seeded BERT into an existing folder, and return it."""
    tensors = {
        name: tensor
        for name, tensor in _make_tiny_body().state_dict().items()
        if with_pooler or not name.startswith("pooler")
    }
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    write(folder / "config.json", CONFIG)
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(bundled_model_folder() / name, folder / name)
    for name, text in zip(("tokenizer.json", "vocab.txt"), _write_small_tokenizer(), strict=True):
        (folder / name).write_text(text, "utf-8")
    if plain:
        return folder
    write(folder / "sentence_bert_config.json", sentence_config or {"max_seq_length": 48, "do_lower_case": False})
    write(folder / "config_sentence_transformers.json", prompts or {})
    parts = [("Transformer", "")]
    if pooling != {}:
        parts.append(("Pooling", "1_Pooling"))
        flags = pooling or {"pooling_mode_mean_tokens": True}
        write(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": HIDDEN, **flags})
    for number, layer in enumerate(dense or []):
        place = f"{len(parts)}_Dense"
        parts.append(("Dense", place))
        write(folder / place / "config.json", layer)
        shapes = {"linear.weight": (layer["out_features"], layer["in_features"])}
        if layer.get("bias", True):
            shapes["linear.bias"] = (layer["out_features"],)
        if layer.get("use_residual") and layer["out_features"] != layer["in_features"]:
            shapes["residual.weight"] = (layer["out_features"], layer["in_features"])
        seeded = torch.Generator().manual_seed(number)
        weights = {name: torch.randn(shape, generator=seeded) for name, shape in shapes.items()}
        save_file(weights, folder / place / "model.safetensors")
    if normalize:
        parts.append(("Normalize", f"{len(parts)}_Normalize"))
    write(
        folder / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
            for i, (name, path) in enumerate(parts)
        ],
    )
    return folder


def as_on_a_gpu(encoder: SiameseEncoder, **more: str) -> None:
    """Make it compute as on a GPU: `cpu:0` takes every branch that is not for the processor."""
    encoder.backend.device = replace(encoder.device, device="cpu:0", **more)
    encoder.refresh()


def write(file: Path, value: Any) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value), "utf-8")
