"""ZIP files (office documents, books, archives), read within limits against decompression bombs."""

from __future__ import annotations

import errno
import lzma
import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from desktop_app.core.errors import FileFailure

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from types import TracebackType

    from desktop_app.core.errors import FailureReason

MAX_MEMBER_BYTES = 500_000_000
"""The largest part of a document that is unpacked."""
MAX_MEMBERS = 20_000
_HARMLESS_BYTES = 20_000_000
_MAX_RATIO = 200
"""A part above the harmless length that grows by more is a decompression bomb: text grows 3 to 60 times."""
_CHUNK_BYTES = 1 << 18
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, OverflowError)
_ENCRYPTED = 0x1
_LOCAL_HEADER_BYTES = 30


class ZipPackage:
    """A ZIP file, open for reading; a context manager.

    Args:
        file: the file.
        asks_password: whether a password of the ZIP file can be asked for; passwords of document formats are different.

    Raises:
        FileFailure: the file is damaged, or has too many members.
    """

    def __init__(self, file: Path | IO[bytes], *, asks_password: bool = False) -> None:
        self._asks_password = asks_password
        try:
            self._zip = zipfile.ZipFile(file)
        except (*_BROKEN, NotImplementedError, UnicodeDecodeError) as error:
            raise FileFailure("damaged", "The ZIP file is damaged and cannot be opened") from error
        except OSError as error:
            raise _to_file_failure(error) from error
        members = self._zip.infolist()
        if len(members) > MAX_MEMBERS:
            self.close()
            raise FileFailure(
                "too_large",
                "The ZIP file has {count:,} members; the limit is {max_members:,}",
                count=len(members),
                max_members=MAX_MEMBERS,
            )
        if _has_overlaps(members):
            self.close()
            raise FileFailure("damaged", "The ZIP file is damaged: its members overlap")

    def __enter__(self) -> ZipPackage:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def members(self) -> list[zipfile.ZipInfo]:
        """Return the entries of the members, in the order of the file."""
        return self._zip.infolist()

    def chunks(
        self, name: str, most: int = MAX_MEMBER_BYTES, password: str | None = None
    ) -> Generator[bytes, None, None]:
        """Yield the bytes of a member in pieces.

        Raises:
            FileFailure: there is no such member, or it is encrypted, locked, damaged, larger than `most` or a bomb.
        """
        info = self._zip.NameToInfo.get(name)
        if info is None:
            raise FileFailure("damaged", "A part of the file is missing: {name}", name=name[:100])
        refuse_decompression_bomb(info.file_size, info.compress_size, most)
        key = password.encode("utf-8", "replace") if password is not None else None
        try:
            with self._zip.open(info, pwd=key) as member:
                # zipfile reads no more than the length that was checked.
                while chunk := member.read(_CHUNK_BYTES):
                    yield chunk
        except NotImplementedError as error:
            raise FileFailure("unsupported", "The file uses a compression that is not supported") from error
        except RuntimeError as error:
            if info.flag_bits & _ENCRYPTED:
                reason: FailureReason = "encrypted" if self._asks_password else "locked"
                raise FileFailure(reason, "The file is protected by a password") from error
            raise
        except _BROKEN as error:
            raise FileFailure("damaged", "A part of the file is damaged: {name}", name=name[:100]) from error
        except OSError as error:
            raise _to_file_failure(error) from error

    def read(self, name: str, most: int = MAX_MEMBER_BYTES) -> bytes:
        """Return the bytes of a member; raises as `chunks` does."""
        return b"".join(self.chunks(name, most))


def _has_overlaps(members: list[zipfile.ZipInfo]) -> bool:
    """Return whether members share packed bytes: a few kilobytes may hold the same text thousands of times."""
    end = 0
    for info in sorted(members, key=lambda info: info.header_offset):
        if info.header_offset < end:
            return True
        if info.compress_size:
            end = info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size
    return False


def _to_file_failure(error: OSError) -> Exception:
    """Translate a system error: one about a position is caused by wrong numbers in the file."""
    if error.errno == errno.EINVAL:
        return FileFailure("damaged", "The ZIP file is damaged: it points outside itself")
    return error


def refuse_decompression_bomb(size_bytes: int, packed_bytes: int | None, most: int) -> None:
    """Check the declared length of a member.

    Args:
        size_bytes: its length.
        packed_bytes: its packed length; None if it is not packed by itself.
        most: the limit.

    Raises:
        FileFailure: `too_large`: above `most`, or out of proportion to its packed length.
    """
    if size_bytes > most:
        raise FileFailure(
            "too_large",
            "A part of the file has {file_size:,} bytes; the limit is {most:,}",
            file_size=size_bytes,
            most=most,
        )
    if packed_bytes is not None and size_bytes > max(_HARMLESS_BYTES, _MAX_RATIO * packed_bytes):
        raise FileFailure("too_large", "A part of the file expands to an unsafe size")
