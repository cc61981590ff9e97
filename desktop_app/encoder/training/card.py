"""A trained model's card: what it was trained on, how, and what came of it. Markdown for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_app.encoder.notes import Notes


def model_card(name: str, base: str, dim: int, max_length: int, notes: Notes) -> str:
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
        "## Scores on the rows that were held back",
        "",
    ]
    before, after = (_flat(notes.scores.get(key) or {}) for key in ("before", "after"))
    if after:
        lines += ["| | before | after |", "|---|---|---|"]
        lines += [f"| {key} | {_shown(before.get(key))} | {_shown(value)} |" for key, value in after.items()]
    else:
        lines.append("No rows were held back.")
    if notes.threshold is not None:
        lines += ["", f"Two sentences are called the same from {notes.threshold:.4f}."]
    name = "SentenceTransformer" if notes.architecture == "siamese" else "CrossEncoder"
    lines += ["", "## Use", "", "```python", f"from sentence_transformers import {name}", ""]
    return "\n".join([*lines, f"model = {name}(folder)", "```", ""])


def _flat(measures: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in measures.items():
        if key == "confusion":
            continue
        if isinstance(value, dict):
            flat |= {f"{key} ({part})": each for part, each in value.items()}
        else:
            flat[key] = value
    return flat


def _shown(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "-" if value is None else str(value)
