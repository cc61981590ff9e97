"""Batches: no more tokens than asked for, every text once, and few numbers of texts."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.encoder.inference.batching import BatchWindow, round_down_texts


def test_numbers_of_texts_are_few_and_never_much_smaller() -> None:
    counts = [round_down_texts(count) for count in range(1, 1025)]
    assert all(rounded <= count < 1.25 * rounded for count, rounded in zip(range(1, 1025), counts, strict=True))
    assert len(set(counts)) == 3 + 4 * 8 + 1  # 1, 2, 3, four of each doubling, and 1,024


@pytest.mark.parametrize("few_shapes", [True, False])
def test_every_text_is_in_one_batch_of_at_most_so_many_tokens(few_shapes: bool) -> None:
    lengths = [3, 40, 7, 7, 7, 12, 500, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 31]
    window = BatchWindow(iter([(0, [np.zeros(length, np.int32) for length in lengths])]))
    found = []
    while (batch := window.take(100, few_shapes=few_shapes)) is not None:
        assert batch.tokens <= 100 or len(batch.rows) == 1
        assert [len(row) for row in batch.rows] == sorted((lengths[index] for index in batch.indices), reverse=True)
        found += batch.indices
    assert sorted(found) == list(range(len(lengths)))


def test_texts_that_fit_one_batch_are_one() -> None:
    window = BatchWindow(iter([(0, [np.zeros(11, np.int32)] * 9)]))
    assert window.fits(100)
    batch = window.take(100, few_shapes=True)
    assert batch is not None
    assert len(batch.rows) == 9
