"""Stores a document's contents: begin, append, finish or fail, and recovery after an importer died.

The session that begins a document is its importer, by the number that it holds a lock of. When that lock is gone,
another session takes the document over.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import TakenOver
from desktop_app.core.language_detection import SAMPLE_SENTENCES, guess_sample_language
from desktop_app.core.passage_kinds import RULES_VERSION
from desktop_app.core.stored_rows import assert_unit_rows, omissions_to_text, pack_place, stored_decision
from desktop_app.core.stored_text import fold_text
from desktop_app.shared_store.connection import HOLD_VECTORS, LIVE_WORKERS
from desktop_app.shared_store.document_versions import clear_version, delete_version
from desktop_app.shared_store.documents import ask_building_version, find_own_versions, find_versions
from desktop_app.shared_store.schema import PASSAGE_SENTENCES
from desktop_app.shared_store.sentences import SentenceBatch
from desktop_app.shared_store.stored_values import clean_text, key_of
from desktop_app.shared_store.vectors import parent_table, total_table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.messages import Message
    from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
    from desktop_app.core.records import DocumentState
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.sentences import SharedSentenceStore, Statements

UNFINISHED = "(building_id IS NOT NULL OR state IN ('reading', 'embedding'))"
"""The condition on documents that are half imported; both parts have an index."""
_BEGIN_VERSION = (
    "WITH new AS (INSERT INTO version (document_id, content_hash, type, title, title_folded, author, author_folded,"
    " dated, about, page_count, encoding, outline, decided) VALUES (%(document)s, %(hash)s, %(type)s, %(title)s,"
    " %(title_folded)s, %(author)s, %(author_folded)s, %(dated)s, %(about)s, %(pages)s, %(encoding)s, %(outline)s,"
    " %(decided)s) RETURNING id) UPDATE document d SET state = 'reading', reason = NULL, message = '',"
    " building_id = new.id, live_id = CASE WHEN %(stays)s THEN d.live_id ELSE new.id END,"
    " sentences = CASE WHEN %(stays)s THEN d.sentences ELSE 0 END, worker = %(worker)s FROM new"
    " WHERE d.id = %(document)s"
)
_PLACES = (
    "INSERT INTO occurrence (version_id, ordinal, sentence_id, paragraph, kind, page, start, stop, unit, more, line,"
    " last_line, passage, reason) SELECT %(version)s, %(first)s + n.at - 1, s.id, n.paragraph, n.kind, n.page, n.start,"
    " n.stop, n.unit, n.more, n.line, n.last_line, n.passage, n.reason FROM unnest(%(keys)s::bytea[],"
    " %(paragraphs)s::bigint[], %(kinds)s::text[], %(pages)s::int[], %(starts)s::bigint[], %(stops)s::bigint[],"
    " %(units)s::text[], %(mores)s::text[], %(lines)s::bigint[], %(last_lines)s::bigint[], %(passages)s::text[],"
    " %(reasons)s::text[]) WITH ORDINALITY AS n (key, paragraph, kind, page, start, stop, unit, more, line, last_line,"
    " passage, reason, at) JOIN sentence s ON s.hash = n.key"
)
_TRUNCATED = (
    "INSERT INTO truncated (model_id, sentence_id) SELECT %(model)s, id FROM sentence"
    " WHERE hash = ANY(%(keys)s::bytea[]) ORDER BY id ON CONFLICT DO NOTHING"
)
_IN_BATCH = "o.version_id = %(version)s AND o.ordinal >= %(first)s AND o.ordinal < %(stored)s"
_COUNT = (
    "UPDATE version SET sentences = %(stored)s, truncated = truncated + (SELECT count(*) FROM occurrence o"
    f" JOIN truncated t ON t.sentence_id = o.sentence_id AND t.model_id = %(model)s WHERE {_IN_BATCH})"
    " WHERE id = %(version)s"
)
_SUM_UP = (
    "INSERT INTO {total} AS t (version_id, sentences, vector) SELECT %(version)s, %(stored)s, sum(e.vector)"
    f" FROM occurrence o JOIN {{vectors}} e ON e.sentence_id = o.sentence_id WHERE {_IN_BATCH} HAVING count(*) > 0"
    " ON CONFLICT (version_id) DO UPDATE SET sentences = excluded.sentences, vector = t.vector + excluded.vector"
)


class _ModelSwitched(Exception):
    """Vectors of another model than the library's are not stored."""


class SharedDocumentIngest:
    """Implements `core.library.DocumentIngest`: builds the versions of documents.

    A first import is visible as it grows: its version is live from the start. A repeated import builds an invisible
    version, until `finish` makes it live and deletes the old one in the same transaction.
    """

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        sentences: SharedSentenceStore,
        models: SharedLibraryModels,
    ) -> None:
        self._database = database
        self._paths = paths
        self._sentences = sentences
        self._models = models
        self._active: set[int] = set()
        self._model_id: int | None = None  # as of the last batch

    @property
    def active(self) -> frozenset[int]:
        """The documents that this session is importing."""
        return frozenset(self._active)

    def recover(self) -> int:
        """Set documents whose importer died back to `queued`, and delete what it had stored; returns how many.

        Their sentences and vectors stay until a purge, so that nothing is embedded twice. Documents that another
        session is recovering at this moment are left to it. A session that lost its connection has died too: it is
        another one since.
        """
        with self._database.write_transaction():
            live = self._database.column(LIVE_WORKERS)
            rows = self._database.rows(
                f"SELECT id, live_id, building_id, state FROM document WHERE {UNFINISHED}"
                " AND worker <> ALL(%(live)s::int[]) ORDER BY id FOR UPDATE SKIP LOCKED",
                live=live,
            )
            for row in rows:
                is_first = row.building_id is not None and row.building_id == row.live_id
                self._database.run(
                    "UPDATE document SET state = CASE WHEN state = 'ready' THEN 'ready' ELSE 'queued' END,"
                    " building_id = NULL, worker = 0,"
                    " live_id = CASE WHEN %(first)s THEN NULL ELSE live_id END,"
                    " sentences = CASE WHEN %(first)s THEN 0 ELSE sentences END WHERE id = %(id)s",
                    id=row.id,
                    first=is_first,
                )
                if row.building_id is not None:
                    delete_version(self._database, row.building_id)
            # Those that this session had begun with a connection that it has lost since, or that others have removed.
            lost = self._active.difference(
                self._database.column(
                    "SELECT id FROM document WHERE id = ANY(%(ids)s::bigint[]) AND worker = %(own)s",
                    ids=list(self._active),
                    own=self._database.worker,
                )
                if self._active
                else ()
            )
        for document_id in lost:
            self.release(document_id)
        self._database.begun |= lost
        return len(rows)

    def queue(self, document_id: int, file: FileRef) -> None:
        """Set a document back to `queued`."""
        self.release(document_id)
        with self._database.write_transaction():
            row = find_versions(self._database, document_id)
            others = row.state != "ready" and row.worker not in (0, self._database.worker)
            if others and row.worker in self._database.column(LIVE_WORKERS):
                return  # another session reads it at this moment
            seen = self._paths.read_again(row.volume, file.stamp)
            self._set_state(document_id, "queued", file=file, worker=0, volume=seen)

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Abandon a repeated import: the earlier version is `ready` again.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: another session imports it.
            ValueError: there is no earlier version.
        """
        with self._database.write_transaction():
            row = find_own_versions(self._database, document_id)
            if row.live_id is None or row.live_id == row.building_id:
                raise ValueError(f"document {document_id} has no earlier version")
            seen = self._paths.read_again(row.volume, file.stamp)
            self._set_state(document_id, "ready", file=file, building_id=None, worker=0, volume=seen)
            if row.building_id is not None:
                delete_version(self._database, row.building_id)
        self.release(document_id)

    def withdraw(self, document_ids: Sequence[int]) -> None:
        """Let documents leave the list; they cannot be restored."""
        with self._database.write_transaction():
            self._database.run(
                "UPDATE document SET removed_at = -1 WHERE id = ANY(%(ids)s::bigint[]) AND removed_at IS NULL",
                ids=list(document_ids),
            )
        for document_id in document_ids:
            self.release(document_id)

    def claim(self, document_ids: Sequence[int]) -> list[int]:
        """Take queued documents; a document whose row is locked is being taken by another session."""
        with self._database.write_transaction():
            live = self._database.column(LIVE_WORKERS)  # a connection that is opened again has another number
            taken = self._database.column(
                "UPDATE document SET worker = %(own)s WHERE id IN (SELECT id FROM document"
                " WHERE id = ANY(%(ids)s::bigint[]) AND removed_at IS NULL AND state = 'queued'"
                " AND (worker IN (0, %(own)s) OR worker <> ALL(%(live)s::int[])) ORDER BY id FOR UPDATE SKIP LOCKED)"
                " RETURNING id",
                own=self._database.worker,
                ids=list(document_ids),
                live=live,
            )
        kept = set(taken)
        return [document_id for document_id in document_ids if document_id in kept]

    def hold(self, document_id: int) -> None:
        """Note that this session works on a document, before it stores anything of it."""
        self._database.hold_imports(True)
        self._active.add(document_id)

    def release(self, document_id: int) -> None:
        """Do no more with a document: sentences that were only kept for it may be erased."""
        self._active.discard(document_id)
        self._database.begun.discard(document_id)
        if not self._active:
            self._sentences.promised.clear()
            self._database.hold_imports(False)

    def begin(self, document_id: int, head: DocumentHead) -> None:
        """Begin a version.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: another session imports it, or this one did so with a connection that it has lost.
        """
        was_active = document_id in self._active
        self.hold(document_id)
        self._database.begun.add(document_id)
        try:
            with self._database.write_transaction():
                self._begin(document_id, head)
        except BaseException:
            if not was_active:
                self.release(document_id)
            raise

    def _begin(self, document_id: int, head: DocumentHead) -> None:
        row = find_own_versions(self._database, document_id)
        stays = row.live_id is not None and row.live_id != row.building_id and row.sentences > 0
        old = {row.building_id, None if stays else row.live_id} - {None}
        self._database.ask(_begin_version(document_id, head, self._database.worker, stays=stays), is_last=not old)
        for version_id in old:
            delete_version(self._database, version_id)

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector; during an import, the others are kept for it."""
        return self._sentences.without_vector(texts, self._models.current_id, promise=bool(self._active))

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        """Store a batch in one transaction.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: the connection was lost since it was begun, or another session has switched the library to
                another model than the one with this fingerprint.
            ValueError: vectors of the wrong shape or length, or a span without a vector; nothing is stored.
        """
        try:
            self._append(document_id, spans, texts, vectors, truncated, fingerprint)
        except _ModelSwitched:
            with self._database.write_transaction():
                self._database.run(
                    "UPDATE document SET state = 'queued', worker = 0"
                    " WHERE id = %(id)s AND state <> 'ready' AND worker = %(own)s",
                    id=document_id,
                    own=self._database.worker,
                )
            raise TakenOver(
                "The library was switched to another model while document {document_id} was stored",
                "Try again.",
                document_id=document_id,
            ) from None

    def _append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str],
        fingerprint: str,
    ) -> None:
        with self._database.write_transaction():
            model_id = self._model_id if self._model_id is not None else self._models.current_id
            batch = SentenceBatch([span.text for span in spans], texts, vectors, model_id or 0)
            row, (_, models, versions, *stored) = ask_building_version(
                self._database,
                document_id,
                # First: from here on no vector moves or is erased, and nobody switches models.
                (HOLD_VECTORS, {}),
                ("SELECT id, dim, fingerprint FROM model WHERE current", {}),
                (
                    "SELECT v.id, v.sentences, v.sampled FROM document d JOIN version v ON v.id = d.building_id"
                    " WHERE d.id = %(id)s",
                    {"id": document_id},
                ),
                *([batch.question()] if model_id is not None else []),
            )
            if not models:
                raise ValueError("the library has no model yet")
            model, version = models[0], versions[0]
            if texts and fingerprint not in ("", model.fingerprint):
                raise _ModelSwitched
            assert_unit_rows(vectors, len(texts), model.dim)
            if model.id != model_id:  # another session has switched it
                batch.model_id = model.id
                stored = self._database.ask([batch.question()])
            self._model_id = model.id
            batch.read(stored[0])
            statements = batch.statements()
            ids_at = len(statements) - 1
            statements += self._growth(row, version, batch, spans, truncated, document_id)
            # The language of later batches is guessed from sentences that are stored.
            guess = self._guess(version.id, version.sentences + len(spans), version.sampled, version.sentences, spans)
            answers = self._database.ask([*statements, *(guess or [])], is_last=guess is not None)
            if guess is None:
                self.guess_language(version.id, version.sentences + len(spans), version.sampled)
        self._sentences.promise(found.id for found in answers[ids_at])

    def _growth(
        self,
        row: AnyRow,
        version: AnyRow,
        batch: SentenceBatch,
        spans: Sequence[SentenceSpan],
        truncated: Collection[str],
        document_id: int,
    ) -> Statements:
        """Return the statements that store the occurrences of a batch, and what is counted of them."""
        stored = version.sentences + len(spans)
        values = {"version": version.id, "first": version.sentences, "stored": stored, "model": batch.model_id}
        statements: Statements = []
        if spans:
            statements.append((_PLACES, {**values, **_place_columns(spans), "keys": batch.keys}))
        if truncated:
            statements.append((_TRUNCATED, {**values, "keys": sorted({key_of(text) for text in truncated})}))
        names = {"total": total_table(batch.model_id), "vectors": parent_table(batch.model_id)}
        statements += [(_COUNT, values), (_SUM_UP.format(**names), values)]
        if stored // PASSAGE_SENTENCES > version.sentences // PASSAGE_SENTENCES:
            statements.append(_add_passages(version.id, stored, is_whole=False))
        # A document stays ready while it is corrected.
        seen = {
            "id": document_id,
            "state": row.state if row.state == "ready" else "embedding",
            "seen": stored if row.building_id == row.live_id else row.sentences,
        }
        change = "UPDATE document SET state = %(state)s, sentences = %(seen)s WHERE id = %(id)s"
        return [*statements, (change, seen)]

    def add_passages(self, version_id: int, stored: int) -> None:
        """Index the passages of a whole version."""
        self._database.ask([_add_passages(version_id, stored, is_whole=True)])

    def _guess(
        self, version_id: int, stored: int, sampled: int, before: int, spans: Sequence[SentenceSpan]
    ) -> Statements | None:
        """Return the statements that store the language of a version; None if its earlier text is needed for it."""
        if not is_guess_due(stored, sampled):
            return []
        first = stored // 3 - before
        if first < 0:
            return None
        return [
            _set_language(version_id, stored, [(span.text, span.kind) for span in spans[first:][:SAMPLE_SENTENCES]])
        ]

    def guess_language(self, version_id: int, stored: int, sampled: int) -> None:
        """Guess the language of a version from its stored text, again as it grows.

        `sampled` is how many sentences it had when it was guessed before.
        """
        if not is_guess_due(stored, sampled):
            return
        rows = self._database.rows(
            "SELECT s.text, o.kind FROM occurrence o JOIN sentence s ON s.id = o.sentence_id"
            f" WHERE o.version_id = %(id)s AND o.ordinal >= %(first)s ORDER BY o.ordinal LIMIT {SAMPLE_SENTENCES}",
            id=version_id,
            first=stored // 3,
        )
        self._database.ask([_set_language(version_id, stored, [(row.text, row.kind) for row in rows])])

    def find_noted(self) -> list[int]:
        """Return none: annotations of a shared library are no passages."""
        return []

    def kept_notes(self, document_id: int) -> None:
        """Return nothing: annotations are personal, and what a document says is seen by everybody."""

    def replace_notes(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
    ) -> bool:
        """Return False: a shared library keeps no passages of annotations."""
        return False

    def finish(self, document_id: int, done: ReadingDone) -> None:
        """Make the version live and the document `ready`.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: the connection was lost since it was begun.
        """
        with self._database.write_transaction():
            row, (versions,) = ask_building_version(
                self._database,
                document_id,
                (
                    "SELECT v.sentences FROM document d JOIN version v ON v.id = d.building_id WHERE d.id = %(id)s",
                    {"id": document_id},
                ),
            )
            version_id, stored = row.building_id, versions[0].sentences
            made = {"building_id": None, "live_id": version_id, "sentences": stored, "worker": 0}
            is_first = row.live_id in (None, version_id)
            self._database.ask(
                [
                    *_save_notes(version_id, done),
                    _add_passages(version_id, stored, is_whole=True),
                    _change_state(document_id, "ready", **made),
                ],
                is_last=is_first,
            )
            if not is_first:
                delete_version(self._database, row.live_id)
        self.release(document_id)

    def fail(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Mark the document as `failed`; an earlier version stays visible.

        After a failed first import the header (title, type, pages) stays for the list, but without the content hash:
        nothing of that content is stored, so the file must not count as unchanged.

        Raises:
            NotFound: the document was removed in the meantime.
            TakenOver: another session imports it, or this one did so with a connection that it has lost.
        """
        with self._database.write_transaction():
            row = find_own_versions(self._database, document_id)
            is_first = row.building_id is not None and row.building_id == row.live_id
            self._set_state(
                document_id,
                "failed",
                reason=reason,
                message=clean_text(message.to_text()),
                building_id=None,
                sentences=0 if is_first else row.sentences,
                worker=0,
            )
            if is_first:
                clear_version(self._database, row.building_id)
                forget_content(self._database, row.building_id)
            elif row.building_id is not None:
                delete_version(self._database, row.building_id)
        self.release(document_id)

    def note_removed(self, document_ids: Sequence[int]) -> None:
        """Note that documents were removed: their imports cannot continue."""
        for document_id in document_ids:
            self.release(document_id)

    def _set_state(self, document_id: int, state: DocumentState, **more: Any) -> None:
        self._database.ask([_change_state(document_id, state, **more)])


def _change_state(
    document_id: int,
    state: DocumentState,
    *,
    reason: FailureReason | None = None,
    message: str = "",
    file: FileRef | None = None,
    **values: object,
) -> tuple[str, dict[str, object]]:
    """Return the statement that sets the state of a document, and some of its columns."""
    if file is not None:
        values |= {"size_bytes": file.size_bytes, "mtime_ns": file.mtime_ns, "stamp": file.stamp}
    values |= {"state": state, "reason": reason, "message": message}
    changes = ", ".join(f"{name} = %({name})s" for name in values)
    return f"UPDATE document SET {changes} WHERE id = %(own_id)s", {"own_id": document_id, **values}


def _save_notes(version_id: int, done: ReadingDone) -> Statements:
    """Return the statements that store what was noted while a file was read."""
    statements: Statements = [
        (
            "UPDATE version SET warnings = %(warnings)s, omitted = %(omitted)s WHERE id = %(id)s",
            {
                "warnings": json.dumps([clean_text(warning.to_text()) for warning in done.warnings]),
                "omitted": omissions_to_text(done.omitted),
                "id": version_id,
            },
        )
    ]
    if done.pages:
        pages = {
            "version": version_id,
            "pages": [note.page for note in done.pages],
            "states": [note.state for note in done.pages],
            "engines": [note.engine for note in done.pages],
            "qualities": [note.quality for note in done.pages],
        }
        statement = (
            "INSERT INTO page (version_id, page, state, engine, quality) SELECT %(version)s, *"
            " FROM unnest(%(pages)s::int[], %(states)s::text[], %(engines)s::text[], %(qualities)s::float8[])"
            " ON CONFLICT (version_id, page) DO UPDATE SET state = excluded.state, engine = excluded.engine,"
            " quality = excluded.quality"
        )
        statements.append((statement, pages))
    return statements


def forget_content(database: SharedDatabase, version_id: int) -> None:
    """Let a version count as one whose content is not stored."""
    database.run(
        "UPDATE version SET content_hash = NULL, sentences = 0, truncated = 0, sampled = 0, language = ''"
        " WHERE id = %(id)s",
        id=version_id,
    )


def _begin_version(document_id: int, head: DocumentHead, worker: int, *, stays: bool) -> Statements:
    """Return the statements that make a version, and that of a document being built; `stays`: not the visible one."""
    title, author = clean_text(head.title), clean_text(head.author)
    values = {
        "document": document_id,
        "hash": head.content_hash,
        "type": head.type,
        "title": title,
        "title_folded": fold_text(title),
        "author": author,
        "author_folded": fold_text(author),
        "dated": head.dated,
        "about": clean_text(head.reference.to_json()),
        "pages": head.page_count,
        "encoding": head.encoding,
        "outline": json.dumps([[clean_text(entry.title), entry.page, entry.level] for entry in head.outline]),
        "decided": RULES_VERSION,
        "worker": worker,
        "stays": stays,
    }
    statements: Statements = [(_BEGIN_VERSION, values)]
    if head.page_labels:
        label = (
            "INSERT INTO page (version_id, page, label) SELECT d.building_id, l.page, l.label"
            " FROM unnest(%(labels)s::text[]) WITH ORDINALITY AS l (label, page), document d WHERE d.id = %(document)s"
        )
        labels = [clean_text(each) for each in head.page_labels]
        statements.append((label, {"document": document_id, "labels": labels}))
    return statements


def is_guess_due(stored: int, sampled: int) -> bool:
    """Return whether the language of so many sentences is guessed again, after `sampled` of them."""
    return bool(stored) and sampled < SAMPLE_SENTENCES and stored >= 2 * sampled


def _set_language(version_id: int, stored: int, sample: Sequence[tuple[str, str]]) -> tuple[str, dict[str, object]]:
    """Return the statement that stores the language of (text, kind) pairs."""
    return (
        "UPDATE version SET language = %(language)s, sampled = %(sampled)s WHERE id = %(id)s",
        {
            "language": guess_sample_language(sample),
            "sampled": stored,
            "id": version_id,
        },
    )


def _add_passages(version_id: int, stored: int, *, is_whole: bool) -> tuple[str, dict[str, object]]:
    """Return the statement that indexes the complete passages of a version, and its last one when it `is_whole`."""
    return (
        "INSERT INTO passage (version_id, first, words, size)"
        f" SELECT %(id)s, o.ordinal / {PASSAGE_SENTENCES} * {PASSAGE_SENTENCES},"
        " join_words(s.words ORDER BY o.ordinal), sum(s.size)"
        " FROM occurrence o JOIN sentence s ON s.id = o.sentence_id"
        " WHERE o.version_id = %(id)s AND o.ordinal < %(end)s AND o.ordinal >="
        f" (SELECT coalesce(max(first) + {PASSAGE_SENTENCES}, 0) FROM passage WHERE version_id = %(id)s) GROUP BY 2",
        {"id": version_id, "end": stored if is_whole else stored // PASSAGE_SENTENCES * PASSAGE_SENTENCES},
    )


def _place_columns(spans: Sequence[SentenceSpan]) -> dict[str, list[Any]]:
    """Return the columns of occurrences."""
    columns: dict[str, list[Any]] = {
        name: []
        for name in (
            *("paragraphs", "kinds", "pages", "starts", "stops", "units", "mores", "lines", "last_lines"),
            *("passages", "reasons"),
        )
    }
    for span in spans:
        first, *more = span.places
        further = json.dumps([pack_place(place) for place in more]) if more else None
        place = (first.page, first.start, first.stop, first.unit, further, first.line, first.last_line)
        row = (span.paragraph, span.kind, *place, *stored_decision(span.kind, span.passage, span.reason))
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    return columns


def find_unfinished(database: SharedDatabase, active: frozenset[int]) -> list[AnyRow]:
    """Return the documents that are half imported while no session works on them."""
    return database.rows(
        "SELECT id FROM document WHERE removed_at IS NULL AND id <> ALL(%(active)s::bigint[])"
        f" AND {UNFINISHED} AND worker <> ALL(%(live)s::int[])"
        " ORDER BY id",
        active=list(active),
        live=database.column(LIVE_WORKERS),
    )
