"""The whole program, asked by the system to open a file, as on macOS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

# The file arrives as soon as events are handled, long before the library is open.
_OPENED = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from desktop_app.__main__ import main
from desktop_app.core.paths import Paths
from desktop_app.gui.shell.app import KindredApplication
from desktop_app.gui.shell.single_instance import SingleInstance

app = KindredApplication(["kindred"])
if sys.argv[3:]:
    paths = Paths.under(Path(sys.argv[1]))
    earlier = SingleInstance(paths.config, paths.default_library, app)
    earlier.claim([])
    earlier.close()
    app.opened.connect(lambda _: earlier.release())  # the start waits for it
QTimer.singleShot(0, lambda: QCoreApplication.postEvent(app, QFileOpenEvent(sys.argv[2])))


def look():
    for window in QApplication.topLevelWidgets():
        leaves = window.documents.forest.leaves if hasattr(window, "documents") else {}
        if any(leaf.document.state in ("ready", "failed") for leaf in leaves.values()):
            print(*(leaf.document.path + " " + leaf.document.state for leaf in leaves.values()), sep="\\n")
            QApplication.closeAllWindows()
            return
    QTimer.singleShot(50, look)


QTimer.singleShot(0, look)
sys.exit(main(["--basedir", sys.argv[1]]))
"""


@pytest.mark.parametrize("options", [[], ["closing"]], ids=["", "while an earlier window closes the library"])
def test_a_file_opened_with_the_program_is_imported(tmp_path: Path, options: list[str]) -> None:
    file = tmp_path / "Übung.txt"
    file.write_text("Water for green tea should not boil.\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _OPENED, str(tmp_path / "base"), str(file), *options],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stdout.splitlines() == [f"{file} ready"], done.stderr
    assert done.returncode == 0
