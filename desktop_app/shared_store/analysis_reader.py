"""Reads a shared library for analyses, as arrays in batches, and stores the neighbours they found."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.records import DocumentCount
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import neighbours_type
from desktop_app.core.stored_text import display_title
from desktop_app.shared_store.documents import read_copies
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.vectors import parent_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_app.core.arrays import Ids, Vectors
    from desktop_app.core.scope import Scope
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.sentences import SharedSentenceStore


# Batches are larger than those of a local library: each costs a round trip.
_NODES = 20_000
_VECTORS = 4096
_LISTS = 8192
_PLACES = 8192
_LOOKED_THROUGH = 4096
_NUMBER_BYTES = 12  # an id int64 and a cosine float32
_NO_IDS = np.empty(0, np.int64)

DOCUMENTS, TEXTS = "documents", "texts"
"""The keys of the documents and texts of sentences, as `SharedDatabase.answer_each` knows them."""


class SharedAnalysisReader:
    """Implements `core.library.AnalysisReader`, which documents each method."""

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        models: SharedLibraryModels,
        sentences: SharedSentenceStore,
    ) -> None:
        self._database = database
        self._paths = paths
        self._models = models
        self._sentences = sentences

    def nodes(self, known: Ids = _NO_IDS) -> Iterator[Ids]:
        """Yield the ids of all sentences with a vector, in the order of their texts' hashes."""
        model_id = self._models.current_id
        after = b""
        while model_id is not None:
            rows = self._database.rows(
                f"SELECT s.id, s.hash FROM sentence s WHERE s.hash > %(after)s AND EXISTS"
                f" (SELECT FROM {parent_table(model_id)} v WHERE v.sentence_id = s.id) ORDER BY s.hash LIMIT {_NODES}",
                after=after,
            )
            if not rows:
                return
            after = bytes(rows[-1].hash)
            yield np.fromiter((row.id for row in rows), np.int64, len(rows))

    def vectors(self) -> Iterator[tuple[Ids, Vectors]]:
        """Yield sentence ids and vectors in the order of ids."""
        model_id = self._models.current_id
        after = 0
        while model_id is not None:
            rows = self._database.vectors(
                f"SELECT sentence_id, vector FROM {parent_table(model_id)} WHERE sentence_id > %(after)s"
                f" ORDER BY sentence_id LIMIT {_VECTORS}",
                after=after,
            )
            if not rows:
                return
            after = rows[-1].sentence_id
            ids = np.fromiter((row.sentence_id for row in rows), np.int64, len(rows))
            yield ids, np.stack([row.vector for row in rows])

    def neighbours(self, k: int) -> Iterator[tuple[Ids, Ids, Vectors]]:
        """Yield the stored neighbours of the current model."""
        after = 0
        while True:
            rows = self._database.rows(
                "SELECT n.sentence_id, n.near FROM neighbour n JOIN model m ON m.id = n.model_id AND m.current"
                " WHERE n.sentence_id > %(after)s AND length(n.near) = %(bytes)s"
                f" ORDER BY n.sentence_id LIMIT {_LISTS}",
                after=after,
                bytes=k * _NUMBER_BYTES,
            )
            if not rows:
                return
            after = rows[-1].sentence_id
            packed = np.frombuffer(b"".join(row.near for row in rows), neighbours_type(k))
            yield np.fromiter((row.sentence_id for row in rows), np.int64, len(rows)), packed["ids"], packed["scores"]

    def save_neighbours(self, ids: Ids, near: Ids, scores: Vectors) -> None:
        """Store the neighbours of those of `ids` that still have a vector."""
        packed = np.empty(len(ids), neighbours_type(near.shape[1]))
        packed["ids"], packed["scores"] = near, scores
        with self._database.write_transaction():
            model_id = self._models.current_id
            if model_id is not None:
                self._database.run(
                    "INSERT INTO neighbour (sentence_id, model_id, near) SELECT new.id, %(model)s, new.near"
                    " FROM unnest(%(ids)s::bigint[], %(near)s::bytea[]) AS new (id, near)"
                    f" JOIN {parent_table(model_id)} v ON v.sentence_id = new.id ORDER BY new.id"
                    " ON CONFLICT (sentence_id) DO UPDATE SET model_id = excluded.model_id, near = excluded.near",
                    model=model_id,
                    ids=ids.tolist(),
                    near=[row.tobytes() for row in packed],
                )

    def forget_erased(self) -> Iterator[None]:
        """Delete neighbour lists that contain an erased sentence; they are recomputed when needed."""
        after = 0
        while True:
            with self._database.write_transaction():
                rows = self._database.rows(
                    "SELECT sentence_id, near FROM neighbour WHERE sentence_id > %(after)s"
                    f" ORDER BY sentence_id LIMIT {_LOOKED_THROUGH}",
                    after=after,
                )
                if not rows:
                    return
                after = rows[-1].sentence_id
                lists = [
                    np.frombuffer(row.near, neighbours_type(len(row.near) // _NUMBER_BYTES))["ids"][0] for row in rows
                ]
                gone = find_erased(self._database, np.concatenate(lists))
                of_gone = [row.sentence_id for row, near in zip(rows, lists, strict=True) if np.isin(near, gone).any()]
                self._database.run("DELETE FROM neighbour WHERE sentence_id = ANY(%(ids)s::bigint[])", ids=of_gone)
            yield None

    def documents_of(
        self, sentence_ids: Sequence[int], scope: Scope = EVERYTHING, *, with_ids: bool = False
    ) -> list[DocumentCount]:
        """Return the documents that contain any of these sentences."""
        where = ScopeCondition(scope, self._paths)
        ids = "array_agg(DISTINCT sentence_id)" if with_ids else "NULL::bigint[]"
        rows = self._database.rows(
            "SELECT d.id, d.path, d.own_title, d.name, d.mtime_ns, v.title, v.type, v.language, c.standing, c.ids FROM"
            f" (SELECT version_id, count(DISTINCT sentence_id) AS standing, {ids} AS ids FROM occurrence o"
            f" WHERE sentence_id = ANY(%(ids)s::bigint[]) AND {where.of_passage} GROUP BY version_id) c"
            " JOIN document d ON d.live_id = c.version_id JOIN version v ON v.id = d.live_id"
            f" WHERE {VISIBLE} AND {where.of_document} ORDER BY c.standing DESC, d.id",
            ids=list(dict.fromkeys(sentence_ids)),
            **where.values,
        )
        copies = read_copies(self._database, self._paths, [row.id for row in rows]) if with_ids else {}
        return [
            DocumentCount(
                row.id,
                self._paths.decode(row.path),
                display_title(row.own_title, row.title, self._paths.decode(row.name)),
                row.type,
                row.mtime_ns / 1e9,
                row.standing,
                row.language,
                tuple(row.ids or ()),
                tuple(copy.path for copy in copies.get(row.id, ())),
            )
            for row in rows
        ]

    def count_documents(self, groups: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return for each group of sentences how many documents contain any of them."""
        asked = [(group, int(sentence_id)) for group, ids in groups.items() for sentence_id in ids]
        known = self._database.known_each(DOCUMENTS)
        if all(sentence_id in known for _, sentence_id in asked):
            return {
                group: len(set(chain.from_iterable(known[int(each)] for each in ids))) for group, ids in groups.items()
            }
        rows = self._database.rows(
            "SELECT a.own, count(DISTINCT d.id) AS found FROM unnest(%(groups)s::bigint[], %(ids)s::bigint[])"
            " AS a (own, id) JOIN occurrence o ON o.sentence_id = a.id"
            f" JOIN document d ON d.live_id = o.version_id WHERE {VISIBLE} GROUP BY a.own",
            groups=[group for group, _ in asked],
            ids=[sentence_id for _, sentence_id in asked],
        )
        found = {row.own: row.found for row in rows}
        return {group: found.get(group, 0) for group in groups}

    def languages(self, documents: Sequence[int] | None = None) -> dict[int, str]:
        """Return the guessed languages (two letters) of visible documents, of all or some."""
        rows = self._database.rows(
            f"SELECT d.id, v.language FROM document d JOIN version v ON v.id = d.live_id WHERE {VISIBLE}"
            " AND v.language <> '' AND (%(documents)s::bigint[] IS NULL OR d.id = ANY(%(documents)s::bigint[]))",
            documents=None if documents is None else list(documents),
        )
        return {row.id: row.language for row in rows}

    def occurrences_in_order(self, scope: Scope = EVERYTHING) -> Iterator[Ids]:
        """Yield (sentence id, document id, ordinal) of every visible occurrence in reading order."""
        where = ScopeCondition(scope, self._paths)
        document_id, ordinal = 0, -1
        while True:
            rows = self._database.rows(
                "SELECT o.sentence_id, d.id, o.ordinal FROM document d JOIN occurrence o ON o.version_id = d.live_id"
                f" WHERE {VISIBLE} AND {where.of_occurrence} AND d.id >= %(document)s"
                " AND (d.id, o.ordinal) > (%(document)s, %(ordinal)s)"
                f" ORDER BY d.id, o.ordinal LIMIT {_PLACES}",
                document=document_id,
                ordinal=ordinal,
                **where.values,
            )
            if not rows:
                return
            _, document_id, ordinal = rows[-1]
            yield np.fromiter(chain.from_iterable(rows), np.int64, 3 * len(rows)).reshape(-1, 3)

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of sentences by id."""

        def read(unknown: list[int]) -> dict[int, str]:
            rows = self._database.rows("SELECT id, text FROM sentence WHERE id = ANY(%(ids)s::bigint[])", ids=unknown)
            return {row.id: row.text for row in rows}

        return self._database.answer_each(TEXTS, [int(number) for number in ids], read)

    def ids(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the ids of those of `texts` that are stored."""
        return self._sentences.ids(texts)

    def find_copies(self, path: str, content_hash: str) -> dict[int, str]:
        """Return the documents with this path or content."""
        where = ScopeCondition(EVERYTHING, self._paths)
        rows = self._database.rows(
            "SELECT d.id, d.own_title, d.name, v.title FROM document d JOIN version v ON v.id = d.live_id"
            f" WHERE {VISIBLE} AND ({where.is_at(path)} OR v.content_hash = %(hash)s) ORDER BY d.id",
            hash=content_hash,
            **where.values,
        )
        return {row.id: display_title(row.own_title, row.title, self._paths.decode(row.name)) for row in rows}


def find_erased(database: SharedDatabase, ids: Ids) -> Ids:
    """Return those of `ids` whose sentence is gone."""
    gone = database.column(
        "SELECT a.id FROM unnest(%(ids)s::bigint[]) AS a (id)"
        " WHERE NOT EXISTS (SELECT FROM sentence s WHERE s.id = a.id)",
        ids=np.unique(ids[ids > 0]).tolist(),
    )
    return np.array(gone, np.int64)
