"""`work`: imports what waits in a shared library, and waits for a server that is away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.cli.commands import work
from desktop_app.cli.session import CommandSession
from desktop_app.core.reader_events import FileRef
from desktop_app.engine.importing import ImportService
from desktop_app.shared_store import connection
from tests.cli.conftest import Kindred
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire


def test_a_server_that_is_away_for_a_while_is_waited_for(
    kindred: Kindred, papers: Path, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server goes before the first document, and comes back after the command has said that it waits."""
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    monkeypatch.setattr(work, "_LOOK_EVERY_S", 0.02)
    monkeypatch.setattr(connection, "_RECONNECT_EVERY_S", 0.02)
    address = shared_libraries.address()
    try:
        assert kindred("import", papers / "bread.md", "--library", str(address)).status == 0
        with shared_libraries.open() as library:
            library.documents.add([FileRef(str(papers / "sea.txt"), 1, 1)])
        with SlowWire(shared_libraries.server.port) as wire:
            resume, note, said = ImportService.resume, CommandSession.note, []

            def lose_server(service: ImportService) -> object:
                if not said:
                    wire.hang_up()
                return resume(service)

            def hear(session: CommandSession, text: str) -> None:
                note(session, text)
                if "Waiting for the server" in text:
                    said.append(text)
                    wire.flow_again()

            monkeypatch.setattr(ImportService, "resume", lose_server)
            monkeypatch.setattr(CommandSession, "note", hear)
            worked = kindred("work", "--until-done", "--library", str(replace(address, port=wire.port)))
        assert (worked.status, len(said)) == (0, 1)
        assert "1 imported" in worked.out
        assert kindred("info", "--library", str(address), "--json").json["states"] == {"ready": 2}
    finally:
        shared_libraries.reset()
