"""A shared library: recall of its partitions, the server's time for a search, and what a search by words takes.

Time is the server's processor time, which does not depend on what else the machine does.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.query import KeywordQuery
from desktop_app.encoder import SiameseEncoder
from desktop_app.shared_store.library import SharedLibrary
from tests.benchmarks.harness import Bench
from tests.benchmarks.made import add_document, sentences, vectors
from tests.postgres_server import SharedLibraries, leave_server, start_server

SIZE, LARGE = 200_000, 1_000_000
QUERIES, TOP_K = 100, 10
COPIES = 50
_NEAR = 0.1


def run(bench: Bench) -> None:
    """Print and store the figures of a library of scattered sentences, and of one with clusters of near copies."""
    size = bench.rows or (LARGE if bench.large else SIZE)
    encoder, texts = SiameseEncoder(), sentences(bench, size)
    scattered = list(vectors(encoder, texts, size))
    with tempfile.TemporaryDirectory() as work:
        server = start_server(Path(work))
        try:
            libraries = SharedLibraries(server, "benchmark")
            for name, stored in (("scattered", scattered), ("copies", _copies(scattered))):
                bench.results[f"shared, {name}"] = _measure(bench, libraries, name, texts, stored)
                libraries.reset()
        finally:
            leave_server(Path(work))


def _copies(parts: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Return as many vectors, fifty near copies of each that is left."""
    made = []
    for number, part in enumerate(parts):
        base = np.repeat(part[: -(-len(part) // COPIES)], COPIES, axis=0)[: len(part)]
        noise = np.random.default_rng(number).standard_normal(base.shape, np.float32)
        moved = base + noise * np.float32(_NEAR / np.sqrt(base.shape[1]))
        made.append(moved / np.linalg.norm(moved, axis=1, keepdims=True))
    return made


def _measure(
    bench: Bench, libraries: SharedLibraries, name: str, texts: list[str], stored: list[NDArray[np.float32]]
) -> dict[str, object]:
    encoder = SiameseEncoder()
    with libraries.open("speed") as library:
        library.models.bind(encoder.model)
        size = sum(map(len, stored))
        clock = _ServerClock(library)
        top = 0
        for part in stored:
            add_document(library, top, texts, part)
            top += len(part)
        filled = clock.lap()
        run_to_completion(library.maintenance._sealer.seal(1, encoder.model.dim, force=True))
        sealed = clock.lap()
        library._database.run("ANALYZE sentence, occurrence, document, version")
        recall = run_to_completion(library.maintenance._meter.measure())
        assert recall is not None, "there are partitions"
        rng = np.random.default_rng(3)
        queries = [stored[int(rng.integers(len(stored)))][0] for _ in range(QUERIES)]
        noise = [
            rng.standard_normal(len(query), np.float32) * np.float32(0.6 / np.sqrt(len(query))) for query in queries
        ]
        asked = [(query + more) / np.linalg.norm(query + more) for query, more in zip(queries, noise, strict=True)]
        clock.lap()
        for query in asked:
            library.search.nearest(query, TOP_K)
        meaning = clock.lap() / QUERIES
        words = [texts[int(rng.integers(len(texts)))].split()[:6] for _ in range(QUERIES)]
        for each in words:
            library.search.hits(library.keyword_search.find_sentences(KeywordQuery(tuple(each)), TOP_K))
        by_words = clock.lap() / QUERIES
        began = time.perf_counter()
        for query, each in zip(asked, words, strict=True):
            library.keyword_search.find_sentences(KeywordQuery(tuple(each)), TOP_K)
            library.search.hits(library.search.nearest(query, TOP_K))
        both_ms = 1000 * (time.perf_counter() - began) / QUERIES
        partitions = library._database.value("SELECT count(*) FROM part")
    facts = {
        "sentences": size,
        "partitions": partitions,
        "recall@10": recall.recall,
        "ef": recall.ef,
        "meaning_server_ms": 1000 * meaning,
        "words_server_ms": 1000 * by_words,
        "both_wall_ms": both_ms,
        "filled_server_s": filled,
        "sealed_server_s": sealed,
    }
    rows: list[list[object]] = [[label, value] for label, value in facts.items()]
    bench.say(f"a shared library of {size:,} sentences, {name}", [["", "measured"], *rows])
    return facts


class _ServerClock:
    """The processor time of the session's process on the server, by laps."""

    def __init__(self, library: SharedLibrary) -> None:
        self._process = psutil.Process(int(library._database.value("SELECT pg_backend_pid()")))
        self._at: Callable[[], float] = lambda: sum(self._process.cpu_times()[:2])
        self._last = self._at()

    def lap(self) -> float:
        before, self._last = self._last, self._at()
        return self._last - before
