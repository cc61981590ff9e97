"""Watched folders, interrupted listings, and where the documents' files are."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.core.library import Library
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import WatchedFolder

from .helpers import path, take_in

pytestmark = pytest.mark.every_library


def test_folders_are_kept_with_their_patterns_in_order(library: Library) -> None:
    store = library.watched_folders
    store.watch(WatchedFolder("/b", ("*.pdf",), ("old/*",)))
    store.watch(WatchedFolder("/a"))
    store.watch(WatchedFolder("/b", ("*.txt",)))
    assert store.folders() == [WatchedFolder("/a"), WatchedFolder("/b", ("*.txt",), ())]
    store.unwatch("/b")
    assert store.folders() == [WatchedFolder("/a")]


def test_interrupted_listings_are_known_until_they_end(library: Library) -> None:
    store = library.watched_folders
    store.begin_listing(["/b", "/a", "/c"])
    store.begin_listing(["/b"], force=True)
    assert store.interrupted_listings() == {"/a": False, "/b": True, "/c": False}
    store.end_listing(["/a", "/c"])
    assert store.interrupted_listings() == {"/b": True}


def test_the_patterns_of_unfinished_imports_are_kept_apart_from_watched_folders(library: Library) -> None:
    store = library.watched_folders
    store.watch(WatchedFolder("/a", ("*.md",)))
    store.note_import_folders([WatchedFolder("/b", (), ("*.txt",)), WatchedFolder("/a", ("*.zip",), ("drafts", "x/*"))])
    store.note_import_folders([WatchedFolder("/b", (), ("*.pdf",))])
    assert store.import_folders() == [
        WatchedFolder("/a", ("*.zip",), ("drafts", "x/*")),
        WatchedFolder("/b", (), ("*.pdf",)),
    ]
    store.forget_import_folders(["/a", "/c"])
    assert store.import_folders() == [WatchedFolder("/b", (), ("*.pdf",))]
    assert store.folders() == [WatchedFolder("/a", ("*.md",))]


def test_the_librarys_own_folder_is_recorded(library: Library) -> None:
    assert library.watched_folders.home() == ""
    for folder in ("/one", "/two"):
        library.watched_folders.set_home(folder)
        assert library.watched_folders.home() == folder


def test_volumes_and_stamps_are_recorded_for_each_document(library: Library) -> None:
    a, b, c = (take_in(library, f"{name}.txt", [f"{name} is here."]) for name in "abc")
    library.documents.remove([c])
    library.watched_folders.set_volumes({path("a.txt"): "disk", path("b.txt"): "stick"})
    library.watched_folders.set_stamps({path("a.txt"): 11, path("b.txt"): 22})
    found = {row.document_id: row for row in library.documents.fetch()}
    assert {number: row.volume for number, row in found.items()} == {a: "disk", b: "stick"}
    assert {number: row.stamp for number, row in found.items()} == {a: 11, b: 22}


def test_documents_move_unless_their_place_is_taken(library: Library) -> None:
    a, b = (take_in(library, f"{name}.txt", [f"{name} is here."]) for name in "ab")
    store = library.watched_folders
    new = path("new.txt")
    moves = {path("a.txt"): FileRef(new, 5, 6), path("b.txt"): FileRef(new, 7, 8), "gone": FileRef(path("x"), 1, 1)}
    assert store.move_files(moves) == 1
    assert {row.document_id: row.path for row in library.documents.fetch()} == {
        a: path("new.txt"),
        b: path("b.txt"),
    }
    with pytest.raises(UsageError):
        store.move(path("b.txt"), FileRef(path("new.txt"), 7, 8))
