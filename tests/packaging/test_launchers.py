"""The double-click launchers of a checkout: file names are passed on unchanged, and failures stay visible."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"
SCRIPTS = ["kindred.sh", "Kindred.command"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose run.py prints its arguments, or fails."""
    packaging = tmp_path / "a check'out" / "packaging"
    packaging.mkdir(parents=True)
    for script in SCRIPTS:
        shutil.copy(PACKAGING / script, packaging)
    (packaging / "run.py").write_text(
        "import json, os, sys\n"
        "print(json.dumps(sys.argv[1:]))\n"
        "if 'fail' in sys.argv: sys.exit('kindred: There is no network')\n"
        "sys.exit(0)\n",
        "utf-8",
    )
    return packaging


def _run(script: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    # The real Python first, on any system; then nothing that could open a window.
    tools = script.parent / "tools"
    tools.mkdir(exist_ok=True)
    for name in ("dirname", "readlink", "mktemp", "cat", "tail", "rm", "sh"):
        if not (tools / name).exists():
            (tools / name).symlink_to(shutil.which(name) or name)
    variables = {"PATH": path or f"{Path(sys.executable).parent}:{tools}", "TMPDIR": str(script.parent)}
    return subprocess.run(
        [str(script), *arguments], capture_output=True, text=True, env=variables, stdin=subprocess.DEVNULL, check=False
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_file_names_are_passed_on_unchanged(checkout: Path, name: str) -> None:
    files = ["/a b/c.pdf", "$HOME `id` \"x\" 'y'", "line\nbreak", "*", ""]
    done = _run(checkout / name, *files)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == files


def test_a_launcher_can_be_started_through_a_link(checkout: Path, tmp_path: Path) -> None:
    link = tmp_path / "kindred"
    link.symlink_to(checkout / "kindred.sh")
    done = subprocess.run([str(link), "x"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert json.loads(done.stdout) == ["x"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_failure_is_passed_on(checkout: Path, name: str) -> None:
    done = _run(checkout / name, "fail")
    assert done.returncode == 1
    assert "There is no network" in done.stderr
    assert not list(checkout.glob("tmp*"))


@pytest.mark.parametrize("tool", ["zenity", "kdialog", "xmessage", "notify-send"])
def test_without_a_terminal_the_failure_is_shown_in_a_window(checkout: Path, tmp_path: Path, tool: str) -> None:
    (checkout.parent / ".venv").mkdir()
    (checkout.parent / ".venv" / "ready.txt").touch()
    window = checkout / "tools" / tool
    window.parent.mkdir()
    window.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/shown.txt"\n')
    window.chmod(0o755)
    _run(checkout / "kindred.sh", "fail")
    assert "There is no network" in (tmp_path / "shown.txt").read_text("utf-8")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_missing_python_is_reported(checkout: Path, name: str) -> None:
    _run(checkout / name)
    done = _run(checkout / name, path=str(checkout / "tools"))
    assert done.returncode == 3
    assert "Python 3.11" in done.stdout + done.stderr


def test_launchers_can_be_double_clicked() -> None:
    for name in SCRIPTS:
        assert os.access(PACKAGING / name, os.X_OK), name
    assert b"\r\n" in (PACKAGING / "Kindred.bat").read_bytes()
    assert b"pause" in (PACKAGING / "Kindred.bat").read_bytes()
