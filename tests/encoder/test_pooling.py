"""Pooling by its formulas, on numbers small enough to check by eye."""

from __future__ import annotations

import math

import pytest
import torch

from desktop_app.encoder.pooling import AttentionPooling, pool

HIDDEN = torch.tensor([[[1.0, -1.0], [3.0, -5.0], [100.0, 100.0]], [[2.0, 0.0], [4.0, 2.0], [6.0, 7.0]]])
MASK = torch.tensor([[True, True, False], [True, True, True]])
EXPECTED = {
    "mean": [[2.0, -3.0], [4.0, 3.0]],
    "max": [[3.0, -1.0], [6.0, 7.0]],
    "cls": [[1.0, -1.0], [2.0, 0.0]],
    "mean_sqrt_len_tokens": [[4 / 2**0.5, -6 / 2**0.5], [12 / 3**0.5, 9 / 3**0.5]],
}


@pytest.mark.parametrize("mode", EXPECTED)
def test_padding_never_counts(mode: str) -> None:
    torch.testing.assert_close(pool(HIDDEN, MASK, [mode]), torch.tensor(EXPECTED[mode]))


def test_the_mean_over_padding_counts_all_positions_equally() -> None:
    found = pool(HIDDEN, MASK, ["mean-padded"])
    torch.testing.assert_close(found, torch.tensor([[104 / 3, 94 / 3], [4.0, 3.0]]))


@pytest.mark.parametrize("mode", EXPECTED)
def test_a_text_without_counted_tokens_is_zero(mode: str) -> None:
    pooled = pool(HIDDEN, torch.zeros_like(MASK), [mode])
    assert torch.isfinite(pooled).all()
    if mode != "cls":
        assert not pooled.any()


def test_cls_is_the_first_token_that_counts() -> None:
    mask = torch.tensor([[False, True, True], [False, False, True]])
    assert pool(HIDDEN, mask, ["cls"]).tolist() == [[3.0, -5.0], [6.0, 7.0]]


def test_several_modes_are_concatenated_in_order() -> None:
    pooler_output = torch.tensor([[7.0], [8.0]])
    pooled = pool(HIDDEN, MASK, ["cls", "pooler", "mean"], pooler_output)
    assert pooled.tolist() == [[1.0, -1.0, 7.0, 2.0, -3.0], [2.0, 0.0, 8.0, 4.0, 3.0]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sums_are_made_in_fp32(dtype: torch.dtype) -> None:
    # In half precision the sum of 3,000 ones would stop at 2,048 (fp16) or 256 (bf16).
    pooled = pool(torch.ones(1, 3000, 2, dtype=dtype), torch.ones(1, 3000, dtype=torch.bool), ["mean"])
    assert pooled.dtype == torch.float32
    assert pooled.tolist() == [[1.0, 1.0]]


def attention(*weight: float) -> AttentionPooling:
    pooling = AttentionPooling(len(weight))
    pooling.load_state_dict({"weight": torch.tensor(weight)})
    return pooling.requires_grad_(False)


def test_attention_weights_tokens_by_their_product_with_the_learned_vector() -> None:
    # e^0 to e^ln3 is 1 to 3; the third token of the first text is padding however large it is.
    hidden = torch.tensor([[[0.0, 8.0], [1.0, 4.0], [100.0, 100.0]], [[0.0, 4.0], [1.0, 8.0], [0.0, 0.0]]])
    pooled = pool(hidden, MASK, ["attention"], attention=attention(math.log(3.0), 0.0))
    torch.testing.assert_close(pooled, torch.tensor([[0.75, 5.0], [0.6, 5.6]]))


def test_untrained_attention_is_the_mean() -> None:
    pooled = pool(HIDDEN, MASK, ["attention"], attention=AttentionPooling(2))
    torch.testing.assert_close(pooled, torch.tensor(EXPECTED["mean"]))


def test_attention_on_nothing_is_zero_and_learns_from_the_rest() -> None:
    pooling = AttentionPooling(2)
    mask = torch.tensor([[False, False, False], [True, True, True]])
    pooled = pooling(HIDDEN, mask)
    assert pooled[0].tolist() == [0.0, 0.0]
    pooled.square().sum().backward()
    assert pooling.weight.grad is not None
    assert torch.isfinite(pooling.weight.grad).all()
    assert pooling.weight.grad.abs().sum() > 0
