"""The sentences of a page, which a person may correct, and the versions that corrections build."""

from __future__ import annotations

from typing import NoReturn

import pytest

from desktop_app.core.errors import LibraryBusy, StorageFull
from desktop_app.core.library import Library
from desktop_app.core.reader_events import ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.store.database import Database
from desktop_app.store.library import LocalLibrary

from .helpers import add, drain, faults, head, shown, spans_of, take_in, vectors_of

pytestmark = pytest.mark.every_library

PAGES = {"One page.": [1], "To the next.": [1, 2], "To the one after it.": [1, 2, 3], "Second.": [2], "Third.": [3]}


def on_pages(library: Library, name: str, pages: dict[str, list[int]]) -> int:
    """Import a document of sentences that are on the given pages."""
    document_id = add(library, name)
    library.ingest.begin(document_id, head(name))
    spans = [
        SentenceSpan(text, tuple(Place(page, 10 * at, 10 * at + 9, "pdfium") for page in numbers), at)
        for at, (text, numbers) in enumerate(pages.items())
    ]
    library.ingest.append(document_id, spans, list(pages), vectors_of(list(pages)))
    library.ingest.finish(document_id, ReadingDone())
    return document_id


def test_a_page_has_the_sentences_that_begin_on_it_and_those_that_continue_on_it(library: Library) -> None:
    take_in(library, "other.txt", ["Another document.", "Its second sentence."])
    document_id = on_pages(library, "a.pdf", PAGES)
    for page in (1, 2, 3, 4):
        texts = [each.text for each in library.corrections.on_page(document_id, page)]
        assert texts == [text for text, numbers in PAGES.items() if page in numbers], page


def test_a_removed_document_has_none(library: Library) -> None:
    document_id = on_pages(library, "a.pdf", PAGES)
    library.documents.remove([document_id])
    assert library.corrections.on_page(document_id, 1) == []


@pytest.mark.only_local
def test_a_correction_that_failed_on_a_full_disk_does_not_lock_its_document(
    library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = take_in(library, "book.txt", ["One.", "Two.", "Three."])
    version = library.corrections.begin(book)
    library.corrections.append(book, version, spans_of(["One.", "Two."]), [], vectors_of([]))
    with pytest.raises(LibraryBusy, match="being read"):
        library.corrections.begin(book)
    assert library.ingest.recover() == 0, "it is under way"
    with monkeypatch.context() as full:

        def fail(*_values: object) -> NoReturn:
            raise StorageFull("The disk is full", "Free some space.")

        full.setattr(Database, "write_transaction", fail)
        with pytest.raises(StorageFull):
            library.corrections.give_up(book, version)
    again = library.corrections.begin(book)
    with pytest.raises(LibraryBusy):
        library.corrections.append(book, version, spans_of(["Two."]), [], vectors_of([]))
    library.corrections.append(book, again, spans_of(["Two."]), [], vectors_of([]))
    library.corrections.finish(book, again, made=None, undone=None)
    assert shown(library, book) == ["Two."]
    drain(library.maintenance.purge())
    assert library.info().sentences == 1
    assert faults(library) == []


@pytest.mark.parametrize("is_finished", [True, False])
def test_what_a_correction_that_was_undone_or_given_up_has_brought_is_erased_in_the_same_session(
    library: Library, is_finished: bool
) -> None:
    book = take_in(library, "book.txt", ["One.", "Two."])
    version = library.corrections.begin(book)
    library.corrections.append(book, version, spans_of(["One. Two."]), ["One. Two."], vectors_of(["One. Two."]))
    if is_finished:
        library.corrections.finish(book, version, made=None, undone=None)
        version = library.corrections.begin(book)
        library.corrections.append(
            book, version, spans_of(["One.", "Two."]), ["One.", "Two."], vectors_of(["One.", "Two."])
        )
        library.corrections.finish(book, version, made=None, undone=None)
    else:
        library.corrections.give_up(book, version)
    drain(library.maintenance.purge())
    assert shown(library, book) == ["One.", "Two."]
    assert library.info().sentences == 2
