"""Garbage is collected on the GUI thread only, and not while a library opens."""

from __future__ import annotations

import gc
from unittest.mock import Mock

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.gui.shell import garbage_collection
from desktop_app.gui.shell.garbage_collection import GarbageCollector


def test_nothing_is_collected_during_the_start(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    collect = Mock()
    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "freeze", Mock())
    monkeypatch.setattr(gc, "get_count", lambda: (1_000_000, 0, 0))
    garbage = GarbageCollector()
    try:
        for _ in range(garbage_collection._STARTING_CHECKS):
            garbage.collect()
        collect.assert_not_called()
        garbage.collect()
        collect.assert_called_once_with(0)
    finally:
        garbage.stop()


def test_a_window_that_is_ready_ends_the_start(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    collect = Mock()
    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "freeze", Mock())
    monkeypatch.setattr(gc, "get_count", lambda: (1_000_000, 0, 0))
    garbage = GarbageCollector()
    try:
        garbage.settle()
        collect.reset_mock()
        garbage.collect()
        collect.assert_called_once_with(0)
    finally:
        garbage.stop()


@pytest.mark.parametrize("is_enabled", [True, False])
def test_at_the_end_python_collects_as_before(qapp: QApplication, is_enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        garbage = GarbageCollector()
        assert not gc.isenabled()
        garbage.stop()
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if before else gc.disable)()
