"""Writes a whole library into one file while it is open, and restores a library from such a file.

The file is a ZIP archive of a consistent copy of the database and a description (`about.json`). The index is left out:
it is rebuilt from the database, and until then searches compare vectors one by one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import threading
import time
import zipfile
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

from desktop_app.core.atomic_files import make_write_error
from desktop_app.core.errors import (
    BadData,
    Cancelled,
    LibraryDamaged,
    LibraryTooNew,
    NotFound,
    StorageFull,
    UsageError,
)
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.jobs import WAITING, Progress
from desktop_app.core.messages import Message, system_text
from desktop_app.core.paths import BACKUP_DESCRIPTION, LIBRARY_DATABASE
from desktop_app.core.private_files import open_private
from desktop_app.core.records import BackupInfo
from desktop_app.core.unfinished_files import record_unfinished
from desktop_app.store.database import make_reading_uri
from desktop_app.store.library_lock import (
    LOCK_FILE,
    RESTORED_DRAFT,
    SEGMENTS_FOLDER,
    claim_folder,
    delete_drafts,
    holds_only_leftovers,
    refuse_network,
)
from desktop_app.store.migrations import APPLICATION_ID, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.jobs import Steps

FORMAT = 1
_KIND = "Kindred library"
_ABOUT_BYTES = 100_000
_PAGES_PER_STEP = 2_000  # of the database, copied between two checks for cancellation
_OPERATIONS_PER_LOOK = 10_000  # of SQLite's machine, between two looks for cancellation
_BLOCK_BYTES = 1_000_000
_SPARE_BYTES = 50_000_000
_MAX_NAME = 60  # characters of a backup's name in those of its drafts, which must not become too long
_DAMAGED = Message("Use another backup, or copy this one again: the copy may be incomplete.")


def write_backup(
    database: Path, file: Path, *, documents: int, sentences: int, replace: bool = False
) -> Steps[BackupInfo]:
    """Write a library into a file; a concurrent write is included completely or not at all.

    Args:
        database: the library's database; may be open.
        file: the backup file, written atomically.
        documents: number of documents, recorded in the backup.
        sentences: number of sentences, likewise.
        replace: whether an existing file may be replaced.

    Raises:
        UsageError: the file exists, or is in the library's own folder.
        StorageFull: the disk is full, or the place is not writable.
        LibraryDamaged: the library itself is damaged and must not replace an older backup.
    """
    file = file.absolute()
    if not replace:
        _refuse_existing(file)
    own, place = database.parent.resolve(), file.parent.resolve()
    if place == own or place.is_relative_to(own / SEGMENTS_FOLDER):  # what is not of the index is deleted from there
        raise UsageError(
            "A backup cannot be saved in the library's own folder",
            "Choose a folder outside the library, best on another disk.",
        )
    needed = 2 * database.stat().st_size + _SPARE_BYTES
    try:
        free = shutil.disk_usage(file.parent).free
    except OSError as error:
        raise make_write_error(file, error) from error
    if free < needed:
        raise StorageFull(
            "There is not enough space for a backup in {folder}: {needed} MB are needed, {free} MB are free",
            "Free some space there, or choose another disk.",
            folder=file.parent,
            needed=needed // 1_000_000,
            free=free // 1_000_000,
        )
    about = {"kind": _KIND, "format": FORMAT, "documents": documents, "sentences": sentences, "written_at": time.time()}
    copy, draft = _name_drafts(file)
    writing = _CopyThread(lambda work: _write_archive(work, database, copy, draft, about))
    with record_unfinished(copy, draft):
        try:
            yield from writing.steps("backing up")
            if not replace:
                _refuse_existing(file)  # another backup that began at the same time
            replace_file(draft, file)
        except OSError as error:
            raise make_write_error(file, error) from error
        finally:
            for each in (copy, draft):
                with contextlib.suppress(OSError):  # a read-only disk refuses even to delete what is not there
                    each.unlink()
    return BackupInfo(str(file), documents, sentences, file.stat().st_size)


def restore_backup(file: Path, folder: Path) -> Steps[BackupInfo]:
    """Create a library from a backup, in an empty or new folder.

    Raises:
        NotFound: there is no such file.
        BadData: the file is not a backup, or is damaged; nothing was created. One that was unpacked and packed again
            is a backup.
        LibraryTooNew: a newer version wrote it; nothing was created.
        UsageError: the folder is not empty.
        LibraryBusy: another process is just making a library in it.
        StorageFull: the disk is full, or the place is not writable.
    """
    file, folder = file.absolute(), folder.absolute()
    refuse_network(folder)
    _refuse_unless_empty(folder)
    about = read_backup_info(file)
    needed = int(about["bytes"]) + _SPARE_BYTES
    above = next(each for each in (folder, *folder.parents) if each.exists())
    if (free := shutil.disk_usage(above).free) < needed:
        raise StorageFull(
            "There is not enough space for the library in {above}: {needed} MB are needed, {free} MB are free",
            "Free some space there, or choose a folder on another disk.",
            above=above,
            needed=needed // 1_000_000,
            free=free // 1_000_000,
        )
    # From here on no import can make a library there; one that did so since the first look is not replaced.
    lock = claim_folder(folder)
    try:
        _refuse_unless_empty(folder)
        delete_drafts(folder)
        draft = folder / RESTORED_DRAFT
        reading = _CopyThread(lambda work: _extract_archive(work, file, folder, about))
        with record_unfinished(draft):
            try:
                yield from reading.steps("restoring")
            except BaseException:
                # It may be complete: it was cancelled at the last moment. No other can be there, as the lock is held.
                (folder / LIBRARY_DATABASE).unlink(missing_ok=True)
                raise
            finally:
                draft.unlink(missing_ok=True)
    except BaseException:
        if [each.name for each in folder.iterdir()] == [LOCK_FILE]:
            lock.discard()
            for made in (folder, *folder.parents):
                if made == above:
                    break
                with contextlib.suppress(OSError):
                    made.rmdir()
        raise
    finally:
        lock.release()
    return BackupInfo(str(folder), int(about["documents"]), int(about["sentences"]), int(about["bytes"]))


def _refuse_unless_empty(folder: Path) -> None:
    if folder.is_file():
        raise UsageError("{path} is a file", "Choose an empty or a new folder.", path=folder)
    if folder.exists() and not (folder.is_dir() and holds_only_leftovers(folder)):
        raise UsageError(
            "{folder} is not empty",
            "Choose an empty or a new folder: restoring never replaces a library.",
            folder=folder,
        )


def read_backup_info(file: Path) -> dict[str, Any]:
    """Return the description stored in a backup.

    Raises:
        NotFound, BadData, LibraryTooNew: as `restore_backup` does.
    """
    if not file.is_file():
        raise NotFound("There is no file {file}", "Select a backup file.", file=file)
    try:
        with zipfile.ZipFile(file) as archive:
            inside = _find_folder_inside(archive)
            names = archive.namelist()
            if f"{inside}{LIBRARY_DATABASE}" not in names and any(name.lower().endswith(".zip") for name in names):
                raise BadData(
                    "{file} is not a backup of a library, but has ZIP archives in it",
                    "If one of them is the backup, unpack it and select it.",
                    file=file,
                )
            if archive.getinfo(inside + BACKUP_DESCRIPTION).file_size > _ABOUT_BYTES:
                raise ValueError(BACKUP_DESCRIPTION)
            about = json.loads(archive.read(inside + BACKUP_DESCRIPTION))
            size = archive.getinfo(inside + LIBRARY_DATABASE).file_size
        if about["kind"] != _KIND:
            raise ValueError(about["kind"])
        numbers = [about[name] for name in ("format", "schema", "documents", "sentences", "bytes")]
        if not all(type(number) is int for number in numbers) or size != about["bytes"]:
            raise ValueError(BACKUP_DESCRIPTION)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, zlib.error, EOFError, NotImplementedError) as error:
        raise BadData("{file} is not a backup of a library, or it is damaged", _DAMAGED, file=file) from error
    except OSError as error:
        raise BadData(
            "{file} cannot be read: {why}",
            "Check that you have permission to read it.",
            file=file,
            why=system_text(error.strerror or error),
        ) from error
    if about["format"] > FORMAT or about["schema"] // 1000 > MIGRATIONS[-1].version // 1000:
        raise LibraryTooNew(
            "{file} was written by a newer version of Kindred", "Install the latest version of Kindred.", file=file
        )
    return dict(about)


def _find_folder_inside(archive: zipfile.ZipFile) -> str:
    """Return the folder inside its archive that holds the backup, with a slash; empty if there is none.

    There is one if a person, or a browser, unpacked the backup and the folder was packed again.
    """
    names = set(archive.namelist())
    folders = [name.removesuffix(BACKUP_DESCRIPTION) for name in names if name.endswith(f"/{BACKUP_DESCRIPTION}")]
    found = [folder for folder in folders if folder + LIBRARY_DATABASE in names]
    return found[0] if len(found) == 1 and LIBRARY_DATABASE not in names else ""


class _CopyThread:
    """Copies in a thread, so that the engine stays responsive; leaves no file behind when it is cancelled."""

    def __init__(self, work: Callable[[_CopyThread], None]) -> None:
        self._work = work
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self.done = 0
        self.total = 1
        self._thread = threading.Thread(target=self._run, name="backup")

    def go_on(self, done: int, total: int) -> None:
        """Record the progress; raises Cancelled once the copy is no longer wanted."""
        self.done, self.total = done, max(total, 1)
        if self._stop.is_set():
            raise Cancelled

    def watch(self, connection: sqlite3.Connection) -> None:
        """Let statements of a connection raise an error once the copy is no longer wanted: the engine waits for it."""
        connection.set_progress_handler(self._stop.is_set, _OPERATIONS_PER_LOOK)

    def steps(self, phase: str) -> Steps[None]:
        """Run the thread and report its progress."""
        yield Progress(phase, 0, 100, "percent")
        self._thread.start()
        reported = 0
        try:
            while self._thread.is_alive():
                share = 100 * self.done // self.total
                yield Progress(phase, share, 100, "percent") if share != reported else WAITING
                reported = share
        finally:
            self._stop.set()
            self._thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._work(self)
        except BaseException as error:  # noqa: BLE001 - raised again in `steps`
            self._error = error


def _refuse_existing(file: Path) -> None:
    if file.exists():
        raise UsageError("{file} already exists", "Choose another name: a backup never replaces a file.", file=file)


def _name_drafts(file: Path) -> tuple[Path, Path]:
    """Return the files in which a backup is made: a copy of the database, and the archive.

    Of this backup alone: two that began at the same time would put each other's half in place, as a whole one.
    """
    stem = f"{file.name[:_MAX_NAME]}.{secrets.token_hex(4)}"
    return file.with_name(f"{stem}.copying"), file.with_name(f"{stem}.part")


def _write_archive(work: _CopyThread, database: Path, copy: Path, draft: Path, about: dict[str, Any]) -> None:
    """Write the backup into `draft`, from a copy of the database."""
    try:
        _copy_database(work, database, copy)
        with closing(sqlite3.connect(copy)) as connection:
            work.watch(connection)
            _check_integrity(connection, database)
            about["schema"] = int(connection.execute("PRAGMA user_version").fetchone()[0])
        about["bytes"] = copy.stat().st_size
        digest = hashlib.sha256()
        with open_private(draft) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with copy.open("rb") as source, archive.open(LIBRARY_DATABASE, "w", force_zip64=True) as target:
                # The first half of the progress bar was the copy.
                _copy_stream(
                    source, target, digest.update, lambda done: work.go_on(about["bytes"] + done, 2 * about["bytes"])
                )
            archive.writestr(BACKUP_DESCRIPTION, json.dumps(about | {"sha256": digest.hexdigest()}))
    finally:
        with contextlib.suppress(OSError):  # Windows: a virus scanner reads it; it is deleted at the end
            copy.unlink()
    with draft.open("rb+") as written:
        os.fsync(written.fileno())


def _copy_database(work: _CopyThread, database: Path, copy: Path) -> None:
    """Copy a database as of one moment, its write-ahead log included."""
    copy.unlink(missing_ok=True)
    with open_private(copy):
        pass
    uri = make_reading_uri(database)
    try:
        with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            # One transaction holds that moment: otherwise every write would restart the copy.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(
                target, pages=_PAGES_PER_STEP, progress=lambda _status, left, total: work.go_on(total - left, 2 * total)
            )
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise StorageFull(
            "The library could not be copied: {why}", "Check the disk and try again.", why=system_text(error)
        ) from error


def _check_integrity(connection: sqlite3.Connection, database: Path) -> None:
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise LibraryDamaged(
            "The library in {folder} is damaged ({found}), so no backup was written",
            "Keep your existing backups. Check the library (`doctor`), or restore the latest backup.",
            folder=database.parent,
            found=system_text(found),
        )


def _extract_archive(work: _CopyThread, file: Path, folder: Path, about: dict[str, Any]) -> None:
    draft = folder / RESTORED_DRAFT
    digest = hashlib.sha256()
    try:
        with (
            zipfile.ZipFile(file) as archive,
            archive.open(_find_folder_inside(archive) + LIBRARY_DATABASE) as source,
            open_private(draft) as target,
        ):
            _copy_stream(source, target, digest.update, lambda done: work.go_on(done, about["bytes"]), about["bytes"])
            target.flush()
            os.fsync(target.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        raise BadData("{file} is damaged", _DAMAGED, file=file) from error
    except OSError as error:
        raise make_write_error(draft, error) from error
    if digest.hexdigest() != about.get("sha256") or not _is_library_member(work, draft):
        raise BadData("{file} is damaged: its content has changed since it was written", _DAMAGED, file=file)
    try:
        _mark_segments(draft)
    except sqlite3.Error as error:
        raise make_write_error(draft, OSError(errno.EIO, str(error))) from error
    replace_file(draft, folder / LIBRARY_DATABASE)


def _mark_segments(database: Path) -> None:
    """Mark the segments of the vector index for a rebuild: their files are not in a backup, so none is missing."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA journal_mode = MEMORY")  # a kill leaves no file but the draft
        connection.execute("UPDATE segment SET checksum = ''")


def _is_library_member(work: _CopyThread, file: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            work.watch(connection)
            owner = connection.execute("PRAGMA application_id").fetchone()[0]
            return bool(owner == APPLICATION_ID and connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error:
        return False


def _copy_stream(
    source: Any, target: Any, seen: Callable[[bytes], None], go_on: Callable[[int], None], most: int | None = None
) -> None:
    done = 0
    while block := source.read(_BLOCK_BYTES):
        done += len(block)
        if most is not None and done > most:
            raise ValueError("more than was announced")
        seen(block)
        target.write(block)
        go_on(done)
