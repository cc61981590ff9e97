"""Several sessions import at the same time: nothing is lost, doubled or half visible, whoever dies."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from desktop_app.core.annotations import Annotation
from desktop_app.core.errors import AppError, NotFound
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.shared_store.connection import LIVE_WORKERS, SharedDatabase
from desktop_app.shared_store.ingest import UNFINISHED
from desktop_app.shared_store.library import SharedLibrary
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire
from tests.steps import wait_a_moment
from tests.store.helpers import (
    MODEL,
    add,
    drain,
    faults,
    found,
    head,
    path,
    shown,
    spans_of,
    store,
    take_in,
    texts,
    vectors_of,
)

from .conftest import Open


def kill(library: SharedLibrary, watcher: SharedLibrary) -> None:
    """End a session as if its machine had died, and wait until the server has noticed."""
    worker = library._database.worker
    library._database.connection().close()
    while worker in watcher._database.column(LIVE_WORKERS):
        wait_a_moment()


def test_sessions_store_the_same_sentences_once(library: SharedLibrary, open_session: Open) -> None:
    sessions = [open_session("writer", user=f"worker{at}") for at in range(3)]
    shared = texts("shared", 60)
    finished: list[int] = []

    def work(at: int, session: SharedLibrary) -> None:
        for round_ in range(4):
            order = np.random.default_rng(10 * at + round_).permutation(len(shared)).tolist()
            take_in(session, f"{at}-{round_}.txt", [*(shared[i] for i in order), *texts(f"{at} {round_}", 5)])
        finished.append(at)

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(finished) == [0, 1, 2]
    info = library.info()
    assert (info.documents, info.occurrences, info.sentences, info.vectors) == (12, 12 * 65, 120, 120)
    assert faults(library) == []


def test_the_import_of_a_dead_session_is_taken_over(library: SharedLibrary, open_session: Open) -> None:
    dead, alive = open_session("writer", user="dead"), open_session("writer", user="alive")
    lost, kept = add(dead, "lost.txt"), add(alive, "kept.txt")
    for session, document_id in ((dead, lost), (alive, kept)):
        session.ingest.begin(document_id, head())
        store(session, document_id, texts("a", 5))
    kill(dead, library)
    assert library.documents.get(lost).state == "queued"
    assert library.documents.get(kept).state == "embedding"
    assert library.ingest.recover() == 1
    assert shown(library, lost) == []
    assert shown(library, kept) == texts("a", 5)
    library.ingest.begin(lost, head())
    store(library, lost, texts("a", 5))
    library.ingest.finish(lost, ReadingDone())
    store(alive, kept, texts("b", 5))
    alive.ingest.finish(kept, ReadingDone())
    assert library.info().states == {"ready": 2}
    assert faults(library) == []


def test_a_session_that_was_cut_off_does_not_disturb_its_successor(library: SharedLibrary, open_session: Open) -> None:
    cut_off = open_session("writer")
    document_id = add(cut_off, "a.txt")
    cut_off.ingest.begin(document_id, head())
    store(cut_off, document_id, texts("old", 3))
    kill(cut_off, library)
    library.ingest.recover()
    library.ingest.begin(document_id, head())
    store(library, document_id, texts("new", 3))
    with pytest.raises(NotFound, match="another program"):
        cut_off.ingest.append(document_id, spans_of(["x"]), [], np.empty((0, MODEL.dim), np.float32))
    library.ingest.finish(document_id, ReadingDone())
    assert shown(library) == texts("new", 3)
    drain(library.maintenance.purge())
    assert faults(library) == []


def test_a_session_takes_up_again_what_its_lost_connection_had_begun(library: SharedLibrary) -> None:
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head())
    store(library, document_id, texts("old", 3))
    with pytest.raises(AppError, match="lost"), library._database.write_transaction():
        library._database.rows("SELECT pg_terminate_backend(pg_backend_pid())")
    assert library.ingest.recover() == 1
    with pytest.raises(NotFound, match="another program"):
        store(library, document_id, texts("new", 1))
    assert library.ingest.claim([document_id]) == [document_id]
    library.ingest.begin(document_id, head())
    store(library, document_id, texts("new", 3))
    library.ingest.finish(document_id, ReadingDone())
    assert shown(library) == texts("new", 3)
    drain(library.maintenance.purge())
    assert faults(library) == []


def test_every_session_sees_who_else_imports(library: SharedLibrary, open_session: Open) -> None:
    worker, reader = open_session("writer", user="worker", machine="archive-2"), open_session("reader")
    assert library.list_importers() == []
    document_id = add(worker, "a.txt")
    worker.ingest.begin(document_id, head())
    store(worker, document_id, texts("a", 3))
    for session in (library, reader):
        (found,) = session.list_importers()
        assert (found.machine, found.user[-6:], found.documents) == ("archive-2", "worker", 1)
    assert worker.list_importers() == []
    kill(worker, library)
    assert library.list_importers() == []


@pytest.mark.usefixtures("library")
def test_a_session_that_looks_for_unfinished_documents_reads_no_others(shared_libraries: SharedLibraries) -> None:
    creator = shared_libraries.server.address(shared_libraries.database, "sessions")
    database = SharedDatabase(creator, shared_libraries.server.password, writable=True)
    try:
        database.run(
            "INSERT INTO document (path, path_folded, name, name_folded, state, size_bytes, mtime_ns, added_at)"
            " SELECT n::text::bytea, n::text, '', '', 'ready', 1, 1, 0 FROM generate_series(1, 20000) AS n"
        )
        database.run("ANALYZE document")
        plan = "\n".join(
            database.column(f"EXPLAIN SELECT id FROM document WHERE {UNFINISHED} ORDER BY id FOR UPDATE SKIP LOCKED")
        )
    finally:
        database.close()
    assert "Seq Scan" not in plan
    assert "document_unfinished" in plan


def test_a_killed_correction_leaves_the_document_as_it_was(library: SharedLibrary, open_session: Open) -> None:
    document_id = take_in(library, "a.txt", texts("a", 4))
    dead = open_session("writer")
    version_id = dead.corrections.begin(document_id)
    dead.corrections.append(document_id, version_id, spans_of(texts("a", 2)), [], np.empty((0, MODEL.dim), np.float32))
    kill(dead, library)
    library.ingest.recover()
    assert library.documents.get(document_id).state == "ready"
    assert shown(library) == texts("a", 4)
    assert faults(library) == []


def test_what_others_keep_of_a_document_stays_when_it_turns_out_to_be_a_copy(
    library: SharedLibrary, open_session: Open
) -> None:
    own = texts("a", 3)
    original = library.documents.get(take_in(library, "original.txt", own))
    copies = [add(library, f"copy {number}.txt") for number in range(3)]
    carla, dora = open_session("writer", user="carla"), open_session("writer", user="dora")
    for document_id in copies[:2]:
        library.ingest.begin(document_id, head())
        store(library, document_id, own)
    (quoted,) = carla.search.hits_at([(copies[0], 1, 1.0)])
    assert quoted is not None
    carla.user_data.add_quotes([quoted])
    dora.annotations.add([Annotation(0, copies[1], "sentence")])
    for document_id in copies[:2]:
        library.ingest.fail(document_id, "damaged", verbatim("It ends early"))
        library.ingest.queue(document_id, FileRef(path(f"copy {copies.index(document_id)}.txt"), 100, 1))
    library.collections.tag(copies, ["tea"])
    assert original.content_hash is not None
    joined = [library.copies.join(document_id, original.content_hash) for document_id in copies]
    assert joined == [None, None, original.document_id]
    assert [each.document_id for each in carla.user_data.quotes()] == copies[:1]
    assert [each.document_id for each in dora.annotations.fetch()] == copies[1:2]
    assert [each.document_id for each in library.documents.fetch()] == [original.document_id, *copies[:2]]
    (tag,) = library.collections.collections()
    assert tag.document_ids == {original.document_id, *copies[:2]}


def test_a_purge_erases_nothing_that_another_session_may_need(library: SharedLibrary, open_session: Open) -> None:
    shared = texts("shared", 3)
    gone = take_in(library, "gone.txt", shared)
    importer = open_session("writer")
    document_id = add(importer, "new.txt")
    importer.ingest.begin(document_id, head())
    assert importer.ingest.without_vector(shared) == []
    library.documents.remove([gone])
    drain(library.maintenance.purge())
    importer.ingest.append(document_id, spans_of(shared), [], np.empty((0, MODEL.dim), np.float32))
    importer.ingest.finish(document_id, ReadingDone())
    drain(library.maintenance.purge())
    assert shown(library) == shared
    assert library.info().vectors == 3
    assert faults(library) == []


def test_a_lost_connection_is_opened_again(library: SharedLibrary) -> None:
    take_in(library, "a.txt", texts("a", 5))
    library._database.rows("SELECT 1")
    with pytest.raises(AppError, match="lost"), library._database.write_transaction():
        library._database.rows("SELECT pg_terminate_backend(pg_backend_pid())")
    assert found(library, texts("a", 5)[1]) == texts("a", 5)[1:2]
    assert library.documents.remove([1]) == 1


@pytest.mark.usefixtures("library")
def test_a_batch_is_stored_in_two_round_trips(shared_libraries: SharedLibraries, wire: SlowWire) -> None:
    address = replace(shared_libraries.address("sessions"), port=wire.port)
    with SharedLibrary.open(address, shared_libraries.server.password) as importer:
        document_id = add(importer, "a.txt")
        importer.ingest.begin(document_id, head())
        for name, most in (("first", 3), ("second", 2), ("third", 2)):  # the first batch learns the model
            own = texts(name, 250)
            with wire.counting() as trips:
                importer.ingest.append(document_id, spans_of(own), own, vectors_of(own))
            assert 0 < trips() <= most
        with wire.counting() as trips:
            importer.ingest.finish(document_id, ReadingDone())
        assert 0 < trips() <= 3
        assert shown(importer) == [*texts("first", 250), *texts("second", 250), *texts("third", 250)]
        assert faults(importer) == []


def test_a_batch_that_repeats_sentences_and_brings_others_ahead_is_stored_once(library: SharedLibrary) -> None:
    known, new, ahead = texts("known", 3), texts("new", 2), texts("ahead", 2)
    take_in(library, "a.txt", known)
    document_id = add(library, "b.txt")
    library.ingest.begin(document_id, head())
    spans = spans_of([new[0], known[1], new[0], new[1]])
    library.ingest.append(document_id, spans, [*new, *ahead], vectors_of([*new, *ahead]), truncated=[new[1]])
    library.ingest.append(document_id, spans_of(ahead), [], np.empty((0, MODEL.dim), np.float32))
    library.ingest.finish(document_id, ReadingDone())
    assert shown(library, document_id) == [new[0], known[1], new[0], new[1], *ahead]
    info = library.info()
    assert (info.sentences, info.vectors, info.occurrences) == (7, 7, 9)
    assert library.documents.get(document_id).truncated == 1
    mean = library.document_ranking.mean_vectors([document_id])[0]
    total = vectors_of([new[0], known[1], new[0], new[1], *ahead]).sum(axis=0)
    assert mean == pytest.approx(total / np.linalg.norm(total), abs=1e-6)
    assert faults(library) == []
