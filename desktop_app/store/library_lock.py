"""The writer's lock of a library, and the checks made before its database is opened."""

from __future__ import annotations

import os
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from filelock import FileLock, Timeout

from desktop_app.core.errors import LibraryBusy, NotFound, StorageFull
from desktop_app.core.messages import system_text

DATABASE_FILE = "library.db"
SEGMENTS_FOLDER = "segments"

_NETWORKS = frozenset(
    """9p afpfs afs ceph cifs coda davfs fuse.davfs2 fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs
    lustre ncpfs nfs nfs3 nfs4 ocfs2 smb2 smb3 smbfs sshfs webdav""".split()  # noqa: SIM905 - more readable than a list
)


class WriterLock:
    """The right to write the library in a folder.

    Two locks on one folder exclude each other even within one process.

    Raises:
        LibraryBusy: another holder has it.
        StorageFull: the folder is not writable.
    """

    def __init__(self, folder: Path) -> None:
        # Not thread-local: this object owns the lock, whichever thread releases it.
        self._lock = FileLock(str(folder / "writer.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise LibraryBusy(
                "Another Kindred is writing the library in {folder}",
                "Close its window, or wait until its command ends; commands that only read work in the meantime.",
                folder=folder,
            ) from error
        except OSError as error:
            raise StorageFull(
                "The library in {folder} cannot be written: {why}",
                "Change the permissions so that you can write there, or choose another folder.",
                folder=folder,
                why=system_text(error.strerror or error),
            ) from error

    def release(self) -> None:
        """Release the lock. Calling it again does nothing."""
        self._lock.release()


def claim_library(folder: Path, *, writable: bool, create: bool) -> WriterLock | None:
    """Return the writer's lock of a library, or None for a reader; creates the folder if allowed.

    Args:
        folder: the library's folder.
        writable: whether to take the lock.
        create: whether to create a missing library.

    Raises:
        NotFound: there is no library, and `create` is False.
        LibraryBusy: another process is writing it.
        StorageFull: the folder is not writable, or is on a network drive.
    """
    refuse_network(folder)
    if not (writable and create) and not (folder / DATABASE_FILE).is_file():
        raise NotFound(
            "There is no library in {folder}", "Import something into it first, or name another folder.", folder=folder
        )
    if not writable:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SEGMENTS_FOLDER).mkdir(exist_ok=True)
    except OSError as error:
        raise StorageFull(
            "The folder {folder} cannot be created: {why}",
            "Choose another folder.",
            folder=folder,
            why=system_text(error.strerror or error),
        ) from error
    return WriterLock(folder)


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
            "Choose a folder on a disk of this computer. The documents themselves may lie on the network.",
            folder=folder,
            kind=kind,
        )


def _network_type(place: Path) -> str:
    """Return the kind of network drive that a place is on; empty for a local disk."""
    if os.name == "nt" and str(place).startswith("\\\\"):
        return "UNC"
    best, found = -1, ""
    for disk in psutil.disk_partitions(all=True):
        if place.is_relative_to(disk.mountpoint) and len(disk.mountpoint) >= best:
            is_remote = disk.fstype.lower() in _NETWORKS or "remote" in disk.opts.split(",")
            best, found = len(disk.mountpoint), (disk.fstype or "remote") if is_remote else ""
    return found
