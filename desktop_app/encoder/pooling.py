"""Pools token vectors to one vector per text: pure functions, and attention pooling, which is learned.

The strategies are those of Reimers & Gurevych 2019, "Sentence-BERT", section 3 (CLS, MEAN, MAX), and the two that
the sentence-transformers format adds. All compute in fp32 whatever the body's precision: a sum over
hundreds of tokens in fp16 or bf16 loses more than the body itself.

With h_t the vector of token t and m_t in {0, 1} its mask:

    mean      sum_t m_t h_t / sum_t m_t
    mean_sqrt_len_tokens      sum_t m_t h_t / sqrt(sum_t m_t)
    mean-padded      sum_t h_t / T, including padding: every text is padded to T, the length at which texts are cut;
              not recommended, but some published figures were computed with it
    max       max over t with m_t = 1, for each dimension
    cls       h_t of the first t with m_t = 1
    pooler    tanh(W h_cls + b), as the body itself computes it (Devlin et al. 2019)
    attention sum_t a_t h_t, a = softmax over t with m_t = 1 of w . h_t, with a learned vector w
              (Lin et al. 2017, "A Structured Self-Attentive Sentence Embedding", with one hop and no inner layer)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

MEAN_PADDED = "mean-padded"


def mean_pooling(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of each text's token vectors.

    Args:
        hidden: [b, tokens, dim].
        mask: [b, tokens], 1 for tokens that count and 0 for padding.

    Returns:
        float32 [b, dim]; zeros if no token counts.
    """
    total, count = _masked_sum(hidden, mask)
    return total / count.clamp(min=1.0)


def mean_sqrt_len_pooling(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the sum of each text's token vectors over the root of their number; shapes as `mean_pooling`."""
    total, count = _masked_sum(hidden, mask)
    return total / count.clamp(min=1.0).sqrt()


def mean_padded_pooling(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of all token vectors, including padding; shapes as `mean_pooling`."""
    return hidden.float().mean(dim=1)


def max_pooling(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the largest value of each dimension over a text's tokens; shapes as `mean_pooling`."""
    masked = hidden.float().masked_fill(mask.unsqueeze(-1) == 0, float("-inf"))
    largest = masked.max(dim=1).values
    return torch.where(largest == float("-inf"), torch.zeros_like(largest), largest)


def cls_pooling(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the vector of each text's first token that counts; shapes as `mean_pooling`."""
    first = mask.to(torch.int32).argmax(dim=1)
    return hidden[torch.arange(len(hidden), device=hidden.device), first].float()


class AttentionPooling(nn.Module):
    """A mean in which every token has a learned weight.

    It starts as the plain mean, with `weight` zero: without training every token counts the same.

    Args:
        hidden: length of a token's vector.

    Attributes:
        weight: float32 [hidden]; its product with a token's vector is the token's score.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(hidden))

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Return the weighted mean of each text's token vectors; shapes as `mean_pooling`."""
        tokens = hidden.float()
        counts = mask != 0
        scores = (tokens @ self.weight).masked_fill(~counts, float("-inf"))
        # A text without a token that counts has no largest score and no weights.
        shares = torch.softmax(scores, dim=1).masked_fill(~counts, 0.0)
        return torch.einsum("bt,btd->bd", shares, tokens)


def pool(
    hidden: Tensor,
    mask: Tensor,
    modes: Sequence[str],
    pooler_output: Tensor | None = None,
    attention: AttentionPooling | None = None,
) -> Tensor:
    """Return the concatenated pooled vectors of several modes.

    Args:
        hidden: [b, tokens, dim].
        mask: [b, tokens], 1 for tokens that count.
        modes: names from the module's docstring, in the order of their parts in the result.
        pooler_output: [b, dim], the output of the body's own pooler; needed only for `pooler`.
        attention: the learned weights; needed only for `attention`.

    Returns:
        float32 [b, len(modes) * dim].
    """
    parts: list[Tensor] = []
    for mode in modes:
        if mode == "pooler":
            assert pooler_output is not None, "the body was asked for no pooler output"
            parts.append(pooler_output.float())
        elif mode == "attention":
            assert attention is not None, "no weights of tokens were given"
            parts.append(attention(hidden, mask))
        else:
            parts.append(_STRATEGIES[mode](hidden, mask))
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)


_STRATEGIES = {
    "mean": mean_pooling,
    MEAN_PADDED: mean_padded_pooling,
    "mean_sqrt_len_tokens": mean_sqrt_len_pooling,
    "max": max_pooling,
    "cls": cls_pooling,
}


def _masked_sum(hidden: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return (float32 [b, dim] sum of the tokens that count, float32 [b, 1] their number)."""
    weights = mask.unsqueeze(-1).float()
    return (hidden.float() * weights).sum(dim=1), weights.sum(dim=1)
