"""Opening a library: one writer, no change to foreign files, and migration of old ones."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from desktop_app.core.errors import LibraryBusy, LibraryDamaged, LibraryTooNew, NotFound, StorageFull
from desktop_app.core.scope import EVERYTHING
from desktop_app.store.database import Database
from desktop_app.store.migrations import (
    ANNOTATION_ERASED,
    COLLECTED_ERASED,
    CORRECTION_ERASED,
    CUT_ERASED,
    DAMAGED_ERASED,
    FILE_COPY_ERASED,
    KEPT_ERASED,
    MIGRATIONS,
    NEIGHBOUR_ERASED,
    PAIR_MARK_ERASED,
    RECOGNISED_ERASED,
    REFERENCE_ERASED,
    TAG_ERASED,
    TRIGGERS,
    WORDS,
    Migration,
    migrate,
)
from desktop_app.store.schema import Base

from .conftest import Open
from .helpers import MODEL, add, drain, faults, found, head, run_checks, shown, store, take_in, texts, vector_of

pytestmark = pytest.mark.from_scratch


def test_only_one_writer_opens_a_library(open_library: Open) -> None:
    first = open_library()
    with pytest.raises(LibraryBusy) as caught:
        open_library()
    assert "Close" in str(caught.value.hint)
    first.close()
    first.close()
    open_library()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_folder_behind_a_link_to_nothing_says_what_it_is(open_library: Open, tmp_path: Path) -> None:
    (tmp_path / "disk").symlink_to(tmp_path / "unplugged")
    for folder in (tmp_path / "disk", tmp_path / "disk" / "library"):
        with pytest.raises(StorageFull, match="disk is a link to a folder that cannot be reached"):
            open_library(folder=folder)
        with pytest.raises(StorageFull, match="cannot be reached"):
            open_library(folder=folder, writable=False)


def test_a_failed_opening_releases_the_lock(open_library: Open, tmp_path: Path) -> None:
    open_library().close()
    file = tmp_path / "library" / "library.db"
    content = file.read_bytes()
    file.write_bytes(b"something else entirely" * 1000)
    for _ in range(2):
        with pytest.raises(LibraryDamaged):
            open_library()
    file.write_bytes(content)
    open_library()


@pytest.mark.parametrize("writable", [True, False])
def test_a_file_that_is_no_database_is_not_changed(open_library: Open, tmp_path: Path, writable: bool) -> None:
    file = tmp_path / "library" / "library.db"
    file.parent.mkdir()
    file.write_bytes(b"a letter to a friend" * 500)
    with pytest.raises(LibraryDamaged) as caught:
        open_library(writable=writable)
    assert "backup" in str(caught.value.hint)
    assert file.read_bytes() == b"a letter to a friend" * 500


def test_a_database_of_another_program_is_not_changed(open_library: Open, tmp_path: Path) -> None:
    file = tmp_path / "library" / "library.db"
    file.parent.mkdir()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipe (id INTEGER)")
    connection.close()
    with pytest.raises(LibraryDamaged, match="another program"):
        open_library()
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]
    connection.close()


def test_a_damaged_page_is_reported(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    for at in range(30):
        take_in(library, f"{at}.txt", texts(str(at), 50))
    library.close()
    file = tmp_path / "library" / "library.db"
    content = bytearray(file.read_bytes())
    content[8192 * 2 :] = b"\xaa" * (len(content) - 8192 * 2)
    file.write_bytes(content)
    with pytest.raises(LibraryDamaged):
        shown(open_library())


def _lose(folder: Path, *others: str) -> None:
    """Leave nothing of a library's database but other files."""
    (folder / "library.db").unlink()
    for other in others:
        (folder / other).write_bytes(b"what is left")


@pytest.mark.parametrize(
    ("lose", "writable", "said"),
    [
        (lambda folder: (folder / "library.db").write_bytes(b""), True, "library.db is empty"),
        (lambda folder: (folder / "library.db").write_bytes(b""), False, "library.db is empty"),
        (lambda folder: (_lose(folder), (folder / "library.db").symlink_to("nowhere")), True, "cannot be reached"),
        (lambda folder: _lose(folder, "library.db-wal"), True, "missing, but library.db-wal is there"),
        (lambda folder: _lose(folder, "library-1019.backup"), True, "missing, but library-1019.backup is there"),
    ],
)
def test_a_lost_database_is_not_replaced_by_an_empty_one(
    open_library: Open, tmp_path: Path, lose: Callable[[Path], object], writable: bool, said: str
) -> None:
    open_library().close()
    folder = tmp_path / "library"
    lose(folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    with pytest.raises(LibraryDamaged, match=said) as caught:
        open_library(writable=writable)
    assert "creates a new" in str(caught.value.hint)
    assert {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before


def test_what_a_killed_process_has_written_by_half_is_deleted(open_library: Open, tmp_path: Path) -> None:
    open_library().close()
    folder = tmp_path / "library"
    left = ["library.db.restoring", "library.db.new", "library.db.new-journal", "library-1019.copying"]
    for name in left:
        (folder / name).write_bytes(b"text of a document that was removed")
    (folder / "my notes.new").write_text("mine")
    open_library(writable=False)
    assert set(left) < {file.name for file in folder.iterdir()}, "a reader changes nothing"
    open_library()
    assert not {file.name for file in folder.iterdir()} & set(left)
    assert (folder / "my notes.new").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="Windows has access lists instead of modes")
@pytest.mark.parametrize("writable", [True, False])
def test_only_the_owner_can_read_a_library(open_library: Open, tmp_path: Path, writable: bool) -> None:
    folder = tmp_path / "above" / "library"
    library = open_library(folder=folder, tail_rows=20)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 50))
    drain(library.maintenance.run())

    def open_to_others() -> list[str]:
        paths = [folder, *folder.rglob("*")]
        assert len(paths) >= 6
        return [path.name for path in paths if path.exists() and path.stat().st_mode & 0o077]

    assert open_to_others() == []
    assert not folder.parent.stat().st_mode & 0o077
    library.close()
    # A library that an earlier version has made.
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    library = open_library(folder=folder, writable=writable)
    assert open_to_others() == []
    # In a folder with other things only the library's own are changed.
    library.close()
    folder.chmod(0o755)
    (folder / "letter.txt").touch()
    (folder / "letter.txt").chmod(0o644)
    (folder / "library.db").chmod(0o644)
    open_library(folder=folder, writable=writable)
    assert sorted(open_to_others()) == ["letter.txt", "library"]


def test_nothing_is_created_without_a_request(open_library: Open, tmp_path: Path) -> None:
    for options in ({"create": False}, {"writable": False}):
        with pytest.raises(NotFound):
            open_library(**options)
    assert not (tmp_path / "library").exists()


def test_a_folder_that_cannot_be_created_is_reported(open_library: Open, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageFull):
        open_library(folder=tmp_path / "file" / "library")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_folder_may_have_any_name(open_library: Open, tmp_path: Path) -> None:
    folder = tmp_path / "a ?#%41 'b'\n\udcff"
    library = open_library(folder=folder, tail_rows=20)
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 50))
    drain(library.maintenance.run())
    assert len(list((folder / "segments").iterdir())) == 2
    assert faults(library) == []
    reader = open_library(folder=folder, writable=False)
    assert found(reader, texts("a", 1)[0]) == texts("a", 1)


class TestReader:
    def test_a_reader_works_while_a_writer_is_open(self, open_library: Open) -> None:
        writer = open_library(tail_rows=30)
        writer.models.bind(MODEL)
        a = take_in(writer, "a.txt", texts("a", 20))
        reader = open_library(writable=False)
        assert not reader.writable
        assert reader.models.current == MODEL
        assert found(reader, texts("a", 1)[0]) == texts("a", 1)
        assert reader.info() == replace(writer.info(), is_writable=False)
        b = take_in(writer, "b.txt", texts("b", 50))
        assert found(reader, texts("b", 9)[8]) == [texts("b", 9)[8]]
        drain(writer.maintenance.run())
        assert reader.search.nearest(vector_of("q"), 30) == writer.search.nearest(vector_of("q"), 30)
        writer.documents.remove([a])
        drain(writer.maintenance.purge())
        assert found(reader, "q", 99) == found(writer, "q", 99)
        assert [d.document_id for d in reader.documents.fetch()] == [b]
        assert reader.document_ranking.nearest_documents(
            vector_of("q"), 3
        ) == writer.document_ranking.nearest_documents(vector_of("q"), 3)
        assert faults(reader) == []
        assert reader.info().searchable == 50
        drain(reader.maintenance.run())

    def test_a_reader_changes_nothing(self, open_library: Open) -> None:
        writer = open_library()
        writer.models.bind(MODEL)
        a = take_in(writer, "a.txt", texts("a", 3))
        reader = open_library(writable=False)
        with pytest.raises(LibraryBusy):
            reader.documents.remove([a])
        with pytest.raises(LibraryBusy):
            add(reader, "b.txt")
        with pytest.raises(LibraryBusy):
            run_checks(reader, repair=True)
        reader.models.bind(replace(MODEL, folder="/elsewhere"))
        assert reader.models.current == MODEL

    def test_a_reader_does_not_see_an_unfinished_repeated_import(self, open_library: Open) -> None:
        writer = open_library()
        writer.models.bind(MODEL)
        a = take_in(writer, "a.txt", texts("a", 3))
        reader = open_library(writable=False)
        writer.ingest.begin(a, head("new"))
        store(writer, a, texts("new", 3))
        assert shown(reader) == texts("a", 3)
        assert set(found(reader, "q", 9, scope=EVERYTHING)) == set(texts("a", 3))

    def test_an_interrupted_import_is_queued_for_a_reader_once_nothing_imports(self, open_library: Open) -> None:
        library = open_library()
        library.models.bind(MODEL)
        for name, document_id in (("a", add(library, "a.txt")), ("b", add(library, "b.txt"))):
            library.ingest.begin(document_id, head(name))
        store(library, document_id, texts("b", 3))

        def states() -> tuple[list[str], dict[str, int], list[str]]:
            reader = open_library(writable=False)
            documents = reader.documents.fetch()
            named = reader.documents.get(documents[0].document_id), *reader.documents.find("b.txt")
            return [each.state for each in documents], reader.info().states, [each.state for each in named]

        both = ["reading", "embedding"]
        assert states() == (both, {"reading": 1, "embedding": 1}, both)
        library.close()
        assert states() == (["queued"] * 2, {"queued": 2}, ["queued"] * 2)

    def test_a_reader_works_after_the_writer_is_closed(self, open_library: Open) -> None:
        writer = open_library()
        writer.models.bind(MODEL)
        take_in(writer, "a.txt", texts("a", 3))
        writer.close()
        assert shown(open_library(writable=False, create=False)) == texts("a", 3)


class TestInterrupted:
    def test_interrupted_documents_are_queued_again(self, open_library: Open) -> None:
        library = open_library()
        library.models.bind(MODEL)
        kept, begun, again, fresh = (add(library, f"{name}.txt") for name in ("kept", "begun", "again", "fresh"))
        for document_id, name in ((kept, "kept"), (again, "again")):
            library.ingest.begin(document_id, head(name))
            store(library, document_id, texts(name, 3))
            from desktop_app.core.reader_events import ReadingDone

            library.ingest.finish(document_id, ReadingDone())
        library.ingest.begin(again, head("other"))
        store(library, again, texts("other", 3))
        library.ingest.begin(begun, head("begun"))
        store(library, begun, texts("begun", 3))
        library.close()

        library = open_library()
        states = {document.document_id: document.state for document in library.documents.fetch()}
        assert states == {kept: "ready", begun: "queued", again: "queued", fresh: "queued"}
        assert shown(library) == texts("kept", 3) + texts("again", 3)
        assert library.documents.get(again).content_hash == "again"
        assert library.ingest.without_vector([*texts("begun", 3), *texts("other", 3)]) == [], (
            "nothing is embedded twice"
        )
        drain(library.maintenance.run())
        assert library.ingest.without_vector(texts("begun", 3)) == [], "nor after idle maintenance while they wait"
        assert faults(library) == []
        drain(library.maintenance.purge())
        assert library.ingest.without_vector(texts("begun", 3)) == texts("begun", 3)
        assert faults(library) == []


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "library.db", writable=True)
    yield database
    database.close()


def made(file: Path) -> dict[str, str]:
    connection = sqlite3.connect(file)
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
    columns = {}
    for kind, name, table, sql in rows:
        if kind == "table":
            columns[name] = str(connection.execute(f"PRAGMA table_xinfo({name})").fetchall())
            columns[name] += str(sorted(row[2:] for row in connection.execute(f"PRAGMA foreign_key_list({name})")))
            columns[name] += f" without rowid {'WITHOUT ROWID' in sql} autoincrement {'AUTOINCREMENT' in sql}"
        elif kind == "index":
            where = (sql or "").upper().partition("WHERE")[2].strip()
            unique = [row[2:] for row in connection.execute(f"PRAGMA index_list({table})") if row[1] == name]
            keys = [row[2] for row in connection.execute(f"PRAGMA index_info({name})")]
            columns[f"{table} {keys}"] = f"{where} {unique}"
        else:
            columns[name] = sql
    connection.close()
    return columns


class TestMigrations:
    def test_the_migrated_schema_equals_the_declared_one(self, empty: Database, tmp_path: Path) -> None:
        migrate(empty)
        file = tmp_path / "declared.db"
        engine = create_engine(f"sqlite:///{file}")
        Base.metadata.create_all(engine)
        with engine.begin() as connection:
            own = (
                NEIGHBOUR_ERASED,
                PAIR_MARK_ERASED,
                COLLECTED_ERASED,
                RECOGNISED_ERASED,
                CORRECTION_ERASED,
                CUT_ERASED,
                TAG_ERASED,
                DAMAGED_ERASED,
                REFERENCE_ERASED,
                ANNOTATION_ERASED,
                *KEPT_ERASED,
                *FILE_COPY_ERASED,
            )
            for statement in (*TRIGGERS, *WORDS, *own):
                connection.exec_driver_sql(statement)
        engine.dispose()
        assert made(empty.file) == made(file)

    def test_an_old_file_is_migrated(self, empty: Database, tmp_path: Path) -> None:
        later = (*MIGRATIONS, Migration(MIGRATIONS[-1].version + 1, ("ALTER TABLE model ADD COLUMN note VARCHAR",)))
        migrate(empty)
        migrate(empty, later)
        migrate(empty, later)
        other = Database(tmp_path / "new.db", writable=True)
        migrate(other, later)
        other.close()
        assert made(empty.file) == made(tmp_path / "new.db")
        assert "note" in made(empty.file)["model"]

    def test_a_step_that_fails_leaves_the_version_before(self, empty: Database) -> None:
        migrate(empty)
        before = made(empty.file)
        bad = Migration(MIGRATIONS[-1].version + 1, ("ALTER TABLE model ADD COLUMN note VARCHAR", "this is no SQL"))
        with pytest.raises(Exception, match="syntax error"):
            migrate(empty, (*MIGRATIONS, bad))
        assert made(empty.file) == before
        migrate(empty)

    def test_a_newer_major_version_is_refused_a_minor_one_is_not(self, open_library: Open, tmp_path: Path) -> None:
        open_library().close()
        file = tmp_path / "library" / "library.db"
        newer = 1000 * (MIGRATIONS[-1].version // 1000 + 1)
        for version, allowed in ((newer - 1, True), (newer, False)):
            connection = sqlite3.connect(file)
            connection.execute(f"PRAGMA user_version = {version}")
            connection.close()
            if allowed:
                open_library().close()
            else:
                content = file.read_bytes()
                for writable in (True, False):
                    with pytest.raises(LibraryTooNew):
                        open_library(writable=writable)
                assert file.read_bytes() == content

    def test_a_reader_does_not_migrate(self, open_library: Open, tmp_path: Path) -> None:
        open_library().close()
        reader = Database(tmp_path / "library" / "library.db", writable=False)
        later = (*MIGRATIONS, Migration(MIGRATIONS[-1].version + 1, ("SELECT 1",)))
        with pytest.raises(LibraryBusy):
            migrate(reader, later)
        reader.close()


def test_a_full_disk_is_reported_and_nothing_is_lost(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    kept = take_in(library, "a.txt", texts("a", 20))
    raw = library._database._raw
    raw.execute(f"PRAGMA max_page_count = {raw.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(StorageFull) as caught:
        take_in(library, "b.txt", texts("b", 20_000))
    assert "space" in str(caught.value.hint)
    raw.execute("PRAGMA max_page_count = 1000000000")
    assert shown(library, kept) == texts("a", 20)
    take_in(library, "b.txt", texts("b", 20))
    library.close()
    library = open_library()
    assert faults(library) == []

    def test_collections_stay_when_tags_come(self, empty: Database, tmp_path: Path) -> None:
        migrate(empty, tuple(each for each in MIGRATIONS if each.version < 1015))
        with empty.write_transaction() as connection:
            for statement in (
                "INSERT INTO collection (id, name) VALUES (3, 'Thesis'), (7, 'thesis notes')",
                "INSERT INTO collected (collection_id, document_id) VALUES (3, 1), (3, 2), (7, 2)",
            ):
                connection.exec_driver_sql(statement)
        migrate(empty)
        with empty.write_transaction() as connection:
            connection.exec_driver_sql("INSERT INTO collection (kind, name) VALUES ('tag', 'Thesis')")
            rows = connection.exec_driver_sql("SELECT id, kind, name FROM collection ORDER BY id").fetchall()
            held = connection.exec_driver_sql("SELECT * FROM collected ORDER BY 1, 2").fetchall()
        assert [tuple(row) for row in rows] == [
            (3, "collection", "Thesis"),
            (7, "collection", "thesis notes"),
            (8, "tag", "Thesis"),
        ]
        assert [tuple(row) for row in held] == [(3, 1), (3, 2), (7, 2)]
        assert "kept_collection" not in made(empty.file)


@pytest.mark.skipif(os.name == "nt", reason="Windows moves and deletes no open file")
@pytest.mark.parametrize("does", ["moved", "deleted", "replaced"])
def test_nothing_is_written_to_a_library_that_is_no_longer_in_its_place(
    open_library: Open, tmp_path: Path, does: str
) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 3))
    folder = Path(library.info().folder)
    reader = open_library(writable=False)
    assert reader.info().sentences == 3
    if does == "moved":
        folder.rename(tmp_path / "elsewhere")
    else:
        shutil.copytree(folder, tmp_path / "copy")
        shutil.rmtree(folder)
    if does == "replaced":
        shutil.copytree(tmp_path / "copy", folder)
    for use in (lambda: add(library, "b.txt"), reader.info):
        with pytest.raises(StorageFull, match="moved, deleted or replaced while it was open") as failure:
            use()
        assert "Put its folder back" in str(failure.value.hint)
    assert library.info().sentences == 3, "it can still be read"
    if does == "moved":
        (tmp_path / "elsewhere").rename(folder)
        add(library, "b.txt")
        assert reader.info().documents == 2
