"""A server that falls silent, and statements whose answer nobody wants any more."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from desktop_app.core.errors import Cancelled, LibraryUnreachable
from desktop_app.shared_store import connection, server_watch
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.server_watch import ServerWatch, WatchedConnection
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire
from tests.steps import wait_a_moment
from tests.store.helpers import MODEL, add, head, shown, take_in, texts

from .conftest import Open

Connect = Callable[..., SharedDatabase]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask a silent server sooner."""
    monkeypatch.setattr(server_watch, "_ASK_AFTER_S", 0.1)
    monkeypatch.setattr(server_watch, "_ASK_EVERY_S", 0.1)
    monkeypatch.setattr(server_watch, "_SHORTEST_TIMEOUT_S", 1)
    monkeypatch.setattr(server_watch, "_OBEY_WITHIN_S", 0.5)
    monkeypatch.setattr(connection, "_RECONNECT_EVERY_S", 0.1)


@pytest.fixture
def connect(shared_libraries: SharedLibraries, wire: SlowWire) -> Iterator[Connect]:
    """Connect through the wire."""
    opened: list[SharedDatabase] = []

    def connect_(**more: object) -> SharedDatabase:
        address = replace(shared_libraries.address("sessions"), port=wire.port)
        opened.append(SharedDatabase(address, shared_libraries.server.password, writable=True, **more))
        return opened[-1]

    yield connect_
    for each in opened:
        each.close()


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a busy machine time where the server does answer in the end."""
    monkeypatch.setattr(server_watch, "_SHORTEST_TIMEOUT_S", 30)
    monkeypatch.setattr(server_watch, "_OBEY_WITHIN_S", 30.0)


def process_of(database: SharedDatabase) -> int:
    return int(database.value("SELECT pg_backend_pid()"))


def test_a_silent_server_is_noticed_and_found_again(connect: Connect, wire: SlowWire) -> None:
    database = connect()
    before = process_of(database)
    wire.fall_silent()
    with pytest.raises(LibraryUnreachable, match="cannot be reached"):
        database.value("SELECT 1")
    # From now on nobody waits for it.
    with pytest.raises(LibraryUnreachable, match="cannot be reached"):
        database.value("SELECT 1")
    wire.flow_again()
    while True:
        try:
            assert process_of(database) != before
            break
        except LibraryUnreachable:
            wait_a_moment()


def test_a_change_on_a_silent_server_is_made_whole_or_not_at_all(
    open_session: Open, shared_libraries: SharedLibraries, wire: SlowWire
) -> None:
    watcher = open_session()
    watcher.models.bind(MODEL)
    address = replace(shared_libraries.address("sessions"), port=wire.port)
    with SharedLibrary.open(address, shared_libraries.server.password) as library:
        take_in(library, "a.txt", texts("a", 3))
        wire.fall_silent()
        with pytest.raises(LibraryUnreachable):
            take_in(library, "b.txt", texts("b", 3))
        wire.flow_again()
        while True:
            try:
                library.ingest.recover()
                break
            except LibraryUnreachable:
                wait_a_moment()
        take_in(library, "c.txt", texts("c", 3))
        assert shown(watcher) == shown(library) == [*texts("a", 3), *texts("c", 3)]


@pytest.mark.usefixtures("_patient")
def test_what_a_forgotten_connection_had_begun_is_free_as_soon_as_it_is_replaced(
    open_session: Open, shared_libraries: SharedLibraries, wire: SlowWire
) -> None:
    open_session().models.bind(MODEL)
    address = replace(shared_libraries.address("sessions"), port=wire.port)
    with SharedLibrary.open(address, shared_libraries.server.password) as library:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        wire.fall_silent(for_new=False)
        assert library.ingest.recover() == 1
        assert library.ingest.claim([document_id]) == [document_id]


@pytest.mark.usefixtures("_patient")
def test_a_connection_that_the_network_has_forgotten_is_replaced(connect: Connect, wire: SlowWire) -> None:
    database = connect()
    before = process_of(database)
    wire.fall_silent(for_new=False)
    assert process_of(database) != before


def test_a_statement_that_takes_long_is_waited_for(connect: Connect) -> None:
    database = connect()
    before = process_of(database)
    assert database.value("SELECT 7 FROM pg_sleep(0.6)") == 7
    assert process_of(database) == before


@pytest.mark.usefixtures("_patient")
def test_a_statement_is_cancelled_when_nobody_wants_its_answer(connect: Connect, open_session: Open) -> None:
    wanted: Iterator[bool] = iter([])
    database = connect(take_cancellation=lambda: next(wanted, False))
    before = process_of(database)
    wanted = iter([False, False, True])  # only now: a busy server is asked again and again while it is connected
    with pytest.raises(Cancelled):
        database.value("SELECT 1 FROM pg_sleep(600)")
    wanted = iter([True])
    with pytest.raises(Cancelled), database.read_transaction():
        database.value("SELECT 1 FROM pg_sleep(600)")
    wanted = iter([True])
    with pytest.raises(Cancelled):
        database.ask([("SELECT 1", {}), ("SELECT 1 FROM pg_sleep(600)", {}), ("SELECT 3", {})])
    assert process_of(database) == before
    assert not database.is_in_transaction


def test_a_silent_server_does_not_delay_who_wants_no_answer(connect: Connect, wire: SlowWire) -> None:
    wanted: Iterator[bool] = iter([])
    database = connect(take_cancellation=lambda: next(wanted, False))
    wire.fall_silent()
    wanted = iter([False, True])  # only now, as above
    with pytest.raises(Cancelled):
        database.value("SELECT 1")


def test_a_change_is_not_cancelled(connect: Connect) -> None:
    is_wanted = True
    database = connect(take_cancellation=lambda: not is_wanted)
    is_wanted = False  # only now: opening can be given up
    with database.write_transaction():
        assert database.value("SELECT 5 FROM pg_sleep(0.3)") == 5


def test_opening_can_be_given_up(shared_libraries: SharedLibraries, wire: SlowWire) -> None:
    wire.fall_silent()
    address = replace(shared_libraries.address("sessions"), port=wire.port)
    with pytest.raises(Cancelled):
        SharedLibrary.open(address, shared_libraries.server.password, take_cancellation=lambda: True)


def test_a_connection_that_opens_too_late_is_closed(connect: Connect) -> None:
    is_given_up = threading.Event()
    opened: queue.Queue[WatchedConnection] = queue.Queue()

    def open_late(_: int) -> WatchedConnection:
        is_given_up.wait()
        connection = connect().connection()
        opened.put(connection)
        return connection

    with pytest.raises(Cancelled):
        ServerWatch(open_late, lambda: True).begin(10)
    is_given_up.set()
    connection = opened.get()
    while not connection.closed:
        wait_a_moment()


def test_a_server_that_takes_no_more_connections_is_not_given_up(
    connect: Connect, shared_libraries: SharedLibraries
) -> None:
    database = connect()
    before = process_of(database)
    role = shared_libraries.user("anna")
    shared_libraries.server.run(f"ALTER ROLE {role} CONNECTION LIMIT 1")
    try:
        assert database.value("SELECT 7 FROM pg_sleep(0.6)") == 7
        assert process_of(database) == before
    finally:
        shared_libraries.server.run(f"ALTER ROLE {role} CONNECTION LIMIT -1")
