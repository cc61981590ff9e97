"""Collections and tags: named groups of documents; and folders whose listing was interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.library import Library
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.records import DocumentCollection
from desktop_app.core.scope import Scope

from .conftest import Open
from .helpers import drain, files_with, found, head, path, store, take_in, texts

pytestmark = pytest.mark.every_library


@pytest.fixture
def three(library: Library) -> list[int]:
    return [take_in(library, f"{name}.txt", texts(name, 3)) for name in ("a", "b", "c")]


def test_a_document_can_be_in_several_collections(library: Library, three: list[int], open_library: Open) -> None:
    a, b, c = three
    collecting = library.collections
    thesis, course = collecting.create("  Thesis   2024 "), collecting.create("Ärger")
    assert collecting.add(thesis, [a, b]) == 2
    assert collecting.add(thesis, [b, c, 99]) == 1, "one was in it, one is no document"
    assert collecting.add(course, [a]) == 1
    assert collecting.remove(thesis, [b]) == 1
    expected = [
        DocumentCollection(course, "Ärger", frozenset({a})),
        DocumentCollection(thesis, "Thesis 2024", frozenset({a, c})),
    ]
    assert collecting.collections() == expected
    library.close()
    assert open_library().collections.collections() == expected


def test_names_are_required_and_unique(library: Library) -> None:
    collecting = library.collections
    first, second = collecting.create("Thesis"), collecting.create("Course")
    for name in ("thesis", " THÉSIS "):
        with pytest.raises(UsageError, match="There is already a collection Thesis"):
            collecting.create(name)
    for name in ("", "  "):
        with pytest.raises(UsageError, match="needs a name"):
            collecting.create(name)
    with pytest.raises(UsageError, match="There is already a collection Thesis"):
        collecting.rename(second, "thesis")
    collecting.rename(first, "THESIS")  # its own
    assert [each.name for each in collecting.collections()] == ["Course", "THESIS"]
    collecting.delete(first)
    with pytest.raises(NotFound):
        collecting.rename(first, "x")
    with pytest.raises(NotFound):
        collecting.delete(first)
    with pytest.raises(NotFound):
        collecting.add(first, [1])


def test_a_name_does_not_turn_the_line_that_it_stands_in(library: Library) -> None:
    library.collections.create("\N{RIGHT-TO-LEFT OVERRIDE}sea")
    assert [each.name for each in library.collections.collections()] == ["sea"]
    with pytest.raises(UsageError):
        library.collections.create("\N{RIGHT-TO-LEFT OVERRIDE}")


def test_a_search_is_limited_to_a_collection(library: Library, three: list[int]) -> None:
    a, b, _ = three
    one, two = library.collections.create("Über alles"), library.collections.create("other")
    library.collections.add(one, [a, b])
    library.collections.add(two, [b])
    wanted = texts("c", 1)[0]
    for scope, documents in (
        (Scope(collections=("uber ALLES",)), {a, b}),
        (Scope(collections=("über alles", "other")), {b}),
        (Scope(collections=("nothing",)), set()),
    ):
        assert {each.document_id for each in library.documents.fetch(scope=scope)} == documents
        assert len(found(library, wanted, 100, scope=scope)) == 3 * len(documents)


def test_a_removed_document_leaves_its_collections_when_it_is_purged(
    library: Library, three: list[int], tmp_path: Path
) -> None:
    a, b, _ = three
    held = library.collections.create("private-collection")
    library.collections.add(held, [a, b])
    library.documents.remove([a])
    (collection,) = library.collections.collections()
    assert collection.document_ids == {b}, "it is hidden"
    library.documents.restore([a])
    (collection,) = library.collections.collections()
    assert collection.document_ids == {a, b}
    library.documents.remove([a])
    drain(library.maintenance.purge())
    (collection,) = library.collections.collections()
    assert collection.document_ids == {b}
    library.collections.rename(held, "renamed")
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-collection") == []


def test_a_listing_is_remembered_until_it_is_done(library: Library, open_library: Open) -> None:
    library.watched_folders.begin_listing(["/papers", "/more"])
    library.watched_folders.begin_listing(["/more"], force=True)
    library.close()
    again = open_library()
    assert again.watched_folders.interrupted_listings() == {"/more": True, "/papers": False}
    again.watched_folders.end_listing(["/more", "/never"])
    assert again.watched_folders.interrupted_listings() == {"/papers": False}


def tags(library: Library) -> dict[str, set[int]]:
    return {each.name: set(each.document_ids) for each in library.collections.collections() if each.kind == "tag"}


def test_documents_have_any_number_of_tags(library: Library, three: list[int], open_library: Open) -> None:
    a, b, c = three
    collecting = library.collections
    collecting.create("unread")  # a collection with the same name is independent
    collecting.tag([a, b, 99], ["#unread", "To  read", "UNREAD"])
    collecting.tag([c], ["Unread", "ärger"], take=["to read"])
    assert tags(library) == {"ärger": {c}, "To read": {a, b}, "unread": {a, b, c}}
    collecting.tag([a, c], [], take=["unréad", "never there"])
    expected = {"ärger": {c}, "To read": {a, b}, "unread": {b}}
    assert tags(library) == expected
    assert [each.kind for each in collecting.collections()] == ["collection", "tag", "tag", "tag"]
    library.close()
    assert tags(open_library()) == expected


def test_a_whole_large_library_is_tagged_at_once(library: Library, library_kind: str) -> None:
    count = 17_000 if library_kind == "local" else 5_000  # SQLite takes at most 32,766 values in a statement
    documents = library.documents.add([FileRef(path(f"{number}.txt"), 1, 1) for number in range(count)])
    ids = [document.document_id for document in documents]
    library.collections.tag(ids, ["all"])
    assert library.collections.add(library.collections.create("All"), ids) == len(ids)
    assert [len(each.document_ids) for each in library.collections.collections()] == [len(ids), len(ids)]
    library.collections.tag(ids, [], take=["all"])
    assert tags(library) == {}


def test_a_tag_disappears_with_its_last_document(library: Library, three: list[int]) -> None:
    a, b, _ = three
    library.collections.tag([a, b], ["one", "two"])
    library.collections.tag([99], ["of nothing"])
    assert set(tags(library)) == {"one", "two"}
    library.collections.tag([a, b], [], take=["one"])
    assert tags(library) == {"two": {a, b}}
    (two,) = [each for each in library.collections.collections() if each.kind == "tag"]
    library.collections.delete(two.collection_id)
    assert tags(library) == {}
    with pytest.raises(NotFound):
        library.collections.delete(two.collection_id)


@pytest.mark.parametrize("word", ["", " # ", "x" * 41, "one, two"])
def test_an_invalid_tag_is_refused(library: Library, three: list[int], word: str) -> None:
    with pytest.raises(UsageError):
        library.collections.tag(three, ["good", word])
    assert tags(library) == {}, "all or nothing"


def test_a_tag_is_renamed(library: Library, three: list[int]) -> None:
    library.collections.tag(three, ["old"])
    library.collections.tag(three[:1], ["other"])
    number = next(each.collection_id for each in library.collections.collections() if each.name == "old")
    with pytest.raises(UsageError, match="tag"):
        library.collections.rename(number, "OTHER")
    library.collections.rename(number, "#new")
    assert tags(library) == {"new": set(three), "other": set(three[:1])}


def test_a_search_is_limited_to_tags(library: Library, three: list[int]) -> None:
    a, b, _ = three
    library.collections.tag([a, b], ["Über alles"])
    library.collections.tag([b], ["other"])
    library.collections.create("other")
    wanted = texts("c", 1)[0]
    for scope, documents in (
        (Scope(tags=("uber ALLES",)), {a, b}),
        (Scope(tags=("über alles", "other")), {b}),
        (Scope(collections=("über alles",)), set()),
        (Scope(collections=("other",)), set()),
    ):
        assert {each.document_id for each in library.documents.fetch(scope=scope)} == documents
        assert len(found(library, wanted, 100, scope=scope)) == 3 * len(documents)


def test_tags_stay_when_a_file_is_read_again_or_moves(library: Library) -> None:
    document_id = take_in(library, "a.txt", texts("a", 3))
    library.collections.tag([document_id], ["unread"])
    library.ingest.queue(document_id, FileRef(path("a.txt"), 200, 2))
    library.ingest.begin(document_id, head("changed"))
    store(library, document_id, texts("new", 2))
    library.ingest.finish(document_id, ReadingDone())
    library.watched_folders.move(path("a.txt"), FileRef(path("renamed.txt"), 200, 2))
    assert tags(library) == {"unread": {document_id}}


def test_tags_are_purged_with_their_documents(library: Library, three: list[int], tmp_path: Path) -> None:
    a, b, _ = three
    library.collections.tag([a], ["private-word"])
    library.collections.tag([a, b], ["both"])
    library.documents.remove([a])
    assert tags(library) == {"both": {b}}, "it is hidden"
    library.documents.restore([a])
    assert tags(library) == {"both": {a, b}, "private-word": {a}}
    library.documents.remove([a])
    drain(library.maintenance.purge())
    assert tags(library) == {"both": {b}}
    assert files_with(tmp_path, b"private-word") == []
    library.collections.tag([b], ["another-private"])
    library.collections.tag([b], [], take=["another-private"])
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"another-private") == []
