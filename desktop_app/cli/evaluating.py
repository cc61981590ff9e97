"""The command `evaluate`."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.cli.files import refuse_to_overwrite
from desktop_app.cli.output import answer, note, say, shown
from desktop_app.core.errors import NotFound, StorageFull, UsageError
from desktop_app.core.evaluations import EvaluationRequest
from desktop_app.core.labelled_data import MARKS, DataFile
from desktop_app.core.pair_files import MARK_SUFFIXES
from desktop_app.core.score_files import flat_measures, write_judged_rows, write_scores

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from desktop_app.cli.session import Session
    from desktop_app.core.evaluations import Evaluation

_SHOWN_WORST = 5
_FROM = {"given": "as given", "stored": "the model's own", "best": "the best on this file"}


def data_file(path: str, options: argparse.Namespace) -> DataFile:
    """Return a file with how it is to be read.

    Raises:
        UsageError: `--score-range` is no range.
    """
    columns = tuple(name.strip() for name in options.columns.split(",")) if options.columns else ()
    score_range = None
    if options.score_range:
        try:
            low, high = map(float, options.score_range.replace(":", ",").split(","))
        except ValueError as error:
            raise UsageError(f"{options.score_range!r} is no range", "Write it like 0,5.") from error
        if not low < high:
            raise UsageError(f"{options.score_range!r} is no range", "Name the lower end first, like 0,5.")
        score_range = (low, high)
    return DataFile(path, columns, score_range)


def evaluate(session: Session) -> int:
    """Say how good a model is on a file."""
    options = session.options
    request = EvaluationRequest(
        data_file(options.data, options),
        task=options.task,
        architecture=options.architecture,
        pooling=options.pooling or "",
        threshold=options.threshold or "",
        reranker=options.rerank or "",
        worst=options.worst if options.worst is not None else (0 if options.json else _SHOWN_WORST),
        every_row=bool(options.rows),
    )
    if options.rows:
        if Path(options.rows).suffix.lower() not in MARK_SUFFIXES:
            raise UsageError(f"{options.rows} is no kind of file for rows", "They are written to .tsv, .csv or .jsonl.")
        refuse_to_overwrite(options.rows, options.data)
    if options.output:
        if Path(options.output).suffix.lower() not in (".json", ".csv"):
            raise UsageError(f"{options.output} is no kind of file for scores", "They are written to .json or .csv.")
        refuse_to_overwrite(options.output, options.data)
    if options.rows and options.output and _is_same_place(options.rows, options.output):
        raise UsageError(f"scores and rows would both be written to {options.rows}", "Name two files.")
    if options.earlier:
        return _say_earlier(session, request.data)
    found, *others = (
        session.wait(session.workspace.judging.evaluate(each))
        for each in (request, *(replace(request, model=model) for model in options.beside))
    )
    if options.output:
        try:
            named = [(each.model, each.measures, each) for each in (found, *others)]
            write_scores(Path(options.output).expanduser(), named)
        except OSError as error:
            raise StorageFull(
                f"{options.output} cannot be written: {error.strerror or error}", "Choose another place."
            ) from error
    if options.rows:
        write_judged_rows(Path(options.rows).expanduser(), [found, *others])
    for text in dict.fromkeys(text for each in (found, *others) for text in each.notes):
        note(f"note: {text}")
    if options.json:
        beside = {"beside": [{"model": each.model, **_facts(each)} for each in others]} if others else {}
        answer({**_facts(found), **beside})
    else:
        say_evaluation(found)
        if others:
            say("")
            _say_side_by_side([(each.model, each.measures) for each in (found, *others)])
    return 0


def _is_same_place(one: str, other: str) -> bool:
    """Return whether two names are of one file, be it there or not."""
    first, second = (os.path.normcase(Path(each).expanduser().resolve()) for each in (one, other))
    return first == second


def _facts(found: Evaluation) -> dict[str, Any]:
    return {**found.measures, "task": found.task, "worst": worst_pairs(found), "notes": list(found.notes)}


def _say_earlier(session: Session, data: DataFile) -> int:
    """List the evaluations on some data that are kept."""
    if data.path != MARKS and not Path(data.path).expanduser().exists():
        raise NotFound(f"{data.path} is not there", "Check its name.")
    kept = session.wait(session.workspace.judging.kept(data))
    if session.options.json:
        facts = ("at", "model", "folder", "data", "task", "pooling", "threshold", "measures")
        answer({"evaluations": [{name: getattr(each, name) for name in facts} for each in kept]})
        return 0
    if not kept:
        say("nothing was measured on this data yet")
    for each in kept:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.at))
        say(f"{day}  {shown(each.model)}{f' ({each.pooling})' if each.pooling else ''}{key_measures(each.measures)}")
    return 0


def _say_side_by_side(named: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Write the scores of several models in columns."""
    flat = [(shown(name), flat_measures(measures)) for name, measures in named]
    widths = [max(len(name), 9) + 2 for name, _ in flat]
    say(" " * 24 + "".join(name.rjust(width) for (name, _), width in zip(flat, widths, strict=True)))
    for key in dict.fromkeys(key for _, found in flat for key in found):
        cells = (_number(found[key]) if key in found else "" for _, found in flat)
        say(f"{key:<24}" + "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))


def key_measures(measures: Mapping[str, Any] | None) -> str:
    """Return what matters most of some measures, after two blanks; nothing for none."""
    if not measures:
        return ""
    parts = []
    if "spearman" in measures:
        correlation = measures["spearman"]
        value = correlation.get("score", correlation["cosine"])
        parts.append("Spearman -" if value is None else f"Spearman {value:.4f}")
    for name in ("accuracy", "f1", "average_precision", "accuracy@1", "mrr@10", "ndcg@10", "recall@100"):
        if name in measures:
            parts.append(f"{name.replace('_', ' ')} {measures[name]:.4f}")
    return "  " + ", ".join(parts)


def say_evaluation(found: Evaluation) -> None:
    """Write an evaluation for people."""
    for name, value in found.measures.items():
        if name == "threshold_from":
            continue
        if name == "confusion":
            _say_confusion(value)
        elif isinstance(value, dict):
            shown = ", ".join(f"{key} {_number(each)}" for key, each in value.items() if each is not None)
            say(f"{name:<18} {shown}")
        else:
            where = f"  ({_FROM[str(found.measures['threshold_from'])]})" if name == "threshold" else ""
            say(f"{name:<18} {_number(value)}{where}")
    if found.worst:
        say("judged most wrongly:")
    for pair in found.worst:
        say(f"  line {pair.line}: {pair.expected}, found {pair.found} ({pair.score:.2f})")
        say(f"    {pair.a}")
        say(f"    {pair.b}")
        if pair.other:
            say(f"    nearer: {pair.other}")


def worst_pairs(found: Evaluation) -> list[dict[str, Any]]:
    """Return the most wrongly judged pairs, ready for JSON."""
    return [
        {"line": p.line, "a": p.a, "b": p.b, "expected": p.expected, "found": p.found, "score": p.score}
        | ({"other": p.other} if p.other else {})
        for p in found.worst
    ]


def _say_confusion(table: Any) -> None:
    names = list(table)
    width = max(map(len, names)) + 2
    say("is \\ called".ljust(width) + "".join(name.rjust(width) for name in names))
    for name in names:
        say(name.ljust(width) + "".join(f"{table[name][other]:,}".rjust(width) for other in names))


def _number(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
