"""The watched folders of a library, and documents whose files have moved."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.records import WatchedFolder
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.documents import find_file
from desktop_app.store.schema import DocumentRow, FileCopyRow, HomeRow, ImportFolderRow, UnlistedRow, WatchedRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.reader_events import FileRef
    from desktop_app.store.database import Database


class LocalWatchedFolderStore:
    """Implements `core.library.WatchedFolderStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def folders(self) -> list[WatchedFolder]:
        """Return the watched folders in order of path."""
        with self._database.read_transaction() as connection:
            return _read_folders(connection, WatchedRow)

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change the patterns of a watched one."""
        with self._database.write_transaction() as connection:
            _write_folder(connection, WatchedRow, folder)

    def unwatch(self, path: str) -> None:
        """Stop watching a folder; its documents stay."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(WatchedRow).where(WatchedRow.path == path))

    def set_volumes(self, volumes: Mapping[str, str]) -> None:
        """Record the file systems of documents' files, by path; see `Document.volume`."""
        self._set("volume", volumes)

    def set_stamps(self, stamps: Mapping[str, int]) -> None:
        """Record the stamps of files that have not changed, by path; see `FileRef.stamp`."""
        self._set("stamp", stamps)

    def _set(self, column: str, values: Mapping[str, str] | Mapping[str, int]) -> None:
        """Set a column of the rows of files, by path."""
        if not values:
            return
        rows = [{"at": path, "now": value} for path, value in values.items()]
        with self._database.write_transaction() as connection:
            for table in (DocumentRow, FileCopyRow):
                changed = update(table).where(table.path == bindparam("at")).values({column: bindparam("now")})
                connection.execute(changed, rows)

    def begin_listing(self, paths: Sequence[str], *, force: bool = False) -> None:
        """Record folders whose files are about to be added as documents."""
        with self._database.write_transaction() as connection:
            for path in paths:
                values = {"path": path, "force": force}
                connection.execute(
                    upsert(UnlistedRow).values(values).on_conflict_do_update(index_elements=["path"], set_=values)
                )

    def end_listing(self, paths: Sequence[str]) -> None:
        """Record that these folders are listed completely, or are not going to be."""
        with self._database.write_transaction() as connection:
            for path in paths:
                connection.execute(delete(UnlistedRow).where(UnlistedRow.path == path))

    def interrupted_listings(self) -> dict[str, bool]:
        """Return the folders whose listing was interrupted, and for each whether unchanged files are to be read too."""
        with self._database.read_transaction() as connection:
            rows = connection.execute(select(UnlistedRow.path, UnlistedRow.force).order_by(UnlistedRow.path)).all()
        return {row.path: row.force for row in rows}

    def note_import_folders(self, folders: Sequence[WatchedFolder]) -> None:
        """Record folders that are imported once with patterns, until the import is finished."""
        with self._database.write_transaction() as connection:
            for folder in folders:
                _write_folder(connection, ImportFolderRow, folder)

    def forget_import_folders(self, paths: Sequence[str]) -> None:
        """Delete what was recorded of these folders."""
        with self._database.write_transaction() as connection:
            for path in paths:
                connection.execute(delete(ImportFolderRow).where(ImportFolderRow.path == path))

    def import_folders(self) -> list[WatchedFolder]:
        """Return the folders of unfinished imports with their patterns, in order of path."""
        if not self._database.writable:
            return []  # only imports need them, and a file that a reader may not upgrade can be without the table
        with self._database.read_transaction() as connection:
            return _read_folders(connection, ImportFolderRow)

    def home(self) -> str:
        """Return the library's folder when it was last recorded; empty if it never was."""
        with self._database.read_transaction() as connection:
            return connection.execute(select(HomeRow.path)).scalar() or ""

    def set_home(self, folder: str) -> None:
        """Record the library's folder."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(HomeRow))
            connection.execute(insert(HomeRow).values(path=folder))

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
        values = {
            "name": os.path.basename(file.path),
            "size_bytes": file.size_bytes,
            "mtime_ns": file.mtime_ns,
            "stamp": file.stamp,
            "volume": "",  # until a scan sees it there
        }
        with self._database.write_transaction() as connection:
            document_id, copy = find_file(connection, path)
            self._clear_path(connection, document_id, file.path)
            mark_erased_traces(connection)  # of the previous path
            if copy is not None and self._is_main(connection, document_id, file.path):
                connection.execute(delete(FileCopyRow).where(FileCopyRow.path == path))
                connection.execute(update(DocumentRow).where(DocumentRow.id == document_id).values(values))
                return
            table = DocumentRow if copy is None else FileCopyRow
            if copy is not None and path != file.path:
                connection.execute(delete(FileCopyRow).where(FileCopyRow.path == file.path))
            connection.execute(update(table).where(table.path == path).values(path=file.path, **values))

    def _is_main(self, connection: Connection, document_id: int, path: str) -> bool:
        main = connection.execute(select(DocumentRow.path).where(DocumentRow.id == document_id)).scalar_one()
        return bool(main == path)

    def _clear_path(self, connection: Connection, document_id: int, path: str) -> None:
        """Take a path from a document that was removed.

        Raises:
            UsageError: it belongs to a visible document, other than `document_id`.
        """
        owners = [
            select(DocumentRow.id, DocumentRow.removed_at).where(DocumentRow.path == path),
            select(DocumentRow.id, DocumentRow.removed_at)
            .join(FileCopyRow, FileCopyRow.document_id == DocumentRow.id)
            .where(FileCopyRow.path == path),
        ]
        for other in [row for query in owners for row in connection.execute(query) if row.id != document_id]:
            if other.removed_at is None:
                raise UsageError("{path} is already a separate document", "Remove one of them.", path=path)
            # A removed document waits for its erasure under a path that no file can have.
            gone = f"{path}\0{other.id}"
            connection.execute(update(DocumentRow).where(DocumentRow.path == path).values(path=gone))
            connection.execute(delete(FileCopyRow).where(FileCopyRow.path == path))


def _read_folders(connection: Connection, table: type[WatchedRow | ImportFolderRow]) -> list[WatchedFolder]:
    rows = connection.execute(select(table.__table__).order_by(table.path)).all()
    return [WatchedFolder(row.path, tuple(json.loads(row.include)), tuple(json.loads(row.exclude))) for row in rows]


def _write_folder(connection: Connection, table: type[WatchedRow | ImportFolderRow], folder: WatchedFolder) -> None:
    connection.execute(delete(table).where(table.path == folder.path))
    connection.execute(
        insert(table).values(path=folder.path, include=json.dumps(folder.include), exclude=json.dumps(folder.exclude))
    )
