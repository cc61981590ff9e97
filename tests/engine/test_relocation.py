"""A library that moves takes along the documents near it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.core.formats import is_supported
from desktop_app.core.records import WatchedFolder
from desktop_app.core.scope import ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.relocation import find_new_path, find_renamed_place, map_folder_move, relative_path
from desktop_app.engine.requests import ImportRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.patience import PATIENCE_S
from tests.text.makers import zipped

Open = Callable[[Path], Workspace]


@pytest.fixture
def open_workspace() -> Iterator[Open]:
    opened: list[Workspace] = []

    def open_(library: Path) -> Workspace:
        for each in opened:
            each.close()
        encoder = HashingEncoder()
        workspace = Workspace(
            EngineSetup(
                open_library=lambda: LocalLibrary.open(library, writable=True, create=True),
                load_encoder=lambda _model: encoder,
                start_reader=ProcessReader,
                is_supported=lambda path: is_supported(Path(path)),
                choose_device=lambda _model: encoder.device,
            )
        )
        opened.append(workspace)
        workspace.open().wait(PATIENCE_S)
        return workspace

    yield open_
    for each in opened:
        each.close()


@pytest.fixture
def study(tmp_path: Path, open_workspace: Open) -> Path:
    """A folder with a library, and documents next to it, inside it and elsewhere."""
    study = tmp_path / "study"
    (study / "papers").mkdir(parents=True)
    (study / "papers" / "a.txt").write_text("The sea rises.")
    (study / "papers" / "changed.txt").write_text("Old words.")
    (study / "papers" / "lost.txt").write_text("Nobody brings this along.")
    (study / "papers" / "z.zip").write_bytes(zipped({"inner.txt": b"Packed up."}))
    (tmp_path / "far.txt").write_text("Far away from it.")
    workspace = open_workspace(study / "library")
    (study / "library" / "notes.txt").write_text("Notes kept in the library itself.")
    paths = (study / "papers", study / "library" / "notes.txt", tmp_path / "far.txt")
    workspace.imports.start(ImportRequest(tuple(map(str, paths)))).wait(PATIENCE_S)
    workspace.watched_folders.watch_folder(WatchedFolder(str(study / "papers"))).wait(PATIENCE_S)
    parts = (ScopePart("folder", str(study / "papers"), "papers"), ScopePart("folder", str(tmp_path), "all"))
    search = SavedSearch("Waves", f"sea in:{study / 'papers'} in:{study / 'gone'}", "both", parts)
    workspace.change(lambda library: library.user_data.save_search(search)).wait(PATIENCE_S)
    workspace.close()
    return study


def paths(workspace: Workspace) -> set[str]:
    return {document.path for document in workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)}


def test_documents_that_moved_with_the_library_are_found(study: Path, open_workspace: Open, tmp_path: Path) -> None:
    new = tmp_path / "disk" / "study again"
    new.parent.mkdir()
    study.rename(new)
    (new / "papers" / "lost.txt").unlink()
    (new / "papers" / "changed.txt").write_text("Entirely other words.")
    (new / "library").rename(new / "collected")
    workspace = open_workspace(new / "collected")
    assert paths(workspace) == {
        str(new / "papers" / "a.txt"),
        str(new / "papers" / "z.zip" / "inner.txt"),
        str(new / "collected" / "notes.txt"),
        str(tmp_path / "far.txt"),
        # With another length than before, or missing: it cannot be recognised as the same.
        str(study / "papers" / "changed.txt"),
        str(study / "papers" / "lost.txt"),
    }
    assert workspace.read(lambda library: library.watched_folders.folders()).wait(PATIENCE_S) == [
        WatchedFolder(str(new / "papers"))
    ]
    (search,) = workspace.read(lambda library: library.user_data.saved_searches()).wait(PATIENCE_S)
    assert search.text == f'sea in:"{new / "papers"}" in:{study / "gone"}'
    assert [part.key for part in search.parts] == [str(new / "papers"), str(tmp_path)]
    report = workspace.imports.start(ImportRequest((str(new / "papers" / "a.txt"),))).wait(PATIENCE_S)
    assert report.unchanged == [str(new / "papers" / "a.txt")], "it is the same document, not a second one"


def test_a_copy_of_the_folder_refers_to_the_copied_files(study: Path, open_workspace: Open, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(study, copy)
    os.utime(copy / "papers" / "a.txt", (1, 1))  # as some disks and archives do
    workspace = open_workspace(copy / "library")
    assert str(copy / "papers" / "a.txt") in paths(workspace)
    report = workspace.imports.start(ImportRequest((str(copy / "papers"),))).wait(PATIENCE_S)
    assert (report.imported, len(report.unchanged)) == ([], 4)
    original = open_workspace(study / "library")
    assert str(study / "papers" / "a.txt") in paths(original)


def test_a_library_that_moves_alone_leaves_its_documents(study: Path, open_workspace: Open, tmp_path: Path) -> None:
    shutil.copytree(study / "library", tmp_path / "elsewhere" / "library")
    (tmp_path / "elsewhere" / "library" / "notes.txt").unlink()
    before = paths(open_workspace(study / "library"))
    assert paths(open_workspace(tmp_path / "elsewhere" / "library")) == before


@pytest.mark.parametrize(
    ("path", "before", "found"),
    [
        ("/old/papers/a.txt", "/old/library", "/new/papers/a.txt"),
        ("/old/library/a.txt", "/old/library", "/new/analysed/a.txt"),
        ("/older/a.txt", "/old/library", None),
        ("/a.txt", "/library", None),
        ("C:\\Old\\papers\\a.txt", "C:\\Old\\library", "/new/papers/a.txt"),
        ("/new/papers/a.txt", "/new/library", None),
    ],
)
def test_a_new_path_follows_from_the_librarys_move(path: str, before: str, found: str | None) -> None:
    assert find_new_path(path, before, "/new/analysed") == (found.replace("/", os.sep) if found else None)


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [
        ("/a/b/c.txt", "/a/b", "c.txt"),
        ("/a/b/c.txt", "/a/b/", "c.txt"),
        ("/a/b", "/a/b", ""),
        ("/a/bc/d.txt", "/a/b", None),  # a name that begins alike
        ("/a", "/a/b", None),
    ],
)
@pytest.mark.skipif(os.sep != "/", reason="paths with slashes")
def test_a_path_is_inside_a_folder_only_below_it(path: str, folder: str, inside: str | None) -> None:
    assert relative_path(path, folder) == inside


def test_a_moved_folder_takes_nothing_along_from_its_neighbours(tmp_path: Path) -> None:
    for name in ("new/d.txt", "newc/d.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x", "utf-8")
    moved = map_folder_move(str(tmp_path / "old"), str(tmp_path / "new"))
    assert moved(str(tmp_path / "old" / "d.txt")) == str(tmp_path / "new" / "d.txt")
    assert moved(str(tmp_path / "oldc" / "d.txt")) is None
    assert moved(str(tmp_path / "old" / "other.txt")) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("papers", "articles"),
        ("Papers", "articles"),
        ("papers/2024", "articles/old"),
        ("study", "study"),
        ("2024/a.txt", "old/a.txt"),
        ("paper", None),  # part of a name
        ("books", None),  # nobody has seen it move
        ("home/notes", None),  # they disagree
        ("elsewhere", None),
    ],
)
def test_a_place_that_is_referred_to_by_name_gets_the_name_of_its_new_path(name: str, expected: str | None) -> None:
    moves = {
        "/home/study": "/home/study",
        "/home/study/papers": "/home/study/articles",
        "/home/study/papers/2024": "/home/study/articles/old",
        "/home/study/papers/2024/a.txt": "/home/study/articles/old/a.txt",
        "/home/notes": "/home/jottings",
        "/other/home/notes": "/other/home/remarks",
    }
    old = ["/home/study/papers/2024/a.txt", "/home/study/books/b.txt", "/home/notes/c.txt", "/other/home/notes/d.txt"]

    def system(path: str) -> str:
        return path.replace("/", os.sep)

    moved = {system(old): system(new) for old, new in moves.items()}
    found = find_renamed_place(system(name), moved.get, [system(each) for each in old])
    assert found == (None if expected is None else system(expected))
