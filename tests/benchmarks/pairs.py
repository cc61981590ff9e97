"""The most similar pairs and the neighbour graph of real sentences, vectors given, against sentence-transformers."""

from __future__ import annotations

import tarfile

import numpy as np
from numpy.typing import NDArray

from desktop_app.analysis.neighbours import Lists, NeighbourGraph, nearest_neighbours
from desktop_app.analysis.pairs import most_similar_pairs
from desktop_app.encoder import SiameseEncoder
from desktop_app.text.splitter import split
from tests.benchmarks.harness import Bench, alternate, ratio

TOP_K = 1000
_OF_A_BOOK = 5000
_ASKED = 300


def run(bench: Bench) -> None:
    """Print and keep the figures."""
    size = 100_000 if bench.large else 10_000
    vectors = SiameseEncoder().encode(novels(bench, size))
    compare(bench, vectors)


def compare(bench: Bench, vectors: NDArray[np.float32]) -> None:
    """Compare on vectors float32 [n, dim]."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    tensor = torch.from_numpy(vectors)
    found: dict[str, list] = {}

    def graph() -> None:
        lists = Lists.empty(len(vectors))
        for _ in nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_)):
            pass
        a, b, scores = NeighbourGraph(np.arange(len(vectors)), lists).edges()
        best = np.lexsort((b, a, -scores))[:TOP_K]
        found["graph"] = list(zip(a[best].tolist(), b[best].tolist(), strict=True))

    def exact() -> None:
        *_, pairs = most_similar_pairs(vectors, TOP_K)
        found["exact"] = [(pair.a, pair.b) for pair in pairs or []]

    def mining() -> None:
        pairs = paraphrase_mining_embeddings(tensor)[:TOP_K]
        found["mining"] = [(min(a, b), max(a, b)) for _, a, b in pairs]

    rounds = 1 if bench.large else 3
    works = {"graph, then its best pairs": graph, "best pairs alone": exact, "paraphrase_mining": mining}
    seconds = alternate(works, rounds)
    told = {name: float(np.median(times)) for name, times in seconds.items()}
    truth = set(found["exact"])
    named = zip(works, ("graph", "exact", "mining"), strict=True)
    recall = {name: len(truth & set(found[key])) / len(truth) for name, key in named}
    rows: list[list[object]] = [["what", "seconds", "times as fast as paraphrase_mining", "recall of the top 1,000"]]
    rows += [[name, told[name], ratio(seconds, name, "paraphrase_mining"), recall[name]] for name in works]
    bench.say(f"pairs: {len(vectors):,} sentences, vectors given", rows)
    bench.results["pairs"] = {"sentences": len(vectors), "seconds": told, "recall": recall}


def novels(bench: Bench, count: int) -> list[str]:
    """Return `count` distinct sentences of novels, at most 5,000 of each, as an import would cut them."""
    assert bench.data is not None, "needs --data DIR"
    found: dict[str, None] = {}
    with tarfile.open(bench.data / "books" / "english_novels.tar.xz") as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".txt") else None
            if stream is None:
                continue
            text = stream.read().decode("utf-8", "replace")
            before = len(found)
            for start, stop in split(text):
                found[" ".join(text[start:stop].split())] = None
                if len(found) - before == _OF_A_BOOK or len(found) == count:
                    break
            if len(found) == count:
                break
    return list(found)
