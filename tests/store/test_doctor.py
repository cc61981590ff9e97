"""The doctor finds each possible fault and repairs it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from desktop_app.store.library import LocalLibrary

from .conftest import Open
from .helpers import MODEL, add, drain, faults, files_with, found, head, shown, store, take_in, texts, vector_of

_NAMES = [
    "database",
    "references",
    "documents",
    "vectors sound",
    "vectors present",
    "counters",
    "words",
    "segment files",
    "index",
    "orphan files",
    "recall",
]


@pytest.fixture
def folder(open_library: Open, tmp_path: Path) -> Path:
    """A closed library with two segments and a tail."""
    library = open_library(tail_rows=100)
    library.models.bind(MODEL)
    for name in "abcde":
        take_in(library, f"{name}.txt", texts(name, 50))
    drain(library.maintenance.run())
    assert [(check.name, check.ok) for check in library.maintenance.check()] == [(name, True) for name in _NAMES]
    library.close()
    return tmp_path / "library"


def sql(folder: Path, *statements: str) -> None:
    """Change the database without the program."""
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, f"{statement} changed nothing"


_WRONG: dict[str, tuple[set[str], Callable[[Path], object]]] = {
    "a counter": ({"counters"}, lambda f: sql(f, "UPDATE counter SET value = value + 3 WHERE name = 'vectors'")),
    "a missing counter": ({"counters"}, lambda f: sql(f, "DELETE FROM counter WHERE name = 'documents.ready'")),
    "a document's count": ({"counters"}, lambda f: sql(f, "UPDATE version SET sentences = 7 WHERE id = 2")),
    "a missing vector": (
        {"vectors present", "counters", "index"},
        lambda f: sql(f, "DELETE FROM embedding WHERE sentence_id = 120"),
    ),
    "a vector in the tail cut short": (
        {"vectors sound", "index"},
        lambda f: sql(f, "UPDATE embedding SET vector = x'00' WHERE sentence_id = 240"),
    ),
    "a vector of zeros": (
        {"vectors sound"},
        lambda f: sql(f, "UPDATE embedding SET vector = zeroblob(128) WHERE sentence_id = 7"),
    ),
    "no numbers": (
        {"vectors sound"},
        lambda f: sql(f, "UPDATE embedding SET vector = cast(replace(hex(zeroblob(32)), '00', x'0000c07f') AS BLOB)"),
    ),
    "a lost sentence": (
        {"references"},
        lambda f: sql(f, "PRAGMA foreign_keys = OFF", "DELETE FROM sentence WHERE id = 60"),
    ),
    "a lost version": (
        {"references", "documents"},
        lambda f: sql(f, "PRAGMA foreign_keys = OFF", "DELETE FROM version WHERE id = 3"),
    ),
    "a file of nothing": ({"orphan files"}, lambda f: None),
    "a missing file": ({"segment files"}, lambda f: next((f / "segments").iterdir()).unlink()),
    "a forgotten segment": (
        {"index", "orphan files"},
        lambda f: sql(f, "UPDATE segment SET last_id = 150 WHERE id = 2"),
    ),
}


@pytest.mark.parametrize("name", _WRONG)
def test_each_fault_is_found_and_repaired(open_library: Open, folder: Path, name: str) -> None:
    expected, harm = _WRONG[name]
    harm(folder)
    library = open_library(tail_rows=100)
    if name == "a file of nothing":
        (folder / "segments" / "stray.hnsw").write_bytes(b"x")
    wrong = {check.name for check in library.maintenance.check() if not check.ok}
    assert wrong & expected, (wrong, expected)
    mended = list(library.maintenance.check(repair=True))
    assert [check.name for check in mended][: len(_NAMES) - 1] == _NAMES[:-1]
    assert all(check.ok for check in mended), mended
    assert any(str(check.detail).startswith("repaired: ") for check in mended)
    assert faults(library) == []
    library.close()
    library = open_library(tail_rows=100)
    assert faults(library) == []
    # Damaged documents are read again, and then nothing is missing.
    for document in library.documents.fetch(state="queued"):
        assert document.content_hash is None, "otherwise an unchanged file would not be read"
        take_in(library, Path(document.path).name, texts(Path(document.path).stem, 50))
    assert shown(library) == [text for word in "abcde" for text in texts(word, 50)]
    assert found(library, texts("c", 20)[19]) == [texts("c", 20)[19]]
    assert faults(library) == []


def test_a_database_index_that_lost_rows_is_rebuilt(open_library: Open, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_document_name'").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray((folder / "library.db").read_bytes())
    at = (root - 1) * 8192
    content[at + 3 : at + 5] = (0).to_bytes(2, "big")  # the page claims to have no cells
    content[at + 5 : at + 7] = (8192).to_bytes(2, "big")
    (folder / "library.db").write_bytes(content)
    library = open_library()
    assert [check.name for check in library.maintenance.check() if not check.ok] == ["database"]
    assert all(check.ok for check in library.maintenance.check(repair=True))
    assert [document.title for document in library.documents.find("a.txt")] == ["a.txt"]


def test_an_unreadable_database_is_reported_and_not_changed(open_library: Open, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'embedding'").fetchone()
    content = bytearray((folder / "library.db").read_bytes())
    content[(root - 1) * 8192 : root * 8192] = b"\xaa" * 8192
    (folder / "library.db").write_bytes(content)
    library = open_library()
    checks = list(library.maintenance.check(repair=True))
    assert not checks[0].ok
    assert checks[0].name == "database"
    assert checks[0].detail


def test_a_running_import_is_no_fault(open_library: Open, folder: Path) -> None:
    library: LocalLibrary = open_library()
    document_id = add(library, "new.txt")
    library.ingest.begin(document_id, head())
    store(library, document_id, texts("new", 5))
    assert faults(library) == []
    assert all(check.ok for check in library.maintenance.check(repair=True))
    store(library, document_id, texts("more", 5))
    assert shown(library, document_id) == texts("new", 5) + texts("more", 5)
    assert faults(open_library(writable=False)) == []


def test_data_dropped_by_a_repair_leaves_no_trace(open_library: Open, folder: Path) -> None:
    odd = np.float32(3.0) * vector_of(texts("b", 1)[0])
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        connection.execute("UPDATE embedding SET vector = ? WHERE sentence_id = 51", (odd.tobytes(),))
    library = open_library(tail_rows=100)
    assert all(check.ok for check in library.maintenance.check(repair=True))
    drain(library.maintenance.purge())
    assert files_with(folder, odd.tobytes(), vector_of(texts("b", 1)[0]).tobytes()) == []
