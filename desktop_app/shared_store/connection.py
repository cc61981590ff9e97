"""The connection to the server: transactions, statements, reconnecting, and errors in plain terms.

Statements are texts with named parameters; nothing that a person typed ever becomes a part of a statement. Single
statements run in autocommit, so that each takes one round trip. A connection that was lost is opened again by the next
statement; a transaction that was under way is lost with it, completely.
"""

from __future__ import annotations

import platform
import re
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import psycopg
from psycopg import errors, sql
from psycopg.rows import namedtuple_row
from psycopg.types import TypeInfo

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import (
    AppError,
    Cancelled,
    LibraryBusy,
    LibraryRearranged,
    LibraryUnreachable,
    RightMissing,
    StorageFull,
)
from desktop_app.core.messages import system_text
from desktop_app.shared_store.server_watch import ServerWatch, WatchedConnection
from desktop_app.shared_store.vector_adapter import register_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop_app.core.jobs import Steps
    from desktop_app.core.messages import Message
    from desktop_app.core.shared_address import SharedAddress
    from desktop_app.core.stored_rows import AnyRow

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """A statement, and how its answer is kept: within a search or a read transaction it is asked once.

    Attributes:
        key: of the answer.
        statement: with named parameters.
        values: of the parameters.
        read: returns the answer that some rows give.
    """

    key: object
    statement: str
    values: Mapping[str, object]
    read: Callable[[list[AnyRow]], T]


PROGRAM = "Kindred"
_BEGIN = "BEGIN"
_NO_VALUES: Mapping[str, object] = MappingProxyType({})
CONNECT_TIMEOUT_S = 10
_STATEMENT_TIMEOUT_S = 600
_PREPARE_AFTER = 2
# A machine that disappears is noticed in half a minute.
_KEEPALIVE_IDLE_S, _KEEPALIVE_INTERVAL_S, _KEEPALIVE_COUNT = 10, 5, 4
_UNANSWERED_MS = 20_000
# After a failed attempt, statements fail at once for this long: a server that does not answer delays each by the limit.
_RECONNECT_EVERY_S = 3.0
# A server that has sent nothing for so long is asked whether it is there.
_ASK_AFTER_S = 15.0

# `jit` takes longer than most statements here. What is searched is in memory: any row costs little more than the next.
# The scan of a graph goes on until enough rows are found.
_SETTINGS = (
    "SET jit = off",
    "SET random_page_cost = 1.1",
    "SET client_min_messages = warning",
    f"SET statement_timeout = '{_STATEMENT_TIMEOUT_S}s'",
    "SET idle_in_transaction_session_timeout = '15min'",
    "SET hnsw.iterative_scan = relaxed_order",
    "SET hnsw.max_scan_tuples = 40000",
)


def connect(
    address: SharedAddress, password: str | None, timeout_s: int = CONNECT_TIMEOUT_S, machine: str = ""
) -> WatchedConnection:
    """Open a connection in autocommit.

    Raises:
        LibraryUnreachable: the server does not answer, or refuses user or password.
    """
    try:
        return WatchedConnection.connect(
            host=address.host,
            port=address.port,
            dbname=address.database,
            user=address.user or None,
            password=password,
            sslmode=address.sslmode,
            sslrootcert=address.certificate or ("system" if address.sslmode == "verify-full" else None),
            connect_timeout=timeout_s,
            # Others see by it which computer imports.
            application_name=f"{PROGRAM} {machine or platform.node()}",
            autocommit=True,
            row_factory=namedtuple_row,
            prepare_threshold=_PREPARE_AFTER,
            keepalives=1,
            keepalives_idle=_KEEPALIVE_IDLE_S,
            keepalives_interval=_KEEPALIVE_INTERVAL_S,
            keepalives_count=_KEEPALIVE_COUNT,
            tcp_user_timeout=_UNANSWERED_MS,
        )
    except psycopg.OperationalError as error:
        raise explain_connect_error(address, error) from error


def explain_connect_error(address: SharedAddress, error: psycopg.OperationalError) -> LibraryUnreachable:
    """Return why a connection could not be opened, and what to do."""
    why = str(error)
    if "no password supplied" in why:
        return LibraryUnreachable(
            "The server {server} needs the password of {user}",
            "Store it with `library password`, or set KINDRED_PASSWORD.",
            code="password_needed",
            user=address.user,
            server=address.server,
        )
    server, reason = address.server, system_text(_extract_reason(why))
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
        return _explain_security(address, why, reason)
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


def _explain_security(address: SharedAddress, why: str, reason: Message) -> LibraryUnreachable:
    """Return why the server cannot be trusted, or not be reached securely."""
    if "does not support SSL" in why:
        return LibraryUnreachable(
            "The server {server} does not encrypt connections",
            "Ask its administrator to turn TLS on. In a network that you trust, add sslmode=disable to the address.",
            code="certificate",
            server=address.server,
        )
    if "does not match host name" in why:
        return LibraryUnreachable(
            "The certificate of {server} is for another name: {why}",
            "Use the name in the certificate, or ask the administrator for a certificate with this name.",
            code="certificate",
            server=address.server,
            why=reason,
        )
    if "verify failed" in why:
        return LibraryUnreachable(
            "The certificate of {server} is not from an authority that this computer trusts, or has expired",
            "Ask the administrator for the authority's certificate, and give its file: sslrootcert in the address.",
            code="certificate",
            server=address.server,
        )
    if "root certificate file" in why:
        return LibraryUnreachable(
            "The file with certificates cannot be read: {file}",
            "Check its path.",
            code="certificate",
            file=address.certificate,
        )
    return LibraryUnreachable(
        "The connection to {server} is not secure: {why}",
        "Ask the administrator for the server's certificate or its full name.",
        code="certificate",
        server=address.server,
        why=reason,
    )


def _extract_reason(text: str) -> str:
    """Return the reason in an error of libpq, which puts every address that it tried, and hints, around it."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    found = next((line for line in lines if "FATAL:" in line or " failed: " in line), lines[0])
    return found.rpartition("FATAL:")[2].rpartition(" failed: ")[2].strip()


class SharedDatabase:
    """The connection of one library, used from one thread.

    Attributes:
        address: of the library.
        writable: whether statements may change the library.
        writes: number of write transactions begun.
        worker: number of this session among all that ever wrote; 0 if it only reads. As long as the session lives it
            holds a lock of that number: other sessions see by it whether work is still being done.
        begun: documents that it has begun to import and not finished; with its connection it loses them to others.
        width: how many candidates the search of a graph keeps, as this connection was told; 0: not yet.
        is_older: whether the library's tables are of an earlier version than this program's.

    Args:
        address: of the library.
        password: of its user.
        writable: whether statements may change the library.
        machine: name of this machine; empty: the system's.
        take_cancellation: whether the answer to the statement under way is not wanted any more.
        is_beside: serve long statements beside another connection: they may take any time, a change is cancelled like
            a question, and a lost connection is not opened again.
    """

    def __init__(
        self,
        address: SharedAddress,
        password: str | None,
        *,
        writable: bool,
        machine: str = "",
        take_cancellation: Callable[[], bool] = lambda: False,
        is_beside: bool = False,
    ) -> None:
        self.address = address
        self.writable = writable
        self.writes = 0
        self.worker = 0
        self.begun: set[int] = set()
        self.width = 0
        self.is_older = False
        self._password = password
        self._machine = machine
        self._is_beside = is_beside
        self._is_importing = False
        self._connection: WatchedConnection | None = None
        self._is_closed = False
        self._seen: dict[object, Any] | None = None
        self._ahead: dict[object, Any] | None = None
        self._begin = ""  # of a transaction without a statement yet
        self._nested = 0  # write transactions inside another one
        self._writing: WatchedConnection | None = None  # the connection of a write transaction that has begun
        self._listening: psycopg.Connection[Any] | None = None  # the connection that others are heard on
        self._failure: LibraryUnreachable | None = None  # why it could not be opened again, the last time
        self._failed_at = 0.0
        self.watch = ServerWatch(lambda timeout_s: connect(address, password, timeout_s, machine), take_cancellation)
        self._use(self.watch.begin(CONNECT_TIMEOUT_S))

    # The connection

    def connection(self) -> WatchedConnection:
        """Return the connection; opens it again if it was lost.

        As long as the server is known to be away, it fails at once: an attempt to reach it goes on in the background.
        """
        if self._connection is not None and not self._connection.closed:
            return self._connection
        assert not self._is_closed, "the library is closed"
        failure = self._failure
        if failure is not None and self.watch.attempt is None and self._has_just_failed():
            raise failure
        attempt = self.watch.try_again()
        if failure is not None and not attempt.has_ended():
            raise failure
        try:
            return self._use(self.watch.finish(attempt))
        except LibraryUnreachable as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise

    @property
    def silence_s(self) -> float:
        """How long the statement under way has been waiting for its answer; 0 if there is none. For any thread."""
        since = self._connection.silent_since if self._connection is not None else 0.0
        return time.monotonic() - since if since else 0.0

    def _has_just_failed(self) -> bool:
        return time.monotonic() - self._failed_at < _RECONNECT_EVERY_S

    def _use(self, connection: WatchedConnection) -> WatchedConnection:
        """Make a new connection that of this library."""
        self._connection, self._failure = connection, None
        connection.look = self.watch.look
        try:
            with self.translate_errors():
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        types = connection.execute(
            "SELECT typname, t.oid, typarray, nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace"
            " JOIN pg_extension ON extnamespace = n.oid WHERE extname = 'vector' AND typname IN ('vector', 'halfvec')"
        ).fetchall()
        self._refuse_foreign_functions(connection)
        path = sql.SQL("SET search_path = {}, {}").format(
            sql.Identifier(self.address.schema), sql.Identifier(types[0].nspname if types else "public")
        )
        settings = [path.as_string(connection), *_SETTINGS]
        if self._is_beside:
            settings.append("SET statement_timeout = 0")
        if not self.writable:
            settings.append("SET default_transaction_read_only = on")
        connection.execute("; ".join(settings).encode())
        for found in types:
            register_vectors(connection, TypeInfo(found.typname, found.oid, found.typarray))
        self.width = 0
        if self.worker:
            self._register(connection)

    def _refuse_foreign_functions(self, connection: psycopg.Connection[Any]) -> None:
        """Check that nobody but the library's creator has put functions into its schema.

        Writers may do that, because they create tables of vectors. A function whose parameters fit better than those of
        a function of PostgreSQL would run in its place, with the rights of whoever calls it.

        Raises:
            LibraryUnreachable: there are such functions.
        """
        found = connection.execute(_FOREIGN_FUNCTIONS.encode(), {"schema": self.address.schema}).fetchall()
        if found:
            raise LibraryUnreachable(
                "The library {library} is not opened: it contains functions that Kindred did not create ({names})",
                "They would run with your rights. Tell its owner and the server's administrator.",
                code="unsafe",
                library=self.address.library,
                names=", ".join(row.name for row in found),
            )

    def take_messages(self) -> list[str] | None:
        """Return what other sessions have told since the last call; None if some may be lost, with the connection.

        The first call begins to listen.
        """
        if self.is_in_transaction:
            return []
        with self.translate_errors():
            connection = self.connection()
            if connection is not self._listening:
                is_first, self._listening = self._listening is None, connection
                connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self.address.schema)))
                return [] if is_first else None
            if time.monotonic() - connection.heard_at > _ASK_AFTER_S:
                connection.execute("SELECT")
            return [each.payload for each in connection.notifies(timeout=0) if each.pid != connection.info.backend_pid]

    def register_worker(self) -> None:
        """Become a session that other sessions can see at work."""
        with self.translate_errors():
            self._register(self.connection())

    def _register(self, connection: psycopg.Connection[Any]) -> None:
        if self.worker:
            # The server may take hours to notice that the lost connection is gone, and others wait for its locks.
            connection.execute(_END_SESSION.encode(), (self.worker,))
        row: Any = connection.execute("SELECT nextval('worker')::int AS number").fetchone()
        self.worker = row.number
        connection.execute("SELECT pg_advisory_lock(to_regnamespace(current_schema())::oid::int, %s)", (self.worker,))
        if self._is_importing:
            connection.execute(HOLD_IMPORTS)

    def hold_imports(self, is_importing: bool) -> None:
        """Note that this session imports, or no longer does: meanwhile no other session erases unused sentences."""
        if is_importing == self._is_importing:
            return
        # A connection that is opened again by this very statement must not take the lock too.
        self._is_importing = False
        self.rows(HOLD_IMPORTS if is_importing else RELEASE_IMPORTS)
        self._is_importing = is_importing

    def close(self) -> None:
        """Close the connection. Calling it again does nothing."""
        self._is_closed = True
        self.watch.forget_attempt()
        if self._connection is not None:
            self._connection.close()

    def run_beside(self, work: Callable[[SharedDatabase], T]) -> Steps[T]:
        """Return what `work` returns for another connection, in a thread of its own: this one stays free meanwhile.

        Raises:
            LibraryUnreachable: the server takes no other connection, or it was lost.
            Cancelled: the job was closed; the server has been told to stop.
        """
        is_unwanted = threading.Event()

        def run() -> T:
            other = SharedDatabase(
                self.address,
                self._password,
                writable=self.writable,
                machine=self._machine,
                take_cancellation=is_unwanted.is_set,
                is_beside=True,
            )
            try:
                return work(other)
            finally:
                other.close()

        try:
            return (yield from run_in_thread(run, is_unwanted.set))
        finally:
            self.forget()

    # Transactions

    @property
    def is_in_transaction(self) -> bool:
        """Whether a transaction is under way."""
        connection = self._connection
        return bool(self._begin) or (
            connection is not None
            and not connection.closed
            and connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE
        )

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Hold one committed state for all statements inside; inside another transaction it joins that one.

        It begins with its first statement, in the same round trip.
        """
        if self.is_in_transaction:
            yield
            return
        self._begin, self._seen = "BEGIN ISOLATION LEVEL REPEATABLE READ", {}
        try:
            yield
        except BaseException:
            self.width = 0  # if it was set in this transaction, that is undone
            self._end("ROLLBACK")
            raise
        else:
            self._end("COMMIT")
        finally:
            self._begin, self._seen = "", None

    def _end(self, how: str) -> None:
        """End a read transaction, if it had begun and its connection still stands."""
        if not self._begin and self.is_in_transaction and self._connection is not None:
            with self.translate_errors():
                self._connection.execute(how.encode())

    # What is known already

    @contextmanager
    def look_ahead(self) -> Iterator[None]:
        """Keep what is learned, until the end or until this session changes something."""
        if self._ahead is not None:
            yield
            return
        self._ahead = {}
        try:
            yield
        finally:
            self._ahead = None

    def learn(self, key: object, answer: object) -> None:
        """Keep an answer that is about to be asked for."""
        if self._ahead is not None:
            self._ahead[key] = answer

    def learn_each(self, key: object, answers: Mapping[K, object]) -> None:
        """Keep answers, each by a key of its own; None: there is none."""
        if self._ahead is not None:
            self._ahead.setdefault(key, {}).update(answers)

    def known_each(self, key: object) -> Mapping[Any, Any]:
        """Return the answers that are known, each by a key of its own."""
        found: Mapping[Any, Any] = (self._ahead or {}).get(key, {})
        return found

    def learn_all(
        self, questions: Iterable[Question[Any]], settings: Sequence[tuple[str, Mapping[str, object]]] = ()
    ) -> None:
        """Ask several questions in one round trip, after `settings`, and keep the answers."""
        unknown = {each.key: each for each in questions if not any(each.key in known for known in self._known)}
        if not unknown:
            return
        answers = self.ask([*settings, *((each.statement, each.values) for each in unknown.values())])
        for question, rows in zip(unknown.values(), answers[len(settings) :], strict=True):
            self.learn(question.key, question.read(rows))

    @property
    def _known(self) -> list[dict[object, Any]]:
        return [known for known in (self._ahead, self._seen) if known is not None]

    def answer(self, question: Question[T]) -> T:
        """Return the answer to a question; asks if it is not known."""
        return self.remember(question.key, lambda: question.read(self.rows(question.statement, **question.values)))

    def remember(self, key: object, read: Callable[[], T]) -> T:
        """Return an answer that is known, or what `read` returns."""
        for known in self._known:
            if key in known:
                kept: T = known[key]
                return kept
        found = read()
        for known in self._known[:1]:
            known[key] = found
        return found

    def answer_each(self, key: object, asked: Sequence[K], ask: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
        """Return answers by keys of their own: those that are known, and what `ask` returns for the others."""
        kept: dict[K, T | None] = {}
        for known in self._known[:1]:
            kept = known.setdefault(key, {})
        if unknown := [each for each in dict.fromkeys(asked) if each not in kept]:
            kept |= {**dict.fromkeys(unknown), **ask(unknown)}
        return {each: found for each in asked if (found := kept[each]) is not None}

    def forget(self) -> None:
        """Drop what is known: this session changes the library."""
        for known in (self._seen, self._ahead):
            if known is not None:
                known.clear()

    @contextmanager
    def write_transaction(self) -> Iterator[None]:
        """Run one transaction: everything is committed at the end, or nothing after an exception.

        It begins with its first statement, in the same round trip; `ask` can end it in that of the last one.

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
        self.forget()
        if self.is_in_transaction:
            self._nested += 1
            try:
                yield
            finally:
                self._nested -= 1
            return
        self._begin, self._writing, self.watch.is_kept = _BEGIN, None, not self._is_beside
        try:
            try:
                yield
            except BaseException:
                with suppress(psycopg.OperationalError):  # the server has rolled back a connection that is lost
                    if self._writing is not None and not self._writing.closed:
                        self._writing.execute("ROLLBACK")
                raise
            with self.translate_errors():
                if self._writing is not None:
                    self._writing.execute("COMMIT")
        finally:
            self._begin, self._writing, self.watch.is_kept = "", None, False

    def _execute_again(
        self, statement: str, values: Mapping[str, object] | None = None, **more: bool
    ) -> psycopg.Cursor[Any]:
        """Execute a statement outside of transactions; opens the connection again if the server had closed it."""
        connection = self.connection()
        try:
            return self._execute_once(connection, statement, values, **more)
        except psycopg.OperationalError:
            if not connection.closed or self.watch.was_cancelled or self._is_beside:
                raise
        return self._execute_once(self.connection(), statement, values, **more)

    def _execute_once(
        self, connection: WatchedConnection, statement: str, values: Mapping[str, object] | None, **more: bool
    ) -> psycopg.Cursor[Any]:
        """Execute a statement; if it is the first of a transaction, that begins in the same round trip."""
        if not self._begin:
            return connection.execute(statement.encode(), values, **more)
        try:
            with connection.pipeline():
                connection.execute(self._begin.encode())
                return connection.execute(statement.encode(), values, **more)
        finally:
            self._note_begun(connection)

    def _note_begun(self, connection: WatchedConnection) -> None:
        """Note that the transaction has begun, unless its connection was lost with it."""
        if not connection.closed:
            self._writing = connection if self._begin == _BEGIN else None
            self._begin = ""

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

    def read_clock(self) -> float:
        """Return the server's time, in seconds since 1970."""
        return float(self.value("SELECT extract(epoch FROM clock_timestamp())::float8"))

    def run(self, statement: str, /, **values: object) -> int:
        """Execute a statement and return how many rows it changed."""
        self.forget()
        return self._execute(statement, values).rowcount

    def run_many(self, statement: str, many: Iterable[Mapping[str, object]]) -> None:
        """Execute a statement for each of many sets of values, in one go."""
        with self.translate_errors():
            if self._begin:
                self._execute_again("SELECT")
            with self.connection().cursor() as cursor:
                cursor.executemany(statement.encode(), list(many))

    def vectors(self, statement: str, /, **values: object) -> list[AnyRow]:
        """Execute a statement whose vectors come in binary; of other columns only numbers and texts are allowed."""
        return self._execute(statement, values, binary=True).fetchall()

    def ask(
        self, questions: Sequence[tuple[str, Mapping[str, object]]], *, is_last: bool = False
    ) -> list[list[AnyRow]]:
        """Execute several statements in one round trip and return the rows of each; vectors come in binary.

        A read transaction that has not begun yet is not begun by this.

        Args:
            questions: statements and their values.
            is_last: commit the write transaction in the same round trip. Inside another one, that one goes on.
        """
        with self.translate_errors():
            connection = self.connection()
            is_inside = self.is_in_transaction and not self._begin
            try:
                return self._ask(connection, questions, is_last=is_last)
            except psycopg.OperationalError:
                if not connection.closed or is_inside or self.watch.was_cancelled or self._is_beside:
                    raise
            return self._ask(self.connection(), questions, is_last=is_last)

    def _ask(
        self, connection: WatchedConnection, questions: Sequence[tuple[str, Mapping[str, object]]], *, is_last: bool
    ) -> list[list[AnyRow]]:
        is_last = is_last and not self._nested
        begin = [(_BEGIN, _NO_VALUES)] if self._begin == _BEGIN else []
        end = [("COMMIT", _NO_VALUES)] if is_last else []
        try:
            with connection.pipeline():
                asked = [
                    connection.execute(statement.encode(), values, binary=True)
                    for statement, values in (*begin, *questions, *end)
                ]
        finally:
            if begin:
                self._note_begun(connection)
        if is_last:
            self._writing = None
        kept = asked[len(begin) : len(asked) - len(end)]
        return [cursor.fetchall() if cursor.description is not None else [] for cursor in kept]

    def _execute(self, statement: str, values: Mapping[str, object], **more: bool) -> psycopg.Cursor[Any]:
        with self.translate_errors():
            if self.is_in_transaction and not self._begin:
                return self.connection().execute(statement.encode(), values, **more)
            return self._execute_again(statement, values, **more)

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn errors of the server that a person can act on into AppErrors; others pass.

        Raises:
            Cancelled: the job was cancelled while the server worked on the statement.
        """
        try:
            yield
        except psycopg.Error as error:
            self.width = 0  # what was set in the same round trip is undone
            if self.watch.was_cancelled:
                raise Cancelled from error
            known = self._explain(error)
            if known is None:
                raise
            raise known from error
        else:
            if self.watch.was_cancelled:  # too late: its answer has come
                raise Cancelled
        finally:
            self.watch.was_cancelled = False

    def _explain(self, error: psycopg.Error) -> AppError | None:
        library, why = self.address.library, system_text(str(error).strip().splitlines()[0])
        if isinstance(error, errors.InsufficientPrivilege):
            return RightMissing(
                "You are not allowed to do this in the library {library}: {why}",
                "Ask its owner to give you access: `library grant`.",
                library=library,
                why=why,
            )
        if isinstance(error, errors.UndefinedTable | errors.UndefinedFunction) and self.is_older:
            return LibraryBusy(
                "The library {library} cannot do this yet: an older version of Kindred created it",
                "Ask the person who created it to run `library upgrade`.",
                code="library_too_old",
                library=library,
            )
        if isinstance(error, errors.UndefinedTable) and _VECTOR_TABLE.search(str(error)):
            return LibraryRearranged(
                "Another program is rearranging the library {library}", "Try again in a moment.", library=library
            )
        if isinstance(error, errors.DeadlockDetected | errors.SerializationFailure):
            return LibraryRearranged(
                "Another program is changing the same part of the library {library}",
                "Try again in a moment. Nothing was changed.",
                library=library,
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


_VECTOR_TABLE = re.compile(r"\b(vector|total)_\d")
"""Partitions are replaced when they grow, and tables are deleted with their model; see `vectors.py`."""

# Nothing here can be replaced by a function of the schema, which is not searched yet.
_FOREIGN_FUNCTIONS = (
    "SELECT p.proname::text AS name FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
    " WHERE n.nspname = %(schema)s::name AND p.proowner <> n.nspowner"
    " AND NOT (p.proname IN ('erase_words', 'erase_places') AND p.pronargs = 0) ORDER BY 1"
)

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
HOLD_UPGRADE = f"SELECT pg_advisory_xact_lock({_LIBRARY}, -4)"
HOLD_SEALING = f"SELECT pg_advisory_lock({_LIBRARY}, -6)"
"""Held by the session that moves vectors into partitions or builds them anew, on a connection of its own."""
TELL_SEARCHES = "SELECT pg_notify(current_schema(), 'searches')"
"""Tells a person's other sessions that a saved search changed; everybody's sessions learn that much, and no more."""
TELL_ANNOTATIONS = "SELECT pg_notify(current_schema(), 'annotations')"
"""The same of highlights and notes."""
TELL_QUOTES = "SELECT pg_notify(current_schema(), 'quotes')"
"""The same of quotes."""
TELL_LABELS = "SELECT pg_notify(current_schema(), 'labels')"
"""The same of judgements and labels of pairs."""
TRY_STORING = f"SELECT pg_try_advisory_lock({_LIBRARY}, -5)"
"""Held by the session that stores the files of a model."""
END_STORING = f"SELECT pg_advisory_unlock({_LIBRARY}, -5)"
END_UPKEEP = f"SELECT pg_advisory_unlock({_LIBRARY}, -3)"
WORKER_LOCKS = (
    "SELECT objid::bigint AS worker, pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted"
    f" AND classid = to_regnamespace(current_schema())::oid AND objid::bigint < {2**31}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Sessions that write, each with its number, and the process of the server that serves it."""
LIVE_WORKERS = f"SELECT worker::int FROM ({WORKER_LOCKS}) l"
_END_SESSION = f"SELECT pg_terminate_backend(pid, 5000) FROM ({WORKER_LOCKS}) l WHERE worker = %s"
"""Ends a session of the same user, and waits up to five seconds until its locks are free."""
