"""Recall of graphs on 100,000 real sentences, by the program's own meter and by queries; size at which graphs pay off.

Embedding the sentences takes minutes; `--libraries FOLDER` keeps their vectors for another run.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import hnswlib
import numpy as np
from numpy.typing import NDArray

from desktop_app.store.graph_file import graph_pieces
from desktop_app.store.library import LocalLibrary
from desktop_app.store.vector_index import EF_CONSTRUCTION, EF_SEARCH, ExactRows, HnswGraph, M
from tests.benchmarks.harness import Bench, percentiles_ms
from tests.benchmarks.library_graph import fill
from tests.benchmarks.novel_sentences import embedded_novels

SIZE = 100_000
QUERIES = 300
TOP_K, PAGE = 10, 200
PARTS = (1000, 2500, 5000, 10_000, 25_000, 50_000)

Vectors = NDArray[np.float32]


def run(bench: Bench) -> None:
    """Print and store the figures; needs `--data` for its novels."""
    if bench.data is None:
        print("recall: needs --data")
        return
    size = min(SIZE, bench.rows or SIZE)
    encoder, texts, vectors = embedded_novels(bench, size + QUERIES)
    stored, asked = vectors[:size], vectors[size:]
    folder = bench.work / "recall"
    fill(folder, encoder.model, texts[:size], stored)
    bench.results["recall"] = {
        "meter": _by_meter(bench, folder, stored, asked),
        "crossing": _crossing(bench, stored, asked),
    }


def _by_meter(bench: Bench, folder: Path, stored: Vectors, asked: Vectors) -> dict[str, object]:
    """Print the library's own measurement, and the recall of queries that are not in the library."""
    with LocalLibrary.open(folder, writable=False, create=False) as library:
        said = library.info().recall
        found = [[near.sentence_id - 1 for near in library.search.nearest(query, TOP_K)] for query in asked]
    hits = 0
    for query, ids in zip(asked, found, strict=True):
        scores = stored @ query
        # A score as high as that of the last true neighbour counts: equal cosines have no order.
        floor = np.partition(scores, -TOP_K)[-TOP_K] - 1e-6
        hits += int((scores[ids] >= floor).sum())
    recall = hits / (TOP_K * len(asked))
    rows: list[list[object]] = [["", "recall@10", "ef", "queries"]]
    if said is None:
        rows.append(["the program's meter: no graphs, every search is exact", 1.0, "", ""])
    else:
        rows.append(["the program's meter", said.recall, said.ef, said.queries])
    rows.append(["sentences that are not in the library", recall, "", len(asked)])
    bench.say(f"a library of {len(stored):,} real sentences: recall@10 against exact search (goal 0.99)", rows)
    meter = None if said is None else {"recall@10": said.recall, "ef": said.ef, "queries": said.queries}
    return {"sentences": len(stored), "meter": meter, "recall@10": recall, "queries": len(asked)}


def _crossing(bench: Bench, stored: Vectors, asked: Vectors) -> list[dict[str, float]]:
    """Print how long the program's own classes take to search one part of an index, row by row and as a graph."""
    rows: list[list[object]] = [
        ["rows", "exact, top 10, ms", "graph, top 10, ms", "exact, top 200, ms", "graph, top 200, ms", "built s"]
    ]
    kept: list[dict[str, float]] = []
    for count in [each for each in PARTS if each <= len(stored)]:
        part = stored[:count]
        exact, began = ExactRows(part.shape[1]), time.perf_counter()
        exact.append(np.arange(count), np.arange(count), part)
        graph = _graph(bench.work / f"part{count}.hnsw", part)
        built_s = time.perf_counter() - began
        took: dict[str, float] = {}
        for top_k in (TOP_K, PAGE):
            # In turn, so that both run under the same load.
            seconds: dict[str, list[float]] = {"exact": [], "graph": []}
            for query in asked:
                for name, each in (("exact", exact), ("graph", graph)):
                    started = time.perf_counter()
                    each.search(query, top_k, EF_SEARCH)
                    seconds[name].append(time.perf_counter() - started)
            took |= {f"{name}, top {top_k}": percentiles_ms(spent)["p50_ms"] for name, spent in seconds.items()}
        rows.append([count, *took.values(), built_s])
        kept.append({"rows": count, **took, "built_s": built_s})
    bench.say(f"one part of an index, medians of {len(asked)} searches, ef {EF_SEARCH}", rows)
    for top_k in (TOP_K, PAGE):
        print(f"  top {top_k}: {_pays_from(kept, top_k)}")
    return kept


def _graph(file: Path, part: Vectors) -> HnswGraph:
    """Return a graph built as the program builds its own."""
    index = hnswlib.Index(space="ip", dim=part.shape[1])
    index.init_index(max_elements=len(part), M=M, ef_construction=EF_CONSTRUCTION, random_seed=100)
    index.add_items(part, np.arange(len(part)), num_threads=1)
    file.write_bytes(b"".join(graph_pieces(index)))
    return HnswGraph.load(file, part.shape[1], len(part))


def _pays_from(kept: list[dict[str, float]], top_k: int) -> str:
    """Return the size, interpolated, from which a graph is as fast as comparing every row."""
    points = [(each["rows"], each[f"graph, top {top_k}"] - each[f"exact, top {top_k}"]) for each in kept]
    if points[0][1] <= 0:
        return f"a graph is as fast from {points[0][0]:,} rows or fewer"
    for (rows, more), (next_rows, next_more) in pairwise(points):
        if next_more <= 0:
            at = rows + (next_rows - rows) * more / (more - next_more)
            return f"a graph is as fast from about {round(at, -2):,.0f} rows"
    return f"comparing every row is as fast as a graph up to {points[-1][0]:,} rows"
