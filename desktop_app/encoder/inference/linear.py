"""Linear layers whose weights are prepacked for the processor.

`torch.nn.functional.linear` reorders a weight at each call, or multiplies it unchanged (in fp32 with a library that is
slow on some processors: 2.4 times slower than this on an AMD EPYC). oneDNN accepts weights in an order of its own and
fuses the operations after a product. torch reaches it with private operators, made for its compiler: if one of them is
missing, or refuses a precision, the plain product is used.

A text must have the same vector whatever the rest of its batch, bit for bit: clusters of a library differ by less than
a rounding. In bf16, with 512 products or more in a row, oneDNN's order of summation depends on the number of rows: one
order between about 37 rows and the width of the result, another beyond. So larger numbers of rows are multiplied in
pieces, which is as fast (1,536 to 384 on one core with AMX: 1.2 us a row for 256, 1.3 for 512).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

# Errors of operators that do not exist, or not for this processor or precision.
_UNSUPPORTED_ERRORS = (AttributeError, RuntimeError, NotImplementedError, TypeError)
_TYPICAL_ROWS = 1024  # of a usual pass: oneDNN chooses the order of the weight for it
_MAX_RELATIVE_ERROR = 0.02  # of bf16, as a share of a vector's length
# Shapes and precisions of which a product was right: a model has a hundred weights of four shapes, and a training
# prepares it after each epoch.
_verified: set[tuple[torch.Size, torch.dtype]] = set()

ROWS_MULTIPLE = 8
"""Numbers of rows are multiples of it, so that oneDNN meets few of them."""

MIN_CONSISTENT_ROWS = 48
"""Fewer rows may be rounded differently than more rows."""


class PrepackedLinear:
    """x -> x W^T + b for [rows, in], with the operations that often follow it.

    Args:
        weight: [out, in], in any precision and on any device.
        bias: [out].
        dtype: of the computation.
        device: of the computation.
    """

    def __init__(self, weight: Tensor, bias: Tensor, dtype: torch.dtype, device: str) -> None:
        self._weight = weight.detach().to(device=device, dtype=dtype).contiguous()
        self._bias = bias.detach().to(device=device, dtype=dtype).contiguous()
        self._ops: Any = None
        self._most = _max_rows_per_product(weight.shape[1], dtype)
        if device == "cpu" and (laid_out := prepack_weight(self._weight, self._bias)) is not None:
            self._ops, self._weight = torch.ops.mkldnn, laid_out

    @property
    def is_prepacked(self) -> bool:
        """Whether the weight is in oneDNN's own order."""
        return self._ops is not None

    def __call__(self, x: Tensor) -> Tensor:
        """Return [rows, out]."""
        if self._ops is None:
            return F.linear(x, self._weight, self._bias)
        product = self._ops._linear_pointwise.default
        return self._in_pieces(lambda rows: product(rows, self._weight, self._bias, "none", [], ""), x)

    def gelu(self, x: Tensor, approximate: str) -> Tensor:
        """Return GELU(x W^T + b) (Hendrycks & Gimpel 2016); `approximate` is `none` or `tanh`."""
        if self._ops is None:
            return F.gelu(F.linear(x, self._weight, self._bias), approximate=approximate)
        product = self._ops._linear_pointwise.default
        return self._in_pieces(lambda rows: product(rows, self._weight, self._bias, "gelu", [], approximate), x)

    def add_to(self, x: Tensor, residual: Tensor) -> Tensor:
        """Return x W^T + b + residual, rounded once."""
        if self._ops is None:
            return F.linear(x, self._weight, self._bias).add_(residual)
        product = self._ops._linear_pointwise.binary
        return self._in_pieces(lambda rows, more: product(rows, more, self._weight, self._bias, "add"), x, residual)

    def pieces(self, rows: int) -> list[int]:
        """Return the sizes of the pieces in which so many rows are multiplied.

        They are multiples of `ROWS_MULTIPLE`, but for the last one: oneDNN compiles code for each number of rows.
        Without oneDNN there is one piece.
        """
        if self._ops is None or rows <= self._most:
            return [rows]
        units = rows // ROWS_MULTIPLE
        # The rows beyond a multiple are added to the last piece.
        count = -(-rows // (self._most - rows % ROWS_MULTIPLE))
        sizes = [ROWS_MULTIPLE * (units * (at + 1) // count - units * at // count) for at in range(count)]
        sizes[-1] += rows - sum(sizes)
        return sizes

    def _in_pieces(self, product: Callable[..., Tensor], *rows: Tensor) -> Tensor:
        """Apply `product` to `rows`, in pieces if there are many."""
        if len(rows[0]) <= self._most:
            return product(*rows)
        pieces = zip(*(torch.split(each, self.pieces(len(each))) for each in rows), strict=True)
        return torch.cat([product(*piece) for piece in pieces])


def _max_rows_per_product(width: int, dtype: torch.dtype) -> int:
    """Return the number of rows of `width` numbers that can be multiplied at once with consistent sums."""
    if dtype != torch.bfloat16 or width < 512:
        return 1 << 60
    return 256 if width <= 2048 else 96


def prepack_weight(weight: Tensor, bias: Tensor) -> Tensor | None:
    """Return `weight` in oneDNN's order, or None if this torch, processor or precision does not support it."""
    backend: Any = torch.backends.mkldnn  # partly typed
    if not backend.is_available():
        return None
    try:
        ops: Any = torch.ops.mkldnn
        laid_out: Tensor = ops._reorder_linear_weight(weight, _TYPICAL_ROWS)
        kind = (weight.shape, weight.dtype)
        if kind not in _verified and _multiplies(laid_out, weight, bias):
            _verified.add(kind)
    except _UNSUPPORTED_ERRORS:
        return None
    return laid_out if kind in _verified else None


def _multiplies(laid_out: Tensor, weight: Tensor, bias: Tensor) -> bool:
    """Try products with a row: operators may refuse a call, or, because they are private, mean something else."""
    ops: Any = torch.ops.mkldnn
    x = torch.linspace(-1.0, 1.0, weight.shape[1]).to(weight.dtype)[None]
    residual = torch.linspace(-1.0, 1.0, weight.shape[0]).to(weight.dtype)[None]
    found = [
        ops._linear_pointwise.default(x, laid_out, bias, "none", [], ""),
        ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "none"),
        ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "tanh"),
        ops._linear_pointwise.binary(x, residual, laid_out, bias, "add"),
    ]
    plain = F.linear(x, weight, bias).float()
    expected = [plain, F.gelu(plain), F.gelu(plain, approximate="tanh"), plain + residual.float()]
    return all(
        (result.float() - reference).norm() <= _MAX_RELATIVE_ERROR * plain.norm()
        for result, reference in zip(found, expected, strict=True)
    )
