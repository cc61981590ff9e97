"""Limits of what a ZIP file may unpack."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import FileFailure
from desktop_app.text.readers.zip_package import refuse_decompression_bomb

MOST = 500_000_000


@pytest.mark.parametrize(
    ("size_bytes", "packed_bytes"),
    [(20_000_000, 1), (20_000_001, 100_001), (400_000_000, 2_000_000), (MOST, MOST), (MOST, None), (0, 0)],
)
def test_small_parts_and_those_that_grow_as_text_does_are_unpacked(size_bytes: int, packed_bytes: int | None) -> None:
    refuse_decompression_bomb(size_bytes, packed_bytes, MOST)


@pytest.mark.parametrize(
    ("size_bytes", "packed_bytes"),
    [(20_000_001, 100_000), (400_000_000, 1_999_999), (MOST + 1, MOST), (MOST + 1, None)],
)
def test_parts_that_grow_by_more_or_are_too_long_are_not(size_bytes: int, packed_bytes: int | None) -> None:
    with pytest.raises(FileFailure) as failure:
        refuse_decompression_bomb(size_bytes, packed_bytes, MOST)
    assert failure.value.reason == "too_large"
