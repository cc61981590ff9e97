"""A shared library in the whole program: a real server, and a wire between that falls silent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from pytestqt.qtbot import QtBot

from desktop_app.compose import open_workspace
from desktop_app.core.errors import Cancelled
from desktop_app.core.reader_events import FileRef
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.core.shared_address import SharedAddress
from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.base import session as session_module
from tests.patience import PATIENCE_S
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire
from tests.steps import wait_a_moment

from .conftest import Program

Start = Callable[..., Program]
TEXT = "The sea is rising faster than expected. Ships wait outside the harbour. The baker sells bread at dawn."


@pytest.fixture
def address(shared_libraries: SharedLibraries) -> Iterator[SharedAddress]:
    yield shared_libraries.address("whole")
    shared_libraries.reset()


@pytest.fixture
def workspace(address: SharedAddress, shared_libraries: SharedLibraries, tmp_path: Path) -> Iterator[Workspace]:
    """A session of an owner; the library has one document."""
    launch = LaunchOptions(
        Settings(), tmp_path / "unused", writable=True, create=True, shared=address,
        password=shared_libraries.server.password,
    )  # fmt: skip
    workspace = open_workspace(launch)
    file = tmp_path / "harbour.txt"
    file.write_text(TEXT)
    workspace.imports.start(ImportRequest((str(file),))).wait(PATIENCE_S)
    yield workspace
    workspace.close()


def test_a_new_letter_does_not_wait_for_the_statement_of_the_last_one(
    workspace: Workspace, shared_libraries: SharedLibraries
) -> None:
    server = shared_libraries.server
    with psycopg.connect(
        host=server.host, port=server.port, user=server.administrator, password=server.password,
        dbname=shared_libraries.database, sslmode=server.sslmode, sslrootcert=server.certificate or None,
    ) as administrator:  # fmt: skip
        administrator.execute("LOCK TABLE kindred_whole.occurrence IN ACCESS EXCLUSIVE MODE")
        older = workspace.search.find_sentences(SearchRequest("rising wat"))
        # pg_stat_activity would stay as it is until the end of this transaction.
        waits = (
            "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
            " WHERE NOT l.granted AND d.datname = current_database()"
        )
        while not administrator.execute(waits).fetchall()[0][0]:
            wait_a_moment()
        newer = workspace.search.find_sentences(SearchRequest("rising water"))
        with pytest.raises(Cancelled):
            older.wait(PATIENCE_S)
        administrator.rollback()
        assert newer.wait(PATIENCE_S).hits[0].text == "The sea is rising faster than expected."


def test_the_window_says_that_the_server_is_slow_and_waits_on(
    start: Start,
    workspace: Workspace,
    address: SharedAddress,
    shared_libraries: SharedLibraries,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_module, "_SLOW_S", 0.2)
    server = shared_libraries.server
    program = start(shared=address, password=server.password)
    window = program.window
    qtbot.waitUntil(lambda: window.session.phase == "ready")
    qtbot.keyClicks(window.search.box, "sea")
    qtbot.waitUntil(lambda: program.hits[:1] == ["The sea is rising faster than expected."])
    with psycopg.connect(
        host=server.host, port=server.port, user=server.administrator, password=server.password,
        dbname=shared_libraries.database, sslmode=server.sslmode, sslrootcert=server.certificate or None,
    ) as administrator:  # fmt: skip
        administrator.execute("LOCK TABLE kindred_whole.occurrence IN ACCESS EXCLUSIVE MODE")
        window.search.box.clear()
        qtbot.keyClicks(window.search.box, "bread")
        qtbot.waitUntil(window.connection_bar.isVisible)
        assert window.session.is_connected
        assert "is answering slowly" in window.connection_bar.text
        administrator.rollback()
    qtbot.waitUntil(lambda: program.hits[:1] == ["The baker sells bread at dawn."])
    qtbot.waitUntil(lambda: not window.connection_bar.isVisible())


def test_files_in_folders_of_other_computers_are_not_missing(workspace: Workspace, tmp_path: Path) -> None:
    elsewhere, here = tmp_path / "not on this computer" / "a.txt", tmp_path / "deleted.txt"
    added = workspace.change(
        lambda library: library.documents.add([FileRef(str(each), 1, 1) for each in (elsewhere, here)])
    )
    assert workspace.watched_folders.find_missing_files().wait(PATIENCE_S) == {added.wait(PATIENCE_S)[1].document_id}


def test_the_window_of_a_silent_server_keeps_its_answer_and_connects_again(
    start: Start, workspace: Workspace, address: SharedAddress, shared_libraries: SharedLibraries, qtbot: QtBot
) -> None:
    with SlowWire(shared_libraries.server.port) as wire:
        program = start(shared=replace(address, port=wire.port), password=shared_libraries.server.password)
        window = program.window
        qtbot.waitUntil(lambda: window.session.phase == "ready")
        box = window.search.box
        qtbot.keyClicks(box, "sea")
        qtbot.waitUntil(lambda: program.hits[:1] == ["The sea is rising faster than expected."])
        before = program.hits
        wire.fall_silent()
        qtbot.keyClicks(box, " level")
        qtbot.waitUntil(lambda: not window.session.is_connected)
        assert window.connection_bar.isVisible()
        assert program.hits == before
        wire.flow_again()
        qtbot.waitUntil(lambda: window.session.is_connected)
        qtbot.waitUntil(lambda: not window.connection_bar.isVisible())
        box.clear()
        qtbot.keyClicks(box, "bread")
        qtbot.waitUntil(lambda: program.hits[:1] == ["The baker sells bread at dawn."])
