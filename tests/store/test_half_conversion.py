"""A library that an earlier version of the program filled: its vectors and graphs are converted while it is used."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import hnswlib
import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.library import Library
from desktop_app.core.reader_events import ReadingDone
from desktop_app.store.graph_file import GraphFile
from desktop_app.store.index_segment_builder import file_checksum
from desktop_app.store.legacy_graph_file import open_graph_file

from .conftest import Open
from .helpers import DIM, MODEL, add, drain, faults, found, head, spans_of, take_in, texts, vector_of

WORDS = ("one", "two", "three", "four")


def scores(library: Library) -> list[tuple[int, float]]:
    return [(near.sentence_id, near.score) for word in WORDS for near in library.search.nearest(vector_of(word), 8)]


def lengths(folder: Path) -> set[int]:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        return {length for (length,) in connection.execute("SELECT DISTINCT length(vector) FROM embedding")}


def graphs(folder: Path) -> list[GraphFile]:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        found = connection.execute("SELECT file, rows FROM segment ORDER BY id").fetchall()
    return [open_graph_file(folder / "segments" / file, DIM, rows) for file, rows in found]


def size_of_graphs(folder: Path) -> int:
    return sum(file.stat().st_size for file in (folder / "segments").iterdir())


def age(folder: Path) -> None:
    """Give a library the vectors, graphs and version that the program of before would have stored."""
    noise = np.random.default_rng(0)
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        whole: dict[int, NDArray[np.float32]] = {}
        rows_of = connection.execute("SELECT id, sentence_id, vector FROM embedding").fetchall()
        for number, sentence_id, vector in rows_of:
            exact = np.frombuffer(vector, "<f2").astype(np.float32)
            # Less than half of what separates two numbers of half precision.
            exact *= (1 + noise.uniform(-1e-4, 1e-4, DIM)).astype(np.float32)
            whole[sentence_id], stored = exact, exact.tobytes()
            connection.execute(
                "UPDATE embedding SET vector = ?, checksum = ? WHERE id = ?", (stored, zlib.crc32(stored), number)
            )
        for segment, name, rows in connection.execute("SELECT id, file, rows FROM segment").fetchall():
            file = folder / "segments" / name
            index, _ = run_to_completion(GraphFile(file, DIM, rows).load_steps())
            (state,) = index.__getstate__()
            memory = state["data_level0"].view([("links", "<u4", 33), ("vector", "<f4", DIM), ("label", "<i8")])
            for row in memory:
                row["vector"] = whole.get(int(row["label"]), 0.0)
            index = hnswlib.Index.__new__(hnswlib.Index)
            index.__setstate__((state,))
            index.save_index(str(file))
            connection.execute(
                "UPDATE segment SET checksum = ?, stamp = ? WHERE id = ?",
                (file_checksum(file), file.stat().st_mtime_ns, segment),
            )
        connection.execute("DELETE FROM counter WHERE name = 'whole_vectors'")
        connection.execute("DROP TABLE import_folder")
        connection.execute("PRAGMA user_version = 1032")
        connection.commit()


@pytest.fixture
def old(open_library: Open, tmp_path: Path) -> tuple[Path, list[tuple[int, float]]]:
    """The folder of an old library with two graphs and a tail, and its answers once it is new."""
    with open_library(tail_rows=100) as library:
        library.models.bind(MODEL)
        for name, count in (("a", 10), ("b", 90), ("c", 60), ("d", 50)):
            take_in(library, f"{name}.txt", texts(name, count))
        drain(library.maintenance.run())
        answers = scores(library)
    age(tmp_path / "library")
    return tmp_path / "library", answers


@pytest.fixture
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.store.index_segment_sealing.SegmentBuild", Mock(side_effect=AssertionError))


def test_an_old_library_answers_at_once_and_is_converted(
    old: tuple[Path, list[tuple[int, float]]], open_library: Open, no_build: None
) -> None:
    folder, answers = old
    with open_library(tail_rows=100) as library:
        assert list(folder.glob("*.backup")) == [], "nothing was changed"
        assert scores(library) == answers, "the scores are those of after the conversion"
        assert faults(library) == []
        assert lengths(folder) == {4 * DIM}
        before = size_of_graphs(folder)
        for step in library.maintenance.run():
            assert scores(library) == answers, step
        assert lengths(folder) == {2 * DIM}
        assert [graph.is_legacy for graph in graphs(folder)] == [False, False]
        assert size_of_graphs(folder) < 0.7 * before
        assert len(list((folder / "segments").iterdir())) == 2
        assert scores(library) == answers
        assert faults(library) == []
    with open_library(tail_rows=100) as library:
        assert drain(library.maintenance.run()) == 0
        assert scores(library) == answers, "a restart changes no score"
        take_in(library, "f.txt", texts("f", 20))
        assert lengths(folder) == {2 * DIM}
        assert found(library, texts("f", 20)[3]) == [texts("f", 20)[3]]


def test_the_conversion_goes_on_where_it_was_stopped(
    old: tuple[Path, list[tuple[int, float]]], open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answers = old
    monkeypatch.setattr("desktop_app.store.half_conversion._STEP_ROWS", 30)
    for stop in (1, 3, 8, 20, 60, 1000):
        with open_library(tail_rows=100) as library:
            steps = library.maintenance.run()
            for _, _step in zip(range(stop), steps, strict=False):
                pass
            steps.close()
            assert scores(library) == answers
            assert faults(library) == []
        assert len(list((folder / "segments").iterdir())) == 2
    assert lengths(folder) == {2 * DIM}
    assert [graph.is_legacy for graph in graphs(folder)] == [False, False]


def test_a_reader_uses_a_library_that_is_not_converted(
    old: tuple[Path, list[tuple[int, float]]], open_library: Open
) -> None:
    folder, answers = old
    before = (folder / "library.db").read_bytes()
    with open_library(tail_rows=100, writable=False) as library:
        drain(library.maintenance.run())
        assert scores(library) == answers
        assert faults(library) == []
    assert (folder / "library.db").read_bytes() == before
    assert all(graph.is_legacy for graph in graphs(folder))


def test_a_damaged_vector_is_left_to_the_check(old: tuple[Path, list[tuple[int, float]]], open_library: Open) -> None:
    folder, _ = old
    changed, short = np.zeros(DIM, "<f4"), b"\0" * 12
    changed[0] = 1
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        connection.execute("UPDATE embedding SET vector = ? WHERE id = 30", (changed.tobytes(),))
        connection.execute("UPDATE embedding SET vector = ?, checksum = ? WHERE id = 31", (short, zlib.crc32(short)))
        connection.commit()
    with open_library(tail_rows=100) as library:
        drain(library.maintenance.run())
        assert lengths(folder) == {2 * DIM, 4 * DIM, 12}
        problems = " ".join(faults(library))
        assert "1 vectors have changed" in problems
        assert "1 vectors have a wrong length" in problems


def test_erased_rows_of_an_old_graph_are_erased_with_the_conversion(
    old: tuple[Path, list[tuple[int, float]]], open_library: Open, no_build: None
) -> None:
    folder, _ = old
    with open_library(tail_rows=100) as library:
        (gone,) = library.documents.find("a.txt")
        library.documents.remove([gone.document_id])
        drain(library.maintenance.purge())
        assert sorted(graph.is_legacy for graph in graphs(folder)) == [False, True], "one had erased rows"
        drain(library.maintenance.run())
        assert [graph.is_legacy for graph in graphs(folder)] == [False, False]
        assert faults(library) == []
        assert library.info().searchable == 200
        assert sum(not graph.vectors(graph.ids).any(axis=1).all() for graph in graphs(folder)) == 1


def test_rounded_vectors_are_stored_and_used_at_once(open_library: Open) -> None:
    own = texts("a", 40)
    exact = np.stack([vector_of(text) for text in own])
    exact = exact * np.linspace(0.9999, 1.0001, DIM, dtype=np.float32)
    with open_library() as library:
        library.models.bind(MODEL)
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        library.ingest.append(document_id, spans_of(own), own, exact)
        library.ingest.finish(document_id, ReadingDone())
        before = scores(library)
        ids = [near.sentence_id for near in library.search.nearest(vector_of("one"), 40)]
        used = library.search.vectors(ids)
        texts_of = library.analysis_reader.texts(ids)
    for number in ids:
        given = exact[own.index(texts_of[number])]
        np.testing.assert_array_equal(used[number], given.astype(np.float16).astype(np.float32))
    with open_library() as library:
        assert scores(library) == before
