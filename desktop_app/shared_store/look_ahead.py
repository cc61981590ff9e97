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
from desktop_app.core.score_fusion import WORDS_WEIGHT
from desktop_app.shared_store.analysis_reader import DOCUMENTS, TEXTS
from desktop_app.shared_store.documents import STATES
from desktop_app.shared_store.keyword_index import SENTENCES
from desktop_app.shared_store.keyword_search import first_matches
from desktop_app.shared_store.models import CURRENT
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.search import (
    EXACT_SENTENCES,
    HIT_COLUMNS,
    HIT_TABLES,
    VECTORS,
    NearSentence,
    compared_key,
    compared_statement,
    cosines_key,
    first_ask,
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

    from numpy.typing import NDArray

    from desktop_app.core.look_ahead import ExpectedSearch, LookAhead
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import Question, SharedDatabase
    from desktop_app.shared_store.documents import SharedDocumentStore
    from desktop_app.shared_store.keyword_index import SharedKeywordIndex
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.search import SharedVectorSearch

    Ids = NDArray[np.int64]
    Vector = NDArray[np.float32]

_FOLDED = 240
"""The best sentences among which near copies are looked for, and some more: those that are not visible do not count."""
_MORE_ROWS = 20
"""Hits to read beyond those that are shown at first: copies and badly recognised text leave their places to others."""
_MOST_DOCUMENTS = 50
_BY_WORDS = "s.matched"
_BY_BOTH = f"s.cosine + {WORDS_WEIGHT} * least(coalesce(s.matched, 0) / %(weight)s::float8, 1)"
"""How the search ranks candidates (`core.score_fusion`): only to foresee which of them it shows."""

# Each candidate's first place in the scope and all its documents, then its rank by meaning and words, then its row.
# `OFFSET 0` and CASE make sure that rows are looked up one by one, and only those that are needed.
_STATEMENT = (
    "WITH near AS MATERIALIZED ({near}), matched AS MATERIALIZED ({matched}), candidate AS MATERIALIZED"
    " (SELECT coalesce(n.sentence_id, m.id) AS id, n.vector, n.score AS near, m.score AS matched"
    " FROM near n FULL JOIN matched m ON m.id = n.sentence_id),"
    " occurring AS MATERIALIZED (SELECT c.id AS candidate, o.* FROM candidate c CROSS JOIN LATERAL"
    " (SELECT * FROM occurrence o WHERE o.sentence_id = c.id OFFSET 0) o),"
    " placed AS (SELECT o.candidate AS id, min((d.id << 32) | o.ordinal) FILTER (WHERE {scope}) AS place,"
    " bool_or(coalesce(o.passage, o.kind) <> '" + GARBLED + "') FILTER (WHERE {scope}) AS legible,"
    " array_agg(DISTINCT d.id) AS documents FROM occurring o JOIN document d ON d.live_id = o.version_id"
    f" WHERE {VISIBLE} GROUP BY o.candidate),"
    " scored AS (SELECT c.*, p.place, p.legible, p.documents, coalesce(c.vector, v.vector) AS own,"
    " coalesce(c.near, {cosine}) AS cosine FROM candidate c LEFT JOIN placed p ON p.id = c.id"
    " LEFT JOIN LATERAL (SELECT vector FROM {vectors} v WHERE v.sentence_id = CASE WHEN c.vector IS NULL THEN c.id END"
    " OFFSET 0) v ON true),"
    " ranked AS (SELECT s.*, row_number() OVER (ORDER BY s.place IS NULL, {rank} DESC NULLS LAST, s.id) AS rank"
    " FROM scored s)"
    " SELECT r.id AS asked, r.rank, r.near, r.matched, r.cosine, r.place IS NOT NULL AS seen,"
    " coalesce(r.legible, false) AS legible, cardinality(r.documents) - 1 AS also_in,"
    " CASE WHEN cardinality(r.documents) <= " + str(_MOST_DOCUMENTS) + " THEN r.documents END AS documents,"
    " CASE WHEN r.rank <= {folded} THEN r.own::halfvec({dim}) END AS half, t.text AS own_text, h.*"
    " FROM ranked r LEFT JOIN sentence t ON t.id = CASE WHEN r.rank <= {folded} THEN r.id END"
    f" LEFT JOIN LATERAL (SELECT {HIT_COLUMNS} FROM document d JOIN occurrence o ON o.version_id = d.live_id"
    f" AND o.ordinal = r.place & {(1 << 32) - 1}{HIT_TABLES}"
    " WHERE d.id = CASE WHEN r.rank <= {rows} THEN r.place >> 32 END OFFSET 0) h ON true"
    " ORDER BY r.near DESC NULLS LAST, r.id"
)
_NONE_NEAR = "SELECT NULL::bigint AS sentence_id, NULL::{type} AS vector, NULL::float8 AS score WHERE false"
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
    ) -> None:
        self._database = database
        self._paths = paths
        self._documents = documents
        self._models = models
        self._search = search
        self._keywords = keywords
        self._model_id: int | None = None  # as of the last search

    @contextmanager
    def open(self) -> Iterator[LookAhead]:
        """Implements `core.library.Library.look_ahead`."""
        with self._database.look_ahead():
            yield self

    def expect_words(self, searches: Sequence[ExpectedSearch]) -> None:
        """Read counts, model and partitions, judgements, and in how many sentences each word is."""
        counts = self._keywords.counts_question(SENTENCES, [each.keyword_query for each in searches])
        questions: list[Question[Any]] = [STATES, TALLY, CURRENT, counts]
        if self._model_id is not None:
            questions.append(parts_question(self._model_id))
        for each in searches:
            if each.text:
                questions.append(judgements_question(each.text))
            if not each.scope.has_every_document:
                questions.append(self._documents.size_question(each.scope))
        self._database.learn_all(questions)
        self._keywords.learn_counts(SENTENCES, self._database.answer(counts))
        self._model_id = self._models.current_id

    def expect_sentences(self, search: ExpectedSearch, vector: Vector | None) -> None:
        """Read the nearest sentences and those with the words, and what shows the best of them."""
        model = self._models.current_row()
        if model is None or search.keyword_query.is_restrictive:
            return  # required words are compared letter by letter, by the search
        scope = search.scope
        is_small = not scope.has_every_document and self._documents.count_visible(scope) <= EXACT_SENTENCES
        query = None if vector is None else np.ascontiguousarray(vector, np.float32)
        statements: list[tuple[str, Mapping[str, object]]] = []
        where = ScopeCondition(scope, self._paths)
        near, ask = _NONE_NEAR.format(type=f"vector({model.dim})"), first_ask(search.nearest)
        if query is not None and is_small:
            near = compared_statement(model.id, where.of_occurrence, search.nearest)
        elif query is not None:
            parts = read_parts(self._database, model.id)
            near = near_statement(model, parts, ask)
            statements += self._search.width_statements(parts, ask, model.ef_search)
        ranking, is_among = self._ranking(search, is_small=is_small, by_meaning=query is not None)
        statements.append(
            (
                _STATEMENT.format(
                    near=near,
                    matched=_NONE_MATCHED if ranking is None else ranking.statement,
                    scope=where.of_occurrence,
                    cosine="NULL::float8" if query is None else "-(v.vector <#> %(query)s)",
                    rank=_BY_WORDS if query is None else _BY_BOTH,
                    vectors=parent_table(model.id),
                    dim=int(model.dim),
                    folded=_FOLDED if search.with_copies else 0,
                    rows=search.rows + _MORE_ROWS if search.rows else 0,
                ),
                {
                    **where.values,
                    **({} if ranking is None else ranking.values),
                    "query": query,
                    "weight": max(self._keywords.weight(SENTENCES, search.keyword_query), 1e-9),
                },
            )
        )
        rows = self._database.ask(statements)[-1]
        self._learn(search, query, rows)
        nearest = [NearSentence(row.asked, row.near, row.seen) for row in rows if row.near is not None]
        if query is not None and is_small:
            self._database.learn(compared_key(query, search.nearest, scope), [(each[0], each[1]) for each in nearest])
        elif query is not None:
            self._database.learn(near_key(query, ask, scope, model.ef_search), nearest)
        if ranking is None:
            return
        if is_among:
            self._database.learn_each(ranking.key, {row.asked: row.matched for row in rows})
        else:
            best = sorted((row for row in rows if row.matched is not None), key=lambda row: (-row.matched, row.asked))
            ids = np.fromiter((row.asked for row in best), np.int64, len(best))
            self._database.learn(ranking.key, (ids, np.fromiter((row.matched for row in best), np.float32, len(best))))

    def _ranking(
        self, search: ExpectedSearch, *, is_small: bool, by_meaning: bool
    ) -> tuple[Question[tuple[Ids, Vector]] | None, bool]:
        """Return the question for the sentences with the words, and whether it only ranks the nearest by them."""
        keywords, words = self._keywords, search.keyword_query
        if not search.matching:
            return None, False
        if by_meaning and keywords.is_common(SENTENCES, words):
            among = keywords.words_among(SENTENCES, words)
            return (keywords.ranking_among(SENTENCES, among, "SELECT sentence_id FROM near") if among else None), True
        chosen = keywords.chosen_words(SENTENCES, words)
        if not chosen:
            return None, False
        if is_small:
            return keywords.ranking(SENTENCES, chosen, search.matching, search.scope), False
        return keywords.ranking(SENTENCES, chosen, first_matches(search.matching)), False

    def _learn(self, search: ExpectedSearch, query: Vector | None, rows: Sequence[AnyRow]) -> None:
        """Keep what shows sentences."""
        database, scope = self._database, search.scope
        database.learn_each(visible_key(scope), {row.asked: row.seen for row in rows})
        legible = replace(scope, without=scope.without | {GARBLED})
        database.learn_each(visible_key(legible), {row.asked: row.legible for row in rows})
        if query is not None:
            database.learn_each(cosines_key(query), {row.asked: row.cosine for row in rows})
        database.learn_each(DOCUMENTS, {row.asked: row.documents for row in rows if row.documents is not None})
        if search.with_copies:
            best = [row for row in rows if row.rank <= _FOLDED]
            database.learn_each(VECTORS, {row.asked: row.half for row in best})
            database.learn_each(TEXTS, {row.asked: row.own_text for row in best})
        shown = [row for row in rows if row.seen and row.rank <= search.rows + _MORE_ROWS]
        database.learn_each(rows_key(scope), {row.asked: row for row in shown} if search.rows else {})
