"""Reads what a search needs in two round trips: one before the vector of the query is known, and one with it.

The second is one statement: the nearest sentences, those with the words, and what shows the best of both. Whatever was
not foreseen is asked by the search itself, so that its answer never depends on this.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.core.passage_kinds import GARBLED
from desktop_app.core.scope import Scope
from desktop_app.core.score_fusion import WORDS_WEIGHT
from desktop_app.shared_store.analysis_reader import DOCUMENTS, TEXTS
from desktop_app.shared_store.keyword_index import PASSAGE_SIZE, PASSAGES, SENTENCES, weights_key
from desktop_app.shared_store.keyword_search import first_matches
from desktop_app.shared_store.models import CURRENT
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.search import (
    HIT_COLUMNS,
    HIT_TABLES,
    VECTORS,
    NearSentence,
    compared_key,
    compared_statement,
    cosines_key,
    near_key,
    near_statement,
    rows_key,
    visible_key,
)
from desktop_app.shared_store.sentences import TALLY
from desktop_app.shared_store.user_data import judgements_question
from desktop_app.shared_store.vectors import parent_table, parts_question, read_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_app.core.arrays import Ids, Vector
    from desktop_app.core.look_ahead import ExpectedSearch, LookAhead
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import Question, SharedDatabase
    from desktop_app.shared_store.document_ranking import SharedDocumentRanking
    from desktop_app.shared_store.documents import SharedDocumentStore
    from desktop_app.shared_store.keyword_index import SharedKeywordIndex
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.search import SharedVectorSearch


_FOLDED = 220
"""The best sentences, among which near copies are looked for, and some more: rejected ones leave their places."""
_MORE_ROWS = 20
"""Hits to read beyond those that are shown at first: copies and badly recognised text leave their places to others."""
_MOST_DOCUMENTS = 50
_BY_WORDS = "s.matched"
_BY_BOTH = f"s.cosine + {WORDS_WEIGHT} * least(s.weight / %(weight)s::float8, 1)"
"""How the search ranks candidates (`core.score_fusion`): only to foresee which of them it shows."""

# Each candidate's first place in the scope and all its documents, then its rank by meaning and words, then its row.
# More sentences are asked for than the search ranks: some may not be visible. `OFFSET 0` and CASE make sure that rows
# are looked up one by one, and only those that are needed.
_STATEMENT = (
    "WITH near AS MATERIALIZED ({near}), matched AS MATERIALIZED ({matched}), candidate AS MATERIALIZED"
    " (SELECT coalesce(n.sentence_id, m.id) AS id, n.score AS near, m.score AS matched"
    " FROM near n FULL JOIN matched m ON m.id = n.sentence_id),"
    " occurring AS MATERIALIZED (SELECT c.id AS candidate, o.* FROM candidate c CROSS JOIN LATERAL"
    " (SELECT * FROM occurrence o WHERE o.sentence_id = c.id OFFSET 0) o),"
    " placed AS (SELECT o.candidate AS id, min((d.id << 32) | o.ordinal) FILTER (WHERE {scope}) AS place,"
    " bool_or(coalesce(o.passage, o.kind) <> '" + GARBLED + "') FILTER (WHERE {scope}) AS legible,"
    " array_agg(DISTINCT d.id) AS documents FROM occurring o JOIN document d ON d.live_id = o.version_id"
    f" WHERE {VISIBLE} GROUP BY o.candidate),"
    " standing AS (SELECT c.*, p.place, p.legible, p.documents, p.place IS NULL OR {excluded} AS lost"
    " FROM candidate c LEFT JOIN placed p ON p.id = c.id),"
    " ordered AS (SELECT c.*,"
    " row_number() OVER (PARTITION BY c.lost ORDER BY c.near DESC NULLS LAST, c.id) <= {nearest} AS is_near,"
    " row_number() OVER (PARTITION BY c.lost ORDER BY c.matched DESC NULLS LAST, c.id) <= {matching} AS is_matching"
    " FROM standing c),"
    " scored AS (SELECT c.*, NOT c.lost AND (c.near IS NOT NULL AND c.is_near OR c.matched IS NOT NULL"
    " AND c.is_matching) AS counts, coalesce(c.near, {cosine}) AS cosine, {weight} AS weight FROM ordered c),"
    " ranked AS (SELECT s.*, row_number() OVER (ORDER BY s.counts DESC, s.lost, {rank} DESC NULLS LAST, s.id) AS rank"
    " FROM scored s)"
    " SELECT r.id AS asked, r.rank, r.near, r.matched, r.cosine, r.weight, r.place IS NOT NULL AS seen,"
    " coalesce(r.legible, false) AS legible, cardinality(r.documents) - 1 AS also_in,"
    " CASE WHEN cardinality(r.documents) <= " + str(_MOST_DOCUMENTS) + " THEN r.documents END AS documents,"
    " e.half, t.text AS own_text, h.* FROM ranked r"
    " LEFT JOIN LATERAL (SELECT v.vector::halfvec({dim}) AS half FROM {vectors} v"
    " WHERE v.sentence_id = CASE WHEN r.rank <= {folded} THEN r.id END OFFSET 0) e ON true"
    " LEFT JOIN sentence t ON t.id = CASE WHEN r.rank <= {folded} THEN r.id END"
    f" LEFT JOIN LATERAL (SELECT {HIT_COLUMNS} FROM document d JOIN occurrence o ON o.version_id = d.live_id"
    f" AND o.ordinal = r.place & {(1 << 32) - 1}{HIT_TABLES}"
    " WHERE d.id = CASE WHEN r.rank <= {rows} THEN r.place >> 32 END OFFSET 0) h ON true"
    " ORDER BY r.near DESC NULLS LAST, r.id"
)
_COSINE = (
    "(SELECT -(v.vector <#> %(query)s) FROM {vectors} v"
    " WHERE v.sentence_id = CASE WHEN c.near IS NULL AND c.is_matching AND NOT c.lost THEN c.id END OFFSET 0)"
)
_WEIGHT = (
    "(SELECT {expression} FROM sentence t"
    " WHERE t.id = CASE WHEN NOT c.lost AND (c.is_near OR c.is_matching) THEN c.id END OFFSET 0)"
)
_NONE_NEAR = "SELECT NULL::bigint AS sentence_id, NULL::float8 AS score WHERE false"
_NONE_MATCHED = "SELECT NULL::bigint AS id, NULL::float8 AS score WHERE false"


class SharedLookAhead:
    """Implements `core.look_ahead.LookAhead`."""

    is_distant = True

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        documents: SharedDocumentStore,
        models: SharedLibraryModels,
        search: SharedVectorSearch,
        keywords: SharedKeywordIndex,
        ranking: SharedDocumentRanking,
    ) -> None:
        self._database = database
        self._paths = paths
        self._documents = documents
        self._models = models
        self._search = search
        self._keywords = keywords
        self._ranking = ranking
        self._model_id: int | None = None  # as of the last search

    @contextmanager
    def open(self) -> Iterator[LookAhead]:
        """Implements `core.library.Library.look_ahead`."""
        with self._database.look_ahead():
            yield self

    def expect_words(self, searches: Sequence[ExpectedSearch]) -> None:
        """Read counts, model and partitions, judgements, and in how many sentences each word is."""
        counts = {SENTENCES: self._keywords.counts_question(SENTENCES, [each.keyword_query for each in searches])}
        if of_documents := [each.keyword_query for each in searches if each.by_document]:
            counts[PASSAGES] = self._keywords.counts_question(PASSAGES, of_documents)
        questions: list[Question[Any]] = [TALLY, CURRENT, *counts.values()]
        if of_documents:
            questions.append(PASSAGE_SIZE)
        if self._model_id is not None:
            questions.append(parts_question(self._model_id))
        for each in searches:
            if each.keyword_query.is_restrictive and each.by_document:
                questions.append(self._keywords.documents_question(each.keyword_query))
            elif each.keyword_query.is_restrictive:
                questions.append(self._keywords.allowed_question(each.keyword_query))
            if each.text:
                questions.append(judgements_question(each.text))
            if not each.scope.has_every_document:
                questions.append(self._documents.size_question(each.scope))
        self._database.learn_all(questions)
        for index, question in counts.items():
            self._keywords.learn_counts(index, self._database.answer(question))
        self._model_id = self._models.current_id

    def expect_sentences(self, search: ExpectedSearch, vector: Vector | None) -> None:
        """Read the nearest sentences and those with the words, and what shows the best of them."""
        model = self._models.current_row()
        if model is None:
            return
        scope, words = search.scope, search.keyword_query
        allowed = self._keywords.allowed(words)
        is_compared = self._search.is_compared(scope, words)
        query = None if vector is None else np.ascontiguousarray(vector, np.float32)
        statements: list[tuple[str, Mapping[str, object]]] = []
        where = ScopeCondition(scope, self._paths)
        near, ask = _NONE_NEAR, self._search.first_ask(search.nearest, len(allowed.without))
        if query is not None and is_compared:
            condition = where.of_occurrence + allowed.condition("o.sentence_id")
            near = compared_statement(model.id, condition, search.nearest)
        elif query is not None:
            parts = read_parts(self._database, model.id)
            near = near_statement(model, parts, ask)
            statements += self._search.width_statements(parts, ask, model.ef_search)
        ranking = self._words_question(search, by_meaning=query is not None)
        weighed = []
        if query is not None and search.matching:
            weighed = self._keywords.weighed_words(SENTENCES, words)
        weight, weights = self._keywords.weight_expression(SENTENCES, weighed)
        statements.append(
            (
                _STATEMENT.format(
                    near=near,
                    matched=_NONE_MATCHED if ranking is None else ranking.statement,
                    scope=where.of_occurrence,
                    cosine="NULL::float8" if query is None else _COSINE.format(vectors=parent_table(model.id)),
                    excluded=f"NOT (true{allowed.condition('c.id')})",
                    nearest=int(search.nearest),
                    matching=int(search.matching),
                    weight=_WEIGHT.format(expression=weight) if weighed else weight,
                    rank=_BY_WORDS if query is None else _BY_BOTH,
                    vectors=parent_table(model.id),
                    dim=int(model.dim),
                    folded=_FOLDED if search.with_copies else 0,
                    rows=search.rows + _MORE_ROWS if search.rows else 0,
                ),
                {
                    **where.values,
                    **allowed.values,
                    **({} if ranking is None else ranking.values),
                    **weights,
                    "query": query,
                    "weight": max(self._keywords.weight(SENTENCES, search.keyword_query), 1e-9),
                },
            )
        )
        rows = self._database.ask(statements)[-1]
        self._learn(search, query, rows)
        nearest = [NearSentence(row.asked, row.near, row.seen) for row in rows if row.near is not None]
        if query is not None and is_compared:
            key = compared_key(query, search.nearest, scope, words)
            self._database.learn(key, nearest)
        elif query is not None:
            self._database.learn(near_key(query, ask, scope, model.ef_search), nearest)
        if weighed:
            self._database.learn_each(weights_key(weighed), {row.asked: row.weight for row in rows})
        if ranking is not None:
            best = sorted((row for row in rows if row.matched is not None), key=lambda row: (-row.matched, row.asked))
            ids = np.fromiter((row.asked for row in best), np.int64, len(best))
            self._database.learn(ranking.key, (ids, np.fromiter((row.matched for row in best), np.float32, len(best))))

    def expect_documents(self, search: ExpectedSearch, vector: Vector | None, asked: int) -> None:
        """Read the nearest documents and those with the words."""
        words = self._keywords.chosen_words(PASSAGES, search.keyword_query) if search.matching else []
        matching = self._keywords.documents_ranking_question(words, search.scope) if words else None
        query = None if vector is None else np.ascontiguousarray(vector, np.float32)
        self._ranking.learn(query, asked, search.scope, search.rows, matching)

    def expect_matching(self, keyword_query: KeywordQuery, scopes: Sequence[Scope], best: int) -> None:
        """Read the sentences with the words in each of some scopes, which are documents."""
        questions: list[Question[Any]] = []
        ways = dict.fromkeys(
            tuple(self._keywords.chosen_words(SENTENCES, keyword_query, all_words=all_words))
            for all_words in (False, True)
        )
        for inside in scopes:
            questions.append(self._documents.size_question(inside))
            questions += [self._keywords.ranking(SENTENCES, words, best, inside) for words in ways if words]
        self._database.learn_all(questions)

    def expect_shown(self, found: Mapping[int, Sequence[int]], without: frozenset[str]) -> None:
        """Read documents, and the rows of sentences in them."""
        if not found:
            return
        ids = sorted(found)
        places = [(document_id, number) for document_id in ids for number in found[document_id]]
        hits = self._search.hits_question(places, without)
        self._database.learn_all([*self._documents.questions_of(ids), *([hits] if places else [])])
        self._documents.learn_each(ids)
        rows: dict[int, dict[int, AnyRow]] = {document_id: {} for document_id in ids}
        for row in self._database.answer(hits) if places else ():
            rows[row.asked_document][row.asked] = row
        for document_id, own in rows.items():
            scope = Scope(document_ids=frozenset({document_id}), without=without)
            self._database.learn_each(rows_key(scope), dict.fromkeys(found[document_id]) | own)

    def _words_question(self, search: ExpectedSearch, *, by_meaning: bool) -> Question[tuple[Ids, Vector]] | None:
        """Return the question for the sentences with the words; None if the search asks for none."""
        keywords, words = self._keywords, search.keyword_query
        if not search.matching or (by_meaning and keywords.is_common(SENTENCES, words)):
            return None
        chosen = keywords.chosen_words(SENTENCES, words)
        if not chosen:
            return None
        if self._search.is_small(search.scope):
            return keywords.ranking(SENTENCES, chosen, search.matching, search.scope, words)
        return keywords.ranking(SENTENCES, chosen, first_matches(search.matching), limited_by=words)

    def _learn(self, search: ExpectedSearch, query: Vector | None, rows: Sequence[AnyRow]) -> None:
        """Keep what shows sentences."""
        database, scope = self._database, search.scope
        database.learn_each(visible_key(scope), {row.asked: row.seen for row in rows})
        legible = replace(scope, without=scope.without | {GARBLED})
        database.learn_each(visible_key(legible), {row.asked: row.legible for row in rows})
        if query is not None:
            cosines = {row.asked: row.cosine for row in rows if row.cosine is not None}
            database.learn_each(cosines_key(query), cosines)
        database.learn_each(DOCUMENTS, {row.asked: row.documents for row in rows if row.documents is not None})
        if search.with_copies:
            best = [row for row in rows if row.rank <= _FOLDED]
            database.learn_each(VECTORS, {row.asked: row.half for row in best})
            database.learn_each(TEXTS, {row.asked: row.own_text for row in best})
        shown = [row for row in rows if row.seen and row.rank <= search.rows + _MORE_ROWS]
        database.learn_each(rows_key(scope), {row.asked: row for row in shown} if search.rows else {})
