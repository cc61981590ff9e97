"""Switches a shared library to another model: new vectors in a table of their own, then one transaction.

Until that transaction everything that people see comes from the old model. Any session may add vectors of the new one,
and several may do so at the same time; what is stored stays when a session ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.models import AffectedDocument, ModelSwitch
from desktop_app.core.stored_rows import STOPPED, UNDER_WAY, assert_unit_rows, model_info_from_row, places_from_row
from desktop_app.shared_store.connection import HOLD_VECTORS, MOVE_VECTORS
from desktop_app.shared_store.document_versions import (
    add_truncated,
    clear_version,
    delete_version,
    recount_truncated,
)
from desktop_app.shared_store.ingest import forget_content
from desktop_app.shared_store.purge import GIVEN_UP
from desktop_app.shared_store.sentences import OCCURRENCE_COLUMNS
from desktop_app.shared_store.stored_values import clean_text
from desktop_app.shared_store.vectors import parent_table, total_table

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.messages import Message
    from desktop_app.core.records import ModelInfo
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.ingest import SharedDocumentIngest
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.purge import SharedEraser
    from desktop_app.shared_store.sentences import SharedSentenceStore
    from desktop_app.shared_store.vectors import VectorSealer

_VERSIONS_PER_STEP = 50


class SharedModelSwitching:
    """Implements `core.library.ModelSwitching`."""

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        models: SharedLibraryModels,
        sentences: SharedSentenceStore,
        importing: SharedDocumentIngest,
        sealer: VectorSealer,
        eraser: SharedEraser,
    ) -> None:
        self._database = database
        self._paths = paths
        self._models = models
        self._sentences = sentences
        self._importing = importing
        self._sealer = sealer
        self._eraser = eraser
        self._refused: frozenset[int] = frozenset()
        self._prepared: tuple[int, int] | None = None
        """The sentences when everything was prepared: how many, and the last."""

    @property
    def target(self) -> ModelSwitch | None:
        """The switch under way; None if there is none."""
        row = self._row()
        return None if row is None else ModelSwitch(model_info_from_row(row), row.switching == STOPPED)

    @property
    def previous(self) -> ModelInfo | None:
        """The library's previous model; None if there is none."""
        row = self._database.row("SELECT * FROM model WHERE previous AND NOT current")
        return None if row is None else model_info_from_row(row)

    def _row(self) -> AnyRow | None:
        return self._database.row("SELECT * FROM model WHERE switching <> ''")

    def begin(self, model: ModelInfo) -> None:
        """Begin or continue the switch to `model`; drops another switch.

        Switching to the library's own model ends the switch.
        """
        own = self._models.current_row()
        is_own = own is not None and own.fingerprint == model.fingerprint
        if own is None or is_own or not self._models.count_own_vectors(own.id):
            self.give_up()
            self._models.bind(model)
            return
        with self._database.write_transaction():
            self._database.rows(MOVE_VECTORS)
            model_id = self._models.upsert(model)
            self._database.run(
                "UPDATE model SET switching = CASE WHEN id = %(id)s THEN %(now)s ELSE '' END",
                id=model_id,
                now=UNDER_WAY,
            )
        self._prepared = None

    def stop(self) -> None:
        """Record that a person stopped the switch: it continues when `begin` is called again, not by itself."""
        with self._database.write_transaction():
            self._database.run("UPDATE model SET switching = %(now)s WHERE switching <> ''", now=STOPPED)

    def give_up(self) -> None:
        """Drop the switch; the next purge erases its vectors."""
        with self._database.write_transaction():
            self._database.run("UPDATE model SET switching = '' WHERE switching <> ''")

    # New vectors

    def without_new_vector(self, after: int, limit: int) -> tuple[list[tuple[int, str]], int | None]:
        """Return sentences without a vector of the new model; see `core.library.ModelSwitching`."""
        model = self._row()
        if model is None:
            return [], None
        rows = self._database.rows(
            f"SELECT s.id, s.text, EXISTS (SELECT FROM {parent_table(model.id)} v WHERE v.sentence_id = s.id) AS done"
            " FROM sentence s WHERE s.id > %(after)s ORDER BY s.id LIMIT %(limit)s",
            after=after,
            limit=limit,
        )
        return [(row.id, row.text) for row in rows if not row.done], rows[-1].id if rows else None

    def append(
        self, sentence_ids: Sequence[int], vectors: NDArray[np.float32], truncated: Collection[int] = ()
    ) -> None:
        """Store vectors of the new model; skips sentences that are gone or already have one."""
        with self._database.write_transaction():
            self._database.rows(HOLD_VECTORS)
            model = self._row()
            if model is None:
                raise ValueError("no switch is under way")
            assert_unit_rows(vectors, len(sentence_ids), model.dim)
            wanted = set(
                self._database.column(
                    "SELECT id FROM sentence WHERE id = ANY(%(ids)s::bigint[])", ids=list(sentence_ids)
                )
            )
            wanted -= self._sentences.embedded(sentence_ids, model.id)
            self._sentences.add_vectors(
                model.id, {number: vectors[at] for at, number in enumerate(sentence_ids) if number in wanted}
            )
            add_truncated(self._database, model.id, [each for each in truncated if each in wanted])

    # Everything else the new model needs

    def prepare(self, refused: Collection[int] = ()) -> Steps[None]:
        """Build the new model's graphs and the sums of its vectors.

        `refused` are sentences that need no vector: `complete` erases them.
        """
        model = self._row()
        if model is None:
            return
        yield from self._sealer.seal(model.id, model.dim)
        after = 0
        while due := self._database.column(
            f"{_stale(model.id)} AND v.id > %(after)s ORDER BY v.id LIMIT {_VERSIONS_PER_STEP}", after=after
        ):
            after = due[-1]
            with self._database.write_transaction():
                self._database.rows(HOLD_VECTORS)
                for version_id in due:
                    self._sum_up(model.id, version_id)
            yield None
        self._refused = frozenset(refused)
        self._prepared = self._seen_sentences()

    def _seen_sentences(self) -> tuple[int, int]:
        row = self._database.row(
            "SELECT (SELECT coalesce(sum(change), 0) FROM tally WHERE name = 'sentences') AS total,"
            " (SELECT coalesce(max(id), 0) FROM sentence) AS last"
        )
        assert row is not None, "an aggregate has a row"
        return int(row.total), row.last

    def _sum_up(self, model_id: int, version_id: int) -> None:
        """Sum the new vectors of a version; without any it has no direction."""
        self._database.run(
            f"INSERT INTO {total_table(model_id)} (version_id, sentences, vector) SELECT v.id, v.sentences,"
            " coalesce((SELECT sum(e.vector) FROM occurrence o"
            f" JOIN {parent_table(model_id)} e ON e.sentence_id = o.sentence_id WHERE o.version_id = v.id),"
            " (SELECT array_fill(0::real, ARRAY[m.dim])::vector FROM model m WHERE m.id = %(model)s))"
            " FROM version v WHERE v.id = %(version)s"
            " ON CONFLICT (version_id) DO UPDATE SET sentences = excluded.sentences, vector = excluded.vector",
            model=model_id,
            version=version_id,
        )

    # The switch itself

    def complete(self, messages: Mapping[int, Message] | None = None) -> bool:
        """Switch in one transaction; returns False, without a change, if anything changed since `prepare`.

        Documents with a refused sentence fail in the same transaction, each with its message from `messages`.
        """
        with self._database.write_transaction():
            # Nobody stores or erases sentences until this transaction ends.
            self._database.rows(MOVE_VECTORS)
            model = self._row()
            if model is None or self._prepared != self._seen_sentences() or not self._is_complete(model.id):
                return False
            if self._refused and not self._fail_documents(self._refused, messages or {}):
                return False
            self._database.run(
                "UPDATE model SET previous = current, current = (id = %(id)s),"
                " switching = CASE WHEN id = %(id)s THEN '' ELSE switching END",
                id=model.id,
            )
            recount_truncated(self._database)
        self._prepared = None
        return True

    def _is_complete(self, model_id: int) -> bool:
        """Return whether every sentence has a new vector, or is refused, and every sum is up to date."""
        lacking = self._database.rows(
            f"SELECT FROM sentence s WHERE NOT EXISTS (SELECT FROM {parent_table(model_id)} v"
            " WHERE v.sentence_id = s.id) AND s.id <> ALL(%(refused)s::bigint[]) LIMIT 1",
            refused=list(self._refused),
        )
        return not lacking and not self._database.rows(f"{_stale(model_id)} LIMIT 1")

    def flush(self) -> Steps[None]:
        """Return at once: the server waits for its disk."""
        yield from ()

    def count_done(self) -> Generator[Step, None, int]:
        """Return how many sentences have a vector of the new model; the server knows it."""
        yield None
        model = self._row()
        return 0 if model is None else self._models.count_own_vectors(model.id)

    # Sentences without a usable vector

    def affected_documents(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents that contain any of these sentences, removed ones included."""
        active = self._importing.active
        return [
            AffectedDocument(
                row.document_id,
                self._paths.decode(row.path),
                row.sentence_id,
                places_from_row(row)[0],
                row.removed_at is not None,
                row.document_id in active or (row.worker != 0 and row.worker != self._database.worker),
            )
            for row in self._rows(sentence_ids)
        ]

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return the sentences that an import under way expects to be stored, and will not bring again."""
        return {number for number in sentence_ids if number in self._sentences.promised}

    def _fail_documents(self, sentence_ids: Collection[int], messages: Mapping[int, Message]) -> bool:
        """Make the documents with these sentences fail, and erase the sentences; in the transaction that switches.

        Returns False, without a change, if a document has no message, or an import is working on one.
        """
        rows = self._rows(sentence_ids)
        if self.needed_by_imports(sentence_ids) or any(
            row.document_id in self._importing.active or row.document_id not in messages for row in rows
        ):
            return False
        for row in rows:
            self._fail(row, messages[row.document_id])
        self._eraser.erase_sentences(list(sentence_ids))
        return True

    def _rows(self, sentence_ids: Collection[int]) -> list[AnyRow]:
        """Return a row for each document that contains one of them: its own columns and the first occurrence."""
        return self._database.rows(
            f"SELECT DISTINCT ON (d.id) {OCCURRENCE_COLUMNS}, d.id AS document_id, d.path, d.removed_at, d.live_id,"
            " d.worker FROM occurrence o JOIN sentence s ON s.id = o.sentence_id JOIN version v ON v.id = o.version_id"
            " JOIN document d ON d.id = v.document_id WHERE o.sentence_id = ANY(%(ids)s::bigint[])"
            " ORDER BY d.id, o.version_id, o.ordinal",
            ids=list(sentence_ids),
        )

    def _fail(self, row: AnyRow, message: Message) -> None:
        if row.removed_at != GIVEN_UP:  # otherwise it is being purged, and nothing about it may be stored any more
            self._database.run(
                "UPDATE document SET state = 'failed', reason = 'no_vector', message = %(message)s,"
                " building_id = NULL, worker = 0, sentences = 0 WHERE id = %(id)s",
                message=clean_text(message.to_text()),
                id=row.document_id,
            )
        for version_id in self._database.column(
            "SELECT id FROM version WHERE document_id = %(id)s", id=row.document_id
        ):
            if version_id != row.live_id:
                delete_version(self._database, version_id)
        if row.live_id is not None:
            clear_version(self._database, row.live_id)
            forget_content(self._database, row.live_id)


def _stale(model_id: int) -> str:
    """Return the query for the versions whose sum of new vectors is missing or outdated."""
    return (
        f"SELECT v.id FROM version v LEFT JOIN {total_table(model_id)} t ON t.version_id = v.id"
        " WHERE v.sentences > 0 AND t.sentences IS DISTINCT FROM v.sentences"
    )
