"""Imports into a shared library while connections are lost and others remove documents: nothing is left out or held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.core.errors import LibraryUnreachable, TakenOver
from desktop_app.core.jobs import ChangeSet, Steps
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.engine.import_run import Importer
from desktop_app.engine.requests import ImportReport, ImportRequest
from desktop_app.shared_store.library import SharedLibrary
from tests.engine.fakes import HashingEncoder, ScriptedReader, script
from tests.postgres_server import SharedLibraries
from tests.steps import go_through, run_steps
from tests.store.helpers import add, drain, faults, head, shown, store, take_in, texts

from .conftest import Open

Cut = Callable[[SharedLibrary], None]
Begin = Callable[..., Steps[ImportReport]]


@pytest.fixture
def cut(shared_libraries: SharedLibraries) -> Iterator[Cut]:
    """End the connection of a session as the server does; the session notices it with its next statement."""
    with shared_libraries.server.connect(shared_libraries.database) as administrator:

        def cut_(session: SharedLibrary) -> None:
            process = session._database.connection().info.backend_pid
            administrator.execute("SELECT pg_terminate_backend(%s, 60000)", (process,))

        yield cut_


@pytest.fixture
def begin_import(tmp_path: Path) -> Begin:
    """Import files with these sentences until the first ones are stored; returns the other steps."""

    def begin(session: SharedLibrary, **files: list[str]) -> Steps[ImportReport]:
        for name in files:
            (tmp_path / f"{name}.txt").write_text(f"stands for {name}", "utf-8")
        encoder = HashingEncoder()
        reader = ScriptedReader({f"{name}.txt": script(own, content_hash=name) for name, own in files.items()})
        importer = Importer(session, lambda: encoder, reader, lambda _path: True, lambda: True)
        steps = importer.run(ImportRequest((str(tmp_path),)))
        for step in go_through(steps):
            if isinstance(step, ChangeSet) and step.documents and step.sentences:
                return steps
        raise AssertionError("nothing was stored")

    return begin


def count_importers(library: SharedLibrary) -> int:
    """Return how many sessions keep others from erasing sentences."""
    return int(
        library._database.value(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND objid = 4294967295"
            " AND classid = to_regnamespace(current_schema())::oid AND granted"
        )
    )


def test_an_import_goes_on_after_the_connection_was_lost_for_a_moment(
    open_session: Open, begin_import: Begin, cut: Cut
) -> None:
    session = open_session()
    long, short = texts("long", 600), texts("short", 3)
    steps = begin_import(session, a=long, b=short)
    cut(session)
    report = run_steps(steps)
    assert sorted((Path(each.path).stem, each.sentences) for each in report.imported) == [("a", 600), ("b", 3)]
    assert (report.sentences, report.failed) == (603, [])
    assert session.info().states == {"ready": 2}
    assert [shown(session, each.document_id) for each in session.documents.fetch()] == [long, short]
    assert session._database.column("SELECT DISTINCT worker FROM document") == [0]
    assert count_importers(session) == 0
    drain(session.maintenance.purge())
    assert faults(session) == []


def test_a_document_that_another_session_has_claimed_meanwhile_is_left_to_it(
    open_session: Open, begin_import: Begin, cut: Cut
) -> None:
    session, other = open_session(), open_session("writer", user="other")
    own = texts("long", 600)
    steps = begin_import(session, a=own)
    (document,) = session.documents.fetch()
    cut(session)
    assert other.ingest.recover() == 1
    assert other.ingest.claim([document.document_id]) == [document.document_id]
    other.ingest.begin(document.document_id, head())
    report = run_steps(steps)
    assert (report.imported, report.failed, report.sentences) == ([], [], 0)
    store(other, document.document_id, own)
    other.ingest.finish(document.document_id, ReadingDone())
    assert shown(session) == own
    assert count_importers(session) == 0
    drain(session.maintenance.purge())
    assert faults(session) == []


def test_an_import_that_fails_leaves_its_documents_to_others(
    open_session: Open, begin_import: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = open_session(), open_session("writer", user="other")
    steps = begin_import(session, a=texts("long", 600))

    def fail(*_: object) -> None:
        raise MemoryError("no room for a batch")

    monkeypatch.setattr(session.ingest, "append", fail)
    with pytest.raises(MemoryError):
        run_steps(steps)
    assert count_importers(other) == 0
    (document,) = other.documents.fetch()
    assert document.state == "queued"
    assert other.ingest.claim([document.document_id]) == [document.document_id]


def test_an_import_whose_server_goes_away_keeps_no_lock(
    open_session: Open, begin_import: Begin, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = open_session(), open_session("writer", user="other")
    steps = begin_import(session, a=texts("long", 600))

    def fail(*_: object) -> None:
        cut(session)
        raise LibraryUnreachable("The server is away", "Wait.")

    with monkeypatch.context() as patch:
        patch.setattr(session.ingest, "append", fail)
        with pytest.raises(LibraryUnreachable):
            run_steps(steps)
    session.info()  # opens the connection again
    assert session.ingest.active == frozenset()
    assert count_importers(other) == 0


def test_a_removed_document_is_erased_as_soon_as_its_import_has_dropped_it(
    open_session: Open, begin_import: Begin
) -> None:
    session, other = open_session(), open_session("writer", user="other")
    steps = begin_import(session, a=texts("long", 600))
    (document,) = session.documents.fetch()
    other.documents.remove([document.document_id])
    drain(other.maintenance.purge())
    other.ingest.recover()
    assert run_steps(steps).imported == []
    assert count_importers(other) == 0
    drain(other.maintenance.purge())
    assert other._database.value("SELECT count(*) FROM sentence") == 0


def test_a_session_that_notices_a_loss_as_it_begins_keeps_nothing_from_being_erased_later(
    library: SharedLibrary, cut: Cut
) -> None:
    document_id = add(library, "a.txt")
    cut(library)
    library.ingest.begin(document_id, head())
    assert count_importers(library) == 1
    store(library, document_id, texts("a", 3))
    library.ingest.finish(document_id, ReadingDone())
    assert count_importers(library) == 0


def test_a_session_lets_go_of_documents_that_others_have_finished(
    library: SharedLibrary, open_session: Open, cut: Cut
) -> None:
    other = open_session("writer")
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head())
    cut(library)
    other.ingest.recover()
    take_in(other, "a.txt", texts("a", 3))
    assert library.ingest.recover() == 0
    assert count_importers(other) == 0


def test_a_session_that_stops_lets_go_of_documents_that_others_import(
    library: SharedLibrary, open_session: Open, cut: Cut
) -> None:
    other = open_session("writer")
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head())
    cut(library)
    other.ingest.recover()
    other.ingest.begin(document_id, head())
    library.ingest.queue(document_id, FileRef("a.txt", 100, 1))
    assert other.documents.get(document_id).state == "reading"
    assert count_importers(other) == 1, "the other session's own"


def test_a_session_that_was_cut_off_takes_nothing_back_from_its_successor(
    library: SharedLibrary, open_session: Open, cut: Cut
) -> None:
    other = open_session("writer")
    document_id = add(library, "a.txt")
    assert library.ingest.claim([document_id]) == [document_id]
    cut(library)
    assert other.ingest.claim([document_id]) == [document_id]
    other.ingest.begin(document_id, head())
    with pytest.raises(TakenOver):
        library.ingest.begin(document_id, head())
    with pytest.raises(TakenOver):
        library.ingest.fail(document_id, "damaged", verbatim("It ends early"))
    store(other, document_id, texts("a", 3))
    other.ingest.finish(document_id, ReadingDone())
    assert shown(library) == texts("a", 3)
    assert count_importers(library) == 0
