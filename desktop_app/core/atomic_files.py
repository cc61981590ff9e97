"""Writes files atomically: completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from desktop_app.core.errors import StorageFull
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.messages import Message, system_text
from desktop_app.core.unfinished_files import record_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_NAME = 60  # characters of a file's name in that of its draft, which must not become too long


def make_write_error(file: str | Path, error: OSError) -> StorageFull:
    """Return the error for a file that cannot be written: what is in the way, and what to do about it."""
    place = Path(file).absolute()
    nearest = next((each for each in place.parents if os.path.lexists(each)), place)
    if not nearest.is_dir():
        return StorageFull("{folder} is not a folder", "Choose a folder.", folder=nearest)
    if not place.parent.is_dir():
        return StorageFull(
            "The folder {folder} does not exist", "Create it, or choose another folder.", folder=place.parent
        )
    if place.is_dir():
        return StorageFull("{file} is a folder", "Give the name of a file.", file=place)
    hint = Message("Choose another place, or free some disk space.")
    if error.errno == errno.EACCES and sys.platform == "win32" and place.is_file():
        hint = Message("Close it in other programs, or choose another name.")
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = Message("Choose a folder where you can write.")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = Message("Free some disk space, or choose another disk.")
    return StorageFull("{file} cannot be written: {why}", hint, file=file, why=system_text(error.strerror or error))


def check_folder(file: str) -> None:
    """Check that the folder of a file exists, before the work whose result is written there.

    Raises:
        StorageFull: it does not.
    """
    if not Path(file).absolute().parent.is_dir():
        raise make_write_error(file, FileNotFoundError())


@contextlib.contextmanager
def open_atomic(file: str) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `file` when the block succeeds, and is deleted when it fails.

    A device or a pipe is written to directly.

    Raises:
        StorageFull: it cannot be written.
    """
    target = Path(os.path.realpath(file))
    draft = target.with_name(f".{target.name[:_MAX_NAME]}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as out:
                yield out
            return
        with record_unfinished(draft), draft.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())  # some disks notice only now that they are full
        replace_file(draft, target)
    except OSError as error:
        raise make_write_error(file, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


@contextlib.contextmanager
def open_atomic_text(file: str) -> Iterator[IO[str]]:
    """Yield a UTF-8 text file as `open_atomic` does, with line ends unchanged.

    A document's path may contain bytes that are not valid text; they are written as escapes.

    Raises:
        StorageFull: it cannot be written.
    """
    with open_atomic(file) as raw:
        out = io.TextIOWrapper(raw, "utf-8", errors="backslashreplace", newline="")
        try:
            yield out
        finally:
            out.flush()
            out.detach()
