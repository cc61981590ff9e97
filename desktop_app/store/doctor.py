"""Checks a library against itself and repairs it.

Every step of a check is short, however large the library is: a search runs between two steps. Tables are read some rows
at a time; what SQLite answers only in one long statement is asked in a thread, on a connection of its own.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from desktop_app.core.annotations import places_from_json
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import LibraryBusy, LibraryDamaged
from desktop_app.core.jobs import Progress, Waiting
from desktop_app.core.messages import NOTHING, Message, join_messages, system_text
from desktop_app.core.records import CheckResult
from desktop_app.core.sentence_corrections import hash_bytes, hash_text
from desktop_app.core.stored_rows import have_unit_length
from desktop_app.store.checksums import vector_checksum
from desktop_app.store.counters import increment_counters, read_counter, read_counters
from desktop_app.store.database import Database, fetch_plain_rows
from desktop_app.store.document_versions import delete_version
from desktop_app.store.half_vectors import lengths_in_bytes, read_vectors
from desktop_app.store.library_models import current_model_id
from desktop_app.store.migrations import DOCUMENT_STATES
from desktop_app.store.schema import (
    AnnotationRow,
    CounterRow,
    DamagedRow,
    DocumentRow,
    EmbeddingRow,
    ModelRow,
    OccurrenceRow,
    PageRow,
    PassageRow,
    SegmentRow,
    SentenceRow,
    TotalRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, ScalarSelect

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.store.index_segment_sealing import SegmentSealer
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.ingest import LocalDocumentIngest
    from desktop_app.store.keyword_index import KeywordIndex

_STEP_ROWS = 500  # between two steps: some milliseconds
_STEP_IDS = 5000
_REST_S = 0.05
_SHOWN = 5

_TEXTS = "SELECT id, hash, CAST(text AS BLOB) FROM sentence WHERE id > ? ORDER BY id LIMIT ?"
_TEXT = "SELECT hash, CAST(text AS BLOB) FROM sentence WHERE id = ?"
_TAKEN = select(SentenceRow.id).where(SentenceRow.hash == bindparam("hash"), SentenceRow.id != bindparam("id"))
_VECTORS = "SELECT id, model_id, vector, checksum FROM embedding WHERE id > ? ORDER BY id LIMIT ?"
# The ids come from an index, without the vectors.
_VECTOR_IDS = (
    "SELECT sentence_id FROM embedding WHERE model_id = ? AND id <= ? AND sentence_id > ? ORDER BY sentence_id LIMIT ?"
)
_VECTORS_SINCE = "SELECT count(*) FROM embedding WHERE model_id = ? AND id > ?"

_NO_PLACE = '{"places": []}'


class Doctor:
    """Checks everything; reads every vector, so it takes a while.

    Each check returns a description of what is wrong, or an empty message. A check may have a repair; after it, the
    check runs again, and the result shown is the state afterwards.
    """

    def __init__(
        self,
        database: Database,
        segments: Segments,
        importing: LocalDocumentIngest,
        sealer: SegmentSealer,
        keywords: KeywordIndex,
    ) -> None:
        self._database = database
        self._keywords = keywords
        self._segments = segments
        self._importing = importing
        self._sealer = sealer
        self._bad_texts: list[int] = []
        self._bad_vectors: list[int] = []

    def check(self, *, repair: bool = False) -> Iterator[CheckResult | Step]:
        """Yield each result as soon as it is known, and between them the steps of the checks.

        Raises:
            LibraryBusy: a repair is needed, but another process is writing.
        """
        if repair and not self._database.writable:
            raise LibraryBusy(
                "The library in {folder} is open as read-only and cannot be repaired",
                "Close the other Kindred that is writing it, then try again.",
                folder=self._database.file.parent,
            )
        checks: tuple[tuple[str, Callable[[], Steps[Message]], Callable[[], None]], ...] = (
            ("database", self._in_thread(self._check_integrity), self._reindex),
            ("references", self._in_thread(self._check_references), self._drop_dangling),
            ("texts", self._check_texts, self._set_aside_damaged),
            ("documents", self._at_once(self._check_unfinished), self._requeue_unfinished),
            ("vectors sound", self._check_vectors, self._drop_bad_vectors),
            ("vectors present", self._in_thread(self._check_missing), self._queue_missing),
            ("counters", self._in_thread(self._check_counters), self._recount),
            ("annotations", self._in_thread(self._check_annotations), self._mend_annotations),
            ("words", self._in_thread(self._keywords.wrong), self._keywords.rebuild),
            ("segment files", self._check_files, self._rebuild),
            ("index", self._check_index, self._rebuild),
            ("orphan files", self._at_once(self._check_orphans), self._segments.files.delete_orphans),
        )
        for name, check, repair_it in checks:
            try:
                found = wrong = yield from check()
                if wrong and repair:
                    repair_it()
                    wrong = yield from check()
            except LibraryDamaged as error:
                found = Message("{message}. {hint}", message=error.message, hint=error.hint)
                yield CheckResult(name, False, found)
                return
            detail = wrong or (Message("repaired: {found}", found=found) if found else NOTHING)
            yield CheckResult(name, not wrong, detail)

    def _at_once(self, check: Callable[[Connection], Message]) -> Callable[[], Steps[Message]]:
        """Return a quick check as one step, in one transaction."""

        def steps() -> Steps[Message]:
            with self._database.read_transaction() as connection:
                found = check(connection)
            yield from ()
            return found

        return steps

    def _in_thread(self, check: Callable[[Connection], Message]) -> Callable[[], Steps[Message]]:
        """Return a check that reads in a thread: one committed state, whatever is written meanwhile."""
        return lambda: _check_in_thread(self._database.file, check)

    def _rows(self, query: str, unit: str) -> Iterator[Progress | Sequence[tuple[Any, ...]]]:
        """Yield the rows of a table in order of id, some at a time, each after the progress.

        Args:
            query: begins with the id; its parameters are the last id that was read and the number of rows.
            unit: the table's name as a counter.
        """
        after = done = 0
        while True:
            with self._database.read_transaction() as connection:
                total = read_counter(connection, unit)
                rows = fetch_plain_rows(connection, query, (after, _STEP_ROWS))
            if not rows:
                return
            after = rows[-1][0]
            done += len(rows)
            yield rows
            yield Progress("checking", done, max(total, done), unit)

    # The database

    def _check_integrity(self, connection: Connection) -> Message:
        # Not quick_check: that misses an index that lost rows of its table.
        rows = connection.exec_driver_sql("PRAGMA integrity_check(5)").scalars().all()
        return NOTHING if list(rows) == ["ok"] else join_messages(*map(system_text, rows))

    def _reindex(self) -> None:
        with self._database.write_transaction() as connection:
            connection.exec_driver_sql("REINDEX")

    def _check_references(self, connection: Connection) -> Message:
        rows = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        tables = sorted({str(row[0]) for row in rows})
        return (
            Message(
                "{count} rows refer to rows that do not exist ({tables})", count=len(rows), tables=", ".join(tables)
            )
            if rows
            else NOTHING
        )

    def _drop_dangling(self) -> None:
        """Delete rows with dangling references, and queue the documents that lost sentences."""
        sentences, versions, models = (select(table.id) for table in (SentenceRow, VersionRow, ModelRow))
        with self._database.write_transaction() as connection:
            hurt = select(OccurrenceRow.version_id).where(OccurrenceRow.sentence_id.not_in(sentences)).distinct()
            _queue_documents(connection, list(connection.execute(hurt).scalars()))
            for table in (PassageRow, OccurrenceRow, PageRow, TotalRow):
                connection.execute(delete(table).where(table.version_id.not_in(versions)))
            gone = or_(EmbeddingRow.sentence_id.not_in(sentences), EmbeddingRow.model_id.not_in(models))
            self._drop_embeddings(connection, list(connection.execute(select(EmbeddingRow.id).where(gone)).scalars()))
            connection.execute(delete(TotalRow).where(TotalRow.model_id.not_in(models)))
            connection.execute(delete(SegmentRow).where(SegmentRow.model_id.not_in(models)))
            lost = VersionRow.document_id.not_in(select(DocumentRow.id))
            for version_id in connection.execute(select(VersionRow.id).where(lost)).scalars().all():
                delete_version(connection, version_id)
        self._segments.forget()

    # Texts

    def _check_texts(self) -> Steps[Message]:
        """Compare every text with its hash. It is read as bytes: damaged ones may be no text at all."""
        self._bad_texts = []
        for step in self._rows(_TEXTS, "sentences"):
            if isinstance(step, Progress):
                yield step
            else:
                self._bad_texts += [number for number, kept, text in step if hash_bytes(text) != kept]
        if self._bad_texts:
            return Message("{count} sentences have changed since they were stored", count=len(self._bad_texts))
        return (yield from self._in_thread(self._check_waiting)())

    def _check_waiting(self, connection: Connection) -> Message:
        """Name documents that were read again, or could not be, and still show a damaged sentence."""
        waiting = (
            select(DocumentRow.id)
            .join(OccurrenceRow, OccurrenceRow.version_id == DocumentRow.live_id)
            .join(DamagedRow, DamagedRow.sentence_id == OccurrenceRow.sentence_id)
            .where(is_not_removed(), DocumentRow.state != "queued")
        )
        ids = list(connection.execute(waiting.distinct()).scalars())
        return (
            Message(
                "{count} documents with damaged sentences could not be read again: {ids}",
                count=len(ids),
                ids=_list_some(ids),
            )
            if ids
            else NOTHING
        )

    def _set_aside_damaged(self) -> None:
        """Queue the documents with damaged sentences, so that their files are read again.

        Until then the damaged text stays, with a hash of its own: the text that is read becomes another sentence, and
        a person's judgements move to it. If a file has gone, nothing but the damaged letters is lost.
        """
        with self._database.write_transaction() as connection:
            for number in self._bad_texts:
                kept, stored = connection.exec_driver_sql(_TEXT, (number,)).one()
                text = stored.decode("utf-8", "replace")
                while connection.execute(_TAKEN, {"hash": hash_text(text), "id": number}).first() is not None:
                    text += " "  # another sentence says just that
                connection.execute(insert(DamagedRow).prefix_with("OR IGNORE").values(sentence_id=number, hash=kept))
                connection.execute(
                    update(SentenceRow).where(SentenceRow.id == number).values(hash=hash_text(text), text=text)
                )
            damaged = select(OccurrenceRow.version_id).where(
                OccurrenceRow.sentence_id.in_(select(DamagedRow.sentence_id))
            )
            _queue_documents(connection, list(connection.execute(damaged.distinct()).scalars()))

    # Documents and counters

    def _check_unfinished(self, connection: Connection) -> Message:
        """Name documents that are half imported while no import of this process works on them."""
        halfway = or_(DocumentRow.building_id.is_not(None), DocumentRow.state.in_(("reading", "embedding")))
        gone = DocumentRow.live_id.is_not(None) & DocumentRow.live_id.not_in(select(VersionRow.id))
        # A document removed during its import waits for the purge, or is queued when it is restored.
        halfway &= is_not_removed()
        query = select(DocumentRow.id).where(or_(gone, halfway) if self._database.writable else gone)
        ids = [i for i in connection.execute(query).scalars() if i not in self._importing.active]
        return (
            Message("{count} documents are stuck in an import: {ids}", count=len(ids), ids=_list_some(ids))
            if ids
            else NOTHING
        )

    def _requeue_unfinished(self) -> None:
        self._importing.recover()
        gone = DocumentRow.live_id.is_not(None) & DocumentRow.live_id.not_in(select(VersionRow.id))
        with self._database.write_transaction() as connection:
            connection.execute(update(DocumentRow).where(gone).values(live_id=None, sentences=0, state="queued"))

    def _check_counters(self, connection: Connection) -> Message:
        kept, true = read_counters(connection), _count_rows(connection)
        differing = [name for name in true if kept.get(name) != true[name]]
        wrong = [
            Message("counter {name}: {found} instead of {true}", name=name, found=kept.get(name), true=true[name])
            for name in differing
        ]
        # A document that a purge has begun to erase has already lost some sentences.
        own = or_(DocumentRow.live_id == VersionRow.id, DocumentRow.building_id == VersionRow.id)
        query = (
            select(VersionRow.id)
            .join(DocumentRow, DocumentRow.id == VersionRow.document_id)
            .where(own, VersionRow.sentences != _is_live())
        )
        versions = connection.execute(query).scalars().all()
        if versions:
            wrong.append(Message("{count} documents have a wrong number of sentences", count=len(versions)))
        return join_messages(*wrong)

    def _recount(self) -> None:
        with self._database.write_transaction() as connection:
            connection.execute(update(VersionRow).values(sentences=_is_live()))
            live = select(VersionRow.sentences).where(VersionRow.id == DocumentRow.live_id).scalar_subquery()
            connection.execute(update(DocumentRow).values(sentences=func.coalesce(live, 0)))
            for name, value in _count_rows(connection).items():
                connection.execute(delete(CounterRow).where(CounterRow.name == name))
                connection.execute(insert(CounterRow).values(name=name, value=value))

    def _check_annotations(self, connection: Connection) -> Message:
        lost, damaged = _find_bad_annotations(connection)
        return join_messages(
            Message("{count} highlights belong to no document", count=len(lost)) if lost else NOTHING,
            Message("The position of {count} highlights is damaged", count=len(damaged)) if damaged else NOTHING,
        )

    def _mend_annotations(self) -> None:
        """Delete annotations without a document; those with a damaged place are found by their words."""
        with self._database.write_transaction() as connection:
            lost, damaged = _find_bad_annotations(connection)
            connection.execute(delete(AnnotationRow).where(AnnotationRow.id.in_(values_subquery(lost))))
            connection.execute(
                update(AnnotationRow).where(AnnotationRow.id.in_(values_subquery(damaged))).values(place=_NO_PLACE)
            )

    # Vectors

    def _check_vectors(self) -> Steps[Message]:
        """Check length, direction and checksum of every vector."""
        with self._database.read_transaction() as connection:
            dims = {row.id: row.dim for row in connection.execute(select(ModelRow.id, ModelRow.dim))}
        unsound: list[int] = []
        changed: list[int] = []
        for step in self._rows(_VECTORS, "vectors"):
            if isinstance(step, Progress):
                yield step
                continue
            whole: dict[int, list[tuple[int, bytes]]] = {}
            for number, model_id, vector, checksum in step:
                if model_id in dims and len(vector) in lengths_in_bytes(dims[model_id]):
                    whole.setdefault(model_id, []).append((number, vector))
                else:
                    unsound.append(number)
                if checksum is not None and vector_checksum(vector) != checksum:
                    changed.append(number)
            for model_id, own in whole.items():
                vectors = read_vectors([vector for _, vector in own], dims[model_id])
                is_sound = have_unit_length(vectors).tolist()
                unsound += [number for (number, _), sound in zip(own, is_sound, strict=True) if not sound]
        self._bad_vectors = list({*unsound, *changed})
        wrong = [
            Message("{count} vectors have a wrong length or are not of length 1", count=len(unsound))
            if unsound
            else NOTHING,
            Message("{count} vectors have changed since they were stored", count=len(changed)) if changed else NOTHING,
        ]
        return join_messages(*wrong)

    def _drop_bad_vectors(self) -> None:
        with self._database.write_transaction() as connection:
            self._drop_embeddings(connection, self._bad_vectors)
        self._segments.forget()

    def _drop_embeddings(self, connection: Connection, ids: list[int]) -> None:
        """Delete vectors; the segments that contain them will be rebuilt."""
        if ids:
            rows = connection.execute(
                select(EmbeddingRow.id, EmbeddingRow.model_id).where(EmbeddingRow.id.in_(values_subquery(ids)))
            ).all()
            marks, model_ids = [row.id for row in rows], [row.model_id for row in rows]
            self._segments.note_erased(connection, marks, model_ids, sentences_stay=True)
            connection.execute(delete(EmbeddingRow).where(EmbeddingRow.id.in_(values_subquery(ids))))
            own = current_model_id(connection)
            increment_counters(connection, vectors=-sum(row.model_id == own for row in rows))

    def _versions_without_vector(self, connection: Connection) -> list[int]:
        """Return the live versions that show a sentence without a vector."""
        model = select(ModelRow.id).where(ModelRow.current).scalar_subquery()
        vector = select(EmbeddingRow.id).where(
            EmbeddingRow.sentence_id == OccurrenceRow.sentence_id, EmbeddingRow.model_id == model
        )
        query = (
            select(OccurrenceRow.version_id)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            # A queued document will be read again; until then the rest of it stays searchable.
            .where(is_not_removed(), DocumentRow.state != "queued", ~vector.exists())
        )
        return list(connection.execute(query.distinct()).scalars())

    def _check_missing(self, connection: Connection) -> Message:
        versions = self._versions_without_vector(connection)
        return (
            Message("{count} documents have sentences without a vector", count=len(versions)) if versions else NOTHING
        )

    def _queue_missing(self) -> None:
        with self._database.write_transaction() as connection:
            _queue_documents(connection, self._versions_without_vector(connection))

    # The index

    def _check_files(self) -> Steps[Message]:
        bad = yield from self._segments.files.find_bad()
        return (
            Message("{count} segment files are missing or changed: {bad}", count=len(bad), bad=_list_some(bad))
            if bad
            else NOTHING
        )

    def _check_index(self) -> Steps[Message]:
        """Compare the stored vectors with the index, some ids at a time.

        What is added meanwhile does not count; if something is erased meanwhile, the comparison starts again.
        """
        yield from self._segments.preload()
        while True:
            with self._database.read_transaction() as connection:
                if self._segments.index(connection) is None:
                    return NOTHING  # no model, and no vectors
                last_id = connection.execute(select(func.max(EmbeddingRow.id))).scalar_one() or 0
                before = self._count_older(connection, last_id)
            missing, held = yield from self._compare_ids(last_id)
            with self._database.read_transaction() as connection:
                if self._segments.index(connection) is None or self._count_older(connection, last_id) != before:
                    continue
                model_id, _ = self._segments.model_and_dim
                added = int(fetch_plain_rows(connection, _VECTORS_SINCE, (model_id, last_id))[0][0])
                extra = self._segments.searchable(connection) - added - held
            wrong = [Message("{missing} vectors are not in the index", missing=missing)] if missing else []
            # Erased rows that a graph still holds until its rebuild are known, and do not count.
            if extra:
                wrong.append(Message("the index has {extra} stale or duplicate entries", extra=extra))
            return join_messages(*wrong)

    def _count_older(self, connection: Connection, last_id: int) -> tuple[int, int]:
        """Return the model of the index, and a number that changes when one of its vectors up to an id is erased."""
        model_id, _ = self._segments.model_and_dim
        added = fetch_plain_rows(connection, _VECTORS_SINCE, (model_id, last_id))[0][0]
        return model_id, read_counter(connection, "vectors") - int(added)

    def _compare_ids(self, last_id: int) -> Steps[tuple[int, int]]:
        """Return how many of the vectors up to an id the index lacks, and how many it has."""
        missing = held = after = 0
        while True:
            with self._database.read_transaction() as connection:
                index = self._segments.index(connection)
                if index is None:
                    return missing, held
                model_id, _ = self._segments.model_and_dim
                rows = fetch_plain_rows(connection, _VECTOR_IDS, (model_id, last_id, after, _STEP_IDS))
            if not rows:
                return missing, held
            is_held = index.contains(np.fromiter((row[0] for row in rows), np.int64, len(rows)))
            held += int(is_held.sum())
            missing += int((~is_held).sum())
            after = rows[-1][0]
            yield None

    def _rebuild(self) -> None:
        """Reload the index and rebuild bad segments; waits for the builds."""
        with self._database.write_transaction() as connection:
            self._segments.recount(connection)
        self._segments.forget()
        self._sealer.retry()
        for steps in (self._segments.preload(), self._sealer.rebuild(urgent=True)):
            for step in steps:
                if isinstance(step, Waiting):
                    self._sealer.rest(_REST_S)

    def _check_orphans(self, connection: Connection) -> Message:
        orphans = [file.name for file in self._segments.files.orphans(connection)]
        # While another process writes, they may belong to a segment that it is building.
        if not orphans or not self._database.writable:
            return NOTHING
        return Message(
            "{count} files belong to no segment: {orphans}",
            count=len(orphans),
            orphans=_list_some(orphans),
        )


def _check_in_thread(file: Path, check: Callable[[Connection], Message]) -> Steps[Message]:
    """Run a check in a thread, on a connection of its own, which only reads; whoever stops here interrupts it."""
    opened: list[Database] = []

    def run() -> Message:
        database = Database(file, writable=False)
        opened.append(database)
        with closing(database), database.read_transaction() as connection:
            return check(connection)

    def interrupt() -> None:
        for database in opened:
            database.interrupt()

    return run_in_thread(run, interrupt)


def _find_bad_annotations(connection: Connection) -> tuple[list[int], list[int]]:
    """Return the annotations without a document, and those whose place cannot be read."""
    ids = select(DocumentRow.id)
    lost = connection.execute(select(AnnotationRow.id).where(AnnotationRow.document_id.not_in(ids))).scalars().all()
    damaged = []
    for row in connection.execute(select(AnnotationRow.id, AnnotationRow.place)):
        try:
            places_from_json(row.place)
        except ValueError:
            damaged.append(row.id)
    return list(lost), damaged


def _queue_documents(connection: Connection, version_ids: list[int]) -> None:
    """Set the documents of these versions back to `queued`, so that the next import reads them even if unchanged."""
    connection.execute(
        update(VersionRow).where(VersionRow.id.in_(values_subquery(version_ids))).values(content_hash=None)
    )
    connection.execute(
        update(DocumentRow)
        .where(DocumentRow.live_id.in_(values_subquery(version_ids)))
        .values(state="queued", reason=None, message="")
    )
    existing = select(SentenceRow.id)
    lost = OccurrenceRow.version_id.in_(values_subquery(version_ids)) & OccurrenceRow.sentence_id.not_in(existing)
    connection.execute(delete(OccurrenceRow).where(lost))


def _is_live() -> ScalarSelect[int]:
    return (
        select(func.count())
        .select_from(OccurrenceRow)
        .where(OccurrenceRow.version_id == VersionRow.id)
        .scalar_subquery()
    )


def _count_rows(connection: Connection) -> dict[str, int]:
    """Compute the counters from the tables, the slow way."""

    def count(table: Any, *conditions: Any) -> int:
        return int(connection.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one())

    shown = select(OccurrenceRow.ordinal).join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
    counted = {
        "sentences": count(SentenceRow),
        "vectors": count(EmbeddingRow, EmbeddingRow.model_id == current_model_id(connection)),
        "occurrences": count(shown.where(is_not_removed()).subquery()),
    }
    for state in DOCUMENT_STATES:
        counted[f"documents.{state}"] = count(DocumentRow, DocumentRow.state == state, is_not_removed())
    return counted


def _list_some(things: list[int] | list[str]) -> str:
    return ", ".join(map(str, things[:_SHOWN])) + (" ..." if len(things) > _SHOWN else "")
