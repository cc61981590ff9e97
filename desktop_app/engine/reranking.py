"""Hits in a new order: a model that reads query and sentence at once looks at the best of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core.jobs import Job, Lane, Progress, Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.ports import PairScorer
    from desktop_app.core.records import Hit
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.requests import SearchResult

LOOKED_AT = 50
"""Hits of a search that are judged anew: a pass each, about as long as that many sentences take to be embedded."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """Hits in a new order, and the judge's score of each, 0 to 1; the hits keep their cosines."""

    hits: tuple[Hit, ...]
    scores: tuple[float, ...]


class Reranking:
    """Orders hits anew; keeps the model that it was asked for last.

    Args:
        engine: runs the jobs.
        load: loads the model in a folder, or of a name.
    """

    def __init__(self, engine: Engine, load: Callable[[str], PairScorer]) -> None:
        self._engine = engine
        self._load = load
        self._scorer: tuple[str, PairScorer] | None = None

    def rerank(self, result: SearchResult, model: str, top_k: int) -> Job[Reranked]:
        """Return the `top_k` hits of a search that belong to its query most.

        Args:
            result: of a search; its hits are judged, all of them.
            model: name or folder of the model that judges.
            top_k: how many to return.
        """
        return self._engine.submit("rerank", lambda: self._rerank(result, model, top_k), lane=Lane.FRONT)

    def _rerank(self, result: SearchResult, model: str, top_k: int) -> Steps[Reranked]:
        if self._scorer is None or self._scorer[0] != model:
            yield Progress("opening")
            self._scorer = (model, self._load(model))
        scorer = self._scorer[1]
        # What is looked for in words, without conditions and marks.
        query = " ".join(result.understood.like) or result.query
        scores = [0.0] * len(result.hits)
        done = 0
        for places, found in scorer.score_batches([(query, hit.text) for hit in result.hits]):
            for place, score in zip(places, found, strict=True):
                scores[place] = float(score)
            done += len(places)
            yield Progress("judging", done, len(result.hits), "sentences")
        order = sorted(range(len(scores)), key=lambda place: -scores[place])[:top_k]
        hits = tuple(replace(result.hits[place], rank=rank) for rank, place in enumerate(order, start=1))
        return Reranked(hits, tuple(scores[place] for place in order))
