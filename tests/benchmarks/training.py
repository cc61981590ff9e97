"""Fine-tuning: scores before and after training with each objective, with the current presets.

`training` runs everything, which takes hours on a small machine. Each part has its own name, and so has each row of
a part's table: `--only ROW` runs that one, `--keep FILE` saves it and joins the rows saved before.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.core.evaluation import similarity_that_counts
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training_settings import PRESETS, TrainingSettings
from desktop_app.encoder.checkpoint_writer import save
from desktop_app.encoder.datasets.dataset import DataSet, split_dataset
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.pooling import MEAN_PADDED
from desktop_app.encoder.training.cross_encoder import CrossEncoderTrainedModel
from desktop_app.encoder.training.trained_model import TrainedModel
from tests.benchmarks.harness import Bench
from tests.benchmarks.kept_rows import KeptRows
from tests.benchmarks.similarity import quora, quora_by_seed
from tests.benchmarks.trained import Run, embedded, measured, started, told, train
from tests.benchmarks.training_speed import speed

_PARTNERS = 4
_COLUMNS = ("anchor", "positive", "negative")
_PAPER = {
    ("mean", "u,v,abs(u-v)"): 80.78,
    ("max", "u,v,abs(u-v)"): 79.07,
    ("cls", "u,v,abs(u-v)"): 79.80,
    ("mean", "u,v"): 66.04,
    ("mean", "abs(u-v)"): 69.78,
    ("mean", "u*v"): 70.54,
    ("mean", "abs(u-v),u*v"): 78.37,
    ("mean", "u,v,u*v"): 77.44,
    ("mean", "u,v,abs(u-v),u*v"): 80.44,
}
"""Table 6 of Reimers & Gurevych 2019: accuracy after NLI, by pooling and concatenation."""

_PUBLISHED = {
    "binary-1": (0.7455, 0.5776),
    "binary-1, mean over padding": (0.7455, 0.5776),
    "binary-2": (0.7850, 0.7434),
    "binary-3": (0.7840, 0.7497),
}
"""Accuracy and F1 at 0.5 of the published series (a DistilBERT) that the presets reproduce."""

_THREE_TRAININGS = replace(
    PRESETS["similarity"], batch_size=32, learning_rate=1.1e-4, epochs=3, order=0.17, runs=3, words=True
)
"""What development rows chose among recipes with the order of scores; see RESULTS.md."""

_SPEARMAN = ("Spearman", "Pearson", "kept", "steps", "steps/s", "settings")


def run(bench: Bench) -> None:
    """Run every part."""
    for part in PARTS.values():
        part(bench)


def similarity(bench: Bench) -> None:
    """Train on STS-B with the objectives for scores; the development rows choose the epoch."""
    if bench.data is None:
        print("training-similarity: needs --data")
        return
    rows = KeptRows(bench, "training-similarity", _SPEARMAN)
    _untrained_similarity(bench, rows)
    _trained_similarity(bench, rows, "cosine", PRESETS["similarity"])
    _trained_similarity(bench, rows, "similarity, words", replace(PRESETS["similarity"], words=True))
    _trained_similarity(bench, rows, "three trainings, words", _THREE_TRAININGS)
    _trained_similarity(bench, rows, "CoSENT", PRESETS["cosent"])
    _trained_similarity(bench, rows, "CoSENT, words", replace(PRESETS["cosent"], words=True))
    rows.say("training: STS-B test; the development rows choose the epoch")


def duplicates(bench: Bench) -> None:
    """Train on Quora's first 8,000 pairs with each objective that accepts them, and the three binary presets.

    All rows are used for training, and the weights after the last epoch are measured on the last 2,000: at the best
    threshold there, and at the preset's own if it has one. With another base model (`--model`, a DistilBERT for the
    published series) the pairs are divided by the seed, as in that series.
    """
    if bench.data is None:
        print("training-duplicates: needs --data")
        return
    training, test = map(bench.sliced, quora(bench.data) if bench.model is None else quora_by_seed(bench.data))
    same = training.take(np.flatnonzero(training.labels == 1))
    pairs = DataSet("pairs", ("anchor", "positive"), same.texts, None, same.lines, same.source, same.digest)
    series = PRESETS["binary-1"]
    runs = {
        "duplicates": PRESETS["duplicates"],
        "duplicates, words": replace(PRESETS["duplicates"], words=True),
        "contrastive": PRESETS["contrastive"],
        "contrastive, all pairs": replace(PRESETS["contrastive"], mining="none"),
        "softmax": PRESETS["nli"],
        "cosine": PRESETS["similarity"],
        "ranking": PRESETS["ranking"],
        "triplet": PRESETS["triplet"],
        "binary-1": series,
        # The published series averages over padding too: run both ways.
        "binary-1, mean over padding": replace(series, pooling=MEAN_PADDED),
        "binary-2": PRESETS["binary-2"],
        "binary-3": PRESETS["binary-3"],
    }
    header = ["accuracy", "F1", "average precision", "accuracy at 0.5", "F1 at 0.5", "published", "published F1"]
    rows = KeptRows(bench, "training-duplicates", [*header, "steps", "steps/s", "settings"])
    if rows.wants("untrained", _begun_with(bench), always=True):
        before = measured(started(TrainingSettings("cosine"), training, _base(bench))[0], test, None)
        rows.add("untrained", *_duplicate_figures(before), "", "", "", "", "", "", _begun_with(bench))
    for name, settings in runs.items():
        if not rows.wants(name, told(settings, bench.model)):
            continue
        done = train(settings, pairs if name in ("ranking", "triplet") else training, None, _base(bench))
        own = ["", ""]
        if settings.threshold is not None:
            fixed = done.measures(test, settings.threshold)
            own = [fixed["accuracy"], fixed["f1"]]
        published = _PUBLISHED.get(name, ("", ""))
        figures = [*_duplicate_figures(done.measures(test)), *own, *published, done.steps, done.steps_per_s]
        rows.add(name, *figures, told(settings, bench.model))
    rows.say(
        f"training: Quora, {len(training):,} rows to train, {len(test):,} to test, best thresholds"
        + (" and that of 0.5" if bench.model is None else ", divided by seed 42")
    )


def inference(bench: Bench) -> None:
    """Train on 5,000 SNLI rows with softmax, and measure STS-B afterwards."""
    if bench.data is None:
        print("training-nli: needs --data")
        return
    training, test = map(bench.sliced, _snli(bench.data))
    similar = _stsb(bench)[2]
    settings = PRESETS["nli"]
    rows = KeptRows(bench, "training-nli", ["accuracy", "STS-B test Spearman after", "steps", "steps/s", "settings"])
    if rows.wants("softmax", told(settings, bench.model)):
        done = _inferred(bench)
        spearman = measured(done.model, similar, None)["spearman"]["cosine"]
        figures = [done.measures(test)["accuracy"], spearman, done.steps, done.steps_per_s]
        rows.add("softmax", *figures, told(settings, bench.model))
    rows.say(f"training: SNLI, {len(training):,} rows to train, {len(test):,} to test, no premise in both")


def triplets(bench: Bench) -> None:
    """Train on one half of BANKING77's questions; measure intents of nearest neighbours in the other half.

    Once with the preset, pairs of one intent with negatives from the batch, and once with given triplets: a negative of
    any other intent, Euclidean with margin 1 as in Sentence-BERT. A share of the intents is held back to choose the
    epoch, as the preset specifies.
    """
    if bench.data is None:
        print("training-triplet: needs --data")
        return
    texts, intents = _banking(bench.data)
    source = np.random.default_rng(42)
    half = source.permutation(len(texts))
    learnt, held = half[: len(half) // 2], half[len(half) // 2 :]
    learnt = learnt[: bench.rows] if bench.rows else learnt
    held_texts, held_intents = [texts[row] for row in held], intents[held]
    made = _partners([texts[row] for row in learnt], intents[learnt], source)
    preset = PRESETS["triplet"]
    given = replace(preset, distance="euclidean", margin=1.0, mining="none", learning_rate=2e-5, batch_size=32)
    runs = {
        "semi-hard negatives": (preset, 2),
        "the same, one epoch": (replace(preset, epochs=1), 2),
        "given negatives": (given, 3),
    }
    rows = KeptRows(bench, "training-triplet", ["accuracy", "points gained", "kept", "steps", "steps/s", "settings"])
    before = _neighbour_accuracy(started(preset, _triplets(made, 2), _base(bench))[0], held_texts, held_intents)
    if rows.wants("untrained", _begun_with(bench), always=True):
        rows.add("untrained", before, "", "", "", "", _begun_with(bench))
    for name, (settings, columns) in runs.items():
        if not rows.wants(name, told(settings, bench.model)):
            continue
        # Split by pairs, so that whole intents are held back: random negatives would link them all.
        parts = split_dataset(_triplets(made, 2), settings.validation, settings.seed)[:2]
        learning, validation = (_triplets(made, columns).take(part.lines) for part in parts)
        done = train(settings, learning, validation, _base(bench))
        accuracy = _neighbour_accuracy(done.model, held_texts, held_intents)
        figures = [accuracy, 100 * (accuracy - before), done.kept, done.steps, done.steps_per_s]
        rows.add(name, *figures, told(settings, bench.model))
    rows.say(f"training: BANKING77, intent of the nearest neighbour among {len(held):,} other questions")


def ablation(bench: Bench) -> None:
    """Train SNLI with each pooling and concatenation of the paper's Table 6."""
    if bench.data is None:
        print("training-ablation: needs --data")
        return
    training, test = map(bench.sliced, _snli(bench.data))
    rows = KeptRows(bench, "training-ablation", ["accuracy", "paper's, on all of NLI", "steps", "steps/s", "settings"])
    for (pooling, concat), theirs in _PAPER.items():
        settings = replace(PRESETS["nli"], pooling=pooling, concat=concat, epochs=1)
        name = f"{pooling} ({concat})"
        if rows.wants(name, told(settings, bench.model)):
            done = train(settings, training, None, _base(bench))
            figures = [100 * done.measures(test)["accuracy"], theirs, done.steps, done.steps_per_s]
            rows.add(name, *figures, told(settings, bench.model))
    rows.say(f"training: ablation on {len(training):,} SNLI rows, one epoch, {len(test):,} to test")


def cross(bench: Bench) -> None:
    """Train the same body on Quora's pairs as siamese and as cross-encoder, and measure the cost of each."""
    if bench.data is None:
        print("training-cross: needs --data")
        return
    training, test = map(bench.sliced, quora(bench.data))
    header = ["accuracy", "F1", "average precision", "pairs/s", "10,000 sentences, all pairs, s", "steps", "steps/s"]
    rows = KeptRows(bench, "training-cross", [*header, "settings"])
    siamese = PRESETS["duplicates"]
    for name, settings in (("siamese", siamese), ("cross-encoder", replace(siamese, architecture="cross"))):
        if not rows.wants(name, told(settings, bench.model)):
            continue
        done = train(settings, training, None, _base(bench))
        figures = _duplicate_figures(done.measures(test))
        rows.add(name, *figures, *_cost(done, test), done.steps, done.steps_per_s, told(settings, bench.model))
    rows.say(f"training: Quora, {len(training):,} rows, cross-encoder and siamese, best thresholds")


def stages(bench: Bench) -> None:
    """Train inference, then similarity, and each alone: Spearman on STS-B's test rows."""
    if bench.data is None:
        print("training-stages: needs --data")
        return
    first, second = PRESETS["nli"], PRESETS["similarity"]
    rows = KeptRows(bench, "training-stages", _SPEARMAN)
    _untrained_similarity(bench, rows)
    if rows.wants("inference alone", told(first, bench.model)):
        done = _inferred(bench)
        figures = _spearman_figures(measured(done.model, _stsb(bench)[2], None))
        rows.add("inference alone", *figures, done.kept, done.steps, done.steps_per_s, told(first, bench.model))
    _trained_similarity(bench, rows, "similarity alone", PRESETS["similarity"], "cosine")
    both = f"{told(first, bench.model)}; then {told(second)}"
    if rows.wants("inference, then similarity", both):
        folder = bench.libraries / f"inference-{bench.rows}"
        if not folder.exists():
            save(_inferred(bench).model, folder)
        learning, dev, test = _stsb(bench)
        done = train(second, learning, dev, str(folder))
        figures = _spearman_figures(done.measures(test))
        rows.add("inference, then similarity", *figures, done.kept, done.steps, done.steps_per_s, both)
    rows.say("training: stages, STS-B test")


PARTS: dict[str, Callable[[Bench], None]] = {
    "training-speed": speed,
    "training-similarity": similarity,
    "training-duplicates": duplicates,
    "training-nli": inference,
    "training-triplet": triplets,
    "training-ablation": ablation,
    "training-cross": cross,
    "training-stages": stages,
}


def _base(bench: Bench) -> str:
    return "" if bench.model is None else str(bench.model)


def _begun_with(bench: Bench) -> str:
    return "" if bench.model is None else bench.model.name


def _duplicate_figures(found: Any) -> list[float]:
    return [found["accuracy"], found["f1"], found["average_precision"]]


def _spearman_figures(found: Any) -> list[float]:
    counts = similarity_that_counts(found["spearman"])
    return [found["spearman"][counts], found["pearson"][counts]]


def _untrained_similarity(bench: Bench, rows: KeptRows) -> None:
    settings = PRESETS["similarity"]
    if rows.wants("untrained", _begun_with(bench), always=True):
        _, dev, test = _stsb(bench)
        model, _ = started(settings, test, _base(bench))
        development = measured(model, dev, None)["spearman"]["cosine"]
        rows.add(
            "untrained",
            *_spearman_figures(measured(model, test, None)),
            f"dev {development:.4f}",
            "",
            "",
            _begun_with(bench),
        )


def _trained_similarity(bench: Bench, rows: KeptRows, name: str, settings: TrainingSettings, as_in: str = "") -> None:
    if rows.wants(name, told(settings, bench.model), as_in=f"training-similarity: {as_in or name}"):
        learning, dev, test = _stsb(bench)
        done = train(settings, learning, dev, _base(bench))
        found = done.measures(test)
        development = _spearman_figures(done.validation)[0]
        kept = f"{done.kept}, dev {development:.4f}"
        rows.add(name, *_spearman_figures(found), kept, done.steps, done.steps_per_s, told(settings, bench.model))


@functools.cache
def _inferred(bench: Bench) -> Run:
    """Return a model trained on inference; one table and one stage share it."""
    assert bench.data is not None
    training, _ = map(bench.sliced, _snli(bench.data))
    return train(PRESETS["nli"], training, None, _base(bench))


def _cost(done: Run, test: DataSet) -> tuple[float, float]:
    """Return (pairs scored per second, seconds for all pairs of 10,000 sentences)."""
    model = done.model
    begun = time.perf_counter()
    vectors = run_to_completion(
        model.embed([row for column in run_to_completion(model.columns(test)) for row in column])
    )
    pairs_per_s = len(test) / (time.perf_counter() - begun)
    if isinstance(model, CrossEncoderTrainedModel):
        return pairs_per_s, 49_995_000 / pairs_per_s
    # One vector per sentence, then products.
    products = vectors[:1000] @ vectors[:1000].T
    begun = time.perf_counter()
    products = vectors[:1000] @ vectors[:1000].T
    product_s = (time.perf_counter() - begun) * (10_000 / len(products)) ** 2 / 2
    return pairs_per_s, 10_000 / (2 * pairs_per_s) + product_s


def _triplets(made: list[tuple[str, str, str]], columns: int) -> DataSet:
    kind: Any = "triplets" if columns == 3 else "pairs"
    return DataSet(kind, _COLUMNS[:columns], tuple(zip(*made, strict=True))[:columns], None, np.arange(len(made)))


def _stsb(bench: Bench) -> list[DataSet]:
    """Return the rows for training, for choosing the epoch and for testing."""
    assert bench.data is not None
    names = ("train", "dev", "test")
    return [
        bench.sliced(read_labelled_file(DataFile(str(bench.data / "stsb" / f"stsb-en-{name}.csv")))) for name in names
    ]


def _partners(texts: list[str], intents: Any, source: np.random.Generator) -> list[tuple[str, str, str]]:
    """Return some rows for each text, with another text of its intent and one of any other intent."""
    rows = []
    for row, text in enumerate(texts):
        same = np.flatnonzero((intents == intents[row]) & (np.arange(len(texts)) != row))
        others = np.flatnonzero(intents != intents[row])
        rows += [
            (text, texts[partner], texts[source.choice(others)]) for partner in source.permutation(same)[:_PARTNERS]
        ]
    return rows


def _neighbour_accuracy(model: TrainedModel, texts: list[str], intents: Any) -> float:
    vectors = embedded(model, texts)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    return float((intents[scores.argmax(axis=1)] == intents).mean())


def _snli(data: Path) -> tuple[DataSet, DataSet]:
    """Return 5,000 training and 1,000 test rows without a common premise."""
    rows = read_labelled_file(DataFile(str(data / "nli" / "snli_dev_6000.tsv")))
    training, test, _ = split_dataset(rows, 1 / 6, 42)
    return training, test


def _banking(data: Path) -> tuple[list[str], Any]:
    import csv

    with (data / "clustering" / "banking77_test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], np.array([row["category"] for row in rows])
