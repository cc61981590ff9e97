"""Linear layers whose weights are laid out once for the processor.

`torch.nn.functional.linear` lays a weight out anew at each call, or multiplies it as it stands (in fp32 through a
library that is slow on some processors: 2.4 times slower than this on an AMD EPYC). oneDNN takes weights in an
order of its own and fuses what follows a product. torch reaches it by operators that are private, made for its
compiler: where one of them is missing, or refuses a precision, the plain product serves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional as F

if TYPE_CHECKING:
    from torch import Tensor

# What operators raise that are not there, not built for this processor, or not for this precision.
_REFUSALS = (AttributeError, RuntimeError, NotImplementedError, TypeError)
_TOKENS = 1024  # of a usual pass: oneDNN chooses the order of the weight by it
_ROUNDING = 0.02  # how far bf16 may be off, as a share of a vector's length


class Linear:
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
        if device == "cpu" and (laid_out := lay_out(self._weight, self._bias)) is not None:
            self._ops, self._weight = torch.ops.mkldnn, laid_out

    @property
    def is_laid_out(self) -> bool:
        """Whether the weight stands in oneDNN's own order."""
        return self._ops is not None

    def __call__(self, x: Tensor) -> Tensor:
        """Return [rows, out]."""
        if self._ops is None:
            return F.linear(x, self._weight, self._bias)
        out: Tensor = self._ops._linear_pointwise.default(x, self._weight, self._bias, "none", [], "")
        return out

    def gelu(self, x: Tensor, approximate: str) -> Tensor:
        """Return GELU(x W^T + b) (Hendrycks & Gimpel 2016); `approximate` is `none` or `tanh`."""
        if self._ops is None:
            return F.gelu(F.linear(x, self._weight, self._bias), approximate=approximate)
        out: Tensor = self._ops._linear_pointwise.default(x, self._weight, self._bias, "gelu", [], approximate)
        return out

    def plus(self, x: Tensor, residual: Tensor) -> Tensor:
        """Return x W^T + b + residual, rounded once."""
        if self._ops is None:
            return F.linear(x, self._weight, self._bias).add_(residual)
        out: Tensor = self._ops._linear_pointwise.binary(x, residual, self._weight, self._bias, "add")
        return out


def lay_out(weight: Tensor, bias: Tensor) -> Tensor | None:
    """Return `weight` in oneDNN's order, or None where this torch, processor or precision has no such thing."""
    backend: Any = torch.backends.mkldnn  # partly typed
    if not backend.is_available():
        return None
    # Tried on a row: operators may be there and refuse when they are called, or, being private, mean something else.
    x = torch.linspace(-1.0, 1.0, weight.shape[1]).to(weight.dtype)[None]
    residual = torch.linspace(-1.0, 1.0, weight.shape[0]).to(weight.dtype)[None]
    try:
        ops: Any = torch.ops.mkldnn
        laid_out: Tensor = ops._reorder_linear_weight(weight, _TOKENS)
        found = [
            ops._linear_pointwise.default(x, laid_out, bias, "none", [], ""),
            ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "none"),
            ops._linear_pointwise.default(x, laid_out, bias, "gelu", [], "tanh"),
            ops._linear_pointwise.binary(x, residual, laid_out, bias, "add"),
        ]
        plain = F.linear(x, weight, bias).float()
    except _REFUSALS:
        return None
    expected = [plain, F.gelu(plain), F.gelu(plain, approximate="tanh"), plain + residual.float()]
    agree = all(
        (ours.float() - right).norm() <= _ROUNDING * plain.norm() for ours, right in zip(found, expected, strict=True)
    )
    return laid_out if agree else None
