"""Products in pieces: few sizes, and each large enough that sums have one order."""

from __future__ import annotations

import pytest
import torch

from desktop_app.encoder.inference.linear import MIN_CONSISTENT_ROWS, ROWS_MULTIPLE, PrepackedLinear


def prepacked(width: int) -> PrepackedLinear:
    linear = PrepackedLinear(torch.zeros(8, width), torch.zeros(8), torch.bfloat16, "cpu")
    if not linear.is_prepacked:
        pytest.skip("oneDNN multiplies no bf16 here")
    return linear


@pytest.mark.parametrize(("width", "most"), [(512, 256), (1536, 256), (3072, 96)])
def test_many_rows_are_multiplied_in_pieces_of_few_sizes(width: int, most: int) -> None:
    linear = prepacked(width)
    met = set()
    for rows in range(MIN_CONSISTENT_ROWS, 4097, ROWS_MULTIPLE):
        sizes = linear.pieces(rows)
        assert sum(sizes) == rows
        assert all(MIN_CONSISTENT_ROWS <= size <= most for size in sizes if rows > most)
        met.update(sizes)
    assert all(size % ROWS_MULTIPLE == 0 for size in met)


def test_a_number_of_rows_that_is_no_multiple_loses_none() -> None:
    linear = prepacked(512)
    for rows in (1, 7, 255, 257, 301, 775, 1023):
        sizes = linear.pieces(rows)
        assert sum(sizes) == rows
        assert max(sizes) <= 256


def test_without_onednn_all_rows_are_multiplied_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graphics card gets one product for thousands of tokens, not hundreds."""
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    linear = PrepackedLinear(torch.zeros(8, 1536), torch.zeros(8), torch.bfloat16, "cpu")
    assert linear.pieces(65_536) == [65_536]


@pytest.mark.parametrize("rows", [5, 300, 601])
def test_pieces_give_the_products_of_all_rows(rows: int) -> None:
    generator = torch.Generator().manual_seed(5)
    weight, bias = torch.randn(16, 512, generator=generator), torch.randn(16, generator=generator)
    x, residual = torch.randn(rows, 512, generator=generator), torch.randn(rows, 16, generator=generator)
    linear = PrepackedLinear(weight, bias, torch.bfloat16, "cpu")
    expected = x.bfloat16().float() @ weight.bfloat16().float().T + bias
    torch.testing.assert_close(linear(x.bfloat16()).float(), expected, atol=0.3, rtol=0.02)
    found = linear.add_to(x.bfloat16(), residual.bfloat16()).float()
    torch.testing.assert_close(found, expected + residual, atol=0.3, rtol=0.02)
