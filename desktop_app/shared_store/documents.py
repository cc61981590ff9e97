"""The documents of a shared library: adding, finding, listing, renaming, removing and restoring."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.document_names import find_named_documents
from desktop_app.core.errors import NotFound, TakenOver, make_missing_file_error
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import Omissions, OmittedText, PageNote
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import COPY_COLUMNS, HALFWAY, AnyRow, document_from_row, reference_from_row
from desktop_app.core.stored_text import decode_path, encode_path, fold_text
from desktop_app.shared_store.connection import LIVE_WORKERS, Question
from desktop_app.shared_store.paths import PathCodec
from desktop_app.shared_store.scope_conditions import HAS_NO_OWN_DATE, VISIBLE, ScopeCondition
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.reader_events import FileRef
    from desktop_app.core.records import Document, DocumentState, FileCopy
    from desktop_app.core.scope import Scope
    from desktop_app.shared_store.connection import SharedDatabase

_FILES = 500

_COLUMNS = (
    "d.id, d.path, d.name, d.own_title, d.state, d.reason, d.message, d.size_bytes, d.mtime_ns, d.added_at,"
    " d.sentences, v.type, v.title, coalesce(r.author, v.author) AS author, coalesce(r.dated, v.dated) AS dated,"
    " v.page_count, v.encoding, v.warnings, v.content_hash, v.truncated, d.ocr, d.volume, d.stamp, d.worker"
)
_TABLES = "document d LEFT JOIN version v ON v.id = d.live_id LEFT JOIN reference r ON r.document_id = d.id"
_SELECT = f"SELECT {_COLUMNS} FROM {_TABLES}"
_DOCUMENTS = "shown documents"
_ADD = (
    "INSERT INTO document AS d (path, path_folded, name, name_folded, state, size_bytes, mtime_ns, stamp, volume,"
    " added_at)"
    " SELECT * FROM unnest(%(paths)s::bytea[], %(folded)s::text[], %(names)s::bytea[], %(names_folded)s::text[],"
    " %(states)s::text[], %(sizes)s::bigint[], %(times)s::bigint[], %(stamps)s::bigint[], %(volumes)s::bytea[],"
    " %(added)s::float8[])"
    " ON CONFLICT (sha256(path)) DO UPDATE SET removed_at = NULL WHERE d.removed_at IS NOT NULL"
)

STATES: Question[list[AnyRow]] = Question(
    "states",
    "SELECT state, worker, count(*) AS count, sum(sentences)::bigint AS sentences FROM document"
    " WHERE removed_at IS NULL GROUP BY state, worker",
    {},
    list,
)
"""How many documents are in each state, and the sentences of them."""


def _documents_question(document_ids: Sequence[int]) -> Question[list[AnyRow]]:
    """Return the question for the visible ones of some documents."""
    return Question(
        (_DOCUMENTS, *document_ids),
        f"{_SELECT} WHERE d.id = ANY(%(ids)s::bigint[]) AND {VISIBLE} ORDER BY d.id",
        {"ids": list(document_ids)},
        list,
    )


def find_versions(database: SharedDatabase, document_id: int) -> AnyRow:
    """Return the live and the building version of a visible document, its number of sentences and its state.

    Its row stays locked until the transaction ends.

    Raises:
        NotFound: it is not in the library, or no longer.
    """
    return _only_versions(document_id, database.ask([_versions_statement(database, document_id)])[0])


def _versions_statement(database: SharedDatabase, document_id: int) -> tuple[str, dict[str, object]]:
    lock = " FOR UPDATE" if database.is_in_transaction and database.writable else ""
    return (
        "SELECT live_id, building_id, sentences, state, worker, volume FROM document WHERE id = %(id)s"
        f" AND removed_at IS NULL{lock}",
        {"id": document_id},
    )


def _only_versions(document_id: int, rows: list[AnyRow]) -> AnyRow:
    if not rows:
        raise NotFound(
            "There is no document {document_id} in the library",
            "It may have been removed in the meantime.",
            document_id=document_id,
        )
    return rows[0]


def find_own_versions(database: SharedDatabase, document_id: int) -> AnyRow:
    """Return what `find_versions` returns for a document that this session may import.

    Raises:
        NotFound: it is not in the library, or no longer.
        TakenOver: another session imports it, or this one did so with a connection that it has lost.
    """
    row = find_versions(database, document_id)
    if row.worker not in (0, database.worker):
        raise _make_taken_over_error(document_id)
    return row


def _make_taken_over_error(document_id: int) -> TakenOver:
    return TakenOver(
        "Document {document_id} is being imported by another program",
        "Your connection was interrupted for a moment. The document will be ready soon.",
        document_id=document_id,
    )


def find_building_version(database: SharedDatabase, document_id: int) -> AnyRow:
    """Return what `find_versions` returns for a document that this session is importing.

    Raises:
        NotFound: it is not in the library, or no longer.
        TakenOver: another session has taken it over, or may do so.
        ValueError: its import was not begun.
    """
    return ask_building_version(database, document_id)[0]


def ask_building_version(
    database: SharedDatabase, document_id: int, *questions: tuple[str, Mapping[str, object]]
) -> tuple[AnyRow, list[list[AnyRow]]]:
    """Return what `find_building_version` returns, and the answers to questions in the same round trip."""
    answers = database.ask([_versions_statement(database, document_id), *questions])
    row = _only_versions(document_id, answers[0])
    was_begun = row.building_id is not None or document_id in database.begun
    if was_begun and row.worker != database.worker:
        raise _make_taken_over_error(document_id)
    if row.building_id is None:
        raise ValueError(f"document {document_id} was not begun")
    return row, answers[1:]


def read_copies(
    database: SharedDatabase, paths: PathCodec, document_ids: Sequence[int]
) -> dict[int, tuple[FileCopy, ...]]:
    """Return the copies of the main files of those of these documents that have any, by document id."""
    found: dict[int, list[FileCopy]] = {}
    if paths.has_copies and document_ids:
        for row in database.answer(copies_question(document_ids)):
            found.setdefault(row.document_id, []).append(paths.decode_copy(row))
    return {document_id: tuple(copies) for document_id, copies in found.items()}


def copies_question(document_ids: Sequence[int]) -> Question[list[AnyRow]]:
    """Return the question for the copies of documents' main files."""
    return Question(
        ("copies", *document_ids),
        f"SELECT document_id, {', '.join(COPY_COLUMNS)} FROM file_copy WHERE document_id = ANY(%(ids)s::bigint[])"
        " ORDER BY id",
        {"ids": list(document_ids)},
        list,
    )


def find_file(database: SharedDatabase, paths: PathCodec, path: str) -> tuple[int, FileCopy | None]:
    """Return the visible document that has a file, and the file if it is a copy. The document stays locked.

    Raises:
        NotFound: there is none.
    """
    stored = paths.encode(path)
    owner = database.value(
        "SELECT id FROM document WHERE sha256(path) = sha256(%(path)s::bytea) AND removed_at IS NULL FOR UPDATE",
        path=stored,
    )
    if owner is not None:
        return int(owner), None
    row = None
    if paths.has_copies:
        columns = ", ".join(f"c.{column}" for column in COPY_COLUMNS)
        row = database.row(
            f"SELECT c.document_id, {columns} FROM file_copy c JOIN document d ON d.id = c.document_id"
            f" WHERE sha256(c.path) = sha256(%(path)s::bytea) AND {VISIBLE} FOR UPDATE OF d",
            path=stored,
        )
    if row is None:
        raise make_missing_file_error(path)
    return int(row.document_id), paths.decode_copy(row)


def give_up_main(database: SharedDatabase, paths: PathCodec, document_id: int, successor: str = "") -> FileCopy | None:
    """Let a copy take the place of a document's main file, which is returned; None if there is no copy.

    Args:
        database: in a transaction that writes.
        paths: how paths are stored.
        document_id: the document.
        successor: the path of the copy; empty for the first one.
    """
    copies = read_copies(database, paths, [document_id]).get(document_id, ())
    following = next((each for each in copies if each.path == successor), copies[0] if copies else None)
    if following is None:
        return None
    row = database.row(f"SELECT {', '.join(COPY_COLUMNS)} FROM document WHERE id = %(id)s", id=document_id)
    assert row is not None, "it has copies"
    path, name = paths.encode(following.path), encode_path(os.path.basename(following.path))
    # A trigger deletes the copy.
    database.run(
        "UPDATE document SET path = %(path)s, path_folded = %(folded)s, name = %(name)s, name_folded = %(name_folded)s,"
        " size_bytes = %(size)s, mtime_ns = %(time)s, stamp = %(stamp)s, volume = %(volume)s WHERE id = %(id)s",
        path=path,
        folded=fold_path(path),
        name=name,
        name_folded=fold_path(name),
        size=following.size_bytes,
        time=following.mtime_ns,
        stamp=following.stamp,
        volume=paths.encode_seen(following.stamp, following.volume),
        id=document_id,
    )
    return paths.decode_copy(row)


class SharedDocumentStore:
    """Implements `core.library.DocumentStore`.

    Args:
        database: the library's.
        paths: how paths are stored.
        note_removed: called with the ids of documents that were removed.
        clock: seconds since 1970.
        removal_clock: the same for removals, alike on every computer.
    """

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        note_removed: Callable[[Sequence[int]], None],
        clock: Callable[[], float],
        removal_clock: Callable[[], float],
    ) -> None:
        self._database = database
        self._paths = paths
        self._note_removed = note_removed
        self._clock = clock
        self._removal_clock = removal_clock
        self._removed_here: dict[int, float] = {}

    def add(self, files: Sequence[FileRef]) -> list[Document]:
        """Return a document for each file; see `core.library.DocumentStore`."""
        rows: dict[str, Document] = {}
        with self._database.write_transaction():
            for at in range(0, len(files), _FILES):
                piece = {file.path: file for file in files[at : at + _FILES]}
                known = self._find_known(list(piece))
                rows |= known
                piece = {path: file for path, file in piece.items() if path not in known}
                # In the order of the index, so that two importers never wait for each other in a circle.
                stored = sorted((self._paths.encode(path), path) for path in piece)
                paths = [path for path, _ in stored]
                names = [os.path.basename(path) for _, path in stored]
                self._database.run(
                    _ADD,
                    paths=paths,
                    folded=[fold_path(path) for path in paths],
                    names=[encode_path(name) for name in names],
                    names_folded=[fold_path(encode_path(name)) for name in names],
                    states=["queued"] * len(paths),
                    sizes=[piece[path].size_bytes for _, path in stored],
                    times=[piece[path].mtime_ns for _, path in stored],
                    stamps=[piece[path].stamp for _, path in stored],
                    volumes=[self._paths.encode_seen(piece[path].stamp) for _, path in stored],
                    added=[self._clock()] * len(paths),
                )
                found = self._database.rows(f"{_SELECT} WHERE sha256(d.path) = ANY(%(keys)s)", keys=_hash_all(paths))
                rows |= {document.path: document for document in self._read(found)}
        return [rows[file.path] for file in files]

    def _find_known(self, paths: Sequence[str]) -> dict[str, Document]:
        """Return the documents that have files with these paths as copies, or as more than one file, by path.

        Those that were removed are restored, with these files alone.
        """
        if not self._paths.has_copies:
            return {}
        rows = self._database.rows(
            "SELECT d.id, d.removed_at FROM document d WHERE d.id IN (SELECT document_id FROM file_copy"
            " WHERE sha256(path) = ANY(%(keys)s)) OR (sha256(d.path) = ANY(%(keys)s)"
            " AND EXISTS (SELECT FROM file_copy c WHERE c.document_id = d.id)) ORDER BY d.id FOR UPDATE OF d",
            keys=_hash_all([self._paths.encode(path) for path in paths]),
        )
        for row in rows:
            if row.removed_at is not None:
                self._database.run("UPDATE document SET removed_at = NULL WHERE id = %(id)s", id=row.id)
                self._keep_files(row.id, paths)
        found = self._read(self._database.rows(f"{_SELECT} WHERE d.id = ANY(%(ids)s)", ids=[row.id for row in rows]))
        wanted = set(paths)
        return {path: document.seen_at(path) for document in found for path in wanted.intersection(document.paths)}

    def _keep_files(self, document_id: int, paths: Collection[str]) -> None:
        """Take from a document its files that are not among `paths`."""
        for copy in read_copies(self._database, self._paths, [document_id]).get(document_id, ()):
            if copy.path not in paths:
                self._database.run(
                    "DELETE FROM file_copy WHERE sha256(path) = sha256(%(path)s::bytea)",
                    path=self._paths.encode(copy.path),
                )
        main = self._database.value("SELECT path FROM document WHERE id = %(id)s", id=document_id)
        if self._paths.decode(main) not in paths:
            give_up_main(self._database, self._paths, document_id)

    def get(self, document_id: int) -> Document:
        """Return one document; raises like `core.library.DocumentStore`."""
        found = self._database.answer_each(_DOCUMENTS, [document_id], self.read_each)
        if not found:
            raise NotFound(
                "There is no document {document_id} in the library",
                "List the documents to see their ids.",
                document_id=document_id,
            )
        return found[document_id]

    def questions_of(self, document_ids: Sequence[int]) -> list[Question[list[AnyRow]]]:
        """Return the questions for documents and their copies."""
        copies = [copies_question(document_ids)] if self._paths.has_copies else []
        return [_documents_question(document_ids), *copies]

    def learn_each(self, document_ids: Sequence[int]) -> None:
        """Keep documents for `get`."""
        self._database.learn_each(_DOCUMENTS, self.read_each(document_ids))

    def read_each(self, document_ids: Sequence[int]) -> dict[int, Document]:
        """Return the visible ones of some documents, by id."""
        rows = self._database.answer(_documents_question(document_ids))
        return {each.document_id: each for each in self._read(rows)}

    def fetch(
        self, *, after_id: int = 0, limit: int = 500, state: DocumentState | None = None, scope: Scope = EVERYTHING
    ) -> list[Document]:
        """Return a page of the list, in order of id."""
        where = ScopeCondition(scope, self._paths)
        is_in_state = " AND d.state = %(state)s" if state is not None else ""
        return self._read(
            self._database.rows(
                f"{_SELECT} WHERE d.id > %(after)s AND {VISIBLE} AND {where.of_document}{is_in_state}"
                " ORDER BY d.id LIMIT %(limit)s",
                after=after_id,
                limit=limit,
                state=state,
                **where.values,
            )
        )

    def find(self, name: str) -> list[Document]:
        """Return what `name` means, as `core.library.DocumentStore` and the local library say."""
        below = ScopeCondition(EVERYTHING, self._paths)
        named = "d.name = %(name)s"
        if self._paths.has_copies:
            named += " OR d.id IN (SELECT document_id FROM file_copy WHERE name = %(name)s)"
        return find_named_documents(
            name,
            lambda number: self._matching("d.id = %(id)s", id=number),
            lambda path: self._matching(below.is_at_or_below(path), **below.values),
            lambda file_name: self._matching(named, name=encode_path(file_name)),
        )

    def _matching(self, condition: str, **values: object) -> list[Document]:
        return self._read(self._database.rows(f"{_SELECT} WHERE ({condition}) AND {VISIBLE} ORDER BY d.id", **values))

    def set_title(self, document_id: int, title: str) -> None:
        """Set a document's own title; an empty one restores the file's title."""
        with self._database.write_transaction():
            self.get(document_id)
            self._set_own_title(document_id, " ".join(title.split()))

    def _set_own_title(self, document_id: int, title: str) -> None:
        title = clean_text(title)
        self._database.run(
            "UPDATE document SET own_title = %(title)s, own_title_folded = %(folded)s WHERE id = %(id)s",
            title=title,
            folded=fold_text(title),
            id=document_id,
        )

    def references(self, document_ids: Sequence[int]) -> dict[int, Reference]:
        """Return the references of documents by id."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS}, v.author AS own_author, v.dated AS own_date, v.about, r.item FROM {_TABLES}"
            f" WHERE d.id = ANY(%(ids)s::bigint[]) AND {VISIBLE}",
            ids=list(document_ids),
        )
        return {row.id: reference_from_row(self._decoded(row)) for row in rows}

    def set_reference(self, document_id: int, reference: Reference | None) -> None:
        """Set a document's reference and title, or restore the file's."""
        with self._database.write_transaction():
            self.get(document_id)
            before = self.references([document_id])[document_id]
            self._database.run("DELETE FROM reference WHERE document_id = %(id)s", id=document_id)
            title = "" if reference is None else " ".join(reference.title.split())
            if reference is not None:
                author = clean_text(reference.author_line)
                self._database.run(
                    "INSERT INTO reference (document_id, author, author_folded, dated, item)"
                    " VALUES (%(id)s, %(author)s, %(folded)s, %(dated)s, %(item)s)",
                    id=document_id,
                    author=author,
                    folded=fold_text(author),
                    dated=reference.date,
                    item=clean_text(replace(reference, title="").to_json()),
                )
            if reference is None or (title and title != before.title):
                self._set_own_title(document_id, title)

    def outline(self, document_id: int) -> list[OutlineEntry]:
        """Return the table of contents of the live version."""
        self.get(document_id)
        stored = self._database.value(
            "SELECT v.outline FROM version v JOIN document d ON d.live_id = v.id WHERE d.id = %(id)s", id=document_id
        )
        return [OutlineEntry(title, page, level) for title, page, level in json.loads(stored or "[]")]

    def page_notes(self, document_id: int) -> list[PageNote]:
        """Return the text state of each page of the live version; pages that only have a label are left out."""
        self.get(document_id)
        rows = self._database.rows(
            "SELECT p.page, p.state, p.engine, p.quality FROM page p JOIN document d ON d.live_id = p.version_id"
            " WHERE d.id = %(id)s AND p.state IS NOT NULL ORDER BY p.page",
            id=document_id,
        )
        return [PageNote(row.page, row.state, row.engine, row.quality) for row in rows]

    def omissions(self, document_id: int) -> Omissions:
        """Return what was left out of the live version on purpose."""
        self.get(document_id)
        stored = self._database.value(
            "SELECT v.omitted FROM version v JOIN document d ON d.live_id = v.id WHERE d.id = %(id)s", id=document_id
        )
        if not stored:
            return Omissions()
        words, *texts = json.loads(stored)
        return Omissions(words, tuple(OmittedText(kind, text, page) for kind, page, text in texts))

    def remove(self, document_ids: Sequence[int]) -> int:
        """Hide documents; their contents stay until the purge."""
        at = self._removal_clock()
        removed = self._mark(document_ids, "removed_at IS NULL", "removed_at = %(at)s", at=at)
        self._removed_here |= dict.fromkeys(removed, at)
        self._note_removed(document_ids)
        return len(removed)

    def take_removed(self) -> dict[int, float]:
        """Return the documents that this session has removed since the last call, and when, by id.

        Since then somebody may have restored them, and removed them again at another time.
        """
        removed, self._removed_here = self._removed_here, {}
        return removed

    def restore(self, document_ids: Sequence[int]) -> int:
        """Restore documents that are not purged yet; one whose import was under way is `queued` again."""
        return len(self._mark(document_ids, "removed_at > 0", "removed_at = NULL, volume = ''"))

    def _mark(self, document_ids: Sequence[int], which: str, change: str, **values: object) -> list[int]:
        """Change documents, and return the ids of those that were changed."""
        with self._database.write_transaction():
            return self._database.column(
                f"UPDATE document SET {change}, worker = 0,"
                " state = CASE WHEN state IN ('reading', 'embedding') THEN 'queued' ELSE state END"
                f" WHERE {which} AND id IN (SELECT id FROM document WHERE id = ANY(%(ids)s::bigint[]) ORDER BY id"
                " FOR UPDATE) RETURNING id",
                ids=list(document_ids),
                **values,
            )

    def count_file_dates(self, scope: Scope) -> tuple[int, int]:
        """Return how many documents in a scope have no date of their own; of those, how many an older program read."""
        where = ScopeCondition(scope, self._paths)
        row = self._database.row(
            "SELECT count(*) AS undated, count(*) FILTER (WHERE v.dated IS NULL) AS older FROM document d"
            f" JOIN version v ON v.id = d.live_id WHERE {VISIBLE} AND {where.of_document} AND {HAS_NO_OWN_DATE}",
            **where.values,
        )
        assert row is not None, "an aggregate has a row"
        return row.undated, row.older

    def count_visible(self, scope: Scope) -> int:
        """Return how many visible occurrences a scope contains, from the documents' own counts."""
        return self._database.answer(self.size_question(scope))

    def size_question(self, scope: Scope) -> Question[int]:
        """Return the question for how many visible occurrences a scope contains."""
        where = ScopeCondition(scope, self._paths)
        return Question(
            ("size", scope),
            "SELECT coalesce(sum(d.sentences), 0)::bigint AS size FROM document d"
            f" WHERE {VISIBLE} AND {where.of_document}",
            where.values,
            lambda rows: int(rows[0].size),
        )

    def _read(self, rows: Iterable[AnyRow]) -> list[Document]:
        """Return the documents of rows; those whose importer died are queued."""
        rows = list(rows)
        copies = read_copies(self._database, self._paths, [row.id for row in rows])
        documents = [document_from_row(self._decoded(row), copies.get(row.id, ())) for row in rows]
        if any(row.state in HALFWAY for row in rows):
            live = set(self._database.column(LIVE_WORKERS))
            documents = [
                replace(each, state="queued") if row.state in HALFWAY and row.worker not in live else each
                for each, row in zip(documents, rows, strict=True)
            ]
        return documents

    def _decoded(self, row: Any) -> AnyRow:
        row = row._replace(path=self._paths.decode(row.path), name=self._paths.decode(row.name))
        if not hasattr(row, "volume"):
            return row
        stamp, volume = self._paths.decode_seen(row.volume)
        return row._replace(stamp=stamp, volume=volume)


def fold_path(stored: bytes) -> str:
    """Return a stored path without case and accents, with `/` as the separator."""
    return fold_text(stored.replace(b"\0", b"")).removeprefix("root:")


def _hash_all(paths: Iterable[bytes]) -> list[bytes]:
    from hashlib import sha256

    return [sha256(path).digest() for path in paths]


def move_below_root(database: SharedDatabase, name: str, folder: str) -> int:
    """Store the paths of documents in a folder of this machine below a root; returns how many changed.

    A document whose new path another one has stays as it is.
    """
    codec = PathCodec({name: folder})
    _, first, end = PathCodec().encode_below(folder)[0]
    with database.write_transaction():
        tables = ["document"]
        if database.value("SELECT to_regclass('file_copy') IS NOT NULL"):
            tables.append("file_copy")
        taken = " OR ".join(f"EXISTS (SELECT FROM {table} WHERE sha256(path) = sha256(%(path)s))" for table in tables)
        return sum(
            database.run(
                f"UPDATE {table} SET path = %(path)s, path_folded = %(folded)s"
                f" WHERE path = %(before)s AND NOT ({taken})",
                path=path,
                folded=fold_path(path),
                before=before,
            )
            for table in tables
            for before in database.column(
                f"SELECT path FROM {table} WHERE path >= %(first)s AND path < %(end)s ORDER BY path FOR UPDATE",
                first=first,
                end=end,
            )
            if (path := codec.encode(decode_path(bytes(before))))
        )
