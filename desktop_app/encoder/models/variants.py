"""Variants: a model folder that refers to another model, with other prompts or maximum length.

Early E5 and BGE models publish no prompts and give poor vectors without them. A variant is a folder in the program's
own folder, with one small file that names the base model; the base model's folder never changes. A variant is loaded
like any other model.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from desktop_app.core.models import ModelChanges
from desktop_app.encoder.models.bundled import bundled_model_folder
from desktop_app.encoder.models.model_files import JsonFields, is_file

VARIANT_FILE = "adapted_model.json"


def write_variant(folder: Path, base: str, changes: ModelChanges) -> None:
    """Write the folder of a variant; `base` is a model's folder, or empty for the bundled model, wherever that is."""
    folder.mkdir(parents=True)
    facts = {"version": 1, "base": base, **asdict(changes)}
    (folder / VARIANT_FILE).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")


def read_variant(folder: Path) -> tuple[str, ModelChanges] | None:
    """Return (base, changes) of a variant; None if `folder` is a complete model.

    Raises:
        ModelMissing: the file cannot be read.
    """
    if not is_file(folder / VARIANT_FILE):
        return None
    facts = JsonFields(folder / VARIANT_FILE)
    prompts = {
        name: facts.text(name) if facts.values.get(name) is not None else None
        for name in ("query_prompt", "passage_prompt")
    }
    return facts.text("base"), ModelChanges(**prompts, max_length=facts.number("max_length"))


def variant_base_folder(base: str) -> Path:
    """Return the folder of a variant's base model."""
    return Path(base) if base else bundled_model_folder()
