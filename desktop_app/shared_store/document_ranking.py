"""Ranks documents by meaning: half their best sentence, half the mean of all their sentences."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.score_fusion import score_document
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.vectors import parent_table, total_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.search import SharedVectorSearch

    Vector = NDArray[np.float32]
    Best = list[tuple[float, int]]

_SENTENCES_A_DOCUMENT = 20
_SENTENCES_AT_LEAST = 1000
_LOOK_AT = 64
_KEEP = 64
"""Best sentences to remember per document."""

_BEST = (
    "SELECT version_id, sentence_id, score FROM (SELECT n.version_id, n.sentence_id, n.score,"
    " row_number() OVER (PARTITION BY n.version_id ORDER BY n.score DESC, n.sentence_id) AS rank FROM"
    " (SELECT DISTINCT o.version_id, o.sentence_id, -(e.vector <#> %(query)s) AS score FROM occurrence o"
    " JOIN {vectors} e ON e.sentence_id = o.sentence_id WHERE o.version_id = ANY(%(versions)s::bigint[])) n) r"
    " WHERE rank <= %(keep)s ORDER BY version_id, rank"
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
        asked = max(_SENTENCES_AT_LEAST, _SENTENCES_A_DOCUMENT * top_k)
        near = self._search.search_visible(query, asked, scope)
        found = self._by_version(dict(near))
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
                compared = self._compared(model_id, query, beyond)
                for version, own in compared.items():
                    documents[version] = beyond[version].document_id, beyond[version].sentences
                    found[version] = own
                    ranked[version] = score_document(own[0][0], beyond[version].cosine)
                if score_document(floor, rows[-1].cosine) < _kth_score(ranked, top_k):
                    break
        chosen = sorted(ranked, key=lambda v: (-ranked[v], documents[v][0]))[:top_k]
        thin = [v for v in chosen if len(found[v]) < min(best, documents[v][1])]
        found |= self._compared(model_id, query, thin)
        return _rank({v: (documents[v][0], ranked[v]) for v in chosen}, found, best)

    def score_documents(
        self, vector: Vector, document_ids: Sequence[int], *, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return what `nearest_documents` would return for these documents; invisible ones are left out."""
        model_id = self._models.current_id
        if model_id is None or not document_ids:
            return []
        query = np.ascontiguousarray(vector, np.float32)
        versions = self._database.column(
            "SELECT live_id FROM document WHERE id = ANY(%(ids)s::bigint[]) AND live_id IS NOT NULL",
            ids=list(document_ids),
        )
        documents, cosine = self._documents(model_id, query, versions, EVERYTHING)
        found = self._compared(model_id, query, documents)
        ranked = {v: (documents[v][0], score_document(found[v][0][0], cosine[v])) for v in found}
        return _rank(ranked, found, best)

    def mean_vectors(self, document_ids: Sequence[int]) -> Vector:
        """Return the unit means of documents' sentences; see `core.library.DocumentRanking`."""
        model = self._models.current_row()
        if model is None:
            return np.zeros((len(document_ids), 0), np.float32)
        rows = self._database.vectors(
            f"SELECT d.id, t.vector FROM document d JOIN {total_table(model.id)} t ON t.version_id = d.live_id"
            " WHERE d.id = ANY(%(ids)s::bigint[])",
            ids=list(document_ids),
        )
        total = {row.id: row.vector for row in rows}
        means = np.zeros((len(document_ids), model.dim), np.float32)
        for at, document_id in enumerate(document_ids):
            if document_id in total:
                # Sentence vectors may cancel out: then the document means nothing in particular, and is near nothing.
                means[at] = total[document_id] / max(float(np.linalg.norm(total[document_id])), 1e-12)
        return means

    def _by_version(self, scores: dict[int, float]) -> dict[int, Best]:
        """Return for each version the (score, sentence id) pairs found in it, best first."""
        rows = self._database.rows(
            "SELECT DISTINCT version_id, sentence_id FROM occurrence WHERE sentence_id = ANY(%(ids)s::bigint[])",
            ids=list(scores),
        )
        found: dict[int, Best] = {}
        for row in rows:
            found.setdefault(row.version_id, []).append((scores[row.sentence_id], row.sentence_id))
        for own in found.values():
            own.sort(key=_best_first)
        return found

    def _documents(
        self, model_id: int, query: Vector, versions: Sequence[int], scope: Scope
    ) -> tuple[dict[int, tuple[int, int]], dict[int, float]]:
        """Return the visible ones of `versions` with their document's id and sentences, and the cosines of means."""
        where = ScopeCondition(scope, self._paths)
        rows = self._database.rows(
            f"{_means_query(model_id)} AND {VISIBLE} AND {where.of_document} AND d.live_id = ANY(%(ids)s::bigint[])",
            query=query,
            ids=list(versions),
            **where.values,
        )
        documents = {row.version_id: (row.document_id, row.sentences) for row in rows}
        return documents, {row.version_id: row.cosine for row in rows}

    def _next_means(self, model_id: int, query: Vector, scope: Scope, offset: int) -> list[AnyRow]:
        """Return the next documents in the order of their means."""
        where = ScopeCondition(scope, self._paths)
        return self._database.rows(
            f"{_means_query(model_id)} AND {VISIBLE} AND {where.of_document}"
            f" ORDER BY cosine DESC, version_id LIMIT {_LOOK_AT} OFFSET %(offset)s",
            query=query,
            offset=offset,
            **where.values,
        )

    def _compared(self, model_id: int, query: Vector, versions: Iterable[int]) -> dict[int, Best]:
        """Compare all sentences of these versions and return the best ones."""
        versions = list(versions)
        if not versions:
            return {}
        found: dict[int, Best] = {}
        for row in self._database.rows(
            _BEST.format(vectors=parent_table(model_id)), query=query, versions=versions, keep=_KEEP
        ):
            found.setdefault(row.version_id, []).append((row.score, row.sentence_id))
        return found


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
