"""The SQLite connection: opening, transactions, prepared queries, and errors in plain terms.

Queries of a search are compiled once and then passed to SQLite as text: SQLAlchemy analyses a query at every execution,
even when the compiled form is cached. For such queries that takes longer than SQLite's answer, and search-as-you-type
runs them on every keystroke.

A document's language is guessed from its stored text (`DocumentLanguages`), which also covers libraries filled by an
earlier version. A guess takes about a millisecond; `LibraryMaintenance` makes all of them in advance.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import namedtuple
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sqlalchemy import create_engine, event
from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlalchemy.sql.compiler import SQLCompiler

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import AppError, LibraryBusy, LibraryDamaged, StorageFull
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.language_detection import SAMPLE_SENTENCES, guess_sample_language
from desktop_app.core.messages import system_text
from desktop_app.core.private_files import open_private
from desktop_app.core.stored_text import fold_text
from desktop_app.core.word_conditions import has_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from desktop_app.core.jobs import Steps
    from desktop_app.core.stored_rows import AnyRow

_PAGE_BYTES = 8192  # ten vectors of 384 float16 fill a page
_BUSY_MS = 5000

_LOG_PAGES = 1000  # SQLite's default: from here on, a commit moves the log into the file
_PRAGMAS = (
    f"PRAGMA busy_timeout = {_BUSY_MS}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # deleted rows are overwritten: removed documents leave no text behind
    "PRAGMA temp_store = MEMORY",  # nor do temporary files
    "PRAGMA cache_size = -32768",
)


WORD_INSTANCES = "temp.sentence_word_instance"
"""Every word of every sentence, as the full-text index has them; FTS5 makes this table of it for a connection."""


class _HandedConnection(threading.local):
    """The connection that the engine takes next on this thread."""

    connection: sqlite3.Connection


_handed = _HandedConnection()
# One for all libraries: a query that was compiled for one is not compiled again for the next. Each library holds its
# one connection; a pool would have nothing to do.
_ENGINE = create_engine("sqlite://", creator=lambda: _handed.connection, poolclass=NullPool, query_cache_size=1000)

AnySelect: TypeAlias = Any
"""A `Select`: its type parameters differ between SQLAlchemy 2.0 and 2.1."""

_DIALECT = pysqlite.dialect(paramstyle="named")
_named: Any = namedtuple  # mypy requires the names as literals

_NO_TEXT = "Could not decode to UTF-8"  # Python's module reports it, without a code of SQLite's

_SAMPLE = (
    "SELECT sentence.text, occurrence.kind FROM occurrence JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE occurrence.version_id = ? AND occurrence.ordinal >= ? ORDER BY occurrence.ordinal LIMIT ?"
)


def create_database(file: Path, draft: Path, application_id: int) -> None:
    """Create a database without tables, which only its owner can read; SQLite gives its log the same rights.

    It gets its name when it is complete, so that an empty file is never a new library, but one that was lost.

    Args:
        file: does not exist.
        draft: next to it.
        application_id: marks it as a file of this program.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    with open_private(draft):
        pass
    with closing(sqlite3.connect(f"{draft.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as raw:
        raw.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # only effective before anything is written
        raw.execute(f"PRAGMA application_id = {application_id}")
        raw.execute("PRAGMA journal_mode = WAL")
    replace_file(draft, file)


def make_reading_uri(file: Path) -> str:
    """Return the URI to open a database that is only read.

    SQLite keeps the state of the write-ahead log in a file next to the database. Where it cannot create one, as on a
    read-only disk, a database without a log is complete by itself, and is opened as one that does not change. If
    somebody else may write there and does so meanwhile, reading may fail; otherwise it could not be read at all.
    """
    log = file.with_name(f"{file.name}-wal")
    is_fixed = not os.access(file.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
    # as_uri quotes every byte that a file name can have; mode=ro never writes.
    return f"{file.absolute().as_uri()}?mode=ro{'&immutable=1' if is_fixed else ''}"


class Database:
    """A connection to a library's file, used from the thread that opened it (sqlite3 enforces that).

    The writer's transactions begin IMMEDIATE. A reader sees one committed state for as long as a `read_transaction`
    lasts.
    """

    def __init__(self, file: Path, *, writable: bool) -> None:
        self.file = file
        self.writable = writable
        self.writes = 0
        """Number of write transactions this process has begun."""
        self.erasures = 0
        """How often this process has erased sentences."""
        self._document_writes = 0
        self._is_file_taken = False
        self._is_lost = False
        self._languages: dict[int, tuple[int, str]] = {}
        self._begin = "BEGIN"
        self._file_number: int | None = None  # the inode of the open file
        self._open()

    def _open(self) -> None:
        if self._file_number is not None:  # opened again: SQLite would create a file in place of a lost one
            self._check_in_place()
        with self.translate_errors():
            self._raw = _handed.connection = self._connect()
            self._connection = _ENGINE.connect()
            del _handed.connection
            event.listen(self._connection, "begin", self._on_begin)
            self._file_number = self._find_file_number()

    def _find_file_number(self) -> int | None:
        """Return the inode of the file at the database's path; None if there is none."""
        try:
            return self.file.stat().st_ino
        except OSError:
            return None

    def _check_in_place(self) -> None:
        """Raise if another file, or none, is where the open one was: what is written to that one may be lost.

        A program can go on to use a file that was deleted, on Linux and macOS. SQLite compares the same numbers, but
        only without a write-ahead log.

        Raises:
            StorageFull: it is.
        """
        if self._find_file_number() != self._file_number:
            raise StorageFull(
                "The library in {folder} was moved, deleted or replaced while it was open",
                "Put its folder back, or close the library and open it where it is now.",
                folder=self.file.parent,
            )

    def reopen(self) -> None:
        """Drop all cached pages and take the file locks again.

        Closing a file releases all locks that the process holds on it (POSIX): code that opens the file next to this
        connection calls this method after closing it. If that fails, for example because the process has too many files
        open, the next use of the connection tries it again.
        """
        if self._connection.closed and not self._is_lost:
            return
        assert not self._connection.in_transaction(), "a transaction is under way"
        self.close()
        self._is_lost = True
        self._open_if_lost()

    def _open_if_lost(self) -> None:
        if self._is_lost:
            self._open()
            self._is_lost = False
            self._document_writes += 1  # no connection reports what others wrote in the meantime

    def _connect(self) -> sqlite3.Connection:
        uri = f"{self.file.absolute().as_uri()}?mode=rwc" if self.writable else make_reading_uri(self.file)
        # Transactions are begun explicitly: sqlite3's own handling begins none for a SELECT.
        raw = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            if self.writable:
                # Only effective before the first table exists; must precede WAL.
                raw.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            for pragma in _PRAGMAS:
                raw.execute(pragma)
            raw.create_function("folded", 1, fold_text, deterministic=True)
            raw.create_function("has_words", 2, has_words, deterministic=True)
            raw.create_function("language_of", 2, DocumentLanguages(raw, self._languages).of)
            # Not looked up before it is used: a new file has no index yet.
            raw.execute(f"CREATE VIRTUAL TABLE {WORD_INSTANCES} USING fts5vocab(main, sentence_words, instance)")
            raw.execute("SELECT count(*) FROM sqlite_master").fetchone()  # fails unless the file is a database
            if self.writable:
                raw.execute("PRAGMA journal_mode = WAL")
                raw.execute("PRAGMA synchronous = NORMAL")
            else:
                raw.execute("PRAGMA query_only = ON")
        except BaseException:
            raw.close()
            raise
        return raw

    def _on_begin(self, connection: Connection) -> None:
        connection.exec_driver_sql(self._begin)

    @contextmanager
    def read_transaction(self) -> Iterator[Connection]:
        """Open a read transaction: one committed state. Inside another transaction it joins that one."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def write_transaction(self, *, is_aside: bool = False) -> Iterator[Connection]:
        """Run one transaction: everything is committed at the end, or nothing after an exception.

        Args:
            is_aside: the transaction changes neither documents nor the places of their sentences.

        Raises:
            LibraryBusy: this process may not write.
            StorageFull: the disk is full, the file is not writable, or it was moved or deleted.
            LibraryDamaged: the file cannot be read.
        """
        if not self.writable:
            raise LibraryBusy(
                "The library in {folder} is open as read-only",
                "Close the other Kindred that is writing it, then try again.",
                folder=self.file.parent,
            )
        self.writes += 1
        self._document_writes += not is_aside
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        if self._connection.in_transaction():
            yield self._connection
            return
        self._open_if_lost()
        if begin != "BEGIN" or not self.writable:
            # The window can still read what was moved, and back it up. A reader, such as the server for assistants,
            # would answer from what was deleted until it ends.
            self._check_in_place()
        self._begin = begin
        with self.translate_errors(), self._connection.begin():
            yield self._connection

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn database errors that a person can act on into AppErrors; others pass."""
        try:
            yield
        except DBAPIError as error:
            known = self._explain(error.orig)
            if known is None:
                raise
            raise known from error
        except sqlite3.Error as error:
            known = self._explain(error)
            if known is None:
                raise
            raise known from error

    def _explain(self, error: BaseException | None) -> AppError | None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        folder = self.file.parent
        if str(error).startswith(_NO_TEXT):
            return LibraryDamaged(
                "A text in the library in {folder} is damaged",
                (
                    "Run `doctor --repair`, or Repair under About This Library in the window: it reads the "
                    "document again."
                ),
                folder=folder,
            )
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return LibraryDamaged(
                "The library's database {file} cannot be read: {why}",
                "Nothing was changed. Restore a backup, or choose another folder and import again.",
                file=self.file,
                why=system_text(error),
            )
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return LibraryBusy(
                "The library in {folder} is in use: {why}",
                "Wait a moment, then try again.",
                folder=folder,
                why=system_text(error),
            )
        if code in (
            sqlite3.SQLITE_FULL,
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_IOERR,
            sqlite3.SQLITE_PERM,
        ):
            return self._make_storage_error(error)
        return None

    def _make_storage_error(self, why: object) -> StorageFull:
        return StorageFull(
            "The library in {folder} cannot be read or written: {why}",
            "Free some disk space, and check that you have permission to read and write there.",
            folder=self.file.parent,
            why=system_text(why),
        )

    def data_version(self) -> int:
        """Return a number that changes when another connection commits."""
        self._open_if_lost()
        with self.translate_errors():
            return int(self._raw.execute("PRAGMA data_version").fetchone()[0])

    def state(self) -> tuple[int, int]:
        """Return a value that changes whenever anyone writes to the database."""
        return self.writes, self.data_version()

    def documents_state(self) -> tuple[int, int]:
        """Return a value that changes whenever documents, or the places of their sentences, may have changed.

        Inside a write transaction of this process it reflects the changes before that transaction.
        """
        return self._document_writes, self.data_version()

    @contextmanager
    def postpone_checkpoint(self) -> Iterator[None]:
        """Leave it to a later commit to move the write-ahead log into the file, as SQLite does once it is long.

        For a large transaction that searches wait for: moving the log takes a third of the time of its commit.
        """
        self._open_if_lost()
        with self.translate_errors():
            self._raw.execute("PRAGMA wal_autocheckpoint = 0")
        try:
            yield
        finally:
            with self.translate_errors():
                self._raw.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")

    def move_log(self) -> Steps[None]:
        """Move the write-ahead log into the file beside this thread, and wait for it.

        A commit that finds a long log does this itself, and waits for the disk: 250 ms for 8 MB, on a busy one. Nothing
        happens while another job changes the file in other ways.
        """
        if not self.take_file():
            return
        try:
            yield from run_in_thread(self._move_log)
        finally:
            self.release_file()

    def _move_log(self) -> None:
        uri = f"{self.file.absolute().as_uri()}?mode=rw"
        with suppress(sqlite3.Error), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as raw:
            raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()  # otherwise a later commit reports what is wrong

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the file and empty it; returns False when a reader blocks that."""
        assert not self._connection.in_transaction(), "a checkpoint needs to be outside of transactions"
        self._open_if_lost()
        with self.translate_errors():
            self._raw.execute("PRAGMA busy_timeout = 0")  # readers come and go: retry later instead of waiting
            try:
                busy, *_ = self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                busy = 1
            finally:
                self._raw.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        return not cast("int", busy)

    def take_file(self) -> bool:
        """Take the right to change the file in other ways than by this connection; returns False if a job has it."""
        if self._is_file_taken:
            return False
        self._is_file_taken = True
        return True

    def release_file(self) -> None:
        """Give that right back."""
        self._is_file_taken = False

    def copy_to(self, file: Path) -> None:
        """Write the whole database, including its log, into a new file that is flushed to disk.

        Raises:
            StorageFull: the disk is full, or the file is not writable.
        """
        self._open_if_lost()
        with self.translate_errors():
            try:
                with open_private(file):
                    pass
                with closing(sqlite3.connect(file)) as copy:
                    self._raw.backup(copy)
            except OSError as error:
                raise self._make_storage_error(error.strerror or error) from error

    def interrupt(self) -> None:
        """Stop the statement that runs; any thread may call it."""
        with suppress(sqlite3.ProgrammingError):  # it is closed
            self._raw.interrupt()

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._is_lost = False
        if not self._connection.closed:
            self._connection.close()
            self._raw.close()


class PreparedQuery:
    """A query with named parameters; returns rows as SQLite gives them, without SQLAlchemy's type conversion.

    A query with values that SQLite does not accept as they are (paths) is executed by SQLAlchemy.
    """

    def __init__(self, query: AnySelect) -> None:
        self._query = query
        compiled = query.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
        assert isinstance(compiled, SQLCompiler), "a query is SQL"
        types = (bind.type.dialect_impl(_DIALECT) for bind in compiled.binds.values())
        is_plain = all(each.bind_processor(_DIALECT) is None for each in types)
        self._sql = compiled.string if is_plain else ""
        self._values = dict(compiled.params)
        self._row = _row_type(tuple(query.selected_columns.keys()))

    def rows(self, connection: Connection, **values: object) -> Sequence[AnyRow]:
        """Return all rows at once: fetching them one by one would wait for the interpreter lock each time."""
        if not self._sql:
            return connection.execute(self._query, values).all()
        return list(map(self._row._make, fetch_plain_rows(connection, self._sql, self._values | values)))


def fetch_named_rows(connection: Connection, query: AnySelect) -> list[AnyRow]:
    """Return all rows of a query as named tuples, with SQLAlchemy's type conversion.

    Their columns are read by name eight times as fast as those of SQLAlchemy's rows: 20 columns of 10,000 documents in
    10 ms instead of 80.
    """
    result = connection.execute(query)
    return list(map(_row_type(tuple(result.keys()))._make, result.all()))


@lru_cache(100)
def _row_type(columns: tuple[str, ...]) -> Any:
    return _named("Row", columns, rename=True)


def fetch_plain_rows(
    connection: Connection, sql: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[tuple[Any, ...]]:
    """Execute a statement in the transaction of `connection`, bypassing SQLAlchemy.

    For a search that asks for a few rows, SQLAlchemy takes longer to wrap the result than SQLite to find it.
    """
    raw: Any = connection.connection.driver_connection
    rows: list[tuple[Any, ...]] = raw.execute(sql, values).fetchall()
    return rows


def fetch_tuples(connection: Connection, query: AnySelect, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    """Return the rows of a query as tuples of plain numbers and text.

    Of a million, SQLAlchemy's own rows take twice as long as SQLite itself.
    """
    with connection.execute(query, values) as result:
        raw: Any = result.cursor
        rows: list[tuple[Any, ...]] = raw.fetchall()
        return rows


def execute_plainly(connection: Connection, sql: str, rows: Sequence[Sequence[object]]) -> None:
    """Execute a statement for each of many rows in the transaction of `connection`, bypassing SQLAlchemy."""
    raw: Any = connection.connection.driver_connection
    raw.executemany(sql, rows)


class DocumentLanguages:
    """Answers the SQL function `language_of` of one connection.

    Args:
        raw: the connection.
        known: the answers so far, sentences and language by version; kept for the next connection, because those of
            10,000 documents take ten seconds.
    """

    def __init__(self, raw: sqlite3.Connection, known: dict[int, tuple[int, str]]) -> None:
        self._raw = raw
        self._known = known

    def of(self, version_id: int | None, sentences: int) -> str:
        """Return the language (two letters) of a version with `sentences` sentences; empty if none are stored."""
        if version_id is None or not sentences:
            return ""
        known = self._known.get(version_id)
        # While a document is being imported, there is more text to judge by from time to time.
        if known is not None and (known[0] >= SAMPLE_SENTENCES or sentences < 2 * known[0]):
            return known[1]
        rows = self._raw.execute(_SAMPLE, (version_id, sentences // 3, SAMPLE_SENTENCES)).fetchall()
        language = guess_sample_language(rows)
        self._known[version_id] = sentences, language
        return language
