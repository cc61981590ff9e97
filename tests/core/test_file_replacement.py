"""Putting a file in the place of another one, while other programs look at them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_app.core import file_replacement
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.private_files import write_private
from tests.patience import PATIENCE_S


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The refusals that Windows still has in store for a file that another program has open."""
    left: list[str] = []
    replace = os.replace

    def refuse(source: Path, target: Path) -> None:
        if left:
            left.pop()
            raise PermissionError(13, "The process cannot access the file", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(file_replacement, "_PAUSE_S", 0.0)
    monkeypatch.setattr(file_replacement, "_PATIENCE_S", PATIENCE_S)
    return left


def test_windows_waits_until_a_virus_scanner_has_read_the_file(
    tmp_path: Path, refusals: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    refusals += ["open"] * 3
    write_private(tmp_path / "settings.toml", "new")
    assert (tmp_path / "settings.toml").read_text("utf-8") == "new"
    draft, folder = tmp_path / "model.part", tmp_path / "model"
    draft.mkdir()
    refusals += ["open"] * 3
    replace_file(draft, folder)
    assert folder.is_dir()


def test_what_stays_open_is_refused_after_a_while(
    tmp_path: Path, refusals: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(file_replacement, "_PATIENCE_S", 0.0)
    refusals += ["open"] * 1000
    with pytest.raises(PermissionError):
        write_private(tmp_path / "settings.toml", "new")
    assert list(tmp_path.iterdir()) == []


def test_other_systems_refuse_at_once(tmp_path: Path, refusals: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    refusals += ["no permission"]
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "a", tmp_path / "b")
    assert refusals == []
