"""Files below a root are stored by root and relative path: every machine has its own folder for it."""

from __future__ import annotations

import ntpath
import os
import posixpath

import pytest

from desktop_app.core.records import WatchedFolder
from desktop_app.core.scope import Scope, ScopePart
from desktop_app.core.shared_address import SharedLogin
from desktop_app.core.user_data import SavedSearch
from desktop_app.shared_store.administration import ServerAdministration
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.paths import PathCodec
from tests.postgres_server import SharedLibraries
from tests.store.helpers import drain, path, take_in, texts

from .conftest import Open


def test_each_machine_sees_its_own_paths(library: SharedLibrary, open_session: Open) -> None:
    one = open_session(roots={"archive": path("mnt/archive")})
    two = open_session(roots={"archive": path("volumes/old")})
    inside = take_in(one, "mnt/archive/1999/a.pdf", texts("a", 3))
    outside = take_in(one, "mnt/other.pdf", texts("b", 3))
    assert two.documents.get(inside).path == path("volumes/old/1999/a.pdf")
    assert two.documents.get(outside).path == path("mnt/other.pdf")
    assert library.documents.get(inside).path == "archive:/1999/a.pdf"
    assert [each.document_id for each in two.documents.find(path("volumes/old"))] == [inside]
    assert [each.document_id for each in two.documents.find(path("volumes"))] == [inside]
    assert two.documents.find(path("mnt/archive")) == []
    assert (
        len(two.search.nearest(two.search.sample_vectors(1)[0], 9, scope=Scope(paths=(path("volumes/old/1999"),)))) == 3
    )
    assert [each.document_id for each in library.documents.fetch(scope=Scope(folders=("1999",)))] == [inside]
    assert take_in(two, "volumes/old/1999/a.pdf", texts("a", 3)) == inside


@pytest.mark.parametrize("name", ["", "a", "a/b c.txt", "bad \udcff byte.txt"])
def test_a_path_becomes_itself_again(name: str) -> None:
    codec = PathCodec({"papers": path("papers")})
    for whole in (os.path.normpath(os.path.join(path("papers"), *name.split("/"))), path(f"paperss/{name}x")):
        assert codec.decode(codec.encode(whole)) == whole
    assert PathCodec().decode(codec.encode(path("papers/a.txt"))) == "papers:/a.txt"


def test_a_root_is_a_drive_on_one_computer_and_a_folder_on_another() -> None:
    windows = PathCodec({"archive": "Z:\\"}, ntpath)
    linux = PathCodec({"archive": "/mnt/archive/"}, posixpath)
    stored = windows.encode("z:\\2024\\Plan.pdf")  # Windows does not tell small letters from capitals
    assert linux.decode(stored) == "/mnt/archive/2024/Plan.pdf"
    assert windows.decode(linux.encode("/mnt/archive/a/b.txt")) == "Z:\\a\\b.txt"
    assert linux.encode("/mnt/Archive/a.txt") == b"/mnt/Archive/a.txt"
    assert windows.decode(windows.encode("C:\\own\\a.txt")) == "C:\\own\\a.txt"
    assert PathCodec(rules=ntpath).decode(stored) == "archive:/2024/Plan.pdf"
    assert PathCodec(rules=ntpath).encode("archive:/2024/Plan.pdf") == stored
    share = PathCodec({"archive": "\\\\server\\share\\archive"}, ntpath)
    assert share.decode(stored) == "\\\\server\\share\\archive\\2024\\Plan.pdf"


def test_a_new_root_takes_the_documents_that_are_already_below_it(
    library: SharedLibrary, open_session: Open, shared_libraries: SharedLibraries
) -> None:
    inside = take_in(library, "mnt/archive/a.pdf", texts("a", 3))
    outside = take_in(library, "mnt/archives/b.pdf", texts("b", 3))
    administration = ServerAdministration(
        SharedLogin(shared_libraries.address("sessions"), shared_libraries.server.password)
    )
    assert administration.find_roots() == []
    assert administration.use_root("archive", path("mnt/archive")) == 1
    assert administration.use_root("archive", path("mnt/archive")) == 0
    assert administration.find_roots() == ["archive"]
    assert library.documents.get(inside).path == "archive:/a.pdf"
    assert library.documents.get(outside).path == path("mnt/archives/b.pdf")
    elsewhere = open_session(roots={"archive": path("volumes/old")})
    assert elsewhere.documents.get(inside).path == path("volumes/old/a.pdf")
    assert take_in(elsewhere, "volumes/old/a.pdf", texts("a", 3)) == inside


def test_a_search_that_was_saved_before_a_root_was_set_is_limited_to_the_same_files_elsewhere(
    library: SharedLibrary, open_session: Open, shared_libraries: SharedLibraries
) -> None:
    carla = open_session("writer", user="carla")
    inside = take_in(carla, "mnt/archive/1999/a.pdf", texts("a", 3))
    limits = (
        ScopePart("document", path("mnt/archive/1999/a.pdf"), "a"),
        ScopePart("folder", path("mnt/archive/1999"), "1999"),
        ScopePart("tag", "sea", "sea"),
    )
    carla.user_data.save_search(SavedSearch("saved", "the sea", "both", limits))
    login = SharedLogin(shared_libraries.address("sessions"), shared_libraries.server.password)
    assert ServerAdministration(login).use_root("archive", path("mnt/archive")) == 1
    open_session("writer", user="carla", roots={"archive": path("mnt/archive")})
    elsewhere = open_session("writer", user="carla", roots={"archive": path("volumes/old")})
    (saved,) = elsewhere.user_data.saved_searches()
    assert [part.key for part in saved.parts] == [
        path("volumes/old/1999/a.pdf"),
        path("volumes/old/1999"),
        "sea",
    ]
    elsewhere.documents.remove([inside])
    drain(elsewhere.maintenance.purge())
    (saved,) = elsewhere.user_data.saved_searches()
    assert [part.kind for part in saved.parts] == ["folder", "tag"]


def test_a_folder_that_was_watched_before_it_had_a_root_can_still_be_changed(open_session: Open) -> None:
    kept, left = path("mnt/archive/x"), path("mnt/archive/y")
    before = open_session(machine="anna").watched_folders
    for folder in (kept, left):
        before.watch(WatchedFolder(folder))
    before.begin_listing([kept, left])
    before.note_import_folders([WatchedFolder(kept, (), ("a",)), WatchedFolder(left, (), ("a",))])
    after = open_session(machine="anna", roots={"archive": path("mnt/archive")}).watched_folders
    after.watch(WatchedFolder(kept, ("*.txt",)))
    after.unwatch(left)
    assert after.folders() == [WatchedFolder(kept, ("*.txt",))]
    after.begin_listing([kept], force=True)
    after.end_listing([left])
    assert after.interrupted_listings() == {kept: True}
    after.end_listing([kept])
    after.unwatch(kept)
    assert (after.folders(), after.interrupted_listings()) == ([], {})
    after.note_import_folders([WatchedFolder(kept, (), ("b",))])
    after.forget_import_folders([left])
    assert after.import_folders() == [WatchedFolder(kept, (), ("b",))]
    assert open_session(machine="bert").watched_folders.import_folders() == []
