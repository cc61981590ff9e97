"""The sentences of a page, which a person may correct."""

from __future__ import annotations

import pytest

from desktop_app.core.library import Library
from desktop_app.core.reader_events import ReadingDone, SentenceSpan
from desktop_app.core.records import Place

from .helpers import add, head, take_in, vectors_of

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
