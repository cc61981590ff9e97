"""The writer's lock of a library, and the checks made before its database is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from desktop_app.core.errors import LibraryBusy, NotFound, StorageFull
from desktop_app.store.network_check import refuse_network

if TYPE_CHECKING:
    from pathlib import Path

DATABASE_FILE = "library.db"
SEGMENTS_FOLDER = "segments"


class WriterLock:
    """The right to write the library in a folder.

    Two locks on one folder exclude each other in one process as well.

    Raises:
        LibraryBusy: somebody else has it.
        StorageFull: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        # Not thread-local: the owner is this object, whichever thread lets go of it.
        self._lock = FileLock(str(folder / "writer.lock"), thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise LibraryBusy(
                f"Another Kindred is writing the library in {folder}",
                "Close its window or wait until its command ends; reading commands work meanwhile.",
            ) from error
        except OSError as error:
            raise StorageFull(
                f"The library in {folder} cannot be written: {error.strerror or error}",
                "Give yourself the right to write there, or choose another folder.",
            ) from error

    def release(self) -> None:
        """Let somebody else write. Calling it again does nothing."""
        self._lock.release()


def claim_library(folder: Path, *, writable: bool, create: bool) -> WriterLock | None:
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
    if not (writable and create) and not (folder / DATABASE_FILE).is_file():
        raise NotFound(f"There is no library in {folder}", "Import something into it first, or name another folder.")
    if not writable:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SEGMENTS_FOLDER).mkdir(exist_ok=True)
    except OSError as error:
        raise StorageFull(
            f"The folder {folder} cannot be made: {error.strerror or error}", "Choose another folder."
        ) from error
    return WriterLock(folder)
