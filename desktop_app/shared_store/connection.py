"""The connection to the server: transactions, statements, reconnecting, and errors in plain terms.

Statements are texts with named parameters; nothing that a person typed ever becomes a part of a statement. Single
statements run in autocommit, so that each takes one round trip. A connection that was lost is opened again by the next
statement; a transaction that was under way is lost with it, completely.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg import errors, sql
from psycopg.rows import namedtuple_row
from psycopg.types import TypeInfo

from desktop_app.core.errors import AppError, LibraryBusy, LibraryUnreachable, RightMissing, StorageFull
from desktop_app.core.messages import system_text
from desktop_app.shared_store.vector_adapter import register_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop_app.core.shared_address import SharedAddress
    from desktop_app.core.stored_rows import AnyRow

T = TypeVar("T")

CONNECT_TIMEOUT_S = 10
_STATEMENT_TIMEOUT_S = 600
_PREPARE_AFTER = 2
# A machine that disappears is noticed in half a minute.
_KEEPALIVE_IDLE_S, _KEEPALIVE_INTERVAL_S, _KEEPALIVE_COUNT = 10, 5, 4

# `jit` takes longer than most statements here. The scan of a graph goes on until enough rows are found.
_SETTINGS = (
    "SET jit = off",
    "SET client_min_messages = warning",
    f"SET statement_timeout = '{_STATEMENT_TIMEOUT_S}s'",
    "SET idle_in_transaction_session_timeout = '15min'",
    "SET hnsw.iterative_scan = relaxed_order",
    "SET hnsw.max_scan_tuples = 40000",
)


def connect(address: SharedAddress, password: str | None) -> psycopg.Connection[Any]:
    """Open a connection in autocommit.

    Raises:
        LibraryUnreachable: the server does not answer, or refuses user or password.
    """
    try:
        return psycopg.connect(
            host=address.host,
            port=address.port,
            dbname=address.database,
            user=address.user or None,
            password=password,
            sslmode=address.sslmode,
            sslrootcert=address.certificate or ("system" if address.sslmode == "verify-full" else None),
            connect_timeout=CONNECT_TIMEOUT_S,
            application_name="Kindred",
            autocommit=True,
            row_factory=namedtuple_row,
            prepare_threshold=_PREPARE_AFTER,
            keepalives=1,
            keepalives_idle=_KEEPALIVE_IDLE_S,
            keepalives_interval=_KEEPALIVE_INTERVAL_S,
            keepalives_count=_KEEPALIVE_COUNT,
        )
    except psycopg.OperationalError as error:
        raise explain_connect_error(address, error) from error


def explain_connect_error(address: SharedAddress, error: psycopg.OperationalError) -> LibraryUnreachable:
    """Return why a connection could not be opened, and what to do."""
    why = str(error)
    server, reason = address.server, system_text(why.strip().splitlines()[-1])
    if "password" in why or "authentication" in why or ("role" in why and "does not exist" in why):
        return LibraryUnreachable(
            "The server {server} refuses the user {user}: {why}",
            "Check the user name and the password. Store the password with `library password`, or set "
            "KINDRED_PASSWORD.",
            code="refused",
            user=address.user,
            server=server,
            why=reason,
        )
    if "certificate" in why or "SSL" in why or "TLS" in why:
        return LibraryUnreachable(
            "The connection to {server} is not secure: {why}",
            "Ask the administrator for the server's certificate or its full name.",
            code="certificate",
            server=server,
            why=reason,
        )
    if "database" in why and "does not exist" in why:
        return LibraryUnreachable(
            "The server {server} has no database {database}",
            "Check the name in the address.",
            code="no_database",
            database=address.database,
            server=server,
        )
    return LibraryUnreachable(
        "The server {server} cannot be reached: {why}",
        "Check the name in the address and your network, then try again.",
        server=server,
        why=reason,
    )


class SharedDatabase:
    """The connection of one library, used from one thread.

    Attributes:
        address: of the library.
        writable: whether statements may change the library.
        writes: number of write transactions begun.
        worker: number of this session among all that ever wrote; 0 if it only reads. As long as the session lives it
            holds a lock of that number: other sessions see by it whether work is still being done.
    """

    def __init__(self, address: SharedAddress, password: str | None, *, writable: bool) -> None:
        self.address = address
        self.writable = writable
        self.writes = 0
        self.worker = 0
        self._password = password
        self._is_importing = False
        self._connection: psycopg.Connection[Any] | None = None
        self._is_closed = False
        self._seen: dict[object, Any] | None = None
        self.connection()

    # The connection

    def connection(self) -> psycopg.Connection[Any]:
        """Return the connection; opens it again if it was lost."""
        if self._connection is not None and not self._connection.closed:
            return self._connection
        assert not self._is_closed, "the library is closed"
        self._connection = connection = connect(self.address, self._password)
        try:
            with self.translate_errors():
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        place = connection.execute(
            "SELECT nspname AS name FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
            " WHERE extname = 'vector'"
        ).fetchone()
        connection.execute(
            sql.SQL("SET search_path = {}, {}").format(
                sql.Identifier(self.address.schema), sql.Identifier(place.name if place else "public")
            )
        )
        for statement in _SETTINGS:
            connection.execute(statement)
        info = TypeInfo.fetch(connection, "vector")
        if info is not None:
            register_vectors(connection, info)
        if not self.writable:
            connection.execute("SET default_transaction_read_only = on")
        if self.worker:
            self._register(connection)

    def register_worker(self) -> None:
        """Become a session that other sessions can see at work."""
        with self.translate_errors():
            self._register(self.connection())

    def _register(self, connection: psycopg.Connection[Any]) -> None:
        row: Any = connection.execute("SELECT nextval('worker')::int AS number").fetchone()
        self.worker = row.number
        connection.execute("SELECT pg_advisory_lock(to_regnamespace(current_schema())::oid::int, %s)", (self.worker,))
        if self._is_importing:
            connection.execute(HOLD_IMPORTS)

    def hold_imports(self, is_importing: bool) -> None:
        """Note that this session imports, or no longer does: meanwhile no other session erases unused sentences."""
        if is_importing == self._is_importing:
            return
        self._is_importing = is_importing
        self.rows(HOLD_IMPORTS if is_importing else RELEASE_IMPORTS)

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._is_closed = True
        if self._connection is not None:
            self._connection.close()

    # Transactions

    @property
    def is_in_transaction(self) -> bool:
        """Whether a transaction is under way."""
        connection = self._connection
        return connection is not None and connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Hold one committed state for all statements inside; inside another transaction it joins that one."""
        if self.is_in_transaction:
            yield
            return
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ"):
            self._seen = {}
            try:
                yield
            finally:
                self._seen = None

    def remember(self, key: object, read: Callable[[], T]) -> T:
        """Return what `read` returns; within a read transaction, where it stays the same, it is called once."""
        if self._seen is None:
            return read()
        if key not in self._seen:
            self._seen[key] = read()
        found: T = self._seen[key]
        return found

    @contextmanager
    def write_transaction(self) -> Iterator[None]:
        """Run one transaction: everything is committed at the end, or nothing after an exception.

        Raises:
            LibraryBusy: this session may only read.
            LibraryUnreachable: the connection was lost; nothing was changed.
        """
        if not self.writable:
            raise LibraryBusy(
                "The library {library} is open as read-only",
                "Ask its owner for permission to write.",
                library=self.address.library,
            )
        self.writes += 1
        with self._transaction("BEGIN"):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self.is_in_transaction:
            yield
            return
        with self.translate_errors():
            self._execute_again(begin)
        connection = self.connection()
        try:
            yield
        except BaseException:
            if not connection.closed:
                connection.execute("ROLLBACK")
            raise
        with self.translate_errors():
            connection.execute("COMMIT")

    def _execute_again(self, statement: str, values: Mapping[str, object] | None = None) -> psycopg.Cursor[Any]:
        """Execute a statement outside of transactions; opens the connection again if the server had closed it."""
        connection = self.connection()
        try:
            return connection.execute(statement.encode(), values)
        except psycopg.OperationalError:
            if not connection.closed:
                raise
        return self.connection().execute(statement.encode(), values)

    # Statements

    def rows(self, statement: str, /, **values: object) -> list[AnyRow]:
        """Execute a statement and return its rows."""
        cursor = self._execute(statement, values)
        return cursor.fetchall() if cursor.description is not None else []

    def row(self, statement: str, /, **values: object) -> AnyRow | None:
        """Execute a statement and return its only row; None if there is none."""
        rows = self.rows(statement, **values)
        return rows[0] if rows else None

    def value(self, statement: str, /, **values: object) -> Any:
        """Execute a statement and return the first column of its only row; None if there is none."""
        rows = self.rows(statement, **values)
        return rows[0][0] if rows else None

    def column(self, statement: str, /, **values: object) -> list[Any]:
        """Execute a statement and return the first column of its rows."""
        return [row[0] for row in self.rows(statement, **values)]

    def run(self, statement: str, /, **values: object) -> int:
        """Execute a statement and return how many rows it changed."""
        if self._seen is not None:
            self._seen.clear()
        return self._execute(statement, values).rowcount

    def run_many(self, statement: str, many: Iterable[Mapping[str, object]]) -> None:
        """Execute a statement for each of many sets of values, in one go."""
        with self.translate_errors(), self.connection().cursor() as cursor:
            cursor.executemany(statement.encode(), list(many))

    def vectors(self, statement: str, /, **values: object) -> list[AnyRow]:
        """Execute a statement whose vectors come in binary; of other columns only numbers and texts are allowed."""
        with self.translate_errors(), self.connection().cursor(binary=True) as cursor:
            return cursor.execute(statement.encode(), values).fetchall()

    def copy_rows(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Fill a table by COPY, inside a transaction."""
        with self.translate_errors(), self.connection().cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def _execute(self, statement: str, values: Mapping[str, object]) -> psycopg.Cursor[Any]:
        with self.translate_errors():
            if self.is_in_transaction:
                return self.connection().execute(statement.encode(), values)
            return self._execute_again(statement, values)

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn errors of the server that a person can act on into AppErrors; others pass."""
        try:
            yield
        except psycopg.Error as error:
            known = self._explain(error)
            if known is None:
                raise
            raise known from error

    def _explain(self, error: psycopg.Error) -> AppError | None:
        library, why = self.address.library, system_text(str(error).strip().splitlines()[0])
        if isinstance(error, errors.InsufficientPrivilege):
            return RightMissing(
                "You are not allowed to do this in the library {library}: {why}",
                "Ask its owner to give you access: `library grant`.",
                library=library,
                why=why,
            )
        if isinstance(error, errors.ReadOnlySqlTransaction):
            return LibraryBusy(
                "The library {library} is open as read-only", "Ask its owner for permission to write.", library=library
            )
        if isinstance(error, errors.DiskFull | errors.InsufficientResources):
            return StorageFull(
                "The server of the library {library} has no space left: {why}",
                "Tell its administrator. Nothing was changed.",
                library=library,
                why=why,
            )
        if isinstance(error, errors.QueryCanceled):
            return LibraryUnreachable(
                "The server of the library {library} took too long to answer",
                "Try again, or ask for fewer results.",
                library=library,
            )
        if isinstance(error, psycopg.OperationalError):
            return LibraryUnreachable(
                "The connection to the library {library} was lost: {why}",
                "Check your network. Kindred reconnects by itself.",
                library=library,
                why=why,
            )
        return None


# Advisory locks: the first number is the library's own (its schema's), the second says what is locked. Numbers of
# workers are positive.
_LIBRARY = "to_regnamespace(current_schema())::oid::int"
HOLD_IMPORTS = f"SELECT pg_advisory_lock_shared({_LIBRARY}, -1)"
RELEASE_IMPORTS = f"SELECT pg_advisory_unlock_shared({_LIBRARY}, -1)"
TRY_ERASING = f"SELECT pg_try_advisory_xact_lock({_LIBRARY}, -1)"
"""Fails while another session imports: it may depend on sentences that are used nowhere yet."""
HOLD_VECTORS = f"SELECT pg_advisory_xact_lock_shared({_LIBRARY}, -2)"
"""Held by transactions that store or erase vectors."""
MOVE_VECTORS = f"SELECT pg_advisory_xact_lock({_LIBRARY}, -2)"
"""Held by transactions that move vectors between partitions, or switch to another model."""
TRY_UPKEEP = f"SELECT pg_try_advisory_lock({_LIBRARY}, -3)"
END_UPKEEP = f"SELECT pg_advisory_unlock({_LIBRARY}, -3)"
LIVE_WORKERS = (
    "SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted"
    f" AND classid = to_regnamespace(current_schema())::oid AND objid::bigint < {2**31}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
