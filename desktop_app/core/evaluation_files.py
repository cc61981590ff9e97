"""Writes evaluation scores to files: CSV with measures side by side, or JSON with all details."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.escaping import CsvWriter
from desktop_app.core.labelled_data import write_labelled_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from desktop_app.core.evaluation import Evaluation

    Named = Sequence[tuple[str, Mapping[str, object], Evaluation | None]]


def _facts(found: Evaluation) -> dict[str, object]:
    facts = asdict(replace(found, rows=(), notes=(), results=None)) | {"notes": list(map(str, found.notes))}
    del facts["results"]  # the numbers of every row are in the file of `write_evaluated_rows`
    return facts


def flatten_measures(measures: Mapping[str, object]) -> dict[str, float]:
    """Return the numbers among measures, nested ones as `spearman, cosine`; counts and tables are left out."""
    flat: dict[str, float] = {}
    for key, value in measures.items():
        if isinstance(value, dict) and key != "confusion":
            flat |= {f"{key}, {part}": each for part, each in value.items() if isinstance(each, float)}
        elif isinstance(value, float):
            flat[key] = value
    return flat


def write_evaluated_rows(file: Path, found: Sequence[Evaluation]) -> None:
    """Write every row of evaluations of the same data: model, line, sentences, label, result, score, classes.

    Raises:
        StorageFull: it cannot be written.
    """
    names = {"triplets": ("anchor", "positive", "negative"), "pairs": ("anchor", "positive")}
    texts = names.get(found[0].task, ("sentence1", "sentence2"))
    classes = list(dict.fromkeys(name for each in found for row in each.rows for name in row.probabilities))
    columns = ("model", "line", *texts, "label", "found", "score", *(f"probability_{name}" for name in classes))
    write_labelled_rows(
        str(file),
        columns,
        (
            (
                each.model,
                row.line,
                *row.texts,
                row.expected,
                row.found,
                round(row.score, 6),
                *(round(row.probabilities[name], 6) if name in row.probabilities else "" for name in classes),
            )
            for each in found
            for row in each.rows
        ),
    )


def write_scores(file: Path, named: Named, flat: Callable[..., dict[str, float]] = flatten_measures) -> None:
    """Write evaluations as (model, measures, evaluation or None): CSV if the file is named so, else JSON.

    Raises:
        StorageFull: it cannot be written.
    """
    with open_atomic_text(str(file)) as out:
        if file.suffix.lower() == ".csv":
            columns = [(name, flat(found)) for name, found, _ in named]
            table = CsvWriter(out)
            table.write_row(["measure", *(name for name, _ in columns)])
            for key in dict.fromkeys(key for _, found in columns for key in found):
                table.write_row([key, *(found.get(key, "") for _, found in columns)])
        else:
            whole = [
                {**(_facts(each) if each is not None else {"measures": dict(found)}), "model": name}
                for name, found, each in named
            ]
            out.write(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
