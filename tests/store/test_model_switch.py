"""A model switch: the old model answers until one transaction, and vectors of both are never compared."""

from __future__ import annotations

import multiprocessing
import weakref
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.errors import ModelMismatch
from desktop_app.core.library import Library
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.records import ModelInfo
from desktop_app.store import document_sums, library_models, model_switch
from desktop_app.store.index_segment_builder import BuildRequest, BuiltSegment, SegmentBuild
from desktop_app.store.index_segments import Segments
from tests.steps import go_through, run_steps

from .conftest import Open
from .helpers import (
    MODEL,
    OTHER,
    add,
    drain,
    faults,
    files_with,
    found,
    found_by,
    head,
    path,
    re_embed,
    spans_of,
    stored_bytes,
    switch,
    switch_steps,
    take_in,
    texts,
    vector_of,
    vectors_by,
)

pytestmark = pytest.mark.every_library


@pytest.fixture
def filled(library: Library) -> Library:
    for name in ("a", "b", "c"):
        take_in(library, f"{name}.txt", [*texts(name, 60), "A sentence of all three."])
    return library


def test_the_old_model_answers_until_the_switch_completes(filled: Library) -> None:
    filled.model_switch.begin(OTHER)
    assert filled.model_switch.target is not None
    assert (filled.model_switch.target.model, filled.model_switch.target.is_stopped) == (OTHER, False)
    for done, _ in enumerate(re_embed(filled), start=1):
        assert filled.models.current == MODEL
        assert filled.info().vectors == filled.info().searchable == 181
        assert found(filled, texts("b", 60)[done]) == [texts("b", 60)[done]]
    assert run_steps(filled.model_switch.count_done()) == 181
    for _ in go_through(filled.model_switch.prepare()):
        assert found(filled, texts("c", 60)[7]) == [texts("c", 60)[7]]
    assert filled.model_switch.complete()
    assert filled.models.current == OTHER
    assert filled.model_switch.target is None
    assert filled.info().vectors == filled.info().searchable == 181
    assert found_by(OTHER, filled, texts("c", 60)[7]) == [texts("c", 60)[7]]
    assert faults(filled) == []


def test_vectors_of_the_old_model_are_refused_afterwards(filled: Library) -> None:
    switch(filled)
    with pytest.raises(ValueError, match="shape"):
        filled.search.nearest(vector_of("anything"), 3)
    with pytest.raises(ModelMismatch):
        filled.models.bind(MODEL)
    with pytest.raises(ValueError, match="shape"):
        take_in(filled, "d.txt", texts("d", 5))


def test_documents_are_ranked_by_the_new_vectors(filled: Library, open_library: Open) -> None:
    drain(filled.maintenance.run())
    switch(filled)
    fresh = open_library(folder=Path(filled.info().folder).parent / "fresh")
    fresh.models.bind(OTHER)
    for name in ("a", "b", "c"):
        own = [*texts(name, 60), "A sentence of all three."]
        document_id = fresh.documents.add([FileRef(path(f"{name}.txt"), 100, 1)])[0].document_id
        fresh.ingest.begin(document_id, head())
        new = fresh.ingest.without_vector(own)
        fresh.ingest.append(document_id, spans_of(own), new, vectors_by(OTHER, new))
        fresh.ingest.finish(document_id, ReadingDone())
    query = vectors_by(OTHER, ["a question"])[0]
    switched, again = (
        filled.document_ranking.nearest_documents(query, 3),
        fresh.document_ranking.nearest_documents(query, 3),
    )
    assert [row[0] for row in switched] == [row[0] for row in again]
    np.testing.assert_allclose([row[1] for row in switched], [row[1] for row in again], atol=1e-6)


def test_documents_imported_meanwhile_are_embedded_too(filled: Library) -> None:
    filled.model_switch.begin(OTHER)
    drain(re_embed(filled))
    take_in(filled, "late.txt", texts("late", 10))
    drain(filled.model_switch.prepare())
    assert not filled.model_switch.complete()
    drain(re_embed(filled))
    drain(filled.model_switch.prepare())
    take_in(filled, "later.txt", texts("later", 10))
    assert not filled.model_switch.complete()
    assert filled.models.current == MODEL
    assert found(filled, "late has a sentence with the number 3.") == ["late has a sentence with the number 3."]
    switch(filled)
    for name in ("late", "later"):
        assert found_by(OTHER, filled, texts(name, 10)[3]) == [texts(name, 10)[3]]
    assert faults(filled) == []


def test_documents_removed_meanwhile_do_not_come_back(filled: Library) -> None:
    filled.model_switch.begin(OTHER)
    drain(re_embed(filled))
    drain(filled.model_switch.prepare())
    (gone,) = filled.documents.find("b.txt")
    filled.documents.remove([gone.document_id])
    drain(filled.maintenance.purge())
    assert not filled.model_switch.complete()
    assert filled.info().vectors == 121
    pending, _ = filled.model_switch.without_new_vector(0, 1000)
    assert pending == []
    switch(filled)
    assert filled.info().vectors == filled.info().searchable == 121
    assert texts("b", 60)[3] not in found_by(OTHER, filled, texts("b", 60)[3], 121)
    assert faults(filled) == []


def test_a_reimported_document_gets_a_new_mean(filled: Library) -> None:
    filled.model_switch.begin(OTHER)
    drain(re_embed(filled))
    drain(filled.model_switch.prepare())
    (changed,) = filled.documents.find("b.txt")
    filled.ingest.begin(changed.document_id, head("again"))
    # No sentence is new, but the document has changed.
    filled.ingest.append(changed.document_id, spans_of(texts("a", 30)), [], np.empty((0, MODEL.dim), np.float32))
    filled.ingest.finish(changed.document_id, ReadingDone())
    assert not filled.model_switch.complete()
    switch(filled)
    query = vectors_by(OTHER, [texts("a", 60)[0]])[0]
    means = {row[0]: row[1] for row in filled.document_ranking.nearest_documents(query, 3)}
    own = vectors_by(OTHER, texts("a", 30)).sum(axis=0)
    wanted = 0.5 * float(query @ query) + 0.5 * float(query @ own) / np.linalg.norm(own)
    assert means[changed.document_id] == pytest.approx(wanted, abs=1e-5)


def means_near(model: ModelInfo, library: Library, own: dict[int, list[str]]) -> None:
    """Check the ranks of documents (their sentences by id) by a model against the sums of its vectors."""
    query = vectors_by(model, ["a question"])[0]
    wanted = {}
    for document_id, some in own.items():
        vectors = vectors_by(model, some)
        total = vectors.sum(axis=0)
        wanted[document_id] = 0.5 * float((vectors @ query).max()) + 0.5 * float(query @ total / np.linalg.norm(total))
    ranked = {row[0]: row[1] for row in library.document_ranking.nearest_documents(query, len(own))}
    assert ranked == pytest.approx(wanted, abs=1e-5)


def test_documents_are_ranked_by_the_vectors_in_use_whenever_sums_are_moved(
    library: Library, open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_sums, "_MOVED_AT_ONCE", 2)
    own = {take_in(library, f"{name}.txt", texts(name, 20)): texts(name, 20) for name in "abcde"}
    before = MODEL
    for model in (OTHER, MODEL, OTHER):  # each before the upkeep after the one before
        library.model_switch.begin(model)
        drain(re_embed(library))
        drain(library.model_switch.prepare())
        with open_library(writable=False, create=False) as reader:  # it has not read the sums yet
            means_near(before, reader, own)
        assert library.model_switch.complete()
        means_near(model, library, own)
        before = model
    for _ in go_through(library.maintenance.run()):
        means_near(OTHER, library, own)
    switch(library, MODEL)
    drain(library.maintenance.run())
    means_near(MODEL, library, own)
    assert faults(library) == []


def test_a_document_that_grows_over_a_switch_gets_the_mean_of_the_new_vectors(library: Library) -> None:
    own = texts("a", 40)
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head())
    library.ingest.append(document_id, spans_of(own[:20]), own[:20], vectors_by(MODEL, own[:20]))
    switch(library)
    library.ingest.append(document_id, spans_of(own[20:]), own[20:], vectors_by(OTHER, own[20:]))
    library.ingest.finish(document_id, ReadingDone())
    means_near(OTHER, library, {document_id: own})
    drain(library.maintenance.run())
    means_near(OTHER, library, {document_id: own})


@pytest.mark.only_local
def test_the_step_that_switches_writes_no_sum(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_sums, "_MOVED_AT_ONCE", 2)
    library = open_library()
    library.models.bind(MODEL)
    for name in "abcde":
        take_in(library, f"{name}.txt", texts(name, 20))

    def stored(table: str) -> list[bytes]:
        with library._database.read_transaction() as connection:
            return list(connection.exec_driver_sql(f"SELECT vector FROM {table} ORDER BY version_id").scalars())

    old = stored("total")
    switch(library)
    new = stored("next_total")
    assert stored("total") == old
    assert len(new) == 5
    moving = document_sums.move_sums(library._database)
    for moved in (2, 4, 5):
        while next(moving) is not None:  # the log is moved in between
            pass
        assert stored("total") == new[:moved] + old[moved:]
    drain(moving)
    assert stored("next_total") == []
    assert files_with(library.folder, *old) != []  # in the log
    drain(library.maintenance.run())
    assert files_with(library.folder, *old) == []


@pytest.mark.only_local
def test_new_vectors_are_counted_some_at_a_time(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_switch, "_COUNTED", 20)
    take_in(library, "a.txt", texts("a", 90))
    library.model_switch.begin(OTHER)
    next(re_embed(library))
    seen: list[object] = []
    assert run_steps(library.model_switch.count_done(), seen) == 50
    assert len(seen) >= 90 / 20
    library.model_switch.give_up()
    assert run_steps(library.model_switch.count_done()) == 0


def test_a_switch_continues_after_a_restart(filled: Library, open_library: Open) -> None:
    filled.model_switch.begin(OTHER)
    steps = re_embed(filled)
    done = next(steps) + next(steps)
    filled.close()
    library = open_library()
    assert library.models.current == MODEL
    assert library.model_switch.target is not None
    assert run_steps(library.model_switch.count_done()) == done
    assert library.models.count_vectors() == {"f1": 181, "f2": done}
    library.model_switch.begin(OTHER)
    assert sum(re_embed(library)) == 181 - done
    switch(library)
    drain(library.maintenance.run())
    library.close()
    library = open_library()
    assert library.models.current == OTHER
    assert library.models.count_vectors() == {"f2": 181}
    assert found_by(OTHER, library, texts("a", 60)[9]) == [texts("a", 60)[9]]


def test_a_switch_stopped_by_a_person_waits(filled: Library, open_library: Open) -> None:
    filled.model_switch.begin(OTHER)
    filled.model_switch.stop()
    filled.close()
    library = open_library()
    assert library.model_switch.target is not None
    assert library.model_switch.target.is_stopped
    library.model_switch.begin(OTHER)
    assert not library.model_switch.target.is_stopped


def test_a_cancelled_switch_leaves_nothing(filled: Library, tmp_path: Path) -> None:
    filled.model_switch.begin(OTHER)
    drain(re_embed(filled))
    filled.model_switch.give_up()
    drain(filled.maintenance.purge())
    assert filled.model_switch.target is None
    assert filled.models.count_vectors() == {"f1": 181}
    assert files_with(tmp_path, stored_bytes(vectors_by(OTHER, [texts("a", 60)[3]])[0])) == []
    assert found(filled, texts("a", 60)[3]) == [texts("a", 60)[3]]
    assert faults(filled) == []


def test_another_target_cancels_the_first_switch_and_the_current_model_cancels_both(filled: Library) -> None:
    filled.model_switch.begin(OTHER)
    next(re_embed(filled))
    third = type(OTHER)("third", "f3", 16, 128, "mean", True)
    filled.model_switch.begin(third)
    assert filled.model_switch.target is not None
    assert filled.model_switch.target.model == third
    filled.model_switch.begin(MODEL)
    assert filled.model_switch.target is None
    drain(filled.maintenance.purge())
    assert filled.models.count_vectors() == {"f1": 181}


def test_a_switch_back_is_possible_before_the_old_vectors_are_erased(filled: Library) -> None:
    switch(filled)
    filled.model_switch.begin(MODEL)
    assert filled.model_switch.without_new_vector(0, 1000)[0] == []  # nothing is embedded twice
    drain(filled.model_switch.prepare())
    assert filled.model_switch.complete()
    assert found(filled, texts("a", 60)[3]) == [texts("a", 60)[3]]
    drain(filled.maintenance.purge())
    assert filled.models.count_vectors() == {"f1": 181}
    assert faults(filled) == []


def test_an_empty_library_switches_at_once(library: Library) -> None:
    library.model_switch.begin(OTHER)
    assert library.model_switch.target is None
    assert library.models.current == OTHER


@pytest.mark.only_local
def test_the_old_vectors_and_graphs_are_erased(open_library: Open, tmp_path: Path) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    own = texts("a", 150)
    take_in(library, "a.txt", own)
    drain(library.maintenance.run())
    old = {file.name for file in (tmp_path / "library" / "segments").iterdir()}
    assert len(old) == 3
    switch(library)
    new = {file.name for file in (tmp_path / "library" / "segments").iterdir()} - old
    assert len(new) == 3  # built before the switch, so that no query waits for them
    drain(library.maintenance.run())
    assert {file.name for file in (tmp_path / "library" / "segments").iterdir()} == new
    assert files_with(tmp_path / "library", *[stored_bytes(vector_of(text)) for text in own[::10]]) == []
    for text in own[::10]:
        assert found_by(OTHER, library, text) == [text]
    assert faults(library) == []
    library.close()
    library = open_library(tail_rows=40)
    assert [found_by(OTHER, library, text) for text in own[::10]] == [[text] for text in own[::10]]
    assert faults(library) == []


@pytest.mark.only_local
def test_no_sentence_is_left_out_when_vectors_are_erased_while_graphs_are_built(open_library: Open) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 30))
    take_in(library, "b.txt", texts("b", 150))
    steps = switch_steps(library)
    assert any(multiprocessing.active_children() for _ in steps)
    library.documents.remove([a])
    drain(library.maintenance.purge())
    drain(steps)
    assert library.info().searchable == 150
    assert [found_by(OTHER, library, text) for text in texts("b", 150)] == [[text] for text in texts("b", 150)]
    assert faults(library) == []


@pytest.mark.only_local
@pytest.mark.parametrize("failing", [1, 2])
def test_no_sentence_is_left_out_when_a_build_fails(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    started: list[BuildRequest] = []

    class Build(SegmentBuild):
        def __init__(self, request: BuildRequest) -> None:
            super().__init__(request)
            started.append(request)

        def poll(self) -> BuiltSegment | str | None:
            return "no memory" if self.request in started[:failing] else super().poll()

    monkeypatch.setattr("desktop_app.store.index_segment_sealing.SegmentBuild", Build)
    monkeypatch.setattr("desktop_app.store.index_segment_sealing._BUILDS_AT_ONCE", 1)
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    switch(library)
    assert library.info().searchable == 150
    assert [found_by(OTHER, library, text) for text in texts("a", 150)] == [[text] for text in texts("a", 150)]
    assert faults(library) == []


@pytest.mark.only_local
def test_graphs_are_built_several_at_once_and_stored_in_order(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("desktop_app.store.index_segment_sealing._BUILDS_AT_ONCE", 2)
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    steps = switch_steps(library)
    assert any(multiprocessing.active_children() for _ in steps)
    assert len(multiprocessing.active_children()) == 2
    steps.close()
    assert not multiprocessing.active_children()
    assert list((tmp_path / "library" / "segments").iterdir()) == []

    stored: list[int] = []
    keep = Segments.keep_next

    def note(segments: Segments, built: BuiltSegment, request: BuildRequest) -> None:
        stored.append(request.first_id)
        keep(segments, built, request)

    monkeypatch.setattr(Segments, "keep_next", note)
    switch(library)
    assert stored == sorted(stored)
    assert len(stored) == 3
    assert faults(library) == []


@pytest.mark.only_local
def test_a_graph_of_the_old_model_that_is_built_during_the_switch_does_not_come_into_the_new_index(
    open_library: Open,
) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    library.model_switch.begin(OTHER)
    drain(re_embed(library))
    drain(library.model_switch.prepare())
    upkeep = library.maintenance.run()
    assert any(multiprocessing.active_children() for _ in upkeep)
    assert library.model_switch.complete()
    drain(upkeep)
    assert library.info().searchable == 150
    assert [found_by(OTHER, library, text) for text in texts("a", 150)] == [[text] for text in texts("a", 150)]
    assert faults(library) == []


@pytest.mark.only_local
def test_the_memory_of_the_old_graphs_is_released_one_after_the_other(open_library: Open) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    library.maintenance.keep_index_loaded()
    drain(library.maintenance.run())
    assert all(graph.is_in_memory for graph in library._segments.loaded_index.segments.values())
    old = [weakref.ref(graph) for graph in library._segments.loaded_index.segments.values()]

    def count() -> int:
        return sum(graph() is not None for graph in old)

    assert len(old) == 3
    switch(library)
    assert count() == 3, "to release forty at once takes longer than a search may wait"
    assert all(graph.is_in_memory for graph in library._segments.loaded_index.segments.values())
    upkeep = library.maintenance.run()
    for left in (2, 1, 0):
        next(upkeep)
        assert count() == left
    drain(upkeep)


@pytest.mark.only_local
def test_a_later_commit_moves_a_large_log_into_the_file(open_library: Open) -> None:
    database = open_library()._database

    def write(pages: int) -> tuple[int, int]:
        """Return how many pages the file has, and how many are in the log."""
        with database.write_transaction() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS large (content BLOB)")
            connection.exec_driver_sql("INSERT INTO large VALUES (zeroblob(?))", (8192 * pages,))
        return database.file.stat().st_size // 8192, Path(f"{database.file}-wal").stat().st_size // 8192

    with database.postpone_checkpoint():
        moved, logged = write(1500)
        assert moved < 500
        assert logged >= 1500
    assert write(1)[0] >= 1500


@pytest.mark.only_local
def test_the_log_is_moved_into_the_file_beside_the_engine(open_library: Open) -> None:
    database = open_library()._database

    def write(pages: int) -> tuple[int, int]:
        """Return how many pages the file has, and how many the log has had at most."""
        with database.write_transaction() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS large (content BLOB)")
            connection.exec_driver_sql("INSERT INTO large VALUES (zeroblob(?))", (8192 * pages,))
        return pages_of()

    def pages_of() -> tuple[int, int]:
        return database.file.stat().st_size // 8192, Path(f"{database.file}-wal").stat().st_size // 8192

    before, logged = write(400)
    state = database.state()
    assert database.take_file()  # as a purge does, which writes to the file itself
    run_steps(database.move_log())
    assert pages_of() == (before, logged)
    database.release_file()
    run_steps(database.move_log())
    assert pages_of()[0] >= before + 400
    assert database.state() == state, "nothing has changed"
    assert write(300)[1] == logged, "the log begins again"
    with database.read_transaction() as connection:
        found = connection.exec_driver_sql("SELECT length(content) FROM large").scalars().all()
    assert found == [8192 * 400, 8192 * 300]
    assert database.take_file(), "the file is free"
    database.release_file()


@pytest.mark.only_local
def test_many_new_vectors_are_flushed_step_by_step(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_switch, "_FLUSHED_VECTORS", 80)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    run_steps(library._database.move_log())
    library.model_switch.begin(OTHER)
    sizes = [library._database.file.stat().st_size]
    for _ in re_embed(library):
        run_steps(library.model_switch.flush())
        sizes.append(library._database.file.stat().st_size)
    assert sizes[0] == sizes[1] < sizes[2] == sizes[3]


@pytest.mark.only_local
def test_the_last_new_vectors_are_flushed_before_graphs_and_sums_are_stored(open_library: Open) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    library.model_switch.begin(OTHER)
    drain(re_embed(library))

    def stored() -> int:
        with library._database.read_transaction() as connection:
            query = "SELECT (SELECT count(*) FROM segment) + (SELECT count(*) FROM next_total)"
            return int(connection.exec_driver_sql(query).scalar_one())

    before = library._database.file.stat().st_size
    steps = library.model_switch.prepare()
    while not stored():
        next(steps)
    assert library._database.file.stat().st_size > before
    steps.close()


@pytest.mark.only_local
def test_vectors_of_the_old_model_are_looked_for_some_at_a_time(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    switch(library)

    def count() -> int:
        with library._database.read_transaction() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM embedding").scalar_one())

    assert count() == 300
    monkeypatch.setattr(library_models, "_STEP_LOOK_AT", 20)
    erasing = library_models.erase_other_models(library._database, library._segments)
    assert len(list(erasing)) >= 150 / 20
    assert count() == library.info().vectors == 150
    assert library.model_switch.previous == MODEL


@pytest.mark.only_local
def test_the_old_vectors_are_erased_whatever_the_counters_say(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 60))
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql("UPDATE counter SET value = value + 100 WHERE name = 'sentences'")
    for model, unused in ((OTHER, MODEL), (replace(OTHER, name="third", fingerprint="f3"), OTHER)):
        switch(library, model)
        drain(library.maintenance.run())
        with library._database.read_transaction() as connection:
            query = "SELECT fingerprint FROM embedding JOIN model ON model.id = model_id"
            stored = connection.exec_driver_sql(query).scalars().all()
        assert stored == [model.fingerprint] * 60, f"vectors of {unused.name} are left"


@pytest.mark.only_local
def test_a_switch_back_keeps_what_is_not_erased_yet(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_models, "_STEP_VECTORS", 20)
    library = open_library(tail_rows=20)
    library.models.bind(MODEL)
    own = texts("a", 60)
    document_id = take_in(library, "a.txt", own)

    def embed(model: ModelInfo) -> int:
        """Give the sentences that need it a vector; those of the other model are all of truncated ones."""
        pending, _ = library.model_switch.without_new_vector(0, 100)
        ids = [sentence_id for sentence_id, _ in pending]
        vectors = vectors_by(model, [text for _, text in pending])
        library.model_switch.append(ids, vectors, truncated=ids if model == OTHER else ())
        drain(library.model_switch.prepare())
        assert library.model_switch.complete()
        return len(ids)

    library.model_switch.begin(OTHER)
    embed(OTHER)
    embedded = []
    for steps in range(1, 8):
        library.model_switch.begin(MODEL)
        embed(MODEL)
        assert library.documents.get(document_id).truncated == 0
        erasing = library_models.erase_other_models(library._database, library._segments)
        for _ in range(steps):
            while next(erasing) is not None:  # the log is moved in between
                pass
        library.model_switch.begin(OTHER)
        drain(erasing)
        embedded.append(embed(OTHER))
        assert library.documents.get(document_id).truncated == 60
        assert [found_by(OTHER, library, text) for text in own] == [[text] for text in own]
        assert faults(library) == []
    assert embedded == sorted(embedded), "what was not erased is not embedded again"
    assert (embedded[0], embedded[-1]) == (0, 40)


@pytest.mark.only_local
def test_no_file_of_an_old_graph_is_left_wherever_erasing_stops(open_library: Open) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    drain(library.maintenance.run())
    switch(library)
    counts = []
    for _ in library_models.erase_other_models(library._database, library._segments):
        with library._database.read_transaction() as connection:
            known = set(connection.exec_driver_sql("SELECT file FROM segment").scalars())
        assert {file.name for file in (library.folder / "segments").iterdir()} == known
        counts.append(len(known))
    assert sorted(set(counts)) == [3, 4, 5, 6], "one file a step"


def test_a_reader_follows_the_switch(filled: Library, open_library: Open) -> None:
    reader = open_library(writable=False, create=False)
    assert found(reader, texts("a", 60)[3]) == [texts("a", 60)[3]]
    switch(filled)
    assert reader.models.current == OTHER
    assert found_by(OTHER, reader, texts("a", 60)[3]) == [texts("a", 60)[3]]


def test_sentences_truncated_by_the_new_model_are_counted_again(library: Library) -> None:
    own = texts("a", 10)
    document_id = take_in(library, "a.txt", own)
    library.model_switch.begin(OTHER)
    pending, _ = library.model_switch.without_new_vector(0, 100)
    ids = [sentence_id for sentence_id, _ in pending]
    library.model_switch.append(ids, vectors_by(OTHER, own), truncated=ids[:3])
    assert library.documents.get(document_id).truncated == 0
    switch(library)
    assert library.documents.get(document_id).truncated == 3
    switch(library, MODEL)
    drain(library.maintenance.purge())
    assert library.documents.get(document_id).truncated == 0


def test_the_previous_model_is_known_after_its_vectors_are_erased(filled: Library, open_library: Open) -> None:
    assert filled.model_switch.previous is None
    filled.model_switch.begin(OTHER)
    assert filled.model_switch.previous is None, "an unfinished switch has no previous model"
    switch(filled)
    drain(filled.maintenance.run())
    assert filled.models.count_vectors() == {"f2": 181}
    filled.close()
    library = open_library()
    assert library.model_switch.previous == MODEL
    assert faults(library) == []
    switch(library, MODEL)
    drain(library.maintenance.run())
    assert library.model_switch.previous == OTHER
    assert library.models.count_vectors() == {"f1": 181}
    assert found(library, texts("a", 60)[3]) == [texts("a", 60)[3]]


def test_of_many_models_the_one_before_is_the_previous_one(library: Library) -> None:
    take_in(library, "a.txt", texts("a", 3))
    models = [MODEL, OTHER, *(replace(OTHER, name=f"m{at}", fingerprint=f"f{at}") for at in range(3, 6))]
    for before, model in pairwise(models):
        switch(library, model)
        assert library.model_switch.previous == before
    switch(library, models[2])
    assert library.model_switch.previous == models[-1]


def test_only_the_documents_of_a_refused_sentence_fail_with_the_switch(library: Library) -> None:
    good, bad, gone = (take_in(library, f"{name}.txt", [*texts(name, 3), f"{name} only."]) for name in ("a", "b", "c"))
    library.documents.remove([gone])
    refused = library.analysis_reader.ids(["b only.", "c only."])
    library.model_switch.begin(OTHER)
    pending = dict(library.model_switch.without_new_vector(0, 100)[0])
    usable = {each: text for each, text in pending.items() if each not in refused.values()}
    library.model_switch.append(list(usable), vectors_by(OTHER, list(usable.values())))
    affected = library.model_switch.affected_documents(refused.values())
    assert [(each.document_id, each.path, each.sentence_id, each.is_removed, each.is_busy) for each in affected] == [
        (bad, path("b.txt"), refused["b only."], False, False),
        (gone, path("c.txt"), refused["c only."], True, False),
    ]
    assert library.model_switch.needed_by_imports(refused.values()) == set()
    drain(library.model_switch.prepare(refused.values()))
    messages = {bad: verbatim("It has no vector"), gone: verbatim("It has none either")}
    assert library.model_switch.complete(messages)
    found = {row.document_id: row for row in library.documents.fetch()}
    assert (found[good].state, found[good].sentences) == ("ready", 4)
    assert (found[bad].state, found[bad].reason, found[bad].sentences) == ("failed", "no_vector", 0)
    assert str(found[bad].message) == "It has no vector"
    assert library.analysis_reader.ids(["b only.", "a only."]).keys() == {"a only."}
    assert faults(library) == []
