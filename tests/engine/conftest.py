"""What several tests of the engine stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """An empty library."""
    shelf = Shelf(tmp_path / "library")
    yield shelf
    shelf.engine.stop()
