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
from desktop_app.store.schema import DocumentRow, HomeRow, UnlistedRow, WatchedRow
from desktop_app.store.scope_conditions import is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop_app.core.reader_events import FileRef
    from desktop_app.store.database import Database


class LocalWatchedFolderStore:
    """Implements `core.library.WatchedFolderStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def folders(self) -> list[WatchedFolder]:
        """Return the watched folders in order of path."""
        with self._database.read_transaction() as connection:
            rows = connection.execute(select(WatchedRow.__table__).order_by(WatchedRow.path)).all()
        return [WatchedFolder(row.path, tuple(json.loads(row.include)), tuple(json.loads(row.exclude))) for row in rows]

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change the patterns of a watched one."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(WatchedRow).where(WatchedRow.path == folder.path))
            connection.execute(
                insert(WatchedRow).values(
                    path=folder.path, include=json.dumps(folder.include), exclude=json.dumps(folder.exclude)
                )
            )

    def unwatch(self, path: str) -> None:
        """Stop watching a folder; its documents stay."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(WatchedRow).where(WatchedRow.path == path))

    def set_volumes(self, volumes: Mapping[int, str]) -> None:
        """Record the file systems of documents, by document id; see `Document.volume`."""
        ids: dict[str, list[int]] = {}
        for document_id, volume in volumes.items():
            ids.setdefault(volume, []).append(document_id)
        with self._database.write_transaction() as connection:
            for volume, document_ids in ids.items():
                connection.execute(
                    update(DocumentRow)
                    .where(DocumentRow.id.in_(values_subquery(document_ids)), is_not_removed())
                    .values(volume=volume)
                )

    def set_stamps(self, stamps: Mapping[int, int]) -> None:
        """Record the stamps of files that have not changed, by document id; see `FileRef.stamp`."""
        with self._database.write_transaction() as connection:
            connection.execute(
                update(DocumentRow).where(DocumentRow.id == bindparam("document_id")).values(stamp=bindparam("now")),
                [{"document_id": document_id, "now": stamp} for document_id, stamp in stamps.items()],
            )

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

    def home(self) -> str:
        """Return the library's folder when it was last recorded; empty if it never was."""
        with self._database.read_transaction() as connection:
            return connection.execute(select(HomeRow.path)).scalar() or ""

    def set_home(self, folder: str) -> None:
        """Record the library's folder."""
        with self._database.write_transaction() as connection:
            connection.execute(delete(HomeRow))
            connection.execute(insert(HomeRow).values(path=folder))

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
        with self._database.write_transaction() as connection:
            other = connection.execute(
                select(DocumentRow.id, DocumentRow.removed_at).where(
                    DocumentRow.path == file.path, DocumentRow.id != document_id
                )
            ).one_or_none()
            if other is not None and other.removed_at is None:
                raise UsageError("{path} is already a separate document", "Remove one of them.", path=file.path)
            mark_erased_traces(connection)  # of the previous path
            if other is not None:
                # A removed document waits for its erasure under a path that no file can have.
                gone = f"{file.path}\0{other.id}"
                connection.execute(update(DocumentRow).where(DocumentRow.id == other.id).values(path=gone))
            moved = connection.execute(
                update(DocumentRow)
                .where(DocumentRow.id == document_id, is_not_removed())
                .values(
                    path=file.path,
                    name=os.path.basename(file.path),
                    size_bytes=file.size_bytes,
                    mtime_ns=file.mtime_ns,
                    stamp=file.stamp,
                    volume="",  # until a scan sees it there
                )
            )
            if not moved.rowcount:
                raise NotFound(
                    "There is no document {document_id} in the library",
                    "It may have been removed.",
                    document_id=document_id,
                )
