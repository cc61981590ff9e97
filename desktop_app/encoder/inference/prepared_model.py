"""A network prepared for inference in one precision, on one device, without gradients."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.encoder.device import torch_dtype
from desktop_app.encoder.inference.bert import BertBody
from desktop_app.encoder.inference.packed_bert import PackedBert

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from desktop_app.encoder.inference.network import Network, NetworkBody
    from desktop_app.encoder.tokenizing import TokenIds


class PreparedModel:
    """Computes like `network`, with its weights in another precision, another order or on another device.

    Pooling and head are fp32. Some weights are shared, so do not train `network` while this is in use.

    Args:
        network: fp32 on the processor; it does not change.
        precision: `fp32`, `bf16` or `fp16`.
        device: `cpu`, `cuda` or `mps`.

    Raises:
        RuntimeError: the device has too little memory, or fails.
    """

    def __init__(self, network: Network, precision: str, device: str) -> None:
        self.precision = precision
        self.device = device
        self._network = network
        dtype = torch_dtype(precision)
        self.body: NetworkBody
        if isinstance(network.body, BertBody) and not network.pad_to_tokens:  # PackedBert skips padding
            self.body = PackedBert(network.body, dtype, device)
        elif device == "cpu" and (dtype == torch.float32 or network.pad_to_tokens):
            self.body = network.body
        else:
            self.body = copy.deepcopy(network.body).to(device=device, dtype=dtype)
        self._attention = network.attention if device == "cpu" else copy.deepcopy(network.attention)
        if self._attention is not None:
            self._attention.to(device)
        self._head = network.head if device == "cpu" else copy.deepcopy(network.head).to(device)

    def __call__(self, ids: Tensor, mask: Tensor | None, prompt_length: int, *, normalize: bool) -> Tensor:
        """Embed a batch.

        Args:
            ids: int64 [b, tokens] on the device, padded on the right.
            mask: bool [b, tokens], False for padding; None when there is none.
            prompt_length: as for `Network.forward`.
            normalize: rows of length 1.

        Returns:
            float32 [b, dim] on the device.
        """
        vectors = self._network.embed(self.body, self._attention, self._head, ids, mask, prompt_length)
        return F.normalize(vectors, dim=-1) if normalize else vectors


def pad_rows(rows: Sequence[TokenIds], pad_id: int) -> tuple[Tensor, Tensor | None]:
    """Return (int64 [b, tokens] padded on the right, bool [b, tokens] False for padding, or None without any)."""
    lengths = np.array([len(row) for row in rows])
    longest = int(lengths.max())
    ids = np.full((len(rows), longest), pad_id, dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    if lengths.min() == longest:
        return torch.from_numpy(ids), None
    return torch.from_numpy(ids), torch.from_numpy(np.arange(longest) < lengths[:, None])
