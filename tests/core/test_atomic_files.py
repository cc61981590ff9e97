"""A file that cannot be written says what is in the way."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from desktop_app.core.atomic_files import make_write_error, open_atomic
from desktop_app.core.errors import StorageFull


def _refuse(file: Path) -> str:
    with pytest.raises(StorageFull) as caught, open_atomic(str(file)) as out:
        out.write(b"new")
    return f"{caught.value.message}. {caught.value.hint}"


def test_what_stands_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", "utf-8")
    (tmp_path / "folder").mkdir()
    missing = tmp_path / "none" / "deeper"
    expected = {
        missing / "a.csv": f"The folder {missing} does not exist. Create it, or choose another folder.",
        tmp_path / "file" / "a.csv": f"{tmp_path / 'file'} is not a folder. Choose a folder.",
        tmp_path / "file" / "b" / "a.csv": f"{tmp_path / 'file'} is not a folder. Choose a folder.",
        tmp_path / "folder": f"{tmp_path / 'folder'} is a folder. Give the name of a file.",
    }
    assert {file: _refuse(file) for file in expected} == expected
    assert (tmp_path / "file").read_text("utf-8") == "old"
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.EACCES, "Choose a folder where you can write."),
        (errno.EROFS, "Choose a folder where you can write."),
        (errno.ENOSPC, "Free some disk space, or choose another disk."),
        (errno.EIO, "Choose another place, or free some disk space."),
    ],
)
def test_the_hint_fits_the_reason(tmp_path: Path, number: int, hint: str) -> None:
    error = make_write_error(tmp_path / "a.csv", OSError(number, "why"))
    assert str(error.hint) == hint


def test_on_windows_a_file_that_another_program_has_open_is_to_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    (tmp_path / "table.csv").touch()
    refused = PermissionError(errno.EACCES, "Access is denied")
    assert str(make_write_error(tmp_path / "table.csv", refused).hint).startswith("Close it in other programs")
    assert str(make_write_error(tmp_path / "new.csv", refused).hint) == "Choose a folder where you can write."
