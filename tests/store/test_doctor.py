"""The doctor finds each possible fault and repairs it."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Connection

from desktop_app.core.jobs import Progress, Waiting
from desktop_app.core.messages import Message, verbatim
from desktop_app.store import doctor, index_segments
from desktop_app.store.library import LocalLibrary
from tests.steps import go_through

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

_NAMES = [
    "database",
    "references",
    "texts",
    "documents",
    "vectors sound",
    "vectors present",
    "counters",
    "annotations",
    "words",
    "segment files",
    "index",
    "orphan files",
    "recall",
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed library with two segments and a tail; each test gets a copy."""
    folder = tmp_path_factory.mktemp("sound") / "library"
    with LocalLibrary.open(folder, tail_rows=100) as library:
        library.models.bind(MODEL)
        for name in "abcde":
            take_in(library, f"{name}.txt", texts(name, 50))
        drain(library.maintenance.run())
        assert [(check.name, check.ok) for check in run_checks(library)] == [(name, True) for name in _NAMES]
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(template, tmp_path / "library")


def sql(folder: Path, *statements: str) -> None:
    """Change the database without the program."""
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, f"{statement} changed nothing"


def change_a_bit(folder: Path, sentence_id: int) -> None:
    """Change the last bit of a number of a vector, which stays at length 1."""
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        query = "SELECT vector FROM embedding WHERE sentence_id = ?"
        vector = bytearray(connection.execute(query, (sentence_id,)).fetchone()[0])
        vector[4] ^= 1
        connection.execute("UPDATE embedding SET vector = ? WHERE sentence_id = ?", (bytes(vector), sentence_id))


def index_other_words(folder: Path, index: str, source: str) -> None:
    """Index the first text as if it said something else."""
    sql(
        folder,
        f"INSERT INTO {index} ({index}, rowid, text) SELECT 'delete', id, text FROM {source} WHERE id = 1",
        f"INSERT INTO {index} (rowid, text) VALUES (1, 'quite another thing')",
    )


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
    "a vector with a changed bit": ({"vectors sound"}, lambda f: change_a_bit(f, 33)),
    "a flipped letter": (
        {"texts"},
        lambda f: sql(f, "UPDATE sentence SET text = replace(text, 'sentence', 'sentinel') WHERE id = 60"),
    ),
    "a text that is none": (
        {"texts"},
        lambda f: sql(f, "UPDATE sentence SET text = cast(x'62ff61' AS TEXT) WHERE id = 60"),
    ),
    "a text that became another's": (
        {"texts"},
        lambda f: sql(f, "UPDATE sentence SET text = (SELECT text FROM sentence WHERE id = 61) WHERE id = 60"),
    ),
    "a changed hash": ({"texts"}, lambda f: sql(f, "UPDATE sentence SET hash = x'00' WHERE id = 60")),
    "a lost sentence": (
        {"references"},
        lambda f: sql(f, "PRAGMA foreign_keys = OFF", "DELETE FROM sentence WHERE id = 60"),
    ),
    "a lost version": (
        {"references", "documents"},
        lambda f: sql(f, "PRAGMA foreign_keys = OFF", "DELETE FROM version WHERE id = 3"),
    ),
    "words that are not in the text": ({"words"}, lambda f: index_other_words(f, "sentence_words", "sentence")),
    "words that are not in the passage": ({"words"}, lambda f: index_other_words(f, "passage_words", "passage_text")),
    "a file of nothing": ({"orphan files"}, lambda f: None),
    "a missing file": ({"segment files"}, lambda f: next((f / "segments").iterdir()).unlink()),
    "a forgotten segment": (
        {"index", "orphan files"},
        lambda f: sql(f, "UPDATE segment SET last_id = 150 WHERE id = 2"),
    ),
    "a lost segment before another": ({"index", "orphan files"}, lambda f: sql(f, "DELETE FROM segment WHERE id = 1")),
}


@pytest.mark.parametrize("name", _WRONG)
def test_each_fault_is_found_and_repaired(open_library: Open, folder: Path, name: str) -> None:
    expected, harm = _WRONG[name]
    harm(folder)
    library = open_library(tail_rows=100)
    if name == "a file of nothing":
        (folder / "segments" / "stray.hnsw").write_bytes(b"x")
    wrong = {check.name for check in run_checks(library) if not check.ok}
    assert wrong & expected, (wrong, expected)
    mended = run_checks(library, repair=True)
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
    assert [check.name for check in run_checks(library) if not check.ok] == ["database"]
    assert all(check.ok for check in run_checks(library, repair=True))
    assert [document.title for document in library.documents.find("a.txt")] == ["a.txt"]


def test_an_unreadable_database_is_reported_and_not_changed(open_library: Open, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'embedding'").fetchone()
    content = bytearray((folder / "library.db").read_bytes())
    content[(root - 1) * 8192 : root * 8192] = b"\xaa" * 8192
    (folder / "library.db").write_bytes(content)
    library = open_library()
    checks = run_checks(library, repair=True)
    assert not checks[0].ok
    assert checks[0].name == "database"
    assert checks[0].detail


def test_a_running_import_is_no_fault(open_library: Open, folder: Path) -> None:
    library: LocalLibrary = open_library()
    document_id = add(library, "new.txt")
    library.ingest.begin(document_id, head())
    store(library, document_id, texts("new", 5))
    assert faults(library) == []
    assert all(check.ok for check in run_checks(library, repair=True))
    store(library, document_id, texts("more", 5))
    assert shown(library, document_id) == texts("new", 5) + texts("more", 5)
    assert faults(open_library(writable=False)) == []


def test_data_dropped_by_a_repair_leaves_no_trace(open_library: Open, folder: Path) -> None:
    odd = np.float32(3.0) * vector_of(texts("b", 1)[0])
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        connection.execute("UPDATE embedding SET vector = ? WHERE sentence_id = 51", (stored_bytes(odd),))
    library = open_library(tail_rows=100)
    assert all(check.ok for check in run_checks(library, repair=True))
    drain(library.maintenance.purge())
    assert files_with(folder, stored_bytes(odd), stored_bytes(vector_of(texts("b", 1)[0]))) == []


def test_a_damaged_text_is_read_again_and_keeps_what_a_person_said_about_it(open_library: Open, folder: Path) -> None:
    text = texts("b", 10)[9]
    library = open_library(tail_rows=100)
    library.pair_labels.judge(text, texts("c", 1)[0], True)
    library.user_data.judge("query", 60, True)
    library.close()
    sql(folder, "UPDATE sentence SET text = 'b has a sentinel.' WHERE id = 60")
    library = open_library(tail_rows=100)
    assert "texts: 1 sentences have changed since they were stored" in faults(library)
    assert all(check.ok for check in run_checks(library, repair=True))
    assert shown(library)[59] == "b has a sentinel.", "it stays until the file is read"
    take_in(library, "b.txt", texts("b", 50))
    assert shown(library)[59] == text
    drain(library.maintenance.purge())
    assert faults(library) == []
    assert files_with(folder, b"sentinel") == []
    assert [each.same for each in library.pair_labels.labelled_pairs()] == [True]
    (judgement,) = library.user_data.judgements("query")
    ids = {row.text: row.sentence_id for batch in library.sentences.occurrences() for row in batch}
    assert judgement.sentence_id == ids[text]
    assert found(library, text) == [text]


def test_a_damaged_text_whose_file_has_gone_stays_and_is_reported(open_library: Open, folder: Path) -> None:
    sql(folder, "UPDATE sentence SET text = 'b has a sentinel.' WHERE id = 60")
    library = open_library(tail_rows=100)
    assert all(check.ok for check in run_checks(library, repair=True))
    library.ingest.fail(2, "unreadable", verbatim("it has gone"))
    assert shown(library)[59] == "b has a sentinel."
    assert faults(library) == ["texts: 1 documents with damaged sentences could not be read again: 2"]


def test_vectors_of_an_earlier_version_get_a_checksum(open_library: Open, folder: Path) -> None:
    sql(
        folder,
        "UPDATE embedding SET checksum = NULL WHERE id < 200",
        "UPDATE counter SET value = 0 WHERE name = 'checksums'",
    )
    change_a_bit(folder, 33)
    library = open_library(tail_rows=100)
    assert faults(library) == []
    drain(library.maintenance.run())
    library.close()
    change_a_bit(folder, 34)
    assert faults(open_library(tail_rows=100)) == ["vectors sound: 1 vectors have changed since they were stored"]


def test_a_long_check_goes_in_steps_with_progress(
    open_library: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_STEP_ROWS", 100)
    steps = [step for step in go_through(open_library(tail_rows=100).maintenance.check()) if isinstance(step, Progress)]
    assert [(step.unit, step.done, step.total) for step in steps] == [
        (unit, done, 250) for unit in ("sentences", "vectors") for done in (100, 200, 250)
    ]


def test_no_step_grows_with_the_library(open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, rows in (doctor, "_STEP_ROWS"), (doctor, "_STEP_IDS"), (index_segments, "_STEP_ROWS"):
        monkeypatch.setattr(module, rows, 50)

    def most_work(count: int) -> int:
        """The most instructions of SQLite, in hundreds, that a step takes from the thread that searches."""
        folder = tmp_path / f"of {count}"
        library = open_library(folder=folder)
        library.models.bind(MODEL)
        take_in(library, "a.txt", texts("a", count))
        library.close()
        library = open_library(folder=folder)
        done = [0]

        def note() -> None:
            done[-1] += 1

        library._database._raw.set_progress_handler(note, 100)
        for step in go_through(library.maintenance.check()):
            assert not isinstance(step, doctor.CheckResult) or step.ok, step
            done.append(0)
        library._database._raw.set_progress_handler(None, 0)
        return max(done)

    assert most_work(800) <= most_work(100) + 2


def test_a_library_is_searched_and_written_while_a_long_statement_checks_it(
    open_library: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.Doctor, "_check_references", _count_for_ever)
    library = open_library(tail_rows=100)
    steps = library.maintenance.check()
    while not isinstance(step := next(steps), doctor.CheckResult):
        assert isinstance(step, Waiting)
    assert step.name == "database"
    assert all(isinstance(next(steps), Waiting) for _ in range(3))
    assert found(library, texts("c", 20)[19]) == [texts("c", 20)[19]]
    take_in(library, "new.txt", texts("new", 5))
    assert found(library, texts("new", 5)[4]) == [texts("new", 5)[4]]
    (checking,) = [thread for thread in threading.enumerate() if thread.name == "beside the engine"]
    steps.close()
    assert not checking.is_alive(), "a job that is stopped, or the closing window, ends it at once"


def _count_for_ever(self: doctor.Doctor, connection: Connection) -> Message:
    query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    return Message("{count}", count=connection.exec_driver_sql(query).scalar_one())


def test_a_library_is_checked_while_another_process_writes(open_library: Open, folder: Path) -> None:
    index_other_words(folder, "sentence_words", "sentence")
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        library = open_library(tail_rows=100, writable=False)
        assert faults(library) == ["words: the word index of the sentences does not match the texts"]


@pytest.mark.parametrize("change", ["add", "remove"])
def test_what_changes_during_a_check_is_no_fault(
    open_library: Open, folder: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(doctor, "_STEP_IDS", 100)
    library = open_library(tail_rows=100)
    drain(library.maintenance.run())  # the index is in memory from here on
    names, checked, wrong = iter("abc"), "", []
    for step in go_through(library.maintenance.check()):
        if isinstance(step, doctor.CheckResult):
            checked = step.name
            wrong += [] if step.ok else [step]
        elif checked == "segment files" and (name := next(names, "")):
            if change == "add":
                take_in(library, f"new {name}.txt", texts(f"new {name}", 5))
            else:
                library.documents.remove([document.document_id for document in library.documents.find(f"{name}.txt")])
                drain(library.maintenance.purge())
    assert next(names, None) is None, "there were too few steps"
    assert wrong == []
