"""The command `evaluate`: measures models on labelled sentences or a retrieval set."""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from desktop_app.cli.argument_types import as_nonnegative_int
from desktop_app.cli.output import escape_unprintable, list_remarks, print_json, print_line, print_note
from desktop_app.cli.scope_options import refuse_to_overwrite_documents
from desktop_app.cli.sentence_files import refuse_to_overwrite
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.evaluation import TASKS, EvaluationRequest, similarity_that_counts
from desktop_app.core.evaluation_files import flatten_measures, write_evaluated_rows, write_scores
from desktop_app.core.labelled_data import LABEL_SUFFIXES, PAIR_LABELS, DataFile
from desktop_app.core.training_settings import POOLINGS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.score_intervals import ScoreDifference

_MAX_WORST_SHOWN = 5


_THRESHOLD_SOURCES = {"given": "given", "stored": "the model's own", "best": "the best on this data"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "data", metavar="DATA", help="a .tsv, .csv or .jsonl file with a header; for retrieval a folder"
    )
    add_data_options(parser)
    tasks = ", ".join(TASKS)
    parser.add_argument(
        "--task", choices=TASKS, metavar="TASK", help=f"what to measure: {tasks} (default: by the columns)"
    )
    parser.add_argument("--architecture", choices=("siamese", "cross"), help="stop if the model is of the other kind")
    parser.add_argument("--pooling", choices=POOLINGS, help="use this pooling instead of the model's own")
    parser.add_argument(
        "--threshold",
        metavar="T/stored/best",
        help=("similarity from which a pair counts as the same (default: the model's own, else the best on this data)"),
    )
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="MODEL",
        help="evaluate this model as well, and show both side by side; repeatable",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="also write the scores: to .json with curves and largest errors, or to .csv"
    )
    parser.add_argument(
        "--rows",
        metavar="FILE",
        help="write every row with its label, prediction, score and probabilities (.tsv, .csv, .jsonl)",
    )
    parser.add_argument("--earlier", action="store_true", help="list earlier evaluations on this data")
    parser.add_argument(
        "--rerank",
        metavar="MODEL",
        help="for retrieval: also re-rank the top 50 with this cross-encoder (name or folder)",
    )
    parser.add_argument(
        "--worst",
        type=as_nonnegative_int,
        metavar="N",
        help="how many of the largest errors to list (default: 5; with --json none)",
    )


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how labelled data is read."""
    parser.add_argument("--columns", metavar="A,B,SCORE", help="the columns to use, by name or number, in this order")
    parser.add_argument(
        "--score-range",
        metavar="LOW,HIGH",
        help="range of similarity scores (default: 0,5 or 0,1, by the largest score)",
    )


def build_data_file(path: str, options: argparse.Namespace) -> DataFile:
    """Return a data file with the options for reading it.

    Raises:
        UsageError: `--score-range` is not a range.
    """
    columns = tuple(name.strip() for name in options.columns.split(",")) if options.columns else ()
    score_range = None
    if options.score_range:
        try:
            low, high = map(float, options.score_range.replace(":", ",").split(","))
        except ValueError as error:
            raise UsageError(
                "{score_range!r} is not a range", "Write it as LOW,HIGH, such as 0,5.", score_range=options.score_range
            ) from error
        if not low < high:
            raise UsageError(
                "{score_range!r} is not a range",
                "Give the lower end first, such as 0,5.",
                score_range=options.score_range,
            )
        score_range = (low, high)
    return DataFile(path, columns, score_range)


def run(session: CommandSession) -> int:
    """Measure one or more models on a file, and print the measures."""
    options = session.options
    request = EvaluationRequest(
        build_data_file(options.data, options),
        task=options.task,
        architecture=options.architecture,
        pooling=options.pooling or "",
        threshold=options.threshold or "",
        reranker=options.rerank or "",
        worst=options.worst if options.worst is not None else (0 if options.json else _MAX_WORST_SHOWN),
        every_row=bool(options.rows),
    )
    if options.rows:
        if Path(options.rows).suffix.lower() not in LABEL_SUFFIXES:
            raise UsageError(
                "{rows} does not end in .tsv, .csv or .jsonl",
                "Rows are written to .tsv, .csv or .jsonl.",
                rows=options.rows,
            )
        refuse_to_overwrite(options.rows, options.data)
        refuse_to_overwrite_documents(session, options.rows)
    if options.output:
        if Path(options.output).suffix.lower() not in (".json", ".csv"):
            raise UsageError(
                "{output} does not end in .json or .csv", "Scores are written to .json or .csv.", output=options.output
            )
        refuse_to_overwrite(options.output, options.data)
        refuse_to_overwrite_documents(session, options.output)
    if options.rows and options.output and _is_same_file(options.rows, options.output):
        raise UsageError(
            "scores and rows would both be written to {rows}", "Give two different files.", rows=options.rows
        )
    if options.earlier:
        return _print_earlier(session, request.data)
    found = session.wait(session.workspace.evaluation.evaluate(request))
    beside = [replace(request, model=model, compared_with=found.results) for model in options.beside]
    others = [session.wait(session.workspace.evaluation.evaluate(each)) for each in beside]
    if options.output:
        write_scores(
            Path(options.output).expanduser(), [(each.model, each.measures, each) for each in (found, *others)]
        )
    if options.rows:
        write_evaluated_rows(Path(options.rows).expanduser(), [found, *others])
    for text in dict.fromkeys(text for each in (found, *others) for text in each.notes):
        print_note(f"note: {text}")
    if options.json:
        named = [
            {"model": each.model, **_evaluation_json(each), "differences": differences_json(each)} for each in others
        ]
        print_json({**_evaluation_json(found), **({"beside": named} if named else {})})
    else:
        print_evaluation(found)
        if others:
            print_line("")
            _print_side_by_side([(each.model, each.measures) for each in (found, *others)])
            _print_differences(found, others)
    return 0


def _is_same_file(one: str, other: str) -> bool:
    """Return whether two names mean the same file, whether or not it exists."""
    first, second = (os.path.normcase(Path(each).expanduser().resolve()) for each in (one, other))
    return first == second


def _evaluation_json(found: Evaluation) -> dict[str, Any]:
    return {
        **found.measures,
        "task": found.task,
        "worst": worst_pairs_json(found),
        "notes": list(map(str, found.notes)),
        "remarks": list_remarks(found.notes),
    }


def _print_earlier(session: CommandSession, data: DataFile) -> int:
    """Print the stored evaluations on a file."""
    if data.path != PAIR_LABELS and not Path(data.path).expanduser().exists():
        raise NotFound("{path} does not exist", "Check its name.", path=data.path)
    kept = session.wait(session.workspace.evaluation.list_past_evaluations(data))
    if session.options.json:
        facts = ("at", "model", "folder", "data", "task", "pooling", "threshold", "measures")
        print_json({"evaluations": [{name: getattr(each, name) for name in facts} for each in kept]})
        return 0
    if not kept:
        print_line("no evaluations on this data yet")
    for each in kept:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.at))
        print_line(
            f"{day}  {escape_unprintable(each.model)}{f' ({each.pooling})' if each.pooling else ''}"
            f"{format_key_measures(each.measures)}"
        )
    return 0


def _print_side_by_side(named: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Print the measures of several models in columns."""
    flat = [(escape_unprintable(name), flatten_measures(measures)) for name, measures in named]
    widths = [max(len(name), 9) + 2 for name, _ in flat]
    print_line(" " * 24 + "".join(name.rjust(width) for (name, _), width in zip(flat, widths, strict=True)))
    for key in dict.fromkeys(key for _, found in flat for key in found):
        cells = (_format_number(found[key]) if key in found else "" for _, found in flat)
        print_line(f"{key:<24}" + "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))


def differences_json(found: Evaluation) -> dict[str, Any]:
    """Return the differences to the model that an evaluation was compared with, for JSON."""
    return {name: {**asdict(each), "change": each.change} for name, each in found.differences.items()}


def _print_differences(first: Evaluation, others: Sequence[Evaluation]) -> None:
    """Print how far each other model differs from the first."""
    for other in others:
        if other.differences:
            print_line(f"{escape_unprintable(other.model)} against {escape_unprintable(first.model)}:")
        for each in other.differences.values():
            print_line(f"  {format_difference(each)}")


def format_difference(found: ScoreDifference) -> str:
    """Return the difference of a measure between two models in words."""
    name = {"spearman": "Spearman", "f1": "F1"}.get(found.measure, found.measure.replace("_", " "))
    chance = ": may be chance" if found.change == "unclear" else ""
    return (
        f"{name} {found.before:.4f} → {found.after:.4f}, difference {found.after - found.before:+.4f}"
        f" (95% interval {found.low:+.4f} to {found.high:+.4f}{chance})"
    )


def format_key_measures(measures: Mapping[str, Any] | None) -> str:
    """Return the most important measures, after two blanks; an empty text without measures."""
    if not measures:
        return ""
    parts = []
    if "spearman" in measures:
        correlation = measures["spearman"]
        value = correlation[similarity_that_counts(correlation)]
        parts.append("Spearman -" if value is None else f"Spearman {value:.4f}")
    for name in ("accuracy", "f1", "average_precision", "accuracy@1", "mrr@10", "ndcg@10", "recall@100"):
        if name in measures:
            parts.append(f"{name.replace('_', ' ')} {measures[name]:.4f}")
    return "  " + ", ".join(parts)


def print_evaluation(found: Evaluation) -> None:
    """Print an evaluation as text."""
    intervals = cast("dict[str, list[float]]", found.measures.get("intervals", {}))
    for name, value in found.measures.items():
        if name in ("threshold_from", "intervals"):
            continue
        if name == "confusion":
            _print_confusion(value)
        elif isinstance(value, dict):
            shown = ", ".join(f"{key} {_format_number(each)}" for key, each in value.items() if each is not None)
            print_line(f"{name:<18} {shown}{_format_interval(intervals.get(name))}")
        else:
            where = f"  ({_THRESHOLD_SOURCES[str(found.measures['threshold_from'])]})" if name == "threshold" else ""
            print_line(f"{name:<18} {_format_number(value)}{where}{_format_interval(intervals.get(name))}")
    if found.worst:
        print_line("largest errors:")
    for pair in found.worst:
        print_line(f"  line {pair.line}: {pair.expected}, found {pair.found} ({pair.score:.2f})")
        print_line(f"    {pair.a}")
        print_line(f"    {pair.b}")
        if pair.other:
            print_line(f"    more similar: {pair.other}")


def _format_interval(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f"  (95% interval {ends[0]:.4f} to {ends[1]:.4f})"


def worst_pairs_json(found: Evaluation) -> list[dict[str, Any]]:
    """Return the most wrongly judged pairs for JSON."""
    return [
        {"line": p.line, "a": p.a, "b": p.b, "expected": p.expected, "found": p.found, "score": p.score}
        | ({"other": p.other} if p.other else {})
        for p in found.worst
    ]


def _print_confusion(table: Any) -> None:
    names = list(table)
    width = max(map(len, names)) + 2
    print_line("expected \\ found".ljust(width) + "".join(name.rjust(width) for name in names))
    for name in names:
        print_line(name.ljust(width) + "".join(f"{table[name][other]:,}".rjust(width) for other in names))


def _format_number(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
