"""A window on a real library with two documents: tracing reads vectors, which the library in memory has not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred


@pytest.fixture
def stored(make: Callable[..., Kindred], files: Path, tmp_path: Path, qtbot: QtBot) -> Kindred:
    """A window with two documents in a library on disk."""
    made = make(open_library=lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True))
    qtbot.waitUntil(lambda: made.window.session.phase == "ready" and made.kind == "no_documents")
    made.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: made.is_quiet and len(made.documents) == 2)
    qtbot.waitUntil(lambda: all("sentences" in state for state in made.documents.values()))
    return made
