"""Distinct sentences of a shared library: their hashes and vectors, and streams of their occurrences.

Several sessions store sentences at the same time. Each inserts its new ones in the order of their hashes, so that no
two wait for each other in a circle, and takes those that another session was faster with as they are.
"""

from __future__ import annotations

import zlib
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import AnyRow, occurrence_from_row
from desktop_app.shared_store.connection import Question
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.stored_values import clean_text, key_of
from desktop_app.shared_store.vectors import parent_table, part_table
from desktop_app.shared_store.words import pack_words, stems_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.records import Occurrence
    from desktop_app.core.scope import Scope
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec

_DOCUMENTS = 500
_PROMISES = 50_000

OCCURRENCE_COLUMNS = (
    "o.ordinal, o.sentence_id, o.paragraph, o.kind, o.page, o.start, o.stop, o.unit, o.more, o.line, o.last_line,"
    " o.passage, o.reason, s.text"
)
# A sentence that another session stores at this moment is taken as it is, when that session has committed.
_ADD = (
    "WITH added AS (INSERT INTO sentence (hash, text, words, size) SELECT hash, text, words::tsvector, size"
    " FROM unnest(%(hashes)s::bytea[], %(texts)s::text[], %(words)s::text[], %(sizes)s::int[])"
    " AS new (hash, text, words, size) ORDER BY hash ON CONFLICT (hash) DO NOTHING RETURNING size)"
    " INSERT INTO tally (name, change) SELECT name, change FROM (SELECT count(*) AS sentences,"
    " coalesce(sum(size), 0) AS terms FROM added) a,"
    " LATERAL (VALUES ('sentences', a.sentences), ('terms', a.terms)) AS t (name, change) WHERE change <> 0"
)
_ADD_VECTORS = (
    "WITH added AS (INSERT INTO {tail} (part, sentence_id, vector, checksum)"
    " SELECT 0, s.id, n.vector, n.checksum FROM unnest(%(hashes)s::bytea[], %(vectors)b::vector[],"
    " %(checksums)s::bigint[]) AS n (hash, vector, checksum) JOIN sentence s ON s.hash = n.hash"
    " ORDER BY s.id ON CONFLICT (sentence_id) DO NOTHING RETURNING 1)"
    " INSERT INTO tally (name, change) SELECT 'vectors.{model}', count(*) FROM added HAVING count(*) > 0"
)

Statements: TypeAlias = "list[tuple[str, Mapping[str, object]]]"


class SentenceBatch:
    """The sentences of a batch of an import, by their keys.

    Args:
        spans: texts of the batch, with repetitions.
        texts: distinct texts with vectors.
        vectors: float32 [len(texts), dim].
        model_id: the model of the vectors.

    Attributes:
        keys: of the spans, in order.
    """

    def __init__(self, spans: Sequence[str], texts: Sequence[str], vectors: NDArray[np.float32], model_id: int) -> None:
        keys = {text: key_of(text) for text in dict.fromkeys([*spans, *texts])}
        self.keys = [keys[text] for text in spans]
        self.model_id = model_id
        self._texts: dict[bytes, str] = {}
        for text, key in keys.items():
            self._texts.setdefault(key, text)
        self._vectors: dict[bytes, NDArray[np.float32]] = {}
        for text, vector in zip(texts, vectors, strict=False):  # their number is checked later
            self._vectors.setdefault(keys[text], vector)
        self._stored: dict[bytes, AnyRow] = {}

    def question(self) -> tuple[str, Mapping[str, object]]:
        """Return the question for the sentences that are stored, in a transaction that holds vectors; see `read`."""
        return (
            f"SELECT s.id, s.hash, EXISTS (SELECT FROM {parent_table(self.model_id)} v WHERE v.sentence_id = s.id)"
            " AS embedded FROM sentence s WHERE s.hash = ANY(%(hashes)s::bytea[])",
            {"hashes": list(self._texts)},
        )

    def read(self, rows: Sequence[AnyRow]) -> None:
        """Take the answer to `question`.

        Raises:
            ValueError: the text of a span has no vector, neither stored nor given.
        """
        self._stored = {bytes(row.hash): row for row in rows}
        embedded = {key for key, row in self._stored.items() if row.embedded}
        missing = set(self.keys) - embedded - self._vectors.keys()
        if missing:
            raise ValueError(f"{len(missing)} sentences have no vector, and none is given")

    def statements(self) -> Statements:
        """Return the statements that store what is new; the last one returns the ids of all sentences."""
        new = {key: text for key, text in self._texts.items() if key not in self._stored}
        found: Statements = []
        if new:
            stems = [stems_of(text) for text in new.values()]
            values = {
                "hashes": list(new),
                "texts": [clean_text(text) for text in new.values()],
                "words": [pack_words(own) for own in stems],
                "sizes": [len(own) for own in stems],
            }
            found.append((_ADD, values))
        if stray := sorted(new.keys() - set(self.keys)):
            statement = (
                "INSERT INTO loose (sentence_id) SELECT id FROM sentence WHERE hash = ANY(%(hashes)s::bytea[])"
                " ORDER BY id ON CONFLICT DO NOTHING"
            )
            found.append((statement, {"hashes": stray}))
        fresh = {
            key: vector
            for key, vector in self._vectors.items()
            if (row := self._stored.get(key)) is None or not row.embedded
        }
        if fresh:
            values = {
                "hashes": list(fresh),
                "vectors": [np.ascontiguousarray(vector, np.float32) for vector in fresh.values()],
                "checksums": [vector_checksum(vector) for vector in fresh.values()],
            }
            add = _ADD_VECTORS.format(tail=part_table(self.model_id, 0), model=int(self.model_id))
            found.append((add, values))
        ids = "SELECT id FROM sentence WHERE hash = ANY(%(hashes)s::bytea[])"
        return [*found, (ids, {"hashes": list(self._texts)})]


class SharedSentenceStore:
    """Implements `core.library.SentenceStore` on the rows of `sentence` and the tables of vectors.

    `promised` are sentences that an import of this session depends on: `without_vector` reported that their vectors are
    stored, so it will not bring them. The purge of this session skips them; other sessions erase nothing meanwhile.
    """

    def __init__(self, database: SharedDatabase, paths: PathCodec) -> None:
        self._database = database
        self._paths = paths
        self.promised: dict[int, None] = {}

    def ids(self, texts: Iterable[str]) -> dict[str, int]:
        """Return the ids of those of `texts` that are stored."""
        by_hash: dict[bytes, list[str]] = {}
        for text in dict.fromkeys(texts):
            by_hash.setdefault(key_of(text), []).append(text)
        rows = self._database.rows(
            "SELECT id, hash FROM sentence WHERE hash = ANY(%(hashes)s::bytea[])", hashes=list(by_hash)
        )
        return {text: row.id for row in rows for text in by_hash[bytes(row.hash)]}

    def embedded(self, ids: Iterable[int], model_id: int) -> set[int]:
        """Return those of `ids` that have a vector of the model."""
        return set(
            self._database.column(
                f"SELECT sentence_id FROM {parent_table(model_id)} WHERE sentence_id = ANY(%(ids)s::bigint[])",
                ids=list(ids),
            )
        )

    def vectors(self, ids: Iterable[int], model_id: int) -> dict[int, NDArray[np.float32]]:
        """Return the vectors of those of `ids` that have one: float32 [dim] each."""
        rows = self._database.vectors(
            f"SELECT sentence_id, vector FROM {parent_table(model_id)} WHERE sentence_id = ANY(%(ids)s::bigint[])",
            ids=list(ids),
        )
        return {row.sentence_id: row.vector for row in rows}

    def without_vector(self, texts: Sequence[str], model_id: int | None, *, promise: bool) -> list[str]:
        """Return the distinct ones of `texts` without a vector of the model, in order."""
        distinct = list(dict.fromkeys(texts))
        if model_id is None:
            return distinct
        by_hash: dict[bytes, list[str]] = {}
        for text in distinct:
            by_hash.setdefault(key_of(text), []).append(text)
        rows = self._database.rows(
            f"SELECT s.id, s.hash FROM sentence s JOIN {parent_table(model_id)} v ON v.sentence_id = s.id"
            " WHERE s.hash = ANY(%(hashes)s::bytea[])",
            hashes=list(by_hash),
        )
        if promise:
            self.promise(row.id for row in rows)
        stored = {bytes(row.hash) for row in rows}
        return [text for text in distinct if key_of(text) not in stored]

    def promise(self, ids: Iterable[int]) -> None:
        """Protect sentences from erasure until the import that depends on them has had time to store its batch."""
        self.promised |= dict.fromkeys(ids)
        for old in list(islice(self.promised, max(0, len(self.promised) - _PROMISES))):
            del self.promised[old]

    def add_vectors(self, model_id: int, rows: dict[int, NDArray[np.float32]]) -> int:
        """Store vectors of sentences that have none, in a transaction that holds vectors; returns how many."""
        ids = sorted(rows)
        self._database.run(
            f"INSERT INTO {part_table(model_id, 0)} (part, sentence_id, vector, checksum)"
            " SELECT 0, * FROM unnest(%(ids)s::bigint[], %(vectors)b::vector[], %(checksums)s::bigint[])"
            " ON CONFLICT (sentence_id) DO NOTHING",
            ids=ids,
            vectors=[np.ascontiguousarray(rows[number], np.float32) for number in ids],
            checksums=[vector_checksum(rows[number]) for number in ids],
        )
        add_to_tally(self._database, **{f"vectors.{model_id}": len(rows)})
        return len(rows)

    def occurrences(
        self, *, document_id: int | None = None, batch: int = 1000, scope: Scope = EVERYTHING
    ) -> Iterator[list[Occurrence]]:
        """Yield visible occurrences in reading order; every batch is read by a statement of its own."""
        filled: list[Occurrence] = []
        where = ScopeCondition(scope, self._paths)
        after = (document_id or 1) - 1
        only = " AND d.id = %(only)s" if document_id is not None else ""
        while True:
            documents = self._database.rows(
                f"SELECT d.id, d.path FROM document d WHERE d.id > %(after)s AND {VISIBLE} AND {where.of_document}"
                f"{only} ORDER BY d.id LIMIT {_DOCUMENTS}",
                after=after,
                only=document_id,
                **where.values,
            )
            if not documents:
                break
            for document in documents:
                after, ordinal = document.id, -1
                path = self._paths.decode(document.path)
                while rows := self._after(document.id, ordinal, batch - len(filled)):
                    ordinal = rows[-1].ordinal
                    filled += [occurrence_from_row(row, document.id, path) for row in rows]
                    if len(filled) == batch:
                        yield filled
                        filled = []
        if filled:
            yield filled

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> list[Occurrence]:
        """Return the visible occurrences from `before` sentences before `ordinal` to `after` sentences after it."""
        first = max(ordinal - before, 0)
        rows = self._after(document_id, first - 1, ordinal - first + 1 + after)
        return [occurrence_from_row(row, document_id, self._paths.decode(row.path)) for row in rows]

    def _after(self, document_id: int, ordinal: int, limit: int) -> Sequence[AnyRow]:
        return self._database.rows(
            f"SELECT {OCCURRENCE_COLUMNS}, d.path FROM document d JOIN occurrence o ON o.version_id = d.live_id"
            " JOIN sentence s ON s.id = o.sentence_id"
            f" WHERE d.id = %(id)s AND {VISIBLE} AND o.ordinal > %(ordinal)s ORDER BY o.ordinal LIMIT %(limit)s",
            id=document_id,
            ordinal=ordinal,
            limit=limit,
        )


def vector_checksum(vector: NDArray[np.float32]) -> int:
    """Return the CRC-32 of a vector's bytes."""
    return zlib.crc32(np.ascontiguousarray(vector, "<f4").tobytes())


def add_to_tally(database: SharedDatabase, **changes: int) -> None:
    """Add to counts, in the transaction that changes what they count.

    Each change is a row of its own, so that no two sessions wait for each other; upkeep adds them up.
    """
    changed = {name: change for name, change in changes.items() if change}
    if changed:
        database.run(
            "INSERT INTO tally (name, change) SELECT * FROM unnest(%(names)s::text[], %(changes)s::bigint[])",
            names=list(changed),
            changes=list(changed.values()),
        )


TALLY: Question[dict[str, int]] = Question(
    "tally",
    "SELECT name, sum(change)::bigint AS total FROM tally GROUP BY 1",
    {},
    lambda rows: {row.name: int(row.total) for row in rows},
)
"""All counts."""
