"""The full-text indexes stay readable however often sentences are erased."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.library import Library
from desktop_app.core.query import KeywordQuery
from desktop_app.store import keyword_levels
from desktop_app.store.keyword_index import KEYWORD_INDEXES
from desktop_app.store.keyword_levels import drop_empty_levels
from desktop_app.store.library import LocalLibrary

from .helpers import MODEL, drain, faults, take_in

TOO_MANY = 2_100


def matching(library: Library, word: str) -> list[str]:
    ids = library.keyword_search.find_sentences(KeywordQuery((word,)), 50)
    return [hit.text for hit in library.search.hits(ids)]


def read_record(file: Path, index: str) -> bytes:
    with closing(sqlite3.connect(file)) as connection:
        (record,) = connection.execute(f"SELECT block FROM {index}_data WHERE id = 10").fetchone()
    assert isinstance(record, bytes)
    return record


def count_levels(record: bytes) -> int:
    (levels,), _ = keyword_levels._read_numbers(record, 4, 1)
    return levels


def insert_levels(record: bytes, count: int) -> bytes:
    """Return a record with so many empty levels below the others, as if its pieces had been merged as often."""
    (levels, pieces, writes), at = keyword_levels._read_numbers(record, 4, 3)
    head = b"".join(map(keyword_levels._varint, (levels + count, pieces, writes)))
    return record[:4] + head + bytes(2 * count) + record[at:]


def test_an_index_has_few_levels_however_often_words_are_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_levels, "MOST_LEVELS", 3)
    with LocalLibrary.open(tmp_path) as library:
        library.models.bind(MODEL)
        # More than what comes and goes: FTS5 moves small pieces down again.
        take_in(library, "kept.txt", ["The harbour stays.", *(f"House number {number}." for number in range(300))])
        for number in range(8):
            gone = take_in(library, f"{number}.txt", [f"The ferry leaves for the {number}th time."])
            library.documents.remove([gone])
            drain(library.maintenance.purge())
        assert matching(library, "harbour") == ["The harbour stays."]
        assert matching(library, "ferry") == []
        assert not faults(library)
    for index in KEYWORD_INDEXES:
        assert count_levels(read_record(tmp_path / "library.db", index)) <= 5


def test_an_index_with_too_many_levels_is_mended_when_the_library_opens(tmp_path: Path) -> None:
    sentences = [f"Ferry number {number} leaves the harbour." for number in range(20)]
    with LocalLibrary.open(tmp_path) as library:
        library.models.bind(MODEL)
        take_in(library, "a.txt", sentences)
    file = tmp_path / "library.db"
    with closing(sqlite3.connect(file)) as connection:
        for index in KEYWORD_INDEXES:
            record = insert_levels(read_record(file, index), TOO_MANY)
            connection.execute(f"UPDATE {index}_data SET block = ? WHERE id = 10", (record,))
        connection.commit()
    with closing(sqlite3.connect(file)) as connection, pytest.raises(sqlite3.Error):
        connection.execute("SELECT rowid FROM sentence_words WHERE sentence_words MATCH 'harbour'").fetchall()
    with LocalLibrary.open(tmp_path) as library:
        assert sorted(matching(library, "harbour")) == sorted(sentences)
        take_in(library, "b.txt", ["A tram leaves the square."])
        assert matching(library, "tram") == ["A tram leaves the square."]
        assert not faults(library)


def test_pieces_keep_their_order_and_what_is_merged_stays_beside_its_result() -> None:
    # Cookie; levels, pieces, writes; then of each level how many are being merged, how many there are, and their ids
    # with first and last pages.
    empty, new, merging, result, old = (
        bytes([0, 0]),
        bytes([0, 1, 9, 1, 1]),
        bytes([2, 2, 7, 1, 3, 8, 1, 0x81, 0x00]),
        bytes([0, 1, 5, 1, 2]),
        bytes([0, 1, 2, 1, 4]),
    )

    def record(*levels: bytes) -> bytes:
        return b"\0\0\0\x03" + keyword_levels._varint(len(levels)) + bytes([5, 0x82, 0x01]) + b"".join(levels)

    many = [empty] * 70
    assert drop_empty_levels(record(empty, *many, merging, result, *many, old)) == record(empty, merging, result, old)
    assert drop_empty_levels(record(new, *many, old)) == record(new, old)
    assert drop_empty_levels(record(empty, new, old)) is None, "few levels"
    assert drop_empty_levels(record(*many, old) + b"\0") is None, "more than the levels"
    assert drop_empty_levels(record(*many, old)[:-1]) is None, "cut off"
    assert drop_empty_levels(b"\0\0\0\x03\xff\0\0\x01" + record(*many, old)[4:]) is None, "another format"
