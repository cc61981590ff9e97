"""Training steps per second, against sentence-transformers.

The peer does what a step of its trainer does (both columns through the model, its loss, backward, clipping, fused
AdamW) with the same rows, batch, precision and number of threads. The trainer's bookkeeping is omitted, because it
would only slow the peer, and so are the packages it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training_settings import PRESETS
from desktop_app.encoder import bundled_model_folder
from desktop_app.encoder.datasets.dataset import DataSet
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.training.loop import TrainingLoop
from desktop_app.encoder.training.objectives import make_objective
from desktop_app.encoder.training.trained_model import build_siamese_model
from tests.benchmarks.harness import Bench, alternate, ratio
from tests.benchmarks.trained import THREADS

SPEED_STEPS = 4


def speed(bench: Bench) -> None:
    """Time steps of the cosine objective, batches of 16, in fp32 and bf16."""
    if bench.data is None:
        print("training-speed: needs --data")
        return
    data = read_labelled_file(DataFile(str(bench.data / "stsb" / "stsb-en-train.csv")))
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


def _our_steps(data: DataSet, precision: str, threads: int) -> Callable[[], None]:
    settings = replace(PRESETS["similarity"], epochs=1000)
    model = build_siamese_model("", "trained", settings, "cpu", precision, threads)
    objective = make_objective(settings, data.classes, model.checkpoint.dim, normalised=model.checkpoint.normalised)
    steps = TrainingLoop(model, objective, data, None, settings).run()

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
    labels = data.labels
    assert labels is not None

    def work() -> None:
        torch.set_num_threads(threads)
        for _ in range(SPEED_STEPS):
            rows = next(batches)
            features = [model.tokenize([column[row] for row in rows]) for column in data.texts]
            with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
                value = loss(features, torch.from_numpy(labels[rows]))
            value.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()

    return work
