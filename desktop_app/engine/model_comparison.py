"""Compares what some searches find under the current model and under another one.

Nothing is stored. The sentences are embedded with the other model in batches, and only their cosines with the queries
are kept: a preview before the library is switched. Each search keeps its mode: what the words add is the same under
both models.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import Job, Progress, Steps
from desktop_app.core.query import KeywordQuery, clean_query
from desktop_app.core.records import ScoredSentence
from desktop_app.core.score_fusion import fuse_sentence_scores
from desktop_app.engine import embedding
from desktop_app.engine.neighbour_graph import join_pieces
from desktop_app.engine.part_search import CANDIDATES_WITH_WORDS, MIN_CANDIDATES, methods_of
from desktop_app.engine.query_understanding import understand_query
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.search import make_searcher
from desktop_app.engine.search_run import parse_request
from desktop_app.engine.throughput import ThroughputMeter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.query import Query
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.requests import SearchRequest

TOP_K = 10
_SPARE_HITS = 20  # further sentences to find, because some may not be visible any more
_BATCH_SIZE = 1024


@dataclass(frozen=True, slots=True)
class QueryResults:
    """The hits of both models for a search, best first; ranks beyond these hits are unknown."""

    search: SearchRequest
    before: tuple[Hit, ...]
    after: tuple[Hit, ...]

    @property
    def query(self) -> str:
        """The text of the search."""
        return clean_query(self.search.query)

    def rank_change(self, hit: Hit) -> int | None:
        """Return by how many places a hit of `after` has risen; negative: fallen. None: it was not found before."""
        ranks = {each.sentence_id: each.rank for each in self.before}
        return ranks[hit.sentence_id] - hit.rank if hit.sentence_id in ranks else None

    @property
    def lost_hits(self) -> tuple[Hit, ...]:
        """The hits that the other model does not find."""
        kept = {hit.sentence_id for hit in self.after}
        return tuple(hit for hit in self.before if hit.sentence_id not in kept)

    @property
    def is_empty(self) -> bool:
        """Whether neither model finds anything in the scope of the search."""
        return not self.before and not self.after

    @property
    def shared_fraction(self) -> float:
        """The share of the earlier hits that the other model finds too, 0 to 1."""
        return 1 - len(self.lost_hits) / len(self.before) if self.before else 1.0


@dataclass(frozen=True, slots=True)
class ModelComparisonReport:
    """Queries under the library's own model and another one."""

    before: str
    after: str
    queries: tuple[QueryResults, ...]
    sentences: int

    @property
    def shared_fraction(self) -> float | None:
        """The mean share of the earlier hits that the other model finds too; None if nothing was found at all."""
        shares = [each.shared_fraction for each in self.queries if not each.is_empty]
        return sum(shares) / len(shares) if shares else None


@dataclass(frozen=True, slots=True)
class _ComparedSearch:
    """A search, its parsed query and its scope."""

    search: SearchRequest
    query: Query
    scope: Scope

    def sentences(
        self, library: Library, vector: NDArray[np.float32], known: dict[Scope, NDArray[np.int64]]
    ) -> Steps[NDArray[np.int64]]:
        """Return the ids, ascending int64 [m], of the sentences that it may find.

        Args:
            library: contains the sentences.
            vector: any unit vector float32 [dim].
            known: the sentences of scopes that earlier searches used; filled.
        """
        if self.scope not in known:
            places = yield from join_pieces(
                library.analysis_reader.occurrences_in_order(self.scope), np.empty((0, 3), np.int64)
            )
            known[self.scope] = np.unique(places[:, 0])
            yield None
        ids, keyword_query = known[self.scope], self.query.keyword_query

        def find_with(words: KeywordQuery) -> NDArray[np.int64]:
            found = library.search.nearest(vector, len(ids), scope=self.scope, keyword_query=words)
            return np.fromiter((near.sentence_id for near in found), np.int64, len(found))

        if keyword_query.must:
            ids = np.sort(find_with(KeywordQuery(must=keyword_query.must)))
            yield None
        for word in keyword_query.without:  # those that have it: nearly all others do not
            ids = np.setdiff1d(ids, find_with(KeywordQuery(must=(word,))), assume_unique=True)
            yield None
        return ids

    def word_matches(self, library: Library) -> list[int]:
        """Return the best sentences by their words, in a search by words too."""
        words, keyword_query = library.keyword_search, self.query.keyword_query
        if self.search.mode == "meaning" or words.is_common(keyword_query):
            return []
        found = words.find_sentences(keyword_query, CANDIDATES_WITH_WORDS, scope=self.scope)
        return [near.sentence_id for near in found]

    def rank(
        self, library: Library, by_meaning: Sequence[ScoredSentence], by_words: Sequence[int], cosines: dict[int, float]
    ) -> list[ScoredSentence]:
        """Return one ranking of what meaning and words find, as `Searcher` does.

        Args:
            library: contains the sentences.
            by_meaning: the nearest sentences, best first.
            by_words: see `word_matches`.
            cosines: of the sentences in `by_words`.
        """
        if self.search.mode == "meaning":
            return list(by_meaning)
        score = {near.sentence_id: near.score for near in by_meaning}
        is_near = set(score)
        score |= {sentence_id: cosines[sentence_id] for sentence_id in by_words if sentence_id in cosines}
        shares = library.keyword_search.word_shares(self.query.keyword_query, list(score))
        fused = fuse_sentence_scores(list(score.values()), [shares.get(i, 0.0) for i in score])
        order = sorted(zip(fused.tolist(), score, strict=True), key=lambda pair: (-pair[0], pair[1]))
        return [ScoredSentence(i, score[i], methods_of(i in is_near, i in shares)) for _, i in order]

    def hits(self, library: Library, found: Sequence[ScoredSentence], top_k: int) -> tuple[Hit, ...]:
        """Return the rows of the first sentences found."""
        return tuple(library.search.hits(found[: top_k + _SPARE_HITS], scope=self.scope)[:top_k])


def _separate_parts(searches: Sequence[SearchRequest]) -> Iterator[SearchRequest]:
    """Yield searches, those with several queries at once as one for each query."""
    for search in searches:
        query = parse_request(search)[0]
        references = search.references or query.references
        for part in query.parts:
            yield replace(search, query=part.text, scope=query.within(search.scope), references=references)
        if not query.parts:
            yield search


class ModelComparisonService:
    """Compares models on the library.

    Args:
        context: the library, its encoder and the other model.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def run(self, searches: Sequence[SearchRequest], model: str, top_k: int = TOP_K) -> Job[ModelComparisonReport]:
        """Run searches under the library's own model and under another one.

        Each search keeps its mode, its scope and its operators; several queries at once are compared one by one. Its
        minimum score is ignored: it does not apply to
        another model's scores.

        Args:
            searches: any; those without text are left out.
            model: name or folder of the other model.
            top_k: how many hits of each.
        """
        return self._context.engine.submit(
            "compare models", lambda: self._run(searches, model, top_k), key="compare models"
        )

    def _run(self, searches: Sequence[SearchRequest], model: str, top_k: int) -> Steps[ModelComparisonReport]:
        candidates = [_ComparedSearch(search, *parse_request(search)) for search in _separate_parts(searches)]
        compared = [item for item in candidates if not item.query.is_empty]
        if not compared:
            raise UsageError("There is no query to compare the models with", "Give at least one.")
        library = self._context.open_library()
        if not library.info().searchable:
            raise NotFound("The library is empty", "Import documents first.")
        own = self._context.library_encoder()
        other = yield from self._context.other_model.load(model)
        self._context.other_model.release()  # it is held here until all is found
        before, wanted, allowed, with_words, known_words = [], [], [], [], []
        known: dict[Scope, NDArray[np.int64]] = {}
        own_vectors, other_vectors = QueryVectors(len(compared)), QueryVectors(len(compared))
        for item in compared:
            vector = own_vectors.embed_query(own, item.query)
            request = replace(item.search, top_k=top_k, page_size=top_k, min_score=-1.0)
            before.append((yield from make_searcher(self._context, request).search_steps()).hits)
            with_words.append(item.word_matches(library))
            yield None
            wanted.append(other_vectors.embed_query(other, item.query))
            known_words.append(understand_query(item.query.whole_words, other, library.keyword_search).is_known)
            yield None
            allowed.append((yield from item.sentences(library, vector, known)))
        # Words are fused with as many candidates as in `Searcher`.
        depth = max(top_k, MIN_CANDIDATES) + _SPARE_HITS
        best = yield from self._best(library, other, np.stack(wanted), allowed, with_words, depth)
        after: list[tuple[Hit, ...]] = []
        for item, by_words, (near, cosines), own_hits, is_known in zip(
            compared, with_words, best, before, known_words, strict=True
        ):
            ranking = item.rank(library, near if is_known else [], by_words, cosines)
            # A search by words alone uses no model.
            after.append(own_hits if item.search.mode == "words" else item.hits(library, ranking, top_k))
            yield None
        results = tuple(QueryResults(item.search, *pair) for item, *pair in zip(compared, before, after, strict=True))
        return ModelComparisonReport(own.model.name, other.model.name, results, library.info().searchable)

    def _best(
        self,
        library: Library,
        encoder: Encoder,
        wanted: NDArray[np.float32],
        allowed: Sequence[NDArray[np.int64]],
        with_words: Sequence[Sequence[int]],
        top_k: int,
    ) -> Steps[list[tuple[list[ScoredSentence], dict[int, float]]]]:
        """Return for each query, unit vectors float32 [q, dim], the nearest sentences by `encoder`, best first.

        And the cosines of the sentences in `with_words`. Only the sentences in `allowed`, ascending int64 [m] for each
        query, count.
        """
        total = library.info().searchable
        ids = np.empty((len(wanted), 0), np.int64)
        scores = np.empty((len(wanted), 0), np.float32)
        of_words: list[dict[int, float]] = [{} for _ in wanted]
        done = 0
        meter = ThroughputMeter(0)

        def progress(count: int) -> Progress:
            rate = meter.rate(done + count)
            left = max(total - done - count, 0) / rate if rate else None
            return Progress("comparing", done + count, total, "sentences", sentences_per_s=rate, remaining_s=left)

        # Not those of `vectors`: while the library switches models, it may end before all sentences were read.
        nodes = yield from join_pieces(library.analysis_reader.nodes(), np.empty(0, np.int64))
        nodes = yield from run_in_thread(lambda: np.sort(nodes))
        for start in range(0, len(nodes), _BATCH_SIZE):
            texts = library.analysis_reader.texts(nodes[start : start + _BATCH_SIZE].tolist())
            # A repeated text has one id, so the texts are distinct.
            steps = embedding.embed_distinct(
                encoder, list(texts.values()), self._context.engine.is_user_active, progress
            )
            vectors = yield from steps
            found = np.fromiter(texts, np.int64, len(texts))
            ids = np.concatenate([ids, np.broadcast_to(found, (len(wanted), len(found)))], axis=1)
            new = wanted @ vectors.T
            # Most searches have the same scope.
            is_excluded = {id(among): ~np.isin(found, among) for among in allowed}
            for row, among, words, cosines in zip(new, allowed, with_words, of_words, strict=True):
                if words:
                    cosines |= {int(found[at]): float(row[at]) for at in np.flatnonzero(np.isin(found, list(words)))}
                row[is_excluded[id(among)]] = -np.inf
            scores = np.concatenate([scores, new], axis=1)
            kept = np.argsort(-scores, axis=1, kind="stable")[:, :top_k]
            ids, scores = np.take_along_axis(ids, kept, 1), np.take_along_axis(scores, kept, 1)
            done += len(found)
            yield progress(0)
        nearest = [
            [ScoredSentence(int(each), float(score)) for each, score in zip(*row, strict=True) if score > -np.inf]
            for row in zip(ids, scores, strict=True)
        ]
        return list(zip(nearest, of_words, strict=True))
