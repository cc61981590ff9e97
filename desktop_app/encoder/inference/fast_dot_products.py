"""Dot products of many vectors in bf16, on processors that multiply it much faster.

With AMX or AVX-512 BF16 a processor multiplies bf16 several times as fast as fp32. It is precise enough to find the
pairs among billions that are worth an exact product: each number of a row of length 1 has a relative error of at most
2^-9, so a product has an error of at most 2^-8 (Cauchy and Schwarz), and another 2^-9 from its own rounding.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from desktop_app.encoder.inference.linear import PrepackedLinear

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_MIN_ROWS = 20_000  # fewer rows are not worth the reordering
_TRIAL_ROWS = 512  # rows and columns for timing both kinds of products
_MIN_SPEEDUP = 1.5
_ROUNDS = 5


class FastDotProducts:
    """Products of the rows of a matrix with one another in bf16; keys are the bits of a bf16, as int16.

    Positive numbers have the order of their bits. Pairs with a cosine below the margin may be missed.

    Args:
        vectors: float32 [n, dim], rows of length 1 or zeros.

    Attributes:
        margin: largest error of a product, including the rounding of a limit.
        lowest: a key below the keys of all positive products.
    """

    margin = 0.008
    lowest = -32768

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors
        self._laid_out: dict[tuple[int, int], PrepackedLinear] = {}

    def between(self, rows: NDArray[np.int64], left: int, right: int) -> NDArray[Any]:
        """Return the keys int16 [b, c] of the products of `rows` int64 [b] with the rows from `left` to `right`."""
        with torch.inference_mode():
            columns = self._laid_out.get((left, right))
            if columns is None:
                columns = _prepack(self._vectors[left:right])
                self._laid_out[left, right] = columns
            return columns(_round_to_bf16(self._vectors[rows])).view(torch.int16).numpy()

    def limits(self, scores: NDArray[np.float32]) -> NDArray[Any]:
        """Return for limits float32 [n] keys int16 [n]: no product that really reaches the limit has a lower key."""
        limits = np.maximum(scores - np.float32(self.margin), np.float32(0.0))
        keys: NDArray[Any] = _round_to_bf16(limits).view(torch.int16).numpy()
        return keys

    def scores(self, keys: NDArray[Any]) -> NDArray[np.float32]:
        """Return the products float32 [n] of keys int16 [n]."""
        scores: NDArray[np.float32] = torch.from_numpy(keys).view(torch.bfloat16).float().numpy()
        return scores


def make_fast_dot_products(vectors: NDArray[np.float32]) -> FastDotProducts | None:
    """Return fast products of float32 [n, dim]; None if plain ones are as fast, which is measured."""
    if len(vectors) < _MIN_ROWS:
        return None
    some = vectors[:_TRIAL_ROWS]
    with torch.inference_mode():
        columns, rows = _prepack(some), _round_to_bf16(some)
        quick_s = _fastest_run_s(lambda: columns(rows))
    plain_s = _fastest_run_s(lambda: some @ some.T)
    return FastDotProducts(vectors) if plain_s > _MIN_SPEEDUP * quick_s else None


def _fastest_run_s(product: Callable[[], object]) -> float:
    """Return the seconds of the fastest of several runs; wall-clock: Windows counts thread time in long ticks."""
    product()  # the first call compiles its kernels
    spent: list[float] = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        product()
        spent.append(time.perf_counter() - began)
    return min(spent)


def _prepack(vectors: NDArray[np.float32]) -> PrepackedLinear:
    return PrepackedLinear(_round_to_bf16(vectors), torch.zeros(len(vectors)), torch.bfloat16, "cpu")


def _round_to_bf16(numbers: NDArray[np.float32]) -> torch.Tensor:
    return torch.from_numpy(numbers).to(torch.bfloat16)
