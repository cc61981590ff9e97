"""Variants: a model folder that refers to another model, with other prompts or maximum length.

Early E5 and BGE models publish no prompts and give poor vectors without them. What is set is kept in the program's own
folder, as a folder that holds one small file and names the model that it is made of; that one's folder is never
touched. Whoever is given such a folder loads it as any other model.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.models import ModelChanges
from desktop_app.encoder.models.bundled import bundled_model_folder
from desktop_app.encoder.models.model_files import JsonFields, is_file

if TYPE_CHECKING:
    from desktop_app.encoder.checkpoint import Checkpoint

VARIANT_FILE = "adapted_model.json"
MIN_VARIANT_TOKENS = 8
_MAX_PROMPT_CHARACTERS = 1000


def write_variant(folder: Path, base: str, changes: ModelChanges) -> None:
    """Make the folder of an adapted model; `base` is a model's folder, empty for the bundled one's, wherever it is."""
    folder.mkdir(parents=True)
    facts = {"version": 1, "base": base, **asdict(changes)}
    (folder / VARIANT_FILE).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")


def read_variant(folder: Path) -> tuple[str, ModelChanges] | None:
    """Return (base, changes) of an adapted model; None where `folder` holds a model of its own.

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
    """Return the folder that an adapted model is made of."""
    return Path(base) if base else bundled_model_folder()


def apply_variant(checkpoint: Checkpoint, folder: Path, changes: ModelChanges) -> Checkpoint:
    """Return what a model's folder says, with what a person set in `folder`.

    Raises:
        UsageError: the model cannot be so.
    """
    prompts = {**checkpoint.prompts}
    for name, prompt in (("query", changes.query_prompt), ("document", changes.passage_prompt)):
        if prompt is None:
            continue
        if checkpoint.is_cross and prompt:
            raise UsageError(f"{checkpoint.name} is a cross-encoder, and takes no prompts", "Leave them away.")
        if len(prompt) > _MAX_PROMPT_CHARACTERS:
            raise UsageError(f"a prompt has at most {_MAX_PROMPT_CHARACTERS} characters", "Give a shorter one.")
        prompts[name] = prompt
    length = changes.max_length
    if length is not None and not MIN_VARIANT_TOKENS <= length <= checkpoint.longest:
        raise UsageError(
            f"{checkpoint.name} reads from {MIN_VARIANT_TOKENS} to {checkpoint.longest} tokens of a text, not {length}",
            "Choose a length in between.",
        )
    return replace(checkpoint, prompts=prompts, max_length=length or checkpoint.max_length, listed=folder)
