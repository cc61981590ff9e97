"""Upkeep of a shared library: sealing, recall, purge, kinds of passages, counts and checks. One session at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.records import CheckResult
from desktop_app.shared_store.connection import END_UPKEEP, LIVE_WORKERS, TRY_UPKEEP
from desktop_app.shared_store.passage_kinds import decide_passages, find_boilerplate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.records import BackupInfo
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.doctor import SharedDoctor
    from desktop_app.shared_store.ingest import SharedDocumentIngest
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.purge import SharedEraser
    from desktop_app.shared_store.recall_meter import SharedRecallMeter
    from desktop_app.shared_store.vectors import VectorSealer

_FOLD_TALLY = (
    "WITH old AS (DELETE FROM tally RETURNING name, change)"
    " INSERT INTO tally (name, change) SELECT name, sum(change) FROM old GROUP BY name HAVING sum(change) <> 0"
)
_MOST_DELTAS = 1000


class SharedLibraryMaintenance:
    """Implements `core.library.LibraryMaintenance`.

    Args:
        take_removed: returns the documents that this session has removed, and when, by id; each only once.
        restorable_after: returns the time (seconds since 1970) after which removed documents can still be restored.
    """

    def __init__(
        self,
        database: SharedDatabase,
        models: SharedLibraryModels,
        importing: SharedDocumentIngest,
        sealer: VectorSealer,
        meter: SharedRecallMeter,
        eraser: SharedEraser,
        doctor: SharedDoctor,
        *,
        take_removed: Callable[[], Mapping[int, float]],
        restorable_after: Callable[[], float],
    ) -> None:
        self._database = database
        self._models = models
        self._importing = importing
        self._sealer = sealer
        self._meter = meter
        self._eraser = eraser
        self._doctor = doctor
        self._take_removed = take_removed
        self._restorable_after = restorable_after

    def run(self) -> Steps[None]:
        """Run the tasks that are due, step by step; does nothing while another session does so."""
        if not self._database.writable or not self._database.value(TRY_UPKEEP):
            return
        try:
            yield from self._run()
        finally:
            self._database.value(END_UPKEEP)

    def _run(self) -> Steps[None]:
        self._importing.recover()
        model = self._models.current_row()
        if model is not None:
            yield from self._sealer.seal(model.id, model.dim)
            yield from self._meter.measure_if_due()
        # Also while documents wait, some for a computer that reaches their files: at worst sentences of a half-imported
        # one are embedded again. What another session's import needs is not erased.
        yield from self._eraser.purge(self._restorable_after(), urgent=False)
        if self._database.value("SELECT count(*) FROM tally") > _MOST_DELTAS:
            with self._database.write_transaction():
                self._database.run("LOCK TABLE tally IN SHARE ROW EXCLUSIVE MODE")
                self._database.run(_FOLD_TALLY)
        yield from decide_passages(self._database)
        if not self._is_importing():
            yield from find_boilerplate(self._database)

    def _is_importing(self) -> bool:
        """Return whether a session works on a document: what is repeated is looked for when all are stored."""
        return bool(
            self._database.rows(
                "SELECT FROM document WHERE state IN ('queued', 'reading', 'embedding') AND removed_at IS NULL"
                " AND worker = ANY(%(live)s::int[]) LIMIT 1",
                live=self._database.column(LIVE_WORKERS),
            )
        )

    def purge(self) -> Steps[None]:
        """Erase what this session has removed and what is due, and sentences and vectors no longer in use.

        Others may still want to restore what they removed a moment ago.
        """
        yield from self._eraser.purge(self._restorable_after(), self._take_removed())

    def tidy_up(self) -> Steps[None]:
        """Erase what this session has removed, which nobody restores after its end, and what is due."""
        yield from self._eraser.purge(self._restorable_after(), self._take_removed(), loose=False, urgent=False)

    def keep_index_loaded(self) -> None:
        """Do nothing: the server keeps in memory what is searched."""

    def back_up(self, file: Path, *, replace: bool = False) -> Steps[BackupInfo]:
        """Raise UsageError: the server has means of its own for this."""
        raise UsageError(
            "A shared library cannot be backed up to one file",
            "Its administrator backs up the server: pg_dump for one library, pg_basebackup for all.",
            code="not_for_shared",
        )

    def check(self, *, repair: bool = False) -> Iterator[CheckResult | Step]:
        """Check the library against itself; with `repair`, repair what is wrong."""
        is_sound = True
        for step in self._doctor.check(repair=repair):
            is_sound = is_sound and (not isinstance(step, CheckResult) or step.ok)
            yield step
        if is_sound:
            yield from self._meter.check()
