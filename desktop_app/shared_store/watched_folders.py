"""The watched folders of a machine, and documents whose files have moved.

A folder is watched by the machine that reaches it: each machine has a list of its own.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import WatchedFolder
from desktop_app.core.stored_text import encode_path
from desktop_app.shared_store.documents import find_file, fold_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_app.core.reader_events import FileRef
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec


class SharedWatchedFolderStore:
    """Implements `core.library.WatchedFolderStore`."""

    def __init__(self, database: SharedDatabase, paths: PathCodec) -> None:
        self._database = database
        self._paths = paths
        self._machine = paths.machine

    def folders(self) -> list[WatchedFolder]:
        """Return the watched folders in order of path."""
        return self._read_folders("watched")

    def _read_folders(self, table: str) -> list[WatchedFolder]:
        rows = self._database.rows(f"SELECT * FROM {table} WHERE machine = %(own)s ORDER BY path", own=self._machine)
        return [
            WatchedFolder(self._paths.decode(row.path), tuple(json.loads(row.include)), tuple(json.loads(row.exclude)))
            for row in rows
        ]

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change the patterns of a watched one."""
        self._write_folder("watched", folder)

    def _write_folder(self, table: str, folder: WatchedFolder) -> None:
        with self._database.write_transaction():
            self._delete(table, [folder.path])
            self._database.run(
                f"INSERT INTO {table} (machine, path, include, exclude) VALUES (%(own)s, %(path)s, %(include)s,"
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
        """Delete this machine's rows of paths, also those stored before their folder got a root."""
        wanted = {self._paths.encode(path) for path in paths}
        with self._database.write_transaction():
            rows = self._database.rows(f"SELECT path FROM {table} WHERE machine = %(own)s", own=self._machine)
            stored = [row.path for row in rows if self._paths.encode(self._paths.decode(row.path)) in wanted]
            if stored:
                self._database.run(
                    f"DELETE FROM {table} WHERE machine = %(own)s AND path = ANY(%(paths)s::bytea[])",
                    own=self._machine,
                    paths=stored,
                )

    def set_volumes(self, volumes: Mapping[str, str]) -> None:
        """Record the file systems of documents' files, by path; see `Document.volume`."""
        self._set_seen({path: {"volume": volume} for path, volume in volumes.items()})

    def set_stamps(self, stamps: Mapping[str, int]) -> None:
        """Record the stamps of files that have not changed, by path; see `FileRef.stamp`."""
        self._set_seen({path: {"stamp": stamp} for path, stamp in stamps.items()})

    def _set_seen(self, seen: Mapping[str, Mapping[str, Any]]) -> None:
        """Add what this machine has seen of files, by path."""
        new = {self._paths.encode(path): values for path, values in seen.items()}
        with self._database.write_transaction():
            for table in ("document", "file_copy") if self._paths.has_copies else ("document",):
                rows = self._database.rows(
                    f"SELECT id, path, stamp, volume FROM {table} WHERE sha256(path) = ANY(ARRAY("
                    "SELECT sha256(n.path) FROM unnest(%(paths)s::bytea[]) AS n (path))) ORDER BY id FOR UPDATE",
                    paths=list(new),
                )
                self._database.run(
                    f"UPDATE {table} f SET stamp = n.stamp, volume = n.volume"
                    " FROM unnest(%(ids)s::bigint[], %(stamps)s::bigint[], %(volumes)s::bytea[])"
                    " AS n (id, stamp, volume) WHERE f.id = n.id",
                    ids=[row.id for row in rows],
                    stamps=[new[bytes(row.path)].get("stamp", row.stamp) for row in rows],
                    volumes=[self._paths.add_seen(row.volume, **new[bytes(row.path)]) for row in rows],
                )

    def begin_listing(self, paths: Sequence[str], *, force: bool = False) -> None:
        """Record folders whose files are about to be added as documents."""
        with self._database.write_transaction():
            self._delete("unlisted", paths)
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

    def note_import_folders(self, folders: Sequence[WatchedFolder]) -> None:
        """Record folders that are imported once with patterns, until the import is finished."""
        if self._has_import_folders:
            with self._database.write_transaction():
                for folder in folders:
                    self._write_folder("import_folder", folder)

    def forget_import_folders(self, paths: Sequence[str]) -> None:
        """Delete what was recorded of these folders."""
        if self._has_import_folders:
            self._delete("import_folder", paths)

    def import_folders(self) -> list[WatchedFolder]:
        """Return the folders of unfinished imports with their patterns, in order of path."""
        return self._read_folders("import_folder") if self._has_import_folders else []

    @property
    def _has_import_folders(self) -> bool:
        """Whether the library has the table: one that is not upgraded has none."""
        is_newest = not self._database.is_older
        return is_newest or bool(self._database.value("SELECT to_regclass('import_folder') IS NOT NULL"))

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

    def move_files(self, files: Mapping[str, FileRef]) -> int:
        """Record new paths of files in one transaction, by their old ones; returns how many changed.

        Files that no document has, or whose new path belongs to another document, are skipped.
        """
        moved = 0
        with self._database.write_transaction():
            for path, file in files.items():
                try:
                    self.move(path, file)
                    moved += 1
                except (NotFound, UsageError):
                    continue
        return moved

    def move(self, path: str, file: FileRef) -> None:
        """Record a new path of a document's file; its contents stay.

        Raises:
            NotFound: no document in the library has the old path.
            UsageError: another document has the new one.
        """
        new, name = self._paths.encode(file.path), encode_path(os.path.basename(file.path))
        values: dict[str, object] = {
            "old": self._paths.encode(path),
            "path": new,
            "folded": fold_path(new),
            "name": name,
            "size": file.size_bytes,
            "time": file.mtime_ns,
            "stamp": file.stamp,
            "seen": self._paths.encode_seen(file.stamp),
        }
        with self._database.write_transaction():
            document_id, copy = find_file(self._database, self._paths, path)
            self._clear_path(document_id, file.path)
            changed = (
                "path = %(path)s, path_folded = %(folded)s, name = %(name)s, size_bytes = %(size)s,"
                " mtime_ns = %(time)s, stamp = %(stamp)s, volume = %(seen)s"
            )
            if copy is None:
                self._database.run(
                    f"UPDATE document SET {changed}, name_folded = %(name_folded)s WHERE id = %(id)s",
                    id=document_id,
                    name_folded=fold_path(name),
                    **values,
                )
                return
            main = self._database.value("SELECT path FROM document WHERE id = %(id)s", id=document_id)
            if bytes(main) == new:
                self._database.run("DELETE FROM file_copy WHERE sha256(path) = sha256(%(old)s::bytea)", **values)
                self._database.run(
                    "UPDATE document SET size_bytes = %(size)s, mtime_ns = %(time)s, stamp = %(stamp)s,"
                    " volume = %(seen)s WHERE id = %(id)s",
                    id=document_id,
                    **values,
                )
                return
            if path != file.path:
                self._database.run("DELETE FROM file_copy WHERE sha256(path) = sha256(%(path)s::bytea)", **values)
            self._database.run(f"UPDATE file_copy SET {changed} WHERE sha256(path) = sha256(%(old)s::bytea)", **values)

    def _clear_path(self, document_id: int, path: str) -> None:
        """Take a path from a document that was removed.

        Raises:
            UsageError: it belongs to a visible document, other than `document_id`.
        """
        stored = self._paths.encode(path)
        owners = "SELECT id, removed_at FROM document WHERE sha256(path) = sha256(%(path)s::bytea)"
        if self._paths.has_copies:
            owners += (
                " UNION ALL SELECT d.id, d.removed_at FROM file_copy c JOIN document d ON d.id = c.document_id"
                " WHERE sha256(c.path) = sha256(%(path)s::bytea)"
            )
        for other in [row for row in self._database.rows(owners, path=stored) if row.id != document_id]:
            if other.removed_at is None:
                raise UsageError("{path} is already a separate document", "Remove one of them.", path=path)
            # A removed document waits for its erasure under a path that no file can have.
            self._database.run(
                "UPDATE document SET path = path || %(mark)s WHERE sha256(path) = sha256(%(path)s::bytea)",
                mark=f"\0{other.id}".encode(),
                path=stored,
            )
            if self._paths.has_copies:
                self._database.run("DELETE FROM file_copy WHERE sha256(path) = sha256(%(path)s::bytea)", path=stored)
