"""Arrays in a mapped temporary file: equal to what was given, and gone with the last of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.mapped_arrays import map_arrays


def test_they_are_equal_to_what_was_given_and_leave_no_file(tmp_path: Path) -> None:
    given: list[NDArray[Any]] = [
        np.arange(1_500_000),
        np.random.default_rng(0).random((5, 3), np.float32),
        np.empty((0, 4), np.int32),
        np.arange(12, dtype=np.int16).reshape(3, 4)[:, ::2],
    ]
    mapped = run_to_completion(map_arrays(given, tmp_path / "new"))
    for _ in range(2):
        for here, there in zip(mapped.arrays, given, strict=True):
            assert here.dtype == there.dtype
            np.testing.assert_array_equal(here, there)
        mapped.release()
    with pytest.raises(ValueError, match="read-only"):
        mapped.arrays[0][0] = 1
    if sys.platform == "win32":
        del mapped, here, there
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can see what its arrays take")
def test_they_take_no_memory_after_their_release(tmp_path: Path) -> None:
    mapped = run_to_completion(map_arrays([np.ones(4_000_000)], tmp_path))
    assert mapped.arrays[0].sum() == 4_000_000
    held = _mapped_kb(tmp_path)
    mapped.release()
    assert held > 30_000
    assert _mapped_kb(tmp_path) < 1000


def _mapped_kb(folder: Path) -> int:
    found, is_here = 0, False
    for line in Path("/proc/self/smaps").read_text("utf-8").splitlines():
        if not line.split()[0].endswith(":"):
            is_here = str(folder) in line
        elif is_here and line.startswith("Rss:"):
            found += int(line.split()[1])
    return found
