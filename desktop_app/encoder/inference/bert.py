"""The forward pass of BERT on torch alone (Devlin et al. 2019; Vaswani et al. 2017, section 3).

RoBERTa (Liu et al. 2019), XLM-R and CamemBERT are BERT with other positions; DistilBERT (Sanh et al. 2019) is a BERT
with half the layers, without segments, and with other names. Their configurations and weight names are converted to
BERT's, and back. A body inside a model for another task has a prefix, and the oldest files have TensorFlow's names for
a normalisation. This module is trained; `packed_bert.py` has the pass for inference.

transformers has this model too, but its import takes longer than torch's import and the loading of the weights
together, and a person waits for it at each start. Parameters have the names of BERT checkpoints, so that files are
read and written without renaming.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch import nn
from torch.nn import functional as F

from desktop_app.encoder.inference.pause_points import pause_point

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_ACTIVATIONS = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
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

# Their positions count the tokens without padding, from the padding's id plus 1.
OFFSET_POSITION_TYPES = frozenset({"roberta", "xlm-roberta", "camembert"})


def is_bert_config(config: Mapping[str, Any]) -> bool:
    """Return whether a `config.json` describes a BERT that this module can compute; others use transformers."""
    return (
        (config.get("model_type") == "bert" or config.get("model_type") in OFFSET_POSITION_TYPES)
        and config.get("hidden_act", "gelu") in _ACTIVATIONS
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder", False)
        and not config.get("add_cross_attention", False)
        and not config.get("quantization_config")
    )


class BertBody(nn.Module):
    """A BERT encoder: token ids to token vectors.

    Args:
        config: the model's `config.json`.
        with_pooler: also compute tanh(W h_cls + b).
    """

    def __init__(self, config: Mapping[str, Any], *, with_pooler: bool = False) -> None:
        super().__init__()
        hidden = int(config["hidden_size"])
        self.embeddings = _BertEmbeddings(config)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList(_BertLayer(config) for _ in range(int(config["num_hidden_layers"])))}
        )
        self.pooler = nn.ModuleDict({"dense": nn.Linear(hidden, hidden)}) if with_pooler else None

    def forward(self, ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Compute token vectors.

        Args:
            ids: int64 [b, tokens].
            mask: bool [b, tokens], False for padding; None when there is none.

        Returns:
            ([b, tokens, hidden], [b, hidden] of the pooler or None).
        """
        attend = None if mask is None else mask[:, None, None, :]
        hidden = self.embeddings(ids)
        for layer in cast("nn.ModuleList", self.encoder["layer"]):
            pause_point()
            hidden = layer(hidden, attend)
        return hidden, None if self.pooler is None else torch.tanh(self.pooler["dense"](hidden[:, 0]))


class _BertEmbeddings(nn.Module):
    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        hidden = int(config["hidden_size"])
        self.word_embeddings = _make_embedding(int(config["vocab_size"]), hidden)
        self.position_embeddings = _make_embedding(int(config["max_position_embeddings"]), hidden)
        self.token_type_embeddings = _make_embedding(int(config.get("type_vocab_size", 2)), hidden)
        self.LayerNorm = _make_layer_norm(config)
        self.dropout = nn.Dropout(float(config.get("hidden_dropout_prob", 0.1)))
        counting = config.get("model_type") in OFFSET_POSITION_TYPES
        self.counts_from = int(config.get("pad_token_id", 1)) if counting else None

    def forward(self, ids: Tensor) -> Tensor:
        # A single text has only segment 0.
        places = self.position_embeddings(position_ids(ids, self.counts_from))
        summed = self.word_embeddings(ids) + places + self.token_type_embeddings.weight[0]
        return cast("Tensor", self.dropout(self.LayerNorm(summed)))


class _BertLayer(nn.Module):
    """Self-attention and the two-layer network, each with its residual and normalisation after it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        hidden, inner = int(config["hidden_size"]), int(config["intermediate_size"])
        self.heads = int(config["num_attention_heads"])
        self.attention_dropout = float(config.get("attention_probs_dropout_prob", 0.1))
        self.gelu = _ACTIVATIONS[str(config.get("hidden_act", "gelu"))]
        query_key_value = {name: nn.Linear(hidden, hidden) for name in ("query", "key", "value")}
        self.attention = nn.ModuleDict(
            {"self": nn.ModuleDict(query_key_value), "output": _make_output_layer(hidden, hidden, config)}
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(hidden, inner)})
        self.output = _make_output_layer(inner, hidden, config)
        self.dropout = nn.Dropout(float(config.get("hidden_dropout_prob", 0.1)))

    def forward(self, hidden: Tensor, attend: Tensor | None) -> Tensor:
        own = cast("nn.ModuleDict", self.attention["self"])
        shape = (*hidden.shape[:2], self.heads, hidden.shape[2] // self.heads)
        query, key, value = (own[name](hidden).view(shape).transpose(1, 2) for name in ("query", "key", "value"))
        mixed = F.scaled_dot_product_attention(
            query, key, value, attn_mask=attend, dropout_p=self.attention_dropout if self.training else 0.0
        )
        mixed = mixed.transpose(1, 2).reshape(hidden.shape)
        hidden = self._finish(cast("nn.ModuleDict", self.attention["output"]), mixed, hidden)
        inner = F.gelu(self.intermediate["dense"](hidden), approximate=self.gelu)
        return self._finish(self.output, inner, hidden)

    def _finish(self, output: nn.ModuleDict, computed: Tensor, residual: Tensor) -> Tensor:
        return cast("Tensor", output["LayerNorm"](self.dropout(output["dense"](computed)) + residual))


def position_ids(ids: Tensor, counts_from: int | None) -> Tensor:
    """Return the index of each token in the position table: int64 [b, tokens].

    Args:
        ids: int64 [b, tokens].
        counts_from: the padding's id if positions are counted from it (RoBERTa); the same token inside a text is not
            counted either. None: 0, 1, 2, ... (BERT).
    """
    if counts_from is None:
        return torch.arange(ids.shape[1], device=ids.device).expand(ids.shape)
    counted = (ids != counts_from).to(ids.dtype)
    return counted.cumsum(1) * counted + counts_from


def _make_embedding(rows: int, width: int) -> nn.Embedding:
    # The plain constructor draws random numbers, which on the meta device imports torch's compiler: a second.
    return nn.Embedding(rows, width, _weight=torch.empty(rows, width))


def _make_output_layer(width: int, hidden: int, config: Mapping[str, Any]) -> nn.ModuleDict:
    return nn.ModuleDict({"dense": nn.Linear(width, hidden), "LayerNorm": _make_layer_norm(config)})


def _make_layer_norm(config: Mapping[str, Any]) -> nn.LayerNorm:
    # torch sums in fp32 inside a normalisation whatever the precision of its input.
    return nn.LayerNorm(int(config["hidden_size"]), eps=float(config.get("layer_norm_eps", 1e-12)))


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
    renaming = {bert: distilbert for distilbert, bert in _DISTILBERT_NAMES.items()}
    return {_rename_weight(name, renaming): tensor for name, tensor in tensors.items() if name != _TOKEN_TYPE_WEIGHT}


def _rename_weight(name: str, renaming: Mapping[str, str]) -> str:
    for old, new in renaming.items():
        # Once: `.output.dense.` is the end of `.attention.output.dense.` too, which comes first.
        if old in name:
            name = name.replace(old, new)
            if old not in ("transformer.layer.", "encoder.layer."):
                break
    return name
