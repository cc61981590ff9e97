"""Upkeep of a library: sealing, recall, purge, language guesses, kinds of passages, backup and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.core.records import CheckResult
from desktop_app.store import backup
from desktop_app.store.checksums import fill_checksums
from desktop_app.store.compaction import Compactor
from desktop_app.store.half_conversion import convert_vectors
from desktop_app.store.passage_kinds import decide_passages, find_boilerplate
from desktop_app.store.schema import DocumentRow
from desktop_app.store.scope_conditions import document_language_column, is_not_removed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.records import BackupInfo, LibraryInfo
    from desktop_app.store.database import Database
    from desktop_app.store.doctor import Doctor
    from desktop_app.store.index_segment_sealing import SegmentSealer
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.purge import Eraser
    from desktop_app.store.recall_meter import RecallMeter
    from desktop_app.store.visibility import LocalVisibilityCache

_LANGUAGES_PER_STEP = 4


class LocalLibraryMaintenance:
    """Implements `core.library.LibraryMaintenance`.

    Args:
        restorable_after: returns the time (seconds since 1970) after which removed documents can still be restored.
        info: returns the library's counts.
    """

    def __init__(
        self,
        database: Database,
        segments: Segments,
        sealer: SegmentSealer,
        visibility: LocalVisibilityCache,
        keywords: KeywordIndex,
        meter: RecallMeter,
        eraser: Eraser,
        doctor: Doctor,
        *,
        restorable_after: Callable[[], float],
        info: Callable[[], LibraryInfo],
    ) -> None:
        self._database = database
        self._segments = segments
        self._sealer = sealer
        self._visibility = visibility
        self._keywords = keywords
        self._meter = meter
        self._eraser = eraser
        self._doctor = doctor
        self._compactor = Compactor(database)
        self._restorable_after = restorable_after
        self._info = info

    def run(self) -> Steps[None]:
        """Run the tasks that are due, step by step; yields `WAITING` while a child process builds."""
        yield from self._segments.preload()
        if self._database.writable:
            yield from self._run_as_writer()
        if self._segments.stay_in_memory:  # a person searches
            yield from self._visibility.fill()
            yield from self._keywords.fill_lengths()

    def _run_as_writer(self) -> Steps[None]:
        """Do the work that changes the library.

        Unused sentences stay while documents wait to be imported: these may contain them again.
        """
        yield from self._sealer.seal()
        yield from self._meter.measure_if_due()
        waiting = self._is_import_waiting()
        yield from self._eraser.purge(
            self._restorable_after(), loose=not waiting, left_behind=not waiting, urgent=False
        )
        yield from self._guess_languages()
        yield from fill_checksums(self._database)
        yield from self._sealer.convert()
        yield from convert_vectors(self._database)
        yield from decide_passages(self._database)
        if not waiting:
            yield from find_boilerplate(self._database)
            yield from self._compactor.run()

    def _guess_languages(self) -> Iterator[None]:
        """Guess the languages of all documents, some at a time."""
        after = 0
        while True:
            query = select(DocumentRow.id, document_language_column()).where(DocumentRow.id > after, is_not_removed())
            with self._database.read_transaction() as connection:
                rows = connection.execute(query.order_by(DocumentRow.id).limit(_LANGUAGES_PER_STEP)).all()
            if not rows:
                return
            after = rows[-1].id
            yield None

    def purge(self) -> Steps[None]:
        """Erase all removed documents, and sentences and vectors no longer in use, from every file."""
        yield from self._eraser.purge(float("inf"), left_behind=not self._is_import_waiting())

    def tidy_up(self) -> Steps[None]:
        """Erase removed documents: they can no longer be restored, and do not outlive the program.

        What a stopped import of a large document left behind takes minutes: `run` and `purge` erase it another time.
        """
        left_behind = self._eraser.is_little_left_behind() and not self._is_import_waiting()
        yield from self._eraser.purge(float("inf"), left_behind=left_behind)

    def _is_import_waiting(self) -> bool:
        states = self._info().states
        return any(states.get(state) for state in ("queued", "reading", "embedding"))

    def keep_index_loaded(self) -> None:
        """Keep the whole index in memory from now on, as `run` loads it."""
        self._segments.keep_in_memory()

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Write everything into one file."""
        info = self._info()
        counts = {"documents": info.documents, "sentences": info.occurrences}
        return backup.write_backup(self._database.file, file, replace=replace, **counts)

    def check(self, *, repair: bool = False) -> Iterator[CheckResult | Step]:
        """Check the library against itself; with `repair`, repair what is wrong."""
        is_sound = True
        for step in self._doctor.check(repair=repair):
            is_sound = is_sound and (not isinstance(step, CheckResult) or step.ok)
            yield step
        if is_sound:  # a damaged library may have nothing to measure
            yield from self._meter.check()
