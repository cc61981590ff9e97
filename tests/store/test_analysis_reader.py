"""The data that analyses read from a library, and the neighbours stored in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from desktop_app.core.library import Library
from desktop_app.core.scope import Scope
from desktop_app.core.sentence_corrections import hash_text

from .conftest import Open
from .helpers import MODEL, drain, files_with, switch, take_in, texts, vectors_of

pytestmark = pytest.mark.every_library


def ids_of(library: Library, wanted: Sequence[str]) -> list[int]:
    ids = np.concatenate([[0], *library.analysis_reader.nodes()]).tolist()
    by_text = {text: key for key, text in library.analysis_reader.texts(ids).items()}
    return [by_text[text] for text in wanted]


def kept(library: Library, k: int = 2) -> dict[int, list[int]]:
    return {
        int(sentence_id): row.tolist()
        for ids, near, _ in library.analysis_reader.neighbours(k)
        for sentence_id, row in zip(ids, near, strict=True)
    }


def keep(library: Library, rows: dict[int, list[int]]) -> None:
    near = np.array(list(rows.values()), np.int64)
    library.analysis_reader.save_neighbours(np.array(list(rows), np.int64), near, np.full(near.shape, 0.5, np.float32))


def test_nodes_have_their_own_order(open_library: Open, tmp_path: Path) -> None:
    orders = []
    for number, names in enumerate((["a", "b", "c"], ["c", "a", "b"])):
        library = open_library(folder=tmp_path / str(number))
        library.models.bind(MODEL)
        for name in names:
            take_in(library, f"{name}.txt", texts(name, 40))
        ids = np.concatenate(list(library.analysis_reader.nodes())).tolist()
        texts_of = library.analysis_reader.texts(ids)
        orders.append([texts_of[key] for key in ids])
    assert orders[0] == orders[1] == sorted(orders[0], key=hash_text)


def test_their_order_is_the_same_when_part_of_it_is_known(library: Library) -> None:
    take_in(library, "a.txt", texts("a", 60))
    gone = take_in(library, "b.txt", texts("b", 30))
    known = np.concatenate(list(library.analysis_reader.nodes()))
    np.testing.assert_array_equal(np.concatenate(list(library.analysis_reader.nodes(known))), known)
    take_in(library, "c.txt", texts("c", 50))
    library.documents.remove([gone])
    drain(library.maintenance.purge())
    now = np.concatenate(list(library.analysis_reader.nodes()))
    assert len(now) == 110
    for earlier in (known, known[:3], now, known[:0]):
        np.testing.assert_array_equal(np.concatenate(list(library.analysis_reader.nodes(earlier))), now)


@pytest.mark.only_local
def test_all_vectors_but_damaged_ones_are_returned(library: Library) -> None:
    own = texts("a", 5000)
    take_in(library, "a.txt", own)
    bad = ids_of(library, own[3:4])[0]
    database = library._database
    with database.write_transaction() as connection:
        nan = np.full(32, np.nan, "<f4").tobytes()
        connection.execute(text("UPDATE embedding SET vector = :v WHERE sentence_id = :i"), {"v": nan, "i": bad})
    ids, vectors = (np.concatenate(parts) for parts in zip(*library.analysis_reader.vectors(), strict=True))
    assert bad not in ids
    assert len(ids) == 4999
    texts_of = library.analysis_reader.texts(ids.tolist())
    np.testing.assert_array_equal(vectors[:50], vectors_of([texts_of[key] for key in ids[:50].tolist()]))


@pytest.mark.only_local
def test_nodes_are_those_with_a_vector_whatever_the_index_has(open_library: Open) -> None:
    library = open_library(tail_rows=300)
    library.models.bind(MODEL)

    def check(count: int) -> None:
        with closing(sqlite3.connect(library.folder / "library.db")) as raw:
            query = "SELECT sentence_id FROM embedding JOIN model ON model.id = model_id AND current"
            stored = [number for (number,) in raw.execute(query)]
        nodes = np.concatenate(list(library.analysis_reader.nodes())).tolist()
        assert len(nodes) == count
        assert sorted(nodes) == sorted(stored)

    take_in(library, "a.txt", texts("a", 250))
    check(250)
    take_in(library, "b.txt", texts("b", 250))
    drain(library.maintenance.run())
    assert list((library.folder / "segments").iterdir())
    check(500)
    library.search.nearest(vectors_of(["query"])[0], 5)
    take_in(library, "c.txt", texts("c", 20))
    check(520)
    library.documents.remove([library.documents.find("a.txt")[0].document_id])
    check(520)
    drain(library.maintenance.purge())
    check(270)
    for file in (library.folder / "segments").iterdir():
        file.unlink()
    check(270)
    with library._database.write_transaction() as connection:  # as a switch of models does
        connection.execute(
            text(
                "INSERT INTO model (fingerprint, name, dim, max_length, pooling, normalised, folder, current)"
                " SELECT 'f2', name, dim, max_length, pooling, normalised, folder, 0 FROM model"
            )
        )
        connection.execute(
            text(
                "INSERT INTO embedding (sentence_id, model_id, vector) SELECT sentence_id, 2, vector FROM embedding"
                " LIMIT 9"
            )
        )
    check(270)


@pytest.mark.only_local
@pytest.mark.parametrize("is_file_lost", [False, True])
def test_vectors_are_read_from_verified_graphs(open_library: Open, is_file_lost: bool) -> None:
    library = open_library(tail_rows=1500)
    library.models.bind(MODEL)
    for name in "abc":
        take_in(library, f"{name}.txt", texts(name, 1200))
    drain(library.maintenance.run())
    files = sorted((library.folder / "segments").iterdir())
    assert files
    library.documents.remove([library.documents.find("a.txt")[0].document_id])
    drain(library.maintenance.purge())
    own = [*texts("b", 1200), *texts("c", 1200)]
    reading = library.analysis_reader.vectors()
    read = [next(reading)]
    if is_file_lost:
        for file in files:
            file.unlink(missing_ok=True)
    read += reading
    ids, vectors = (np.concatenate(parts) for parts in zip(*read, strict=True))
    assert sorted(ids.tolist()) == sorted(ids_of(library, own)), "each of them once, and none that was erased"
    texts_of = library.analysis_reader.texts(ids.tolist())
    np.testing.assert_allclose(vectors, vectors_of([texts_of[key] for key in ids.tolist()]), atol=1e-3)


@pytest.mark.only_local
@pytest.mark.parametrize("is_in_memory", [False, True])
def test_one_reading_has_vectors_of_one_model(open_library: Open, is_in_memory: bool) -> None:
    library = open_library(tail_rows=40)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 150))
    if is_in_memory:
        library.maintenance.keep_index_loaded()
    drain(library.maintenance.run())
    reading = library.analysis_reader.vectors()
    read = [next(reading)]
    switch(library)
    drain(library.maintenance.run())
    read += reading
    ids = np.concatenate([piece for piece, _ in read]).tolist()
    texts_of = library.analysis_reader.texts(ids)
    vectors = np.concatenate([piece for _, piece in read])
    np.testing.assert_allclose(vectors, vectors_of([texts_of[key] for key in ids]), atol=1e-3)


def test_occurrences_are_the_visible_ones_in_reading_order(library: Library) -> None:
    a = take_in(library, "a.txt", ["One.", "Two.", "One."])
    b = take_in(library, "b.txt", ["Two.", "Three."])
    gone = take_in(library, "gone.txt", ["Four."])
    library.documents.remove([gone])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    rows = np.concatenate(list(library.analysis_reader.occurrences_in_order())).tolist()
    assert rows == [[one, a, 0], [two, a, 1], [one, a, 2], [two, b, 0], [three, b, 1]]
    only_b = Scope(document_ids=frozenset({b}))
    assert np.concatenate(list(library.analysis_reader.occurrences_in_order(only_b))).tolist() == rows[3:]


def test_a_long_document_is_read_in_pieces(library: Library) -> None:
    document_id = take_in(library, "a.txt", texts("a", 8_500))
    pieces = list(library.analysis_reader.occurrences_in_order())
    assert len(pieces) > 1
    rows = np.concatenate(pieces)
    assert rows[:, 2].tolist() == list(range(8_500))
    assert set(rows[:, 1].tolist()) == {document_id}


def test_hits_are_found_by_place(library: Library) -> None:
    a = take_in(library, "a.txt", ["One.", "Two.", "Three."])
    b = take_in(library, "b.txt", ["Two."])
    hits = library.search.hits_at([(b, 0, 0.25), (a, 1, 0.5), (a, 9, 0.1), (b, 0, 0.75)])
    assert hits[2] is None
    assert [(hit.text, hit.document_id, hit.before, hit.score, hit.also_in) for hit in hits if hit] == [
        ("Two.", b, "", 0.25, 1),
        ("Two.", a, "One.", 0.5, 1),
        ("Two.", b, "", 0.75, 1),
    ]
    library.documents.remove([b])
    assert library.search.hits_at([(b, 0, 0.5)]) == [None]


def test_neighbours_are_stored_replaced_and_survive_reopening(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two.", "Three."])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    keep(library, {one: [two, 0], two: [one, three], 99: [one, 0]})
    keep(library, {one: [three, two]})
    assert kept(library) == {one: [three, two], two: [one, three]}
    assert kept(library, k=3) == {}, "lists of another length are ignored"
    library.close()
    assert kept(open_library(writable=False)) == {one: [three, two], two: [one, three]}


@pytest.mark.only_local
def test_purged_sentences_are_in_no_list(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    document_id = take_in(library, "b.txt", ["Three.", "One."])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    keep(library, {one: [three, two], two: [one, 0], three: [one, two]})
    tell_tale = np.array([one, two], "<i8").tobytes()
    assert files_with(tmp_path, tell_tale)
    library.documents.remove([document_id])
    assert len(kept(library)) == 3, "restorable sentences stay"
    drain(library.maintenance.purge())
    assert kept(library) == {two: [one, 0]}
    assert files_with(tmp_path, tell_tale, np.array([three], "<i8").tobytes()) == []


@pytest.mark.only_local
def test_lists_of_sentences_that_are_added_during_a_purge_stay(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two.", "Three."])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    keep(library, {one: [two, three], two: [one, three]})
    looking = library.analysis_reader.forget_erased()
    next(looking)
    take_in(library, "b.txt", ["Four."])
    (four,) = ids_of(library, ["Four."])
    keep(library, {three: [four, one], four: [three, one]})
    assert list(looking)
    assert kept(library) == {one: [two, three], two: [one, three], three: [four, one], four: [three, one]}


@pytest.mark.only_local
@pytest.mark.parametrize("damaged", ["x''", "x'0102'", "zeroblob(25)"])
def test_a_damaged_list_is_deleted_by_a_purge(open_library: Open, tmp_path: Path, damaged: str) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two.", "Three."])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    keep(library, {one: [two, three], two: [one, three], three: [one, two]})
    with closing(sqlite3.connect(tmp_path / "library" / "library.db")) as connection, connection:
        connection.execute(f"UPDATE neighbour SET near = {damaged} WHERE sentence_id = ?", (two,))
    assert list(library.analysis_reader.forget_erased())
    assert kept(library) == {one: [two, three], three: [one, two]}
