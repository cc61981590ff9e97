"""Large versions are erased step by step when nothing waits; truncated sentences are counted for each document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from desktop_app.core.jobs import Waiting
from desktop_app.core.library import Library
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.store.document_versions import MOST_AT_ONCE, add_truncated, recount_truncated
from desktop_app.store.library import LocalLibrary
from tests.steps import wait_a_moment

from .conftest import Open
from .helpers import MODEL, add, drain, faults, head, path, shown, spans_of, store, take_in, texts, vectors_of

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


# Large versions: their deletion must not hold up anything


LARGE = MOST_AT_ONCE + 100


def _begin_large(library: LocalLibrary, name: str) -> tuple[int, list[str]]:
    document_id = add(library, name)
    library.ingest.begin(document_id, head(name))
    own = texts(name, LARGE)
    store(library, document_id, own)
    return document_id, own


def _longest_transaction(library: LocalLibrary, steps: Iterable[object]) -> int:
    """The most sentences and places that one step erased."""

    def count() -> int:
        with library.read_transaction() as connection:
            return sum(
                connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
                for table in ("occurrence", "sentence")
            )

    most, before = 0, count()
    for step in steps:
        if isinstance(step, Waiting):
            wait_a_moment()
        after = count()
        most, before = max(most, before - after), after
    return most


@pytest.mark.only_local
def test_a_large_withdrawn_document_outlives_the_session_and_is_erased_step_by_step(open_library: Open) -> None:
    library = open_library(tail_rows=100_000)
    library.models.bind(MODEL)
    kept = take_in(library, "kept.txt", [*texts("kept", 3), *texts("large", 1)])
    document_id, own = _begin_large(library, "large")
    library.ingest.withdraw([document_id])
    drain(library.maintenance.tidy_up())
    assert library.ingest.without_vector(own) == [], "the end of the program does not wait for the erasure"
    library.close()
    library = open_library(tail_rows=100_000)
    assert [each.document_id for each in library.documents.fetch()] == [kept]
    assert library.info().occurrences == 4
    assert faults(library) == []
    assert 0 < _longest_transaction(library, library.maintenance.run()) <= 1000
    assert library.info().sentences == 4
    assert library.ingest.without_vector([own[0], own[-1]]) == [own[-1]]
    assert faults(library) == []


@pytest.mark.only_local
def test_the_next_import_of_a_large_withdrawn_file_embeds_nothing_again(open_library: Open) -> None:
    library = open_library(tail_rows=100_000)
    library.models.bind(MODEL)
    document_id, own = _begin_large(library, "large")
    library.ingest.withdraw([document_id])
    again = add(library, "large")
    assert again != document_id
    drain(library.maintenance.run())  # as during the import
    library.ingest.begin(again, head("large"))
    assert library.ingest.without_vector(own) == []
    library.ingest.append(again, spans_of(own), [], vectors_of([]))
    library.ingest.finish(again, ReadingDone())
    drain(library.maintenance.run())
    assert shown(library) == own
    assert library.info().sentences == len(own)
    with library.read_transaction() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM occurrence").scalar_one() == len(own)
    assert faults(library) == []


@pytest.mark.only_local
@pytest.mark.parametrize("end", ["killed", "failed", "replaced"])
def test_a_large_version_that_is_given_up_is_erased_step_by_step(open_library: Open, end: str) -> None:
    library = open_library(tail_rows=100_000)
    library.models.bind(MODEL)
    document_id, old = _begin_large(library, "large")
    if end != "failed":
        library.ingest.finish(document_id, ReadingDone())
    if end == "killed":
        library.ingest.begin(document_id, head("killed"))
        store(library, document_id, texts("other", LARGE))
        library.close()
        library = open_library(tail_rows=100_000)
        assert [each.state for each in library.documents.fetch()] == ["queued"]
        library.ingest.keep_previous_version(document_id, FileRef(path("large"), 100, 1))
    elif end == "failed":
        library.ingest.fail(document_id, "timeout", verbatim("too slow"))
        old = []
    else:
        library.ingest.begin(document_id, head("new"))
        store(library, document_id, old := texts("new", 5))
        library.ingest.finish(document_id, ReadingDone())
    assert shown(library) == old
    assert library.documents.get(document_id).state == ("failed" if end == "failed" else "ready")
    assert faults(library) == []
    assert 0 < _longest_transaction(library, library.maintenance.run()) <= 1000
    assert shown(library) == old
    assert library.info().sentences == len(old)
    assert faults(library) == []
