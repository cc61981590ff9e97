"""The models that a library has vectors of; usually only its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from desktop_app.core.errors import ModelMismatch
from desktop_app.core.stored_rows import model_info_from_row
from desktop_app.store.counters import mark_erased_traces, read_counter, upsert_counter
from desktop_app.store.document_sums import move_sums
from desktop_app.store.schema import EmbeddingRow, ModelRow, SegmentRow, TotalRow, TruncatedRow
from desktop_app.store.scope_conditions import values_subquery

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from desktop_app.core.jobs import Steps
    from desktop_app.core.records import ModelInfo
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments

_STEP_VECTORS, _STEP_LOOK_AT = 250, 50_000
_ERASED_A_FLUSH = 12  # some 60 pages of the log each; SQLite moves it from 1,000 on
_PREVIOUS = "previous_model"


class LocalLibraryModels:
    """Implements `core.library.LibraryModels` on the rows of `model`."""

    def __init__(self, database: Database, segments: Segments) -> None:
        self._database = database
        self._segments = segments
        self._current: ModelInfo | None = None
        self._read: tuple[tuple[int, int], ModelInfo | None] | None = None  # what a reader has read, and when

    @property
    def current(self) -> ModelInfo | None:
        """The encoder of this library's vectors; None while it has none."""
        # Every step of an import reads this. The only writer knows when it changes; a reader asks whether anything has.
        if self._current is not None:
            return self._current
        state = self._database.documents_state()
        if self._read is not None and self._read[0] == state:
            return self._read[1]
        with self._database.read_transaction() as connection:
            row = connection.execute(select(ModelRow.__table__).where(ModelRow.current)).one_or_none()
        found = None if row is None else model_info_from_row(row)
        if self._database.writable:
            self._current = found
        else:
            self._read = state, found
        return found

    def forget(self) -> None:
        """Drop the cached model after a change."""
        self._current = None

    def bind(self, model: ModelInfo) -> None:
        """Make `model` the library's encoder.

        Raises:
            ModelMismatch: the library has vectors of another one.
        """
        own = self.current
        if own == model:
            return
        with self._database.read_transaction() as connection:
            vectors = read_counter(connection, "vectors")
        if own is not None and own.fingerprint != model.fingerprint and vectors:
            raise ModelMismatch(
                "This library's vectors come from {name}, not from {model_name}",
                "Use {name}, or switch the library with `models use`.",
                name=own.name,
                model_name=model.name,
            )
        if not self._database.writable:
            return  # only the writer records where the model was loaded from
        with self._database.write_transaction() as connection:
            connection.execute(update(ModelRow).values(current=False))
            upsert_model(connection, model, current=True, switching="")
        self.forget()
        self._segments.forget()

    def count_vectors(self) -> dict[str, int]:
        """Return the number of vectors of each model, by fingerprint."""
        with self._database.read_transaction() as connection:
            rows = connection.execute(
                select(ModelRow.id, ModelRow.fingerprint, ModelRow.current, ModelRow.switching)
            ).all()
            if not any(row.switching for row in rows):  # vectors of other models are due to be erased and do not count
                return {row.fingerprint: read_counter(connection, "vectors") for row in rows if row.current}
            query = select(EmbeddingRow.model_id, func.count()).group_by(EmbeddingRow.model_id)
            counted = {model_id: count for model_id, count in connection.execute(query)}
            return {row.fingerprint: counted.get(row.id, 0) for row in rows if row.current or row.switching}


def upsert_model(connection: Connection, model: ModelInfo, **more: object) -> None:
    """Insert or update the row of a model."""
    values = {
        "name": model.name,
        "dim": model.dim,
        "max_length": model.max_length,
        "pooling": model.pooling,
        "normalised": model.normalised,
        "folder": model.folder,
        **more,
    }
    known = ModelRow.fingerprint == model.fingerprint
    if not connection.execute(update(ModelRow).where(known).values(values)).rowcount:
        connection.execute(insert(ModelRow).values(fingerprint=model.fingerprint, **values))


def current_model_id(connection: Connection) -> int | None:
    """Return the id of the library's own model."""
    return connection.execute(select(ModelRow.id).where(ModelRow.current)).scalar_one_or_none()


def save_previous_model(connection: Connection) -> None:
    """Record the current model as the previous one, in the transaction that replaces it."""
    upsert_counter(connection, _PREVIOUS, current_model_id(connection) or 0)


def read_previous_model(connection: Connection) -> AnyRow | None:
    """Return the row of the library's previous model; None if there is none."""
    own = ModelRow.id == read_counter(connection, _PREVIOUS)
    return connection.execute(select(ModelRow.__table__).where(own, ~ModelRow.current)).one_or_none()


def erase_other_models(database: Database, segments: Segments) -> Steps[None]:
    """Erase vectors and graphs of models that are neither current nor being switched to; every step commits.

    A person may ask for such a model again between two steps: then what is left of it is kept. The library's previous
    model stays known.
    """
    yield from move_sums(database)
    with database.read_transaction() as connection:
        others = select(ModelRow.id).where(~ModelRow.current, ModelRow.switching == "")
        model_ids = list(connection.execute(others).scalars())
    for model_id in model_ids:
        yield None
        after = erased = 0
        while True:
            # Segments first, also those built meanwhile: no graph has vectors that are gone.
            if not _erase_last_segment(database, segments, model_id):
                looked_at = _erase_vectors(database, model_id, after)
                if looked_at is None:
                    break
                after = looked_at
                erased += 1
            yield None
            if erased % _ERASED_A_FLUSH == _ERASED_A_FLUSH - 1:
                yield from database.move_log()
        _erase_model(database, model_id)


def _is_unused(connection: Connection, model_id: int) -> bool:
    unused = select(ModelRow.id).where(ModelRow.id == model_id, ~ModelRow.current, ModelRow.switching == "")
    return connection.execute(unused).first() is not None


def _erase_last_segment(database: Database, segments: Segments, model_id: int) -> bool:
    """Erase the last segment of a model that is still unused, and its file; returns False if there is none.

    The last one, because vectors after the last segment count as vectors without one.
    """
    with database.read_transaction() as connection:
        rows = segments.rows(connection, model_id) if _is_unused(connection, model_id) else []
    if not rows:
        return False
    with database.write_transaction(is_aside=True) as connection:
        connection.execute(delete(SegmentRow).where(SegmentRow.id == rows[-1].id))
    segments.files.unlink(rows[-1].file)  # to delete a file of 20 MB takes a millisecond
    return True


def _erase_vectors(database: Database, model_id: int, after: int) -> int | None:
    """Erase the next vectors of a model that is still unused; returns the last sentence looked at, None at the end.

    Answered by the index on sentences alone: no vector is read, not even of a million of the model in use.
    """
    with database.read_transaction() as connection:
        if not _is_unused(connection, model_id):
            return None
        within = EmbeddingRow.sentence_id > after, EmbeddingRow.sentence_id <= after + _STEP_LOOK_AT
        query = select(EmbeddingRow.id, EmbeddingRow.sentence_id).where(EmbeddingRow.model_id == model_id, *within)
        rows = connection.execute(query.order_by(EmbeddingRow.sentence_id).limit(_STEP_VECTORS)).all()
        last: int | None = connection.execute(select(func.max(EmbeddingRow.sentence_id))).scalar_one()
    if rows:
        ids, sentence_ids = zip(*rows, strict=True)
        truncated = TruncatedRow.sentence_id.in_(values_subquery(sentence_ids))
        with database.write_transaction(is_aside=True) as connection:
            mark_erased_traces(connection)
            connection.execute(delete(EmbeddingRow).where(EmbeddingRow.id.in_(values_subquery(ids))))
            connection.execute(delete(TruncatedRow).where(TruncatedRow.model_id == model_id, truncated))
    if len(rows) == _STEP_VECTORS:
        return int(rows[-1].sentence_id)
    return after + _STEP_LOOK_AT if last is not None and last > after + _STEP_LOOK_AT else None


def _erase_model(database: Database, model_id: int) -> None:
    """Erase the row of an unused model, unless it is the previous one or has got new vectors."""
    vectors = select(EmbeddingRow.id).where(EmbeddingRow.model_id == model_id)
    with database.read_transaction() as connection:
        is_previous = model_id == read_counter(connection, _PREVIOUS)
        if is_previous or not _is_unused(connection, model_id) or connection.execute(vectors.limit(1)).first():
            return
    with database.write_transaction(is_aside=True) as connection:
        for table in (TotalRow, TruncatedRow):
            connection.execute(delete(table).where(table.model_id == model_id))
        connection.execute(delete(ModelRow).where(ModelRow.id == model_id))
