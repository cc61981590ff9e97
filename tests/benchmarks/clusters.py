"""Themes of BANKING77 without telling how many there are, against KMeans that is told."""

from __future__ import annotations

import csv
import time

import numpy as np

from desktop_app.analysis.clusters import Communities, choose_granularity
from desktop_app.analysis.neighbours import Lists, NeighbourGraph, nearest_neighbours
from desktop_app.encoder import SiameseEncoder
from desktop_app.store.sentences import hash_of
from tests.benchmarks.harness import Bench

MIN_SIZE = 5


def run(bench: Bench) -> None:
    """Print and keep the figures."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    assert bench.data is not None, "needs --data DIR"
    with (bench.data / "clustering" / "banking77_test.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: hash_of(row["text"]))
    truth = np.unique([row["category"] for row in rows], return_inverse=True)[1]
    vectors = SiameseEncoder().encode([row["text"] for row in rows])
    started = time.perf_counter()
    lists = Lists.empty(len(vectors))
    for _ in nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_)):
        pass
    graph_s = time.perf_counter() - started
    communities = Communities(NeighbourGraph(np.arange(len(vectors)), lists))
    choosing = choose_granularity(communities, vectors, MIN_SIZE)
    while True:
        try:
            next(choosing)
        except StopIteration as end:
            granularity = float(end.value)
            break
    labels = communities.at(granularity, MIN_SIZE)
    ours_s = time.perf_counter() - started
    kept = labels >= 0
    started = time.perf_counter()
    means = KMeans(77, n_init=10, random_state=0).fit_predict(vectors)
    means_s = time.perf_counter() - started
    told: list[list[object]] = [["what", "clusters", "NMI", "ARI", "unclustered", "seconds"]]
    for name, found, own_truth, share, seconds in (
        (f"granularity {granularity:g} (chosen)", labels[kept], truth[kept], 1 - kept.mean(), ours_s),
        ("KMeans, told 77", means, truth, 0.0, means_s),
    ):
        nmi, ari = normalized_mutual_info_score(own_truth, found), adjusted_rand_score(own_truth, found)
        told.append([name, len(set(found.tolist())), float(nmi), float(ari), float(share), seconds])
    bench.say(f"clusters: BANKING77, graph in {graph_s:.2f} s", told)
    bench.results["clusters"] = told
