"""A document with several files: exact copies become one, change, vanish, are removed and come back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.library import Library
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.records import Document
from desktop_app.core.scope import Scope, ScopePart
from desktop_app.core.user_data import SavedSearch

from .conftest import Open
from .helpers import MODEL, add, drain, faults, files_with, found, head, path, shown, store, take_in, texts

pytestmark = pytest.mark.every_library

TEXTS = texts("tea", 3)


def one(library: Library) -> Document:
    (document,) = library.documents.fetch()
    return document


def content_hash(library: Library, document_id: int) -> str:
    known = library.documents.get(document_id).content_hash
    assert known is not None
    return known


def join(library: Library, document_id: int, name: str, *tags: str) -> int:
    """Add a file with the content of a document, as an import does; returns the document that has it."""
    copy = add(library, name)
    library.collections.tag([copy], tags)
    owner = library.copies.join(copy, content_hash(library, document_id))
    assert owner is not None
    return owner


@pytest.fixture
def twice(library: Library) -> Library:
    """A library with one document in two places: `a/tea.txt`, and `b/copy.txt`."""
    join(library, take_in(library, "a/tea.txt", TEXTS), "b/copy.txt")
    return library


def paths(library: Library) -> list[tuple[str, ...]]:
    return [document.paths for document in library.documents.fetch()]


BOTH = (path("a/tea.txt"), path("b/copy.txt"))


def test_an_exact_copy_becomes_a_further_file_of_the_document(library: Library) -> None:
    tea = take_in(library, "a/tea.txt", TEXTS)
    library.collections.tag([tea], ["read"])
    assert library.copies.find_hashes(path("b/new.TXT"), 100) == {content_hash(library, tea)}
    assert join(library, tea, "b/copy.txt", "unread") == tea
    assert paths(library) == [BOTH]
    assert shown(library) == TEXTS
    assert library.info().documents == 1
    assert {each.name: each.document_ids for each in library.collections.collections()} == {
        "read": {tea},
        "unread": {tea},
    }


def test_other_lengths_suffixes_and_contents_are_not_copies(library: Library) -> None:
    tea = take_in(library, "tea.txt", TEXTS)
    assert library.copies.find_hashes(path("b/tea.txt"), 101) == frozenset()
    assert library.copies.find_hashes(path("b/tea.md"), 100) == frozenset()
    same = content_hash(library, tea)
    assert library.copies.join(add(library, "tea.md"), same) is None
    assert library.copies.join(add(library, "b/tea.txt"), "another") is None
    library.documents.remove([tea])
    assert library.copies.join(add(library, "b/other.txt"), same) is None, "a removed document takes nothing over"


def test_a_document_that_is_read_again_has_the_content_that_is_read(library: Library) -> None:
    tea = take_in(library, "tea.txt", TEXTS)
    library.ingest.queue(tea, FileRef(path("tea.txt"), 100, 2))
    library.ingest.begin(tea, head("new"))
    assert library.copies.find_hashes(path("b/tea.txt"), 100) == {"new"}
    assert library.copies.join(add(library, "b/tea.txt"), "new") == tea


def test_what_a_person_has_added_to_a_waiting_document_is_never_lost(library: Library) -> None:
    tea = take_in(library, "tea.txt", TEXTS)
    named, cited = add(library, "b/named.txt"), add(library, "b/cited.txt")
    library.documents.set_title(named, "My tea")
    library.documents.set_reference(cited, Reference(title="Tea", authors=()))
    for document_id in (named, cited):
        assert library.copies.join(document_id, content_hash(library, tea)) is None
        assert library.documents.get(document_id).state == "queued"


def test_a_document_is_found_by_each_of_its_places(twice: Library) -> None:
    for name in (*BOTH, path("a"), path("b"), "tea.txt", "copy.txt"):
        assert [each.paths for each in twice.documents.find(name)] == [BOTH], name
    for scope in (
        Scope(paths=(path("b"),)),
        Scope(folders=("b",)),
        Scope(folders=("copy.txt",)),
        Scope(folders=("a",)),
    ):
        assert found(twice, TEXTS[0], scope=scope) == [TEXTS[0]]
        assert len(twice.documents.fetch(scope=scope)) == 1
    assert twice.documents.fetch(scope=Scope(folders=("c",))) == []
    assert twice.documents.find(path("b/tea.txt")) == []
    tea = one(twice).document_id
    assert list(twice.analysis_reader.find_copies(BOTH[1], "")) == [tea]


def test_results_are_counted_with_the_copies_of_their_documents(twice: Library) -> None:
    ids = list(twice.analysis_reader.ids(TEXTS).values())
    (counted,) = twice.analysis_reader.documents_of(ids, with_ids=True)
    assert (counted.path, *counted.copies) == BOTH
    assert sorted(counted.sentence_ids) == sorted(ids)


def test_a_known_copy_is_shown_as_it_is_there(twice: Library) -> None:
    (document,) = twice.documents.add([FileRef(BOTH[1], 100, 1)])
    assert (document.path, document.is_copy, document.state) == (BOTH[1], True, "ready")
    assert set(document.paths) == set(BOTH)
    assert document.document_id == one(twice).document_id


def test_another_file_takes_the_place_of_the_main_one(twice: Library) -> None:
    removed = twice.copies.remove([BOTH[0], path("unknown.txt")])
    assert (removed.document_ids, [copy.path for _, copy in removed.copies]) == ((), [BOTH[0]])
    assert paths(twice) == [(BOTH[1],)]
    assert shown(twice) == TEXTS
    assert twice.copies.restore(removed) == 1
    assert paths(twice) == [(BOTH[1], BOTH[0])]
    twice.copies.promote(BOTH[0])
    assert paths(twice) == [BOTH]
    with pytest.raises(NotFound):
        twice.copies.promote(BOTH[0])


def test_only_with_its_last_file_a_document_is_removed(twice: Library) -> None:
    removed = twice.copies.remove(BOTH)
    assert twice.documents.fetch() == []
    assert twice.copies.restore(removed) == 1
    assert set(one(twice).paths) == set(BOTH)


@pytest.mark.parametrize("removed", BOTH)
@pytest.mark.parametrize("is_read_again", [False, True])
def test_a_restored_file_is_read_if_its_document_has_changed_meanwhile(
    twice: Library, removed: str, is_read_again: bool
) -> None:
    document_id = one(twice).document_id
    files = twice.copies.remove([removed])
    if is_read_again:
        twice.ingest.begin(document_id, head("another content"))
        store(twice, document_id, texts("milk", 3))
        twice.ingest.finish(document_id, ReadingDone())
    assert twice.copies.restore(files) == 1
    (copy,) = one(twice).copies
    assert (copy.path, copy.mtime_ns) == (removed, 0 if is_read_again else 1)


def test_a_file_that_is_restored_while_its_document_is_read_again_is_read_too(twice: Library) -> None:
    document_id = one(twice).document_id
    files = twice.copies.remove([BOTH[1]])
    twice.ingest.begin(document_id, head("another content"))
    twice.copies.restore(files)
    store(twice, document_id, texts("milk", 3))
    twice.ingest.finish(document_id, ReadingDone())
    assert [copy.mtime_ns for copy in one(twice).copies] == [0]


def test_a_removed_document_comes_back_with_the_files_that_are_imported_again(twice: Library) -> None:
    tea = one(twice).document_id
    twice.documents.remove([tea])
    twice.documents.restore([tea])
    assert paths(twice) == [BOTH]
    twice.documents.remove([tea])
    (document,) = twice.documents.add([FileRef(BOTH[1], 100, 1)])
    assert (document.document_id, document.is_copy) == (tea, False)
    assert paths(twice) == [(BOTH[1],)]


@pytest.mark.parametrize("changed", BOTH)
def test_a_file_that_changes_is_a_document_of_its_own_with_the_same_tags(twice: Library, changed: str) -> None:
    tea = one(twice).document_id
    twice.collections.tag([tea], ["green"])
    new = twice.copies.split(FileRef(changed, 7, 8, 9))
    assert (new.path, new.state, new.size_bytes, new.paths) == (changed, "queued", 7, (changed,))
    old = twice.documents.get(tea)
    assert (old.paths, old.state) == (tuple(each for each in BOTH if each != changed), "ready")
    assert shown(twice, tea) == TEXTS
    (tag,) = twice.collections.collections()
    assert tag.document_ids == {tea, new.document_id}
    with pytest.raises(NotFound):
        twice.copies.split(FileRef(old.path, 7, 8))


def test_a_document_that_waits_to_be_read_again_keeps_its_text_for_the_other_file(twice: Library) -> None:
    tea = one(twice).document_id
    twice.ingest.queue(tea, FileRef(BOTH[0], 7, 8))
    assert twice.copies.find_hashes(path("c/tea.txt"), 100) == frozenset(), "its main file may be another one by now"
    twice.copies.split(FileRef(BOTH[0], 7, 8), BOTH[1])
    old = twice.documents.get(tea)
    assert (old.state, old.path, old.size_bytes, old.mtime_ns) == ("ready", BOTH[1], 100, 1)


def test_files_move_each_for_itself(twice: Library) -> None:
    folders = twice.watched_folders
    folders.set_volumes({BOTH[1]: "stick"})
    folders.set_stamps({BOTH[1]: 5})
    (copy,) = one(twice).copies
    assert (copy.volume, copy.stamp, one(twice).volume, one(twice).stamp) == ("stick", 5, "", 0)
    folders.move(BOTH[1], FileRef(path("c.txt"), 1, 2, 3))
    assert paths(twice) == [(BOTH[0], path("c.txt"))]
    folders.move(BOTH[0], FileRef(path("d.txt"), 1, 2, 3))
    assert paths(twice) == [(path("d.txt"), path("c.txt"))]
    other = take_in(twice, "other.txt", ["Another text."])
    for old, new in ((path("c.txt"), path("other.txt")), (path("other.txt"), path("c.txt"))):
        with pytest.raises(UsageError):
            folders.move(old, FileRef(new, 1, 2))
    with pytest.raises(NotFound):
        folders.move(path("nowhere.txt"), FileRef(path("e.txt"), 1, 2))
    twice.documents.remove([other])


def test_a_file_that_moves_onto_a_copy_is_one_with_it(twice: Library) -> None:
    twice.watched_folders.move(BOTH[0], FileRef(BOTH[1], 100, 1))
    assert paths(twice) == [(BOTH[1],)]
    join(twice, one(twice).document_id, "a/tea.txt")
    twice.watched_folders.move(BOTH[0], FileRef(BOTH[1], 100, 1))
    assert paths(twice) == [(BOTH[1],)]


def test_the_files_in_a_message_have_copies_in_its_copy(library: Library) -> None:
    mail = take_in(library, "a/mail.eml", TEXTS)
    menu = take_in(library, os.path.join("a", "mail.eml", "menu.txt"), ["Soup and bread."])
    join(library, mail, "b/mail.eml")
    assert library.documents.get(menu).paths == (path("a/mail.eml/menu.txt"), path("b/mail.eml/menu.txt"))
    library.copies.remove([path("a/mail.eml"), path("a/mail.eml/menu.txt")])
    assert paths(library) == [(path("b/mail.eml"),), (path("b/mail.eml/menu.txt"),)]


def test_an_erased_document_leaves_no_path(twice: Library) -> None:
    twice.user_data.save_search(SavedSearch("Copy", "tea", "both", (ScopePart("document", BOTH[1], "copy"),)))
    twice.documents.remove([one(twice).document_id])
    drain(twice.maintenance.purge())
    assert twice.user_data.saved_searches()[0].parts == ()
    again = take_in(twice, "b/copy.txt", ["Something else."])
    assert one(twice).document_id == again
    assert one(twice).copies == ()


@pytest.mark.only_local
def test_no_byte_of_a_removed_path_stays(library: Library, tmp_path: Path) -> None:
    tea = take_in(library, "a/tea.txt", TEXTS)
    join(library, tea, "b/secret-name.txt")
    library.copies.remove([path("b/secret-name.txt")])
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"secret-name") == []


@pytest.mark.only_local
def test_a_copy_stays_when_the_import_of_its_document_is_killed(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    tea = add(library, "a/tea.txt")
    library.ingest.begin(tea, head("same"))
    store(library, tea, TEXTS[:1])
    assert library.copies.join(add(library, "b/copy.txt"), "same") == tea
    library.close()
    library = open_library()
    assert (one(library).state, one(library).paths, shown(library)) == ("queued", BOTH, [])
    library.ingest.begin(tea, head("same"))
    store(library, tea, TEXTS)
    library.ingest.finish(tea, ReadingDone())
    assert (one(library).state, one(library).paths, shown(library)) == ("ready", BOTH, TEXTS)
    assert faults(library) == []
