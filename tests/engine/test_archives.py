"""Importing archives: members become documents, the archive does not; with the real reader on a real library."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.formats import is_supported
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import WatchedFolder
from desktop_app.engine.file_walk import FileListing
from desktop_app.engine.import_run import Importer
from desktop_app.engine.requests import ImportReport, ImportRequest
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.steps import run_steps
from tests.text.makers import mail_with, zipped


class World:
    def __init__(self, folder: Path) -> None:
        self.archive = folder / "files" / "papers.zip"
        self.archive.parent.mkdir()
        self.library = LocalLibrary.open(folder / "library", writable=True, create=True)
        self.encoder = HashingEncoder()
        self.reader = ProcessReader()

    def take_in(self, *paths: Path) -> ImportReport:
        named = tuple(map(str, paths or (self.archive.parent,)))
        return run_steps(self.importer().run(ImportRequest(named)))

    def importer(self) -> Importer:
        return Importer(
            self.library, lambda: self.encoder, self.reader, lambda path: is_supported(Path(path)), lambda: False
        )

    def names(self) -> list[str]:
        return sorted(
            os.path.relpath(document.path, self.archive.parent) for document in self.library.documents.fetch()
        )


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.reader.close()
    world.library.close()


def test_members_become_documents_and_the_archive_does_not(world: World) -> None:
    inner = zipped({"deep.txt": "Deep in two archives."})
    members = {"a.txt": "The sea rises.", "in/b.md": "# Bread\n\nIt needs time.", "in/c.zip": inner, "d.bin": b"\0"}
    world.archive.write_bytes(zipped({**members, "../out.txt": "Outside.", "bomb.txt": b"0" * 60_000_000}))
    (world.archive.parent / "z.txt").write_text("After the archive.")
    report = world.take_in()
    wanted = ["papers.zip/a.txt", "papers.zip/in/b.md", "papers.zip/in/c.zip/deep.txt", "z.txt"]
    assert world.names() == [os.path.normpath(name) for name in wanted]
    assert len(report.imported) == 4
    assert [os.path.basename(path) for path in report.ignored] == ["d.bin"]
    assert sorted((os.path.basename(f.path), f.reason) for f in report.failed) == [
        ("bomb.txt", "too_large"),
        ("out.txt", "damaged"),
    ]
    found = world.library.documents.find(str(world.archive))
    assert len(found) == 3


def test_an_archive_is_opened_again_and_only_changes_are_read(world: World) -> None:
    world.archive.write_bytes(zipped({"a.txt": "The sea rises.", "b.txt": "Bread needs time."}))
    world.take_in()
    embedded = len(world.encoder.embedded)
    report = world.take_in()
    assert (len(report.unchanged), report.imported, report.failed) == (2, [], [])
    world.archive.write_bytes(zipped({"a.txt": "The sea sinks.", "b.txt": "Bread needs time."}))
    report = world.take_in()
    assert [os.path.basename(file.path) for file in report.imported] == ["a.txt"]
    assert world.encoder.embedded[embedded:] == ["The sea sinks."]


def test_a_damaged_archive_is_a_failed_document(world: World) -> None:
    world.archive.write_bytes(zipped({"a.txt": "The sea rises."})[:40])
    report = world.take_in()
    assert [(os.path.basename(f.path), f.reason) for f in report.failed] == [("papers.zip", "damaged")]
    world.archive.write_bytes(zipped({"a.txt": "The sea rises."}))
    world.take_in()
    assert world.names() == [os.path.normpath("papers.zip/a.txt")]


def test_an_interrupted_archive_is_opened_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.engine.import_queue._FILES_PER_TRANSACTION", 1)
    world.archive.write_bytes(zipped({"a.txt": "The sea rises.", "b.txt": "Bread needs time."}))
    steps = world.importer().run(ImportRequest((str(world.archive),)))
    while not any(name.endswith("a.txt") for name in world.names()):
        next(steps)
    world.reader.close()  # as if the program were killed: nothing is tidied up
    queued = world.library.documents.fetch(state="queued")
    run_steps(world.importer().resume(queued))
    assert world.names() == [os.path.normpath(f"papers.zip/{name}.txt") for name in "ab"]
    assert [document.state for document in world.library.documents.fetch()] == ["ready", "ready"]


@pytest.fixture
def excluding(world: World) -> ImportRequest:
    """An import of a folder with two archives, whose drafts are left out."""
    folder = str(world.archive.parent)
    for name in ("first", "second"):
        members = {f"{name}.txt": f"The {name} text is here.", f"drafts/{name}.txt": f"The {name} draft is here."}
        (world.archive.parent / f"{name}.zip").write_bytes(zipped(members))
    paths = [world.archive.parent / f"{name}.zip" for name in ("first", "second")]
    files = tuple(FileRef.on_disk(str(path), path.stat()) for path in paths)
    return ImportRequest((), listing=FileListing(files), folders=(WatchedFolder(folder, (), ("drafts",)),))


def _interrupt(world: World, request: ImportRequest) -> None:
    """End an import after its first archive, as if the program were killed: nothing is tidied up."""
    steps = world.importer().run(request)
    next(steps)
    while not any(name.endswith("first.txt") for name in world.names()):
        next(steps)
    world.reader.close()
    world.library.ingest.recover()


def test_what_an_import_leaves_out_is_left_out_when_it_resumes(world: World, excluding: ImportRequest) -> None:
    _interrupt(world, excluding)
    assert world.library.watched_folders.import_folders() == list(excluding.folders)
    report = run_steps(world.importer().resume(world.library.documents.fetch(state="queued")))
    assert world.names() == [os.path.normpath(f"{name}.zip/{name}.txt") for name in ("first", "second")]
    assert [os.path.basename(path) for path in report.ignored] == ["first.txt", "second.txt"]
    assert world.library.watched_folders.import_folders() == []


def test_the_patterns_of_an_import_end_with_it(world: World, excluding: ImportRequest) -> None:
    run_steps(world.importer().run(excluding))
    assert world.names() == [os.path.normpath(f"{name}.zip/{name}.txt") for name in ("first", "second")]
    assert world.library.watched_folders.import_folders() == []
    stopped = world.importer().run(excluding)
    next(stopped)
    assert world.library.watched_folders.import_folders() == list(excluding.folders)
    stopped.throw(Cancelled())
    run_steps(stopped)
    assert world.library.watched_folders.import_folders() == []


def test_an_import_of_the_whole_folder_takes_what_an_interrupted_one_left_out(
    world: World, excluding: ImportRequest
) -> None:
    _interrupt(world, excluding)
    _interrupt(world, ImportRequest((str(world.archive.parent),)))
    run_steps(world.importer().resume(world.library.documents.fetch(state="queued")))
    assert len(world.names()) == 4


def test_a_watched_folder_keeps_its_patterns_for_itself(world: World, excluding: ImportRequest) -> None:
    world.library.watched_folders.watch(excluding.folders[0])
    steps = world.importer().run(excluding)
    next(steps)
    assert world.library.watched_folders.import_folders() == []
    run_steps(steps)


def test_a_member_can_be_named_directly(world: World) -> None:
    world.archive.write_bytes(zipped({"a.txt": "The sea rises.", "b.txt": "Bread needs time."}))
    report = world.take_in(world.archive / "b.txt")
    assert [os.path.basename(file.path) for file in report.imported] == ["b.txt"]
    report = world.take_in(world.archive / "gone.txt")
    assert [f.reason for f in report.failed] == ["unreadable"]


def test_a_message_and_its_attached_files_are_documents(world: World) -> None:
    mail = world.archive.parent / "a.eml"
    mail.write_bytes(mail_with({"plan.txt": "The plan is simple.", "b.md": "It rests at night."}))
    report = world.take_in()
    assert world.names() == [os.path.normpath(name) for name in ("a.eml", "a.eml/b.md", "a.eml/plan.txt")]
    assert len(report.imported) == 3
    report = world.take_in()
    assert (len(report.unchanged), report.imported) == (1, [])
    mail.write_bytes(mail_with({"plan.txt": "The plan is harder.", "b.md": "It rests at night."}))
    assert [os.path.basename(file.path) for file in world.take_in().imported] == ["a.eml", "plan.txt"]


def test_an_import_is_stopped_although_a_message_of_it_was_removed(world: World) -> None:
    old = world.archive.parent / "old.txt"
    old.write_text("The old text.")
    world.take_in(old)
    old.write_text("The new text is another one.")
    mail = world.archive.parent / "a.eml"
    mail.write_bytes(mail_with({"plan.txt": "The plan is simple.", "b.md": "It rests at night."}))
    steps = world.importer().run(ImportRequest((str(mail), str(old))))
    while not any(each.type == "email" and each.state == "ready" for each in world.library.documents.fetch()):
        next(steps)
    (number,) = [each.document_id for each in world.library.documents.fetch() if each.type == "email"]
    world.library.documents.remove([number])
    steps.throw(Cancelled())
    assert run_steps(steps).stopped
    assert [(os.path.basename(each.path), each.state) for each in world.library.documents.fetch()] == [
        ("old.txt", "ready")
    ]


def test_attached_files_that_a_stopped_import_left_out_are_read_by_the_next(world: World) -> None:
    mail = world.archive.parent / "a.eml"
    mail.write_bytes(mail_with({"plan.txt": "The plan is simple.", "b.md": "It rests at night."}))
    steps = world.importer().run(ImportRequest((str(mail),)))
    while not any(each.state == "ready" for each in world.library.documents.fetch()):
        next(steps)
    steps.throw(Cancelled())
    run_steps(steps)
    assert world.names() == ["a.eml"]
    world.take_in()
    assert world.names() == [os.path.normpath(name) for name in ("a.eml", "a.eml/b.md", "a.eml/plan.txt")]
    assert {document.state for document in world.library.documents.fetch()} == {"ready"}
    assert world.take_in().imported == []
