"""A typed query to rows."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from desktop_app.core.records import DocumentHit
from desktop_app.engine.requests import DocumentSearchResult, SearchResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.ports import Encoder, Library
    from desktop_app.engine.requests import SearchRequest

_BEST_OF_A_DOCUMENT = 3
_NOT_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")


def clean_query(query: str) -> str:
    """Return `query` as one line of text that every library behind us can take.

    Lone surrogates (half a character, as broken clipboards give) become U+FFFD, control characters blanks.
    """
    whole = query.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(_NOT_TEXT.sub(" ", whole).split())


class QueryVectors:
    """Vectors of the latest queries: paging, sorting and retyping ask for the same ones again."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._vectors: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()

    def of(self, encoder: Encoder, query: str) -> NDArray[np.float32]:
        """Return the unit vector float32 [dim] of a query."""
        key = (encoder.model.fingerprint, query)
        if key not in self._vectors:
            self._vectors[key] = encoder.encode([query], kind="query")[0]
            if len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        self._vectors.move_to_end(key)
        return self._vectors[key]


def search(library: Library, encoder: Encoder, vectors: QueryVectors, request: SearchRequest) -> SearchResult:
    """Return the sentences nearest to a query; none for a query without text, or an empty library."""
    started = time.perf_counter()
    query = clean_query(request.query)
    searchable = library.info().searchable
    found = []
    if query and searchable:
        found = library.nearest(
            vectors.of(encoder, query), request.top_k, scope=request.scope, min_score=request.min_score
        )
    hits = library.hits(found[: request.page_size], scope=request.scope)
    seconds = time.perf_counter() - started
    return SearchResult(query, "meaning", tuple(found), tuple(hits), searchable, seconds, request.scope)


def search_documents(
    library: Library, encoder: Encoder, vectors: QueryVectors, request: SearchRequest
) -> DocumentSearchResult:
    """Return the documents nearest to a query, each with its best sentences."""
    started = time.perf_counter()
    query = clean_query(request.query)
    hits: list[DocumentHit] = []
    if query and library.info().searchable:
        ranked = library.nearest_documents(
            vectors.of(encoder, query), request.top_k, scope=request.scope, best=_BEST_OF_A_DOCUMENT
        )
        for document_id, score, best in ranked:
            if score < request.min_score:
                continue
            document = library.document(document_id)
            inside = type(request.scope)(document_ids=frozenset({document_id}))
            rows = tuple(library.hits(best, scope=inside))
            hits.append(DocumentHit(len(hits) + 1, score, document_id, document.title, document.path, rows))
    return DocumentSearchResult(query, "meaning", tuple(hits), time.perf_counter() - started)
