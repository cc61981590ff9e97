"""Sentences longer than the model's limit are counted for each document, at every place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.library import Library
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import ReadingDone
from desktop_app.store.document_versions import add_truncated, recount_truncated
from desktop_app.store.library import LocalLibrary

from .helpers import MODEL, add, drain, head, spans_of, take_in, texts, vectors_of

pytestmark = pytest.mark.every_library


def _take_in(library: Library, name: str, sentences: list[str], cut: list[str]) -> int:
    document_id = add(library, name)
    library.ingest.begin(document_id, head(name))
    new = library.ingest.without_vector(sentences)
    library.ingest.append(document_id, spans_of(sentences), new, vectors_of(new), [text for text in new if text in cut])
    library.ingest.finish(document_id, ReadingDone())
    return document_id


def test_every_place_of_a_truncated_sentence_counts(library: Library) -> None:
    long = "A sentence without an end."
    first = _take_in(library, "a.txt", [long, *texts("a", 5), long], [long])
    second = _take_in(library, "b.txt", [*texts("b", 3), long], [long])
    none = take_in(library, "c.txt", texts("c", 3))
    assert {d.document_id: d.truncated for d in library.documents.fetch()} == {first: 2, second: 1, none: 0}


def test_batches_add_up_and_a_new_version_starts_at_zero(library: Library) -> None:
    long = ["One that does not end.", "Another one."]
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head("one"))
    for text in long:
        library.ingest.append(document_id, spans_of([text]), [text], vectors_of([text]), [text])
    library.ingest.finish(document_id, ReadingDone())
    assert library.documents.get(document_id).truncated == 2
    library.ingest.begin(document_id, head("two"))
    library.ingest.append(document_id, spans_of(long[:1]), [], vectors_of([]))
    assert library.documents.get(document_id).truncated == 2
    library.ingest.finish(document_id, ReadingDone())
    assert library.documents.get(document_id).truncated == 1


def test_sentences_of_a_failed_import_are_not_counted(library: Library) -> None:
    document_id = add(library, "a.txt")
    library.ingest.begin(document_id, head("one"))
    library.ingest.append(document_id, spans_of(["Long."]), ["Long."], vectors_of(["Long."]), ["Long."])
    library.ingest.fail(document_id, "damaged", verbatim("It broke off."))
    assert library.documents.get(document_id).truncated == 0


@pytest.mark.only_local
def test_a_purged_sentence_leaves_nothing(library: LocalLibrary) -> None:
    _take_in(library, "a.txt", ["Long."], ["Long."])
    library.documents.remove([1])
    drain(library.maintenance.purge())
    with library._database.read_transaction() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM truncated").scalar_one() == 0
    _take_in(library, "a.txt", ["Long."], [])
    assert library.documents.fetch()[0].truncated == 0


@pytest.mark.only_local
def test_another_model_has_its_own_counts(library: LocalLibrary) -> None:
    first = _take_in(library, "a.txt", ["Long.", "Longer.", "Short."], ["Long.", "Longer."])
    second = _take_in(library, "b.txt", ["Longer.", "Brief."], ["Longer."])
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql("UPDATE model SET current = 0")
        connection.exec_driver_sql(
            "INSERT INTO model (fingerprint, name, dim, max_length, pooling, normalised, folder, current)"
            " VALUES ('f2', 'other', 8, 512, 'mean', 1, x'', 1)"
        )
        add_truncated(connection, 2, [2])  # by the other model: only the longer one
        add_truncated(connection, 2, [2])
        recount_truncated(connection)
    assert library.models.current == replace(MODEL, name="other", fingerprint="f2", dim=8, max_length=512)
    assert [library.documents.get(each).truncated for each in (first, second)] == [1, 1]
