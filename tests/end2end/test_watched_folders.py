"""`import --watch` watches a folder until a person stops it, with a report for each change."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process there")
def test_a_folder_is_watched_until_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.txt").write_text("The sea rises.")
    later = tmp_path / "later.txt"
    later.write_text("It falls as often.")
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(tmp_path / "base"), "--json", "--quiet"]
    # As in a person's shell: output is buffered until it is flushed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    out = tmp_path / "out.json"
    with out.open("w") as output:
        running = subprocess.Popen(
            [*command, "import", "--watch", str(folder)],
            stdout=output,
            stderr=subprocess.PIPE,
            env=environment | {"PYTHONFAULTHANDLER": "1"},
        )
    nothing = threading.Event()
    deadline = time.monotonic() + PATIENCE_S
    try:
        while "b.txt" not in out.read_text() and running.poll() is None:
            if time.monotonic() > deadline:
                running.send_signal(signal.SIGABRT)  # prints the stack of each thread
                pytest.fail(f"reported {out.read_text()!r}, then nothing: {running.communicate()[1].decode()}")
            if "a.txt" in out.read_text() and later.exists():
                later.rename(folder / "b.txt")  # moved in complete: half written, it would be reported twice
            nothing.wait(0.02)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=PATIENCE_S)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130
    assert b"Watching the folders" in errors
    assert [[os.path.basename(file["path"]) for file in report["imported"]] for report in reports(out.read_text())] == [
        ["a.txt"],
        ["b.txt"],
    ]


def reports(text: str) -> Iterator[dict[str, Any]]:
    """Yield consecutive JSON documents."""
    decoder = json.JSONDecoder()
    while text := text.strip():
        report, end = decoder.raw_decode(text)
        yield report
        text = text[end:]
