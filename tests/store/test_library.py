"""The contract of every library, in any storage: the docstrings of `core.library.Library`, one by one."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.errors import ModelMismatch, NotFound, UsageError
from desktop_app.core.library import Library
from desktop_app.core.messages import verbatim
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import (
    DocumentHead,
    FileRef,
    Omissions,
    OmittedText,
    PageNote,
    ReadingDone,
    SentenceSpan,
)
from desktop_app.core.records import Place, ScoredSentence
from desktop_app.core.scope import Scope
from desktop_app.store.library import LocalLibrary
from desktop_app.store.vector_index import VectorIndex

from .conftest import Open
from .helpers import (
    MODEL,
    add,
    drain,
    faults,
    found,
    head,
    path,
    shown,
    spans_of,
    store,
    take_in,
    texts,
    unit,
    vector_of,
    vectors_of,
)

pytestmark = pytest.mark.every_library


class TestModel:
    def test_a_new_library_has_no_model(self, open_library: Open) -> None:
        library = open_library()
        assert library.models.current is None
        assert library.info().model is None
        assert library.search.nearest(vector_of("x"), 5) == []
        assert library.ingest.without_vector(["b", "a", "b"]) == ["b", "a"]

    def test_the_bound_model_is_remembered(self, library: Library) -> None:
        assert library.models.current == MODEL
        library.models.bind(replace(MODEL, name="renamed", folder="/elsewhere"))
        assert library.models.current == replace(MODEL, name="renamed", folder="/elsewhere")

    def test_another_model_is_refused_once_there_are_vectors(self, library: Library) -> None:
        other = replace(MODEL, name="other", fingerprint="f2", dim=8)
        library.models.bind(other)
        library.models.bind(MODEL)
        take_in(library, "a.txt", texts("a", 3))
        with pytest.raises(ModelMismatch, match="made"):
            library.models.bind(other)
        assert library.models.current == MODEL


class TestDocuments:
    def test_files_are_added_once_and_queued(self, library: Library) -> None:
        files = [FileRef(path("a.txt"), 5, 6), FileRef(path("b.txt"), 7, 8)]
        first = library.documents.add(files)
        assert [document.state for document in first] == ["queued", "queued"]
        assert [document.title for document in first] == ["a.txt", "b.txt"]
        assert (first[0].size_bytes, first[0].mtime_ns, first[0].added_at) == (5, 6, 1_000_000.0)
        assert library.documents.add([FileRef(path("b.txt"), 9, 9), files[0]]) == first[::-1]

    def test_unknown_documents_are_not_found(self, library: Library) -> None:
        for act in (library.documents.get, library.documents.outline, lambda i: library.documents.set_title(i, "x")):
            with pytest.raises(NotFound):
                act(77)
        with pytest.raises(NotFound):
            library.ingest.begin(77, head())

    def test_the_list_is_fetched_in_pages(self, library: Library) -> None:
        ids = [add(library, f"{at}.txt") for at in range(5)]
        take = library.documents.fetch(limit=2)
        assert [document.document_id for document in take] == ids[:2]
        assert [d.document_id for d in library.documents.fetch(after_id=ids[1], limit=2)] == ids[2:4]
        library.ingest.fail(ids[3], "damaged", verbatim("broken"))
        assert [d.document_id for d in library.documents.fetch(state="failed")] == [ids[3]]
        assert [d.document_id for d in library.documents.fetch(scope=Scope(document_ids=frozenset(ids[2:])))] == ids[2:]

    def test_the_head_is_stored(self, library: Library) -> None:
        outline = (OutlineEntry("Begin", 1, 0), OutlineEntry("Detail", None, 1))
        document_id = add(library, "a.pdf")
        library.ingest.begin(
            document_id,
            DocumentHead("pdf", "abc", "Title", "Author", 3, ("i", "ii", "1"), outline, None),
        )
        assert library.documents.get(document_id).state == "reading"
        store(library, document_id, texts("a", 2))
        assert library.documents.get(document_id).state == "embedding"
        pages = (PageNote(1, "text", "pdfium", 0.9), PageNote(3, "none", "pdfium", 0.0))
        omitted = (OmittedText("running", "The Gazette", 1), OmittedText("navigation", "Home", None))
        library.ingest.finish(document_id, ReadingDone((verbatim("page 3 is empty"),), pages, omitted))
        document = library.documents.get(document_id)
        assert (document.title, document.author, document.pages, document.type) == ("Title", "Author", 3, "pdf")
        assert (document.content_hash, document.state, document.sentences) == ("abc", "ready", 2)
        assert [str(each) for each in document.warnings] == ["page 3 is empty"]
        assert library.documents.outline(document_id) == list(outline)
        assert library.documents.page_notes(document_id) == list(pages)
        assert library.documents.omissions(document_id) == Omissions(3, omitted)
        (hit,) = library.search.hits(library.search.nearest(vector_of(texts("a", 1)[0]), 1))
        assert (hit.page_label, hit.title, hit.type) == ("i", "Title", "pdf")

    def test_the_words_of_long_omissions_are_counted_but_not_all_stored(self, library: Library) -> None:
        document_id = take_in(library, "a.txt", texts("a", 1))
        assert library.documents.omissions(document_id) == Omissions()
        library.ingest.begin(document_id, DocumentHead("html", "def"))
        omitted = [OmittedText("navigation", "left out " * 1000) for _ in range(100)]
        library.ingest.finish(document_id, ReadingDone(omitted=tuple(omitted)))
        found = library.documents.omissions(document_id)
        assert found.words == 200_000
        assert 0 < len(found.texts) < 10

    def test_a_file_without_pages_has_no_page_notes(self, library: Library) -> None:
        assert library.documents.page_notes(take_in(library, "a.txt", texts("a", 1))) == []
        with pytest.raises(NotFound):
            library.documents.page_notes(12345)

    def test_a_document_can_be_given_a_title(self, library: Library) -> None:
        document_id = take_in(library, "a.txt", texts("a", 1), title="Of the file")
        library.documents.set_title(document_id, " My\n title ")
        assert library.documents.get(document_id).title == "My title"
        library.documents.set_title(document_id, "")
        assert library.documents.get(document_id).title == "Of the file"

    def test_documents_are_found_by_name(self, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ["a/b/one.txt", "a/bc/two.txt", "a/b_/three.txt", "a/b%/x/four.txt", "one.txt", "12"]
        one, two, three, four, other, twelve = (add(library, name) for name in names)

        def ids(name: str) -> list[int]:
            return [document.document_id for document in library.documents.find(name)]

        assert ids(str(two)) == [two]
        assert ids(path("a/b")) == [one]
        assert ids(path("a/b_")) == [three]
        assert ids(path("a/b%")) == [four]
        assert ids(path("a") + "/") == [one, two, three, four]
        assert ids(path("a/bc/two.txt")) == [two]
        assert ids("one.txt") == [one, other]
        assert ids("12") == [twelve]
        assert ids("99999999999999999999999") == []
        assert ids("nothing") == ids("") == ids("%") == []
        monkeypatch.setattr("os.getcwd", lambda: path("a"))
        assert ids("bc/two.txt") == [two]
        assert ids("../one.txt") == [other]

    def test_an_id_is_never_taken_for_a_name_nor_a_name_for_an_id(
        self, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second, third = (add(library, name) for name in ("one.txt", "1", "#1"))

        def ids(name: str) -> list[int]:
            return [document.document_id for document in library.documents.find(name)]

        assert (ids("#1"), ids("#2"), ids("#9")) == ([first], [second], [])
        assert ids(path("1")) == [second]
        assert ids(path("#1")) == [third]
        with pytest.raises(UsageError, match="also the name") as caught:
            ids("1")  # an id, and another document's name
        assert caught.value.message.code == "ambiguous"
        assert "'#1'" in str(caught.value.hint)
        assert ids("3") == [third]
        monkeypatch.chdir(tmp_path)
        (tmp_path / "3").mkdir()
        with pytest.raises(UsageError, match="also the name"):
            ids("3")  # an id, and a folder here
        assert ids("#3") == [third]
        assert ids("./3") == []
        (tmp_path / "one.txt").write_text("another one")
        with pytest.raises(UsageError, match="elsewhere has the same name: #1"):
            ids("one.txt")

    @pytest.mark.parametrize(
        "name", ['it\'s "quoted".txt', "two\nlines.txt", "100%_.txt", "bad \udcff byte.txt", "日本語.txt", "𝔘.txt"]
    )
    def test_any_path_is_stored_unchanged(self, library: Library, name: str) -> None:
        take_in(library, "other.txt", texts("other", 2))
        document_id = take_in(library, name, texts("own", 2))
        document = library.documents.get(document_id)
        assert document.path == path(name)
        document.title.encode()
        assert [d.document_id for d in library.documents.find(path(name))] == [document_id]
        assert [d.document_id for d in library.documents.find(name)] == [document_id]
        inside = Scope(paths=(path(name),))
        assert found(library, "x", 9, scope=inside)
        assert set(found(library, "x", 9, scope=inside)) == set(texts("own", 2))
        library.ingest.fail(document_id, "unreadable", verbatim(f"cannot read {path(name)}"))
        str(library.documents.get(document_id).message).encode()


class TestImport:
    def test_a_first_import_is_searchable_as_it_grows(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        first, second = texts("a", 4), texts("b", 4)
        store(library, document_id, first)
        assert found(library, first[2]) == [first[2]]
        store(library, document_id, second)
        assert shown(library) == first + second
        assert library.documents.get(document_id).sentences == 8
        assert library.info().occurrences == 8

    def test_repeated_sentences_are_stored_once(self, library: Library) -> None:
        take_in(library, "a.txt", ["Header.", "One.", "Header.", "Two."])
        take_in(library, "b.txt", ["Header.", "Three."])
        info = library.info()
        assert (info.sentences, info.occurrences, info.vectors, info.searchable) == (4, 6, 4, 4)
        assert library.ingest.without_vector(["Header.", "New.", "One.", "New."]) == ["New."]
        (hit,) = library.search.hits(library.search.nearest(vector_of("Header."), 1))
        assert (hit.also_in, hit.ordinal, hit.before, hit.after) == (1, 0, "", "One.")

    def test_a_repeated_import_becomes_visible_when_it_finishes(self, library: Library) -> None:
        old, new = texts("old", 5), [*texts("old", 2), *texts("new", 4)]
        document_id = take_in(library, "a.txt", old)
        library.ingest.queue(document_id, FileRef(path("a.txt"), 200, 2))
        library.ingest.begin(document_id, head("new", title="New title"))
        store(library, document_id, new)
        assert shown(library) == old
        assert found(library, new[4]) != [new[4]]
        assert library.documents.get(document_id).title == "a.txt"
        assert library.info().occurrences == 5
        library.ingest.finish(document_id, ReadingDone())
        assert shown(library) == new
        assert found(library, new[4]) == [new[4]]
        assert old[3] not in found(library, old[3], 20)
        document = library.documents.get(document_id)
        assert (document.title, document.content_hash, document.size_bytes) == ("New title", "new", 200)
        assert library.info().occurrences == 6
        drain(library.maintenance.purge())
        assert library.info().sentences == 6
        assert faults(library) == []

    def test_a_failed_first_import_leaves_nothing_to_find(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head(title="T", page_count=3))
        store(library, document_id, texts("a", 3))
        library.ingest.fail(document_id, "no_text", verbatim("only pictures"))
        document = library.documents.get(document_id)
        assert (document.state, document.reason, str(document.message)) == ("failed", "no_text", "only pictures")
        assert (document.sentences, document.pages, document.title) == (0, 3, "T")
        assert document.content_hash is None, "otherwise the same file would count as unchanged"
        assert library.search.nearest(vector_of("a"), 5) == []
        assert shown(library) == []

    def test_a_failed_repeated_import_keeps_the_earlier_version(self, library: Library) -> None:
        old = texts("old", 3)
        document_id = take_in(library, "a.txt", old)
        before = library.documents.get(document_id)
        library.ingest.queue(document_id, FileRef(path("a.txt"), 1, 1))
        library.ingest.begin(document_id, head("new"))
        store(library, document_id, texts("new", 3))
        library.ingest.fail(document_id, "timeout", verbatim("too slow"))
        assert shown(library) == old
        assert found(library, old[1]) == [old[1]]
        document = library.documents.get(document_id)
        assert (document.state, document.content_hash, document.sentences) == ("failed", before.content_hash, 3)

    def test_a_cancelled_repeated_import_is_ready_again(self, library: Library) -> None:
        old = texts("old", 3)
        document_id = take_in(library, "a.txt", old)
        before = library.documents.get(document_id)
        library.ingest.queue(document_id, FileRef(path("a.txt"), 999, 999))
        library.ingest.keep_previous_version(document_id, FileRef(path("a.txt"), before.size_bytes, before.mtime_ns))
        assert library.documents.get(document_id) == before
        library.ingest.begin(document_id, head("new"))
        store(library, document_id, texts("new", 3))
        library.ingest.keep_previous_version(document_id, FileRef(path("a.txt"), before.size_bytes, before.mtime_ns))
        assert library.documents.get(document_id) == before
        assert shown(library) == old

    def test_a_withdrawn_document_leaves_the_list_for_good_and_its_file_can_be_imported_again(
        self, library: Library
    ) -> None:
        both = take_in(library, "both.txt", ["In both."])
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        store(library, document_id, [*texts("a", 3), "In both."])
        removed = take_in(library, "removed.txt", ["Removed."])
        library.documents.remove([removed])
        library.ingest.withdraw([document_id, removed])
        assert [each.document_id for each in library.documents.fetch()] == [both]
        assert library.documents.restore([removed]) == 1, "what a person removed can still be restored"
        library.documents.remove([removed])
        assert shown(library) == ["In both."]
        assert library.documents.restore([document_id]) == 0
        take_in(library, "a.txt", texts("a", 3))
        drain(library.maintenance.purge())
        assert shown(library) == ["In both.", *texts("a", 3)]
        assert library.info().sentences == 4
        assert faults(library) == []

    def test_a_restarted_import_starts_from_the_beginning(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        store(library, document_id, texts("a", 3))
        library.ingest.queue(document_id, FileRef(path("a.txt"), 1, 1))
        assert shown(library) == texts("a", 3), "stored sentences stay searchable"
        library.ingest.begin(document_id, head())
        store(library, document_id, texts("b", 2))
        library.ingest.finish(document_id, ReadingDone())
        assert shown(library) == texts("b", 2)
        assert faults(library) == []

    def test_an_invalid_batch_changes_nothing(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        new = texts("a", 2)
        with pytest.raises(ValueError, match="not begun"):
            library.ingest.append(document_id, spans_of(new), new, vectors_of(new))
        library.ingest.begin(document_id, head())
        for vectors in (vectors_of(new)[:, :7], vectors_of(new)[:1], 2 * vectors_of(new), vectors_of(new) * np.nan):
            with pytest.raises(ValueError, match="vectors"):
                library.ingest.append(document_id, spans_of(new), new, vectors)
        with pytest.raises(ValueError, match="no vector"):
            library.ingest.append(document_id, spans_of(new), new[:1], vectors_of(new[:1]))
        assert library.info().sentences == 0
        assert shown(library) == []

    def test_an_empty_batch_and_an_empty_document_are_accepted(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        library.ingest.append(document_id, [], [], np.empty((0, MODEL.dim), np.float32))
        library.ingest.finish(document_id, ReadingDone())
        assert library.documents.get(document_id).state == "ready"

    def test_places_and_kinds_are_returned(self, library: Library) -> None:
        places = (Place(2, 90, 99, "pdfium"), Place(3, 0, 12, "pdfium"))
        span = SentenceSpan("Crosses a page.", places, 4, "list")
        document_id = add(library, "a.pdf")
        library.ingest.begin(document_id, head())
        library.ingest.append(document_id, [span], [span.text], vectors_of([span.text]))
        ((row,),) = library.sentences.occurrences()
        assert (row.places, row.paragraph, row.kind, row.ordinal) == (places, 4, "list", 0)
        (hit,) = library.search.hits(library.search.nearest(vector_of(span.text), 1))
        assert (hit.places, hit.kind) == (places, "list")

    def test_lines_are_returned(self, library: Library) -> None:
        places = (Place(None, 90, 99, "char", 3, 4), Place(None, 120, 130, "char", 6, 6))
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        library.ingest.append(
            document_id, [SentenceSpan("Over lines.", places, 0)], ["Over lines."], vectors_of(["Over lines."])
        )
        ((row,),) = library.sentences.occurrences()
        (hit,) = library.search.hits(library.search.nearest(vector_of("Over lines."), 1))
        assert row.places == hit.places == places


class TestSight:
    def test_removed_documents_are_hidden_and_can_be_restored(self, library: Library) -> None:
        a, b = take_in(library, "a.txt", texts("a", 3)), take_in(library, "b.txt", texts("b", 3))
        assert library.documents.remove([a, a, 99]) == 1
        assert library.documents.remove([a]) == 0
        assert shown(library) == texts("b", 3)
        assert set(found(library, texts("a", 1)[0], 10)) == set(texts("b", 3))
        assert library.documents.find("a.txt") == []
        assert (library.info().documents, library.info().occurrences) == (1, 3)
        with pytest.raises(NotFound):
            library.documents.get(a)
        assert library.documents.restore([a, b]) == 1
        assert found(library, texts("a", 1)[0]) == texts("a", 1)
        library.documents.remove([a])
        assert library.documents.add([FileRef(path("a.txt"), 1, 1)])[0].document_id == a
        assert shown(library, a) == texts("a", 3)

    def test_purged_documents_cannot_be_restored(self, library: Library) -> None:
        a = take_in(library, "a.txt", [*texts("a", 3), "Shared."])
        take_in(library, "b.txt", ["Shared.", "Other."])
        library.documents.remove([a])
        drain(library.maintenance.purge())
        assert library.documents.restore([a]) == 0
        info = library.info()
        assert (info.documents, info.sentences, info.vectors, info.searchable) == (1, 2, 2, 2)
        assert library.count_searchable() == 2
        assert found(library, "Shared.") == ["Shared."]
        again = take_in(library, "a.txt", texts("a", 3))
        assert again != a
        assert faults(library) == []

    def test_a_document_can_be_removed_during_its_import(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        store(library, document_id, texts("a", 3))
        library.documents.remove([document_id])
        with pytest.raises(NotFound):
            store(library, document_id, texts("b", 3))
        with pytest.raises(NotFound):
            library.ingest.finish(document_id, ReadingDone())
        library.documents.restore([document_id])
        assert library.documents.get(document_id).state == "queued"

    def test_a_purge_keeps_what_a_running_import_needs(self, library: Library) -> None:
        shared = texts("shared", 3)
        a, b = take_in(library, "a.txt", shared), add(library, "b.txt")
        library.ingest.begin(b, head())
        assert library.ingest.without_vector(shared) == []
        library.documents.remove([a])
        drain(library.maintenance.purge())
        library.ingest.append(b, spans_of(shared), [], np.empty((0, MODEL.dim), np.float32))
        library.ingest.finish(b, ReadingDone())
        drain(library.maintenance.purge())
        assert shown(library) == shared
        assert faults(library) == []

    def test_a_sentence_new_to_two_documents_is_stored_once(self, library: Library) -> None:
        shared = texts("shared", 3)
        ids = [add(library, name) for name in ("a.txt", "b.txt", "c.txt")]
        for document_id in ids:
            library.ingest.begin(document_id, head(str(document_id)))
        assert library.ingest.without_vector(shared) == shared
        with pytest.raises(ValueError, match="length 1"):
            library.ingest.append(ids[0], spans_of(shared), shared, 2 * vectors_of(shared))
        for document_id in ids[:2]:
            library.ingest.append(document_id, spans_of(shared), shared, vectors_of(shared))
        library.ingest.append(ids[2], spans_of(shared), [], np.empty((0, MODEL.dim), np.float32))
        for document_id in ids:
            library.ingest.finish(document_id, ReadingDone())
        info = library.info()
        assert (info.sentences, info.occurrences, info.vectors) == (3, 9, 3)
        assert faults(library) == []

    def test_occurrences_stream_in_reading_order(self, library: Library) -> None:
        ids = [take_in(library, f"{at}.txt", texts(str(at), 7)) for at in range(4)]
        library.documents.remove([ids[1]])
        batches = list(library.sentences.occurrences(batch=5))
        assert [len(batch) for batch in batches] == [5, 5, 5, 5, 1]
        rows = [row for batch in batches for row in batch]
        assert [(row.document_id, row.ordinal) for row in rows] == [
            (i, o) for i in (ids[0], *ids[2:]) for o in range(7)
        ]
        assert rows[8].path == path("2.txt")
        assert shown(library, ids[2]) == texts("2", 7)
        assert shown(library, ids[1]) == []
        assert shown(library, 999) == []


class TestNearest:
    def exact(self, library: Library, query: np.ndarray, among: list[str], top_k: int) -> list[tuple[int, float]]:
        ids = {row.text: row.sentence_id for batch in library.sentences.occurrences() for row in batch}
        scores = [(ids[text], float(vector_of(text) @ query)) for text in dict.fromkeys(among)]
        return sorted(scores, key=lambda pair: (-pair[1], pair[0]))[:top_k]

    def same(self, got: list[ScoredSentence], expected: list[tuple[int, float]]) -> None:
        assert [near.sentence_id for near in got] == [sentence_id for sentence_id, _ in expected]
        assert [near.score for near in got] == pytest.approx([score for _, score in expected], abs=1e-5)

    def test_the_nearest_come_first(self, library: Library) -> None:
        for name in "abc":
            take_in(library, f"{name}.txt", texts(name, 50))
        everything = [text for name in "abc" for text in texts(name, 50)]
        query = vector_of("query")
        for top_k in (1, 7, 150, 1000):
            self.same(library.search.nearest(query, top_k), self.exact(library, query, everything, top_k))
        assert library.search.nearest(query, 0) == []

    def test_only_sentences_above_the_minimum_score_are_found(self, library: Library) -> None:
        take_in(library, "a.txt", texts("a", 50))
        everything = library.search.nearest(vector_of("query"), 50)
        least = everything[10].score
        assert library.search.nearest(vector_of("query"), 50, min_score=least) == everything[:11]
        assert library.search.nearest(vector_of("query"), 50, min_score=1.0) == []

    def test_equal_scores_are_ordered_by_id(self, library: Library) -> None:
        document_id = add(library, "a.txt")
        library.ingest.begin(document_id, head())
        same = [f"twin {at}" for at in range(40)]
        library.ingest.append(document_id, spans_of(same), same, np.repeat(vectors_of(["twin"]), 40, axis=0))
        got = library.search.nearest(vector_of("twin"), 10)
        assert [near.sentence_id for near in got] == sorted(near.sentence_id for near in got)
        assert len({near.score for near in got}) == 1
        assert got[0].sentence_id == min(near.sentence_id for near in library.search.nearest(vector_of("twin"), 40))

    def test_a_search_is_limited_to_a_scope(self, library: Library) -> None:
        a = take_in(library, "x/a.txt", texts("a", 30))
        b = take_in(library, "x/b.txt", texts("b", 30))
        c = take_in(library, "y/c.txt", texts("c", 3))
        query = vector_of("query")
        everything = Scope(document_ids=frozenset({a, b, c}))
        assert library.search.nearest(query, 9, scope=everything) == library.search.nearest(query, 9)
        self.same(
            library.search.nearest(query, 5, scope=Scope(paths=(path("y"),))),
            self.exact(library, query, texts("c", 3), 5),
        )
        both = Scope(document_ids=frozenset({a, c}), paths=(path("x"), path("y/nothing")))
        self.same(library.search.nearest(query, 5, scope=both), self.exact(library, query, texts("a", 30), 5))
        assert library.search.nearest(query, 5, scope=Scope(types=frozenset({"pdf"}))) == []
        assert len(library.search.nearest(query, 99, scope=Scope(types=frozenset({"text", "pdf"})))) == 63
        assert library.search.nearest(query, 5, scope=Scope(document_ids=frozenset())) == []
        assert library.search.nearest(query, 5, scope=Scope(document_ids=frozenset({999}))) == []
        library.documents.remove([c])
        assert library.search.nearest(query, 5, scope=Scope(document_ids=frozenset({c}))) == []

    @pytest.mark.only_local
    def test_only_vectors_of_a_scope_are_read(self, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("desktop_app.store.search.EXACT_SENTENCES", 0)
        chosen = take_in(library, "chosen.txt", texts("chosen", 50))
        take_in(library, "other.txt", texts("other", 450))
        read: list[int] = []
        scores = VectorIndex.scores

        def note_ids(
            index: VectorIndex, query: NDArray[np.float32], ids: NDArray[np.int64]
        ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
            read.extend(ids.tolist())
            return scores(index, query, ids)

        monkeypatch.setattr(VectorIndex, "scores", note_ids)
        query = vector_of("query")
        nearest = library.search.nearest(query, 5, scope=Scope(document_ids=frozenset({chosen})))
        self.same(nearest, self.exact(library, query, texts("chosen", 50), 5))
        hits = library.search.hits([ScoredSentence(sentence_id, 0.0) for sentence_id in read])
        assert {hit.document_id for hit in hits} == {chosen}

    @pytest.mark.only_local
    def test_visible_rows_beyond_those_asked_for_are_not_enough(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desktop_app.store.search.EXACT_SENTENCES", 0)
        chosen = take_in(library, "chosen.txt", texts("chosen", 50))
        take_in(library, "other.txt", texts("other", 450))
        query, scope = vector_of("query"), Scope(document_ids=frozenset({chosen}))
        farthest = [number for number, _ in self.exact(library, query, texts("chosen", 50), 50)[5:]]
        hidden = [number for number, _ in self.exact(library, query, texts("other", 450), 450)]
        find_candidates, asked = VectorIndex.find_candidates, list[int]()

        def find_badly_at_first(index: VectorIndex, query: NDArray[np.float32], top_k: int) -> NDArray[np.int64]:
            asked.append(top_k)
            if len(asked) > 1:
                return find_candidates(index, query, top_k)
            return np.array([*hidden[:top_k], *farthest], np.int64)

        monkeypatch.setattr(VectorIndex, "find_candidates", find_badly_at_first)
        nearest = library.search.nearest(query, 5, scope=scope)
        self.same(nearest, self.exact(library, query, texts("chosen", 50), 5))

    def test_few_visible_sentences_among_many_hidden_are_all_found(self, library: Library) -> None:
        hidden = [take_in(library, f"{at}.txt", texts(str(at), 100)) for at in range(5)]
        kept = take_in(library, "kept.txt", texts("kept", 4))
        library.documents.remove(hidden)
        assert set(found(library, "query", 10)) == set(texts("kept", 4))
        assert len(library.search.nearest(vector_of("query"), 10, scope=Scope(document_ids=frozenset({kept})))) == 4

    def test_nearer_hidden_sentences_do_not_crowd_out_visible_ones(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desktop_app.store.search._ASK_AT_MOST", 100)
        kept = texts("kept", 300)
        take_in(library, "kept.txt", kept)
        query = vector_of("query")
        near = texts("near", 300)
        hidden = add(library, "near.txt")
        library.ingest.begin(hidden, head())
        library.ingest.append(hidden, spans_of(near), near, unit(query + 0.1 * vectors_of(near)))
        library.ingest.finish(hidden, ReadingDone())
        assert set(found(library, "query", 300)) == set(near)
        library.documents.remove([hidden])
        self.same(library.search.nearest(query, 10), self.exact(library, query, kept, 10))


class TestHits:
    def test_hits_have_the_rows_of_their_sentences(self, library: Library) -> None:
        a = take_in(library, "a.txt", ["One.", "Two.", "Three.", "Two."])
        b = take_in(library, "b.txt", ["Zero.", "Two.", "Four."])
        near = library.search.nearest(vector_of("Two."), 2)
        hits = library.search.hits(near, first_rank=11)
        assert [hit.rank for hit in hits] == [11, 12]
        first = hits[0]
        assert (first.text, first.document_id, first.ordinal, first.also_in) == ("Two.", a, 1, 1)
        assert (first.before, first.after, first.path) == ("One.", "Three.", path("a.txt"))
        assert first.score == pytest.approx(1.0, abs=2e-4)
        inside = Scope(document_ids=frozenset({b}))
        (hit,) = library.search.hits(near[:1], scope=inside)
        assert (hit.document_id, hit.before, hit.after, hit.also_in) == (b, "Zero.", "Four.", 1)

    def test_removed_sentences_are_left_out(self, library: Library) -> None:
        a = take_in(library, "a.txt", texts("a", 2))
        take_in(library, "b.txt", texts("b", 2))
        near = library.search.nearest(vector_of("query"), 4)
        library.documents.remove([a])
        hits = library.search.hits(near)
        assert {hit.text for hit in hits} == set(texts("b", 2))
        assert [hit.rank for hit in hits] == [1, 2]
        assert library.search.hits([ScoredSentence(12345, 0.5)]) == []
        assert library.search.hits([]) == []


class TestContext:
    def test_the_context_is_the_surrounding_sentences(self, library: Library) -> None:
        take_in(library, "other.txt", texts("other", 9))
        a = take_in(library, "a.txt", texts("a", 9))

        def around(ordinal: int, before: int, after: int) -> list[int]:
            rows = library.sentences.context(a, ordinal, before, after)
            assert [row.text for row in rows] == [texts("a", 9)[row.ordinal] for row in rows]
            assert all(row.document_id == a and row.path == path("a.txt") for row in rows)
            return [row.ordinal for row in rows]

        assert around(4, 2, 3) == [2, 3, 4, 5, 6, 7]
        assert around(0, 5, 1) == [0, 1]
        assert around(8, 1, 5) == [7, 8]
        assert around(4, 0, 0) == [4]

    def test_a_hidden_sentence_has_no_context(self, library: Library) -> None:
        a = take_in(library, "a.txt", texts("a", 3))
        library.documents.remove([a])
        assert library.sentences.context(a, 1, 1, 1) == []
        assert library.sentences.context(12345, 0, 1, 1) == []

    def test_a_running_import_is_not_mixed_into_the_context(self, library: Library) -> None:
        a = take_in(library, "a.txt", texts("a", 3))
        library.ingest.queue(a, FileRef(path("a.txt"), 100, 2))
        library.ingest.begin(a, head("new"))
        store(library, a, texts("new", 3))
        assert [row.text for row in library.sentences.context(a, 1, 1, 1)] == texts("a", 3)


class TestNearestDocuments:
    def expected(self, query: np.ndarray, documents: dict[int, list[str]]) -> list[tuple[int, float]]:
        ranked = []
        for document_id, own in documents.items():
            rows = vectors_of(own)
            ranked.append((document_id, float(0.5 * (rows @ query).max() + 0.5 * unit(rows.sum(0)) @ query)))
        return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))

    def test_the_score_is_half_best_sentence_and_half_mean(self, library: Library) -> None:
        made = {f"{at}.txt": [*texts(str(at), 3 + at % 7), "Shared."] for at in range(60)}
        documents = {take_in(library, name, own): own for name, own in made.items()}
        for word in ("query", "another"):
            query = vector_of(word)
            got = library.document_ranking.nearest_documents(query, 10, best=2)
            expected = self.expected(query, documents)[:10]
            assert [row[0] for row in got] == [row[0] for row in expected]
            assert [row[1] for row in got] == pytest.approx([row[1] for row in expected], abs=1e-5)
            for document_id, _, best in got:
                scores = sorted((float(vector_of(text) @ query) for text in documents[document_id]), reverse=True)
                assert [near.score for near in best] == pytest.approx(scores[:2], abs=1e-5)

    def test_documents_beyond_the_nearest_sentences_are_ranked(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desktop_app.store.document_ranking._SENTENCES_AT_LEAST", 5)
        monkeypatch.setattr("desktop_app.store.document_ranking._SENTENCES_A_DOCUMENT", 1)
        monkeypatch.setattr("desktop_app.store.document_ranking._LOOK_AT", 8)
        documents = {take_in(library, f"{at}.txt", own): own for at in range(60) if (own := texts(str(at), 4))}
        query = vector_of("query")
        got = [row[0] for row in library.document_ranking.nearest_documents(query, 12)]
        assert got == [row[0] for row in self.expected(query, documents)[:12]]

    def test_the_ranking_follows_every_change(self, library: Library) -> None:
        documents = {take_in(library, f"{at}.txt", own): own for at in range(9) if (own := texts(str(at), 4))}
        query = vector_of("query")
        first = library.document_ranking.nearest_documents(query, 3)[0][0]
        library.documents.remove([first])
        del documents[first]
        inside = Scope(document_ids=frozenset(list(documents)[:4]))
        assert [row[0] for row in library.document_ranking.nearest_documents(query, 9)] == [
            i for i, _ in self.expected(query, documents)
        ]
        assert {
            row[0] for row in library.document_ranking.nearest_documents(query, 9, scope=inside)
        } == inside.document_ids
        changed = next(iter(documents))
        library.ingest.begin(changed, head("new"))
        documents[changed] = texts("changed", 5)
        store(library, changed, documents[changed])
        library.ingest.finish(changed, ReadingDone())
        expected = self.expected(query, documents)
        got = library.document_ranking.nearest_documents(query, 9)
        assert [row[0] for row in got] == [i for i, _ in expected]
        assert [row[1] for row in got] == pytest.approx([score for _, score in expected], abs=1e-5)


class TestInfo:
    def test_the_counts_are_correct(self, library: Library) -> None:
        take_in(library, "a.txt", texts("a", 3))
        add(library, "b.txt")
        failed = add(library, "c.txt")
        library.ingest.fail(failed, "damaged", verbatim("broken"))
        info = library.info()
        assert info.documents == 3
        assert info.states == {"ready": 1, "queued": 1, "failed": 1}
        assert (info.sentences, info.occurrences, info.vectors, info.searchable) == (3, 3, 3, 3)
        assert faults(library) == []


def test_a_library_is_told_from_others_by_an_identity_that_it_keeps(tmp_path: Path) -> None:
    identities = []
    for name in ("a", "b", "a"):
        with LocalLibrary.open(tmp_path / name) as library:
            identities.append(library.info().identity)
    with LocalLibrary.open(tmp_path / "a", writable=False) as library:
        identities.append(library.info().identity)
    shutil.move(tmp_path / "a", tmp_path / "moved")
    with LocalLibrary.open(tmp_path / "moved") as library:
        identities.append(library.info().identity)
    assert all(re.fullmatch("[0-9a-f]{16}", identity) for identity in identities)
    assert len({*identities[::2], identities[3]}) == 1
    assert identities[1] != identities[0]
