"""Archives and mail: each member is a document whose path continues the archive's (`papers.zip/2024/a.pdf`).

A member is never unpacked under its own name, but into a temporary file that exists only while it is read.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import ARCHIVES, FORMATS, is_supported
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import ArchiveRead, FileRef, RefusedFile
from desktop_app.text import tar_archive, zip_archive
from desktop_app.text.archive_member import split_member_name
from desktop_app.text.readers.reader_steps import Heartbeat
from desktop_app.text.readers.zip_package import refuse_decompression_bomb

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from desktop_app.core.errors import FailureReason
    from desktop_app.text.archive_member import ArchiveMember

MAX_DEPTH = 3
"""How deep archives within archives are opened."""
MAX_ARCHIVE_BYTES = 10_000_000_000
"""Limit of the total size of an archive's unpacked members."""
_HARMLESS_BYTES = 100_000_000
_MAX_RATIO = 200
"""An archive above the harmless size whose members are larger by more in total is a decompression bomb."""
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_HIDDEN = ("__MACOSX",)
_CONTAINERS = (*ARCHIVES.suffixes, *FORMATS["email"].suffixes)
_ZIP = b"PK"
_HEAD_BYTES = 1024
_HEARTBEAT_S = 1.0


class Archive(Protocol):
    """An open archive."""

    def split(self, inside: str) -> tuple[str, str] | None:
        """Return the member that a path in the archive leads to, and the rest of the path; None if there is none."""

    def chunks(self, name: str, most: int, password: str | None) -> Iterable[bytes | Heartbeat]:
        """Yield the bytes of a member in pieces.

        Raises:
            FileFailure: it is encrypted, damaged, or longer than `most`.
        """

    def close(self) -> None:
        """Close the file."""


class ListedArchive(Archive, Protocol):
    """An archive whose members are listed: they are all that it holds."""

    def members(self) -> Iterator[ArchiveMember | Heartbeat]:
        """Yield the members."""


def split_archive_path(path: Path) -> tuple[Path, str] | None:
    """Return the archive that a path leads into, and the rest of the path; None if it leads into no file."""
    for above in path.parents:
        if above.is_file():
            return above, path.relative_to(above).as_posix()
        if above.is_dir():
            break
    return None


def path_exists(path: Path) -> bool:
    """Return whether a file, or the archive that a path leads into, exists."""
    return path.is_file() or split_archive_path(path) is not None


def find_depth(inside: str) -> int:
    """Return how many archives and messages a path within an archive passes."""
    return sum(name.lower().endswith(_CONTAINERS) for name in inside.split("/"))


# Listing


def list_members(path: Path, file: Path, file_bytes: int) -> Generator[Heartbeat, None, ArchiveRead]:
    """Return the members of an archive.

    Args:
        path: its path for the library; the paths of its members start with it.
        file: the file with its bytes.
        file_bytes: the largest member that is read.

    Raises:
        FileFailure: it is damaged, a decompression bomb, or nested too deeply.
    """
    found = split_archive_path(path)
    outer, inside = found if found is not None else (path, "")
    stamp = find_stamp(outer)
    if find_depth(inside) >= MAX_DEPTH:
        raise FileFailure(
            "too_large", "Archives nested deeper than {max_depth} levels are not opened", max_depth=MAX_DEPTH
        )
    members: dict[str, FileRef] = {}
    refused: list[RefusedFile] = []
    ignored: list[str] = []
    total = 0
    archive = yield from _open_listed(file)
    try:
        for member in archive.members():
            if isinstance(member, Heartbeat):
                yield member
                continue
            if member.is_folder:
                continue
            shown = os.path.join(path, *_safe_parts(member.name))
            if (why := _find_refusal(member, file_bytes)) is not None:
                refused.append(RefusedFile(shown, *why))
            elif _is_ignored(member):
                ignored.append(shown)
            else:
                members[shown] = FileRef(shown, member.size_bytes, member.mtime_ns, stamp)
                total += member.size_bytes
    finally:
        archive.close()
    if total > MAX_ARCHIVE_BYTES:
        raise FileFailure(
            "too_large",
            "Its files have {total:,} bytes in total; the limit is {max_archive_bytes:,}",
            total=total,
            max_archive_bytes=MAX_ARCHIVE_BYTES,
        )
    if total > max(_HARMLESS_BYTES, _MAX_RATIO * file.stat().st_size):
        raise FileFailure("too_large", "The archive expands to an unsafe size")
    return ArchiveRead(tuple(members.values()), tuple(refused), tuple(ignored))


def place_attached(path: Path, attached: Iterable[FileRef]) -> tuple[FileRef, ...]:
    """Return the files of a message with their paths for the library; none if it is nested too deeply.

    Args:
        path: that of the message.
        attached: the files, with paths below the message.
    """
    found = split_archive_path(path)
    outer, inside = found if found is not None else (path, "")
    if find_depth(inside) >= MAX_DEPTH:
        return ()
    stamp = find_stamp(outer)
    return tuple(
        FileRef(os.path.join(path, *each.path.split("/")), each.size_bytes, each.mtime_ns, stamp) for each in attached
    )


def find_stamp(outer: Path) -> int:
    """Return the stamp of the members of an archive on disk."""
    return -FileRef.on_disk(str(outer), outer.stat()).stamp


def _safe_parts(name: str) -> list[str]:
    """Return the parts of a name, safe to show and unable to lead out of the archive."""
    return [
        "‥" if part == ".." else _CONTROLS.sub("\ufffd", part).replace(":", "\ufffd")
        for part in split_member_name(name)
    ] or ["?"]


def _find_refusal(member: ArchiveMember, file_bytes: int) -> tuple[FailureReason, Message] | None:
    """Return why a member is refused: a reason and a message."""
    name = member.name
    if name.startswith(("/", "\\")) or _DRIVE.match(name) or ".." in split_member_name(name) or _CONTROLS.search(name):
        return "damaged", Message(
            "Its path points outside the archive; such files are not opened", code="outside_archive"
        )
    if is_supported(PurePosixPath(name)) and member.is_file:
        try:
            refuse_decompression_bomb(member.size_bytes, member.packed_bytes, file_bytes)
        except FileFailure as failure:
            return failure.reason, failure.message
    return None


def _is_ignored(member: ArchiveMember) -> bool:
    parts = split_member_name(member.name)
    hidden = any(part.startswith(".") or part in _HIDDEN for part in parts)
    return hidden or not member.is_file or not is_supported(PurePosixPath(*parts))


# Reading


@dataclass(slots=True)
class _OpenArchive:
    """An open archive.

    Attributes:
        path: its path for the library.
        version: what tells the file on disk that is, or contains, the archive from one put in its place.
        archive: its members.
        own_file: the temporary file with its bytes, if it was unpacked from another archive.
    """

    path: Path
    version: tuple[int, ...]
    archive: Archive
    own_file: Path | None = None

    def find(self, path: Path) -> str | None:
        """Return the member with this path for the library; None if there is none."""
        if not path.is_relative_to(self.path) or path == self.path:
            return None
        found = self.archive.split(path.relative_to(self.path).as_posix())
        return found[0] if found is not None and not found[1] else None

    def close(self) -> None:
        self.archive.close()
        if self.own_file is not None:
            self.own_file.unlink(missing_ok=True)


_open_archives: list[_OpenArchive] = []
"""The archive that was read last, if any: members are mostly read one after the other."""


def close_cached_archive() -> None:
    """Close the archive that was read last."""
    while _open_archives:
        _open_archives.pop().close()


def extract_member(path: Path, password: str | None = None) -> Generator[Heartbeat, None, Path]:
    """Unpack a member into a temporary file and return that file; the caller deletes it.

    Raises:
        FileFailure: the member no longer exists, or is encrypted, damaged or too large.
    """
    found = split_archive_path(path)
    if found is None:
        raise FileFailure("unreadable", "The file does not exist")
    opened = yield from _open_innermost(path, *found, password)
    name = opened.find(path)
    if name is None:
        raise FileFailure("unreadable", "The archive no longer holds this file")
    return (yield from _unpack_member(opened.archive, name, password))


def _open_innermost(
    path: Path, archive: Path, inside: str, password: str | None
) -> Generator[Heartbeat, None, _OpenArchive]:
    """Open the archive that contains the last part of a path; `archive` is the one on disk."""
    status = os.stat(archive)
    version = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if _open_archives and _open_archives[0].version == version and _open_archives[0].find(path) is not None:
        return _open_archives[0]
    close_cached_archive()
    opened = yield from _open(archive, None)
    _open_archives.append(_OpenArchive(archive, version, opened))
    rest = inside
    while (found := _open_archives[0].archive.split(rest)) is not None and found[1]:
        name, rest_after = found
        outer = _open_archives[0]
        inner = outer.path.joinpath(*rest.removesuffix(rest_after).strip("/").split("/"))
        own_file = yield from _unpack_member(outer.archive, name, password)
        close_cached_archive()
        opened = yield from _open(own_file, own_file)
        _open_archives.append(_OpenArchive(inner, version, opened, own_file))
        rest = rest_after
    return _open_archives[0]


def _open(file: Path, own_file: Path | None) -> Generator[Heartbeat, None, Archive]:
    """Open an archive or a message; `own_file` is deleted if that fails."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES)
        if head.startswith(_ZIP) or tar_archive.is_seven_zip(head) or tar_archive.is_tar(file, head):
            return (yield from _open_listed(file))
        from desktop_app.text.readers.mail import AttachedFiles  # here: it loads the reader of web pages

        return AttachedFiles(file)
    except FileFailure:
        if own_file is not None:
            own_file.unlink(missing_ok=True)
        raise


def _open_listed(file: Path) -> Generator[Heartbeat, None, ListedArchive]:
    with file.open("rb") as opened:
        is_zip = opened.read(len(_ZIP)) == _ZIP
    return zip_archive.ZipArchive(file) if is_zip else (yield from tar_archive.open_tar_archive(file))


def _unpack_member(archive: Archive, name: str, password: str | None) -> Generator[Heartbeat, None, Path]:
    suffix = next((each for each in ARCHIVES.suffixes if name.lower().endswith(each)), PurePath(name).suffix)
    handle, file = tempfile.mkstemp(suffix=_CONTROLS.sub("", suffix))
    reported_at = time.monotonic()
    try:
        with os.fdopen(handle, "wb") as out:
            for chunk in archive.chunks(name, MAX_ARCHIVE_BYTES, password):
                if not isinstance(chunk, Heartbeat):
                    out.write(chunk)
                if time.monotonic() - reported_at > _HEARTBEAT_S:
                    yield Heartbeat()
                    reported_at = time.monotonic()
    except BaseException:
        Path(file).unlink(missing_ok=True)
        raise
    return Path(file)
