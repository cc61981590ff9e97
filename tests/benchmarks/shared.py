"""A shared library: what a search costs the server and how often it asks, beside the same library on this computer.

Processor time depends little on what else the machine does; the times of answers do, so they are compared with those
of the local library in the same run. The wire to the server can be slow (`tests/slow_wire.py`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.library import Library
from desktop_app.core.paths import Paths
from desktop_app.core.records import CheckResult, ModelInfo
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.calibration import Calibrator
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_run import Searcher
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.store.library import LocalLibrary
from tests.benchmarks import made
from tests.benchmarks.harness import Bench, percentiles_ms
from tests.benchmarks.known_vectors import KnownVectors
from tests.postgres_server import SharedLibraries, leave_server, start_server
from tests.shared_store.killed_workers import kill_workers
from tests.slow_wire import SlowWire
from tests.store.helpers import MODEL

SIZES, LARGE = (60_000, 200_000), 1_000_000
QUERIES, TOP_K = 100, 10
COPIES = 50
DELAY_S = 0.02
READERS, WRITERS, SESSION_S, SESSION_SENTENCES = 2, 2, 30.0, 20_000
KILLS = 160  # two thirds of them kill a process, the others cut a connection
_NEAR, _NOISE = 0.1, 0.6
_PLAIN = re.compile(r"(?:[A-Za-z']+[,;]? ){6,}[A-Za-z']+\.")
_MODES = ("meaning", "words", "both")
# As an administrator sets up a server of 2 GB; the tests' own is smaller, and never collects statistics by itself.
_SERVER = {"shared_buffers": "512MB", "autovacuum": "on"}

Vectors = NDArray[np.float32]


class ServerClock:
    """The processor time of a session's process on the server, by laps."""

    def __init__(self, library: SharedLibrary) -> None:
        self._process = psutil.Process(int(library._database.value("SELECT pg_backend_pid()")))
        self._last = self._at()

    def _at(self) -> float:
        return float(sum(self._process.cpu_times()[:2]))

    def lap(self) -> float:
        """Return the seconds since the last call."""
        before, self._last = self._last, self._at()
        return self._last - before


def run(bench: Bench) -> None:
    """Print and store the figures of libraries of scattered sentences, and of one with clusters of near copies."""
    encoder = SiameseEncoder()
    sizes = [bench.rows] if bench.rows else [LARGE] if bench.large else list(SIZES)
    with tempfile.TemporaryDirectory() as work:
        server = start_server(Path(work), _SERVER)
        try:
            libraries = SharedLibraries(server, "benchmark")
            for size in sizes:
                texts = made.sentences(bench, size)
                scattered = _collect(made.vectors(encoder, texts, size), size, encoder.model)
                figures = _measure(bench, libraries, encoder, texts, scattered)
                libraries.reset()
                bench.results[f"shared, {size}"] = figures
            if bench.large:
                _make_copies(scattered)
                copies = _measure(bench, libraries, encoder, texts, scattered, title=", clusters of copies")
                bench.results["shared, copies"] = copies
        finally:
            leave_server(Path(work))


def _collect(parts: Iterable[Vectors], size: int, model: ModelInfo) -> Vectors:
    """Return the vectors of all documents: float32 [size, dim]; a million take 1.5 GB, once."""
    everything, top = np.empty((size, model.dim), np.float32), 0
    for part in parts:
        everything[top : top + len(part)] = part
        top += len(part)
    return everything


def _make_copies(everything: Vectors) -> None:
    """Replace scattered vectors by fifty near copies of every one of the first."""
    centres, top = everything[: -(-len(everything) // COPIES)].copy(), 0
    for number, part in enumerate(_documents_of(everything)):
        base = centres[np.arange(top, top + len(part)) // COPIES]
        noise = np.random.default_rng(number).standard_normal(base.shape, np.float32)
        moved = base + noise * np.float32(_NEAR / np.sqrt(base.shape[1]))
        part[:] = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        top += len(part)


def _documents_of(everything: Vectors) -> Iterator[Vectors]:
    """Yield the vectors of each document."""
    for top in range(0, len(everything), made.PER_DOCUMENT):
        yield everything[top : top + made.PER_DOCUMENT]


def _measure(
    bench: Bench,
    libraries: SharedLibraries,
    encoder: SiameseEncoder,
    texts: list[str],
    stored: Vectors,
    title: str = "",
) -> dict[str, object]:
    size = len(stored)
    facts = _fill(libraries, encoder.model, texts, stored)
    known, queries = _queries(encoder.model, texts, stored)
    reader = libraries.user("reader")
    libraries.grant("speed", reader, "reader")
    rows: list[list[object]] = [
        ["", "round trips", "server ms", "kB", "client ms", "p50 ms", "p95 ms", "p50 ms at 20 ms each way", "p95 ms"]
    ]
    with SlowWire(libraries.server.port) as wire:
        address = replace(libraries.address("speed", reader), port=wire.port)
        # A reader who asks to write is connected twice, and the wire counts the first connection.
        with SharedLibrary.open(address, libraries.server.password, writable=False) as library:
            facts |= _recall(library, stored)
            clock = ServerClock(library)
            for mode in _MODES:
                _search_all(library, known, queries[:TOP_K], mode)
                own = _cost(library, known, queries, mode, wire, clock)
                facts[mode] = own
                rows.append([mode, *own.values()])
    if size <= SIZES[0]:
        base, _ = made.library(bench, size)
        with LocalLibrary.open(Paths.under(base).default_library, writable=False, create=False) as library:
            for mode in _MODES:
                _search_all(library, known, queries[:TOP_K], mode)
                began = time.process_time()
                seconds = _search_all(library, known, queries, mode)
                own = percentiles_ms(seconds)
                client = 1000 * (time.process_time() - began) / len(queries)
                facts[f"{mode}, on this computer"] = {"client_ms": client, **own}
                rows.append([f"{mode}, on this computer", "", "", "", client, own["p50_ms"], own["p95_ms"], "", ""])
    bench.say(f"a shared library of {size:,} sentences{title}: searches as the window asks, 200 hits, 20 rows", rows)
    flat = [[name, value] for name, value in facts.items() if not isinstance(value, dict)]
    bench.say(f"the library of {size:,} sentences", [["", ""], *flat])
    return facts


def _fill(libraries: SharedLibraries, model: ModelInfo, texts: list[str], stored: Vectors) -> dict[str, object]:
    with libraries.open("speed") as library:
        library.models.bind(model)
        clock, began, top = ServerClock(library), time.process_time(), 0
        for part in _documents_of(stored):
            made.add_document(library, top, texts, part)
            top += len(part)
        client, server = time.process_time() - began, clock.lap()
        run_to_completion(library.maintenance._sealer.seal(1, model.dim, force=True))
        sealed = clock.lap()
        run_to_completion(library.maintenance._meter.measure())
        database = library._database
        for table in ("sentence", "occurrence", "document", "version", "page"):
            database.run(f"ANALYZE {table}")
        mb = {
            name: round(
                int(database.value(f"SELECT coalesce(sum(pg_{kind}_size(oid)), 0) FROM pg_class WHERE {where}")) / 1e6
            )
            for name, kind, where in (
                ("vectors_mb", "table", "relname ~ '^vector_1_[0-9]+$'"),
                ("graphs_and_keys_mb", "indexes", "relname ~ '^vector_1_[0-9]+$'"),
                ("texts_mb", "total_relation", "relname IN ('sentence', 'occurrence', 'passage')"),
            )
        }
        partitions = database.value("SELECT count(*) FROM part")
    return {
        "stored_sentences_a_client_second": round(top / client),
        "stored_sentences_a_server_second": round(top / server),
        "sealed_server_s": sealed,
        "partitions": partitions,
        **mb,
    }


def _queries(model: ModelInfo, texts: list[str], stored: Vectors) -> tuple[KnownVectors, list[str]]:
    """Return queries that are no stored sentence, with vectors near stored ones."""
    rng = np.random.default_rng(3)
    plain = [at for at in range(min(len(texts), len(stored))) if _PLAIN.fullmatch(texts[at])]
    chosen = rng.choice(plain, QUERIES, replace=False)
    queries = list(dict.fromkeys(" ".join(texts[at].split()[:9]) for at in chosen.tolist()))
    return KnownVectors.near(model, stored[chosen[: len(queries)]], queries, 3), queries


def _recall(library: SharedLibrary, everything: Vectors) -> dict[str, object]:
    """Return the share of the ten nearest sentences that a search finds, and what that costs the server."""
    rng = np.random.default_rng(4)
    base = everything[rng.integers(0, len(everything), QUERIES)]
    asked = base + rng.standard_normal(base.shape, np.float32) * np.float32(_NOISE / np.sqrt(base.shape[1]))
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    library.search.nearest(asked[0], TOP_K)
    clock = ServerClock(library)
    found = [library.search.nearest(query, TOP_K) for query in asked]
    server = clock.lap()
    # Scores instead of numbers: sentences are numbered in the order of their hashes.
    least = [np.sort(everything @ query)[-TOP_K] - 1e-6 for query in asked]
    hits = sum(sum(near.score >= low for near in own) for own, low in zip(found, least, strict=True))
    return {"recall@10": hits / (TOP_K * QUERIES), "nearest_10_server_ms": 1000 * server / QUERIES}


def _search_all(library: Library, known: KnownVectors, queries: Sequence[str], mode: str) -> list[float]:
    """Search for each query as the window does, and return the seconds of each."""
    vectors, calibrator, seconds = QueryVectors(), Calibrator(), []
    for query in queries:
        request = SearchRequest(query, top_k=200, page_size=20, mode=mode, fold_copies=True, use_feedback=True)
        began = time.perf_counter()
        Searcher(library, lambda: known, vectors, request, calibrator).search()
        seconds.append(time.perf_counter() - began)
    vectors.close()
    return seconds


def _cost(
    library: SharedLibrary,
    known: KnownVectors,
    queries: Sequence[str],
    mode: str,
    wire: SlowWire,
    clock: ServerClock,
) -> dict[str, float]:
    clock.lap()
    trips, received, began = wire.round_trips, wire.received, time.process_time()
    near = percentiles_ms(_search_all(library, known, queries, mode))
    server, client = clock.lap(), time.process_time() - began
    trips, received = wire.round_trips - trips, wire.received - received
    wire.delay_s = DELAY_S
    far = percentiles_ms(_search_all(library, known, queries, mode))
    wire.delay_s = 0.0
    count = len(queries)
    return {
        "round_trips": trips / count,
        "server_ms": 1000 * server / count,
        "kb": received / count / 1000,
        "client_ms": 1000 * client / count,
        "p50_ms": near["p50_ms"],
        "p95_ms": near["p95_ms"],
        "far_p50_ms": far["p50_ms"],
        "far_p95_ms": far["p95_ms"],
    }


# Several sessions


def run_sessions(bench: Bench) -> None:
    """Print and store the times of readers alone, and beside importers."""
    encoder, size = SiameseEncoder(), bench.rows or SESSION_SENTENCES
    texts = made.sentences(bench, size)
    stored = _collect(made.vectors(encoder, texts, size), size, encoder.model)
    rows: list[list[object]] = [["", "searches", "p50 ms", "p95 ms", "p99 ms", "sentences/s stored"]]
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as work:
        server = start_server(Path(work), _SERVER)
        try:
            libraries = SharedLibraries(server, "sessions")
            _fill(libraries, encoder.model, texts, stored)
            for writers in (0, WRITERS):
                seconds, stored_count = _run_sessions(libraries, READERS, writers)
                own = percentiles_ms(seconds)
                rate = stored_count / SESSION_S
                rows.append([f"{READERS} readers, {writers} importers", len(seconds), *own.values(), rate or ""])
                figures[f"{writers} importers"] = {"searches": len(seconds), **own, "stored_a_second": rate}
            with libraries.open("speed") as library:
                wrong = [each for each in library.maintenance.check() if isinstance(each, CheckResult) and not each.ok]
            assert not wrong, wrong
        finally:
            leave_server(Path(work))
    bench.say(f"a shared library of {size:,} sentences: searches by meaning and words beside imports", rows)
    bench.results["shared-sessions"] = figures


def _run_sessions(libraries: SharedLibraries, readers: int, writers: int) -> tuple[list[float], int]:
    """Run sessions side by side; returns the seconds of each search and how many sentences were stored."""
    running = []
    for number in range(readers + writers):
        what, right = ("read", "reader") if number < readers else ("write", "writer")
        user = libraries.user(f"{what}_{number}")
        libraries.grant("speed", user, right)
        address, password = str(libraries.address("speed", user)), libraries.server.password
        command = [sys.executable, "-m", "tests.benchmarks.shared_sessions", what, address, password]
        running.append(subprocess.Popen([*command, str(SESSION_S), str(number)], stdout=subprocess.PIPE, text=True))
    seconds: list[float] = []
    stored = 0
    for process in running:
        output, _ = process.communicate()
        assert process.returncode == 0, "a session failed"
        told = json.loads(output)
        seconds += told.get("seconds", ())
        stored += told.get("stored", 0)
    return seconds, stored


def run_kills(bench: Bench) -> None:
    """Print and store how workers that are killed leave a library; raise AssertionError at the first discrepancy."""
    with tempfile.TemporaryDirectory() as work:
        server = start_server(Path(work))
        try:
            libraries = SharedLibraries(server, "killed")
            with libraries.open("sessions", tail_rows=1000) as library:
                library.models.bind(MODEL)
                began = time.monotonic()
                outcome = kill_workers(library, libraries, documents=4 * KILLS, kills=KILLS, at_a_time=4, seed=23)
                figures = {**asdict(outcome), "lost, doubled or half visible": 0, "s": time.monotonic() - began}
        finally:
            leave_server(Path(work))
    bench.say("shared-kill: importing processes killed, connections cut", [["", ""], *map(list, figures.items())])
    bench.results["shared-kill"] = figures


PARTS = {"shared-sessions": run_sessions, "shared-kill": run_kills}
