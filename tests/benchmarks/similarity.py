"""Scores of the bundled model on STS-B's test rows and Quora's pairs, here and with sentence-transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.core.labelled_data import DataFile
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.datasets.dataset import DataSet
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.evaluation.evaluators import evaluate_duplicates, evaluate_similarity
from desktop_app.encoder.similarity import rowwise_cosines
from tests.benchmarks.harness import Bench


def run(bench: Bench) -> None:
    """Print and store the figures; needs `--data`."""
    if bench.data is None:
        print("similarity: needs --data")
        return
    encoder = SiameseEncoder(precision="fp32")
    rows: list[list[Any]] = [["", "ours", "sentence-transformers"]]
    similarity = read_labelled_file(DataFile(str(bench.data / "stsb" / "stsb-en-test.csv")))
    duplicates = read_labelled_file(DataFile(str(bench.data / "qqp" / "qqp_10000.tsv")))
    ours, theirs = (_measures(each, encoder, similarity, duplicates) for each in (_ours, _theirs))
    rows += [[name, ours[name], theirs[name]] for name in ours]
    bench.say("similarity: STS-B test and 10,000 Quora pairs, best thresholds, fp32", rows)
    strong = _strong_results(encoder, bench.data)
    bench.say(
        "what the window calls strong: cosines of STS-B's development part", [list(strong), list(strong.values())]
    )
    bench.results["similarity"] = {"ours": ours, "sentence-transformers": theirs, "strong": strong}


def _strong_results(encoder: SiameseEncoder, data: Path) -> dict[str, float]:
    """Return the cosine that best tells pairs judged at least 3 of 5, and the one that random pairs stay below."""
    pairs = read_labelled_file(DataFile(str(data / "stsb" / "stsb-en-dev.csv")))
    u, v = (encoder.encode(list(column)) for column in pairs.texts)
    cosines = rowwise_cosines(u, v)
    are_alike = np.asarray(pairs.labels) >= 3 / 5 * float(np.max(pairs.labels))
    steps = np.arange(0.2, 0.95, 0.01)
    f1 = [2 * np.sum((cosines >= step) & are_alike) / (np.sum(cosines >= step) + are_alike.sum()) for step in steps]
    random = rowwise_cosines(u, v[np.random.RandomState(0).permutation(len(v))])
    best = int(np.argmax(f1))
    return {
        "strong": round(float(steps[best]), 2),
        "F1": round(float(f1[best]), 3),
        "99% of random pairs below": round(float(np.quantile(random, 0.99)), 2),
    }


def quora(data: Path) -> tuple[DataSet, DataSet]:
    """Return the first 8,000 and the last 2,000 of Quora's pairs."""
    pairs = read_labelled_file(DataFile(str(data / "qqp" / "qqp_10000.tsv")))
    return pairs.take(range(8000)), pairs.take(range(8000, len(pairs)))


def quora_by_seed(data: Path) -> tuple[DataSet, DataSet]:
    """Return four fifths of Quora's pairs and the rest, drawn with seed 42."""
    pairs = read_labelled_file(DataFile(str(data / "qqp" / "qqp_10000.tsv")))
    order = np.random.RandomState(42).permutation(len(pairs))
    return pairs.take(order[len(pairs) // 5 :]), pairs.take(order[: len(pairs) // 5])


def _ours(encoder: SiameseEncoder, texts: list[str]) -> Any:
    return encoder.encode(texts, normalize=False)


def _theirs(encoder: SiameseEncoder, texts: list[str]) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(encoder.model.folder, device="cpu").encode(texts, show_progress_bar=False)


def _measures(embed: Any, encoder: SiameseEncoder, similarity: DataSet, duplicates: DataSet) -> dict[str, float]:
    def sides(data: DataSet) -> Any:
        return np.asarray(embed(encoder, [text for column in data.texts for text in column])).reshape(2, len(data), -1)

    u, v = sides(similarity)
    correlation: Any = evaluate_similarity(similarity, u, v).measures
    u, v = sides(duplicates)
    scores = rowwise_cosines(u, v)
    whole: Any = evaluate_duplicates(duplicates, scores, None).measures
    last: Any = evaluate_duplicates(duplicates.take(range(8000, 10000)), scores[8000:], None).measures
    return {
        "STS-B test, Spearman": correlation["spearman"]["cosine"],
        "STS-B test, Pearson": correlation["pearson"]["cosine"],
        **{f"Quora, {name}": whole[name] for name in ("accuracy", "f1", "average_precision")},
        **{f"Quora, last 2,000, {name}": last[name] for name in ("accuracy", "f1", "average_precision")},
    }
