"""Clusters of BANKING77 without giving their number, against KMeans, which is given it, and against BERTopic."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.analysis.cluster_names import ClusterWords
from desktop_app.analysis.clusters import Communities, GranularityChoice, list_granularities
from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists, find_nearest_neighbours
from desktop_app.core.cluster_words import name_from_keywords
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.sentence_corrections import hash_text
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.inference.fast_dot_products import make_fast_dot_products
from desktop_app.engine.requests import ImportRequest
from desktop_app.text.splitter import split_sentences
from tests.benchmarks.harness import Bench
from tests.benchmarks.importing import NOVELS, shortest_novels, workspace_in
from tests.benchmarks.novel_sentences import embedded_novels

MIN_SIZE = 5
PART = 2500
_SCENE_START, _CHARACTERS_OF_A_SENTENCE = 300, 160


def run(bench: Bench) -> None:
    """Print and store the figures."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    _, vectors, truth = banking(bench)
    began = time.perf_counter()
    labels, granularity, parts = divided(vectors)
    ours_s = time.perf_counter() - began
    kept = labels >= 0
    started = time.perf_counter()
    means = KMeans(77, n_init=10, random_state=0).fit_predict(vectors)
    means_s = time.perf_counter() - started
    told: list[list[object]] = [["what", "clusters", "NMI", "ARI", "unclustered", "seconds"]]
    for name, found, own_truth, share, seconds in (
        (f"granularity {granularity:g} (chosen)", labels[kept], truth[kept], 1 - kept.mean(), ours_s),
        ("KMeans, given 77", means, truth, 0.0, means_s),
    ):
        nmi, ari = normalized_mutual_info_score(own_truth, found), adjusted_rand_score(own_truth, found)
        told.append([name, len(set(found.tolist())), float(nmi), float(ari), float(share), seconds])
    for number in (1, 2):
        # Check the choice of granularity on other sentences: random parts.
        some = np.sort(np.random.default_rng(number).permutation(len(vectors))[:PART])
        began = time.perf_counter()
        labels, granularity, _ = divided(vectors[some])
        kept = labels >= 0
        nmi, ari = (
            score(truth[some][kept], labels[kept]) for score in (normalized_mutual_info_score, adjusted_rand_score)
        )
        name = f"{PART:,} of them at random, granularity {granularity:g} (chosen)"
        share, seconds = float(1 - kept.mean()), time.perf_counter() - began
        told.append([name, len(set(labels[kept].tolist())), float(nmi), float(ari), share, seconds])
    bench.say(f"clusters: BANKING77, graph in {parts['graph']:.2f} s of processor time", told)
    bench.results["clusters"] = told


def banking(bench: Bench) -> tuple[list[str], NDArray[np.float32], NDArray[np.int64]]:
    """Return the texts of BANKING77, their vectors and their intents."""
    assert bench.data is not None, "needs --data DIR"
    with (bench.data / "clustering" / "banking77_test.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: hash_text(row["text"]))
    texts = [row["text"] for row in rows]
    truth = np.unique([row["category"] for row in rows], return_inverse=True)[1]
    return texts, SiameseEncoder().encode(texts), truth


def choose_granularity(communities: Communities, vectors: NDArray[np.float32], min_size: int = MIN_SIZE) -> float:
    """Return the granularity that the program chooses."""
    choice = GranularityChoice(vectors)
    for granularity in list_granularities(len(vectors)):
        if not run_to_completion(choice.consider(granularity, communities.approximate_at(granularity, min_size))):
            break
    return choice.granularity


def divided(
    vectors: NDArray[np.float32], min_size: int = MIN_SIZE
) -> tuple[NDArray[np.int64], float, dict[str, float]]:
    """Return the clusters of vectors, their granularity, and the processor seconds of each part."""
    began = time.process_time()
    lists = NeighbourLists.empty(len(vectors))
    for _ in find_nearest_neighbours(vectors, lists, np.ones(len(vectors), np.bool_), make_fast_dot_products(vectors)):
        pass
    graphed = time.process_time()
    communities = Communities(NeighbourGraph(np.arange(len(vectors)), lists))
    granularity = choose_granularity(communities, vectors, min_size)
    chosen = time.process_time()
    labels = communities.at(granularity, min_size)
    ended = time.process_time()
    return (
        labels,
        granularity,
        {"graph": graphed - began, "choice": chosen - graphed, "division": ended - chosen},
    )


# Mixtures of known numbers


def of_mixtures(bench: Bench) -> None:
    """Print and store the clusters of generated sentences, from few large to many small topics."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    mixtures: list[tuple[str, list[tuple[int, int, int, float, float, float]]]] = [
        ("5 topics of 1,000", [(5, 1000, 5, 0.0, 0.5, 0.85)]),
        ("12 of 400, in 4 fields", [(12, 400, 4, 0.5, 0.5, 0.8)]),
        ("10 of 400 and 100 of 30", [(10, 400, 10, 0.0, 0.6, 0.8), (100, 30, 10, 0.6, 0.6, 0.75)]),
        ("1 of 3,000 and 60 of 40", [(1, 3000, 1, 0.0, 0.5, 0.85), (60, 40, 60, 0.0, 0.6, 0.75)]),
        ("150 of 30, in 10 fields", [(150, 30, 10, 0.6, 0.6, 0.75)]),
        ("150 of 30, in 10 fields, flowing into each other", [(150, 30, 10, 0.5, 0.45, 0.85)]),
        ("400 of 15, in 20 fields", [(400, 15, 20, 0.6, 0.6, 0.75)]),
    ]
    told: list[list[object]] = [["what", "granularity", "clusters", "NMI", "ARI", "unclustered"]]
    for name, parts in mixtures:
        rows = [_mixture(*part, seed=seed) for seed, part in enumerate(parts)]
        vectors = np.concatenate([vectors for vectors, _ in rows])
        truth = np.concatenate([1000 * at + topics for at, (_, topics) in enumerate(rows)])
        order = np.random.default_rng(0).permutation(len(truth))
        labels, granularity, _ = divided(vectors[order])
        kept, truth = labels >= 0, truth[order]
        nmi, ari = (score(truth[kept], labels[kept]) for score in (normalized_mutual_info_score, adjusted_rand_score))
        told.append([name, granularity, int(labels.max()) + 1, float(nmi), float(ari), float(1 - kept.mean())])
    bench.say("clusters: generated sentences, number of topics not given", told)
    bench.results["clusters-mixtures"] = told


def _mixture(
    topics: int, each: int, fields: int, field: float, topic: float, noise: float, *, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return vectors float32 [topics * each, 384], and the topic of each.

    A vector is the sum of the direction of its field, that of its topic and noise, weighted as given, in a space of 60
    dimensions: about as many as sentences fill.
    """
    rng = np.random.default_rng(seed)

    def directions(count: int) -> NDArray[np.float64]:
        rows = rng.standard_normal((count, 60))
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    own = np.repeat(np.arange(topics), each)
    rows = field * directions(fields)[own % fields] + topic * directions(topics)[own] + noise * directions(len(own))
    basis = np.linalg.qr(rng.standard_normal((384, 60)))[0]
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True) @ basis.T).astype(np.float32), own


# Mixtures of real texts


def of_real_mixtures(bench: Bench) -> None:
    """Print and store the clusters of real texts whose topics are known, from few large to many tiny ones."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    encoder = SiameseEncoder()
    intents, scenes, abstracts, captions = (list(each) for each in _real_topics(bench))
    mixtures: list[tuple[str, list[list[str]], int]] = [
        ("77 intents of 30 and 73 scenes of novels of 30", [each[:30] for each in intents] + scenes[:73], MIN_SIZE),
        ("150 abstracts of 8 to 20 sentences", abstracts[:150], MIN_SIZE),
        ("73 scenes of 30 and 77 abstracts", scenes[:73] + abstracts[150:227], MIN_SIZE),
        ("10 intents of 40 and 5 parts of novels of 600", intents[:10] + _long_parts(bench), MIN_SIZE),
        ("12 intents of 40", intents[10:22], MIN_SIZE),
        ("300 captions with their hypotheses", captions[:300], 3),
    ]
    told: list[list[object]] = [
        [
            "what",
            "topics",
            "granularity",
            "clusters",
            "NMI",
            "ARI",
            "unclustered",
            "KMeans, given the number: NMI",
            "ARI",
        ]
    ]
    scores = (normalized_mutual_info_score, adjusted_rand_score)
    for name, topics, min_size in mixtures:
        owner: dict[str, int] = {}
        for number, texts in enumerate(topics):
            for text in texts:
                owner.setdefault(text, number)
        texts = sorted(owner, key=hash_text)
        vectors, truth = encoder.encode(texts), np.array([owner[text] for text in texts])
        labels, granularity, _ = divided(vectors, min_size)
        kept = labels >= 0
        ours = [float(score(truth[kept], labels[kept])) for score in scores]
        means = KMeans(len(topics), n_init=3, random_state=0).fit_predict(vectors)
        theirs = [float(score(truth, means)) for score in scores]
        told.append([name, len(topics), granularity, int(labels.max()) + 1, *ours, float(1 - kept.mean()), *theirs])
    bench.say("clusters: real texts, number of topics not given", told)
    bench.results["clusters-real"] = told


def _real_topics(bench: Bench) -> Iterator[list[list[str]]]:
    """Yield topics by kind: intents of BANKING77, scenes of novels, abstracts of Cranfield, captions of SNLI.

    A scene is 30 consecutive sentences of a novel, from its middle. A caption comes with the three sentences that
    people wrote about its picture.
    """
    assert bench.data is not None, "needs --data DIR"
    with (bench.data / "clustering" / "banking77_test.csv").open(encoding="utf-8", newline="") as file:
        intents: dict[str, list[str]] = {}
        for row in csv.DictReader(file):
            intents.setdefault(row["category"], []).append(row["text"])
    yield list(intents.values())
    novels = _beginnings_of_novels(bench, 2 * _SCENE_START)
    yield [each[_SCENE_START : _SCENE_START + 30] for each in novels if len(each) >= _SCENE_START + 30]
    abstracts = []
    for line in (bench.data / "cranfield" / "corpus.jsonl").read_text("utf-8").splitlines():
        sentences = [each.strip() for each in json.loads(line)["text"].split(" . ")[1:]]
        sentences = [each for each in sentences if len(each.split()) >= 5]
        if 8 <= len(sentences) <= 20:
            abstracts.append(sentences)
    yield abstracts
    captions: dict[str, list[str]] = {}
    for line in (bench.data / "nli" / "snli_dev_6000.tsv").read_text("utf-8").splitlines()[1:]:
        _, caption, hypothesis = line.split("\t")
        captions.setdefault(caption, []).append(hypothesis)
    yield [[caption, *own] for caption, own in captions.items() if len(own) == 3]


def _long_parts(bench: Bench) -> list[list[str]]:
    """Return the beginnings of five novels, 600 sentences each."""
    return [each[:600] for each in _beginnings_of_novels(bench, 600)[5:10]]


def _beginnings_of_novels(bench: Bench, count: int) -> list[list[str]]:
    """Return the first sentences of each novel, those of at least five words."""
    assert bench.data is not None, "needs --data DIR"
    found: list[list[str]] = []
    with tarfile.open(bench.data / "books" / "english_novels.tar.xz") as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".txt") else None
            if stream is None:
                continue
            text = stream.read().decode("utf-8", "replace")[: count * _CHARACTERS_OF_A_SENTENCE]
            sentences = (" ".join(text[start:stop].split()) for start, stop in split_sentences(text))
            found.append([each for each in sentences if len(each.split()) >= 5][:count])
    return found


# Time to choose


def of_choice(bench: Bench) -> None:
    """Print and store the processor seconds of choosing the granularity of 100,000 generated sentences."""
    vectors, _ = _mixture(400, 250, 20, 0.5, 0.45, 0.85, seed=0)
    vectors = vectors[np.random.default_rng(0).permutation(len(vectors))]
    labels, granularity, parts = divided(vectors)
    rows: list[list[object]] = [
        ["sentences", "granularity", "clusters", "graph, processor s", "choose", "divide"],
        [len(vectors), granularity, int(labels.max()) + 1, parts["graph"], parts["choice"], parts["division"]],
    ]
    bench.say("clusters: choosing the granularity of 400 generated topics of 250", rows)
    bench.results["clusters-choice"] = rows


# Against BERTopic


def against_bertopic(bench: Bench) -> None:
    """Print and store the cost of BERTopic's default chain for the same vectors, and its clusters of BANKING77."""
    assert bench.peer is not None, "needs --peer PYTHON, one that has bertopic"
    texts, vectors, truth = banking(bench)
    beside_bertopic(bench, "BANKING77", texts, vectors, truth)
    _, texts, vectors = embedded_novels(bench, 100_000 if bench.large else 10_000)
    beside_bertopic(bench, f"{len(texts):,} sentences of novels", texts, vectors)


def beside_bertopic(
    bench: Bench, name: str, texts: list[str], vectors: NDArray[np.float32], truth: NDArray[np.int64] | None = None
) -> None:
    """Cluster the same sentences both ways, each in one thread."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    began = time.process_time()
    labels, granularity, seconds = divided(vectors)
    words = ClusterWords(int(labels.max()) + 1)
    words.add((int(label), text, "en") for label, text in zip(labels, texts, strict=True) if label >= 0)
    _ = [name_from_keywords(own) for own in words.keywords()]
    ours_s = time.process_time() - began
    np.save(bench.work / "vectors.npy", vectors)
    (bench.work / "texts.json").write_text(json.dumps(texts), "utf-8")
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    peer = subprocess.run(
        [str(bench.peer), str(Path(__file__).with_name("bertopic_chain.py")), str(bench.work)],
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | one_thread,
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(peer.stdout.splitlines()[-1])
    their_labels = np.load(bench.work / "labels.npy")
    rows: list[list[object]] = [["what", "processor seconds", "clusters", "unclustered", "NMI", "ARI"]]
    for what, spent, found in (
        (f"graph, clusters (granularity {granularity:g}), names", ours_s, labels),
        (f"BERTopic {theirs['version']}", theirs["seconds"], their_labels),
    ):
        kept = found >= 0
        scores: list[object] = ["", ""]
        if truth is not None:
            scores = [
                float(score(truth[kept], found[kept])) for score in (normalized_mutual_info_score, adjusted_rand_score)
            ]
        rows.append([what, spent, len(set(found[kept].tolist())), float(1 - kept.mean()), *scores])
    bench.say(f"clusters: {name}; {theirs['seconds'] / ours_s:.1f} times as fast as BERTopic", rows)
    bench.say(
        "parts, processor seconds",
        [[*seconds, *theirs["parts"]], [*seconds.values(), *theirs["parts"].values()]],
    )
    bench.results[f"clusters-bertopic {name}"] = {"rows": rows, "ours": seconds, "theirs": theirs}


# Order of import


def in_reverse(bench: Bench) -> None:
    """Print and store how similar the clusters of ten novels are when the novels are imported in reverse order."""
    from sklearn.metrics import adjusted_rand_score

    found: list[dict[str, int]] = []
    for number, turned in enumerate((False, True)):
        with workspace_in(bench, f"order {number}") as workspace:
            for file in sorted(shortest_novels(bench, NOVELS).iterdir(), reverse=turned):
                workspace.imports.start(ImportRequest((str(file),))).wait()
            clusters = workspace.clusters.find(ClustersRequest()).wait()
            texts: dict[int, str] = {}
            workspace.export.export_occurrences(
                lambda batch, texts=texts: texts.update((row.sentence_id, row.text) for row in batch)
            ).wait()
        labels = {texts[key]: at for at, cluster in enumerate(clusters.clusters) for key in cluster.sentence_ids}
        found.append(labels | {texts[key]: -1 for key in clusters.unclustered})
    first, second = found
    assert set(first) == set(second)
    one, other = ([labels[text] for text in sorted(first)] for labels in found)
    ari = float(adjusted_rand_score(one, other))
    rows: list[list[object]] = [
        ["sentences", "clusters", "in reverse", "ARI"],
        [len(first), max(one) + 1, max(other) + 1, ari],
    ]
    bench.say("clusters: documents imported in reverse order", rows)
    bench.results["clusters-order"] = rows


PARTS = {
    "clusters-bertopic": against_bertopic,
    "clusters-choice": of_choice,
    "clusters-mixtures": of_mixtures,
    "clusters-order": in_reverse,
    "clusters-real": of_real_mixtures,
}
