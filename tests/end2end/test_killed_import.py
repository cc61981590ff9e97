"""The program is killed during an import: every committed document is kept, none exists twice, all is consistent."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.errors import AppError
from desktop_app.core.paths import Paths, resources_folder
from desktop_app.store.library import LocalLibrary
from tests.end2end.conftest import DATA
from tests.end2end.killed_import import content_of, kill_many
from tests.patience import PATIENCE_S

_NOTHING = threading.Event()


def _kindred(base: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), "--json", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never got this far"
        _NOTHING.wait(0.05)  # polling without a pause would take processor time from the import


def _occurrences(folder: Path) -> int:
    """The sentences visible to a second connection."""
    try:
        library = LocalLibrary.open(folder, writable=False, create=False)
    except AppError:
        return 0  # it is just being created
    try:
        return library.info().occurrences
    finally:
        library.close()


@pytest.mark.slow  # beside three kills in the test below: here each of the two imports is a whole process
@pytest.mark.parametrize(
    ("after", "pdfs"),
    [
        (60, ("google_docs_zen.pdf",)),
        *(
            (after, ("four_pages_english.pdf", "two_column_paper_clinc.pdf", "google_docs_zen.pdf"))
            for after in (1, 300, 700)
        ),
    ],
)
def test_an_import_survives_a_kill(tmp_path: Path, after: int, pdfs: tuple[str, ...]) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in pdfs:
        shutil.copy(DATA / "pdf" / name, papers)
    for sample in (resources_folder() / "samples").glob("*.md" if len(pdfs) == 1 else "*.[tm][xd]*"):
        shutil.copy(sample, papers)
    base, expected = tmp_path / "base", len(list(papers.iterdir()))
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), "import", str(papers), "--quiet"]
    importing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = Paths.under(base).default_library
    try:
        _until(lambda: _occurrences(folder) >= after or importing.poll() is not None)
    finally:
        importing.kill()
        importing.wait()
    before = content_of(folder)

    report = json.loads(_kindred(base, "import", papers).stdout)
    assert report["failed"] == []
    assert set(before.documents) == set(report["unchanged"])
    assert len(report["unchanged"]) + len(report["imported"]) == expected

    now = content_of(folder)
    assert (len(now.documents), now.failed) == (expected, {})
    assert before.documents.items() <= now.documents.items(), "ready documents are unchanged"
    assert len(now.sentences) == sum(now.documents.values())
    places = [(path, places) for path, _ordinal, _text, _kind, places in now.sentences]
    assert len(set(places)) == len(places)


@pytest.mark.skipif(sys.platform == "win32", reason="runs are forked")
@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_imports_survive_kills_at_random_moments(tmp_path: Path, kills: int) -> None:
    outcome = kill_many(tmp_path, kills, seed=5, few=True)
    assert outcome.kills == kills
    assert outcome.finished >= 1
    assert outcome.lowest >= 0.9999
