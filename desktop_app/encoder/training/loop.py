"""The fine-tuning loop, as a generator: every yield reports progress and allows a stop.

AdamW (Loshchilov & Hutter 2019). The learning rate rises linearly in a warm-up and falls linearly to 0 (Devlin et al.
2019, appendix A.2); gradients are clipped to a length. A step depends only on settings, seed and its number, so a run
that was resumed from a checkpoint ends like an uninterrupted one. The loop can also keep a moving average of the
weights: it is evaluated like the last weights, and the better of the two is kept. So are the weights that the training
began with, if the validation rows say that no epoch is as good.

Several runs from the same start end in different places, and the mean of their weights is often better than each
(Wortsman et al. 2022, "Model soups"): beginning with the best run, the weights of another are added to the mean if the
validation rows say that it gets better.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import logging
import math
import time
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.jobs import Progress, map_steps
from desktop_app.core.messages import NOTHING, Message, system_text
from desktop_app.core.score_intervals import compare_results
from desktop_app.core.training import (
    EpochReport,
    StepReport,
    TrainingNotice,
    TrainingResumed,
    evaluation_from_facts,
    evaluation_to_facts,
)
from desktop_app.encoder.evaluation.evaluators import add_intervals
from desktop_app.encoder.training.checkpoints import save_checkpoint
from desktop_app.encoder.training.gradients import GradientAccumulator
from desktop_app.encoder.training.trained_model import new_parameters
from desktop_app.encoder.training.trimmed_vocabulary import TrimmedVocabulary
from desktop_app.encoder.training.validation import figure_of_merit

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.tokenizing import TokenIds
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel
    from desktop_app.encoder.word_judge import WordJudge

_CHECKPOINT_INTERVAL_S = 300.0
_LOOKED_AT = 8  # rows, if none are held back
_WORST_ROWS = 30  # of the listed pairs with the largest errors

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _EvaluatedWeights:
    """Weights after an epoch: their quality, and whether they are the average."""

    merit: float
    measures: dict[str, Any] | None
    threshold: float | None
    averaged: bool


@dataclass(frozen=True, slots=True)
class _FinishedRun:
    """The best weights of a run: their quality, the epoch, and whether they are an average."""

    merit: float
    epoch: int
    averaged: bool
    threshold: float | None
    weights: dict[str, Any]


class TrainingLoop:
    """Trains a model on rows.

    Args:
        model: is trained in place.
        objective: is trained with it.
        data: rows to learn from.
        validation: rows to choose the best epoch by; None: the last epoch is taken.
        settings: of the training.
        output: of the training; checkpoints are saved next to it; None: nowhere.
        facts: of the run; see `save_checkpoint`.
        about: see `save_checkpoint`.
        like: a finished training with the same settings, on other rows: this one ends after the epoch whose weights
            that one kept, with the same kind of weights.

    Attributes:
        epochs: reports so far.
        before: measures of the validation rows before the first step.
        after: measures with the weights of the best epoch.
        threshold: fitted with the weights that were kept, or given; without validation rows only if it was given.
        best_epoch: from 1; 0: the weights before the first step were kept.
        step: number of steps so far, of all runs.
        stopped: why it ended early.
        warnings: messages for the person.
        steps_per_s: of the training steps alone.
        judged: evaluation of the validation rows with the weights of the best epoch, with the pairs of largest error
            and the differences to `judged_before`.
        judged_before: the same before the first step; without the pairs in a resumed run.
        averaged: whether the weights that were kept are the average.
        combined: number of runs whose weights were averaged for those that were kept.
        saved_step: the step of the last checkpoint; 0 without one.
        vocabulary: the words that the model knows during the training; set when `run` has read the rows.
    """

    averaged: bool
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
        like: TrainingLoop | None = None,
    ) -> None:
        self._model, self._objective, self._data = model, objective.to(model.device), data
        self._validation, self._settings = validation, settings
        self._output, self._facts, self._about = output, facts or {}, about
        self._epochs = settings.epochs * settings.runs if like is None else like.best_epoch_of_run
        self._keeps_average = None if like is None else like.averaged
        self._batches = math.ceil(len(data) / settings.batch_size)
        self._run_steps = _steps_per_epoch(len(data), settings) * settings.epochs
        self._total = self._run_steps * settings.runs
        self._finished: list[_FinishedRun] = []
        self._parameters: list[nn.Parameter] = []
        self._average: WeightAverage | None = None
        self._state: dict[str, Any] | None = None
        self._best: dict[str, Any] | None = None
        self._initial: dict[str, Any] = {}
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
        self.combined = 1
        self.warnings: list[Message] = []
        self.judged: Evaluation | None = None
        self.judged_before: Evaluation | None = None
        self._evaluation: Evaluation | None = None

    @property
    def steps_per_s(self) -> float:
        """Optimizer steps a second in this run, without validation and checkpoints."""
        return self._steps_here / self._seconds if self._seconds else 0.0

    @property
    def best_epoch_of_run(self) -> int:
        """The number of the best epoch within its run, from 1."""
        return (self.best_epoch - 1) % self._settings.epochs + 1

    @staticmethod
    def count_steps(rows: int, settings: TrainingSettings, like: TrainingLoop) -> int:
        """Return how many steps a training on so many rows takes that ends like a finished one."""
        return _steps_per_epoch(rows, settings) * like.best_epoch_of_run

    def free(self) -> None:
        """Let go of optimizer, average and other weights: the training is over."""
        del self._optimizer
        self._average, self._best, self._initial, self._finished = None, None, {}, []
        self._parameters = []

    def judge_words(
        self, judge: WordJudge, threshold: float | None, others: dict[str, Any], share: float
    ) -> Generator[object, None, bool]:
        """Give the trained model a judge, unless the validation rows say that it is better without.

        The weights of the trainings behind the judge are added to the model's if the validation rows say that it gets
        better: they began at the same place.

        Args:
            judge: of the model.
            threshold: taken if there are no validation rows.
            others: the mean of the other trainings' weights, as `copy_weights` returns them.
            share: of these in the mean of all.

        Returns:
            Whether the model has the judge now.
        """
        if self._validation is None:
            self._model.judge, self.threshold = judge, threshold
            return True
        held = yield from self._tokenize(self._validation)
        own = self.copy_weights()
        try:
            self._model.judge = judge
            measures, _ = yield from self._validate(self._validation, held)
            merit = figure_of_merit(self._validation, measures)
            self._load_weights(mix_weights(own, others, share))
            measures, _ = yield from self._validate(self._validation, held)
            mixed = figure_of_merit(self._validation, measures)
        except BaseException:  # the trained model stays as it was
            self._model.judge = None
            self._load_weights(own)
            raise
        is_better = max(merit, mixed) >= self._merit
        if not is_better:
            self._model.judge = None
        if not is_better or mixed <= merit:
            self._load_weights(own)
        if is_better:
            self._merit = max(merit, mixed)
            yield from self._compare_with_start(self._validation, held)
        return is_better

    def restore(self, state: dict[str, Any]) -> TrainingResumed:
        """Continue from a checkpoint when `run` starts; returns the earlier reports."""
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
        self._finished = [_FinishedRun(**each) for each in state.get("finished", ())]
        return TrainingResumed(self._total, tuple(self._history), tuple(self.epochs))

    def run(self) -> Generator[object, None, None]:
        """Train; afterwards the model has the weights of the best epoch, or the initial ones if those are better.

        Yields:
            StepReport, EpochReport, Notice and Progress.

        Raises:
            AppError: the loss was not finite before there were weights to keep.
            Cancelled: it was stopped; there is a checkpoint if a step was done.
        """
        rows = yield from self._tokenize(self._data)
        held = (yield from self._tokenize(self._validation)) if self._validation is not None else []
        checkpoint = self._model.checkpoint
        pad_id = max(self._model.tokenizer.pad_id, int(checkpoint.config.get("pad_token_id") or 0))
        self.vocabulary = TrimmedVocabulary(self._model.network, pad_id, [*rows, *held])
        try:
            self._begin()
            yield from self._run(self.vocabulary.rows(rows), self.vocabulary.rows(held))
        finally:
            self.vocabulary.widen()

    def _begin(self) -> None:
        """Create optimizer and average, and restore the state of a checkpoint."""
        self._parameters = [*self._model.network.parameters(), *self._objective.parameters()]
        self._prepare_run()
        if self._validation is not None or self._settings.runs > 1:
            self._initial = self.copy_weights()
        state, self._state = self._state, None
        if state is None:
            return
        self._model.network.load_state_dict(state["network"])
        self._objective.load_state_dict(state["objective"])
        self._optimizer.load_state_dict(state["optimizer"])
        if self._average is not None:
            self._average.restore(state["average"], state["step"] - len(self._finished) * self._run_steps)

    def _prepare_run(self) -> None:
        """Create optimizer and average for the present weights."""
        self._optimizer = make_optimizer(self._model, self._objective, self._settings)
        if self._settings.averaging:
            self._average = WeightAverage(self._parameters, round(self._settings.averaging * self._run_steps))

    def _start_next_run(self) -> None:
        """Put the weights of the run that has ended aside, and begin with the initial ones again."""
        self._put_run_aside()
        self._load_weights(self._initial)
        self._prepare_run()
        self._best, self._merit, self._worse = None, -math.inf, 0

    def _put_run_aside(self) -> None:
        if self._best is not None:
            run = _FinishedRun(self._merit, self.best_epoch, self.averaged, self.threshold, self._best)
            self._finished.append(run)

    def _run(self, rows: list[list[Any]], held: list[list[Any]]) -> Generator[object, None, None]:
        if self._validation is not None and self.before is None:
            self.before, _ = yield from self._validate(self._validation, held)
            self.judged_before = self._evaluation
        if self._validation is None:  # check only that the rows can be embedded
            held = [column[:_LOOKED_AT] for column in rows]
        forward = self._model.forward(self._settings.seed)
        self._gradients = GradientAccumulator(self._model, self._objective, self._data, rows, self._settings.seed)
        saved_at = time.monotonic()
        try:
            while self._epoch < self._epochs and not self.stopped:
                if self._place == 0 and self._epoch == (len(self._finished) + 1) * self._settings.epochs:
                    self._start_next_run()
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
        if self._finished:
            self._put_run_aside()
            yield from self._combine_runs(held)
        if self._best is not None:
            self._load_weights(self._best)
        if self._validation is not None:
            yield from self._compare_with_start(self._validation, held)

    def _tokenize(self, data: DataSet) -> Generator[object, None, list[list[TokenIds]]]:
        return (yield from _report_steps(self._model.columns(data), "reading"))  # type: ignore[no-any-return]

    def _train_epoch(self, forward: Any) -> Generator[StepReport, None, None]:
        """Run the remaining steps of an epoch."""
        settings = self._settings
        order = np.random.default_rng([settings.seed, self._epoch]).permutation(len(self._data))
        self._objective.train()
        while self._place < self._batches:
            started = time.perf_counter()
            last = min(self._place + settings.accumulation, self._batches)
            count, total = last - self._place, 0.0
            set_learning_rate(self._optimizer, self.step % self._run_steps, self._run_steps, settings)
            for place in range(self._place, last):
                chosen = order[place * settings.batch_size : (place + 1) * settings.batch_size]
                total += self._add_gradient(forward, chosen, place, count) / count
            if not math.isfinite(total):
                self._give_up(
                    Message("the loss became invalid (NaN) in step {step}", code="loss_not_finite", step=self.step + 1)
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
            yield StepReport(self.step, self._total, self._epoch + 1, total, self.steps_per_s, left)

    def _add_gradient(self, forward: Any, chosen: NDArray[np.int64], place: int, count: int) -> float:
        """Add the gradient of an epoch's batch, one of `count` of a step, and return its loss."""
        return self._gradients.add(forward, chosen, self._epoch * self._batches + place, count)

    def _end_epoch(self, held: list[list[TokenIds]]) -> Generator[object, None, None]:
        found = []
        for averaged in self._candidates():
            with self._weights(averaged=averaged):
                found.append((yield from self._rate_weights(held, averaged=averaged)))
        best = max(found, key=lambda each: each.merit)
        loss = self._losses / self._batches
        # Not earlier: after a stop during the evaluation of an epoch, that epoch is evaluated again.
        self._epoch, self._place, self._losses = self._epoch + 1, 0, 0.0
        self.epochs.append(EpochReport(self._epoch, loss, best.measures))
        if not math.isfinite(best.merit):
            self._give_up(
                Message(
                    "weights or vectors became invalid (NaN) in epoch {epoch}",
                    code="weights_not_finite",
                    epoch=self._epoch,
                )
            )
        elif best.merit > self._merit:
            self._keep(best)
        else:
            self._worse += 1
            if self._settings.patience and self._worse >= self._settings.patience:
                self._end_run_early()
        yield self.epochs[-1]

    def _end_run_early(self) -> None:
        """Go on with the next run; end the training if this is the last one."""
        done = len(self._finished) + 1
        if done == self._settings.runs:
            self.stopped = Message("no improvement (patience {epochs})", code="stopped_early", epochs=self._worse)
        else:
            self._epoch, self.step = done * self._settings.epochs, done * self._run_steps

    def _combine_runs(self, held: list[list[TokenIds]]) -> Generator[object, None, None]:
        """Find the mean of runs that is best on the validation rows; of all runs if there are no such rows."""
        runs = sorted(self._finished, key=lambda run: -run.merit)
        best = runs[0]
        self._best, self._merit, self.combined = best.weights, best.merit, 1
        self.best_epoch, self.averaged, self.threshold = best.epoch, best.averaged, best.threshold
        for run in runs[1:]:
            mean = mix_weights(self._best, run.weights, 1 / (self.combined + 1))
            if self._validation is not None:
                self._load_weights(mean)
                found = yield from self._rate_weights(held, averaged=best.averaged)
                if found.merit <= self._merit:
                    continue
                self._merit, self.threshold = found.merit, found.threshold
            self._best = mean
            self.combined += 1

    def _candidates(self) -> list[bool]:
        """Return the candidates of an epoch: the last weights (False), the average (True)."""
        if self._average is None:
            return [False]
        if self._keeps_average is not None:
            return [self._keeps_average]
        return [True] if self._validation is None else [False, True]

    def _weights(self, *, averaged: bool) -> contextlib.AbstractContextManager[None]:
        """Use the last weights, or the average."""
        return self._average.swap_in() if averaged and self._average is not None else contextlib.nullcontext()

    def _rate_weights(
        self, held: list[list[TokenIds]], *, averaged: bool
    ) -> Generator[object, None, _EvaluatedWeights]:
        """Return the quality of the present weights; weights that are not finite are never the best."""
        if not all(bool(torch.isfinite(each).all()) for each in self._parameters):
            return _EvaluatedWeights(-math.inf, None, None, averaged)
        if self._validation is None:
            vectors = yield from _report_steps(self._model.embed([row for column in held for row in column]), "judging")
            merit = float(self._epoch + 1) if np.isfinite(vectors).all() else -math.inf
            threshold = self._settings.threshold if self._data.kind == "duplicates" else None
            return _EvaluatedWeights(merit, None, threshold, averaged)
        measures, threshold = yield from self._validate(self._validation, held)
        merit = figure_of_merit(self._validation, measures)
        return _EvaluatedWeights(merit if math.isfinite(merit) else -math.inf, measures, threshold, averaged)

    def _keep(self, best: _EvaluatedWeights) -> None:
        self._merit, self._worse, self.best_epoch = best.merit, 0, self._epoch
        self.after, self.threshold, self.averaged = best.measures, best.threshold, best.averaged
        with self._weights(averaged=best.averaged):
            self._best = self.copy_weights()

    def _validate(
        self, validation: DataSet, columns: list[list[TokenIds]]
    ) -> Generator[object, None, tuple[dict[str, Any], float | None]]:
        """Return (measures, threshold) of the present weights."""
        words = None
        if self._model.judge is not None:
            pairs = self._model.embed_pairs(validation, self._model.judge.rarity)
            *vectors, words = yield from _report_steps(pairs, "judging")
        else:
            rows = [row for column in columns for row in column]
            found = yield from _report_steps(self._model.embed(rows), "judging")
            vectors = list(found.reshape(len(columns), len(validation), -1))
        head = None if self._objective.head is None else copy.deepcopy(self._objective.head).to("cpu")
        if not all(np.isfinite(each).all() for each in vectors):
            self._give_up(Message("the vectors became invalid (NaN)", code="vectors_not_finite"))
            return self.after or {}, self.threshold
        given = self._settings.threshold
        threshold = self._model.fit_threshold(validation, vectors, head, words) if given is None else given
        self._evaluation = self._model.evaluate(validation, vectors, head, given, _WORST_ROWS, words)
        return self._evaluation.measures, threshold if validation.kind == "duplicates" else None

    def _compare_with_start(self, validation: DataSet, columns: list[list[TokenIds]]) -> Generator[object, None, None]:
        """Evaluate the best epoch's weights, and go back to the initial ones if those were better."""
        _, self.threshold = yield from self._validate(validation, columns)
        assert self._evaluation is not None, "it has just been made"
        after = add_intervals(self._evaluation)
        if self.judged_before is not None:
            before = self.judged_before = add_intervals(self.judged_before)
            self.before = before.measures
            if before.results is not None and after.results is not None:
                after = replace(after, differences=compare_results(before.results, after.results))
        self.judged, self.after = after, after.measures
        if self.before is not None and figure_of_merit(validation, self.before) > self._merit:
            self._load_weights(self._initial)
            self.best_epoch, self.averaged, self.combined = 0, False, 1
            _, self.threshold = yield from self._validate(validation, columns)

    def _give_up(self, why: Message) -> None:
        """Stop with the best weights so far.

        Raises:
            AppError: there are none yet.
        """
        if not self.best_epoch:
            raise AppError(
                "{why} before the first epoch was finished; nothing was saved",
                "Try a smaller --learning-rate.",
                why=why,
            )
        self.stopped = why
        self.warnings.append(
            Message(
                "{why}; the training was stopped, and epoch {best_epoch} is kept",
                code="training_ended",
                why=why,
                best_epoch=self.best_epoch,
            )
        )

    def copy_weights(self) -> dict[str, Any]:
        """Return a copy of the weights of `network` and `objective`."""
        return {
            "network": copy.deepcopy(self._model.network.state_dict()),
            "objective": copy.deepcopy(self._objective.state_dict()),
        }

    def _load_weights(self, weights: dict[str, Any]) -> None:
        self._model.network.load_state_dict(weights["network"])
        self._objective.load_state_dict(weights["objective"])

    def _save(self) -> Iterator[TrainingNotice]:
        """Write a checkpoint; the first failure is reported at once."""
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
            "finished": [{each.name: getattr(run, each.name) for each in fields(run)} for run in self._finished],
            "epochs": [asdict(each) for each in self.epochs],
            "history": self._history,
            "judged_before": evaluation_to_facts(self.judged_before),
            "computing": self._model.compute_plan.resumable_settings(),
        }
        try:
            save_checkpoint(self._output, self._facts, state, self._about)
            self.saved_step = self.step
        except OSError as error:
            # The run needs no disk until its end; it only cannot be resumed. The warning lets a person make room.
            log.warning("no checkpoint", exc_info=True)
            warning = Message(
                "a checkpoint could not be written ({why}). The training continues; free some disk space "
                "before it ends",
                code="checkpoint_failed",
                why=system_text(error.strerror or error),
            )
            if warning not in self.warnings:
                self.warnings.append(warning)
                yield TrainingNotice(warning)


def mix_weights(mean: dict[str, Any], more: dict[str, Any], share: float) -> dict[str, Any]:
    """Return `mean` moved by `share` of the way towards `more`; both as `TrainingLoop.copy_weights` returns them.

    They may be on different devices: the weights of a checkpoint are on the processor, those of a training on a GPU.
    """

    def mix(tensor: Tensor, other: Tensor) -> Tensor:
        return torch.lerp(tensor, other.to(tensor.device), share) if tensor.is_floating_point() else tensor

    return {
        part: {name: mix(tensor, more[part][name]) for name, tensor in tensors.items()}
        for part, tensors in mean.items()
    }


def _steps_per_epoch(rows: int, settings: TrainingSettings) -> int:
    return math.ceil(math.ceil(rows / settings.batch_size) / settings.accumulation)


def _report_steps(steps: Generator[Any, None, Any], phase: str) -> Generator[object, None, Any]:
    return map_steps(steps, lambda _: Progress(phase))


class EagerAdamW(torch.optim.AdamW):
    """AdamW that does not load torch's compiler, which takes 2.3 s and 80 MB in each process that trains.

    Bodies that transformers computes load it themselves.

    torch wraps these methods for programs that compile their training; here they are as they are below the wrappers.
    """

    add_param_group = inspect.unwrap(torch.optim.AdamW.add_param_group)
    zero_grad = inspect.unwrap(torch.optim.AdamW.zero_grad)
    state_dict = inspect.unwrap(torch.optim.AdamW.state_dict)
    load_state_dict = inspect.unwrap(torch.optim.AdamW.load_state_dict)
    step = torch.no_grad()(inspect.unwrap(torch.optim.AdamW.step))


def make_optimizer(model: TrainedModel, objective: Objective, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return an optimizer of a model's and an objective's weights. Matrices decay, and new layers have their own rate.

    Each group has its highest rate in `top`.
    """
    parameters = [*model.network.parameters(), *objective.parameters()]
    fresh = {id(each) for each in [*new_parameters(model, settings), *objective.parameters()]}
    fresh_rate = settings.head_learning_rate or settings.learning_rate
    groups = []
    for is_fresh in (False, True):
        for is_matrix in (False, True):
            own = [p for p in parameters if (id(p) in fresh) == is_fresh and (p.ndim > 1) == is_matrix]
            if own:
                rate = fresh_rate if is_fresh else settings.learning_rate
                # `adam` is AdamW without decay and with a constant rate.
                decay = settings.weight_decay if is_matrix and settings.optimizer != "adam" else 0.0
                groups.append({"params": own, "lr": rate, "weight_decay": decay, "top": rate})
    return EagerAdamW(groups, fused=True)


def learning_rate_factor(step: int, steps: int, settings: TrainingSettings) -> float:
    """Return the learning rate of a step (from 0) as a share of its maximum, by the number of steps."""
    warm = round(settings.warmup * steps)
    if step < warm:
        return (step + 1) / warm
    return 1.0 if settings.optimizer == "adam" else (steps - step) / max(1, steps - warm)


def set_learning_rate(optimizer: torch.optim.Optimizer, step: int, steps: int, settings: TrainingSettings) -> None:
    """Set the rates of a step (from 0), by the number of steps."""
    factor = learning_rate_factor(step, steps, settings)
    for group in optimizer.param_groups:
        group["lr"] = group["top"] * factor


class WeightAverage:
    """A moving average of weights, in which the latest count most (Polyak & Juditsky 1992).

    After step t it moves towards the weights by 1 / min(t, span): the plain mean of the first `span` steps, then an
    exponential mean.

    Args:
        parameters: to average.
        span: number of steps.

    Attributes:
        weights: the average, fp32, a tensor for each parameter.
        steps: number of averaged steps.
    """

    def __init__(self, parameters: Sequence[nn.Parameter], span: int) -> None:
        self._parameters = list(parameters)
        self._span = max(1, span)
        self.weights: list[Tensor] = [each.detach().clone() for each in parameters]
        self.steps = 0

    def update(self) -> None:
        """Add the present weights."""
        self.steps += 1
        share = 1 / min(self.steps, self._span)
        with torch.no_grad():
            for average, parameter in zip(self.weights, self._parameters, strict=True):
                average.lerp_(parameter, share)

    @contextlib.contextmanager
    def swap_in(self) -> Iterator[None]:
        """Set the parameters to the average, and restore their own weights afterwards."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def restore(self, weights: Sequence[Tensor], steps: int) -> None:
        """Continue from a saved average."""
        for average, saved in zip(self.weights, weights, strict=True):
            average.copy_(saved)
        self.steps = steps

    def _swap(self) -> None:
        for place, parameter in enumerate(self._parameters):
            own = parameter.data
            parameter.data, self.weights[place] = self.weights[place], own
