"""The files of documents that are in several places: exact copies, of which one is the main file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from psycopg import errors

from desktop_app.core.errors import NotFound, make_missing_file_error
from desktop_app.core.records import FileCopy, RemovedFiles
from desktop_app.core.stored_rows import COPY_COLUMNS, AnyRow, has_same_suffix
from desktop_app.core.stored_text import encode_path
from desktop_app.shared_store.document_versions import delete_version
from desktop_app.shared_store.documents import (
    find_file,
    find_versions,
    fold_path,
    give_up_main,
)
from desktop_app.shared_store.scope_conditions import VISIBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import Document
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.documents import SharedDocumentStore
    from desktop_app.shared_store.paths import PathCodec

_HAS_OWN_DATA = (
    "SELECT d.own_title <> '' OR EXISTS (SELECT FROM reference r WHERE r.document_id = d.id)"
    " OR EXISTS (SELECT FROM annotation a WHERE a.document_id = d.id)"
    " OR EXISTS (SELECT FROM quote q WHERE q.document_id = d.id)"
    " OR EXISTS (SELECT FROM correction c WHERE c.document_id = d.id) FROM document d WHERE d.id = %(id)s"
)
_CONTENTS = (
    f"SELECT d.id, v.content_hash FROM document d JOIN version v ON v.id = d.live_id WHERE {VISIBLE}"
    " AND d.state = 'ready' AND v.content_hash IS NOT NULL AND d.id = ANY(%(ids)s::bigint[])"
)
# Two sessions that read copies of the same new file must not miss each other.
_HOLD_CONTENT = "SELECT pg_advisory_xact_lock(hashtextextended(%(hash)s, 0))"


class SharedFileCopyStore:
    """Implements `core.library.FileCopyStore`.

    Args:
        database: the library's.
        paths: how paths are stored.
        documents: its documents.
        note_joined: called with the ids of documents that became copies.
    """

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        documents: SharedDocumentStore,
        note_joined: Callable[[Sequence[int]], None],
    ) -> None:
        self._database = database
        self._paths = paths
        self._documents = documents
        self._note_joined = note_joined

    def find_hashes(self, path: str, size_bytes: int) -> frozenset[str]:
        """Return the SHA-256 of the documents that a file may be a copy of."""
        if not self._paths.has_copies:
            return frozenset()
        return frozenset(row.content_hash for row in self._find_originals(path, size_bytes))

    def _find_originals(self, path: str, size_bytes: int, content_hash: str = "") -> list[AnyRow]:
        """Return id, path and content of the documents with a path and length like these, the oldest first.

        Those with a given content stay locked until the transaction ends.
        """
        has_content = "AND v.content_hash = %(hash)s" if content_hash else "AND v.content_hash IS NOT NULL"
        lock = "FOR UPDATE OF d" if content_hash else ""
        rows = self._database.rows(
            "SELECT d.id, d.path, v.content_hash FROM document d"
            " JOIN version v ON v.id = coalesce(d.building_id, d.live_id)"
            # What waits to be read again has, or may have, another content by now.
            f" WHERE d.size_bytes = %(size)s AND d.state IN ('ready', 'reading', 'embedding') AND {VISIBLE}"
            f" {has_content} ORDER BY d.id {lock}",
            size=size_bytes,
            hash=content_hash,
        )
        return [row for row in rows if has_same_suffix(self._paths.decode(row.path), path)]

    def join(self, document_id: int, content_hash: str) -> int | None:
        """Make the file of a document without contents a copy of the document with this content."""
        if not self._paths.has_copies:
            return None
        try:
            return self._join(document_id, content_hash)
        except errors.ForeignKeyViolation:  # others have quotes from it, or highlights in it
            return None

    def _join(self, document_id: int, content_hash: str) -> int | None:
        with self._database.write_transaction():
            self._database.run(_HOLD_CONTENT, hash=content_hash)
            versions = find_versions(self._database, document_id)
            columns = ", ".join(COPY_COLUMNS)
            row = self._database.row(f"SELECT {columns} FROM document WHERE id = %(id)s", id=document_id)
            assert row is not None, "it is locked"
            file = self._paths.decode_copy(row)
            found = self._find_originals(file.path, file.size_bytes, content_hash)
            original = next((each for each in found if each.id != document_id), None)
            if original is None or versions.sentences or self._database.value(_HAS_OWN_DATA, id=document_id):
                return None
            self._copy_collections(document_id, original.id)
            for version_id in {versions.live_id, versions.building_id} - {None}:
                delete_version(self._database, version_id)
            self._database.run(  # of a file in a message of which there is a copy
                "UPDATE file_copy SET document_id = %(original)s WHERE document_id = %(id)s",
                original=original.id,
                id=document_id,
            )
            self._delete_unreferenced(document_id)
            self._insert(original.id, file)
            self._copy_attached(self._paths.decode(original.path), file)
        self._note_joined([document_id])
        return int(original.id)

    def _delete_unreferenced(self, document_id: int) -> None:
        """Delete the row of a document that nobody has added anything to.

        Nobody sees the quotes and highlights of others, which would be deleted with the row. But the server refuses to
        change a number that any row refers to.

        Raises:
            ForeignKeyViolation: somebody has.
        """
        self._database.run("DELETE FROM collected WHERE document_id = %(id)s", id=document_id)
        self._database.run("UPDATE document SET id = -id WHERE id = %(id)s", id=document_id)
        self._database.run("DELETE FROM document WHERE id = -%(id)s::bigint", id=document_id)

    def _copy_collections(self, source_id: int, document_id: int) -> None:
        """Put a document into the collections of another one, and give it its tags."""
        self._database.run(
            "INSERT INTO collected (collection_id, document_id) SELECT collection_id, %(id)s FROM collected"
            " WHERE document_id = %(source)s ORDER BY 1 ON CONFLICT DO NOTHING",
            source=source_id,
            id=document_id,
        )

    def _copy_attached(self, mail: str, copy: FileCopy) -> None:
        """Give the files in a message a copy in a copy of the message."""
        for _, first, end in self._paths.encode_below(mail)[:1]:
            inside = self._database.rows(
                f"SELECT d.path, d.id, d.size_bytes, d.mtime_ns FROM document d WHERE {VISIBLE} AND"
                " substring(d.path FROM 1 FOR 500) BETWEEN substring(%(first)s::bytea FROM 1 FOR 500) AND"
                " substring(%(end)s::bytea FROM 1 FOR 500) AND d.path >= %(first)s AND d.path < %(end)s"
                " UNION ALL SELECT c.path, c.document_id, c.size_bytes, c.mtime_ns FROM file_copy c WHERE"
                " substring(c.path FROM 1 FOR 500) BETWEEN substring(%(first)s::bytea FROM 1 FOR 500) AND"
                " substring(%(end)s::bytea FROM 1 FOR 500) AND c.path >= %(first)s AND c.path < %(end)s",
                first=first,
                end=end,
            )
            for row in inside:
                path = copy.path + self._paths.decode(row.path)[len(mail) :]
                attached = FileCopy(path, row.size_bytes, row.mtime_ns, -copy.stamp, copy.volume, copy.added_at)
                self._insert(row.id, attached)

    def _insert(self, document_id: int, copy: FileCopy) -> None:
        """Add a copy to a document, unless its path belongs to a document already."""
        path = self._paths.encode(copy.path)
        self._database.run(
            "INSERT INTO file_copy (path, path_folded, name, document_id, size_bytes, mtime_ns, stamp, volume,"
            " added_at) SELECT %(path)s, %(folded)s, %(name)s, %(id)s, %(size)s, %(time)s, %(stamp)s, %(volume)s,"
            " %(added)s::float8"
            " WHERE NOT EXISTS (SELECT FROM document WHERE sha256(path) = sha256(%(path)s::bytea))"
            " ON CONFLICT (sha256(path)) DO NOTHING",
            path=path,
            folded=fold_path(path),
            name=encode_path(os.path.basename(copy.path)),
            id=document_id,
            size=copy.size_bytes,
            time=copy.mtime_ns,
            stamp=copy.stamp,
            volume=self._paths.encode_seen(copy.stamp, copy.volume),
            added=copy.added_at,
        )

    def split(self, file: FileRef, main: str = "") -> Document:
        """Make a file a queued document of its own."""
        with self._database.write_transaction():
            owner, copy = find_file(self._database, self._paths, file.path)
            if copy is None:
                if give_up_main(self._database, self._paths, owner, main) is None:
                    raise make_missing_file_error(file.path)
                # The rest is read again in its stead.
                self._database.run(
                    "UPDATE document SET state = 'ready', reason = NULL, message = '', worker = 0 WHERE id = %(id)s",
                    id=owner,
                )
            else:
                self._delete(file.path)
            (document,) = self._documents.add([file])
            self._copy_collections(owner, document.document_id)
        return document

    def _delete(self, path: str) -> None:
        self._database.run(
            "DELETE FROM file_copy WHERE sha256(path) = sha256(%(path)s::bytea)", path=self._paths.encode(path)
        )

    def promote(self, path: str) -> None:
        """Make a copy the main file of its document."""
        with self._database.write_transaction():
            owner, copy = find_file(self._database, self._paths, path)
            if copy is None:
                raise make_missing_file_error(path)
            main = give_up_main(self._database, self._paths, owner, path)
            assert main is not None, "it has this copy"
            self._insert(owner, main)

    def remove(self, paths: Sequence[str]) -> RemovedFiles:
        """Remove files, and documents with their last one."""
        removed: list[tuple[int, FileCopy]] = []
        gone: list[int] = []
        with self._database.write_transaction():
            for path in dict.fromkeys(paths):
                try:
                    owner, copy = find_file(self._database, self._paths, path)
                except NotFound:
                    continue
                if copy is not None:
                    self._delete(path)
                elif (copy := give_up_main(self._database, self._paths, owner)) is None:
                    gone.append(owner)
                    continue
                removed.append((owner, copy))
            contents = self._read_contents({owner for owner, _ in removed})
            self._documents.remove(gone)
        return RemovedFiles(tuple(gone), tuple(removed), tuple(contents.items()))

    def _read_contents(self, document_ids: Collection[int]) -> dict[int, str]:
        """Return the content of those of some visible documents that are not being read again."""
        rows = self._database.rows(_CONTENTS, ids=sorted(document_ids)) if document_ids else ()
        return {row.id: row.content_hash for row in rows}

    def restore(self, removed: RemovedFiles) -> int:
        """Restore removed files."""
        with self._database.write_transaction():
            restored = self._documents.restore(removed.document_ids)
            there = set(
                self._database.column(
                    "SELECT id FROM document WHERE removed_at IS NULL AND id = ANY(%(ids)s::bigint[])",
                    ids=sorted({document_id for document_id, _ in removed.copies}),
                )
            )
            for document_id, copy in removed.to_check(self._read_contents(there)):
                if document_id in there:
                    self._insert(document_id, copy)
        return restored + len(there - set(removed.document_ids))
