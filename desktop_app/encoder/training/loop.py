"""The fine-tuning loop, as a generator: every yield reports progress and allows a stop.

AdamW (Loshchilov & Hutter 2019) with the learning rate rising linearly in a warm-up and falling linearly to 0 (Devlin
et al. 2019, appendix A.2), gradients clipped to a length. What a step does depends on settings, seed and its number
alone, so a run that was resumed from a checkpoint ends as one that was never disturbed. A moving average of the weights
may be taken beside it: it is judged as the last weights are, and the better of the two is kept.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import math
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.evaluation import Evaluation
from desktop_app.core.jobs import Progress
from desktop_app.core.messages import NOTHING, Message, system_text
from desktop_app.core.training import EpochReport, StepReport, TrainingNotice, TrainingResumed
from desktop_app.core.training_reports import evaluation_from_facts, evaluation_to_facts
from desktop_app.encoder.training.checkpoints import save_checkpoint
from desktop_app.encoder.training.gradients import GradientAccumulator
from desktop_app.encoder.training.optimizer import WeightAverage, make_optimizer, set_learning_rate
from desktop_app.encoder.training.validation import figure_of_merit
from desktop_app.encoder.training.vocabulary import TrimmedVocabulary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.data.dataset import DataSet
    from desktop_app.encoder.tokenizing import TokenIds
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel

_CHECKPOINT_INTERVAL_S = 300.0
_LOOKED_AT = 8  # rows, where none are held back
_WORST_ROWS = 30  # pairs that are listed as the most wrongly judged

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _EvaluatedWeights:
    """Weights after an epoch: how good they are, and whether they are the average."""

    merit: float
    measures: dict[str, Any] | None
    threshold: float | None
    averaged: bool


class TrainingLoop:
    """Trains a model on rows.

    Args:
        model: is changed.
        objective: is trained with it.
        data: rows to learn from.
        validation: rows to choose the best epoch by; None: the last epoch is taken.
        settings: how.
        output: beside which checkpoints are left; None: nowhere.
        facts: of the run; see `save_checkpoint`.
        about: likewise.

    Attributes:
        epochs: what was reported so far.
        before: measures of the validation rows before the first step.
        after: by the weights that were kept.
        threshold: that they gave.
        best_epoch: from 1; 0 before the first.
        step: done so far, of all runs.
        stopped: why it ended early.
        warnings: what a person should know.
        steps_per_s: of the training steps alone.
        judged: the validation rows by the weights that were kept, with the pairs that they judge most wrongly.
        judged_before: likewise before the first step; in a run that was resumed without the pairs.
        averaged: whether the weights that were kept are the average.
        saved_step: the step of the last checkpoint; 0 without one.
        vocabulary: the words that the model knows while it is trained; there once `run` has read the rows.
    """

    vocabulary: TrimmedVocabulary
    _optimizer: torch.optim.Optimizer
    _gradients: GradientAccumulator

    def __init__(
        self,
        model: TrainedModel,
        objective: Objective,
        data: DataSet,
        validation: DataSet | None,
        settings: TrainingSettings,
        output: Path | None = None,
        facts: dict[str, Any] | None = None,
        about: str = "",
    ) -> None:
        self._model, self._objective, self._data = model, objective.to(model.device), data
        self._validation, self._settings = validation, settings
        self._output, self._facts, self._about = output, facts or {}, about
        self._batches = math.ceil(len(data) / settings.batch_size)
        per_epoch = math.ceil(self._batches / settings.accumulation)
        self._total = per_epoch * settings.epochs
        self._parameters: list[nn.Parameter] = []
        self._average: WeightAverage | None = None
        self._state: dict[str, Any] | None = None
        self._best: dict[str, Any] | None = None
        self._merit = -math.inf
        self._worse = 0
        self._epoch, self._place, self._losses = 0, 0, 0.0
        self._seconds = 0.0
        self._steps_here = 0
        self._history: list[float] = []  # loss of each step
        self.epochs: list[EpochReport] = []
        self.before: dict[str, Any] | None = None
        self.after: dict[str, Any] | None = None
        self.threshold: float | None = None
        self.best_epoch = self.step = self.saved_step = 0
        self.stopped = NOTHING
        self.averaged = False
        self.warnings: list[Message] = []
        self.judged: Evaluation | None = None
        self.judged_before: Evaluation | None = None
        self._evaluation: Evaluation | None = None

    @property
    def steps_per_s(self) -> float:
        """Optimizer steps a second in this run, without validation and checkpoints."""
        return self._steps_here / self._seconds if self._seconds else 0.0

    def restore(self, state: dict[str, Any]) -> TrainingResumed:
        """Go on from a checkpoint, once `run` begins; returns what had been reported by then."""
        self._state = state
        self._best, self._merit, self._worse = state["best"], state["merit"], state["worse"]
        self._epoch, self._place, self._losses = state["epoch"], state["place"], state["losses"]
        self.step, self.best_epoch, self.threshold = state["step"], state["best_epoch"], state["threshold"]
        self.saved_step = self.step
        self.judged_before = evaluation_from_facts(state.get("judged_before"))
        self._history = list(state.get("history", ()))
        self.before, self.after, self.averaged = state["before"], state["after"], state["averaged"]
        self.stopped = Message.from_json(state["stopped"])
        self.epochs = [EpochReport(**each) for each in state["epochs"]]
        return TrainingResumed(self._total, tuple(self._history), tuple(self.epochs))

    def run(self) -> Generator[object, None, None]:
        """Train; afterwards the model has the weights of the best epoch.

        Yields:
            StepReport, EpochReport, Notice and Progress.

        Raises:
            AppError: the loss was not a number before there was anything to keep.
            Cancelled: it was stopped; a checkpoint is left if a step was done.
        """
        rows = yield from self._tokenized(self._data)
        held = (yield from self._tokenized(self._validation)) if self._validation is not None else []
        checkpoint = self._model.checkpoint
        pad_id = max(self._model.tokenizer.pad_id, int(checkpoint.config.get("pad_token_id") or 0))
        self.vocabulary = TrimmedVocabulary(self._model.network, pad_id, [*rows, *held])
        try:
            self._begin()
            yield from self._run(self.vocabulary.rows(rows), self.vocabulary.rows(held))
        finally:
            self.vocabulary.widen()

    def _begin(self) -> None:
        """Make what goes with the weights, and put in place what a checkpoint held."""
        self._parameters = [*self._model.network.parameters(), *self._objective.parameters()]
        self._optimizer = make_optimizer(self._model, self._objective, self._settings)
        if self._settings.averaging:
            self._average = WeightAverage(self._parameters, round(self._settings.averaging * self._total))
        state, self._state = self._state, None
        if state is None:
            return
        self._model.network.load_state_dict(state["network"])
        self._objective.load_state_dict(state["objective"])
        self._optimizer.load_state_dict(state["optimizer"])
        if self._average is not None:
            self._average.restore(state["average"], state["step"])

    def _run(self, rows: list[list[Any]], held: list[list[Any]]) -> Generator[object, None, None]:
        if self._validation is not None and self.before is None:
            self.before, _ = yield from self._validate(self._validation, held)
            self.judged_before = self._evaluation
        if self._validation is None:  # only whether anything can be embedded is looked at
            held = [column[:_LOOKED_AT] for column in rows]
        forward = self._model.forward(self._settings.seed)
        self._gradients = GradientAccumulator(self._model, self._objective, self._data, rows, self._settings.seed)
        saved_at = time.monotonic()
        try:
            while self._epoch < self._settings.epochs and not self.stopped:
                for report in self._train_epoch(forward):
                    yield report
                    if time.monotonic() - saved_at > _CHECKPOINT_INTERVAL_S:
                        yield from self._save()
                        saved_at = time.monotonic()
                if not self.stopped:
                    yield from self._end_epoch(held)
                    yield from self._save()
                    saved_at = time.monotonic()
        except (Cancelled, GeneratorExit):
            if self.step:
                list(self._save())
            raise
        finally:
            forward.close()
        self._take_best()
        if self._validation is not None:
            self.judged = yield from self._judge(self._validation, held)

    def _tokenized(self, data: DataSet) -> Generator[object, None, list[list[TokenIds]]]:
        return (yield from _report_steps(self._model.columns(data), "reading"))  # type: ignore[no-any-return]

    def _train_epoch(self, forward: Any) -> Generator[StepReport, None, None]:
        """Do the rest of an epoch's steps."""
        settings = self._settings
        order = np.random.default_rng([settings.seed, self._epoch]).permutation(len(self._data))
        self._objective.train()
        while self._place < self._batches:
            started = time.perf_counter()
            last = min(self._place + settings.accumulation, self._batches)
            count, total = last - self._place, 0.0
            rate = set_learning_rate(self._optimizer, self.step, self._total, settings)
            for place in range(self._place, last):
                chosen = order[place * settings.batch_size : (place + 1) * settings.batch_size]
                total += self._gradient(forward, chosen, place, count) / count
            if not math.isfinite(total):
                self._give_up(
                    Message("the loss was not a number in step {step}", code="loss_not_finite", step=self.step + 1)
                )
                return
            nn.utils.clip_grad_norm_(self._parameters, settings.clip)
            self._optimizer.step()
            self._optimizer.zero_grad()
            if self._average is not None:
                self._average.update()
            self._losses += total * count
            self._place = last
            self.step += 1
            self._history.append(total)
            self._steps_here += 1
            self._seconds += time.perf_counter() - started
            left = (self._total - self.step) / self.steps_per_s
            yield StepReport(self.step, self._total, self._epoch + 1, total, rate, self.steps_per_s, left)

    def _gradient(self, forward: Any, chosen: NDArray[np.int64], place: int, count: int) -> float:
        """Add the gradient of an epoch's batch, one of `count` of a step, and return its loss."""
        return self._gradients.add(forward, chosen, self._epoch * self._batches + place, count)

    def _end_epoch(self, held: list[list[TokenIds]]) -> Generator[object, None, None]:
        found = []
        for averaged in self._candidates():
            with self._weights(averaged=averaged):
                found.append((yield from self._judged(held, averaged=averaged)))
        best = max(found, key=lambda each: each.merit)
        loss = self._losses / self._batches
        # Not before: who stops it while an epoch is judged has it judged anew.
        self._epoch, self._place, self._losses = self._epoch + 1, 0, 0.0
        self.epochs.append(EpochReport(self._epoch, loss, best.measures))
        if not math.isfinite(best.merit):
            self._give_up(
                Message(
                    "weights or vectors were not numbers in epoch {epoch}", code="weights_not_finite", epoch=self._epoch
                )
            )
        elif best.merit > self._merit:
            self._keep(best)
        else:
            self._worse += 1
            if self._settings.patience and self._worse >= self._settings.patience:
                self.stopped = Message("no better epoch in {epochs}", code="stopped_early", epochs=self._worse)
        yield self.epochs[-1]

    def _candidates(self) -> list[bool]:
        """Return which weights of an epoch may be kept: the last ones (False), the average (True)."""
        if self._average is None:
            return [False]
        return [True] if self._validation is None else [False, True]

    def _weights(self, *, averaged: bool) -> contextlib.AbstractContextManager[None]:
        """Have the last weights in place, or the average."""
        return self._average.swap_in() if averaged and self._average is not None else contextlib.nullcontext()

    def _judged(self, held: list[list[TokenIds]], *, averaged: bool) -> Generator[object, None, _EvaluatedWeights]:
        """Return how good the weights are that are in place; those that are no numbers are never the best."""
        if not all(bool(torch.isfinite(each).all()) for each in self._parameters):
            return _EvaluatedWeights(-math.inf, None, None, averaged)
        if self._validation is None:
            vectors = yield from _report_steps(self._model.embed([row for column in held for row in column]), "judging")
            merit = float(self._epoch + 1) if np.isfinite(vectors).all() else -math.inf
            return _EvaluatedWeights(merit, None, None, averaged)
        measures, threshold = yield from self._validate(self._validation, held)
        merit = figure_of_merit(self._validation, measures)
        return _EvaluatedWeights(merit if math.isfinite(merit) else -math.inf, measures, threshold, averaged)

    def _keep(self, best: _EvaluatedWeights) -> None:
        self._merit, self._worse, self.best_epoch = best.merit, 0, self._epoch
        self.after, self.threshold, self.averaged = best.measures, best.threshold, best.averaged
        with self._weights(averaged=best.averaged):
            self._best = {
                "network": copy.deepcopy(self._model.network.state_dict()),
                "objective": copy.deepcopy(self._objective.state_dict()),
            }

    def _validate(
        self, validation: DataSet, columns: list[list[TokenIds]]
    ) -> Generator[object, None, tuple[dict[str, Any], float | None]]:
        """Return (measures, threshold) of the model as it is."""
        rows = [row for column in columns for row in column]
        found = yield from _report_steps(self._model.embed(rows), "judging")
        vectors = list(found.reshape(len(columns), len(validation), -1))
        head = None if self._objective.head is None else copy.deepcopy(self._objective.head).to("cpu")
        if not np.isfinite(found).all():
            self._give_up(Message("the vectors were not numbers", code="vectors_not_finite"))
            return self.after or {}, self.threshold
        given = self._settings.threshold
        threshold = self._model.fit_threshold(validation, vectors, head) if given is None else given
        found = self._model.judge(validation, vectors, head, given, _WORST_ROWS)
        self._evaluation = found if isinstance(found, Evaluation) else None
        measures = found.measures if isinstance(found, Evaluation) else found
        return measures, threshold if validation.kind == "duplicates" else None

    def _judge(self, validation: DataSet, columns: list[list[TokenIds]]) -> Generator[object, None, Evaluation | None]:
        """Return what the weights that were kept make of the validation rows."""
        yield from self._validate(validation, columns)
        return self._evaluation

    def _give_up(self, why: Message) -> None:
        """Stop with what there is.

        Raises:
            AppError: there is nothing yet.
        """
        if not self.best_epoch:
            raise AppError(
                "{why}, before the first epoch was done: nothing is kept", "Try a smaller --learning-rate.", why=why
            )
        self.stopped = why
        self.warnings.append(
            Message(
                "{why}: the training was stopped, and epoch {best_epoch} is kept",
                code="training_ended",
                why=why,
                best_epoch=self.best_epoch,
            )
        )

    def _take_best(self) -> None:
        if self._best is not None:
            self._model.network.load_state_dict(self._best["network"])
            self._objective.load_state_dict(self._best["objective"])

    def _save(self) -> Iterator[TrainingNotice]:
        """Write a checkpoint; the first time that it cannot be written this is told at once."""
        if self._output is None:
            return
        state = {
            "network": self._model.network.state_dict(),
            "objective": self._objective.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "best": self._best,
            "merit": self._merit,
            "worse": self._worse,
            "epoch": self._epoch,
            "place": self._place,
            "losses": self._losses,
            "step": self.step,
            "best_epoch": self.best_epoch,
            "threshold": self.threshold,
            "before": self.before,
            "after": self.after,
            "stopped": self.stopped.to_json() if self.stopped else "",
            "averaged": self.averaged,
            "average": None if self._average is None else self._average.weights,
            "epochs": [asdict(each) for each in self.epochs],
            "history": self._history,
            "judged_before": evaluation_to_facts(self.judged_before),
            "computing": self._model.compute_plan.resumable_settings(),
        }
        try:
            save_checkpoint(self._output, self._facts, state, self._about)
            self.saved_step = self.step
        except OSError as error:
            # The run itself needs no disk; it could only not be resumed. Who is told makes room before it ends.
            log.warning("no checkpoint", exc_info=True)
            told = Message(
                "a checkpoint could not be written ({why}): the training goes on; make room before it ends",
                code="checkpoint_failed",
                why=system_text(error.strerror or error),
            )
            if told not in self.warnings:
                self.warnings.append(told)
                yield TrainingNotice(told)


def _report_steps(steps: Generator[None, None, Any], phase: str) -> Generator[object, None, Any]:
    done = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
        done += 1
        yield Progress(phase)
