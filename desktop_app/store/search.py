"""Finds sentences and documents by their vectors, and builds the rows that show them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import and_, bindparam, case, func, or_, select
from sqlalchemy.orm import aliased

from desktop_app.core.annotations import find_noted
from desktop_app.core.query import NO_KEYWORDS
from desktop_app.core.records import Hit, ScoredSentence
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import hit_from_row
from desktop_app.core.stored_text import decode_path
from desktop_app.core.word_conditions import WordGroup
from desktop_app.store.counters import read_counter
from desktop_app.store.database import PreparedQuery
from desktop_app.store.keyword_index import SENTENCES
from desktop_app.store.schema import DocumentRow, OccurrenceRow, PageRow, SentenceRow, VersionRow
from desktop_app.store.scope_conditions import is_not_removed, is_occurrence_in_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Connection

    from desktop_app.core.arrays import Ids, Vector
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.annotations import LocalAnnotationStore
    from desktop_app.store.database import Database
    from desktop_app.store.documents import LocalDocumentStore
    from desktop_app.store.index_segments import Segments
    from desktop_app.store.keyword_index import KeywordIndex
    from desktop_app.store.vector_index import VectorIndex
    from desktop_app.store.visibility import LocalVisibilityCache


EXACT_SENTENCES = 50_000
"""Scopes up to this size are compared sentence by sentence."""

ASK_MORE = 32
"""Rows that a search asks for beyond those that it wants: some of them are not visible."""

_MORE_IN_SCOPE = 1.2
"""How many more rows are asked for in a scope: with none, two searches in five had to ask again."""

_ASK_AT_MOST = 8192
_ORDINAL_BITS = 32
_KEPT_QUERIES = 8


class LocalVectorSearch:
    """Implements `core.library.VectorSearch`: searches the index and filters by visibility."""

    def __init__(
        self,
        database: Database,
        documents: LocalDocumentStore,
        segments: Segments,
        keywords: KeywordIndex,
        visibility: LocalVisibilityCache,
        annotations: LocalAnnotationStore,
    ) -> None:
        self._annotations = annotations
        self._visibility = visibility
        self._database = database
        self._keywords = keywords
        self._documents = documents
        self._segments = segments

    def nearest(
        self,
        vector: Vector,
        top_k: int,
        *,
        scope: Scope = EVERYTHING,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = NO_KEYWORDS,
    ) -> list[ScoredSentence]:
        """Return the visible sentences nearest to a unit vector; see `core.library.VectorSearch`."""
        with self._database.read_transaction() as connection:
            index = self._segments.searched_index(connection)
            if index is None or top_k <= 0 or not len(index):
                return []
            query = np.ascontiguousarray(vector, np.float32)
            if query.shape != (index.dim,):
                raise ValueError(f"the vector has the shape {query.shape} instead of ({index.dim},)")
            ids, scores = self.search_visible(connection, index, query, top_k, scope, min_score, keyword_query)
        return [
            ScoredSentence(sentence_id, score)
            for sentence_id, score in zip(ids.tolist(), scores.tolist(), strict=True)
            if score >= min_score
        ]

    def search_visible(
        self,
        connection: Connection,
        index: VectorIndex,
        query: Vector,
        top_k: int,
        scope: Scope,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = NO_KEYWORDS,
    ) -> tuple[Ids, Vector]:
        """Return ids and cosines of visible sentences, best first.

        The index also contains invisible rows (removed, replaced, out of scope). A small scope is compared sentence by
        sentence; otherwise the index is asked for more rows than requested, and again for more, until enough of them
        are visible. When even thousands are not enough, visible rows are rare and are compared sentence by sentence
        after all. So are the sentences with required words.
        """
        return self._segments.ask(
            connection,
            index,
            lambda: self._search_visible(connection, index, query, top_k, scope, min_score, keyword_query),
        )

    def _search_visible(
        self,
        connection: Connection,
        index: VectorIndex,
        query: Vector,
        top_k: int,
        scope: Scope,
        min_score: float,
        keyword_query: KeywordQuery,
    ) -> tuple[Ids, Vector]:
        without: Ids = np.empty(0, np.int64)
        if keyword_query.without:
            without = self._keywords.rows_with(connection, SENTENCES, WordGroup(keyword_query.without, is_any=True))
        if keyword_query.must:
            having = self._keywords.rows_with(connection, SENTENCES, WordGroup(keyword_query.must, is_any=False))
            having = _without(having, without)
            return self._best_of(index, query, having[self.are_visible(connection, having, scope)], top_k)
        if scope.has_every_document:
            visible = read_counter(connection, "occurrences")
        else:
            visible = self.count_visible(connection, scope)
            if visible <= EXACT_SENTENCES:
                return self._best_of(index, query, _without(self.visible_ids(connection, scope), without), top_k)
        if not visible:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        more = 1.0 if scope.has_every_document else _MORE_IN_SCOPE
        ask = int(more * top_k * max(1.0, len(index) / visible)) + ASK_MORE
        while True:
            candidates = index.find_candidates(query, min(ask, len(index)))
            seen = self.are_visible(connection, candidates, scope)
            if len(without):
                seen &= ~np.isin(candidates, without)
            # What is beyond the rows asked for makes up for approximate cosines.
            if seen[:ask].sum() >= top_k or ask >= len(index) or _is_below(index, query, candidates[-1:], min_score):
                # Only now, because reading vectors takes most of the time.
                ids, scores = index.scores(query, candidates[seen])
                return ids[:top_k], scores[:top_k]
            if ask >= max(_ASK_AT_MOST, 2 * top_k):
                return self._best_of(index, query, _without(self.visible_ids(connection, scope), without), top_k)
            ask *= 4

    def count_visible(self, connection: Connection, scope: Scope) -> int:
        """Return about how many sentences are visible in a scope."""
        if (known := self._visibility.ids(connection, scope)) is not None:
            return len(known)
        return self._documents.count_visible(connection, scope)

    def visible_ids(self, connection: Connection, scope: Scope) -> Ids:
        """Return the ids of all visible sentences."""
        if (known := self._visibility.ids(connection, scope)) is not None:
            return known
        standing = (
            select(OccurrenceRow.sentence_id)
            .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .where(is_not_removed(), is_occurrence_in_scope(scope))
            .distinct()
        )
        return np.fromiter(connection.execute(standing).scalars(), np.int64)

    @staticmethod
    def _best_of(index: VectorIndex, query: Vector, ids: Ids, top_k: int) -> tuple[Ids, Vector]:
        """Compare all of `ids` and return the nearest."""
        # A few more, so that ties at the edge are decided by the exact scores.
        found, _ = index.search_among(query, ids, top_k + ASK_MORE)
        ids, scores = index.scores(query, found)
        return ids[:top_k], scores[:top_k]

    def scores(self, vector: Vector, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector; sentences without a vector are left out."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None:
                return {}
            query = np.ascontiguousarray(vector, np.float32)
            asked = np.asarray(sentence_ids, np.int64)
            ids, scores = self._segments.ask(connection, index, lambda: index.scores(query, asked))
        return dict(zip(ids.tolist(), scores.tolist(), strict=True))

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, Vector]:
        """Return the vectors of sentences; sentences without a vector are left out."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None:
                return {}
            asked = np.unique(np.asarray(sentence_ids, np.int64))
            ids, rows = self._segments.ask(connection, index, lambda: index.vectors(asked))
        return dict(zip(ids.tolist(), rows, strict=True))

    def sample_vectors(self, count: int) -> Vector:
        """Return the vectors of up to `count` sentences from across the library, always the same ones."""
        with self._database.read_transaction() as connection:
            index = self._segments.index(connection)
            if index is None:
                return np.empty((0, 0), np.float32)
            # Each on its own: for both at once SQLite would read the whole table.
            ends = (select(end(SentenceRow.id)).scalar_subquery() for end in (func.min, func.max))
            first, last = connection.execute(select(*ends)).one()
            if first is None:
                return np.empty((0, index.dim), np.float32)
            # Random, so that the order of the documents has no effect; more than requested, because some are gone.
            drawn = np.random.default_rng(0).integers(first, last + 1, 4 * count)
            ids = np.unique(drawn)
            held = ids[index.contains(ids)]
            chosen = held[np.random.default_rng(1).permutation(len(held))[:count]]
            _, vectors = index.vectors(np.sort(chosen))
        return vectors

    def find_visible(self, ids: Ids, scope: Scope) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is visible in a scope."""
        with self._database.read_transaction() as connection:
            return self.are_visible(connection, ids, scope)

    def recall_visible(self, connection: Connection, ids: Ids, scope: Scope) -> NDArray[np.bool_] | None:
        """Return for each of `ids` whether it is visible in a scope, if that takes no time; otherwise None."""
        return self._visibility.of(connection, ids, scope)

    def are_visible(self, connection: Connection, ids: Ids, scope: Scope) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is visible in a scope."""
        if (known := self.recall_visible(connection, ids, scope)) is not None:
            return known
        seen = {row[0] for row in _visible_query(scope).rows(connection, asked=json.dumps(ids.tolist()))}
        return np.fromiter((i in seen for i in ids.tolist()), np.bool_, len(ids))

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = EVERYTHING) -> list[Hit]:
        """Return the hits of scored sentences; see `core.library.VectorSearch`."""
        with self._database.read_transaction() as connection:
            firsts = self._first_places(connection, [near.sentence_id for near in found], scope)
            rows = self._rows(connection, [place for place, _ in firsts.values()])
        hits: list[Hit] = []
        for near in found:
            if near.sentence_id in firsts:
                place, also_in = firsts[near.sentence_id]
                hits.append(_make_hit(rows[place], near, first_rank + len(hits), also_in))
        return self._add_colours(hits)

    def _add_colours(self, hits: list[Hit]) -> list[Hit]:
        """Return hits with the colours of the highlights that they are, or that they are written on."""
        ids = {hit.document_id for hit in hits if hit.kind == "note"}
        if not ids:
            return hits
        annotations = {document_id: self._annotations.fetch(document_id) for document_id in ids}
        found = [find_noted(annotations.get(hit.document_id, ()), hit) for hit in hits]
        return [replace(hit, colour=each.colour) if each else hit for hit, each in zip(hits, found, strict=True)]

    def hits_at(self, places: Sequence[tuple[int, int, float]]) -> list[Hit | None]:
        """Return the hits at given places; see `core.library.VectorSearch`."""
        packed = [document_id << _ORDINAL_BITS | ordinal for document_id, ordinal, _ in places]
        with self._database.read_transaction() as connection:
            rows = self._rows(connection, list(dict.fromkeys(packed)))
            ids = [row.sentence_id for row in rows.values()]
            firsts = self._first_places(connection, ids, EVERYTHING)
        return [
            _make_hit(
                rows[place], ScoredSentence(rows[place].sentence_id, score), rank, firsts[rows[place].sentence_id][1]
            )
            if place in rows
            else None
            for rank, (place, (_, _, score)) in enumerate(zip(packed, places, strict=True), start=1)
        ]

    def _first_places(
        self, connection: Connection, sentence_ids: Sequence[int], scope: Scope
    ) -> dict[int, tuple[int, int]]:
        """Return for each sentence its first place in scope, and the number of further documents that contain it.

        A place is document id and ordinal packed into one number, so that the smallest is the first.
        """
        asked = json.dumps(list(dict.fromkeys(sentence_ids)))
        return {
            sentence_id: (place, also_in)
            for sentence_id, place, also_in in _places_query(scope).rows(connection, asked=asked)
            if place is not None
        }

    def _rows(self, connection: Connection, places: Sequence[int]) -> dict[int, AnyRow]:
        return {row.asked: row for row in _rows_query().rows(connection, places=json.dumps(list(places)))}


def _is_below(index: VectorIndex, query: Vector, ids: Ids, min_score: float) -> bool:
    """Return whether one of `ids` has a smaller cosine."""
    return bool((index.scores(query, ids)[1] < min_score).any())


def _without(ids: Ids, without: Ids) -> Ids:
    """Return the ids that are not among others."""
    return np.setdiff1d(ids, without) if len(without) else ids


@lru_cache(_KEPT_QUERIES)
def _visible_query(scope: Scope) -> PreparedQuery:
    """Return the query for which of `asked`, a JSON list of ids, occur in a scope."""
    asked = func.json_each(bindparam("asked", "[]")).table_valued("value")
    standing = (
        select(OccurrenceRow.ordinal)
        .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
        .where(OccurrenceRow.sentence_id == asked.c.value, is_not_removed(), is_occurrence_in_scope(scope))
        .correlate(asked)
    )
    return PreparedQuery(select(asked.c.value).where(standing.exists()))


@lru_cache(_KEPT_QUERIES)
def _places_query(scope: Scope) -> PreparedQuery:
    """Return the query for the first place and number of further documents of each of `asked`, a JSON list."""
    asked = func.json_each(bindparam("asked", "[]")).table_valued("value")
    place = DocumentRow.id.op("<<")(_ORDINAL_BITS).op("|")(OccurrenceRow.ordinal)
    first = func.min(place if scope.is_everything else case((is_occurrence_in_scope(scope), place)))
    return PreparedQuery(
        select(OccurrenceRow.sentence_id, first, func.count(DocumentRow.id.distinct()) - 1)
        .join_from(asked, OccurrenceRow, OccurrenceRow.sentence_id == asked.c.value)
        .join(DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
        .where(is_not_removed())
        .group_by(OccurrenceRow.sentence_id)
    )


@cache
def _rows_query() -> PreparedQuery:
    """Return the query for the occurrences at `places`, a JSON list."""
    asked = func.json_each(bindparam("places", "[]")).table_valued("value")
    before, after = aliased(OccurrenceRow), aliased(OccurrenceRow)
    text_before, text_after = aliased(SentenceRow), aliased(SentenceRow)
    mask = (1 << _ORDINAL_BITS) - 1

    def is_neighbour(other: type[OccurrenceRow], step: int) -> ColumnElement[bool]:
        # A translation stands beside its original, not beside the next unit; what somebody wrote on a document does not
        # continue its text, nor another note.
        continues = or_(
            and_(VersionRow.type != "translation", other.kind != "note", OccurrenceRow.kind != "note"),
            other.paragraph == OccurrenceRow.paragraph,
        )
        return and_(
            other.version_id == OccurrenceRow.version_id, other.ordinal == OccurrenceRow.ordinal + step, continues
        )

    return PreparedQuery(
        select(
            asked.c.value.label("asked"),
            DocumentRow.id.label("document_id"),
            DocumentRow.own_title,
            DocumentRow.name,
            DocumentRow.path,
            VersionRow.title,
            VersionRow.type,
            OccurrenceRow.ordinal,
            OccurrenceRow.sentence_id,
            OccurrenceRow.kind,
            OccurrenceRow.page,
            OccurrenceRow.start,
            OccurrenceRow.stop,
            OccurrenceRow.unit,
            OccurrenceRow.more,
            OccurrenceRow.line,
            OccurrenceRow.last_line,
            SentenceRow.text,
            text_before.text.label("before"),
            text_after.text.label("after"),
            PageRow.label,
            PageRow.state.label("page_state"),
        )
        .join_from(asked, DocumentRow, and_(DocumentRow.id == asked.c.value.op(">>")(_ORDINAL_BITS), is_not_removed()))
        .join(VersionRow, VersionRow.id == DocumentRow.live_id)
        .join(
            OccurrenceRow,
            and_(
                OccurrenceRow.version_id == DocumentRow.live_id,
                OccurrenceRow.ordinal == asked.c.value.op("&")(mask),
            ),
        )
        .join(SentenceRow, SentenceRow.id == OccurrenceRow.sentence_id)
        .outerjoin(before, is_neighbour(before, -1))
        .outerjoin(text_before, text_before.id == before.sentence_id)
        .outerjoin(after, is_neighbour(after, +1))
        .outerjoin(text_after, text_after.id == after.sentence_id)
        .outerjoin(
            PageRow,
            and_(PageRow.version_id == OccurrenceRow.version_id, PageRow.page == OccurrenceRow.page),
        )
    )


def _make_hit(row: AnyRow, near: ScoredSentence, rank: int, also_in: int) -> Hit:
    return hit_from_row(row, near, rank, also_in, path=decode_path(row.path), name=decode_path(row.name))
