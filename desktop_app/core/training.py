"""Requests, progress reports and results of trainings, as plain values that cross processes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.evaluation import KEY_MEASURES, CurvePoints, Evaluation
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.score_intervals import RowResults, ScoreDifference

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training_settings import TrainingSettings

_SUFFIX = ".report.json"

MinedNegatives = dict[tuple[str, str], str]
"""A negative for each (anchor, positive) that has one."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """A training.

    Attributes:
        data: files of one kind, whose rows are joined.
        output: the folder of the trained model; must not exist yet.
        settings: the training settings.
        model: the model to start from: name or folder; empty for the bundled model.
        validation_file: rows to choose the best epoch by, in place of a share of `data`.
        resume: continue from the checkpoint next to `output`, if there is one.
        device: as the encoder takes it.
        precision: of the products; `auto`: bf16 where the machine is fast at it.
        threads: to compute with; 0 for all cores.
        gentle: leave a core free for other work on the machine.
        negatives: a file of `write_negatives`, mined in the library; empty: none.
    """

    data: tuple[DataFile, ...]
    output: str
    settings: TrainingSettings
    model: str = ""
    validation_file: DataFile | None = None
    resume: bool = False
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    gentle: bool = False
    negatives: str = ""


@dataclass(frozen=True, slots=True)
class NegativesRequest:
    """What to mine negatives for.

    Attributes:
        pairs: anchor and positive of every training row, each pair once.
        held: texts of the validation rows, which must not be learnt from.
    """

    pairs: tuple[tuple[str, str], ...]
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StageStarted:
    """One of several stages begins: its number from 1, the total; `alone`: the last stage without the others."""

    number: int
    stages: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step of a training: its number from 1, the total, loss and speed."""

    step: int
    steps: int
    epoch: int
    loss: float
    steps_per_s: float
    remaining_s: float | None


@dataclass(frozen=True, slots=True)
class EpochReport:
    """An epoch: its number from 1, mean loss, and measures of the validation rows (None without any)."""

    epoch: int
    loss: float
    validation: dict[str, object] | None


@dataclass(frozen=True, slots=True)
class TrainingResumed:
    """A training continues from a checkpoint: what it had reported so far.

    Attributes:
        steps: the total number of steps.
        losses: of each completed step, as far as they are known.
        epochs: the completed epochs.
    """

    steps: int
    losses: tuple[float, ...]
    epochs: tuple[EpochReport, ...]


@dataclass(frozen=True, slots=True)
class TrainingNotice:
    """A message about a running training; a warning is in its report too."""

    text: Message


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The result of a training.

    Attributes:
        output: the model's folder.
        epochs: in order, those of a resumed earlier run included.
        before: measures of the validation rows by the original model; None without such rows.
        after: by the weights of the best epoch.
        best_epoch: from 1; the one that was saved. 0: the original model's weights were saved, as no epoch was as good.
        threshold: the one stored with the model.
        rows: for training; `validation_rows` to choose the epoch; `left_out`: shared a sentence with those.
        seconds: of this run.
        steps_per_s: of the training steps only.
        resumed_at: the step at which this run began.
        stopped: why it ended before its last epoch; empty otherwise.
        warnings: for the person.
        judged: the validation rows by the weights of the best epoch, with the worst judged pairs, curves, and the
            differences to the original model; None without such rows.
        judged_before: likewise by the original model; without the pairs if the run was resumed.
        averaged: whether the average of the weights was saved rather than the last ones.
        combined: number of runs whose weights were averaged for the saved ones.
    """

    output: str
    epochs: tuple[EpochReport, ...]
    before: dict[str, object] | None
    after: dict[str, object] | None
    best_epoch: int
    threshold: float | None
    rows: int
    validation_rows: int
    left_out: int
    seconds: float
    steps_per_s: float
    resumed_at: int = 0
    stopped: Message = NOTHING
    warnings: tuple[Message, ...] = ()
    judged: Evaluation | None = None
    judged_before: Evaluation | None = None
    averaged: bool = False
    combined: int = 1

    @property
    def difference(self) -> ScoreDifference | None:
        """The difference of the measure by which epochs are compared; None if nothing was held back to measure it."""
        return None if self.judged is None else self.judged.differences.get(KEY_MEASURES[self.judged.task])


@dataclass(frozen=True, slots=True)
class UnfinishedTraining:
    """A training that was stopped or interrupted, and left a checkpoint.

    Attributes:
        request: the original request; of several stages the last one.
        stopped_at: when its last checkpoint was written, seconds since 1970.
        stages: all stages in order, if there are several; else empty.
        alone: whether the last stage is also trained without the others.
    """

    request: TrainingRequest
    stopped_at: float
    stages: tuple[TrainingRequest, ...] = ()
    alone: bool = False


def write_report(output: Path, report: TrainingReport) -> None:
    """Write the report of the training of `output`, next to it and without sentences of the data.

    Raises:
        OSError: it cannot be written.
    """
    without_evaluations = replace(report, judged=None, judged_before=None)
    facts = asdict(without_evaluations) | {
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
    results = facts.get("results")  # older checkpoints have none
    if results is not None:
        means = {name: tuple(values) for name, values in results["means"].items()}
        numbers = {name: tuple(results[name]) for name in ("labels", "scores", "called_same")}
        results = RowResults(results["task"], results["rows"], **numbers, means=means)
    return Evaluation(
        facts["task"],
        facts["measures"],
        curves=curves,
        model=facts["model"],
        folder=facts["folder"],
        results=results,
        differences={name: ScoreDifference(**each) for name, each in facts.get("differences", {}).items()},
    )


def _report_file(output: Path) -> Path:
    return output.with_name(output.name + _SUFFIX)


def write_negatives(file: Path, found: Mapping[tuple[str, str], str]) -> None:
    """Write mined negatives, passed from the process that holds the library to another.

    The file contains sentences of documents: it belongs into a temporary folder that is deleted after the training.

    Raises:
        OSError: it cannot be written.
    """
    lines = (json.dumps([*pair, negative], ensure_ascii=False) for pair, negative in found.items())
    # A lone surrogate, which a damaged file may contain, is not valid UTF-8.
    file.write_text("\n".join(lines), "utf-8", errors="surrogatepass")


def read_negatives(file: Path) -> MinedNegatives:
    """Return what `write_negatives` wrote."""
    found: MinedNegatives = {}
    # Split only at the line ends that were written: a sentence may contain others.
    for line in file.read_text("utf-8", errors="surrogatepass").split("\n"):
        if line:
            anchor, positive, negative = json.loads(line)
            found[anchor, positive] = negative
    return found
