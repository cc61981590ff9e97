"""The documents of a library: adding, finding, listing, renaming, removing and restoring."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, func, insert, select, update

from desktop_app.core.errors import NotFound
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import PageNote
from desktop_app.core.records import Document
from desktop_app.core.scope import EVERYTHING
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.schema import AnyRow, DocumentRow, PageRow, VersionRow
from desktop_app.store.scope_conditions import is_at_or_below, is_document_in_scope, is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import ColumnElement, Connection

    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import DocumentState
    from desktop_app.core.scope import Scope
    from desktop_app.store.database import Database

_FILES = 200

# An import of what is removed does not go on: when it is restored it has to be queued.
_STATE_AFTER_RESTART = case((DocumentRow.state.in_(("reading", "embedding")), "queued"), else_=DocumentRow.state)
_SURROGATES = re.compile("[\ud800-\udfff]")


def to_storable_text(text: str) -> str:
    """Return `text` with a replacement character for what is no Unicode: halves of pairs, stray bytes of names."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def _documents_query() -> Any:
    return select(
        DocumentRow.id,
        DocumentRow.path,
        DocumentRow.name,
        DocumentRow.own_title,
        DocumentRow.state,
        DocumentRow.reason,
        DocumentRow.message,
        DocumentRow.size_bytes,
        DocumentRow.mtime_ns,
        DocumentRow.added_at,
        DocumentRow.sentences,
        VersionRow.type,
        VersionRow.title,
        VersionRow.author,
        VersionRow.page_count,
        VersionRow.encoding,
        VersionRow.warnings,
        VersionRow.content_hash,
        VersionRow.truncated,
        DocumentRow.ocr,
    ).outerjoin_from(DocumentRow, VersionRow, VersionRow.id == DocumentRow.live_id)


def display_title(own_title: str, title: str | None, name: str) -> str:
    """Return what a document is called: the person's word, the file's own, or the file's name."""
    return own_title or title or to_storable_text(name)


def _document_from_row(row: AnyRow) -> Document:
    return Document(
        document_id=row.id,
        path=row.path,
        title=display_title(row.own_title, row.title, row.name),
        type=row.type,
        pages=row.page_count,
        sentences=row.sentences,
        state=row.state,
        reason=row.reason,
        message=row.message,
        warnings=tuple(json.loads(row.warnings or "[]")),
        author=row.author or "",
        encoding=row.encoding,
        size_bytes=row.size_bytes,
        mtime_ns=row.mtime_ns,
        content_hash=row.content_hash,
        added_at=row.added_at,
        truncated=row.truncated or 0,
        ocr=row.ocr,
    )


class DocumentTable:
    """The rows of `document`. What they hold is the business of `Importing`."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add_files(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file; see `ports.Library`."""
        rows: dict[str, AnyRow] = {}
        with self._database.writing() as connection:
            for at in range(0, len(files), _FILES):
                rows |= self._add(connection, files[at : at + _FILES])
        return [_document_from_row(rows[file.path]) for file in files]

    def _add(self, connection: Connection, files: Sequence[FileRef]) -> dict[str, AnyRow]:
        """Enter files that are not known, bring back what was removed, and return the rows of all by path."""
        paths = [file.path for file in files]
        known = connection.execute(
            select(DocumentRow.path, DocumentRow.removed_at).where(DocumentRow.path.in_(paths))
        ).all()
        if any(row.removed_at is not None for row in known):
            connection.execute(update(DocumentRow).where(DocumentRow.path.in_(paths)).values(removed_at=None))
        stored = {row.path for row in known}
        new = {file.path: file for file in files if file.path not in stored}
        if new:
            connection.execute(
                insert(DocumentRow),
                [
                    {
                        "path": file.path,
                        "name": os.path.basename(file.path),
                        "own_title": "",
                        "state": "queued",
                        "message": "",
                        "size_bytes": file.size_bytes,
                        "mtime_ns": file.mtime_ns,
                        "added_at": self._clock(),
                        "sentences": 0,
                    }
                    for file in new.values()
                ],
            )
        return {row.path: row for row in connection.execute(_documents_query().where(DocumentRow.path.in_(paths)))}

    def document(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: it is not, or no longer, in the library.
        """
        with self._database.reading() as connection:
            return self._one(connection, document_id)

    def _one(self, connection: Connection, document_id: int) -> Document:
        row = connection.execute(
            _documents_query().where(DocumentRow.id == document_id, is_not_removed())
        ).one_or_none()
        if row is None:
            raise NotFound(
                f"There is no document {document_id} in the library", "List the documents to see which there are."
            )
        return _document_from_row(row)

    def documents(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = EVERYTHING
    ) -> list[Document]:
        """Return a page of the list, in the order of ids."""
        query = _documents_query().where(DocumentRow.id > after_id, is_not_removed())
        if not scope.is_everything:
            query = query.where(is_document_in_scope(scope))
        if state is not None:
            query = query.where(DocumentRow.state == state)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(DocumentRow.id).limit(limit)).all()
        return [_document_from_row(row) for row in rows]

    def find_documents(self, name: str) -> list[Document]:
        """Return what `name` means: the first of these readings that finds something.

        An id; a file's path, or a folder's with all below it (relative ones from the working folder); a file name.
        """
        readings: list[ColumnElement[bool]] = []
        # The length keeps numbers that SQLite's integers cannot hold from being taken for ids.
        if name.isascii() and name.isdigit() and len(name) < 19:
            readings.append(DocumentRow.id == int(name))
        if name:
            readings += [is_at_or_below(os.path.abspath(name)), DocumentRow.name == name]
        with self._database.reading() as connection:
            for reading in readings:
                rows = connection.execute(
                    _documents_query().where(reading, is_not_removed()).order_by(DocumentRow.id)
                ).all()
                if rows:
                    return [_document_from_row(row) for row in rows]
        return []

    def set_title(self, document_id: int, title: str) -> None:
        """Give a document the person's own title, or back its file's."""
        with self._database.writing() as connection:
            self._one(connection, document_id)
            mark_erased_traces(connection)  # of the title before
            connection.execute(
                update(DocumentRow)
                .where(DocumentRow.id == document_id)
                .values(own_title=to_storable_text(" ".join(title.split())))
            )

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the table of contents of the live version."""
        with self._database.reading() as connection:
            self._one(connection, document_id)
            stored = connection.execute(
                select(VersionRow.outline)
                .join(DocumentRow, DocumentRow.live_id == VersionRow.id)
                .where(DocumentRow.id == document_id)
            ).scalar_one_or_none()
        return [OutlineEntry(title, page, level) for title, page, level in json.loads(stored or "[]")]

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return what became of each page of the live version; pages that have only a label are left out."""
        query = (
            select(PageRow.page, PageRow.state, PageRow.engine, PageRow.quality)
            .join(DocumentRow, DocumentRow.live_id == PageRow.version_id)
            .where(DocumentRow.id == document_id, PageRow.state.is_not(None))
            .order_by(PageRow.page)
        )
        with self._database.reading() as connection:
            self._one(connection, document_id)
            rows: Sequence[AnyRow] = connection.execute(query).all()
        return [PageNote(row.page, row.state, row.engine, row.quality) for row in rows]

    def remove(self, document_ids: Sequence[int]) -> int:
        """Take documents out of sight; what they hold stays until the purge."""
        return self._mark(document_ids, is_not_removed(), {"removed_at": self._clock(), "state": _STATE_AFTER_RESTART})

    def restore(self, document_ids: Sequence[int]) -> int:
        """Bring documents back that are not purged yet; one that was on its way in is `queued` again."""
        halfway = DocumentRow.state.in_(("reading", "embedding"))
        state = case((halfway, "queued"), else_=DocumentRow.state)
        return self._mark(document_ids, DocumentRow.removed_at > 0, {"removed_at": None, "state": state})

    def _mark(self, document_ids: Sequence[int], which: ColumnElement[bool], values: dict[str, Any]) -> int:
        with self._database.writing() as connection:
            return connection.execute(
                update(DocumentRow).where(DocumentRow.id.in_(values_subquery(document_ids)), which).values(values)
            ).rowcount

    def in_sight(self, connection: Connection, scope: Scope) -> int:
        """Return how many occurrences a part of the library has, by its documents' rows."""
        query = select(func.coalesce(func.sum(DocumentRow.sentences), 0)).where(
            is_not_removed(), is_document_in_scope(scope)
        )
        return int(connection.execute(query).scalar_one())
