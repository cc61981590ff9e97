"""The most similar pairs of real sentences: against sentence-transformers, and against a cross-encoder.

All run in one thread, and the figures are processor time, which other programs on the machine change little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists, find_nearest_neighbours
from desktop_app.analysis.similar_pairs import find_most_similar_pairs
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.cross_encoder import (
    CrossEncoder,
    CrossEncoderHead,
    CrossEncoderParts,
    read_pair_checkpoint,
    write_cross_encoder,
)
from desktop_app.encoder.inference.fast_dot_products import make_fast_dot_products
from desktop_app.encoder.inference.network import load_network
from desktop_app.encoder.tokenizing import TextTokenizer
from tests.benchmarks.harness import Bench, ratio
from tests.benchmarks.novel_sentences import embedded_novels, novels

TOP_K = 1000
ROUNDS = 3
CROSS_SAMPLE = 2000  # pairs


def run(bench: Bench) -> None:
    """Print and store the figures."""
    _, _, vectors = embedded_novels(bench, 100_000 if bench.large else 10_000)
    compare(bench, vectors)


def compare(bench: Bench, vectors: NDArray[np.float32]) -> None:
    """Compare the methods on vectors float32 [n, dim]."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    tensor = torch.from_numpy(vectors)
    found: dict[str, list] = {}

    def graph() -> None:
        lists = NeighbourLists.empty(len(vectors))
        for _ in find_nearest_neighbours(
            vectors, lists, np.ones(len(vectors), np.bool_), make_fast_dot_products(vectors)
        ):
            pass
        a, b, scores = NeighbourGraph(np.arange(len(vectors)), lists).edges()
        best = np.lexsort((b, a, -scores))[:TOP_K]
        found["graph"] = list(zip(a[best].tolist(), b[best].tolist(), strict=True))

    def exact() -> None:
        *_, pairs = find_most_similar_pairs(vectors, TOP_K)
        found["exact"] = [(pair.a, pair.b) for pair in pairs or []]

    def mining() -> None:
        pairs = paraphrase_mining_embeddings(tensor)[:TOP_K]
        found["mining"] = [(min(a, b), max(a, b)) for _, a, b in pairs]

    works = {"graph, then its best pairs": graph, "best pairs alone": exact, "paraphrase_mining": mining}
    seconds = _alternate(works, 1 if bench.large else ROUNDS)
    told = {name: float(np.median(times)) for name, times in seconds.items()}
    truth = set(found["exact"])
    named = zip(works, ("graph", "exact", "mining"), strict=True)
    recall = {name: len(truth & set(found[key])) / len(truth) for name, key in named}
    rows: list[list[object]] = [
        ["what", "processor seconds", "times as fast as paraphrase_mining", "recall of the top 1,000"]
    ]
    rows += [[name, told[name], ratio(seconds, name, "paraphrase_mining"), recall[name]] for name in works]
    bench.say(f"pairs: {len(vectors):,} sentences, vectors given", rows)
    bench.results["pairs"] = {"sentences": len(vectors), "seconds": told, "recall": recall}


def against_cross_encoder(bench: Bench) -> None:
    """Print and store how long the most similar pair of 10,000 sentences takes, with and without vectors."""
    compare_with_cross_encoder(bench, novels(bench, 10_000))


def compare_with_cross_encoder(bench: Bench, texts: list[str]) -> None:
    """Find the most similar pair by vectors; score a sample of all pairs with a cross-encoder of the same body.

    Both run in the fastest accurate precision, in passes of many pairs of similar length. The cross-encoder is
    untrained, which does not affect its speed.
    """
    encoder = SiameseEncoder(memory=bench.work / "precision.json")
    for _ in encoder.tune():
        pass
    encoder.encode(texts[:64])
    wall, spent = time.perf_counter(), time.process_time()
    vectors = encoder.encode(texts)
    embedded_s, embedded_wall_s = time.process_time() - spent, time.perf_counter() - wall
    *_, pairs = find_most_similar_pairs(vectors, 1)
    ours_s, ours_wall_s = time.process_time() - spent, time.perf_counter() - wall
    assert pairs
    cross = _untrained_cross_encoder(bench, encoder)
    at = np.random.default_rng(0).integers(0, len(texts), (CROSS_SAMPLE, 2))
    sample = [(texts[a], texts[b]) for a, b in at.tolist()]
    for _ in cross.probability_batches(sample[:64]):
        pass
    wall, spent = time.perf_counter(), time.process_time()
    for _ in cross.probability_batches(sample):
        pass
    cross_s, cross_wall_s = time.process_time() - spent, time.perf_counter() - wall
    all_pairs = len(texts) * (len(texts) - 1) // 2
    share = all_pairs / len(sample)
    rows: list[list[object]] = [
        ["what", "processor seconds", "seconds"],
        [f"embedding {len(texts):,} sentences in {encoder.device.precision}", embedded_s, embedded_wall_s],
        ["embedding and the most similar pair", ours_s, ours_wall_s],
        [f"cross-encoder, {len(sample):,} pairs", cross_s, cross_wall_s],
        [f"cross-encoder, all {all_pairs:,} pairs, extrapolated", cross_s * share, cross_wall_s * share],
        ["ratio", cross_s * share / ours_s, cross_wall_s * share / ours_wall_s],
    ]
    bench.say("pairs: the most similar pair of all, embedding included", rows)
    bench.results["pairs-cross"] = rows


PARTS = {"pairs-cross": against_cross_encoder}


def _untrained_cross_encoder(bench: Bench, encoder: SiameseEncoder) -> CrossEncoder:
    checkpoint = read_pair_checkpoint(Path(encoder.model.folder))
    body = CrossEncoderParts(checkpoint, load_network(checkpoint), TextTokenizer(checkpoint))
    folder = bench.work / "cross"
    folder.mkdir(exist_ok=True)
    write_cross_encoder(body, CrossEncoderHead(checkpoint.hidden, ("different", "same"), single=True), folder)
    return CrossEncoder(folder, encoder.device.precision, encoder.device.threads)


def _alternate(works: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the processor seconds of each round, functions in turn, in one thread."""
    import torch

    seconds: dict[str, list[float]] = {name: [] for name in works}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for _ in range(rounds):
            for name, work in works.items():
                began = time.process_time()
                work()
                seconds[name].append(time.process_time() - began)
    finally:
        torch.set_num_threads(threads)
    return seconds
