"""Searches: sentences or documents for a query, further rows of a result, and in which documents the hits are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import LibraryRearranged
from desktop_app.core.jobs import WAITING, Job, Lane, Steps
from desktop_app.core.query import MAX_HITS, Query
from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.records import DocumentCount, Hit
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.requests import DocumentSearchResult, SearchRequest, SearchResult
    from desktop_app.engine.search_run import Searcher

T = TypeVar("T")

_CACHE_VISIBILITY = "cache visibility"
_WARM_UP_QUERY = "what is it about"
_MIN_SENTENCES_TO_WARM_UP = 1000
"""Sentences of a library whose first search is noticeably slower than the next."""


class SearchService:
    """Answers searches.

    Args:
        context: the library and encoder that it uses.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def find_sentences(
        self, request: SearchRequest, *, key: str | None = "search", by_person: bool = True
    ) -> Job[SearchResult]:
        """Find sentences. With a key, the latest search wins.

        `by_person` is False if nobody typed and the library has changed.
        """
        return self._context.engine.submit(
            "search",
            lambda: self._search(lambda: make_searcher(self._context, request).search_steps()),
            lane=Lane.FRONT,
            key=key,
            by_person=by_person,
        )

    def find_documents(self, request: SearchRequest, *, key: str | None = "search") -> Job[DocumentSearchResult]:
        """Find documents. With a key, the latest search wins."""
        return self._context.engine.submit(
            "search documents",
            lambda: self._search(lambda: make_searcher(self._context, request).document_search_steps()),
            lane=Lane.FRONT,
            key=key,
        )

    def find_grouped(self, request: SearchRequest, *, by_person: bool = True) -> Job[SearchResult]:
        """Find documents, with their best sentences as hits; replaces a search for sentences that is running."""
        return self._context.engine.submit(
            "search documents",
            lambda: self._search(lambda: make_searcher(self._context, request).grouped_search_steps()),
            lane=Lane.FRONT,
            key="search",
            by_person=by_person,
        )

    def suggest_spelling(self, text: str) -> Job[str]:
        """Return a query with another spelling of words that nobody knows; empty if there is none. The latest wins."""

        def suggest() -> Steps[str]:
            from desktop_app.engine.spelling import suggest_spelling

            library = self._context.open_library()
            return (yield from suggest_spelling(text, self._context.library_encoder(), library.keyword_search))

        return self._context.engine.submit("spelling", suggest, lane=Lane.FRONT, key="spelling", by_person=False)

    def read_hits(self, result: SearchResult, first: int, count: int) -> Job[list[Hit]]:
        """Read `count` rows of a search's result, from the index `first` on."""
        return self._context.engine.submit(
            "more hits", lambda: read_result_rows(self._context, result, first, count), lane=Lane.FRONT
        )

    def count_everywhere(self, request: SearchRequest) -> Job[list[DocumentCount]]:
        """Return in which documents a search without filters finds something, and how much; the latest wins."""

        def work() -> list[DocumentCount]:
            wider = replace(request, scope=EVERYTHING, page_size=0, fold_copies=False)
            return self._count(make_searcher(self._context, wider).search())

        return self._context.engine.submit(
            "count everywhere", work, lane=Lane.FRONT, key="count everywhere", by_person=False
        )

    def count_by_document(self, result: SearchResult) -> Job[list[DocumentCount]]:
        """Return the documents of all hits of a search, with how many each has; the latest wins."""

        def work() -> list[DocumentCount]:
            return self._count(complete_result(self._context, result))

        return self._context.engine.submit(
            "count by document", work, lane=Lane.FRONT, key="count by document", by_person=False
        )

    # On the engine's thread

    def warm_up(self) -> Steps[None]:
        """Search once and drop the result: loading, compiling and measuring take the first search as long as twenty."""
        from desktop_app.engine.requests import SearchRequest
        from desktop_app.text.query_language import detect_language

        detect_language(_WARM_UP_QUERY)
        yield None
        request = SearchRequest(_WARM_UP_QUERY, use_feedback=True, fold_copies=True)
        searcher = make_searcher(self._context, request)
        yield None
        if self._context.open_library().info().searchable >= _MIN_SENTENCES_TO_WARM_UP:
            yield from searcher.search_steps()

    def _search(self, begin: Callable[[], Steps[T]]) -> Steps[T]:
        """Search; once more if another session has rearranged a shared library meanwhile."""
        try:
            return (yield from begin())
        except LibraryRearranged:
            return (yield from begin())

    def _count(self, result: SearchResult) -> list[DocumentCount]:
        reader = self._context.open_library().analysis_reader
        return reader.documents_of([near.sentence_id for near in result.found], result.scope, with_ids=True)


def make_searcher(context: EngineContext, request: SearchRequest) -> Searcher:
    """Return the searcher of one request. On the engine's thread."""
    from desktop_app.engine.search_run import Searcher

    _schedule_visibility_cache(context)
    return Searcher(context.open_library(), context.library_encoder, context.query_vectors, request, context.calibrator)


def complete_result(context: EngineContext, result: SearchResult) -> SearchResult:
    """Return all hits of a search that returned only the nearest ones. On the engine's thread."""
    request = result.request
    if request is None or not (result.has_more or result.documents) or request.top_k >= MAX_HITS:
        return result
    return make_searcher(context, replace(request, top_k=MAX_HITS, page_size=0)).search()


def read_result_rows(context: EngineContext, result: SearchResult, first: int, count: int) -> list[Hit]:
    """Return `count` rows of a search's result, from the index `first` on. On the engine's thread."""
    from desktop_app.engine.calibration import add_percentiles
    from desktop_app.engine.hit_annotation import annotate_hits, explain_order

    library, by_meaning = context.open_library(), result.mode != "words"
    hits = library.search.hits(result.found[first : first + count], first_rank=first + 1, scope=result.scope)
    # A list of sentences that no search found has only the text of a query.
    query = result.understood if result.understood.text else Query(result.query)
    hits = annotate_hits(library, hits, query, result.copies, by_meaning=by_meaning)
    if result.mode == "both" and not result.reranked and not result.documents:
        hits = explain_order(hits, result.found, result.understood.keyword_query)
    return add_percentiles(hits, context.calibration(), query) if by_meaning else hits


def _schedule_visibility_cache(context: EngineContext) -> Job[None] | None:
    """Cache which sentences are visible, once no person types and no import runs: searches get faster."""
    engine, library = context.engine, context.open_library()

    def steps() -> Steps[None]:
        while engine.is_user_active() or engine.has_other_job(_CACHE_VISIBILITY, "import"):
            yield WAITING
        yield from library.visibility.fill()

    is_due = not (library.visibility.is_filled or engine.has_job(_CACHE_VISIBILITY))
    return engine.submit(_CACHE_VISIBILITY, steps) if is_due else None
