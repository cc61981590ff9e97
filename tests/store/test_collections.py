"""Collections: documents that belong together, under names; and folders whose listing was interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.library_ports import Library
from desktop_app.core.records import DocumentCollection
from desktop_app.core.scope import Scope

from .conftest import Open
from .helpers import drain, files_with, found, take_in, texts


@pytest.fixture
def three(library: Library) -> list[int]:
    return [take_in(library, f"{name}.txt", texts(name, 3)) for name in ("a", "b", "c")]


def test_a_document_is_in_several_collections(library: Library, three: list[int], open_library: Open) -> None:
    a, b, c = three
    collecting = library.collecting
    thesis, course = collecting.make("  Thesis   2024 "), collecting.make("Ärger")
    assert collecting.add(thesis, [a, b]) == 2
    assert collecting.add(thesis, [b, c, 99]) == 1, "one was in it, one is no document"
    assert collecting.add(course, [a]) == 1
    assert collecting.take_out(thesis, [b]) == 1
    expected = [
        DocumentCollection(course, "Ärger", frozenset({a})),
        DocumentCollection(thesis, "Thesis 2024", frozenset({a, c})),
    ]
    assert collecting.collections() == expected
    library.close()
    assert open_library().collecting.collections() == expected


def test_names_are_there_and_differ(library: Library) -> None:
    collecting = library.collecting
    first, second = collecting.make("Thesis"), collecting.make("Course")
    for name in ("thesis", " THÉSIS ", "", "  "):
        with pytest.raises(UsageError):
            collecting.make(name)
    with pytest.raises(UsageError):
        collecting.rename(second, "thesis")
    collecting.rename(first, "THESIS")  # its own
    assert [each.name for each in collecting.collections()] == ["Course", "THESIS"]
    collecting.forget(first)
    with pytest.raises(NotFound):
        collecting.rename(first, "x")
    with pytest.raises(NotFound):
        collecting.forget(first)
    with pytest.raises(NotFound):
        collecting.add(first, [1])


def test_a_search_keeps_to_a_collection(library: Library, three: list[int]) -> None:
    a, b, _ = three
    one, two = library.collecting.make("Über alles"), library.collecting.make("other")
    library.collecting.add(one, [a, b])
    library.collecting.add(two, [b])
    wanted = texts("c", 1)[0]
    for scope, documents in (
        (Scope(collections=("uber ALLES",)), {a, b}),
        (Scope(collections=("über alles", "other")), {b}),
        (Scope(collections=("nothing",)), set()),
    ):
        assert {each.document_id for each in library.documents(scope=scope)} == documents
        assert len(found(library, wanted, 100, scope=scope)) == 3 * len(documents)


def test_a_document_that_is_removed_leaves_its_collections_when_it_is_erased(
    library: Library, three: list[int], tmp_path: Path
) -> None:
    a, b, _ = three
    held = library.collecting.make("private-collection")
    library.collecting.add(held, [a, b])
    library.remove_documents([a])
    (collection,) = library.collecting.collections()
    assert collection.document_ids == {b}, "it is out of sight"
    library.restore_documents([a])
    (collection,) = library.collecting.collections()
    assert collection.document_ids == {a, b}
    library.remove_documents([a])
    drain(library.purge())
    (collection,) = library.collecting.collections()
    assert collection.document_ids == {b}
    library.collecting.rename(held, "renamed")
    drain(library.purge())
    assert files_with(tmp_path, b"private-collection") == []


def test_a_listing_is_remembered_until_it_is_done(library: Library, open_library: Open) -> None:
    library.watching.begin_listing(["/papers", "/more"])
    library.watching.begin_listing(["/more"], anew=True)
    library.close()
    again = open_library()
    assert again.watching.unlisted() == {"/more": True, "/papers": False}
    again.watching.end_listing(["/more", "/never"])
    assert again.watching.unlisted() == {"/papers": False}
