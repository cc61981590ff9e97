"""Tar archives, packed or not, and 7z archives: their members, each of which is a document.

A packed archive is unpacked as a whole into a temporary file once: its members can only be read one after the other.
There is no library for 7z with a free enough licence and packages for all systems; libarchive's program `bsdtar`, which
macOS and Windows 11 have as `tar`, writes them as tar archives.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import tarfile
import tempfile
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import is_supported
from desktop_app.text.archive_member import ArchiveMember, MemberNames
from desktop_app.text.child_program import NO_WINDOW, find_program, run_program
from desktop_app.text.readers.reader_steps import Heartbeat
from desktop_app.text.readers.zip_package import MAX_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

MAX_UNPACKED_BYTES = 10_000_000_000
"""The longest archive after unpacking."""
_HARMLESS_BYTES = 100_000_000
_MAX_RATIO = 200
"""An archive above the harmless length that grows by more is a decompression bomb."""
_CHUNK_BYTES = 1 << 20
_HEARTBEAT_S = 1.0
_UNPACK_S = 3600.0
_BLOCK = 512
_PACKED: dict[bytes, Callable[[Path], IO[bytes]]] = {
    b"\x1f\x8b": lambda file: cast("IO[bytes]", gzip.open(file, "rb")),  # noqa: SIM115 - closed by the caller
    b"BZh": lambda file: cast("IO[bytes]", bz2.open(file, "rb")),  # noqa: SIM115
    b"\xfd7zXZ\0": lambda file: cast("IO[bytes]", lzma.open(file, "rb")),  # noqa: SIM115
}
_SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError)


def is_tar(file: Path, head: bytes) -> bool:
    """Return whether a file is a tar archive, packed or not.

    Args:
        file: the file.
        head: its first bytes.
    """
    for magic, unpack in _PACKED.items():
        if head.startswith(magic):
            try:
                with unpack(file) as opened:
                    head = opened.read(_BLOCK)
            except _BROKEN:
                return False
            break
    if len(head) < _BLOCK:
        return False
    try:
        return bool(tarfile.TarInfo.frombuf(head[:_BLOCK], "utf-8", "surrogateescape").name)
    except tarfile.HeaderError:
        return False


def is_packed(head: bytes) -> bool:
    """Return whether a file with these first bytes is packed as archives of tar are."""
    return head.startswith(tuple(_PACKED))


def is_seven_zip(head: bytes) -> bool:
    """Return whether a file with these first bytes is a 7z archive."""
    return head.startswith(_SEVEN_ZIP)


def open_tar_archive(file: Path) -> Generator[Heartbeat, None, TarArchive]:
    """Open an archive; unpack a packed one first.

    Raises:
        FileFailure: it is damaged, a decompression bomb, or no program can unpack it.
    """
    with file.open("rb") as opened:
        head = opened.read(len(_SEVEN_ZIP))
    unpack = next((each for magic, each in _PACKED.items() if head.startswith(magic)), None)
    if unpack is None and not is_seven_zip(head):
        return TarArchive(file)
    handle, name = tempfile.mkstemp(suffix=".tar")
    os.close(handle)
    unpacked = Path(name)
    try:
        if unpack is None:
            yield from _convert_seven_zip(file, unpacked)
        else:
            yield from _unpack(unpack(file), unpacked, _find_limit(file))
        return TarArchive(unpacked, own_file=unpacked)
    except BaseException:
        unpacked.unlink(missing_ok=True)
        raise


def _find_limit(file: Path) -> int:
    return min(MAX_UNPACKED_BYTES, max(_HARMLESS_BYTES, _MAX_RATIO * file.stat().st_size))


def _unpack(packed: IO[bytes], unpacked: Path, most: int) -> Iterator[Heartbeat]:
    reported_at = time.monotonic()
    length = 0
    with packed, unpacked.open("wb") as out:
        while True:
            try:
                chunk = packed.read(_CHUNK_BYTES)
            except _BROKEN as error:
                raise FileFailure("damaged", "The archive is damaged and cannot be unpacked") from error
            if not chunk:
                return
            length += len(chunk)
            if length > most:
                raise FileFailure("too_large", "The archive expands to an unsafe size")
            out.write(chunk)
            if time.monotonic() - reported_at > _HEARTBEAT_S:
                yield Heartbeat()
                reported_at = time.monotonic()


def _convert_seven_zip(file: Path, unpacked: Path) -> Generator[Heartbeat, None, None]:
    """Write a 7z archive as a tar archive."""
    program = _find_bsdtar()
    if program is None:
        raise FileFailure("unsupported", "7z archives need the program bsdtar (libarchive), which is not installed")
    most = _find_limit(file)

    def check() -> None:
        if unpacked.stat().st_size > most:
            raise FileFailure("too_large", "The archive expands to an unsafe size")

    command = [program, "-c", "--format=pax", "-f", str(unpacked), f"@{file}"]
    status = yield from run_program(command, Heartbeat(), most_s=_UNPACK_S, check=check)
    check()
    if status != 0:
        raise FileFailure("damaged", "The archive is damaged, or protected by a password")


def _find_bsdtar() -> str | None:
    """Return the program `bsdtar`, which some systems call `tar`."""
    if (found := find_program("bsdtar")) is not None:
        return found
    program = find_program("tar")
    with suppress(OSError, subprocess.SubprocessError):
        if program and b"bsdtar" in _read_version(program):
            return program
    return None


def _read_version(program: str) -> bytes:
    command = [program, "--version"]
    return subprocess.run(command, capture_output=True, timeout=10, check=False, creationflags=NO_WINDOW).stdout


class TarArchive:
    """Implements `archives.Archive`.

    Args:
        file: the archive, not packed.
        own_file: deleted at the end.

    Raises:
        FileFailure: the file is damaged, or has too many members.
    """

    def __init__(self, file: Path, own_file: Path | None = None) -> None:
        self._own_file = own_file
        self._members: dict[str, tarfile.TarInfo] = {}
        self._file = file.open("rb")
        try:
            self._tar = tarfile.open(fileobj=self._file, mode="r:")  # noqa: SIM115 - closed by `close`
            for count, info in enumerate(self._tar, 1):
                self._members[info.name] = info
                if count > MAX_MEMBERS:
                    raise FileFailure(
                        "too_large",
                        "The archive has more than {max_members:,} files",
                        max_members=MAX_MEMBERS,
                    )
        except (tarfile.TarError, *_BROKEN) as error:
            self._file.close()
            raise FileFailure("damaged", "The archive is damaged and cannot be opened") from error
        except FileFailure:
            self._file.close()
            raise
        self._names = MemberNames(list(self._members))

    def members(self) -> Iterator[ArchiveMember | Heartbeat]:
        """Yield the members; those of a supported kind are read for their checksums."""
        length = os.fstat(self._file.fileno()).st_size
        for info in self._members.values():
            checksum = 0
            # A sparse file may claim to be longer than its archive.
            if info.isreg() and info.size <= length and is_supported(Path(info.name)):
                reported_at = time.monotonic()
                try:
                    for chunk in self._read(info):
                        checksum = zlib.crc32(chunk, checksum)
                        if time.monotonic() - reported_at > _HEARTBEAT_S:
                            yield Heartbeat()
                            reported_at = time.monotonic()
                except FileFailure:
                    pass  # reading the member says so
            yield ArchiveMember(
                info.name,
                info.size,
                modified_s=max(float(info.mtime), 0.0),
                checksum=checksum,
                is_folder=info.isdir(),
                is_file=info.isreg(),
            )

    def split(self, inside: str) -> tuple[str, str] | None:
        """See `MemberNames.split`."""
        return self._names.split(inside)

    def chunks(self, name: str, most: int, password: str | None) -> Iterator[bytes]:
        """Yield the bytes of a member.

        Raises:
            FileFailure: it is longer than `most`, no file, or damaged.
        """
        info = self._members[name]
        if info.size > most:
            raise FileFailure(
                "too_large",
                "A part of the file has {file_size:,} bytes; the limit is {most:,}",
                file_size=info.size,
                most=most,
            )
        return self._read(info)

    def _read(self, info: tarfile.TarInfo) -> Iterator[bytes]:
        try:
            member = self._tar.extractfile(info) if info.isreg() else None
            if member is None:
                raise FileFailure("unsupported", "This entry of the archive is a link or a device, not a file")
            left = info.size
            while left and (chunk := member.read(min(_CHUNK_BYTES, left))):
                left -= len(chunk)
                yield chunk
        except (tarfile.TarError, *_BROKEN) as error:
            raise FileFailure("damaged", "A part of the file is damaged: {name}", name=info.name[:100]) from error
        if left:
            raise FileFailure("damaged", "A part of the file is damaged: {name}", name=info.name[:100])

    def close(self) -> None:
        """Close the file."""
        self._tar.close()
        self._file.close()
        if self._own_file is not None:
            self._own_file.unlink(missing_ok=True)
