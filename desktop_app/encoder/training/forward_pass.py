"""Forward and backward pass of a training step: from texts to pooled vectors, and their gradient back.

`ThreadedForwardPass` is for processors. It sorts a batch's texts by length and divides them among threads. Each thread
computes on one core and without padding (except in the attention); torch's own threads wait for each other after every
operation, which takes longer than the small matrices of a sentence. Weights are converted to the reduced precision
once a step; gradients are summed in fp32. Dropout uses a generator seeded by run, step and share, so that a resumed run
draws the same numbers, also with fewer threads: these compute the same shares one after the other.

`AutocastForwardPass` is for other bodies and for GPUs: the unchanged network under autocast.
"""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from desktop_app.encoder.inference.bert import BertBody, position_ids
from desktop_app.encoder.inference.prepared_model import pad_rows
from desktop_app.encoder.pooling import pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import TokenIds

_LENGTH_MULTIPLE = 16  # fp32 numbers of a vector register: a softmax over such rows takes a fifth of the time


class ForwardPass(Protocol):
    """Computes pooled vectors of texts, and gradients of the weights."""

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """Return float32 [n, pooled] that requires a gradient: a leaf, so that later steps have a separate graph."""
        ...

    def backward(self, gradient: Tensor) -> None:
        """Add the gradient of the last `embed`'s rows, float32 [n, pooled], to those of the body's weights."""
        ...

    def close(self) -> None:
        """End the threads."""
        ...


@dataclass(slots=True)
class _BatchShare:
    """A share of a batch, with the tensors for its backward pass."""

    places: list[int]
    ids: Tensor
    words: Tensor
    pooled: Tensor | None = None


@dataclass(frozen=True, slots=True)
class _LengthGroup:
    """Consecutive texts of similar length, for the attention and the pooling.

    Attributes:
        tokens: the range of their tokens in the share.
        inside: bool [texts, width]: True for tokens, False for padding.
        spread: int64 [texts * width]: the token of the group at each position; padding uses another one of its text.
        real: int64 [tokens]: the position of each token.
        blocked: bool, broadcast to [texts, heads, width, width]: True where attention is masked; None: no padding.
    """

    tokens: slice
    inside: Tensor
    spread: Tensor
    real: Tensor
    blocked: Tensor | None

    @classmethod
    def of(cls, first: int, lengths: Sequence[int], width: int) -> _LengthGroup:
        """Return the group of texts of these lengths; their tokens start at `first`."""
        inside = torch.arange(width)[None] < torch.tensor(lengths)[:, None]
        flat = inside.reshape(-1)
        spread = flat.cumsum(0).sub_(1)
        blocked = None if min(lengths) == width else ~inside[:, None, None, :]
        return cls(slice(first, first + sum(lengths)), inside, spread, flat.nonzero().squeeze(1), blocked)

    @classmethod
    def padded(cls, mask: Tensor) -> _LengthGroup:
        """Return the group of texts for a pooling over padding."""
        everything = torch.arange(mask.numel())
        return cls(slice(0, mask.numel()), torch.ones_like(mask), everything, everything, ~mask[:, None, None, :])


class ThreadedForwardPass:
    """See the module.

    Args:
        network: its body is a `BertBody`.
        pad_id: the token of padding.
        precision: `fp32` or `bf16`: of the products.
        threads: number of computing threads.
        seed: of the dropout.
        training: whether weights get gradients.
        shares: number of shares of a batch; 0: one for each thread.
        drops: whether there is dropout while weights get gradients.
    """

    def __init__(
        self,
        network: Network,
        pad_id: int,
        *,
        precision: str,
        threads: int,
        seed: int,
        training: bool = True,
        shares: int = 0,
        drops: bool = True,
    ) -> None:
        assert isinstance(network.body, BertBody), "other bodies go through PlainForward"
        self._network = network
        self._body = network.body
        self._pad_id = pad_id
        self._dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        self._shares = max(1, shares or threads)
        self._seed = seed
        self._training = training
        self._drops = training and drops
        self._pool = ThreadPoolExecutor(max(1, threads), "training", initializer=torch.set_num_threads, initargs=(1,))
        self._weights: _StepWeights | None = None
        self._parts: list[_BatchShare] = []

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """See `ForwardPass`."""
        self._weights = _StepWeights(self._body, self._network.attention, self._dtype, wanted=self._training)
        shares = _divide_into_shares([len(row) for row in rows], self._shares)
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
        """See `ForwardPass`."""
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
        """See `ForwardPass`."""
        self._pool.shutdown()

    def _forward(
        self,
        weights: _StepWeights,
        rows: Sequence[TokenIds],
        segments: Sequence[TokenIds] | None,
        places: list[int],
        step: int,
        number: int,
    ) -> _BatchShare:
        ids, mask = self._network.pad_for_pooling(*pad_rows([rows[place] for place in places], self._pad_id))
        kinds = None if segments is None else pad_rows([segments[place] for place in places], 0)[0]
        with torch.set_grad_enabled(self._training):
            source = _make_generator(self._seed, step, number)
            lengths = [len(rows[place]) for place in places]
            return self._pass(weights, ids, mask, lengths, kinds, places, source)

    def _pass(
        self,
        weights: _StepWeights,
        ids: Tensor,
        mask: Tensor | None,
        lengths: list[int],
        segments: Tensor | None,
        places: list[int],
        source: np.random.Generator,
    ) -> _BatchShare:
        # A pooling over padding needs the vectors of padding too; the attention ignores padding in either case.
        if self._network.pad_to_tokens:
            groups = [_LengthGroup.padded(torch.ones_like(ids, dtype=torch.bool) if mask is None else mask)]
            real = torch.arange(ids.numel())
        else:
            groups = _group_by_length(lengths)
            real = torch.arange(ids.numel()) if mask is None else mask.reshape(-1).nonzero().squeeze(1)
        packed = ids.reshape(-1)[real]
        embeddings = self._body.embeddings
        words = F.embedding(packed, embeddings.word_embeddings.weight.detach()).requires_grad_(self._training)
        where = position_ids(ids, embeddings.counts_from).reshape(-1)[real]
        kinds = torch.zeros_like(packed) if segments is None else segments.reshape(-1)[real]
        hidden = words + F.embedding(where, weights["embeddings.position_embeddings.weight"])
        hidden = hidden + F.embedding(kinds, weights["embeddings.token_type_embeddings.weight"])
        hidden = self._apply_dropout(
            _apply_layer_norm(weights, "embeddings.LayerNorm", hidden, embeddings.LayerNorm), source
        )
        layers = cast("nn.ModuleList", self._body.encoder["layer"])
        for index, layer in enumerate(layers):
            name = f"encoder.layer.{index}."
            heads, p = cast("int", layer.heads), cast("float", layer.attention_dropout)
            joined = F.linear(hidden.to(self._dtype), weights[name + "qkv.weight"], weights[name + "qkv.bias"])
            mixed = torch.cat([self._attend_group(joined, group, heads, p, source) for group in groups])
            out = F.linear(mixed, *weights.pair(name + "attention.output.dense"))
            norm = cast("nn.LayerNorm", cast("Any", layer).attention["output"]["LayerNorm"])
            hidden = _apply_layer_norm(
                weights, name + "attention.output.LayerNorm", self._apply_dropout(out.float(), source) + hidden, norm
            )
            inner = F.gelu(
                F.linear(hidden.to(self._dtype), *weights.pair(name + "intermediate.dense")),
                approximate=cast("str", layer.gelu),
            )
            out = F.linear(inner, *weights.pair(name + "output.dense"))
            norm = cast("nn.LayerNorm", cast("Any", layer).output["LayerNorm"])
            hidden = _apply_layer_norm(
                weights, name + "output.LayerNorm", self._apply_dropout(out.float(), source) + hidden, norm
            )
        pooled = torch.cat([self._pool_group(weights, hidden, group) for group in groups])
        return _BatchShare(places, packed, words, pooled)

    def _attend_group(
        self, joined: Tensor, group: _LengthGroup, heads: int, p: float, source: np.random.Generator
    ) -> Tensor:
        """Return the attention's output for a group: [its tokens, hidden]."""
        placed = joined[group.tokens].index_select(0, group.spread)
        query, key, value = placed.view(*group.inside.shape, 3, heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (query @ key.transpose(-1, -2)).float() / math.sqrt(query.shape[-1])
        if group.blocked is not None:
            scores = scores.masked_fill(group.blocked, float("-inf"))
        shares = self._apply_dropout(torch.softmax(scores, dim=-1), source, p).to(self._dtype)
        mixed = (shares @ value).transpose(1, 2).reshape(len(group.spread), -1)
        return mixed.index_select(0, group.real)

    def _pool_group(self, weights: _StepWeights, hidden: Tensor, group: _LengthGroup) -> Tensor:
        """Return the vectors of a group's texts: [its texts, pooled]."""
        placed = hidden[group.tokens].index_select(0, group.spread).view(*group.inside.shape, -1)
        pooler = None
        if self._body.pooler is not None:
            pooler = torch.tanh(F.linear(placed[:, 0], weights["pooler.dense.weight"], weights["pooler.dense.bias"]))
        return pool(placed, group.inside, self._network.pooling_modes, pooler, self._network.attention)

    def _apply_dropout(self, x: Tensor, source: np.random.Generator, p: float | None = None) -> Tensor:
        """Set a share of the numbers to 0 and scale up the others (Srivastava et al. 2014)."""
        share = self._body.embeddings.dropout.p if p is None else p
        if not self._drops or not share:
            return x
        # Two random bytes for each number: torch's own dropout takes ten times as long.
        drawn = np.frombuffer(source.bytes(2 * x.numel()), "<u2")
        kept = torch.from_numpy(drawn >= round(share * 65536)).view(x.shape)
        return x * kept.to(x.dtype).mul_(1 / (1 - share))

    def _backward(
        self, weights: _StepWeights, part: _BatchShare, gradient: Tensor
    ) -> tuple[list[Tensor | None], Tensor]:
        assert part.pooled is not None, "a part keeps its graph until it is used"
        found = torch.autograd.grad(part.pooled, [*weights.leaves, part.words], gradient, allow_unused=True)
        words = found[-1]
        assert words is not None, "every text has tokens"
        part.pooled = None
        return list(found[:-1]), words


class AutocastForwardPass:
    """Computes with the unchanged network under autocast; see the module.

    Args:
        network: on the device.
        pad_id: the token of padding.
        precision: `fp32`, or `bf16` for autocast.
        device: where it computes.
        seed: of the dropout.
        drops: whether there is dropout.
    """

    def __init__(
        self, network: Network, pad_id: int, *, precision: str, device: str, seed: int, drops: bool = True
    ) -> None:
        self._network = network
        self._pad_id = pad_id
        self._dtype = torch.bfloat16 if precision == "bf16" else None
        self._device = device
        self._seed = seed
        self._drops = drops
        self._out: Tensor | None = None

    def embed(self, rows: Sequence[TokenIds], step: int, segments: Sequence[TokenIds] | None = None) -> Tensor:
        """See `ForwardPass`; has no segments."""
        assert segments is None, "only a BERT on the processor reads two texts at once"
        seed_torch(self._device, self._seed, step)
        ids, mask = self._network.pad_for_pooling(*pad_rows(rows, self._pad_id))
        ids = ids.to(self._device)
        counted = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask.to(self._device)
        # Only here: all other uses of the network evaluate.
        self._network.train(self._drops)
        with torch.autocast(self._device, self._dtype or torch.bfloat16, enabled=self._dtype is not None):
            hidden, pooler = self._network.body(ids, counted)
        self._network.eval()
        self._out = pool(hidden, counted, self._network.pooling_modes, pooler, self._network.attention)
        return self._out.detach().requires_grad_()

    def backward(self, gradient: Tensor) -> None:
        """See `ForwardPass`."""
        assert self._out is not None, "embed comes first"
        self._out.backward(gradient)  # type: ignore[no-untyped-call]
        self._out = None

    def close(self) -> None:
        """Nothing to end."""


class _StepWeights:
    """A body's weights as leaves of a step: matrices in the precision of the products; query, key and value joined."""

    def __init__(self, body: BertBody, attention: nn.Module | None, dtype: torch.dtype, *, wanted: bool) -> None:
        self._dtype = dtype
        self._owners: list[tuple[nn.Parameter, ...]] = []
        self.leaves: list[Tensor] = []
        self._named: dict[str, Tensor] = {}
        parameters = {name: parameter for name, parameter in body.named_parameters()}
        del parameters["embeddings.word_embeddings.weight"]  # its gradient is sparse: single rows
        for layer in range(len(cast("nn.ModuleList", body.encoder["layer"]))):
            name = f"encoder.layer.{layer}."
            for kind in ("weight", "bias"):
                own = [parameters.pop(f"{name}attention.self.{part}.{kind}") for part in ("query", "key", "value")]
                self._keep(f"{name}qkv.{kind}", tuple(own), torch.cat([each.detach() for each in own]), wanted)
        for name, parameter in parameters.items():
            self._keep(name, (parameter,), parameter.detach(), wanted)
        if attention is not None and wanted:
            # The pooling's own parameter is already a leaf.
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
            # A copy: several leaves may share one gradient.
            total = given[0].clone() if given[0].dtype == torch.float32 else given[0].float()
            for more in given[1:]:
                total = total + more.float()
            start = 0
            for owner in owners:
                share = total[start : start + owner.shape[0]]
                start += owner.shape[0]
                owner.grad = share if owner.grad is None else owner.grad + share

    def _keep(self, name: str, owners: tuple[nn.Parameter, ...], value: Tensor, wanted: bool) -> None:
        is_product = "LayerNorm" not in name and not name.startswith(("embeddings.", "pooler."))
        leaf = value.to(self._dtype) if is_product else value
        self._named[name] = leaf.detach().requires_grad_(wanted)
        self._owners.append(owners)
        self.leaves.append(self._named[name])


def _apply_layer_norm(weights: _StepWeights, name: str, x: Tensor, module: nn.LayerNorm) -> Tensor:
    return F.layer_norm(x, module.normalized_shape, *weights.pair(name), module.eps)


def _group_by_length(lengths: Sequence[int]) -> list[_LengthGroup]:
    """Return groups of texts, the longest first, that are padded to the same multiple of `_LENGTH_MULTIPLE`."""
    groups, first = list[_LengthGroup](), 0
    for width, own in itertools.groupby(lengths, lambda length: -(-length // _LENGTH_MULTIPLE) * _LENGTH_MULTIPLE):
        found = list(own)
        groups.append(_LengthGroup.of(first, found, width))
        first += sum(found)
    return groups


def _divide_into_shares(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Return the indices of the texts of each share: similar lengths, about the same number of tokens."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    total, shares, count = sum(lengths), list[list[int]](), 0
    for place in order:
        if not shares or (count >= total * len(shares) / most and len(shares) < most):
            shares.append([])
        shares[-1].append(place)
        count += lengths[place]
    return shares


def seed_torch(device: str, seed: int, step: int) -> None:
    """Seed the generator from which torch's own dropout layers draw on a device.

    `torch.manual_seed` also seeds every kind of card: for each that is not there, it describes the whole call stack.
    """
    number = int(np.random.SeedSequence([seed, step]).generate_state(1)[0])
    if device == "cpu":
        torch.default_generator.manual_seed(number)
    else:
        torch.manual_seed(number)


def _make_generator(seed: int, step: int, number: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, step, number])))
