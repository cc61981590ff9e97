"""The mounted file systems: they tell a folder that was emptied from one whose disk is not there."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

_DISK_IDS = "/dev/disk/by-uuid"  # Linux: a link to the device, named by the id of the file system on it


_SHARE = "\\\\"
"""How the path of a folder shared in a network begins on Windows, which does not list those among its drives."""


class MountTable:
    """The file systems that are mounted at one moment.

    Args:
        names: what identifies each file system, by its mount point.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)

    def find_volume(self, folder: str) -> str:
        """Return what identifies the file system of a folder and its mount point; empty if unknown.

        The folder's path must not contain links. Two answers are equal only if the same file system is mounted at the
        same place: an empty mount point belongs to another volume than the disk that is usually mounted there.
        """
        at = folder
        while (name := self._names.get(at)) is None:
            above = os.path.dirname(at)
            if above == at and at.startswith(_SHARE):
                name = self._names[at] = _read_serial_number(at)
                break
            if above == at:
                return ""
            at = above
        return f"{name} {at}" if name else ""

    def find_relevant(self, folders: list[str]) -> frozenset[str]:
        """Return the volumes at, above and below some folders."""
        inside = {at for at in self._names for folder in folders if at.startswith(folder.rstrip(os.sep) + os.sep)}
        return frozenset(map(self.find_volume, (*folders, *inside)))


def read_mounts() -> MountTable:
    """Return the file systems that are mounted now; an empty table if the system does not say."""
    import psutil  # type: ignore[import-untyped]  # here: a window without watched folders does not need it

    try:
        partitions = psutil.disk_partitions(all=True)
    except (OSError, psutil.Error, RuntimeError) as error:
        log.warning("mounted file systems cannot be listed: %s", error)
        return MountTable({})
    disk_ids = _read_disk_ids()
    names = {}
    for partition in partitions:  # where two are mounted over each other, the last one is visible
        at = os.path.normpath(partition.mountpoint)
        if sys.platform == "win32":
            names[at] = _read_serial_number(at)
        else:
            names[at] = disk_ids.get(os.path.realpath(partition.device), partition.device)
    return MountTable({at: name for at, name in names.items() if name})


def _read_disk_ids() -> dict[str, str]:
    """Return the ids of file systems by their devices (Linux): device names change when disks are plugged in."""
    try:
        with os.scandir(_DISK_IDS) as links:
            return {os.path.realpath(link.path): link.name for link in links}
    except OSError:
        return {}


def _read_serial_number(drive: str) -> str:
    """Return the serial number of the volume in a drive (Windows); empty if there is none."""
    try:
        return str(os.stat(drive).st_dev)
    except OSError:
        return ""
