"""Finds visible sentences and documents that contain the words of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.word_conditions import WordGroup
from desktop_app.store.counters import read_counter
from desktop_app.store.keyword_index import DELTA, PASSAGES, SENTENCES
from desktop_app.store.schema import DocumentRow, PassageRow
from desktop_app.store.scope_conditions import is_document_in_scope, is_not_removed, values_table
from desktop_app.store.search import EXACT_SENTENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.scope import Scope
    from desktop_app.core.word_conditions import WordCondition
    from desktop_app.store.database import Database
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.search import LocalVectorSearch


_ASK_MORE = 64
_LOOK_AT = 1024
_EVERY_ROW = -1
_LEAST_SHARE = 1e-3
_FEW = 0.25
"""The share of a library below which the sentences of a scope are chosen before they are ranked."""

_ALL_WORDS_SCOPE, _ALL_WORDS_SENTENCES = 2500, 100_000
"""Sentences of a scope up to which it is searched for common words too, and those of a library for every scope."""


class LocalKeywordSearch:
    """Implements `core.library.KeywordSearch`."""

    def __init__(self, database: Database, keywords: KeywordIndex, search: LocalVectorSearch) -> None:
        self._database = database
        self._keywords = keywords
        self._search = search

    def find_sentences(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[ScoredSentence]:
        """Return the visible sentences with the words, best first."""
        if top_k <= 0:
            return []
        with self._database.read_transaction() as connection:
            visible = None if scope.has_every_document else self._search.count_visible(connection, scope)
            is_small = visible is not None and visible <= EXACT_SENTENCES
            found: list[ScoredSentence] = []
            enough, chooser = top_k + max(_ASK_MORE, top_k // 2), None
            if visible is not None:
                share = min(visible / max(read_counter(connection, "sentences"), 1), 1.0)
                enough = int(enough / max(share, _LEAST_SHARE))
                chooser = self._make_chooser(connection, scope) if share < _FEW else None
            # Every match only where those are not enough: fetching thousands takes as long as ranking them.
            for most in (enough, _EVERY_ROW):
                ids, scores = self._keywords.ranked(connection, SENTENCES, keyword_query, most, choose=chooser)
                found = self._keep_visible(connection, ids, scores, top_k, scope)
                if len(found) >= top_k or len(ids) < most:
                    break
            # Nor are common words in a document: to rank more sentences with them takes long in a large library.
            if is_small and len(found) < top_k and self._may_rank_all_words(connection, visible or 0):
                among = self._search.visible_ids(connection, scope)
                ids, scores = self._keywords.ranked(connection, SENTENCES, keyword_query, _EVERY_ROW, among=among)
                found = self._keep_visible(connection, ids, scores, top_k, scope)
        return found

    def _make_chooser(self, connection: Connection, scope: Scope) -> Callable[[Ids], NDArray[np.bool_] | None]:
        return lambda ids: self._search.recall_visible(connection, ids, scope)

    @staticmethod
    def _may_rank_all_words(connection: Connection, visible: int) -> bool:
        return visible <= _ALL_WORDS_SCOPE or read_counter(connection, "sentences") <= _ALL_WORDS_SENTENCES

    def is_common(self, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words occurs in very many sentences."""
        with self._database.read_transaction() as connection:
            return self._keywords.is_common(connection, SENTENCES, keyword_query)

    def score_among(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the BM25+ of those of `sentence_ids` that contain the words."""
        with self._database.read_transaction() as connection:
            return self._keywords.ranked_among(connection, SENTENCES, keyword_query, sentence_ids)

    def word_shares(self, keyword_query: KeywordQuery, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the share of the query's words in those of `sentence_ids` that contain any."""
        with self._database.read_transaction() as connection:
            rows = read_counter(connection, "sentences")
            return self._keywords.shares(connection, SENTENCES, keyword_query, sentence_ids, rows)

    def _keep_visible(
        self, connection: Connection, ids: Ids, scores: NDArray[np.float32], top_k: int, scope: Scope
    ) -> list[ScoredSentence]:
        found: list[ScoredSentence] = []
        for at in range(0, len(ids), _LOOK_AT):
            piece = ids[at : at + _LOOK_AT]
            seen = self._search.are_visible(connection, piece, scope)
            of_piece = zip(piece[seen].tolist(), scores[at : at + _LOOK_AT][seen].tolist(), strict=True)
            found += [ScoredSentence(sentence_id, score) for sentence_id, score in of_piece]
            if len(found) >= top_k:
                break
        return found[:top_k]

    def has_word(self, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a sentence has the word, or one that begins with it."""
        with self._database.read_transaction() as connection:
            return self._keywords.has_word(connection, SENTENCES, word, is_beginning=is_beginning)

    def count_words(self, words: Sequence[str]) -> dict[str, int]:
        """Return in how many sentences each of many words is, without those that are in none."""
        with self._database.read_transaction() as connection:
            return self._keywords.count_words(connection, SENTENCES, words)

    def weight(self, keyword_query: KeywordQuery) -> float:
        """Return the BM25+ of a sentence of average length that contains all of the words."""
        with self._database.read_transaction() as connection:
            rows = read_counter(connection, "sentences")
            return (1 + DELTA) * self._keywords.weight(connection, SENTENCES, keyword_query, rows)

    def document_rarities(self, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each word that at least two passages have."""
        with self._database.read_transaction() as connection:
            return self._keywords.rarities(connection, PASSAGES, words)

    def rank_documents(
        self, keyword_query: KeywordQuery, top_k: int, *, scope: Scope = EVERYTHING
    ) -> list[tuple[int, float]]:
        """Return (document id, BM25 of its best passage) of the visible documents with the words, best first."""
        with self._database.read_transaction() as connection:
            allowed = self._documents_with(connection, keyword_query)
            # Required words may be spread over several passages of a document: within a passage they only count for the
            # rank.
            ids, scores = self._keywords.ranked(connection, PASSAGES, keyword_query, _EVERY_ROW, is_restricted=False)
            asked = values_table(ids.tolist())
            query = (
                select(PassageRow.id, DocumentRow.id.label("document_id"))
                .join_from(asked, PassageRow, PassageRow.id == asked.c.value)
                .join(DocumentRow, DocumentRow.live_id == PassageRow.version_id)
                .where(is_not_removed(), is_document_in_scope(scope))
            )
            document_of = {row.id: row.document_id for row in connection.execute(query)}
        ranked: dict[int, float] = {}
        for passage_id, score in zip(ids.tolist(), scores.tolist(), strict=True):
            document_id = document_of.get(passage_id)
            if document_id is not None and (allowed is None or document_id in allowed):
                ranked.setdefault(document_id, score)
        return sorted(ranked.items(), key=lambda pair: (-pair[1], pair[0]))[: max(top_k, 0)]

    def filter_documents(self, keyword_query: KeywordQuery) -> frozenset[int] | None:
        """Return the documents that the required and excluded words allow."""
        with self._database.read_transaction() as connection:
            return self._documents_with(connection, keyword_query)

    def _documents_with(self, connection: Connection, keyword_query: KeywordQuery) -> frozenset[int] | None:
        if not keyword_query.is_restrictive:
            return None

        def having(condition: WordCondition) -> set[int]:
            if isinstance(condition, WordGroup):
                parts = map(having, condition.parts)
                return set.union(*parts) if condition.is_any else set.intersection(*parts)
            rows = values_table(self._keywords.rows_with(connection, PASSAGES, condition).tolist())
            query = (
                select(DocumentRow.id)
                .join_from(rows, PassageRow, PassageRow.id == rows.c.value)
                .join(DocumentRow, DocumentRow.live_id == PassageRow.version_id)
            )
            return set(connection.execute(query).scalars())

        if keyword_query.must:
            left = having(WordGroup(keyword_query.must, is_any=False))
        else:
            left = set(connection.execute(select(DocumentRow.id).where(is_not_removed())).scalars())
        return frozenset(left.difference(*map(having, keyword_query.without)))
