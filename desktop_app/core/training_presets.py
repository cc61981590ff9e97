"""Named training settings that suit an objective and its data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.labelled_data import PAIR_LABELS
from desktop_app.core.objectives import OBJECTIVES, default_objective
from desktop_app.core.training_settings import TrainingSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.labelled_data import DataFile, DataKind


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
    "duplicates": _tr("Duplicate questions"),
    "marks": _tr("My marks"),
    "contrastive": _tr("Near and far pairs"),
    "triplet": _tr("Triplets"),
    "ranking": _tr("Pairs that belong together"),
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
