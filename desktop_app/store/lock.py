"""One process writes a library at a time: a lock of the operating system, which does not outlive its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from desktop_app.core.errors import LibraryBusy, StorageFull

if TYPE_CHECKING:
    from pathlib import Path


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
