"""What a library, or a part of it, is about: clusters with names and key sentences; what carries a document."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.analysis.clusters import (
    UNCLUSTERED,
    Communities,
    centres_of,
    choose_granularity,
    key_rows,
    matched,
)
from desktop_app.analysis.naming import ClusterWords, names
from desktop_app.analysis.neighbours import NeighbourGraph, rows_of
from desktop_app.core.insight import Cluster, Clusters, ClustersRequest
from desktop_app.core.jobs import Progress, Steps
from desktop_app.engine.graphs import matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.analysis.paraphrases import Standing
    from desktop_app.core.library_ports import Library
    from desktop_app.core.records import Hit

_SMALLEST = 5
_SMALLEST_OF_FEW = 3
_FEW = 200
_KEYS = 3
_DISTINCT = 0.7
_TEXTS_AT_ONCE = 2000


@dataclass(slots=True)
class Laid:
    """A graph laid out for clustering, and its vectors float32 [n, dim]: another granularity starts from here."""

    graph: NeighbourGraph
    communities: Communities
    vectors: NDArray[np.float32]


def lay_out(library: Library, graph: NeighbourGraph) -> Steps[Laid]:
    """Return what clusters of a graph are read off."""
    vectors = yield from matrix(library, graph.ids)
    communities = Communities(graph)
    yield None
    return Laid(graph, communities, vectors)


def find_clusters(library: Library, laid: Laid, standing: Standing, request: ClustersRequest) -> Steps[Clusters]:
    """Divide the sentences of a graph, all of which stand somewhere in sight, into clusters."""
    started = time.perf_counter()
    count = len(laid.graph.ids)
    min_size = request.min_size or (_SMALLEST if count >= _FEW else _SMALLEST_OF_FEW)
    granularity = request.granularity
    if granularity is None:
        choosing = choose_granularity(laid.communities, laid.vectors, min_size)
        while granularity is None:
            try:
                done, total = next(choosing)
            except StopIteration as end:
                granularity = float(end.value)
                break
            yield Progress("clustering", done, total + 1, "steps")
    labels = laid.communities.at(granularity, min_size)
    yield None
    known_ids, known_names, known = _known(library, laid.graph.ids)
    goes_on = matched(labels, known)
    keywords = yield from _keywords(library, laid.graph.ids, labels)
    made = names(keywords)
    members = [np.flatnonzero(labels == cluster) for cluster in range(len(keywords))]
    called = [known_names.get(goes_on.get(cluster, UNCLUSTERED)) or made[cluster] for cluster in range(len(members))]
    ids = [known_ids[goes_on[cluster]] if cluster in goes_on else None for cluster in range(len(members))]
    if library.writable and request.scope.is_everything:
        kept = library.material.keep_clusters(
            [(ids[at], called[at], laid.graph.ids[rows]) for at, rows in enumerate(members)]
        )
    else:
        kept = _numbered(ids, known_ids)
    keys = yield from _key_sentences(library, laid, standing, labels, members)
    clusters = tuple(
        Cluster(
            cluster_id=kept[at],
            name=called[at],
            keywords=tuple(keywords[at]),
            key_sentences=tuple(keys[at]),
            sentence_ids=tuple(laid.graph.ids[rows].tolist()),
            documents=standing.documents(laid.graph.ids[rows]),
        )
        for at, rows in enumerate(members)
    )
    loose = tuple(laid.graph.ids[labels < 0].tolist())
    return Clusters(clusters, loose, granularity, time.perf_counter() - started)


def _known(library: Library, ids: NDArray[np.int64]) -> tuple[list[int], dict[int, str], NDArray[np.int64]]:
    """Return ids and names of the kept clusters by their number, and the number of each node's, -1 for none."""
    known = np.full(len(ids), UNCLUSTERED, np.int64)
    known_ids: list[int] = []
    known_names: dict[int, str] = {}
    for number, (cluster_id, name, members) in enumerate(library.material.clusters()):
        known_ids.append(cluster_id)
        known_names[number] = name
        rows = rows_of(ids, members)
        known[rows[rows >= 0]] = number
    return known_ids, known_names, known


def _numbered(ids: list[int | None], known_ids: list[int]) -> list[int]:
    """Return ids for clusters that are not kept: those of the known ones, and the next ones."""
    next_id = max(known_ids, default=0)
    numbered: list[int] = []
    for cluster_id in ids:
        if cluster_id is None:
            next_id += 1
        numbered.append(next_id if cluster_id is None else cluster_id)
    return numbered


def _keywords(library: Library, ids: NDArray[np.int64], labels: NDArray[np.int64]) -> Steps[list[list[str]]]:
    words = ClusterWords(int(labels.max(initial=UNCLUSTERED)) + 1)
    rows = np.flatnonzero(labels >= 0)
    for top in range(0, len(rows), _TEXTS_AT_ONCE):
        some = rows[top : top + _TEXTS_AT_ONCE]
        texts = library.material.texts(ids[some].tolist())
        pairs = zip(labels[some].tolist(), ids[some].tolist(), strict=True)
        words.add((label, texts.get(sentence_id, "")) for label, sentence_id in pairs)
        yield Progress("naming", top, len(rows), "sentences")
    return words.keywords()


def _key_sentences(
    library: Library,
    laid: Laid,
    standing: Standing,
    labels: NDArray[np.int64],
    members: list[NDArray[np.int64]],
) -> Steps[list[list[Hit]]]:
    centres = centres_of(laid.vectors, labels)
    yield None
    found: list[list[Hit]] = []
    for centre, rows in zip(centres, members, strict=True):
        chosen = key_rows(laid.vectors, rows, centre, _KEYS)
        places = [(*standing.places(int(laid.graph.ids[row]))[0], float(laid.vectors[row] @ centre)) for row in chosen]
        found.append([hit for hit in library.material.hits_at(places) if hit is not None])
        yield None
    return found


def key_sentences(library: Library, standing: Standing, document_id: int, count: int) -> Steps[tuple[Hit, ...]]:
    """Return up to `count` central and distinct sentences of a document, in reading order."""
    vectors = yield from matrix(library, standing.ids)
    sound = np.flatnonzero(vectors.any(axis=1))
    if not len(sound):
        return ()
    centre = centres_of(vectors[sound], np.zeros(len(sound), np.int64))[0]
    chosen = key_rows(vectors, sound, centre, count, distinct=_DISTINCT)
    scored = {
        next(place for place in standing.places(int(standing.ids[row])) if place[0] == document_id): float(
            vectors[row] @ centre
        )
        for row in chosen
    }
    hits = library.material.hits_at([(*place, scored[place]) for place in sorted(scored)])
    return tuple(hit for hit in hits if hit is not None)
