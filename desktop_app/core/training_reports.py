"""Stores the report of a training next to its model, without sentences of the data."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.evaluation import CurvePoints, Evaluation
from desktop_app.core.messages import Message
from desktop_app.core.training import EpochReport, TrainingReport

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX = ".report.json"


def write_report(output: Path, report: TrainingReport) -> None:
    """Write the report of the training of `output`, next to it.

    Raises:
        OSError: it cannot be written.
    """
    bare = replace(report, judged=None, judged_before=None)
    facts = asdict(bare) | {
        "judged": evaluation_to_facts(report.judged),
        "judged_before": evaluation_to_facts(report.judged_before),
    }
    _report_file(output).write_text(json.dumps(facts, ensure_ascii=False), "utf-8")


def read_report(output: Path) -> TrainingReport | None:
    """Return the report of the training of `output`; None if it is missing or unreadable."""
    try:
        facts = json.loads(_report_file(output).read_text("utf-8"))
        facts["epochs"] = tuple(EpochReport(**each) for each in facts["epochs"])
        facts["warnings"] = tuple(map(Message.from_json, facts["warnings"]))
        facts["stopped"] = Message.from_json(facts["stopped"])
        for name in ("judged", "judged_before"):
            facts[name] = evaluation_from_facts(facts[name])
        return TrainingReport(**facts)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def evaluation_to_facts(found: Evaluation | None) -> dict[str, Any] | None:
    """Return an evaluation as plain values, without the pairs: they may be sentences of a person's documents."""
    return None if found is None else asdict(replace(found, worst=(), rows=()))


def evaluation_from_facts(facts: dict[str, Any] | None) -> Evaluation | None:
    """Return the evaluation that `evaluation_to_facts` was given.

    Raises:
        TypeError, KeyError, AttributeError: the values are not an evaluation.
    """
    if facts is None:
        return None
    curves = {name: CurvePoints(tuple(each["x"]), tuple(each["y"])) for name, each in facts["curves"].items()}
    return Evaluation(facts["task"], facts["measures"], curves=curves, model=facts["model"], folder=facts["folder"])


def _report_file(output: Path) -> Path:
    return output.with_name(output.name + _SUFFIX)
