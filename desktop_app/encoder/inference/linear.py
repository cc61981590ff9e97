"""Linear layers whose weights are prepacked for the processor.

`torch.nn.functional.linear` lays a weight out anew at each call, or multiplies it as it stands (in fp32 through a
library that is slow on some processors: 2.4 times slower than this on an AMD EPYC). oneDNN takes weights in an
order of its own and fuses what follows a product. torch reaches it by operators that are private, made for its
compiler: where one of them is missing, or refuses a precision, the plain product serves.

A text is to have the same vector whatever it is embedded with, bit for bit: themes of a library are told apart by
less than a rounding. oneDNN sums a row's products in one order or another by the number of rows, in bf16, where they
are 512 or more: between about 37 rows and the width of the result in one, beyond in another. So many rows are
multiplied in pieces, which is as quick (1,536 to 384 on one core with AMX: 1.2 us a row for 256, 1.3 for 512).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

# What operators raise that are not there, not built for this processor, or not for this precision.
_UNSUPPORTED_ERRORS = (AttributeError, RuntimeError, NotImplementedError, TypeError)
_TYPICAL_ROWS = 1024  # of a usual pass: oneDNN chooses the order of the weight by it
_MAX_RELATIVE_ERROR = 0.02  # how far bf16 may be off, as a share of a vector's length

MIN_CONSISTENT_ROWS = 48
"""Fewer rows may be rounded otherwise than more of them are."""


class PrepackedLinear:
    """x -> x W^T + b for [rows, in], with what often follows it.

    Args:
        weight: [out, in], of any precision and on any device.
        bias: [out].
        dtype: to compute in.
        device: to compute on.
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
        """Whether the weight stands in oneDNN's own order."""
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

    def _in_pieces(self, product: Callable[..., Tensor], *rows: Tensor) -> Tensor:
        """Return what `product` makes of `rows`, some of each at a time where there are many."""
        count = -(-len(rows[0]) // self._most)
        if count <= 1:
            return product(*rows)
        return torch.cat([product(*piece) for piece in zip(*(each.tensor_split(count) for each in rows), strict=True)])


def _max_rows_per_product(width: int, dtype: torch.dtype) -> int:
    """Return how many rows of `width` numbers are multiplied at once: as long as each is summed as it is alone."""
    if dtype != torch.bfloat16 or width < 512:
        return 1 << 60
    return 256 if width <= 2048 else 96


def prepack_weight(weight: Tensor, bias: Tensor) -> Tensor | None:
    """Return `weight` in oneDNN's order, or None where this torch, processor or precision has no such thing."""
    backend: Any = torch.backends.mkldnn  # partly typed
    if not backend.is_available():
        return None
    # Tried on a row: operators may be there and refuse when they are called, or, being private, mean something else.
    x = torch.linspace(-1.0, 1.0, weight.shape[1]).to(weight.dtype)[None]
    residual = torch.linspace(-1.0, 1.0, weight.shape[0]).to(weight.dtype)[None]
    try:
        ops: Any = torch.ops.mkldnn
        laid_out: Tensor = ops._reorder_linear_weight(weight, _TYPICAL_ROWS)
        found = [
            ops._linear_pointwise.default(x, laid_out, bias, "none", [], ""),
            ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "none"),
            ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "tanh"),
            ops._linear_pointwise.binary(x, residual, laid_out, bias, "add"),
        ]
        plain = F.linear(x, weight, bias).float()
    except _UNSUPPORTED_ERRORS:
        return None
    expected = [plain, F.gelu(plain), F.gelu(plain, approximate="tanh"), plain + residual.float()]
    agree = all(
        (ours.float() - right).norm() <= _MAX_RELATIVE_ERROR * plain.norm()
        for ours, right in zip(found, expected, strict=True)
    )
    return laid_out if agree else None
