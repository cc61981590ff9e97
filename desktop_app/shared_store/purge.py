"""The purge: erases removed documents, and sentences and vectors no longer in use.

Rows are deleted, and the graphs that held a deleted vector are built anew, one partition at a time. What a server keeps
besides its tables (its log, replicas, backups) is its administrator's.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from desktop_app.shared_store.connection import HOLD_VECTORS, TELL_SEARCHES, TRY_ERASING
from desktop_app.shared_store.document_versions import delete_version, mark_loose_sentences
from desktop_app.shared_store.sentences import TALLY, add_to_tally
from desktop_app.shared_store.vectors import VectorPart, part_table, read_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_app.core.jobs import Steps
    from desktop_app.shared_store.analysis_reader import SharedAnalysisReader
    from desktop_app.shared_store.clusters import SharedClusterStore
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.sentences import SharedSentenceStore
    from desktop_app.shared_store.vectors import VectorSealer

GIVEN_UP = 0.0
"""`removed_at` of a document that is being erased and cannot be restored."""

_ERASED = "erased"
"""The state of the last transaction that erased sentences; none once findings are free of them."""
_STEP_OCCURRENCES = 5000
_STEP_SENTENCES = 1000
_DEAD_SHARE = 0.2
"""A partition of which so much is erased is built anew in any case; a purge that a person waits for does so at once."""


class SharedEraser:
    """Erases step by step; every step is a transaction, and the next purge continues one that was stopped."""

    def __init__(
        self,
        database: SharedDatabase,
        models: SharedLibraryModels,
        sentences: SharedSentenceStore,
        sealer: VectorSealer,
        findings: Sequence[SharedAnalysisReader | SharedClusterStore],
    ) -> None:
        self._database = database
        self._models = models
        self._sentences = sentences
        self._sealer = sealer
        self._findings = findings

    def purge(
        self,
        removed_before: float,
        removed_at: Mapping[int, float] = MappingProxyType({}),
        *,
        loose: bool = True,
        urgent: bool = True,
    ) -> Steps[None]:
        """Erase removed documents, then (`loose`) all sentences that no longer occur anywhere.

        Args:
            removed_before: erase every document removed before this time.
            removed_at: erase these documents too, by id, if they were removed at exactly this time.
            loose: whether sentences are erased.
            urgent: build every graph anew that still holds something erased, and let no deleted row wait for the
                server's own upkeep.
        """
        for document_id in self._give_up(removed_before, removed_at):
            while self._shorten(document_id):
                yield None
        after = 0
        while loose and (last := self._erase_some(after)) is not None:
            after = last
            yield None
        if loose:
            yield from self._forget_erased()
        self._models.erase_others()
        yield from self._rebuild(urgent=urgent)
        if urgent:
            yield from self._database.run_beside(_vacuum_tables)

    def _forget_erased(self) -> Steps[None]:
        """Take erased sentences out of findings, also those of a session that ended before it did so."""
        erased = self._database.value("SELECT value FROM state WHERE name = %(name)s", name=_ERASED)
        if erased is None:
            return
        for findings in self._findings:
            yield from findings.forget_erased()
        with self._database.write_transaction():  # unless another session has erased more since
            self._database.run(
                "DELETE FROM state WHERE name = %(name)s AND value = %(erased)s", name=_ERASED, erased=erased
            )

    def _give_up(self, before: float, removed_at: Mapping[int, float]) -> Sequence[int]:
        """Give up removed documents, so that they cannot be restored, and return those to erase."""
        with self._database.write_transaction():
            ids = self._database.column(
                "SELECT id FROM document WHERE removed_at IS NOT NULL AND (removed_at <= %(before)s OR (id, removed_at)"
                " IN (SELECT * FROM unnest(%(ids)s::bigint[], %(times)s::float8[]))) ORDER BY id"
                " FOR UPDATE SKIP LOCKED",
                before=before,
                ids=list(removed_at),
                times=list(removed_at.values()),
            )
            for document_id in ids:
                # The path is free at once, for a new import of the same file. Path and title are erased here.
                self._database.run(
                    "UPDATE document SET path = %(path)s, path_folded = '', name = '', name_folded = '',"
                    " own_title = '', own_title_folded = '', message = '', volume = '', live_id = NULL,"
                    " building_id = NULL, worker = 0, sentences = 0, removed_at = %(given_up)s"
                    " WHERE id = %(id)s AND removed_at <> %(given_up)s",
                    path=f"\0{document_id}".encode(),
                    given_up=GIVEN_UP,
                    id=document_id,
                )
            if ids:
                self._database.value(TELL_SEARCHES)  # some may have been limited to these documents
        return ids

    def _shorten(self, document_id: int) -> bool:
        """Erase a part of a document, finally its row; returns False when it is gone."""
        with self._database.write_transaction():
            version_id = self._database.value(
                "SELECT id FROM version WHERE document_id = %(id)s LIMIT 1", id=document_id
            )
            if version_id is None:
                self._database.run("DELETE FROM document WHERE id = %(id)s", id=document_id)
                return False
            lowest = self._database.value(
                "SELECT min(ordinal) FROM occurrence WHERE version_id = %(id)s", id=version_id
            )
            if lowest is None:
                delete_version(self._database, version_id)
            else:
                below = lowest + _STEP_OCCURRENCES
                mark_loose_sentences(self._database, version_id, below)
                self._database.run(
                    "DELETE FROM passage WHERE version_id = %(id)s AND first < %(below)s", id=version_id, below=below
                )
                self._database.run(
                    "DELETE FROM occurrence WHERE version_id = %(id)s AND ordinal < %(below)s",
                    id=version_id,
                    below=below,
                )
        return True

    def _erase_some(self, after: int) -> int | None:
        """Process the next candidates; returns the last one's id, None at the end.

        While other sessions import, nothing is erased: they may depend on these sentences.
        """
        with self._database.write_transaction():
            if not self._database.value(TRY_ERASING):
                return None
            ids = self._database.column(
                "SELECT sentence_id FROM loose WHERE sentence_id > %(after)s ORDER BY sentence_id"
                f" LIMIT {_STEP_SENTENCES}",
                after=after,
            )
            if not ids:
                return None
            settled = [number for number in ids if number not in self._sentences.promised]
            gone = self._database.column(
                "SELECT a.id FROM unnest(%(ids)s::bigint[]) AS a (id) WHERE NOT EXISTS"
                " (SELECT FROM occurrence o WHERE o.sentence_id = a.id)",
                ids=settled,
            )
            self.erase_sentences(gone)
            self._database.run("DELETE FROM loose WHERE sentence_id = ANY(%(ids)s::bigint[])", ids=settled)
        return int(ids[-1])

    def erase_sentences(self, sentence_ids: Sequence[int]) -> None:
        """Erase unused sentences with their vectors, in a transaction."""
        if not sentence_ids:
            return
        self._database.rows(HOLD_VECTORS)
        values = {"ids": sorted(sentence_ids)}
        for model_id in self._database.column(
            "SELECT id FROM model WHERE to_regclass('vector_' || id) IS NOT NULL ORDER BY id"
        ):
            erased = 0
            for part in [VectorPart(0, 1, 0), *read_parts(self._database, model_id)]:
                table = part_table(model_id, part.number)
                count = self._database.run(f"DELETE FROM {table} WHERE sentence_id = ANY(%(ids)s::bigint[])", **values)
                erased += count
                if part.number:
                    add_to_tally(self._database, **{f"dead.{table}": count})
            add_to_tally(self._database, **{f"vectors.{model_id}": -erased})
        self._database.run(
            "INSERT INTO state (name, value) VALUES (%(name)s, pg_current_xact_id()::text::bigint)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name=_ERASED,
        )
        gone = self._database.rows("DELETE FROM sentence WHERE id = ANY(%(ids)s::bigint[]) RETURNING size", **values)
        self._database.value(TELL_SEARCHES)  # those for one of these sentences are erased with it
        add_to_tally(self._database, sentences=-len(gone), terms=-sum(row.size for row in gone))

    def _rebuild(self, *, urgent: bool) -> Steps[None]:
        """Build the graphs anew that still hold something erased."""
        counted = self._database.answer(TALLY)
        for model in self._database.rows("SELECT id, dim FROM model WHERE to_regclass('vector_' || id) IS NOT NULL"):
            for part in read_parts(self._database, model.id):
                table = part_table(model.id, part.number)
                dead = counted.get(f"dead.{table}", 0)
                if not dead:
                    continue
                held = self._database.value(f"SELECT count(*) FROM {table}")
                if urgent or dead >= _DEAD_SHARE * (held + dead):
                    yield from self._sealer.rebuild(model.id, model.dim, part.number)


def _vacuum_tables(database: SharedDatabase) -> None:
    """Take deleted rows out of tables and their indexes, table by table; only where the session's user may.

    Partitions with a graph are built anew instead: what a graph has lost is found by reading all of it.
    """
    tails = database.column("SELECT 'vector_' || id || '_0' FROM model WHERE to_regclass('vector_' || id) IS NOT NULL")
    for table in ("occurrence", "sentence", "passage", "version", "document", *tails):
        if database.value(
            "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%(name)s)", name=table
        ):
            database.run(f"VACUUM (INDEX_CLEANUP ON) {table}")
