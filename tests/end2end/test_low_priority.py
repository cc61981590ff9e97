"""At low priority, computation yields to other programs, but the window does not."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import psutil
import pytest

from desktop_app.compose import open_workspace
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.encoder.cpu_cores import default_threads
from desktop_app.engine.requests import ImportRequest
from tests.forked_children import is_server
from tests.patience import PATIENCE_S


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a niceness of their own only there")
def test_the_engine_and_its_child_processes_run_at_low_priority(tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("Water for green tea should not boil.", "utf-8")
    own = os.getpriority(os.PRIO_PROCESS, 0)
    launch = LaunchOptions(Settings(low_priority=True), tmp_path / "library", writable=True, create=True)
    workspace = open_workspace(launch)
    try:
        report = workspace.imports.start(ImportRequest((str(tmp_path / "tea.md"),))).wait(PATIENCE_S)
        assert len(report.imported) == 1
        (engine,) = (thread.native_id for thread in threading.enumerate() if thread.name == "engine")
        assert engine is not None
        assert os.getpriority(os.PRIO_PROCESS, engine) == max(own, 5)
        assert os.getpriority(os.PRIO_PROCESS, 0) == own, "requests are as fast as before"
        children = [each for each in psutil.Process().children() if not is_server(each.pid)]
        readers = [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]
        assert [each.nice() for each in readers] == [max(own, 5)]
        device = workspace.device().wait(PATIENCE_S)
        assert device.threads == max(1, default_threads() // 2)
    finally:
        workspace.close()
