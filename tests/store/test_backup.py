"""A library as one file: consistent, refused if damaged, and restored only into a new place."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import threading
import zipfile
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import (
    AppError,
    BadData,
    Cancelled,
    LibraryBusy,
    LibraryDamaged,
    LibraryTooNew,
    NotFound,
    StorageFull,
    UsageError,
)
from desktop_app.core.paths import LIBRARY_DATABASE
from desktop_app.core.records import BackupInfo, WatchedFolder
from desktop_app.store import backup as store_backup
from desktop_app.store import index_segments
from desktop_app.store.backup import restore_backup, write_backup
from desktop_app.store.index_segment_builder import file_checksum
from desktop_app.store.library import LocalLibrary
from desktop_app.store.vector_index import ExactRows
from tests.patience import PATIENCE_S
from tests.steps import run_steps

from .conftest import Open
from .helpers import MODEL, drain, faults, found, shown, take_in, texts


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with two documents, a segment, a collection, a tag and a watched folder, and `kept.zip`, its backup.

    Each test gets copies.
    """
    folder = tmp_path_factory.mktemp("backed up")
    with LocalLibrary.open(folder / "library", tail_rows=10) as library:
        library.models.bind(MODEL)
        first = take_in(library, "a.txt", texts("a", 30))
        take_in(library, "b.txt", texts("b", 5))
        drain(library.maintenance.run())
        library.collections.add(library.collections.create("Thesis"), [first])
        library.collections.tag([first], ["unread"])
        library.watched_folders.watch(WatchedFolder("/papers"))
        info = run_steps(library.maintenance.back_up(folder / "kept.zip"))
    assert (info.documents, info.sentences, info.size_bytes) == (2, 35, (folder / "kept.zip").stat().st_size)
    return folder


@pytest.fixture
def backup(template: Path, tmp_path: Path) -> Path:
    shutil.copytree(template / "library", tmp_path / "library")
    return Path(shutil.copy2(template / "kept.zip", tmp_path / "kept.zip"))


def leftovers(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if ".part" in file.name or "ing" in file.suffix)


def test_a_library_is_restored_from_its_backup(backup: Path, open_library: Open, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    info = run_steps(restore_backup(backup, folder))
    assert (info.path, info.documents) == (str(folder), 2)
    library = open_library(folder=folder, tail_rows=10)
    assert shown(library) == texts("a", 30) + texts("b", 5)
    assert found(library, texts("a", 30)[7]) == [texts("a", 30)[7]]
    assert [(each.kind, each.name, len(each.document_ids)) for each in library.collections.collections()] == [
        ("collection", "Thesis", 1),
        ("tag", "unread", 1),
    ]
    assert library.watched_folders.folders() == [WatchedFolder("/papers")]
    assert faults(library) == [], "what a backup leaves out is not missing"
    drain(library.maintenance.run())
    assert len(list((folder / "segments").iterdir())) == 3
    assert faults(library) == []
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("replace", [True, False])
def test_two_backups_into_one_file_at_the_same_time_leave_a_whole_one(
    backup: Path, tmp_path: Path, replace: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "daily.kindred"
    copy_stream = store_backup._copy_stream

    def write() -> BackupInfo:
        database = tmp_path / "library" / "library.db"
        return run_steps(write_backup(database, target, documents=2, sentences=35, replace=replace))

    def copy_stream_later(*arguments: Any) -> None:
        """Write the second backup while the first one is half written."""
        monkeypatch.setattr(store_backup, "_copy_stream", copy_stream)
        assert write().size_bytes == target.stat().st_size
        copy_stream(*arguments)

    monkeypatch.setattr(store_backup, "_copy_stream", copy_stream_later)
    if replace:
        write()
    else:
        with pytest.raises(UsageError, match="already exists"):
            write()
    assert leftovers(tmp_path) == []
    assert run_steps(restore_backup(target, tmp_path / "again")).sentences == 35


def test_a_copy_that_cannot_be_deleted_at_once_does_not_spoil_the_backup(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, a virus scanner may hold it for a moment."""
    unlink = Path.unlink

    def unlink_later(file: Path, missing_ok: bool = False) -> None:
        if not list(tmp_path.glob("*.part")):
            return unlink(file, missing_ok)
        monkeypatch.setattr(Path, "unlink", unlink)
        raise PermissionError(13, "The file is in use", str(file))

    monkeypatch.setattr(Path, "unlink", unlink_later)
    target = tmp_path / "daily.kindred"
    run_steps(write_backup(tmp_path / "library" / "library.db", target, documents=2, sentences=35))
    monkeypatch.undo()
    assert run_steps(restore_backup(target, tmp_path / "again")).sentences == 35
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("is_restored", [True, False])
def test_vectors_of_segments_without_files_are_read_in_steps(
    backup: Path, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_restored: bool
) -> None:
    folder = tmp_path / "library"
    if is_restored:
        folder = tmp_path / "again"
        run_steps(restore_backup(backup, folder))
    else:
        shutil.rmtree(folder / "segments")
    monkeypatch.setattr(index_segments, "_STEP_ROWS", 4)
    library = open_library(folder=folder, tail_rows=10)
    read: list[int] = []
    append = ExactRows.append

    def count(rows: ExactRows, marks: Any, ids: Any, vectors: Any) -> None:
        read.append(len(ids))
        append(rows, marks, ids, vectors)

    monkeypatch.setattr(ExactRows, "append", count)
    steps = library.maintenance.run()
    in_steps = []
    while sum(in_steps) < 35:
        next(steps)
        in_steps.append(sum(read))
        read.clear()
    assert max(in_steps) <= 4
    drain(steps)
    assert found(library, texts("a", 30)[7]) == [texts("a", 30)[7]]
    assert faults(library) == []


def test_checksums_of_copied_segment_files_are_computed_in_steps(
    backup: Path, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (tmp_path / "library" / "segments").iterdir():
        os.utime(file, ns=(1, 1))
    at_once: list[Path] = []

    def checksum(file: Path) -> str:
        at_once.append(file)
        return file_checksum(file)

    monkeypatch.setattr(index_segments, "file_checksum", checksum)
    library = open_library(tail_rows=10)
    drain(library.maintenance.run())
    assert found(library, texts("a", 30)[7]) == [texts("a", 30)[7]]
    assert at_once == []
    assert faults(library) == []


def test_a_concurrent_write_is_in_the_backup_completely_or_not_at_all(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_backup, "_PAGES_PER_STEP", 1)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 200))
    steps = library.maintenance.back_up(tmp_path / "kept.zip")
    next(steps)
    take_in(library, "b.txt", texts("b", 20))
    run_steps(steps)
    run_steps(restore_backup(tmp_path / "kept.zip", tmp_path / "again"))
    again = open_library(folder=tmp_path / "again")
    assert shown(again) in (texts("a", 200), texts("a", 200) + texts("b", 20))
    assert [f for f in faults(again) if not f.startswith(("segment", "index"))] == []


def test_a_backup_and_a_restore_replace_no_file(backup: Path, open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    with pytest.raises(UsageError, match="already exists"):
        run_steps(library.maintenance.back_up(backup))
    for own in (library.folder, library.folder / "segments"):
        with pytest.raises(UsageError, match="own folder"):
            run_steps(library.maintenance.back_up(own / "kept.zip"))
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("mine")
    for folder, message in ((full, "not empty"), (library.folder, "not empty"), (backup, "is a file")):
        with pytest.raises(UsageError, match=message):
            run_steps(restore_backup(backup, folder))
    assert [file.name for file in full.iterdir()] == ["letter.txt"]
    (full / "letter.txt").rename(full / "desktop.ini")  # only a file manager was there
    run_steps(restore_backup(backup, full))
    assert (full / "library.db").is_file()
    before = backup.stat().st_size
    take_in(library, "c.txt", texts("c", 50))
    run_steps(library.maintenance.back_up(backup, replace=True))
    assert backup.stat().st_size > before


def test_a_folder_is_claimed_before_a_library_is_restored_there(
    backup: Path, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "again"
    steps = restore_backup(backup, folder)
    next(steps)
    with pytest.raises(LibraryBusy):
        open_library(folder=folder)
    run_steps(steps)
    assert shown(open_library(folder=folder)) == texts("a", 30) + texts("b", 5)


@pytest.mark.parametrize(("is_open", "error"), [(False, UsageError), (True, LibraryBusy)])
def test_a_library_that_an_import_makes_meanwhile_is_not_replaced(
    backup: Path,
    open_library: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_open: bool,
    error: type[AppError],
) -> None:
    plain = store_backup.read_backup_info

    def read_and_import(file: Path) -> dict:
        library = open_library(folder=tmp_path / "again")
        library.models.bind(MODEL)
        take_in(library, "new.txt", texts("new", 3))
        if not is_open:
            library.close()
        return plain(file)

    monkeypatch.setattr(store_backup, "read_backup_info", read_and_import)
    with pytest.raises(error):
        run_steps(restore_backup(backup, tmp_path / "again"))
    assert shown(open_library(folder=tmp_path / "again", writable=False)) == texts("new", 3)


def test_a_restore_that_was_killed_can_be_repeated(backup: Path, open_library: Open, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    folder.mkdir()
    (folder / "writer.lock").touch()
    (folder / "library.db.restoring").write_bytes(b"half a library")
    run_steps(restore_backup(backup, folder))
    assert leftovers(tmp_path) == []
    assert len(shown(open_library(folder=folder))) == 35


@pytest.mark.skipif(os.name == "nt", reason="Windows has access lists instead of modes")
def test_only_the_owner_can_read_a_backup_and_what_is_restored_from_it(backup: Path, tmp_path: Path) -> None:
    run_steps(restore_backup(backup, tmp_path / "above" / "again"))
    paths = [backup, tmp_path / "above", *(tmp_path / "above").rglob("*")]
    assert len(paths) == 5
    assert {path: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in paths} == dict.fromkeys(paths, 0)


def pack_again(backup: Path, *folders: str) -> None:
    """Pack the members of a backup again, in folders."""
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            archive.mkdir(folder)
            for name, content in members.items():
                archive.writestr(f"{folder}/{name}", content)
                archive.writestr(f"__MACOSX/{folder}/._{name}", b"of the Finder")


def test_a_backup_that_was_unpacked_and_packed_again_is_restored(backup: Path, tmp_path: Path) -> None:
    pack_again(backup, "My library 2026-11-29")
    assert run_steps(restore_backup(backup, tmp_path / "again")).documents == 2
    assert (tmp_path / "again" / LIBRARY_DATABASE).is_file()


def pack_into_another(backup: Path) -> None:
    content = backup.read_bytes()
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr("Backups/Kept.ZIP", content)


def change_about(file: Path, change: Callable[[dict], None]) -> None:
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(members["about.json"])
    change(about)
    members["about.json"] = json.dumps(about).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 255
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (cut, BadData, "not a backup"),
        (flip, BadData, "damaged"),
        (lambda file: file.write_text("no archive"), BadData, "not a backup"),
        (pack_into_another, BadData, "has ZIP archives in it"),
        (lambda file: pack_again(file, "one", "other"), BadData, "not a backup"),
        (lambda file: file.unlink(), NotFound, "no file"),
        (lambda file: change_about(file, lambda about: about.update(format=2)), LibraryTooNew, "newer version"),
        (lambda file: change_about(file, lambda about: about.update(schema=9000)), LibraryTooNew, "newer version"),
        (lambda file: change_about(file, lambda about: about.update(kind="Other")), BadData, "not a backup"),
        (lambda file: change_about(file, lambda about: about.update(bytes=10)), BadData, "not a backup"),
        (lambda file: change_about(file, lambda about: about.update(sha256="0" * 64)), BadData, "damaged"),
        (lambda file: change_about(file, lambda about: about.pop("schema")), BadData, "not a backup"),
    ],
)
def test_a_damaged_backup_is_refused_and_leaves_nothing(
    backup: Path, tmp_path: Path, spoil: Callable[[Path], None], error: type[AppError], message: str
) -> None:
    spoil(backup)
    with pytest.raises(error, match=message) as caught:
        run_steps(restore_backup(backup, tmp_path / "made" / "with" / "it"))
    assert str(caught.value.hint)
    assert not (tmp_path / "made").exists()
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(error, match=message):
        run_steps(restore_backup(backup, empty))
    assert list(empty.iterdir()) == []


def test_a_damaged_library_does_not_change_the_older_backup(backup: Path, tmp_path: Path) -> None:
    before = backup.read_bytes()
    database = tmp_path / "library" / "library.db"
    content = bytearray(database.read_bytes())
    content[3 * 8192 : 6 * 8192] = b"x" * (3 * 8192)
    database.write_bytes(content)
    with pytest.raises((LibraryDamaged, StorageFull)):
        run_steps(store_backup.write_backup(database, backup, documents=0, sentences=0, replace=True))
    assert backup.read_bytes() == before
    assert leftovers(tmp_path) == []


def test_too_little_space_is_reported_before_anything_is_written(
    backup: Path, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(10**9, 10**9 - 1000, 1000))
    with pytest.raises(StorageFull, match="not enough space"):
        run_steps(open_library().maintenance.back_up(tmp_path / "more.zip"))
    with pytest.raises(StorageFull, match="not enough space"):
        run_steps(restore_backup(backup, tmp_path / "again"))
    assert not (tmp_path / "more.zip").exists()
    assert not (tmp_path / "again").exists()


def test_a_stopped_backup_leaves_nothing_unfinished(backup: Path, open_library: Open, tmp_path: Path) -> None:
    for steps in (
        open_library().maintenance.back_up(tmp_path / "more.zip"),
        restore_backup(backup, tmp_path / "again"),
    ):
        next(steps)
        with contextlib.suppress(Cancelled, StopIteration):
            steps.throw(Cancelled())
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("step", ["_is_library_member", "_mark_segments", "os.replace"])
def test_a_restore_that_is_cancelled_at_a_late_step_leaves_no_library(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Its person takes the same folder once more, which must be empty."""
    reached, go_on = threading.Event(), threading.Event()
    owner = os if step == "os.replace" else store_backup
    plain = getattr(owner, step.rpartition(".")[2])

    def late(*arguments: Any) -> Any:
        reached.set()
        assert go_on.wait(PATIENCE_S)
        return plain(*arguments)

    monkeypatch.setattr(owner, step.rpartition(".")[2], late)
    steps = restore_backup(backup, tmp_path / "again")
    while not reached.is_set():
        next(steps)
    threading.Timer(0.0, go_on.set).start()
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("is_restore", [False, True])
def test_the_check_of_a_large_library_ends_when_it_is_cancelled(
    backup: Path, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_restore: bool
) -> None:
    """The engine waits for its thread, and every search with it."""
    name = "_is_library_member" if is_restore else "_check_integrity"
    reached, go_on, interrupted = threading.Event(), threading.Event(), threading.Event()
    plain = getattr(store_backup, name)

    def check(*arguments: Any) -> Any:
        reached.set()
        assert go_on.wait(PATIENCE_S)
        return plain(*arguments)

    class LargeLibrary(sqlite3.Connection):
        """Is checked for some seconds."""

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if "quick_check" in statement:
                count = "WITH RECURSIVE n(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM n WHERE n < 20000000) "
                with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                    super().execute(count + "SELECT max(n) FROM n")
                interrupted.set()
                raise sqlite3.OperationalError("interrupted")
            return super().execute(statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(
        store_backup.sqlite3, "connect", lambda *args, **more: connect(*args, factory=LargeLibrary, **more)
    )
    monkeypatch.setattr(store_backup, name, check)
    database = tmp_path / "library" / "library.db"
    steps = (
        restore_backup(backup, tmp_path / "again")
        if is_restore
        else store_backup.write_backup(database, tmp_path / "more.zip", documents=2, sentences=35)
    )
    while not reached.is_set():
        next(steps)
    go_on.set()
    with pytest.raises(Cancelled):
        steps.throw(Cancelled())
    assert interrupted.is_set()
    assert not (tmp_path / "more.zip").exists()
    assert not (tmp_path / "again").exists()
    assert leftovers(tmp_path) == []
