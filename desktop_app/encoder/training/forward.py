"""The trained half of a step: texts to pooled vectors, and their gradient back into the body's weights.

`ThreadedBert` is for processors. A batch's texts are sorted by length and divided among threads, each of which
computes with one core and without padding (but in the attention); torch's own threads meet after every operation,
which costs more than the small matrices of a sentence take. Weights are laid down in the reduced precision once a
step; gradients are summed in fp32. Dropout draws from a generator seeded by run, step and thread, so that a resumed
run draws the same.

`PlainForward` is for other bodies and for graphics processors: the network as it is, under autocast.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from desktop_app.encoder.bert import BertBody, positions
from desktop_app.encoder.inference import padded
from desktop_app.encoder.pooling import pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from desktop_app.encoder.network import Network
    from desktop_app.encoder.tokenizing import TokenIds


class Forward(Protocol):
    """Texts to pooled vectors, and back."""

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """Return float32 [n, pooled] that wants a gradient: a leaf, so that what follows has a graph of its own."""
        ...

    def backward(self, gradient: Tensor) -> None:
        """Add the gradient of the last `embed`'s rows, float32 [n, pooled], to those of the body's weights."""
        ...

    def close(self) -> None:
        """End the threads."""
        ...


@dataclass(slots=True)
class _Part:
    """A thread's share of a batch, and what its backward pass needs."""

    places: list[int]
    ids: Tensor
    words: Tensor
    pooled: Tensor | None = None


class ThreadedBert:
    """See the module.

    Args:
        network: its body is a `BertBody`.
        pad_id: the token that fills up.
        precision: `fp32` or `bf16`: of the products.
        threads: how many compute.
        seed: of the dropout.
        training: whether weights get gradients and numbers drop out.
    """

    def __init__(
        self, network: Network, pad_id: int, *, precision: str, threads: int, seed: int, training: bool = True
    ) -> None:
        assert isinstance(network.body, BertBody), "other bodies go through PlainForward"
        self._network = network
        self._body = network.body
        self._pad_id = pad_id
        self._dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        self._threads = max(1, threads)
        self._seed = seed
        self._training = training
        self._pool = ThreadPoolExecutor(self._threads, "training", initializer=torch.set_num_threads, initargs=(1,))
        self._weights: _Weights | None = None
        self._parts: list[_Part] = []

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """See `Forward`."""
        self._weights = _Weights(self._body, self._network.attention, self._dtype, wanted=self._training)
        shares = _shares([len(row) for row in rows], self._threads)
        work = [
            self._pool.submit(self._forward, self._weights, rows, segments, places, step, number)
            for number, places in enumerate(shares)
        ]
        self._parts = [each.result() for each in work]
        pooled = [part.pooled for part in self._parts if part.pooled is not None]
        out = torch.empty(len(rows), pooled[0].shape[1])
        for part, found in zip(self._parts, pooled, strict=True):
            out[part.places] = found.detach()
        return out.requires_grad_(self._training)

    def backward(self, gradient: Tensor) -> None:
        """See `Forward`."""
        weights = self._weights
        assert weights is not None, "embed comes first"
        work = [self._pool.submit(self._backward, weights, part, gradient[part.places]) for part in self._parts]
        found = [each.result() for each in work]
        weights.add([leaves for leaves, _ in found])
        table = self._body.embeddings.word_embeddings.weight
        if table.grad is None:
            table.grad = torch.zeros_like(table)
        for part, (_, words) in zip(self._parts, found, strict=True):
            table.grad.index_add_(0, part.ids, words)
        self._parts, self._weights = [], None

    def close(self) -> None:
        """See `Forward`."""
        self._pool.shutdown()

    def _forward(
        self,
        weights: _Weights,
        rows: Sequence[TokenIds],
        segments: Sequence[TokenIds] | None,
        places: list[int],
        step: int,
        number: int,
    ) -> _Part:
        ids, mask = self._network.filled(*padded([rows[place] for place in places], self._pad_id))
        kinds = None if segments is None else padded([segments[place] for place in places], 0)[0]
        with torch.set_grad_enabled(self._training):
            return self._pass(weights, ids, mask, kinds, places, _generator(self._seed, step, number))

    def _pass(
        self,
        weights: _Weights,
        ids: Tensor,
        mask: Tensor | None,
        segments: Tensor | None,
        places: list[int],
        source: torch.Generator,
    ) -> _Part:
        texts, tokens = ids.shape
        # A pooling over padding needs the vectors of padding too; the attention sees none of it either way.
        is_whole = mask is None or self._network.padded_to > 0
        counted = torch.ones_like(ids, dtype=torch.bool) if mask is None or is_whole else mask
        flat = counted.reshape(-1)
        real = flat.nonzero().squeeze(1)
        spread = flat.cumsum(0).sub_(1).clamp_(min=0)  # padding takes another token of its text
        packed = ids.reshape(-1)[real]
        embeddings = self._body.embeddings
        words = F.embedding(packed, embeddings.word_embeddings.weight.detach()).requires_grad_(self._training)
        where = positions(ids, embeddings.counts_from).reshape(-1)[real]
        kinds = torch.zeros_like(packed) if segments is None else segments.reshape(-1)[real]
        hidden = words + F.embedding(where, weights["embeddings.position_embeddings.weight"])
        hidden = hidden + F.embedding(kinds, weights["embeddings.token_type_embeddings.weight"])
        hidden = self._dropped(_norm(weights, "embeddings.LayerNorm", hidden, embeddings.LayerNorm), source)
        blocked = None if mask is None else ~mask[:, None, None, :]
        layers = cast("nn.ModuleList", self._body.encoder["layer"])
        for index, layer in enumerate(layers):
            name = f"encoder.layer.{index}."
            heads, p = cast("int", layer.heads), cast("float", layer.attention_dropout)
            joined = F.linear(hidden.to(self._dtype), weights[name + "qkv.weight"], weights[name + "qkv.bias"])
            split = joined.index_select(0, spread).view(texts, tokens, 3, heads, -1).permute(2, 0, 3, 1, 4)
            scores = (split[0] @ split[1].transpose(-1, -2)).float() / math.sqrt(split.shape[-1])
            if blocked is not None:
                scores = scores.masked_fill(blocked, float("-inf"))
            shares = self._dropped(torch.softmax(scores, dim=-1), source, p).to(self._dtype)
            mixed = (shares @ split[2]).transpose(1, 2).reshape(texts * tokens, -1).index_select(0, real)
            out = F.linear(mixed, *weights.pair(name + "attention.output.dense"))
            norm = cast("nn.LayerNorm", cast("Any", layer).attention["output"]["LayerNorm"])
            hidden = _norm(
                weights, name + "attention.output.LayerNorm", self._dropped(out.float(), source) + hidden, norm
            )
            inner = F.gelu(
                F.linear(hidden.to(self._dtype), *weights.pair(name + "intermediate.dense")),
                approximate=cast("str", layer.gelu),
            )
            out = F.linear(inner, *weights.pair(name + "output.dense"))
            norm = cast("nn.LayerNorm", cast("Any", layer).output["LayerNorm"])
            hidden = _norm(weights, name + "output.LayerNorm", self._dropped(out.float(), source) + hidden, norm)
        placed = hidden.index_select(0, spread).view(texts, tokens, -1)
        pooler = None
        if self._body.pooler is not None:
            pooler = torch.tanh(F.linear(placed[:, 0], weights["pooler.dense.weight"], weights["pooler.dense.bias"]))
        attention = self._network.attention
        pooled = pool(placed, counted, self._network.modes, pooler, attention)
        return _Part(places, packed, words, pooled)

    def _dropped(self, x: Tensor, source: torch.Generator, p: float | None = None) -> Tensor:
        """Set a share of the numbers to 0 and scale up the others (Srivastava et al. 2014)."""
        share = self._body.embeddings.dropout.p if p is None else p
        if not self._training or not share:
            return x
        kept = torch.empty(x.shape, dtype=x.dtype).bernoulli_(1 - share, generator=source)
        return x * kept.div_(1 - share)

    def _backward(self, weights: _Weights, part: _Part, gradient: Tensor) -> tuple[list[Tensor | None], Tensor]:
        assert part.pooled is not None, "a part keeps its graph until it is used"
        found = torch.autograd.grad(part.pooled, [*weights.leaves, part.words], gradient, allow_unused=True)
        words = found[-1]
        assert words is not None, "every text has tokens"
        part.pooled = None
        return list(found[:-1]), words


class PlainForward:
    """The network as it is, under autocast; see the module.

    Args:
        network: on the device.
        pad_id: the token that fills up.
        precision: `fp32`, or another for autocast.
        device: where it computes.
        seed: of the dropout.
    """

    def __init__(self, network: Network, pad_id: int, *, precision: str, device: str, seed: int) -> None:
        self._network = network
        self._pad_id = pad_id
        self._dtype = {"bf16": torch.bfloat16, "fp16": torch.bfloat16}.get(precision)
        self._device = device
        self._seed = seed
        self._out: Tensor | None = None

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """See `Forward`; has no segments."""
        assert segments is None, "only a BERT on the processor reads two texts at once"
        torch.manual_seed(int(np.random.SeedSequence([self._seed, step]).generate_state(1)[0]))
        ids, mask = self._network.filled(*padded(rows, self._pad_id))
        ids = ids.to(self._device)
        counted = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask.to(self._device)
        with torch.autocast(self._device, self._dtype or torch.bfloat16, enabled=self._dtype is not None):
            hidden, pooler = self._network.body(ids, counted)
        self._out = pool(hidden, counted, self._network.modes, pooler, self._network.attention)
        return self._out.detach().requires_grad_()

    def backward(self, gradient: Tensor) -> None:
        """See `Forward`."""
        assert self._out is not None, "embed comes first"
        self._out.backward(gradient)  # type: ignore[no-untyped-call]
        self._out = None

    def close(self) -> None:
        """Nothing to end."""


class _Weights:
    """A body's weights as a step's leaves: matrices in the precision of the products, query, key and value joined."""

    def __init__(self, body: BertBody, attention: nn.Module | None, dtype: torch.dtype, *, wanted: bool) -> None:
        self._dtype = dtype
        self._owners: list[tuple[nn.Parameter, ...]] = []
        self.leaves: list[Tensor] = []
        self._named: dict[str, Tensor] = {}
        parameters = {name: parameter for name, parameter in body.named_parameters()}
        del parameters["embeddings.word_embeddings.weight"]  # its gradient is that of single rows
        for layer in range(len(cast("nn.ModuleList", body.encoder["layer"]))):
            name = f"encoder.layer.{layer}."
            for kind in ("weight", "bias"):
                own = [parameters.pop(f"{name}attention.self.{part}.{kind}") for part in ("query", "key", "value")]
                self._keep(f"{name}qkv.{kind}", tuple(own), torch.cat([each.detach() for each in own]), wanted)
        for name, parameter in parameters.items():
            self._keep(name, (parameter,), parameter.detach(), wanted)
        if attention is not None and wanted:
            # It pools with its own parameter, which is a leaf already.
            for parameter in attention.parameters():
                self._owners.append((parameter,))
                self.leaves.append(parameter)

    def __getitem__(self, name: str) -> Tensor:
        return self._named[name]

    def pair(self, name: str) -> tuple[Tensor, Tensor]:
        """Return weight and bias of a linear layer."""
        return self._named[name + ".weight"], self._named[name + ".bias"]

    def add(self, found: Sequence[Sequence[Tensor | None]]) -> None:
        """Add gradients of `leaves`, one list from each thread, to those of the body's parameters."""
        for place, owners in enumerate(self._owners):
            parts = [each[place] for each in found]
            given = [part for part in parts if part is not None]
            if not given:
                continue
            total = given[0].float()
            for more in given[1:]:
                total = total + more.float()
            start = 0
            for owner in owners:
                share = total[start : start + owner.shape[0]]
                start += owner.shape[0]
                owner.grad = share.clone() if owner.grad is None else owner.grad + share

    def _keep(self, name: str, owners: tuple[nn.Parameter, ...], value: Tensor, wanted: bool) -> None:
        is_product = "LayerNorm" not in name and not name.startswith(("embeddings.", "pooler."))
        leaf = value.to(self._dtype) if is_product else value
        self._named[name] = leaf.detach().requires_grad_(wanted)
        self._owners.append(owners)
        self.leaves.append(self._named[name])


def _norm(weights: _Weights, name: str, x: Tensor, module: nn.LayerNorm) -> Tensor:
    return F.layer_norm(x, module.normalized_shape, *weights.pair(name), module.eps)


def _shares(lengths: Sequence[int], threads: int) -> list[list[int]]:
    """Return the places of texts for each thread: neighbours in length, about as many tokens each."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    total, shares, count = sum(lengths), list[list[int]](), 0
    for place in order:
        if not shares or (count >= total * len(shares) / threads and len(shares) < threads):
            shares.append([])
        shares[-1].append(place)
        count += lengths[place]
    return shares


def _generator(seed: int, step: int, number: int) -> torch.Generator:
    source = torch.Generator()
    source.manual_seed(int(np.random.SeedSequence([seed, step, number]).generate_state(1)[0]))
    return source
