"""Who may do what in a shared library, and which libraries can be opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from desktop_app.core.annotations import Annotation
from desktop_app.core.errors import (
    LibraryBusy,
    LibraryTooNew,
    LibraryUnreachable,
    NotFound,
    RightMissing,
    UsageError,
)
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.query import KeywordQuery
from desktop_app.core.records import WatchedFolder
from desktop_app.core.scope import ScopePart
from desktop_app.core.shared_address import SharedAddress
from desktop_app.core.user_data import SavedSearch
from desktop_app.shared_store import schema
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.schema import create_library, find_right, grant_access, upgrade_library
from tests.postgres_server import SharedLibraries
from tests.steps import wait_a_moment
from tests.store.helpers import MODEL, drain, faults, found, path, take_in, texts

from .conftest import Open

OLD_VERSIONS = {file.stem: file for file in (Path(__file__).parents[1] / "data/shared_libraries").glob("version-*.sql")}
FIXTURE_SENTENCES = ["Water for green tea should not boil.", "A pot of clay remembers what was brewed in it."]


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


def test_a_role_that_may_create_schemas_and_roles_creates_a_library(shared_libraries: SharedLibraries) -> None:
    user, database = shared_libraries.user("founder"), shared_libraries.database
    address, password = shared_libraries.server.address(database, "founded", user), shared_libraries.server.password
    shared_libraries.server.run(f"ALTER ROLE {user} NOCREATEROLE")
    shared_libraries.server.run(f"GRANT CREATE ON DATABASE {database} TO {user}")
    with pytest.raises(RightMissing, match=f"{user} may not create a library in the database {database}") as refused:
        create_library(address, password)
    assert "CREATEROLE" in str(refused.value.hint)
    shared_libraries.server.run(f"ALTER ROLE {user} CREATEROLE")
    create_library(address, password)
    with SharedLibrary.open(address, password) as library:
        assert library.writable
    shared_libraries.delete("founded")


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


def test_a_persons_other_sessions_learn_of_a_saved_search(library: SharedLibrary, open_session: Open) -> None:
    here, there, dora = (open_session("writer", user=user) for user in ("carla", "carla", "dora"))
    for each in (here, there, dora):
        assert each.poll_changes() == ChangeSet()
    saved = here.user_data.save_search(SavedSearch("Waves", "the sea", "both"))
    assert next_changes(there) == next_changes(dora) == ChangeSet(searches=True)
    assert [search.name for search in there.user_data.saved_searches()] == ["Waves"]
    assert dora.user_data.saved_searches() == []
    assert here.poll_changes() == ChangeSet()
    there.user_data.delete_search(saved)
    assert next_changes(here) == ChangeSet(searches=True)


def test_a_persons_other_sessions_learn_of_highlights_and_notes(library: SharedLibrary, open_session: Open) -> None:
    book = take_in(library, "book.txt", ["The sea was rough."])
    here, there = (open_session("writer", user="carla") for _ in range(2))
    assert here.poll_changes() == there.poll_changes() == ChangeSet()
    (key,) = here.annotations.add([Annotation(0, book, "sea")])
    assert next_changes(there) == ChangeSet(annotations=True)
    there.annotations.change(key, comment="rough")
    assert next_changes(here) == ChangeSet(annotations=True)
    (stored,) = here.annotations.fetch(book)
    assert stored.comment == "rough"
    here.annotations.move(stored)
    assert next_changes(there) == ChangeSet(annotations=True)
    there.annotations.delete([key])
    assert next_changes(here) == ChangeSet(annotations=True)
    assert here.annotations.fetch(book) == []


def test_a_persons_other_sessions_learn_of_quotes_judgements_and_labels(
    library: SharedLibrary, open_session: Open
) -> None:
    take_in(library, "book.txt", ["The sea was rough."])
    here, there = (open_session("writer", user="carla") for _ in range(2))
    hits = here.search.hits(here.search.nearest(here.search.sample_vectors(1)[0], 1))
    assert here.poll_changes() == there.poll_changes() == ChangeSet()
    assert here.user_data.add_quotes(hits) == 1
    assert next_changes(there) == ChangeSet(quotes=True)
    there.user_data.delete_quotes([quote.quote_id for quote in there.user_data.quotes()])
    assert next_changes(here) == ChangeSet(quotes=True)
    here.user_data.judge("a query", hits[0].sentence_id, True)
    assert next_changes(there) == ChangeSet(labels=True)
    here.pair_labels.judge("One.", "Two.", False)
    assert next_changes(there) == ChangeSet(labels=True)
    here.pair_labels.review([("One.", "Two.")], True)
    assert next_changes(there) == ChangeSet(labels=True)


def test_a_persons_sessions_learn_that_a_saved_search_or_its_limit_was_erased(
    library: SharedLibrary, open_session: Open
) -> None:
    gone = take_in(library, "gone.txt", ["A private sentence."])
    carla = open_session("writer", user="carla")
    assert carla.poll_changes() == ChangeSet()
    limit = ScopePart("document", path("gone.txt"), "gone")
    carla.user_data.save_search(SavedSearch("limited", "the sea", "both", (limit,)))
    carla.user_data.save_search(SavedSearch("private", "A private sentence.", "both"))
    library.documents.remove([gone])
    steps = library.maintenance.purge()
    next(steps)
    learn_of_searches(carla)
    limited, _ = carla.user_data.saved_searches()
    assert limited.parts == ()
    drain(steps)
    learn_of_searches(carla)
    assert [search.name for search in carla.user_data.saved_searches()] == ["limited"]


def learn_of_searches(session: SharedLibrary) -> None:
    """Wait until the session is told that saved searches changed."""
    while not next_changes(session).searches:
        pass


def next_changes(session: SharedLibrary) -> ChangeSet:
    """Wait until the session is told of a change: that takes a moment after the commit."""
    for _ in range(10_000):
        if (changes := session.poll_changes()) != ChangeSet():
            return changes
        wait_a_moment()
    raise AssertionError("nobody told of a change")


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


def test_owners_give_rights_that_others_may_not_give(
    open_session: Open, library: SharedLibrary, shared_libraries: SharedLibraries
) -> None:
    password = shared_libraries.server.password
    emil, fred = shared_libraries.user("emil"), shared_libraries.user("fred")
    shared_libraries.grant("sessions", emil, "owner")
    for user, may in ((emil, True), (shared_libraries.user("of_writer"), False)):
        if not may:
            open_session("writer")
        database = SharedDatabase(shared_libraries.address("sessions", user), password, writable=True)
        try:
            if may:
                grant_access(database, fred, "reader")
            else:
                with pytest.raises(RightMissing, match="Only an owner"):
                    grant_access(database, fred, "writer")
                with pytest.raises(RightMissing):
                    database.run("SELECT give_right(current_user, 'owner')")
        finally:
            database.close()
    database = SharedDatabase(shared_libraries.address("sessions", fred), password, writable=False)
    assert find_right(database) == "reader"
    database.close()


def test_an_upgrade_indexes_words_with_vowel_signs_again(
    library: SharedLibrary, shared_libraries: SharedLibraries
) -> None:
    hindi = ["\u0915\u0940 \u0915\u093f\u0924\u093e\u092c", "\u0915\u093e \u092e\u0915\u093e\u0928"]
    take_in(library, "hindi.txt", [*hindi, "The sea was rough."])
    creator = shared_libraries.server.address(shared_libraries.database, "sessions")
    password = shared_libraries.server.password
    database = SharedDatabase(creator, password, writable=True)
    try:
        database.run("UPDATE sentence SET words = to_tsvector('simple', 'k'), size = 1 WHERE text LIKE '\u0915%%'")
        database.run("UPDATE passage SET words = to_tsvector('simple', 'k sea'), size = 1")
        database.run("DROP TABLE import_folder")
        database.run("UPDATE meta SET version = 1005")
    finally:
        database.close()
    assert upgrade_library(creator, password)
    with SharedLibrary.open(creator, password) as again:
        ids = again.keyword_search.find_sentences(KeywordQuery(("\u0915\u0940",)), 9)
        assert [hit.text for hit in again.search.hits(ids)] == [hindi[0]]
        for word in ("\u092e\u0915\u093e\u0928", "sea"):
            assert len(again.keyword_search.rank_documents(KeywordQuery((word,)), 9)) == 1
        assert faults(again) == []


@pytest.fixture(params=sorted(OLD_VERSIONS))
def old_library(request: pytest.FixtureRequest, shared_libraries: SharedLibraries) -> Iterator[SharedAddress]:
    """The address of a library as an earlier version of the program made it; the user `anna` owns it."""
    server, database = shared_libraries.server, shared_libraries.database
    text = OLD_VERSIONS[request.param].read_text("utf-8")
    base = f"kindred_old_{database}"  # roles belong to the server, which several workers share
    text = re.sub(r"kindred_old_[0-9a-f]{8}", base, text)
    for right in ("reader", "writer", "owner", "eraser"):
        server.run(f"CREATE ROLE {base}_{right}")
    server.run(f"GRANT {base}_reader TO {base}_writer; GRANT {base}_writer TO {base}_owner")
    server.run(text, database)
    anna = shared_libraries.user("anna")
    server.run(f"GRANT {base}_owner TO {anna}")
    yield server.address(database, "old", anna)
    shared_libraries.delete("old")


def test_a_library_of_every_earlier_version_is_upgraded(
    old_library: SharedAddress, shared_libraries: SharedLibraries
) -> None:
    password = shared_libraries.server.password
    with pytest.raises(RightMissing, match="Only postgres, who created"):
        upgrade_library(old_library, password)
    with SharedLibrary.open(old_library, password) as old:  # it works as it is, less what is new
        document = old.documents.fetch()[0]
        note = Annotation(0, document.document_id, "Water")
        folder = WatchedFolder("/papers", (), ("drafts",))
        assert old.annotations.fetch() == []
        assert old.poll_changes() == ChangeSet()
        old.watched_folders.note_import_folders([folder])
        assert old.watched_folders.import_folders() == []
        old.watched_folders.forget_import_folders([folder.path])
        if read_library_version(old_library, password) == 1000:
            with pytest.raises(LibraryBusy, match="cannot do this yet"):
                old.annotations.add([note])
    creator = shared_libraries.server.address(old_library.database, "old")
    assert upgrade_library(creator, password)
    assert not upgrade_library(creator, password)
    assert read_library_version(old_library, password) == schema.VERSION
    with SharedLibrary.open(old_library, password) as library:
        assert [each.text for page in library.sentences.occurrences() for each in page] == FIXTURE_SENTENCES
        assert library.annotations.add([note])
        assert len(library.annotations.fetch()) == 1
        library.watched_folders.note_import_folders([folder])
        assert library.watched_folders.import_folders() == [folder]
        assert [each.name for each in library.collections.collections()] == ["unread"]
        library.documents.remove([document.document_id])
        drain(library.maintenance.purge())
        assert library.annotations.fetch() == []
    with SharedLibrary.open(creator, password, writable=False) as library:
        assert library.annotations.fetch() == []


def read_library_version(address: SharedAddress, password: str) -> int | None:
    database = SharedDatabase(address, password, writable=False)
    try:
        return schema.read_version(database)
    finally:
        database.close()


def test_an_upgraded_library_has_the_tables_of_a_new_one(
    old_library: SharedAddress, shared_libraries: SharedLibraries
) -> None:
    password = shared_libraries.server.password
    upgrade_library(shared_libraries.server.address(old_library.database, "old"), password)
    described = [describe_schema(each, password) for each in (old_library, shared_libraries.address("sessions"))]
    assert described[0] == described[1]


def describe_schema(address: SharedAddress, password: str) -> set[tuple[str, ...]]:
    """Columns, indexes, triggers, policies and rights of a library, without its names."""
    database = SharedDatabase(address, password, writable=False)
    try:
        roles = database.value("SELECT roles FROM meta")
        found = []
        for statement in (
            "SELECT 'column', table_name, column_name, data_type, is_nullable, column_default"
            " FROM information_schema.columns WHERE table_schema = current_schema()",
            "SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
            "SELECT 'trigger', event_object_table, trigger_name, event_manipulation, action_statement"
            " FROM information_schema.triggers WHERE trigger_schema = current_schema()",
            "SELECT 'policy', tablename, policyname, roles::text, qual, with_check FROM pg_policies"
            " WHERE schemaname = current_schema()",
            "SELECT 'function', proname, prosrc, prosecdef::text, proconfig::text, pg_get_userbyid(proowner),"
            " proacl::text"
            " FROM pg_proc WHERE pronamespace = current_schema()::regnamespace",
            "SELECT 'table', relname, relkind::text, relrowsecurity::text, relforcerowsecurity::text, relacl::text"
            " FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
        ):
            found += database.rows(statement)
        return {
            tuple(str(each).replace(roles, "ROLES").replace(address.schema, "SCHEMA") for each in row)
            for row in found
            if not re.search(r"\b(vector|total)_\d", " ".join(map(str, row)))  # each model has its own
        }
    finally:
        database.close()


TROJANS = (
    "format(text, text, name) RETURNS text",
    "unnest(text[]) RETURNS SETOF text",
    "unnest(bigint[]) RETURNS SETOF bigint",
)


def test_a_writer_runs_nothing_with_the_rights_of_others(
    library: SharedLibrary, open_session: Open, shared_libraries: SharedLibraries
) -> None:
    document_id = take_in(library, "a.txt", texts("a", 2))
    open_session("writer").close()
    server, schema_name = shared_libraries.server, "kindred_sessions"

    def connect(user: str) -> psycopg.Connection[Any]:
        return psycopg.connect(
            host=server.host, port=server.port, user=user, password=server.password, dbname=shared_libraries.database,
            sslmode=server.sslmode, sslrootcert=server.certificate or None, autocommit=True,
            options=f"-c search_path={schema_name},public",
        )  # fmt: skip

    writer, owner = connect(shared_libraries.user("of_writer")), connect(shared_libraries.user("anna"))
    with writer, owner:
        for head in TROJANS:
            writer.execute(
                f"CREATE FUNCTION {head} LANGUAGE plpgsql AS $$ BEGIN RAISE 'ran as %', current_user; END $$".encode()
            )
        try:
            owner.execute("SELECT give_right(%s::name, 'reader')", (shared_libraries.user("of_writer"),))
            owner.execute("UPDATE document SET removed_at = 0, path = 'x' WHERE id = %s", (document_id,))
            for user in ("anna", "of_writer"):
                with pytest.raises(LibraryUnreachable, match="did not create") as refused:
                    shared_libraries.open("sessions", shared_libraries.user(user))
                assert "format, unnest, unnest" in str(refused.value)
        finally:
            owner.execute("SET ROLE NONE")
            for head in TROJANS:
                writer.execute(f"DROP FUNCTION {schema_name}.{head.partition(' RETURNS')[0]}".encode())
    shared_libraries.open("sessions").close()


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
