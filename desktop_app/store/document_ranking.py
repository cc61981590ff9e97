"""Ranks documents by meaning: half their best sentence, half the mean of all their sentences."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select

from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.score_fusion import score_document
from desktop_app.store.document_sums import select_sums
from desktop_app.store.schema import DocumentRow, OccurrenceRow, TotalRow
from desktop_app.store.scope_conditions import (
    is_document_in_scope,
    is_not_removed,
    is_passage_in_scope,
    values_subquery,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids, Vector
    from desktop_app.core.scope import Scope
    from desktop_app.store.database import Database
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.search import LocalVectorSearch
    from desktop_app.store.vector_index import VectorIndex

    Best = list[tuple[float, int]]

_SENTENCES_A_DOCUMENT = 20
_SENTENCES_AT_LEAST = 1000
_LOOK_AT = 64
_KEEP = 64
"""Best sentences to remember per document."""
_LOAD_SENTENCES = 20_000


class DocumentMeans:
    """The mean vectors of versions, in memory as unit rows; reads only rows that changed since the last refresh."""

    def __init__(self, dim: int) -> None:
        self._seen = 0
        self._at: dict[int, int] = {}
        self._versions: Ids = np.empty(0, np.int64)
        self._rows: Vector = np.empty((0, dim), np.float32)

    def refresh(self, connection: Connection) -> None:
        """Load the rows committed since the last refresh."""
        changed = connection.execute(
            select_sums().where(TotalRow.changed > self._seen).order_by(TotalRow.changed)
        ).all()
        new = [row.version_id for row in changed if row.version_id not in self._at]
        if len(self._at) + len(new) > len(self._versions):
            room = max(1024, 2 * (len(self._at) + len(new)))
            self._versions = np.resize(self._versions, room)
            rows = np.zeros((room, self._rows.shape[1]), np.float32)
            rows[: len(self._rows)] = self._rows
            self._rows = rows
        for row in changed:
            at = self._at.setdefault(row.version_id, len(self._at))
            total = np.frombuffer(row.vector, "<f4")
            # Sentence vectors may cancel out: then the document means nothing in particular, and is near nothing.
            self._rows[at] = total / max(float(np.linalg.norm(total)), 1e-12)
            self._versions[at] = row.version_id
            self._seen = row.changed

    def scores(self, query: Vector) -> tuple[Ids, Vector]:
        """Return version ids and the cosines of their means with `query` float32 [dim], highest first."""
        count = len(self._at)
        scores: Vector = self._rows[:count] @ query
        order = np.argsort(-scores, kind="stable")
        return self._versions[:count][order], scores[order]

    def of(self, versions: Sequence[int | None]) -> Vector:
        """Return the unit means of versions, float32 [n, dim]; zeros for a version without one."""
        rows: Vector = np.zeros((len(versions), self._rows.shape[1]), np.float32)
        for row, version in enumerate(versions):
            if version is not None and (at := self._at.get(version)) is not None:
                rows[row] = self._rows[at]
        return rows


class LocalDocumentRanking:
    """Implements `core.library.DocumentRanking`.

    It finds exactly the best documents, as far as the index finds the nearest sentences.

    The means of all documents are known, and so are the best sentences of those documents that occur among the nearest
    sentences found. Any other document has no sentence better than the last of these: that bounds its score, and only
    documents whose bound reaches the ranking are compared sentence by sentence.
    """

    def __init__(self, database: Database, segments: Segments, search: LocalVectorSearch) -> None:
        self._database = database
        self._segments = segments
        self._search = search
        self._means: tuple[VectorIndex, DocumentMeans] | None = None

    def nearest_documents(
        self, vector: Vector, top_k: int, *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return (document id, score, best sentences) of the best documents; see `core.library.DocumentRanking`."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None or top_k <= 0 or not len(index):
                return []
            means = self._current_means(connection, index)
            query = np.ascontiguousarray(vector, np.float32)
            asked = max(_SENTENCES_AT_LEAST, _SENTENCES_A_DOCUMENT * top_k)
            ids, scores = self._search.search_visible(connection, index, query, asked, scope)
            found = self._by_version(connection, dict(zip(ids.tolist(), scores.tolist(), strict=True)), scope)
            versions, cosines = means.scores(query)
            cosine = dict(zip(versions.tolist(), cosines.tolist(), strict=True))
            documents = self._documents(connection, list(found), scope)
            ranked = {v: score_document(found[v][0][0], cosine[v]) for v in documents}
            if len(ids) == asked:  # otherwise every sentence in scope was found, and so was every document
                floor = float(scores[-1])
                for at in range(0, len(versions), _LOOK_AT):
                    kth = _kth_score(ranked, top_k)
                    if score_document(floor, float(cosines[at])) < kth:
                        break
                    piece = [
                        v for v in versions[at : at + _LOOK_AT].tolist() if score_document(floor, cosine[v]) >= kth
                    ]
                    beyond = self._documents(connection, [v for v in piece if v not in ranked], scope)
                    documents |= beyond
                    found |= self._compared(connection, index, query, beyond, scope)
                    ranked |= {v: score_document(found[v][0][0], cosine[v]) for v in beyond if v in found}
            chosen = sorted(ranked, key=lambda v: (-ranked[v], documents[v][0]))[:top_k]
            thin = {v: documents[v] for v in chosen if len(found[v]) < min(best, documents[v][1])}
            found |= self._compared(connection, index, query, thin, scope)
            return _rank_exactly(index, query, {v: (documents[v][0], ranked[v]) for v in chosen}, found, best)

    def score_documents(
        self, vector: Vector, document_ids: Sequence[int], *, scope: Scope = EVERYTHING, best: int = 3
    ) -> list[tuple[int, float, list[ScoredSentence]]]:
        """Return what `nearest_documents` would return for these documents; see `core.library.DocumentRanking`."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None or not document_ids:
                return []
            query = np.ascontiguousarray(vector, np.float32)
            means = self._current_means(connection, index)
            held, scores = means.scores(query)
            cosine = dict(zip(held.tolist(), scores.tolist(), strict=True))
            of = select(DocumentRow.live_id).where(DocumentRow.id.in_(values_subquery(document_ids)))
            versions = [v for v in connection.execute(of).scalars() if v is not None and v in cosine]
            documents = self._documents(connection, versions, scope)
            found = self._compared(connection, index, query, documents, scope)
            ranked = {v: (documents[v][0], score_document(found[v][0][0], cosine[v])) for v in found}
            return _rank_exactly(index, query, ranked, found, best)

    def mean_vectors(self, document_ids: Sequence[int]) -> Vector:
        """Return the unit means of documents' sentences; see `core.library.DocumentRanking`."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None:
                return np.zeros((len(document_ids), 0), np.float32)
            live = select(DocumentRow.id, DocumentRow.live_id).where(DocumentRow.id.in_(values_subquery(document_ids)))
            version_of = {row.id: row.live_id for row in connection.execute(live)}
            return self._current_means(connection, index).of([version_of.get(each) for each in document_ids])

    def _current_means(self, connection: Connection, index: VectorIndex) -> DocumentMeans:
        if self._means is None or self._means[0] is not index:
            self._means = index, DocumentMeans(index.dim)
        self._means[1].refresh(connection)
        return self._means[1]

    def _documents(self, connection: Connection, versions: list[int], scope: Scope) -> dict[int, tuple[int, int]]:
        """Return the visible ones of `versions` with their document's id and number of sentences."""
        query = select(DocumentRow.live_id, DocumentRow.id, DocumentRow.sentences).where(
            DocumentRow.live_id.in_(values_subquery(versions)),
            DocumentRow.sentences > 0,
            is_not_removed(),
            is_document_in_scope(scope),
        )
        return {row.live_id: (row.id, row.sentences) for row in connection.execute(query)}

    def _by_version(self, connection: Connection, scores: dict[int, float], scope: Scope) -> dict[int, Best]:
        """Return for each version the (score, sentence id) pairs found in it, best first."""
        query = select(OccurrenceRow.version_id, OccurrenceRow.sentence_id).where(
            OccurrenceRow.sentence_id.in_(values_subquery(scores)), is_passage_in_scope(scope)
        )
        found: dict[int, Best] = {}
        for row in connection.execute(query.distinct()):
            found.setdefault(row.version_id, []).append((scores[row.sentence_id], row.sentence_id))
        for own in found.values():
            own.sort(key=_best_first)
        return found

    def _compared(
        self,
        connection: Connection,
        index: VectorIndex,
        query: Vector,
        versions: dict[int, tuple[int, int]],
        scope: Scope,
    ) -> dict[int, Best]:
        """Compare all sentences of these versions that a scope has and return the best ones."""
        found: dict[int, Best] = {}
        for group in _group_versions(versions):
            standing = connection.execute(
                select(OccurrenceRow.version_id, OccurrenceRow.sentence_id).where(
                    OccurrenceRow.version_id.in_(values_subquery(group)), is_passage_in_scope(scope)
                )
            ).all()
            ids = np.unique(np.fromiter((row.sentence_id for row in standing), np.int64, len(standing)))
            held, vectors = index.vectors(ids)
            score = dict(zip(held.tolist(), (vectors @ query).tolist(), strict=True))
            own: dict[int, set[int]] = {}
            for row in standing:
                own.setdefault(row.version_id, set()).add(row.sentence_id)
            for version, sentence_ids in own.items():
                pairs = [(score[i], i) for i in sentence_ids if i in score]
                if pairs:
                    found[version] = heapq.nsmallest(_KEEP, pairs, key=_best_first)
        return found


def _rank_exactly(
    index: VectorIndex, query: Vector, ranked: dict[int, tuple[int, float]], found: dict[int, Best], best: int
) -> list[tuple[int, float, list[ScoredSentence]]]:
    """Return (document id, score, best sentences) of versions, with exact cosines."""
    ids = {v: [sentence_id for _, sentence_id in found[v][: max(best, 1)]] for v in ranked}
    exact_ids, exact = index.scores(query, np.unique(np.concatenate([[0], *ids.values()]).astype(np.int64)))
    score = dict(zip(exact_ids.tolist(), exact.tolist(), strict=True))
    return [
        (
            document_id,
            of_document,
            sorted((ScoredSentence(i, score[i]) for i in ids[v]), key=lambda near: (-near.score, near.sentence_id))[
                :best
            ],
        )
        for v, (document_id, of_document) in ranked.items()
    ]


def _best_first(pair: tuple[float, int]) -> tuple[float, int]:
    return -pair[0], pair[1]


def _group_versions(versions: dict[int, tuple[int, int]]) -> Iterator[list[int]]:
    """Yield groups of versions with up to `_LOAD_SENTENCES` sentences together."""
    group: list[int] = []
    total = 0
    for version, (_, sentences) in versions.items():
        if group and total + sentences > _LOAD_SENTENCES:
            yield group
            group, total = [], 0
        group.append(version)
        total += sentences
    if group:
        yield group


def _kth_score(ranked: dict[int, float], top_k: int) -> float:
    return heapq.nlargest(top_k, ranked.values())[-1] if len(ranked) >= top_k else -2.0
