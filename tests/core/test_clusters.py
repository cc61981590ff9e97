"""Ids of sentences in as little memory as they need."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.clusters import compact_ids


@pytest.mark.parametrize("ids", [[], [7, 3, 5], [2**31 - 1], [1, 2**31], [2**62]])
def test_ids_of_any_size_are_kept_in_their_order(ids: list[int]) -> None:
    kept = compact_ids(np.array(ids, np.int64))
    assert list(kept) == ids
    assert kept.itemsize == (4 if max(ids, default=0) < 2**31 else 8)
