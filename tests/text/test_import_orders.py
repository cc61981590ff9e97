"""Each module of the room can be imported first, as the tasks of a child process do."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
import desktop_app.text
names = [info.name for info in pkgutil.walk_packages(desktop_app.text.__path__, "desktop_app.text.")]
assert len(names) > 40
for name in names:
    for loaded in [each for each in sys.modules if each.startswith("desktop_app.text")]:
        del sys.modules[loaded]
    importlib.import_module(name)
"""


def test_each_module_can_be_imported_first() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
