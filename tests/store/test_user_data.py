"""A person's data apart from documents; data about a document is purged with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.scope import Scope, ScopePart
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine.collection_names import rename_collection

from .conftest import Open
from .helpers import MODEL, drain, files_with, path, take_in, vector_of

pytestmark = pytest.mark.every_library


def test_queries_are_remembered_once_and_can_be_forgotten(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    user_data = library.user_data
    for text in ("sea", "secret-bread", "sea", "sea le"):
        user_data.remember(text, "both")
    user_data.remember("sea level", "words", instead_of="sea le")
    assert [(each.text, each.mode) for each in user_data.past_queries()] == [
        ("sea level", "words"),
        ("sea", "both"),
        ("secret-bread", "both"),
    ]
    user_data.forget_queries()
    assert user_data.past_queries() == []
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"secret-bread") == []


def test_searches_are_saved_by_name(open_library: Open) -> None:
    user_data = open_library().user_data
    parts = (ScopePart("folder", path("b"), "b"), ScopePart("type", "pdf", "PDF"))
    first = user_data.save_search(SavedSearch("Waves", "the sea", "both", parts, 0.4))
    assert user_data.saved_searches() == [SavedSearch("Waves", "the sea", "both", parts, 0.4, first)]
    assert user_data.save_search(SavedSearch("Waves", "salt", "words")) == first
    second = user_data.save_search(SavedSearch("bread", "dough", "both"))
    assert [each.name for each in user_data.saved_searches()] == ["bread", "Waves"]
    user_data.save_search(SavedSearch("bread", "salt", "words", search_id=first))
    assert [(each.name, each.search_id) for each in user_data.saved_searches()] == [("bread", first)]
    user_data.delete_search(first)
    user_data.delete_search(second)
    assert user_data.saved_searches() == []


def test_changing_or_deleting_one_saved_search_leaves_the_others_as_they_are(open_library: Open) -> None:
    user_data = open_library().user_data
    kept = {
        name: SavedSearch(
            name, f"about {name}", "both", (ScopePart("type", "pdf", name), ScopePart("type", "txt", name))
        )
        for name in ("ash", "birch", "cedar")
    }
    ids = {name: user_data.save_search(each) for name, each in kept.items()}
    stored = {name: replace(each, search_id=ids[name]) for name, each in kept.items()}
    changed = replace(stored["birch"], parts=(ScopePart("type", "md", "birch"),))
    user_data.save_search(changed)
    assert user_data.saved_searches() == [stored["ash"], changed, stored["cedar"]]
    user_data.delete_search(ids["birch"])
    assert user_data.saved_searches() == [stored["ash"], stored["cedar"]]


def test_saved_searches_follow_a_renamed_collection_or_tag(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document = take_in(library, "a.txt", ["The sea rises."])
    thesis = library.collections.create("Thesis")
    library.collections.tag([document], ["thesis"])
    parts = (
        ScopePart("type", "pdf", "PDF"),
        ScopePart("collection", "thesis", "thesis"),
        ScopePart("tag", "thesis", "t"),
    )
    library.user_data.save_search(SavedSearch("Waves", "the sea collection:thesis tag:thesis", "both", parts))
    rename_collection(library, thesis, "Doctorate")
    (saved,) = library.user_data.saved_searches()
    assert saved.text == "the sea collection:Doctorate tag:thesis"
    assert saved.parts == (parts[0], ScopePart("collection", "Doctorate", "Doctorate"), parts[2])
    (tag,) = [each for each in library.collections.collections() if each.kind == "tag"]
    rename_collection(library, tag.collection_id, "read")
    (saved,) = library.user_data.saved_searches()
    assert [part.key for part in saved.parts] == ["pdf", "Doctorate", "read"]
    assert saved.text == "the sea collection:Doctorate tag:read"


def test_recent_queries_follow_a_renamed_collection_and_keep_their_order(open_library: Open) -> None:
    library = open_library()
    thesis = library.collections.create("Thesis")
    queries = ("bread", "sea collection:thesis", "tea", "sea tag:thesis", "collection:Thesis rain")
    for query in queries:
        library.user_data.remember(query, "words" if query == "tea" else "both")
    rename_collection(library, thesis, "Doctorate")
    past = library.user_data.past_queries()
    assert [each.text for each in past] == [
        "collection:Doctorate rain",
        "sea tag:thesis",
        "tea",
        "sea collection:Doctorate",
        "bread",
    ]
    assert [each.text for each in past if each.mode == "words"] == ["tea"]


def test_nothing_is_left_of_a_saved_search_that_another_one_replaces(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    part = ScopePart("collection", "private-name", "private-name")
    library.user_data.save_search(SavedSearch("bread", "dough", "both", (part,)))
    waves = library.user_data.save_search(SavedSearch("Waves", "salt", "words"))
    library.user_data.save_search(SavedSearch("bread", "salt", "words", search_id=waves))
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-name") == []


@pytest.mark.parametrize("parts", [(), (ScopePart("type", "pdf", "PDF"),)])
def test_a_search_that_was_removed_meanwhile_is_saved_under_its_new_name(
    open_library: Open, parts: tuple[ScopePart, ...]
) -> None:
    user_data = open_library().user_data
    removed = user_data.save_search(SavedSearch("Waves", "the sea", "both", parts))
    user_data.delete_search(removed)
    renamed = SavedSearch("Coast", "the sea", "both", parts, search_id=removed)
    saved = user_data.save_search(renamed)
    assert user_data.saved_searches() == [replace(renamed, search_id=saved)]


def test_each_quote_has_the_title_of_its_own_document(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    for name in ("a", "b", "c"):
        take_in(library, f"{name}.txt", [f"Sentence of {name}."])
    hits = library.search.hits(library.search.nearest(vector_of("Sentence of b."), 3))
    assert library.user_data.add_quotes(hits) == 3
    assert sorted((quote.text, quote.path) for quote in library.user_data.quotes()) == [
        (f"Sentence of {name}.", path(f"{name}.txt")) for name in ("a", "b", "c")
    ]


def test_quotes_and_judgements_are_stored(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    hits = library.search.hits(library.search.nearest(vector_of("One."), 2))
    user_data = library.user_data
    assert user_data.add_quotes(hits) == 2
    assert user_data.add_quotes(hits[:1]) == 0
    one, _ = user_data.quotes()
    assert (one.text, one.path, one.title) == ("One.", path("a.txt"), "a.txt")
    assert one.place == hits[0].places[0]
    library.documents.remove([1])
    assert user_data.quotes() == []
    library.documents.restore([1])
    user_data.delete_quotes([one.quote_id])
    assert [quote.text for quote in user_data.quotes()] == ["Two."]
    user_data.judge("numbers", hits[0].sentence_id, is_relevant=True)
    user_data.judge("numbers", hits[1].sentence_id, is_relevant=False)
    user_data.judge("others", hits[1].sentence_id, is_relevant=True)
    user_data.judge("numbers", 999, is_relevant=True)
    judged = [(each.text, each.is_relevant) for each in user_data.judgements("numbers")]
    assert judged == [("One.", True), ("Two.", False)]
    assert len(user_data.judgements()) == 3
    user_data.judge("numbers", hits[0].sentence_id, is_relevant=None)
    assert [each.text for each in user_data.judgements("numbers")] == ["Two."]


def test_data_about_a_document_is_purged_with_it(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    gone = take_in(library, "private-name.txt", ["private-sentence."])
    take_in(library, "b.txt", ["Stays."])
    user_data = library.user_data
    user_data.add_quotes(library.search.hits(library.search.nearest(vector_of("x"), 2)))
    user_data.remember("private-sentence.", "both")
    user_data.remember("Mine.", "both")
    part = ScopePart("document", path("private-name.txt"), "private-name")
    user_data.save_search(SavedSearch("kept", "Mine.", "both", (part,)))
    user_data.save_search(SavedSearch("lost", "private-sentence.", "both", (part,)))
    for hit in library.search.hits(library.search.nearest(vector_of("x"), 2)):
        user_data.judge("Mine.", hit.sentence_id, is_relevant=True)
    library.documents.remove([gone])
    drain(library.maintenance.purge())
    assert [quote.text for quote in user_data.quotes()] == ["Stays."]
    assert [each.text for each in user_data.past_queries()] == ["Mine."]
    assert [(each.name, each.parts) for each in user_data.saved_searches()] == [("kept", ())]
    assert [each.text for each in user_data.judgements()] == ["Stays."]
    assert files_with(tmp_path, b"private-") == []


def test_documents_of_hits_are_counted(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    a = take_in(library, "a.txt", ["One.", "Two.", "Three."])
    b = take_in(library, "b.txt", ["Two.", "Four."])
    found = [near.sentence_id for near in library.search.nearest(vector_of("x"), 10)]
    counts = library.analysis_reader.documents_of(found)
    assert [(each.document_id, each.count) for each in counts] == [(a, 3), (b, 2)]
    only = library.analysis_reader.documents_of(found, Scope(document_ids=frozenset({b})))
    assert [(each.path, each.count) for each in only] == [(path("b.txt"), 2)]
    rows = library.search.vectors([*found, 999])
    assert sorted(rows) == sorted(found)
    assert float(rows[found[0]] @ rows[found[0]]) > 0.999
