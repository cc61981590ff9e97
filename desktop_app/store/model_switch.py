"""Switches a library to another model: new vectors next to the old ones, then one transaction.

Until that transaction everything a person sees comes from the old model. The new one's vectors, segments and document
sums are rows that nothing reads yet. Each is committed as it is made, so a switch that was stopped or killed continues
where it was. Afterwards the old model's rows are useless, and the next purge erases them; the model itself stays known,
so that a person can switch back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.models import AffectedDocument, ModelSwitch
from desktop_app.core.stored_rows import STOPPED, UNDER_WAY, assert_unit_rows, model_info_from_row, places_from_row
from desktop_app.core.stored_text import to_storable_text
from desktop_app.store.checksums import vector_checksum
from desktop_app.store.counters import increment_counters, read_counter, set_counter
from desktop_app.store.document_sums import move_sums
from desktop_app.store.document_versions import (
    GIVEN_UP,
    add_truncated,
    clear_version,
    delete_version,
    recount_truncated,
)
from desktop_app.store.half_vectors import to_halves
from desktop_app.store.library_models import read_previous_model, save_previous_model, upsert_model
from desktop_app.store.schema import (
    DocumentRow,
    EmbeddingRow,
    ModelRow,
    NextTotalRow,
    OccurrenceRow,
    SentenceRow,
    TotalRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import values_subquery
from desktop_app.store.sentences import read_sentence_vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Mapping, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.messages import Message
    from desktop_app.core.records import ModelInfo
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.index_segment_sealing import SegmentSealer
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.ingest import LocalDocumentIngest
    from desktop_app.store.library_models import LocalLibraryModels
    from desktop_app.store.purge import Eraser
    from desktop_app.store.sentences import LocalSentenceStore


_LOOK_AT, _COUNTED = 2048, 50_000
_SUM_SENTENCES = 1000
_FLUSHED_VECTORS = 1500  # with their indexes some 600 pages of the log, in commits of 32; SQLite moves it from 1,000 on
_SUMS_A_FLUSH = 200  # two pages each
_AFFECTED_COLUMNS = (
    DocumentRow.id.label("document_id"),
    DocumentRow.path,
    DocumentRow.removed_at,
    DocumentRow.live_id,
)


class LocalModelSwitching:
    """Implements `core.library.ModelSwitching`."""

    def __init__(
        self,
        database: Database,
        models: LocalLibraryModels,
        sentences: LocalSentenceStore,
        segments: Segments,
        sealer: SegmentSealer,
        rejected: RejectedSentences,
    ) -> None:
        self.affected_documents = rejected.affected_documents
        self.needed_by_imports = rejected.needed_by_imports
        self._rejected = rejected
        self._database = database
        self._models = models
        self._sentences = sentences
        self._segments = segments
        self._sealer = sealer
        self._prepared = -1
        """The last sentence that had a vector when the new index was loaded into memory."""
        self._erasures = -1
        self._unflushed = 0
        """Vectors stored since the log was moved."""
        self._refused: frozenset[int] = frozenset()

    @property
    def target(self) -> ModelSwitch | None:
        """The switch under way; None if there is none."""
        with self._database.read_transaction() as connection:
            row = self._row(connection)
        return None if row is None else ModelSwitch(model_info_from_row(row), row.switching == STOPPED)

    @property
    def previous(self) -> ModelInfo | None:
        """The library's previous model; None if there is none."""
        with self._database.read_transaction() as connection:
            row = read_previous_model(connection)
        return None if row is None else model_info_from_row(row)

    def _row(self, connection: Connection) -> AnyRow | None:
        return connection.execute(select(ModelRow.__table__).where(ModelRow.switching != "")).one_or_none()

    def begin(self, model: ModelInfo) -> None:
        """Begin or continue the switch to `model`; drops another switch.

        Switching to the library's own model ends the switch.
        """
        own = self._models.current
        if own is not None and own.fingerprint == model.fingerprint:
            self.give_up()
            self._models.bind(model)
            return
        with self._database.read_transaction() as connection:
            empty = not read_counter(connection, "vectors")
        if empty:
            self.give_up()
            self._models.bind(model)
            return
        with self._database.write_transaction() as connection:
            others = update(ModelRow).where(ModelRow.fingerprint != model.fingerprint, ModelRow.switching != "")
            connection.execute(others.values(switching=""))
            upsert_model(connection, model, current=False, switching=UNDER_WAY)
        self._prepared = -1

    def stop(self) -> None:
        """Record that a person stopped the switch: it continues when `begin` is called again, not by itself."""
        with self._database.write_transaction() as connection:
            connection.execute(update(ModelRow).where(ModelRow.switching != "").values(switching=STOPPED))

    def give_up(self) -> None:
        """Drop the switch; the next purge erases its vectors."""
        with self._database.write_transaction() as connection:
            connection.execute(update(ModelRow).where(ModelRow.switching != "").values(switching=""))

    # New vectors

    def without_new_vector(self, after: int, limit: int) -> tuple[list[tuple[int, str]], int | None]:
        """Return sentences without a vector of the new model; see `core.library.ModelSwitching`."""
        with self._database.read_transaction() as connection:
            model = self._row(connection)
            if model is None:
                return [], None
            query = select(SentenceRow.id, SentenceRow.text).where(SentenceRow.id > after)
            rows = connection.execute(query.order_by(SentenceRow.id).limit(limit)).all()
            if not rows:
                return [], None
            embedded = self._sentences.embedded(connection, [row.id for row in rows], model.id)
        return [(row.id, row.text) for row in rows if row.id not in embedded], rows[-1].id

    def append(
        self, sentence_ids: Sequence[int], vectors: NDArray[np.float32], truncated: Collection[int] = ()
    ) -> None:
        """Store vectors of the new model; skips sentences that are gone or already have one."""
        with self._database.write_transaction() as connection:
            model = self._row(connection)
            if model is None:
                raise ValueError("no switch is under way")
            assert_unit_rows(vectors, len(sentence_ids), model.dim)
            here = select(SentenceRow.id).where(SentenceRow.id.in_(values_subquery(sentence_ids)))
            wanted = set(connection.execute(here).scalars())
            wanted -= self._sentences.embedded(connection, list(sentence_ids), model.id)
            rows = to_halves(vectors)
            values = [
                {
                    "sentence_id": sentence_id,
                    "model_id": model.id,
                    "vector": vector,
                    "checksum": vector_checksum(vector),
                }
                for sentence_id, vector in zip(sentence_ids, map(bytes, rows), strict=True)
                if sentence_id in wanted
            ]
            if values:
                connection.execute(insert(EmbeddingRow), values)
            add_truncated(connection, model.id, [i for i in sentence_ids if i in wanted and i in truncated])
        self._unflushed += len(values)

    def flush(self) -> Steps[None]:
        """Move the log into the database before a commit does so; see `core.library.ModelSwitching`."""
        if self._unflushed >= _FLUSHED_VECTORS:
            self._unflushed = 0
            yield from self._database.move_log()

    # Everything else the new model needs

    def prepare(self, refused: Collection[int] = ()) -> Steps[None]:
        """Build the new model's segments and document sums, and load its index into memory.

        `refused` are sentences that need no vector: `complete` erases them.
        """
        with self._database.read_transaction() as connection:
            model = self._row(connection)
        if model is None:
            return
        yield from move_sums(self._database)  # of the switch before: they would be overwritten
        yield from self._database.move_log()  # otherwise a commit that stores a graph or a sum does so
        erasures = self._segments.erasures
        without = frozenset(refused)
        marks, last = yield from self._marks(model.id, without)
        with self._database.read_transaction() as connection:
            sealed = max((row.last_id for row in self._segments.rows(connection, model.id)), default=0)
        loose = marks[marks > sealed]
        size = self._sealer.tail_rows
        spans = [(int(loose[at]), int(loose[at + size - 1])) for at in range(0, len(loose) - size + 1, size)]
        yield from self._sealer.seal_next(model.id, model.dim, spans)
        yield from self._sum_up(model.id, model.dim)
        yield from self._segments.preload_next_model(model.id, model.dim)
        self._prepared, self._erasures, self._refused = last, erasures, without

    def _marks(self, model_id: int, without: frozenset[int]) -> Generator[Step, None, tuple[NDArray[np.int64], int]]:
        """Return the ids of the new embeddings, ascending, and the last sentence up to which none is missing."""
        marks = [np.empty(0, np.int64)]
        after, whole, is_whole = 0, 0, True
        while True:
            with self._database.read_transaction() as connection:
                query = select(SentenceRow.id).where(SentenceRow.id > after)
                ids = connection.execute(query.order_by(SentenceRow.id).limit(_LOOK_AT)).scalars().all()
                if not ids:
                    break
                # Answered by the index on sentences alone: no vector is read.
                own = (EmbeddingRow.sentence_id.between(ids[0], ids[-1]), EmbeddingRow.model_id == model_id)
                found = connection.execute(select(EmbeddingRow.id).where(*own)).scalars().all()
            marks.append(np.asarray(found, np.int64))
            is_whole = is_whole and len(found) == len(set(ids) - without)
            after = ids[-1]
            whole = after if is_whole else whole
            yield None
        # Beside the engine: of a million, this would be a long step.
        return (yield from run_in_thread(lambda: np.sort(np.concatenate(marks)))), whole

    def _sum_up(self, model_id: int, dim: int) -> Steps[None]:
        """Sum the new vectors of each version whose sum is missing or outdated."""
        with self._database.read_transaction() as connection:
            due = list(connection.execute(self._stale(model_id)).scalars())
        yield None
        for number, version_id in enumerate(due, start=1):
            total = np.zeros(dim)
            ordinal = -1
            with self._database.read_transaction() as connection:
                own = select(TotalRow.changed).where(TotalRow.version_id == version_id)
                changed = connection.execute(own).scalar_one_or_none()
            while changed is not None:
                with self._database.read_transaction() as connection:
                    query = (
                        select(OccurrenceRow.ordinal, OccurrenceRow.sentence_id)
                        .where(OccurrenceRow.version_id == version_id, OccurrenceRow.ordinal > ordinal)
                        .order_by(OccurrenceRow.ordinal)
                        .limit(_SUM_SENTENCES)
                    )
                    rows = connection.execute(query).all()
                    if not rows:
                        break
                    ordinal = rows[-1].ordinal
                    ids, times = np.unique([row.sentence_id for row in rows], return_counts=True)
                    vectors = read_sentence_vectors(connection, ids.tolist(), model_id)
                for sentence_id, count in zip(ids.tolist(), times.tolist(), strict=True):
                    if sentence_id in vectors:
                        total += vectors[sentence_id].astype(np.float64) * count
                yield None
            if changed is not None:
                self._keep_sum(version_id, model_id, changed, total)
            yield None
            if number % _SUMS_A_FLUSH == 0:
                yield from self._database.move_log()

    def _keep_sum(self, version_id: int, model_id: int, changed: int, total: NDArray[np.float64]) -> None:
        values = {
            "version_id": version_id,
            "model_id": model_id,
            "changed": changed,
            "vector": total.astype("<f4").tobytes(),
        }
        with self._database.write_transaction() as connection:
            still = select(TotalRow.changed).where(TotalRow.version_id == version_id)
            if connection.execute(still).scalar_one_or_none() == changed:
                statement = upsert(NextTotalRow).values(values)
                connection.execute(statement.on_conflict_do_update(index_elements=["version_id"], set_=values))

    def _stale(self, model_id: int) -> AnyRow:
        fresh = (NextTotalRow.version_id == TotalRow.version_id) & (NextTotalRow.model_id == model_id)
        unlike = or_(NextTotalRow.version_id.is_(None), NextTotalRow.changed != TotalRow.changed)
        return select(TotalRow.version_id).outerjoin(NextTotalRow, fresh).where(unlike)

    # The switch itself

    def complete(self, messages: Mapping[int, Message] | None = None) -> bool:
        """Switch in one transaction; returns False, without a change, if anything changed since `prepare`.

        Documents with a refused sentence fail in the same transaction, each with its message from `messages`.
        """
        with self._database.postpone_checkpoint(), self._database.write_transaction() as connection:
            model = self._row(connection)
            if model is None or self._prepared < 0 or self._erasures != self._segments.erasures:
                return False
            newer = select(SentenceRow.id).where(SentenceRow.id > self._prepared).limit(1)
            if connection.execute(newer).first() or connection.execute(self._stale(model.id).limit(1)).first():
                return False
            if self._refused and not self._rejected.fail(connection, self._refused, messages or {}):
                return False
            save_previous_model(connection)
            connection.execute(update(ModelRow).values(current=False))
            connection.execute(update(ModelRow).where(ModelRow.id == model.id).values(current=True, switching=""))
            # The sums in `next_total` are in use from here on, see `document_sums`.
            recount_truncated(connection)
            # Every sentence has a vector, otherwise this point is not reached.
            set_counter(connection, "vectors", read_counter(connection, "sentences"))
            increment_counters(connection, segments=1)
        self._prepared = -1
        self._models.forget()
        self._segments.retire_index()
        self._segments.use_preloaded_index()
        return True

    def count_done(self) -> Generator[Step, None, int]:
        """Return how many sentences have a vector of the new model; see `core.library.ModelSwitching`."""
        count = looked_at = 0
        while True:
            with self._database.read_transaction() as connection:
                model = self._row(connection)
                last = connection.execute(select(func.max(SentenceRow.id))).scalar_one() or 0
                if model is None or looked_at >= last:
                    return count if model is not None else 0
                # Answered by the index on sentences alone: no vector is read.
                within = EmbeddingRow.sentence_id > looked_at, EmbeddingRow.sentence_id <= looked_at + _COUNTED
                own = select(func.count()).select_from(EmbeddingRow).where(EmbeddingRow.model_id == model.id, *within)
                count += connection.execute(own).scalar_one()
            looked_at += _COUNTED
            yield None


class RejectedSentences:
    """Sentences for which the new model gives no usable vector, and the documents that fail because of them.

    Every sentence of a library needs a vector, so such a sentence would block a switch forever. Its documents fail in
    the transaction that switches: until then the old model answers, and has vectors of all of them. They stay in
    the list with the reason, and can be read again with another model.
    """

    def __init__(
        self, database: Database, importing: LocalDocumentIngest, sentences: LocalSentenceStore, eraser: Eraser
    ) -> None:
        self._database = database
        self._importing = importing
        self._sentences = sentences
        self._eraser = eraser

    def affected_documents(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents that contain any of these sentences, removed ones included."""
        with self._database.read_transaction() as connection:
            rows = self._rows(connection, sentence_ids)
        active = self._importing.active
        return [
            AffectedDocument(
                row.document_id,
                row.path,
                row.sentence_id,
                places_from_row(row)[0],
                row.removed_at is not None,
                row.document_id in active,
            )
            for row in rows
        ]

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return the sentences that an import under way expects to be stored, and will not bring again."""
        return {sentence_id for sentence_id in sentence_ids if sentence_id in self._sentences.promised}

    def fail(self, connection: Connection, sentence_ids: Collection[int], messages: Mapping[int, Message]) -> bool:
        """Make the documents with these sentences fail, and erase the sentences.

        Only for the transaction that switches: until then the documents are complete for the old model.

        Args:
            connection: of that transaction.
            sentence_ids: the sentences without a vector of the new model.
            messages: the message for each document, by id.

        Returns:
            False, without a change, if a document has no message, or an import is working on one.
        """
        rows = self._rows(connection, sentence_ids)
        active = self._importing.active
        if self.needed_by_imports(sentence_ids) or any(
            row.document_id in active or row.document_id not in messages for row in rows
        ):
            return False
        for row in rows:
            self._fail(connection, row, messages[row.document_id])
        # A purge may have erased some of them in the meantime.
        here = select(SentenceRow.id).where(SentenceRow.id.in_(values_subquery(list(sentence_ids))))
        self._eraser.erase_within(connection, connection.execute(here).scalars().all())
        return True

    def _rows(self, connection: Connection, sentence_ids: Collection[int]) -> Sequence[AnyRow]:
        """Return a row for each document that contains one of them: its own columns and the first occurrence."""
        query = (
            select(OccurrenceRow.__table__, *_AFFECTED_COLUMNS)
            .join(VersionRow, VersionRow.id == OccurrenceRow.version_id)
            .join(DocumentRow, DocumentRow.id == VersionRow.document_id)
            .where(OccurrenceRow.sentence_id.in_(values_subquery(list(sentence_ids))))
            .order_by(DocumentRow.id, OccurrenceRow.version_id, OccurrenceRow.ordinal)
        )
        first: dict[int, AnyRow] = {}
        for row in connection.execute(query):
            first.setdefault(row.document_id, row)
        return list(first.values())

    def _fail(self, connection: Connection, row: AnyRow, message: Message) -> None:
        own = DocumentRow.id == row.document_id
        # Otherwise it is being purged, and nothing about it may be stored any more.
        if row.removed_at is None or row.removed_at > GIVEN_UP:
            values = {"state": "failed", "reason": "no_vector", "message": to_storable_text(message.to_text())}
            connection.execute(update(DocumentRow).where(own).values(**values, building_id=None, sentences=0))
        versions = select(VersionRow.id).where(VersionRow.document_id == row.document_id)
        for version_id in connection.execute(versions).scalars().all():
            if version_id != row.live_id:
                delete_version(connection, version_id)
        if row.live_id is not None:
            clear_version(connection, row.live_id)
            # Without the content hash: nothing of it is stored, so the file must not count as unchanged.
            connection.execute(
                update(VersionRow)
                .where(VersionRow.id == row.live_id)
                .values(content_hash=None, sentences=0, truncated=0)
            )
