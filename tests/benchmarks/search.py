"""From a typed query to rows, by stage, at 10,000 and 100,000 sentences, against exact search and FAISS."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import Paths
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.calibration import Calibrator
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_run import Searcher
from desktop_app.store.library import LocalLibrary
from tests.benchmarks import made
from tests.benchmarks.harness import Bench, percentiles_ms

QUERIES = 200
TOP_K = 10
PEERS_GRAPH = 200_000
"""Rows above which FAISS builds no graph: that would take longer than everything else."""


def run(bench: Bench) -> None:
    """Print and store the figures."""
    encoder = SiameseEncoder()
    sizes = [10_000, 100_000, *([1_000_000] if bench.large else [])]
    rows: list[list[object]] = [["sentences", "stage", "p50 ms", "p95 ms", "p99 ms", "recall@10", "start s", "disk MB"]]
    kept = {}
    for size in sizes:
        figures = _measure(bench, encoder, size)
        kept[str(size)] = figures
        for stage in (
            "query to rows",
            "both, as the window asks",
            "embed",
            "nearest",
            "rows",
            "numpy exact",
            "faiss flat",
            "faiss hnsw",
        ):
            if (times := figures.get(stage)) is None:
                continue
            rows.append(
                [
                    size,
                    stage,
                    times["p50_ms"],
                    times["p95_ms"],
                    times["p99_ms"],
                    times.get("recall", ""),
                    figures["start_s"] if stage == "query to rows" else "",
                    figures["disk_mb"] if stage == "query to rows" else "",
                ]
            )
    bench.say(f"search: {QUERIES} queries, top {TOP_K}; vectors near real sentences", rows)
    bench.results["search"] = kept


def _measure(bench: Bench, encoder: SiameseEncoder, size: int) -> dict:
    base, facts = made.library(bench, size)
    texts = made.sentences(bench, size)
    vectors = np.concatenate(list(made.vectors(encoder, texts, size)))
    started = time.perf_counter()
    library = LocalLibrary.open(Paths.under(base).default_library, writable=False, create=False)
    start_s = time.perf_counter() - started
    chosen = np.random.default_rng(7).integers(0, min(len(texts), 6000), QUERIES)
    # An extra word, so that no query is a stored sentence or in a cache.
    queries = [f"{texts[at]} {number}" for number, at in enumerate(chosen.tolist())]
    stages: dict[str, list[float]] = {"query to rows": [], "embed": [], "nearest": [], "rows": []}
    asked = np.empty((QUERIES, encoder.dim), np.float32)
    found: list[list[int]] = []
    for number, query in enumerate(queries):
        t0 = time.perf_counter()
        asked[number] = encoder.encode([query], kind="query")[0]
        t1 = time.perf_counter()
        nearest = library.search.nearest(asked[number], TOP_K)
        t2 = time.perf_counter()
        library.search.hits(nearest)
        t3 = time.perf_counter()
        for stage, seconds in zip(stages, (t3 - t0, t1 - t0, t2 - t1, t3 - t2), strict=True):
            stages[stage].append(seconds)
        found.append([hit.sentence_id - 1 for hit in nearest])
    window = _as_the_window_asks(library, encoder, queries)
    library.close()
    exact = [np.argsort(-(vectors @ query), kind="stable")[:TOP_K] for query in asked]
    figures: dict = {stage: percentiles_ms(seconds) for stage, seconds in stages.items()}
    figures["both, as the window asks"] = percentiles_ms(window)
    figures["nearest"]["recall"] = _recall(found, exact)
    figures["numpy exact"], _ = _time(lambda query: np.argpartition(-(vectors @ query), TOP_K)[:TOP_K], asked)
    for name, index in _peers(vectors).items():
        figures[name], ids = _time(lambda query, index=index: index.search(query[None], TOP_K)[1][0], asked)
        figures[name]["recall"] = _recall(ids, exact)
    return figures | {"start_s": start_s, "disk_mb": facts["disk_mb"], "made": facts}


def _peers(vectors: NDArray[np.float32]) -> dict:
    import faiss

    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    if len(vectors) > PEERS_GRAPH:
        return {"faiss flat": flat}
    graph = faiss.IndexHNSWFlat(vectors.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = 100
    graph.add(vectors)
    graph.hnsw.efSearch = 100
    return {"faiss flat": flat, "faiss hnsw": graph}


def _as_the_window_asks(library: LocalLibrary, encoder: SiameseEncoder, queries: list[str]) -> list[float]:
    """Return the seconds from a typed query to its rows: in mode both, 200 hits, 20 rows, copies folded."""
    vectors, calibrating, seconds = QueryVectors(), Calibrator(), []
    for query in queries:
        request = SearchRequest(query, top_k=200, page_size=20, mode="both", fold_copies=True, use_feedback=True)
        started = time.perf_counter()
        Searcher(library, lambda: encoder, vectors, request, calibrating).search()
        seconds.append(time.perf_counter() - started)
    return seconds


def _time(search: Callable[[NDArray[np.float32]], Any], asked: NDArray[np.float32]) -> tuple[dict, list[list[int]]]:
    seconds: list[float] = []
    ids: list[list[int]] = []
    for query in asked:
        started = time.perf_counter()
        found = search(query)
        seconds.append(time.perf_counter() - started)
        ids.append([int(i) for i in found])
    return percentiles_ms(seconds), ids


def _recall(found: list[list[int]], exact: list[NDArray[np.int64]]) -> float:
    return float(np.mean([len(set(a) & set(b.tolist())) / TOP_K for a, b in zip(found, exact, strict=True)]))
