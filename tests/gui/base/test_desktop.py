"""Showing files in the programs of the desktop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.gui.base import desktop


def test_the_explorer_shows_a_file_with_a_comma_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "Smith,2019.pdf"
    file.touch()
    started: list[str] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", started.append)
    assert desktop.show_in_folder(str(file))
    assert started[0].endswith(f'explorer.exe" /select,"{file}"')


def test_an_explorer_that_does_not_start_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_command: str) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", fail)
    assert not desktop.show_in_folder(str(tmp_path))
