"""The notes that a training saves in a model's folder: threshold, settings and scores. Read without torch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_app.encoder.models.model_files import read_json

if TYPE_CHECKING:
    from pathlib import Path

NOTES_FILE = "kindred.json"


@dataclass(frozen=True, slots=True)
class TrainingNotes:
    """The facts about a model that was trained here.

    Attributes:
        architecture: `siamese` or `cross`.
        threshold: the score from which two sentences are the same: the cosine, or the probability of a head, a word
            judge (`words` in the settings) or a cross-encoder. It was fitted on the training's validation rows, or
            without these on the parts that a word judge learnt from; None if there were none of that kind.
        settings: the training's settings.
        data: names, rows and hashes of its files.
        scores: measures `before` and `after` the training.
    """

    architecture: str = "siamese"
    threshold: float | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    data: list[dict[str, Any]] = field(default_factory=list)
    scores: dict[str, Any] = field(default_factory=dict)


def read_training_notes(folder: Path) -> TrainingNotes:
    """Return a model's notes; empty ones if it has none.

    Raises:
        ModelMissing: they cannot be read.
    """
    facts = read_json(folder / NOTES_FILE)
    return TrainingNotes(**{name: facts[name] for name in TrainingNotes.__dataclass_fields__ if name in facts})


def write_training_notes(notes: TrainingNotes, folder: Path) -> None:
    """Write a model's notes into its folder."""
    (folder / NOTES_FILE).write_text(json.dumps(asdict(notes), indent=2, ensure_ascii=False) + "\n", "utf-8")
