"""A typed query to rows, stage by stage, at 10,000 and 100,000 sentences, against exact search and FAISS."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.reading import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.calibrating import Calibrating
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.searching import Finder, QueryVectors
from desktop_app.store.local_library import LocalLibrary
from tests.benchmarks.encode import novel_sentences
from tests.benchmarks.harness import Bench, percentiles_ms

QUERIES = 200
TOP_K = 10
_PER_DOCUMENT = 2500


def run(bench: Bench) -> None:
    """Print and keep the figures."""
    encoder = SiameseEncoder()
    texts = novel_sentences(bench, 6000)
    real = encoder.encode(texts)
    sizes = [10_000, 100_000, *([1_000_000] if bench.large else [])]
    rows: list[list[object]] = [["sentences", "stage", "p50 ms", "p95 ms", "p99 ms", "recall@10", "start s", "disk MB"]]
    kept = {}
    for size in sizes:
        figures = _measure(bench, encoder, texts, real, size)
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
            times = figures[stage]
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


def _near(real: NDArray[np.float32], count: int, seed: int) -> NDArray[np.float32]:
    """Return `count` unit vectors scattered around real ones: real sentences are harder to index than made clusters."""
    rng = np.random.default_rng(seed)
    base = real[rng.integers(0, len(real), count)]
    noisy = base + rng.standard_normal(base.shape, dtype=np.float32) * (0.6 / np.sqrt(base.shape[1], dtype=np.float32))
    return (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)


def _measure(bench: Bench, encoder: SiameseEncoder, texts: list[str], real: NDArray[np.float32], size: int) -> dict:
    import faiss

    vectors = _near(real, size, seed=size)
    folder = bench.work / f"search{size}"
    _fill(folder, encoder, vectors, texts)
    started = time.perf_counter()
    library = LocalLibrary.open(folder, writable=False, create=False)
    start_s = time.perf_counter() - started
    queries = [texts[i] for i in np.random.default_rng(7).integers(0, len(texts), QUERIES)]
    # A word more, so that no query is a stored sentence and none is in a cache.
    queries = [f"{query} {number}" for number, query in enumerate(queries)]
    stages: dict[str, list[float]] = {"query to rows": [], "embed": [], "nearest": [], "rows": []}
    asked = np.empty((QUERIES, encoder.dim), np.float32)
    found: list[list[int]] = []
    for number, query in enumerate(queries):
        t0 = time.perf_counter()
        asked[number] = encoder.encode([query], kind="query")[0]
        t1 = time.perf_counter()
        nearest = library.nearest(asked[number], TOP_K)
        t2 = time.perf_counter()
        library.hits(nearest)
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
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    graph = faiss.IndexHNSWFlat(vectors.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = 100
    graph.add(vectors)
    graph.hnsw.efSearch = 100
    figures["numpy exact"], _ = _time(lambda query: np.argpartition(-(vectors @ query), TOP_K)[:TOP_K], asked)
    for name, index in (("faiss flat", flat), ("faiss hnsw", graph)):
        figures[name], ids = _time(lambda query, index=index: index.search(query[None], TOP_K)[1][0], asked)
        figures[name]["recall"] = _recall(ids, exact)
    figures["start_s"] = start_s
    figures["disk_mb"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    return figures


def _as_the_window_asks(library: LocalLibrary, encoder: SiameseEncoder, queries: list[str]) -> list[float]:
    """Return the seconds from a typed query to its rows: in mode both, a thousand hits, fifty rows, copies folded."""
    vectors, calibrating, seconds = QueryVectors(), Calibrating(), []
    for query in queries:
        request = SearchRequest(query, top_k=1000, page_size=50, mode="both", collapses=True, heeds_judgements=True)
        started = time.perf_counter()
        Finder(library, lambda: encoder, vectors, request, calibrating).sentences()
        seconds.append(time.perf_counter() - started)
    return seconds


def _fill(folder, encoder: SiameseEncoder, vectors: NDArray[np.float32], real: list[str]) -> None:
    library = LocalLibrary.open(folder, writable=True, create=True)
    library.bind_model(encoder.model)
    for top in range(0, len(vectors), _PER_DOCUMENT):
        part = vectors[top : top + _PER_DOCUMENT]
        # Real sentences, so that words are as rare and as common as they are; a number makes each a text of its own.
        texts = [f"{real[(top + row) % len(real)]} {top + row}" for row in range(len(part))]
        document = library.add_files([FileRef(f"/made/{top}.txt", 1, 1)])[0]
        library.begin_document(document.document_id, DocumentHead("text", f"{top:064x}", 1))
        spans = [
            SentenceSpan(text, (Place(None, 50 * row, 50 * row + 40, "char"),), row // 5)
            for row, text in enumerate(texts)
        ]
        library.append(document.document_id, spans, texts, part)
        library.finish_document(document.document_id, ReadingDone())
    for step in library.maintain():
        if step is not None:
            time.sleep(0.01)  # another process builds; nobody else has work for this thread
    library.close()


def _time(search, asked: NDArray[np.float32]) -> tuple[dict, list[list[int]]]:
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
