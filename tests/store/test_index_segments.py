"""Sealing the tail, rebuilding bad files and erasing from graphs never change the answers."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import struct
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from desktop_app.core.jobs import Waiting
from desktop_app.core.library import Library
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.records import ScoredSentence
from desktop_app.store import index_segment_builder, purge
from desktop_app.store.index_segment_builder import BuildRequest, BuiltSegment, build_segment
from desktop_app.store.library import LocalLibrary
from desktop_app.store.vector_index import HnswGraph

from .conftest import Open
from .helpers import (
    MODEL,
    add,
    drain,
    faults,
    files_with,
    found,
    head,
    run_checks,
    shown,
    store,
    stored_bytes,
    take_in,
    texts,
    vector_of,
)


def answers(library: Library) -> list[list[ScoredSentence]]:
    """The hits of a search and their scores, up to the last bit of a sum."""
    return [
        [ScoredSentence(near.sentence_id, round(near.score, 5)) for near in library.search.nearest(vector_of(word), 8)]
        for word in ("one", "two", "three", "four")
    ]


def segment_files(folder: Path) -> list[Path]:
    return sorted((folder / "library" / "segments").iterdir())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The closed library of `sealed`."""
    base = tmp_path_factory.mktemp("sealed")
    with LocalLibrary.open(base / "library", tail_rows=100) as library:
        library.models.bind(MODEL)
        for name in "abcde":
            take_in(library, f"{name}.txt", texts(name, 50))
        before = answers(library)
        assert drain(library.maintenance.run()) > 0, "it waits for a child process"
        assert len(segment_files(base)) == 2
        assert answers(library) == before
    return base / "library"


@pytest.fixture
def sealed(template: Path, open_library: Open, tmp_path: Path) -> Library:
    """A library of 250 sentences in two segments and a tail."""
    shutil.copytree(template, tmp_path / "library")
    library: Library = open_library(tail_rows=100)
    return library


def test_a_sealed_library_is_the_same_after_reopening(sealed: Library, open_library: Open) -> None:
    before = answers(sealed)
    sealed.close()
    again = open_library(tail_rows=100)
    assert again.info().searchable == 250
    assert answers(again) == before
    assert again.info().searchable == 250
    assert drain(again.maintenance.run()) == 0, "nothing is due"
    assert faults(again) == []


def test_the_index_can_be_loaded_into_memory_in_steps(sealed: Library, open_library: Open) -> None:
    before = answers(sealed)
    sealed.close()
    again = open_library(tail_rows=100)
    steps = again.maintenance.run()
    for _ in range(2):
        next(steps)
    take_in(again, "late.txt", texts("late", 3))
    assert found(again, texts("late", 1)[0]) == texts("late", 1)
    again.documents.remove([again.documents.find("late.txt")[0].document_id])
    drain(again.maintenance.purge())
    drain(steps)
    assert answers(again) == before
    assert faults(again) == []


def graphs_of(library: Library) -> list[HnswGraph]:
    return list(library._segments.loaded_index.segments.values())  # type: ignore[attr-defined]


def in_memory(library: Library) -> list[bool]:
    return [graph.is_in_memory for graph in graphs_of(library)]


def with_graphs(open_library: Open) -> Library:
    """A library of 500 sentences without any search so far, in two segments and a tail."""
    library: Library = open_library(tail_rows=200)
    library.models.bind(MODEL)
    for name in "abcde":
        take_in(library, f"{name}.txt", texts(name, 100))
    drain(library.maintenance.run())
    return library


def test_each_search_loads_one_graph(open_library: Open) -> None:
    library = with_graphs(open_library)
    assert library.info().recall is not None, "their recall was measured"
    assert library.info().searchable == 500
    assert in_memory(library) == [False, False]
    assert found(library, texts("a", 1)[0]) == texts("a", 1)
    assert in_memory(library) == [True, False]
    assert found(library, texts("e", 1)[0]) == texts("e", 1)
    assert in_memory(library) == [True, True]
    take_in(library, "f.txt", texts("f", 100))
    drain(library.maintenance.run())
    assert in_memory(library) == [True, True, True], "after a search the next one must not wait for it"
    assert faults(library) == []


def test_graphs_can_be_loaded_before_the_first_search(open_library: Open) -> None:
    with_graphs(open_library).close()
    again = open_library(tail_rows=200)
    drain(again.maintenance.run())
    assert in_memory(again) == [False, False]
    again.maintenance.keep_index_loaded()
    drain(again.maintenance.run())
    assert in_memory(again) == [True, True]


def test_a_segment_with_an_unreadable_graph_is_searched_row_by_row(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    library = with_graphs(open_library)
    monkeypatch.setattr(HnswGraph, "load_into_memory", Mock(side_effect=RuntimeError("no memory")))
    assert found(library, texts("c", 1)[0]) == texts("c", 1)
    assert "row by row" in caplog.text
    caplog.clear()


def test_a_graph_whose_file_is_damaged_before_it_is_in_memory_is_searched_all_the_same(
    open_library: Open, tmp_path: Path
) -> None:
    library = with_graphs(open_library)
    expected = [found(library, text) for text in (*texts("a", 3), *texts("e", 3))]
    library.close()
    library = open_library(tail_rows=200)
    library.info()
    assert library.search.scores(vector_of("x"), []) == {}, "the files are open"
    for file in segment_files(tmp_path):
        file.write_bytes(file.read_bytes()[:100])
    ids = [row.sentence_id for batch in library.sentences.occurrences() for row in batch]
    assert library.search.scores(vector_of("x"), ids).keys() == set(ids)
    assert [found(library, text) for text in (*texts("a", 3), *texts("e", 3))] == expected
    run_checks(library, repair=True)
    drain(library.maintenance.run())
    assert faults(library) == []


@pytest.mark.parametrize("error", [OSError("gone"), ValueError("too short"), RuntimeError("no memory")])
def test_loading_ahead_goes_on_when_a_graph_cannot_be_read(
    error: Exception, open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = with_graphs(open_library)
    monkeypatch.setattr(HnswGraph, "load_into_memory", Mock(side_effect=error))
    library.maintenance.keep_index_loaded()
    drain(library.maintenance.run())
    assert found(library, texts("c", 1)[0]) == texts("c", 1)


def test_a_reopened_library_answers_before_its_graphs_are_read(
    sealed: Library, open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = answers(sealed)
    sealed.close()
    for module in ("index_segments", "index_segment_builder"):
        monkeypatch.setattr(f"desktop_app.store.{module}.file_checksum", Mock(side_effect=AssertionError))
    for writable in (False, True):
        again = open_library(tail_rows=100, writable=writable)
        assert found(again, texts("a", 1)[0]) == texts("a", 1)
        assert in_memory(again) == [False, False]
        assert answers(again) == before
        assert in_memory(again) == [True, True], "whoever searches often need not compare all rows"
        assert answers(again) == before
        again.close()


def test_files_with_another_time_are_verified_once(
    sealed: Library, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = answers(sealed)
    sealed.close()
    for file in segment_files(tmp_path):
        os.utime(file, (1, 1))  # as a copy of the library may have it
    again = open_library(tail_rows=100)
    assert answers(again) == before
    drain(again.maintenance.run())
    again.close()
    monkeypatch.setattr("desktop_app.store.index_segments.file_checksum", Mock(side_effect=AssertionError))
    assert answers(open_library(tail_rows=100)) == before


def test_a_program_that_ends_soon_after_its_start_reads_no_graph(
    sealed: Library, open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed.close()
    again = open_library(tail_rows=100)
    monkeypatch.setattr(HnswGraph, "load_into_memory", Mock(side_effect=AssertionError))
    monkeypatch.setattr("desktop_app.store.index_segments._hash_in_steps", Mock(side_effect=AssertionError))
    drain(again.maintenance.tidy_up())


def test_graphs_are_loaded_before_their_files_are_verified(sealed: Library, open_library: Open) -> None:
    before = answers(sealed)
    sealed.close()
    again = open_library(tail_rows=100)
    again.maintenance.keep_index_loaded()
    assert found(again, texts("a", 1)[0]) == texts("a", 1)
    steps = again.maintenance.run()
    while in_memory(again) != [True, True]:
        next(steps)
    assert not any(graph.is_verified for graph in graphs_of(again))
    assert answers(again) == before
    drain(steps)
    assert all(graph.is_verified for graph in graphs_of(again))


def damage(file: Path, place: str) -> None:
    """Change a number in a segment's file, which keeps its time."""
    row = 4 * 33 + 4 * MODEL.dim + 8  # 32 links and their number, the vector, the label
    content, times = bytearray(file.read_bytes()), (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    if place == "a link":
        content[-1] = 0x07
    else:
        struct.pack_into("<f", content, 96 + 50 * row + 4 * 33, 40.0)
    file.write_bytes(content)
    os.utime(file, ns=times)


@pytest.mark.parametrize(("place", "loaded"), [("a link", 1), ("a vector", 2)])
def test_a_file_that_changed_without_a_trace_is_found(
    sealed: Library, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, loaded: int
) -> None:
    monkeypatch.setattr("desktop_app.store.vector_index._LEAST_SHARE", 1)  # so that small graphs are searched as such
    before = answers(sealed)
    sealed.close()
    file = segment_files(tmp_path)[0]
    damage(file, place)
    again = open_library(tail_rows=100)
    again.maintenance.keep_index_loaded()
    assert found(again, texts("a", 1)[0]) == texts("a", 1)
    steps = again.maintenance.run()
    while sum(in_memory(again)) < loaded:
        next(steps)
    assert not any(graph.is_verified for graph in graphs_of(again))
    assert (answers(again) == before) == (place == "a link"), "whose rows are compared"
    drain(steps)
    assert file not in segment_files(tmp_path), "it was built anew"
    assert answers(again) == before
    assert in_memory(again) == [True, True]
    assert faults(again) == []


def test_a_reader_answers_from_files_that_the_writer_has_deleted(
    sealed: Library, open_library: Open, tmp_path: Path
) -> None:
    before = answers(sealed)
    reader = open_library(writable=False)
    with reader.read_transaction():
        assert found(reader, texts("a", 1)[0]) == texts("a", 1)
        for file in segment_files(tmp_path):
            file.unlink()
        assert answers(reader) == before


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "another", "empty"])
def test_a_bad_file_is_rebuilt_and_never_loaded(
    sealed: Library, open_library: Open, tmp_path: Path, damage: str
) -> None:
    before = answers(sealed)
    sealed.close()
    first, second = segment_files(tmp_path)
    content = first.read_bytes()
    if damage == "missing":
        first.unlink()
    else:
        other = {"cut": content[:5000], "changed": content[:-1] + b"\x07", "empty": b""}
        first.write_bytes(other.get(damage) or (second.read_bytes() if damage == "another" else b""))
    again = open_library(tail_rows=100)
    assert [check.name for check in run_checks(again) if not check.ok] == ["segment files"]
    assert answers(again) == before
    assert again.info().searchable == 250
    drain(again.maintenance.run())
    assert first not in segment_files(tmp_path)
    assert len(segment_files(tmp_path)) == 2
    assert answers(again) == before
    assert faults(again) == []


def test_files_of_a_killed_process_are_deleted(sealed: Library, open_library: Open, tmp_path: Path) -> None:
    sealed.close()
    for name in ("0123.hnsw", "4567.building"):
        (tmp_path / "library" / "segments" / name).write_bytes(b"half")
    reader = open_library(writable=False)
    assert len(segment_files(tmp_path)) == 4
    reader.close()
    open_library()
    assert len(segment_files(tmp_path)) == 2


def test_a_purge_removes_vectors_from_the_graphs(sealed: Library, tmp_path: Path) -> None:
    b = sealed.documents.find("b.txt")[0].document_id
    sealed.documents.remove([b])
    before = answers(sealed)
    gone = [stored_bytes(vector_of(text)) for text in texts("b", 50)]
    assert files_with(tmp_path, *gone)
    drain(sealed.maintenance.purge())
    assert files_with(tmp_path, *gone, *(text.encode() for text in texts("b", 50))) == []
    assert answers(sealed) == before
    assert sealed.info().searchable == 200
    assert faults(sealed) == []
    rest = [document.document_id for document in sealed.documents.fetch()]
    sealed.documents.remove(rest)
    drain(sealed.maintenance.purge())
    assert segment_files(tmp_path) == []
    assert answers(sealed) == [[]] * 4
    take_in(sealed, "new.txt", texts("new", 120))
    drain(sealed.maintenance.run())
    assert len(segment_files(tmp_path)) == 1
    assert faults(sealed) == []


def test_the_file_of_few_erased_vectors_is_copied_without_them(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    for name, count in (("a", 10), ("b", 30), ("c", 60), ("d", 40), ("e", 60)):
        take_in(library, f"{name}.txt", texts(name, count))
    drain(library.maintenance.run())
    assert len(segment_files(tmp_path)) == 2
    answers(library)
    library.documents.remove([library.documents.find("a.txt")[0].document_id])
    before = answers(library)
    with monkeypatch.context() as patch:
        patch.setattr("desktop_app.store.index_segment_sealing.SegmentBuild", Mock(side_effect=AssertionError))
        drain(library.maintenance.purge())
        assert files_with(tmp_path, *(stored_bytes(vector_of(text)) for text in texts("a", 10))) == []
        assert len(segment_files(tmp_path)) == 2
        assert answers(library) == before
        assert in_memory(library) == [True, True]
        assert faults(library) == []
        kept = segment_files(tmp_path)
        drain(library.maintenance.purge())
        assert segment_files(tmp_path) == kept, "nothing is due"
        library.close()
        library = open_library(tail_rows=100)
        assert answers(library) == before
    library.documents.remove([library.documents.find("b.txt")[0].document_id])
    before = answers(library)
    drain(library.maintenance.purge())
    assert files_with(tmp_path, *(stored_bytes(vector_of(text)) for text in texts("b", 30))) == []
    assert answers(library) == before
    assert library.info().searchable == library.info().vectors == 160
    assert faults(library) == []


def test_a_file_that_is_not_verified_is_not_copied(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    for name, count in (("a", 10), ("b", 90)):
        take_in(library, f"{name}.txt", texts(name, count))
    drain(library.maintenance.run())
    library.documents.remove([library.documents.find("a.txt")[0].document_id])
    before = answers(library)
    library.close()
    (file,) = segment_files(tmp_path)
    damage(file, "a vector")
    again = open_library(tail_rows=100)
    found(again, "q")
    assert [graph.is_verified for graph in graphs_of(again)] == [False]
    monkeypatch.setattr("desktop_app.store.index_segments.Segments.preload", lambda _: iter(()))
    drain(again.maintenance.purge())
    assert file not in segment_files(tmp_path)
    assert answers(again) == before
    assert faults(again) == []


def test_sparse_adjacent_segments_are_merged(sealed: Library, tmp_path: Path) -> None:
    sealed.documents.remove([document.document_id for document in sealed.documents.fetch()][1:4])
    drain(sealed.maintenance.purge())
    assert len(segment_files(tmp_path)) == 1
    assert faults(sealed) == []


def test_sentences_purged_during_a_build_are_not_in_it(open_library: Open, tmp_path: Path) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 60))
    take_in(library, "b.txt", texts("b", 160))
    building = library.maintenance.run()
    assert any(isinstance(step, Waiting) for step in building)
    library.documents.remove([a])
    purge = library.maintenance.purge()
    gone = [stored_bytes(vector_of(text)) for text in texts("a", 60)]
    # Both continue, taking turns.
    while any([next(building, "end") != "end", next(purge, "end") != "end"]):
        pass
    assert files_with(tmp_path, *gone) == []
    assert set(found(library, "q", 500)) == set(texts("b", 160))
    assert faults(library) == []
    drain(library.maintenance.run())
    assert faults(library) == []


def test_a_build_that_read_before_a_purge_is_discarded(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class AtOnce:
        """Reads and builds when it is started, and reports so at the third poll."""

        def __init__(self, request: BuildRequest) -> None:
            self.request, self.built, self.asked = request, build_segment(request), 0

        def poll(self) -> BuiltSegment | None:
            self.asked += 1
            return self.built if self.asked > 2 else None

        def close(self) -> None:
            pass

    monkeypatch.setattr("desktop_app.store.index_segment_sealing.SegmentBuild", AtOnce)
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 60))
    take_in(library, "b.txt", texts("b", 160))
    building = library.maintenance.run()
    assert any(isinstance(step, Waiting) for step in building)
    library.documents.remove([a])
    drain(library.maintenance.purge())
    drain(building)
    assert files_with(tmp_path, *(stored_bytes(vector_of(text)) for text in texts("a", 60))) == []
    assert library.info().searchable == 160
    assert faults(library) == []


def test_segments_of_a_long_tail_are_built_several_at_once(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("desktop_app.store.index_segment_sealing._BUILDS_AT_ONCE", 2)
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    sealing = library.maintenance.run()
    assert any(multiprocessing.active_children() for _ in sealing)
    assert len(multiprocessing.active_children()) == 2
    drain(sealing)
    assert len(segment_files(tmp_path)) == 3
    assert [found(library, text) for text in texts("a", 150)] == [[text] for text in texts("a", 150)]
    assert faults(library) == []


@pytest.mark.parametrize("erases", [False, True])
def test_graphs_that_are_gone_are_built_several_at_once(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, erases: bool
) -> None:
    monkeypatch.setattr("desktop_app.store.index_segment_sealing._BUILDS_AT_ONCE", 2)
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 10))
    take_in(library, "b.txt", texts("b", 150))
    drain(library.maintenance.run())
    library.close()
    for file in segment_files(tmp_path):
        file.unlink()
    library = open_library(tail_rows=40)
    rebuilding = library.maintenance.run()
    assert any(len(multiprocessing.active_children()) == 2 for _ in rebuilding)
    if erases:
        library.documents.remove([a])
        drain(library.maintenance.purge())
    drain(rebuilding)
    left = texts("b", 150) if erases else texts("a", 10) + texts("b", 150)
    assert library._segments.bad == set()
    assert len(segment_files(tmp_path)) == 4
    assert set(found(library, "q", 500)) == set(left)
    assert [found(library, text) for text in left] == [[text] for text in left]
    assert faults(library) == []


def test_a_rebuild_does_not_wait_for_the_graphs_of_another_model(
    sealed: Library, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless:
        """Never ends."""

        def __init__(self, request: BuildRequest) -> None:
            self.request = request

        def poll(self) -> None:
            pass

        def close(self) -> None:
            pass

    sealed.close()
    segment_files(tmp_path)[0].unlink()
    library = open_library(tail_rows=100)
    found(library, "q")
    rebuild = library._sealer.rebuild(urgent=True)
    assert any(isinstance(step, Waiting) for step in rebuild)
    monkeypatch.setattr("desktop_app.store.index_segment_sealing.SegmentBuild", Endless)
    switch = library._sealer.seal_next(99, MODEL.dim, [(1, 9)])
    turns = 0
    while next(rebuild, "end") != "end":
        assert next(switch, "end") != "end"
        turns += 1
        assert turns < 100_000, "the rebuild waits"
    assert library._segments.bad == set()
    next(switch)
    drain(library._sealer.rebuild(urgent=True))
    assert len(library._sealer._builds) == 1, "nothing is due: the other builds go on"
    switch.close()


def test_builds_that_another_job_cancels_are_no_failures(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("desktop_app.store.index_segment_sealing._BUILDS_AT_ONCE", 3)
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    sealing = library.maintenance.run()
    assert any(library._segments.loaded_index.segments for _ in sealing if library._segments.loaded_index)
    library._sealer.stop()
    drain(sealing)
    assert caplog.messages == []
    drain(library.maintenance.run())
    assert len(segment_files(tmp_path)) == 3
    assert faults(library) == []


def test_a_build_whose_files_cannot_be_deleted_does_not_end_the_upkeep(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 60))
    take_in(library, "b.txt", texts("b", 160))
    building = library.maintenance.run()
    assert any(isinstance(step, Waiting) for step in building)
    library.documents.remove([a])

    def refuse(file: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EACCES, "another process reads it", str(file))

    with monkeypatch.context() as held:
        held.setattr(Path, "unlink", refuse)
        drain(library.maintenance.purge())
        drain(building)
    assert library._segments.files.unfinished == set()
    library.close()
    library = open_library(tail_rows=100)
    assert set(found(library, "q", 500)) == set(texts("b", 160))
    assert faults(library) == []


def test_searches_and_imports_continue_during_a_build(open_library: Open) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    for at, _ in enumerate(library.maintenance.run()):
        if at < 20:
            name = f"more {at}"
            take_in(library, f"{name}.txt", texts(name, 3))
            assert found(library, texts(name, 3)[2]) == [texts(name, 3)[2]]
            assert found(library, texts("a", 99)[98]) == [texts("a", 99)[98]]
    assert faults(library) == []


def test_an_abandoned_build_leaves_nothing(open_library: Open, tmp_path: Path) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    for end in ("close the steps", "close the library"):
        steps = library.maintenance.run()
        assert any(isinstance(step, Waiting) for step in steps)
        assert multiprocessing.active_children()
        (steps if end == "close the steps" else library).close()
        assert not multiprocessing.active_children()
        steps.close()
        assert segment_files(tmp_path) == []


def die(_pipe: object, _request: object) -> None:
    psutil.Process().kill()


def test_a_killed_build_is_retried_and_then_skipped(
    open_library: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    monkeypatch.setattr(index_segment_builder, "_run_child", die)
    drain(library.maintenance.run())
    assert sum("could not be built" in record.message for record in caplog.records) == 2
    assert found(library, texts("a", 99)[98]) == [texts("a", 99)[98]]
    assert faults(library) == []


def test_removed_documents_can_be_restored_for_a_while(open_library: Open, clock: list[float]) -> None:
    library = open_library(undo_s=600.0)
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", texts("a", 3))
    clock[0] += 5
    library.documents.remove([a])
    drain(library.maintenance.run())
    assert library.documents.restore([a]) == 1
    library.documents.remove([a])
    clock[0] += 601
    drain(library.maintenance.run())
    assert library.documents.restore([a]) == 0
    b = take_in(library, "b.txt", texts("b", 3))
    library.documents.remove([b])
    library.close()
    clock[0] += 1
    library = open_library()
    drain(library.maintenance.run())
    assert library.documents.restore([b]) == 0, "removed in an earlier session"


def test_many_removed_documents_are_given_up_in_steps(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "_STEP_DOCUMENTS", 2)
    library = open_library()
    library.models.bind(MODEL)
    *removed, later = [take_in(library, f"{name}.txt", texts(name, 3)) for name in "abcdef"]
    library.documents.remove(removed)
    steps = library.maintenance.purge()
    next(steps)
    assert library.documents.restore([removed[0]]) == 0
    assert library.documents.restore([removed[-1]]) == 1
    library.documents.remove([later])
    drain(steps)
    assert shown(library) == texts("e", 3)
    assert library.documents.restore([later]) == 1
    assert faults(library) == []


def test_a_replaced_version_does_not_stay_in_the_graphs(sealed: Library, tmp_path: Path) -> None:
    a = add(sealed, "a.txt")
    sealed.ingest.begin(a, head("new"))
    store(sealed, a, [*texts("a", 10), *texts("new", 5)])
    sealed.ingest.finish(a, ReadingDone())
    drain(sealed.maintenance.run())
    assert files_with(tmp_path, stored_bytes(vector_of(texts("a", 11)[10]))) == []
    assert sealed.info().vectors == sealed.info().searchable == 215
    assert faults(sealed) == []
