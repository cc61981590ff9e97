"""Stores a document's contents: begin, append, finish or fail, and recovery after an importer died.

The session that begins a document is its importer, by the number that it holds a lock of. When that lock is gone,
another session takes the document over.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.language_detection import guess_language
from desktop_app.core.passage_kinds import RULES_VERSION
from desktop_app.core.stored_rows import assert_unit_rows, omissions_to_text, pack_place, stored_decision
from desktop_app.core.stored_text import fold_text
from desktop_app.shared_store.connection import HOLD_VECTORS, LIVE_WORKERS
from desktop_app.shared_store.document_versions import add_truncated, clear_version, delete_version
from desktop_app.shared_store.documents import find_building_version, find_versions
from desktop_app.shared_store.keyword_index import PASSAGE_SENTENCES
from desktop_app.shared_store.stored_values import clean_text
from desktop_app.shared_store.vectors import total_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.messages import Message
    from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
    from desktop_app.core.records import DocumentState
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.sentences import SharedSentenceStore

_SAMPLE_SENTENCES = 40
_PROSE_KINDS = ("body", "list", "heading")

_ADD_VERSION = (
    "INSERT INTO version (document_id, content_hash, type, title, title_folded, author, author_folded, dated, about,"
    " page_count, encoding, outline, decided) VALUES (%(document)s, %(hash)s, %(type)s, %(title)s, %(title_folded)s,"
    " %(author)s, %(author_folded)s, %(dated)s, %(about)s, %(pages)s, %(encoding)s, %(outline)s, %(decided)s)"
    " RETURNING id"
)
_PLACES = (
    "COPY occurrence (version_id, ordinal, sentence_id, paragraph, kind, page, start, stop, unit, more, line,"
    " last_line, passage, reason) FROM STDIN"
)


class SharedDocumentIngest:
    """Implements `core.library.DocumentIngest`: builds the versions of documents.

    A first import is visible as it grows: its version is live from the start. A repeated import builds an invisible
    version, until `finish` makes it live and deletes the old one in the same transaction.
    """

    def __init__(self, database: SharedDatabase, sentences: SharedSentenceStore, models: SharedLibraryModels) -> None:
        self._database = database
        self._sentences = sentences
        self._models = models
        self._active: set[int] = set()

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
                "SELECT id, live_id, building_id, state FROM document"
                " WHERE (building_id IS NOT NULL OR state IN ('reading', 'embedding'))"
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
        # Those that this session had begun with a connection that it has lost since.
        lost = self._active.intersection(row.id for row in rows)
        for document_id in lost:
            self.release(document_id)
        self._database.begun |= lost
        return len(rows)

    def queue(self, document_id: int, file: FileRef) -> None:
        """Set a document back to `queued`."""
        with self._database.write_transaction():
            row = find_versions(self._database, document_id)
            others = row.state != "ready" and row.worker not in (0, self._database.worker)
            if others and row.worker in self._database.column(LIVE_WORKERS):
                return  # another session reads it at this moment
            self._set_state(document_id, "queued", file=file, worker=0)
        self.release(document_id)

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Abandon a repeated import: the earlier version is `ready` again.

        Raises:
            ValueError: there is no earlier version.
        """
        with self._database.write_transaction():
            row = find_versions(self._database, document_id)
            if row.live_id is None or row.live_id == row.building_id:
                raise ValueError(f"document {document_id} has no earlier version")
            self._set_state(document_id, "ready", file=file, building_id=None, worker=0)
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
            taken = self._database.column(
                "UPDATE document SET worker = %(own)s WHERE id IN (SELECT id FROM document"
                " WHERE id = ANY(%(ids)s::bigint[]) AND removed_at IS NULL AND state = 'queued'"
                " AND (worker IN (0, %(own)s) OR worker <> ALL(%(live)s::int[])) ORDER BY id FOR UPDATE SKIP LOCKED)"
                " RETURNING id",
                own=self._database.worker,
                ids=list(document_ids),
                live=self._database.column(LIVE_WORKERS),
            )
        kept = set(taken)
        return [document_id for document_id in document_ids if document_id in kept]

    def hold(self, document_id: int) -> None:
        """Note that this session works on a document, before it stores anything of it."""
        self._active.add(document_id)
        self._database.hold_imports(True)

    def release(self, document_id: int) -> None:
        """Note that this session no longer works on a document."""
        self._active.discard(document_id)
        self._database.begun.discard(document_id)
        if not self._active:
            self._sentences.promised.clear()
            self._database.hold_imports(False)

    def begin(self, document_id: int, head: DocumentHead) -> None:
        """Begin a version."""
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
        row = find_versions(self._database, document_id)
        version_id = self._add_version(document_id, head)
        stays = row.live_id is not None and row.live_id != row.building_id and row.sentences > 0
        self._set_state(
            document_id,
            "reading",
            building_id=version_id,
            live_id=row.live_id if stays else version_id,
            sentences=row.sentences if stays else 0,
            worker=self._database.worker,
        )
        for old in {row.building_id, None if stays else row.live_id} - {None}:
            delete_version(self._database, old)

    def _add_version(self, document_id: int, head: DocumentHead) -> int:
        title, author = clean_text(head.title), clean_text(head.author)
        version_id = int(
            self._database.value(
                _ADD_VERSION,
                document=document_id,
                hash=head.content_hash,
                type=head.type,
                title=title,
                title_folded=fold_text(title),
                author=author,
                author_folded=fold_text(author),
                dated=head.dated,
                about=clean_text(head.reference.to_json()),
                pages=head.page_count,
                encoding=head.encoding,
                outline=json.dumps([[clean_text(entry.title), entry.page, entry.level] for entry in head.outline]),
                decided=RULES_VERSION,
            )
        )
        if head.page_labels:
            self._database.run(
                "INSERT INTO page (version_id, page, label)"
                " SELECT %(version)s, page, label FROM unnest(%(labels)s::text[]) WITH ORDINALITY AS l (label, page)",
                version=version_id,
                labels=[clean_text(label) for label in head.page_labels],
            )
        return version_id

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
    ) -> None:
        """Store a batch in one transaction.

        Raises:
            NotFound: the document was removed in the meantime, or taken over by another session.
            ValueError: vectors of the wrong shape or length, or a span without a vector; nothing is stored.
        """
        with self._database.write_transaction():
            row = find_building_version(self._database, document_id)
            # Before texts are looked for: no vector moves or is erased until this transaction ends.
            models, versions, _ = self._database.ask(
                [
                    ("SELECT id, dim FROM model WHERE current", {}),
                    ("SELECT sentences, sampled FROM version WHERE id = %(id)s", {"id": row.building_id}),
                    (HOLD_VECTORS, {}),
                ]
            )
            if not models:
                raise ValueError("the library has no model yet")
            model, version = models[0], versions[0]
            assert_unit_rows(vectors, len(texts), model.dim)
            ids, new = self._sentences.store([span.text for span in spans], texts, vectors, model.id)
            standing = [ids[span.text] for span in spans]
            if spans:
                self._database.copy_rows(
                    _PLACES,
                    [
                        _occurrence_values(row.building_id, at, number, span)
                        for at, (span, number) in enumerate(zip(spans, standing, strict=True), version.sentences)
                    ],
                )
            stored = version.sentences + len(spans)
            add_truncated(self._database, model.id, [ids[text] for text in truncated])
            if stored // PASSAGE_SENTENCES > version.sentences // PASSAGE_SENTENCES:
                self.add_passages(row.building_id, stored, is_whole=False)
            self.guess_language(row.building_id, stored, version.sampled)
            # A document stays ready while it is corrected.
            seen = {
                "id": document_id,
                "state": row.state if row.state == "ready" else "embedding",
                "seen": stored if row.building_id == row.live_id else row.sentences,
            }
            self._database.ask(
                [
                    *self._growth(row.building_id, model.id, standing, new, stored),
                    ("UPDATE document SET state = %(state)s, sentences = %(seen)s WHERE id = %(id)s", seen),
                ]
            )

    def _growth(
        self, version_id: int, model_id: int, standing: list[int], new: Mapping[int, NDArray[np.float32]], stored: int
    ) -> list[tuple[str, Mapping[str, object]]]:
        """Return the statements that add new occurrences to the counts of a version and to the sum of its vectors."""
        distinct, times = np.unique(np.asarray(standing, np.int64), return_counts=True)
        values = {"version": version_id, "stored": stored}
        count = (
            "UPDATE version SET sentences = %(stored)s, truncated = truncated + (SELECT coalesce(sum(n.times), 0)"
            " FROM unnest(%(ids)s::bigint[], %(times)s::bigint[]) AS n (id, times) JOIN truncated t"
            " ON t.sentence_id = n.id AND t.model_id = %(model)s) WHERE id = %(version)s"
        )
        statements: list[tuple[str, Mapping[str, object]]] = [
            (count, {**values, "ids": distinct.tolist(), "times": times.tolist(), "model": model_id})
        ]
        if standing:
            older = [number for number in distinct.tolist() if number not in new]
            rows = {**new, **(self._sentences.vectors(older, model_id) if older else {})}
            total = times @ np.stack([rows[number] for number in distinct.tolist()]).astype(np.float64)
            add = (
                f"INSERT INTO {total_table(model_id)} AS t (version_id, sentences, vector)"
                " VALUES (%(version)s, %(stored)s, %(total)s) ON CONFLICT (version_id) DO UPDATE"
                " SET sentences = excluded.sentences, vector = t.vector + excluded.vector"
            )
            statements.append((add, {**values, "total": total.astype(np.float32)}))
        return statements

    def add_passages(self, version_id: int, stored: int, *, is_whole: bool) -> None:
        """Index the complete passages of a version, and its last one when the version `is_whole`."""
        end = stored if is_whole else stored // PASSAGE_SENTENCES * PASSAGE_SENTENCES
        begin = self._database.value(
            f"SELECT coalesce(max(first) + {PASSAGE_SENTENCES}, 0) FROM passage WHERE version_id = %(id)s",
            id=version_id,
        )
        if begin < end:
            self._database.run(
                "INSERT INTO passage (version_id, first, words, size)"
                f" SELECT %(id)s, o.ordinal / {PASSAGE_SENTENCES} * {PASSAGE_SENTENCES},"
                " join_words(s.words ORDER BY o.ordinal), sum(s.size)"
                " FROM occurrence o JOIN sentence s ON s.id = o.sentence_id"
                " WHERE o.version_id = %(id)s AND o.ordinal >= %(begin)s AND o.ordinal < %(end)s GROUP BY 2",
                id=version_id,
                begin=begin,
                end=end,
            )

    def guess_language(self, version_id: int, stored: int, sampled: int) -> None:
        """Guess the language of a version from its stored text, again as it grows.

        `sampled` is how many sentences it had when it was guessed before.
        """
        if not stored or sampled >= _SAMPLE_SENTENCES or stored < 2 * sampled:
            return
        rows = self._database.rows(
            "SELECT s.text, o.kind FROM occurrence o JOIN sentence s ON s.id = o.sentence_id"
            f" WHERE o.version_id = %(id)s AND o.ordinal >= %(first)s ORDER BY o.ordinal LIMIT {_SAMPLE_SENTENCES}",
            id=version_id,
            first=stored // 3,
        )
        running = [row.text for row in rows if row.kind in _PROSE_KINDS]
        self._database.run(
            "UPDATE version SET language = %(language)s, sampled = %(sampled)s WHERE id = %(id)s",
            language=guess_language("\n".join(running or [row.text for row in rows])),
            sampled=stored,
            id=version_id,
        )

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
            NotFound: the document was removed in the meantime, or taken over by another session.
        """
        with self._database.write_transaction():
            row = find_building_version(self._database, document_id)
            self._save_notes(row.building_id, done)
            stored = int(self._database.value("SELECT sentences FROM version WHERE id = %(id)s", id=row.building_id))
            self.add_passages(row.building_id, stored, is_whole=True)
            self._set_state(document_id, "ready", building_id=None, live_id=row.building_id, sentences=stored, worker=0)
            if row.live_id not in (None, row.building_id):
                delete_version(self._database, row.live_id)
        self.release(document_id)

    def _save_notes(self, version_id: int, done: ReadingDone) -> None:
        self._database.run(
            "UPDATE version SET warnings = %(warnings)s, omitted = %(omitted)s WHERE id = %(id)s",
            warnings=json.dumps([clean_text(warning.to_text()) for warning in done.warnings]),
            omitted=omissions_to_text(done.omitted),
            id=version_id,
        )
        if done.pages:
            self._database.run(
                "INSERT INTO page (version_id, page, state, engine, quality) SELECT %(version)s, *"
                " FROM unnest(%(pages)s::int[], %(states)s::text[], %(engines)s::text[], %(qualities)s::float8[])"
                " ON CONFLICT (version_id, page) DO UPDATE SET state = excluded.state, engine = excluded.engine,"
                " quality = excluded.quality",
                version=version_id,
                pages=[note.page for note in done.pages],
                states=[note.state for note in done.pages],
                engines=[note.engine for note in done.pages],
                qualities=[note.quality for note in done.pages],
            )

    def fail(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Mark the document as `failed`; an earlier version stays visible.

        After a failed first import the header (title, type, pages) stays for the list, but without the content hash:
        nothing of that content is stored, so the file must not count as unchanged.
        """
        with self._database.write_transaction():
            row = find_versions(self._database, document_id)
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

    def _set_state(
        self,
        document_id: int,
        state: DocumentState,
        *,
        reason: FailureReason | None = None,
        message: str = "",
        file: FileRef | None = None,
        **values: object,
    ) -> None:
        if file is not None:
            values |= {"size_bytes": file.size_bytes, "mtime_ns": file.mtime_ns, "stamp": file.stamp}
        values |= {"state": state, "reason": reason, "message": message}
        changes = ", ".join(f"{name} = %({name})s" for name in values)
        self._database.run(f"UPDATE document SET {changes} WHERE id = %(own_id)s", own_id=document_id, **values)


def forget_content(database: SharedDatabase, version_id: int) -> None:
    """Let a version count as one whose content is not stored."""
    database.run(
        "UPDATE version SET content_hash = NULL, sentences = 0, truncated = 0, sampled = 0, language = ''"
        " WHERE id = %(id)s",
        id=version_id,
    )


def _occurrence_values(version_id: int, ordinal: int, sentence_id: int, span: SentenceSpan) -> tuple[object, ...]:
    """Return the row of an occurrence."""
    first, *more = span.places
    further = json.dumps([pack_place(place) for place in more]) if more else None
    begin = (version_id, ordinal, sentence_id, span.paragraph, span.kind)
    place = (first.page, first.start, first.stop, first.unit, further, first.line, first.last_line)
    return (*begin, *place, *stored_decision(span.kind, span.passage, span.reason))


def find_unfinished(database: SharedDatabase, active: frozenset[int]) -> list[AnyRow]:
    """Return the documents that are half imported while no session works on them."""
    return database.rows(
        "SELECT id FROM document WHERE removed_at IS NULL AND id <> ALL(%(active)s::bigint[])"
        " AND (building_id IS NOT NULL OR state IN ('reading', 'embedding')) AND worker <> ALL(%(live)s::int[])"
        " ORDER BY id",
        active=list(active),
        live=database.column(LIVE_WORKERS),
    )
