"""Statistics over all hits of a search: counts by document, and export to a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.jobs import Job, Lane, Progress, Steps
from desktop_app.core.query import MAX_HITS
from desktop_app.core.scope import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.records import DocumentCount, Hit
    from desktop_app.core.scope import Scope
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.requests import SearchRequest, SearchResult

_ROWS_PER_STEP = 100


class SearchStatisticsService:
    """More of a search than its rows.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        search: answers a request; called on the engine's thread.
        read: reads the rows of a part of a result, from a rank on; called on the engine's thread.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        search: Callable[[SearchRequest], SearchResult],
        read: Callable[[SearchResult, int, int], list[Hit]],
    ) -> None:
        self._engine = engine
        self._open = open_library
        self._search = search
        self._read = read

    def spread(self, request: SearchRequest) -> Job[list[DocumentCount]]:
        """Return in which documents a search without filters finds something, and how much; the latest wins."""

        def work() -> list[DocumentCount]:
            found = self._search(replace(request, scope=EVERYTHING, page_size=0, fold_copies=False))
            return self._count([near.sentence_id for near in found.found], found.scope)

        return self._engine.submit("spread", work, lane=Lane.FRONT, key="spread", by_person=False)

    def count(self, result: SearchResult) -> Job[list[DocumentCount]]:
        """Return in which documents all that a search finds stands, and how much in each; the latest wins."""

        def work() -> list[DocumentCount]:
            return self._count([near.sentence_id for near in self._whole(result).found], result.scope)

        return self._engine.submit("count documents", work, lane=Lane.FRONT, key="count", by_person=False)

    def _whole(self, result: SearchResult) -> SearchResult:
        """Return all that is found, where a search has brought the nearest alone."""
        request = result.request
        if request is None or not (result.is_cut or result.documents) or request.top_k >= MAX_HITS:
            return result
        return self._search(replace(request, top_k=MAX_HITS, page_size=0))

    def _count(self, sentence_ids: Sequence[int], scope: Scope) -> list[DocumentCount]:
        return self._open().analysis_reader.documents_of(sentence_ids, scope)

    def languages(self) -> Job[dict[int, str]]:
        """Return which languages documents seem to be in, by their ids; the latest wins."""
        return self._engine.submit(
            "languages",
            lambda: self._open().analysis_reader.languages(),
            lane=Lane.FRONT,
            key="languages",
            by_person=False,
        )

    def write(self, file: str, text: str) -> Job[None]:
        """Write a text to a file, whole or not at all.

        Raises (the job):
            StorageFull: it cannot be written.
        """

        def work() -> None:
            from desktop_app.core.atomic_files import open_atomic

            with open_atomic(file) as out:
                out.write(text.encode("utf-8", "backslashreplace"))

        return self._engine.submit("write", work, lane=Lane.FRONT, by_person=False)

    def export_hits(self, title: str, hits: Sequence[Hit], file: str) -> Job[int]:
        """Write sentences under a title to a file, in the form of its ending; returns how many.

        Raises (the job): as `export` does.
        """

        def work() -> int:
            from desktop_app.core.hit_files import write_hits

            write_hits(file, title, hits)
            return len(hits)

        return self._engine.submit("export sentences", work)

    def export(self, result: SearchResult, file: str) -> Job[int]:
        """Write all that a search found to a file, in the form of its ending; returns how many.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            from desktop_app.core.hit_files import write_hits

            hits = list(result.hits) if result.documents else []  # those are all here, in the order of documents
            whole = replace(result, found=()) if result.documents else self._whole(result)
            for first in range(0, len(whole.found), _ROWS_PER_STEP):
                hits += self._read(whole, first, _ROWS_PER_STEP)
                yield Progress("exporting", len(hits), len(whole.found), "sentences")
            write_hits(file, result.query, hits)
            return len(hits)

        return self._engine.submit("export hits", steps)
