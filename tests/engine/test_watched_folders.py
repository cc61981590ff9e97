"""Watched folders: files that are added, changed, moved and deleted; with the real library, reader and watcher."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.core.formats import is_supported
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import Document, WatchedFolder
from desktop_app.core.scope import ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.requests import ImportReport, ImportRequest, SearchRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.text.makers import zipped

PATIENCE_S = 120


class Home:
    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "watched"
        self.folder.mkdir()
        self.encoder = HashingEncoder()
        self.workspace = Workspace(
            EngineSetup(
                open_library=lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True),
                load_encoder=lambda _model: self.encoder,
                start_reader=ProcessReader,
                is_supported=lambda path: is_supported(Path(path)),
                choose_device=lambda _model: self.encoder.device,
            )
        )

    def save_search(self, search: SavedSearch) -> None:
        self.workspace.change(lambda library: library.user_data.save_search(search)).wait(PATIENCE_S)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def watch(self, **patterns: tuple[str, ...]) -> list[WatchedFolder]:
        return self.workspace.watched_folders.watch_folder(WatchedFolder(str(self.folder), **patterns)).wait(PATIENCE_S)

    def sync(self) -> ImportReport:
        return self.workspace.watched_folders.sync_folders().wait(PATIENCE_S)

    def save(self, text: str, *parts: ScopePart) -> None:
        self.workspace.change(
            lambda library: library.user_data.save_search(SavedSearch("Waves", text, "both", parts))
        ).wait(PATIENCE_S)

    def saved(self) -> SavedSearch:
        (search,) = self.workspace.read(lambda library: library.user_data.saved_searches()).wait(PATIENCE_S)
        return search

    def documents(self) -> dict[str, Document]:
        rows = self.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
        return {os.path.relpath(row.path, self.folder): row for row in rows}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.workspace.close()


def test_new_and_changed_files_are_imported_and_only_changes_embedded(home: Home) -> None:
    home.write("a.txt", "The sea rises. It falls.")
    home.write("deep/b.md", "# Bread")
    home.watch()
    assert len(home.sync().imported) == 2
    assert home.sync() == ImportReport()
    embedded = len(home.encoder.embedded)
    home.write("a.txt", "The sea rises. It falls again.")
    assert [os.path.basename(file.path) for file in home.sync().imported] == ["a.txt"]
    assert home.encoder.embedded[embedded:] == ["It falls again."]


def test_a_renamed_file_keeps_its_document_and_nothing_is_read_again(home: Home) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.watch()
    home.sync()
    before = home.documents()["a.txt"]
    (home.folder / "deep").mkdir()
    path.rename(home.folder / "deep" / "b.txt")
    assert home.sync().imported == []
    documents = home.documents()
    assert list(documents) == [os.path.join("deep", "b.txt")]
    after = documents[os.path.join("deep", "b.txt")]
    assert (after.document_id, after.sentences, after.state) == (before.document_id, 1, "ready")


def test_a_deleted_file_removes_its_document(home: Home) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.write("b.txt", "Bread needs time.")
    home.watch()
    home.sync()
    path.unlink()
    home.sync()
    assert list(home.documents()) == ["b.txt"]


def test_a_missing_folder_loses_nothing(home: Home) -> None:
    home.write("a.txt", "The sea rises.")
    home.watch()
    home.sync()
    home.folder.rename(home.folder.with_name("unplugged"))
    assert home.sync() == ImportReport()
    assert list(home.documents()) == ["a.txt"]


def test_patterns_choose_the_files(home: Home) -> None:
    home.write("a.txt", "The sea rises.")
    home.write("drafts/b.txt", "Not this one.")
    home.write("c.md", "# Nor this")
    home.watch(include=("*.txt",), exclude=("drafts",))
    home.sync()
    assert list(home.documents()) == ["a.txt"]
    home.watch()
    home.sync()
    assert len(home.documents()) == 3


def test_archives_are_watched_too(home: Home) -> None:
    archive = home.folder / "a.zip"
    archive.write_bytes(zipped({"x.txt": "The sea rises."}))
    os.utime(archive, (1e9, 1e9))
    home.watch()
    home.sync()
    assert list(home.documents()) == [os.path.join("a.zip", "x.txt")]
    assert home.sync() == ImportReport()
    archive.write_bytes(zipped({"x.txt": "The sea sinks.", "y.txt": "Bread needs time."}))
    os.utime(archive, (4e9, 4e9))
    home.sync()
    assert len(home.documents()) == 2
    archive.unlink()
    home.sync()
    assert home.documents() == {}


def test_a_failed_file_is_not_tried_again_until_it_changes(home: Home) -> None:
    path = home.write("a.pdf", "No PDF at all.")
    home.watch()
    assert [file.reason for file in home.sync().failed] == ["damaged"]
    assert home.sync().failed == []
    path.write_text("Still no PDF, and longer.")
    assert [file.reason for file in home.sync().failed] == ["damaged"]


def test_folders_are_watched_and_unwatched(home: Home) -> None:
    home.write("a.txt", "The sea rises.")
    assert [folder.path for folder in home.watch(exclude=("x",))] == [str(home.folder)]
    home.sync()
    folders = home.workspace.read(lambda library: library.watched_folders.folders())
    assert folders.wait(PATIENCE_S) == [WatchedFolder(str(home.folder), (), ("x",))]
    home.workspace.change(lambda library: library.watched_folders.unwatch(str(home.folder))).wait(PATIENCE_S)
    folders = home.workspace.read(lambda library: library.watched_folders.folders())
    assert folders.wait(PATIENCE_S) == []
    assert list(home.documents()) == ["a.txt"]


def test_a_missing_document_is_found_again(home: Home, tmp_path: Path) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.workspace.imports.start(ImportRequest((str(path),))).wait(PATIENCE_S)
    document = home.documents()["a.txt"]
    elsewhere = tmp_path / "elsewhere.txt"
    path.rename(elsewhere)
    home.workspace.watched_folders.relink(document.document_id, str(elsewhere)).wait(PATIENCE_S)
    report = home.workspace.imports.start(ImportRequest((str(elsewhere),))).wait(PATIENCE_S)
    assert report.unchanged == [str(elsewhere)]
    (again,) = home.documents().values()
    assert (again.document_id, again.path, again.sentences) == (document.document_id, str(elsewhere), 1)
    other = home.write("b.txt", "Another.")
    home.workspace.imports.start(ImportRequest((str(other),))).wait(PATIENCE_S)
    with pytest.raises(UsageError):
        home.workspace.watched_folders.relink(document.document_id, str(other)).wait(PATIENCE_S)


def test_the_system_reports_changes(home: Home) -> None:
    happened = threading.Event()
    home.workspace.watched_folders.start_listening(home.watch(), happened.set)
    assert happened.wait(PATIENCE_S), "files added before the system began to report are found by one scan"
    happened.clear()
    home.write("new.txt", "Something new.")
    assert happened.wait(PATIENCE_S)
    home.workspace.watched_folders.stop_listening()


def test_a_whole_moved_folder_is_relinked_at_once(home: Home, tmp_path: Path) -> None:
    home.write("a.txt", "The sea rises.")
    home.write("deep/b.md", "# Bread")
    home.write("gone.txt", "Nobody brings this along.")
    home.write("changed.txt", "Old words.")
    (home.folder / "z.zip").write_bytes(zipped({"inner.txt": b"Packed up."}))
    home.watch()
    home.sync()
    before = {name: document.document_id for name, document in home.documents().items()}
    embedded = len(home.encoder.embedded)
    new = tmp_path / "elsewhere"
    home.folder.rename(new)
    (new / "gone.txt").unlink()
    (new / "changed.txt").write_text("Entirely other words.")
    assert home.sync().imported == [], "a missing folder has lost nothing"

    done = home.workspace.watched_folders.relink_folder(str(home.folder), str(new)).wait(PATIENCE_S)
    assert (done.moved, done.left) == (4, 1)
    assert [
        folder.path
        for folder in home.workspace.read(lambda library: library.watched_folders.folders()).wait(PATIENCE_S)
    ] == [str(new)]
    old, home.folder = home.folder, new
    documents = home.documents()
    lost = os.path.relpath(old / "gone.txt", new)
    assert {name: document.document_id for name, document in documents.items()} == {
        (lost if name == "gone.txt" else name): number for name, number in before.items()
    }
    assert [os.path.basename(file.path) for file in home.sync().imported] == ["changed.txt"]
    assert home.encoder.embedded[embedded:] == ["Entirely other words."]


def test_saved_searches_follow_a_moved_folder(home: Home, tmp_path: Path) -> None:
    home.write("deep/a.txt", "The sea rises.")
    home.write("gone/b.txt", "Nobody brings this along.")
    home.watch()
    home.sync()
    old, new = home.folder, tmp_path / "else where"
    deep, gone, file = old / "deep", old / "gone", old / "deep" / "a.txt"
    parts = (
        ScopePart("folder", str(deep), "deep"),
        ScopePart("folder", str(gone), "gone"),
        ScopePart("document", str(file), "On Waves"),
        ScopePart("type", "pdf", "PDF"),
    )
    home.save(f"waves in:{old} in:{gone} in:deep", *parts)
    old.rename(new)
    (new / "gone").rename(tmp_path / "lost")
    changes: list[ChangeSet] = []
    home.workspace.engine.listen(changes.append)
    home.workspace.watched_folders.relink_folder(str(old), str(new)).wait(PATIENCE_S)
    search = home.saved()
    assert search.text == f'waves in:"{new}" in:{gone} in:deep'
    assert search.parts == (
        ScopePart("folder", str(new / "deep"), "deep"),
        parts[1],
        ScopePart("document", str(new / "deep" / "a.txt"), "On Waves"),
        parts[3],
    )
    home.workspace.status().wait(PATIENCE_S)
    assert any(each.searches for each in changes)


def test_a_folder_given_by_name_is_followed_if_no_other_has_that_name(home: Home, tmp_path: Path) -> None:
    home.write("My Papers/2024/a.txt", "The sea rises.")
    home.write("My Papers/note.txt", "It falls as often.")
    home.write('so "named"/b.txt', "Waves break.")
    home.write("drafts/c.txt", "Bread needs time.")
    home.write("more/drafts/d.txt", "Salt needs none.")
    home.watch()
    home.sync()
    texts = {
        "year": 'sea in:"My Papers/2024"',
        "small": 'in:"my papers" sea',
        "quoted": 'waves in:"so ""named"""',
        "two": "bread in:drafts",
    }
    for name, text in texts.items():
        home.save_search(SavedSearch(name, text, "both", ()))

    def saved() -> dict[str, str]:
        return {
            each.name: each.text
            for each in home.workspace.read(lambda library: library.user_data.saved_searches()).wait(PATIENCE_S)
        }

    def finds(text: str) -> list[str]:
        found = home.workspace.search.find_sentences(SearchRequest(text, mode="words")).wait(PATIENCE_S)
        return [hit.text for hit in found.hits]

    assert finds(texts["quoted"]) == ["Waves break."]
    (home.folder / "My Papers").rename(home.folder / "Articles")
    (home.folder / 'so "named"').rename(home.folder / "thus \u201ccalled\u201d")
    (home.folder / "drafts").rename(home.folder / "sketches")
    home.sync()
    assert saved() == {
        "year": "sea in:Articles/2024",
        "small": "in:Articles sea",
        "quoted": 'waves in:"thus \u201c\u201ccalled\u201d\u201d"',
        "two": "bread in:drafts",
    }
    assert finds(saved()["quoted"]) == ["Waves break."]
    assert finds(saved()["year"]) == ["The sea rises."]
    # The same by hand, for a folder that is not watched.
    (home.folder / "Articles").rename(tmp_path / "Old Papers")
    home.workspace.watched_folders.relink_folder(str(home.folder / "Articles"), str(tmp_path / "Old Papers")).wait(
        PATIENCE_S
    )
    assert saved()["year"] == 'sea in:"Old Papers/2024"'
    assert finds(saved()["year"]) == ["The sea rises."]


def test_saved_searches_follow_renamed_files_of_a_watched_folder(home: Home) -> None:
    home.write("early/a.txt", "The sea rises.")
    home.write("early/b.txt", "It falls as often.")
    home.write("note.txt", "Bread needs time.")
    home.watch()
    home.sync()
    parts = [ScopePart("folder", str(home.folder / "early"), "early")]
    parts.append(ScopePart("document", str(home.folder / "note.txt"), "note.txt"))
    home.save(f"sea in:{home.folder / 'early'}", *parts)
    (home.folder / "early").rename(home.folder / "late")
    (home.folder / "note.txt").rename(home.folder / "recipe.txt")
    home.sync()
    search = home.saved()
    assert search.text == f"sea in:{home.folder / 'late'}"
    assert search.parts == (
        ScopePart("folder", str(home.folder / "late"), "late"),
        ScopePart("document", str(home.folder / "recipe.txt"), "recipe.txt"),
    )
    # Only one of them moves: the folder stays where it is.
    (home.folder / "late" / "a.txt").rename(home.folder / "a.txt")
    home.sync()
    assert home.saved() == search


def test_a_saved_search_follows_a_relinked_document(home: Home, tmp_path: Path) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.workspace.imports.start(ImportRequest((str(path),))).wait(PATIENCE_S)
    home.save("sea", ScopePart("document", str(path), "a.txt"))
    path.rename(tmp_path / "elsewhere.txt")
    number = home.documents()["a.txt"].document_id
    home.workspace.watched_folders.relink(number, str(tmp_path / "elsewhere.txt")).wait(PATIENCE_S)
    assert home.saved().parts == (ScopePart("document", str(tmp_path / "elsewhere.txt"), "elsewhere.txt"),)
