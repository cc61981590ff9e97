"""Freed memory is returned to the system, where the C library has to be asked for it."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from desktop_app.core.freed_memory import return_freed_memory


def test_a_library_without_the_function_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    return_freed_memory()
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace())
    return_freed_memory()
