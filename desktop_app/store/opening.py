"""What has to hold before a library's database is touched: where it may lie, and who may write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound, StorageFull
from desktop_app.store.lock import WriterLock
from desktop_app.store.places import refuse_network

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = "library.db"
SEGMENTS = "segments"


def claim(folder: Path, *, writable: bool, create: bool) -> WriterLock | None:
    """Return the right to write the library in a folder, which is made where it is missing; None to who only reads.

    Args:
        folder: where the library lies.
        writable: whether it is to be written.
        create: whether one is made where there is none.

    Raises:
        NotFound: there is no library, and none was to be made.
        LibraryBusy: another process is writing it.
        StorageFull: the folder cannot be written, or is on a network drive.
    """
    refuse_network(folder)
    if not (writable and create) and not (folder / DATABASE).is_file():
        raise NotFound(f"There is no library in {folder}", "Import something into it first, or name another folder.")
    if not writable:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SEGMENTS).mkdir(exist_ok=True)
    except OSError as error:
        raise StorageFull(
            f"The folder {folder} cannot be made: {error.strerror or error}", "Choose another folder."
        ) from error
    return WriterLock(folder)
