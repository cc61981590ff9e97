"""The model card (README.md): reads its languages, and writes the card of a trained model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.encoder.training_notes import TrainingNotes

_MAX_CARD_CHARACTERS = 20_000
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---", re.DOTALL)
_LANGUAGE = re.compile(r"^languages?:[ \t]*(\[[^\]]*\]|[^\n]*)\n?((?:[ \t]*-[ \t]*\S+[ \t]*(?:\n|\Z))*)", re.MULTILINE)
_CODE = re.compile(r"[a-z]{2}(?![a-z])")


def read_card_languages(folder: Path) -> tuple[str, ...]:
    """Return the languages of the model in a folder, with two letters each; empty if its card names none."""
    try:
        text = (folder / "README.md").read_text("utf-8", errors="replace")[:_MAX_CARD_CHARACTERS]
    except OSError:
        return ()
    head = _FRONT_MATTER.match(text.replace("\r\n", "\n"))
    named = _LANGUAGE.search(head[1] + "\n") if head is not None else None
    if named is None:
        return ()
    words = re.findall(r"[\w-]+", f"{named[1]} {named[2]}".lower())
    codes = [word for word in words if word != "-"]
    # "multilingual", or the whole name of a language: no language is known to be missing.
    if any(_CODE.match(code) is None for code in codes):
        return ()
    return tuple(dict.fromkeys(code[:2] for code in codes))


def build_model_card(name: str, base: str, dim: int, max_length: int, notes: TrainingNotes) -> str:
    """Return the text of a model's README.md."""
    lines = [
        "---",
        "library_name: sentence-transformers",
        "pipeline_tag: sentence-similarity" if notes.architecture == "siamese" else "pipeline_tag: text-ranking",
        f"base_model: {base}",
        "---",
        "",
        f"# {name}",
        "",
        f"{base}, fine-tuned with Kindred. "
        + (
            f"Vectors have {dim} numbers; texts are read to {max_length} tokens."
            if notes.architecture == "siamese"
            else f"A cross-encoder: it reads both sentences at once, {max_length} tokens together."
        ),
        "",
        "## Data",
        "",
        "| file | rows | SHA-256 |",
        "|---|---|---|",
        *(f"| {each['name']} | {each['rows']:,} | {each['sha256'][:16]} |" for each in notes.data),
        "",
        "## Settings",
        "",
        "| setting | value |",
        "|---|---|",
        *(f"| {key} | {value} |" for key, value in notes.settings.items()),
        "",
        "## Scores on the validation rows",
        "",
    ]
    before, after = (_flatten_measures(notes.scores.get(key) or {}) for key in ("before", "after"))
    if after:
        lines += ["| | before | after |", "|---|---|---|"]
        lines += [
            f"| {key} | {_format_measure(before.get(key))} | {_format_measure(value)} |" for key, value in after.items()
        ]
    else:
        lines.append("There were no validation rows.")
    if notes.threshold is not None:
        of = " (a probability from cosine and words, by Kindred)" if notes.settings.get("words") else ""
        lines += ["", f"Match threshold: {notes.threshold:.4f}{of}."]
    name = "SentenceTransformer" if notes.architecture == "siamese" else "CrossEncoder"
    lines += ["", "## Use", "", "```python", f"from sentence_transformers import {name}", ""]
    return "\n".join([*lines, f"model = {name}(folder)", "```", ""])


def _flatten_measures(measures: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in measures.items():
        if key == "confusion":
            continue
        if isinstance(value, dict):
            name = "95% interval" if key == "intervals" else key
            flat |= {f"{name} ({part})": each for part, each in value.items()}
        else:
            flat[key] = value
    return flat


def _format_measure(value: object) -> str:
    if isinstance(value, list):
        return " to ".join(map(_format_measure, value))
    return f"{value:.4f}" if isinstance(value, float) else "-" if value is None else str(value)
