"""ZIP archives: their members, each of which is a document."""

from __future__ import annotations

import stat
import time
from typing import TYPE_CHECKING

from desktop_app.text.archive_member import ArchiveMember, MemberNames
from desktop_app.text.readers.zip_package import ZipPackage

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator
    from pathlib import Path

_EPOCH = (1980, 1, 1, 0, 0, 0)


class ZipArchive:
    """Implements `archives.Archive`.

    Raises:
        FileFailure: the file is damaged, or has too many members.
    """

    def __init__(self, file: Path) -> None:
        self._package = ZipPackage(file, asks_password=True)
        self._names = MemberNames([info.filename for info in self._package.members()])

    def members(self) -> Iterator[ArchiveMember]:
        """Yield the members."""
        for info in self._package.members():
            yield ArchiveMember(
                info.filename,
                info.file_size,
                info.compress_size,
                _read_time(info),
                info.CRC,
                info.is_dir(),
                not stat.S_ISLNK(info.external_attr >> 16),
            )

    def split(self, inside: str) -> tuple[str, str] | None:
        """See `MemberNames.split`."""
        return self._names.split(inside)

    def chunks(self, name: str, most: int, password: str | None) -> Iterator[bytes]:
        """Yield the bytes of a member; see `ZipPackage.chunks`."""
        return self._package.chunks(name, most, password)

    def close(self) -> None:
        """Close the file."""
        self._package.close()


def _read_time(info: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*max(info.date_time, _EPOCH), 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0
