"""PySide does not read the source of modules that are imported later."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_IMPORT = """
import json, linecache, sys
from PySide6.QtWidgets import QApplication
from desktop_app.core.settings import Settings
from desktop_app.gui.shell import app
themes = app.prepare_application(QApplication([]), Settings())
sys.path.insert(0, sys.argv[1])
import late
print(json.dumps([late.loaded, late.__file__ in linecache.cache]))
"""


def test_qt_does_not_read_the_source_of_modules_imported_later(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text("loaded = True\n", "utf-8")
    run = [sys.executable, "-c", _IMPORT, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [True, False]
