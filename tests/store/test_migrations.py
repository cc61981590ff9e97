"""Libraries of earlier schemas are migrated, a copy is kept meanwhile, and network drives are refused."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import sqlite3
import sys
import zipfile
from collections import namedtuple
from contextlib import closing
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from desktop_app.core.errors import LibraryBusy, LibraryTooNew, StorageFull
from desktop_app.core.messages import Message, verbatim
from desktop_app.core.query import KeywordQuery
from desktop_app.store import library_lock
from desktop_app.store.database import Database
from desktop_app.store.legacy_messages import TEMPLATES, recognise_text
from desktop_app.store.migrations import FIRST_TOKENIZER, MIGRATIONS, migrate

from .conftest import Open
from .helpers import MODEL, drain, faults, take_in

pytestmark = pytest.mark.from_scratch

FIXTURES = sorted((Path(__file__).parents[1] / "data" / "libraries").glob("schema-*.zip"))
REMARKS = Path(__file__).parents[1] / "data" / "libraries" / "remarks-1019.zip"
NEWEST = MIGRATIONS[-1].version


@pytest.fixture(params=FIXTURES, ids=lambda file: file.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A library's folder as an earlier Kindred left it."""
    folder = tmp_path / "library"
    folder.mkdir()
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(folder)
    return folder


def _version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_changed(file: Path) -> bool:
    """Return whether a library's file has to be changed, not only to be noted as one of the newest version."""
    found = _version(file)
    return any(each.version > found and not each.is_note for each in MIGRATIONS)


def _copies(folder: Path) -> list[int]:
    return [_version(file) for file in folder.glob("*.backup")]


def test_every_earlier_schema_opens_completely(old: Path, open_library: Open) -> None:
    library = open_library()
    (document,) = library.documents.fetch()
    assert (Path(document.path).name, document.state, document.sentences) == ("tea.md", "ready", 6)
    drain(library.maintenance.run())
    texts = [each.text for batch in library.sentences.occurrences() for each in batch]
    assert "Water for green tea should not boil." in texts
    assert library.models.current is not None
    assert library.models.current.dim == 384
    assert faults(library) == []
    assert _version(old / "library.db") == NEWEST


def test_stored_failures_and_remarks_become_messages(tmp_path: Path, open_library: Open) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    with zipfile.ZipFile(REMARKS) as archive:
        archive.extractall(folder)
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        before = {
            os.path.basename(path): text for path, text in connection.execute("SELECT path, message FROM document")
        }
        query = "SELECT warnings FROM version WHERE warnings <> '[]'"
        remarks = {text for (kept,) in connection.execute(query) for text in json.loads(kept)}
    found = {Path(document.path).name: document for document in open_library().documents.fetch()}
    # The sentences are unchanged, including the one that no version of this program has written.
    assert {name: str(document.message) for name, document in found.items()} == {
        name.decode(): text for name, text in before.items()
    }
    assert {str(remark) for document in found.values() for remark in document.warnings} == remarks
    picture, mail, french = (found[name] for name in ("picture.txt", "mail.eml", "french.txt"))
    assert picture.message == Message("The file is {kind}", code="unsupported", kind=Message("a PNG picture"))
    assert [(each.code, each.values["names"]) for each in mail.warnings] == [("attachments_unread", "menu.pdf")]
    assert [each.values["spoken"] for each in french.warnings] == [Message("French")]
    assert found["empty.txt"].message == verbatim("It was written by an even older program")


@pytest.mark.parametrize("template", [template for template, _code in TEMPLATES])
def test_each_stored_sentence_becomes_its_template(template: str) -> None:
    names = re.findall(r"\{(\w+)", template)
    numbers = set(re.findall(r"\{(\w+):", template))
    values = {name: 20000 + nth if name in numbers else f"<{name}>" for nth, name in enumerate(names)}
    message = recognise_text(template.format(**values))
    assert message is not None
    assert message.template == template
    assert {name: value if name in numbers else str(value) for name, value in message.values.items()} == values


def _put_together(file: Path) -> list[str]:
    """Return the names of collections and tags in a fixture; earlier schemas could not have any."""
    with closing(sqlite3.connect(file)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        found = connection.execute("SELECT name FROM collection").fetchall() if "collection" in tables else []
    return sorted(name for (name,) in found)


def test_a_persons_collections_quotes_and_labels_are_kept(old: Path, open_library: Open) -> None:
    before = _put_together(old / "library.db")
    library = open_library()
    (document,) = library.documents.fetch()
    put = library.collections.collections()
    assert sorted(each.name for each in put) == before
    assert all(each.document_ids == {document.document_id} for each in put)


def test_some_earlier_library_contains_a_persons_data(tmp_path: Path) -> None:
    with zipfile.ZipFile(next(file for file in FIXTURES if file.stem == "schema-1013")) as archive:
        archive.extractall(tmp_path)
    assert _put_together(tmp_path / "library.db") == ["Kitchen"]


def test_a_copy_is_kept_until_the_next_start(old: Path, open_library: Open) -> None:
    found, is_changed = _version(old / "library.db"), _is_changed(old / "library.db")
    open_library().close()
    assert _copies(old) == ([found] if is_changed else [])
    assert _version(old / "library.db") == NEWEST
    open_library().close()
    assert _copies(old) == []


def test_removed_documents_do_not_stay_in_the_copy(old: Path, open_library: Open) -> None:
    library = open_library()
    library.documents.remove([document.document_id for document in library.documents.fetch()])
    drain(library.maintenance.purge())
    assert _copies(old) == []


def test_too_little_space_for_a_copy_changes_nothing(
    old: Path, open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not _is_changed(old / "library.db"):
        pytest.skip("nothing has to be changed")
    before = (old / "library.db").read_bytes()
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(10**9, 10**9 - 1000, 1000))
    with pytest.raises(StorageFull, match="not enough space for a copy"):
        open_library()
    assert (old / "library.db").read_bytes() == before


def test_a_reader_leaves_an_old_library_to_a_writer(old: Path, open_library: Open) -> None:
    if not _is_changed(old / "library.db"):
        pytest.skip("nothing has to be changed")
    with pytest.raises(LibraryBusy, match="must be upgraded"):
        open_library(writable=False)
    assert _copies(old) == []


def test_a_reader_needs_no_writer_where_nothing_is_changed(tmp_path: Path, open_library: Open) -> None:
    folder = tmp_path / "library"
    with zipfile.ZipFile(next(file for file in FIXTURES if file.stem == "schema-1032")) as archive:
        archive.extractall(folder)
    assert len(open_library(writable=False).documents.fetch()) == 1
    assert _version(folder / "library.db") == 1032


@pytest.mark.parametrize("stopped_at", [2000, 2001])
def test_words_with_vowel_signs_are_indexed_again(tmp_path: Path, open_library: Open, stopped_at: int) -> None:
    hindi = ["\u0915\u0940 \u0915\u093f\u0924\u093e\u092c", "\u0915\u093e \u092e\u0915\u093e\u0928"]
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "hindi.txt", hindi)
    take_in(library, "tea.txt", ["Water for green tea should not boil.", "Caf\u00e9"])
    library.close()
    file = tmp_path / "library" / "library.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        for index, source in (("sentence_words", "sentence"), ("passage_words", "passage_text")):
            connection.execute(f"DROP TABLE {index}")
            connection.execute(
                f"CREATE VIRTUAL TABLE {index} USING fts5"
                f"(text, content = '{source}', content_rowid = 'id', tokenize = '{FIRST_TOKENIZER}')"
            )
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
        connection.execute("DROP TABLE import_folder")
        connection.execute("PRAGMA user_version = 2000")
    stopped = Database(file, writable=True)
    migrate(stopped, tuple(each for each in MIGRATIONS if each.version <= stopped_at))
    stopped.close()
    again = open_library()
    assert _version(file) == NEWEST

    def matching(word: str) -> list[str]:
        return [hit.text for hit in again.search.hits(again.keyword_search.find_sentences(KeywordQuery((word,)), 9))]

    assert matching("\u0915\u0940") == [hindi[0]]
    assert matching("\u0915\u093e") == [hindi[1]]
    assert matching("cafe") == ["Caf\u00e9"]
    again.documents.remove([1])
    drain(again.maintenance.purge())
    assert matching("\u0915\u0940") == []
    assert faults(again) == []


def test_a_reader_of_an_earlier_library_finds_no_patterns_of_imports(tmp_path: Path, open_library: Open) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    with zipfile.ZipFile(next(file for file in FIXTURES if file.stem == "schema-2002")) as archive:
        archive.extractall(folder)
    assert open_library(writable=False).watched_folders.import_folders() == []
    assert _version(folder / "library.db") == 2002


def test_a_newer_library_is_not_changed(old: Path, open_library: Open) -> None:
    with closing(sqlite3.connect(old / "library.db")) as connection:
        connection.execute("PRAGMA user_version = 9000")
    before = (old / "library.db").read_bytes()
    with pytest.raises(LibraryTooNew, match="newer version of Kindred"):
        open_library()
    assert (old / "library.db").read_bytes() == before
    assert _copies(old) == []


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_drive_is_refused(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    disk = namedtuple("disk", "device mountpoint fstype opts")
    disks = [disk("/dev/x", "/", "ext4", "rw"), disk("server:/home", str(tmp_path), kind, "rw")]
    monkeypatch.setattr(library_lock.psutil, "disk_partitions", lambda **_options: disks)
    with pytest.raises(StorageFull, match="network drive") as caught:
        open_library()
    assert "disk of this computer" in str(caught.value.hint)
    assert not (tmp_path / "library").exists()
    disks.append(disk("/dev/y", str(tmp_path / "library"), "ext4", "rw"))  # a local disk inside a network folder
    open_library()


@pytest.mark.parametrize(
    ("place", "kind"),
    [("C:\\Users\\Ann\\library", ""), ("Z:\\library", "remote"), ("\\\\nas\\papers\\library", "UNC")],
)
def test_windows_is_asked_for_the_drive_of_the_library_alone(
    monkeypatch: pytest.MonkeyPatch, place: str, kind: str
) -> None:
    kernel = SimpleNamespace(GetDriveTypeW={"C:\\": 3, "Z:\\": 4}.__getitem__)
    monkeypatch.setattr(ctypes, "WinDLL", lambda _name: kernel, raising=False)
    monkeypatch.setattr(library_lock.psutil, "disk_partitions", _refuse)  # waits for servers that do not answer
    monkeypatch.setattr(sys, "platform", "win32")
    assert library_lock._network_type(PureWindowsPath(place)) == kind  # type: ignore[arg-type]


def _refuse(**_options: bool) -> None:
    raise AssertionError


def test_a_copy_that_another_program_reads_does_not_keep_a_library_from_opening(
    open_library: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library()
    copy = library.folder / "library-3.backup"
    library.close()
    copy.write_bytes(b"copied before a migration")
    unlink = Path.unlink

    def refuse(file: Path, missing_ok: bool = False) -> None:
        if file == copy:
            raise PermissionError(13, "The process cannot access the file")
        unlink(file, missing_ok)

    with monkeypatch.context() as windows:
        windows.setattr(Path, "unlink", refuse)
        open_library().close()
    assert copy.exists()
    open_library()
    assert not copy.exists()
