"""What a person keeps beside the documents, and that it goes where it tells of a document that goes."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.keeping import SavedSearch
from desktop_app.core.scope import Scope, SearchPart

from .conftest import Open
from .helpers import MODEL, drain, files_with, path, take_in, vector_of


def test_queries_are_remembered_once_and_can_be_forgotten(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    keeping = library.keeping
    for text in ("sea", "secret-bread", "sea", "sea le"):
        keeping.remember(text, "both")
    keeping.remember("sea level", "words", instead_of="sea le")
    assert [(each.text, each.mode) for each in keeping.asked()] == [
        ("sea level", "words"),
        ("sea", "both"),
        ("secret-bread", "both"),
    ]
    keeping.forget_asked("secret-bread")
    assert len(keeping.asked()) == 2
    keeping.forget_asked()
    assert keeping.asked() == []
    drain(library.purge())
    assert files_with(tmp_path, b"secret-bread") == []


def test_searches_are_kept_by_name(open_library: Open) -> None:
    keeping = open_library().keeping
    parts = (SearchPart("folder", path("b"), "b"), SearchPart("type", "pdf", "PDF"))
    first = keeping.save_search(SavedSearch("Waves", "the sea", "both", parts, 0.4))
    assert keeping.searches() == [SavedSearch("Waves", "the sea", "both", parts, 0.4, first)]
    assert keeping.save_search(SavedSearch("Waves", "salt", "words")) == first
    second = keeping.save_search(SavedSearch("bread", "dough", "both"))
    assert [each.name for each in keeping.searches()] == ["bread", "Waves"]
    keeping.save_search(SavedSearch("bread", "salt", "words", search_id=first))
    assert [(each.name, each.search_id) for each in keeping.searches()] == [("bread", first)]
    keeping.drop_search(first)
    keeping.drop_search(second)
    assert keeping.searches() == []


def test_quotes_and_judgements(open_library: Open) -> None:
    library = open_library()
    library.bind_model(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    hits = library.hits(library.nearest(vector_of("One."), 2))
    keeping = library.keeping
    assert keeping.add_quotes(hits) == 2
    assert keeping.add_quotes(hits[:1]) == 0
    one, _ = keeping.quotes()
    assert (one.text, one.path, one.title) == ("One.", path("a.txt"), "a.txt")
    assert one.place == hits[0].places[0]
    library.remove_documents([1])
    assert keeping.quotes() == []
    library.restore_documents([1])
    keeping.drop_quotes([one.quote_id])
    assert [quote.text for quote in keeping.quotes()] == ["Two."]
    keeping.judge("numbers", hits[0].sentence_id, is_relevant=True)
    keeping.judge("numbers", hits[1].sentence_id, is_relevant=False)
    keeping.judge("others", hits[1].sentence_id, is_relevant=True)
    keeping.judge("numbers", 999, is_relevant=True)
    said = [(each.text, each.is_relevant) for each in keeping.judgements("numbers")]
    assert said == [("One.", True), ("Two.", False)]
    assert len(keeping.judgements()) == 3
    keeping.judge("numbers", hits[0].sentence_id, is_relevant=None)
    assert [each.text for each in keeping.judgements("numbers")] == ["Two."]


def test_what_tells_of_a_document_goes_with_it(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.bind_model(MODEL)
    gone = take_in(library, "private-name.txt", ["private-sentence."])
    take_in(library, "b.txt", ["Stays."])
    keeping = library.keeping
    keeping.add_quotes(library.hits(library.nearest(vector_of("x"), 2)))
    keeping.remember("private-sentence.", "both")
    keeping.remember("Mine.", "both")
    part = SearchPart("document", path("private-name.txt"), "private-name")
    keeping.save_search(SavedSearch("kept", "Mine.", "both", (part,)))
    keeping.save_search(SavedSearch("lost", "private-sentence.", "both", (part,)))
    for hit in library.hits(library.nearest(vector_of("x"), 2)):
        keeping.judge("Mine.", hit.sentence_id, is_relevant=True)
    library.remove_documents([gone])
    drain(library.purge())
    assert [quote.text for quote in keeping.quotes()] == ["Stays."]
    assert [each.text for each in keeping.asked()] == ["Mine."]
    assert [(each.name, each.parts) for each in keeping.searches()] == [("kept", ())]
    assert [each.text for each in keeping.judgements()] == ["Stays."]
    assert files_with(tmp_path, b"private-") == []


def test_documents_of_hits_are_counted(open_library: Open) -> None:
    library = open_library()
    library.bind_model(MODEL)
    a = take_in(library, "a.txt", ["One.", "Two.", "Three."])
    b = take_in(library, "b.txt", ["Two.", "Four."])
    found = [near.sentence_id for near in library.nearest(vector_of("x"), 10)]
    counts = library.material.documents_of(found)
    assert [(each.document_id, each.count) for each in counts] == [(a, 3), (b, 2)]
    only = library.material.documents_of(found, Scope(document_ids=frozenset({b})))
    assert [(each.path, each.count) for each in only] == [(path("b.txt"), 2)]
    rows = library.vectors([*found, 999])
    assert sorted(rows) == sorted(found)
    assert float(rows[found[0]] @ rows[found[0]]) > 0.999
