"""Finds sentences by their vectors, each search in one statement, and builds the rows that show them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from desktop_app.core.annotations import find_noted
from desktop_app.core.query import NO_KEYWORDS
from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.stored_rows import AnyRow, hit_from_row
from desktop_app.shared_store.connection import Question
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.sentences import TALLY
from desktop_app.shared_store.vectors import parent_table, part_table, read_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Ids, Vector
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.records import Hit
    from desktop_app.shared_store.annotations import SharedAnnotationStore
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.documents import SharedDocumentStore
    from desktop_app.shared_store.keyword_index import SharedKeywordIndex
    from desktop_app.shared_store.models import SharedLibraryModels
    from desktop_app.shared_store.paths import PathCodec
    from desktop_app.shared_store.vectors import VectorPart


_EXACT_SENTENCES = 50_000
"""Scopes up to this size are compared sentence by sentence."""

_ASK_MORE = 32
_ASK_AT_MOST = 8192
_ASK_AGAIN = 2
"""Times as many more as there must be if what is left out is spread evenly."""
_SAMPLE_BLOCK = 4
_MAX_WIDTH = 1000  # of pgvector

# Looked up sentence by sentence: a condition alone would be answered by reading all occurrences.
_VISIBLE_PLACE = (
    "SELECT FROM occurrence o JOIN document d ON d.live_id = o.version_id"
    f" WHERE o.sentence_id = n.sentence_id AND {VISIBLE} AND {{scope}} LIMIT 1"
)
_PLACES = (
    "SELECT DISTINCT ON (a.id) a.id AS asked, d.id AS document_id, o.ordinal"
    " FROM unnest(%(ids)s::bigint[]) AS a (id) JOIN occurrence o ON o.sentence_id = a.id"
    f" JOIN document d ON d.live_id = o.version_id AND {VISIBLE}"
)
# A translation stands beside its original, not beside the next unit; what somebody wrote on a document does not
# continue its text, nor another note.
_NEIGHBOUR = (
    "(SELECT b.text FROM occurrence p JOIN sentence b ON b.id = p.sentence_id"
    " WHERE p.version_id = o.version_id AND p.ordinal = o.ordinal {step} AND (p.paragraph = o.paragraph"
    " OR v.type <> 'translation' AND p.kind <> 'note' AND o.kind <> 'note'))"
)
HIT_COLUMNS = (
    "d.id AS document_id, d.own_title, d.name, d.path, v.title, v.type, o.ordinal, o.sentence_id, o.kind, o.page,"
    f" o.start, o.stop, o.unit, o.more, o.line, o.last_line, s.text, {_NEIGHBOUR.format(step='- 1')} AS before,"
    f" {_NEIGHBOUR.format(step='+ 1')} AS after, g.label, g.state AS page_state"
)
HIT_TABLES = (
    " JOIN version v ON v.id = d.live_id JOIN sentence s ON s.id = o.sentence_id"
    " LEFT JOIN page g ON g.version_id = o.version_id AND g.page = o.page"
)
_ALSO_IN = (
    ", (SELECT count(DISTINCT e.id) - 1 FROM occurrence q JOIN document e ON e.live_id = q.version_id"
    " AND e.removed_at IS NULL WHERE q.sentence_id = o.sentence_id) AS also_in"
)


_VERSIONS = "ARRAY(SELECT DISTINCT o.version_id FROM occurrence o WHERE o.sentence_id = n.sentence_id AND {passages})"
_NO_VERSIONS = "NULL::bigint[]"


class NearSentence(NamedTuple):
    """A sentence that the graphs or the tail found: its cosine, whether it is visible, and in which versions it is."""

    sentence_id: int
    score: float
    seen: bool
    versions: list[int] | None = None


class SharedVectorSearch:
    """Implements `core.library.VectorSearch`: searches the graphs and the tail, and filters by visibility."""

    def __init__(
        self,
        database: SharedDatabase,
        paths: PathCodec,
        documents: SharedDocumentStore,
        models: SharedLibraryModels,
        keywords: SharedKeywordIndex,
        annotations: SharedAnnotationStore,
    ) -> None:
        self._database = database
        self._paths = paths
        self._documents = documents
        self._models = models
        self._keywords = keywords
        self._annotations = annotations

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
        found = self.search_visible(vector, top_k, scope, min_score, keyword_query)
        return [ScoredSentence(number, score) for number, score in found if score >= min_score]

    def search_visible(
        self,
        vector: Vector,
        top_k: int,
        scope: Scope,
        min_score: float = -1.0,
        keyword_query: KeywordQuery = NO_KEYWORDS,
    ) -> list[tuple[int, float]]:
        """Return ids and cosines of visible sentences, best first.

        The graphs also contain sentences that are not visible (removed, replaced, out of scope). A small scope is
        compared sentence by sentence; otherwise more sentences are asked for than requested, and again more, until
        enough of them are visible. So are the sentences with required words.
        """
        model = self._models.current_row()
        if model is None or top_k <= 0:
            return []
        query = np.ascontiguousarray(vector, np.float32)
        if query.shape != (model.dim,):
            raise ValueError(f"the vector has the shape {query.shape} instead of ({model.dim},)")
        if self.is_compared(scope, keyword_query):
            return self._compare(model.id, query, top_k, scope, keyword_query)
        excluded = set(self._keywords.allowed(keyword_query).without.tolist())
        parts = read_parts(self._database, model.id)
        ask = self.first_ask(top_k, len(excluded))
        while True:
            rows = self.find_near(model, parts, query, ask, scope, model.ef_search)
            seen = [(row.sentence_id, row.score) for row in rows if row.seen and row.sentence_id not in excluded]
            exhausted = len(rows) < ask or rows[-1].score < min_score
            if len(seen) >= top_k or (exhausted and not parts):
                return seen[:top_k]
            if exhausted and rows and rows[-1].score < min_score:
                return seen[:top_k]
            if ask >= max(_ASK_AT_MOST, 2 * top_k) or exhausted:
                # Visible sentences are rare, or the graphs were left early.
                return self._compare(model.id, query, top_k, scope, keyword_query)
            ask *= 4

    def first_ask(self, top_k: int, without: int = 0) -> int:
        """Return for how many sentences graphs are asked first: some are not visible, and so many must be left out."""
        ask = top_k + _ASK_MORE
        left = max(self._database.answer(TALLY).get("sentences", 0) - without, 1) if without else 1
        return ask + min(without, _ASK_AGAIN * ask * without // left)

    def is_compared(self, scope: Scope, keyword_query: KeywordQuery) -> bool:
        """Return whether so few sentences come into question that each is compared."""
        return bool(keyword_query.must) or self.is_small(scope)

    def is_small(self, scope: Scope) -> bool:
        """Return whether a scope holds so few sentences that each is compared."""
        return not scope.has_every_document and self._documents.count_visible(scope) <= _EXACT_SENTENCES

    def find_near(
        self, model: AnyRow, parts: Sequence[VectorPart], query: Vector, ask: int, scope: Scope, width: int
    ) -> list[NearSentence]:
        """Return the nearest sentences of graphs and tail, best first.

        `width` is how many candidates the search of a graph keeps.
        """
        question = self.near_question(model, parts, query, ask, scope, width)
        settings = self.width_statements(parts, ask, width)
        return self._database.remember(
            question.key,
            lambda: question.read(self._database.ask([*settings, (question.statement, question.values)])[-1]),
        )

    def near_question(
        self,
        model: AnyRow,
        parts: Sequence[VectorPart],
        query: Vector,
        ask: int,
        scope: Scope,
        width: int,
        *,
        with_versions: bool = False,
    ) -> Question[list[NearSentence]]:
        """Return the question for the nearest sentences; its answer depends on the width that is set.

        `with_versions`: with the versions of documents in which they occur, as passages that the scope has.
        """
        where = ScopeCondition(scope, self._paths)
        versions = _VERSIONS.format(passages=where.of_passage) if with_versions else _NO_VERSIONS
        return Question(
            near_key(query, ask, scope, width),
            f"WITH near AS MATERIALIZED ({near_statement(model, parts, ask)})"
            " SELECT n.sentence_id, n.score, seen IS NOT NULL AS seen,"
            f" {versions} AS versions FROM near n"
            f" LEFT JOIN LATERAL ({_VISIBLE_PLACE.format(scope=where.of_occurrence)}) seen ON true"
            " ORDER BY n.score DESC, n.sentence_id",
            {"query": query, **where.values},
            lambda rows: [NearSentence(row.sentence_id, row.score, row.seen, row.versions) for row in rows],
        )

    def width_statements(
        self, parts: Sequence[VectorPart], ask: int, width: int
    ) -> list[tuple[str, dict[str, object]]]:
        """Return the statement that sets how many candidates a search keeps, unless this connection knows it.

        As many as are asked for: a search that is continued takes several times as long.
        """
        width = min(max(width, ask), _MAX_WIDTH)
        if not parts or width == self._database.width:
            return []
        self._database.width = width
        return [("SELECT set_config('hnsw.ef_search', %(width)s, false)", {"width": str(width)})]

    def _compare(
        self, model_id: int, query: Vector, top_k: int, scope: Scope, keyword_query: KeywordQuery
    ) -> list[tuple[int, float]]:
        """Compare all visible sentences in a scope that the words allow, and return the nearest."""
        found = self._database.answer(self.compared_question(model_id, query, top_k, scope, keyword_query))
        return [(each.sentence_id, each.score) for each in found]

    def compared_question(
        self,
        model_id: int,
        query: Vector,
        top_k: int,
        scope: Scope,
        keyword_query: KeywordQuery = NO_KEYWORDS,
        *,
        with_versions: bool = False,
    ) -> Question[list[NearSentence]]:
        """Return the question for the nearest of all visible sentences in a scope that the words allow.

        `with_versions`: with the versions of documents in which they occur, as passages that the scope has.
        """
        where, allowed = ScopeCondition(scope, self._paths), self._keywords.allowed(keyword_query)
        condition = where.of_occurrence + allowed.condition("o.sentence_id")
        versions = _VERSIONS.format(passages=where.of_passage) if with_versions else _NO_VERSIONS
        return Question(
            compared_key(query, top_k, scope, keyword_query),
            f"SELECT n.sentence_id, n.score, {versions} AS versions"
            f" FROM ({compared_statement(model_id, condition, top_k)}) n ORDER BY n.score DESC, n.sentence_id",
            {"query": query, **allowed.values, **where.values},
            lambda rows: [NearSentence(row.sentence_id, row.score, True, row.versions) for row in rows],
        )

    def scores(self, vector: Vector, sentence_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of sentences with a unit vector; sentences without a vector are left out."""
        model_id = self._models.current_id
        if model_id is None or not len(sentence_ids):
            return {}
        query = np.ascontiguousarray(vector, np.float32)

        def read(ids: list[int]) -> dict[int, float]:
            rows = self._database.rows(
                f"SELECT sentence_id, -(vector <#> %(query)s) AS score FROM {parent_table(model_id)}"
                " WHERE sentence_id = ANY(%(ids)s::bigint[])",
                query=query,
                ids=ids,
            )
            return {row.sentence_id: row.score for row in rows}

        return self._database.answer_each(cosines_key(query), [int(number) for number in sentence_ids], read)

    def vectors(self, sentence_ids: Sequence[int]) -> dict[int, Vector]:
        """Return the vectors of sentences; sentences without a vector are left out."""
        model_id = self._models.current_id
        if model_id is None:
            return {}

        def read(ids: list[int]) -> dict[int, Vector]:
            rows = self._database.vectors(
                f"SELECT sentence_id, vector FROM {parent_table(model_id)} WHERE sentence_id = ANY(%(ids)s::bigint[])"
                " ORDER BY sentence_id",
                ids=ids,
            )
            return {row.sentence_id: row.vector for row in rows}

        return self._database.answer_each(VECTORS, [int(number) for number in sentence_ids], read)

    def sample_vectors(self, count: int) -> Vector:
        """Return the vectors of up to `count` sentences from across the library, always the same ones."""
        model = self._models.current_row()
        if model is None:
            return np.empty((0, 0), np.float32)
        bounds = self._database.row("SELECT min(id) AS first, max(id) AS last FROM sentence")
        if bounds is None or bounds.first is None:
            return np.empty((0, model.dim), np.float32)
        # Random, so that the order of the documents has no effect; more than requested, because some are gone.
        drawn = np.random.default_rng(0).integers(bounds.first, bounds.last + 1, _SAMPLE_BLOCK * count)
        held = sorted(
            self._database.column(
                f"SELECT sentence_id FROM {parent_table(model.id)} WHERE sentence_id = ANY(%(ids)s::bigint[])",
                ids=np.unique(drawn).tolist(),
            )
        )
        chosen = np.sort(np.array(held, np.int64)[np.random.default_rng(1).permutation(len(held))[:count]])
        rows = list(self.vectors(chosen.tolist()).values())
        return np.stack(rows) if rows else np.empty((0, model.dim), np.float32)

    def find_visible(self, ids: Ids, scope: Scope) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it is visible in a scope."""

        def read(unknown: list[int]) -> dict[int, bool]:
            where = ScopeCondition(scope, self._paths)
            seen = self._database.column(
                "SELECT n.sentence_id FROM unnest(%(ids)s::bigint[]) AS n (sentence_id)"
                f" CROSS JOIN LATERAL ({_VISIBLE_PLACE.format(scope=where.of_occurrence)}) seen",
                ids=unknown,
                **where.values,
            )
            return dict.fromkeys(unknown, False) | dict.fromkeys(seen, True)

        seen = self._database.answer_each(visible_key(scope), ids.tolist(), read)
        return np.fromiter((seen[number] for number in ids.tolist()), np.bool_, len(ids))

    def hits(self, found: Sequence[ScoredSentence], *, first_rank: int = 1, scope: Scope = EVERYTHING) -> list[Hit]:
        """Return the hits of scored sentences; see `core.library.VectorSearch`."""

        def read(ids: list[int]) -> dict[int, AnyRow]:
            where = ScopeCondition(scope, self._paths)
            rows = self._database.rows(
                f"WITH first AS MATERIALIZED ({_PLACES} WHERE {where.of_occurrence} ORDER BY a.id, d.id, o.ordinal)"
                f" SELECT f.asked, {HIT_COLUMNS}{_ALSO_IN} FROM first f JOIN document d ON d.id = f.document_id"
                " JOIN occurrence o ON o.version_id = d.live_id AND o.ordinal = f.ordinal" + HIT_TABLES,
                ids=ids,
                **where.values,
            )
            return {row.asked: row for row in rows}

        by_id = self._database.answer_each(rows_key(scope), [near.sentence_id for near in found], read)
        hits: list[Hit] = []
        for near in found:
            if (row := by_id.get(near.sentence_id)) is not None:
                hits.append(self._make_hit(row, near, first_rank + len(hits)))
        return self._add_colours(hits)

    def hits_question(self, places: Sequence[tuple[int, int]], without: frozenset[str]) -> Question[list[AnyRow]]:
        """Return the question for the rows that show sentences in documents: (document id, sentence id) each.

        `without`: of places in a document, those that are passages of these kinds are none.
        """
        where = ScopeCondition(Scope(without=without), self._paths)
        return Question(
            ("hits in documents", without, *places),
            f"SELECT a.document_id AS asked_document, a.sentence_id AS asked, {HIT_COLUMNS}{_ALSO_IN}"
            " FROM unnest(%(documents)s::bigint[], %(sentences)s::bigint[]) AS a (document_id, sentence_id)"
            f" JOIN document d ON d.id = a.document_id AND {VISIBLE} JOIN LATERAL (SELECT min(o.ordinal) AS first"
            " FROM occurrence o WHERE o.version_id = d.live_id AND o.sentence_id = a.sentence_id"
            f" AND {where.of_passage}) f ON true"
            " JOIN occurrence o ON o.version_id = d.live_id AND o.ordinal = f.first" + HIT_TABLES,
            {
                "documents": [each[0] for each in places],
                "sentences": [each[1] for each in places],
                **where.values,
            },
            list,
        )

    def _add_colours(self, hits: list[Hit]) -> list[Hit]:
        """Return hits with the colours of the highlights that they are, or that they are written on."""
        ids = {hit.document_id for hit in hits if hit.kind == "note"}
        if not ids:
            return hits
        annotations = {document_id: self._annotations.fetch(document_id) for document_id in ids}
        found = [find_noted(annotations[hit.document_id], hit) if hit.document_id in ids else None for hit in hits]
        return [replace(hit, colour=each.colour) if each else hit for hit, each in zip(hits, found, strict=True)]

    def hits_at(self, places: Sequence[tuple[int, int, float]]) -> list[Hit | None]:
        """Return the hits at given places; see `core.library.VectorSearch`."""
        rows = self._database.rows(
            f"SELECT a.document_id AS asked, {HIT_COLUMNS}{_ALSO_IN}"
            " FROM (SELECT DISTINCT * FROM unnest(%(documents)s::bigint[], %(ordinals)s::bigint[]))"
            f" AS a (document_id, ordinal) JOIN document d ON d.id = a.document_id AND {VISIBLE}"
            " JOIN occurrence o ON o.version_id = d.live_id AND o.ordinal = a.ordinal" + HIT_TABLES,
            documents=[document_id for document_id, _, _ in places],
            ordinals=[ordinal for _, ordinal, _ in places],
        )
        by_place = {(row.document_id, row.ordinal): row for row in rows}
        hits: list[Hit | None] = []
        for rank, (document_id, ordinal, score) in enumerate(places, start=1):
            row = by_place.get((document_id, ordinal))
            near = None if row is None else ScoredSentence(row.sentence_id, score)
            hits.append(None if near is None else self._make_hit(row, near, rank))
        return hits

    def _make_hit(self, row: AnyRow, near: ScoredSentence, rank: int) -> Hit:
        path, name = self._paths.decode(row.path), self._paths.decode(row.name)
        return hit_from_row(row, near, rank, row.also_in, path=path, name=name)


VECTORS = "vectors"
"""The key of sentences' vectors, as `SharedDatabase.answer_each` knows them; the keys of other answers follow."""


def near_key(query: Vector, ask: int, scope: Scope, width: int) -> object:
    """Return the key of the nearest sentences of graphs and tail."""
    return "near", query.tobytes(), ask, scope, width


def compared_key(query: Vector, top_k: int, scope: Scope, keyword_query: KeywordQuery) -> object:
    """Return the key of the nearest of all sentences in a scope that the words allow."""
    return "compared", query.tobytes(), top_k, scope, keyword_query.must, keyword_query.without


def cosines_key(query: Vector) -> object:
    """Return the key of sentences' cosines with a vector."""
    return "cosines", query.tobytes()


def visible_key(scope: Scope) -> object:
    """Return the key of whether sentences are visible."""
    return "visible", scope


def rows_key(scope: Scope) -> object:
    """Return the key of the rows that show sentences."""
    return "rows", scope


def near_statement(model: AnyRow, parts: Sequence[VectorPart], ask: int) -> str:
    """Return the statement for the nearest sentences of graphs and tail: sentence_id, score."""
    dim, ask = int(model.dim), int(ask)
    columns = "SELECT sentence_id, -(vector <#> %(query)s) AS score"
    pieces = [
        f"({columns} FROM {part_table(model.id, part.number)}"
        f" ORDER BY vector::halfvec({dim}) <#> %(query)s::vector({dim})::halfvec({dim}) LIMIT {ask})"
        for part in parts
    ]
    pieces.append(f"({columns} FROM {part_table(model.id, 0)} ORDER BY vector <#> %(query)s, sentence_id LIMIT {ask})")
    return f"SELECT * FROM ({' UNION ALL '.join(pieces)}) AS every ORDER BY score DESC, sentence_id LIMIT {ask}"


def compared_statement(model_id: int, condition: str, top_k: int) -> str:
    """Return the statement for the nearest of all visible sentences that satisfy a condition, likewise."""
    return (
        "SELECT sentence_id, -(vector <#> %(query)s) AS score FROM (SELECT DISTINCT o.sentence_id"
        f" FROM document d JOIN occurrence o ON o.version_id = d.live_id WHERE {VISIBLE} AND {condition}) standing"
        f" JOIN {parent_table(model_id)} USING (sentence_id) ORDER BY score DESC, sentence_id LIMIT {int(top_k)}"
    )
