"""Requests, progress reports and results of trainings, as plain values that cross processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training_settings import TrainingSettings


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
        gentle: leave a core free: somebody works at the machine.
        negatives: a file of `core.mined_negatives`, mined in the library; empty: none.
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
    """A step of a training: its number from 1, the total, loss, learning rate and speed."""

    step: int
    steps: int
    epoch: int
    loss: float
    learning_rate: float
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
        after: by the saved model.
        best_epoch: from 1; the one that was saved.
        threshold: the one stored with the model.
        rows: for training; `validation_rows` to choose the epoch; `left_out`: shared a sentence with those.
        seconds: of this run.
        steps_per_s: of the training steps only.
        resumed_at: the step at which this run began.
        stopped: why it ended before its last epoch; empty otherwise.
        warnings: for the person.
        judged: the validation rows by the saved model, with its worst judged pairs and its curves; None without such
            rows.
        judged_before: likewise by the original model; without the pairs if the run was resumed.
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
    stopped: Message = NOTHING
    warnings: tuple[Message, ...] = ()
    judged: Evaluation | None = None
    judged_before: Evaluation | None = None
    averaged: bool = False


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
