"""The words of a text as a model's last layer sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.tokens import TokenVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.encoder.network import Network
    from desktop_app.encoder.tokenizing import TokenIds


def words_of_layer(network: Network, ids: TokenIds, words: Sequence[tuple[str, int, int]]) -> TokenVectors:
    """Return the vectors of words.

    Args:
        network: fp32 on the processor.
        ids: int32 [tokens] of one text.
        words: (text, first token, one past the last) of each.
    """
    if not words:
        return TokenVectors((), np.empty((0, 0), np.float32))
    with torch.inference_mode():
        hidden, _ = network.body(torch.from_numpy(ids.astype(np.int64))[None], None)
        means = torch.stack([hidden[0, start:stop].float().mean(0) for _, start, stop in words])
        vectors = F.normalize(means, dim=-1).numpy()
    return TokenVectors(tuple(text for text, _, _ in words), vectors)
