"""Files and folders that only their owner can read: all that the program keeps about a person and their documents.

On Linux and macOS that is the mode of a file or folder. On Windows folders in a person's profile, where the program
keeps its own, are private by their access list; a folder that is created elsewhere gets a private list too (from Python
3.11.10 and 3.12.4 on), and files inherit the list of their folder.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from typing import TYPE_CHECKING

from desktop_app.core.file_replacement import replace_file

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_OTHERS = 0o077
_DRAFT_SUFFIX = ".new"
_DRAFT_LIFETIME_S = 3600.0
"""A draft that is older belongs to no process that still writes it."""


def make_private_folder(folder: Path) -> None:
    """Create a folder, and the missing ones above it, that only the owner can open; an existing one stays as it is.

    Raises:
        OSError: it cannot be created.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder == folder.parent:
            break
        folder = folder.parent
    for each in reversed(missing):
        # Not `Path.mkdir(parents=True)`, which gives the folders above the usual mode.
        with contextlib.suppress(FileExistsError):
            each.mkdir(_FOLDER_MODE)
        if not each.is_dir():
            raise NotADirectoryError(20, "Not a directory", str(each))


def open_private(file: str | Path, mode: str = "wb") -> IO[bytes]:
    """Open a file for writing; a file that is created can only be read by its owner.

    Raises:
        OSError: it cannot be opened.
    """
    return open(file, mode, opener=lambda path, flags: os.open(path, flags, _FILE_MODE))


def write_private(file: Path, content: str | bytes) -> None:
    """Replace a file by one that only its owner can read, completely or not at all; creates its folder.

    Other processes may replace the same file at the same time: the last one wins.

    Raises:
        OSError: it cannot be written.
    """
    make_private_folder(file.parent)
    # Of this process alone: in a draft that two processes share, the one that is first puts the other's half in place.
    draft = file.with_name(f"{file.name}.{os.getpid()}{_DRAFT_SUFFIX}")
    try:
        _delete_abandoned_drafts(file)
        draft.unlink(missing_ok=True)  # one that a killed process left may have other rights
        with open_private(draft) as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())  # some disks notice only now that they are full
        replace_file(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _delete_abandoned_drafts(file: Path) -> None:
    """Delete the drafts of a file that killed processes left behind."""
    with contextlib.suppress(OSError):
        for each in os.scandir(file.parent):
            if each.name.startswith(f"{file.name}.") and each.name.endswith(_DRAFT_SUFFIX):
                with contextlib.suppress(OSError):
                    if time.time() - each.stat().st_mtime > _DRAFT_LIFETIME_S:
                        os.unlink(each)


def restrict(path: Path) -> None:
    """Take the rights of group and others away from an existing file or folder that belongs to this user.

    Links and folders that all users share (`/tmp`) stay as they are, and so does everything on Windows.
    """
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        facts = path.lstat()
        is_plain = stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)
        is_shared = stat.S_ISDIR(facts.st_mode) and facts.st_mode & stat.S_ISVTX
        if is_plain and not is_shared and facts.st_uid == os.geteuid() and facts.st_mode & _OTHERS:
            path.chmod(stat.S_IMODE(facts.st_mode) & ~_OTHERS)
