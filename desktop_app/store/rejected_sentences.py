"""Sentences for which a new model gives no usable vector, and the documents that fail because of them.

Every sentence of a library needs a vector, so such a sentence would block a switch for ever. Its documents fail in the
very transaction that switches: until then the old model answers, and has vectors of all of them. They stay in the list
with the reason, and can be read again with another model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from desktop_app.core.models import AffectedDocument
from desktop_app.store.document_versions import clear_version, delete_version
from desktop_app.store.documents import to_storable_text
from desktop_app.store.purge import GIVEN_UP
from desktop_app.store.schema import DocumentRow, OccurrenceRow, SentenceRow, VersionRow
from desktop_app.store.scope_conditions import values_subquery
from desktop_app.store.sentences import places_from_row

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.messages import Message
    from desktop_app.store.database import Database
    from desktop_app.store.ingest import LocalDocumentIngest
    from desktop_app.store.purge import Eraser
    from desktop_app.store.schema import AnyRow
    from desktop_app.store.sentences import LocalSentenceStore


class RejectedSentences:
    """Finds the documents with such sentences, and makes them fail."""

    def __init__(
        self, database: Database, importing: LocalDocumentIngest, sentences: LocalSentenceStore, eraser: Eraser
    ) -> None:
        self._database = database
        self._importing = importing
        self._sentences = sentences
        self._eraser = eraser

    def affected_documents(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents that contain any of these sentences, removed ones included."""
        with self._database.read_transaction() as connection:
            rows = self._rows(connection, sentence_ids)
        active = self._importing.active
        return [
            AffectedDocument(
                row.document_id,
                row.path,
                row.sentence_id,
                places_from_row(row)[0],
                row.removed_at is not None,
                row.document_id in active,
            )
            for row in rows
        ]

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return the sentences that an import under way expects to be stored, and will not bring again."""
        return {sentence_id for sentence_id in sentence_ids if sentence_id in self._sentences.promised}

    def fail(self, connection: Connection, sentence_ids: Collection[int], messages: Mapping[int, Message]) -> bool:
        """Make the documents with these sentences fail, and erase the sentences.

        Only for the transaction that switches: until then the documents are complete for the old model.

        Args:
            connection: of that transaction.
            sentence_ids: the sentences without a vector of the new model.
            messages: the message for each document, by id.

        Returns:
            False, without a change, if a document has no message, or an import is working on one.
        """
        rows = self._rows(connection, sentence_ids)
        active = self._importing.active
        if self.needed_by_imports(sentence_ids) or any(
            row.document_id in active or row.document_id not in messages for row in rows
        ):
            return False
        for row in rows:
            self._fail(connection, row, messages[row.document_id])
        # A purge may have erased some of them in the meantime.
        here = select(SentenceRow.id).where(SentenceRow.id.in_(values_subquery(list(sentence_ids))))
        self._eraser.erase_within(connection, connection.execute(here).scalars().all())
        return True

    def _rows(self, connection: Connection, sentence_ids: Collection[int]) -> Sequence[AnyRow]:
        """Return a row for each document that contains one of them: its own columns and the first occurrence."""
        query = (
            select(OccurrenceRow.__table__, *_DOCUMENT)
            .join(VersionRow, VersionRow.id == OccurrenceRow.version_id)
            .join(DocumentRow, DocumentRow.id == VersionRow.document_id)
            .where(OccurrenceRow.sentence_id.in_(values_subquery(list(sentence_ids))))
            .order_by(DocumentRow.id, OccurrenceRow.version_id, OccurrenceRow.ordinal)
        )
        first: dict[int, AnyRow] = {}
        for row in connection.execute(query):
            first.setdefault(row.document_id, row)
        return list(first.values())

    def _fail(self, connection: Connection, row: AnyRow, message: Message) -> None:
        own = DocumentRow.id == row.document_id
        if row.removed_at != GIVEN_UP:  # otherwise it is being purged, and nothing about it may be stored any more
            values = {"state": "failed", "reason": "no_vector", "message": to_storable_text(message.to_text())}
            connection.execute(update(DocumentRow).where(own).values(**values, building_id=None, sentences=0))
        versions = select(VersionRow.id).where(VersionRow.document_id == row.document_id)
        for version_id in connection.execute(versions).scalars().all():
            if version_id != row.live_id:
                delete_version(connection, version_id)
        if row.live_id is not None:
            clear_version(connection, row.live_id)
            # Without the content hash: nothing of it is stored, so the file must not count as unchanged.
            connection.execute(
                update(VersionRow)
                .where(VersionRow.id == row.live_id)
                .values(content_hash=None, sentences=0, truncated=0)
            )


_DOCUMENT = (
    DocumentRow.id.label("document_id"),
    DocumentRow.path,
    DocumentRow.removed_at,
    DocumentRow.live_id,
)
