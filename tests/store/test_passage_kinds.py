"""Kinds of stored passages: of earlier libraries, of repeated sentences, and in searches that leave them out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.passage_kinds import RULES_VERSION, decide_kind
from desktop_app.core.reader_events import ReadingDone, SentenceSpan
from desktop_app.core.records import NOT_SENTENCES, Occurrence, Place
from desktop_app.core.scope import Scope
from desktop_app.store.library import LocalLibrary

from .conftest import Open
from .helpers import MODEL, add, drain, head, take_in, texts, vector_of, vectors_of

pytestmark = pytest.mark.every_library

FOOTER = "You can change the cookies that we set at any time."
SENTENCES = Scope(without=NOT_SENTENCES)


def kinds(library: LocalLibrary) -> dict[str, tuple[str, str]]:
    rows = [each for batch in library.sentences.occurrences() for each in batch]
    return {each.text: (each.passage or each.kind, each.reason) for each in rows}


def finds(library: LocalLibrary, text: str, scope: Scope = SENTENCES) -> bool:
    found = library.search.hits(library.search.nearest(vector_of(text), 5, scope=scope), scope=scope)
    return text in [hit.text for hit in found]


def append(library: LocalLibrary, name: str, *own: tuple[str, str]) -> None:
    document_id = add(library, name)
    library.ingest.begin(document_id, head(name))
    spans = [SentenceSpan(t, (Place(1, 0, 1, "text"),), 0, k, *decide_kind(k, t)) for k, t in own]  # type: ignore[arg-type]
    new = library.ingest.without_vector([span.text for span in spans])
    library.ingest.append(document_id, spans, new, vectors_of(new))
    library.ingest.finish(document_id, ReadingDone())


def test_what_was_decided_at_import_is_kept_and_can_be_left_out(library: LocalLibrary) -> None:
    append(library, "a.txt", ("heading", "What sleep is for"), ("body", "Yes."), ("body", "Sleep helps the brain."))
    assert kinds(library) == {
        "What sleep is for": ("heading", ""),
        "Yes.": ("stub", "short"),
        "Sleep helps the brain.": ("body", ""),
    }
    for fill in (False, True):
        if fill:
            drain(library.visibility.fill())
        assert not finds(library, "Yes.")
        assert not finds(library, "What sleep is for")
        assert finds(library, "Yes.", Scope())
        assert finds(library, "Sleep helps the brain.")


def test_a_stub_that_is_a_sentence_elsewhere_is_found_as_a_sentence(library: LocalLibrary) -> None:
    append(library, "a.txt", ("heading", "Sleep helps the brain."))
    assert not finds(library, "Sleep helps the brain.")
    append(library, "b.txt", ("body", "Sleep helps the brain."))
    assert finds(library, "Sleep helps the brain.")


def test_documents_count_and_show_only_passages_in_scope(library: LocalLibrary) -> None:
    append(library, "a.txt", ("body", "Sleep helps the brain."), ("heading", "What sleep is for"))
    append(library, "b.txt", ("heading", "Sleep helps the brain."))
    for fill in (False, True):
        if fill:
            drain(library.visibility.fill())
        own = library.analysis_reader.ids(["Sleep helps the brain.", "What sleep is for"])
        ids = list(own.values())
        counts = library.analysis_reader.documents_of(ids, SENTENCES)
        assert [(each.title, each.count) for each in counts] == [("a.txt", 1)]
        counts = library.analysis_reader.documents_of(ids, with_ids=True)
        assert [(each.count, sorted(each.sentence_ids)) for each in counts] == [
            (2, sorted(ids)),
            (1, [own["Sleep helps the brain."]]),
        ]
        query = vector_of("What sleep is for")
        ranking = library.document_ranking
        found = ranking.nearest_documents(query, 5, scope=SENTENCES)
        again = ranking.score_documents(query, [1, 2], scope=SENTENCES)
        assert [document_id for document_id, _, _ in found] == [document_id for document_id, _, _ in again] == [1]
        for _, _, best in (*found, *again):
            shown = library.analysis_reader.texts([near.sentence_id for near in best])
            assert list(shown.values()) == ["Sleep helps the brain."]


@pytest.mark.only_local
def test_passages_of_an_earlier_version_are_decided_on_without_embedding(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    append(library, "a.txt", ("body", "Yes."), ("body", "Sleep helps the brain."), ("table", "1 2 3"))
    library.close()
    with closing(sqlite3.connect(tmp_path / "library" / "library.db")) as connection:
        connection.execute("UPDATE occurrence SET passage = NULL, reason = NULL")
        connection.execute("UPDATE version SET decided = 0")
        connection.commit()
        before = connection.execute("SELECT id, vector FROM embedding").fetchall()
    library = open_library()
    assert finds(library, "Yes.")
    drain(library.maintenance.run())
    assert kinds(library)["Yes."] == ("stub", "short")
    assert kinds(library)["1 2 3"] == ("table", "")
    assert not finds(library, "Yes.")
    with closing(sqlite3.connect(tmp_path / "library" / "library.db")) as connection:
        assert connection.execute("SELECT id, vector FROM embedding").fetchall() == before
        assert connection.execute("SELECT decided FROM version").fetchall() == [(RULES_VERSION,)]


def test_a_sentence_in_many_documents_is_boilerplate_until_they_are_removed(library: LocalLibrary) -> None:
    for at in range(7):
        take_in(library, f"{at}.html", [*texts(f"{at}", 5), FOOTER])
    drain(library.maintenance.run())
    assert kinds(library)[FOOTER] == ("body", "")
    take_in(library, "7.html", [*texts("7", 5), FOOTER])
    drain(library.maintenance.run())
    assert kinds(library)[FOOTER] == ("boilerplate", "repeated")
    assert [kind for text, (kind, _) in kinds(library).items() if text != FOOTER] == ["body"] * 40
    assert not finds(library, FOOTER)
    library.documents.remove([3])
    drain(library.maintenance.run())
    assert kinds(library)[FOOTER] == ("body", "")


def test_drafts_of_one_text_are_not_boilerplate(library: LocalLibrary) -> None:
    for at in range(9):
        take_in(library, f"draft {at}.txt", [*texts("essay", 20), f"Draft {at} ends with this sentence."])
    drain(library.maintenance.run())
    assert {kind for kind, _ in kinds(library).values()} == {"body"}


def test_a_sentence_on_many_pages_is_boilerplate(library: LocalLibrary) -> None:
    document_id = add(library, "slides.pdf")
    library.ingest.begin(document_id, head("s", page_count=8))
    own = [text for page in range(8) for text in (f"Page {page} says something of its own.", FOOTER)]
    spans = [SentenceSpan(text, (Place(at // 2 + 1, 0, 9, "pdfium"),), at) for at, text in enumerate(own)]
    new = list(dict.fromkeys(own))
    library.ingest.append(document_id, spans, new, vectors_of(new))
    library.ingest.finish(document_id, ReadingDone())
    drain(library.maintenance.run())
    assert [text for text, (kind, _) in kinds(library).items() if kind == "boilerplate"] == [FOOTER]


def test_a_persons_decision_outlasts_repetition(library: LocalLibrary) -> None:
    for at in range(8):
        document_id = add(library, f"{at}.html")
        library.ingest.begin(document_id, head(f"{at}"))
        own = [*texts(f"{at}", 5), FOOTER]
        spans = [SentenceSpan(text, (Place(None, 0, 9, "text"),), 0) for text in own]
        spans[-1] = SentenceSpan(FOOTER, (Place(None, 0, 9, "text"),), 0, "body", "body", "person" if not at else "")
        new = library.ingest.without_vector(own)
        library.ingest.append(document_id, spans, new, vectors_of(new))
        library.ingest.finish(document_id, ReadingDone())
    drain(library.maintenance.run())

    def standing() -> list[Occurrence]:
        return [each for batch in library.sentences.occurrences() for each in batch if each.text == FOOTER]

    assert [each.passage for each in standing()] == [None, *["boilerplate"] * 7]
    assert finds(library, FOOTER), "it is a sentence where a person says so"
