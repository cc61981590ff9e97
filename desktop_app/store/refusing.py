"""Sentences that a new model gives no finite vector for: their documents fail, as they would in an import with it.

Every sentence of a library has a vector, so such a sentence would hold up a switch for ever. The document stays in
the list, with the reason, and can be read again with another model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from desktop_app.core.models import LeftOut
from desktop_app.store.documents import storable
from desktop_app.store.schema import DocumentRow, OccurrenceRow, VersionRow
from desktop_app.store.sentences import places_of
from desktop_app.store.versions import drop_version, empty_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.jobs import Steps
    from desktop_app.core.records import Place
    from desktop_app.store.database import Database
    from desktop_app.store.erasing import Eraser
    from desktop_app.store.importing import Importing
    from desktop_app.store.schema import AnyRow


class Refusing:
    """Finds what holds such a sentence, and takes it out of sight."""

    def __init__(self, database: Database, importing: Importing, eraser: Eraser) -> None:
        self._database = database
        self._importing = importing
        self._eraser = eraser

    def holders(self, sentence_id: int) -> list[tuple[int, str, Place]]:
        """Return (document, its path, where the sentence stands in it first) of those in the list."""
        with self._database.reading() as connection:
            rows = self._rows(connection, sentence_id)
        return [(row.document_id, row.path, places_of(row)[0]) for row in rows if row.removed_at is None]

    def leave_out(self, sentence_id: int, told: Callable[[Place], str]) -> Steps[list[LeftOut]]:
        """Make the documents fail in which a sentence stands, and erase what then stands nowhere.

        One that is being taken in just now is left to that import.

        Args:
            sentence_id: the sentence.
            told: what to say of a document, by where the sentence stands in it.
        """
        left_out: list[LeftOut] = []
        with self._database.writing() as connection:
            for row in self._rows(connection, sentence_id):
                if row.document_id in self._importing.active:
                    continue
                message = told(places_of(row)[0])
                self._fail(connection, row, message)
                if row.removed_at is None:
                    left_out.append(LeftOut(row.document_id, row.path, message))
        yield None
        yield from self._eraser.erase_loose()
        return left_out

    def _rows(self, connection: Connection, sentence_id: int) -> Sequence[AnyRow]:
        """Return a row for each document that holds a sentence, removed ones too: its own facts and the first place."""
        query = (
            select(OccurrenceRow.__table__, *_DOCUMENT)
            .join(VersionRow, VersionRow.id == OccurrenceRow.version_id)
            .join(DocumentRow, DocumentRow.id == VersionRow.document_id)
            .where(OccurrenceRow.sentence_id == sentence_id)
            .order_by(DocumentRow.id, OccurrenceRow.version_id, OccurrenceRow.ordinal)
        )
        first: dict[int, AnyRow] = {}
        for row in connection.execute(query):
            first.setdefault(row.document_id, row)
        return list(first.values())

    def _fail(self, connection: Connection, row: AnyRow, message: str) -> None:
        values = {"state": "failed", "reason": "no_vector", "message": storable(message)}
        connection.execute(
            update(DocumentRow).where(DocumentRow.id == row.document_id).values(**values, building_id=None, sentences=0)
        )
        if row.building_id is not None and row.building_id != row.live_id:
            drop_version(connection, row.building_id)
        if row.live_id is not None:
            empty_version(connection, row.live_id)
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
    DocumentRow.building_id,
)
