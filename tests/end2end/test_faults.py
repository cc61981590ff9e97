"""Child processes of the program die while it works: the work continues."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.end2end.conftest import DATA, Program
from tests.forked_children import is_server
from tests.patience import PATIENCE_MS


def _readers() -> list[psutil.Process]:
    """The processes that read documents for this one."""
    return [
        child
        for child in psutil.Process().children()
        if child.status() != psutil.STATUS_ZOMBIE
        and "resource_tracker" not in " ".join(child.cmdline())
        and not is_server(child.pid)
    ]


def test_a_reader_killed_during_an_import_is_restarted(start: Callable[..., Program], tmp_path: Path, qtbot) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    # A paper is being read when its reader dies; the other files are before and after it.
    shutil.copy(DATA / "pdf" / "two_column_paper_clinc.pdf", papers / "b paper.pdf")
    for name in ("a first", "c third", "d fourth"):
        (papers / f"{name}.txt").write_text(f"This is the {name} text. It has two sentences.\n", "utf-8")
    program = start()
    session, imports = program.window.session, program.window.imports
    qtbot.waitUntil(lambda: session.phase in ("ready", "failed"))
    killed: list[int] = []
    reports: list = []
    imports.finished.connect(reports.append)

    def kill(progress) -> None:
        """Kill at the first page of the paper."""
        if not killed and progress.page is not None:
            readers = _readers()
            killed.extend(reader.pid for reader in readers)
            for reader in readers:
                reader.kill()

    imports.progressed.connect(kill)
    imports.start([str(papers)])
    qtbot.waitUntil(lambda: bool(reports))
    assert len(killed) == 1
    # A killed reader cannot be distinguished from one that the file crashed: the file may be reported as damaged,
    # but every other file is imported by a new reader, and the window stays open.
    (report,) = reports
    imported = {Path(file.path).name for file in report.imported}
    assert imported >= {"a first.txt", "c third.txt", "d fourth.txt"}
    assert {Path(file.path).name for file in report.failed} <= {"b paper.pdf"}
    assert killed[0] not in {reader.pid for reader in _readers()}
    if report.failed:
        imports.start([failure.path for failure in report.failed])
        qtbot.waitUntil(lambda: len(reports) == 2)
        assert [Path(file.path).name for file in reports[1].imported] == ["b paper.pdf"]
    assert program.window.isVisible()


def test_a_reader_killed_while_idle_has_no_effect(start: Callable[..., Program], tmp_path: Path, qtbot) -> None:
    (tmp_path / "one.txt").write_text("A first file is read. It is short.\n", "utf-8")
    (tmp_path / "two.txt").write_text("A second file is read as well.\n", "utf-8")
    program = start()
    imports, reports = program.window.imports, []
    imports.finished.connect(reports.append)
    qtbot.waitUntil(lambda: program.window.session.phase in ("ready", "failed"))
    imports.start([str(tmp_path / "one.txt")])
    qtbot.waitUntil(lambda: len(reports) == 1)
    (reader,) = _readers()
    reader.kill()
    end = time.monotonic() + PATIENCE_MS / 1000
    while reader.is_running() and reader.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
    imports.start([str(tmp_path / "two.txt")])
    qtbot.waitUntil(lambda: len(reports) == 2)
    assert [Path(file.path).name for file in reports[1].imported] == ["two.txt"]
    assert reports[1].failed == []
