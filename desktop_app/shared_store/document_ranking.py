"""Ranks documents by meaning: half their best sentence, half the mean of all their sentences."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.score_fusion import score_document
from desktop_app.shared_store.analysis_reader import TEXTS
from desktop_app.shared_store.connection import Question
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.vectors import parent_table, read_parts, total_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.arrays import Vector
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.search import SharedVectorSearch

    Best = list[tuple[float, int]]

_SENTENCES_A_DOCUMENT = 20
_SENTENCES_AT_LEAST = 1000
_LOOK_AT, _BLOCK = 64, 512
"""How many documents are looked through at a time, and how many are read: a multiple."""
_KEEP = 64
"""Best sentences to remember per document."""

_VERSIONS, _LIVE, _TOTALS = "versions", "live", "totals"
"""Keys of what is known: the versions with a sentence, documents' live versions and the sums of their vectors."""
_FEW = 8
_TEXTS = 20
"""Of a few documents, the best sentences come with their texts: they add words to a query."""

_BEST = (
    "SELECT r.version_id, r.sentence_id, r.score, s.text FROM (SELECT n.version_id, n.sentence_id, n.score,"
    " row_number() OVER (PARTITION BY n.version_id ORDER BY n.score DESC, n.sentence_id) AS rank FROM"
    " (SELECT DISTINCT o.version_id, o.sentence_id, -(e.vector <#> %(query)s) AS score FROM occurrence o"
    " JOIN {vectors} e ON e.sentence_id = o.sentence_id WHERE o.version_id = ANY(%(versions)s::bigint[])"
    " AND {passages}) n) r"
    " LEFT JOIN sentence s ON s.id = CASE WHEN r.rank <= %(texts)s THEN r.sentence_id END"
    " WHERE r.rank <= %(keep)s ORDER BY r.version_id, r.rank"
)


class SharedDocumentRanking:
    """Implements `core.library.DocumentRanking`.

    It finds exactly the best documents, as far as the graphs find the nearest sentences.

    The best sentences of those documents are known that occur among the nearest sentences found. Any other document has
    no sentence better than the last of these: that bounds its score, so documents are taken in the order of their means
    until none of the rest can reach the ranking, and only these are compared sentence by sentence.
    """

    def __init__(
        self, database: SharedDatabase, paths: PathCodec, models: SharedLibraryModels, search: SharedVectorSearch
    ) -> None:
        self._database = database
        self._paths = paths
        self._models = models
        self._search = search

    def nearest_documents(
        self, vector: Vector, top_k: int, *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, best sentences) of the best documents; see `core.library.DocumentRanking`."""
        model_id = self._models.current_id
        if model_id is None or top_k <= 0:
            return []
        query = np.ascontiguousarray(vector, np.float32)
        asked = asked_sentences(top_k)
        near = self._search.search_visible(query, asked, scope)
        found = self._by_version(dict(near), scope)
        documents, cosine = self._documents(model_id, query, list(found), scope)
        found = {v: own for v, own in found.items() if v in documents}
        ranked = {v: score_document(found[v][0][0], cosine[v]) for v in documents}
        if len(near) == asked:  # otherwise every sentence in scope was found, and so was every document
            floor = near[-1][1]
            offset = 0
            while rows := self._next_means(model_id, query, scope, offset):
                offset += len(rows)
                kth = _kth_score(ranked, top_k)
                beyond = {row.version_id: row for row in rows if row.version_id not in ranked}
                beyond = {v: row for v, row in beyond.items() if score_document(floor, row.cosine) >= kth}
                compared = self._compared(model_id, query, beyond, scope)
                for version, own in compared.items():
                    documents[version] = beyond[version].document_id, beyond[version].sentences
                    found[version] = own
                    ranked[version] = score_document(own[0][0], beyond[version].cosine)
                if score_document(floor, rows[-1].cosine) < _kth_score(ranked, top_k):
                    break
        chosen = sorted(ranked, key=lambda v: (-ranked[v], documents[v][0]))[:top_k]
        thin = [v for v in chosen if len(found[v]) < min(best, documents[v][1])]
        found |= self._compared(model_id, query, thin, scope)
        return _rank({v: (documents[v][0], ranked[v]) for v in chosen}, found, best)

    def score_documents(
        self, vector: Vector, document_ids: Sequence[int], *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return what `nearest_documents` would return for these documents; see `core.library.DocumentRanking`."""
        model_id = self._models.current_id
        if model_id is None or not document_ids:
            return []
        query = np.ascontiguousarray(vector, np.float32)

        def read(ids: list[int]) -> dict[int, int]:
            rows = self._database.rows(
                "SELECT id, live_id FROM document WHERE id = ANY(%(ids)s::bigint[]) AND live_id IS NOT NULL", ids=ids
            )
            return {row.id: row.live_id for row in rows}

        versions = self._database.answer_each(_LIVE, list(document_ids), read)
        documents, cosine = self._documents(model_id, query, list(versions.values()), scope)
        found = self._compared(model_id, query, documents, scope)
        ranked = {v: (documents[v][0], score_document(found[v][0][0], cosine[v])) for v in found}
        return _rank(ranked, found, best)

    def mean_vectors(self, document_ids: Sequence[int]) -> Vector:
        """Return the unit means of documents' sentences; see `core.library.DocumentRanking`."""
        model = self._models.current_row()
        if model is None:
            return np.zeros((len(document_ids), 0), np.float32)
        total = self._database.answer_each(
            _TOTALS, list(document_ids), lambda ids: _read_totals(self._database.ask([_totals(model.id, ids)])[0])
        )
        means = np.zeros((len(document_ids), model.dim), np.float32)
        for at, document_id in enumerate(document_ids):
            if document_id in total:
                # Sentence vectors may cancel out: then the document means nothing in particular, and is near nothing.
                means[at] = total[document_id] / max(float(np.linalg.norm(total[document_id])), 1e-12)
        return means

    def _by_version(self, scores: dict[int, float], scope: Scope) -> dict[int, Best]:
        """Return for each version the (score, sentence id) pairs found in it, best first."""

        def read(ids: list[int]) -> dict[int, list[int]]:
            where = ScopeCondition(Scope(without=scope.without), self._paths)
            rows = self._database.rows(
                "SELECT sentence_id, array_agg(DISTINCT version_id) AS versions FROM occurrence o"
                f" WHERE sentence_id = ANY(%(ids)s::bigint[]) AND {where.of_passage} GROUP BY sentence_id",
                ids=ids,
                **where.values,
            )
            return {row.sentence_id: row.versions for row in rows}

        found: dict[int, Best] = {}
        for number, versions in self._database.answer_each(_versions_key(scope), list(scores), read).items():
            for version in versions:
                found.setdefault(version, []).append((scores[number], number))
        for own in found.values():
            own.sort(key=_best_first)
        return found

    def _documents(
        self, model_id: int, query: Vector, versions: Sequence[int], scope: Scope
    ) -> tuple[dict[int, tuple[int, int]], dict[int, float]]:
        """Return the visible ones of `versions` with their document's id and sentences, and the cosines of means."""

        def read(ids: list[int]) -> dict[int, AnyRow]:
            where = ScopeCondition(scope, self._paths)
            rows = self._database.rows(
                f"{_means_query(model_id)} AND {VISIBLE} AND {where.of_document}"
                " AND d.live_id = ANY(%(ids)s::bigint[])",
                query=query,
                ids=ids,
                **where.values,
            )
            return {row.version_id: row for row in rows}

        rows = self._database.answer_each(_means_key(query, scope), list(versions), read)
        documents = {version: (row.document_id, row.sentences) for version, row in rows.items()}
        return documents, {version: row.cosine for version, row in rows.items()}

    def _next_means(self, model_id: int, query: Vector, scope: Scope, offset: int) -> list[AnyRow]:
        """Return the next documents in the order of their means."""
        block = self._database.answer(self._means_question(model_id, query, scope, offset // _BLOCK))
        return block[offset % _BLOCK :][:_LOOK_AT]

    def _means_question(self, model_id: int, query: Vector, scope: Scope, nth: int) -> Question[list[AnyRow]]:
        """Return the question for a block of documents in the order of their means."""
        where = ScopeCondition(scope, self._paths)
        return Question(
            ("block", query.tobytes(), scope, nth),
            f"{_means_query(model_id)} AND {VISIBLE} AND {where.of_document}"
            f" ORDER BY cosine DESC, version_id LIMIT {_BLOCK} OFFSET %(offset)s",
            {"query": query, "offset": nth * _BLOCK, **where.values},
            list,
        )

    def _compared(self, model_id: int, query: Vector, versions: Iterable[int], scope: Scope) -> dict[int, Best]:
        """Compare all sentences of these versions that a scope has and return the best ones."""

        def read(unknown: list[int]) -> dict[int, Best]:
            rows = self._database.ask([self._best(model_id, query, unknown, scope)])[0]
            self._database.learn_each(TEXTS, {row.sentence_id: row.text for row in rows if row.text is not None})
            return _read_best(rows)

        return self._database.answer_each(_best_key(query, scope), list(versions), read)

    def _best(
        self, model_id: int, query: Vector, versions: Sequence[int], scope: Scope
    ) -> tuple[str, dict[str, object]]:
        """Return the statement for the best sentences of versions, of those that a scope has."""
        where = ScopeCondition(Scope(without=scope.without), self._paths)
        texts = _TEXTS if len(versions) <= _FEW else 0
        values = {"query": query, "versions": list(versions), "keep": _KEEP, "texts": texts, **where.values}
        return _BEST.format(vectors=parent_table(model_id), passages=where.of_passage), values

    def learn(
        self, query: Vector | None, top_k: int, scope: Scope, best: int, matching: Question[dict[int, float]] | None
    ) -> None:
        """Read what a ranking by meaning, by words (`matching`) or by both needs, in two round trips."""
        model, database = self._models.current_row(), self._database
        if model is None:
            return
        questions: list[Question[Any]] = [] if matching is None else [matching]
        if query is None:
            database.learn_all(questions)
            return
        asked, settings = asked_sentences(top_k), list[tuple[str, dict[str, object]]]()
        if self._search.is_small(scope):
            near = self._search.compared_question(model.id, query, asked, scope, with_versions=True)
        else:
            parts, ask = read_parts(database, model.id), self._search.first_ask(asked)
            near = self._search.near_question(model, parts, query, ask, scope, model.ef_search, with_versions=True)
            settings = self._search.width_statements(parts, ask, model.ef_search)
        block = self._means_question(model.id, query, scope, 0)
        database.learn_all([*questions, near, block], settings)
        rows, sentences = database.answer(block), database.answer(near)
        database.learn_each(_versions_key(scope), {each.sentence_id: each.versions for each in sentences})
        database.learn_each(_LIVE, {row.document_id: row.version_id for row in rows})
        for known in (scope, EVERYTHING):
            database.learn_each(_means_key(query, known), {row.version_id: row for row in rows})
        seen = {each.sentence_id: each.score for each in sentences if each.seen}
        found = self._by_version(dict(list(seen.items())[:asked]), scope)
        if len(rows) < _BLOCK:
            outside = found.keys() - {row.version_id for row in rows}
            database.learn_each(_means_key(query, scope), dict.fromkeys(outside))
        self._learn_compared(model.id, query, rows, found, top_k, best, matching, scope)

    def _learn_compared(
        self,
        model_id: int,
        query: Vector,
        rows: Sequence[AnyRow],
        found: dict[int, Best],
        top_k: int,
        best: int,
        matching: Question[dict[int, float]] | None,
        scope: Scope,
    ) -> None:
        """Compare the documents that a ranking will compare, as far as it can be foreseen, and read their means."""
        cosine = {row.version_id: row for row in rows}
        ranked = {v: score_document(own[0][0], cosine[v].cosine) for v, own in found.items() if v in cosine}
        chosen = sorted(ranked, key=lambda v: -ranked[v])[:top_k]
        versions = [v for v in chosen if len(found[v]) < min(best, cosine[v].sentences)]
        documents = [cosine[v].document_id for v in chosen]
        if matching is not None:
            matched = self._database.answer(matching)
            wanted = dict.fromkeys(list(matched)[:top_k])
            versions += [row.version_id for row in rows if row.document_id in wanted and row.version_id not in ranked]
            documents = list(dict.fromkeys([*documents, *wanted]))
        asked = [self._best(model_id, query, versions, scope)] if versions else []
        asked += [_totals(model_id, documents)] if matching is not None and documents else []
        if not asked:
            return
        answers = self._database.ask(asked)
        if versions:
            self._database.learn_each(_best_key(query, scope), dict.fromkeys(versions) | _read_best(answers[0]))
        if len(answers) > len(versions[:1]):
            self._database.learn_each(_TOTALS, dict.fromkeys(documents) | _read_totals(answers[-1]))


def asked_sentences(documents: int) -> int:
    """Return how many of the nearest sentences are looked for to rank so many documents."""
    return max(_SENTENCES_AT_LEAST, _SENTENCES_A_DOCUMENT * documents)


def _means_key(query: Vector, scope: Scope) -> object:
    return "means", query.tobytes(), scope


def _best_key(query: Vector, scope: Scope) -> object:
    return "best", query.tobytes(), scope.without


def _versions_key(scope: Scope) -> object:
    return _VERSIONS, scope.without


def _read_best(rows: Sequence[AnyRow]) -> dict[int, Best]:
    found: dict[int, Best] = {}
    for row in rows:
        found.setdefault(row.version_id, []).append((row.score, row.sentence_id))
    return found


def _totals(model_id: int, document_ids: Sequence[int]) -> tuple[str, dict[str, object]]:
    return (
        f"SELECT d.id, t.vector FROM document d JOIN {total_table(model_id)} t ON t.version_id = d.live_id"
        " WHERE d.id = ANY(%(ids)s::bigint[])",
        {"ids": list(document_ids)},
    )


def _read_totals(rows: Sequence[AnyRow]) -> dict[int, Vector]:
    return {row.id: row.vector for row in rows}


def _means_query(model_id: int) -> str:
    # A sum of length 0 has no direction.
    return (
        "SELECT t.version_id, d.id AS document_id, d.sentences,"
        " coalesce(nullif(-(t.vector <#> %(query)s) / nullif(vector_norm(t.vector), 0), 'NaN'), 0) AS cosine"
        f" FROM {total_table(model_id)} t JOIN document d ON d.live_id = t.version_id WHERE d.sentences > 0"
    )


def _rank(
    ranked: dict[int, tuple[int, float]], found: dict[int, Best], best: int
) -> list[tuple[int, float, list[ScoredSentence]]]:
    return [
        (document_id, score, [ScoredSentence(number, own) for own, number in sorted(found[v], key=_best_first)[:best]])
        for v, (document_id, score) in ranked.items()
    ]


def _best_first(pair: tuple[float, int]) -> tuple[float, int]:
    return -pair[0], pair[1]


def _kth_score(ranked: dict[int, float], top_k: int) -> float:
    return heapq.nlargest(top_k, ranked.values())[-1] if len(ranked) >= top_k else -2.0
