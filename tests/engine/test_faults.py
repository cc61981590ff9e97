"""Faults around a running program: it reports the fault with advice, and loses nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import LibraryBusy, StorageFull
from desktop_app.core.formats import is_supported
from desktop_app.core.jobs import Progress
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import Document
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.requests import ImportReport, ImportRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.store import database
from desktop_app.store.database import Database
from desktop_app.store.ingest import LocalDocumentIngest
from desktop_app.store.library import LocalLibrary
from desktop_app.store.maintenance import LocalLibraryMaintenance
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.patience import PATIENCE_S
from tests.steps import go_through

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits and owners as POSIX has them")


class Home:
    """A library that is opened and closed as the program does."""

    def __init__(self, folder: Path) -> None:
        self.library = folder / "library"
        self.papers = folder / "papers"
        self.papers.mkdir()
        for name in "abcd":
            lines = [f"Paper {name} says this in line {line}, and means it." for line in range(60)]
            (self.papers / f"{name}.txt").write_text("\n\n".join(lines), "utf-8")

    @contextmanager
    def open(self) -> Iterator[Workspace]:
        encoder = HashingEncoder()
        workspace = Workspace(
            EngineSetup(
                open_library=lambda: LocalLibrary.open(self.library, writable=True, create=True),
                load_encoder=lambda _model: encoder,
                start_reader=ProcessReader,
                is_supported=lambda path: is_supported(Path(path)),
                choose_device=lambda _model: encoder.device,
            )
        )
        try:
            yield workspace
        finally:
            workspace.close()

    def take_in(self, workspace: Workspace, folder: Path | None = None) -> ImportReport:
        return workspace.imports.start(ImportRequest((str(folder or self.papers),))).wait(PATIENCE_S)

    def documents(self, workspace: Workspace) -> dict[str, Document]:
        return {
            Path(each.path).name: each
            for each in workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
        }

    def assert_whole(self) -> None:
        """Every paper is in, once, and all parts agree."""
        with self.open() as workspace:
            assert {name: each.sentences for name, each in self.documents(workspace).items()} == {
                f"{name}.txt": 60 for name in "abcd"
            }
            wrong = [
                check for check in workspace.maintenance.check_library(repair=False).wait(PATIENCE_S) if not check.ok
            ]
            assert wrong == []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_another_program_that_locks_the_database_is_reported_and_nothing_is_lost(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PRAGMAS", ("PRAGMA busy_timeout = 50", *database._PRAGMAS[1:]))
    with home.open() as workspace:
        (home.papers / "d.txt").rename(home.papers.parent / "d.txt")
        assert len(home.take_in(workspace).imported) == 3
        (home.papers.parent / "d.txt").rename(home.papers / "d.txt")
        with closing(sqlite3.connect(home.library / "library.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LibraryBusy, match="in use") as caught:
                home.take_in(workspace)
            assert "try again" in str(caught.value.hint)
            assert len(home.documents(workspace)) == 3, "reading continues meanwhile"
            other.execute("ROLLBACK")
        assert len(home.take_in(workspace).imported) == 1
    home.assert_whole()


def test_a_folder_that_is_renamed_while_it_is_imported(home: Home) -> None:
    moved = home.papers.with_name("moved")
    with home.open() as workspace:
        renamed: list[int] = []

        def rename(_progress: object) -> None:
            if not renamed:
                renamed.append(1)
                home.papers.rename(moved)

        job = workspace.imports.start(ImportRequest((str(home.papers),)))
        job.on_progress(rename)
        report = job.wait(PATIENCE_S)
        assert len(report.imported) + len(report.failed) == 4 or not report.imported
        assert {failed.reason for failed in report.failed} <= {"unreadable"}
        workspace.watched_folders.relink_folder(str(home.papers), str(moved)).wait(PATIENCE_S)
        again = home.take_in(workspace, moved)
        assert len(again.imported) + len(again.unchanged) == 4
        assert again.failed == []
    home.assert_whole()


@pytest.mark.parametrize("how", ["grows", "shrinks", "vanishes"])
def test_a_file_that_changes_while_it_is_imported_is_read_as_it_is_then(home: Home, how: str) -> None:
    file = home.papers / "c.txt"
    before = file.read_bytes()
    changed: list[int] = []

    def change(_progress: object) -> None:
        if changed:
            return
        changed.append(1)
        if how == "grows":
            file.write_bytes(before + b"\n\nOne more line was written.")
        elif how == "shrinks":
            file.write_bytes(b"\n\n".join(before.split(b"\n\n")[:30]))
        else:
            file.unlink()

    with home.open() as workspace:
        job = workspace.imports.start(ImportRequest((str(home.papers),)))
        job.on_progress(change)
        report = job.wait(PATIENCE_S)
        assert {failed.reason for failed in report.failed} <= {"unreadable"}
        if how == "vanishes":
            file.write_bytes(before)
        home.take_in(workspace)
        assert home.documents(workspace)["c.txt"].sentences == {"grows": 61, "shrinks": 30, "vanishes": 60}[how]
        file.write_bytes(before)
        home.take_in(workspace)
    home.assert_whole()


def test_a_clock_that_is_set_back_erases_nothing_early_and_keeps_nothing_forever(tmp_path: Path) -> None:
    now = [1_000_000.0]
    with LocalLibrary.open(tmp_path / "library", clock=lambda: now[0], undo_s=600) as library:
        now[0] += 5
        (document,) = library.documents.add([FileRef("/papers/a.txt", 1, 1)])
        now[0] -= 86_400
        library.documents.remove([document.document_id])
        for _ in go_through(library.maintenance.run()):
            pass
        assert library.documents.restore([document.document_id]) == 1, "it could still be brought back"
        library.documents.remove([document.document_id])
        (other,) = library.documents.add([FileRef("/papers/b.txt", 1, 1)])
        assert other.document_id > document.document_id, "the order of coming in is not the clock's"
        for _ in go_through(library.maintenance.purge()):
            pass
        assert [each.path for each in library.documents.fetch()] == ["/papers/b.txt"]
        assert library.documents.restore([document.document_id]) == 0


_IMPORT = """
import os
import sys
import tempfile
from pathlib import Path
from tests.disks import can_others_read
from tests.engine.test_faults import Home
home = Home.__new__(Home)
home.library, home.papers = Path(sys.argv[1]) / "library", Path(sys.argv[1]) / "papers"
if sys.argv[2:] and os.geteuid() == 0:  # root may write everywhere
    if not can_others_read(Path(os.getcwd()) / "tests"):
        with tempfile.TemporaryDirectory() as other:  # loads the modules that another account cannot read
            first = Home(Path(other))
            with first.open() as workspace:
                first.take_in(workspace)
    os.seteuid(65534)
try:
    with home.open() as workspace:
        home.take_in(workspace)
except Exception as error:
    print(type(error).__name__, error, getattr(error, "hint", ""), sep=" | ")
"""


def _import(folder: Path, *more: str, **options: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT, str(folder), *more],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    return done.stdout + done.stderr


def test_stopping_a_resumed_import_does_not_wait_for_the_maintenance(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    maintained: list[object] = []
    monkeypatch.setattr(LocalLibraryMaintenance, "run", lambda maintenance: iter(maintained.append(maintenance) or ()))
    files = [FileRef(str(file), file.stat().st_size, 1) for file in sorted(home.papers.iterdir())]
    with home.open() as workspace:
        workspace.change(lambda library: library.documents.add(files)).wait(PATIENCE_S)
        job = workspace.imports.resume()
        job.on_progress(lambda _progress: job.cancel())
        assert job.wait(PATIENCE_S).stopped
        assert maintained == []
        workspace.imports.resume().wait(PATIENCE_S)
        assert len(maintained) == 1


@POSIX
def test_a_full_disk_is_reported_and_the_import_continues_when_there_is_space(home: Home, tmp_path: Path) -> None:
    import resource

    # No file may grow beyond this: the same effect on the database as a full disk.
    limit = 260_000
    output = _import(tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert "StorageFull" in output, output
    assert "Free some disk space" in output
    with home.open() as workspace:
        ready = [each for each in home.documents(workspace).values() if each.state == "ready"]
        assert len(ready) < 4
        assert all(each.sentences == 60 for each in ready)
        workspace.imports.resume().wait(PATIENCE_S)
        home.take_in(workspace)
    home.assert_whole()


def test_documents_of_an_import_that_failed_are_read_by_the_next_one_without_a_restart(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, stored = LocalDocumentIngest.append, []

    def fill_up(self: LocalDocumentIngest, *values: Any) -> None:
        stored.append(values)
        if len(stored) == 2:
            raise StorageFull("The disk is full", "Free some space.")
        append(self, *values)

    monkeypatch.setattr(LocalDocumentIngest, "append", fill_up)
    with home.open() as workspace:
        with pytest.raises(StorageFull):
            home.take_in(workspace)
        assert [each.state for each in home.documents(workspace).values()] == ["ready", "queued", "queued", "queued"]
        assert len(workspace.imports.resume().wait(PATIENCE_S).imported) == 3
    home.assert_whole()


def test_the_next_import_reads_what_imports_of_other_files_left_that_failed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(*_values: Any) -> None:
        raise StorageFull("The disk is full", "Free some space.")

    with home.open() as workspace:
        for name in ("a.txt", "b.txt"):  # the disk is still full when the second import begins
            with monkeypatch.context() as full:
                full.setattr(LocalDocumentIngest, "append", fill_up)
                with pytest.raises(StorageFull):
                    home.take_in(workspace, home.papers / name)
        assert {Path(each.path).name for each in home.take_in(workspace, home.papers / "c.txt").imported} == {
            "a.txt",
            "b.txt",
            "c.txt",
        }
        home.take_in(workspace, home.papers / "d.txt")
    home.assert_whole()


@pytest.mark.parametrize("is_stopped", [False, True])
def test_an_import_that_cannot_queue_what_is_unfinished_leaves_nothing_stuck(
    home: Home, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
) -> None:
    def fail(*_values: Any, **_more: Any) -> None:
        raise StorageFull("The disk is full", "Free some space.")

    other = home.papers.parent / "other"
    other.mkdir()
    (other / "e.txt").write_text("Another paper says this.", "utf-8")
    with home.open() as workspace:
        job = workspace.imports.start(ImportRequest((str(home.papers),)))
        with monkeypatch.context() as full:

            def fill_up(progress: Progress) -> None:
                if progress.phase == "embedding":
                    full.setattr(Database, "write_transaction", fail)
                    if is_stopped:
                        job.cancel()

            job.on_progress(fill_up)
            with pytest.raises(StorageFull):
                job.wait(PATIENCE_S)
        home.take_in(workspace, other)
        assert {each.state for each in home.documents(workspace).values()} <= {"ready", "queued"}
        workspace.imports.resume().wait(PATIENCE_S)
        assert {each.state for each in home.documents(workspace).values()} == {"ready"}
        gone = home.documents(workspace)["e.txt"].document_id
        workspace.change(lambda library: library.documents.remove([gone])).wait(PATIENCE_S)
    home.assert_whole()


@POSIX
@pytest.mark.skipif(shutil.which("mount") is None or getattr(os, "geteuid", lambda: 1)() != 0, reason="needs mount")
def test_a_small_disk_that_becomes_full(home: Home, tmp_path: Path) -> None:
    disk = home.library
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=750k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a disk may not be mounted here")
    try:
        for name in "efghij":
            shutil.copy(home.papers / "a.txt", home.papers / f"{name}.txt")
            (home.papers / f"{name}.txt").write_text((home.papers / "a.txt").read_text().replace("Paper a", name * 90))
        with home.open() as workspace, pytest.raises(StorageFull, match="cannot be read or written"):
            home.take_in(workspace)
        for name in "efghij":
            (home.papers / f"{name}.txt").unlink()
        subprocess.run(["mount", "-o", "remount,size=60m", str(disk)], check=True)
        with home.open() as workspace:
            home.take_in(workspace)
            gone = [each.document_id for name, each in home.documents(workspace).items() if name[0] in "efghij"]
            workspace.change(lambda library: library.documents.remove(gone)).wait(PATIENCE_S)
        home.assert_whole()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@POSIX
def test_a_second_account_cannot_open_a_library_and_harms_nothing() -> None:
    """A library is private, even in a folder that is meant for both."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as base:
        folder = Path(base)
        home = Home(folder)
        (home.papers / "d.txt").rename(folder / "d.txt")
        before = os.umask(0)
        try:
            folder.chmod(0o777)
            home.papers.chmod(0o777)
            with home.open() as workspace:
                assert len(home.take_in(workspace).imported) == 3
                (folder / "d.txt").rename(home.papers / "d.txt")
                for _ in range(2):
                    output = _import(folder, "as nobody special")
                    assert "LibraryBusy" in output or "StorageFull" in output or os.geteuid() != 0, output
                    assert "permission" in output or os.geteuid() != 0, output
                assert len(home.documents(workspace)) == 3
            with home.open() as workspace:
                home.take_in(workspace)
        finally:
            os.umask(before)
        home.assert_whole()


@POSIX
def test_a_library_in_a_read_only_folder() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as base:
        folder = Path(base)
        home = Home(folder)
        with home.open() as workspace:
            home.take_in(workspace)
        before = (home.library / "library.db").read_bytes()
        every = (folder, *folder.rglob("*"))
        for path in every:
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            output = _import(folder, "as nobody special")
        finally:
            for path in every:
                path.chmod(0o755 if path.is_dir() else 0o644)
        assert "LibraryReadOnly" in output, output
        assert "cannot be written" in output
        assert "Check that you have permission to write there" in output
        assert (home.library / "library.db").read_bytes() == before
        home.assert_whole()
