"""The writer's lock of a library, and the checks made before its database is opened."""

from __future__ import annotations

import os
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from filelock import FileLock, Timeout

from desktop_app.core.errors import LibraryBusy, NotFound, StorageFull

DATABASE_FILE = "library.db"
SEGMENTS_FOLDER = "segments"

_NETWORKS = frozenset(
    """9p afpfs afs ceph cifs coda davfs fuse.davfs2 fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs
    lustre ncpfs nfs nfs3 nfs4 ocfs2 smb2 smb3 smbfs sshfs webdav""".split()  # noqa: SIM905 - names read best so
)


class WriterLock:
    """The right to write the library in a folder.

    Two locks on one folder exclude each other in one process as well.

    Raises:
        LibraryBusy: somebody else has it.
        StorageFull: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        # Not thread-local: the owner is this object, whichever thread lets go of it.
        self._lock = FileLock(str(folder / "writer.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise LibraryBusy(
                f"Another Kindred is writing the library in {folder}",
                "Close its window or wait until its command ends; reading commands work meanwhile.",
            ) from error
        except OSError as error:
            raise StorageFull(
                f"The library in {folder} cannot be written: {error.strerror or error}",
                "Give yourself the right to write there, or choose another folder.",
            ) from error

    def release(self) -> None:
        """Let somebody else write. Calling it again does nothing."""
        self._lock.release()


def claim_library(folder: Path, *, writable: bool, create: bool) -> WriterLock | None:
    """Return the right to write the library in a folder, which is made where it is missing; None to who only reads.

    Args:
        folder: where the library lies.
        writable: whether it is to be written.
        create: whether one is made where there is none.

    Raises:
        NotFound: there is no library, and none was to be made.
        LibraryBusy: another process is writing it.
        StorageFull: the folder cannot be written, or is on a network drive.
    """
    refuse_network(folder)
    if not (writable and create) and not (folder / DATABASE_FILE).is_file():
        raise NotFound(f"There is no library in {folder}", "Import something into it first, or name another folder.")
    if not writable:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SEGMENTS_FOLDER).mkdir(exist_ok=True)
    except OSError as error:
        raise StorageFull(
            f"The folder {folder} cannot be made: {error.strerror or error}", "Choose another folder."
        ) from error
    return WriterLock(folder)


def refuse_network(folder: Path) -> None:
    """Look where a folder lies; it need not exist.

    Raises:
        StorageFull: on a network drive.
    """
    place = Path(os.path.realpath(folder))
    if kind := _network_type(place):
        raise StorageFull(
            f"The library's folder {folder} is on a network drive ({kind}), where its database would not be safe",
            "Choose a folder on a disk of this computer. The documents themselves may lie on the network.",
        )


def _network_type(place: Path) -> str:
    """Return what kind of network drive a place is on; empty: on none."""
    if os.name == "nt" and str(place).startswith("\\\\"):
        return "UNC"
    best, found = -1, ""
    for disk in psutil.disk_partitions(all=True):
        if place.is_relative_to(disk.mountpoint) and len(disk.mountpoint) >= best:
            is_remote = disk.fstype.lower() in _NETWORKS or "remote" in disk.opts.split(",")
            best, found = len(disk.mountpoint), (disk.fstype or "remote") if is_remote else ""
    return found
