"""The writer's lock of a library, and the checks made before its database is opened."""

from __future__ import annotations

import contextlib
import ctypes
import fnmatch
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
from filelock import FileLock, Timeout

from desktop_app.core.errors import LibraryBusy, LibraryDamaged, LibraryReadOnly, NotFound, StorageFull
from desktop_app.core.messages import system_text
from desktop_app.core.paths import list_content
from desktop_app.core.private_files import make_private_folder, restrict

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASE_FILE = "library.db"
SEGMENTS_FOLDER = "segments"
LOCK_FILE = "writer.lock"
RESTORED_DRAFT = DATABASE_FILE + ".restoring"
CREATED_DRAFT = DATABASE_FILE + ".new"
COMPACT_DRAFT = DATABASE_FILE + ".compact.new"
COPY_SUFFIX = ".backup"
"""Of the copy that is made of a database before a migration."""
COPY_DRAFT_SUFFIX = ".copying"

_DRAFTS = (f"{RESTORED_DRAFT}*", f"{CREATED_DRAFT}*", f"{COMPACT_DRAFT}*", f"library-*{COPY_DRAFT_SUFFIX}*")
_OWN = (f"{DATABASE_FILE}*", f"library-*{COPY_SUFFIX}", LOCK_FILE, SEGMENTS_FOLDER)

_DRIVE_REMOTE = 4  # of Windows
_NETWORKS = frozenset(
    """9p afpfs afs ceph cifs coda davfs fuse.davfs2 fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs
    lustre ncpfs nfs nfs3 nfs4 ocfs2 smb2 smb3 smbfs sshfs webdav""".split()  # noqa: SIM905 - more readable than a list
)


class WriterLock:
    """The right to write the library in a folder.

    Two locks on one folder exclude each other even within one process.

    Raises:
        LibraryBusy: another holder has it.
        LibraryReadOnly: the folder has a library and is not writable.
        StorageFull: the folder is not writable.
    """

    def __init__(self, folder: Path) -> None:
        # Not thread-local: this object owns the lock, whichever thread releases it.
        self._file = folder / LOCK_FILE
        self._lock = FileLock(str(self._file), mode=0o600, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise LibraryBusy(
                "Another Kindred is writing to the library in {folder}",
                "Close its window, or wait until its command ends; commands that only read work in the meantime.",
                folder=folder,
            ) from error
        except OSError as error:
            why = system_text(error.strerror or error)
            if (folder / DATABASE_FILE).exists():
                raise LibraryReadOnly(
                    "The library in {folder} cannot be written: {why}",
                    "Check that you have permission to write there, or copy the folder to another disk. The window, "
                    "and commands that only read it, such as `search`, work.",
                    folder=folder,
                    why=why,
                ) from error
            raise StorageFull(
                "The library in {folder} cannot be written: {why}",
                "Check that you have permission to write there, or choose another folder.",
                folder=folder,
                why=why,
            ) from error

    def release(self) -> None:
        """Release the lock. Calling it again does nothing."""
        self._lock.release()

    def discard(self) -> None:
        """Release the lock and delete its file, so that nothing of the library is left."""
        # Deleted while it is held, nobody else can have taken it; Windows deletes no open file.
        with contextlib.suppress(OSError):
            self._file.unlink()
        self._lock.release()
        if os.name == "nt":
            with contextlib.suppress(OSError):
                self._file.unlink()


def is_library_written(folder: Path) -> bool:
    """Return whether a process has the writer's lock of a library; true if that cannot be found out."""
    if not (folder / LOCK_FILE).exists():
        return False
    try:
        WriterLock(folder).release()
    except (LibraryBusy, StorageFull):
        return True
    return False


def claim_library(folder: Path, *, writable: bool, create: bool) -> WriterLock | None:
    """Return the writer's lock of a library, or None for a reader; creates the folder if allowed.

    Args:
        folder: the library's folder.
        writable: whether to take the lock.
        create: whether to create a missing library.

    Raises:
        NotFound: there is no library, and `create` is False.
        LibraryBusy: another process is writing it.
        LibraryDamaged: its database is lost; nothing was changed.
        LibraryReadOnly: it is to be written, and cannot be.
        StorageFull: the folder is not readable or not writable, is on a network drive, or is a link to nothing.
    """
    refuse_network(folder)
    _refuse_lost_link(folder)
    try:
        is_there = (folder / DATABASE_FILE).is_file()
    except OSError as error:  # the folder of another user, whose libraries nobody else can open
        raise StorageFull(
            "The library in {folder} cannot be read or written: {why}",
            "Check that you have permission to read and write there, or choose another folder.",
            folder=folder,
            why=system_text(error.strerror or error),
        ) from error
    if not (writable and create) and not is_there:
        raise NotFound(
            "There is no library in {folder}", "Import documents into it first, or give another folder.", folder=folder
        )
    if not writable:
        _check_database_file(folder / DATABASE_FILE)
        restrict_library(folder)
        return None
    lock = claim_folder(folder)
    try:
        with explain_folder_errors(folder):
            make_private_folder(folder / SEGMENTS_FOLDER)
        delete_drafts(folder)
        _check_database_file(folder / DATABASE_FILE)
        restrict_library(folder)
    except BaseException:
        lock.release()
        raise
    return lock


def claim_folder(folder: Path) -> WriterLock:
    """Return the writer's lock of a folder for a library; creates the folder if it does not exist.

    Raises:
        LibraryBusy: another process is writing a library there.
        StorageFull: the folder cannot be created or written.
    """
    _refuse_lost_link(folder)
    with explain_folder_errors(folder):
        make_private_folder(folder)
    return WriterLock(folder)


def _refuse_lost_link(folder: Path) -> None:
    """Raise if a folder is, or lies behind, a link to nothing.

    Raises:
        StorageFull: it does.
    """
    for each in (folder, *folder.parents):
        if os.path.islink(each) and not os.path.exists(each):
            raise StorageFull(
                "{link} is a link to a folder that cannot be reached",
                "If it leads to another disk, plug that disk in. Otherwise delete the link, or choose another folder.",
                link=each,
            )


@contextlib.contextmanager
def explain_folder_errors(folder: Path) -> Iterator[None]:
    """Turn errors of creating a library's folder, or files in it, into one that a person can act on."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StorageFull(
            "The folder {folder} cannot be created: {why}",
            "Choose another folder.",
            folder=folder,
            why=system_text(getattr(error, "strerror", None) or error),
        ) from error


def holds_only_leftovers(folder: Path) -> bool:
    """Return whether a folder has nothing but what an opening or a restoring that did not finish may have left."""
    return all(
        file.name == LOCK_FILE
        or file.name == RESTORED_DRAFT
        or (file.name == SEGMENTS_FOLDER and file.is_dir() and not any(file.iterdir()))
        for file in list_content(folder)
    )


def delete_drafts(folder: Path) -> None:
    """Delete what a process that was killed has written by half: it may hold text of documents removed since."""
    for pattern in _DRAFTS:
        for file in folder.glob(pattern):
            with contextlib.suppress(OSError):
                file.unlink()


def restrict_library(folder: Path) -> None:
    """Let only the owner read a library; the folder itself too, if it holds nothing else."""
    with contextlib.suppress(OSError):
        files = list(folder.iterdir())
        own = [file for file in files if any(fnmatch.fnmatch(file.name, pattern) for pattern in _OWN)]
        for path in (*own, *(folder / SEGMENTS_FOLDER).glob("*"), *([folder] if len(own) == len(files) else [])):
            restrict(path)


def _check_database_file(file: Path) -> None:
    """Raise if a library's database was lost: a new one in its place would delete what is left of it.

    Raises:
        LibraryDamaged: the file is empty, a link to nothing, or missing next to its log or a copy of it.
    """
    if file.is_file():
        if not file.stat().st_size:
            raise LibraryDamaged(
                "The library's database {file} is empty",
                "Restore a backup into another folder, or put a copy of the file in its place. If you need nothing of "
                "this library, delete the file: the next import creates a new one.",
                file=file,
            )
        return
    if os.path.lexists(file):
        raise LibraryDamaged(
            "The library's database {file} cannot be reached",
            "If it is a link to another disk, connect that disk. If you no longer need this library, delete the link: "
            "the next import creates a new library.",
            file=file,
        )
    for other in (file.with_name(file.name + "-wal"), *file.parent.glob(f"{file.stem}-*{COPY_SUFFIX}")):
        if other.is_file() and other.stat().st_size:
            raise LibraryDamaged(
                "The library's database {file} is missing, but {other} is there",
                "Put the database back. If you need nothing of this library, delete both files: the next import "
                "creates a new one.",
                file=file,
                other=other.name,
            )


def refuse_network(folder: Path) -> None:
    """Raise if a folder is on a network drive; it need not exist.

    SQLite's write-ahead log needs shared memory, which no network drive provides.

    Raises:
        StorageFull: it is on a network drive.
    """
    place = Path(os.path.realpath(folder))
    if kind := _network_type(place):
        raise StorageFull(
            "The library's folder {folder} is on a network drive ({kind}), where its database would not be safe",
            "Choose a folder on a disk of this computer. The documents themselves may be on the network.",
            folder=folder,
            kind=kind,
        )


def _network_type(place: Path) -> str:
    """Return the kind of network drive that a place is on; empty for a local disk."""
    if sys.platform == "win32":
        # Not by a list of all drives: it waits for servers that do not answer.
        if str(place).startswith("\\\\"):
            return "UNC"
        return "remote" if ctypes.WinDLL("kernel32").GetDriveTypeW(place.anchor) == _DRIVE_REMOTE else ""
    best, found = -1, ""
    for disk in psutil.disk_partitions(all=True):
        if place.is_relative_to(disk.mountpoint) and len(disk.mountpoint) >= best:
            best, found = len(disk.mountpoint), disk.fstype if disk.fstype.lower() in _NETWORKS else ""
    return found
