"""A library is opened through a factory, so that both kinds of libraries run the tests of what every library does.

Tests marked `every_library` run once on a folder and once on a PostgreSQL server; those marked `only_local` besides
look into the files of a folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.library import Library
from desktop_app.store.library import LocalLibrary
from tests.postgres_server import SharedLibraries

from .helpers import MODEL

Open = Callable[..., Any]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "library_kind" not in metafunc.fixturenames:
        return
    own = {mark.name for mark in metafunc.definition.iter_markers()}
    is_for_both = "every_library" in own and "only_local" not in own
    metafunc.parametrize("library_kind", ["local", "shared"] if is_for_both else ["local"], indirect=True)


@pytest.fixture
def library_kind(request: pytest.FixtureRequest) -> str:
    """Which kind of library a test opens."""
    return str(request.param)


@pytest.fixture
def clock() -> list[float]:
    """The clock of the libraries; tests set it."""
    return [1_000_000.0]


@pytest.fixture
def open_library(
    tmp_path: Path, clock: list[float], library_kind: str, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """Open the same library repeatedly; everything is closed after the test."""
    opened: list[Any] = []
    shared: SharedLibraries | None = request.getfixturevalue("shared_libraries") if library_kind == "shared" else None

    def open_(*, tail_rows: int = 1000, folder: Path | None = None, **more: Any) -> Any:
        library: Any
        if shared is not None:
            more.pop("create", None)
            name = "contract" if folder is None else f"l{hashlib.md5(str(folder).encode()).hexdigest()[:8]}"
            library = shared.open(name, tail_rows=tail_rows, clock=lambda: clock[0], **more)
        else:
            library = LocalLibrary.open(
                folder or tmp_path / "library", tail_rows=tail_rows, clock=lambda: clock[0], **more
            )
        opened.append(library)
        return library

    yield open_
    for library in opened:
        library.close()
    if shared is not None:
        shared.reset()


@pytest.fixture
def library(open_library: Open) -> Library:
    """An empty library with the tests' model."""
    library: Library = open_library()
    library.models.bind(MODEL)
    return library
