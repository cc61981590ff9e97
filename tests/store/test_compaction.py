"""The space that a conversion leaves in the database goes back to the disk, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import threading
from collections import namedtuple
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.library import Library
from desktop_app.store.schema import CounterRow

from .conftest import Open
from .helpers import MODEL, drain, faults, found, shown, take_in, texts

pytestmark = pytest.mark.from_scratch


@pytest.fixture
def sparse(open_library: Open, tmp_path: Path) -> Library:
    """A library with a database of which the greater part is unused."""
    library: Library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 60))
    with closing(sqlite3.connect(tmp_path / "library" / "library.db")) as connection:
        connection.execute("CREATE TABLE room (content BLOB)")
        noise = np.random.default_rng(0).bytes(4000)
        connection.executemany("INSERT INTO room VALUES (?)", [(noise,)] * 600)
        connection.execute("DELETE FROM room")
        connection.execute("INSERT OR REPLACE INTO counter (name, value) VALUES ('sparse', 1)")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert size(tmp_path) > 2_000_000
    return library


def size(tmp_path: Path) -> int:
    return sum(file.stat().st_size for file in (tmp_path / "library").glob("library.db*") if "-shm" not in file.name)


def test_unused_space_goes_back_to_the_disk(sparse: Library, open_library: Open, tmp_path: Path) -> None:
    assert drain(sparse.maintenance.run()) > 0
    assert size(tmp_path) < 1_500_000
    assert faults(sparse) == []
    assert found(sparse, texts("a", 60)[7]) == [texts("a", 60)[7]]
    take_in(sparse, "b.txt", texts("b", 20))
    assert drain(sparse.maintenance.run()) == 0, "nothing is due"
    sparse.close()
    with open_library() as library:
        assert faults(library) == []
        assert found(library, texts("b", 20)[7]) == [texts("b", 20)[7]]
        assert library.info().sentences == 80


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names there are text")
def test_the_library_may_be_in_a_folder_with_any_name(sparse: Library, open_library: Open, tmp_path: Path) -> None:
    sparse.close()
    odd = tmp_path / os.fsdecode(b"caf\xe9 ?a=b%20#c")
    (tmp_path / "library").rename(odd)
    with open_library(folder=odd) as library:
        assert drain(library.maintenance.run()) > 0
        assert (odd / "library.db").stat().st_size < 1_500_000
        assert faults(library) == []


def test_searches_read_while_it_goes_on(sparse: Library) -> None:
    for _ in sparse.maintenance.run():
        assert found(sparse, texts("a", 60)[7]) == [texts("a", 60)[7]]
    assert faults(sparse) == []


@pytest.mark.parametrize("moment", range(6))
def test_whatever_is_written_meanwhile_stays(
    sparse: Library, open_library: Open, tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write at any moment makes the copy useless, or comes after it."""
    monkeypatch.setattr("desktop_app.store.compaction._PAGES", 20)
    written = 0
    for at, _ in enumerate(sparse.maintenance.run()):
        if at >= moment and written < 3:
            written += 1
            take_in(sparse, f"b{written}.txt", texts(f"b{written}", 5))
    assert faults(sparse) == []
    assert sparse.info().sentences == 60 + 5 * written
    sparse.close()
    with open_library() as library:
        drain(library.maintenance.run())
        assert size(tmp_path) < 1_500_000
        assert faults(library) == []
        assert library.info().sentences == 60 + 5 * written


def test_every_write_counts_between_the_copy_and_its_place(
    sparse: Library, open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_app.store import compaction

    put: Callable[[object], None] = compaction._CompactionThread._put_in_place

    def write_before(work: object) -> None:
        sparse._database.writes += 1  # type: ignore[attr-defined]
        with closing(sqlite3.connect(tmp_path / "library" / "library.db")) as connection:
            connection.execute("UPDATE counter SET value = 7 WHERE name = 'recall'")
            connection.execute("INSERT OR REPLACE INTO counter (name, value) VALUES ('told', 7)")
            connection.commit()
        put(work)

    monkeypatch.setattr(compaction._CompactionThread, "_put_in_place", write_before)
    drain(sparse.maintenance.run())
    with sparse.read_transaction() as connection:  # type: ignore[attr-defined]
        query = CounterRow.__table__.select().where(CounterRow.name == "told")
        assert connection.execute(query).one().value == 7
    assert size(tmp_path) > 2_000_000


def test_it_leaves_nothing_where_it_is_stopped(sparse: Library, open_library: Open, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    for stop in (1, 2, 3):
        steps = sparse.maintenance.run()
        for _, _step in zip(range(stop), steps, strict=False):
            pass
        steps.close()
        assert list(folder.glob("*compact*")) == []
    (folder / "library.db.compact.new").write_bytes(b"left by a kill")
    sparse.close()
    with open_library() as library:
        assert list(folder.glob("*compact*")) == []
        assert faults(library) == []
        assert shown(library, 1) == texts("a", 60)


def test_a_purge_and_it_do_not_change_the_file_at_once(sparse: Library, tmp_path: Path) -> None:
    steps = sparse.maintenance.run()
    next(steps)
    sparse.documents.remove([1])
    purging = sparse.maintenance.purge()
    for _ in purging:
        next(steps, None)
    for _ in steps:
        pass
    assert faults(sparse) == []
    assert sparse.info().sentences == 0


def test_a_full_disk_leaves_it_for_later(sparse: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(10**9, 10**9, 0))
    assert drain(sparse.maintenance.run()) == 0
    assert size(tmp_path) > 2_000_000


def test_a_reader_of_another_process_keeps_its_state(sparse: Library, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "library" / "library.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        before = reader.execute("SELECT count(*) FROM sentence").fetchone()
        for step in sparse.maintenance.run():
            assert reader.execute("SELECT count(*) FROM sentence").fetchone() == before, step
            if not sparse._database._is_file_taken:  # type: ignore[attr-defined]
                continue
        reader.execute("COMMIT")
        assert reader.execute("PRAGMA quick_check").fetchone() == ("ok",)
    assert faults(sparse) == []


def test_a_write_ends_the_copy_at_once(sparse: Library, tmp_path: Path) -> None:
    """A purge waits for it some seconds, and the copy of a large library takes longer."""
    from desktop_app.store.compaction import _CompactionThread

    stopped: list[str] = []

    class Copying:
        def interrupt(self) -> None:
            stopped.append("copy")

    work = _CompactionThread(sparse._database)  # type: ignore[attr-defined]
    wait = threading.Event()
    work._run = wait.wait  # type: ignore[assignment, method-assign]
    work._thread = threading.Thread(target=work._run, name="compaction")
    work._copying = Copying()  # type: ignore[assignment]
    steps = work.steps()
    next(steps)
    next(steps)
    assert stopped == []
    sparse.documents.remove([1])
    next(steps)
    assert stopped == ["copy"]
    wait.set()
    drain(steps)


def test_the_log_is_cut_off_before_the_thread_ends(
    sparse: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a large log that takes longer than a step may."""
    from desktop_app.store.database import Database

    sizes: list[int] = []

    def look(_database: Database) -> bool:
        sizes.append((tmp_path / "library" / "library.db-wal").stat().st_size)
        return True

    monkeypatch.setattr(Database, "checkpoint", look)
    drain(sparse.maintenance.run())
    assert sizes[-1:] == [0]
