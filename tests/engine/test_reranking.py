"""Hits in a new order: a judge of pairs looks at what a search found."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.records import Hit, Place
from desktop_app.engine.engine import Engine
from desktop_app.engine.requests import SearchResult
from desktop_app.engine.reranking import Reranking


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


def test_the_judges_order_is_taken_and_the_model_loaded_once(engine) -> None:
    judge, loaded = Lengths(), []

    def load(name: str) -> Lengths:
        loaded.append(name)
        return judge

    hits = tuple(hit(rank, "x" * length) for rank, length in enumerate((9, 3, 6, 12), start=1))
    result = SearchResult("a query", "both", (), hits, 4, 0.1)
    reranking = Reranking(engine, load)
    found = reranking.rerank(result, "judge", 3).wait(10)
    assert [len(each.text) for each in found.hits] == [3, 6, 9]
    assert [each.rank for each in found.hits] == [1, 2, 3]
    assert found.scores == pytest.approx((1 / 3, 1 / 6, 1 / 9))
    assert found.hits[0].score == hits[1].score  # the cosine stays what it is
    assert {query for query, _ in judge.asked} == {"a query"}
    reranking.rerank(result, "judge", 1).wait(10)
    assert loaded == ["judge"]
