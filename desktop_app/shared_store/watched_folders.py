"""The watched folders of a machine, and documents whose files have moved.

A folder is watched by the machine that reaches it: each machine has a list of its own.
"""

from __future__ import annotations

import json
import os
import platform
from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import WatchedFolder
from desktop_app.core.stored_text import encode_path
from desktop_app.shared_store.documents import fold_path
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_app.core.reader_events import FileRef
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec


class SharedWatchedFolderStore:
    """Implements `core.library.WatchedFolderStore`."""

    def __init__(self, database: SharedDatabase, paths: PathCodec, machine: str = "") -> None:
        self._database = database
        self._paths = paths
        self._machine = clean_text(machine or platform.node())

    def folders(self) -> list[WatchedFolder]:
        """Return the watched folders in order of path."""
        rows = self._database.rows("SELECT * FROM watched WHERE machine = %(own)s ORDER BY path", own=self._machine)
        return [
            WatchedFolder(self._paths.decode(row.path), tuple(json.loads(row.include)), tuple(json.loads(row.exclude)))
            for row in rows
        ]

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change the patterns of a watched one."""
        with self._database.write_transaction():
            self._database.run(
                "INSERT INTO watched (machine, path, include, exclude) VALUES (%(own)s, %(path)s, %(include)s,"
                " %(exclude)s) ON CONFLICT (machine, path) DO UPDATE SET include = excluded.include,"
                " exclude = excluded.exclude",
                own=self._machine,
                path=self._paths.encode(folder.path),
                include=json.dumps(folder.include),
                exclude=json.dumps(folder.exclude),
            )

    def unwatch(self, path: str) -> None:
        """Stop watching a folder; its documents stay."""
        self._delete("watched", [path])

    def _delete(self, table: str, paths: Sequence[str]) -> None:
        with self._database.write_transaction():
            self._database.run(
                f"DELETE FROM {table} WHERE machine = %(own)s AND path = ANY(%(paths)s::bytea[])",
                own=self._machine,
                paths=[self._paths.encode(path) for path in paths],
            )

    def set_volumes(self, volumes: Mapping[int, str]) -> None:
        """Record the file systems of documents, by document id; see `Document.volume`."""
        with self._database.write_transaction():
            self._database.run(
                "UPDATE document d SET volume = n.volume FROM unnest(%(ids)s::bigint[], %(volumes)s::bytea[])"
                " AS n (id, volume) WHERE d.id = n.id AND d.removed_at IS NULL",
                ids=list(volumes),
                volumes=[encode_path(volume) for volume in volumes.values()],
            )

    def set_stamps(self, stamps: Mapping[int, int]) -> None:
        """Record the stamps of files that have not changed, by document id; see `FileRef.stamp`."""
        with self._database.write_transaction():
            self._database.run(
                "UPDATE document d SET stamp = n.stamp FROM unnest(%(ids)s::bigint[], %(stamps)s::bigint[])"
                " AS n (id, stamp) WHERE d.id = n.id",
                ids=list(stamps),
                stamps=list(stamps.values()),
            )

    def begin_listing(self, paths: Sequence[str], *, force: bool = False) -> None:
        """Record folders whose files are about to be added as documents."""
        with self._database.write_transaction():
            self._database.run(
                "INSERT INTO unlisted (machine, path, force) SELECT %(own)s, path, %(force)s"
                " FROM unnest(%(paths)s::bytea[]) AS path ON CONFLICT (machine, path) DO UPDATE"
                " SET force = excluded.force",
                own=self._machine,
                force=force,
                paths=[self._paths.encode(path) for path in dict.fromkeys(paths)],
            )

    def end_listing(self, paths: Sequence[str]) -> None:
        """Record that these folders are listed completely, or are not going to be."""
        self._delete("unlisted", paths)

    def interrupted_listings(self) -> dict[str, bool]:
        """Return the folders whose listing was interrupted, and for each whether unchanged files are to be read too."""
        rows = self._database.rows("SELECT * FROM unlisted WHERE machine = %(own)s ORDER BY path", own=self._machine)
        return {self._paths.decode(row.path): row.force for row in rows}

    def home(self) -> str:
        """Return the library's folder when it was last recorded; empty if it never was."""
        found = self._database.value("SELECT path FROM home WHERE machine = %(own)s", own=self._machine)
        return "" if found is None else self._paths.decode(found)

    def set_home(self, folder: str) -> None:
        """Record the library's folder."""
        with self._database.write_transaction():
            self._database.run(
                "INSERT INTO home (machine, path) VALUES (%(own)s, %(path)s)"
                " ON CONFLICT (machine) DO UPDATE SET path = excluded.path",
                own=self._machine,
                path=encode_path(folder),
            )

    def move_documents(self, files: Mapping[int, FileRef]) -> int:
        """Record new paths of documents' files in one transaction; returns how many changed.

        Documents that are gone, or whose new path belongs to another document, are skipped.
        """
        moved = 0
        with self._database.write_transaction():
            for document_id, file in files.items():
                try:
                    self.move(document_id, file)
                    moved += 1
                except (NotFound, UsageError):
                    continue
        return moved

    def move(self, document_id: int, file: FileRef) -> None:
        """Record a new path of a document's file; its contents stay.

        Raises:
            NotFound: the document is not in the library, or no longer.
            UsageError: another document has that path.
        """
        path = self._paths.encode(file.path)
        name = encode_path(os.path.basename(file.path))
        with self._database.write_transaction():
            other = self._database.row(
                "SELECT id, removed_at FROM document WHERE sha256(path) = sha256(%(path)s) AND id <> %(id)s",
                path=path,
                id=document_id,
            )
            if other is not None and other.removed_at is None:
                raise UsageError("{path} is already a separate document", "Remove one of them.", path=file.path)
            if other is not None:
                # A removed document waits for its erasure under a path that no file can have.
                self._database.run(
                    "UPDATE document SET path = path || %(mark)s WHERE id = %(id)s",
                    mark=f"\0{other.id}".encode(),
                    id=other.id,
                )
            moved = self._database.run(
                "UPDATE document SET path = %(path)s, path_folded = %(folded)s, name = %(name)s,"
                " name_folded = %(name_folded)s, size_bytes = %(size)s, mtime_ns = %(time)s, stamp = %(stamp)s,"
                " volume = '' WHERE id = %(id)s AND removed_at IS NULL",
                path=path,
                folded=fold_path(path),
                name=name,
                name_folded=fold_path(name),
                size=file.size_bytes,
                time=file.mtime_ns,
                stamp=file.stamp,
                id=document_id,
            )
            if not moved:
                raise NotFound(
                    "There is no document {document_id} in the library",
                    "It may have been removed.",
                    document_id=document_id,
                )
