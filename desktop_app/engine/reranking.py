"""Reranks the best hits with a cross-encoder.

Scoring runs in a thread of its own, so that typing never waits for a pass of the model.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core.jobs import WAITING, Job, Lane, Progress, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.ports import PairScorer
    from desktop_app.core.records import Hit
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.requests import SearchResult

RERANK_DEPTH = 50
"""Hits of a search that are reranked: one pass each, about as long as embedding that many sentences."""


@dataclass(frozen=True, slots=True)
class RerankedHits:
    """Hits in a new order, and the model's score of each, 0 to 1; the hits keep their cosines."""

    hits: tuple[Hit, ...]
    scores: tuple[float, ...]


class RerankingService:
    """Reranks hits; keeps the last model, and its scores for the last query.

    Args:
        context: the engine, and the loader of models.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._scorer: tuple[str, PairScorer] | None = None
        self._scoring: _ScoringThread | None = None
        self._scored_for: tuple[str, ...] = ()  # model and queries of the known scores
        self._known: dict[tuple[str, str], float] = {}  # by the query and the hit's text
        context.engine.at_exit(self._end)

    def rerank(self, result: SearchResult, model: str, top_k: int) -> Job[RerankedHits]:
        """Return the `top_k` hits of a search that match its query best.

        Args:
            result: of a search; all of its hits are scored.
            model: name or folder of the model.
            top_k: how many to return.
        """
        return self._context.engine.submit("rerank", lambda: self._rerank(result, model, top_k), lane=Lane.FRONT)

    def rerank_result(self, result: SearchResult, model: str) -> Job[SearchResult]:
        """Return a search with its first hits in a new order; the latest wins.

        Hits that a person judged as not relevant stay behind the others.

        Args:
            result: of a search by meaning, words or both.
            model: name or folder of the model.
        """
        return self._context.engine.submit(
            "rerank", lambda: self._order(result, model), lane=Lane.FRONT, key="rerank", by_person=False
        )

    def _rerank(self, result: SearchResult, model: str, top_k: int) -> Steps[RerankedHits]:
        scores = yield from self._score_hits(result, result.hits, model)
        order = sorted(range(len(scores)), key=lambda place: -scores[place])[:top_k]
        hits = tuple(replace(result.hits[place], rank=rank, lifted_by=()) for rank, place in enumerate(order, start=1))
        return RerankedHits(hits, tuple(scores[place] for place in order))

    def _order(self, result: SearchResult, model: str) -> Steps[SearchResult]:
        hits = result.hits[:RERANK_DEPTH]
        scores = yield from self._score_hits(result, hits, model)
        assert self._scorer is not None, "it has just scored"
        is_irrelevant = [result.judged.get(hit.sentence_id) is False for hit in hits]
        order = sorted(range(len(hits)), key=lambda place: (is_irrelevant[place], -scores[place]))
        first = tuple(replace(hits[place], rank=rank, lifted_by=()) for rank, place in enumerate(order, start=1))
        found = {near.sentence_id: near for near in result.found}
        ahead = [found.pop(hit.sentence_id) for hit in first if hit.sentence_id in found]
        return replace(
            result,
            found=(*ahead, *found.values()),
            hits=(*first, *result.hits[RERANK_DEPTH:]),
            reranked=len(first),
            reranked_by=self._scorer[1].name,
        )

    def _score_hits(self, result: SearchResult, hits: Sequence[Hit], model: str) -> Steps[list[float]]:
        """Return the score of each hit."""
        # The words to look for, without operators.
        queries = [" ".join(part.like) for part in result.understood.parts or (result.understood,)]
        queries = [query or result.query for query in queries]
        while self._scoring is not None and self._scoring.is_alive():
            yield WAITING  # a cancelled thread finishes its last pass; only one thread may use a model at a time
        self._take_over_scorer()  # it may have been loaded for a job that was cancelled
        if self._scored_for != (model, *queries):
            self._scored_for, self._known = (model, *queries), {}
        # During an import the same query is repeated often, and few of its hits are new.
        pairs = [
            pair
            for text in dict.fromkeys(hit.text for hit in hits)
            for query in queries
            if (pair := (query, text)) not in self._known
        ]
        if pairs:
            yield from self._score_pairs(model, pairs)
        combine = min if result.understood.is_match_all else max
        return [combine(self._known[query, hit.text] for query in queries) for hit in hits]

    def _score_pairs(self, model: str, pairs: list[tuple[str, str]]) -> Steps[None]:
        """Score pairs of a query and a text, and remember their scores."""
        scorer = self._scorer[1] if self._scorer is not None and self._scorer[0] == model else None
        load = self._context.setup.load_scorer
        assert load is not None, "this workspace reranks nothing"
        scoring = self._scoring = _ScoringThread(model, scorer, load, pairs)
        yield Progress("judging" if scorer is not None else "opening")
        done = 0
        try:
            scoring.start()
            while True:
                is_over = not scoring.is_alive()  # checked before the results are taken: no more come afterwards
                while scoring.found:
                    places, part = scoring.found.popleft()
                    for place, score in zip(places, part, strict=True):
                        self._known[pairs[place]] = float(score)
                    done += len(places)
                    yield Progress("judging", done, len(pairs), "sentences")
                if is_over:
                    break
                yield WAITING
        finally:
            scoring.stop()
        self._take_over_scorer()
        if scoring.error is not None:
            raise scoring.error

    def _take_over_scorer(self) -> None:
        if self._scoring is not None and self._scoring.scorer is not None:
            self._scorer = (self._scoring.model, self._scoring.scorer)

    def _end(self) -> None:
        """Wait for the last pass."""
        if self._scoring is not None and self._scoring.is_alive():
            self._scoring.stop()
            self._scoring.join()


class _ScoringThread(threading.Thread):
    """Scores pairs.

    Args:
        model: name or folder of the model.
        scorer: the model; None: it is loaded first.
        load: loads it.
        pairs: to be scored.

    Attributes:
        found: indices and scores, as they are computed.
        error: why it ended early.
    """

    def __init__(
        self, model: str, scorer: PairScorer | None, load: Callable[[str], PairScorer], pairs: list[tuple[str, str]]
    ) -> None:
        super().__init__(name="score pairs")
        self.model = model
        self.scorer = scorer
        self._load = load
        self._pairs = pairs
        self._stop_requested = threading.Event()
        self.found: deque[tuple[list[int], NDArray[np.float64]]] = deque()
        self.error: BaseException | None = None

    def stop(self) -> None:
        """End after the current pass."""
        self._stop_requested.set()

    def run(self) -> None:
        """Load the model and score the pairs."""
        try:
            scorer = self.scorer = self.scorer or self._load(self.model)
            with contextlib.closing(scorer.score_batches(self._pairs)) as batches:
                for part in batches:
                    self.found.append(part)
                    if self._stop_requested.is_set():
                        return
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self.error = error
