"""The name of the window for the taskbar of Windows."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace

import pytest

from desktop_app.gui.shell import app


@pytest.mark.parametrize(("is_bundle", "names"), [(False, ["Kindred.Kindred"]), (True, [])])
def test_the_window_is_not_taken_for_one_of_python(
    monkeypatch: pytest.MonkeyPatch, is_bundle: bool, names: list[str]
) -> None:
    given: list[str] = []
    shell = SimpleNamespace(SetCurrentProcessExplicitAppUserModelID=given.append)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(shell32=shell), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "frozen", is_bundle, raising=False)
    app._name_for_taskbar()
    assert given == names
