"""A search asks a server at most twice, and answers as if it had asked for each thing when it needed it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.look_ahead import look_no_further
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.scope import Scope
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import DocumentSearchResult, SearchRequest, SearchResult
from desktop_app.engine.search_run import Searcher
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.documents import STATES
from desktop_app.shared_store.library import SharedLibrary
from tests.engine.fakes import HashingEncoder
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire
from tests.store.helpers import add, head, spans_of

ENCODER = HashingEncoder()
WORDS = [
    *("sea", "ice", "melts", "slowly", "under", "the", "warm", "summer", "sun", "while", "old", "ships", "wait"),
    *("for", "wind", "and", "rain", "in", "harbours"),
]


def made_sentences(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=8)) + f" {seed} {at}." for at in range(count)]


def put(library: SharedLibrary, name: str, own: list[str]) -> int:
    document_id = add(library, name)
    library.ingest.begin(document_id, head(name))
    library.ingest.append(document_id, spans_of(own), own, ENCODER.encode(own))
    library.ingest.finish(document_id, ReadingDone())
    return document_id


@pytest.fixture(scope="module")
def filled(shared_libraries: SharedLibraries) -> Iterator[SharedLibrary]:
    """A library with vectors in a graph and in the tail, a removed document and one that repeats another.

    One for all tests of the file, which leave it as it was: it takes longer to fill than all searches.
    """
    with shared_libraries.open("sessions", tail_rows=50) as library:
        library.models.bind(ENCODER.model)
        for number in range(6):
            put(library, f"{number}.txt", made_sentences(number, 40))
        run_to_completion(library.maintenance.run())
        put(library, "copy.txt", [*made_sentences(1, 10), *made_sentences(7, 10)])
        library.documents.remove([put(library, "gone.txt", made_sentences(8, 20))])
        for number in range(40):
            put(library, f"more {number}.txt", made_sentences(100 + number, 3))
        yield library
    shared_libraries.reset()


@pytest.fixture
def plain(shared_libraries: SharedLibraries, filled: SharedLibrary) -> Iterator[SharedLibrary]:
    """The same library in a session that reads nothing ahead."""
    with shared_libraries.open("sessions") as library:
        library.look_ahead = look_no_further
        yield library


@pytest.fixture
def behind_wire(shared_libraries: SharedLibraries, filled: SharedLibrary, wire: SlowWire) -> Iterator[SharedLibrary]:
    """The same library in a session whose round trips are counted."""
    address = replace(shared_libraries.address("sessions"), port=wire.port)
    with SharedLibrary.open(address, shared_libraries.server.password) as library:
        yield library


def search(library: SharedLibrary, query: str, mode: str, **more: object) -> SearchResult:
    request = SearchRequest(query, top_k=30, page_size=8, mode=mode, fold_copies=True, use_feedback=True, **more)
    result = Searcher(library, lambda: ENCODER, QueryVectors(), request).search()
    return replace(result, seconds=0.0)


SEARCHES = [
    ("ice melts under the sun", "meaning", Scope()),
    ("ice melts under the sun", "words", Scope()),
    ("ice melts under the sun", "both", Scope()),
    (made_sentences(1, 3)[2], "both", Scope()),
    ("old ships", "both", Scope(document_ids=frozenset({1, 2}))),
    ("old ships wait", "words", Scope(document_ids=frozenset({3}))),
    ("nowhere", "words", Scope()),
    ("ice | ships in harbours", "both", Scope()),
    ('"old ships" -sea rain', "both", Scope()),
    ("-summer rain in harbours", "both", Scope()),
    ("-summer rain in harbours", "meaning", Scope(document_ids=frozenset({1, 2}))),
    ('"ships wait" harb* OR "under the warm"', "both", Scope()),
    ("harbo* slowly", "words", Scope()),
    ('"Old SHIPS" -"warm sun" -harb* wind', "meaning", Scope()),
]


def test_reading_ahead_changes_no_answer(filled: SharedLibrary, plain: SharedLibrary) -> None:
    judged = search(filled, "summer rain", "both").hits[0]
    filled.user_data.judge("ice melts under the sun", judged.sentence_id, True)
    for query, mode, scope in SEARCHES:
        ahead, later = (search(library, query, mode, scope=scope) for library in (filled, plain))
        assert ahead.hits or query == "nowhere"
        assert [hit.score for hit in ahead.hits] == pytest.approx([hit.score for hit in later.hits])
        assert ahead.copies == later.copies
        rounded = [tuple(replace(hit, score=0.0, part_scores=()) for hit in result.hits) for result in (ahead, later)]
        assert rounded[0] == rounded[1]
        assert [near.sentence_id for near in ahead.found] == [near.sentence_id for near in later.found]
    filled.user_data.judge("ice melts under the sun", judged.sentence_id, None)


@pytest.mark.parametrize("mode", ["meaning", "words", "both"])
def test_a_search_takes_two_round_trips(behind_wire: SharedLibrary, wire: SlowWire, mode: str) -> None:
    for query in ("slow ships", "ice melts slowly under the warm sun", '"old ships" rain', "-summer harb* wind"):
        search(behind_wire, query, mode)  # the connection learns partitions and the width of searches
        with wire.counting() as trips:
            assert search(behind_wire, query + " while old", mode).hits
        assert 0 < trips() <= 2


def find_documents(library: SharedLibrary, query: str, mode: str, scope: Scope) -> DocumentSearchResult:
    request = SearchRequest(query, top_k=10, best=2, mode=mode, scope=scope)
    steps = Searcher(library, lambda: ENCODER, QueryVectors(), request).document_search_steps()
    return replace(run_to_completion(steps), seconds=0.0)


def test_reading_ahead_changes_no_ranking_of_documents(filled: SharedLibrary, plain: SharedLibrary) -> None:
    for query, mode, scope in SEARCHES:
        ahead, later = (find_documents(library, query, mode, scope) for library in (filled, plain))
        assert [hit.document_id for hit in ahead.hits] == [hit.document_id for hit in later.hits]
        assert [hit.score for hit in ahead.hits] == pytest.approx([hit.score for hit in later.hits])
        assert [hit.title for hit in ahead.hits] == [hit.title for hit in later.hits]
        for one, other in zip(ahead.hits, later.hits, strict=True):
            assert [replace(row, score=0.0) for row in one.best] == [replace(row, score=0.0) for row in other.best]


@pytest.mark.parametrize(("mode", "most"), [("meaning", 4), ("words", 4), ("both", 8)])
def test_a_ranking_of_documents_takes_few_round_trips(
    behind_wire: SharedLibrary, wire: SlowWire, mode: str, most: int
) -> None:
    for query in ("slow ships", "ice melts slowly under the warm sun", '"old ships" rain'):
        find_documents(behind_wire, query, mode, Scope())
        with wire.counting() as trips:
            assert find_documents(behind_wire, query + " while old", mode, Scope()).hits
        assert 0 < trips() <= most


def test_a_search_does_not_count_documents(filled: SharedLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be millions."""
    asked = list[str]()
    ask = SharedDatabase._ask

    def note(self: SharedDatabase, connection: Any, questions: Any, **more: Any) -> Any:
        asked.extend(statement for statement, _ in questions)
        return ask(self, connection, questions, **more)

    monkeypatch.setattr(SharedDatabase, "_ask", note)
    monkeypatch.setattr(filled, "info", None)
    assert search(filled, "ice melts under the sun", "both").hits
    assert asked
    assert STATES.statement not in asked


def test_a_change_is_seen_by_the_next_search(filled: SharedLibrary) -> None:
    query = "a lamp in the fog"
    document_id = put(filled, "passing.txt", [f"{query} is seen from afar."])
    assert search(filled, query, "both").hits[0].document_id == document_id
    filled.documents.remove([document_id])
    assert document_id not in {hit.document_id for hit in search(filled, query, "both").hits}
