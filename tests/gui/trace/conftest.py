"""A window on a real library with two documents: tracing reads vectors, which the library in memory has not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred, import_files, write_files


@pytest.fixture
def stored(make: Callable[..., Kindred], tmp_path: Path, qtbot: QtBot) -> Kindred:
    """A window with two documents in a library on disk."""
    return open_stored(make, tmp_path, qtbot)


def open_stored(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
    made = make(open_library=lambda: LocalLibrary.open(folder / "library", writable=True, create=True))
    qtbot.waitUntil(lambda: made.window.session.phase == "ready" and made.kind == "no_documents")
    return import_files(made, write_files(folder), qtbot)


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    return open_stored
