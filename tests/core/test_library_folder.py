"""What tells the folder of a library from any other."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.paths import LIBRARY_DATABASE, is_library
from desktop_app.store.library import LocalLibrary
from desktop_app.store.library_lock import DATABASE_FILE


def test_a_folder_is_a_library_once_one_was_made_there(tmp_path: Path) -> None:
    assert DATABASE_FILE == LIBRARY_DATABASE
    assert not is_library(tmp_path)
    LocalLibrary.open(tmp_path / "library").close()
    assert is_library(tmp_path / "library")
    assert not is_library(tmp_path / "library" / LIBRARY_DATABASE)
