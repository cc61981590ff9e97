"""Vectors move from the tail into partitions with graphs, which split, and lose every trace of what is erased."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import Waiting, run_to_completion
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.shared_address import SharedLogin
from desktop_app.engine.context import EngineContext, EngineSetup
from desktop_app.engine.engine import Engine
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search import SearchService, make_searcher
from desktop_app.shared_store import vectors
from desktop_app.shared_store.administration import ServerAdministration
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.look_ahead import SharedLookAhead
from desktop_app.shared_store.vectors import part_table, read_parts
from tests.engine.fakes import HashingEncoder, ScriptedReader
from tests.postgres_server import SharedLibraries
from tests.steps import run_steps, wait_a_moment
from tests.store.helpers import MODEL, add, drain, faults, found, head, spans_of, take_in, texts, vector_of, vectors_of

from .conftest import Open


def part_rows(library: SharedLibrary) -> dict[tuple[int, int], int]:
    """The partitions by modulus and remainder, with their rows."""
    database = library._database
    return {
        (part.modulus, part.remainder): database.value(f"SELECT count(*) FROM {part_table(1, part.number)}")
        for part in read_parts(database, 1)
    }


def tail_rows(library: SharedLibrary) -> int:
    return int(library._database.value(f"SELECT count(*) FROM {part_table(1, 0)}"))


@pytest.fixture
def small(library: SharedLibrary, open_session: Open) -> SharedLibrary:
    """The library in a session that makes small partitions."""
    return open_session(tail_rows=100, part_rows=100)


def test_the_status_counts_what_is_there(small: SharedLibrary, shared_libraries: SharedLibraries) -> None:
    login = SharedLogin(shared_libraries.address("sessions"), shared_libraries.server.password)
    take_in(small, "a.txt", texts("a", 140))
    drain(small.maintenance.run())
    take_in(small, "b.txt", texts("b", 30))
    status = ServerAdministration(login).status()
    assert (status.documents, status.sentences, status.queued) == (2, 170, 0)
    assert (status.partitions, status.tail, status.model) == (1, 30, MODEL.name)


def test_the_tail_moves_into_partitions_that_split(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 90))
    drain(small.maintenance.run())
    assert part_rows(small) == {}, "the tail is still small"
    take_in(small, "b.txt", texts("b", 50))
    drain(small.maintenance.run())
    assert part_rows(small) == {(1, 0): 140}
    assert tail_rows(small) == 0
    take_in(small, "c.txt", texts("c", 450))
    drain(small.maintenance.run())
    rows = part_rows(small)
    assert set(rows) == {(4, 0), (4, 1), (4, 2), (4, 3)}
    assert sum(rows.values()) == 590
    everything = [text for name, count in (("a", 90), ("b", 50), ("c", 450)) for text in texts(name, count)]
    query = vector_of("a question")
    near = small.search.nearest(query, 10)
    exact = np.sort(vectors_of(everything) @ query)[::-1][:10]
    assert [each.score for each in near] == pytest.approx(exact.tolist(), abs=1e-5)
    assert all(found(small, text) == [text] for text in everything[::60])
    assert small.info().searchable == 590
    assert small.info().recall is not None
    assert faults(small) == []


def test_a_search_is_repeated_whose_partition_is_replaced_meanwhile(
    small: SharedLibrary, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, other = HashingEncoder(), open_session(tail_rows=100, part_rows=100)
    own = [f"number {number} of all" for number in range(140)]
    small.models.bind(encoder.model)
    document_id = add(small, "a.txt")
    small.ingest.begin(document_id, head())
    small.ingest.append(document_id, spans_of(own), own, encoder.encode(own))
    small.ingest.finish(document_id, ReadingDone())
    drain(small.maintenance.run())
    setup = EngineSetup(
        open_library=lambda: small,
        load_encoder=lambda _bound: encoder,
        start_reader=lambda: ScriptedReader({}),
        is_supported=lambda _path: True,
        choose_device=lambda _bound: encoder.device,
    )
    expect, calls = SharedLookAhead.expect_sentences, list[Any]()

    def rebuild_before(*values: Any) -> None:
        calls.append(values)
        if len(calls) == 1:
            (part,) = read_parts(other._database, other.models.current_id or 0)
            drain(other.maintenance._sealer.rebuild(other.models.current_id or 0, encoder.model.dim, part.number))
        expect(*values)

    request = SearchRequest("number 77 of all", mode="meaning", top_k=3)
    context = EngineContext(Engine(), setup)
    make_searcher(context, request).search()  # from now on partitions are read before the query is embedded
    monkeypatch.setattr(SharedLookAhead, "expect_sentences", rebuild_before)
    result = run_steps(SearchService(context)._search(lambda: make_searcher(context, request).search_steps()))
    assert len(calls) == 2
    assert result.hits[0].text == "number 77 of all"


def test_a_search_that_is_given_up_leaves_the_next_one_its_width(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 140))
    drain(small.maintenance.run())
    with suppress(Cancelled), small.read_transaction():
        small.info()
        small.search.nearest(vector_of("a question"), 150)
        raise Cancelled
    small.search.nearest(vector_of("a question"), 150)
    assert int(small._database.value("SHOW hnsw.ef_search")) >= 150


def test_a_partition_that_was_never_put_in_place_is_deleted(small: SharedLibrary, open_session: Open) -> None:
    take_in(small, "a.txt", texts("a", 140))
    drain(small.maintenance.run())
    (part,) = read_parts(small._database, 1)
    stopped, reader = open_session(tail_rows=100, part_rows=100), open_session("reader")
    steps = stopped.maintenance._sealer.rebuild(1, MODEL.dim, part.number)
    unfinished = "SELECT count(*) FROM pg_class WHERE relname ~ '^vector_1_[0-9]+$' AND NOT relispartition"
    with reader.read_transaction():
        reader._database.rows("SELECT FROM vector_1 LIMIT 1")
        while not small._database.value(unfinished):
            next(steps)
            wait_a_moment()
        steps.close()
    assert small._database.value(unfinished) == 1
    drain(small.maintenance._sealer.rebuild(1, MODEL.dim, part.number))
    assert small._database.value(unfinished) == 0
    assert faults(small) == []


def test_nobody_waits_for_a_partition_that_somebody_reads_for_long(
    small: SharedLibrary, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_SHORT_WAIT", "SET LOCAL lock_timeout = '20ms'")
    monkeypatch.setattr(vectors, "_PAUSE_S", 0.02)
    take_in(small, "a.txt", texts("a", 140))
    drain(small.maintenance.run())
    reader, importer = open_session("reader"), open_session("writer")
    (part,) = read_parts(small._database, 1)
    steps = small.maintenance._sealer.rebuild(1, MODEL.dim, part.number)
    with reader.read_transaction():
        reader._database.rows("SELECT FROM vector_1 LIMIT 1")
        for _ in range(2000):
            next(steps)
            wait_a_moment()
            if small._database.value(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%%'"
            ):
                break
        else:
            raise AssertionError("it waits for the reader, and others with it")
        take_in(importer, "b.txt", texts("b", 3))
        assert found(importer, texts("b", 3)[1]) == texts("b", 3)[1:2]
    drain(steps)
    assert read_parts(small._database, 1) != [part]
    assert faults(small) == []


def test_a_few_new_vectors_enter_the_graphs(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 120))
    drain(small.maintenance.run())
    before = [part.number for part in read_parts(small._database, 1)]
    take_in(small, "b.txt", texts("b", 20))
    run_to_completion(small.maintenance._sealer.seal(1, 32, force=True))
    assert [part.number for part in read_parts(small._database, 1)] == before
    assert part_rows(small) == {(1, 0): 140}
    assert found(small, texts("b", 20)[7]) == texts("b", 20)[7:8]
    assert faults(small) == []


def test_erased_vectors_are_in_no_table_and_no_graph(small: SharedLibrary) -> None:
    gone = take_in(small, "gone.txt", texts("gone", 40))
    take_in(small, "a.txt", texts("a", 100))
    drain(small.maintenance.run())
    before = [part.number for part in read_parts(small._database, 1)]
    small.documents.remove([gone])
    drain(small.maintenance.purge())
    assert part_rows(small) == {(1, 0): 100}
    assert [part.number for part in read_parts(small._database, 1)] != before, "the graph is new"
    for table in ("sentence", "occurrence", "passage", "document"):
        assert not small._database.value(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%%gone%%'"), table
    assert small.info().vectors == 100
    assert faults(small) == []


def test_only_the_partition_of_what_is_erased_is_built_anew(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 220))
    gone = take_in(small, "gone.txt", ["A single sentence."])
    drain(small.maintenance.run())
    before = {(part.modulus, part.remainder): part.number for part in read_parts(small._database, 1)}
    assert len(before) == 2
    small.documents.remove([gone])
    drain(small.maintenance.purge())
    after = {(part.modulus, part.remainder): part.number for part in read_parts(small._database, 1)}
    assert sorted(before[each] == after[each] for each in before) == [False, True]
    assert sum(part_rows(small).values()) == 220
    assert faults(small) == []


def test_nothing_deleted_waits_for_the_upkeep_of_the_server(
    library: SharedLibrary, shared_libraries: SharedLibraries
) -> None:
    """Its creator may clean every table, others the new vectors."""
    with shared_libraries.open("sessions", shared_libraries.server.administrator) as creator:
        gone = take_in(creator, "gone.txt", texts("gone", 40))
        take_in(creator, "a.txt", texts("a", 60))
        creator.documents.remove([gone])
        drain(creator.maintenance.purge())
        said: list[str] = []
        connection = creator._database.connection()
        connection.add_notice_handler(lambda notice: said.append(notice.message_primary or ""))
        for table in ("occurrence", "sentence", "passage", part_table(1, 0)):
            connection.execute(f"VACUUM (VERBOSE, INDEX_CLEANUP ON) {table}".encode())
        assert len(said) >= 4
        assert all("tuples: 0 removed" in each for each in said if "tuples: " in each)
    drain(library.maintenance.purge())
    assert faults(library) == []


def test_sentences_erased_while_a_graph_is_built_do_not_come_back(small: SharedLibrary, open_session: Open) -> None:
    other = open_session()
    gone = take_in(small, "gone.txt", texts("gone", 40))
    take_in(small, "a.txt", texts("a", 100))
    steps = small.maintenance._sealer.seal(1, 32)
    next(steps)
    other.documents.remove([gone])
    drain(other.maintenance.purge())
    drain(steps)
    assert part_rows(small) == {(1, 0): 100}
    assert faults(small) == []


def wait_until_blocked(administrator: SharedDatabase, steps: Iterator[object]) -> None:
    """Run steps until a statement of theirs waits for a lock."""
    waits = (
        "SELECT FROM pg_locks WHERE NOT granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    while not administrator.rows(waits):
        next(steps)
        wait_a_moment()


@pytest.fixture
def administrator(shared_libraries: SharedLibraries) -> Iterator[SharedDatabase]:
    """A connection that can lock every table."""
    address = shared_libraries.address("sessions", shared_libraries.server.administrator)
    database = SharedDatabase(address, shared_libraries.server.password, writable=True)
    yield database
    database.close()


def test_searches_go_on_while_a_graph_is_built(small: SharedLibrary, administrator: SharedDatabase) -> None:
    """The tail keeps its sentences until the partition is ready; the session can even store more."""
    take_in(small, "a.txt", texts("a", 140))
    steps = small.maintenance.run()
    with administrator.write_transaction():
        administrator.run("LOCK TABLE part IN SHARE MODE")
        wait_until_blocked(administrator, steps)
        assert isinstance(next(steps), Waiting)
        assert found(small, texts("a", 140)[7]) == texts("a", 140)[7:8]
        assert small.info().searchable == 140
        assert part_rows(small) == {}
    drain(steps)
    assert part_rows(small) == {(1, 0): 140}
    assert faults(small) == []


def test_who_does_not_wait_for_a_graph_stops_the_server(small: SharedLibrary, administrator: SharedDatabase) -> None:
    """As when the program is closed: nothing is left of the new partition, and the next upkeep builds it."""
    take_in(small, "a.txt", texts("a", 140))
    steps = small.maintenance.run()
    with administrator.write_transaction():
        administrator.run("LOCK TABLE part IN SHARE MODE")
        wait_until_blocked(administrator, steps)
        steps.close()
        assert part_rows(small) == {}
        assert found(small, texts("a", 140)[7]) == texts("a", 140)[7:8]
    drain(small.maintenance.run())
    assert part_rows(small) == {(1, 0): 140}
    assert faults(small) == []


def test_the_tail_waits_where_the_server_takes_no_other_connection(
    small: SharedLibrary, administrator: SharedDatabase
) -> None:
    take_in(small, "a.txt", texts("a", 140))
    user = small._database.address.user
    administrator.run(f"ALTER ROLE {user} CONNECTION LIMIT 0")
    try:
        drain(small.maintenance.run())
        assert part_rows(small) == {}
        assert found(small, texts("a", 140)[7]) == texts("a", 140)[7:8]
    finally:
        administrator.run(f"ALTER ROLE {user} CONNECTION LIMIT -1")
    drain(small.maintenance.run())
    assert part_rows(small) == {(1, 0): 140}
