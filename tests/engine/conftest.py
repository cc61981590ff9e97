"""What several tests of the engine stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .analysed_library import AnalysedLibrary


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[AnalysedLibrary]:
    """An empty library."""
    shelf = AnalysedLibrary(tmp_path / "library")
    yield shelf
    shelf.engine.stop()
