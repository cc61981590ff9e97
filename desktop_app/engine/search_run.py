"""Answers a search request: by meaning, by words, or by both."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.messages import Message
from desktop_app.core.query import KeywordQuery, Query, clean_query, parse_query
from desktop_app.core.records import DocumentHit, ScoredSentence
from desktop_app.core.scope import Scope
from desktop_app.core.score_fusion import fuse_document_scores, fuse_sentence_scores, mix_word_scores
from desktop_app.engine import hit_annotation
from desktop_app.engine.calibration import add_percentiles
from desktop_app.engine.query_understanding import QueryUnderstanding, understand_query
from desktop_app.engine.relevance_feedback import (
    EXPANSION_DOCUMENTS,
    EXPANSION_SENTENCES,
    MIN_DOCUMENTS_FOR_FEEDBACK,
    apply_judgements,
    apply_pseudo_feedback,
    choose_expansion_words,
    demote_rejected,
    weigh_expansion_words,
)
from desktop_app.engine.requests import DocumentSearchResult, SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.calibration import Calibrator
    from desktop_app.engine.query_vectors import QueryVectors
    from desktop_app.engine.requests import SearchRequest

    Vector = NDArray[np.float32]
    RankedDocument = tuple[int, float, Sequence[ScoredSentence]]

MIN_CANDIDATES = 200
"""At least this many of each ranking are fused."""

CANDIDATES_WITH_WORDS = 300
_DOCUMENT_CANDIDATES = 300
_DEMOTED_AMONG = 200

_DOCUMENTS_WITH_WORDS = 2000
_EXCLUDED_KINDS = frozenset({"reference"})
"""Kinds of paragraphs that are searched only on request."""
_MEANING, _WORDS, _BOTH = ("meaning",), ("words",), ("meaning", "words")


def methods_of(by_meaning: bool, by_words: bool) -> tuple[str, ...]:
    """Return the searches that found a sentence, as in `ScoredSentence.matched_by`."""
    return (_BOTH if by_words else _MEANING) if by_meaning else _WORDS


def parse_request(request: SearchRequest) -> tuple[Query, Scope]:
    """Return the parsed query of a request, and the scope in which to look."""
    text = clean_query(request.query)
    query = parse_query(text) if request.has_operators else Query(text, (text,) if text else ())
    scope = query.within(request.scope)
    return query, scope if request.references or query.references else replace(scope, without=_EXCLUDED_KINDS)


def _remark_on_file_dates(undated: int, older: int) -> list[Message]:
    remarks = []
    if undated:
        remarks.append(Message("{count} documents have no date of their own: their file date counts.", count=undated))
    if older:
        remarks.append(Message("{count} of them may get one when they are read again.", count=older))
    return remarks


class Searcher:
    """Answers one request.

    Args:
        library: where to look.
        encoder: returns the library's encoder; not called for a search by words.
        vectors: of the latest queries.
        request: the search.
        calibrator: knows what a score means; None: percentiles are not needed.
    """

    def __init__(
        self,
        library: Library,
        encoder: Callable[[], Encoder],
        vectors: QueryVectors,
        request: SearchRequest,
        calibrator: Calibrator | None = None,
    ) -> None:
        self._library = library
        self._encoder = encoder
        self._vectors = vectors
        self._request = request
        self._calibrator = calibrator
        self._query, self._scope = parse_request(request)
        if self._scope.dated_after or self._scope.dated_before:
            remarks = _remark_on_file_dates(*library.documents.count_file_dates(self._scope))
            self._query = replace(self._query, remarks=(*self._query.remarks, *remarks))
        self._keyword_query = self._query.keyword_query

    def search(self) -> SearchResult:
        """Return the sentences found; none for a query without text, or an empty library."""
        return run_to_completion(self.search_steps())

    def search_steps(self) -> Steps[SearchResult]:
        """Find sentences step by step; a newer query can cancel the search between steps."""
        started = time.perf_counter()
        request, query, library = self._request, self._query, self._library
        found: list[ScoredSentence] = []
        # Each step sees one state, in one transaction; visibility may change between them.
        with library.read_transaction():
            is_answerable = bool(self._searchable) and not query.is_empty
            mode = self._mode
            is_embedded = is_answerable and mode != "words" and self._known
            if is_embedded:
                self._embed()
        if is_embedded:
            yield None
        if is_answerable:
            methods = {"meaning": self._by_meaning, "words": self._by_words, "both": self._by_both}
            with library.read_transaction():
                found = methods[mode]()
            yield None
        with library.read_transaction():
            has_more = is_answerable and len(found) >= request.top_k
            found = self._demote_garbled(demote_rejected(found, self._judged))
            found, hits, copies, chance = self._rows(found)
        seconds = time.perf_counter() - started
        return SearchResult(
            query.text,
            mode,
            tuple(found),
            tuple(hits),
            self._searchable,
            seconds,
            self._scope,
            query,
            chance,
            self._known,
            self._understanding.language,
            request,
            has_more,
            copies,
            self._judged,
        )

    def _demote_garbled(self, found: list[ScoredSentence]) -> list[ScoredSentence]:
        """Return a ranking in which badly recognised text and ciphers come last among the first results.

        To a model they are near to nothing and to everything, so nonsense would find them first. Search by words finds
        them by their letters.
        """
        if self._request.mode == "words" or not found:
            return found
        head = found[:_DEMOTED_AMONG]
        ids = np.array([near.sentence_id for near in head], np.int64)
        scope = replace(self._scope, without=self._scope.without | {"garbled"})
        order = np.argsort(~self._library.search.find_visible(ids, scope), kind="stable")
        return [*(head[at] for at in order.tolist()), *found[_DEMOTED_AMONG:]]

    def _rows(
        self, found: list[ScoredSentence]
    ) -> tuple[list[ScoredSentence], list[Hit], dict[int, tuple[int, ...]], float | None]:
        """Return the ranking without near copies, its first rows, the copies, and the cosine of chance."""
        request = self._request
        by_meaning = self._mode != "words"
        copies: dict[int, tuple[int, ...]] = {}
        if request.fold_copies:
            found, copies = hit_annotation.fold_near_copies(self._library, found)
        hits = self._library.search.hits(found[: request.page_size], scope=self._scope)
        hits = hit_annotation.annotate_hits(self._library, hits, self._query.text, copies, by_meaning=by_meaning)
        if self._mode == "both":
            hits = hit_annotation.explain_order(hits, found, self._keyword_query)
        if not found or not by_meaning or self._calibrator is None:
            return found, hits, copies, None
        calibration = self._calibrator.calibration_of(self._library, self._searchable)
        return (
            found,
            add_percentiles(hits, calibration),
            copies,
            calibration.chance if calibration is not None else None,
        )

    @cached_property
    def _searchable(self) -> int:
        return self._library.info().searchable

    @cached_property
    def _understanding(self) -> QueryUnderstanding:
        """Whether the model can embed the query: for others it would find the same sentences, whatever they say."""
        if self._request.mode == "words" or self._query.is_empty or not self._searchable:
            return QueryUnderstanding(True)
        return understand_query(self._query.like, self._encoder(), self._library.keyword_search)

    @property
    def _known(self) -> bool:
        return self._understanding.is_known

    @property
    def _mode(self) -> SearchMode:
        """How to search: of both ways, a query that the model does not know leaves the words."""
        mode = self._request.mode
        return "words" if mode == "both" and not self._known else mode

    @cached_property
    def _judged(self) -> dict[int, bool]:
        """A person's judgements of sentences that this query found before."""
        if not self._request.use_feedback or self._query.is_empty:
            return {}
        judgements = self._library.user_data.judgements(self._query.text)
        return {each.sentence_id: each.is_relevant for each in judgements}

    def _embed(self) -> None:
        """Compute the query's vector, and look up its words at the same time if they are needed."""
        encoder = self._encoder()
        if self._request.mode == "both" and not self._is_common:
            self._vectors.embed_ahead(encoder, self._query)
            try:
                _ = self._word_matches, self._judged
            finally:
                self._vectors.embed_query(encoder, self._query)
        else:
            self._vectors.embed_query(encoder, self._query)

    @cached_property
    def _is_common(self) -> bool:
        """Whether the words occur in so many sentences that they add no candidates of their own, only to scores."""
        return self._library.keyword_search.is_common(self._keyword_query)

    @cached_property
    def _word_matches(self) -> tuple[list[ScoredSentence], float]:
        """The sentences with the words, and the score of a sentence of usual length with all of them."""
        words = self._library.keyword_search
        found = words.find_sentences(self._keyword_query, CANDIDATES_WITH_WORDS, scope=self._scope)
        return found, words.weight(self._keyword_query) if found else 0.0

    @property
    def _vector(self) -> Vector:
        return self._vectors.embed_query(self._encoder(), self._query)

    @cached_property
    def _ranking_vector(self) -> Vector:
        """The query's vector, moved by the judgements of its hits."""
        if not self._judged:
            return self._vector
        return apply_judgements(self._vector, self._judged, self._library.search.vectors(list(self._judged)))

    def _nearest(self, top_k: int, min_score: float = -1.0) -> tuple[list[ScoredSentence], dict[int, float]]:
        """Return the nearest sentences in the order of their ranking, with their cosines to the typed query.

        And the cosines that ranked them, by sentence: they differ only if the query was moved.
        """
        if not self._known:
            return [], {}
        vector = self._ranking_vector
        least = min_score if not self._judged else -1.0
        found = self._library.search.nearest(
            vector, top_k, scope=self._scope, min_score=least, keyword_query=self._keyword_query
        )
        ranked = {near.sentence_id: near.score for near in found}
        if not self._judged:
            return found, ranked
        typed = self._library.search.scores(self._vector, list(ranked))
        kept = [replace(near, score=typed.get(near.sentence_id, near.score)) for near in found]
        return [near for near in kept if near.score >= min_score], ranked

    def _by_meaning(self) -> list[ScoredSentence]:
        return self._nearest(self._request.top_k, self._request.min_score)[0]

    def _by_words(self) -> list[ScoredSentence]:
        found = self._library.keyword_search.find_sentences(self._keyword_query, self._request.top_k, scope=self._scope)
        return [replace(near, matched_by=("words",)) for near in found]

    def _by_both(self) -> list[ScoredSentence]:
        """Return what either way finds, in one ranking; every score is the cosine."""
        vector = self._vector
        wanted = max(self._request.top_k, MIN_CANDIDATES)
        by_meaning, ranked = self._nearest(wanted)
        cosine = {near.sentence_id: near.score for near in by_meaning}
        if by_meaning and self._is_common:
            bm25 = self._library.keyword_search.score_among(self._keyword_query, list(cosine))
            full_weight = self._library.keyword_search.weight(self._keyword_query)
        else:
            by_words, full_weight = self._word_matches
            bm25 = {near.sentence_id: near.score for near in by_words}
        others = self._library.search.scores(vector, [sentence_id for sentence_id in bm25 if sentence_id not in cosine])
        ids = [*cosine, *others]
        score = cosine | others
        if self._judged:
            ranked |= self._library.search.scores(self._ranking_vector, list(others))
        else:
            ranked = score
        fused = fuse_sentence_scores([ranked[i] for i in ids], [bm25.get(i, 0.0) for i in ids], full_weight)
        near = (at for at in range(len(ids)) if score[ids[at]] >= self._request.min_score)
        order = sorted(near, key=lambda at: (-fused[at], ids[at]))
        return [
            ScoredSentence(i, score[i], methods_of(i in cosine, i in bm25))
            for i in (ids[at] for at in order[: self._request.top_k])
        ]

    def document_search_steps(self) -> Steps[DocumentSearchResult]:
        """Find documents, each with its best sentences, step by step as `search_steps` does."""
        started = time.perf_counter()
        query = self._query
        ranked: list[RankedDocument] = []
        if not query.is_empty and self._searchable:
            if self._mode != "words" and self._known:
                self._vectors.embed_query(self._encoder(), query)
                yield None
            methods = {
                "meaning": self._documents_by_meaning,
                "words": self._documents_by_words,
                "both": self._documents_by_both,
            }
            ranked = methods[self._mode](self._narrow_scope())
        hits: list[DocumentHit] = []
        for document_id, score, best in ranked:
            document = self._library.documents.get(document_id)
            inside = Scope(document_ids=frozenset({document_id}))
            rows = tuple(self._library.search.hits(best, scope=inside)) if best else ()
            hits.append(DocumentHit(len(hits) + 1, score, document_id, document.title, document.path, rows))
            yield None
        seconds = time.perf_counter() - started
        return DocumentSearchResult(
            query.text, self._mode, tuple(hits), seconds, self._known, self._understanding.language, query.remarks
        )

    def grouped_search_steps(self) -> Steps[SearchResult]:
        """Find documents, and return their best sentences as hits: document by document, the best first."""
        found = yield from self.document_search_steps()
        request = self._request
        searchable = self._searchable
        best = [hit for document in found.hits for hit in document.best]
        if found.mode == "both":
            matching = self._library.keyword_search.score_among(self._keyword_query, [hit.sentence_id for hit in best])
            best = [replace(hit, matched_by=_BOTH if hit.sentence_id in matching else _MEANING) for hit in best]
        hits = hit_annotation.annotate_hits(self._library, best, found.query, {}, by_meaning=found.mode != "words")
        if found.mode != "words" and self._calibrator is not None:
            hits = add_percentiles(hits, self._calibrator.calibration_of(self._library, searchable))
        return SearchResult(
            found.query,
            found.mode,
            tuple(ScoredSentence(hit.sentence_id, hit.score, hit.matched_by) for hit in hits),
            tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)),
            searchable,
            found.seconds,
            self._scope,
            self._query,
            is_query_known=found.is_query_known,
            foreign_language=found.foreign_language,
            request=request,
            has_more=len(found.hits) >= request.top_k,
            documents=found.hits,
        )

    def _narrow_scope(self) -> Scope:
        """Return the scope without documents that the words rule out, wherever in them these occur."""
        matching = self._library.keyword_search.filter_documents(self._keyword_query)
        if matching is None:
            return self._scope
        own = self._scope.document_ids
        return replace(self._scope, document_ids=matching if own is None else own & matching)

    def _documents_by_meaning(self, scope: Scope) -> list[RankedDocument]:
        if not self._known:
            return []
        ranked = self._library.document_ranking.nearest_documents(
            self._vector, self._request.top_k, scope=scope, best=self._request.best
        )
        return [each for each in ranked if each[1] >= self._request.min_score]

    def _documents_by_words(self, scope: Scope) -> list[RankedDocument]:
        ranked = self._library.keyword_search.rank_documents(self._keyword_query, self._request.top_k, scope=scope)
        return [(document_id, score, self._best_by_words(document_id)) for document_id, score in ranked]

    def _best_by_words(self, document_id: int) -> list[ScoredSentence]:
        if not self._request.best:
            return []
        # The words that a document must have may be in different sentences.
        words = replace(self._keyword_query, must=(), without=())
        inside = Scope(document_ids=frozenset({document_id}))
        found = self._library.keyword_search.find_sentences(words, self._request.best, scope=inside)
        return [replace(near, matched_by=("words",)) for near in found]

    def _documents_by_both(self, scope: Scope) -> list[RankedDocument]:
        vector = self._vector
        wanted = max(self._request.top_k, _DOCUMENT_CANDIDATES)
        by_meaning = (
            self._library.document_ranking.nearest_documents(vector, wanted, scope=scope, best=self._request.best)
            if self._known
            else []
        )
        bm25 = dict(
            self._library.keyword_search.rank_documents(self._keyword_query, _DOCUMENTS_WITH_WORDS, scope=scope)
        )
        known = {document_id for document_id, _, _ in by_meaning}
        others = [document_id for document_id in list(bm25)[:wanted] if document_id not in known]
        both = [*by_meaning, *self._library.document_ranking.score_documents(vector, others, best=self._request.best)]
        both = [each for each in both if each[1] >= self._request.min_score]
        words = [bm25.get(document_id, 0.0) for document_id, _, _ in both]
        meaning = [score for _, score, _ in both]
        fused = fuse_document_scores(meaning, words)
        if len(both) >= MIN_DOCUMENTS_FOR_FEEDBACK:
            means = self._library.document_ranking.mean_vectors([document_id for document_id, _, _ in both])
            moved = apply_pseudo_feedback(vector, means, meaning, fused)
            fused = fuse_document_scores(moved, self._expand_words([each[0] for each in both], words, fused, scope))
        order = sorted(range(len(both)), key=lambda at: (-fused[at], both[at][0]))
        return [(both[at][0], float(fused[at]), both[at][2]) for at in order[: self._request.top_k]]

    def _expand_words(
        self, document_ids: Sequence[int], words: Sequence[float], joint: NDArray[np.float64], scope: Scope
    ) -> NDArray[np.float64]:
        """Return the documents' scores by the query's words and by those that the best of them add: float64 [n].

        Args:
            document_ids: the candidates.
            words: BM25 of each.
            joint: score of each by meaning and words.
            scope: where the candidates are.
        """
        library = self._library
        best = np.argsort(-joint, kind="stable")[:EXPANSION_DOCUMENTS].tolist()
        rows = library.document_ranking.score_documents(
            self._vector, [document_ids[at] for at in best], best=EXPANSION_SENTENCES
        )
        texts = library.analysis_reader.texts([near.sentence_id for _, _, own in rows for near in own])
        place = {document_ids[at]: at for at in best}
        expansion = weigh_expansion_words(
            [" ".join(texts[near.sentence_id] for near in own if near.sentence_id in texts) for _, _, own in rows],
            [float(joint[place[document_id]]) for document_id, _, _ in rows],
        )
        rarities = library.keyword_search.document_rarities(list(expansion.weights))
        chosen = KeywordQuery(choose_expansion_words(expansion.weights, rarities))
        added = dict(library.keyword_search.rank_documents(chosen, _DOCUMENTS_WITH_WORDS, scope=scope))
        return mix_word_scores(words, [added.get(each, 0.0) for each in document_ids], expansion.share)
