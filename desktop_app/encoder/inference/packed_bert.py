"""BERT's forward pass for inference: no padding, and weights laid out for the machine.

The differences to the module in `bert.py`, with their effects (one core of an AMD EPYC with AVX512_BF16, bf16,
29 tokens a text, milliseconds for 2,000 tokens in one layer):

- query, key and value are one product; the scale of the scores and log2(e) are in its weights;
- weights are laid out once, GELU and the residual sum are fused into the products (`linear.py`);
- tokens are packed: padding is not multiplied with weights;
- attention is two batched products with 2^x between them, 1.1 ms, where torch's fused attention takes 5.5 (it is
  made for long texts, and its softmax is slow for rows shorter than a vector register) and the products of the
  weights take 15.

2^x without the usual subtraction of each row's maximum overflows if a score exceeds 88 (natural scale). Then the vector
is not finite, the encoder notices, and the module computes that text in fp32, at several times the cost. Scores of
all-MiniLM-L6-v2 are mostly within +-30, but real texts of the model's full length, 256 tokens, reach 98. In fp16
scores would overflow at 11, so fp16 uses torch's own attention, as do GPUs.

A text has the same vector whatever the rest of its batch, bit for bit, in bf16 and fp32 on a processor. The rounding
of a product or a sum depends on its shape, so attention groups texts of similar length and pads them to a number of
tokens that depends only on their own lengths; `linear.py` does the same for rows.

For a single typed query, calls cost more than computation: it uses attention in fp32, with three calls instead of
eight and small products that are three times as fast as in bf16, and empty rows up to a number of tokens that oneDNN
has met before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from desktop_app.encoder.inference.bert import position_ids
from desktop_app.encoder.inference.linear import MIN_CONSISTENT_ROWS, ROWS_MULTIPLE, PrepackedLinear
from desktop_app.encoder.inference.pause_points import pause_point

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.encoder.inference.bert import BertBody


_LENGTH_MULTIPLE = 8
_CACHED_LAYOUTS = 64  # of single texts: up to 512 tokens


class PackedBert:
    """A `BertBody` for inference: same call, same results up to rounding.

    It takes the present weights of `body`. Some are shared with it (the embeddings, on a processor) and others are
    copies, so do not train a body in use.

    Args:
        body: the source of the weights, fp32.
        dtype: of the layers; embeddings are summed and normalised in fp32.
        device: `cpu`, `cuda` or `mps`.
    """

    def __init__(self, body: BertBody, dtype: torch.dtype, device: str) -> None:
        self.dtype = dtype
        self.device = device
        embeddings = body.embeddings
        self._words = embeddings.word_embeddings.weight.detach().to(device)
        # A single text has only segment 0.
        table = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
        self._positions = table.detach().to(device)
        self._counts_from = embeddings.counts_from
        self._embedding_norm = _PackedLayerNorm(embeddings.LayerNorm, torch.float32, device)
        layers = cast("list[nn.Module]", list(cast("nn.ModuleList", body.encoder["layer"])))
        self._layers = [_PackedLayer(layer, dtype, device) for layer in layers]
        self._heads = cast("_BertLayerParts", layers[0]).heads
        self._pooler = None
        if body.pooler is not None:
            dense = cast("nn.Linear", body.pooler["dense"])
            self._pooler = (dense.weight.detach().to(device), dense.bias.detach().to(device))

    def __call__(self, ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Compute token vectors.

        Args:
            ids: int64 [b, tokens].
            mask: bool [b, tokens], False for padding, which is on the right; None if there is none: a single text is
                then a query, computed faster, and its vector may be rounded differently than in a batch.

        Returns:
            ([b, tokens, hidden], on a processor zeros for padding, except the first position of an empty text;
            float32 [b, hidden] of the pooler or None).
        """
        rows, tokens = ids.shape
        if rows == 1 and mask is None and self.device == "cpu":
            return self._compute_single_text(ids)
        places = position_ids(ids, self._counts_from).reshape(-1)
        flat = ids.reshape(-1)
        if self.device == "cpu":
            shape = _plan_layout(rows, tokens, mask, self._heads)
        else:
            shape = _PackedLayout(rows, tokens, (_AttentionGroup(rows, tokens, mask),))
        if shape.real is not None:
            flat, places = flat.index_select(0, shape.real), places.index_select(0, shape.real)
        summed = F.embedding(flat, self._words)
        summed += F.embedding(places, self._positions)
        hidden = self._embedding_norm(summed).to(self.dtype)
        for layer in self._layers:
            hidden = layer(hidden, shape)
        return self._add_pooler_output(shape.spread(hidden).view(rows, tokens, -1))

    def _compute_single_text(self, ids: Tensor) -> tuple[Tensor, Tensor | None]:
        """Compute one text, int64 [1, tokens], on a processor."""
        tokens = ids.shape[1]
        summed = F.embedding(ids[0], self._words)
        if self._counts_from is None:
            summed += self._positions[:tokens]
        else:
            summed += F.embedding(position_ids(ids, self._counts_from)[0], self._positions)
        hidden = self._embedding_norm(summed).to(self.dtype)
        shape = _plan_single_text(tokens)
        if shape.tokens > tokens:
            hidden = F.pad(hidden, (0, 0, 0, shape.tokens - tokens))
        for layer in self._layers:
            hidden = layer(hidden, shape)
        return self._add_pooler_output(hidden[None, :tokens])

    def _add_pooler_output(self, hidden: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return token vectors [b, tokens, hidden], and the pooler's output if there is a pooler."""
        if self._pooler is None:
            return hidden, None
        return hidden, torch.tanh(F.linear(hidden[:, 0].float(), *self._pooler))


@dataclass(frozen=True, slots=True)
class _AttentionGroup:
    """Texts that go through attention together.

    Attributes:
        rows: texts.
        tokens: of each, including padding.
        mask: bool [rows, tokens], False for padding; None when there is none.
        source: int64 [3 * rows * heads * tokens], the position of each head of queries, keys and values in packed rows
            of three times all heads; padding uses the text's last token. None: the packed tokens are this group.
    """

    rows: int
    tokens: int
    mask: Tensor | None
    source: Tensor | None = None

    def split(self, query_key_value: Tensor, heads: int) -> Tensor:
        """Return [3, rows, heads, tokens, size] of [packed tokens, 3 * heads * size]."""
        if self.source is None:
            return query_key_value.view(self.rows, self.tokens, 3, heads, -1).permute(2, 0, 3, 1, 4)
        packed = query_key_value.view(3 * heads * len(query_key_value), -1)
        return packed.index_select(0, self.source).view(3, self.rows, heads, self.tokens, -1)


@dataclass(frozen=True, slots=True)
class _PackedLayout:
    """Maps the rows of a matrix [packed tokens, width] to the tokens of texts.

    Attributes:
        rows: texts.
        tokens: of the longest text.
        groups: of texts that follow one another.
        real: int64 [packed tokens], places of a padded [rows * tokens] that hold a token, the last one repeated up to
            `MIN_CONSISTENT_ROWS` and a multiple of `ROWS_MULTIPLE`, of more in large passes; None: no packing.
        target: int64 [packed tokens * heads], the position of each head of a token in the concatenated output of the
            groups; None: there is one group, of all tokens.
        bias: for a single text, float32 [1, 1, tokens], added to the attention's scores: minus infinity for the empty
            rows at its end.
    """

    rows: int
    tokens: int
    groups: tuple[_AttentionGroup, ...] = ()
    real: Tensor | None = None
    target: Tensor | None = None
    bias: Tensor | None = None

    def join(self, parts: list[Tensor]) -> Tensor:
        """Return [packed tokens, heads * size] of a [rows, heads, tokens, size] for each group."""
        if self.target is None:
            return parts[0].transpose(1, 2).reshape(self.rows * self.tokens, -1)
        heads = parts[0].shape[1]
        flat = [part.reshape(-1, part.shape[-1]) for part in parts]
        joined = flat[0] if len(flat) == 1 else torch.cat(flat)
        return joined.index_select(0, self.target).view(len(self.target) // heads, -1)

    def spread(self, packed: Tensor) -> Tensor:
        """Return [rows * tokens, width] of [packed tokens, width], zeros for padding."""
        if self.real is None:
            return packed
        return packed.new_zeros(self.rows * self.tokens, packed.shape[1]).index_copy_(0, self.real, packed)


def _plan_layout(rows: int, tokens: int, mask: Tensor | None, heads: int) -> _PackedLayout:
    """Return the layout of texts on a processor; texts of similar length make a group."""
    lengths = np.full(rows, tokens) if mask is None else mask.sum(1).numpy()
    lengths = np.maximum(lengths, 1)  # for an empty text padding is computed and ignored
    filled = np.array([_padded_length(length) for length in lengths.tolist()])
    count = int(lengths.sum())
    # Repeat the last token: oneDNN compiles and caches code for every number of rows that it meets.
    more = max(MIN_CONSISTENT_ROWS - count, -count % max(ROWS_MULTIPLE, 1 << max(0, count.bit_length() - 6)))
    if not more and (lengths == tokens).all() and filled[0] == tokens:
        return _PackedLayout(rows, tokens, (_AttentionGroup(rows, tokens, None),))
    starts = np.cumsum(lengths) - lengths
    edges = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), rows]
    groups: list[_AttentionGroup] = []
    targets: list[NDArray[np.int64]] = []
    behind = 0
    every_head = np.arange(heads)
    for first, end in pairwise(edges):
        width, part = int(filled[first]), lengths[first:end, None]
        places = np.arange(width)
        is_real = places < part
        token = starts[first:end, None] + np.minimum(places, part - 1)
        # In queries, keys and values, and in each text, all tokens of one head are adjacent.
        source = (3 * token[None, :, None, :] + np.arange(3)[:, None, None, None]) * heads + every_head[:, None]
        text, place = np.nonzero(is_real)
        groups.append(
            _AttentionGroup(
                end - first,
                width,
                None if is_real.all() else torch.from_numpy(is_real),
                torch.from_numpy(source.reshape(-1)),
            )
        )
        targets.append(behind + (text[:, None] * heads + every_head) * width + place[:, None])
        behind += is_real.size * heads
    real = np.flatnonzero(np.arange(tokens) < lengths[:, None])
    target = np.concatenate(targets)
    if more:
        real, target = np.pad(real, (0, more), "edge"), np.pad(target, ((0, more), (0, 0)), "edge")
    return _PackedLayout(rows, tokens, tuple(groups), torch.from_numpy(real), torch.from_numpy(target.reshape(-1)))


def _padded_length(tokens: int) -> int:
    """Return the number of tokens to which a text is padded: at most an eighth more, unless it is short."""
    step = max(_LENGTH_MULTIPLE, 1 << max(0, tokens.bit_length() - 4))
    return -(-tokens // step) * step


@lru_cache(_CACHED_LAYOUTS)
def _plan_single_text(tokens: int) -> _PackedLayout:
    """Return the layout of a single text on a processor, with empty rows up to a multiple of `_LENGTH_MULTIPLE`."""
    filled = tokens + -tokens % _LENGTH_MULTIPLE
    bias = torch.zeros(1, 1, filled)
    bias[:, :, tokens:] = float("-inf")
    return _PackedLayout(1, filled, bias=bias)


class _PackedLayerNorm:
    """Layer normalisation (Ba et al. 2016)."""

    def __init__(self, module: nn.LayerNorm, dtype: torch.dtype, device: str) -> None:
        self._shape = list(module.normalized_shape)
        self._weight = module.weight.detach().to(device=device, dtype=dtype)
        self._bias = module.bias.detach().to(device=device, dtype=dtype)
        self._eps = module.eps

    def __call__(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self._shape, self._weight, self._bias, self._eps)


class _PackedLayer:
    def __init__(self, module: nn.Module, dtype: torch.dtype, device: str) -> None:
        layer = cast("_BertLayerParts", module)
        own = cast("nn.ModuleDict", layer.attention["self"])
        query, key, value = (cast("nn.Linear", own[name]) for name in ("query", "key", "value"))
        self._heads = layer.heads
        self._dtype = dtype
        self._by_powers = device == "cpu" and dtype != torch.float16
        # Powers of two are cheaper than powers of e, and the scale in the weights is free.
        size = query.out_features // layer.heads
        scale = math.log2(math.e) / math.sqrt(size) if self._by_powers else 1.0
        self._to_natural = 1 / (math.sqrt(size) * scale)
        self._query_key_value = PrepackedLinear(
            torch.cat([query.weight * scale, key.weight, value.weight]),
            torch.cat([query.bias * scale, key.bias, value.bias]),
            dtype,
            device,
        )
        self._attention_output, self._attention_norm = _pack_output_layer(layer.attention["output"], dtype, device)
        dense = cast("nn.Linear", layer.intermediate["dense"])
        self._inner = PrepackedLinear(dense.weight, dense.bias, dtype, device)
        self._approximate = layer.gelu
        self._output, self._norm = _pack_output_layer(layer.output, dtype, device)

    def __call__(self, hidden: Tensor, shape: _PackedLayout) -> Tensor:
        pause_point()
        query_key_value = self._query_key_value(hidden)
        pause_point()
        mixed = self._attend(query_key_value, shape)
        hidden = self._attention_norm(self._attention_output.add_to(mixed, hidden))
        pause_point()
        # Piece by piece, the inner vectors stay in the processor's cache.
        pieces = torch.split(hidden, self._output.pieces(len(hidden)))
        done = [self._norm(self._feed_forward(piece)) for piece in pieces]
        return done[0] if len(done) == 1 else torch.cat(done)

    def _feed_forward(self, hidden: Tensor) -> Tensor:
        inner = self._inner.gelu(hidden, self._approximate)
        pause_point()
        return self._output.add_to(inner, hidden)

    def _attend(self, query_key_value: Tensor, shape: _PackedLayout) -> Tensor:
        """Return [packed tokens, hidden] of [packed tokens, 3 * hidden] (Vaswani et al. 2017, section 3.2)."""
        if shape.bias is None:
            return shape.join([self._attend_group(query_key_value, group) for group in shape.groups])
        tokens = shape.tokens
        query, key, value = query_key_value.float().view(tokens, 3, self._heads, -1).permute(1, 2, 3, 0).unbind(0)
        scores = torch.baddbmm(shape.bias, query.transpose(1, 2), key, alpha=self._to_natural)
        mixed = torch.bmm(torch.softmax(scores, -1), value.transpose(1, 2))
        return mixed.transpose(0, 1).reshape(tokens, -1).to(self._dtype)

    def _attend_group(self, query_key_value: Tensor, group: _AttentionGroup) -> Tensor:
        """Return [rows, heads, tokens, size] of a group."""
        rows, tokens, heads = group.rows, group.tokens, self._heads
        parts = group.split(query_key_value, heads)
        mask = None if group.mask is None else group.mask[:, None, None, :]
        if not self._by_powers:
            return F.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        query, key, value = parts.contiguous().view(3, rows * heads, tokens, -1).unbind(0)
        weights = torch.bmm(query, key.transpose(1, 2)).exp2_()
        if mask is not None:
            weights.view(rows, heads, tokens, tokens).mul_(mask)
        return torch.bmm(weights, value).div_(weights.sum(-1, keepdim=True)).view(rows, heads, tokens, -1)


class _BertLayerParts(nn.Module):
    """The parts of a layer of a `BertBody`."""

    attention: nn.ModuleDict
    intermediate: nn.ModuleDict
    output: nn.ModuleDict
    heads: int
    gelu: str


def _pack_output_layer(module: nn.Module, dtype: torch.dtype, device: str) -> tuple[PrepackedLinear, _PackedLayerNorm]:
    parts = cast("nn.ModuleDict", module)
    dense = cast("nn.Linear", parts["dense"])
    return PrepackedLinear(dense.weight, dense.bias, dtype, device), _PackedLayerNorm(
        cast("nn.LayerNorm", parts["LayerNorm"]), dtype, device
    )
