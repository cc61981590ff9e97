"""The command `evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.cli.output import answer, say
from desktop_app.core.errors import UsageError
from desktop_app.core.training import DataFile, EvaluationRequest

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import Session
    from desktop_app.core.training import Evaluation

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
        worst=options.worst if options.worst is not None else (0 if options.json else _SHOWN_WORST),
    )
    found = session.wait(session.workspace.judging.evaluate(request))
    if options.json:
        answer({**found.measures, "task": found.task, "worst": worst_pairs(found)})
    else:
        say_evaluation(found)
    return 0


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


def worst_pairs(found: Evaluation) -> list[dict[str, Any]]:
    """Return the most wrongly judged pairs, ready for JSON."""
    return [
        {"line": p.line, "a": p.a, "b": p.b, "expected": p.expected, "found": p.found, "score": p.score}
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
