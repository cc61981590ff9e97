"""The search of the desktop shows its results in the window."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.desktop_search import KDE_FILE
from tests.engine.test_desktop_search import KDE, Desktop, blocking, bus, pytestmark
from tests.gui.shell.test_libraries import Desk, desk

__all__ = ["bus", "desk", "pytestmark"]


@pytest.fixture
def installed(bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    file = tmp_path / "shared" / KDE_FILE
    file.parent.mkdir(parents=True)
    file.touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "shared"))
    return bus


def test_a_result_of_the_desktop_is_shown_in_the_window(installed: str, desk: Desk, qtbot: QtBot, files: Path) -> None:
    desk.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: not desk.window.imports.is_running)
    answers: list[Any] = []

    def ask() -> None:
        with blocking.open_dbus_connection(bus=installed) as connection:
            desktop = Desktop(connection)
            answers.append(desktop.ask(KDE, "Match", "s", "sea"))
            answers.append(desktop.ask(KDE, "Run", "ss", answers[0][0][0], ""))

    thread = threading.Thread(target=ask)
    thread.start()
    qtbot.waitUntil(lambda: len(answers) == 2)
    thread.join()
    qtbot.waitUntil(lambda: desk.window.reader.shown is not None)
