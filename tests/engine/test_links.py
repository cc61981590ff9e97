"""Where a link leads: to its sentence also after that has moved, else to what is left of the place."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import NotFound
from desktop_app.core.links import LibraryLink, hash_sentence
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine.links import LinkTarget, find_link_target

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder

LIBRARY = "0123456789abcdef"
TEXTS = ("The sea rises.", "Warm water takes more room.", "Salt marshes break the waves.")


def lead(analysed: AnalysedLibrary, link: LibraryLink) -> LinkTarget:
    return analysed.do(lambda: find_link_target(analysed.library(), link))


def sentence(document: int, ordinal: int, text: str) -> LibraryLink:
    return LibraryLink(LIBRARY, document, sentence=ordinal, text_hash=hash_sentence(text))


def test_a_sentence_is_found_by_its_number_and_by_its_text_after_it_has_moved(analysed: AnalysedLibrary) -> None:
    document = analysed.put("sea.txt", *TEXTS)
    for number, text in enumerate(TEXTS):
        for given in (number, 0, 1, 2):
            target = lead(analysed, sentence(document, given, text))
            assert target.hit is not None
            assert (target.hit.text, target.hit.ordinal, target.is_exact) == (text, number, True)
    by_number = lead(analysed, LibraryLink(LIBRARY, document, sentence=1))
    assert by_number.hit is not None
    assert by_number.hit.text == TEXTS[1]


def test_of_equal_sentences_the_nearest_is_meant(analysed: AnalysedLibrary) -> None:
    document = analysed.put("sea.txt", "Yes, it is.", *TEXTS, "Yes, it is.")
    ordinals = [lead(analysed, sentence(document, given, "Yes, it is.")).hit for given in (0, 1, 3, 4)]
    assert [hit and hit.ordinal for hit in ordinals] == [0, 0, 4, 4]


@pytest.mark.parametrize("number", [0, 7, 2**31 - 1])
def test_a_sentence_that_is_gone_leads_to_its_document(analysed: AnalysedLibrary, number: int) -> None:
    document = analysed.put("sea.txt", *TEXTS)
    target = lead(analysed, sentence(document, number, "The sea falls."))
    assert (target.document.document_id, target.hit, target.is_exact) == (document, None, False)


def test_a_document_that_is_gone_is_named_and_its_number_leads_nowhere_else(analysed: AnalysedLibrary) -> None:
    document = analysed.put("sea.txt", *TEXTS)
    analysed.do(lambda: analysed.library().documents.remove([document]))
    other = analysed.put("ice.txt", *TEXTS)
    for missing in (document, other + 1, 2**31 - 1):
        with pytest.raises(NotFound, match="no longer in the library"):
            lead(analysed, LibraryLink(LIBRARY, missing))
    assert lead(analysed, LibraryLink(LIBRARY, other)).document.path == "/papers/ice.txt"


def test_a_page_leads_to_the_first_sentence_that_begins_there(analysed: AnalysedLibrary) -> None:
    def fill() -> int:
        library = analysed.library()
        document = library.documents.add([FileRef("/papers/book.pdf", 1, 1)])[0].document_id
        library.ingest.begin(document, DocumentHead("pdf", "Book", page_count=4))
        places = [
            (Place(1, 0, 9, "pdfium"),),
            (Place(1, 9, 20, "pdfium"), Place(2, 0, 5, "pdfium")),
            (Place(2, 5, 9, "pdfium"),),
        ]
        spans = [SentenceSpan(text, place, at) for at, (text, place) in enumerate(zip(TEXTS, places, strict=True))]
        library.ingest.append(document, spans, list(TEXTS), HashingEncoder().encode(list(TEXTS)))
        library.ingest.finish(document, ReadingDone())
        return document

    document = analysed.do(fill)
    targets = [lead(analysed, LibraryLink(LIBRARY, document, page=page)) for page in (1, 2, 3, 2**31 - 1)]
    assert [target.hit and target.hit.text for target in targets] == [TEXTS[0], TEXTS[2], None, None]
    assert [target.is_exact for target in targets] == [True, True, False, False]
