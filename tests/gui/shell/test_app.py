"""Files that the system opens by an event, as macOS does when a document is opened with Kindred."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# A process of its own, because a process can have only one application. It prints what it receives through Qt.
_LISTEN = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from desktop_app.gui.shell.app import KindredApplication

app = KindredApplication(["kindred"])
app.opened.connect(lambda files: print(*files, sep="|"))
for file in sys.argv[1:]:
    assert QCoreApplication.sendEvent(app, QFileOpenEvent(file))
QCoreApplication.sendEvent(app, QFileOpenEvent(QUrl("https://example.org/page")))
QTimer.singleShot(0, lambda: QTimer.singleShot(0, app.quit))
app.exec()
"""


def test_files_opened_together_are_reported_together(tmp_path: Path) -> None:
    names = [str(tmp_path / "Übung 1.pdf"), str(tmp_path / "sea.txt")]
    done = subprocess.run(
        [sys.executable, "-c", _LISTEN, *names], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stdout.splitlines() == ["|".join(names)], done.stderr
    assert done.returncode == 0
