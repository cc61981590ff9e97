"""Stores collections and tags of documents in a shared library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import DocumentCollection
from desktop_app.core.stored_text import drop_direction_controls, fold_text
from desktop_app.core.tags import clean_tag, make_taken_name_error
from desktop_app.shared_store.scope_conditions import VISIBLE
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import CollectionKind
    from desktop_app.shared_store.connection import SharedDatabase

_HOLD_NAMES = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' collection', 0))"
_ADD = "INSERT INTO collection (kind, name, folded) VALUES (%(kind)s, %(name)s, %(folded)s)"


class SharedCollectionStore:
    """Implements `core.library.CollectionStore`."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database

    def collections(self) -> list[DocumentCollection]:
        """Return every collection with its documents in order of name, then the tags."""
        rows = self._database.rows(
            "SELECT n.id, n.name, n.kind, n.folded, array_agg(d.id) FILTER (WHERE d.id IS NOT NULL) AS held"
            " FROM collection n LEFT JOIN collected c ON c.collection_id = n.id"
            f" LEFT JOIN document d ON d.id = c.document_id AND {VISIBLE} GROUP BY n.id"
        )
        found = [
            (
                row.folded,
                DocumentCollection(row.id, drop_direction_controls(row.name), frozenset(row.held or ()), row.kind),
            )
            for row in rows
        ]
        # A tag whose documents are all removed is hidden, not deleted: they may be restored.
        found = [each for each in found if each[1].document_ids or each[1].kind == "collection"]
        found.sort(key=lambda each: (each[1].kind == "tag", each[0], each[1].collection_id))
        return [each for _, each in found]

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> None:
        """Add tags to documents and remove others; a tag without documents is deleted."""
        with self._database.write_transaction():
            there = self._database.rows(
                f"SELECT FROM document d WHERE d.id = ANY(%(ids)s::bigint[]) AND {VISIBLE} LIMIT 1",
                ids=list(document_ids),
            )
            if there and add:
                self._database.rows(_HOLD_NAMES)  # in one order: no two sessions wait for each other in a circle
            for name in add if there else ():
                tag = clean_text(clean_tag(name))
                self._database.run(
                    f"{_ADD} ON CONFLICT (kind, folded) DO NOTHING", kind="tag", name=tag, folded=fold_text(tag)
                )
                self._add(self._tag_id(tag), document_ids)
            for name in take:
                if (tag_id := self._tag_id(name)) is not None:
                    self.remove(tag_id, document_ids)

    def create(self, name: str) -> int:
        """Create a collection and return its id."""
        with self._database.write_transaction():
            self._database.rows(_HOLD_NAMES)
            unused = self._unused_name(name, "collection")
            return int(
                self._database.value(f"{_ADD} RETURNING id", kind="collection", name=unused, folded=fold_text(unused))
            )

    def rename(self, collection_id: int, name: str) -> None:
        """Rename a collection."""
        with self._database.write_transaction():
            self._database.rows(_HOLD_NAMES)
            free = self._unused_name(name, self._kind_of(collection_id), collection_id)
            self._database.run(
                "UPDATE collection SET name = %(name)s, folded = %(folded)s WHERE id = %(id)s",
                name=free,
                folded=fold_text(free),
                id=collection_id,
            )

    def delete(self, collection_id: int) -> None:
        """Delete a collection; its documents stay in the library."""
        with self._database.write_transaction():
            self._kind_of(collection_id)
            self._database.run("DELETE FROM collected WHERE collection_id = %(id)s", id=collection_id)
            # A tag is already gone with its last document.
            self._database.run("DELETE FROM collection WHERE id = %(id)s", id=collection_id)

    def add(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Add documents to a collection and return how many were new to it."""
        with self._database.write_transaction():
            self._kind_of(collection_id)
            return self._add(collection_id, document_ids)

    def remove(self, collection_id: int, document_ids: Sequence[int]) -> int:
        """Remove documents from a collection and return how many were in it."""
        with self._database.write_transaction():
            return self._database.run(
                "DELETE FROM collected WHERE collection_id = %(id)s AND document_id = ANY(%(ids)s::bigint[])",
                id=collection_id,
                ids=list(document_ids),
            )

    def _add(self, collection_id: int | None, document_ids: Sequence[int]) -> int:
        return self._database.run(
            f"INSERT INTO collected (collection_id, document_id) SELECT %(id)s, d.id FROM document d"
            f" WHERE d.id = ANY(%(ids)s::bigint[]) AND {VISIBLE} ORDER BY d.id ON CONFLICT DO NOTHING",
            id=collection_id,
            ids=list(document_ids),
        )

    def _tag_id(self, name: str) -> int | None:
        """Return the id of a tag, ignoring case; None if there is none."""
        found: int | None = self._database.value(
            "SELECT id FROM collection WHERE kind = 'tag' AND folded = %(folded)s", folded=fold_text(clean_text(name))
        )
        return found

    def _unused_name(self, name: str, kind: CollectionKind, own_id: int = 0) -> str:
        """Return a name in its stored form.

        Raises:
            UsageError: it is empty, or another one of its kind has it.
        """
        name = clean_text(clean_tag(name) if kind == "tag" else " ".join(drop_direction_controls(name).split()))
        if not name:
            raise UsageError("A collection needs a name", "Type a name.")
        other: str | None = self._database.value(
            "SELECT name FROM collection WHERE kind = %(kind)s AND folded = %(folded)s AND id <> %(own)s",
            kind=kind,
            folded=fold_text(name),
            own=own_id,
        )
        if other is not None:
            raise make_taken_name_error(kind, other)
        return name

    def _kind_of(self, collection_id: int) -> CollectionKind:
        """Return whether this is a collection or a tag; raises NotFound if it is gone."""
        kind: CollectionKind | None = self._database.value(
            "SELECT kind FROM collection WHERE id = %(id)s", id=collection_id
        )
        if kind is None:
            raise NotFound("This collection no longer exists", "It may have been removed in the meantime.")
        return kind
