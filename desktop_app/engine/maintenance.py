"""Statistics, checks, backup and restore of a library, and the maintenance of its index."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps, Waiting
from desktop_app.core.messages import Message, verbatim
from desktop_app.core.ocr import make_missing_error as make_ocr_missing_error
from desktop_app.core.unfinished_files import delete_leftovers
from desktop_app.engine.document_pages import iter_document_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.core.records import BackupInfo, CheckResult, LibraryInfo
    from desktop_app.engine.context import EngineContext

_DOCUMENTS_PER_STEP = 500


@dataclass(frozen=True, slots=True)
class LibraryStatistics:
    """Counts of a library.

    Attributes:
        info: the counts that the library keeps.
        types: number of documents by type, where it is known.
        pages: of all documents that have pages.
        failed: number of failed documents by reason.
        size_bytes: of all files in the library's folder.
        documents_bytes: of the documents' own files, which are elsewhere.
    """

    info: LibraryInfo
    types: dict[str, int] = field(default_factory=dict)
    pages: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    size_bytes: int = 0
    documents_bytes: int = 0


class MaintenanceService:
    """Maintains the library as a whole.

    Args:
        context: the library and whatever else the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def count_statistics(self) -> Job[LibraryStatistics]:
        """Count documents, pages, failures and bytes."""
        return self._context.engine.submit(
            "statistics", self._count, lane=Lane.FRONT, key="statistics", by_person=False
        )

    def back_up(self, file: Path, *, replace: bool = False) -> Job[BackupInfo]:
        """Write the library into one backup file, also while an import runs.

        A person waits for it in a dialog that blocks the window, so it does not wait for background jobs. It copies in
        a thread of its own, and they continue meanwhile.

        Raises (the job):
            UsageError: the file exists and may not be replaced.
            StorageFull: there is no space, or no right to write.
            LibraryDamaged: the library is not sound.
        """
        return self._context.engine.submit(
            "back up",
            lambda: self._context.open_library().maintenance.back_up(file, replace=replace),
            lane=Lane.FRONT,
            by_person=False,
        )

    def restore(self, file: Path, folder: Path) -> Job[BackupInfo]:
        """Make a library from a backup, in an empty folder, at once like `back_up`; the open library is not touched.

        Raises (the job):
            NotFound, BadData, LibraryTooNew: the file does not exist, is no sound backup, or a newer version's.
            UsageError: the folder is not empty.
            LibraryBusy: another process is just making a library in it.
            StorageFull: there is no space, or no right to write.
        """
        restore = self._context.setup.restore_backup
        assert restore is not None, "this workspace restores no backups"
        return self._context.engine.submit("restore", lambda: restore(file, folder), lane=Lane.FRONT, by_person=False)

    def purge(self) -> Job[None]:
        """Erase removed documents from every file, and from those that a killed process has not finished."""

        def steps() -> Steps[None]:
            delete_leftovers()
            yield from run_maintenance(self._context.open_library().maintenance.purge())

        return self._context.engine.submit("purge", steps, key="purge")

    def maintain(self) -> Job[None]:
        """Seal what was added since, and rebuild bad parts of the index."""
        return self._context.engine.submit(
            "maintain", lambda: run_maintenance(self._context.open_library().maintenance.run()), key="maintain"
        )

    def check_library(self, *, repair: bool) -> Job[list[CheckResult]]:
        """Check the library against itself.

        Documents that `repair` cannot repair wait for `ImportService.resume` to read them again.
        """

        def steps() -> Steps[list[CheckResult]]:
            from desktop_app.core.records import CheckResult
            from desktop_app.engine.neighbour_graph import measure_stored_graph

            checks: list[CheckResult] = []
            for step in self._context.open_library().maintenance.check(repair=repair):
                if isinstance(step, CheckResult):
                    if repair:  # a sentence gets another vector or text under the same id
                        self._context.neighbour_graphs.forget()
                    checks.append(step)
                    yield Progress("checking", len(checks), None, "checks")
                else:
                    yield step
            neighbours = yield from measure_stored_graph(self._context.open_library())
            if neighbours is not None:
                summary = Message(
                    "duplicates and topics know {percent:.1f}% of the 15 nearest neighbours of {count} sentences",
                    code="neighbours",
                    percent=100 * neighbours[0],
                    count=neighbours[1],
                )
                checks.append(CheckResult("neighbours", True, summary))
            if repair:
                yield ChangeSet(listing=True, sentences=True)
            found = yield from self._context.page_source.find_ocr()
            checks.append(
                CheckResult(
                    "ocr", True, verbatim(found.description) if found is not None else make_ocr_missing_error().message
                )
            )
            return checks

        return self._context.engine.submit("doctor", steps)

    def _count(self) -> Steps[LibraryStatistics]:
        library = self._context.open_library()
        types: Counter[str] = Counter()
        failed: Counter[str] = Counter()
        pages = documents_bytes = 0
        for page in iter_document_pages(library, _DOCUMENTS_PER_STEP):
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


def run_maintenance(steps: Iterator[object]) -> Steps[None]:
    """Run the steps of `Library.maintain` or `Library.purge`, and report progress and the change."""
    for step in steps:
        yield WAITING if isinstance(step, Waiting) else Progress("indexing")
    yield ChangeSet(sentences=True, searches=True)  # searches for an erased sentence are erased with it


def _file_size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0  # it was deleted in the meantime
