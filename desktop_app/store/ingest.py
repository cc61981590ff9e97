"""Stores a document's contents: begin, append, finish or fail, and recovery after a killed import."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.passage_kinds import RULES_VERSION
from desktop_app.core.reader_events import SentenceSpan
from desktop_app.core.stored_rows import (
    assert_unit_rows,
    omissions_to_text,
    pack_place,
    places_from_row,
    stored_decision,
)
from desktop_app.core.stored_text import to_storable_text
from desktop_app.store.counters import increment_counters, mark_erased_traces, read_counter
from desktop_app.store.database import fetch_plain_rows
from desktop_app.store.document_sums import select_sums
from desktop_app.store.document_versions import (
    LEFT_BEHIND,
    add_truncated,
    copy_header,
    discard_version,
    find_truncated,
)
from desktop_app.store.documents import find_building_version, find_versions, give_up_documents
from desktop_app.store.schema import DocumentRow, LooseRow, ModelRow, PageRow, TotalRow, VersionRow
from desktop_app.store.scope_conditions import is_not_removed, values_subquery
from desktop_app.store.sentences import read_sentence_vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from numpy.typing import NDArray
    from sqlalchemy import Connection
    from sqlalchemy.dialects.sqlite import Insert

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.messages import Message
    from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone
    from desktop_app.core.records import DocumentState
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.sentences import LocalSentenceStore


# These run for every few sentences: the statements are built once, because SQLAlchemy takes longer to build one than
# SQLite to execute it, and rows go to the driver as they are.
_MODEL = select(ModelRow.id, ModelRow.dim).where(ModelRow.current)
_STORED = select(VersionRow.sentences).where(VersionRow.id == bindparam("version"))
_GROW = (
    update(VersionRow)
    .where(VersionRow.id == bindparam("version"))
    .values(sentences=bindparam("stored"), truncated=VersionRow.truncated + bindparam("cut"))
)
_SHOW = (
    update(DocumentRow)
    .where(DocumentRow.id == bindparam("document"))
    .values(state=bindparam("now"), sentences=bindparam("seen"))
)
_TOTAL = select_sums().where(TotalRow.version_id == bindparam("version"))
_PLACE = (
    "INSERT INTO occurrence"
    " (version_id, ordinal, sentence_id, paragraph, kind, page, start, stop, unit, more, line, last_line,"
    " passage, reason)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_KEPT_NOTES = (
    "SELECT occurrence.*, sentence.text FROM occurrence INDEXED BY occurrence_note"
    " JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE version_id = ? AND kind = 'note' AND reason = 'library' ORDER BY ordinal"
)
_NOTED = (
    "SELECT document_id FROM annotation UNION SELECT document.id FROM document"
    " JOIN occurrence INDEXED BY occurrence_note ON occurrence.version_id = document.live_id"
    " WHERE occurrence.kind = 'note' AND occurrence.reason = 'library'"
)
_REMOVE_NOTES = "DELETE FROM occurrence WHERE version_id = ? AND kind = 'note' AND reason = 'library'"
_LAST_PARAGRAPH = (
    "SELECT paragraph FROM occurrence WHERE version_id = ? AND (kind <> 'note' OR reason IS NOT 'library')"
    " ORDER BY ordinal DESC LIMIT 1"
)


def _build_set_total() -> Insert:
    statement = upsert(TotalRow)
    changed = {name: statement.excluded[name] for name in ("model_id", "changed", "vector")}
    return statement.on_conflict_do_update(index_elements=["version_id"], set_=changed)


_SET_TOTAL = _build_set_total()


class LocalDocumentIngest:
    """Implements `core.library.DocumentIngest`: builds the versions of documents.

    A first import is visible as it grows: its version is live from the start. A repeated import builds an invisible
    version, until `finish` makes it live and deletes the old one in the same transaction.
    """

    def __init__(
        self, database: Database, sentences: LocalSentenceStore, segments: Segments, keywords: KeywordIndex
    ) -> None:
        self._database = database
        self._keywords = keywords
        self._sentences = sentences
        self._segments = segments
        self._active: set[int] = set()
        self.correcting: set[int] = set()
        """The versions that corrections build."""

    def recover(self) -> int:
        """Set documents whose import was killed back to `queued`, and delete what that import had stored.

        Returns how many. Their sentences and vectors stay until a purge, so that nothing is embedded twice.
        """
        unfinished = or_(DocumentRow.building_id.is_not(None), DocumentRow.state.in_(("reading", "embedding")))
        with self._database.write_transaction() as connection:
            rows = connection.execute(
                select(DocumentRow.id, DocumentRow.live_id, DocumentRow.building_id, DocumentRow.state).where(
                    unfinished
                )
            ).all()
            killed = [row for row in rows if row.id not in self._active and row.building_id not in self.correcting]
            for row in killed:
                values: dict[str, Any] = {"state": "queued", "building_id": None}
                if row.state == "ready":
                    del values["state"]  # it was being corrected: the visible version is complete
                if row.building_id is not None and row.building_id == row.live_id:
                    values |= {"live_id": None, "sentences": 0}
                connection.execute(update(DocumentRow).where(DocumentRow.id == row.id).values(values))
                if row.building_id is not None:
                    discard_version(connection, row.building_id)
        return len(killed)

    @property
    def active(self) -> frozenset[int]:
        """The documents that this process is importing."""
        return frozenset(self._active)

    def queue(self, document_id: int, file: FileRef) -> None:
        """Set a document back to `queued`."""
        with self._database.write_transaction() as connection:
            find_versions(connection, document_id)
            _set_state(connection, document_id, "queued", **_file_values(file))
        self.release(document_id)

    def keep_previous_version(self, document_id: int, file: FileRef) -> None:
        """Abandon a repeated import: the earlier version is `ready` again.

        Raises:
            ValueError: there is no earlier version.
        """
        with self._database.write_transaction() as connection:
            row = find_versions(connection, document_id)
            if row.live_id is None or row.live_id == row.building_id:
                raise ValueError(f"document {document_id} has no earlier version")
            _set_state(
                connection,
                document_id,
                "ready",
                building_id=None,
                **_file_values(file),
            )
            if row.building_id is not None:
                discard_version(connection, row.building_id)
        self.release(document_id)

    def withdraw(self, document_ids: Sequence[int]) -> None:
        """Let documents leave the list; the purge erases what was stored of them when no import waits."""
        with self._database.write_transaction() as connection:
            own = DocumentRow.id.in_(values_subquery(document_ids))
            # A person may have removed some in the meantime: these can be restored.
            listed = connection.execute(select(DocumentRow.id).where(own, is_not_removed())).scalars().all()
            give_up_documents(connection, listed)
            own = DocumentRow.id.in_(values_subquery(listed))
            connection.execute(update(DocumentRow).where(own).values(removed_at=LEFT_BEHIND))
        self.note_removed(document_ids)

    def claim(self, document_ids: Sequence[int]) -> list[int]:
        """Return all of them: only one process writes to the library."""
        return list(document_ids)

    def begin(self, document_id: int, head: DocumentHead) -> None:
        """Begin a version."""
        with self._database.write_transaction() as connection:
            row = find_versions(connection, document_id)
            version_id = self._add_version(connection, document_id, head)
            stays = row.live_id is not None and row.live_id != row.building_id and row.sentences > 0
            _set_state(
                connection,
                document_id,
                "reading",
                building_id=version_id,
                live_id=row.live_id if stays else version_id,
                sentences=row.sentences if stays else 0,
            )
            for old in {row.building_id, None if stays else row.live_id} - {None}:
                discard_version(connection, old)
        self._active.add(document_id)

    def _add_version(self, connection: Connection, document_id: int, head: DocumentHead) -> int:
        outline = [[to_storable_text(entry.title), entry.page, entry.level] for entry in head.outline]
        values = {
            "document_id": document_id,
            "content_hash": head.content_hash,
            "type": head.type,
            "title": to_storable_text(head.title),
            "author": to_storable_text(head.author),
            "dated": head.dated,
            "about": to_storable_text(head.reference.to_json()),
            "page_count": head.page_count,
            "encoding": head.encoding,
            "outline": json.dumps(outline),
            "warnings": "[]",
            "sentences": 0,
            "truncated": 0,
            "decided": RULES_VERSION,
        }
        made = connection.execute(insert(VersionRow).values(values).returning(VersionRow.id))
        version_id = int(made.scalar_one())
        if head.page_labels:
            connection.execute(
                insert(PageRow),
                [
                    {"version_id": version_id, "page": page, "label": to_storable_text(label)}
                    for page, label in enumerate(head.page_labels, start=1)
                ],
            )
        return version_id

    def without_vector(self, texts: Sequence[str]) -> list[str]:
        """Return the distinct ones of `texts` that have no vector; during an import, the others are kept for it."""
        return self._sentences.without_vector(texts, promise=bool(self._active))

    def append(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
        fingerprint: str = "",
    ) -> None:
        """Store a batch in one transaction, then add its vectors to the index in memory.

        Nobody else switches the model of a local library: `fingerprint` is not needed.

        Raises:
            NotFound: the document was removed in the meantime.
            ValueError: vectors of the wrong shape or length, or a span without a vector; nothing is stored.
        """
        with self._database.write_transaction() as connection:
            row = find_building_version(connection, document_id)
            stored, embedded = self._append(connection, row.building_id, spans, texts, vectors, truncated)
            self._keywords.add_passages(connection, row.building_id, stored, is_whole=False)
            # A document stays ready while it is corrected.
            state = row.state if row.state == "ready" else "embedding"
            seen = stored if row.building_id == row.live_id else row.sentences
            connection.execute(_SHOW, {"document": document_id, "now": state, "seen": seen})
        self._segments.add(*embedded)

    def _append(
        self,
        connection: Connection,
        version_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str],
    ) -> tuple[int, tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]]:
        """Append sentences to a version; returns how many it has then, and what the index in memory needs of them."""
        model = connection.execute(_MODEL).one_or_none()
        if model is None:
            raise ValueError("the library has no model yet")
        assert_unit_rows(vectors, len(texts), model.dim)
        ids, marks, fresh_ids, rows = self._sentences.store(
            connection, [span.text for span in spans], texts, vectors, model.id
        )
        stored = connection.execute(_STORED, {"version": version_id}).scalar_one()
        standing = [ids[span.text] for span in spans]
        places = zip(spans, standing, strict=True)
        values = [_occurrence_values(version_id, at, number, span) for at, (span, number) in enumerate(places, stored)]
        if values:
            connection.exec_driver_sql(_PLACE, values)
        stored += len(spans)
        add_truncated(connection, model.id, [ids[text] for text in truncated])
        cut = find_truncated(connection, model.id, standing)
        more = sum(number in cut for number in standing)
        connection.execute(_GROW, {"version": version_id, "stored": stored, "cut": more})
        self._add_to_total(connection, version_id, model.id, standing, dict(zip(fresh_ids.tolist(), rows, strict=True)))
        return stored, (marks, fresh_ids, rows)

    def find_noted(self) -> list[int]:
        """Return the ids of documents that have annotations, or passages of annotations."""
        with self._database.read_transaction() as connection:
            return [key for (key,) in fetch_plain_rows(connection, _NOTED)]

    def kept_notes(self, document_id: int) -> tuple[list[SentenceSpan], int] | None:
        """Return the passages of annotations in the live version, and the first paragraph that is free for them."""
        with self._database.read_transaction() as connection:
            row = find_versions(connection, document_id)
            if not _has_complete_version(row):
                return None
            kept = _read_kept_notes(connection, row.live_id)
            paragraph = connection.exec_driver_sql(_LAST_PARAGRAPH, (row.live_id,)).scalar_one_or_none()
        return [span for _, _, span in kept], 0 if paragraph is None else paragraph + 1

    def replace_notes(
        self,
        document_id: int,
        spans: Sequence[SentenceSpan],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        truncated: Collection[str] = (),
    ) -> bool:
        """Replace the passages of annotations, the last ones of the live version, in one transaction."""
        with self._database.write_transaction() as connection:
            row = find_versions(connection, document_id)
            if not _has_complete_version(row):
                return False
            self._remove_notes(connection, row.live_id)
            stored, embedded = self._append(connection, row.live_id, spans, texts, vectors, truncated)
            self._keywords.add_passages(connection, row.live_id, stored, is_whole=True)
            connection.execute(_SHOW, {"document": document_id, "now": row.state, "seen": stored})
        self._segments.add(*embedded)
        self.forget_promises()
        return True

    def copy_kept_notes(self, connection: Connection, live_id: int | None, version_id: int) -> None:
        """Copy the passages of annotations to the version that takes the place of the live one.

        They are brought up to date afterwards: if that is cancelled or fails, they can be found all the same.
        """
        if live_id in (None, version_id) or _read_kept_notes(connection, version_id):
            return
        kept = [span for _, _, span in _read_kept_notes(connection, live_id)]
        missing = set(self._sentences.without_vector([span.text for span in kept], promise=False))
        kept = [span for span in kept if span.text not in missing]
        if kept:
            last = connection.exec_driver_sql(_LAST_PARAGRAPH, (version_id,)).scalar_one_or_none()
            shift = (0 if last is None else last + 1) - kept[0].paragraph
            spans = [replace(span, paragraph=span.paragraph + shift) for span in kept]
            self._append(connection, version_id, spans, [], np.empty((0, 0), np.float32), ())

    def _remove_notes(self, connection: Connection, version_id: int) -> None:
        kept = _read_kept_notes(connection, version_id)
        stored = connection.execute(_STORED, {"version": version_id}).scalar_one()
        first = stored - len(kept)
        # Words leave the index while the texts can still be read.
        self._keywords.remove_passages(connection, version_id, first)
        if not kept:
            return
        mark_erased_traces(connection)
        sentence_ids = [sentence_id for _, sentence_id, _ in kept]
        connection.execute(
            insert(LooseRow).prefix_with("OR IGNORE", dialect="sqlite"),
            [{"sentence_id": sentence_id} for sentence_id in set(sentence_ids)],
        )
        connection.exec_driver_sql(_REMOVE_NOTES, (version_id,))
        model_id = connection.execute(_MODEL).one().id
        cut = find_truncated(connection, model_id, sentence_ids)
        fewer = -sum(number in cut for number in sentence_ids)
        connection.execute(_GROW, {"version": version_id, "stored": first, "cut": fewer})
        self._add_to_total(connection, version_id, model_id, sentence_ids, {}, sign=-1)

    def _add_to_total(
        self,
        connection: Connection,
        version_id: int,
        model_id: int,
        sentence_ids: list[int],
        fresh: dict[int, NDArray[np.float32]],
        *,
        sign: int = 1,
    ) -> None:
        """Add the vectors of new occurrences to the version's sum (see `LocalDocumentRanking`), or take them off it."""
        if not sentence_ids:
            return
        distinct, times = np.unique(np.asarray(sentence_ids, np.int64), return_counts=True)
        ids = distinct.tolist()
        known = [sentence_id for sentence_id in ids if sentence_id not in fresh]
        rows = fresh | read_sentence_vectors(connection, known, model_id)
        total = sign * times @ np.stack([rows[sentence_id] for sentence_id in ids]).astype(np.float64)
        before = connection.execute(_TOTAL, {"version": version_id}).one_or_none()
        if before is not None:
            total += np.frombuffer(before.vector, "<f4")
        increment_counters(connection, totals=1)
        values = {
            "version_id": version_id,
            "model_id": model_id,
            "changed": read_counter(connection, "totals"),
            "vector": total.astype("<f4").tobytes(),
        }
        connection.execute(_SET_TOTAL, values)

    def finish(self, document_id: int, done: ReadingDone) -> None:
        """Make the version live and the document `ready`.

        Raises:
            NotFound: the document was removed in the meantime.
        """
        with self._database.write_transaction() as connection:
            row = find_building_version(connection, document_id)
            self._save_notes(connection, row.building_id, done)
            self.copy_kept_notes(connection, row.live_id, row.building_id)
            stored = connection.execute(_STORED, {"version": row.building_id}).scalar_one()
            self._keywords.add_passages(connection, row.building_id, stored, is_whole=True)
            _set_state(connection, document_id, "ready", building_id=None, live_id=row.building_id, sentences=stored)
            if row.live_id not in (None, row.building_id):
                discard_version(connection, row.live_id)
        self.release(document_id)

    def _save_notes(self, connection: Connection, version_id: int, done: ReadingDone) -> None:
        warnings = json.dumps([to_storable_text(warning.to_text()) for warning in done.warnings])
        values = {"warnings": warnings, "omitted": omissions_to_text(done.omitted)}
        connection.execute(update(VersionRow).where(VersionRow.id == version_id).values(values))
        if done.pages:
            statement = upsert(PageRow)
            noted = {name: statement.excluded[name] for name in ("state", "engine", "quality")}
            connection.execute(
                statement.on_conflict_do_update(index_elements=["version_id", "page"], set_=noted),
                [
                    {
                        "version_id": version_id,
                        "page": note.page,
                        "state": note.state,
                        "engine": note.engine,
                        "quality": note.quality,
                    }
                    for note in done.pages
                ],
            )

    def fail(self, document_id: int, reason: FailureReason, message: Message) -> None:
        """Mark the document as `failed`; an earlier version stays visible.

        After a failed first import the header (title, type, pages) stays for the list, but without the content hash:
        nothing of that content is stored, so the file must not count as unchanged.
        """
        with self._database.write_transaction() as connection:
            row = find_versions(connection, document_id)
            is_first = row.building_id is not None and row.building_id == row.live_id
            header = copy_header(connection, row.building_id) if is_first else row.live_id
            _set_state(
                connection,
                document_id,
                "failed",
                reason=reason,
                message=to_storable_text(message.to_text()),
                building_id=None,
                live_id=header,
                sentences=0 if is_first else row.sentences,
            )
            if is_first:
                connection.execute(update(VersionRow).where(VersionRow.id == header).values(content_hash=None))
            if row.building_id is not None:
                discard_version(connection, row.building_id)
        self.release(document_id)

    def release(self, document_id: int) -> None:
        """Do no more with a document: sentences that were only kept for it may be erased."""
        self._active.discard(document_id)
        self.forget_promises()

    def forget_promises(self) -> None:
        """Let all unused sentences be erased, unless a document is being imported or corrected."""
        if not self._active and not self.correcting:
            self._sentences.forget_promises()

    def note_removed(self, document_ids: Sequence[int]) -> None:
        """Note that documents were removed: their imports cannot continue."""
        for document_id in document_ids:
            self.release(document_id)


def _has_complete_version(row: AnyRow) -> bool:
    """Return whether a document has a version that is not being changed by an import."""
    return row.building_id is None and row.live_id is not None and row.sentences > 0


def _read_kept_notes(connection: Connection, version_id: int | None) -> list[tuple[int, int, SentenceSpan]]:
    """Return ordinal, sentence id and span of the passages of annotations in a version."""
    found = []
    for row in connection.exec_driver_sql(_KEPT_NOTES, (version_id,)):
        span = SentenceSpan(row.text, places_from_row(row), row.paragraph, row.kind, row.kind, "library")
        found.append((row.ordinal, row.sentence_id, span))
    return found


def _file_values(file: FileRef) -> dict[str, Any]:
    return {"size_bytes": file.size_bytes, "mtime_ns": file.mtime_ns, "stamp": file.stamp}


def _set_state(
    connection: Connection,
    document_id: int,
    state: DocumentState,
    *,
    reason: FailureReason | None = None,
    message: str = "",
    **values: object,
) -> None:
    connection.execute(
        update(DocumentRow)
        .where(DocumentRow.id == document_id)
        .values(state=state, reason=reason, message=message, **values)
    )


def _occurrence_values(version_id: int, ordinal: int, sentence_id: int, span: SentenceSpan) -> tuple[object, ...]:
    """Return the row of an occurrence."""
    first, *more = span.places
    further = json.dumps([pack_place(place) for place in more]) if more else None
    begin = (version_id, ordinal, sentence_id, span.paragraph, span.kind)
    place = (first.page, first.start, first.stop, first.unit, further, first.line, first.last_line)
    return (*begin, *place, *stored_decision(span.kind, span.passage, span.reason))
