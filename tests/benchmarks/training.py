"""Fine-tuning: scores before and after with each objective, and steps a second against sentence-transformers.

The peer does what a step of its trainer does (both columns through the model, its loss, backward, clipping, fused
AdamW) with the same rows, batch, precision and number of threads; the trainer's own bookkeeping, which would only slow
it, is left away, and so are the packages that it needs.

`training` runs everything, for hours on a small machine; each part has a name of its own.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import torch

from desktop_app.core.evaluations import Evaluation
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.presets import PRESETS
from desktop_app.core.training import EpochReport
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder import bundled_model_folder
from desktop_app.encoder.pooling import MEAN_PADDED
from desktop_app.encoder.saving import save
from desktop_app.encoder.training.cross import build_cross, cross_objective
from desktop_app.encoder.training.data_files import read_data
from desktop_app.encoder.training.dataset import DataSet, split
from desktop_app.encoder.training.loop import Loop
from desktop_app.encoder.training.model import TrainedModel, build
from desktop_app.encoder.training.objectives import make_objective
from tests.benchmarks.harness import Bench, alternate, ratio
from tests.benchmarks.similarity import quora

THREADS = psutil.cpu_count(logical=False) or 1
SPEED_STEPS = 4
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


def run(bench: Bench) -> None:
    """Run every part."""
    for part in PARTS.values():
        part(bench)


def speed(bench: Bench) -> None:
    """Time steps of the cosine objective, batches of 16, in fp32 and bf16."""
    if bench.data is None:
        print("training-speed: needs --data")
        return
    data = read_data(DataFile(str(bench.data / "stsb" / "stsb-en-train.csv")))
    rows: list[list[Any]] = [["precision", "threads", "steps/s", "x sentence-transformers"]]
    kept: dict[str, Any] = {}
    for precision, threads in (("bf16", 1), ("bf16", THREADS), ("fp32", 1), ("fp32", THREADS)):
        ours, theirs = _our_steps(data, precision, threads), _their_steps(data, precision, threads)
        seconds = alternate({"ours": ours, "theirs": theirs})
        faster = ratio(seconds, "ours", "theirs")
        rows.append([precision, threads, SPEED_STEPS / float(np.median(seconds["ours"])), faster])
        print(rows[-1], flush=True)
        kept[f"{precision}, {threads} threads"] = {"ratio": faster, "seconds": seconds}
    bench.say("training: steps of the cosine objective on STS-B, batches of 16", rows)
    bench.results["training-speed"] = kept


def similarity(bench: Bench) -> None:
    """Train on STS-B with the cosine objective; the development rows choose the epoch."""
    if bench.data is None:
        print("training-similarity: needs --data")
        return
    parts = _stsb(bench)
    settings = PRESETS["similarity"]
    before, after, pace = _trained(settings, parts[0], parts[1], parts[2])
    rows = [["before", before["spearman"]["cosine"], ""], ["after", after["spearman"]["cosine"], pace]]
    bench.say(f"training: STS-B test Spearman; {_told(settings)}", [["", "Spearman", "steps/s"], *rows])
    bench.results["training-similarity"] = {"before": before, "after": after, "steps_per_s": pace}


def duplicates(bench: Bench) -> None:
    """Train on Quora's first 8,000 pairs with each objective that takes them, and the three binary presets.

    All rows are learnt from, and the weights after the last epoch are measured.
    """
    if bench.data is None:
        print("training-duplicates: needs --data")
        return
    training, test = map(bench.sliced, quora(bench.data))
    objectives = ("duplicates", "contrastive", "softmax", "cosine", "ranking")
    # The published series of which the first preset is one averages over padding too: both ways, side by side.
    names = (*objectives, "binary-1", "binary-1, mean over padding", "binary-2", "binary-3")
    rows: list[list[Any]] = [["", "accuracy", "F1", "average precision", "steps/s", "settings"]]
    for name in names:
        preset, _, is_padded = name.partition(", ")
        settings = PRESETS[{"softmax": "nli", "cosine": "similarity"}.get(preset, preset)]
        if is_padded:
            settings = replace(settings, pooling=MEAN_PADDED)
        rows_of = training
        if name == "ranking":
            same = training.take(np.flatnonzero(training.labels == 1))
            rows_of = DataSet("pairs", ("anchor", "positive"), same.texts, None, same.lines, same.source, same.digest)
        before, after, pace = _trained(settings, rows_of, None, test)
        if len(rows) == 1:
            rows.append(["untrained", before["accuracy"], before["f1"], before["average_precision"], "", ""])
        told = _told(settings)
        rows.append([name, after["accuracy"], after["f1"], after["average_precision"], pace, told])
        print(rows[-1], flush=True)
    bench.say(f"training: Quora, {len(training):,} rows to train, {len(test):,} to test, best thresholds", rows)
    bench.results["training-duplicates"] = rows


def inference(bench: Bench) -> None:
    """Train on 5,000 SNLI rows with softmax, and look at STS-B afterwards."""
    if bench.data is None:
        print("training-nli: needs --data")
        return
    training, test = map(bench.sliced, _snli(bench.data))
    sts = bench.sliced(read_data(DataFile(str(bench.data / "stsb" / "stsb-en-test.csv"))))
    settings = PRESETS["nli"]
    _, after, pace, model = _trained_model(settings, training, None, test)
    spearman: Any = _measure(model, sts, None)["spearman"]
    row = [after["accuracy"], spearman["cosine"], pace]
    bench.say(f"training: SNLI; {_told(settings)}", [["accuracy", "STS-B test Spearman after", "steps/s"], row])
    bench.results["training-nli"] = row


def triplets(bench: Bench) -> None:
    """Train on one half of BANKING77's questions; intents of nearest neighbours in the other half.

    Once with triplets that are given, a negative of any other intent, Euclidean with margin 1 as in Sentence-BERT; once
    by the preset, with pairs of one intent whose negatives are taken from the batch.
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
    table: list[list[Any]] = [["", "accuracy", "steps/s", "settings"]]
    for name, settings, columns in (("given negatives", given, 3), ("semi-hard negatives", preset, 2)):
        model = build("", "trained", settings, "cpu", "auto", THREADS)
        if len(table) == 1:
            table.append(["untrained", _neighbour_accuracy(model, held_texts, held_intents), "", ""])
        kind: Any = "triplets" if columns == 3 else "pairs"
        data = DataSet(kind, _COLUMNS[:columns], tuple(zip(*made, strict=True))[:columns], None, np.arange(len(made)))
        pace = _learn(model, settings, data, None)
        table.append([name, _neighbour_accuracy(model, held_texts, held_intents), pace, _told(settings)])
        print(table[-1], flush=True)
    bench.say("training: BANKING77, intent of the nearest neighbour", table)
    bench.results["training-triplet"] = table


def ablation(bench: Bench) -> None:
    """Train SNLI with each pooling and concatenation of the paper's Table 6."""
    if bench.data is None:
        print("training-ablation: needs --data")
        return
    training, test = map(bench.sliced, _snli(bench.data))
    rows: list[list[Any]] = [["pooling", "concatenation", "accuracy", "paper's, on all of NLI"]]
    for (pooling, concat), theirs in _PAPER.items():
        settings = replace(PRESETS["nli"], pooling=pooling, concat=concat, epochs=1)
        _, after, _ = _trained(settings, training, None, test)
        rows.append([pooling, concat, 100 * after["accuracy"], theirs])
    bench.say(f"training: ablation on {len(training):,} SNLI rows, one epoch, {len(test):,} to test", rows)
    bench.results["training-ablation"] = rows


def cross(bench: Bench) -> None:
    """Train the same body on Quora's pairs both ways: two branches, and both sentences at once; what each costs."""
    if bench.data is None:
        print("training-cross: needs --data")
        return
    training, test = map(bench.sliced, quora(bench.data))
    header = ["", "accuracy", "F1", "average precision", "pairs/s", "10,000 sentences, all pairs, s", "settings"]
    rows: list[list[Any]] = [header]
    siamese = PRESETS["duplicates"]
    for name, settings in (("siamese", siamese), ("cross", replace(siamese, architecture="cross"))):
        _, after, _, model = _trained_model(settings, training, None, test)
        started = time.perf_counter()
        _drained(model.embed([row for column in _drained(model.columns(test)) for row in column]))
        pairs_per_s = len(test) / (time.perf_counter() - started)
        # Vectors are made once for each sentence; their products take a fraction of a second.
        all_pairs_s = 10_000 / (2 * pairs_per_s) if name == "siamese" else 49_995_000 / pairs_per_s
        figures = [after["accuracy"], after["f1"], after["average_precision"], pairs_per_s, all_pairs_s]
        rows.append([name, *figures, _told(settings)])
        print(rows[-1], flush=True)
    bench.say(f"training: Quora, {len(training):,} rows, cross-encoder beside siamese, best thresholds", rows)
    bench.results["training-cross"] = rows


def stages(bench: Bench) -> None:
    """Train inference, then similarity, and each alone: Spearman on STS-B's test rows."""
    if bench.data is None:
        print("training-stages: needs --data")
        return
    inference_rows, _ = map(bench.sliced, _snli(bench.data))
    train, dev, test = _stsb(bench)
    rows: list[list[Any]] = [["", "STS-B test Spearman", "settings"]]
    with tempfile.TemporaryDirectory(dir=bench.work) as folder:
        first = PRESETS["nli"]
        _, _, _, model = _trained_model(first, inference_rows, None, inference_rows)
        save(model, Path(folder) / "nli")
        rows.append(["inference alone", _measure(model, test, None)["spearman"]["cosine"], _told(first)])
        second = PRESETS["similarity"]
        before, after, _ = _trained(second, train, dev, test)
        rows.insert(1, ["untrained", before["spearman"]["cosine"], ""])
        rows.append(["similarity alone", after["spearman"]["cosine"], _told(second)])
        _, after, _ = _trained(second, train, dev, test, str(Path(folder) / "nli"))
        rows.append(["inference, then similarity", after["spearman"]["cosine"], ""])
    bench.say("training: stages", rows)
    bench.results["training-stages"] = rows


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


def _trained(
    settings: TrainingSettings, data: DataSet, validation: DataSet | None, test: DataSet, base: str = ""
) -> tuple[Any, Any, float]:
    before, after, pace, _ = _trained_model(settings, data, validation, test, base)
    return before, after, pace


def _trained_model(
    settings: TrainingSettings, data: DataSet, validation: DataSet | None, test: DataSet, base: str = ""
) -> tuple[Any, Any, float, TrainedModel]:
    """Return (measures of the test rows before, after, steps a second, the model)."""
    model: TrainedModel
    objective: Any
    if settings.architecture == "cross":
        model = build_cross(base, "trained", settings, "cpu", "auto", THREADS)
        objective = cross_objective(data, settings, model.checkpoint.hidden)
    else:
        model = build(base, "trained", settings, "cpu", "auto", THREADS)
        objective = make_objective(settings, data.classes, model.checkpoint.dim, normalised=True)
    before = _measure(model, test, objective.head)
    loop = Loop(model, objective, data, validation, settings)
    for report in loop.run():
        if isinstance(report, EpochReport):
            print(f"  epoch {report.epoch}: loss {report.loss:.4f}, {loop.steps_per_s:.2f} steps/s", flush=True)
    return before, _measure(model, test, objective.head), loop.steps_per_s, model


def _learn(model: TrainedModel, settings: TrainingSettings, data: DataSet, validation: DataSet | None) -> float:
    objective = make_objective(settings, data.classes, model.checkpoint.dim, normalised=True)
    loop = Loop(model, objective, data, validation, settings)
    for _ in loop.run():
        pass
    return loop.steps_per_s


def _measure(model: TrainedModel, test: DataSet, head: Any) -> dict[str, Any]:
    columns = _drained(model.columns(test))
    vectors = _drained(model.embed([row for column in columns for row in column]))
    found = model.judge(test, list(vectors.reshape(len(columns), len(test), -1)), head, None, 0)
    return found.measures if isinstance(found, Evaluation) else found


def _drained(steps: Any) -> Any:
    """Return what a generator returns at its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def _stsb(bench: Bench) -> list[DataSet]:
    """Return the rows to train, to choose the epoch by and to test."""
    assert bench.data is not None
    names = ("train", "dev", "test")
    return [bench.sliced(read_data(DataFile(str(bench.data / "stsb" / f"stsb-en-{name}.csv")))) for name in names]


def _partners(texts: list[str], intents: Any, source: np.random.Generator) -> list[tuple[str, str, str]]:
    """Return some rows for each text: another of its intent, and any of other intents."""
    rows = []
    for row, text in enumerate(texts):
        same = np.flatnonzero((intents == intents[row]) & (np.arange(len(texts)) != row))
        others = np.flatnonzero(intents != intents[row])
        rows += [
            (text, texts[partner], texts[source.choice(others)]) for partner in source.permutation(same)[:_PARTNERS]
        ]
    return rows


def _embedded(model: TrainedModel, texts: list[str]) -> Any:
    return _drained(model.embed(model.tokenizer.encode(texts)))


def _neighbour_accuracy(model: TrainedModel, texts: list[str], intents: Any) -> float:
    vectors = _embedded(model, texts)
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    return float((intents[scores.argmax(axis=1)] == intents).mean())


def _snli(data: Path) -> tuple[DataSet, DataSet]:
    """Return 5,000 rows to train and 1,000 to test, no premise in both."""
    rows = read_data(DataFile(str(data / "nli" / "snli_dev_6000.tsv")))
    training, test, _ = split(rows, 1 / 6, 42)
    return training, test


def _banking(data: Path) -> tuple[list[str], Any]:
    import csv

    with (data / "clustering" / "banking77_test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], np.array([row["category"] for row in rows])


def _our_steps(data: DataSet, precision: str, threads: int) -> Callable[[], None]:
    settings = replace(PRESETS["similarity"], epochs=1000)
    model = build("", "trained", settings, "cpu", precision, threads)
    objective = make_objective(settings, data.classes, model.checkpoint.dim, normalised=True)
    steps = Loop(model, objective, data, None, settings).run()

    def work() -> None:
        torch.set_num_threads(1)
        done = 0
        while done < SPEED_STEPS:
            done += type(next(steps)).__name__ == "StepReport"

    return work


def _their_steps(data: DataSet, precision: str, threads: int) -> Callable[[], None]:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import losses

    model = SentenceTransformer(str(bundled_model_folder()), device="cpu")
    loss = losses.CosineSimilarityLoss(model)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5, fused=True)
    assert data.labels is not None
    order = np.random.default_rng([42, 0]).permutation(len(data))
    batches = iter(np.array_split(order, len(data) // 16) * 3)

    def work() -> None:
        torch.set_num_threads(threads)
        for _ in range(SPEED_STEPS):
            rows = next(batches)
            features = [model.tokenize([column[row] for row in rows]) for column in data.texts]
            with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
                value = loss(features, torch.from_numpy(data.labels[rows]))
            value.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()

    return work


def _told(settings: TrainingSettings) -> str:
    return (
        f"{settings.objective}, batch {settings.batch_size}, {settings.learning_rate:g}, {settings.epochs} epochs, "
        + (f"average over {settings.averaging:g}, " if settings.averaging else "")
        + f"seed {settings.seed}"
    )
