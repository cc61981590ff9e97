"""Fine-tuning settings, their allowed values, and named presets of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from desktop_app.core.labelled_data import PAIR_LABELS
from desktop_app.core.objectives import OBJECTIVES, default_objective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.labelled_data import DataFile, DataKind
    from desktop_app.core.objectives import Mining, Objective

Architecture = Literal["siamese", "cross"]
Distance = Literal["cosine", "euclidean", "dot"]
HeadKind = Literal["linear", "mlp", "cosine"]
OptimizerName = Literal["adamw", "adam"]

POOLINGS = ("mean", "max", "cls", "attention", "pooler", "mean-padded")
DISTANCES: tuple[Distance, ...] = get_args(Distance)
HEADS: tuple[HeadKind, ...] = get_args(HeadKind)
OPTIMIZERS: tuple[OptimizerName, ...] = get_args(OptimizerName)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to fine-tune.

    Attributes:
        objective: the loss to minimise.
        pooling: replaces the model's own; empty: its own.
        concat: which parts of two vectors a head gets, such as `u,v,abs(u-v)`.
        head: `linear`, `mlp` or `cosine` (logistic regression on the cosine).
        hidden: size of the hidden layer of `mlp`.
        dropout: after it.
        class_weight: of pairs that are the same, for `binary`; 1: unweighted.
        distance: of `contrastive` and `triplet`; the similarity of `ranking`.
        margin: of `contrastive` and `triplet`.
        temperature: of `ranking`.
        order: weight of a second term of `cosine` and `binary`, which is about the order of a batch's pairs; 0: none.
        mining: which pairs or negatives of a batch count: `none` (those given), `semi-hard`, `hard`; or `library`: each
            row gets the nearest sentence of the library that does not belong to it.
        projection: length of the vectors of a layer added after the pooling; 0: none.
        normalize: keep the model's last layer if it scales vectors to length 1; without it, distances and dot products
            are those of free vectors.
        max_length: tokens at which texts are cut; 0: the model's own.
        optimizer: `adamw` or `adam`.
        learning_rate: the highest, after the warm-up.
        head_learning_rate: of head and projection, which are trained from scratch; 0: as `learning_rate`.
        warmup: share of the steps in which the learning rate rises from 0.
        weight_decay: of matrices.
        epochs: how often every row is used.
        batch_size: rows per step.
        accumulation: batches whose gradients make a step.
        clip: maximum length of the gradient.
        averaging: share of the steps over which a moving average of the weights is taken; either it or the last weights
            are kept, whichever is better on the validation rows. 0: no average.
        runs: trainings from the same start, with other orders and dropout. Their weights are averaged: those of a
            training are added to the mean if that gets better on the validation rows.
        words: also learn how the words of two sentences count beside their cosine when they are judged, from five more
            trainings on parts of the rows.
        seed: of order, dropout and new layers.
        validation: share of the rows that are held back to choose the best epoch; 0: none.
        patience: epochs without an improvement after which the training ends; 0: never.
        threshold: from which two sentences are the same; None: the best on the validation rows, or none without them.
        architecture: `siamese`: a vector for each sentence; `cross`: both are read at once.
    """

    objective: Objective = "cosine"
    pooling: str = ""
    concat: str = "u,v,abs(u-v)"
    head: HeadKind = "linear"
    hidden: int = 512
    dropout: float = 0.0
    class_weight: float = 1.0
    distance: Distance = "cosine"
    margin: float = 0.5
    temperature: float = 0.05
    order: float = 0.0
    mining: Mining = "none"
    projection: int = 0
    normalize: bool = True
    max_length: int = 0
    optimizer: OptimizerName = "adamw"
    learning_rate: float = 2e-5
    head_learning_rate: float = 1e-3
    warmup: float = 0.1
    weight_decay: float = 0.01
    epochs: int = 3
    batch_size: int = 32
    accumulation: int = 1
    clip: float = 1.0
    averaging: float = 0.0
    runs: int = 1
    words: bool = False
    seed: int = 42
    validation: float = 0.1
    patience: int = 0
    threshold: float | None = None
    architecture: Architecture = "siamese"


MARGIN_OF_DISTANCE: dict[Distance, float] = {"cosine": 0.2, "euclidean": 1.0, "dot": 0.2}
"""The usual margin of triplets (Sentence-BERT's is 1, Euclidean; unit vectors are 0 to 2 apart by cosine)."""


def with_distance(settings: TrainingSettings, distance: Distance) -> TrainingSettings:
    """Return settings with another distance; a margin with the usual value changes with it."""
    is_usual = settings.objective == "triplet" and settings.margin == MARGIN_OF_DISTANCE[settings.distance]
    margin = MARGIN_OF_DISTANCE[distance] if is_usual else settings.margin
    return replace(settings, distance=distance, margin=margin)


_CROSS_ENCODER_SETTINGS = frozenset({"head_learning_rate", "class_weight"})
_SIAMESE_SETTINGS = frozenset({"pooling", "projection", "normalize"})
_SETTINGS_OF_SOME = _CROSS_ENCODER_SETTINGS.union(*(spec.settings for spec in OBJECTIVES.values()))
"""Settings that only some objectives have, or a cross-encoder; all others belong to every training."""


def is_used(setting: str, settings: TrainingSettings) -> bool:
    """Return whether a setting has an effect on a training with these settings."""
    is_cross = settings.architecture == "cross"
    if setting == "dropout" and is_cross:
        return True  # its layer always has some
    if setting == "head_learning_rate" and settings.projection and not is_cross:
        return True
    if setting == "weight_decay":
        return settings.optimizer != "adam"
    if setting not in _SETTINGS_OF_SOME:
        return not (is_cross and setting in _SIAMESE_SETTINGS)
    if setting not in (_CROSS_ENCODER_SETTINGS if is_cross else OBJECTIVES[settings.objective].settings):
        return False
    without = {"cosine": {"concat", "hidden", "dropout"}, "linear": {"hidden", "dropout"}}.get(settings.head, set())
    return is_cross or setting not in without


def _tr(text: str) -> str:
    """Mark a text of the window for translation."""
    return text


_BINARY = TrainingSettings(
    objective="binary",
    optimizer="adam",
    weight_decay=0.0,
    warmup=0.0,
    head_learning_rate=0.0,
    max_length=32,
    validation=0.2,
    threshold=0.5,
)
PRESETS: dict[str, TrainingSettings] = {
    "nli": TrainingSettings(objective="softmax", learning_rate=2e-5, batch_size=16, epochs=2),
    "similarity": TrainingSettings(objective="cosine", learning_rate=8e-5, batch_size=16, epochs=4, averaging=0.5),
    "cosent": TrainingSettings(objective="cosent", learning_rate=8e-5, averaging=0.5),
    "duplicates": TrainingSettings(objective="binary", head="cosine", learning_rate=6e-5, head_learning_rate=1e-2),
    "marks": TrainingSettings(
        objective="binary", head="cosine", learning_rate=2e-5, head_learning_rate=1e-2, patience=2
    ),
    "contrastive": TrainingSettings(objective="contrastive", mining="hard", margin=0.5, learning_rate=2e-5, epochs=2),
    "triplet": TrainingSettings(
        objective="triplet",
        margin=0.2,
        mining="semi-hard",
        learning_rate=5e-5,
        batch_size=64,
        epochs=2,  # a third one was worse, and of two the first was often the best: the better is kept
        averaging=0.5,
    ),
    "ranking": TrainingSettings(objective="ranking", learning_rate=2e-5, epochs=2),
    "binary-1": replace(_BINARY, pooling="mean", learning_rate=2e-5),
    "binary-2": replace(_BINARY, pooling="cls", head="mlp", learning_rate=1e-5, class_weight=2.0),
    "binary-3": replace(_BINARY, pooling="attention", head="mlp", dropout=0.1, learning_rate=5e-6, class_weight=2.0),
}
"""Settings by name. `binary-1` to `-3` reproduce a published series on Quora's pairs (its batch of 32, 3 epochs)."""

PRESET_TITLES: dict[str, str] = {
    "nli": _tr("Natural language inference"),
    "similarity": _tr("Similarity scores"),
    "cosent": _tr("Similarity scores, order only"),
    "duplicates": _tr("Duplicate questions"),
    "marks": _tr("My ratings"),
    "contrastive": _tr("Similar and dissimilar pairs"),
    "triplet": _tr("Triplets"),
    "ranking": _tr("Matching pairs"),
    "binary-1": _tr("Duplicates: mean, linear head"),
    "binary-2": _tr("Duplicates: first token, hidden layer"),
    "binary-3": _tr("Duplicates: attention, dropout"),
}
"""Names of the presets in the window."""


def default_preset(kind: DataKind, files: Sequence[DataFile]) -> str:
    """Return the preset for data without a chosen objective: that of its kind, or that of pair labels."""
    objective = default_objective(kind)
    if objective == PRESETS["marks"].objective and files and all(file.path == PAIR_LABELS for file in files):
        return "marks"
    return OBJECTIVES[objective].preset
