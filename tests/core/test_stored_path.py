"""Paths as the file system stores them, on systems that find a file by several names."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from desktop_app.core.stored_path import find_stored_path


@pytest.fixture
def macos(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that finds files in any letter case and however accents are composed."""

    def is_same(first: str, second: str) -> bool:
        return normalize("NFD", first.casefold()) == normalize("NFD", second.casefold())

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os.path, "samefile", is_same)


@pytest.mark.usefixtures("macos")
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_macos_finds_the_name_that_stands_in_the_folder(tmp_path: Path, form: str) -> None:
    stored = Path(os.path.realpath(tmp_path), normalize(form, "Entwürfe"), normalize(form, "Übersicht.pdf"))
    stored.parent.mkdir()
    stored.touch()
    for other in ("NFC", "NFD"):
        typed = tmp_path / normalize(other, "entwürfe") / normalize(other, "ÜBERSICHT.pdf")
        assert find_stored_path(str(typed)) == str(stored)
    missing = stored.with_name("missing.pdf")
    assert find_stored_path(str(missing)) == str(missing)
    assert find_stored_path(str(missing / "member.txt")) == str(missing / "member.txt")
    listings: dict[str, list[str]] = {}
    assert [find_stored_path(str(stored), listings) for _ in range(2)] == [str(stored)] * 2
    assert listings[str(stored.parent)] == [stored.name]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there these are one file")
def test_elsewhere_such_names_are_different_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    assert find_stored_path(str(tmp_path / "A.txt")) == os.path.join(os.path.realpath(tmp_path), "A.txt")
