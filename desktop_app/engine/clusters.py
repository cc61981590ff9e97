"""Clusters of a library: found, named, shown again and edited by a person."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.cluster_names import ClusterWords, name_clusters
from desktop_app.analysis.clusters import (
    UNCLUSTERED,
    apply_pinned_clusters,
    choose_key_rows,
    cluster_centres_in_steps,
    match_known_clusters,
    measure_closeness_in_steps,
    number_by_size,
)
from desktop_app.analysis.duplicates import SentencePlaces
from desktop_app.core.cluster_files import cluster_writer
from desktop_app.core.clusters import (
    Cluster,
    Clusters,
    ClustersRequest,
    KeySentences,
    SentenceMap,
    StoredCluster,
    StoredDivision,
)
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import Lane, Progress, Steps
from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.cluster_division import ClusterDivider, ClusteringGraph
from desktop_app.engine.cluster_map import SentenceMapper, read_change_times
from desktop_app.engine.neighbour_graph import (
    join_pieces,
    model_fingerprint,
    read_vectors,
    restart_on_model_change,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbour_graph import RowIndex
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.records import Hit
    from desktop_app.engine.context import EngineContext

    Ids = NDArray[np.int64]

T = TypeVar("T")

_SENTENCES_PER_WRITE = 100
_CLUSTERS_KEY = "clusters"  # the key of every job that changes the clusters: the latest wins

_MIN_SIZE = 5
_MIN_SIZE_SMALL_LIBRARY = 3
_SMALL_LIBRARY = 200
_KEY_SENTENCES = 3
_DISTINCT_COSINE = 0.7
_TEXTS_PER_STEP = 200
_MEMBERS_PER_STEP = 4000  # members that are looked up in one step
_MATCHES_PER_STEP = 50


class ClusterService:
    """Finds, reads and edits the clusters of a library.

    Args:
        context: the library and the neighbour graph that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._divider = ClusterDivider(context.setup.start_task)
        self._mapper = SentenceMapper(context.setup.start_task)
        self._laid: ClusteringGraph | None = None
        self._before: tuple[str, list[StoredCluster], StoredDivision] | None = (
            None  # with the fingerprint of the model that found it
        )

    # Finding

    def find(self, request: ClustersRequest) -> Job[Clusters]:
        """Divide the library, or a part of it, into clusters. The latest wins.

        The prepared graph is kept in memory: another granularity starts from there.
        """

        def find(library: Library) -> Steps[Clusters]:
            laid, standing = yield from self._lay_out(library, request.scope)
            return (yield from find_clusters(library, self._divider, laid, standing, request))

        return self._submit("clusters", find, key=_CLUSTERS_KEY)

    def load_last(self) -> Job[Clusters | None]:
        """Return the visible part of the last clusters that were found; None if there are none. The latest wins."""

        def steps() -> Steps[Clusters | None]:
            library = self._context.open_library()
            if library.models.current is None:
                return None
            standing = yield from read_standing(library, EVERYTHING)
            return (yield from load_last_clusters(library, standing))

        return self._context.engine.submit("last clusters", steps, key="last clusters")

    def count_new(self) -> Job[int]:
        """Return how many sentences were added since clusters were last found."""

        def count() -> int:
            library = self._context.open_library()
            look = library.clusters.last_division()
            return library.clusters.count_arrived(look.seen) if look is not None else 0

        return self._context.engine.submit("arrived", count, lane=Lane.FRONT, key="arrived", by_person=False)

    def build_map(self, *, force: bool = False) -> Job[SentenceMap]:
        """Return where sentences lie on the map of the whole library. The latest wins.

        Sentences keep their positions; new ones are placed among their neighbours. The map is laid out again if `force`
        is set, or when most sentences have no position yet.
        """

        def draw(library: Library) -> Steps[SentenceMap]:
            laid, standing = yield from self._lay_out(library, EVERYTHING)
            ids, (places, is_new) = (
                laid.graph.ids,
                (yield from self._mapper.compute_positions(library, laid, force=force)),
            )
            documents = standing.first_documents(ids)
            yield None
            dates = yield from read_change_times(library, documents)
            return SentenceMap(ids, places, documents, is_new, dates)

        return self._submit("map", draw, key="map")

    # Reading

    def search_within(self, query: str, sentence_ids: Sequence[int]) -> Job[list[ScoredSentence]]:
        """Return sentences by their similarity to a query, best first. The latest wins."""

        def search() -> list[ScoredSentence]:
            vector = self._context.query_vectors.embed(self._context.library_encoder(), query)
            scores = self._context.open_library().search.scores(vector, sentence_ids)
            return [ScoredSentence(key, scores[key]) for key in sorted(scores, key=lambda key: (-scores[key], key))]

        return self._context.engine.submit("search within", search, lane=Lane.FRONT, key="search within")

    def find_key_sentences(
        self, count: int, *, scope: Scope = EVERYTHING, among: Sequence[int] | None = None
    ) -> Job[KeySentences]:
        """Find the most central sentences of a document, of another part of the library, or of some sentences."""

        def find(library: Library) -> Steps[KeySentences]:
            standing = yield from read_standing(library, scope)
            return KeySentences((yield from find_key_sentences(library, standing, count, among)))

        return self._submit("key sentences", find, key="key sentences")

    def export(self, found: Clusters, file: str, *, scope: Scope = EVERYTHING) -> Job[int]:
        """Write the clusters of a part of the library with all their sentences, and the unclustered ones.

        Returns how many sentences.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[int]:
            library = self._context.open_library()
            total = sum(cluster.size for cluster in found.clusters) + len(found.unclustered)
            done = written = 0
            loose = [ScoredSentence(key, 0.0) for key in found.unclustered]
            with cluster_writer(file) as write:
                for cluster, members in [*((each, list_members(each)) for each in found.clusters), (None, loose)]:
                    for top in range(0, len(members), _SENTENCES_PER_WRITE):
                        some = members[top : top + _SENTENCES_PER_WRITE]
                        hits = library.search.hits(some, scope=scope)
                        write(cluster, hits)
                        done, written = done + len(some), written + len(hits)
                        yield Progress("exporting", done, total, "sentences")
            return written

        return self._context.engine.submit("export clusters", steps)

    # Changing

    def rename(self, cluster_id: int, name: str) -> Job[Clusters]:
        """Give a cluster a name of the person's own; an empty one restores a name made from its words."""
        return self._change(lambda library: self._rename(library, cluster_id, " ".join(name.split())))

    def pin(self, cluster_id: int, pinned: bool) -> Job[Clusters]:
        """Keep a cluster as it is when the library is divided again, or stop keeping it."""
        return self._change(lambda library: library.clusters.change(cluster_id, pinned=pinned))

    def merge(self, cluster_ids: Sequence[int]) -> Job[Clusters]:
        """Merge clusters into one; it is pinned, and continues the first one that has a name of its own."""

        def merged(
            laid: ClusteringGraph, kept: list[StoredCluster], labels: NDArray[np.int64]
        ) -> Steps[ClusterDivision]:
            yield None
            parts = [_find_place(kept, cluster_id) for cluster_id in dict.fromkeys(cluster_ids)]
            if len(parts) < 2:
                raise UsageError("One theme alone cannot be merged", "Choose at least two themes.")
            leader = min(parts, key=lambda at: (not kept[at].own_name, -len(kept[at].members), at))
            labels[np.isin(labels, parts)] = leader
            kept[leader] = replace(kept[leader], pinned=True, name=kept[leader].name * kept[leader].own_name)
            return _make_division(labels)

        return self._edit(merged)

    def split(self, cluster_id: int) -> Job[Clusters]:
        """Split a cluster into several, all of them pinned.

        Raises (the job):
            UsageError: the cluster does not fall into parts.
        """

        def split(
            laid: ClusteringGraph, kept: list[StoredCluster], labels: NDArray[np.int64]
        ) -> Steps[ClusterDivision]:
            at = _find_place(kept, cluster_id)
            rows = np.flatnonzero(labels == at)
            graph = laid.graph.part(rows)
            yield None
            alone = ClusteringGraph(graph, laid.whole, laid.vectors[rows])
            parts = yield from self._divider.split(alone, _min_part_size(len(rows)))
            if parts.max(initial=0) < 1:
                raise UsageError("This theme cannot be split", "Its sentences are all alike.")
            new = [at]
            for _ in range(int(parts.max())):
                new.append(len(kept))
                empty = np.empty(0, np.int64)
                kept.append(replace(kept[at], cluster_id=None, name="", own_name=False, members=empty, pinned=True))
            labels[rows] = np.array(new)[parts]
            kept[at] = replace(kept[at], pinned=True, name=kept[at].name * kept[at].own_name)
            return _make_division(labels)

        return self._edit(split)

    def undo(self) -> Job[Clusters]:
        """Undo the last merge, split, pin or rename.

        Raises (the job):
            NotFound: there is nothing to undo, or the library has changed its model since: the new one would not find
                what was there before.
        """

        def restore(library: Library) -> None:
            before, self._before = self._before, None
            if before is None or before[0] != model_fingerprint(library):
                raise NotFound("There is nothing to undo", "The themes were found again, or by another model.")
            library.clusters.save(*before[1:])

        return self._change(restore, remember=False)

    def _rename(self, library: Library, cluster_id: int, name: str) -> None:
        library.clusters.change(cluster_id, name=name)
        if not name:
            kept = library.clusters.clusters()
            words = next(cluster.keywords for cluster in kept if cluster.cluster_id == cluster_id)
            look = library.clusters.last_division()
            assert look is not None
            made = [
                replace(cluster, name=", ".join(words[:3])) if cluster.cluster_id == cluster_id else cluster
                for cluster in kept
            ]
            library.clusters.save(made, look)

    def _change(self, change: Callable[[Library], None], *, remember: bool = True) -> Job[Clusters]:
        """Change the stored clusters, then return them."""

        def steps() -> Steps[Clusters]:
            library = self._context.open_library()
            if remember:
                self._remember(library)
            change(library)
            yield None
            standing = yield from read_standing(library, EVERYTHING)
            found = yield from load_last_clusters(library, standing)
            if found is None:  # a switch of models was completed meanwhile
                raise NotFound("The themes no longer exist", "The library uses another model now: find them again.")
            return found

        return self._context.engine.submit("change clusters", steps, key=_CLUSTERS_KEY)

    def _edit(
        self, edit: Callable[[ClusteringGraph, list[StoredCluster], NDArray[np.int64]], Steps[ClusterDivision]]
    ) -> Job[Clusters]:
        """Divide the stored clusters in another way; sentences that were added since stay new.

        `edit` gets the stored clusters, which it may change, and for each row its index among them, -1 for none.
        """

        def divide(library: Library) -> Steps[Clusters]:
            laid, standing = yield from self._lay_out(library, EVERYTHING)
            look = library.clusters.last_division()
            if look is None:
                raise NotFound("The library has no themes yet", "Find them first.")
            kept = library.clusters.clusters()
            before = list(kept)
            labels = np.full(len(laid.graph.ids), UNCLUSTERED, np.int64)
            for at, cluster in enumerate(kept):
                if not cluster.dormant:
                    labels[laid.finder.present(cluster.members)] = at
            division = yield from edit(laid, kept, labels)
            yield None
            request = ClustersRequest(look.granularity, look.min_size)
            found = yield from describe_clusters(library, laid, standing, division, kept, look, request)
            self._before = model_fingerprint(library), before, look
            known = tuple(key for key in found.unclustered if key <= look.seen)
            return replace(found, unclustered=known, arrived=len(found.unclustered) - len(known))

        return self._submit("change clusters", divide, key=_CLUSTERS_KEY)

    def _remember(self, library: Library) -> None:
        look = library.clusters.last_division()
        if look is None:
            raise NotFound("The library has no themes yet", "Find them first.")
        self._before = model_fingerprint(library), library.clusters.clusters(), look

    def _submit(self, name: str, work: Callable[[Library], Steps[T]], *, key: str) -> Job[T]:
        """Queue work that reads the graph or vectors; it starts again when the library changes its model meanwhile."""

        def steps() -> Steps[T]:
            library = self._context.open_library()
            return (yield from restart_on_model_change(library, lambda: work(library)))

        return self._context.engine.submit(name, steps, key=key)

    def _lay_out(self, library: Library, scope: Scope) -> Steps[tuple[ClusteringGraph, SentencePlaces]]:
        whole = yield from self._context.neighbour_graphs.graph(library)
        standing = yield from read_standing(library, scope)
        yield None
        rows = np.flatnonzero((yield from standing.rows_in_steps(whole.ids)) >= 0)
        yield None
        laid = self._laid
        if laid is None or not laid.is_of(whole, rows):
            graph = yield from self._context.neighbour_graphs.part(library, whole, rows)
            self._laid = laid = yield from self._divider.lay_out(library, graph, whole)
        return laid, standing


def list_members(cluster: Cluster) -> list[ScoredSentence]:
    """Return the members of a cluster in their order, with their closeness to its centre."""
    return [ScoredSentence(key, score) for key, score in zip(cluster.sentence_ids, cluster.closeness, strict=True)]


def read_standing(library: Library, scope: Scope) -> Steps[SentencePlaces]:
    """Return where the sentences of a part of the library occur."""
    places = yield from join_pieces(library.analysis_reader.occurrences_in_order(scope), np.empty((0, 3), np.int64))
    return SentencePlaces(places)


def _find_place(kept: Sequence[StoredCluster], cluster_id: int) -> int:
    for at, cluster in enumerate(kept):
        if cluster.cluster_id == cluster_id:
            return at
    raise NotFound("This theme no longer exists", "The themes were found again in the meantime: choose again.")


def _make_division(places: NDArray[np.int64]) -> ClusterDivision:
    """Return a division by indices of the stored clusters as one by size; each continues its stored cluster."""
    labels = number_by_size(places, 1)
    found = labels >= 0
    goes_on = dict(zip(labels[found].tolist(), places[found].tolist(), strict=True))
    return ClusterDivision(labels, goes_on, np.zeros(len(labels), np.bool_))


def _min_part_size(size: int) -> int:
    return max(2, min(5, size // 6))


@dataclass(eq=False)
class ClusterDivision:
    """Clusters as rows of a graph, before they are described.

    Attributes:
        labels: int64 [n], 0 for the largest; -1 for unclustered.
        continues: the stored cluster that each one continues, by its index among the stored ones.
        is_new: bool [n], nodes that were added since clusters were last found.
    """

    labels: Ids
    continues: dict[int, int]
    is_new: NDArray[np.bool_]


def find_clusters(
    library: Library, divider: ClusterDivider, laid: ClusteringGraph, standing: SentencePlaces, request: ClustersRequest
) -> Steps[Clusters]:
    """Divide the sentences of a graph, all of them visible, into clusters."""
    started = time.perf_counter()
    ids = laid.graph.ids
    min_size = request.min_size or (_MIN_SIZE if len(ids) >= _SMALL_LIBRARY else _MIN_SIZE_SMALL_LIBRARY)
    granularity = request.granularity
    if granularity is None:
        granularity = yield from divider.choose(laid, min_size)
    labels = yield from divider.labels(laid, granularity, min_size)
    kept = library.clusters.clusters()
    yield None
    before = library.clusters.last_division() or _make_first_look(kept)
    pins = [at for at, cluster in enumerate(kept) if cluster.pinned]
    fresh = ids > before.seen
    rows = [laid.finder.present(kept[at].members) for at in pins]
    yield None
    labels, meant = apply_pinned_clusters(labels, rows, laid.graph.lists.neighbours, fresh, min_size)
    yield None
    goes_on = {label: pins[number] for label, number in meant.items()}
    goes_on |= yield from _match_kept_clusters(labels, kept, laid.finder, goes_on, fresh)
    seen = int(ids.max(initial=0))
    look = StoredDivision(
        granularity,
        request.granularity is None,
        min_size,
        max(seen, before.seen),
        before.seen if fresh.any() else before.new_after,
    )
    found = yield from describe_clusters(
        library, laid, standing, ClusterDivision(labels, goes_on, fresh), kept, look, request
    )
    return replace(found, seconds=time.perf_counter() - started)


def _make_first_look(kept: Sequence[StoredCluster]) -> StoredDivision:
    """Return the state before the library had its model: clusters that were found then are not new."""
    return StoredDivision(0.0, True, 0, max((int(cluster.members.max(initial=0)) for cluster in kept), default=0), 0)


def describe_clusters(
    library: Library,
    laid: ClusteringGraph,
    standing: SentencePlaces,
    division: ClusterDivision,
    kept: Sequence[StoredCluster],
    look: StoredDivision,
    request: ClustersRequest,
) -> Steps[Clusters]:
    """Find names and key sentences of clusters, and store the clusters if they are those of the whole library."""
    labels, ids = division.labels, laid.graph.ids
    keywords = yield from _find_keywords(library, standing, ids, labels)
    yield None
    made = name_clusters(keywords)
    yield None
    order = np.argsort(labels, kind="stable")
    yield None
    starts = np.searchsorted(labels[order], np.arange(len(keywords) + 1))
    yield None
    members = [order[starts[at] : starts[at + 1]] for at in range(len(keywords))]
    centres = yield from cluster_centres_in_steps(laid.vectors, labels)
    found: list[StoredCluster] = []
    for at, rows in enumerate(members):
        old = kept[division.continues[at]] if at in division.continues else None
        known = rows[~division.is_new[rows]]
        found.append((yield from _describe_cluster(laid, rows, centres[at], tuple(keywords[at]), made[at], old, known)))
        yield None
    if library.writable and request.scope.is_everything:
        goes_on = {kept[at].cluster_id for at in division.continues.values()}
        asleep = [
            replace(cluster, dormant=True)
            for cluster in kept
            if (cluster.own_name or cluster.pinned) and cluster.cluster_id not in goes_on
        ]
        numbers = library.clusters.save([*found, *asleep], look)[: len(found)]
        yield None
    else:
        numbers = _number_clusters(found, kept)
    found = [replace(cluster, cluster_id=number) for cluster, number in zip(found, numbers, strict=True)]
    loose = ids[labels < 0]
    yield None
    return (yield from present_clusters(library, standing, found, loose, look))


def present_clusters(
    library: Library,
    standing: SentencePlaces,
    found: Sequence[StoredCluster],
    loose: Ids,
    look: StoredDivision,
    arrived: int = 0,
) -> Steps[Clusters]:
    """Return clusters, all of whose members are visible, with the rows of their key sentences."""
    clusters: list[Cluster] = []
    for cluster in found:
        assert cluster.cluster_id is not None
        keys = zip(cluster.members[: cluster.keys].tolist(), cluster.closeness.tolist(), strict=False)
        hits = library.search.hits_at([(*standing.places(key)[0], score) for key, score in keys])
        clusters.append(
            Cluster(
                cluster_id=cluster.cluster_id,
                name=cluster.name,
                keywords=cluster.keywords,
                key_sentences=tuple(hit for hit in hits if hit is not None),
                sentence_ids=tuple(cluster.members.tolist()),
                documents=standing.documents(cluster.members),
                closeness=tuple(cluster.closeness.tolist()),
                own_name=cluster.own_name,
                pinned=cluster.pinned,
                new=int((cluster.members > look.new_after).sum()) if look.new_after else 0,
            )
        )
        yield None
    return Clusters(
        tuple(clusters), tuple(loose.tolist()), look.granularity, 0.0, look.is_chosen, look.new_after, arrived
    )


def load_last_clusters(library: Library, standing: SentencePlaces) -> Steps[Clusters | None]:
    """Return the visible part of the last clusters that were found; None if there are none."""
    look = library.clusters.last_division()
    if look is None:
        return None
    left: list[StoredCluster] = []
    is_loose = standing.ids <= look.seen
    for cluster in library.clusters.clusters():
        yield None
        rows = standing.find_rows(cluster.members)
        here = rows >= 0
        if cluster.dormant or not here.any():
            continue
        keys = int(here[: cluster.keys].sum())
        left.append(replace(cluster, members=cluster.members[here], closeness=cluster.closeness[here], keys=keys))
        is_loose[rows[here]] = False
    yield None
    left.sort(key=lambda cluster: (-len(cluster.members), cluster.cluster_id))
    arrived = library.clusters.count_arrived(look.seen)
    yield None
    return (yield from present_clusters(library, standing, left, standing.ids[is_loose], look, arrived))


def _match_kept_clusters(
    labels: Ids, kept: Sequence[StoredCluster], finder: RowIndex, taken: dict[int, int], fresh: NDArray[np.bool_]
) -> Steps[dict[int, int]]:
    """Return which stored cluster each cluster continues that continues none yet.

    First those that a person has named, dormant or not: they continue only as themselves, neither as a part of
    themselves nor of something larger. Then the others.
    """
    found: dict[int, int] = {}
    for own_name in (True, False):
        known = np.full(len(labels), UNCLUSTERED, np.int64)
        looked_for = 0
        for at, cluster in enumerate(kept):
            if cluster.own_name == own_name and not cluster.pinned:
                known[finder.present(cluster.members)] = at
                looked_for += len(cluster.members)
                if looked_for >= _MEMBERS_PER_STEP:
                    looked_for = 0
                    yield None
        free = np.where(np.isin(labels, [*taken, *found]), UNCLUSTERED, labels)
        yield None
        if not (known >= 0).any():
            continue
        goes_on = match_known_clusters(free, known)
        for number, (label, at) in enumerate(goes_on.items()):
            if number % _MATCHES_PER_STEP == 0:
                yield None
            rows = np.flatnonzero((free == label) & ~fresh)
            if not own_name or _shares_most(rows, finder.present(kept[at].members)):
                found[label] = at
    return found


def _shares_most(rows: Ids, others: Ids) -> bool:
    both = len(np.intersect1d(rows, others))
    return 2 * both > len(rows) + len(others) - both


def _describe_cluster(
    laid: ClusteringGraph,
    rows: Ids,
    centre: NDArray[np.float32],
    keywords: tuple[str, ...],
    made: str,
    old: StoredCluster | None,
    known: Ids,
) -> Steps[StoredCluster]:
    """Return a cluster with its members in the order in which they are shown, and its name.

    An automatic name is made again when the rows that were `known` belong mostly to another cluster, or are only a part
    of that one.
    """
    closeness = np.round((yield from measure_closeness_in_steps(laid.vectors, rows, centre)), 5)
    order = np.lexsort((rows, -closeness))
    keys = choose_key_rows(laid.vectors, rows, closeness, _KEY_SENTENCES)
    yield None
    first = [int(np.flatnonzero(rows == key)[0]) for key in keys]
    order = np.concatenate([np.array(first, np.int64), order[~np.isin(order, first)]])
    members = laid.graph.ids[rows[order]]
    name, own_name, pinned = made, False, False
    if old is not None:
        own_name, pinned = old.own_name, old.pinned
        if old.name and (own_name or pinned or _shares_most(known, laid.finder.present(old.members))):
            name = old.name
    return StoredCluster(
        cluster_id=old.cluster_id if old is not None else None,
        name=name,
        members=members,
        closeness=closeness[order].astype(np.float32),
        own_name=own_name,
        pinned=pinned,
        keywords=keywords,
        keys=len(keys),
    )


def _number_clusters(found: Sequence[StoredCluster], kept: Sequence[StoredCluster]) -> list[int]:
    """Return ids for clusters that are not stored: those of the clusters they continue, then the next free ones."""
    next_id = max((cluster.cluster_id or 0 for cluster in kept), default=0)
    numbered: list[int] = []
    for cluster in found:
        if cluster.cluster_id is None:
            next_id += 1
        numbered.append(next_id if cluster.cluster_id is None else cluster.cluster_id)
    return numbered


def _find_keywords(library: Library, standing: SentencePlaces, ids: Ids, labels: Ids) -> Steps[list[list[str]]]:
    words = ClusterWords(int(labels.max(initial=UNCLUSTERED)) + 1)
    rows = np.flatnonzero(labels >= 0)
    languages = library.analysis_reader.languages()
    yield None
    documents = standing.first_documents(ids[rows]).tolist()
    yield None
    for top in range(0, len(rows), _TEXTS_PER_STEP):
        some = rows[top : top + _TEXTS_PER_STEP]
        texts = library.analysis_reader.texts(ids[some].tolist())
        of = documents[top : top + _TEXTS_PER_STEP]
        rows_with_texts = zip(labels[some].tolist(), ids[some].tolist(), of, strict=True)
        words.add((label, texts.get(key, ""), languages.get(document, "")) for label, key, document in rows_with_texts)
        yield Progress("naming", top, len(rows), "sentences")
    return (yield from words.keywords_in_steps())


def find_key_sentences(
    library: Library, standing: SentencePlaces, count: int, among: Sequence[int] | None = None
) -> Steps[tuple[Hit, ...]]:
    """Return up to `count` central and distinct sentences, in reading order.

    Args:
        library: contains the sentences.
        standing: where they occur.
        count: how many.
        among: only these sentences; None for all.
    """
    ids = standing.ids
    if among is not None:
        ids = ids[np.isin(ids, np.array(among, np.int64))]
    vectors = yield from read_vectors(library, ids)
    sound = np.flatnonzero(vectors.any(axis=1))
    if not len(sound):
        return ()
    whole = np.full(len(ids), UNCLUSTERED, np.int64)
    whole[sound] = 0
    (centre,) = yield from cluster_centres_in_steps(vectors, whole)
    closeness = yield from measure_closeness_in_steps(vectors, sound, centre)
    chosen = choose_key_rows(vectors, sound, closeness, count, distinct=_DISTINCT_COSINE)
    yield None
    scored = {standing.places(int(ids[row]))[0]: float(vectors[row] @ centre) for row in chosen}
    hits = library.search.hits_at([(*place, scored[place]) for place in sorted(scored)])
    return tuple(hit for hit in hits if hit is not None)
