"""The program is asked to end while it imports a large file: it ends soon; the next command goes on or tidies up."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.paths import Paths
from desktop_app.store.document_versions import MOST_AT_ONCE
from desktop_app.store.library import LocalLibrary
from tests.encoder.conftest import write_tiny_model
from tests.patience import PATIENCE_S
from tests.store.helpers import faults, shown

LINES = 12_000
_NOTHING = threading.Event()


class _Program:
    """Runs commands on a base folder, with a tiny model."""

    def __init__(self, folder: Path) -> None:
        (folder / "model").mkdir()
        self.base = folder / "base"
        self._model = write_tiny_model(folder / "model")

    def command(self, *arguments: str | Path) -> list[str]:
        words = ["--basedir", self.base, "--model", self._model, "--json", *arguments]
        return [sys.executable, "-m", "desktop_app", *map(str, words)]

    def run(self, *arguments: str | Path) -> dict:
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        return json.loads(done.stdout)

    def count(self, query: str) -> int:
        """Return a number from the database, beside whoever writes it."""
        file = Paths.under(self.base).default_library / "library.db"
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)) as connection:
            return int(connection.execute(query).fetchone()[0])

    def texts(self) -> list[str]:
        with LocalLibrary.open(Paths.under(self.base).default_library) as library:
            assert faults(library) == []
            return shown(library)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of other systems")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("then", ["import", "tidy up"])
def test_the_program_ends_in_the_middle_of_a_large_file(tmp_path: Path, number: signal.Signals, then: str) -> None:
    program = _Program(tmp_path)
    small, large = tmp_path / "small.txt", tmp_path / "large.csv"
    small.write_text("The sea rises twice a day.\n", "utf-8")
    lines = [f"Ship number {at} lies in the harbour." for at in range(LINES)]
    large.write_text("\n".join(lines), "utf-8")
    program.run("import", small)
    importing = subprocess.Popen(program.command("import", large), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE_S
    while program.count("SELECT count(*) FROM occurrence") < 2 * MOST_AT_ONCE:
        assert time.monotonic() < end
        assert importing.poll() is None
        _NOTHING.wait(0.05)
    importing.send_signal(number)
    out, _ = importing.communicate(timeout=PATIENCE_S)
    stored = program.count("SELECT count(*) FROM embedding")
    assert stored > 2 * MOST_AT_ONCE, "it does not erase what it stored before it ends"
    documents = program.run("documents")["documents"]
    if number == signal.SIGKILL:
        assert [each["state"] for each in documents] == ["ready", "queued"]
        program.run("import", "--resume")
    else:
        assert importing.returncode == 130
        assert json.loads(out)["stopped"] is True
        assert [(each["state"], each["sentences"]) for each in documents] == [("ready", 1)]
        program.run(*(("import", large) if then == "import" else ("import", "--resume")))
    if number == signal.SIGKILL or then == "import":
        assert program.texts() == ["The sea rises twice a day.", *lines]
        assert program.count("SELECT max(id) FROM embedding") == LINES + 1, "no sentence is embedded twice"
    else:
        assert program.texts() == ["The sea rises twice a day."]
    for table in ("occurrence", "sentence", "embedding"):
        assert program.count(f"SELECT count(*) FROM {table}") == len(program.texts())
    assert program.count("SELECT count(*) FROM version") == len(program.run("documents")["documents"])
