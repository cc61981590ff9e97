"""Train in a benchmark with the program's own loop, and score the result on other rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.training import EpochReport, StepReport
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder.cpu_cores import default_threads
from desktop_app.encoder.datasets.dataset import DataSet
from desktop_app.encoder.training.cross_encoder import build_cross_encoder_model, make_cross_encoder_objective
from desktop_app.encoder.training.loop import TrainingLoop
from desktop_app.encoder.training.objectives import make_objective
from desktop_app.encoder.training.trained_model import TrainedModel, build_siamese_model
from desktop_app.encoder.training.word_training import fit_word_judge, make_parts

THREADS = default_threads()
_TOLD_EVERY = 50  # steps


@dataclass(frozen=True, slots=True)
class Run:
    """A finished training.

    Attributes:
        model: the trained model.
        head: the head trained with it, if any.
        steps: number of steps.
        steps_per_s: rate of steps, without validation.
        kept: the epoch and the weights that were kept.
        validation: figures of that epoch; None without validation rows.
    """

    model: TrainedModel
    head: Any
    steps: int
    steps_per_s: float
    kept: str
    validation: dict[str, Any] | None

    def measures(self, test: DataSet, threshold: float | None = None) -> Any:
        """Return the measures of `test`; without a threshold, at the best one for these rows."""
        return measured(self.model, test, self.head, threshold)


def started(settings: TrainingSettings, data: DataSet, base: str = "") -> tuple[TrainedModel, Any]:
    """Return the untrained model and the objective."""
    if settings.architecture == "cross":
        cross = build_cross_encoder_model(base, "trained", settings, "cpu", "auto", THREADS)
        return cross, make_cross_encoder_objective(data, settings, cross.checkpoint.hidden)
    model = build_siamese_model(base, "trained", settings, "cpu", "auto", THREADS)
    checkpoint = model.checkpoint
    return model, make_objective(settings, data.classes, checkpoint.dim, normalised=checkpoint.normalised)


def train(settings: TrainingSettings, data: DataSet, validation: DataSet | None, base: str = "") -> Run:
    """Train a model; without validation rows, keep the weights after the last epoch.

    Args:
        settings: settings of the training.
        data: rows to learn from.
        validation: rows that choose the epoch.
        base: folder of the model to start from; empty: the bundled model.
    """
    model, objective = started(settings, data, base)
    loop = TrainingLoop(model, objective, data, validation, settings)
    print(f"{told(settings)}: {len(data):,} rows, {model.precision}, {THREADS} threads", flush=True)
    for report in loop.run():
        if isinstance(report, StepReport) and report.step % _TOLD_EVERY == 0:
            left = (report.remaining_s or 0.0) / 60
            print(
                f"  step {report.step} of {report.steps}, {report.steps_per_s:.2f} a second, {left:.0f} min", flush=True
            )
        elif isinstance(report, EpochReport):
            print(f"  epoch {report.epoch}: loss {report.loss:.4f} {_short(report.validation)}", flush=True)
    if settings.words:
        parts = make_parts(data, settings)
        words = run_to_completion(fit_word_judge(data, parts, settings, loop, lambda: started(settings, data, base)))
        run_to_completion(loop.judge_words(words.judge, words.threshold, words.weights, words.share))
    kept = f"epoch {loop.best_epoch}" + (", average" if loop.averaged else "")
    return Run(model, objective.head, loop.step, loop.steps_per_s, kept, loop.after)


def measured(model: TrainedModel, test: DataSet, head: Any, threshold: float | None = None) -> Any:
    """Return the measures of rows by a model."""
    words = None
    if model.judge is not None:
        *vectors, words = run_to_completion(model.embed_pairs(test, model.judge.rarity))
    else:
        columns = run_to_completion(model.columns(test))
        vectors = [
            *run_to_completion(model.embed([row for column in columns for row in column])).reshape(
                len(columns), len(test), -1
            )
        ]
    return model.evaluate(test, vectors, head, threshold, 0, words).measures


def embedded(model: TrainedModel, texts: list[str]) -> Any:
    """Return the vectors of texts, float32 [n, dim]."""
    return run_to_completion(model.embed(model.tokenizer.encode(texts)))


def told(settings: TrainingSettings, base: Path | None = None) -> str:
    """Return the settings in words, with the base model unless it is the bundled one."""
    parts = [settings.objective if settings.architecture == "siamese" else "cross-encoder"]
    if settings.pooling:
        parts.append(settings.pooling)
    if settings.objective in ("softmax", "binary") and settings.architecture == "siamese":
        parts.append(f"{settings.head} head" + (f" of {settings.concat}" if settings.head != "cosine" else ""))
    if settings.class_weight != 1:
        parts.append(f"weight {settings.class_weight:g}")
    if settings.objective in ("contrastive", "triplet"):
        parts.append(f"{settings.distance}, margin {settings.margin:g}, mining {settings.mining}")
    parts.append(f"batch {settings.batch_size}, {settings.learning_rate:g}, {settings.epochs} epochs")
    if settings.averaging:
        parts.append(f"average over {settings.averaging:g}")
    if settings.order:
        parts.append(f"order {settings.order:g}")
    if settings.runs > 1:
        parts.append(f"mean of {settings.runs} trainings")
    if settings.words:
        parts.append("words")
    parts.append(f"seed {settings.seed}")
    return ", ".join([*parts, *([f"from {base.name}"] if base is not None else [])])


def _short(measures: dict[str, Any] | None) -> str:
    found = {key: value for key, value in (measures or {}).items() if isinstance(value, float)}
    if measures and "spearman" in measures:
        found["spearman"] = measures["spearman"]["cosine"]
    return " ".join(f"{key} {value:.4f}" for key, value in found.items())
