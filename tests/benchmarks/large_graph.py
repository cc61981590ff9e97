"""Cost and recall of the neighbour graph where it is approximate: without a library, vectors in memory.

Sentences of novels, as many as are embedded (`--rows`, by default 100,000). `--large` adds a million rows that are made
around these: each of them has near copies then, which is the hardest case for a graph.
"""

from __future__ import annotations

import time

import numpy as np

from desktop_app.analysis.approximate_neighbours import ApproximateNeighbours
from desktop_app.analysis.compact_vectors import CompactVectors
from tests.benchmarks.harness import Bench, peak_memory_mb
from tests.benchmarks.novel_sentences import embedded_novels

_NOISE = 0.6
_BLOCK = 8192
_LONG_S = 0.02


def run(bench: Bench) -> None:
    """Print and store the figures."""
    _, _, real = embedded_novels(bench, bench.rows or 100_000)
    kept: dict[str, dict[str, float]] = {}
    for count in [len(real), *([1_000_000] if bench.large else [])]:
        kept[f"{count:,} sentences"] = _measure(_fill(real, count))
    header: list[object] = ["", *next(iter(kept.values()))]
    bench.say("approximate neighbour graph", [header, *([name, *row.values()] for name, row in kept.items())])
    bench.results["graph-large"] = kept


def _fill(real: np.ndarray, count: int) -> CompactVectors:
    """Return `count` rows around real ones float32 [n, dim], in random order as hashes of texts are."""
    vectors = CompactVectors(count, real.shape[1])
    order = np.random.default_rng(0).permutation(count)
    for top in range(0, count, _BLOCK):
        rows = real[order[top : top + _BLOCK] % len(real)]
        if count > len(real):
            noise = np.random.default_rng(top).standard_normal(rows.shape, np.float32)
            rows = rows + noise * np.float32(_NOISE / np.sqrt(rows.shape[1]))
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        vectors[top : top + len(rows)] = rows
    return vectors


def _measure(vectors: CompactVectors) -> dict[str, float]:
    found = ApproximateNeighbours(len(vectors))
    began, spent, step_began = time.perf_counter(), time.process_time(), time.thread_time()
    steps, long, longest = 0, 0, 0.0
    for _ in found.find(vectors):
        took = time.thread_time() - step_began
        steps, long, longest = steps + 1, long + (took > _LONG_S), max(longest, took)
        step_began = time.thread_time()
    return {
        "s": round(time.perf_counter() - began, 1),
        "processor s": round(time.process_time() - spent, 1),
        "recall@15 of the sample": round(found.recall, 4),
        "steps": steps,
        "over 20 ms": long,
        "longest ms": round(1000 * longest),
        "peak MB": round(peak_memory_mb()),
    }
