"""Annotations of documents, and their passages at the end of a document's version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.annotations import COLOURS, Annotation, make_note_spans
from desktop_app.core.errors import NotFound
from desktop_app.core.library import Library
from desktop_app.core.pages import PageRect
from desktop_app.core.reader_events import ReadingDone, SentenceSpan
from desktop_app.core.records import NOT_SENTENCES, Place
from desktop_app.core.scope import Scope

from .conftest import Open
from .helpers import drain, faults, files_with, found, head, shown, spans_of, store, take_in, vectors_of

TEXTS = [f"Line {at} of the harbour book." for at in range(40)]
MARK = Annotation(
    0, 1, TEXTS[3], "Ask Ida\nabout this.", COLOURS["green"], places=(Place(1, 300, 320, "text"),), ordinal=3, offset=2
)


@pytest.fixture
def book(library: Library) -> int:
    return take_in(library, "book.pdf", TEXTS)


def note(library: Library, document_id: int, *annotations: Annotation) -> bool:
    """Store the passages of annotations like the engine."""
    kept = library.ingest.kept_notes(document_id)
    assert kept is not None
    spans = list(make_note_spans(annotations, kept[1], str.splitlines))
    new = library.ingest.without_vector([span.text for span in spans])
    return library.ingest.replace_notes(document_id, spans, new, vectors_of(new))


@pytest.mark.every_library
def test_an_annotation_is_kept_with_its_place(library: Library, book: int, open_library: Open) -> None:
    mark = replace(MARK, document_id=book, rects=(PageRect(2, 1.5, 2, 3, 4.25),), author="Ida", key="K1")
    (key,) = library.annotations.add([mark])
    (stored,) = library.annotations.fetch(book)
    assert replace(stored, annotation_id=0, created_at=0, changed_at=0, title="", path="", type=None) == mark
    assert (stored.annotation_id, stored.title, Path(stored.path).name) == (key, "book.pdf", "book.pdf")
    assert stored.created_at == stored.changed_at > 0
    library.close()
    assert open_library().annotations.fetch() == [stored]


@pytest.mark.every_library
def test_annotations_are_listed_by_document_and_place(library: Library, book: int) -> None:
    other = take_in(library, "other.txt", ["Other."])
    page = [replace(MARK, document_id=book, text=f"p{at}", places=(Place(at, 0, 5, "text"),)) for at in (4, 2, 9)]
    library.annotations.add([*page, replace(MARK, document_id=other, text="other")])
    assert [each.text for each in library.annotations.fetch()] == ["p2", "p4", "p9", "other"]
    assert [each.text for each in library.annotations.fetch(scope=Scope(titles=("other",)))] == ["other"]


@pytest.mark.every_library
def test_changing_returns_what_was_there(library: Library, book: int) -> None:
    (key,) = library.annotations.add([replace(MARK, document_id=book)])
    before = library.annotations.change(key, comment=" New. ", colour="#123456")
    assert (before.comment, before.colour) == (MARK.comment, MARK.colour)
    (now,) = library.annotations.fetch()
    assert (now.comment, now.colour, now.text) == ("New.", "#123456", MARK.text)
    assert now.changed_at >= before.changed_at
    with pytest.raises(NotFound):
        library.annotations.change(key + 1, comment="x")


@pytest.mark.every_library
def test_deleting_can_be_undone(library: Library, book: int) -> None:
    keys = library.annotations.add([replace(MARK, document_id=book), replace(MARK, document_id=book, text="Two")])
    gone = library.annotations.delete([keys[0], 999])
    assert [each.annotation_id for each in gone] == keys[:1]
    assert [each.text for each in library.annotations.fetch()] == ["Two"]
    assert library.annotations.add(gone) == keys[:1]
    assert [each.annotation_id for each in library.annotations.fetch()] == keys


@pytest.mark.every_library
def test_annotations_from_elsewhere_are_replaced_and_own_ones_stay(library: Library, book: int) -> None:
    library.annotations.add([replace(MARK, document_id=book)])
    theirs = [replace(MARK, document_id=book, origin="zotero", key=key, comment=key) for key in ("A", "B")]
    assert library.annotations.replace(book, "zotero", theirs)
    assert not library.annotations.replace(book, "zotero", theirs[::-1])
    assert library.annotations.replace(book, "zotero", theirs[:1])
    assert [each.key for each in library.annotations.fetch(book)] == ["", "A"]


@pytest.mark.every_library
def test_a_missing_document_cannot_be_annotated(library: Library) -> None:
    with pytest.raises(NotFound):
        library.annotations.add([replace(MARK, document_id=5)])


def test_passages_of_annotations_are_found_as_notes_only(library: Library, book: int) -> None:
    assert note(library, book, MARK)
    assert shown(library, book) == [*TEXTS, TEXTS[3], "Ask Ida", "about this."]
    assert library.documents.get(book).sentences == 43
    assert found(library, "Ask Ida") == ["Ask Ida"]
    assert "Ask Ida" not in found(library, "Ask Ida", 60, scope=Scope(without=NOT_SENTENCES))
    notes = Scope(without=frozenset({"body", "heading", "list"}))
    assert set(found(library, "Ask Ida", 60, scope=notes)) == {"Ask Ida", "about this.", TEXTS[3]}
    (hit, *_) = library.search.hits(library.search.nearest(vectors_of(["about this."])[0], 1))
    assert (hit.kind, hit.places, hit.before, hit.after) == ("note", MARK.places, "Ask Ida", "")
    (hit, *_) = library.search.hits(library.search.nearest(vectors_of([TEXTS[-1]])[0], 1))
    assert (hit.before, hit.after) == (TEXTS[-2], "")
    assert faults(library) == []


def test_passages_of_annotations_are_replaced_in_place(library: Library, book: int) -> None:
    before, mean = library.info(), library.document_ranking.mean_vectors([book])
    note(library, book, MARK)
    note(library, book, replace(MARK, text=TEXTS[5], comment=""), replace(MARK, text="", comment="Why?"))
    assert shown(library, book)[40:] == [TEXTS[5], "Why?"]
    note(library, book)
    drain(library.maintenance.purge())
    now = library.info()
    assert (now.sentences, now.occurrences, now.vectors) == (before.sentences, before.occurrences, before.vectors)
    assert np.allclose(library.document_ranking.mean_vectors([book]), mean, atol=1e-5)
    assert found(library, "Why?") != ["Why?"]
    assert faults(library) == []


def test_words_of_annotations_are_found_and_forgotten(library: Library, book: int) -> None:
    from desktop_app.core.query import KeywordQuery

    def matching(word: str) -> list[int]:
        return [key for key, _ in library.keyword_search.rank_documents(KeywordQuery((word,)), 5)]

    note(library, book, replace(MARK, comment="zirconium"))
    assert matching("zirconium") == [book]
    note(library, book)
    assert matching("zirconium") == []
    assert matching("harbour") == [book]


def test_a_document_that_is_being_read_keeps_its_passages(library: Library, book: int) -> None:
    note(library, book, MARK)
    library.ingest.begin(book, head("other"))
    assert library.ingest.kept_notes(book) is None
    assert not library.ingest.replace_notes(book, [], [], vectors_of([]))
    store(library, book, TEXTS[:2])
    library.ingest.finish(book, ReadingDone())
    assert shown(library, book) == [*TEXTS[:2], TEXTS[3], "Ask Ida", "about this."]


def test_a_document_that_was_read_again_or_corrected_has_its_notes_before_they_are_brought_up_to_date(
    library: Library, book: int
) -> None:
    note(library, book, replace(MARK, document_id=book))
    noted = [TEXTS[3], "Ask Ida", "about this."]
    again = [f"New {text}" for text in TEXTS[:5]]
    library.ingest.begin(book, head("again"))
    store(library, book, again)
    library.ingest.finish(book, ReadingDone())
    assert shown(library, book) == [*again, *noted]
    version = library.corrections.begin(book)
    library.corrections.append(book, version, spans_of(again[:2]), [], vectors_of([]))
    library.corrections.finish(book, version, made=None, undone=None)
    assert shown(library, book) == [*again[:2], *noted]
    drain(library.maintenance.purge())
    assert found(library, "Ask Ida") == ["Ask Ida"]
    assert library.documents.get(book).sentences == 5
    version = library.corrections.begin(book)
    library.corrections.finish(book, version, made=None, undone=None)
    kept = library.ingest.kept_notes(book)
    assert kept is not None
    assert ([span.text for span in kept[0]], [span.paragraph for span in kept[0]], kept[1]) == (noted, [0, 0, 0], 0)
    assert faults(library) == []


def test_corrections_and_old_kinds_leave_annotations_alone(library: Library, book: int) -> None:
    note(library, book, MARK)
    originals = [span.text for part in library.corrections.originals(book) for span in part]
    assert originals == TEXTS
    assert {each.reason for each in library.corrections.on_page(book, 1)} == {""}


def test_notes_of_the_file_are_listed_too(library: Library) -> None:
    document = take_in(library, "marked.pdf", ["A sentence."])
    library.ingest.begin(document, head("again", page_count=2, page_labels=("i", "ii")))
    notes = [
        SentenceSpan(text, (Place(2, at, at + 9, "text"),), paragraph, "note", "note", "layout")
        for at, (text, paragraph) in enumerate([("Marked.", 4), ("And said.", 4), ("Another.", 5)])
    ]
    spans = [*spans_of(["A sentence."]), *notes]
    new = library.ingest.without_vector([span.text for span in spans])
    library.ingest.append(document, spans, new, vectors_of(new))
    library.ingest.finish(document, ReadingDone())
    note(library, document, replace(MARK, comment="Mine."))
    listed = library.annotations.file_notes()
    assert [(each.comment, each.origin, each.page, each.page_label) for each in listed] == [
        ("Marked. And said.", "file", 2, "ii"),
        ("Another.", "file", 2, "ii"),
    ]


def test_erasing_a_document_erases_its_annotations(library: Library, book: int, tmp_path: Path) -> None:
    secret = "Nobody else may read wolpertinger."
    library.annotations.add([replace(MARK, document_id=book, text="", comment=secret)])
    note(library, book, replace(MARK, text="", comment=secret))
    library.documents.remove([book])
    assert library.annotations.fetch() == []
    library.documents.restore([book])
    assert len(library.annotations.fetch()) == 1
    library.documents.remove([book])
    drain(library.maintenance.purge())
    library.close()
    assert files_with(tmp_path, b"wolpertinger") == []


def test_the_doctor_mends_annotations(library: Library, book: int, open_library: Open, tmp_path: Path) -> None:
    keys = library.annotations.add([replace(MARK, document_id=book), replace(MARK, document_id=book, text="Two")])
    library.close()
    (file,) = tmp_path.rglob("library.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE annotation SET place = '{oops' WHERE id = ?", (keys[0],))
        connection.execute("UPDATE annotation SET document_id = 99 WHERE id = ?", (keys[1],))
    library = open_library()
    assert [each.text for each in library.annotations.fetch()] == [MARK.text]
    assert [fault.partition(":")[0] for fault in faults(library)] == ["annotations"]
    drain(library.maintenance.check(repair=True))
    assert faults(library) == []
    assert [(each.text, each.places) for each in library.annotations.fetch()] == [(MARK.text, ())]
