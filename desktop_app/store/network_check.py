"""Refuses network drives: SQLite's write-ahead log needs shared memory, which no network has."""

from __future__ import annotations

import os
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from desktop_app.core.errors import StorageFull

_NETWORKS = frozenset(
    """9p afpfs afs ceph cifs coda davfs fuse.davfs2 fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs
    lustre ncpfs nfs nfs3 nfs4 ocfs2 smb2 smb3 smbfs sshfs webdav""".split()  # noqa: SIM905 - names read best so
)


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
