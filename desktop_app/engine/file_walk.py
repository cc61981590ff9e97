"""Lists the files of paths that a person names: folders are walked recursively, each file appears once."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from desktop_app.core.file_marks import is_marked_hidden, is_online_only
from desktop_app.core.messages import Message, system_text
from desktop_app.core.reader_events import FileRef
from desktop_app.core.stored_path import find_stored_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


_WITH_MARKS = ("win32", "darwin")
"""The systems that hide files by more than their names."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to import.

    Attributes:
        is_online_only: it lies in a folder, and its content only in a cloud: nobody asked to download that.
    """

    file: FileRef
    is_online_only: bool = False


@dataclass(frozen=True, slots=True)
class IgnoredFile:
    """A file of unknown type inside a folder, or a hidden folder."""

    path: str
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class UnreadablePath:
    """A path that could not be looked at, and why."""

    path: str
    why: Message

    @classmethod
    def online_only(cls, path: str) -> UnreadablePath:
        """Return a file whose content is not on this computer."""
        return cls(path, Message("Its content is not on this computer, only in the cloud", code="online_only"))


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """A folder whose entries have all been yielded; folders below it follow, or not if they cannot be read."""

    path: str


WalkItem: TypeAlias = FoundFile | IgnoredFile | UnreadablePath | ListedFolder
"""What a walk yields."""


@dataclass(frozen=True, slots=True)
class FileListing:
    """Everything that a walk found, each kind in the order of the walk.

    Attributes:
        files: to be imported.
        ignored: paths of files of unknown type inside folders, and of hidden folders.
        unreadable: paths that could not be looked at.
    """

    files: tuple[FileRef, ...] = ()
    ignored: tuple[str, ...] = ()
    unreadable: tuple[UnreadablePath, ...] = ()


def walk_files(paths: Iterable[str], is_supported: Callable[[str], bool]) -> Iterator[WalkItem]:
    """Yield the files at and below `paths`, and each folder after its entries, as a point to pause.

    A file (or a member of an archive) that is named directly is always included, whatever its type. A file that is
    reached twice (by a link, or named twice) appears once; a loop of links ends. The entries of a folder are sorted by
    name.
    """
    seen_files: set[str] = set()
    seen_folders: set[tuple[int, int | str]] = set()
    listings: dict[str, list[str]] = {}
    for named in paths:
        try:
            path = find_stored_path(named, listings)
            status = os.stat(path)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            if "\0" not in named and _leads_into_file(path):
                yield FoundFile(FileRef(path, 0, 0))
                continue
            yield UnreadablePath(os.path.abspath(named) if "\0" not in named else named, _explain_error(error))
            continue
        if stat.S_ISDIR(status.st_mode):
            yield from _walk_folder(path, is_supported, seen_files, seen_folders)
        elif path not in seen_files:
            seen_files.add(path)
            yield FoundFile(FileRef.on_disk(path, status))


def _walk_folder(
    top: str, is_supported: Callable[[str], bool], seen_files: set[str], seen_folders: set[tuple[int, int | str]]
) -> Iterator[WalkItem]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            status = os.stat(folder)
            # Some network drives of Windows give every file the number 0.
            identity = (status.st_dev, status.st_ino or folder)
            if identity in seen_folders:
                continue
            seen_folders.add(identity)
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield UnreadablePath(folder, _explain_error(error))
            continue
        subfolders: list[str] = []
        for entry in entries:
            path = os.path.realpath(entry.path)
            try:
                if entry.is_dir():
                    if _is_hidden(entry):
                        yield IgnoredFile(entry.path, is_folder=True)
                    else:
                        subfolders.append(path)
                    continue
                if path in seen_files:
                    continue
                if _is_hidden(entry) or not is_supported(entry.path):
                    yield IgnoredFile(entry.path)  # of a link: not the file that it leads to, which may be imported
                    continue
                seen_files.add(path)
                status = os.stat(path)
            except OSError as error:
                yield UnreadablePath(entry.path, _explain_error(error))
                continue
            yield FoundFile(FileRef.on_disk(path, status), is_online_only(status))
        waiting.extend(reversed(subfolders))
        yield ListedFolder(folder)


def _is_hidden(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith("."):
        return True
    return sys.platform in _WITH_MARKS and is_marked_hidden(entry.stat(follow_symlinks=False))


def _leads_into_file(path: str) -> bool:
    """Return whether a missing path leads into a file: it names a member of an archive."""
    parent = os.path.dirname(path)
    while parent != os.path.dirname(parent) and not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    return os.path.isfile(parent)


def _explain_error(error: Exception) -> Message:
    if isinstance(error, FileNotFoundError):
        return Message("It does not exist", code="unreadable")
    if isinstance(error, PermissionError):
        return Message("You do not have permission to read it", code="unreadable")
    return system_text(getattr(error, "strerror", None) or error)
