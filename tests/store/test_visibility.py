"""Cached visibility equals the database after every change, including those of other processes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.reader_events import ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.store.library import LocalLibrary

from .conftest import Open
from .helpers import MODEL, add, drain, head, path, store, take_in, texts, vectors_of

WITHOUT_REFERENCES = Scope(without=frozenset({"reference"}))
SCOPES = (
    EVERYTHING,
    WITHOUT_REFERENCES,
    Scope(without=frozenset({"reference", "table"})),
    Scope(document_ids=frozenset({1, 3, 5})),
    Scope(not_document_ids=frozenset({1}), without=frozenset({"reference"})),
    Scope(tags=("read",)),
)


def seen(library: LocalLibrary, scope: Scope) -> list[int]:
    """Visible ids as a search gets them, with or without a cache."""
    search = library.search
    last = max(np.concatenate([[0], *library.analysis_reader.nodes()]).tolist())
    ids = np.arange(1, last + 1)
    with library.read_transaction() as connection:
        return ids[search.are_visible(connection, ids, scope)].tolist()


def asked(library: LocalLibrary, scope: Scope) -> list[int]:
    """Visible ids according to the database."""
    library.visibility._kinds = None
    return seen(library, scope)


def noted(library: LocalLibrary) -> None:
    drain(library.visibility.fill())
    assert library.visibility.is_filled
    for scope in SCOPES:
        visible = seen(library, scope)
        assert library.visibility.is_filled, "it was answered from the cache"
        assert visible == asked(library, scope)
        drain(library.visibility.fill())


@pytest.fixture
def made(library: LocalLibrary, monkeypatch: pytest.MonkeyPatch) -> LocalLibrary:
    """Documents longer and shorter than a step, with sentences of several kinds, some shared and some repeated."""
    monkeypatch.setattr("desktop_app.store.visibility._STEP_OCCURRENCES", 16)
    take_in(library, "long.txt", [*texts("long", 50), "Shared."])
    for name in ("b", "c", "d"):
        take_in(library, f"{name}.txt", ["Shared.", *texts(name, 5), "Shared."])
    mixed = add(library, "paper.txt")
    library.ingest.begin(mixed, head("p"))
    own = [*texts("paper", 4), "Shared."]
    kinds = ("body", "reference", "table", "heading", "reference")
    spans = [SentenceSpan(t, (Place(1, 0, 1, "text"),), 0, k) for t, k in zip(own, kinds, strict=True)]
    library.ingest.append(mixed, spans, own[:4], vectors_of(own[:4]))
    library.ingest.finish(mixed, ReadingDone())
    return library


def remove(library: LocalLibrary) -> None:
    library.documents.remove([1, 3])


def remove_and_restore(library: LocalLibrary) -> None:
    remove(library)
    library.documents.restore([3])


def purge(library: LocalLibrary) -> None:
    remove(library)
    drain(library.maintenance.purge())


def come_in(library: LocalLibrary) -> None:
    document_id = add(library, "new.txt")
    library.ingest.begin(document_id, head("n"))
    store(library, document_id, texts("new", 3))


def come_in_anew(library: LocalLibrary) -> None:
    library.ingest.begin(2, head("anew"))
    store(library, 2, texts("anew", 3))
    library.ingest.finish(2, ReadingDone())


CHANGES = (remove, remove_and_restore, purge, come_in, come_in_anew)


def test_cached_visibility_equals_the_database(made: LocalLibrary) -> None:
    noted(made)
    assert len(seen(made, EVERYTHING)) > len(seen(made, WITHOUT_REFERENCES))


@pytest.mark.parametrize("wrong", [-1, 1 << 40])
def test_the_cache_does_not_answer_for_ids_that_no_sentence_has(made: LocalLibrary, wrong: int) -> None:
    drain(made.visibility.fill())
    ids = np.array([1, wrong])
    with made.read_transaction() as connection:
        assert made.visibility.of(connection, ids, EVERYTHING) is None
        assert made.search.are_visible(connection, ids, EVERYTHING).tolist() == [True, False]


@pytest.mark.parametrize("change", CHANGES)
def test_cached_visibility_follows_every_change(made: LocalLibrary, change: Callable[[LocalLibrary], None]) -> None:
    noted(made)
    before = seen(made, EVERYTHING)
    change(made)
    assert not made.visibility.is_filled
    after = seen(made, EVERYTHING)
    assert after == asked(made, EVERYTHING)
    assert after != before
    noted(made)


def test_cached_visibility_follows_changes_of_another_process(made: LocalLibrary, open_library: Open) -> None:
    reader = open_library(writable=False)
    noted(reader)
    made.documents.remove([1])
    assert not reader.visibility.is_filled
    assert seen(reader, EVERYTHING) == asked(made, EVERYTHING)


def test_a_part_of_the_library_follows_the_documents_that_are_put_into_it(made: LocalLibrary) -> None:
    read = Scope(tags=("read",))
    noted(made)
    assert seen(made, read) == []
    for document_id in (2, 5):
        drain(made.visibility.fill())
        made.collections.tag([document_id], ["read"])
        cached = seen(made, read)
        assert cached == asked(made, read) != []
    assert set(cached) > set(seen(made, Scope(document_ids=frozenset({2}))))


def test_changes_of_user_data_keep_the_cache(made: LocalLibrary) -> None:
    noted(made)
    made.user_data.remember("a query", "both")
    made.user_data.judge("a query", 1, True)
    assert made.visibility.is_filled


def test_a_concurrent_change_discards_the_cache(made: LocalLibrary) -> None:
    steps = iter(made.visibility.fill())
    for _ in range(3):
        next(steps)
    made.documents.remove([2])
    drain(steps)
    assert not made.visibility.is_filled
    noted(made)


def test_a_part_of_the_library_is_looked_up(made: LocalLibrary) -> None:
    noted(made)
    part = Scope(document_ids=frozenset({2, 3}))
    assert 0 < len(seen(made, part)) < len(seen(made, EVERYTHING))
    assert seen(made, part) == asked(made, part)


def test_maintenance_caches_visibility_if_a_search_is_expected(open_library: Open, tmp_path: Path) -> None:
    for number, searched in enumerate((False, True)):
        library: Any = open_library(folder=tmp_path / str(number))
        library.models.bind(MODEL)
        take_in(library, path("a.txt"), texts("a", 3))
        if searched:
            library.maintenance.keep_index_loaded()
        drain(library.maintenance.run())
        assert library.visibility.is_filled is searched


def test_sentences_that_occur_only_in_removed_documents_are_counted_as_hidden(library: LocalLibrary) -> None:
    take_in(library, "a.txt", ["Shared.", *texts("a", 5), "Twice.", "Twice."])
    take_in(library, "b.txt", ["Shared.", *texts("b", 3)])
    before = library.info()
    library.documents.remove([1])
    removed = library.info()
    assert (removed.hidden, removed.sentences) == (6, before.sentences)
    assert removed.visible_sentences == removed.visible_searchable == 4
    drain(library.maintenance.purge())
    assert (library.info().hidden, library.info().visible_sentences) == (0, 4)


def test_a_removal_that_is_undone_hides_nothing(library: LocalLibrary) -> None:
    take_in(library, "a.txt", texts("a", 5))
    library.documents.remove([1])
    assert library.info().visible_sentences == 0
    library.documents.restore([1])
    assert (library.info().hidden, library.info().visible_sentences) == (0, 5)


def test_of_a_large_removal_what_is_surely_hidden_is_counted(
    library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.store.visibility._MOST_HIDDEN", 4)
    take_in(library, "a.txt", texts("a", 5))
    take_in(library, "b.txt", texts("b", 3))
    library.documents.remove([1])
    assert library.info().visible_sentences == 3
    library.documents.remove([2])
    assert library.info().visible_sentences == 0
