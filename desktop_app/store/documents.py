"""The documents of a library: adding, finding, listing, renaming, removing and restoring."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, delete, func, insert, or_, outerjoin, select, update

from desktop_app.core.document_names import find_named_documents
from desktop_app.core.errors import NotFound, make_missing_file_error
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import Omissions, OmittedText, PageNote
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import COPY_COLUMNS, HALFWAY, copy_from_row, document_from_row, reference_from_row
from desktop_app.core.stored_text import to_storable_text
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.database import fetch_named_rows
from desktop_app.store.document_versions import GIVEN_UP
from desktop_app.store.schema import (
    DocumentRow,
    FileCopyRow,
    PageRow,
    ReferenceRow,
    SavedPartRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import (
    has_own_date,
    is_at_or_below,
    is_document_in_scope,
    is_not_removed,
    values_subquery,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import ColumnElement, Connection

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import Document, DocumentState, FileCopy
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database

_FILES = 200
# The import of a removed document does not continue: after a restore it has to be queued.
_STATE_AFTER_RESTART = case((DocumentRow.state.in_(HALFWAY), "queued"), else_=DocumentRow.state)
# Runs for every few sentences of an import: built once, because SQLAlchemy takes longer to build it than SQLite to
# execute it.
_VERSIONS = select(DocumentRow.live_id, DocumentRow.building_id, DocumentRow.sentences, DocumentRow.state).where(
    DocumentRow.id == bindparam("document"), is_not_removed()
)


def find_versions(connection: Connection, document_id: int) -> AnyRow:
    """Return the live and the building version of a visible document, its number of sentences and its state.

    Raises:
        NotFound: it is not in the library, or no longer.
    """
    row = connection.execute(_VERSIONS, {"document": document_id}).one_or_none()
    if row is None:
        raise NotFound(
            "There is no document {document_id} in the library",
            "It may have been removed in the meantime.",
            document_id=document_id,
        )
    return row


def find_building_version(connection: Connection, document_id: int) -> AnyRow:
    """Return what `find_versions` returns for a document that is being imported.

    Raises:
        NotFound: it is not in the library, or no longer.
        ValueError: its import was not begun.
    """
    row = find_versions(connection, document_id)
    if row.building_id is None:
        raise ValueError(f"document {document_id} was not begun")
    return row


def read_copies(connection: Connection, document_ids: Sequence[int]) -> dict[int, tuple[FileCopy, ...]]:
    """Return the copies of the main files of those of these documents that have any, by document id."""
    found: dict[int, list[FileCopy]] = {}
    query = (
        select(FileCopyRow.__table__)
        .where(FileCopyRow.document_id.in_(values_subquery(document_ids)))
        .order_by(FileCopyRow.id)
    )
    for row in connection.execute(query):
        found.setdefault(row.document_id, []).append(copy_from_row(row))
    return {document_id: tuple(copies) for document_id, copies in found.items()}


def find_file(connection: Connection, path: str) -> tuple[int, FileCopy | None]:
    """Return the visible document that has a file, and the file if it is a copy.

    Raises:
        NotFound: there is none.
    """
    owner = connection.execute(select(DocumentRow.id).where(DocumentRow.path == path, is_not_removed())).scalar()
    if owner is not None:
        return owner, None
    found = connection.execute(
        select(FileCopyRow.__table__)
        .join(DocumentRow, DocumentRow.id == FileCopyRow.document_id)
        .where(FileCopyRow.path == path, is_not_removed())
    ).one_or_none()
    if found is None:
        raise make_missing_file_error(path)
    return found.document_id, copy_from_row(found)


def give_up_main(connection: Connection, document_id: int, successor: str = "") -> FileCopy | None:
    """Let a copy take the place of a document's main file, which is returned; None if there is no copy.

    Args:
        connection: in a transaction that writes.
        document_id: the document.
        successor: the path of the copy; empty for the first one.
    """
    copies = read_copies(connection, [document_id]).get(document_id, ())
    following = next((each for each in copies if each.path == successor), copies[0] if copies else None)
    if following is None:
        return None
    columns = (getattr(DocumentRow, name) for name in COPY_COLUMNS)
    main = copy_from_row(connection.execute(select(*columns).where(DocumentRow.id == document_id)).one())
    values = {name: getattr(following, name) for name in COPY_COLUMNS if name != "added_at"}
    connection.execute(delete(FileCopyRow).where(FileCopyRow.path == following.path))
    connection.execute(
        update(DocumentRow).where(DocumentRow.id == document_id).values(name=os.path.basename(following.path), **values)
    )
    return main


def _has_name(name: str) -> ColumnElement[bool]:
    """Return the condition that a file of a document has a name."""
    copies = select(FileCopyRow.document_id).where(FileCopyRow.name == name)
    return or_(DocumentRow.name == name, DocumentRow.id.in_(copies))


def give_up_documents(connection: Connection, document_ids: Sequence[int]) -> None:
    """Let documents leave the list for good, without path and title: the path is free for a new import of the file."""
    if not document_ids:
        return
    mark_erased_traces(connection)
    for copies in read_copies(connection, document_ids).values():
        paths = [copy.path for copy in copies]
        connection.execute(delete(SavedPartRow).where(SavedPartRow.key.in_(paths)))
    nameless = {
        "name": "",
        "own_title": "",
        "message": "",
        "volume": "",
        "live_id": None,
        "building_id": None,
        "sentences": 0,
        "removed_at": GIVEN_UP,
    }
    connection.execute(
        update(DocumentRow).where(DocumentRow.id == bindparam("document")).values(path=bindparam("gone"), **nameless),
        [{"document": document_id, "gone": f"\0{document_id}"} for document_id in document_ids],
    )


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
        func.coalesce(ReferenceRow.author, VersionRow.author).label("author"),
        func.coalesce(ReferenceRow.dated, VersionRow.dated).label("dated"),
        VersionRow.page_count,
        VersionRow.encoding,
        VersionRow.warnings,
        VersionRow.content_hash,
        VersionRow.truncated,
        DocumentRow.ocr,
        DocumentRow.volume,
        DocumentRow.stamp,
    ).select_from(
        outerjoin(DocumentRow, VersionRow, VersionRow.id == DocumentRow.live_id).outerjoin(
            ReferenceRow, ReferenceRow.document_id == DocumentRow.id
        )
    )


class LocalDocumentStore:
    """Implements `core.library.DocumentStore` on the rows of `document`, without their contents.

    Args:
        database: the library's.
        note_removed: called with the ids of documents that were removed.
        clock: seconds since 1970.
        may_be_importing: whether a process may be importing; otherwise documents halfway through wait to be resumed.
    """

    def __init__(
        self,
        database: Database,
        note_removed: Callable[[Sequence[int]], None],
        clock: Callable[[], float] = time.time,
        may_be_importing: Callable[[], bool] = lambda: True,
    ) -> None:
        self._may_be_importing = may_be_importing
        self._database = database
        self._note_removed = note_removed
        self._clock = clock

    def add(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file; see `core.library.DocumentStore`."""
        found: dict[str, Document] = {}
        with self._database.write_transaction() as connection:
            for at in range(0, len(files), _FILES):
                found |= self._find_or_add(connection, files[at : at + _FILES])
        return [found[file.path] for file in files]

    def _find_or_add(self, connection: Connection, files: Sequence[FileRef]) -> dict[str, Document]:
        """Add unknown files, restore removed documents, and return all by path."""
        paths = [file.path for file in files]
        known: list[AnyRow] = [
            *connection.execute(
                select(DocumentRow.path, DocumentRow.id, DocumentRow.removed_at).where(DocumentRow.path.in_(paths))
            ),
            *connection.execute(
                select(FileCopyRow.path, DocumentRow.id, DocumentRow.removed_at)
                .join(DocumentRow, DocumentRow.id == FileCopyRow.document_id)
                .where(FileCopyRow.path.in_(paths))
            ),
        ]
        for document_id in {row.id for row in known if row.removed_at is not None}:
            connection.execute(update(DocumentRow).where(DocumentRow.id == document_id).values(removed_at=None))
            self._keep_files(connection, document_id, paths)
        stored = {row.path for row in known}
        self.add_new(connection, [file for file in files if file.path not in stored])
        ids = values_subquery({row.id for row in known})
        query = _documents_query().where(or_(DocumentRow.path.in_(paths), DocumentRow.id.in_(ids)))
        documents = self._read(connection, fetch_named_rows(connection, query))
        return {path: document.seen_at(path) for document in documents for path in document.paths}

    def _keep_files(self, connection: Connection, document_id: int, paths: Collection[str]) -> None:
        """Take from a document its files that are not among `paths`."""
        for copy in read_copies(connection, [document_id]).get(document_id, ()):
            if copy.path not in paths:
                mark_erased_traces(connection)
                connection.execute(delete(FileCopyRow).where(FileCopyRow.path == copy.path))
        main = connection.execute(select(DocumentRow.path).where(DocumentRow.id == document_id)).scalar_one()
        if main not in paths:
            mark_erased_traces(connection)
            give_up_main(connection, document_id)

    def add_new(self, connection: Connection, files: Sequence[FileRef]) -> None:
        """Add documents in state `queued`; no document has these paths."""
        new = {file.path: file for file in files}
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
                        "stamp": file.stamp,
                        "added_at": self._clock(),
                        "sentences": 0,
                    }
                    for file in new.values()
                ],
            )

    def get(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: it is not in the library, or no longer.
        """
        with self._database.read_transaction() as connection:
            return self._one(connection, document_id)

    def _one(self, connection: Connection, document_id: int) -> Document:
        row = connection.execute(
            _documents_query().where(DocumentRow.id == document_id, is_not_removed())
        ).one_or_none()
        if row is None:
            raise NotFound(
                "There is no document {document_id} in the library",
                "List the documents to see their ids.",
                document_id=document_id,
            )
        return self._read(connection, [row])[0]

    def fetch(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = EVERYTHING
    ) -> list[Document]:
        """Return a page of the list, in order of id."""
        query = _documents_query().where(DocumentRow.id > after_id, is_not_removed())
        if not scope.is_everything:
            query = query.where(is_document_in_scope(scope))
        if state is not None:
            query = query.where(DocumentRow.state == state)
        with self._database.read_transaction() as connection:
            return self._read(connection, fetch_named_rows(connection, query.order_by(DocumentRow.id).limit(limit)))

    def find(self, name: str) -> list[Document]:
        """Return what `name` means: `#5` is an id and nothing else.

        Otherwise it is the path of a file, or of a folder with everything below it (relative to the working folder);
        else a file name; else a bare id.

        Raises:
            UsageError: a bare id is also a file, a folder or a document's name; or a file name is that of another file
                here, which is not in the library.
        """
        return find_named_documents(
            name,
            lambda number: self._matching(DocumentRow.id == number),
            lambda path: self._matching(is_at_or_below(path)),
            lambda file_name: self._matching(_has_name(file_name)),
        )

    def _matching(self, condition: ColumnElement[bool]) -> list[Document]:
        query = _documents_query().where(condition, is_not_removed()).order_by(DocumentRow.id)
        with self._database.read_transaction() as connection:
            return self._read(connection, fetch_named_rows(connection, query))

    def set_title(self, document_id: int, title: str) -> None:
        """Set a document's own title; an empty one restores the file's title."""
        with self._database.write_transaction() as connection:
            self._one(connection, document_id)
            mark_erased_traces(connection)  # of the previous title
            connection.execute(
                update(DocumentRow)
                .where(DocumentRow.id == document_id)
                .values(own_title=to_storable_text(" ".join(title.split())))
            )

    def references(self, document_ids: Sequence[int]) -> dict[int, Reference]:
        """Return the references of documents; see `core.library.DocumentStore`."""
        with self._database.read_transaction() as connection:
            return self._references(connection, document_ids)

    def _references(self, connection: Connection, document_ids: Sequence[int]) -> dict[int, Reference]:
        query = (
            _documents_query()
            .add_columns(VersionRow.author.label("own_author"), VersionRow.dated.label("own_date"))
            .add_columns(VersionRow.about, ReferenceRow.item)
            .where(DocumentRow.id.in_(values_subquery(document_ids)), is_not_removed())
        )
        return {row.id: reference_from_row(row) for row in fetch_named_rows(connection, query)}

    def set_reference(self, document_id: int, reference: Reference | None) -> None:
        """Set a document's reference and title, or restore the file's."""
        with self._database.write_transaction() as connection:
            self._one(connection, document_id)
            before = self._references(connection, [document_id])[document_id]
            mark_erased_traces(connection)  # of the previous reference
            connection.execute(delete(ReferenceRow).where(ReferenceRow.document_id == document_id))
            title = "" if reference is None else " ".join(reference.title.split())
            if reference is not None:
                connection.execute(
                    insert(ReferenceRow).values(
                        document_id=document_id,
                        author=to_storable_text(reference.author_line),
                        dated=reference.date,
                        item=to_storable_text(replace(reference, title="").to_json()),
                    )
                )
            if reference is None or (title and title != before.title):
                connection.execute(
                    update(DocumentRow).where(DocumentRow.id == document_id).values(own_title=to_storable_text(title))
                )

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the table of contents of the live version."""
        with self._database.read_transaction() as connection:
            self._one(connection, document_id)
            stored = connection.execute(
                select(VersionRow.outline)
                .join(DocumentRow, DocumentRow.live_id == VersionRow.id)
                .where(DocumentRow.id == document_id)
            ).scalar_one_or_none()
        return [OutlineEntry(title, page, level) for title, page, level in json.loads(stored or "[]")]

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return the text state of each page of the live version; pages that only have a label are left out."""
        query = (
            select(PageRow.page, PageRow.state, PageRow.engine, PageRow.quality)
            .join(DocumentRow, DocumentRow.live_id == PageRow.version_id)
            .where(DocumentRow.id == document_id, PageRow.state.is_not(None))
            .order_by(PageRow.page)
        )
        with self._database.read_transaction() as connection:
            self._one(connection, document_id)
            rows: Sequence[AnyRow] = connection.execute(query).all()
        return [PageNote(row.page, row.state, row.engine, row.quality) for row in rows]

    def omissions(self, document_id: int) -> Omissions:
        """Return what was left out of the live version on purpose."""
        query = (
            select(VersionRow.omitted)
            .join(DocumentRow, DocumentRow.live_id == VersionRow.id)
            .where(DocumentRow.id == document_id)
        )
        with self._database.read_transaction() as connection:
            self._one(connection, document_id)
            stored = connection.execute(query).scalar_one_or_none()
        if not stored:
            return Omissions()
        words, *texts = json.loads(stored)
        return Omissions(words, tuple(OmittedText(kind, text, page) for kind, page, text in texts))

    def remove(self, document_ids: Sequence[int]) -> int:
        """Hide documents; their contents stay until the purge."""
        values = {"removed_at": self._clock(), "state": _STATE_AFTER_RESTART}
        removed = self._mark(document_ids, is_not_removed(), values)
        self._note_removed(document_ids)
        return removed

    def restore(self, document_ids: Sequence[int]) -> int:
        """Restore documents that are not purged yet; one whose import was under way is `queued` again.

        If its file was deleted, it stays as missing: it has no volume until a scan sees the file.
        """
        values = {"removed_at": None, "state": _STATE_AFTER_RESTART, "volume": ""}
        return self._mark(document_ids, DocumentRow.removed_at > 0, values)

    def _read(self, connection: Connection, rows: Sequence[AnyRow]) -> list[Document]:
        """Return the documents of rows; those halfway through an import that was interrupted are queued."""
        copies = read_copies(connection, [row.id for row in rows])
        documents = [document_from_row(row, copies.get(row.id, ())) for row in rows]
        if any(document.state in HALFWAY for document in documents) and not self._may_be_importing():
            return [replace(each, state="queued") if each.state in HALFWAY else each for each in documents]
        return documents

    def _mark(self, document_ids: Sequence[int], which: ColumnElement[bool], values: dict[str, Any]) -> int:
        with self._database.write_transaction() as connection:
            return connection.execute(
                update(DocumentRow).where(DocumentRow.id.in_(values_subquery(document_ids)), which).values(values)
            ).rowcount

    def count_file_dates(self, scope: Scope) -> tuple[int, int]:
        """Return how many documents in a scope have no date of their own; of those, how many an older program read."""
        query = (
            select(func.count(), func.coalesce(func.sum(case((VersionRow.dated.is_(None), 1), else_=0)), 0))
            .select_from(DocumentRow)
            .join(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(is_not_removed(), is_document_in_scope(scope), ~has_own_date())
        )
        with self._database.read_transaction() as connection:
            undated, older = connection.execute(query).one()
        return undated, older

    def count_visible(self, connection: Connection, scope: Scope) -> int:
        """Return how many visible occurrences a scope contains, from the documents' own counts."""
        query = select(func.coalesce(func.sum(DocumentRow.sentences), 0)).where(
            is_not_removed(), is_document_in_scope(scope)
        )
        return int(connection.execute(query).scalar_one())
