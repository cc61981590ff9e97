"""What a library says as a whole. Every method returns a job of the background lane."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.insight import MorePairs, Pairs, PairsRequest
from desktop_app.core.jobs import Progress
from desktop_app.core.pair_files import pair_writer
from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.calibrating import Calibrating
from desktop_app.engine.graphs import Graphs, fingerprint_of, joined, matrix, of_one_model
from desktop_app.engine.pair_listing import PairListing
from desktop_app.engine.theming import Theming, standing_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from desktop_app.core.insight import Pair
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Products, Work
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.engine.engine import Engine


_WRITTEN_AT_ONCE = 100


class Analysing:
    """What panes and commands ask about the whole library.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        calibrating: says what a cosine means in it; one of its own by default.
        start_work: begins a task of a process of its own; None: everything is done on the engine's thread.
        embed: returns the vector of a query float32 [dim].
        quick_products: returns what multiplies vectors float32 [n, dim] with one another quicker than plainly, or None.

    Attributes:
        themes: what the library is about.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        calibrating: Calibrating | None = None,
        start_work: Callable[[str, object], Work] | None = None,
        embed: Callable[[str], NDArray[np.float32]] | None = None,
        quick_products: Callable[[NDArray[np.float32]], Products | None] | None = None,
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._graphs = Graphs(quick_products)
        self._calibrating = calibrating or Calibrating()
        self.themes = Theming(engine, open_library, self._graphs, start_work, embed)

    def vectors(self, scope: Scope = EVERYTHING) -> Job[NDArray[np.float32]]:
        """Return the vectors of a part's sentences, float32 [n, dim]: a row for each place where one stands.

        The rows are in the order of `Workspace.export_occurrences`; a row of zeros where there is no vector.
        """

        def gather(library: Library) -> Steps[NDArray[np.float32]]:
            places = yield from joined(library.material.standing(scope), np.empty((0, 3), np.int64))
            ids, rows = np.unique(places[:, 0], return_inverse=True)
            vectors = yield from matrix(library, ids)
            return vectors[rows]

        def steps() -> Steps[NDArray[np.float32]]:
            library = self._open_library()
            return (yield from of_one_model(library, lambda: gather(library)))

        return self._engine.submit("vectors", steps)

    def pairs(self, request: PairsRequest) -> Job[Pairs]:
        """Find the most similar pairs of the library. The latest wins."""

        def find(library: Library) -> Steps[Pairs]:
            started = time.perf_counter()
            listing = yield from self._listing(library, request)
            pairs = yield from listing.more(library, request.top_k)
            return Pairs(listing.newest(pairs), time.perf_counter() - started, listing, listing.is_complete)

        def steps() -> Steps[Pairs]:
            library = self._open_library()
            return (yield from of_one_model(library, lambda: find(library)))

        return self._engine.submit("pairs", steps, key="pairs")

    def export_pairs(self, request: PairsRequest, file: str) -> Job[int]:
        """Write the most similar pairs to a file, in the form that its ending asks for; returns how many.

        Raises (the job):
            UsageError: the ending is none of ours.
            StorageFull: the file cannot be written.
        """

        def gather(library: Library) -> Steps[tuple[PairListing, list[Pair]]]:
            listing = yield from self._listing(library, request, can_unfold=False)
            return listing, (yield from listing.more(library, request.top_k))

        def steps() -> Steps[int]:
            with pair_writer(file) as write:
                library = self._open_library()
                # What a switch of models cuts short must not replace a file that is there.
                listing, pairs = yield from of_one_model(library, lambda: gather(library))
                for top in range(0, len(pairs), _WRITTEN_AT_ONCE):
                    write(listing.newest(pairs[top : top + _WRITTEN_AT_ONCE], top))
                    yield Progress("exporting", top, len(pairs), "pairs")
            return len(pairs)

        return self._engine.submit("export pairs", steps)

    def _listing(self, library: Library, request: PairsRequest, *, can_unfold: bool = True) -> Steps[PairListing]:
        graph = yield from self._graphs.graph(library)
        standing = yield from standing_in(library, request.scope)
        yield None
        calibration = yield from self._calibrating.finding(library, len(graph.ids))
        return PairListing(request, graph, standing, calibration, fingerprint_of(library), can_unfold=can_unfold)

    def unfold(self, found: Pairs, place: int) -> Job[list[Pair]]:
        """Return the pairs that were folded into one of a list, by its place in the list as it was found."""

        def steps() -> Steps[list[Pair]]:
            listing: PairListing = found.listing  # type: ignore[assignment]
            return (yield from listing.unfolded(self._open_library(), place))

        return self._engine.submit("unfold pairs", steps)

    def places(self, found: Pairs, sentence_id: int) -> Job[list[Hit]]:
        """Return the first place in each document of a sentence that a list has."""

        def steps() -> Steps[list[Hit]]:
            listing: PairListing = found.listing  # type: ignore[assignment]
            return (yield from listing.places(self._open_library(), sentence_id))

        return self._engine.submit("places", steps)

    def more_pairs(self, before: Pairs, count: int) -> Job[MorePairs]:
        """Find up to `count` further pairs of the list that `pairs` began. A new list wins."""

        def steps() -> Steps[MorePairs]:
            listing: PairListing = before.listing  # type: ignore[assignment]
            pairs = yield from listing.more(self._open_library(), count)
            return MorePairs(tuple(pairs), listing.folded, listing.is_complete)

        return self._engine.submit("more pairs", steps, key="pairs")
