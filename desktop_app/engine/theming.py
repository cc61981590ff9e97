"""Themes of a library as jobs: found, shown again, changed by a person. Every method returns a job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.clusters import UNCLUSTERED, by_size
from desktop_app.analysis.paraphrases import Standing
from desktop_app.core.cluster_files import cluster_writer
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.insight import Clusters, ClustersRequest, KeySentences, SentenceMap
from desktop_app.core.jobs import Lane, Progress
from desktop_app.core.records import Nearest
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.dividing import Divider, Laid
from desktop_app.engine.graphs import Graphs, fingerprint_of, joined, of_one_model
from desktop_app.engine.mapping import Mapper, changed_at
from desktop_app.engine.themes import Division, find_clusters, key_sentences, last_clusters, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.insight import Cluster
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Work
    from desktop_app.core.records import DocumentCount, Hit
    from desktop_app.core.themes import KeptCluster, Look
    from desktop_app.engine.engine import Engine

T = TypeVar("T")

_WRITTEN_AT_ONCE = 100
_EDITED = "clusters"  # the key of every job that makes other clusters: the latest wins


class Theming:
    """What panes and commands ask about the themes of a library, and do to them.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        graphs: its neighbour graph.
        start_work: begins a task of a process of its own; None: everything is done on the engine's thread.
        embed: returns the vector of a query float32 [dim].
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        graphs: Graphs,
        start_work: Callable[[str, object], Work] | None = None,
        embed: Callable[[str], NDArray[np.float32]] | None = None,
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._graphs = graphs
        self._divider = Divider(start_work)
        self._mapper = Mapper(start_work)
        self._embed = embed
        self._laid: Laid | None = None
        self._before: tuple[str, list[KeptCluster], Look] | None = None  # with the model that it was found with

    # Finding

    def clusters(self, request: ClustersRequest) -> Job[Clusters]:
        """Divide the library, or a part of it, into themes. The latest wins.

        What the graph gives is kept in memory: another granularity starts from there.
        """

        def find(library: Library) -> Steps[Clusters]:
            laid, standing = yield from self._lay_out(library, request.scope)
            return (yield from find_clusters(library, self._divider, laid, standing, request))

        return self._submit("clusters", find, key=_EDITED)

    def last(self) -> Job[Clusters | None]:
        """Return what the last look found, as far as it is in sight; None when there was none. The latest wins."""

        def steps() -> Steps[Clusters | None]:
            library = self._open_library()
            if library.model is None:
                return None
            standing = yield from standing_in(library, EVERYTHING)
            return (yield from last_clusters(library, standing))

        return self._engine.submit("last clusters", steps, key="last clusters")

    def arrived(self) -> Job[int]:
        """Return how many sentences have come since the last look."""

        def count() -> int:
            library = self._open_library()
            look = library.themes.look()
            return library.themes.arrived(look.seen) if look is not None else 0

        return self._engine.submit("arrived", count, lane=Lane.FRONT, key="arrived", by_person=False)

    def map(self, *, anew: bool = False) -> Job[SentenceMap]:
        """Return where sentences lie on the map of the whole library. The latest wins.

        What has a place keeps it; what is new is placed among its neighbours. It is laid out anew when that is asked
        for, or when most sentences have no place yet.
        """

        def draw(library: Library) -> Steps[SentenceMap]:
            laid, standing = yield from self._lay_out(library, EVERYTHING)
            ids, (places, is_new) = laid.graph.ids, (yield from self._mapper.places(library, laid, anew=anew))
            documents = standing.first_documents(ids)
            yield None
            dates = yield from changed_at(library, documents)
            return SentenceMap(ids, places, documents, is_new, dates)

        return self._submit("map", draw, key="map")

    # Reading

    def hits(self, found: Sequence[Nearest], first_rank: int, scope: Scope = EVERYTHING) -> Job[list[Hit]]:
        """Read the rows of some members of a theme, where they stand in a part of the library."""

        def read() -> list[Hit]:
            return self._open_library().hits(found, first_rank=first_rank, scope=scope)

        return self._engine.submit("theme sentences", read, lane=Lane.FRONT)

    def documents(self, sentence_ids: Sequence[int], scope: Scope = EVERYTHING) -> Job[list[DocumentCount]]:
        """Return the documents of a part of the library in which some sentences stand, with how many; most first.

        The latest wins.
        """

        def read() -> list[DocumentCount]:
            return self._open_library().material.documents_of(sentence_ids, scope)

        return self._engine.submit("theme documents", read, lane=Lane.FRONT, key="theme documents")

    def search_within(self, query: str, sentence_ids: Sequence[int]) -> Job[list[Nearest]]:
        """Return sentences by how near they are to a query, best first. The latest wins."""

        def search() -> list[Nearest]:
            assert self._embed is not None, "this workspace embeds nothing"
            scores = self._open_library().scores(self._embed(query), sentence_ids)
            return [Nearest(key, scores[key]) for key in sorted(scores, key=lambda key: (-scores[key], key))]

        return self._engine.submit("search within", search, lane=Lane.FRONT, key="search within")

    def key_sentences(
        self, count: int, *, scope: Scope = EVERYTHING, among: Sequence[int] | None = None
    ) -> Job[KeySentences]:
        """Find the sentences that carry a document or another part of the library, or some sentences of it."""

        def find(library: Library) -> Steps[KeySentences]:
            standing = yield from standing_in(library, scope)
            return KeySentences((yield from key_sentences(library, standing, count, among)))

        return self._submit("key sentences", find, key="key sentences")

    def export(self, found: Clusters, file: str, *, scope: Scope = EVERYTHING) -> Job[int]:
        """Write themes of a part of the library with all their sentences, and the unclustered ones.

        Returns how many sentences.

        The job ends with `UsageError` for an ending that is none of ours, `StorageFull` when it cannot be written.
        """

        def steps() -> Steps[int]:
            library = self._open_library()
            total = sum(cluster.size for cluster in found.clusters) + len(found.unclustered)
            done = written = 0
            loose = [Nearest(key, 0.0) for key in found.unclustered]
            with cluster_writer(file) as write:
                for cluster, members in [*((each, members_of(each)) for each in found.clusters), (None, loose)]:
                    for top in range(0, len(members), _WRITTEN_AT_ONCE):
                        some = members[top : top + _WRITTEN_AT_ONCE]
                        hits = library.hits(some, scope=scope)
                        write(cluster, hits)
                        done, written = done + len(some), written + len(hits)
                        yield Progress("exporting", done, total, "sentences")
            return written

        return self._engine.submit("export clusters", steps)

    # Changing

    def rename(self, cluster_id: int, name: str) -> Job[Clusters]:
        """Give a theme a name of the person's own; an empty one gives it back one made from its words."""
        return self._change(lambda library: self._rename(library, cluster_id, " ".join(name.split())))

    def pin(self, cluster_id: int, pinned: bool) -> Job[Clusters]:
        """Keep a theme as it is when the library is divided anew, or let it go."""
        return self._change(lambda library: library.themes.change(cluster_id, pinned=pinned))

    def merge(self, cluster_ids: Sequence[int]) -> Job[Clusters]:
        """Make one theme of several; it is pinned and goes on as the first one that has a name of its own."""

        def merged(laid: Laid, kept: list[KeptCluster], labels: NDArray[np.int64]) -> Steps[Division]:
            yield None
            parts = [_place(kept, cluster_id) for cluster_id in dict.fromkeys(cluster_ids)]
            if len(parts) < 2:
                raise UsageError("One theme alone cannot be merged", "Choose two themes or more.")
            leader = min(parts, key=lambda at: (not kept[at].own_name, -len(kept[at].members), at))
            labels[np.isin(labels, parts)] = leader
            kept[leader] = replace(kept[leader], pinned=True, name=kept[leader].name * kept[leader].own_name)
            return _division(labels)

        return self._edit(merged)

    def split(self, cluster_id: int) -> Job[Clusters]:
        """Make several themes of one, all of them pinned.

        The job ends with `UsageError` when the theme is all of a piece.
        """

        def split(laid: Laid, kept: list[KeptCluster], labels: NDArray[np.int64]) -> Steps[Division]:
            at = _place(kept, cluster_id)
            rows = np.flatnonzero(labels == at)
            graph = laid.graph.part(rows)
            yield None
            alone = Laid(graph, laid.whole, laid.vectors[rows])
            parts = yield from self._divider.split(alone, _least_part(len(rows)))
            if parts.max(initial=0) < 1:
                raise UsageError("This theme does not fall into parts", "Its sentences are all alike.")
            new = [at]
            for _ in range(int(parts.max())):
                new.append(len(kept))
                empty = np.empty(0, np.int64)
                kept.append(replace(kept[at], cluster_id=None, name="", own_name=False, members=empty, pinned=True))
            labels[rows] = np.array(new)[parts]
            kept[at] = replace(kept[at], pinned=True, name=kept[at].name * kept[at].own_name)
            return _division(labels)

        return self._edit(split)

    def undo(self) -> Job[Clusters]:
        """Take back the last merging, splitting, pinning or naming.

        The job ends with `NotFound` when there is none, or when the library has changed its model since: what was
        there before is not what the new one would find.
        """

        def restore(library: Library) -> None:
            before, self._before = self._before, None
            if before is None or before[0] != fingerprint_of(library):
                raise NotFound("There is nothing to take back", "The themes were found anew, or by another model.")
            library.themes.keep(*before[1:])

        return self._change(restore, remember=False)

    def _rename(self, library: Library, cluster_id: int, name: str) -> None:
        library.themes.change(cluster_id, name=name)
        if not name:
            kept = library.themes.clusters()
            words = next(cluster.keywords for cluster in kept if cluster.cluster_id == cluster_id)
            look = library.themes.look()
            assert look is not None
            made = [
                replace(cluster, name=", ".join(words[:3])) if cluster.cluster_id == cluster_id else cluster
                for cluster in kept
            ]
            library.themes.keep(made, look)

    def _change(self, change: Callable[[Library], None], *, remember: bool = True) -> Job[Clusters]:
        """Change what is kept, then show it."""

        def steps() -> Steps[Clusters]:
            library = self._open_library()
            if remember:
                self._remember(library)
            change(library)
            yield None
            standing = yield from standing_in(library, EVERYTHING)
            found = yield from last_clusters(library, standing)
            if found is None:  # a switch of models was completed meanwhile
                raise NotFound(
                    "The themes are not there any more", "The library has another model now: find them anew."
                )
            return found

        return self._engine.submit("change clusters", steps, key=_EDITED)

    def _edit(self, edit: Callable[[Laid, list[KeptCluster], NDArray[np.int64]], Steps[Division]]) -> Job[Clusters]:
        """Divide what is kept in another way; sentences that came since stay what they are: not looked at.

        `edit` gets the kept clusters, which it may change, and for each row its place among them, -1 for none.
        """

        def divide(library: Library) -> Steps[Clusters]:
            laid, standing = yield from self._lay_out(library, EVERYTHING)
            look = library.themes.look()
            if look is None:
                raise NotFound("The library has no themes yet", "Find them first.")
            kept = library.themes.clusters()
            before = list(kept)
            labels = np.full(len(laid.graph.ids), UNCLUSTERED, np.int64)
            for at, cluster in enumerate(kept):
                if not cluster.dormant:
                    labels[laid.finder.present(cluster.members)] = at
            division = yield from edit(laid, kept, labels)
            yield None
            request = ClustersRequest(look.granularity, look.min_size)
            found = yield from tell(library, laid, standing, division, kept, look, request)
            self._before = fingerprint_of(library), before, look
            known = tuple(key for key in found.unclustered if key <= look.seen)
            return replace(found, unclustered=known, arrived=len(found.unclustered) - len(known))

        return self._submit("change clusters", divide, key=_EDITED)

    def _remember(self, library: Library) -> None:
        look = library.themes.look()
        if look is None:
            raise NotFound("The library has no themes yet", "Find them first.")
        self._before = fingerprint_of(library), library.themes.clusters(), look

    def _submit(self, name: str, work: Callable[[Library], Steps[T]], *, key: str) -> Job[T]:
        """Queue work that reads the graph or vectors; it is begun anew when the library changes its model meanwhile."""

        def steps() -> Steps[T]:
            library = self._open_library()
            return (yield from of_one_model(library, lambda: work(library)))

        return self._engine.submit(name, steps, key=key)

    def _lay_out(self, library: Library, scope: Scope) -> Steps[tuple[Laid, Standing]]:
        whole = yield from self._graphs.graph(library)
        standing = yield from standing_in(library, scope)
        yield None
        rows = np.flatnonzero((yield from standing.finding(whole.ids)) >= 0)
        yield None
        laid = self._laid
        if laid is None or not laid.is_of(whole, rows):
            graph = yield from self._graphs.part(library, whole, rows)
            self._laid = laid = yield from self._divider.lay_out(library, graph, whole)
        return laid, standing


def members_of(cluster: Cluster) -> list[Nearest]:
    """Return the members of a theme in their order, with their closeness to its centre."""
    return [Nearest(key, score) for key, score in zip(cluster.sentence_ids, cluster.closeness, strict=True)]


def standing_in(library: Library, scope: Scope) -> Steps[Standing]:
    """Return where the sentences of a part of the library stand."""
    places = yield from joined(library.material.standing(scope), np.empty((0, 3), np.int64))
    return Standing(places)


def _place(kept: Sequence[KeptCluster], cluster_id: int) -> int:
    for at, cluster in enumerate(kept):
        if cluster.cluster_id == cluster_id:
            return at
    raise NotFound("This theme is not there any more", "The themes were found anew meanwhile: choose again.")


def _division(places: NDArray[np.int64]) -> Division:
    """Return a division by places among the kept clusters as one by size; each goes on as what it is."""
    labels = by_size(places, 1)
    found = labels >= 0
    goes_on = dict(zip(labels[found].tolist(), places[found].tolist(), strict=True))
    return Division(labels, goes_on, np.zeros(len(labels), np.bool_))


def _least_part(size: int) -> int:
    return max(2, min(5, size // 6))
