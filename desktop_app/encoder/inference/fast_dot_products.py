"""Dot products of many vectors in bf16, on processors that multiply it much faster.

With AMX or AVX-512 BF16 a processor multiplies bf16 several times as fast as fp32. That is near enough to see which of
billions of pairs are worth an exact product: each number of a row of length 1 is off by a share of 2^-9 at most, so a
product by 2^-8 (Cauchy and Schwarz), and another 2^-9 when it is rounded itself.
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

_MIN_ROWS = 20_000  # rows from which laying them out pays
_TRIAL_ROWS = 512  # rows and columns that both ways are timed with
_MIN_SPEEDUP = 1.5
_ROUNDS = 5


class FastDotProducts:
    """Products of the rows of a matrix with one another in bf16; keys are the bits of a bf16, as int16.

    Numbers above 0 have the order of their bits. Pairs whose cosine lies below the margin may be missed.

    Args:
        vectors: float32 [n, dim], rows of length 1 or zeros.

    Attributes:
        margin: how far a product may be off; rounding a limit counts too.
        lowest: a key below those of all products above 0.
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
        """Return for float32 [n] the keys int16 [n] that no product which is truly as high lies below."""
        limits = np.maximum(scores - np.float32(self.margin), np.float32(0.0))
        keys: NDArray[Any] = _round_to_bf16(limits).view(torch.int16).numpy()
        return keys

    def scores(self, keys: NDArray[Any]) -> NDArray[np.float32]:
        """Return the products float32 [n] that keys int16 [n] stand for."""
        scores: NDArray[np.float32] = torch.from_numpy(keys).view(torch.bfloat16).float().numpy()
        return scores


def make_fast_dot_products(vectors: NDArray[np.float32]) -> FastDotProducts | None:
    """Return such products of float32 [n, dim]; None where plain ones are as quick, which is measured."""
    if len(vectors) < _MIN_ROWS:
        return None
    some = vectors[:_TRIAL_ROWS]
    with torch.inference_mode():
        columns, rows = _prepack(some), _round_to_bf16(some)
        quick_s = _fastest_run_s(lambda: columns(rows))
    plain_s = _fastest_run_s(lambda: some @ some.T)
    return FastDotProducts(vectors) if plain_s > _MIN_SPEEDUP * quick_s else None


def _fastest_run_s(product: Callable[[], object]) -> float:
    """Return the seconds of the quickest of several: on the wall, for Windows counts a thread's in longer ticks."""
    product()  # the first makes its kernels
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
