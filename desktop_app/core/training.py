"""Requests, progress reports and results of trainings, as plain values that cross processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training_settings import TrainingSettings


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """A training.

    Attributes:
        data: files of one kind, whose rows are joined.
        output: the folder of the trained model; nothing may be there yet.
        settings: how.
        model: what to begin with: name or folder; empty for the bundled model.
        validation_file: rows to choose the best epoch by, in place of a share of `data`.
        resume: go on from the checkpoint beside `output`, if there is one.
        device: as the encoder takes it.
        precision: of the products; `auto`: bf16 where the machine is quick in it.
        threads: that compute; 0 for all cores.
        gentle: leave a core to others: somebody works at the machine.
        negatives: a file of `core.negatives`, gathered from the library; empty: none were.
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
    """What negatives are wanted for.

    Attributes:
        pairs: anchor and positive of every training row, each pair once.
        held: texts of the validation rows: nothing of them may be learnt from.
    """

    pairs: tuple[tuple[str, str], ...]
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StageStarted:
    """One of several trainings begins: its number from 1, of how many; `alone`: the last one without the others."""

    number: int
    stages: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step of a training: its number from 1, of how many, loss, learning rate and pace."""

    step: int
    steps: int
    epoch: int
    loss: float
    learning_rate: float
    steps_per_s: float
    remaining_s: float | None


@dataclass(frozen=True, slots=True)
class EpochReport:
    """An epoch of a training: its number from 1, mean loss, and measures of the validation rows (None without any)."""

    epoch: int
    loss: float
    validation: dict[str, object] | None


@dataclass(frozen=True, slots=True)
class TrainingResumed:
    """A training goes on from a checkpoint: what it had reported by then.

    Attributes:
        steps: how many it has in all.
        losses: of each step that was done, as far as they are known.
        epochs: that were done.
    """

    steps: int
    losses: tuple[float, ...]
    epochs: tuple[EpochReport, ...]


@dataclass(frozen=True, slots=True)
class TrainingNotice:
    """Something of a training that a person should know while it runs; what is a warning stands in its report too."""

    text: str


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What came of a training.

    Attributes:
        output: the model's folder.
        epochs: in order, those of an earlier run that was resumed too.
        before: measures of the validation rows by the model as it was; None without such rows.
        after: by the model that was saved.
        best_epoch: from 1; the one that was saved.
        threshold: that was stored with the model.
        rows: for training; `validation_rows` to choose the epoch; `left_out`: shared a sentence with those.
        seconds: of this run.
        steps_per_s: of the training steps alone.
        resumed_at: the step that this run began at.
        stopped: why it ended before its last epoch; empty otherwise.
        warnings: what a person should know.
        judged: the validation rows by the model that was saved, with the pairs that it judges most wrongly and its
            curves; None without such rows.
        judged_before: likewise by the model as it was; of a run that was resumed without the pairs.
        averaged: whether the average of the weights was saved rather than the last ones.
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
    stopped: str = ""
    warnings: tuple[str, ...] = ()
    judged: Evaluation | None = None
    judged_before: Evaluation | None = None
    averaged: bool = False


@dataclass(frozen=True, slots=True)
class UnfinishedTraining:
    """A training that was stopped, or broken off, and left a checkpoint.

    Attributes:
        request: as it was asked for; of several stages the last one.
        stopped_at: when its last checkpoint was written, seconds since 1970.
        stages: of one training after another all of them, in order; else none.
        alone: whether the last of them is trained without the others too.
    """

    request: TrainingRequest
    stopped_at: float
    stages: tuple[TrainingRequest, ...] = ()
    alone: bool = False
