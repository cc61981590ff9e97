"""Watched folders: files that are added, changed, moved and deleted; with the real library, reader and watcher."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import StorageFull, UsageError
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.library import Library
from desktop_app.core.messages import Message
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import WatchedFolder
from desktop_app.core.scope import ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine import watched_folders
from desktop_app.engine.file_walk import UnreadablePath
from desktop_app.engine.mounts import MountTable
from desktop_app.engine.requests import ImportReport, ImportRequest, MovedFile, SearchRequest
from desktop_app.store.database import Database
from desktop_app.store.ingest import LocalDocumentIngest
from desktop_app.store.watched_folders import LocalWatchedFolderStore
from tests.engine.watched_home import Disks, Home, close_folders
from tests.patience import PATIENCE_S
from tests.text.makers import mail_with, zipped


def _does_not_exist() -> Message:
    return Message("It does not exist", code="unreadable")


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


@pytest.mark.parametrize("failing", range(1, 6))
def test_what_a_scan_left_unread_on_a_full_disk_is_read_by_the_next(
    home: Home, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    home.write("a.txt", "The sea rises.")
    (home.folder / "b.zip").write_bytes(zipped({"x.txt": "Bread needs time.", "y.txt": "It also needs salt."}))
    (home.folder / "c.eml").write_bytes(mail_with({"z.txt": "Rain falls."}))
    append, stored = LocalDocumentIngest.append, []

    def fill_up(self: LocalDocumentIngest, document_id: int, *values: Any) -> None:
        stored.append(document_id)
        if len(stored) >= failing:
            monkeypatch.setattr(Database, "write_transaction", fail)
        append(self, document_id, *values)

    def fail(*_values: Any, **_more: Any) -> None:
        raise StorageFull("The disk is full", "Free some space.")

    home.watch()
    with monkeypatch.context() as monkeypatch:
        monkeypatch.setattr(LocalDocumentIngest, "append", fill_up)
        with pytest.raises(StorageFull):
            home.sync()
    home.sync()
    inside = [os.path.join("b.zip", "x.txt"), os.path.join("b.zip", "y.txt"), os.path.join("c.eml", "z.txt")]
    assert {name: document.state for name, document in home.documents().items()} == dict.fromkeys(
        ["a.txt", "c.eml", *inside], "ready"
    )
    assert home.sync() == ImportReport()


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
    assert home.sync() == ImportReport(unreadable=[UnreadablePath(str(home.folder), _does_not_exist())])
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


def test_files_in_a_message_follow_it_and_are_removed_with_it(home: Home) -> None:
    mail = home.folder / "a.eml"
    mail.write_bytes(mail_with({"x.txt": "The sea rises.", "y.txt": "Bread needs time."}))
    home.watch()
    home.sync()
    inside = os.path.join("a.eml", "x.txt")
    home.tag(inside, "water")
    before = home.ids()
    assert list(before) == ["a.eml", inside, os.path.join("a.eml", "y.txt")]
    assert home.sync().imported == []
    mail.rename(home.folder / "b.eml")
    report = home.sync()
    assert (len(report.moved), report.imported, report.removed) == (3, [], [])
    assert home.ids() == {name.replace("a.eml", "b.eml"): number for name, number in before.items()}
    assert home.tags() == {"water": frozenset({before[inside]})}
    (home.folder / "b.eml").write_bytes(mail_with({"y.txt": "Bread needs time."}))
    report = home.sync()
    assert [os.path.basename(each.path) for each in report.removed] == ["x.txt"]
    (home.folder / "b.eml").unlink()
    home.sync(remove_many=True)
    assert home.documents() == {}


def test_a_member_that_an_archive_no_longer_has_is_removed(home: Home) -> None:
    archive = home.folder / "a.zip"
    inner = zipped({"deep.txt": "Deep down.", "deeper.txt": "Deeper down."})
    archive.write_bytes(zipped({"x.txt": "The sea rises.", "y.txt": "Bread needs time.", "inner.zip": inner}))
    home.watch()
    home.sync()
    ids = home.ids()
    assert len(ids) == 4
    archive.write_bytes(zipped({"y.txt": "Bread needs time.", "inner.zip": zipped({"deep.txt": "Deep down."})}))
    os.utime(archive, (4e9, 4e9))
    report = home.sync()
    gone = [os.path.join("a.zip", "inner.zip", "deeper.txt"), os.path.join("a.zip", "x.txt")]
    assert sorted(os.path.relpath(file.path, home.folder) for file in report.removed) == gone
    assert home.ids() == {name: number for name, number in ids.items() if name not in gone}


def test_an_archive_that_is_damaged_loses_none_of_its_documents(home: Home) -> None:
    archive = home.folder / "a.zip"
    archive.write_bytes(zipped({"x.txt": "The sea rises."}))
    home.watch()
    home.sync()
    archive.write_bytes(zipped({"x.txt": "The sea rises."})[:-30])
    os.utime(archive, (4e9, 4e9))
    for _ in range(2):
        assert home.sync().removed == []
        assert os.path.join("a.zip", "x.txt") in home.ids()


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
    assert all(thread.daemon for thread in threading.enumerate() if thread.name in ("engine", "folder-watch")), (
        "no thread holds a process that ends"
    )
    assert happened.wait(PATIENCE_S), "files added before the system began to report are found by one scan"
    happened.clear()
    home.write("new.txt", "Something new.")
    assert happened.wait(PATIENCE_S)
    home.workspace.watched_folders.stop_listening()


def test_a_document_that_is_removed_while_its_file_moves_is_imported_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.write("b.txt", "Bread needs time.")
    home.watch()
    home.sync()
    removed = home.ids()["a.txt"]
    libraries: list[Library] = []
    home.workspace.read(libraries.append).wait(PATIENCE_S)
    move = LocalWatchedFolderStore.move

    def remove_before(store: LocalWatchedFolderStore, old: str, file: FileRef) -> None:
        libraries[0].documents.remove([removed])
        move(store, old, file)

    monkeypatch.setattr(LocalWatchedFolderStore, "move", remove_before)
    path.rename(home.folder / "c.txt")
    home.sync()
    assert set(home.documents()) == {"b.txt", "c.txt"}


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


# A folder that cannot be seen loses nothing


def test_an_unmounted_disk_loses_nothing_though_its_mount_point_stays(home: Home, disks: Disks) -> None:
    disks.mount("stick", home.folder)
    home.put(a="The sea rises.", b="Bread needs time.", c="Salt needs none.")
    home.watch()
    home.sync()
    home.tag("a.txt", "waves")
    ids = home.ids()
    disks.unmount(home.folder)
    report = home.sync()
    assert (report.removed, report.unconfirmed) == ([], [])
    assert home.ids() == ids
    assert home.workspace.watched_folders.find_missing_files().wait(PATIENCE_S) == frozenset(ids.values())
    # Another disk at the same place, with a file of its own.
    disks.mount("other stick", home.folder)
    home.put(own="A file of the other stick.")
    assert home.sync().removed == []
    assert home.ids().items() >= ids.items()
    disks.unmount(home.folder)
    disks.mount("stick", home.folder)
    (home.folder / "b.txt").unlink()
    report = home.sync()
    assert [os.path.basename(file.path) for file in report.removed] == ["b.txt"], "the others are present again"
    assert home.ids().keys() == {"a.txt", "c.txt", "own.txt"}
    assert home.tags() == {"waves": frozenset({ids["a.txt"]})}
    assert home.texts()["a.txt"] == "The sea rises."


@pytest.mark.parametrize("is_mount_point_removed", [False, True])
def test_an_unmounted_disk_inside_a_watched_folder_loses_nothing(
    home: Home, disks: Disks, is_mount_point_removed: bool
) -> None:
    stick = home.folder / "stick"
    disks.mount("stick", stick)
    home.put(own="Bread needs time.")
    home.write("stick/deep/a.txt", "The sea rises.")
    home.watch()
    home.sync()
    disks.unmount(stick)
    if is_mount_point_removed:
        stick.rmdir()
    (home.folder / "own.txt").unlink()
    assert [os.path.basename(file.path) for file in home.sync().removed] == ["own.txt"]
    assert home.ids().keys() == {os.path.join("stick", "deep", "a.txt")}


def test_a_folder_covered_by_another_disk_loses_nothing(home: Home, disks: Disks) -> None:
    home.write("papers/a.txt", "The sea rises.")
    home.watch()
    home.sync()
    shutil.move(home.folder / "papers", disks.folder / "covered")
    disks.mount("stick", home.folder / "papers")
    assert home.sync().removed == []
    assert home.ids().keys() == {os.path.join("papers", "a.txt")}


def test_a_file_written_to_an_empty_mount_point_does_not_vouch_for_the_disk(home: Home, disks: Disks) -> None:
    disks.mount("stick", home.folder)
    home.put(a="The sea rises.")
    home.watch()
    home.sync()
    disks.unmount(home.folder)
    home.put(stray="Some program writes here.")
    home.sync()
    assert home.sync().removed == []
    (home.folder / "stray.txt").unlink()
    assert [os.path.basename(file.path) for file in home.sync().removed] == ["stray.txt"]
    assert home.ids().keys() == {"a.txt"}


def test_an_unreadable_folder_loses_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.put(own="Bread needs time.")
    home.write("closed/deep/a.txt", "The sea rises.")
    home.watch()
    home.sync()
    close_folders(monkeypatch, {str(home.folder / "closed")})
    (home.folder / "own.txt").unlink()
    shutil.rmtree(home.folder / "closed" / "deep")
    report = home.sync()
    assert [os.path.basename(file.path) for file in report.removed] == ["own.txt"]
    assert [path.path for path in report.unreadable] == [str(home.folder / "closed")]
    assert home.ids().keys() == {os.path.join("closed", "deep", "a.txt")}
    monkeypatch.undo()
    assert len(home.sync().removed) == 1, "now it was seen"
    assert home.ids() == {}


def test_a_disk_that_is_taken_out_during_the_scan_loses_nothing(
    home: Home, disks: Disks, monkeypatch: pytest.MonkeyPatch
) -> None:
    disks.mount("stick", home.folder)
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    read = disks.read
    tables: list[MountTable] = []

    def read_mounts() -> MountTable:
        tables.append(read())
        if len(tables) == 1:
            disks.unmount(home.folder)
        return tables[-1]

    monkeypatch.setattr(watched_folders, "read_mounts", read_mounts)
    assert home.sync().removed == []
    assert home.ids().keys() == {"a.txt", "b.txt"}


def test_a_document_that_no_scan_has_seen_is_only_missing(home: Home) -> None:
    path = home.write("a.txt", "The sea rises.")
    home.workspace.imports.start(ImportRequest((str(path),))).wait(PATIENCE_S)
    home.watch()
    path.unlink()
    assert home.sync().removed == []
    home.put(a="The sea rises again.")
    home.sync()
    path.unlink()
    assert len(home.sync().removed) == 1


def test_documents_whose_file_systems_are_unknown_stay(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_folders, "read_mounts", lambda: MountTable({}))
    home.put(a="The sea rises.")
    home.watch()
    home.sync()
    (home.folder / "a.txt").unlink()
    assert home.sync().removed == []


def _mount(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not permitted: {done.stderr.strip()}")


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_folder_that_is_replaced_by_another_one_is_listened_to_again(
    home: Home, tmp_path: Path, is_moved: bool
) -> None:
    happened = threading.Event()
    home.write("a.txt", "The sea rises.")
    service = home.workspace.watched_folders
    service.start_listening(home.watch(), happened.set)
    assert happened.wait(PATIENCE_S)
    home.sync()
    happened.clear()
    assert not service.has_volume_changed()
    if is_moved:
        home.folder.rename(tmp_path / "old")
    else:
        shutil.rmtree(home.folder)
    home.folder.mkdir()
    while not service.has_volume_changed():
        assert happened.wait(PATIENCE_S)
        happened.clear()
    service.start_listening(home.watch(), happened.set)
    happened.clear()
    assert not service.has_volume_changed()
    service.stop_listening()


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system as Linux does")
@pytest.mark.parametrize("kind", ["tmpfs", "bind"])
def test_a_real_disk_that_is_unmounted_and_mounted_again(home: Home, tmp_path: Path, kind: str) -> None:
    if shutil.which("mount") is None or shutil.which("umount") is None:
        pytest.skip("mount is not installed")
    stick, content = home.folder / "stick", tmp_path / "content"
    stick.mkdir()
    content.mkdir()
    mount = ("mount", "--bind", str(content), str(stick))
    if kind == "tmpfs":
        mount = ("mount", "-t", "tmpfs", "-o", "size=1m", "kindred-test", str(stick))
    _mount(*mount)
    try:
        home.write("stick/a.txt", "The sea rises.")
        home.write("stick/b.txt", "Bread needs time.")
        home.watch()
        home.sync()
        ids = home.ids()
        home.workspace.watched_folders.start_listening([WatchedFolder(str(home.folder))], lambda: None)
        assert not home.workspace.watched_folders.has_volume_changed()
    finally:
        subprocess.run(["umount", "-l", str(stick)], check=True)
    assert home.workspace.watched_folders.has_volume_changed()
    assert list(stick.iterdir()) == []
    assert home.sync().removed == []
    assert home.ids() == ids
    if kind == "bind":
        _mount(*mount)
        try:
            (stick / "b.txt").unlink()
            assert [os.path.basename(file.path) for file in home.sync().removed] == ["b.txt"]
            assert home.ids() == {name: number for name, number in ids.items() if name.endswith("a.txt")}
        finally:
            subprocess.run(["umount", "-l", str(stick)], check=True)


# Many deleted files


def test_many_deletions_at_once_wait_for_a_person(home: Home) -> None:
    home.put(**{f"n{number}": f"Sentence {number}." for number in range(5)})
    home.watch()
    home.sync()
    ids = home.ids()
    for path in home.folder.iterdir():
        path.unlink()
    report = home.sync()
    assert report.removed == []
    assert {file.document_id for file in report.unconfirmed} == set(ids.values())
    home.put(n0="Sentence 0.")  # one comes back meanwhile
    agreed = {ids["n0.txt"], ids["n1.txt"]}
    report = home.sync(confirmed=agreed)
    assert [os.path.basename(file.path) for file in report.removed] == ["n1.txt"]
    assert len(report.unconfirmed) == 3
    home.workspace.watched_folders.keep_deleted([ids["n2.txt"]]).wait(PATIENCE_S)
    report = home.sync(remove_many=True)
    assert [os.path.basename(file.path) for file in report.removed] == ["n3.txt", "n4.txt"]
    assert home.sync() == ImportReport(), "a document that is kept is not asked about again"
    assert home.ids() == {"n0.txt": ids["n0.txt"], "n2.txt": ids["n2.txt"]}
    home.put(n2="Sentence 2.")
    home.sync()
    (home.folder / "n2.txt").unlink()
    assert len(home.sync().removed) == 1, "it was seen again"


def test_a_few_deletions_of_many_documents_are_followed_at_once(home: Home) -> None:
    home.put(**{f"n{number:02}": f"Sentence {number}." for number in range(10)})
    home.watch()
    home.sync()
    for number in range(4):
        (home.folder / f"n{number:02}.txt").unlink()
    assert (len(home.sync().removed), len(home.documents())) == (4, 6)


def test_more_than_twenty_deletions_wait_for_a_person(home: Home) -> None:
    home.put(**{f"n{number:02}": f"Sentence {number}." for number in range(50)})
    home.watch()
    home.sync()
    for number in range(21):
        (home.folder / f"n{number:02}.txt").unlink()
    report = home.sync()
    assert (len(report.removed), len(report.unconfirmed)) == (0, 21)


def test_a_removed_document_that_is_restored_stays_as_missing(home: Home) -> None:
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    (home.folder / "a.txt").unlink()
    (removed,) = home.sync().removed
    home.workspace.change(lambda library: library.documents.restore([removed.document_id])).wait(PATIENCE_S)
    assert home.sync().removed == []
    assert home.ids().keys() == {"a.txt", "b.txt"}


# Renamed files


def _set_time(path: Path) -> None:
    os.utime(path, (1e9, 1e9))


def test_another_file_of_the_same_length_time_and_suffix_is_not_a_renamed_one(home: Home) -> None:
    home.put(cats="Cats like to sleep.")
    _set_time(home.folder / "cats.txt")
    home.watch()
    home.sync()
    (home.folder / "cats.txt").unlink()
    home.put(dogs="Dogs like to swim!!")
    _set_time(home.folder / "dogs.txt")
    home.sync()
    assert home.texts() == {"dogs.txt": "Dogs like to swim!!"}


def test_a_file_replaced_by_another_of_the_same_length_and_time_is_read_again(home: Home) -> None:
    home.put(cats="Cats like to sleep.", dogs="Dogs like to swim!!", third="Bread needs time.")
    _set_time(home.folder / "cats.txt")
    _set_time(home.folder / "dogs.txt")
    home.watch()
    home.sync()
    (home.folder / "dogs.txt").replace(home.folder / "cats.txt")
    home.sync()
    assert home.texts() == {"cats.txt": "Dogs like to swim!!", "third.txt": "Bread needs time."}
    assert home.sync() == ImportReport()


def test_a_file_put_over_another_from_outside_with_its_length_and_time_is_read_again(
    home: Home, tmp_path: Path
) -> None:
    home.put(cats="Cats like to sleep.", third="Bread needs time.")
    _set_time(home.folder / "cats.txt")
    home.watch()
    home.sync()
    other = tmp_path / "dogs.txt"
    other.write_text("Dogs like to swim!!")
    _set_time(other)
    other.replace(home.folder / "cats.txt")
    home.sync()
    assert home.texts() == {"cats.txt": "Dogs like to swim!!", "third.txt": "Bread needs time."}
    assert home.sync() == ImportReport()


@pytest.mark.skipif(os.name == "nt", reason="the number of a file does not change with its permissions")
def test_a_file_whose_entry_alone_changed_is_compared_once(home: Home) -> None:
    path = home.write("cats.txt", "Cats like to sleep.")
    home.watch()
    home.sync()
    embedded = len(home.encoder.embedded)
    path.chmod(0o600)
    assert home.sync().unchanged == [str(path)]
    assert home.sync() == ImportReport()
    assert len(home.encoder.embedded) == embedded


def test_documents_of_older_versions_get_the_stamps_of_their_files_without_being_read(home: Home) -> None:
    home.put(cats="Cats like to sleep.")
    home.watch()
    home.sync()
    path = home.documents()["cats.txt"].path
    stamp = home.documents()["cats.txt"].stamp
    home.workspace.change(lambda library: library.watched_folders.set_stamps({path: 0})).wait(PATIENCE_S)
    assert home.documents()["cats.txt"].stamp == 0
    assert home.sync() == ImportReport()
    assert home.documents()["cats.txt"].stamp == stamp != 0


def _pack(path: Path, **members: str) -> None:
    path.write_bytes(zipped({f"{name}.txt": text for name, text in members.items()}))


def test_the_documents_of_a_renamed_archive_keep_their_tags(home: Home) -> None:
    _pack(home.folder / "old.zip", cats="Cats like to sleep.", dogs="Dogs like to swim.")
    home.watch()
    home.sync()
    home.tag(os.path.join("old.zip", "cats.txt"), "pets")
    home.save(f'in:"{home.folder / "old.zip"}" fur')
    ids, embedded = home.ids(), len(home.encoder.embedded)
    (home.folder / "old.zip").rename(home.folder / "new.zip")
    report = home.sync()
    assert (report.imported, report.removed) == ([], [])
    assert [os.path.basename(os.path.dirname(each.path)) for each in report.moved] == ["new.zip"] * len(ids)
    new = {name.replace("old.zip", "new.zip"): number for name, number in ids.items()}
    assert home.ids() == new
    assert home.tags() == {"pets": frozenset({new[os.path.join("new.zip", "cats.txt")]})}
    assert str(home.folder / "new.zip") in home.saved().text
    assert len(home.encoder.embedded) == embedded
    assert home.sync() == ImportReport()


def test_of_a_renamed_archive_with_other_content_only_equal_members_are_kept(home: Home) -> None:
    home.put(more="More.", again="Again.", third="Third.")
    _pack(home.folder / "old.zip", cats="Cats like to sleep.", dogs="Dogs like to swim.")
    home.watch()
    home.sync()
    ids = home.ids()
    (home.folder / "old.zip").unlink()
    _pack(home.folder / "new.zip", cats="Cats like to sleep.", dogs="Dogs like to run.!")
    report = home.sync()
    assert [os.path.basename(each.path) for each in report.removed] == ["dogs.txt"]
    assert home.ids()[os.path.join("new.zip", "cats.txt")] == ids[os.path.join("old.zip", "cats.txt")]
    assert home.texts()[os.path.join("new.zip", "dogs.txt")] == "Dogs like to run.!"


def test_a_renamed_file_is_recognised_by_its_content_whatever_its_time(home: Home) -> None:
    home.put(a="The sea rises.")
    home.watch()
    home.sync()
    ids, embedded = home.ids(), len(home.encoder.embedded)
    (home.folder / "a.txt").rename(home.folder / "b.txt")
    _set_time(home.folder / "b.txt")
    moved = MovedFile(str(home.folder / "a.txt"), str(home.folder / "b.txt"), ids["a.txt"])
    assert home.sync() == ImportReport(moved=[moved])
    assert home.ids() == {"b.txt": ids["a.txt"]}
    assert len(home.encoder.embedded) == embedded


def test_a_file_that_moves_to_another_watched_folder_keeps_its_document(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "a second"
    other.mkdir()
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.workspace.watched_folders.watch_folder(WatchedFolder(str(other))).wait(PATIENCE_S)
    home.sync()
    home.tag("a.txt", "waves")
    ids = home.ids()
    (home.folder / "a.txt").rename(other / "a.txt")
    assert home.sync() == ImportReport(
        moved=[MovedFile(str(home.folder / "a.txt"), str(other / "a.txt"), ids["a.txt"])]
    )
    assert home.ids() == {"b.txt": ids["b.txt"], os.path.join("..", "a second", "a.txt"): ids["a.txt"]}
    assert home.tags() == {"waves": frozenset({ids["a.txt"]})}


def test_a_file_renamed_to_another_type_keeps_its_document_and_is_read_as_that_type(home: Home) -> None:
    home.put(a="# Bread\n\nIt needs time.")
    home.watch()
    home.sync()
    before = home.documents()["a.txt"]
    (home.folder / "a.txt").rename(home.folder / "a.md")
    home.sync()
    after = home.documents()["a.md"]
    assert (after.document_id, after.type, after.state) == (before.document_id, "markdown", "ready")
    assert home.texts() == {"a.md": "Bread It needs time."}


def test_equal_files_in_renamed_folders_keep_their_names(home: Home) -> None:
    for name in ("one", "two", "three"):
        home.write(f"old/{name}.txt", "All the same.")
    home.watch()
    home.sync()
    ids = home.ids()
    (home.folder / "old").rename(home.folder / "new")
    report = home.sync()
    assert report == ImportReport(moved=report.moved)
    assert len(report.moved) == 3
    assert home.ids() == {name.replace("old", "new"): number for name, number in ids.items()}


def test_a_file_that_failed_is_read_again_under_its_new_name(home: Home) -> None:
    home.put(a="The sea rises.")
    home.watch()
    home.sync()
    number = home.ids()["a.txt"]
    home.workspace.change(lambda library: library.ingest.fail(number, "timeout", Message("Too slow"))).wait(PATIENCE_S)
    (home.folder / "a.txt").rename(home.folder / "b.txt")
    home.sync()
    document = home.documents()["b.txt"]
    assert (document.document_id, document.state, document.sentences) == (number, "ready", 1)


def test_a_moved_folder_with_another_file_of_the_same_length_is_read_again(home: Home, tmp_path: Path) -> None:
    home.put(a="Cats like to sleep.", b="The sea rises.")
    home.watch()
    home.sync()
    new = tmp_path / "elsewhere"
    home.folder.rename(new)
    (new / "a.txt").write_text("Dogs like to swim!!")
    _set_time(new / "b.txt")
    home.workspace.watched_folders.relink_folder(str(home.folder), str(new)).wait(PATIENCE_S)
    home.folder = new
    assert home.documents()["b.txt"].mtime_ns == 10**18, "its content is the same: its new time is known"
    home.sync()
    assert home.texts() == {"a.txt": "Dogs like to swim!!", "b.txt": "The sea rises."}


# Links


@pytest.mark.parametrize("where", ["inside", "outside"])
@pytest.mark.parametrize("is_edited", [False, True])
def test_a_document_follows_its_file_behind_a_link(home: Home, tmp_path: Path, where: str, is_edited: bool) -> None:
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    number = home.ids()["a.txt"]
    new = (home.folder if where == "inside" else tmp_path) / "moved" / "a.txt"
    new.parent.mkdir()
    path = home.folder / "a.txt"
    path.rename(new)
    path.symlink_to(new)
    if is_edited:
        new.write_text("The sea falls again.")
    assert home.sync().removed == []
    name = os.path.relpath(new, home.folder)
    assert home.ids()[name] == number
    assert home.texts() == {
        name: "The sea falls again." if is_edited else "The sea rises.",
        "b.txt": "Bread needs time.",
    }
    assert home.sync() == ImportReport()


def test_a_document_replaced_by_a_link_to_another_document_is_removed(home: Home) -> None:
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    (home.folder / "a.txt").unlink()
    (home.folder / "a.txt").symlink_to(home.folder / "b.txt")
    assert [os.path.basename(file.path) for file in home.sync().removed] == ["a.txt"]
    assert home.texts() == {"b.txt": "Bread needs time."}


def test_a_renamed_file_with_a_link_to_another_in_its_old_place_keeps_its_document(home: Home) -> None:
    home.put(a="The sea rises.")
    home.watch()
    home.sync()
    number = home.ids()["a.txt"]
    (home.folder / "a.txt").rename(home.folder / "c.txt")
    home.put(b="Bread needs time.")
    (home.folder / "a.txt").symlink_to(home.folder / "b.txt")
    home.sync()
    assert home.texts() == {"b.txt": "Bread needs time.", "c.txt": "The sea rises."}
    assert home.ids()["c.txt"] == number


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_documents_follow_a_folder_behind_a_link(home: Home, tmp_path: Path, where: str) -> None:
    home.write("early/a.txt", "The sea rises.")
    home.write("early/b.txt", "It falls as often.")
    home.watch()
    home.sync()
    home.save("sea", ScopePart("folder", str(home.folder / "early"), "early"))
    ids = {Path(name).name: number for name, number in home.ids().items()}
    new = (home.folder if where == "inside" else tmp_path) / "late"
    (home.folder / "early").rename(new)
    (home.folder / "early").symlink_to(new, target_is_directory=True)
    report = home.sync()
    assert report == ImportReport(moved=report.moved)
    assert len(report.moved) == 2
    assert home.ids() == {os.path.relpath(new / name, home.folder): number for name, number in ids.items()}
    assert home.saved().parts == (ScopePart("folder", str(new), "late"),)


def test_a_watched_folder_is_followed_behind_a_link(home: Home, tmp_path: Path) -> None:
    home.put(a="The sea rises.")
    home.watch(exclude=("drafts",))
    home.sync()
    ids = home.ids()
    new = tmp_path / "elsewhere"
    home.folder.rename(new)
    home.folder.symlink_to(new, target_is_directory=True)
    assert home.sync() == ImportReport()
    folders = home.workspace.read(lambda library: library.watched_folders.folders()).wait(PATIENCE_S)
    assert folders == [WatchedFolder(str(new), (), ("drafts",))]
    home.folder = new
    assert home.ids() == ids


def test_an_archive_without_documents_is_read_again_only_when_it_has_changed(home: Home) -> None:
    archive = home.folder / "photos.zip"
    archive.write_bytes(zipped({"drafts/a.txt": "The sea rises.", "b.bin": b"\0"}))
    home.watch(exclude=("drafts",))
    members = [str(archive / "b.bin"), str(archive / "drafts" / "a.txt")]
    assert sorted(home.sync().ignored) == members
    assert home.sync() == ImportReport()
    archive.write_bytes(zipped({"drafts/a.txt": "The sea rises.", "b.bin": b"\0", "c.bin": b"\0"}))
    assert sorted(home.sync().ignored) == sorted([*members, str(archive / "c.bin")])
    assert home.sync() == ImportReport()
    home.watch()
    assert [Path(file.path).name for file in home.sync().imported] == ["a.txt"]
    assert home.sync() == ImportReport()


def test_an_archive_that_a_killed_synchronization_left_is_read_without_what_is_excluded(home: Home) -> None:
    home.watch(exclude=("drafts",))
    archive = home.folder / "papers.zip"
    archive.write_bytes(zipped({"a.txt": "The sea rises.", "drafts/b.txt": "Nobody may read this."}))
    file = FileRef.on_disk(str(archive), archive.stat())
    home.workspace.change(lambda library: library.documents.add([file])).wait(PATIENCE_S)  # all that it had done
    assert home.workspace.imports.resume().wait(PATIENCE_S).ignored == [str(archive / "drafts" / "b.txt")]
    assert home.ids().keys() == {os.path.normpath("papers.zip/a.txt")}


def test_patterns_of_an_import_that_was_finished_but_killed_are_forgotten(home: Home) -> None:
    noted = [WatchedFolder(str(home.folder), (), ("drafts",))]
    home.workspace.change(lambda library: library.watched_folders.note_import_folders(noted)).wait(PATIENCE_S)
    home.workspace.imports.resume().wait(PATIENCE_S)
    left = home.workspace.read(lambda library: library.watched_folders.import_folders()).wait(PATIENCE_S)
    assert left == []


def test_a_link_that_leads_to_an_unmounted_disk_loses_nothing(home: Home, disks: Disks, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    disks.mount("stick", stick)
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    path = home.folder / "a.txt"
    shutil.move(path, stick / "a.txt")
    path.symlink_to(stick / "a.txt")
    disks.unmount(stick)
    assert home.sync().removed == []
    assert home.ids().keys() == {"a.txt", "b.txt"}


def test_a_folder_in_place_of_a_file_removes_its_document(home: Home) -> None:
    home.put(a="The sea rises.", b="Bread needs time.")
    home.watch()
    home.sync()
    (home.folder / "a.txt").unlink()
    home.write("a.txt/c.txt", "Inside.")
    home.sync()
    assert home.texts() == {"b.txt": "Bread needs time.", os.path.join("a.txt", "c.txt"): "Inside."}
