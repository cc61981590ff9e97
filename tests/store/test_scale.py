"""Built for a million: opening and the first view read few rows of any number. Tests count rows, not time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.pool import Pool

from desktop_app.core.reader_events import FileRef, ReadingDone
from desktop_app.core.scope import Scope
from desktop_app.store.document_versions import recount_truncated
from desktop_app.store.library import LocalLibrary

from .helpers import MODEL, drain, head, path, spans_of, unit, vector_of

SENTENCES = 10_000
DOCUMENTS = 100
TAIL = 1_000
_BIG = ("sentence", "occurrence", "embedding", "loose", "page")


class Watch:
    """Every statement, the rows it returned, and SQLite's plan for it."""

    def __init__(self) -> None:
        self.rows = 0
        self.statements: list[tuple[str, Any]] = []
        self.plans: list[str] = []

    def scans(self) -> list[str]:
        return [plan for plan in self.plans if re.match(rf"SCAN ({'|'.join(_BIG)})\w*\b(?! VIRTUAL)", plan)]


@contextmanager
def watched() -> Iterator[Watch]:
    watch = Watch()

    def count(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
        watch.rows += 1
        return row

    def connected(raw: sqlite3.Connection, _record: object) -> None:
        raw.row_factory = count

    def executing(connection: Any, cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        watch.statements.append((statement, parameters))
        if statement.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
            one = parameters[0] if many else parameters
            raw = connection.connection.dbapi_connection
            plain = raw.cursor()
            plain.row_factory = None
            watch.plans += [row[3] for row in plain.execute(f"EXPLAIN QUERY PLAN {statement}", one)]

    event.listen(Pool, "connect", connected)
    event.listen(Engine, "before_cursor_execute", executing)
    try:
        yield watch
    finally:
        event.remove(Pool, "connect", connected)
        event.remove(Engine, "before_cursor_execute", executing)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generated sentences, 100 a document; all but the last 1,000 in sealed segments."""
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(8)
    each = SENTENCES // DOCUMENTS
    with LocalLibrary.open(folder, tail_rows=(SENTENCES - TAIL) // 3) as library:
        library.models.bind(MODEL)
        documents = library.documents.add([FileRef(path(f"{at % 10}/{at}.txt"), 1, 1) for at in range(DOCUMENTS)])
        for at, document in enumerate(documents):
            own = [f"Sentence {number} of document {at}." for number in range(each)]
            library.ingest.begin(document.document_id, head(str(at)))
            library.ingest.append(
                document.document_id, spans_of(own), own, unit(rng.standard_normal((each, MODEL.dim)))
            )
            library.ingest.finish(document.document_id, ReadingDone())
        drain(library.maintenance.run())
    return folder


def test_the_first_view_of_a_large_library_reads_few_rows(large: Path) -> None:
    with watched() as watch:
        with LocalLibrary.open(large, tail_rows=50_000) as library:
            assert watch.rows < 30
            info = library.info()
            assert (info.sentences, info.searchable, info.documents) == (SENTENCES, SENTENCES, DOCUMENTS)
            assert watch.rows < 60
            assert len(library.documents.fetch(limit=50)) == 50
            assert watch.rows < 120
            library.search.nearest(vector_of("query"), 10)
            assert watch.rows < 120 + 1.1 * TAIL, "the first search reads only the tail"
        assert watch.scans() == []


def test_a_search_reads_only_the_rows_it_shows(large: Path) -> None:
    with LocalLibrary.open(large, tail_rows=50_000) as library:
        library.search.nearest(vector_of("warm"), 10)
        library.document_ranking.nearest_documents(vector_of("warm"), 10)
    with watched() as watch, LocalLibrary.open(large, tail_rows=50_000) as library:
        library.search.nearest(vector_of("warm"), 10)
        before = watch.rows
        found = library.search.nearest(vector_of("query"), 10)
        assert watch.rows - before < 60
        before = watch.rows
        assert len(library.search.hits(found)) == 10
        assert watch.rows - before < 30
        before = watch.rows
        inside = Scope(paths=(path("3/13.txt"),))
        assert len(library.search.nearest(vector_of("query"), 10, scope=inside)) == 10
        assert watch.rows - before < 320, "a document's own sentences"
        before = watch.rows
        assert next(iter(library.sentences.occurrences(batch=10)))
        assert watch.rows - before < 520
        before = watch.rows
        assert len(library.documents.find("77.txt")) == 1
        assert len(library.documents.fetch(after_id=50, limit=20, state="ready")) == 20
        assert library.ingest.without_vector(["Sentence 1 of document 1.", "New."]) == ["New."]
        assert watch.rows - before < 40
        library.document_ranking.nearest_documents(vector_of("query"), 10)
        before = watch.rows
        library.document_ranking.nearest_documents(vector_of("other"), 10)
        assert watch.rows - before < 6_000, "the sentences of documents that may rank"
        assert watch.scans() == []


def test_changes_touch_only_their_own_rows(large: Path) -> None:
    with watched() as watch, LocalLibrary.open(large, tail_rows=50_000) as library:
        library.search.nearest(vector_of("warm"), 10)
        before = watch.rows
        (document,) = library.documents.add([FileRef(path("new.txt"), 1, 1)])
        own = [f"New sentence {number}." for number in range(50)]
        library.ingest.begin(document.document_id, head("new"))
        library.ingest.append(
            document.document_id, spans_of(own), own, unit(np.random.default_rng(1).standard_normal((50, 32)))
        )
        library.ingest.finish(document.document_id, ReadingDone())
        library.documents.remove([document.document_id])
        library.documents.restore([document.document_id])
        library.documents.remove([document.document_id])
        drain(library.maintenance.purge())
        assert watch.rows - before < 500
        assert watch.scans() == []


def test_a_filter_that_leaves_twenty_gives_all_of_them_ranked_exactly(large: Path) -> None:
    with LocalLibrary.open(large, tail_rows=50_000) as library:
        (document,) = library.documents.add([FileRef(path("few.md"), 1, int(2e18))])
        own = [f"Few sentence {number}." for number in range(20)]
        rows = unit(np.random.default_rng(3).standard_normal((20, MODEL.dim)))
        library.ingest.begin(document.document_id, head("few"))
        library.ingest.append(document.document_id, spans_of(own), own, rows)
        library.ingest.finish(document.document_id, ReadingDone())
        query = vector_of("query")
        ranked = [own[at] for at in np.argsort(-(rows @ query), kind="stable")]
        scopes = (
            Scope(paths=(path("few.md"),)),
            Scope(kinds=frozenset({"md"})),
            Scope(after=1.5e9),
            Scope(after=1.5e9, titles=("few",), folders=("papers",), types=frozenset({"text"})),
        )
        for scope in scopes:
            found = library.search.nearest(query, 1000, scope=scope)
            assert [hit.text for hit in library.search.hits(found, scope=scope)] == ranked
        library.documents.remove([document.document_id])
        drain(library.maintenance.purge())


def test_truncated_sentences_are_recounted_without_reading_every_place(large: Path) -> None:
    with watched() as watch, LocalLibrary.open(large, tail_rows=50_000) as library:
        with library._database.write_transaction() as connection:
            recount_truncated(connection)
        assert watch.scans() == [], "a switch of models waits for it in one transaction"
