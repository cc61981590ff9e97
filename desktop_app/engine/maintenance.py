"""Statistics, backup and restore of a library."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.jobs import Job, Lane, Steps

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.library import Library
    from desktop_app.core.records import BackupInfo, LibraryInfo
    from desktop_app.engine.engine import Engine

_DOCUMENTS_PER_STEP = 500


@dataclass(frozen=True, slots=True)
class LibraryStatistics:
    """Counts of a library.

    Attributes:
        info: what is counted as it goes.
        types: number of documents of each type that is known.
        pages: of all documents that have pages.
        failed: number of documents that failed, by their reasons.
        size_bytes: of all files in the library's folder.
        documents_bytes: of the documents' own files, which are linked and lie elsewhere.
    """

    info: LibraryInfo
    types: dict[str, int] = field(default_factory=dict)
    pages: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    size_bytes: int = 0
    documents_bytes: int = 0


class MaintenanceService:
    """What a person asks of the library as a whole.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        restore: makes a library of a backup (file, folder); None where there is none to be made.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        restore: Callable[[Path, Path], Steps[BackupInfo]] | None = None,
    ) -> None:
        self._engine = engine
        self._restore = restore
        self._open_library = open_library

    def statistics(self) -> Job[LibraryStatistics]:
        """Count through the library."""
        return self._engine.submit("statistics", self._count, lane=Lane.FRONT, key="statistics", by_person=False)

    def back_up(self, file: Path, *, replace: bool = False) -> Job[BackupInfo]:
        """Write the library into one file that a library can be made from elsewhere.

        Raises (the job):
            UsageError: the file is there and may not be replaced.
            StorageFull: there is no room, or no right to write.
            LibraryDamaged: the library is not sound.
        """
        return self._engine.submit("back up", lambda: self._open_library().back_up(file, replace=replace))

    def restore(self, file: Path, folder: Path) -> Job[BackupInfo]:
        """Make a library of a backup, in a folder where nothing is yet; the library at hand is not touched.

        Raises (the job):
            NotFound, BadData, LibraryTooNew: the file is none, is no sound backup, or a newer version's.
            UsageError: there is something in the folder.
            StorageFull: there is no room, or no right to write.
        """
        assert self._restore is not None, "there is nothing that makes a library of a backup"
        restore = self._restore
        return self._engine.submit("restore", lambda: restore(file, folder))

    def _count(self) -> Steps[LibraryStatistics]:
        library = self._open_library()
        types: Counter[str] = Counter()
        failed: Counter[str] = Counter()
        pages = documents_bytes = after = 0
        while page := library.documents(after_id=after, limit=_DOCUMENTS_PER_STEP):
            after = page[-1].document_id
            for document in page:
                types[document.type or ""] += 1
                failed[document.reason or ""] += document.state == "failed"
                pages += document.pages or 0
                documents_bytes += document.size_bytes
            yield None
        size = 0
        info = library.info()
        for folder, _, names in os.walk(info.folder):
            size += sum(_file_size(os.path.join(folder, name)) for name in names)
            yield None
        types.pop("", None)
        failed.pop("", None)
        return LibraryStatistics(info, dict(types), pages, dict(failed), size, documents_bytes)


def _file_size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0  # it went away meanwhile
