"""Freed memory is returned to the system, where the C library has to be asked for it."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace

import pytest

from desktop_app.core.freed_memory import return_freed_memory


def test_a_library_without_the_function_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    return_freed_memory()
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace())
    return_freed_memory()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take freed memory by themselves")
def test_the_library_is_asked_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_bytes: list[int] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(malloc_trim=kept_bytes.append))
    return_freed_memory()
    assert kept_bytes == [0]
