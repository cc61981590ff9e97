"""Dot products of many vectors in bf16 or int8, on processors that multiply these much faster.

With AMX or AVX-512 BF16 a processor multiplies bf16 several times as fast as fp32. It is precise enough to find the
pairs among billions that are worth an exact product: each number of a row of length 1 has a relative error of at most
2^-9, so a product has an error of at most 2^-8 (Cauchy and Schwarz), and another 2^-9 from its own rounding.

More processors, those with VNNI, multiply int8 four times as fast. Vectors that are rounded to 255 steps have products
with errors of up to 0.03. How far rounding moves each vector is computed, so no pair is missed here either.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
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
_STEPS = 127  # of int8, on each side of zero
_MIN_OWN_ROWS = 100  # of fewer rows, plain products take less time than rounding all others
_QUANTIZED_TRIAL = (128, 256)  # rows and columns: few, because some processors take a hundred times as long
_ROUNDING = np.float32(1e-5)  # of fp32, in the products that are compared and in the errors


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


class QuantizedRows:
    """Rows that are compared with others in int8. See `RowsToCompare`.

    Args:
        own: float32 [m, dim].
    """

    def __init__(self, own: NDArray[np.float32]) -> None:
        with torch.inference_mode():
            self._own = _quantize(own)
        self._norms: NDArray[np.float32] = np.linalg.norm(own, axis=1).astype(np.float32)

    def take(self, vectors: NDArray[np.float32]) -> QuantizedProducts:
        """See `RowsToCompare`."""
        _use_one_thread()
        with torch.inference_mode():
            return QuantizedProducts(self._own, self._norms, _quantize(vectors))


class QuantizedProducts:
    """Products in int8, with their errors. See `BoundedProducts`.

    Of vectors a and b that are rounded to a' and b', the products ab and a'b' differ by a(b - b') + (a - a')b', at most
    |a||b - b'| + |a - a'||b'|.

    Args:
        own: the rows.
        norms: their lengths before they were rounded, float32 [m].
        piece: the other rows.
    """

    lowest = -(2**31)

    def __init__(self, own: _Quantized, norms: NDArray[np.float32], piece: _Quantized) -> None:
        self._own, self._norms, self._piece = own, norms, piece
        self._unit = own.step * piece.step

    def between(self, left: int, right: int) -> NDArray[Any]:
        """See `BoundedProducts`."""
        with torch.inference_mode():
            products: NDArray[Any] = torch._int_mm(self._own.rows[left:right], self._piece.rows.T).numpy()
        return products

    def row_limits(self, left: int, right: int, cosines: NDArray[np.float32]) -> NDArray[Any]:
        """See `BoundedProducts`."""
        return self._keys(cosines - self._row_errors(left, right))

    def column_limits(self, cosines: NDArray[np.float32]) -> NDArray[Any]:
        """See `BoundedProducts`."""
        longest, largest_error = self._norms.max(initial=0.0), self._own.errors.max(initial=0.0)
        return self._keys(cosines - (longest * self._piece.errors + largest_error * self._piece.norms + _ROUNDING))

    def least_cosines(self, left: int, right: int, keys: NDArray[Any]) -> NDArray[np.float32]:
        """See `BoundedProducts`."""
        least: NDArray[np.float32] = keys * np.float32(self._unit) - self._row_errors(left, right)
        return least

    def _row_errors(self, left: int, right: int) -> NDArray[np.float32]:
        largest_error, longest = self._piece.errors.max(initial=0.0), self._piece.norms.max(initial=0.0)
        errors: NDArray[np.float32] = self._norms[left:right] * largest_error + self._own.errors[left:right] * longest
        return errors + _ROUNDING

    def _keys(self, limits: NDArray[np.float32]) -> NDArray[np.int32]:
        # One less for the rounding of the division; no product of int8 comes near the ends of int32.
        keys = np.clip(np.floor(limits.astype(np.float64) / self._unit) - 1, self.lowest + 1, 2**31 - 1)
        found: NDArray[np.int32] = keys.astype(np.int32)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Quantized:
    """Vectors in int8.

    Attributes:
        rows: int8 [n, dim].
        step: the size of a step.
        errors: how far rounding has moved each vector, float32 [n].
        norms: the lengths of the rounded vectors, float32 [n].
    """

    rows: torch.Tensor
    step: float
    errors: NDArray[np.float32]
    norms: NDArray[np.float32]


def _quantize(vectors: NDArray[np.float32]) -> _Quantized:
    """Return vectors float32 [n, dim] in int8."""
    whole = torch.from_numpy(np.ascontiguousarray(vectors))
    least, most = whole.aminmax() if whole.numel() else (whole.sum(), whole.sum())
    step = max(-float(least), float(most)) / _STEPS
    if not step > 0.0:
        zeros = np.zeros(len(vectors), np.float32)
        return _Quantized(torch.zeros(whole.shape, dtype=torch.int8), 1.0, zeros, zeros)
    rounded = (whole / step).round_()
    rows = rounded.to(torch.int8)
    norms = torch.linalg.vector_norm(rounded, dim=1).mul_(step)
    errors = torch.linalg.vector_norm(rounded.mul_(-step).add_(whole), dim=1)
    return _Quantized(rows, step, errors.numpy(), norms.numpy())


def make_quantized_rows(own: NDArray[np.float32]) -> QuantizedRows | None:
    """Return rows float32 [m, dim] to compare in int8; None unless that is measured to be faster, and is right.

    Without VNNI, the sums of some processors overflow. Values that are no numbers have no steps and no error.
    """
    if len(own) < _MIN_OWN_ROWS or not np.isfinite(own).all():
        return None
    _use_one_thread()
    count, columns = _QUANTIZED_TRIAL
    dim = own.shape[1]
    with torch.inference_mode():
        a = torch.full((count, dim), _STEPS, dtype=torch.int8)
        b = torch.full((columns, dim), _STEPS, dtype=torch.int8)
        a[1::2, ::2], b[1::2], b[2::4, ::2] = -_STEPS, -_STEPS, -_STEPS
        exact = a.double() @ b.double().T
        if not torch.equal(torch._int_mm(a, b.T).double(), exact):
            return None
        plain_a, plain_b = a.float().numpy(), b.float().numpy()
        plain_s = _fastest_run_s(lambda: plain_a @ plain_b.T)
        quick_s = _fastest_run_s(lambda: torch._int_mm(a, b.T))
    return QuantizedRows(own) if plain_s > _MIN_SPEEDUP * quick_s else None


def make_fast_dot_products(vectors: NDArray[np.float32]) -> FastDotProducts | None:
    """Return fast products of float32 [n, dim]; None if plain ones are as fast, which is measured."""
    if len(vectors) < _MIN_ROWS:
        return None
    _use_one_thread()
    some = vectors[:_TRIAL_ROWS]
    with torch.inference_mode():
        columns, rows = _prepack(some), _round_to_bf16(some)
        quick_s = _fastest_run_s(lambda: columns(rows))
    plain_s = _fastest_run_s(lambda: some @ some.T)
    return FastDotProducts(vectors) if plain_s > _MIN_SPEEDUP * quick_s else None


def _use_one_thread() -> None:
    """Keep torch from dividing the products of this thread, as an encoder does in the thread that loads it.

    On two cores that others use too, a product that is divided waits for both: what is fast was measured to be slow.
    """
    if torch.get_num_threads() > 1:
        torch.set_num_threads(1)


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
