"""What a library says as a whole. Every method returns a job of the background lane."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.paraphrases import Candidate, Standing, candidates, is_unknown, kind_of, skeleton
from desktop_app.core.badges import badges
from desktop_app.core.insight import Clusters, ClustersRequest, KeySentences, Pair, Pairs, PairsRequest
from desktop_app.core.records import Scope
from desktop_app.engine.graphs import Graphs, joined, part_of
from desktop_app.engine.themes import Laid, find_clusters, key_sentences, lay_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_app.core.insight import PairKind
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.engine.engine import Engine

_AT_ONCE = 200  # candidates that are looked at in one step


class Analysing:
    """What panes and commands ask about the whole library.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
    """

    def __init__(self, engine: Engine, open_library: Callable[[], Library]) -> None:
        self._engine = engine
        self._open_library = open_library
        self._graphs = Graphs()
        self._laid: Laid | None = None

    def pairs(self, request: PairsRequest) -> Job[Pairs]:
        """Find the most similar pairs of the library. The latest wins."""

        def steps() -> Steps[Pairs]:
            started = time.perf_counter()
            library = self._open_library()
            graph = yield from self._graphs.graph(library)
            standing = yield from _standing(library, request.scope)
            found = candidates(graph, standing, across_documents=request.across_documents, min_score=request.min_score)
            pairs = yield from _told(library, found, request)
            return Pairs(tuple(pairs), time.perf_counter() - started)

        return self._engine.submit("pairs", steps, key="pairs")

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


def _told(library: Library, found: Iterator[Candidate], request: PairsRequest) -> Steps[list[Pair]]:
    """Return the first pairs that are asked for, with kind, badges and rows.

    Of pairs that differ from each other in numbers only, the first is listed and the others are counted: running
    heads, table rows and boilerplate would otherwise fill the list.
    """
    listed: list[tuple[Candidate, PairKind, str, str]] = []
    folded: dict[tuple[str, str], int] = {}
    while len(listed) < request.top_k and (some := list(islice(found, _AT_ONCE))):
        texts = library.material.texts([sentence_id for pair in some for sentence_id in {pair.a, pair.b}])
        for pair in some:
            a, b = texts.get(pair.a), texts.get(pair.b)
            if a is None or b is None:
                continue
            kind = kind_of(a, b)
            if request.kind not in (None, kind) or is_unknown(kind, pair.score):
                continue
            key = (min(skeleton(a), skeleton(b)), max(skeleton(a), skeleton(b)))
            if key in folded:
                folded[key] += 1
            elif len(listed) < request.top_k:
                folded[key] = 0
                listed.append((pair, kind, a, b))
        yield None
    pairs: list[Pair] = []
    for top in range(0, len(listed), _AT_ONCE):
        some_listed = listed[top : top + _AT_ONCE]
        hits = library.material.hits_at(
            [(*place, pair.score) for pair, *_ in some_listed for place in (pair.place_a, pair.place_b)]
        )
        for (pair, kind, a, b), hit_a, hit_b in zip(some_listed, hits[::2], hits[1::2], strict=True):
            if hit_a is not None and hit_b is not None:
                key = (min(skeleton(a), skeleton(b)), max(skeleton(a), skeleton(b)))
                pairs.append(Pair(pair.score, kind, badges(a, b), hit_a, hit_b, folded[key]))
        yield None
    return pairs
