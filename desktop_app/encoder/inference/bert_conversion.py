"""Converts configurations and weight names of BERT's relatives to BERT's, and back.

A body inside a model for another task has a prefix; the oldest files have TensorFlow's names for a normalisation;
DistilBERT (Sanh et al. 2019) is a BERT with half the layers, without segments, and with other names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_PREFIXES = ("bert.", "roberta.", "distilbert.")
_LEGACY_NAMES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
_DISTILBERT_NAMES = {
    "transformer.layer.": "encoder.layer.",
    ".attention.q_lin.": ".attention.self.query.",
    ".attention.k_lin.": ".attention.self.key.",
    ".attention.v_lin.": ".attention.self.value.",
    ".attention.out_lin.": ".attention.output.dense.",
    ".sa_layer_norm.": ".attention.output.LayerNorm.",
    ".ffn.lin1.": ".intermediate.dense.",
    ".ffn.lin2.": ".output.dense.",
    ".output_layer_norm.": ".output.LayerNorm.",
}
_TOKEN_TYPE_WEIGHT = "embeddings.token_type_embeddings.weight"


def to_bert_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a `config.json` with BERT's keys; others are returned unchanged."""
    if config.get("model_type") != "distilbert":
        return dict(config)
    return {
        "model_type": "bert",
        "hidden_size": config["dim"],
        "num_hidden_layers": config["n_layers"],
        "num_attention_heads": config["n_heads"],
        "intermediate_size": config["hidden_dim"],
        "hidden_act": config.get("activation", "gelu"),
        "hidden_dropout_prob": config.get("dropout", 0.1),
        "attention_probs_dropout_prob": config.get("attention_dropout", 0.1),
        "vocab_size": config["vocab_size"],
        "max_position_embeddings": config.get("max_position_embeddings", 512),
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-12,
        "quantization_config": config.get("quantization_config"),
    }


def to_bert_weights(config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights with the names of `BertBody`."""
    renaming = _DISTILBERT_NAMES if config.get("model_type") == "distilbert" else {}
    found: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        found[_rename_weight(name, {**_LEGACY_NAMES, **renaming})] = tensor
    if renaming and "embeddings.word_embeddings.weight" in found:
        found[_TOKEN_TYPE_WEIGHT] = torch.zeros(1, found["embeddings.word_embeddings.weight"].shape[1])
    return found


def from_bert_weights(model_type: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return a `BertBody`'s weights with the names in files of `model_type`."""
    if model_type != "distilbert":
        return dict(tensors)
    renaming = {ours: theirs for theirs, ours in _DISTILBERT_NAMES.items()}
    return {_rename_weight(name, renaming): tensor for name, tensor in tensors.items() if name != _TOKEN_TYPE_WEIGHT}


def _rename_weight(name: str, renaming: Mapping[str, str]) -> str:
    for old, new in renaming.items():
        # Once: `.output.dense.` is the end of `.attention.output.dense.` too, which comes first.
        if old in name:
            name = name.replace(old, new)
            if old not in ("transformer.layer.", "encoder.layer."):
                break
    return name
