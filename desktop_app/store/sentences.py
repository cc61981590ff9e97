"""Distinct sentences: their hashes and vectors, and streams of their occurrences."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, insert, select

from desktop_app.core.scope import EVERYTHING
from desktop_app.core.sentence_corrections import hash_text
from desktop_app.core.stored_rows import occurrence_from_row
from desktop_app.store.checksums import vector_checksum
from desktop_app.store.counters import increment_counters
from desktop_app.store.half_vectors import read_vectors, to_halves, widen
from desktop_app.store.schema import (
    DamagedRow,
    DocumentRow,
    EmbeddingRow,
    LooseRow,
    ModelRow,
    OccurrenceRow,
    SentenceRow,
)
from desktop_app.store.scope_conditions import is_document_in_scope, is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.records import Occurrence
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.keyword_index import KeywordIndex

_HASHES = (20, 100, 500)
_DOCUMENTS = 500
_PROMISES = 50_000
"""Far more than any import uses at a time."""
_REMEMBERED = 20_000
# Built once, and rows go to the driver as they are: SQLAlchemy takes longer to build a statement than SQLite to execute
# it.
_WITH_HASH = {size: f"SELECT id, hash FROM sentence WHERE hash IN ({', '.join('?' * size)})" for size in _HASHES}
_EMBEDDED = "SELECT sentence_id FROM embedding WHERE model_id = ? AND sentence_id IN (SELECT value FROM json_each(?))"
_ADD_SENTENCES = "INSERT INTO sentence (id, hash, text) VALUES (?, ?, ?)"
_ADD_VECTORS = "INSERT INTO embedding (id, sentence_id, model_id, vector, checksum) VALUES (?, ?, ?, ?, ?)"
_MOVE_JUDGEMENTS = "UPDATE OR IGNORE judgement SET sentence_id = ? WHERE sentence_id = ?"
_NEXT_IDS = "SELECT name, seq FROM sqlite_sequence WHERE name IN ('sentence', 'embedding')"


def read_sentence_vectors(connection: Connection, ids: Sequence[int], model_id: int) -> dict[int, NDArray[np.float32]]:
    """Return the vectors of those of `ids` that have one: float32 [dim] each."""
    if not ids:
        return {}
    query = select(EmbeddingRow.sentence_id, EmbeddingRow.vector).where(
        EmbeddingRow.sentence_id.in_(values_subquery(ids)), EmbeddingRow.model_id == model_id
    )
    rows = connection.execute(query).all()
    dim = connection.execute(select(ModelRow.dim).where(ModelRow.id == model_id)).scalar_one()
    vectors = read_vectors([row.vector for row in rows], dim)
    return dict(zip((row.sentence_id for row in rows), vectors, strict=True))


class LocalSentenceStore:
    """Implements `core.library.SentenceStore` on the rows of `sentence` and `embedding`.

    `promised` are sentences that an import under way depends on: `without_vector` reported that their vectors are
    stored, so it will not bring them. The purge skips them. Texts found to be new are remembered too, and not looked up
    again when they are stored a moment later: there is only one writer.
    """

    def __init__(self, database: Database, keywords: KeywordIndex) -> None:
        self._database = database
        self._keywords = keywords
        self.promised: dict[int, None] = {}
        self._absent: set[str] = set()

    def ids(self, connection: Connection, texts: Sequence[str]) -> dict[str, int]:
        """Return the ids of those of `texts` (distinct) that are stored."""
        by_hash = {hash_text(text): text for text in texts}
        found: dict[str, int] = {}
        hashes = list(by_hash)
        for at in range(0, len(hashes), _HASHES[-1]):
            piece = hashes[at : at + _HASHES[-1]]
            # A few fixed numbers of parameters: each statement is prepared once.
            piece += piece[-1:] * (next(size for size in _HASHES if size >= len(piece)) - len(piece))
            for number, known in connection.exec_driver_sql(_WITH_HASH[len(piece)], tuple(piece)):
                found[by_hash[known]] = number
        return found

    def embedded(self, connection: Connection, ids: Sequence[int], model_id: int) -> set[int]:
        """Return those of `ids` that have a vector of the model."""
        return set(connection.exec_driver_sql(_EMBEDDED, (model_id, json.dumps(list(ids)))).scalars())

    def without_vector(self, texts: Sequence[str], *, promise: bool) -> list[str]:
        """Return the distinct ones of `texts` without a vector of the current model, in order."""
        distinct = list(dict.fromkeys(texts))
        with self._database.read_transaction() as connection:
            model_id = connection.execute(select(ModelRow.id).where(ModelRow.current)).scalar_one_or_none()
            if model_id is None:
                return distinct
            ids = self.ids(connection, distinct)
            embedded = self.embedded(connection, list(ids.values()), model_id)
        if promise:
            self.promise(embedded)
            if len(self._absent) > _REMEMBERED:
                self._absent.clear()
            self._absent.update(text for text in distinct if text not in ids)
        return [text for text in distinct if ids.get(text) not in embedded]

    def promise(self, ids: Iterable[int]) -> None:
        """Protect sentences from erasure until the import that depends on them has had time to store its batch."""
        self.promised |= dict.fromkeys(ids)
        for old in list(islice(self.promised, max(0, len(self.promised) - _PROMISES))):
            del self.promised[old]

    def forget_promises(self) -> None:
        """Drop all promises: no import is under way."""
        self.promised.clear()
        self._absent.clear()

    def store(
        self,
        connection: Connection,
        spans: Sequence[str],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        model_id: int,
    ) -> tuple[dict[str, int], NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Store the sentences of a batch and the new vectors.

        Args:
            connection: of the transaction.
            spans: texts of the batch, with repetitions.
            texts: distinct texts with vectors.
            vectors: float32 [len(texts), dim].
            model_id: the model of the vectors.

        Returns:
            ids by text; and for each vector stored: its embedding id int64 [n], its sentence's id int64 [n], and the
            vector as it is stored, float32 [n, dim].

        Raises:
            ValueError: the text of a span has no vector, neither stored nor in `vectors`.
        """
        distinct = list(dict.fromkeys([*spans, *texts]))
        ids = self.ids(connection, [text for text in distinct if text not in self._absent])
        embedded = self.embedded(connection, list(ids.values()), model_id) if ids else set()
        sequence: dict[str, int] = dict(connection.exec_driver_sql(_NEXT_IDS).all())
        new = [text for text in distinct if text not in ids]
        next_id = sequence.get("sentence", 0) + 1
        made = dict(zip(new, range(next_id, next_id + len(new)), strict=True))
        if new:
            self._absent.difference_update(new)
            connection.exec_driver_sql(_ADD_SENTENCES, [(made[text], hash_text(text), text) for text in new])
            self._keywords.add_sentences(connection, next_id, next_id + len(new) - 1)
            ids |= made
        self._replace_damaged(connection, ids)
        fresh = [at for at, text in enumerate(texts) if ids[text] not in embedded]
        missing = {ids[text] for text in spans} - embedded - {ids[texts[at]] for at in fresh}
        if missing:
            raise ValueError(f"{len(missing)} sentences have no vector, and none is given")
        next_mark = sequence.get("embedding", 0) + 1
        marks = np.arange(next_mark, next_mark + len(fresh), dtype=np.int64)
        fresh_ids = np.asarray([ids[texts[at]] for at in fresh], np.int64)
        rows = to_halves(vectors[fresh])
        if fresh:
            numbers = zip(marks.tolist(), fresh_ids.tolist(), map(bytes, rows), strict=True)
            values = [(mark, i, model_id, row, vector_checksum(row)) for mark, i, row in numbers]
            connection.exec_driver_sql(_ADD_VECTORS, values)
        standing = set(spans)
        if stray := [{"sentence_id": made[text]} for text in new if text not in standing]:
            connection.execute(insert(LooseRow), stray)
        increment_counters(connection, sentences=len(new), vectors=len(fresh))
        self.promise(ids.values())
        return ids, marks, fresh_ids, widen(rows)

    def _replace_damaged(self, connection: Connection, ids: dict[str, int]) -> None:
        """Take note that damaged sentences were read again: from now on these texts stand for them."""
        damaged = connection.execute(select(DamagedRow.sentence_id, DamagedRow.hash)).all()
        if not damaged:
            return
        by_hash = {hash_text(text): number for text, number in ids.items()}
        numbers = set(ids.values())
        for row in damaged:
            if row.hash in by_hash:
                connection.exec_driver_sql(_MOVE_JUDGEMENTS, (by_hash[row.hash], row.sentence_id))
            if row.sentence_id in numbers:  # it was the hash that was damaged, and not the text
                connection.execute(delete(DamagedRow).where(DamagedRow.sentence_id == row.sentence_id))

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = EVERYTHING
    ) -> Iterator[list[Occurrence]]:
        """Yield visible occurrences in reading order; every batch is read in a transaction of its own."""
        filled: list[Occurrence] = []
        after = (document_id or 1) - 1
        while True:
            with self._database.read_transaction() as connection:
                query = select(DocumentRow.id, DocumentRow.path)
                query = query.where(DocumentRow.id > after, is_not_removed(), is_document_in_scope(scope))
                if document_id is not None:
                    query = query.where(DocumentRow.id == document_id)
                documents = connection.execute(query.order_by(DocumentRow.id).limit(_DOCUMENTS)).all()
            if not documents:
                break
            for document in documents:
                after, ordinal = document.id, -1
                while True:
                    with self._database.read_transaction() as connection:
                        rows = self._after(connection, document.id, ordinal, batch - len(filled))
                    if not rows:
                        break
                    ordinal = rows[-1].ordinal
                    filled += [occurrence_from_row(row, document.id, document.path) for row in rows]
                    if len(filled) == batch:
                        yield filled
                        filled = []
        if filled:
            yield filled

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return the visible occurrences from `before` sentences before `ordinal` to `after` sentences after it."""
        first = max(ordinal - before, 0)
        with self._database.read_transaction() as connection:
            path = connection.execute(
                select(DocumentRow.path).where(DocumentRow.id == document_id, is_not_removed())
            ).scalar_one_or_none()
            if path is None:
                return []
            rows = self._after(connection, document_id, first - 1, ordinal - first + 1 + after)
        return [occurrence_from_row(row, document_id, path) for row in rows]

    def _after(self, connection: Connection, document_id: int, ordinal: int, limit: int) -> Sequence[AnyRow]:
        query = (
            select(
                OccurrenceRow.ordinal,
                OccurrenceRow.sentence_id,
                OccurrenceRow.paragraph,
                OccurrenceRow.kind,
                OccurrenceRow.page,
                OccurrenceRow.start,
                OccurrenceRow.stop,
                OccurrenceRow.unit,
                OccurrenceRow.more,
                OccurrenceRow.line,
                OccurrenceRow.last_line,
                OccurrenceRow.passage,
                OccurrenceRow.reason,
                SentenceRow.text,
            )
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .join(SentenceRow, SentenceRow.id == OccurrenceRow.sentence_id)
            .where(DocumentRow.id == document_id, is_not_removed(), OccurrenceRow.ordinal > ordinal)
            .order_by(OccurrenceRow.ordinal)
            .limit(limit)
        )
        return connection.execute(query).all()
