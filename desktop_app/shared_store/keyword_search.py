"""Finds visible sentences and documents of a shared library that contain the words of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING
from desktop_app.shared_store.keyword_index import DELTA, PASSAGES, SENTENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.scope import Scope
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.keyword_index import SharedKeywordIndex
    from desktop_app.shared_store.search import SharedVectorSearch

_ASK_MORE = 64
_LOOK_AT = 1024


class SharedKeywordSearch:
    """Implements `core.library.KeywordSearch`."""

    def __init__(
        self,
        database: SharedDatabase,
        keywords: SharedKeywordIndex,
        search: SharedVectorSearch,
    ) -> None:
        self._database = database
        self._keywords = keywords
        self._search = search

    def find_sentences(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[ScoredSentence]:
        """Return the visible sentences with the words, best first."""
        if top_k <= 0:
            return []
        if self._search.is_small(scope):
            return self._find_within(keyword_query, top_k, scope)
        most = first_matches(top_k)
        ids, scores = self._keywords.ranked(SENTENCES, keyword_query, most)
        found = self._keep_visible(ids, scores, top_k, scope)
        if len(found) >= top_k or len(ids) < most:
            return found
        # The best ones are not visible: the server looks through the others.
        ids, scores = self._keywords.ranked(SENTENCES, keyword_query, top_k, within=scope)
        return list(map(ScoredSentence, ids.tolist(), scores.tolist()))

    def _find_within(self, keyword_query: KeywordQuery, top_k: int, scope: Scope) -> list[ScoredSentence]:
        """Find sentences in a small scope: nothing is skipped there, neither common words nor the last matches."""
        found: list[ScoredSentence] = []
        for all_words in (False, True):
            ids, scores = self._keywords.ranked(SENTENCES, keyword_query, top_k, all_words=all_words, within=scope)
            found = list(map(ScoredSentence, ids.tolist(), scores.tolist()))
            if len(found) >= top_k:
                break
        return found

    def _keep_visible(
        self, ids: NDArray[np.int64], scores: NDArray[np.float32], top_k: int, scope: Scope
    ) -> list[ScoredSentence]:
        found: list[ScoredSentence] = []
        for at in range(0, len(ids), _LOOK_AT):
            piece = ids[at : at + _LOOK_AT]
            seen = self._search.find_visible(piece, scope)
            of_piece = zip(piece[seen].tolist(), scores[at : at + _LOOK_AT][seen].tolist(), strict=True)
            found += [ScoredSentence(sentence_id, score) for sentence_id, score in of_piece]
            if len(found) >= top_k:
                break
        return found[:top_k]

    def is_common(self, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words is in very many sentences."""
        return self._keywords.is_common(SENTENCES, keyword_query)

    def score_among(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25+ of those of `sentence_ids` that contain the words."""
        return self._keywords.ranked_among(SENTENCES, keyword_query, sentence_ids)

    def word_shares(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the share of the query's words in those of `sentence_ids` that contain any."""
        return self._keywords.shares(SENTENCES, keyword_query, sentence_ids)

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a sentence has the word, or one that begins with it."""
        return self._keywords.has_word(SENTENCES, word, is_beginning=is_beginning)

    def count_words(self, words: Sequence[str]) -> dict[str, int]:
        """Return in how many sentences each of many words is, without those that are in none."""
        return self._keywords.count_words(SENTENCES, words)

    def weight(self, keyword_query: KeywordQuery) -> float:
        """Return the BM25+ of a sentence of average length that contains all of the words."""
        return (1 + DELTA) * self._keywords.weight(SENTENCES, keyword_query)

    def document_rarities(self, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each word that at least two passages have."""
        return self._keywords.rarities(PASSAGES, words)

    def rank_documents(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[tuple[int, float]]:
        """Return (document id, BM25 of its best passage) of the visible documents with the words, best first."""
        allowed = self.filter_documents(keyword_query)
        # Required words may be spread over several passages of a document: within a passage they only count for the
        # rank.
        words = self._keywords.chosen_words(PASSAGES, keyword_query)
        if not words:
            return []
        ranked = self._database.answer(self._keywords.documents_ranking_question(words, scope))
        kept = [pair for pair in ranked.items() if allowed is None or pair[0] in allowed]
        return kept[: max(top_k, 0)]

    def filter_documents(self, keyword_query: KeywordQuery) -> frozenset[int] | None:
        """Return the documents that the required and excluded words allow."""
        if not keyword_query.is_restrictive:
            return None
        return self._database.answer(self._keywords.documents_question(keyword_query))


def first_matches(top_k: int) -> int:
    """Return how many sentences with the words are asked for first: some are not visible."""
    return top_k + max(_ASK_MORE, top_k // 2)
