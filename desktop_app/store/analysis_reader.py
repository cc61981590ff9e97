"""Reads a library for analyses, as arrays in batches, and stores the neighbours they found."""

from __future__ import annotations

import json
import logging
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import bindparam, delete, func, literal, or_, select
from sqlalchemy.dialects.sqlite import insert

from desktop_app.core.records import DocumentCount
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import neighbours_type
from desktop_app.core.stored_text import display_title
from desktop_app.store.database import fetch_plain_rows, fetch_tuples
from desktop_app.store.documents import read_copies
from desktop_app.store.half_vectors import are_numbers, read_vectors
from desktop_app.store.library_models import current_model_id
from desktop_app.store.schema import (
    DocumentRow,
    EmbeddingRow,
    ModelRow,
    NeighbourRow,
    OccurrenceRow,
    SentenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import (
    document_language_column,
    is_at,
    is_not_removed,
    is_occurrence_in_scope,
    values_subquery,
    values_table,
)
from desktop_app.store.vector_index import contains_ids

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.scope import Scope
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.sentences import LocalSentenceStore


_log = logging.getLogger(__name__)

# Batch sizes are small enough that no step takes long: callers yield between two batches.
_NODES = 4096
_VECTORS = 2048
_LISTS = 1024
_PLACES = 4096
_NUMBER_BYTES = 12  # an id int64 and a cosine float32
_SQUARE_OF_NUMBERS = 65_536.0**2  # vectors shorter than this have no value that `are_numbers` refuses
_NO_IDS = np.empty(0, np.int64)
_MAX_INSERTED = 4096  # sentences whose places are looked for: of more, all hashes are read

_DOCUMENTS_OF_GROUPS = (
    "SELECT json_extract(asked.value, '$[0]'), count(DISTINCT document.id) FROM json_each(?) AS asked"
    " JOIN occurrence ON occurrence.sentence_id = json_extract(asked.value, '$[1]')"
    " JOIN document ON document.live_id = occurrence.version_id WHERE document.removed_at IS NULL GROUP BY 1"
)


_WITH_VECTOR = (
    "SELECT sentence_id FROM embedding WHERE sentence_id > ? AND model_id = (SELECT id FROM model WHERE current)"
    " ORDER BY sentence_id LIMIT ?"
)
_BY_HASH = "SELECT id, hash FROM sentence WHERE hash > ? ORDER BY hash LIMIT ?"
_NEIGHBOURS = (
    "SELECT sentence_id, near FROM neighbour WHERE sentence_id > ? AND length(near) = ?"
    " AND model_id = (SELECT id FROM model WHERE current) ORDER BY sentence_id LIMIT ?"
)
_ALL_NEIGHBOURS = "SELECT sentence_id, near FROM neighbour WHERE sentence_id > ? ORDER BY sentence_id LIMIT ?"
_HASHES = "SELECT id, hash FROM sentence WHERE id IN (SELECT value FROM json_each(?))"
_LAST_SENTENCE = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sentence'), 0)"


class LocalAnalysisReader:
    """Implements `core.library.AnalysisReader`, which documents each method."""

    def __init__(self, database: Database, sentences: LocalSentenceStore, segments: Segments) -> None:
        self._database = database
        self._sentences = sentences
        self._segments = segments

    def nodes(self, known: Ids = _NO_IDS) -> Iterator[Ids]:
        """Yield the ids of all sentences with a vector, in the order of their texts' hashes."""
        # Each from its own index: looking every sentence's vector up takes three times as long.
        with self._database.read_transaction() as connection:
            with_vector = self._segments.sentence_ids(connection)
        yield _NO_IDS
        if with_vector is None:
            parts, after = [_NO_IDS], 0
            while len(rows := self._fetch(_WITH_VECTOR, after, _NODES)):
                parts.append(np.fromiter(chain.from_iterable(rows), np.int64, len(rows)))
                after = int(parts[-1][-1])
                yield _NO_IDS
            with_vector = np.concatenate(parts)
        if not len(with_vector):
            return
        try:
            order = yield from self._insert_nodes(known, with_vector)
        except LookupError:  # a sentence was erased meanwhile
            order = None
        if order is not None:
            yield order
            return
        digest = b""
        while rows := self._fetch(_BY_HASH, digest, _NODES):
            digest = rows[-1][1]
            ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            at = np.minimum(np.searchsorted(with_vector, ids), len(with_vector) - 1)
            yield ids[with_vector[at] == ids]

    def _insert_nodes(self, known: Ids, with_vector: Ids) -> Generator[Ids, None, Ids | None]:
        """Return the ids `with_vector` in the order of their hashes; None if `known` is of little help.

        Args:
            known: ids in that order; some may be gone.
            with_vector: the ids to put in order, ascending.

        Raises (the last step):
            LookupError: one of them is gone.
        """
        is_known, is_wanted = (
            np.zeros(1 + int(max(known.max(initial=0), with_vector[-1])), np.bool_) for _ in range(2)
        )
        is_known[known], is_wanted[with_vector] = True, True
        new, kept = with_vector[~is_known[with_vector]], known[is_wanted[known]]
        yield _NO_IDS
        if len(new) > min(_MAX_INSERTED, len(kept)):
            return None
        added = sorted(zip(self._read_hashes(new), new.tolist(), strict=True))
        yield _NO_IDS
        # Halves all ranges in which the places may be with one statement, twenty times for a million.
        first, end = np.zeros(len(added), np.int64), np.full(len(added), len(kept), np.int64)
        while len(unsure := np.flatnonzero(first < end)):
            middle = (first[unsure] + end[unsure]) // 2
            digests = zip(self._read_hashes(kept[middle]), unsure.tolist(), strict=True)
            is_behind = np.array([digest < added[at][0] for digest, at in digests])
            first[unsure[is_behind]] = middle[is_behind] + 1
            end[unsure[~is_behind]] = middle[~is_behind]
            yield _NO_IDS
        return np.insert(kept, first, np.array([sentence_id for _, sentence_id in added], np.int64))

    def _read_hashes(self, ids: Ids) -> list[bytes]:
        """Return the hashes of the texts of sentences.

        Raises:
            LookupError: one of them was erased.
        """
        found: dict[int, bytes] = dict(self._fetch(_HASHES, json.dumps(np.unique(ids).tolist())))
        return [found[sentence_id] for sentence_id in ids.tolist()]

    def _fetch(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query in plain SQL: of a million rows, SQLAlchemy takes longer than SQLite."""
        with self._database.read_transaction() as connection:
            return fetch_plain_rows(connection, sql, values)

    def vectors(self) -> Iterator[tuple[Ids, Vectors]]:
        """Yield sentence ids and vectors: from the index, in a tenth of the time, if its files are verified.

        All are of one model: if the library changes it meanwhile, the reading ends where the old vectors are erased.
        """
        read: list[Ids] = []
        with self._database.read_transaction() as connection:
            index, model_id = self._segments.verified_index(connection), current_model_id(connection)
        if index is not None:
            try:
                for ids, vectors in index.sentences(_VECTORS):
                    read.append(ids)
                    square = np.einsum("ij,ij->i", vectors, vectors)
                    sound = square > 0.0  # zeros are in the place of erased vectors
                    if not (square < _SQUARE_OF_NUMBERS).all():
                        sound &= are_numbers(vectors)
                    yield (ids, vectors) if sound.all() else (ids[sound], vectors[sound])
            except (OSError, ValueError) as error:  # a graph was replaced meanwhile
                _log.info("vectors are read from the database: %s", error)
            else:
                return
        done = np.sort(np.concatenate([_NO_IDS, *read]))
        for ids, vectors in self._stored_vectors(model_id):
            left = ~contains_ids(done, ids)
            yield ids[left], vectors[left]

    def _stored_vectors(self, model_id: int | None) -> Iterator[tuple[Ids, Vectors]]:
        """Yield sentence ids and vectors of a model in the order in which they were stored."""
        after = 0
        while True:
            query = (
                select(EmbeddingRow.id, EmbeddingRow.sentence_id, EmbeddingRow.vector, ModelRow.dim)
                .join(ModelRow, ModelRow.id == EmbeddingRow.model_id)
                .where(ModelRow.id == model_id, EmbeddingRow.id > after)
                .where(func.length(EmbeddingRow.vector).in_((2 * ModelRow.dim, 4 * ModelRow.dim)))
                .order_by(EmbeddingRow.id)
                .limit(_VECTORS)
            )
            with self._database.read_transaction() as connection:
                rows = connection.execute(query).all()
            if not rows:
                return
            after = rows[-1].id
            vectors = read_vectors([row.vector for row in rows], rows[0].dim)
            ids = np.fromiter((row.sentence_id for row in rows), np.int64, len(rows))
            sound = are_numbers(vectors)
            yield ids[sound], vectors[sound]

    def neighbours(self, k: int) -> Iterator[tuple[Ids, Ids, Vectors]]:
        """Yield the stored neighbours of the current model."""
        after = 0
        while rows := self._fetch(_NEIGHBOURS, after, k * _NUMBER_BYTES, _LISTS):
            ids, lists = zip(*rows, strict=True)
            after = ids[-1]
            packed = np.frombuffer(b"".join(lists), neighbours_type(k))
            yield np.array(ids, np.int64), packed["ids"], packed["scores"]

    def save_neighbours(self, ids: Ids, near: Ids, scores: Vectors) -> None:
        """Store the neighbours of those of `ids` that still have a vector."""
        packed = np.empty(len(ids), neighbours_type(near.shape[1]))
        packed["ids"], packed["scores"] = near, scores
        with self._database.write_transaction() as connection:
            model_id = connection.execute(select(ModelRow.id).where(ModelRow.current)).scalar_one_or_none()
            standing = select(EmbeddingRow.sentence_id).where(
                EmbeddingRow.sentence_id.in_(values_subquery(ids.tolist())), EmbeddingRow.model_id == model_id
            )
            here = set(connection.execute(standing).scalars())
            rows = [
                {"sentence_id": sentence_id, "model_id": model_id, "near": row.tobytes()}
                for sentence_id, row in zip(ids.tolist(), packed, strict=True)
                if sentence_id in here
            ]
            if rows:
                adding = insert(NeighbourRow)
                changed = {"model_id": adding.excluded.model_id, "near": adding.excluded.near}
                connection.execute(adding.on_conflict_do_update(["sentence_id"], set_=changed), rows)

    def forget_erased(self) -> Iterator[None]:
        """Delete neighbour lists that contain an erased sentence; they are recomputed when needed."""
        if not self._fetch(_ALL_NEIGHBOURS, 0, 1):
            return
        last = int(self._fetch(_LAST_SENTENCE)[0][0])
        stands, digest = np.zeros(last + 2, np.bool_), b""
        stands[[0, -1]] = True  # no neighbour, and all sentences that are added meanwhile: they have higher ids
        while rows := self._fetch(_BY_HASH, digest, _NODES):
            digest = rows[-1][1]
            stands[np.minimum(np.fromiter((row[0] for row in rows), np.int64, len(rows)), last + 1)] = True
            yield None
        after = 0
        while rows := self._fetch(_ALL_NEIGHBOURS, after, _LISTS):
            after = rows[-1][0]
            of_gone: list[int] = []
            for size in {len(near) for _, near in rows}:
                ids = [key for key, near in rows if len(near) == size]
                if not size or size % _NUMBER_BYTES:  # damaged: nobody can read it
                    of_gone += ids
                    continue
                packed = b"".join(near for _, near in rows if len(near) == size)
                lists = np.frombuffer(packed, neighbours_type(size // _NUMBER_BYTES))["ids"]
                is_gone = ~stands[np.clip(lists, 0, last + 1)].all(axis=1)
                of_gone += np.array(ids, np.int64)[is_gone].tolist()
            if of_gone:
                with self._database.write_transaction(is_aside=True) as connection:
                    own_rows = NeighbourRow.sentence_id.in_(values_subquery(of_gone))
                    connection.execute(delete(NeighbourRow).where(own_rows))
            yield None

    def documents_of(
        self, sentence_ids: Sequence[int], scope: Scope = EVERYTHING, *, with_ids: bool = False
    ) -> list[DocumentCount]:
        """Return the documents that contain any of these sentences."""
        asked = values_table(dict.fromkeys(sentence_ids))
        count = func.count(OccurrenceRow.sentence_id.distinct())
        ids = func.group_concat(OccurrenceRow.sentence_id.distinct()) if with_ids else literal("")
        query = (
            select(DocumentRow.id, DocumentRow.path, DocumentRow.own_title, DocumentRow.name, DocumentRow.mtime_ns)
            .add_columns(VersionRow.title, VersionRow.type, count.label("standing"))
            .add_columns(document_language_column().label("language"), ids.label("ids"))
            .join_from(asked, OccurrenceRow, OccurrenceRow.sentence_id == asked.c.value)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .join(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(is_not_removed(), is_occurrence_in_scope(scope))
            .group_by(DocumentRow.id)
            .order_by(count.desc(), DocumentRow.id)
        )
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
            copies = read_copies(connection, [row.id for row in rows]) if with_ids else {}
            return [
                DocumentCount(
                    row.id,
                    row.path,
                    display_title(row.own_title, row.title, row.name),
                    row.type,
                    row.mtime_ns / 1e9,
                    row.standing,
                    row.language,
                    tuple(map(int, row.ids.split(","))) if with_ids else (),
                    tuple(copy.path for copy in copies.get(row.id, ())),
                )
                for row in rows
            ]

    def count_documents(self, groups: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return for each group of sentences how many documents contain any of them."""
        asked = json.dumps([(group, sentence_id) for group, ids in groups.items() for sentence_id in ids])
        with self._database.read_transaction() as connection:
            rows = connection.exec_driver_sql(_DOCUMENTS_OF_GROUPS, (asked,)).all()
        found: dict[int, int] = {group: count for group, count in rows}
        return {group: found.get(group, 0) for group in groups}

    def languages(self, documents: Sequence[int] | None = None) -> dict[int, str]:
        """Return the guessed languages (two letters) of visible documents, of all or some."""
        query = select(DocumentRow.id, document_language_column().label("language")).where(is_not_removed())
        if documents is not None:
            query = query.where(DocumentRow.id.in_(values_subquery(documents)))
        with self._database.read_transaction() as connection:
            return {row.id: row.language for row in connection.execute(query) if row.language}

    def occurrences_in_order(self, scope: Scope = EVERYTHING) -> Iterator[Ids]:
        """Yield (sentence id, document id, ordinal) of every visible occurrence in reading order."""
        last_document: BindParameter[int] = bindparam("document")
        last_ordinal: BindParameter[int] = bindparam("ordinal")
        later = (DocumentRow.id > last_document) | (OccurrenceRow.ordinal > last_ordinal)
        query = (
            select(OccurrenceRow.sentence_id, DocumentRow.id, OccurrenceRow.ordinal)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .where(is_not_removed(), is_occurrence_in_scope(scope), DocumentRow.id >= last_document, later)
            .order_by(DocumentRow.id, OccurrenceRow.ordinal)
            .limit(_PLACES)
        )
        document_id, ordinal = 0, -1
        while True:
            with self._database.read_transaction() as connection:
                rows = fetch_tuples(connection, query, {"document": document_id, "ordinal": ordinal})
            if not rows:
                return
            _, document_id, ordinal = rows[-1]
            yield np.fromiter(chain.from_iterable(rows), np.int64, 3 * len(rows)).reshape(-1, 3)

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of sentences by id."""
        query = select(SentenceRow.id, SentenceRow.text).where(SentenceRow.id.in_(values_subquery(ids)))
        with self._database.read_transaction() as connection:
            return {row.id: row.text for row in connection.execute(query)}

    def ids(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the ids of those of `texts` that are stored."""
        with self._database.read_transaction() as connection:
            return self._sentences.ids(connection, list(dict.fromkeys(texts)))

    def find_copies(self, path: str, content_hash: str) -> dict[int, str]:
        """Return the documents with this path or content."""
        query = (
            select(DocumentRow.id, DocumentRow.own_title, DocumentRow.name, VersionRow.title)
            .join(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(is_not_removed(), or_(is_at(path), VersionRow.content_hash == content_hash))
            .order_by(DocumentRow.id)
        )
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
        return {row.id: display_title(row.own_title, row.title, row.name) for row in rows}


def find_erased(connection: Connection, ids: Ids) -> Ids:
    """Return those of `ids` whose sentence is gone."""
    asked = values_table(np.unique(ids[ids > 0]).tolist())
    stands = select(SentenceRow.id).where(SentenceRow.id == asked.c.value).exists()
    return np.fromiter(connection.execute(select(asked.c.value).where(~stands)).scalars(), np.int64)
