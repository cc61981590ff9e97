"""A library is opened through a factory, so that another implementation can run the same tests later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.library import Library
from desktop_app.store.library import LocalLibrary

from .helpers import MODEL

Open = Callable[..., Any]


@pytest.fixture
def clock() -> list[float]:
    """The clock of the libraries; tests set it."""
    return [1_000_000.0]


@pytest.fixture
def open_library(tmp_path: Path, clock: list[float]) -> Iterator[Open]:
    """Open the same library repeatedly; everything is closed after the test."""
    opened: list[LocalLibrary] = []

    def open_(*, tail_rows: int = 1000, folder: Path | None = None, **more: Any) -> LocalLibrary:
        library = LocalLibrary.open(folder or tmp_path / "library", tail_rows=tail_rows, clock=lambda: clock[0], **more)
        opened.append(library)
        return library

    yield open_
    for library in opened:
        library.close()


@pytest.fixture
def library(open_library: Open) -> Library:
    """An empty library with the tests' model."""
    library: Library = open_library()
    library.models.bind(MODEL)
    return library
