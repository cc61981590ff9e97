"""`work`: imports what waits in a shared library, and waits for a server that is away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_app.cli.commands import work
from desktop_app.cli.session import CommandSession
from desktop_app.core.jobs import Job
from desktop_app.core.reader_events import FileRef
from desktop_app.engine.importing import ImportService
from desktop_app.shared_store import connection
from tests.cli.conftest import Kindred
from tests.patience import PATIENCE_S
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


def test_work_that_is_stopped_ends_although_the_present_document_is_finished(
    kindred: Kindred, papers: Path, shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C may come when there is nothing left to stop."""
    monkeypatch.setenv("KINDRED_PASSWORD", shared_libraries.server.password)
    address = shared_libraries.address()
    resume, wait = ImportService.resume, Job.wait
    resumed: list[Job[Any]] = []
    interrupted: list[Job[Any]] = []

    def resume_once(service: ImportService) -> Job[Any]:
        assert not resumed, "it goes on after Ctrl+C"
        resumed.append(resume(service))
        wait(resumed[0], PATIENCE_S)
        return resumed[0]

    def interrupt(job: Job[Any], timeout_s: float | None = None) -> Any:
        if job in resumed and not interrupted:
            interrupted.append(job)
            raise KeyboardInterrupt
        return wait(job, timeout_s)

    try:
        assert kindred("import", papers / "bread.md", "--library", str(address)).status == 0
        with shared_libraries.open() as library:
            library.documents.add([FileRef(str(papers / "sea.txt"), 1, 1)])
        monkeypatch.setattr(work, "_LOOK_EVERY_S", 0.02)
        monkeypatch.setattr(ImportService, "resume", resume_once)
        monkeypatch.setattr(Job, "wait", interrupt)
        worked = kindred("work", "--library", str(address))
        assert worked.status == 130
        assert "1 imported" in worked.out
        assert "Documents that are not imported yet keep waiting." in worked.err
    finally:
        shared_libraries.reset()
