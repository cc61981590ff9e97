"""Stores collections and tags of documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import DocumentCollection
from desktop_app.core.stored_text import drop_direction_controls, fold_text, to_storable_text
from desktop_app.core.tags import clean_tag, make_taken_name_error
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import CollectedRow, CollectionRow, DocumentRow
from desktop_app.store.scope_conditions import is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from desktop_app.core.records import CollectionKind
    from desktop_app.store.database import Database


class LocalCollectionStore:
    """Implements `core.library.CollectionStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collections(self) -> list[DocumentCollection]:
        """Return every collection with its documents in order of name, then the tags."""
        # The few removed documents are left out by their index, which takes a third of a look-up of every document.
        members = (
            select(CollectedRow.collection_id, func.json_group_array(CollectedRow.document_id))
            .where(CollectedRow.document_id.not_in(select(DocumentRow.id).where(~is_not_removed())))
            .group_by(CollectedRow.collection_id)
        )
        with self._database.read_transaction() as connection:
            rows = connection.execute(select(CollectionRow.__table__)).all()
            held = {number: frozenset(json.loads(ids)) for number, ids in connection.execute(members)}
        found = [
            DocumentCollection(row.id, drop_direction_controls(row.name), held.get(row.id, frozenset()), row.kind)
            for row in rows
        ]
        # A tag whose documents are all removed is hidden, not deleted: they may be restored.
        found = [each for each in found if each.document_ids or each.kind == "collection"]
        return sorted(found, key=lambda each: (each.kind == "tag", fold_text(each.name), each.collection_id))

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        """Add tags to documents and remove others; a tag without documents is deleted."""
        with self._database.write_transaction() as connection:
            there = (
                select(DocumentRow.id)
                .where(DocumentRow.id.in_(values_subquery(document_ids)), is_not_removed())
                .limit(1)
            )
            for name in add if connection.execute(there).first() is not None else ():
                tag = to_storable_text(clean_tag(name))
                tag_id = self._tag_id(connection, tag)
                if tag_id is None:
                    made = insert(CollectionRow).values(kind="tag", name=tag).returning(CollectionRow.id)
                    tag_id = connection.execute(made).scalar_one()
                self._add(connection, tag_id, document_ids)
            for name in take:
                if (tag_id := self._tag_id(connection, name)) is not None:
                    self._remove(connection, tag_id, document_ids)

    def create(self, name: str) -> int:
        """Create a collection and return its id."""
        with self._database.write_transaction() as connection:
            values = {"name": self._unused_name(connection, name, "collection")}
            made = connection.execute(insert(CollectionRow).values(values).returning(CollectionRow.id))
            return int(made.scalar_one())

    def rename(self, collection_id: int, name: str) -> None:
        """Rename a collection."""
        with self._database.write_transaction() as connection:
            mark_erased_traces(connection)  # of the previous name
            free = self._unused_name(connection, name, self._kind_of(connection, collection_id), collection_id)
            connection.execute(update(CollectionRow).where(CollectionRow.id == collection_id).values(name=free))

    def delete(self, collection_id: int) -> None:
        """Delete a collection; its documents stay in the library."""
        with self._database.write_transaction() as connection:
            mark_erased_traces(connection)  # of its name
            self._kind_of(connection, collection_id)
            connection.execute(delete(CollectedRow).where(CollectedRow.collection_id == collection_id))
            # A tag is already gone with its last document.
            connection.execute(delete(CollectionRow).where(CollectionRow.id == collection_id))

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Add documents to a collection and return how many were new to it."""
        with self._database.write_transaction() as connection:
            self._kind_of(connection, collection_id)
            return self._add(connection, collection_id, document_ids)

    def remove(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Remove documents from a collection and return how many were in it."""
        with self._database.write_transaction() as connection:
            return self._remove(connection, collection_id, document_ids)

    def _add(self, connection: Connection, collection_id: int, document_ids: Sequence[int]) -> int:
        known = select(literal(collection_id), DocumentRow.id)
        known = known.where(DocumentRow.id.in_(values_subquery(document_ids)), is_not_removed())
        rows = upsert(CollectedRow).from_select(["collection_id", "document_id"], known)
        return connection.execute(rows.on_conflict_do_nothing()).rowcount

    def _remove(self, connection: Connection, collection_id: int, document_ids: Sequence[int]) -> int:
        mark_erased_traces(connection)  # a tag is deleted with its last document
        return connection.execute(
            delete(CollectedRow).where(
                CollectedRow.collection_id == collection_id, CollectedRow.document_id.in_(values_subquery(document_ids))
            )
        ).rowcount

    def _tag_id(self, connection: Connection, name: str) -> int | None:
        """Return the id of a tag, ignoring case; None if there is none."""
        rows = connection.execute(select(CollectionRow.id, CollectionRow.name).where(CollectionRow.kind == "tag"))
        return next((row.id for row in rows if fold_text(row.name) == fold_text(name)), None)

    def _unused_name(self, connection: Connection, name: str, kind: CollectionKind, own_id: int = 0) -> str:
        """Return a name in its stored form.

        Raises:
            UsageError: it is empty, or another one of its kind has it.
        """
        name = to_storable_text(clean_tag(name) if kind == "tag" else " ".join(drop_direction_controls(name).split()))
        if not name:
            raise UsageError("A collection needs a name", "Type a name.")
        rows = connection.execute(select(CollectionRow.id, CollectionRow.name).where(CollectionRow.kind == kind)).all()
        for row in rows:
            if row.id != own_id and fold_text(row.name) == fold_text(name):
                raise make_taken_name_error(kind, row.name)
        return name

    def _kind_of(self, connection: Connection, collection_id: int) -> CollectionKind:
        """Return whether this is a collection or a tag; raises NotFound if it is gone."""
        query = select(CollectionRow.kind).where(CollectionRow.id == collection_id)
        kind: CollectionKind | None = connection.execute(query).scalar_one_or_none()  # type: ignore[assignment]
        if kind is None:
            raise NotFound("This collection no longer exists", "It may have been removed in the meantime.")
        return kind
