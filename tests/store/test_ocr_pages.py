"""OCR results of a page are stored with its version and purged with it without a trace."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from desktop_app.core.errors import NotFound
from desktop_app.core.library import Library
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.reader_events import FileRef, PageNote, ReadingDone

from .conftest import Open
from .helpers import MODEL, add, drain, files_with, head, path, store, vector_of

pytestmark = pytest.mark.every_library

WORDS = array("f", [0, 6, 10.5, 20.25, 40, 30, 96.5, 7, 13, 45, 20.25, 80, 30, 55])


def _take_in(library: Library, name: str, content: str, page: RecognisedPage) -> int:
    document_id = add(library, name)
    library.ingest.begin(document_id, head(content))
    library.ocr_pages.save(document_id, page)
    store(library, document_id, [f"A sentence of {content}."])
    library.ingest.finish(document_id, ReadingDone((), (PageNote(1, "ocr", "tesseract", 0.9),)))
    return document_id


def test_a_stored_page_is_returned_unchanged(library: Library) -> None:
    page = RecognisedPage(3, "secret whisper", WORDS)
    _take_in(library, "scan.pdf", "one", page)
    assert library.ocr_pages.page(path("scan.pdf"), 3) == page
    assert library.ocr_pages.page(path("scan.pdf"), 2) is None
    assert library.ocr_pages.page(path("other.pdf"), 3) is None


def test_a_page_belongs_to_its_version_and_is_replaced_when_stored_again(library: Library) -> None:
    document_id = _take_in(library, "scan.pdf", "one", RecognisedPage(1, "first reading", WORDS))
    library.ingest.queue(document_id, FileRef(path("scan.pdf"), 100, 2))
    library.ingest.begin(document_id, head("two"))
    library.ocr_pages.save(document_id, RecognisedPage(1, "half", WORDS))
    library.ocr_pages.save(document_id, RecognisedPage(1, "second reading", WORDS))
    assert library.ocr_pages.page(path("scan.pdf"), 1).text == "first reading"  # the visible version
    store(library, document_id, ["Another sentence."])
    library.ingest.finish(document_id, ReadingDone())
    assert library.ocr_pages.page(path("scan.pdf"), 1).text == "second reading"


def test_a_hit_says_that_its_page_was_read_by_ocr(library: Library) -> None:
    _take_in(library, "scan.pdf", "one", RecognisedPage(1, "read", WORDS))
    typed = add(library, "typed.pdf")
    library.ingest.begin(typed, head("two"))
    store(library, typed, ["A sentence of two."])
    library.ingest.finish(typed, ReadingDone((), (PageNote(1, "text", "pdfium", 1.0),)))
    hits = library.search.hits(library.search.nearest(vector_of("A sentence of one."), 2))
    assert {hit.text: hit.is_recognised for hit in hits} == {"A sentence of one.": True, "A sentence of two.": False}


def test_nothing_is_stored_for_a_removed_document(library: Library) -> None:
    document_id = add(library, "scan.pdf")
    library.ingest.begin(document_id, head("one"))
    library.documents.remove([document_id])
    with pytest.raises(NotFound):
        library.ocr_pages.save(document_id, RecognisedPage(1, "late", WORDS))


def test_the_choice_of_ocr_is_remembered(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = _take_in(library, "scan.pdf", "one", RecognisedPage(1, "text", WORDS))
    assert library.documents.get(document_id).ocr == ""
    library.ocr_pages.request([document_id], "deu+eng")
    library.close()
    assert open_library().documents.get(document_id).ocr == "deu+eng"


@pytest.mark.parametrize(("state", "unread"), [("text", False), ("ocr", False), ("none", True), ("poor", True)])
def test_pages_without_text_are_reported(library: Library, state: str, unread: bool) -> None:
    document_id = add(library, "scan.pdf")
    library.ingest.begin(document_id, head("one"))
    store(library, document_id, ["A sentence."])
    notes = (PageNote(1, "text", "pdfium", 1.0), PageNote(2, state, "pdfium", 0.5))
    library.ingest.finish(document_id, ReadingDone((), notes))
    assert library.ocr_pages.has_unread(document_id) is unread


def test_a_purge_leaves_nothing_of_a_page(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = _take_in(library, "scan.pdf", "one", RecognisedPage(1, "unrepeatable whisper", WORDS))
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"unrepeatable whisper", WORDS.tobytes()) == []
