"""Checks a shared library against itself and repairs it. The server itself guards references and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.jobs import Progress
from desktop_app.core.messages import NOTHING, Message, join_messages
from desktop_app.core.records import CheckResult
from desktop_app.core.stored_rows import have_unit_length
from desktop_app.shared_store.connection import HOLD_VECTORS, MOVE_VECTORS
from desktop_app.shared_store.ingest import find_unfinished
from desktop_app.shared_store.sentences import TALLY, vector_checksum
from desktop_app.shared_store.stored_values import key_of
from desktop_app.shared_store.vectors import parent_table, part_table, read_parts
from desktop_app.shared_store.words import pack_words, stems_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from desktop_app.core.jobs import Step
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.ingest import SharedDocumentIngest
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.vectors import VectorSealer

_STEP_ROWS = 4000
_SHOWN = 5

CheckSteps: TypeAlias = "Generator[Progress, None, Message]"
"""A check in steps: yields progress, returns what is wrong."""


class SharedDoctor:
    """Checks everything; reads every text and vector, so it takes a while.

    Each check returns a description of what is wrong, or an empty message. A check may have a repair; after it, the
    check runs again, and the result shown is the state afterwards.
    """

    def __init__(
        self,
        database: SharedDatabase,
        models: SharedLibraryModels,
        importing: SharedDocumentIngest,
        sealer: VectorSealer,
    ) -> None:
        self._database = database
        self._models = models
        self._importing = importing
        self._sealer = sealer
        self._bad_texts: list[int] = []
        self._bad_words: list[int] = []
        self._bad_vectors: list[int] = []

    def check(self, *, repair: bool = False) -> Iterator[CheckResult | Step]:
        """Yield each result as soon as it is known, and progress within the checks that read every text or vector.

        Raises:
            LibraryBusy: a repair is needed, but this session may only read.
        """
        if repair and not self._database.writable:
            raise LibraryBusy(
                "The library {library} is open as read-only and cannot be repaired",
                "Ask its owner for permission to write.",
                library=self._database.address.library,
            )
        checks: tuple[tuple[str, Callable[[], CheckSteps], Callable[[], Iterable[Step] | None]], ...] = (
            ("texts", self._check_texts, self._set_aside_damaged),
            ("words", self._check_words, self._index_again),
            ("documents", self._at_once(self._check_unfinished), self._requeue_unfinished),
            ("vectors sound", self._check_vectors, self._drop_bad_vectors),
            ("vectors present", self._at_once(self._check_missing), self._queue_missing),
            ("counters", self._at_once(self._check_counters), self._recount),
            ("index", self._at_once(self._check_index), self._rebuild),
        )
        for name, check, repair_it in checks:
            found = wrong = yield from check()
            if wrong and repair:
                yield from repair_it() or ()
                wrong = yield from check()
            detail = wrong or (Message("repaired: {found}", found=found) if found else NOTHING)
            yield CheckResult(name, not wrong, detail)

    def _at_once(self, check: Callable[[], Message]) -> Callable[[], CheckSteps]:
        """Return a check without steps of its own, in one transaction."""

        def steps() -> CheckSteps:
            with self._database.read_transaction():
                found = check()
            yield from ()
            return found

        return steps

    # Texts and words

    def _check_texts(self) -> CheckSteps:
        """Compare every text with its hash, and its words with the text."""
        self._bad_texts, self._bad_words = [], []
        total = self._database.answer(TALLY).get("sentences", 0)
        after = done = 0
        while rows := self._database.rows(
            "SELECT id, hash, text, words::text AS words FROM sentence WHERE id > %(after)s"
            f" ORDER BY id LIMIT {_STEP_ROWS}",
            after=after,
        ):
            after = rows[-1].id
            done += len(rows)
            self._bad_texts += [row.id for row in rows if key_of(row.text) != bytes(row.hash)]
            packed = self._database.column(
                "SELECT n.words::tsvector::text FROM unnest(%(words)s::text[]) WITH ORDINALITY AS n (words, at)"
                " ORDER BY n.at",
                words=[pack_words(stems_of(row.text)) for row in rows],
            )
            self._bad_words += [row.id for row, words in zip(rows, packed, strict=True) if row.words != words]
            yield Progress("checking", done, max(total, done), "sentences")
        if not self._bad_texts:
            return NOTHING
        return Message("{count} sentences have changed since they were stored", count=len(self._bad_texts))

    def _set_aside_damaged(self) -> None:
        """Queue the documents with damaged sentences: until their files are read again, the damaged text stays."""
        with self._database.write_transaction():
            for row in self._database.rows(
                "SELECT id, text FROM sentence WHERE id = ANY(%(ids)s::bigint[])", ids=self._bad_texts
            ):
                text = row.text
                while self._database.rows(
                    "SELECT FROM sentence WHERE hash = %(hash)s AND id <> %(id)s", hash=key_of(text), id=row.id
                ):
                    text += " "  # another sentence says just that
                self._database.run(
                    "UPDATE sentence SET hash = %(hash)s, text = %(text)s WHERE id = %(id)s",
                    hash=key_of(text),
                    text=text,
                    id=row.id,
                )
            self._queue_documents(
                "SELECT version_id FROM occurrence WHERE sentence_id = ANY(%(ids)s::bigint[])", ids=self._bad_texts
            )

    def _check_words(self) -> CheckSteps:
        """Report what `_check_texts` has seen of the word index, and count passages without words."""
        yield from ()
        lacking = int(
            self._database.value(
                "SELECT count(*) FROM document d JOIN version v ON v.id = d.live_id WHERE d.state = 'ready'"
                " AND v.sentences > 0 AND NOT EXISTS (SELECT FROM passage p WHERE p.version_id = v.id)"
            )
        )
        wrong = [Message("the word index of the sentences does not match the texts")] if self._bad_words else []
        if lacking:
            wrong.append(Message("the word index lacks {count} passages", count=lacking))
        return join_messages(*wrong)

    def _index_again(self) -> None:
        with self._database.write_transaction():
            rows = self._database.rows(
                "SELECT id, text FROM sentence WHERE id = ANY(%(ids)s::bigint[])", ids=self._bad_words
            )
            stems = [stems_of(row.text) for row in rows]
            self._database.run(
                "UPDATE sentence s SET words = n.words::tsvector, size = n.size"
                " FROM unnest(%(ids)s::bigint[], %(words)s::text[], %(sizes)s::int[]) AS n (id, words, size)"
                " WHERE s.id = n.id",
                ids=[row.id for row in rows],
                words=[pack_words(own) for own in stems],
                sizes=[len(own) for own in stems],
            )
            versions = self._database.rows(
                "SELECT DISTINCT v.id, v.sentences FROM version v JOIN document d ON d.live_id = v.id"
                " WHERE d.state = 'ready' AND (EXISTS (SELECT FROM occurrence o WHERE o.version_id = v.id"
                " AND o.sentence_id = ANY(%(ids)s::bigint[])) OR NOT EXISTS (SELECT FROM passage p"
                " WHERE p.version_id = v.id))",
                ids=self._bad_words,
            )
            for version in versions:
                self._database.run("DELETE FROM passage WHERE version_id = %(id)s", id=version.id)
                self._importing.add_passages(version.id, version.sentences)
        self._bad_words = []

    # Documents and counters

    def _check_unfinished(self) -> Message:
        """Name documents that are half imported while no session works on them."""
        ids = [row.id for row in find_unfinished(self._database, self._importing.active)]
        if not ids:
            return NOTHING
        return Message("{count} documents are stuck in an import: {ids}", count=len(ids), ids=_list_some(ids))

    def _requeue_unfinished(self) -> None:
        self._importing.recover()

    def _check_counters(self) -> Message:
        kept, true = self._database.answer(TALLY), self._count_rows()
        wrong = [
            Message("counter {name}: {found} instead of {true}", name=name, found=kept.get(name, 0), true=true[name])
            for name in true
            if kept.get(name, 0) != true[name]
        ]
        versions = int(
            self._database.value(
                "SELECT count(*) FROM version v JOIN document d ON v.id IN (d.live_id, d.building_id)"
                " WHERE v.sentences <> (SELECT count(*) FROM occurrence o WHERE o.version_id = v.id)"
                " OR d.live_id = v.id AND d.sentences <> v.sentences"
            )
        )
        if versions:
            wrong.append(Message("{count} documents have a wrong number of sentences", count=versions))
        return join_messages(*wrong)

    def _count_rows(self) -> dict[str, int]:
        """Compute the counts from the tables, the slow way."""
        row = self._database.row("SELECT count(*) AS sentences, coalesce(sum(size), 0) AS terms FROM sentence")
        assert row is not None, "an aggregate has a row"
        counted = {"sentences": int(row.sentences), "terms": int(row.terms)}
        for model_id in self._database.column("SELECT id FROM model WHERE current OR switching <> ''"):
            counted[f"vectors.{model_id}"] = int(self._database.value(f"SELECT count(*) FROM {parent_table(model_id)}"))
        return counted

    def _recount(self) -> None:
        with self._database.write_transaction():
            self._database.rows(MOVE_VECTORS)
            self._database.run("LOCK TABLE tally IN SHARE ROW EXCLUSIVE MODE")
            true = self._count_rows()
            self._database.run("DELETE FROM tally WHERE name = ANY(%(names)s)", names=list(true))
            self._database.run(
                "INSERT INTO tally (name, change) SELECT * FROM unnest(%(names)s::text[], %(counts)s::bigint[])",
                names=list(true),
                counts=list(true.values()),
            )
            self._database.run(
                "UPDATE version v SET sentences = c.count FROM (SELECT v.id, count(o.ordinal) AS count FROM version v"
                " LEFT JOIN occurrence o ON o.version_id = v.id GROUP BY v.id) c"
                " WHERE c.id = v.id AND v.sentences <> c.count"
            )
            self._database.run(
                # Only those that are wrong: importers lock theirs, and wait for this transaction then.
                "UPDATE document d SET sentences = c.sentences FROM (SELECT d.id, coalesce(v.sentences, 0) AS sentences"
                " FROM document d LEFT JOIN version v ON v.id = d.live_id) c"
                " WHERE c.id = d.id AND d.sentences <> c.sentences AND (d.removed_at IS NULL OR d.removed_at > 0)"
            )

    # Vectors

    def _check_vectors(self) -> CheckSteps:
        """Check length and checksum of every vector."""
        self._bad_vectors = []
        unsound = changed = 0
        model = self._models.current_row()
        total = 0 if model is None else self._models.count_own_vectors(model.id)
        after = done = 0
        while model is not None and (
            rows := self._database.vectors(
                f"SELECT sentence_id, vector, checksum FROM {parent_table(model.id)} WHERE sentence_id > %(after)s"
                f" ORDER BY sentence_id LIMIT {_STEP_ROWS}",
                after=after,
            )
        ):
            after = rows[-1].sentence_id
            done += len(rows)
            sound = have_unit_length(np.stack([row.vector for row in rows]))
            for row, is_sound in zip(rows, sound.tolist(), strict=True):
                is_changed = vector_checksum(row.vector) != row.checksum
                unsound += not is_sound
                changed += is_changed
                if not is_sound or is_changed:
                    self._bad_vectors.append(row.sentence_id)
            yield Progress("checking", done, max(total, done), "vectors")
        wrong = [
            Message("{count} vectors have a wrong length or are not of length 1", count=unsound)
            if unsound
            else NOTHING,
            Message("{count} vectors have changed since they were stored", count=changed) if changed else NOTHING,
        ]
        return join_messages(*wrong)

    def _drop_bad_vectors(self) -> None:
        model_id = self._models.current_id
        with self._database.write_transaction():
            self._database.rows(HOLD_VECTORS)
            dropped = self._database.run(
                f"DELETE FROM {parent_table(model_id or 0)} WHERE sentence_id = ANY(%(ids)s::bigint[])",
                ids=self._bad_vectors,
            )
            self._database.run(
                "DELETE FROM neighbour WHERE sentence_id = ANY(%(ids)s::bigint[])", ids=self._bad_vectors
            )
            self._database.run(
                "INSERT INTO tally (name, change) VALUES (%(name)s, %(change)s)",
                name=f"vectors.{model_id}",
                change=-dropped,
            )

    def _check_missing(self) -> Message:
        versions = self._database.column(self._without_vector()) if self._models.current_id is not None else []
        if not versions:
            return NOTHING
        return Message("{count} documents have sentences without a vector", count=len(versions))

    def _without_vector(self) -> str:
        """Return the query for live versions that show a sentence without a vector."""
        return (
            "SELECT DISTINCT o.version_id FROM occurrence o JOIN document d ON d.live_id = o.version_id"
            # A queued document will be read again; until then the rest of it stays searchable.
            " WHERE d.removed_at IS NULL AND d.state <> 'queued' AND NOT EXISTS"
            f" (SELECT FROM {parent_table(self._models.current_id or 0)} v WHERE v.sentence_id = o.sentence_id)"
        )

    def _queue_missing(self) -> None:
        with self._database.write_transaction():
            self._queue_documents(self._without_vector())

    def _queue_documents(self, versions: str, **values: object) -> None:
        """Set the documents of some versions (a query) back to `queued`: they are read again even if unchanged."""
        ids = self._database.column(versions, **values)
        self._database.run("UPDATE version SET content_hash = NULL WHERE id = ANY(%(ids)s::bigint[])", ids=ids)
        self._database.run(
            "UPDATE document SET state = 'queued', reason = NULL, message = '' WHERE live_id = ANY(%(ids)s::bigint[])",
            ids=ids,
        )

    # The graphs

    def _check_index(self) -> Message:
        model_id = self._models.current_id
        bad = [] if model_id is None else self._bad_parts(model_id)
        return Message("{count} vectors are not in the index", count=sum(count for _, count in bad)) if bad else NOTHING

    def _bad_parts(self, model_id: int) -> list[tuple[int, int]]:
        """Return the partitions without a valid graph, or with sentences of others, and how many vectors of each."""
        found = []
        for part in read_parts(self._database, model_id):
            table = part_table(model_id, part.number)
            row = self._database.row(
                "SELECT count(*) AS held,"
                " count(*) FILTER (WHERE sentence_id %% %(modulus)s <> %(remainder)s) AS astray,"
                " EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                " JOIN pg_am a ON a.oid = c.relam"
                " WHERE i.indrelid = %(table)s::regclass AND a.amname = 'hnsw' AND i.indisvalid) AS is_sound"
                f" FROM {table}",
                table=table,
                modulus=part.modulus,
                remainder=part.remainder,
            )
            assert row is not None, "an aggregate has a row"
            if row.astray or not row.is_sound:
                found.append((part.number, row.held if not row.is_sound else row.astray))
        return found

    def _rebuild(self) -> Iterator[Step]:
        model = self._models.current_row()
        assert model is not None, "there are partitions"
        for number, _ in self._bad_parts(model.id):
            yield from self._sealer.rebuild(model.id, model.dim, number)


def _list_some(things: list[int]) -> str:
    return ", ".join(map(str, things[:_SHOWN])) + (" ..." if len(things) > _SHOWN else "")
