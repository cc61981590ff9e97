"""Unused bytes of the database become zeros; used ones never change."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from desktop_app.store.purge import erase_unused_bytes, find_unused_bytes


def names_in(file: Path) -> set[str]:
    """Return the names that are anywhere in a file."""
    return {found.decode() for found in re.findall(rb"<\d{20}>", file.read_bytes())}


@pytest.mark.parametrize(("page_bytes", "seed"), [(512, 1), (4096, 2), (8192, 3), (65536, 4)])
def test_erasing_changes_no_row_and_leaves_no_trace(tmp_path: Path, page_bytes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    file = tmp_path / "some.db"
    names: dict[int, str] = {}
    gone: list[str] = []
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {page_bytes}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, filler BLOB)")
        connection.execute("CREATE TABLE w (name TEXT PRIMARY KEY, n) WITHOUT ROWID")
        connection.execute("BEGIN")
        for number in range(6000):
            name = f"<{rng.integers(1 << 60):020d}>"
            names[number] = name
            connection.execute("INSERT INTO t VALUES (?, ?, zeroblob(?))", (number, name, int(rng.geometric(0.01))))
            connection.execute("INSERT INTO w VALUES (?, ?)", (name, number))
        for number in rng.permutation(6000)[:4800].tolist():
            gone.append(names.pop(number))
            connection.execute("DELETE FROM t WHERE id = ?", (number,))
            connection.execute("DELETE FROM w WHERE name = ?", (gone[-1],))
        connection.execute("COMMIT")
    if page_bytes == 512:
        assert names_in(file) & set(gone), "SQLite leaves no traces any more: remove secure erase"
    for _ in erase_unused_bytes(file):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT count(*) FROM t").fetchone() == (1200,)
    assert names_in(file) == set(names.values())
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert dict(connection.execute("SELECT id, name FROM t")) == names
        assert dict(connection.execute("SELECT n, name FROM w")) == names


def test_the_file_is_flushed_in_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    flushed_in: list[threading.Thread] = []
    monkeypatch.setattr(os, "fsync", lambda _number: flushed_in.append(threading.current_thread()))
    for _ in erase_unused_bytes(file):
        pass
    (thread,) = flushed_in
    assert thread is not threading.current_thread(), "a search would wait for what others have written, too"


def test_pages_outside_a_tree_and_doubtful_pages_are_not_changed() -> None:
    page = np.zeros(512, np.uint8)
    assert find_unused_bytes(page, 512, 0) is None
    page[0], page[4], page[5:7] = 13, 1, (1, 0)  # a leaf with one cell, content from 256
    page[8:10] = (1, 4)
    assert find_unused_bytes(page, 512, 0) == (10, 256)
    page[8:10] = (0, 4)
    assert find_unused_bytes(page, 512, 0) is None, "a cell before the content"
    page[8:10] = (3, 0)
    assert find_unused_bytes(page, 512, 0) is None, "a cell beyond the page"
    page[5:7] = (0, 9)
    assert find_unused_bytes(page, 512, 0) is None, "content overlaps the pointers"


def test_a_file_that_is_no_database_is_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_bytes(b"\x0d\x00\x00\x00\x00\x10\x00" + b"letter" * 5000)
    before = file.read_bytes()
    for _ in erase_unused_bytes(file):
        pass
    assert file.read_bytes() == before
