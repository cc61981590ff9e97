"""The parts of a model as one torch module: body, pooling, head. Built from a `Checkpoint`.

A siamese network (Reimers & Gurevych 2019, section 3) has one body for both sides; so there is one module here, and
two texts are two rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from desktop_app.core.errors import AppError, ModelMissing
from desktop_app.core.messages import Message
from desktop_app.encoder.checkpoint import Checkpoint, DenseSpec
from desktop_app.encoder.device import error_summary, is_out_of_memory, memory_error
from desktop_app.encoder.inference.bert import (
    BertBody,
    from_bert_weights,
    is_bert_config,
    to_bert_config,
    to_bert_weights,
)
from desktop_app.encoder.inference.pause_points import pause_point
from desktop_app.encoder.pooling import MEAN_PADDED, AttentionPooling, pool
from desktop_app.encoder.quiet_transformers import silence_transformers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

# Errors of safetensors and torch on files that are damaged, truncated or of another model.
_LOADING_ERRORS = (
    *(OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, ImportError),
    *(SafetensorError, MemoryError),
)


class NetworkBody(Protocol):
    """Token ids int64 [b, tokens] and mask bool [b, tokens] or None -> ([b, tokens, hidden], [b, hidden] or None)."""

    def __call__(self, ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Compute token vectors and the output of the body's own pooler."""
        ...


class Network(nn.Module):
    """Maps token ids to the model's own vectors, in fp32 on the processor. This model is trained and saved.

    `PreparedModel` computes with its weights in another precision or on another device.

    Attributes:
        pad_to_tokens: the length to which every text is padded, for a pooling over padding; 0: batches have their
            own length.
    """

    def __init__(self, checkpoint: Checkpoint, body: nn.Module) -> None:
        super().__init__()
        self.pooling_modes = checkpoint.pooling_modes
        self.include_prompt = checkpoint.include_prompt
        self.hidden = checkpoint.hidden
        self.model_type = str(checkpoint.config.get("model_type"))
        self.pad_to_tokens = checkpoint.max_length if MEAN_PADDED in checkpoint.pooling_modes else 0
        self._pad_id = int(checkpoint.config.get("pad_token_id") or 0)
        self.body = body
        self.attention = AttentionPooling(checkpoint.hidden) if "attention" in checkpoint.pooling_modes else None
        self.head = nn.ModuleList(
            _DenseLayer(step) if isinstance(step, DenseSpec) else _NormalizeLayer() for step in checkpoint.head
        )

    def forward(self, ids: Tensor, mask: Tensor | None, prompt_length: int = 0) -> Tensor:
        """Embed a batch.

        Args:
            ids: int64 [b, tokens], padded on the right.
            mask: bool [b, tokens], False for padding; None when there is none.
            prompt_length: number of tokens of the prompt; the pooling skips them if the model requires it.

        Returns:
            float32 [b, dim].
        """
        return self.embed(self.body, self.attention, self.head, ids, mask, prompt_length)

    def embed(
        self,
        body: NetworkBody,
        attention: AttentionPooling | None,
        head: Iterable[nn.Module],
        ids: Tensor,
        mask: Tensor | None,
        prompt_length: int,
    ) -> Tensor:
        """Embed a batch with another body, pooling and head than the module's own; like `forward`."""
        ids, mask = self.pad_for_pooling(ids, mask)
        hidden, pooler_output = body(ids, mask)
        counted = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask
        if prompt_length and not self.include_prompt:
            counted = counted.clone()
            counted[:, :prompt_length] = False
        vectors = pool(hidden, counted, self.pooling_modes, pooler_output, attention)
        for step in head:
            vectors = step(vectors)
        return vectors

    def pad_for_pooling(self, ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Return a batch with the padding that a pooling over padding needs; unchanged for other poolings."""
        missing = self.pad_to_tokens - ids.shape[1]
        if missing <= 0:
            return ids, mask
        counted = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask
        return F.pad(ids, (0, missing), value=self._pad_id), F.pad(counted, (0, missing), value=False)

    @property
    def rows(self) -> int | None:
        """Number of tokens in the body's embedding table; None if unknown."""
        if isinstance(self.body, BertBody):
            return int(self.body.embeddings.word_embeddings.weight.shape[0])
        try:
            return int(cast("Any", self.body).model.get_input_embeddings().weight.shape[0])
        except (AttributeError, NotImplementedError):
            return None

    def body_tensors(self) -> dict[str, Tensor]:
        """Return the body's weights in fp32 on the processor, by the names of its checkpoint."""
        body = self.body.model if isinstance(self.body, _TransformersBody) else self.body
        # Cloned: safetensors refuses two names for the same memory.
        tensors = {name: tensor.detach().float().cpu().clone() for name, tensor in body.state_dict().items()}
        return from_bert_weights(self.model_type, tensors) if body is self.body else tensors


def load_network(checkpoint: Checkpoint) -> Network:
    """Build the model and load its weights, fp32 on the processor, ready for inference.

    Raises:
        ModelMissing: the weights are damaged, incomplete or belong to another model.
        DeviceUnavailable: there is not enough memory.
    """
    try:
        body = (
            _load_bert(checkpoint)
            if is_bert_config(to_bert_config(checkpoint.config))
            else _load_with_transformers(checkpoint)
        )
        network = Network(checkpoint, body)
        if network.attention is not None and checkpoint.attention is not None:
            network.attention.load_state_dict(load_file(checkpoint.attention))
        for step, module in zip(checkpoint.head, network.head, strict=True):
            if isinstance(step, DenseSpec):
                module.load_state_dict(load_file(step.folder / "model.safetensors"))
    except AppError:
        raise
    except _LOADING_ERRORS as error:
        if is_out_of_memory(error):
            raise memory_error("cpu", Message("the model")) from error
        raise ModelMissing(
            "The model in {folder} cannot be loaded ({why})",
            "Copy the model again, or use another one.",
            folder=checkpoint.folder,
            why=error_summary(error),
        ) from error
    return network.float().eval().requires_grad_(False)


def refuse_unknown_tokens(checkpoint: Checkpoint, network: Network, largest_id: int) -> None:
    """Refuse a tokenizer of another model: some texts would have tokens without a row in the network's table.

    Args:
        checkpoint: of both.
        network: may have more rows than the tokenizer has tokens: many tables are rounded up.
        largest_id: of the tokenizer.

    Raises:
        ModelMissing: the network has no row for it.
    """
    rows = network.rows
    if rows is not None and largest_id >= rows:
        raise ModelMissing(
            "The tokenizer in {body_folder} has {largest_id} tokens, but the model has {rows}: they do not match",
            "Copy the model again, tokenizer and weights from the same source.",
            body_folder=checkpoint.body_folder,
            largest_id=largest_id + 1,
            rows=rows,
        )


class _DenseLayer(nn.Module):
    """A linear layer with its activation; names as in the model's folder."""

    def __init__(self, spec: DenseSpec) -> None:
        super().__init__()
        self.linear = nn.Linear(spec.in_features, spec.out_features, bias=spec.bias)
        self.activation: nn.Module = getattr(nn, spec.activation)()
        self.has_residual = spec.residual
        if spec.residual and spec.in_features != spec.out_features:
            self.residual = nn.Linear(spec.in_features, spec.out_features, bias=False)

    def forward(self, vectors: Tensor) -> Tensor:
        out = cast("Tensor", self.activation(self.linear(vectors)))
        if not self.has_residual:
            return out
        return out + (self.residual(vectors) if hasattr(self, "residual") else vectors)


class _NormalizeLayer(nn.Module):
    def forward(self, vectors: Tensor) -> Tensor:
        return F.normalize(vectors, dim=-1)


class _TransformersBody(nn.Module):
    """Any other encoder, computed by transformers."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        attention = torch.ones_like(ids) if mask is None else mask.to(ids.dtype)
        output = self.model(input_ids=ids, attention_mask=attention)
        return output.last_hidden_state, getattr(output, "pooler_output", None)


def _load_bert(checkpoint: Checkpoint) -> BertBody:
    with torch.device("meta"):  # the files' tensors replace the parameters: nothing is initialised in vain
        body = BertBody(to_bert_config(checkpoint.config), with_pooler="pooler" in checkpoint.pooling_modes)
    tensors: dict[str, Tensor] = {}
    for file in checkpoint.weights:
        tensors |= {name: tensor.float() for name, tensor in load_file(file).items()}
    tensors = to_bert_weights(checkpoint.config, tensors)
    wanted = set(body.state_dict())
    _refuse_missing_weights(checkpoint, wanted - set(tensors))
    body.load_state_dict({name: tensors[name] for name in wanted}, assign=True)
    return body


def _load_with_transformers(checkpoint: Checkpoint) -> _TransformersBody:
    if checkpoint.config.get("is_encoder_decoder"):
        raise ModelMissing(
            "{folder} is an encoder with a decoder, which is not supported",
            "Use another model.",
            folder=checkpoint.folder,
        )
    with silence_transformers():
        from transformers import AutoModel

        model, report = AutoModel.from_pretrained(
            str(checkpoint.body_folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    # transformers invents missing weights. Many files lack the pooler, which only `pooler` needs.
    missing = {name for name in report["missing_keys"] if "pooler" not in name or "pooler" in checkpoint.pooling_modes}
    _refuse_missing_weights(checkpoint, missing)
    if "pooler" in checkpoint.pooling_modes and not hasattr(model, "pooler"):
        raise ModelMissing("{folder} has no pooler", "Use another pooling.", folder=checkpoint.folder)
    for layers in model.modules():
        if isinstance(layers, nn.ModuleList) and len(layers) == model.config.num_hidden_layers:
            for layer in layers:
                layer.register_forward_pre_hook(_pause_before_layer)
    return _TransformersBody(model)


def _pause_before_layer(_module: nn.Module, _inputs: object) -> None:
    pause_point()


def _refuse_missing_weights(checkpoint: Checkpoint, names: set[str]) -> None:
    if names:
        shown = ", ".join(sorted(names)[:3]) + (", ..." if len(names) > 3 else "")
        raise ModelMissing(
            "The model in {folder} lacks weights: {shown}",
            "Copy the model again, or use another pooling.",
            folder=checkpoint.folder,
            shown=shown,
        )
