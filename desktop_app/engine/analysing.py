"""What a library says as a whole. Every method returns a job of the background lane."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.paraphrases import Standing
from desktop_app.core.insight import Clusters, ClustersRequest, KeySentences, MorePairs, Pairs, PairsRequest
from desktop_app.core.records import Scope
from desktop_app.engine.calibrating import Calibrating
from desktop_app.engine.graphs import Graphs, joined, part_of
from desktop_app.engine.pair_listing import PairListing
from desktop_app.engine.themes import Laid, find_clusters, key_sentences, lay_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.engine.engine import Engine


class Analysing:
    """What panes and commands ask about the whole library.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        calibrating: says what a cosine means in it; one of its own by default.
    """

    def __init__(
        self, engine: Engine, open_library: Callable[[], Library], calibrating: Calibrating | None = None
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._graphs = Graphs()
        self._calibrating = calibrating or Calibrating()
        self._laid: Laid | None = None

    def pairs(self, request: PairsRequest) -> Job[Pairs]:
        """Find the most similar pairs of the library. The latest wins."""

        def steps() -> Steps[Pairs]:
            started = time.perf_counter()
            library = self._open_library()
            graph = yield from self._graphs.graph(library)
            standing = yield from _standing(library, request.scope)
            listing = PairListing(request, graph, standing, self._calibrating.of(library, len(graph.ids)))
            pairs = yield from listing.more(library, request.top_k)
            return Pairs(listing.newest(pairs), time.perf_counter() - started, listing, listing.is_complete)

        return self._engine.submit("pairs", steps, key="pairs")

    def more_pairs(self, before: Pairs, count: int) -> Job[MorePairs]:
        """Find up to `count` further pairs of the list that `pairs` began. A new list wins."""

        def steps() -> Steps[MorePairs]:
            listing: PairListing = before.listing  # type: ignore[assignment]
            pairs = yield from listing.more(self._open_library(), count)
            return MorePairs(tuple(pairs), listing.folded, listing.is_complete)

        return self._engine.submit("more pairs", steps, key="pairs")

    def clusters(self, request: ClustersRequest) -> Job[Clusters]:
        """Divide the library, or a part of it, into themes. The latest wins.

        What the graph gives is kept in memory: another granularity starts from there.
        """

        def steps() -> Steps[Clusters]:
            library = self._open_library()
            whole = yield from self._graphs.graph(library)
            standing = yield from _standing(library, request.scope)
            rows = np.flatnonzero(standing.rows_of(whole.ids) >= 0)
            laid = self._laid
            if laid is None or not np.array_equal(laid.graph.ids, whole.ids[rows]):
                graph = yield from part_of(library, whole, rows)
                self._laid = laid = yield from lay_out(library, graph)
            return (yield from find_clusters(library, laid, standing, request))

        return self._engine.submit("clusters", steps, key="clusters")

    def key_sentences(self, document_id: int, count: int) -> Job[KeySentences]:
        """Find the sentences that carry a document."""

        def steps() -> Steps[KeySentences]:
            library = self._open_library()
            standing = yield from _standing(library, Scope(document_ids=frozenset({document_id})))
            return KeySentences((yield from key_sentences(library, standing, document_id, count)))

        return self._engine.submit("key sentences", steps, key="key sentences")


def _standing(library: Library, scope: Scope) -> Steps[Standing]:
    places = yield from joined(library.material.standing(scope), np.empty((0, 3), np.int64))
    return Standing(places)
