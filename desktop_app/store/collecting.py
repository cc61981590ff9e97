"""Documents that a person put together under names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import DocumentCollection
from desktop_app.store.counters import leave_traces
from desktop_app.store.documents import storable
from desktop_app.store.schema import CollectedRow, CollectionRow, DocumentRow
from desktop_app.store.scopes import folded, one_of, present

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from desktop_app.store.database import Database


class Collecting:
    """Keeps the promises of `core.library_ports.Collecting`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collections(self) -> list[DocumentCollection]:
        """Return every collection with the documents in it, by their names."""
        members = (
            select(CollectedRow.collection_id, CollectedRow.document_id)
            .join(DocumentRow, DocumentRow.id == CollectedRow.document_id)
            .where(present())
        )
        with self._database.reading() as connection:
            rows = connection.execute(select(CollectionRow.id, CollectionRow.name)).all()
            held: dict[int, set[int]] = {row.id: set() for row in rows}
            for row in connection.execute(members):
                held[row.collection_id].add(row.document_id)
        found = [DocumentCollection(row.id, row.name, frozenset(held[row.id])) for row in rows]
        return sorted(found, key=lambda each: (folded(each.name), each.collection_id))

    def make(self, name: str) -> int:
        """Begin a collection; returns its id."""
        with self._database.writing() as connection:
            values = {"name": self._free(connection, name)}
            made = connection.execute(insert(CollectionRow).values(values).returning(CollectionRow.id))
            return int(made.scalar_one())

    def rename(self, collection_id: int, name: str) -> None:
        """Give a collection another name."""
        with self._database.writing() as connection:
            leave_traces(connection)  # of the name before
            self._changed(
                connection.execute(
                    update(CollectionRow)
                    .where(CollectionRow.id == collection_id)
                    .values(name=self._free(connection, name, collection_id))
                ).rowcount
            )

    def forget(self, collection_id: int) -> None:
        """Take a collection away; its documents stay in the library."""
        with self._database.writing() as connection:
            leave_traces(connection)  # of its name
            connection.execute(delete(CollectedRow).where(CollectedRow.collection_id == collection_id))
            self._changed(connection.execute(delete(CollectionRow).where(CollectionRow.id == collection_id)).rowcount)

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Put documents into a collection; returns how many were not in it."""
        with self._database.writing() as connection:
            query = select(CollectionRow.id).where(CollectionRow.id == collection_id)
            self._changed(len(connection.execute(query).all()))
            known = select(DocumentRow.id).where(DocumentRow.id.in_(one_of(document_ids)), present())
            rows = [{"collection_id": collection_id, "document_id": each} for each in connection.scalars(known)]
            if not rows:
                return 0
            return connection.execute(upsert(CollectedRow).values(rows).on_conflict_do_nothing()).rowcount

    def take_out(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Take documents out of a collection; returns how many were in it."""
        with self._database.writing() as connection:
            return connection.execute(
                delete(CollectedRow).where(
                    CollectedRow.collection_id == collection_id, CollectedRow.document_id.in_(one_of(document_ids))
                )
            ).rowcount

    def _free(self, connection: Connection, name: str, own_id: int = 0) -> str:
        """Return a name as it is kept, if it is one and no other collection has it, whatever the case."""
        name = storable(" ".join(name.split()))
        if not name:
            raise UsageError("A collection needs a name", "Type one.")
        rows = connection.execute(select(CollectionRow.id, CollectionRow.name)).all()
        if any(row.id != own_id and folded(row.name) == folded(name) for row in rows):
            raise UsageError(f"There is a collection {name} already", "Choose another name.")
        return name

    def _changed(self, count: int) -> None:
        if not count:
            raise NotFound("This collection is no longer there", "It may have been removed meanwhile.")
