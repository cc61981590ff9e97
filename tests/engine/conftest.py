"""Fixtures of several tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .analysed_library import AnalysedLibrary


@pytest.fixture
def analysed(tmp_path: Path) -> Iterator[AnalysedLibrary]:
    """An empty library."""
    analysed = AnalysedLibrary(tmp_path / "library")
    yield analysed
    analysed.engine.stop()
