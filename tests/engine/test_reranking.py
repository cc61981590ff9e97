"""Reranking the hits of a search with a model that scores pairs."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from desktop_app.core.errors import Cancelled, ModelMissing
from desktop_app.core.jobs import Lane
from desktop_app.core.query import parse_query
from desktop_app.core.records import Hit, Place, ScoredSentence
from desktop_app.engine.engine import Engine
from desktop_app.engine.requests import SearchResult
from desktop_app.engine.reranking import RERANK_DEPTH, RerankingService
from tests.patience import PATIENCE_S

from .fakes import make_context


class Lengths:
    """Finds that a short sentence belongs to any query."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score_batches(self, pairs):  # noqa: ANN201
        self.asked += pairs
        for start in range(0, len(pairs), 2):
            part = pairs[start : start + 2]
            yield list(range(start, start + len(part))), np.array([1 / len(text) for _, text in part])


@pytest.fixture
def engine():  # noqa: ANN201
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()


def hit(rank: int, text: str) -> Hit:
    places = (Place(None, 0, 1, "char"),)
    return Hit(rank, 0.9 - rank / 10, rank, text, "", "", 1, "T", "t.txt", "text", rank, "sentence", places)


def test_hits_take_the_models_order_and_it_is_loaded_once(engine) -> None:
    judge, loaded = Lengths(), []

    def load(name: str) -> Lengths:
        loaded.append(name)
        return judge

    hits = tuple(hit(rank, "x" * length) for rank, length in enumerate((9, 3, 6, 12), start=1))
    result = SearchResult("a query", "both", (), hits, 4, 0.1)
    reranking = RerankingService(make_context(engine, load_scorer=load))
    found = reranking.rerank(result, "judge", 3).wait(PATIENCE_S)
    assert [len(each.text) for each in found.hits] == [3, 6, 9]
    assert [each.rank for each in found.hits] == [1, 2, 3]
    assert found.scores == pytest.approx((1 / 3, 1 / 6, 1 / 9))
    assert found.hits[0].score == hits[1].score  # the cosine does not change
    assert {query for query, _ in judge.asked} == {"a query"}
    judge.asked.clear()
    reranking.rerank(result, "judge", 1).wait(PATIENCE_S)
    assert not judge.asked  # the same query again: scored hits are not scored again
    reranking.rerank(replace(result, query="another"), "judge", 1).wait(PATIENCE_S)
    assert len(judge.asked) == 4
    assert loaded == ["judge"]


class SharedWords(Lengths):
    """Finds how many words of the query a sentence has."""

    def score_batches(self, pairs):  # noqa: ANN201
        yield list(range(len(pairs))), np.array([len({*query.split()} & {*text.split()}) for query, text in pairs])


def test_of_several_queries_the_best_score_counts_or_the_weakest(engine) -> None:
    hits = tuple(hit(rank, text) for rank, text in enumerate(("a c", "a b x", "x y"), start=1))
    reranking = RerankingService(make_context(engine, load_scorer=lambda _name: SharedWords()))
    for typed, scores in (("a b | x y", (2.0, 2.0, 1.0)), ("a b | x y match:all", (1.0, 0.0, 0.0))):
        result = SearchResult(typed, "both", (), hits, 3, 0.1, understood=parse_query(typed))
        assert reranking.rerank(result, "judge", 3).wait(PATIENCE_S).scores == scores


class Held(Lengths):
    """Judges a pair a pass, and each only when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Semaphore(0)
        self.passed = threading.Semaphore(0)

    def score_batches(self, pairs):  # noqa: ANN201
        for at, pair in enumerate(pairs):
            self.may.acquire()
            self.asked.append(pair)
            yield [at], np.array([1 / len(pair[1])])
            self.passed.release()


def found(lengths: tuple[int, ...], **more) -> SearchResult:  # noqa: ANN003
    hits = tuple(hit(rank, "x" * length) for rank, length in enumerate(lengths, start=1))
    nearest = tuple(ScoredSentence(each.sentence_id, each.score) for each in hits)
    return SearchResult("a query", "both", nearest, hits[:60], len(hits), 0.1, **more)


def test_the_first_hits_are_reranked_and_the_rest_follows(engine) -> None:
    lengths = (*range(80, 20, -1), 3, 2, 1)
    result = found(lengths, judged={50: False})
    ordered = (
        RerankingService(make_context(engine, load_scorer=lambda _name: Lengths()))
        .rerank_result(result, "judge")
        .wait(PATIENCE_S)
    )
    assert (ordered.reranked, ordered.reranked_by) == (RERANK_DEPTH, "lengths")
    # The 50th would be the first; but it does not answer, a person said.
    assert [each.sentence_id for each in ordered.hits] == [*range(49, 0, -1), 50, *range(51, 61)]
    assert [each.rank for each in ordered.hits] == list(range(1, 61))
    assert [near.sentence_id for near in ordered.found] == [*(each.sentence_id for each in ordered.hits), 61, 62, 63]
    assert {near.sentence_id: near.score for near in ordered.found} == {
        near.sentence_id: near.score for near in result.found
    }


def test_other_requests_wait_for_no_pass_and_the_latest_order_wins(engine) -> None:
    judge = Held()
    reranking = RerankingService(make_context(engine, load_scorer=lambda _name: judge))
    first = reranking.rerank_result(found((9, 3, 6)), "judge")
    judge.may.release()
    assert judge.passed.acquire(timeout=PATIENCE_S)  # one is judged, and the next pass is under way
    assert engine.submit("search", lambda: "at once", lane=Lane.FRONT).wait(PATIENCE_S) == "at once"
    second = reranking.rerank_result(found((4, 2)), "judge")
    with pytest.raises(Cancelled):
        first.wait(PATIENCE_S)
    for _ in range(8):
        judge.may.release()
    assert [len(each.text) for each in second.wait(PATIENCE_S).hits] == [2, 4]
    assert len(judge.asked) <= 2 + 2  # the first one's third hit was not judged any more


def test_a_model_that_cannot_be_loaded_is_explained(engine) -> None:
    def load(_name: str) -> Lengths:
        raise ModelMissing("There is no model 'judge'", "Add it.")

    with pytest.raises(ModelMissing, match="no model 'judge'"):
        RerankingService(make_context(engine, load_scorer=load)).rerank_result(found((9, 3)), "judge").wait(PATIENCE_S)
