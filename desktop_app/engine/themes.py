"""What a library, or a part of it, is about: clusters with names and key sentences; what carries a text."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.clusters import UNCLUSTERED, centring, closeness_of, key_rows, matched, with_pinned
from desktop_app.analysis.naming import ClusterWords, names
from desktop_app.core.insight import Cluster, Clusters, ClustersRequest
from desktop_app.core.jobs import Progress, Steps
from desktop_app.core.themes import KeptCluster, Look
from desktop_app.engine.graphs import matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.analysis.neighbours import RowFinder
    from desktop_app.analysis.paraphrases import Standing
    from desktop_app.core.library_ports import Library
    from desktop_app.core.records import Hit
    from desktop_app.engine.dividing import Divider, Laid

    Ids = NDArray[np.int64]

_SMALLEST = 5
_SMALLEST_OF_FEW = 3
_FEW = 200
_KEYS = 3
_DISTINCT = 0.7
_TEXTS_AT_ONCE = 200
_FOUND_AT_ONCE = 4000  # members that are looked for in one step
_MATCHED_AT_ONCE = 50


@dataclass(eq=False)
class Division:
    """Clusters as rows of a graph, before they are told.

    Attributes:
        labels: int64 [n], 0 for the largest; -1 for unclustered.
        goes_on: which kept cluster each one goes on, by its place among those kept.
        fresh: bool [n], nodes that nobody has looked at before.
    """

    labels: Ids
    goes_on: dict[int, int]
    fresh: NDArray[np.bool_]


def find_clusters(
    library: Library, divider: Divider, laid: Laid, standing: Standing, request: ClustersRequest
) -> Steps[Clusters]:
    """Divide the sentences of a graph, all of which stand somewhere in sight, into clusters."""
    started = time.perf_counter()
    ids = laid.graph.ids
    min_size = request.min_size or (_SMALLEST if len(ids) >= _FEW else _SMALLEST_OF_FEW)
    granularity = request.granularity
    if granularity is None:
        granularity = yield from divider.choose(laid, min_size)
    labels = yield from divider.labels(laid, granularity, min_size)
    kept = library.themes.clusters()
    yield None
    before = library.themes.look() or _look_with_another_model(kept)
    pins = [at for at, cluster in enumerate(kept) if cluster.pinned]
    fresh = ids > before.seen
    rows = [laid.finder.present(kept[at].members) for at in pins]
    yield None
    labels, meant = with_pinned(labels, rows, laid.graph.lists.near, fresh, min_size)
    yield None
    goes_on = {label: pins[number] for label, number in meant.items()}
    goes_on |= yield from _going_on(labels, kept, laid.finder, goes_on, fresh)
    seen = int(ids.max(initial=0))
    look = Look(
        granularity,
        request.granularity is None,
        min_size,
        max(seen, before.seen),
        before.seen if fresh.any() else before.new_after,
    )
    found = yield from tell(library, laid, standing, Division(labels, goes_on, fresh), kept, look, request)
    return replace(found, seconds=time.perf_counter() - started)


def _look_with_another_model(kept: Sequence[KeptCluster]) -> Look:
    """Return what is known of looks before the library had its model: what they found was not new to them."""
    return Look(0.0, True, 0, max((int(cluster.members.max(initial=0)) for cluster in kept), default=0), 0)


def tell(
    library: Library,
    laid: Laid,
    standing: Standing,
    division: Division,
    kept: Sequence[KeptCluster],
    look: Look,
    request: ClustersRequest,
) -> Steps[Clusters]:
    """Find names and key sentences of clusters, and keep them when they are those of the whole library."""
    labels, ids = division.labels, laid.graph.ids
    keywords = yield from _keywords(library, standing, ids, labels)
    yield None
    made = names(keywords)
    yield None
    order = np.argsort(labels, kind="stable")
    yield None
    starts = np.searchsorted(labels[order], np.arange(len(keywords) + 1))
    yield None
    members = [order[starts[at] : starts[at + 1]] for at in range(len(keywords))]
    centres = yield from centring(laid.vectors, labels)
    found: list[KeptCluster] = []
    for at, rows in enumerate(members):
        old = kept[division.goes_on[at]] if at in division.goes_on else None
        known = rows[~division.fresh[rows]]
        found.append((yield from _told(laid, rows, centres[at], tuple(keywords[at]), made[at], old, known)))
        yield None
    if library.writable and request.scope.is_everything:
        goes_on = {kept[at].cluster_id for at in division.goes_on.values()}
        asleep = [
            replace(cluster, dormant=True)
            for cluster in kept
            if (cluster.own_name or cluster.pinned) and cluster.cluster_id not in goes_on
        ]
        numbers = library.themes.keep([*found, *asleep], look)[: len(found)]
        yield None
    else:
        numbers = _numbered(found, kept)
    found = [replace(cluster, cluster_id=number) for cluster, number in zip(found, numbers, strict=True)]
    loose = ids[labels < 0]
    yield None
    return (yield from shown(library, standing, found, loose, look))


def shown(
    library: Library, standing: Standing, found: Sequence[KeptCluster], loose: Ids, look: Look, arrived: int = 0
) -> Steps[Clusters]:
    """Return clusters, all of whose members are in sight, with the rows of their key sentences."""
    clusters: list[Cluster] = []
    for cluster in found:
        assert cluster.cluster_id is not None
        keys = zip(cluster.members[: cluster.keys].tolist(), cluster.closeness.tolist(), strict=False)
        hits = library.material.hits_at([(*standing.places(key)[0], score) for key, score in keys])
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


def last_clusters(library: Library, standing: Standing) -> Steps[Clusters | None]:
    """Return the clusters of the last look, as far as they are in sight; None when there was none."""
    look = library.themes.look()
    if look is None:
        return None
    left: list[KeptCluster] = []
    is_loose = standing.ids <= look.seen
    for cluster in library.themes.clusters():
        yield None
        rows = standing.rows_of(cluster.members)
        here = rows >= 0
        if cluster.dormant or not here.any():
            continue
        keys = int(here[: cluster.keys].sum())
        left.append(replace(cluster, members=cluster.members[here], closeness=cluster.closeness[here], keys=keys))
        is_loose[rows[here]] = False
    yield None
    left.sort(key=lambda cluster: (-len(cluster.members), cluster.cluster_id))
    arrived = library.themes.arrived(look.seen)
    yield None
    return (yield from shown(library, standing, left, standing.ids[is_loose], look, arrived))


def _going_on(
    labels: Ids, kept: Sequence[KeptCluster], finder: RowFinder, taken: dict[int, int], fresh: NDArray[np.bool_]
) -> Steps[dict[int, int]]:
    """Return which kept cluster each one goes on that has none yet.

    First those that a person has named, awake or asleep: they go on as themselves only, neither as a part of
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
                if looked_for >= _FOUND_AT_ONCE:
                    looked_for = 0
                    yield None
        free = np.where(np.isin(labels, [*taken, *found]), UNCLUSTERED, labels)
        yield None
        if not (known >= 0).any():
            continue
        goes_on = matched(free, known)
        for number, (label, at) in enumerate(goes_on.items()):
            if number % _MATCHED_AT_ONCE == 0:
                yield None
            rows = np.flatnonzero((free == label) & ~fresh)
            if not own_name or _shares_most(rows, finder.present(kept[at].members)):
                found[label] = at
    return found


def _shares_most(rows: Ids, others: Ids) -> bool:
    both = len(np.intersect1d(rows, others))
    return 2 * both > len(rows) + len(others) - both


def _told(
    laid: Laid,
    rows: Ids,
    centre: NDArray[np.float32],
    keywords: tuple[str, ...],
    made: str,
    old: KeptCluster | None,
    known: Ids,
) -> Steps[KeptCluster]:
    """Return a cluster with its members in the order in which they are shown, and its name.

    A name of the program's is made anew when the rows that were `known` are for the most part of another cluster, or
    but a part of that one.
    """
    closeness = np.round((yield from closeness_of(laid.vectors, rows, centre)), 5)
    order = np.lexsort((rows, -closeness))
    keys = key_rows(laid.vectors, rows, closeness, _KEYS)
    yield None
    first = [int(np.flatnonzero(rows == key)[0]) for key in keys]
    order = np.concatenate([np.array(first, np.int64), order[~np.isin(order, first)]])
    members = laid.graph.ids[rows[order]]
    name, own_name, pinned = made, False, False
    if old is not None:
        own_name, pinned = old.own_name, old.pinned
        if old.name and (own_name or pinned or _shares_most(known, laid.finder.present(old.members))):
            name = old.name
    return KeptCluster(
        cluster_id=old.cluster_id if old is not None else None,
        name=name,
        members=members,
        closeness=closeness[order].astype(np.float32),
        own_name=own_name,
        pinned=pinned,
        keywords=keywords,
        keys=len(keys),
    )


def _numbered(found: Sequence[KeptCluster], kept: Sequence[KeptCluster]) -> list[int]:
    """Return ids for clusters that are not kept: those of the known ones, and the next ones."""
    next_id = max((cluster.cluster_id or 0 for cluster in kept), default=0)
    numbered: list[int] = []
    for cluster in found:
        if cluster.cluster_id is None:
            next_id += 1
        numbered.append(next_id if cluster.cluster_id is None else cluster.cluster_id)
    return numbered


def _keywords(library: Library, standing: Standing, ids: Ids, labels: Ids) -> Steps[list[list[str]]]:
    words = ClusterWords(int(labels.max(initial=UNCLUSTERED)) + 1)
    rows = np.flatnonzero(labels >= 0)
    languages = library.material.languages()
    yield None
    documents = standing.first_documents(ids[rows]).tolist()
    yield None
    for top in range(0, len(rows), _TEXTS_AT_ONCE):
        some = rows[top : top + _TEXTS_AT_ONCE]
        texts = library.material.texts(ids[some].tolist())
        of = documents[top : top + _TEXTS_AT_ONCE]
        told = zip(labels[some].tolist(), ids[some].tolist(), of, strict=True)
        words.add((label, texts.get(key, ""), languages.get(document, "")) for label, key, document in told)
        yield Progress("naming", top, len(rows), "sentences")
    return (yield from words.weighing())


def key_sentences(
    library: Library, standing: Standing, count: int, among: Sequence[int] | None = None
) -> Steps[tuple[Hit, ...]]:
    """Return up to `count` central and distinct sentences of what stands somewhere, in reading order.

    Args:
        library: it stands there.
        standing: where.
        count: how many.
        among: only these sentences; None for all.
    """
    ids = standing.ids
    if among is not None:
        ids = ids[np.isin(ids, np.array(among, np.int64))]
    vectors = yield from matrix(library, ids)
    sound = np.flatnonzero(vectors.any(axis=1))
    if not len(sound):
        return ()
    whole = np.full(len(ids), UNCLUSTERED, np.int64)
    whole[sound] = 0
    (centre,) = yield from centring(vectors, whole)
    closeness = yield from closeness_of(vectors, sound, centre)
    chosen = key_rows(vectors, sound, closeness, count, distinct=_DISTINCT)
    yield None
    scored = {standing.places(int(ids[row]))[0]: float(vectors[row] @ centre) for row in chosen}
    hits = library.material.hits_at([(*place, scored[place]) for place in sorted(scored)])
    return tuple(hit for hit in hits if hit is not None)
