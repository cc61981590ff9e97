"""Lists of references are left out of a search unless requested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.query import parse_query
from desktop_app.core.reader_events import SentencesRead
from desktop_app.core.scope import Scope
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_run import Searcher, parse_request
from tests.engine.fakes import script
from tests.engine.test_importing import World

CITED = "Smith, J. 2019. Tides of the northern sea."
SAID = "The tides of the northern sea are high."
BOTH = "Both of these stand in the text and in the list."


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    events = script([SAID, BOTH], [CITED, BOTH])
    for at, event in enumerate(events):
        if isinstance(event, SentencesRead):
            spans = [replace(span, kind="reference") if span.paragraph else span for span in event.spans]
            events[at] = SentencesRead(tuple(spans))
    made.write(paper=events)
    made.take_in()
    yield made
    made.library.close()


def found(world: World, query: str, mode: str, **more: bool) -> set[str]:
    request = SearchRequest(query, 10, mode=mode, **more)
    result = Searcher(world.library, lambda: world.encoder, QueryVectors(), request).search()
    assert {hit.sentence_id for hit in result.hits} == {near.sentence_id for near in result.found}
    return {hit.text for hit in result.hits}


@pytest.mark.parametrize("mode", ["meaning", "words", "both"])
def test_references_are_found_only_on_request(world: World, mode: str) -> None:
    assert CITED not in found(world, "tides of the northern sea", mode)
    assert SAID in found(world, "tides of the northern sea", mode)
    assert CITED in found(world, "tides of the northern sea with:references", mode)
    assert CITED in found(world, "tides of the northern sea", mode, references=True)


def test_a_sentence_that_is_also_in_the_text_is_found_there(world: World) -> None:
    request = SearchRequest(BOTH, 1, mode="meaning")
    (hit,) = Searcher(world.library, lambda: world.encoder, QueryVectors(), request).search().hits
    assert (hit.text, hit.kind) == (BOTH, "body")


def test_the_operator_is_not_a_word_of_the_query() -> None:
    query = parse_query("tides with:references")
    assert (query.like, query.references) == (("tides",), True)
    assert parse_query("tides with:milk").like == ("tides with:milk",)


def test_a_scope_without_references_contains_none(world: World) -> None:
    """Code that lists the sentences of a part must leave them out like a search: model comparison relies on it."""

    def texts(scope: Scope) -> set[str]:
        ids = np.concatenate([places[:, 0] for places in world.library.analysis_reader.occurrences_in_order(scope)])
        return set(world.library.analysis_reader.texts(ids.tolist()).values())

    assert texts(parse_request(SearchRequest("tides"))[1]) == {SAID, BOTH}
    assert texts(parse_request(SearchRequest("tides", references=True))[1]) == {SAID, BOTH, CITED}
