"""Other programs that read files."""

from __future__ import annotations

import shutil
import sys

import pytest

from desktop_app.text.child_program import find_program


def test_a_program_that_lies_beside_the_documents_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # Windows looks into the current folder before those of the path.
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(shutil, "which", lambda name: f".\\{name}.EXE")
    assert find_program("tesseract") is None


def test_a_program_on_the_path_is_found() -> None:
    assert find_program("sh") == shutil.which("sh")
