"""A server without PySide6: all that lies below the window can be imported there, and the commands work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CODE = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "shibokensupport"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoQt())
import desktop_app
for module in pkgutil.walk_packages(desktop_app.__path__, "desktop_app."):
    if not module.name.startswith("desktop_app.gui"):
        importlib.import_module(module.name)
from desktop_app.__main__ import main
for command in (["import", sys.argv[2]], ["search", "tide"], ["pairs"], ["clusters"], ["doctor"]):
    status = main(["--basedir", sys.argv[1], "--json", *command])
    assert status == 0, command
"""


def test_everything_below_the_window_works_where_qt_is_not_installed(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The tide comes in twice a day. Bread needs time.", "utf-8")
    command = [sys.executable, "-c", CODE, str(tmp_path / "base"), str(note)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    decoder, rest, answers = json.JSONDecoder(), done.stdout.lstrip(), []
    while rest:
        answer, end = decoder.raw_decode(rest)
        answers.append(answer)
        rest = rest[end:].lstrip()
    assert answers[1]["hits"][0]["text"] == "The tide comes in twice a day."
