"""The files of documents that are in several places: exact copies, of which one is the main file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, insert, literal, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.errors import NotFound, make_missing_file_error
from desktop_app.core.records import FileCopy, RemovedFiles
from desktop_app.core.stored_rows import COPY_COLUMNS, has_same_suffix
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.document_versions import delete_version
from desktop_app.store.documents import find_file, find_versions, give_up_main
from desktop_app.store.schema import (
    AnnotationRow,
    CollectedRow,
    CorrectionRow,
    DocumentRow,
    FileCopyRow,
    QuoteRow,
    ReferenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import is_below, is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import Document
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database
    from desktop_app.store.documents import LocalDocumentStore

_COLLECTED = ["collection_id", "document_id"]


class LocalFileCopyStore:
    """Implements `core.library.FileCopyStore`.

    Args:
        database: the library's.
        documents: its documents.
        note_joined: called with the ids of documents that became copies.
    """

    def __init__(
        self, database: Database, documents: LocalDocumentStore, note_joined: Callable[[Sequence[int]], None]
    ) -> None:
        self._database = database
        self._documents = documents
        self._note_joined = note_joined

    def find_hashes(self, path: str, size_bytes: int) -> frozenset[str]:
        """Return the SHA-256 of the documents that a file may be a copy of."""
        with self._database.read_transaction() as connection:
            rows = self._find_originals(connection, path, size_bytes)
        return frozenset(row.content_hash for row in rows)

    def _find_originals(self, connection: Connection, path: str, size_bytes: int) -> list[AnyRow]:
        """Return id and content of the documents with a path and length like these, the oldest first."""
        query = (
            select(DocumentRow.id, DocumentRow.path, VersionRow.content_hash)
            # While a document is read again, its file has the content of the new version.
            .join(VersionRow, VersionRow.id == func.coalesce(DocumentRow.building_id, DocumentRow.live_id))
            .where(
                DocumentRow.size_bytes == size_bytes,
                is_not_removed(),
                # What waits to be read again has, or may have, another content by now.
                DocumentRow.state.in_(("ready", "reading", "embedding")),
                VersionRow.content_hash.is_not(None),
            )
            .order_by(DocumentRow.id)
        )
        return [row for row in connection.execute(query).all() if has_same_suffix(row.path, path)]

    def join(self, document_id: int, content_hash: str) -> int | None:
        """Make the file of a document without contents a copy of the document with this content."""
        with self._database.write_transaction() as connection:
            versions = find_versions(connection, document_id)
            row = connection.execute(select(DocumentRow.__table__).where(DocumentRow.id == document_id)).one()
            found = self._find_originals(connection, row.path, row.size_bytes)
            original = next(
                (each for each in found if each.content_hash == content_hash and each.id != document_id), None
            )
            if original is None or versions.sentences or self._has_own_data(connection, document_id):
                return None
            self._copy_collections(connection, document_id, original.id)
            for version_id in {versions.live_id, versions.building_id} - {None}:
                delete_version(connection, version_id)
            own = update(FileCopyRow).where(FileCopyRow.document_id == document_id)
            connection.execute(own.values(document_id=original.id))  # of a file in a message of which there is a copy
            connection.execute(delete(DocumentRow).where(DocumentRow.id == document_id))
            copy = FileCopy(row.path, row.size_bytes, row.mtime_ns, row.stamp, row.volume, row.added_at)
            self._insert(connection, original.id, [copy])
            self._copy_attached(connection, original.path, copy)
        self._note_joined([document_id])
        return int(original.id)

    def _has_own_data(self, connection: Connection, document_id: int) -> bool:
        """Return whether a person has added something to a document besides tags and collections."""
        owned = (table.document_id for table in (ReferenceRow, AnnotationRow, QuoteRow, CorrectionRow))
        has_title = exists().where(DocumentRow.id == document_id, DocumentRow.own_title != "")
        return bool(
            connection.execute(
                select(or_(has_title, *(exists().where(each == document_id) for each in owned)))
            ).scalar()
        )

    def _copy_attached(self, connection: Connection, mail: str, copy: FileCopy) -> None:
        """Give the files in a message a copy in a copy of the message."""
        for table, key in ((DocumentRow, DocumentRow.id), (FileCopyRow, FileCopyRow.document_id)):
            inside = select(table.path, key.label("owner"), table.size_bytes, table.mtime_ns).where(
                is_below(mail, table.path)
            )
            if table is DocumentRow:
                inside = inside.where(is_not_removed())
            for row in connection.execute(inside).all():
                path = copy.path + row.path[len(mail) :]
                attached = FileCopy(path, row.size_bytes, row.mtime_ns, -copy.stamp, copy.volume, copy.added_at)
                self._insert(connection, row.owner, [attached])

    def _insert(self, connection: Connection, document_id: int, copies: Sequence[FileCopy]) -> None:
        """Add copies to a document, except those whose paths belong to a document already."""
        for copy in copies:
            if connection.execute(select(DocumentRow.id).where(DocumentRow.path == copy.path)).first() is None:
                values = {column: getattr(copy, column) for column in COPY_COLUMNS}
                connection.execute(
                    upsert(FileCopyRow)
                    .values(document_id=document_id, name=os.path.basename(copy.path), **values)
                    .on_conflict_do_nothing()
                )

    def split(self, file: FileRef, main: str = "") -> Document:
        """Make a file a queued document of its own."""
        with self._database.write_transaction() as connection:
            owner, copy = find_file(connection, file.path)
            if copy is None:
                if give_up_main(connection, owner, main) is None:
                    raise make_missing_file_error(file.path)
                # The rest is read again in its stead.
                values = {"state": "ready", "reason": None, "message": ""}
                connection.execute(update(DocumentRow).where(DocumentRow.id == owner).values(values))
            else:
                connection.execute(delete(FileCopyRow).where(FileCopyRow.path == file.path))
            (document,) = self._documents.add([file])
            self._copy_collections(connection, owner, document.document_id)
        return document

    def _copy_collections(self, connection: Connection, source_id: int, document_id: int) -> None:
        """Put a document into the collections of another one, and give it its tags."""
        held = select(CollectedRow.collection_id, literal(document_id)).where(CollectedRow.document_id == source_id)
        connection.execute(
            insert(CollectedRow).prefix_with("OR IGNORE", dialect="sqlite").from_select(_COLLECTED, held)
        )

    def promote(self, path: str) -> None:
        """Make a copy the main file of its document."""
        with self._database.write_transaction() as connection:
            owner, copy = find_file(connection, path)
            if copy is None:
                raise make_missing_file_error(path)
            main = give_up_main(connection, owner, path)
            assert main is not None, "it has this copy"
            self._insert(connection, owner, [main])

    def remove(self, paths: Sequence[str]) -> RemovedFiles:
        """Remove files, and documents with their last one."""
        removed: list[tuple[int, FileCopy]] = []
        gone: list[int] = []
        with self._database.write_transaction() as connection:
            for path in dict.fromkeys(paths):
                try:
                    owner, copy = find_file(connection, path)
                except NotFound:
                    continue
                if copy is not None:
                    connection.execute(delete(FileCopyRow).where(FileCopyRow.path == path))
                elif (copy := give_up_main(connection, owner)) is None:
                    gone.append(owner)
                    continue
                mark_erased_traces(connection)  # of the path
                removed.append((owner, copy))
            contents = self._read_contents(connection, {owner for owner, _ in removed})
            self._documents.remove(gone)
        return RemovedFiles(tuple(gone), tuple(removed), tuple(contents.items()))

    def _read_contents(self, connection: Connection, document_ids: Collection[int]) -> dict[int, str]:
        """Return the content of those of some visible documents that are not being read again."""
        query = (
            select(DocumentRow.id, VersionRow.content_hash)
            .join(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(
                DocumentRow.id.in_(values_subquery(sorted(document_ids))),
                is_not_removed(),
                DocumentRow.state == "ready",
                VersionRow.content_hash.is_not(None),
            )
        )
        return {row.id: row.content_hash for row in connection.execute(query)}

    def restore(self, removed: RemovedFiles) -> int:
        """Restore removed files."""
        with self._database.write_transaction() as connection:
            restored = self._documents.restore(removed.document_ids)
            ids = json.dumps(sorted({document_id for document_id, _ in removed.copies}))
            there = set(
                connection.exec_driver_sql(
                    "SELECT id FROM document WHERE removed_at IS NULL AND id IN (SELECT value FROM json_each(?))",
                    (ids,),
                ).scalars()
            )
            for document_id, copy in removed.to_check(self._read_contents(connection, there)):
                if document_id in there:
                    self._insert(connection, document_id, [copy])
        return restored + len(there - set(removed.document_ids))
