"""Clusters of a library: found, named, shown again and edited by a person."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.analysis.cluster_names import ClusterWords
from desktop_app.analysis.clusters import (
    UNCLUSTERED,
    apply_pinned_clusters,
    choose_key_rows,
    cluster_centres_in_steps,
    group_clusters,
    match_known_clusters,
    measure_closeness_in_steps,
    number_by_size,
    order_by_label,
    sample_clusters,
)
from desktop_app.analysis.duplicates import SentencePlaces
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.cluster_files import ENGLISH_CLUSTER_TEXTS, cluster_writer
from desktop_app.core.cluster_words import (
    drop_lost_words,
    name_from_keywords,
    name_from_text,
    name_groups,
)
from desktop_app.core.clusters import (
    BroadCluster,
    Cluster,
    Clusters,
    ClustersRequest,
    KeySentences,
    SentenceMap,
    StoredCluster,
    StoredDivision,
    compact_ids,
)
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.export_files import write_in_steps
from desktop_app.core.jobs import Lane, Progress, Steps
from desktop_app.core.query import EMPTY_QUERY, Query
from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.cluster_division import ClusterDivider, ClusteringGraph, with_vectors
from desktop_app.engine.cluster_map import SentenceMapper, read_change_times
from desktop_app.engine.neighbour_graph import (
    model_fingerprint,
    read_vectors,
    restart_on_model_change,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbour_graph import RowIndex
    from desktop_app.core.arrays import Ids
    from desktop_app.core.cluster_files import ClusterTexts, ClusterWriter
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.records import Hit
    from desktop_app.engine.context import EngineContext


T = TypeVar("T")

_SENTENCES_PER_WRITE = 100
_CLUSTERS_KEY = "clusters"  # the key of every job that finds clusters: the latest wins
_CHANGES_CHAIN = "clusters"  # changes of a person wait for each other, and none is lost

_MIN_SIZE = 5
_MIN_SIZE_SMALL_LIBRARY = 3
_SMALL_LIBRARY = 200
_KEY_SENTENCES = 3
_KEYWORDS = 24  # stored: more than are shown, so that some are left when sentences are removed
_SHOWN_KEYWORDS = 8
_CENTRAL_MEMBERS = 256  # of a cluster, from which its key sentences are taken
_DISTINCT_COSINE = 0.7
_TEXTS_PER_STEP = 200
_NAMING_SENTENCES = 300_000  # whose words are counted; of more, each cluster's share
_NAMING_SENTENCES_OF_CLUSTER = 50
_DOCUMENTS_PER_STEP = 20  # whose languages are found in one step
_CLUSTERS_PER_STEP = 8  # whose key sentences are read in one step
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
        self._prepared: ClusteringGraph | None = None
        self._before: tuple[str, list[StoredCluster], StoredDivision] | None = (
            None  # with the fingerprint of the model that found it
        )

    # Finding

    def find(self, request: ClustersRequest, *, key: str | None = _CLUSTERS_KEY) -> Job[Clusters]:
        """Divide the library, or a part of it, into clusters. The latest wins.

        The prepared graph is kept in memory: another granularity starts from there.
        """

        def find(library: Library) -> Steps[Clusters]:
            prepared, sentence_places = yield from self._prepare_graph(library, request.scope)
            found = yield from find_clusters(library, self._divider, prepared, sentence_places, request)
            if request.scope.is_everything:
                self._before = None  # an undo from another window would replace what was found
            return found

        return self._submit("clusters", find, key=key, chain=_CHANGES_CHAIN)

    def load_last(self, *, key: str | None = "last clusters") -> Job[Clusters | None]:
        """Return the visible part of the last clusters that were found; None if there are none. The latest wins."""

        def steps() -> Steps[Clusters | None]:
            library = self._context.open_library()
            if library.models.current is None:
                return None
            sentence_places = yield from read_sentence_places(library, EVERYTHING)
            return (yield from load_last_clusters(library, sentence_places))

        return self._context.engine.submit("last clusters", steps, key=key)

    def count_new(self) -> Job[int]:
        """Return how many sentences were added since clusters were last found."""

        def count() -> int:
            library = self._context.open_library()
            stored_division = library.clusters.last_division()
            return library.clusters.count_arrived(stored_division.seen) if stored_division is not None else 0

        return self._context.engine.submit("arrived", count, lane=Lane.FRONT, key="arrived", by_person=False)

    def build_map(self, *, force: bool = False) -> Job[SentenceMap]:
        """Return where sentences lie on the map of the whole library. The latest wins.

        Sentences keep their positions; new ones are placed among their neighbours. The map is laid out again if `force`
        is set, or when most sentences have no position yet.
        """

        def draw(library: Library) -> Steps[SentenceMap]:
            prepared, sentence_places = yield from self._prepare_graph(library, EVERYTHING, needs_vectors=False)
            ids, (places, is_new) = (
                prepared.graph.ids,
                (yield from self._mapper.compute_positions(library, prepared, force=force)),
            )
            documents = yield from sentence_places.first_documents_in_steps(ids)
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
        self,
        count: int,
        *,
        scope: Scope = EVERYTHING,
        among: Sequence[int] | None = None,
        query: Query = EMPTY_QUERY,
        asker: str = "",
    ) -> Job[KeySentences]:
        """Find the most central sentences of a document, of another part of the library, or of some sentences.

        If they were found for a query, those that are also near to it. Headings, fragments, rows of tables and so on
        are none, unless the scope includes all passages. The latest request of an asker wins.
        """

        def find(library: Library) -> Steps[KeySentences]:
            sentence_places = yield from read_sentence_places(library, scope.of_sentences)
            near = None
            if not query.is_empty:
                near = self._context.query_vectors.embed_query(self._context.library_encoder(), query)
                yield None
            return (yield from find_key_sentences(library, sentence_places, count, among, near))

        return self._submit("key sentences", find, key=f"key sentences {asker}")

    def export(
        self, found: Clusters, file: str, *, scope: Scope = EVERYTHING, words: ClusterTexts = ENGLISH_CLUSTER_TEXTS
    ) -> Job[int]:
        """Write the clusters of a part of the library with all their sentences, and the unclustered ones.

        Returns how many sentences.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def export(write: ClusterWriter) -> Steps[int]:
            library = self._context.open_library()
            total = sum(cluster.size for cluster in found.clusters) + len(found.unclustered)
            done = written = 0
            unclustered = [ScoredSentence(key, 0.0) for key in found.unclustered]
            for cluster in [*_order_by_broad(found), None]:
                members = list_members(cluster) if cluster is not None else unclustered
                for top in range(0, len(members), _SENTENCES_PER_WRITE):
                    some = members[top : top + _SENTENCES_PER_WRITE]
                    hits = library.search.hits(some, scope=scope)
                    write(cluster, hits)
                    done, written = done + len(some), written + len(hits)
                    yield Progress("exporting", done, total, "sentences")
            return written

        def steps() -> Steps[int]:
            return (yield from write_in_steps(partial(cluster_writer, file, found.broad, words), export))

        return self._context.engine.submit("export clusters", steps)

    # Changing

    def rename(self, cluster_id: int, name: str) -> Job[Clusters]:
        """Give a cluster a name of the person's own; an empty one restores a name made from its words."""
        return self._change(lambda library: self._rename(library, cluster_id, " ".join(name.split())))

    def rename_broad(self, broad_id: int, name: str) -> Job[Clusters]:
        """Give a broad cluster a name of the person's own; an empty one restores a name made from its words."""
        return self._change(lambda library: _rename_broad(library, broad_id, " ".join(name.split())))

    def pin(self, cluster_id: int, pinned: bool) -> Job[Clusters]:
        """Keep a cluster as it is when the library is divided again, or stop keeping it."""
        return self._change(lambda library: library.clusters.change(cluster_id, pinned=pinned))

    def merge(self, cluster_ids: Sequence[int]) -> Job[Clusters]:
        """Merge clusters into one; it is pinned, and continues the first one that has a name of its own."""

        def merge_clusters(
            prepared: ClusteringGraph, stored: list[StoredCluster], labels: NDArray[np.int64]
        ) -> Steps[ClusterDivision]:
            yield None
            parts = [_find_stored_index(stored, cluster_id) for cluster_id in dict.fromkeys(cluster_ids)]
            if len(parts) < 2:
                raise UsageError("Merging needs at least two topics", "Select two or more topics.")
            leader = min(parts, key=lambda at: (not stored[at].own_name, -len(stored[at].members), at))
            labels[np.isin(labels, parts)] = leader
            stored[leader] = replace(stored[leader], pinned=True, name=stored[leader].name * stored[leader].own_name)
            return _make_division(labels)

        return self._edit(merge_clusters)

    def split(self, cluster_id: int) -> Job[Clusters]:
        """Split a cluster into several, all of them pinned.

        Raises (the job):
            UsageError: the cluster does not fall into parts.
        """

        def split(
            prepared: ClusteringGraph, stored: list[StoredCluster], labels: NDArray[np.int64]
        ) -> Steps[ClusterDivision]:
            at = _find_stored_index(stored, cluster_id)
            rows = np.flatnonzero(labels == at)
            graph = prepared.graph.part(rows)
            yield None
            cluster_graph = ClusteringGraph(graph, prepared.whole, prepared.vectors[rows])
            parts = yield from self._divider.split(cluster_graph, _min_part_size(len(rows)))
            if parts.max(initial=0) < 1:
                raise UsageError("This topic can't be split", "Its sentences are too similar.")
            new = [at]
            for _ in range(int(parts.max())):
                new.append(len(stored))
                empty = np.empty(0, np.int64)
                stored.append(replace(stored[at], cluster_id=None, name="", own_name=False, members=empty, pinned=True))
            labels[rows] = np.array(new)[parts]
            stored[at] = replace(stored[at], pinned=True, name=stored[at].name * stored[at].own_name)
            return _make_division(labels)

        return self._edit(split)

    def undo(self) -> Job[Clusters]:
        """Undo the last merge, split, pin or rename.

        Raises (the job):
            NotFound: there is nothing to undo, or the library has changed its model since: the new model finds other
                clusters.
        """

        def restore(library: Library) -> None:
            before = self._before
            if before is None or before[0] != model_fingerprint(library):
                raise NotFound(
                    "There is nothing to undo", "The topics have been found again since, or with another model."
                )
            library.clusters.save(*before[1:])
            self._before = None

        return self._change(restore, remember=False)

    def _rename(self, library: Library, cluster_id: int, name: str) -> None:
        library.clusters.change(cluster_id, name=name)
        if not name:
            stored = library.clusters.clusters()
            words = next(cluster.keywords for cluster in stored if cluster.cluster_id == cluster_id)
            stored_division = library.clusters.last_division()
            assert stored_division is not None
            renamed = [
                replace(cluster, name=name_from_keywords(words)) if cluster.cluster_id == cluster_id else cluster
                for cluster in stored
            ]
            library.clusters.save(renamed, stored_division)

    def _change(self, change: Callable[[Library], None], *, remember: bool = True) -> Job[Clusters]:
        """Change the stored clusters, then return them."""

        def steps() -> Steps[Clusters]:
            library = self._context.open_library()
            before = _read_state(library) if remember else None
            change(library)
            if before is not None:
                self._before = before
            yield None
            sentence_places = yield from read_sentence_places(library, EVERYTHING)
            found = yield from load_last_clusters(library, sentence_places)
            if found is None:  # a switch of models was completed meanwhile
                raise NotFound("The topics no longer exist", "The library now uses another model. Find topics again.")
            return found

        self._context.engine.cancel_jobs(_CLUSTERS_KEY)  # what it would find lacks the change
        return self._context.engine.submit("change clusters", steps, chain=_CHANGES_CHAIN)

    def _edit(
        self, edit: Callable[[ClusteringGraph, list[StoredCluster], NDArray[np.int64]], Steps[ClusterDivision]]
    ) -> Job[Clusters]:
        """Divide the stored clusters in another way; sentences that were added since stay new.

        `edit` gets the stored clusters, which it may change, and for each row its index among them, -1 for none.
        """

        def divide(library: Library) -> Steps[Clusters]:
            prepared, sentence_places = yield from self._prepare_graph(library, EVERYTHING)
            stored_division = library.clusters.last_division()
            if stored_division is None:
                raise NotFound("The library has no topics yet", "Find topics first.")
            stored = library.clusters.clusters()
            before = list(stored)
            labels = np.full(len(prepared.graph.ids), UNCLUSTERED, np.int64)
            for at, cluster in enumerate(stored):
                if not cluster.dormant:
                    labels[prepared.finder.present(cluster.members)] = at
            division = yield from edit(prepared, stored, labels)
            yield None
            request = ClustersRequest(stored_division.granularity, stored_division.min_size)
            found = yield from describe_clusters(
                library, prepared, sentence_places, division, stored, stored_division, request
            )
            self._before = model_fingerprint(library), before, stored_division
            known = tuple(key for key in found.unclustered if key <= stored_division.seen)
            return replace(found, unclustered=known, arrived=len(found.unclustered) - len(known))

        self._context.engine.cancel_jobs(_CLUSTERS_KEY)  # what it would find lacks the change
        return self._submit("change clusters", divide, chain=_CHANGES_CHAIN)

    def _submit(
        self, name: str, work: Callable[[Library], Steps[T]], *, key: str | None = None, chain: str | None = None
    ) -> Job[T]:
        """Queue work that reads the graph or vectors; it starts again when the library changes its model."""

        def steps() -> Steps[T]:
            library = self._context.open_library_for_vectors()
            return (yield from restart_on_model_change(library, lambda: work(library)))

        return self._context.engine.submit(name, steps, key=key, chain=chain)

    def _prepare_graph(
        self, library: Library, scope: Scope, *, needs_vectors: bool = True
    ) -> Steps[tuple[ClusteringGraph, SentencePlaces]]:
        whole = yield from self._context.neighbour_graphs.graph(library)
        sentence_places = yield from read_sentence_places(library, scope)
        yield None
        rows = np.flatnonzero((yield from sentence_places.rows_in_steps(whole.ids)) >= 0)
        yield None
        prepared = self._prepared
        if prepared is None or not prepared.matches(whole, rows):
            graph = yield from self._context.neighbour_graphs.part(library, whole, rows)
            self._prepared = prepared = ClusteringGraph(graph, whole, None)
        if needs_vectors:
            prepared = yield from with_vectors(library, prepared)
            self._prepared = prepared.without_many_vectors()
        return prepared, sentence_places


def _read_state(library: Library) -> tuple[str, list[StoredCluster], StoredDivision]:
    """Return what an undo restores: the model, the clusters and their division."""
    stored_division = library.clusters.last_division()
    if stored_division is None:
        raise NotFound("The library has no topics yet", "Find topics first.")
    return model_fingerprint(library), library.clusters.clusters(), stored_division


def _order_by_broad(found: Clusters) -> list[Cluster]:
    """Return the clusters with those of a broad cluster one after the other, the largest first; before them the others.

    In a file with headings, a cluster of no broad one would seem to belong to the broad one above it.
    """
    order = {each.broad_id: place for place, each in enumerate(found.broad)}
    return sorted(found.clusters, key=lambda cluster: -1 if cluster.broad is None else order.get(cluster.broad, -1))


def list_members(cluster: Cluster) -> list[ScoredSentence]:
    """Return the members of a cluster in their order, with their closeness to its centre."""
    return [ScoredSentence(key, score) for key, score in zip(cluster.sentence_ids, cluster.closeness, strict=True)]


def read_sentence_places(library: Library, scope: Scope) -> Steps[SentencePlaces]:
    """Return where the sentences of a part of the library occur."""
    pieces = [np.empty((0, 3), np.int64)]
    for piece in library.analysis_reader.occurrences_in_order(scope):
        pieces.append(piece)
        yield None
    # Beside the engine: sorting a million takes longer than a search may wait.
    return (yield from run_in_thread(lambda: SentencePlaces(np.concatenate(pieces))))


def _rename_broad(library: Library, broad_id: int, name: str) -> None:
    stored = [each for each in library.clusters.clusters() if not (each.is_broad and each.broad == broad_id)]
    division = library.clusters.last_division()
    members = _find_broad_members(stored, broad_id)
    if division is None or not len(members):
        raise NotFound("That topic no longer exists", "Topics were updated in the meantime. Select one again.")
    if name:
        stored.append(_name_broad_cluster(broad_id, name, members))
    library.clusters.save(stored, division)


def _find_broad_members(clusters: Sequence[StoredCluster], broad_id: int) -> Ids:
    own = [each.members for each in clusters if each.broad == broad_id and not each.dormant]
    return np.concatenate([np.empty(0, np.int64), *own])


def _name_broad_cluster(broad_id: int, name: str, members: Ids) -> StoredCluster:
    closeness = np.zeros(len(members), np.float32)
    return StoredCluster(None, name, members, closeness, own_name=True, dormant=True, broad=broad_id, is_broad=True)


def _list_broad_names(stored: Sequence[StoredCluster]) -> dict[int, str]:
    """Return the names that a person chose for broad clusters, by their ids."""
    return {each.broad: each.name for each in stored if each.is_broad and each.broad is not None}


def _find_stored_index(stored: Sequence[StoredCluster], cluster_id: int) -> int:
    for at, cluster in enumerate(stored):
        if cluster.cluster_id == cluster_id:
            return at
    raise NotFound("That topic no longer exists", "Topics were updated in the meantime. Select one again.")


def _make_division(places: NDArray[np.int64]) -> ClusterDivision:
    """Return a division by indices of the stored clusters as one by size; each continues its stored cluster."""
    labels = number_by_size(places, 1)
    found = labels >= 0
    continues = dict(zip(labels[found].tolist(), places[found].tolist(), strict=True))
    return ClusterDivision(labels, continues, np.zeros(len(labels), np.bool_))


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
    library: Library,
    divider: ClusterDivider,
    prepared: ClusteringGraph,
    sentence_places: SentencePlaces,
    request: ClustersRequest,
) -> Steps[Clusters]:
    """Divide the sentences of a graph, all of them visible, into clusters."""
    started = time.perf_counter()
    ids = prepared.graph.ids
    min_size = request.min_size or (_MIN_SIZE if len(ids) >= _SMALL_LIBRARY else _MIN_SIZE_SMALL_LIBRARY)
    granularity = request.granularity
    if granularity is None:
        granularity = yield from divider.choose(prepared, min_size)
    labels = yield from divider.labels(prepared, granularity, min_size)
    stored = yield from library.clusters.clusters_in_steps()
    before = library.clusters.last_division() or _make_initial_division(stored)
    pins = [at for at, cluster in enumerate(stored) if cluster.pinned]
    is_new = ids > before.seen
    rows = [prepared.finder.present(stored[at].members) for at in pins]
    yield None
    labels, pin_of_label = apply_pinned_clusters(labels, rows, prepared.graph.lists.neighbours, is_new, min_size)
    yield None
    continues = {label: pins[number] for label, number in pin_of_label.items()}
    is_same_request = request.granularity in (before.granularity, None) and min_size == before.min_size
    is_same_request &= (request.granularity is None) == before.is_chosen
    continues |= yield from _match_stored_clusters(
        labels, stored, prepared.finder, continues, is_new, is_same_request=is_same_request
    )
    seen = int(ids.max(initial=0))
    stored_division = StoredDivision(
        granularity,
        request.granularity is None,
        min_size,
        max(seen, before.seen),
        before.seen if is_new.any() else before.new_after,
    )
    found = yield from describe_clusters(
        library, prepared, sentence_places, ClusterDivision(labels, continues, is_new), stored, stored_division, request
    )
    return replace(found, seconds=time.perf_counter() - started)


def _make_initial_division(stored: Sequence[StoredCluster]) -> StoredDivision:
    """Return the state before the library had its model: clusters that were found then are not new."""
    return StoredDivision(0.0, True, 0, max((int(cluster.members.max(initial=0)) for cluster in stored), default=0), 0)


def describe_clusters(
    library: Library,
    prepared: ClusteringGraph,
    sentence_places: SentencePlaces,
    division: ClusterDivision,
    stored: Sequence[StoredCluster],
    stored_division: StoredDivision,
    request: ClustersRequest,
) -> Steps[Clusters]:
    """Find names and key sentences of clusters, and store the clusters if they are those of the whole library."""
    labels, ids = division.labels, prepared.graph.ids
    is_sentence = yield from _find_sentences(library, ids, request.scope)
    keywords = yield from _find_keywords(library, sentence_places, ids, labels, is_sentence)
    yield None
    order = order_by_label(labels)
    yield None
    starts = np.searchsorted(labels[order], np.arange(len(keywords) + 1))
    yield None
    members = [order[starts[at] : starts[at + 1]] for at in range(len(keywords))]
    centres = yield from cluster_centres_in_steps(prepared.vectors, labels)
    broad = yield from _find_broad_clusters(labels, centres, stored, prepared.finder)
    found: list[StoredCluster] = []
    for at, rows in enumerate(members):
        old = stored[division.continues[at]] if at in division.continues else None
        known = rows[~division.is_new[rows]]
        found.append(
            (
                yield from _describe_cluster(
                    prepared, rows, centres[at], tuple(keywords[at]), old, known, is_sentence[rows]
                )
            )
        )
        found[-1] = replace(found[-1], broad=broad[at])
        yield None
    if library.writable and request.scope.is_everything:
        continues = {stored[at].cluster_id for at in division.continues.values()}
        dormant = [
            replace(cluster, dormant=True)
            for cluster in stored
            if (cluster.own_name or cluster.pinned) and cluster.cluster_id not in continues
        ]
        for at, cluster in enumerate(dormant):
            # Broad clusters that are there are recognized by the sentences that they have now.
            if cluster.is_broad and cluster.broad is not None and cluster.broad in broad:
                now = _name_broad_cluster(cluster.broad, cluster.name, _find_broad_members(found, cluster.broad))
                dormant[at] = replace(now, cluster_id=cluster.cluster_id)
        numbers = (yield from library.clusters.save_in_steps([*found, *dormant], stored_division))[: len(found)]
        yield None
    else:
        numbers = _number_clusters(found, stored)
    found = [replace(cluster, cluster_id=number) for cluster, number in zip(found, numbers, strict=True)]
    found.sort(key=_presentation_order)
    unclustered = ids[labels < 0]
    yield None
    names = _list_broad_names(stored)
    return (yield from present_clusters(library, sentence_places, found, unclustered, stored_division, names))


def present_clusters(
    library: Library,
    sentence_places: SentencePlaces,
    found: Sequence[StoredCluster],
    unclustered: Ids,
    stored_division: StoredDivision,
    broad_names: Mapping[int, str],
    arrived: int = 0,
) -> Steps[Clusters]:
    """Return clusters, all of whose members are visible, with the rows of their key sentences."""
    clusters: list[Cluster] = []
    for top in range(0, len(found), _CLUSTERS_PER_STEP):
        some = found[top : top + _CLUSTERS_PER_STEP]
        for cluster, key_sentences in zip(some, _read_key_sentences(library, sentence_places, some), strict=True):
            assert cluster.cluster_id is not None
            clusters.append(
                Cluster(
                    cluster_id=cluster.cluster_id,
                    name=cluster.name or name_from_text(key_sentences[0].text if key_sentences else ""),
                    keywords=cluster.keywords[:_SHOWN_KEYWORDS],
                    key_sentences=key_sentences,
                    sentence_ids=compact_ids(cluster.members),
                    documents=sentence_places.documents(cluster.members),
                    closeness=array("f", cluster.closeness.astype(np.float32).tobytes()),
                    own_name=cluster.own_name,
                    pinned=cluster.pinned,
                    new=int((cluster.members > stored_division.new_after).sum()) if stored_division.new_after else 0,
                    broad=cluster.broad,
                )
            )
            yield None
    return Clusters(
        tuple(clusters),
        tuple(unclustered.tolist()),
        stored_division.granularity,
        0.0,
        stored_division.is_chosen,
        stored_division.new_after,
        arrived,
        (yield from _present_broad_clusters(sentence_places, clusters, broad_names)),
    )


def _read_key_sentences(
    library: Library, sentence_places: SentencePlaces, clusters: Sequence[StoredCluster]
) -> list[tuple[Hit, ...]]:
    """Return the rows of the key sentences of each cluster, read at once."""
    asked = [
        (*sentence_places.places(key)[0], score)
        for cluster in clusters
        for key, score in zip(cluster.members[: cluster.keys].tolist(), cluster.closeness.tolist(), strict=False)
    ]
    hits = iter(library.search.hits_at(asked))
    return [
        tuple(replace(hit, rank=rank) for rank, hit in enumerate(islice(hits, cluster.keys), 1) if hit is not None)
        for cluster in clusters
    ]


def _present_broad_clusters(
    sentence_places: SentencePlaces, clusters: Sequence[Cluster], own_names: Mapping[int, str]
) -> Steps[tuple[BroadCluster, ...]]:
    """Return the broad clusters of some clusters, largest first.

    Those without a name of a person's own are named by the keywords that their clusters have now.
    """
    groups: dict[int, list[Cluster]] = {}
    for cluster in clusters:
        if cluster.broad is not None:
            groups.setdefault(cluster.broad, []).append(cluster)
    names = name_groups(
        [[cluster.keywords for cluster in group] for group in groups.values()],
        [[cluster.size for cluster in group] for group in groups.values()],
    )
    yield None
    broad: list[BroadCluster] = []
    for (broad_id, group), name in zip(groups.items(), names, strict=True):
        members = np.concatenate([np.array(cluster.sentence_ids, np.int64) for cluster in group])
        documents = sentence_places.documents(members)
        ids = tuple(cluster.cluster_id for cluster in group)
        own_name = own_names.get(broad_id, "")
        shown = own_name or name or group[0].name
        broad.append(BroadCluster(broad_id, shown, ids, len(members), documents, bool(own_name)))
        yield None
    return tuple(sorted(broad, key=lambda each: (-each.size, each.broad_id)))


def _find_broad_clusters(
    labels: Ids, centres: NDArray[np.float32], stored: Sequence[StoredCluster], finder: RowIndex
) -> Steps[list[int | None]]:
    """Return the id of the broad cluster of each cluster: a stored one that it continues, or a new one.

    First those that a person has named, whether they were there last time or not, then the others.
    """
    groups = yield from run_in_thread(partial(group_clusters, centres))
    if not (groups >= 0).any():
        return [None] * len(groups)
    named = _list_broad_names(stored)
    continues: dict[int, int] = {}
    for is_named in (True, False):
        known = np.full(len(labels), UNCLUSTERED, np.int64)
        # Those that are there last: a sentence that one of them has taken over belongs to both.
        for cluster in sorted(stored, key=lambda each: not each.dormant):
            if cluster.broad is None or (cluster.broad in named) != is_named:
                continue
            if cluster.is_broad or not cluster.dormant:
                known[finder.present(cluster.members)] = cluster.broad
        yield None
        unmatched = np.where((labels >= 0) & ~np.isin(groups[labels], [*continues]), groups[labels], UNCLUSTERED)
        if (known >= 0).any() and (unmatched >= 0).any():
            continues |= yield from run_in_thread(partial(match_known_clusters, unmatched, known))
        yield None
    free = count(max((cluster.broad or 0 for cluster in stored), default=0) + 1)
    ids = [continues[group] if group in continues else next(free) for group in range(int(groups.max()) + 1)]
    return [ids[group] for group in groups.tolist()]


def _presentation_order(cluster: StoredCluster) -> tuple[int, int]:
    return -len(cluster.members), cluster.cluster_id or 0


def load_last_clusters(library: Library, sentence_places: SentencePlaces) -> Steps[Clusters | None]:
    """Return the visible part of the last clusters that were found; None if there are none."""
    stored_division = library.clusters.last_division()
    if stored_division is None:
        return None
    left: list[StoredCluster] = []
    is_unclustered = sentence_places.ids <= stored_division.seen
    stored = yield from library.clusters.clusters_in_steps()
    for cluster in stored:
        yield None
        rows = sentence_places.find_rows(cluster.members)
        here = rows >= 0
        if cluster.dormant or not here.any():
            continue
        keys = int(here[: cluster.keys].sum())
        visible = replace(cluster, members=cluster.members[here], closeness=cluster.closeness[here], keys=keys)
        left.append(visible if here.all() and keys else (yield from _describe_rest(library, visible)))
        is_unclustered[rows[here]] = False
    yield None
    left.sort(key=_presentation_order)
    arrived = library.clusters.count_arrived(stored_division.seen)
    yield None
    return (
        yield from present_clusters(
            library,
            sentence_places,
            left,
            sentence_places.ids[is_unclustered],
            stored_division,
            _list_broad_names(stored),
            arrived,
        )
    )


def _describe_rest(library: Library, cluster: StoredCluster) -> Steps[StoredCluster]:
    """Return what is left of a cluster after removals: named by the words that are left, with a key sentence."""
    reader = library.analysis_reader
    cluster = yield from drop_lost_words(cluster, lambda ids: reader.texts(ids).values(), _TEXTS_PER_STEP)
    if cluster.keys:
        return cluster
    is_sentence = library.search.find_visible(cluster.members[:_CENTRAL_MEMBERS], EVERYTHING.of_sentences)
    yield None
    first = int(np.argmax(is_sentence))  # the nearest to the centre
    order = np.concatenate([[first], np.delete(np.arange(len(cluster.members)), first)])
    return replace(cluster, members=cluster.members[order], closeness=cluster.closeness[order], keys=1)


def _match_stored_clusters(
    labels: Ids,
    stored: Sequence[StoredCluster],
    finder: RowIndex,
    matched: dict[int, int],
    is_new: NDArray[np.bool_],
    *,
    is_same_request: bool,
) -> Steps[dict[int, int]]:
    """Return which stored cluster each cluster continues that continues none yet.

    First those that a person has named, dormant or not, then the others. In another granularity a named one continues
    only as itself, neither as a part of itself nor of something larger: it comes back with its granularity. If the same
    request finds other clusters, the library has changed, and the name stays with what shares most with it.
    """
    found: dict[int, int] = {}
    for own_name in (True, False):
        known = np.full(len(labels), UNCLUSTERED, np.int64)
        member_count = 0
        # Dormant ones last: a member that a live cluster has taken over belongs to both.
        for at in sorted(range(len(stored)), key=lambda at: stored[at].dormant):
            cluster = stored[at]
            if cluster.own_name == own_name and not cluster.pinned and not cluster.is_broad:
                known[finder.present(cluster.members)] = at
                member_count += len(cluster.members)
                if member_count >= _MEMBERS_PER_STEP:
                    member_count = 0
                    yield None
        free = np.where(np.isin(labels, [*matched, *found]), UNCLUSTERED, labels)
        yield None
        if not (known >= 0).any():
            continue
        continues = yield from run_in_thread(partial(match_known_clusters, free, known))
        order = order_by_label(free)
        yield None
        starts = np.searchsorted(free[order], np.arange(int(free.max(initial=UNCLUSTERED)) + 2))
        for number, (label, at) in enumerate(continues.items()):
            if number % _MATCHES_PER_STEP == 0:
                yield None
            rows = order[starts[label] : starts[label + 1]]
            rows = rows[~is_new[rows]]
            if not own_name or is_same_request or _shares_most(rows, finder.present(stored[at].members)):
                found[label] = at
    return found


def _shares_most(rows: Ids, others: Ids) -> bool:
    both = len(np.intersect1d(rows, others))
    return 2 * both > len(rows) + len(others) - both


def _describe_cluster(
    prepared: ClusteringGraph,
    rows: Ids,
    centre: NDArray[np.float32],
    keywords: tuple[str, ...],
    old: StoredCluster | None,
    known: Ids,
    is_sentence: NDArray[np.bool_],
) -> Steps[StoredCluster]:
    """Return a cluster with its members in the order in which they are shown, and its name.

    Its key sentences are sentences, no headings, fragments and so on, as far as there are any near its centre: those of
    its rows that `is_sentence` names.

    An automatic name is made again when the rows that were `known` belong mostly to another cluster, or are only a part
    of that one.
    """
    closeness = np.round((yield from measure_closeness_in_steps(prepared.vectors, rows, centre)), 5)
    order = np.lexsort((rows, -closeness))
    central = order[:_CENTRAL_MEMBERS]
    central = central[is_sentence[central]] if is_sentence[central].any() else central
    keys = choose_key_rows(prepared.vectors, rows[central], closeness[central], _KEY_SENTENCES)
    yield None
    first = [int(np.flatnonzero(rows == key)[0]) for key in keys]
    order = np.concatenate([np.array(first, np.int64), order[~np.isin(order, first)]])
    members = prepared.graph.ids[rows[order]]
    name, own_name, pinned = name_from_keywords(keywords), False, False
    if old is not None:
        own_name, pinned = old.own_name, old.pinned
        if old.name and (own_name or pinned or _shares_most(known, prepared.finder.present(old.members))):
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


def _number_clusters(found: Sequence[StoredCluster], stored: Sequence[StoredCluster]) -> list[int]:
    """Return ids for clusters that are not stored: those of the clusters they continue, then the next free ones."""
    next_id = max((cluster.cluster_id or 0 for cluster in stored), default=0)
    numbered: list[int] = []
    for cluster in found:
        if cluster.cluster_id is None:
            next_id += 1
        numbered.append(next_id if cluster.cluster_id is None else cluster.cluster_id)
    return numbered


def _find_sentences(library: Library, ids: Ids, scope: Scope) -> Steps[NDArray[np.bool_]]:
    """Return which of `ids` int64 [n] are sentences in a scope, no headings, fragments and so on: bool [n]."""
    sentence_places = yield from read_sentence_places(library, scope.of_sentences)
    yield None
    rows = yield from sentence_places.rows_in_steps(ids)
    found: NDArray[np.bool_] = rows >= 0
    return found


def _find_keywords(
    library: Library, sentence_places: SentencePlaces, ids: Ids, labels: Ids, is_sentence: NDArray[np.bool_]
) -> Steps[list[list[str]]]:
    """Return the keywords of each cluster: of its sentences, or of all its passages if it has no sentence.

    In a large library, those of many of its sentences.
    """
    count = int(labels.max(initial=UNCLUSTERED)) + 1
    has_sentences = np.bincount(labels[is_sentence & (labels >= 0)], minlength=count) > 0
    rows = np.flatnonzero((labels >= 0) & (is_sentence | ~np.append(has_sentences, False)[labels]))
    yield None
    # Beside the engine, as it takes longer than a search may wait.
    some, weights = yield from run_in_thread(
        lambda: sample_clusters(labels[rows], _NAMING_SENTENCES, _NAMING_SENTENCES_OF_CLUSTER)
    )
    yield None
    rows = rows[some]
    words = ClusterWords(count, weights)
    documents = (yield from sentence_places.first_documents_in_steps(ids[rows])).tolist()
    yield None
    languages: dict[int, str] = {}
    wanted = sorted(set(documents))
    for top in range(0, len(wanted), _DOCUMENTS_PER_STEP):
        languages |= library.analysis_reader.languages(wanted[top : top + _DOCUMENTS_PER_STEP])
        yield None
    for top in range(0, len(rows), _TEXTS_PER_STEP):
        some = rows[top : top + _TEXTS_PER_STEP]
        texts = library.analysis_reader.texts(ids[some].tolist())
        of = documents[top : top + _TEXTS_PER_STEP]
        rows_with_texts = zip(labels[some].tolist(), ids[some].tolist(), of, strict=True)
        words.add((label, texts.get(key, ""), languages.get(document, "")) for label, key, document in rows_with_texts)
        yield Progress("naming", top, len(rows), "sentences")
    return (yield from words.keywords_in_steps(_KEYWORDS))


_ANSWER_SHARE = 0.7
"""Share of the best cosine with a query from which on a sentence answers it too: below, chance fills the list."""
_LAST_RANK_PENALTY = 0.5
"""What the last result of a search loses of its similarity as a key sentence, the others by their rank: two sentences
may be as near to a query in meaning, and one of them has its words."""


def find_key_sentences(
    library: Library,
    sentence_places: SentencePlaces,
    count: int,
    among: Sequence[int] | None = None,
    near: NDArray[np.float32] | None = None,
) -> Steps[KeySentences]:
    """Return up to `count` central and distinct sentences, in reading order.

    Args:
        library: contains the sentences.
        sentence_places: where they occur.
        count: how many.
        among: only these sentences; None for all. For a query in the order of the search, which knows its words.
        near: float32 [dim], a query of length 1: only sentences that answer it, and they count by their similarity to
            it as much as to the centre.
    """
    ids = sentence_places.ids
    if among is not None:
        ids = ids[np.isin(ids, np.array(among, np.int64))]
    vectors = yield from read_vectors(library, ids)
    sound = np.flatnonzero(vectors.any(axis=1))
    if not len(sound):
        return KeySentences(())
    if near is not None:
        cosines = yield from measure_closeness_in_steps(vectors, sound, near)
        sound = sound[cosines >= min(_ANSWER_SHARE * float(cosines.max()), float(cosines.max()))]
    whole = np.full(len(ids), UNCLUSTERED, np.int64)
    whole[sound] = 0
    (centre,) = yield from cluster_centres_in_steps(vectors, whole)
    if near is not None:
        centre = (centre + near) / max(float(np.linalg.norm(centre + near)), 1e-12)
    closeness = yield from measure_closeness_in_steps(vectors, sound, centre)
    if near is not None and among is not None:
        rank = {sentence_id: number for number, sentence_id in enumerate(among)}
        ranks = np.fromiter((rank[sentence_id] for sentence_id in ids[sound].tolist()), np.float32, len(sound))
        shares = np.argsort(np.argsort(ranks)) / len(sound)  # among those that answer: far behind are others
        closeness = np.asarray(closeness - _LAST_RANK_PENALTY * shares, np.float32)
    chosen = choose_key_rows(vectors, sound, closeness, count, distinct=_DISTINCT_COSINE)
    yield None
    towards = centre if near is None else near
    scored = {sentence_places.places(int(ids[row]))[0]: float(vectors[row] @ towards) for row in chosen}
    hits = library.search.hits_at([(*place, scored[place]) for place in sorted(scored)])
    return KeySentences(tuple(hit for hit in hits if hit is not None), len(sound))
