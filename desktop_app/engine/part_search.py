"""Ranks sentences and documents for one query, by meaning, by words or by both."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.look_ahead import ExpectedSearch
from desktop_app.core.query import KeywordQuery
from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import Scope
from desktop_app.core.score_fusion import fuse_document_scores, fuse_sentence_scores, mix_word_scores
from desktop_app.core.word_conditions import WordGroup
from desktop_app.engine.query_understanding import QueryUnderstanding, understand_query
from desktop_app.engine.relevance_feedback import (
    EXPANSION_DOCUMENTS,
    EXPANSION_SENTENCES,
    MIN_DOCUMENTS_FOR_FEEDBACK,
    apply_judgements,
    apply_pseudo_feedback,
    choose_expansion_words,
    weigh_expansion_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vector
    from desktop_app.core.library import Library
    from desktop_app.core.look_ahead import LookAhead
    from desktop_app.core.ports import Encoder
    from desktop_app.core.query import Query
    from desktop_app.core.records import SearchMode
    from desktop_app.core.word_conditions import WordCondition
    from desktop_app.engine.query_vectors import QueryVectors
    from desktop_app.engine.requests import SearchRequest

    RankedDocument = tuple[int, float, Sequence[ScoredSentence]]

MIN_CANDIDATES = 200
"""At least this many of each ranking are fused."""

CANDIDATES_WITH_WORDS = 300
DOCUMENT_CANDIDATES = 300
DOCUMENTS_WITH_WORDS = 2000
_MEANING, _WORDS, _BOTH = ("meaning",), ("words",), ("meaning", "words")


def methods_of(by_meaning: bool, by_words: bool) -> tuple[str, ...]:
    """Return the searches that found a sentence, as in `ScoredSentence.matched_by`."""
    return (_BOTH if by_words else _MEANING) if by_meaning else _WORDS


def expect_search(request: SearchRequest, query: Query, keyword_query: KeywordQuery, scope: Scope) -> ExpectedSearch:
    """Return what a search for sentences is about to ask, with one query of a request."""
    by_both = request.mode == "both"
    return ExpectedSearch(
        text=query.text if request.use_feedback else "",
        keyword_query=keyword_query,
        scope=scope,
        nearest=max(request.top_k, MIN_CANDIDATES) if by_both else request.top_k,
        matching=CANDIDATES_WITH_WORDS if by_both else request.top_k if request.mode == "words" else 0,
        rows=request.page_size,
        with_copies=request.fold_copies,
    )


class PartSearch:
    """Ranks sentences and documents for one query.

    Args:
        library: where to look.
        encoder: returns the library's encoder; not called for a search by words.
        vectors: of the latest queries.
        query: without further parts.
        request: the search that it belongs to.
        scope: the part of the library, all conditions on documents included.
        searchable: the number of sentences that a search reaches.
        judged: returns the person's judgements of sentences that the whole query found before.
        ahead: reads ahead what the library is about to be asked.
    """

    def __init__(
        self,
        library: Library,
        encoder: Callable[[], Encoder],
        vectors: QueryVectors,
        query: Query,
        request: SearchRequest,
        scope: Scope,
        searchable: int,
        judged: Callable[[], Mapping[int, bool]],
        ahead: LookAhead,
    ) -> None:
        self.query = query
        self._library = library
        self._encoder = encoder
        self._vectors = vectors
        self._request = request
        self._scope = scope
        self._searchable = searchable
        self._judged = judged
        self._ahead = ahead
        self.keyword_query = query.keyword_query
        self._with_words: dict[int, list[ScoredSentence]] = {}

    @cached_property
    def understanding(self) -> QueryUnderstanding:
        """Whether the model can embed the query: for others it would find the same sentences, whatever they say."""
        if self._request.mode == "words" or self.query.is_empty or not self._searchable:
            return QueryUnderstanding(True)
        return understand_query(self.query.whole_words, self._encoder(), self._library.keyword_search)

    @property
    def is_known(self) -> bool:
        """Whether the model can embed the query."""
        return self.understanding.is_known

    @property
    def mode(self) -> SearchMode:
        """How to search: of both ways, a query that the model does not know leaves the words."""
        mode = self._request.mode
        return "words" if mode == "both" and not self.is_known else mode

    @property
    def has_vector(self) -> bool:
        """Whether its meaning is compared."""
        return self._request.mode != "words" and self.is_known

    # Sentences

    def embed(self) -> None:
        """Compute the query's vector, and look up its words at the same time if they are needed.

        A distant library looks them up together with the nearest sentences.
        """
        encoder = self._encoder()
        if self._request.mode == "both" and not self._ahead.is_distant and not self._is_common:
            self._vectors.embed_ahead(encoder, self.query)
            try:
                _ = self._word_matches, self._judged()
            finally:
                self._vectors.embed_query(encoder, self.query)
        else:
            self._vectors.embed_query(encoder, self.query)

    def rank_sentences(self) -> tuple[list[ScoredSentence], list[float]]:
        """Return the best sentences, best first, and the scores that rank them."""
        expected = expect_search(replace(self._request, mode=self.mode), self.query, self.keyword_query, self._scope)
        self._ahead.expect_sentences(expected, self.ranking_vector if self.has_vector else None)
        if self.mode == "meaning":
            found, ranked = self.nearest(self._request.top_k, self._request.min_score)
            return found, [ranked[near.sentence_id] for near in found]
        return self._by_words() if self.mode == "words" else self._by_both()

    @cached_property
    def _is_common(self) -> bool:
        """Whether the words occur in so many sentences that they add no candidates of their own, only to scores."""
        return self._library.keyword_search.is_common(self.keyword_query)

    @cached_property
    def _word_matches(self) -> list[ScoredSentence]:
        """The best sentences by their words."""
        return self._library.keyword_search.find_sentences(self.keyword_query, CANDIDATES_WITH_WORDS, scope=self._scope)

    @cached_property
    def weight(self) -> float:
        """The BM25+ of a sentence of usual length with all words of the query."""
        return self._library.keyword_search.weight(self.query.keyword_query)

    @property
    def vector(self) -> Vector:
        """The query's unit vector: float32 [dim]."""
        return self._vectors.embed_query(self._encoder(), self.query)

    @cached_property
    def ranking_vector(self) -> Vector:
        """The query's vector, moved by the judgements of its hits."""
        judged = self._judged()
        if not judged:
            return self.vector
        return apply_judgements(self.vector, judged, self._library.search.vectors(list(judged)))

    def cosines(self, sentence_ids: Sequence[int], *, is_ranking: bool = False) -> dict[int, float]:
        """Return the cosines of sentences with the query; `is_ranking`: moved by the judgements of its hits."""
        return self._library.search.scores(self.ranking_vector if is_ranking else self.vector, sentence_ids)

    def nearest(self, top_k: int, min_score: float = -1.0) -> tuple[list[ScoredSentence], dict[int, float]]:
        """Return the nearest sentences in the order of their ranking, with their cosines to the typed query.

        And the cosines that ranked them, by sentence: they differ only if the query was moved.
        """
        if not self.is_known:
            return [], {}
        judged = self._judged()
        least = min_score if not judged else -1.0
        found = self._library.search.nearest(
            self.ranking_vector, top_k, scope=self._scope, min_score=least, keyword_query=self.keyword_query
        )
        ranked = {near.sentence_id: near.score for near in found}
        if not judged:
            return found, ranked
        typed = self.cosines(list(ranked))
        kept = [replace(near, score=typed.get(near.sentence_id, near.score)) for near in found]
        return [near for near in kept if near.score >= min_score], ranked

    def _by_words(self) -> tuple[list[ScoredSentence], list[float]]:
        found = self._library.keyword_search.find_sentences(self.keyword_query, self._request.top_k, scope=self._scope)
        return [replace(near, matched_by=_WORDS) for near in found], [near.score for near in found]

    def _by_both(self) -> tuple[list[ScoredSentence], list[float]]:
        """Return what either way finds, in one ranking; every score is the cosine."""
        wanted = max(self._request.top_k, MIN_CANDIDATES)
        by_meaning, ranked = self.nearest(wanted)
        cosine = {near.sentence_id: near.score for near in by_meaning}
        by_words = [] if by_meaning and self._is_common else self._word_matches
        others = self.cosines([near.sentence_id for near in by_words if near.sentence_id not in cosine])
        ids = [*cosine, *others]
        score = cosine | others
        ranked = ranked | self.cosines(list(others), is_ranking=True) if self._judged() else score
        shares = self._library.keyword_search.word_shares(self.keyword_query, ids)
        fused = fuse_sentence_scores([ranked[i] for i in ids], [shares.get(i, 0.0) for i in ids])
        near = (at for at in range(len(ids)) if score[ids[at]] >= self._request.min_score)
        order = sorted(near, key=lambda at: (-fused[at], ids[at]))[: self._request.top_k]
        return [
            ScoredSentence(i, score[i], methods_of(i in cosine, i in shares)) for i in (ids[at] for at in order)
        ], fused[order].tolist()

    # Documents

    @cached_property
    def document_scope(self) -> Scope:
        """The scope without documents that the words rule out, wherever in them these occur."""
        matching = self._library.keyword_search.filter_documents(self.keyword_query)
        if matching is None:
            return self._scope
        own = self._scope.document_ids
        return replace(self._scope, document_ids=matching if own is None else own & matching)

    def rank_documents(self) -> list[RankedDocument]:
        """Return (document id, score, best sentences) of the best documents, best first."""
        top_k = self._request.top_k
        expected = expect_search(replace(self._request, mode=self.mode), self.query, self.keyword_query, self._scope)
        wanted = max(top_k, DOCUMENT_CANDIDATES) if self.mode == "both" else top_k
        self._ahead.expect_documents(
            replace(expected, scope=self.document_scope, rows=self._request.best),
            self.vector if self.has_vector else None,
            wanted,
        )
        if self.mode == "words":
            return self._rank_documents_by_words(top_k)
        if self.mode == "meaning":
            return [each for each in self.nearest_documents(top_k) if each[1] >= self._request.min_score]
        both = self._document_candidates()
        fused = self.fuse_documents(both)
        order = sorted(range(len(both)), key=lambda at: (-fused[at], both[at][0]))
        return [(both[at][0], float(fused[at]), both[at][2]) for at in order[:top_k]]

    def nearest_documents(self, top_k: int) -> list[RankedDocument]:
        """Return the best documents by meaning; none for a query that the model does not know."""
        if not self.is_known:
            return []
        ranked = self._library.document_ranking.nearest_documents(
            self.vector, top_k, scope=self.document_scope, best=self._request.best
        )
        return list(ranked)

    @cached_property
    def document_words(self) -> dict[int, float]:
        """The BM25 of the documents with the words, best first."""
        words = self._library.keyword_search
        return dict(words.rank_documents(self.keyword_query, DOCUMENTS_WITH_WORDS, scope=self.document_scope))

    def _rank_documents_by_words(self, top_k: int) -> list[RankedDocument]:
        words = self._library.keyword_search
        wanted = top_k
        while True:
            ranked = words.rank_documents(self.keyword_query, wanted, scope=self.document_scope)
            self._expect_best([document_id for document_id, _ in ranked])
            found: list[RankedDocument] = [
                (document_id, score, self.best_by_words(document_id))
                for document_id, score in ranked
                if not self.has_words_only_outside(document_id)
            ]
            if len(found) >= top_k or len(ranked) < wanted:
                return found[:top_k]
            wanted *= 2

    @property
    def _words_inside(self) -> KeywordQuery:
        """What ranks the sentences of a document: the words that it must have may be in different ones."""
        return replace(self.keyword_query, must=(), without=())

    def _expect_best(self, document_ids: Sequence[int]) -> None:
        self._ahead.expect_matching(self._words_inside, [*map(self._inside, document_ids)], max(self._request.best, 1))

    def _inside(self, document_id: int) -> Scope:
        return Scope(document_ids=frozenset({document_id}), without=self._scope.without)

    def best_by_words(self, document_id: int) -> list[ScoredSentence]:
        """Return the sentences of a document with the words, best first."""
        return self._sentences_with_words(document_id)[: self._request.best]

    def _sentences_with_words(self, document_id: int) -> list[ScoredSentence]:
        if (known := self._with_words.get(document_id)) is None:
            found = self._find_words(self._inside(document_id), max(self._request.best, 1))
            known = self._with_words[document_id] = [replace(near, matched_by=_WORDS) for near in found]
        return known

    def _find_words(self, inside: Scope, most: int) -> list[ScoredSentence]:
        """Return the sentences of a document with the query's words, else with any that the document must have."""
        words = self._library.keyword_search
        found = words.find_sentences(self._words_inside, most, scope=inside)
        if not found and (must := self.keyword_query.must):
            found = words.find_sentences(KeywordQuery(must=(WordGroup(must, is_any=True),)), most, scope=inside)
        return found

    def has_words_only_outside(self, document_id: int) -> bool:
        """Return whether a document has the words only in passages that are not searched, as in its references.

        Documents are ranked by all that they say, so that these are found too.
        """
        if not self._scope.without or self._sentences_with_words(document_id):
            return False
        anywhere = Scope(document_ids=frozenset({document_id}))
        return bool(self._find_words(anywhere, 1))

    def score_documents(self, document_ids: Sequence[int]) -> list[RankedDocument]:
        """Return the given documents by meaning, in any order."""
        found = self._library.document_ranking.score_documents(
            self.vector, document_ids, scope=self.document_scope, best=self._request.best
        )
        return list(found)

    def _document_candidates(self) -> list[RankedDocument]:
        wanted = max(self._request.top_k, DOCUMENT_CANDIDATES)
        by_meaning = self.nearest_documents(wanted)
        known = {document_id for document_id, _, _ in by_meaning}
        others = [document_id for document_id in list(self.document_words)[:wanted] if document_id not in known]
        both = [*by_meaning, *self.score_documents(others)]
        return [each for each in both if each[1] >= self._request.min_score]

    def fuse_documents(self, both: Sequence[RankedDocument]) -> NDArray[np.float64]:
        """Return the joint scores float64 [n] of documents by meaning and words; 0 is their mean.

        Args:
            both: the candidates, with their scores by meaning.
        """
        words = [self.document_words.get(document_id, 0.0) for document_id, _, _ in both]
        meaning = [score for _, score, _ in both]
        fused = fuse_document_scores(meaning, words)
        if len(both) < MIN_DOCUMENTS_FOR_FEEDBACK:
            return fused
        means = self._library.document_ranking.mean_vectors([document_id for document_id, _, _ in both])
        moved = apply_pseudo_feedback(self.vector, means, meaning, fused)
        return fuse_document_scores(moved, self._expand_words([each[0] for each in both], words, fused))

    def _expand_words(
        self, document_ids: Sequence[int], words: Sequence[float], joint: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the documents' scores by the query's words and by those that the best of them add: float64 [n].

        Args:
            document_ids: the candidates.
            words: BM25 of each.
            joint: score of each by meaning and words.
        """
        library = self._library
        best = np.argsort(-joint, kind="stable")[:EXPANSION_DOCUMENTS].tolist()
        rows = library.document_ranking.score_documents(
            self.vector, [document_ids[at] for at in best], scope=self.document_scope, best=EXPANSION_SENTENCES
        )
        texts = library.analysis_reader.texts([near.sentence_id for _, _, own in rows for near in own])
        place = {document_ids[at]: at for at in best}
        expansion = weigh_expansion_words(
            [" ".join(texts[near.sentence_id] for near in own if near.sentence_id in texts) for _, _, own in rows],
            [float(joint[place[document_id]]) for document_id, _, _ in rows],
        )
        rarities = library.keyword_search.document_rarities(list(expansion.weights))
        chosen = KeywordQuery(choose_expansion_words(expansion.weights, rarities))
        added = dict(library.keyword_search.rank_documents(chosen, DOCUMENTS_WITH_WORDS, scope=self.document_scope))
        return mix_word_scores(words, [added.get(each, 0.0) for each in document_ids], expansion.share)

    # Beside other parts

    def require(self, must: tuple[WordCondition, ...], without: tuple[WordCondition, ...]) -> None:
        """Set the conditions that a sentence must satisfy to be good for each part of a query."""
        self.keyword_query = replace(self.query.keyword_query, must=must, without=without)
