"""Who may do what in a shared library, and which libraries can be opened."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import (
    LibraryBusy,
    LibraryTooNew,
    LibraryUnreachable,
    NotFound,
    RightMissing,
    UsageError,
)
from desktop_app.core.user_data import SavedSearch
from desktop_app.shared_store import schema
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.schema import create_library, find_right, grant_access
from tests.postgres_server import SharedLibraries
from tests.store.helpers import MODEL, drain, found, take_in, texts

from .conftest import Open


def test_a_reader_searches_but_changes_nothing(library: SharedLibrary, open_session: Open) -> None:
    own = texts("a", 5)
    document_id = take_in(library, "a.txt", own)
    reader = open_session("reader")
    assert not reader.writable
    assert found(reader, own[2]) == [own[2]]
    assert reader.info().sentences == 5
    for change in (
        lambda: reader.documents.remove([document_id]),
        lambda: reader.user_data.remember("a query", "both"),
        lambda: reader.collections.create("mine"),
    ):
        with pytest.raises(LibraryBusy, match="read-only"):
            change()
    assert library.info().documents == 1


def test_the_server_refuses_what_a_reader_may_not(
    library: SharedLibrary, open_session: Open, shared_libraries: SharedLibraries
) -> None:
    take_in(library, "a.txt", texts("a", 5))
    open_session("reader")
    address = shared_libraries.address("sessions", shared_libraries.user("of_reader"))
    database = SharedDatabase(address, shared_libraries.server.password, writable=True)
    try:
        for statement in ("DELETE FROM sentence", "UPDATE document SET own_title = 'x'", "DROP TABLE vector_1",
                          "INSERT INTO asked (hash, text, mode, at) VALUES ('', 'x', 'both', 0)"):  # fmt: skip
            with pytest.raises(RightMissing):
                database.run(statement)
    finally:
        database.close()


def test_a_user_without_a_right_cannot_even_read(open_session: Open, library: SharedLibrary) -> None:
    open_session("reader", user="bert").close()
    with pytest.raises(RightMissing):
        open_session("none", user="bert")
    assert open_session("writer", user="bert").writable


def test_personal_data_is_invisible_to_others(library: SharedLibrary, open_session: Open) -> None:
    """Not even the owner of the library sees it, or changes it."""
    take_in(library, "a.txt", ["One.", "Two."])
    carla, dora = open_session("writer", user="carla"), open_session("writer", user="dora")
    hits = carla.search.hits(carla.search.nearest(carla.search.sample_vectors(1)[0], 2))
    for each in (carla, dora):
        name = "carla" if each is carla else "dora"
        each.user_data.remember(f"asked by {name}", "both")
        each.user_data.remember("asked by both", "both")
        each.user_data.save_search(SavedSearch("saved", f"of {name}", "both"))
        each.user_data.judge("a query", hits[0].sentence_id, each is carla)
        each.pair_labels.judge("One.", "Two.", each is carla)
    carla.user_data.add_quotes(hits)
    assert [query.text for query in dora.user_data.past_queries()] == ["asked by both", "asked by dora"]
    assert [search.text for search in carla.user_data.saved_searches()] == ["of carla"]
    assert [each.is_relevant for each in carla.user_data.judgements()] == [True]
    assert [each.same for each in dora.pair_labels.labelled_pairs()] == [False]
    assert dora.user_data.quotes() == library.user_data.quotes() == library.user_data.past_queries() == []
    dora.user_data.forget_queries()
    dora.user_data.delete_quotes([quote.quote_id for quote in carla.user_data.quotes()])
    assert len(carla.user_data.past_queries()) == 2
    assert len(carla.user_data.quotes()) == 2


def test_what_somebody_keeps_of_a_document_is_erased_with_it_by_anybody(
    library: SharedLibrary, open_session: Open
) -> None:
    gone = take_in(library, "gone.txt", ["A private sentence.", "Another one."])
    carla = open_session("writer", user="carla")
    hits = carla.search.hits(carla.search.nearest(carla.search.sample_vectors(1)[0], 2))
    carla.user_data.add_quotes(hits)
    carla.user_data.remember("A private sentence.", "both")
    carla.user_data.remember("Something else.", "both")
    carla.user_data.save_search(SavedSearch("saved", "A private sentence.", "both"))
    carla.user_data.judge("A private sentence.", hits[1].sentence_id, True)
    carla.pair_labels.judge("A private sentence.", "Typed.", True)
    library.documents.remove([gone])
    drain(library.maintenance.purge())
    assert [query.text for query in carla.user_data.past_queries()] == ["Something else."]
    assert carla.user_data.quotes() == carla.user_data.judgements() == carla.user_data.saved_searches() == []
    assert carla.pair_labels.labelled_pairs() == []


def test_rights_are_given_and_taken(
    open_session: Open, library: SharedLibrary, shared_libraries: SharedLibraries
) -> None:
    name = shared_libraries.user("emil")
    address = shared_libraries.address("sessions", name)
    for right in ("reader", "writer", "owner", "none"):
        shared_libraries.grant("sessions", name, right)
        database = SharedDatabase(address, shared_libraries.server.password, writable=False)
        assert find_right(database) == right
        database.close()


def test_names_are_never_a_part_of_a_statement(library: SharedLibrary, shared_libraries: SharedLibraries) -> None:
    address = shared_libraries.server.address(shared_libraries.database, "sessions")
    database = SharedDatabase(address, shared_libraries.server.password, writable=True)
    hostile = 'x"; DROP TABLE sentence; --'
    try:
        with pytest.raises(NotFound, match="no user"):
            grant_access(database, hostile, "reader")
        shared_libraries.server.run(f'CREATE ROLE "{hostile.replace(chr(34), chr(34) * 2)}"')
        grant_access(database, hostile, "reader")
        grant_access(database, hostile, "none")
        shared_libraries.server.run(f'DROP ROLE "{hostile.replace(chr(34), chr(34) * 2)}"')
    finally:
        database.close()
    take_in(library, "'); DROP TABLE document; --.txt", ["%s %(x)s '; DROP TABLE sentence"])
    assert library.info().sentences == 1


def test_a_library_that_cannot_be_opened_says_why(
    shared_libraries: SharedLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, good = shared_libraries.server, shared_libraries.address("sessions")
    with pytest.raises(NotFound, match="has no library other"):
        SharedLibrary.open(server.address(good.database, "other"), server.password)
    with pytest.raises(LibraryUnreachable, match="no database"):
        SharedLibrary.open(server.address("nowhere", "sessions"), server.password)
    with pytest.raises(LibraryUnreachable, match="refuses") as refused:
        SharedLibrary.open(good, "wrong")
    assert refused.value.message.code == "refused"
    assert "wrong" not in str(refused.value)
    with pytest.raises(LibraryUnreachable, match="cannot be reached"):
        SharedLibrary.open(type(server)(1, "x").address("a", "b"), "x")
    monkeypatch.setattr(schema, "MIN_PGVECTOR", (99, 0, 0))
    with pytest.raises(LibraryUnreachable, match="pgvector"):
        SharedLibrary.open(good, server.password)
    monkeypatch.undo()
    with pytest.raises(UsageError, match="already"):
        create_library(server.address(good.database, "sessions"), server.password)


@pytest.mark.parametrize(
    ("version", "error"), [(schema.VERSION + 1000, LibraryTooNew), (0, LibraryBusy), (schema.VERSION + 1, None)]
)
def test_programs_of_the_same_major_version_work_together(
    shared_libraries: SharedLibraries, version: int, error: type[Exception] | None
) -> None:
    good = shared_libraries.address("sessions")
    server = shared_libraries.server
    server.run(f"UPDATE kindred_sessions.meta SET version = {version}", good.database)
    try:
        if error is None:
            SharedLibrary.open(good, server.password).close()
        else:
            with pytest.raises(error):
                SharedLibrary.open(good, server.password)
    finally:
        server.run(f"UPDATE kindred_sessions.meta SET version = {schema.VERSION}", good.database)


def test_a_model_is_bound_once_for_everybody(library: SharedLibrary, open_session: Open) -> None:
    other = open_session("writer")
    assert other.models.current == MODEL
