"""The recall meter compares hits of graphs with exact answers, and searches are widened until recall suffices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.recall import mix_rows
from desktop_app.store import recall_meter
from desktop_app.store.library import LocalLibrary
from tests.steps import run_steps

from .conftest import Open
from .helpers import MODEL, add, drain, head, run_checks, spans_of, switch, take_in, texts, unit, vector_of


def fill(library: LocalLibrary, count: int, seed: int = 1) -> None:
    library.models.bind(MODEL)
    document_id = add(library, f"{seed}.txt")
    own = texts(f"s{seed}", count)
    rows = unit(np.random.default_rng(seed).standard_normal((count, MODEL.dim)))
    library.ingest.begin(document_id, head(str(seed)))
    library.ingest.append(document_id, spans_of(own), own, rows)
    library.ingest.finish(document_id, ReadingDone())
    drain(library.maintenance.run())


def test_a_library_without_graphs_is_exact(open_library: Open) -> None:
    library = open_library(tail_rows=10_000)
    fill(library, 300)
    assert library.info().recall is None
    assert "recall" not in [check.name for check in run_checks(library)]


def test_recall_is_measured_with_the_first_graph_and_after_growth(open_library: Open) -> None:
    library = open_library(tail_rows=400)
    fill(library, 1000)
    first = library.info().recall
    assert first is not None
    assert first.recall >= recall_meter.TARGET_RECALL
    assert (first.ef, first.vectors) == (recall_meter.SEARCH_WIDTHS[0], 800), "the rest is searched exactly"
    fill(library, 100, seed=2)
    assert library.info().recall == first, "a tenth more changes nothing"
    fill(library, 900, seed=3)
    grown = library.info().recall
    assert grown is not None
    assert grown.vectors > first.vectors
    library.close()
    assert open_library(writable=False).info().recall == grown


def test_queries_lie_between_stored_sentences() -> None:
    rows = unit(np.random.default_rng(2).standard_normal((50, 384)))
    cosines = mix_rows(rows) @ rows.T
    own, other = np.diag(cosines), np.array([cosines[at, (at - 25) % 50] for at in range(50)])
    assert (np.abs(own - 0.82) < 0.15).all()
    assert (np.abs(other - 0.57) < 0.15).all()
    assert mix_rows(rows[:1]) == pytest.approx(rows[:1])


def test_a_measurement_of_an_earlier_version_is_made_again(open_library: Open) -> None:
    library = open_library(tail_rows=400)
    fill(library, 1000)
    measured = library.info().recall
    assert measured is not None
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql("DELETE FROM counter WHERE name = 'recall_queries'")
    before = library.info().recall
    assert before is not None
    assert (before.queries, measured.queries) == (50, recall_meter.QUERIES)
    drain(library.maintenance.run())
    assert library.info().recall == measured


def test_searches_are_widened_until_recall_suffices(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_meter, "SEARCH_WIDTHS", (10, 20, 40, 80, 160, 320))
    # Otherwise a search asks two such small graphs for so many rows that the width does not matter.
    monkeypatch.setattr(recall_meter, "ASK_MORE", 0)
    monkeypatch.setattr("desktop_app.store.vector_index._LEAST_SHARE", 1)
    library = open_library(tail_rows=2000)
    fill(library, 4000)
    recall = library.info().recall
    assert recall is not None
    assert recall.ef > 10, "ten candidates are too few for random vectors"
    assert recall.recall >= recall_meter.TARGET_RECALL
    with library._database.read_transaction() as connection:
        index = library._segments.index(connection)
    assert index is not None
    assert index.ef == recall.ef
    library.close()
    again = open_library()
    again.search.nearest(vector_of("x"), 5)
    with again._database.read_transaction() as connection:
        index = again._segments.index(connection)
    assert index is not None
    assert index.ef == recall.ef, "even if fewer candidates than usual are enough"


def add_near(library: LocalLibrary, count: int) -> None:
    """Add sentences that are nearer to the queries of a measurement than any other."""
    own, document_id = texts("new", count), add(library, "new.txt")
    rows = np.resize(library.search.sample_vectors(recall_meter.QUERIES), (count, MODEL.dim))
    library.ingest.begin(document_id, head("new"))
    library.ingest.append(document_id, spans_of(own), own, unit(rows + 0.01))
    library.ingest.finish(document_id, ReadingDone())


def test_sentences_that_are_added_during_a_measurement_do_not_count(open_library: Open) -> None:
    library = open_library(tail_rows=400)
    fill(library, 900)
    measured = library.info().recall
    steps = recall_meter.RecallMeter(library._database, library._segments, library.search).measure()
    for _ in range(10):
        next(steps)
    add_near(library, 300)
    found = run_steps(steps)
    assert found is not None
    assert found.recall >= recall_meter.TARGET_RECALL
    assert found.ef == measured.ef, "wide searches are slow, and stay so until the library has grown by a quarter"


@pytest.mark.parametrize("begun", [2, 10, 100])
@pytest.mark.parametrize("change", ["seal", "purge"])
def test_a_measurement_ends_when_rows_are_erased_or_move_to_another_graph(
    open_library: Open, change: str, begun: int
) -> None:
    library = open_library(tail_rows=400)
    library.models.bind(MODEL)
    gone = take_in(library, "gone.txt", texts("gone", 300))
    fill(library, 600)
    measured = library.info().recall
    steps = recall_meter.RecallMeter(library._database, library._segments, library.search).measure()
    for _ in range(begun):
        next(steps)
    if change == "seal":
        add_near(library, 300)
        drain(library._sealer.seal())
    else:
        library.documents.remove([gone])
        drain(library.maintenance.purge())
    assert run_steps(steps) is None
    assert library.info().recall == measured


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_measurement_ends_when_the_library_changes_its_model(open_library: Open, is_erased: bool) -> None:
    library = open_library(tail_rows=40)
    fill(library, 150)
    measured = library.info().recall
    steps = recall_meter.RecallMeter(library._database, library._segments, library.search).measure()
    for _ in range(4):
        next(steps)
    switch(library)
    if is_erased:
        drain(library.maintenance.run())
        measured = library.info().recall
    results = []

    def finish() -> Iterator[object]:
        results.append((yield from steps))

    drain(finish())
    assert results == [None]
    assert library.info().recall == measured
