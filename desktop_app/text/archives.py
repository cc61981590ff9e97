"""ZIP archives: each member is a document whose path continues the archive's (`papers.zip/2024/a.pdf`).

A member is never unpacked under its own name, but into a temporary file that exists only while it is read.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import is_supported
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import ArchiveRead, FileRef, RefusedFile
from desktop_app.text.readers.reader_steps import Heartbeat
from desktop_app.text.readers.zip_package import ZipPackage, refuse_decompression_bomb

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Generator

    from desktop_app.core.errors import FailureReason

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
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_NS = 1_000_000_000
_HEARTBEAT_S = 1.0


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


# Listing


def list_members(path: Path, file: Path, file_bytes: int) -> ArchiveRead:
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
    stamp = -FileRef.on_disk(str(outer), outer.stat()).stamp
    if sum(name.lower().endswith(".zip") for name in inside.split("/")) >= MAX_DEPTH:
        raise FileFailure(
            "too_large", "Archives nested deeper than {max_depth} levels are not opened", max_depth=MAX_DEPTH
        )
    members: dict[str, FileRef] = {}
    refused: list[RefusedFile] = []
    ignored: list[str] = []
    total = 0
    with ZipPackage(file, asks_password=True) as package:
        for info in package.members():
            if info.is_dir():
                continue
            shown = os.path.join(path, *_safe_parts(info.filename))
            if (why := _find_refusal(info, file_bytes)) is not None:
                refused.append(RefusedFile(shown, *why))
            elif _is_ignored(info):
                ignored.append(shown)
            else:
                members[shown] = FileRef(shown, info.file_size, _modified_ns(info), stamp)
                total += info.file_size
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


def _split_name(name: str) -> list[str]:
    return [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]


def _safe_parts(name: str) -> list[str]:
    """Return the parts of a name, safe to show and unable to lead out of the archive."""
    return [
        "‥" if part == ".." else _CONTROLS.sub("\ufffd", part).replace(":", "\ufffd") for part in _split_name(name)
    ] or ["?"]


def _find_refusal(info: zipfile.ZipInfo, file_bytes: int) -> tuple[FailureReason, Message] | None:
    """Return why a member is refused: a reason and a message."""
    name = info.filename
    if name.startswith(("/", "\\")) or _DRIVE.match(name) or ".." in _split_name(name) or _CONTROLS.search(name):
        return "damaged", Message(
            "Its path points outside the archive; such files are not opened", code="outside_archive"
        )
    if is_supported(PurePosixPath(name)):
        try:
            refuse_decompression_bomb(info, file_bytes)
        except FileFailure as failure:
            return failure.reason, failure.message
    return None


def _is_ignored(info: zipfile.ZipInfo) -> bool:
    parts = _split_name(info.filename)
    hidden = any(part.startswith(".") or part in _HIDDEN for part in parts)
    return hidden or stat.S_ISLNK(info.external_attr >> 16) or not is_supported(PurePosixPath(*parts))


def _modified_ns(info: zipfile.ZipInfo) -> int:
    """Return when a member was changed; below seconds its checksum, which tells contents of the same second apart."""
    try:
        seconds = time.mktime((*max(info.date_time, _ZIP_EPOCH), 0, 0, -1))
    except (ValueError, OverflowError):
        seconds = 0.0
    return int(seconds) * _NS + info.CRC % _NS


# Reading


@dataclass(slots=True)
class _OpenArchive:
    """An open archive.

    Attributes:
        path: its path for the library.
        version: what tells the file on disk that is, or contains, the archive from one put in its place.
        names: its members, by their names without empty parts.
        own_file: the temporary file with its bytes, if it was unpacked from another archive.
    """

    path: Path
    version: tuple[int, ...]
    package: ZipPackage
    names: dict[str, str]
    own_file: Path | None = None

    def is_for(self, path: Path) -> bool:
        return path.is_relative_to(self.path) and path.relative_to(self.path).as_posix() in self.names

    def close(self) -> None:
        self.package.close()
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
    name = opened.names.get(path.relative_to(opened.path).as_posix())
    if name is None:
        raise FileFailure("unreadable", "The archive no longer holds this file")
    return (yield from _unpack_member(opened.package, name, path.suffix, password))


def _open_innermost(
    path: Path, archive: Path, inside: str, password: str | None
) -> Generator[Heartbeat, None, _OpenArchive]:
    """Open the archive that contains the last part of a path; `archive` is the one on disk."""
    status = os.stat(archive)
    version = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if _open_archives and _open_archives[0].version == version and _open_archives[0].is_for(path):
        return _open_archives[0]
    close_cached_archive()
    _open_archives.append(_open(archive, version, archive, None))
    rest = inside
    while rest not in _open_archives[0].names:
        outer = _open_archives[0]
        parts = rest.split("/")
        cut = next((at for at in range(len(parts) - 1, 0, -1) if "/".join(parts[:at]) in outer.names), 0)
        if not cut:
            break
        name = outer.names["/".join(parts[:cut])]
        own_file = yield from _unpack_member(outer.package, name, ".zip", password)
        close_cached_archive()
        _open_archives.append(_open(outer.path.joinpath(*parts[:cut]), version, own_file, own_file))
        rest = "/".join(parts[cut:])
    return _open_archives[0]


def _open(path: Path, version: tuple[int, ...], file: Path, own_file: Path | None) -> _OpenArchive:
    try:
        package = ZipPackage(file, asks_password=True)
    except FileFailure:
        if own_file is not None:
            own_file.unlink(missing_ok=True)
        raise
    names = {"/".join(_split_name(info.filename)): info.filename for info in package.members()}
    return _OpenArchive(path, version, package, names, own_file)


def _unpack_member(
    package: ZipPackage, name: str, suffix: str, password: str | None
) -> Generator[Heartbeat, None, Path]:
    handle, file = tempfile.mkstemp(suffix=suffix)
    reported_at = time.monotonic()
    try:
        with os.fdopen(handle, "wb") as out:
            for chunk in package.chunks(name, MAX_ARCHIVE_BYTES, password):
                out.write(chunk)
                if time.monotonic() - reported_at > _HEARTBEAT_S:
                    yield Heartbeat()
                    reported_at = time.monotonic()
    except BaseException:
        Path(file).unlink(missing_ok=True)
        raise
    return Path(file)
