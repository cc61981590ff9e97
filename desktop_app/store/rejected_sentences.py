"""Sentences for which a new model gives no usable vector, and the documents that fail with them.

Every sentence of a library has a vector, so such a sentence would hold up a switch for ever. The documents fail in the
very transaction that switches: before it the old model answers, and has vectors of all of them. They stay in the list,
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

    from desktop_app.store.database import Database
    from desktop_app.store.ingest import DocumentIngest
    from desktop_app.store.purge import Eraser
    from desktop_app.store.schema import AnyRow
    from desktop_app.store.sentences import SentenceStore


class RejectedSentences:
    """Finds what holds such sentences, and takes it out of sight."""

    def __init__(self, database: Database, importing: DocumentIngest, sentences: SentenceStore, eraser: Eraser) -> None:
        self._database = database
        self._importing = importing
        self._sentences = sentences
        self._eraser = eraser

    def holders(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents in which any of these sentences stands, removed ones too."""
        with self._database.reading() as connection:
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
        """Return those that an import under way was told are here, and will not bring."""
        return {sentence_id for sentence_id in sentence_ids if sentence_id in self._sentences.promised}

    def fail(self, connection: Connection, sentence_ids: Collection[int], told: Mapping[int, str]) -> bool:
        """Make the documents fail in which these sentences stand, and erase the sentences.

        It is for the transaction that switches, and no other: until then the documents are whole for the old model.

        Args:
            connection: in that transaction.
            sentence_ids: what the new model gives no vector for.
            told: what to note of each document, by its id.

        Returns:
            False, and nothing was done, where there is a document without a note, or one that an import is at.
        """
        rows = self._rows(connection, sentence_ids)
        active = self._importing.active
        if self.needed_by_imports(sentence_ids) or any(
            row.document_id in active or row.document_id not in told for row in rows
        ):
            return False
        for row in rows:
            self._fail(connection, row, told[row.document_id])
        # A purge may have been at some of them since.
        here = select(SentenceRow.id).where(SentenceRow.id.in_(values_subquery(list(sentence_ids))))
        self._eraser.erase_now(connection, connection.execute(here).scalars().all())
        return True

    def _rows(self, connection: Connection, sentence_ids: Collection[int]) -> Sequence[AnyRow]:
        """Return a row for each document that holds one of them: its own facts and the first place."""
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

    def _fail(self, connection: Connection, row: AnyRow, message: str) -> None:
        own = DocumentRow.id == row.document_id
        if row.removed_at != GIVEN_UP:  # else the purge is at it, and nothing of it may be told any more
            values = {"state": "failed", "reason": "no_vector", "message": to_storable_text(message)}
            connection.execute(update(DocumentRow).where(own).values(**values, building_id=None, sentences=0))
        versions = select(VersionRow.id).where(VersionRow.document_id == row.document_id)
        for version_id in connection.execute(versions).scalars().all():
            if version_id != row.live_id:
                delete_version(connection, version_id)
        if row.live_id is not None:
            clear_version(connection, row.live_id)
            # Without its content's hash: nothing of it is stored, so the file must not pass for unchanged.
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
