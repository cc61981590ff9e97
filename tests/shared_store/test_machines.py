"""Several computers watch the same files: what one of them knows of a file does not mislead the others."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import Document
from desktop_app.shared_store.library import SharedLibrary
from tests.store.helpers import MODEL, add, path, take_in, texts

from .conftest import Open

ON_LINUX = FileRef(path("mnt/archive/a.txt"), 100, 1_000_000_050, 11)
ON_WINDOWS = FileRef(path("drive z/a.txt"), 100, 1_000_000_000, 77)
"""The same file: Windows counts in steps of 100 nanoseconds, and numbers files."""


def open_both(open_session: Open) -> tuple[SharedLibrary, SharedLibrary]:
    linux = open_session(machine="linux", roots={"archive": path("mnt/archive")})
    linux.models.bind(MODEL)
    return linux, open_session(machine="windows", roots={"archive": path("drive z")})


def read_in(library: SharedLibrary, file: FileRef) -> Document:
    library.documents.add([file])
    return library.documents.get(take_in(library, file.path, texts("a", 3)))


def is_known(library: SharedLibrary, file: FileRef) -> bool:
    """Whether an import skips this file."""
    (document,) = library.documents.add([file])
    return document.state == "ready" and file.is_same_as(FileRef.of_document(document))


def test_no_computer_reads_a_file_again_because_another_one_knows_it_by_another_stamp(open_session: Open) -> None:
    linux, windows = open_both(open_session)
    read_in(linux, ON_LINUX)
    assert is_known(windows, ON_WINDOWS)
    windows.watched_folders.set_stamps({ON_WINDOWS.path: 77})
    assert is_known(windows, ON_WINDOWS)
    assert is_known(linux, ON_LINUX)
    assert not is_known(windows, replace(ON_WINDOWS, stamp=78)), "another file in its place, with the same time"


def test_a_file_that_one_computer_has_read_again_is_not_read_by_the_others(open_session: Open) -> None:
    linux, windows = open_both(open_session)
    document = read_in(linux, ON_LINUX)
    windows.watched_folders.set_stamps({ON_WINDOWS.path: 77})
    linux.ingest.queue(document.document_id, replace(ON_LINUX, stamp=12))
    linux.ingest.keep_previous_version(document.document_id, replace(ON_LINUX, stamp=12))
    assert is_known(linux, replace(ON_LINUX, stamp=12))
    assert is_known(windows, replace(ON_WINDOWS, stamp=78))


def test_no_computer_takes_the_file_system_of_another_one_for_its_own(open_session: Open) -> None:
    linux, windows = open_both(open_session)
    document_id = read_in(linux, ON_LINUX).document_id
    linux.watched_folders.set_volumes({ON_LINUX.path: "disk1 /"})
    assert windows.documents.get(document_id).volume == ""
    windows.watched_folders.set_volumes({ON_WINDOWS.path: "5 Z:"})
    assert (linux.documents.get(document_id).volume, windows.documents.get(document_id).volume) == ("disk1 /", "5 Z:")
    assert linux.documents.get(document_id).stamp == 11


def test_a_document_that_is_kept_without_its_file_is_kept_by_every_computer(open_session: Open) -> None:
    linux, windows = open_both(open_session)
    document_id = read_in(linux, ON_LINUX).document_id
    linux.watched_folders.set_volumes({ON_LINUX.path: "disk1 /"})
    windows.watched_folders.set_volumes({ON_WINDOWS.path: "5 Z:"})
    windows.watched_folders.set_volumes({ON_WINDOWS.path: ""})
    assert linux.documents.get(document_id).volume == ""


def test_what_computers_know_of_a_copy_stays_with_it(open_session: Open) -> None:
    linux, windows = open_both(open_session)
    original = read_in(linux, ON_LINUX)
    copy = add(linux, "mnt/archive/copy.txt")
    assert linux.copies.join(copy, original.content_hash or "") == original.document_id
    there = path("drive z/copy.txt")
    windows.watched_folders.set_stamps({there: 5})
    windows.watched_folders.set_volumes({there: "5 Z:"})
    (seen,) = windows.documents.get(original.document_id).copies
    assert (seen.stamp, seen.volume) == (5, "5 Z:")
    (seen,) = linux.documents.get(original.document_id).copies
    assert (seen.stamp, seen.volume) == (0, "")
    windows.copies.promote(there)
    main = windows.documents.get(original.document_id)
    assert (main.path, main.stamp, main.volume) == (there, 5, "5 Z:")


def test_what_an_earlier_version_of_the_program_has_stored_is_not_trusted(open_session: Open) -> None:
    linux, _ = open_both(open_session)
    document_id = read_in(linux, ON_LINUX).document_id
    linux._database.run("UPDATE document SET volume = 'disk1 /', stamp = 99")
    assert (linux.documents.get(document_id).volume, linux.documents.get(document_id).stamp) == ("", 0)
    linux.watched_folders.set_stamps({ON_LINUX.path: 11})
    assert is_known(linux, ON_LINUX)
