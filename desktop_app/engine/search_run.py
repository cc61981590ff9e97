"""Answers a search request: by meaning, by words, or by both."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.look_ahead import NoLookAhead
from desktop_app.core.messages import Message
from desktop_app.core.passage_kinds import GARBLED
from desktop_app.core.query import Query, clean_query, parse_query
from desktop_app.core.records import DocumentHit, ScoredSentence
from desktop_app.core.scope import Scope
from desktop_app.engine import hit_annotation
from desktop_app.engine.calibration import add_percentiles, count_chances
from desktop_app.engine.combined_search import CombinedDocument, CombinedSearch
from desktop_app.engine.part_search import PartSearch, expect_search
from desktop_app.engine.relevance_feedback import demote_rejected
from desktop_app.engine.requests import DocumentSearchResult, SearchResult
from desktop_app.engine.unmet_conditions import find_unmet_conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.look_ahead import LookAhead
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.calibration import Calibrator
    from desktop_app.engine.query_vectors import QueryVectors
    from desktop_app.engine.requests import SearchRequest

_DEMOTED_AMONG = 200
_EXCLUDED_KINDS = frozenset({"reference"})
"""Kinds of paragraphs that are searched only on request."""
_MEANING, _BOTH = ("meaning",), ("meaning", "words")


def parse_request(request: SearchRequest) -> tuple[Query, Scope]:
    """Return the parsed query of a request, and the scope in which to look."""
    text = clean_query(request.query)
    query = parse_query(text) if request.has_operators else Query(text, (text,) if text else ())
    if request.is_match_all is not None:
        query = replace(query, is_match_all=request.is_match_all)
    scope = query.within(request.scope)
    return query, scope if request.references or query.references else replace(
        scope, without=scope.without | _EXCLUDED_KINDS
    )


def _remark_on_file_dates(undated: int, older: int) -> list[Message]:
    remarks = []
    if undated:
        remarks.append(
            Message("{count} documents have no date of their own; the date of their file is used.", count=undated)
        )
    if older:
        remarks.append(Message("{count} of them may get a date when they are reimported.", count=older))
    return remarks


def _judgement_reader(library: Library, query: Query, request: SearchRequest) -> Callable[[], Mapping[int, bool]]:
    """Return a function that reads, once, a person's judgements of sentences that the query found before."""

    @cache
    def read() -> Mapping[int, bool]:
        if not request.use_feedback or query.is_empty:
            return {}
        return {each.sentence_id: each.is_relevant for each in library.user_data.judgements(query.text)}

    return read


class Searcher:
    """Answers one request.

    Args:
        library: where to look.
        encoder: returns the library's encoder; not called for a search by words.
        vectors: of the latest queries.
        request: the search.
        calibrator: knows what a score means; None: percentiles are not needed.
    """

    def __init__(
        self,
        library: Library,
        encoder: Callable[[], Encoder],
        vectors: QueryVectors,
        request: SearchRequest,
        calibrator: Calibrator | None = None,
    ) -> None:
        self._library = library
        self._encoder = encoder
        self._vectors = vectors
        self._request = request
        self._calibrator = calibrator
        self._query, self._scope = parse_request(request)
        if self._scope.dated_after or self._scope.dated_before:
            # Also those whose file has another date: they are left out for it.
            at_any_time = replace(self._scope, dated_after="", dated_before="")
            remarks = _remark_on_file_dates(*library.documents.count_file_dates(at_any_time))
            self._query = replace(self._query, remarks=(*self._query.remarks, *remarks))
        self._keyword_query = self._query.keyword_query
        self._judged = _judgement_reader(library, self._query, request)
        self._ahead: LookAhead = NoLookAhead()

    def search(self) -> SearchResult:
        """Return the sentences found; none for a query without text, or an empty library."""
        return run_to_completion(self.search_steps())

    def search_steps(self) -> Steps[SearchResult]:
        """Find sentences step by step; a newer query can cancel the search between steps."""
        with self._library.look_ahead() as self._ahead:
            return (yield from self._search_steps())

    def _search_steps(self) -> Steps[SearchResult]:
        started = time.perf_counter()
        request, query, library = self._request, self._query, self._library
        found: list[ScoredSentence] = []
        # Each step sees one state, in one transaction; visibility may change between them.
        with library.read_transaction():
            self._expect_words()
            is_answerable = bool(self._searchable) and not query.is_empty
            embedded = [part for part in self._parts if is_answerable and part.has_vector]
            mode, combined = self._mode, self._combined
        for part in embedded:
            with library.read_transaction():
                part.embed()
            yield None
        if is_answerable and combined is not None:
            found = yield from combined.find_sentences()
        elif is_answerable:
            with library.read_transaction():
                found = self._parts[0].rank_sentences()[0]
            yield None
        with library.read_transaction():
            has_more = is_answerable and len(found) >= request.top_k
            found = self._demote_garbled(demote_rejected(found, self._judged()))
            found, hits, copies, chance = self._rows(found)
            understood = self._understand(found)
        seconds = time.perf_counter() - started
        return SearchResult(
            query.text,
            mode,
            tuple(found),
            tuple(hits),
            self._searchable,
            seconds,
            self._scope,
            understood,
            chance,
            self._known,
            self._foreign_language,
            request,
            has_more,
            copies,
            self._judged(),
        )

    def _expect_words(self, *, by_document: bool = False) -> None:
        """Let the library read what every query needs, at once."""
        if not self._query.is_empty:
            expected = [
                expect_search(self._request, self._query, each.keyword_query, self._scope) for each in self._queries
            ]
            self._ahead.expect_words([replace(each, by_document=by_document) for each in expected])

    def _demote_garbled(self, found: list[ScoredSentence]) -> list[ScoredSentence]:
        """Return a ranking in which badly recognised text and ciphers come last among the first results.

        To a model they are near to nothing and to everything, so nonsense would find them first. Search by words finds
        them by their letters; so does a search by both if no other sentence has any word of the query.
        """
        if self._request.mode == "words" or not found:
            return found
        head = found[:_DEMOTED_AMONG]
        ids = np.array([near.sentence_id for near in head], np.int64)
        scope = replace(self._scope, without=self._scope.without | {GARBLED})
        is_garbled = ~self._library.search.find_visible(ids, scope)
        has_words = np.array(["words" in near.matched_by for near in head], np.bool_)
        if is_garbled[has_words].all():
            is_garbled &= ~has_words
        order = np.argsort(is_garbled, kind="stable")
        return [*(head[at] for at in order.tolist()), *found[_DEMOTED_AMONG:]]

    def _rows(
        self, found: list[ScoredSentence]
    ) -> tuple[list[ScoredSentence], list[Hit], dict[int, tuple[int, ...]], float | None]:
        """Return the ranking without near copies, its first rows, the copies, and the cosine of chance."""
        request = self._request
        by_meaning = self._mode != "words"
        copies: dict[int, tuple[int, ...]] = {}
        if request.fold_copies:
            found, copies = hit_annotation.fold_near_copies(self._library, found)
        hits = self._library.search.hits(found[: request.page_size], scope=self._scope)
        hits = hit_annotation.annotate_hits(self._library, hits, self._query, copies, by_meaning=by_meaning)
        if self._mode == "both":
            hits = hit_annotation.explain_order(hits, found, self._keyword_query)
        if not found or not by_meaning or self._calibrator is None:
            return found, hits, copies, None
        calibration = self._calibrator.calibration_of(self._library, self._searchable)
        if calibration is None:
            return found, hits, copies, None
        chance = calibration.best_of(count_chances(self._query)).chance
        return found, add_percentiles(hits, calibration, self._query), copies, chance

    @cached_property
    def _searchable(self) -> int:
        return self._library.count_searchable()

    @cached_property
    def _parts(self) -> list[PartSearch]:
        return [
            PartSearch(
                self._library,
                self._encoder,
                self._vectors,
                query,
                self._request,
                self._scope,
                self._searchable,
                self._judged,
                self._ahead,
            )
            for query in self._queries
        ]

    @property
    def _queries(self) -> tuple[Query, ...]:
        return self._query.parts or (self._query,)

    @cached_property
    def _combined(self) -> CombinedSearch | None:
        """The search of several queries at once; None for one."""
        if len(self._parts) == 1:
            return None
        return CombinedSearch(
            self._library, self._parts, self._request, self._scope, is_match_all=self._query.is_match_all
        )

    @property
    def _mode(self) -> SearchMode:
        """How to search: of both ways, a query that the model does not know leaves the words."""
        return self._combined.mode if self._combined is not None else self._parts[0].mode

    @property
    def _known(self) -> bool:
        return any(part.is_known for part in self._parts)

    @property
    def _foreign_language(self) -> str:
        """The language of the query if the model does not know it."""
        return "" if self._known else next((part.understanding.language for part in self._parts), "")

    def _understand(self, found: Sequence[object]) -> Query:
        """Return the query, with remarks on those of its parts that the model does not know.

        And, if nothing was found, on conditions that no document satisfies.
        """
        unknown = [part for part in self._parts if not part.is_known] if self._known else []
        remarks = [
            Message(
                "The model does not recognize “{query}”, so it cannot search for it by meaning.",
                query=part.query.plain_text,
            )
            for part in unknown
        ]
        if not found and self._searchable and not self._query.is_empty:
            remarks += find_unmet_conditions(self._library, self._query)
        return replace(self._query, remarks=(*self._query.remarks, *remarks)) if remarks else self._query

    def document_search_steps(self) -> Steps[DocumentSearchResult]:
        """Find documents, each with its best sentences, step by step as `search_steps` does."""
        with self._library.look_ahead() as self._ahead:
            return (yield from self._document_search_steps())

    def _document_search_steps(self) -> Steps[DocumentSearchResult]:
        self._expect_words(by_document=True)
        started = time.perf_counter()
        query = self._query
        ranked: list[CombinedDocument] = []
        if not query.is_empty and self._searchable:
            for part in self._parts:
                if part.has_vector:
                    self._vectors.embed_query(self._encoder(), part.query)
                    yield None
            if self._combined is not None:
                ranked = yield from self._combined.find_documents()
            else:
                ranked = [
                    CombinedDocument(each, score, (), best) for each, score, best in self._parts[0].rank_documents()
                ]
        hits: list[DocumentHit] = []
        without = self._scope.without
        self._ahead.expect_shown(
            {found.document_id: [near.sentence_id for near in found.best] for found in ranked}, without
        )
        for found in ranked:
            document = self._library.documents.get(found.document_id)
            inside = Scope(document_ids=frozenset({found.document_id}), without=without)
            rows = tuple(self._library.search.hits(found.best, scope=inside)) if found.best else ()
            hits.append(
                DocumentHit(
                    len(hits) + 1,
                    found.score,
                    found.document_id,
                    document.title,
                    document.path,
                    rows,
                    found.part_scores,
                )
            )
            yield None
        understood = self._understand(hits)
        return DocumentSearchResult(
            query.text,
            self._mode,
            tuple(hits),
            time.perf_counter() - started,
            self._known,
            self._foreign_language,
            understood.remarks,
            understood,
            self._searchable,
            self._scope,
        )

    def grouped_search_steps(self) -> Steps[SearchResult]:
        """Find documents, and return their best sentences as hits: document by document, the best first."""
        found = yield from self.document_search_steps()
        request = self._request
        searchable = self._searchable
        best = [hit for document in found.hits for hit in document.best]
        if found.mode == "both":
            matching = self._library.keyword_search.word_shares(self._keyword_query, [hit.sentence_id for hit in best])
            best = [replace(hit, matched_by=_BOTH if hit.sentence_id in matching else _MEANING) for hit in best]
        by_meaning = found.mode != "words"
        hits = hit_annotation.annotate_hits(self._library, best, self._query, {}, by_meaning=by_meaning)
        if by_meaning and self._calibrator is not None:
            calibration = self._calibrator.calibration_of(self._library, searchable)
            hits = add_percentiles(hits, calibration, self._query)
        return SearchResult(
            found.query,
            found.mode,
            tuple(ScoredSentence(hit.sentence_id, hit.score, hit.matched_by, hit.part_scores) for hit in hits),
            tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)),
            searchable,
            found.seconds,
            self._scope,
            found.understood,
            is_query_known=found.is_query_known,
            foreign_language=found.foreign_language,
            request=request,
            has_more=len(found.hits) >= request.top_k,
            documents=found.hits,
        )
