"""Signals of the system or the terminal close the window cleanly."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.gui.shell.test_main_window import run_python

ASKED = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop_app.core.paths import Paths
from desktop_app.core.settings import Settings
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.shell import app as gui
from desktop_app.gui.shell.main_window import MainWindow
from tests.gui.fakes import FakeEncoder, FakeLibrary, FakeReader, Gate
library = FakeLibrary()
def make():
    return Workspace(EngineSetup(open_library=lambda: library, load_encoder=lambda _: FakeEncoder(),
                     is_supported=lambda _: True, start_reader=lambda: FakeReader(Gate()),
                     choose_device=lambda _: FakeEncoder.device))
first = MainWindow.paintEvent
def paint(self, event):
    first(self, event)
    MainWindow.paintEvent = first
    self.session.changed.connect(
        lambda: self.session.phase == "ready" and QTimer.singleShot(0, lambda: os.kill(os.getpid(), int(sys.argv[2]))))
MainWindow.paintEvent = paint
paths = Paths.under(Path(sys.argv[1]))
print("status:", gui.run_window(make, Settings(theme="light"), paths, [], lambda settings: None))
print("library closed:", library.closed)
print("place kept:", any(paths.config.rglob("*.ini")))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_the_window_cleanly(tmp_path: Path, number: int) -> None:
    output = run_python(ASKED, str(tmp_path), str(int(number)))
    assert output.splitlines() == [f"status: {128 + number}", "library closed: True", "place kept: True"]
